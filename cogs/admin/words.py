"""The words of /admin: settings, resets of several rollers, deleting a server's data."""

from collections.abc import Mapping, Sequence

from bot.campaign.campaigns import Footer, Looks, Roller, Rules, Whose
from bot.campaign.events import Event
from bot.campaign.kinds import FOREVER, Visibility
from bot.services.campaigns import UsualSet
from bot.words.cards import Card, CardButton, Head, Text, Tone, said
from bot.words.text import code, first_few, footnote, mention, plural

DELETED = "Done. I deleted everything stored for this place."
_ROLLERS_SHOWN = 20
_SEEN_BY = {
    Visibility.PUBLIC: "all see",
    Visibility.SELF: "only the player sees",
    Visibility.GM: "the player and the game masters see",
    Visibility.BLIND: "only game masters see",
}
_FOOT = {
    Footer.CHECKPOINTS: "all of that, and now and then the log's checkpoint",
    Footer.FULL: "the roller's whole rule, the number and where the bits came from",
    Footer.SHORT: "the roller, the number and where the bits came from",
    Footer.NUMBER: "the roller and the number",
}
_WHO = {Whose.GMS: "game masters", Whose.EVERYONE: "all"}


def settings(rules: Rules, campaigns: int, limit: int = FOREVER, *, server: bool = False) -> Card:
    """Return every setting on a line behind its option, and how many campaigns there may be.

    `limit` is the days that all histories are kept, 0 for ever. `server` says whose settings they are.
    """
    title = Head("Settings", aside="new campaigns of this server begin with them" if server else "")
    allowed = _line("campaigns", f"at most {campaigns:,} on this server")
    return Card((title, Text("\n".join([*_lines(rules, limit), allowed]))), tone=Tone.QUIET)


def settings_changed(event: Event, before: Rules, after: Rules, limit: int = FOREVER) -> str:
    """Return the public message with the settings that changed."""
    lines = _changed(before, after, limit)
    return "\n".join([f"{mention(event.user_id)} changed this campaign's settings:", *lines, footnote(event)])


def usual_changed(user_id: int, changed: UsualSet, limit: int = FOREVER) -> str:
    """Return the public message with what a server's campaigns begin with from now on."""
    lines = _changed(changed.before, changed.after, limit)
    follow = f"Changed in {plural(changed.followed, 'campaign')} here. New ones begin with it."
    kept = "Campaigns that chose otherwise keep their own setting."
    return "\n".join([f"{mention(user_id)} changed the settings of this server:", *lines, follow, kept])


def lacking(rights: Mapping[int, Sequence[str]]) -> str:
    """Return which permissions the bot lacks in which channels."""
    needs = [
        f"I can't post in <#{place}> yet. Give me {' and '.join(of)} there." for place, of in rights.items()
    ]
    return "\n".join(needs)


def confirm_reset(rollers: Sequence[Roller], scope: str, name: str) -> Card:
    """Return the question before a reset."""
    where = "" if scope == "roller" else f" of this {scope}"
    asked = (
        f"Reset {_named([roller.name for roller in rollers])}{where}? They forget every roll so far, for "
        "everybody. The history stays, and the reset can be undone."
    )
    return said(asked, CardButton("why", (scope, name)))


def reset_done(events: Sequence[Event], interaction_id: int) -> Card:
    """Return the public message that says who reset which rollers, and why."""
    first, last = events[0], events[-1]
    why = f" Why: {code(first.label)}." if first.label else ""
    names = _named([event.roller for event in events])
    done = f"{mention(first.user_id)} reset {names}: a fresh start.{why}\n{footnote(last, first=first)}"
    return said(done, CardButton("undo-reset", (first.campaign_id, interaction_id)))


def reset_undone(events: Sequence[Event]) -> str:
    """Return the public message that says who undid a reset."""
    names = _named([event.roller for event in events])
    return f"{mention(events[0].user_id)} undid the reset of {names}.\n{footnote(events[-1])}"


def confirm_delete(campaigns: int, events: int) -> Card:
    """Return the question before all data of a place is deleted."""
    asked = (
        f"Delete everything stored for this place: {plural(campaigns, 'campaign')} with "
        f"{plural(events, 'entry', 'entries')}, all rollers and memories? You can't undo this. Use "
        "`/export` first to keep a copy."
    )
    return said(asked, CardButton("delete-home"))


def _changed(before: Rules, after: Rules, limit: int) -> list[str]:
    old = _lines(before, limit)
    lines = [line for line in _lines(after, limit) if line not in old]
    if FOREVER < after.kept_days(limit) != before.kept_days(limit):
        lines.append("Nothing goes before tomorrow. Use `/export` first to keep a copy.")
    return lines


def _lines(rules: Rules, limit: int) -> list[str]:
    days = rules.kept_days(limit)
    kept = f"entries go for good after {days} days, the counts for `/stats` stay"
    rolls = f"{plural(rules.pace, 'roll')} per player in five seconds"
    log, gms = rules.log_channel, rules.gm_channel
    return [
        _line("visibility", f"{_SEEN_BY[rules.visibility]} a roll, unless it says otherwise"),
        _line("makers", f"{_WHO[rules.makers]} make rollers"),
        _line("odds", f"{_WHO[rules.odds]} see the next roll's odds"),
        _line(
            "called_only", f"rollers remember {'only called rolls' if rules.called_only else 'every roll'}"
        ),
        _line("pace", rolls if rules.pace else "no limit of its own"),
        _line("footer", f"under a roll: {_FOOT[rules.footer]}"),
        _line("by_hand", f"rollers {'remember' if rules.by_hand else 'take no'} dice thrown by hand"),
        _line("faces", f"dice are {'pictures' if rules.faces else 'text'}"),
        _line("looks", f"messages are {'cards' if rules.looks is Looks.CARDS else 'plain text'}"),
        _line("log", f"public rolls show in <#{log}> too" if log else "no channel that shows all rolls"),
        _line("gm_channel", f"hidden rolls are told in <#{gms}>" if gms else "no channel for hidden rolls"),
        _line("retention", kept if days else "the history stays for ever"),
        f"**/campaign dialect** · dice are read as in {rules.dialect.program}",
    ]


def _line(option: str, what: str) -> str:
    """Return a setting behind the option that changes it."""
    return f"**{option}** · {what}"


def _named(names: Sequence[str]) -> str:
    return first_few([code(name) for name in names], _ROLLERS_SHOWN)

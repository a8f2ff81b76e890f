"""The words of /admin: settings, resets of several rollers, deleting a server's data."""

from collections.abc import Mapping, Sequence

from bot.campaign.campaigns import Footer, Looks, Roller, Rules, Whose
from bot.campaign.events import Event
from bot.campaign.kinds import FOREVER, Visibility
from bot.services.campaigns import UsualSet
from bot.words.text import code, first_few, footnote, mention, plural

DELETED = "Done. I deleted everything stored for this place."
_ROLLERS_SHOWN = 20
_SEEN_BY = {
    Visibility.PUBLIC: "everybody",
    Visibility.SELF: "the player who rolled",
    Visibility.GM: "the player who rolled and the game masters",
    Visibility.BLIND: "the game masters",
}
_FOOT = {
    Footer.CHECKPOINTS: "all of that, and now and then the log's checkpoint",
    Footer.FULL: "the roller's whole rule, the number and where the bits came from",
    Footer.SHORT: "the roller, the number and where the bits came from",
    Footer.NUMBER: "the roller and the number",
}
_WHO = {Whose.GMS: "game masters", Whose.EVERYONE: "everybody"}


def settings(rules: Rules, campaigns: int, limit: int = FOREVER, *, server: bool = False) -> str:
    """Return every setting on a line, and how many campaigns there may be.

    `limit` is the days that all histories are kept, 0 for ever. `server` says whose settings they are.
    """
    title = "New campaigns of this server begin with" if server else "Settings of this campaign"
    allowed = f"This server may have {plural(campaigns, 'campaign')}."
    return "\n".join([f"**{title}**", *_lines(rules, limit), allowed])


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


def confirm_reset(rollers: Sequence[Roller], scope: str) -> str:
    """Return the question before a reset."""
    where = "" if scope == "roller" else f" of this {scope}"
    return (
        f"Reset {_named([roller.name for roller in rollers])}{where}? They forget every roll so far, for "
        "everybody. The history stays, and the reset can be undone."
    )


def reset_done(events: Sequence[Event]) -> str:
    """Return the public message that says who reset which rollers, and why."""
    first, last = events[0], events[-1]
    why = f" Why: {code(first.label)}." if first.label else ""
    names = _named([event.roller for event in events])
    return f"{mention(first.user_id)} reset {names}: a fresh start.{why}\n{footnote(last, first=first)}"


def reset_undone(events: Sequence[Event]) -> str:
    """Return the public message that says who undid a reset."""
    names = _named([event.roller for event in events])
    return f"{mention(events[0].user_id)} undid the reset of {names}.\n{footnote(events[-1])}"


def confirm_delete(campaigns: int, events: int) -> str:
    """Return the question before all data of a place is deleted."""
    return (
        f"Delete everything stored for this place: {plural(campaigns, 'campaign')} with "
        f"{plural(events, 'entry', 'entries')}, all rollers and memories? You can't undo this. Use "
        "`/export` first to keep a copy."
    )


def _changed(before: Rules, after: Rules, limit: int) -> list[str]:
    old = _lines(before, limit)
    lines = [line for line in _lines(after, limit) if line not in old]
    if FOREVER < after.kept_days(limit) != before.kept_days(limit):
        lines.append("Nothing goes before tomorrow. Use `/export` first to keep a copy.")
    return lines


def _lines(rules: Rules, limit: int) -> list[str]:
    counts = "a game master called for" if rules.called_only else "is made with it, unless for practice"
    rolls = "once" if rules.pace == 1 else f"{rules.pace} times"
    pace = f"{rolls} in five seconds" if rules.pace else "no limit of its own"
    return [
        f"Rolls, unless they say otherwise: {_SEEN_BY[rules.visibility]} can see them.",
        f"Who makes rollers: {_WHO[rules.makers]}.",
        f"Who sees the next roll's odds: {_WHO[rules.odds]}.",
        f"Rollers remember every roll that {counts}.",
        f"Speed: {pace}.",
        f"Under a roll: {_FOOT[rules.footer]}.",
        f"Notation: as in {rules.dialect.program}.",
        "Rollers remember dice thrown by hand."
        if rules.by_hand
        else "Rollers with a memory take no dice thrown by hand.",
        f"Dice in results: {'pictures, where I have them' if rules.faces else 'text'}.",
        "Messages are cards." if rules.looks is Looks.CARDS else "Messages are plain text.",
        f"Every public roll also shows in <#{rules.log_channel}>."
        if rules.log_channel
        else "No log channel.",
        f"Game masters hear of hidden rolls in <#{rules.gm_channel}>."
        if rules.gm_channel
        else "No channel for game masters.",
        f"The history stays for {days} days. Older entries go for good, and the counts for `/stats` stay."
        if (days := rules.kept_days(limit))
        else "The history stays for ever.",
    ]


def _named(names: Sequence[str]) -> str:
    return first_few([code(name) for name in names], _ROLLERS_SHOWN)

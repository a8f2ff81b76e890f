"""Texts and cards of /admin: settings, resets of several rollers, deletion of a server's data."""

from collections.abc import Mapping, Sequence

from bot.campaign.campaigns import Roller, Rules
from bot.campaign.events import Event
from bot.campaign.kinds import FOREVER
from bot.words.cards import Card, CardButton, Head, Text, Tone, text_card
from bot.words.games import roller_name
from bot.words.hands import kept_in_hands
from bot.words.languages import NAMES
from bot.words.saying import join_with_and, phrase, read_table, say, say_many
from bot.words.text import code, first_few, footnote, mention

DELETED = phrase("Done. I deleted everything stored for this place.")
_ROLLERS_SHOWN = 20
SETTINGS = read_table(__file__, "settings")
"""The texts of each setting: its question, its choices and its values."""


def settings(rules: Rules, campaigns: int, limit: int = FOREVER, *, server: bool = False) -> Card:
    """Return a line for each setting with its option, and one for the server's limit of campaigns.

    `limit` is the retention of all histories in days, 0 for ever. `server` marks the server's own settings.
    """
    title = Head(say("Settings"), aside=say("new campaigns of this server begin with them") if server else "")
    allowed = say("at most {n:,} on this server", n=campaigns)
    lines = _lines(_values(rules, limit) | {"campaigns": allowed})
    return Card((title, Text("\n".join(lines))), tone=Tone.QUIET)


def settings_changed(event: Event, before: Rules, after: Rules, limit: int = FOREVER) -> str:
    """Return the public message of changed settings."""
    lines = _changed(before, after, limit)
    head = say("{player} changed this campaign's settings:", player=mention(event.user_id))
    return "\n".join([head, *lines, footnote(event)])


def usual_changed(user_id: int, before: Rules, after: Rules, followed: int, limit: int = FOREVER) -> str:
    """Return the public message of changed settings of a server."""
    lines = _changed(before, after, limit)
    head = say("{player} changed the settings of this server:", player=mention(user_id))
    follow = say_many(
        "Changed in {n} campaign here. New ones begin with it.",
        "Changed in {n:,} campaigns here. New ones begin with it.",
        followed,
    )
    exceptions = say("Campaigns that chose otherwise keep their own setting.")
    return "\n".join([head, *lines, follow, exceptions])


def lacking(rights: Mapping[int, Sequence[str]]) -> str:
    """Return the warning of permissions that the bot lacks, by channel."""
    template = "I can't post in {channel} yet. Give me {permissions} there."
    needs = [
        say(template, channel=f"<#{place}>", permissions=join_with_and(of)) for place, of in rights.items()
    ]
    return "\n".join(needs)


def confirm_reset(rollers: Sequence[Roller], campaign_id: int, scope: str, name: str) -> Card:
    """Return the question before a reset."""
    question = (
        "Reset {rollers}? It forgets every roll so far, for everybody. The history stays, and the reset can "
        "be undone."
        if len(rollers) == 1
        else "Reset {rollers} of this campaign? They forget every roll so far, for everybody. The history "
        "stays, and the reset can be undone."
    )
    names = _list_names([roller.name for roller in rollers])
    return text_card(say(question, rollers=names), CardButton("why", (campaign_id, scope, name)))


def reset_done(events: Sequence[Event], interaction_id: int, held_cards: int) -> Card:
    """Return the public message of a reset; `held_cards` is the number of cards that stay in hands."""
    first, last = events[0], events[-1]
    values = {"player": mention(first.user_id), "rollers": _list_names([event.roller for event in events])}
    if first.label:
        done = say("{player} reset {rollers}: a fresh start. Why: {why}.", why=code(first.label), **values)
    else:
        done = say("{player} reset {rollers}: a fresh start.", **values)
    return text_card(
        "\n".join(filter(None, [done, footnote(last, first=first), kept_in_hands(held_cards)])),
        CardButton("undo-reset", (first.campaign_id, interaction_id)),
    )


def reset_undone(events: Sequence[Event]) -> str:
    """Return the public message of an undone reset."""
    names = _list_names([event.roller for event in events])
    done = say("{player} undid the reset of {rollers}.", player=mention(events[0].user_id), rollers=names)
    return f"{done}\n{footnote(events[-1], first=events[0])}"


def confirm_delete(campaigns: int, events: int) -> Card:
    """Return the question before all data of a place is deleted."""
    question = say(
        "Delete everything stored for this place: {campaigns} with {entries}, all rollers and memories? You "
        "can't undo this. Use `/export` first to keep a copy.",
        campaigns=say_many("{n} campaign", "{n:,} campaigns", campaigns),
        entries=say_many("{n} entry", "{n:,} entries", events),
    )
    return text_card(question, CardButton("delete-home"))


def _changed(before: Rules, after: Rules, limit: int) -> list[str]:
    old = _values(before, limit)
    lines = _lines({option: text for option, text in _values(after, limit).items() if text != old[option]})
    if FOREVER < after.kept_days(limit) != before.kept_days(limit):
        lines.append(say("Nothing is removed before tomorrow. Use `/export` first to keep a copy."))
    return lines


def _lines(texts: Mapping[str, str]) -> list[str]:
    """Return a line for each setting, with the option that changes it."""
    return [f"**{option}** · {text}" for option, text in texts.items()]


def _values(rules: Rules, limit: int) -> dict[str, str]:
    """Return the option of each setting to the text of its value."""
    days = rules.kept_days(limit)
    retention = say("entries go for good after {days} days, the counts of plain dice stay", days=days)
    singular, plural = "{n} roll per player in five seconds", "{n:,} rolls per player in five seconds"
    own = {
        "pace": say_many(singular, plural, rules.pace) if rules.pace else say("no limit of its own"),
        "hand": _hand(rules.hand),
        "language": _language(rules.language),
    }
    by_name = {
        name: say(texts["told"][_value(getattr(rules, name))]) if "told" in texts else own[name]
        for name, texts in SETTINGS.items()
        if name != "retention"
    }
    log, gms = rules.log_channel, rules.gm_channel
    logged = say("public rolls show in {channel} too", channel=f"<#{log}>")
    noticed = say("hidden rolls are announced in {channel}", channel=f"<#{gms}>")
    return {
        **by_name,
        "log": logged if log else say("no channel that shows all rolls"),
        "gm_channel": noticed if gms else say("no channel for hidden rolls"),
        "retention": retention if days else say("the history stays for ever"),
        "/campaign dialect": say("dice are read as in {program}", program=rules.dialect.program),
    }


def _value(value: object) -> str:
    """Return a value's key in the file of settings."""
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _hand(cards: int) -> str:
    singular = "after each play, hands fill up to {n} card"
    plural = "after each play, hands fill up to {n} cards"
    return say_many(singular, plural, cards) if cards else say("players draw their cards themselves")


def _language(tag: str) -> str:
    if not tag:
        return say("shared messages are in the server's language")
    return say("shared messages are in {language}", language=NAMES.get(tag, tag))


def _list_names(names: Sequence[str]) -> str:
    return first_few([code(roller_name(None, name)) for name in names], _ROLLERS_SHOWN)

"""The lines of a group call's rolls: who, total, dice, and by how much a roll meets the DC."""

from collections.abc import Callable

from bot.campaign.call_terms import Rule, Terms
from bot.campaign.calls import CallEntry
from bot.campaign.replay import RollResult, read_roll
from bot.campaign.standings import Standing
from bot.campaign.turns import tied
from cogs.kit.checks import luck, met
from cogs.kit.dice import dice
from cogs.kit.rolls import made
from cogs.kit.text import code, cut, fitted, listed, mention

_DICE, _FACES, _NAME = 60, 60, 32


def rolls(standing: Standing, room: int) -> str:
    """Return a line for each roll in at most `room` characters: with dice if they fit, else without."""
    terms, entries = standing.call.terms, standing.call.entries
    short = [_line(entry, terms, _total) for entry in entries]
    brief = "\n".join(short)
    # Dice are thrown again from the record, which is in vain where not even the totals fit.
    whole = [_line(entry, terms, _with_dice) for entry in entries] if len(brief) <= room else short
    return fitted(["\n".join(whole), brief, " · ".join(short)], short, " · ", room)


def turns(standing: Standing, room: int) -> str:
    """Return the order of an initiative in at most `room` characters, with a mark at whose turn it is."""
    ordered = standing.order
    ties, now = tied(ordered), standing.at_turn
    whole = [_turn(entry, now, ties, _with_dice) for entry in ordered]
    short = [_turn(entry, now, ties, _total) for entry in ordered]
    return fitted(["\n".join(whole), "\n".join(short)], short, "\n", room)


def who(entry: CallEntry) -> str:
    """Return whose roll it is: a mention, or the name that the game master gave."""
    return code(entry.name, _NAME) if entry.name else mention(entry.user_id)


def outcome(entry: CallEntry, terms: Terms) -> str:
    """Return whether a roll meets the DC, and by how much; "" where no single roll is held against one."""
    if entry.total is None or terms.check is None or terms.rule is Rule.SUM:
        return ""
    return met(terms.check, entry.total)


def _line(entry: CallEntry, terms: Terms, shown: Callable[[CallEntry], str]) -> str:
    chances = luck(RollResult(entry.event, (), entry.account))
    parts = [shown(entry), outcome(entry, terms), chances, "rolled by the GM" if entry.absent else ""]
    return f"{who(entry)} " + " · ".join(part for part in parts if part)


def _turn(entry: CallEntry, now: CallEntry | None, ties: set[int], shown: Callable[[CallEntry], str]) -> str:
    tie = f" · tie, drew {entry.lot:,}" if entry.total in ties else ""
    return f"{'➤ ' if entry is now else ''}{who(entry)} {shown(entry)}{tie}"


def _total(entry: CallEntry) -> str:
    return f"**{listed(entry.faces, _FACES)}**" if entry.total is None else f"**{entry.total}**"


def _with_dice(entry: CallEntry) -> str:
    if entry.total is None:
        return _total(entry)
    said = made(entry)
    if said:
        return f"{_total(entry)} ← {cut(said, _DICE)}"
    throw = read_roll(entry.event).outcomes[entry.place].throw
    return f"{_total(entry)} ← {dice(throw, _DICE)}" if throw else _total(entry)

"""The rows of a group call's board, each roll with its dice or each place in the order; and its verdict."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from bot.campaign.call_terms import Form, Rule, Terms
from bot.campaign.calls import Standing
from bot.campaign.replay import CallEntry, RollResult, read_roll
from bot.campaign.turns import entry_at, tied
from bot.dice.throws import Unit
from bot.words.cards import CardRow, drawn
from bot.words.checks import compare, contested, luck, met
from bot.words.games import face, judged, localize_result
from bot.words.outcomes import MOST_DRAWN, dice_text, sums_explained, thrown
from bot.words.rolls import results_by_name, special
from bot.words.saying import read_table, say, say_many, with_heading
from bot.words.text import NO_PICTURES, Pictures, clean_name, cut, escape, listed, natural, player, rounded

_DICE, _FACES, _NAME = 60, 60, 32
_TEXTS = read_table(__file__, "texts")
YES_OR_NO = {Rule.HALF, Rule.ALL, Rule.ANY}
_DICE_ROWS = 60
"""Most rows with dice: dice are read from the record, in vain if there is no room for them."""


def rows(standing: Standing, pictures: Pictures, *, show_hidden: bool) -> Sequence[CardRow]:
    """Return a row for each roll; if the rolls are hidden, only the names of those who rolled."""
    call = standing.call
    if not (call.is_visible or show_hidden):
        return [CardRow(name) for name in dict.fromkeys(map(entry_name, call.entries))]
    return [*(_turns if call.terms.form is Form.INITIATIVE else _rolls)(standing, pictures)]


def at_place(standing: Standing, entry: CallEntry) -> str:
    """Return the line of an initiative's entry for a game master."""
    return _turn(standing, entry, standing.at_turn).line()


def in_order(entry: CallEntry, names: Mapping[int, str]) -> str:
    """Return the option of an initiative's entry, without markup; `names` maps user ids to names."""
    event = entry.event
    name = clean_name(entry.name) or event.character or names.get(entry.user_id or 0) or f"#{event.seq}"
    return with_heading(name, str(entry.total))


def _rolls(standing: Standing, pictures: Pictures) -> Iterator[CardRow]:
    """Yield a row for each roll, best first; rolls of cards keep their order."""
    terms, entries = standing.call.terms, standing.call.entries
    for entry in sorted(entries, key=lambda entry: entry.total or 0, reverse=not terms.under):
        result = _show(entry, pictures) if len(entries) <= _DICE_ROWS else _Shown()
        by_gm = say("rolled by the GM") if entry.absent else ""
        source = special(entry.event.roll.source) if entry.event.roll.thrown else ""
        account_note = luck(RollResult(entry.event, (), entry.account))
        notes = result.note, against_dc(entry, terms), account_note, by_gm, source
        passed = terms.check.passes(entry.total) if terms.check and entry.total is not None else None
        total = result.total or _total(entry)
        yield CardRow(entry_name(entry), total, result.dice, " · ".join(filter(None, notes)), passed)


def _turns(standing: Standing, pictures: Pictures) -> Iterator[CardRow]:
    """Yield the rows of an initiative in order, with a mark at the current turn."""
    ordered, now = standing.order, standing.at_turn
    ties = tied(ordered)
    for entry in ordered:
        result = _show(entry, pictures) if len(ordered) <= _DICE_ROWS else _Shown()
        tie = say("tie, placed by lot") if entry.total in ties else ""
        yield _turn(standing, entry, now, result.dice, result.note, tie)


def _turn(
    standing: Standing, entry: CallEntry, now: CallEntry | None, dice: str = "", *remarks: str
) -> CardRow:
    note = escape(standing.notes.get(entry_at(entry), ""))
    name, notes = entry_name(entry), " · ".join(filter(None, (*remarks, note)))
    if standing.turn and entry_at(entry) in standing.turn.out:
        return CardRow(say("~~{entry}~~ (out)", entry=f"{name} **{_total(entry)}**"), verdict=notes)
    return CardRow(f"➤ {name}" if entry is now else name, _total(entry), dice, notes)


def entry_name(entry: CallEntry) -> str:
    """Return the mention of the player who rolled, or the name that the game master gave."""
    if entry.name:
        return cut(clean_name(entry.name), _NAME)
    return player(entry.user_id, entry.event.character)


def against_dc(entry: CallEntry, terms: Terms) -> str:
    """Return whether a roll meets the DC, and its margin; "" if single rolls have no DC."""
    if entry.total is None or terms.check is None or terms.rule is Rule.SUM:
        return ""
    # A luck account may have degrees of success of its own.
    return met(entry.event.roll.check or terms.check, entry.total)


def _total(entry: CallEntry) -> str:
    if by_name := results_by_name(entry.event):
        return cut(by_name[entry.place], _FACES)
    if entry.total is not None:
        return contested(entry.total) if _is_margin(entry) else str(entry.total)
    system = entry.event.roll.of.system
    return listed([face(system, value) for value in entry.faces], _FACES)


def _is_margin(entry: CallEntry) -> bool:
    """Return whether the total is how far one side is ahead of the other."""
    # Few rolls have two sides, and dice are read from the record.
    throw = read_roll(entry.event).outcomes[entry.place].throw if " vs " in entry.event.roll.text else None
    return throw is not None and throw.unit is Unit.MARGIN


class _Shown(NamedTuple):
    """What the dice of a roll add to its row; "" for what they lack."""

    total: str = ""
    """The total in place of the recorded result."""
    dice: str = ""
    note: str = ""


def _show(entry: CallEntry, pictures: Pictures) -> _Shown:
    """Return a roll's dice, as pictures if they are few, and its natural 20 or 1; nothing for named results.

    A sum that was compared with a number is the total, and a game's class stands behind what decided it.
    """
    if results_by_name(entry.event):
        return _Shown()
    outcomes, roll = localize_result(read_roll(entry.event)).outcomes, entry.event.roll
    if sums := sums_explained(roll, (thrown(outcome, pictures) for outcome in outcomes)):
        return _Shown(dice=(sums if drawn(sums[0]) else sums_explained(roll, roll.results))[entry.place])
    throw = outcomes[entry.place].throw
    if throw is None:
        return _Shown()
    compared = compare(throw)
    shown_throw = compared.throw if compared else throw
    few = sum(len(pool.dice) for pool in throw.pools) <= MOST_DRAWN
    dice = dice_text(shown_throw, _DICE, pictures if few else NO_PICTURES)
    note = f"**{extreme}**" if (extreme := natural(shown_throw)) else ""
    if compared:
        margin = met(compared.terms, shown_throw.total)
        dice, note = f"{dice} {compared.target}".strip(), " · ".join(filter(None, (note, margin)))
        return _Shown(str(shown_throw.total), dice, note)
    decided = judged(roll.of.system, throw)
    return _Shown(with_heading(decided, _total(entry)) if decided else "", dice, note)


def summary(standing: Standing, *, over: bool) -> str:
    """Return the line of a check's verdict, so far or final; "" if there is none."""
    terms, verdict = standing.call.terms, standing.verdict
    if terms.form is not Form.CHECK or not verdict.rolled:
        return ""
    alone = over and verdict.passed is None
    text = figures(standing, alone=alone)
    if not text:
        return ""
    if not over:
        return say("So far: {figures}.", figures=text)
    if alone:
        return f"**{text}.**"
    template = "**The group succeeds**: {figures}." if verdict.passed else "**The group fails**: {figures}."
    return say(template, figures=text)


def figures(standing: Standing, *, alone: bool = False) -> str:
    """Return the figures of a verdict, such as "2 of 3 pass", or "". `alone` starts with a capital."""
    terms, verdict = standing.call.terms, standing.verdict
    if verdict.value is None or terms.rule in YES_OR_NO:
        if verdict.succeeded is None:
            return ""
        return say("{passed} of {rolled} pass", passed=verdict.succeeded, rolled=verdict.rolled)
    if terms.rule is Rule.SUCCESSES:
        singular, plural = "{n} success of {needed} needed", "{n} successes of {needed} needed"
        value = say_many(singular, plural, verdict.value, needed=terms.needed)
    else:
        number = _figure(verdict.value)
        if classes := standing.classes:
            outcome = (classes[int(verdict.value)],)
            number = next(_total(entry) for entry in standing.call.entries if entry.faces == outcome)
        value = say(_TEXTS["alone" if alone else "beside"][terms.rule], value=number)
    return ", ".join(filter(None, (value, _margin(verdict.margin, under=terms.under))))


def _margin(margin: Fraction | None, *, under: bool) -> str:
    if margin is None:
        return ""
    if not margin:
        return say("just enough")
    lower = "{margin} under" if under else "{margin} short"
    return say("{margin} over" if (margin > 0) is not under else lower, margin=_figure(abs(margin)))


def _figure(value: Fraction) -> str:
    """Return a number with two decimals at most; only zero itself reads 0."""
    text = rounded(value)
    return say("less than {least}", least=0.01) if value and text in {"0", "-0"} else text

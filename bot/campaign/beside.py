"""A roller as a summand: dice or a number are added to what it shows, or the better of two counts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from bot.campaign.adjustments import PLAIN, Added, Adjustment, read_adjustment
from bot.campaign.campaigns import Roller
from bot.campaign.checks import held_against
from bot.campaign.command import Caller, Drawing, Needs, RollOptions
from bot.campaign.events import Rolled
from bot.campaign.replay import throw_dice
from bot.campaign.rolls import Attempt, check_times, must_be_dice, roll_roller
from bot.campaign.state import State
from bot.dice.by_hand import recording
from bot.dice.distribution import distribution
from bot.dice.draws import SourcedDraws
from bot.dice.errors import SpecError, Unknown
from bot.dice.everyday import RESERVED
from bot.dice.modifiers import Which
from bot.dice.system import Memory, System
from bot.systems.checks import CheckTerms
from bot.systems.game import GameRoll
from bot.systems.odds import Span, long_run, odds

_FLAGS = re.ASCII | re.IGNORECASE
_AGAINST = re.compile(r"(?:(?P<sign>[<>]=?)|(?:vs\.?|dc|ac) ?[:=]?) ?(?P<number>[0-9]{1,7})$", _FLAGS)
# Behind dice a sign counts successes.
_DIE = re.compile(r"d[0-9%({f]", _FLAGS)
_WAYS = r"(?:adv(?:antage)?|dis(?:adv(?:antage)?)?)\b"
_WAY = re.compile(rf"\A{_WAYS}|\b{_WAYS}\Z", _FLAGS)
_SAID = re.compile(r"(?:\A|(?<=\s))[^\W\d_]{3}[^\W\d_]*+(?:\s++[^\W\d_]++)*+\Z")


class Around(NamedTuple):
    """What stands around a roller."""

    adjustment: Adjustment = PLAIN
    terms: CheckTerms | None = None
    words: str = ""
    """What it is for; "" for nothing."""


def read_around(text: str) -> Around:
    """Read what stands around a roller: "1d4+2 adv >= 15 fire", "adv +5"; NotationError for anything else."""
    text = " ".join(text.split())
    said = _SAID.search(text)
    words = said[0] if said and not RESERVED.search(said[0]) else ""
    text = text.removesuffix(words).strip()
    against = _AGAINST.search(text)
    terms = None
    if against and not (against["sign"] and _DIE.search(text[: against.start()])):
        number, sign = int(against["number"]), against["sign"] or ">="
        terms = CheckTerms(number + {">": 1, "<": -1}.get(sign, 0), under=sign.startswith("<"))
        text = text[: against.start()].strip()
    way = _WAY.search(text)
    sum_ = (text[: way.start()] + text[way.end() :]).strip() if way else text
    signed = sum_ if sum_[:1] in {"", "+", "-"} else f"+{sum_}"
    adjustment = read_adjustment(f"{way[0] if way else ''} {signed}") if way or signed else PLAIN
    if adjustment.wrong:
        raise adjustment.wrong.alone()
    return Around(adjustment, terms, words)


@dataclass(frozen=True, slots=True)
class Summand:
    """What is added to each face of a roller, as its odds need it."""

    keep: Which | None
    """Which of two draws counts."""
    added: Mapping[int, int]
    """Each total that is added, with its weight."""
    span: Span
    """The totals that a DC asks for."""

    def law(self, system: System, memory: Memory | None) -> Mapping[int, Fraction]:
        """Return each total's exact chance, ascending; None is a roller of which nothing is remembered."""
        values = [int(face) for face in system.faces]
        shares = long_run(system)
        drawn: dict[int, Fraction] = dict.fromkeys(values, Fraction(0))
        for i, p in enumerate(shares if memory is None else odds(system, memory)):
            if not self.keep or not p:
                drawn[values[i]] += p
                continue
            better = max if self.keep is Which.KEEP_HIGHEST else min
            second = shares if memory is None else odds(system, system.advance(memory, i))
            for value, q in zip(values, second, strict=True):
                drawn[better(values[i], value)] += p * q
        whole = sum(self.added.values())
        found: dict[int, Fraction] = {}
        for value, p in drawn.items():
            for more, weight in self.added.items():
                found[value + more] = found.get(value + more, Fraction(0)) + p * weight / whole
        return dict(sorted(found.items()))


def summand(around: Around) -> Summand:
    """Return what a text adds to a roller; a DiceError where it can't be added."""
    terms = around.terms
    keep, dice, plus = around.adjustment.beside(under=terms is not None and terms.under)
    span = Span()
    if terms:
        span = Span(None, terms.dc) if terms.under else Span(terms.dc)
    return Summand(keep, distribution(dice) if dice else {plus: 1}, span)


@dataclass(frozen=True, slots=True)
class RollBeside(Drawing):
    """Roll a roller of the campaign with something added, or against a DC."""

    roller: str
    adjustment: Adjustment = PLAIN
    times: int = 1
    terms: CheckTerms | None = None
    options: RollOptions = RollOptions()
    versus: int | None = None
    """The number of somebody's roll that it is held against, in place of terms."""

    def needs(self) -> Needs:
        """Return the roller; and for a check what it is held against, and who leads."""
        is_check = self.terms is not None or self.versus is not None
        return Needs(roller=self.roller.strip().casefold(), event=self.versus, masters=is_check)

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; Unknown where it is gone, SpecError where nothing can be added to it."""
        roller = state.present()
        if roller is None:
            raise Unknown("The roller {roller} is not here any more.", roller=self.roller)
        must_be_dice(roller)
        must_take_more(roller)
        check_times(self.times)
        terms = held_against(self.terms, self.versus, state)
        options = self.options
        if terms:
            options = replace(options, called=options.called or caller.leads(state.masters))
        if self.times > 1 and (terms or self.adjustment.keep):
            raise SpecError("A check, and the better of two, is one roll. Leave the repeats out.")
        beside = self.adjustment.beside(under=terms is not None and terms.under)
        body = roll_beside(roller, beside, self.times, Attempt(caller, state, draws, options))
        return replace(body, check=terms, versus=self.versus)


def roll_beside(roller: Roller, beside: Added, times: int, attempt: Attempt) -> Rolled:
    """Roll a roller so many times, and what is added to it: once for each, or to the better of two."""
    keep, dice, plus = beside
    body = roll_roller(roller, 2 if keep else times, attempt)
    if dice:
        record = recording(attempt.draws)
        thrown = [throw_dice(dice, record)[0] for _ in range(1 if keep else times)]
        body = replace(
            body,
            rest=dice.text,
            added=tuple([outcome.face for outcome in thrown]),
            source=attempt.draws.source,
            draws=(*body.draws, *record.drawn),
        )
    return replace(body, plus=plus, keep=keep)


def must_take_more(roller: Roller) -> None:
    """Raise a SpecError unless something can be added to what a roller shows."""
    if isinstance(roller.system, GameRoll) and not roller.shows_numbers:
        raise SpecError(
            "{name} shows no numbers, so you can't add to it. Type the words of your own roll instead.",
            name=roller.name,
        )
    if not roller.shows_numbers:
        raise SpecError("{name} shows no numbers, so you can't add to it.", name=roller.name)

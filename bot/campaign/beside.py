"""Rollers in sums: dice or a number added to a roller's result, or the better of two rolls."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import add
from typing import NamedTuple

from bot.campaign.adjustments import PLAIN, Added, Adjustment, read_adjustment
from bot.campaign.campaigns import Roller
from bot.campaign.checks import held_against, must_show_numbers
from bot.campaign.command import Caller, Drawing, Needs, RollOptions
from bot.campaign.events import Rolled
from bot.campaign.replay import throw_dice
from bot.campaign.rolls import Attempt, check_times, must_be_dice, roll_roller
from bot.campaign.state import State
from bot.dice import notation
from bot.dice.by_hand import recording
from bot.dice.die_distribution import joined
from bot.dice.distribution import distribution
from bot.dice.draws import SourcedDraws
from bot.dice.errors import NotationError, SpecError, Unknown
from bot.dice.everyday import RESERVED
from bot.dice.modifiers import KeepKind
from bot.dice.system import Memory, System
from bot.systems.checks import CheckTerms
from bot.systems.game import GameRoll
from bot.systems.odds import Span, long_run, odds

_FLAGS = re.ASCII | re.IGNORECASE
_DC = re.compile(r"(?:(?P<sign>[<>]=?)|(?:vs\.?|dc|ac) ?[:=]?) ?(?P<number>[0-9]{1,7})$", _FLAGS)
# After dice, a comparison counts successes.
_DIE = re.compile(r"d[0-9%({f]", _FLAGS)
_ADVANTAGES = r"(?:adv(?:antage)?|dis(?:adv(?:antage)?)?)\b"
_ADVANTAGE = re.compile(
    rf"\A(?:with |at )?(?P<first>{_ADVANTAGES})|\b(?:with |at )?(?P<last>{_ADVANTAGES})\Z", _FLAGS
)
_STAND_IN = "2d6"
_LABEL = re.compile(r"(?:\A|(?<=\s))[^\W\d_]{3}[^\W\d_]*+(?:\s++[^\W\d_]++)*+\Z")


class Around(NamedTuple):
    """The text around a roller's name, parsed."""

    adjustment: Adjustment = PLAIN
    terms: CheckTerms | None = None
    words: str = ""
    """The label; "" for none."""


def read_modifiers(text: str) -> Around:
    """Parse the text around a roller's name: "1d4+2 adv >= 15 fire", "adv +5"; else NotationError."""
    text = " ".join(text.split())
    match = _LABEL.search(text)
    words = match[0] if match and not RESERVED.search(match[0]) else ""
    if words:
        # What is refused behind dice, such as "hidden", is no label here either.
        try:
            notation.parse(f"{_STAND_IN} {words}")
        except NotationError as error:
            raise error.alone() from error
    text = text.removesuffix(words).strip()
    dc = _DC.search(text)
    terms = None
    if dc and not (dc["sign"] and _DIE.search(text[: dc.start()])):
        number, sign = int(dc["number"]), dc["sign"] or ">="
        terms = CheckTerms(number + {">": 1, "<": -1}.get(sign, 0), under=sign.startswith("<"))
        text = text[: dc.start()].strip()
    advantage = _ADVANTAGE.search(text)
    addition = (text[: advantage.start()] + text[advantage.end() :]).strip() if advantage else text
    signed = addition if addition[:1] in {"", "+", "-"} else f"+{addition}"
    word = (advantage["first"] or advantage["last"]) if advantage else ""
    adjustment = read_adjustment(f"{word} {signed}")
    if adjustment.wrong:
        raise adjustment.wrong.alone()
    return Around(adjustment, terms, words)


@dataclass(frozen=True, slots=True)
class Summand:
    """The law of what is added to a roller, for exact odds."""

    keep: KeepKind | None
    """Which of two draws counts; None for one draw."""
    added: Mapping[int, int]
    """Added total to its weight."""
    span: Span
    """The totals that meet the DC."""

    def law(self, system: System, memory: Memory | None) -> Mapping[int, Fraction]:
        """Return total to its exact chance, ascending; without a memory, of the long run."""
        values = [int(face) for face in system.faces]
        shares = long_run(system)
        drawn: dict[int, Fraction] = dict.fromkeys(values, Fraction(0))
        for i, p in enumerate(shares if memory is None else odds(system, memory)):
            if not self.keep or not p:
                drawn[values[i]] += p
                continue
            better = max if self.keep is KeepKind.KEEP_HIGHEST else min
            second_law = shares if memory is None else odds(system, system.advance(memory, i))
            for value, q in zip(values, second_law, strict=True):
                drawn[better(values[i], value)] += p * q
        whole = sum(self.added.values())
        return {total: p / whole for total, p in sorted(joined(drawn, self.added, add).items())}


def summand(around: Around) -> Summand:
    """Return the summand for a parsed text; DiceError if it can't be added."""
    terms = around.terms
    keep, dice, plus = around.adjustment.beside(under=terms is not None and terms.under)
    span = Span()
    if terms:
        span = Span(None, terms.dc) if terms.under else Span(terms.dc)
    return Summand(keep, distribution(dice) if dice else {plus: 1}, span)


@dataclass(frozen=True, slots=True)
class RollBeside(Drawing):
    """Roll a roller of the campaign with additions, or against a DC."""

    roller: str
    adjustment: Adjustment = PLAIN
    times: int = 1
    terms: CheckTerms | None = None
    options: RollOptions = RollOptions()
    versus: int | None = None
    """The number of the opposing roll, instead of terms."""

    def needs(self) -> Needs:
        """Return the roller; for a check also the opposing roll and the game masters."""
        is_check = self.terms is not None or self.versus is not None
        return Needs(roller=self.roller.strip().casefold(), event=self.versus, masters=is_check)

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; Unknown if the roller was removed, SpecError if nothing can be added to it."""
        roller = state.present()
        if roller is None:
            raise Unknown("The roller {roller} is not here any more.", roller=self.roller)
        must_be_dice(roller)
        check_times(self.times)
        terms = held_against(self.terms, self.versus, state)
        if self.adjustment != PLAIN:
            must_take_more(roller)
        if terms:
            must_show_numbers(roller)
        options = self.options
        if terms:
            options = replace(options, called=options.called or caller.leads(state.masters))
        if self.times > 1 and (terms or self.adjustment.keep):
            raise SpecError("A check, and the better of two, is one roll. Leave the repeats out.")
        beside = self.adjustment.beside(under=terms is not None and terms.under)
        body = roll_beside(roller, beside, self.times, Attempt(caller, state, draws, options))
        return replace(body, check=terms, versus=self.versus)


def roll_beside(roller: Roller, beside: Added, times: int, attempt: Attempt) -> Rolled:
    """Roll a roller `times` times and the added dice for each; with `keep`, twice and the dice once."""
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
    """Raise SpecError unless a roller's results are numbers, so that something can be added."""
    if roller.shows_numbers:
        return
    if isinstance(roller.system, GameRoll):
        raise SpecError(
            "{name} shows no numbers, so you can't add to it. Type the words of your own roll instead.",
            name=roller.name,
        )
    raise SpecError("{name} shows no numbers, so you can't add to it.", name=roller.name)

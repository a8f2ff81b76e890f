"""The text around a roller's name: what is added to it and what it must reach, and the exact odds of that."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import add
from typing import NamedTuple

from bot.campaign.adjustments import PLAIN, Adjustment, read_adjustment
from bot.dice import notation
from bot.dice.die_distribution import joined
from bot.dice.distribution import distribution
from bot.dice.errors import NotationError
from bot.dice.everyday import RESERVED
from bot.dice.modifiers import KeepKind
from bot.dice.system import Memory, System
from bot.systems.checks import CheckTerms
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

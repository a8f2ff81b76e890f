"""Documented lines of other programs' notation, with fingerprints of their exact laws.

A fingerprint is the SHA-256 of the lines "total:chance", ascending, each chance a fraction in lowest terms.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from bot.dice.distribution import distribution
from bot.dice.expressions import Expression
from tests.support.tapes import chances

_DATA = Path(__file__).parents[1] / "data" / "dialects.json"


@dataclass(frozen=True, slots=True)
class Line:
    """A line as its program documents it; `law` has a fingerprint for each roll, and none out of scope."""

    dialect: str
    text: str
    meaning: str
    kind: str
    law: Sequence[str] = ()
    reason: str = ""

    @property
    def in_scope(self) -> bool:
        """Whether it is a roll that a dice bot can make: no character sheet, no loop without end."""
        return self.kind != "out-of-scope"

    def __str__(self) -> str:
        return f"{self.dialect}: {self.text}"


def lines() -> list[Line]:
    """All of them."""
    rows = json.loads(_DATA.read_text(encoding="utf-8"))
    return [Line(**row) for row in rows]


def fingerprints(roll: Expression) -> list[str]:
    """The laws of a roll, one for each result; SpecError beyond the budget."""
    return [fingerprint(Expression(part.body)) for part in (roll, *roll.more) for _ in range(part.repeat)]


def fingerprint(roll: Expression) -> str:
    """The law of a roll that is made once."""
    text = "\n".join(f"{total}:{chance}" for total, chance in chances(distribution(roll)).items())
    return sha256(text.encode()).hexdigest()

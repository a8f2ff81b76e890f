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
    """A line as its program documents it; `law` has a fingerprint for each roll, if it is in scope."""

    dialect: str
    text: str
    meaning: str
    kind: str
    law: Sequence[str] = ()
    reason: str = ""

    @property
    def in_scope(self) -> bool:
        """Return whether a dice bot can roll it: no character sheet, no endless loop."""
        return self.kind != "out-of-scope"

    def __str__(self) -> str:
        return f"{self.dialect}: {self.text}"


def lines() -> list[Line]:
    """Return all documented lines."""
    rows = json.loads(_DATA.read_text(encoding="utf-8"))
    return [Line(**row) for row in rows]


def fingerprints(roll: Expression) -> list[str]:
    """Return the fingerprint of each result of a roll; SpecError beyond the budget."""
    return [fingerprint(Expression(part.body)) for part in (roll, *roll.more) for _ in range(part.repeat)]


def fingerprint(roll: Expression) -> str:
    """Return the fingerprint of the law of a single roll."""
    text = "\n".join(f"{total}:{chance}" for total, chance in chances(distribution(roll)).items())
    return sha256(text.encode()).hexdigest()

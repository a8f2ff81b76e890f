"""The fair die: a face ahead of its share becomes rarer, one behind becomes likelier.

The weight of face i is a_i 2^(-t e_i), with t the tightness and e_i = c_i - (a_i/A) N the face's error after
N rolls. t = 0 is plain dice; t = infinity is the hat, which only gives faces with the smallest error. See
docs/fairness.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil, isqrt
from typing import ClassVar

from bot.dice.errors import SpecError
from bot.dice.system import (
    Base,
    Memory,
    OnBase,
    Spec,
    System,
    is_list,
    print_decimal,
    read_base,
    read_decimal,
)

TIGHTNESS_LIMIT, AFTER_LIMIT = 1_000, 200
_UNIT_BITS = 64
_GUARD_BITS = 128


@dataclass(frozen=True, slots=True)
class Fair(OnBase):
    """`tightness` t >= 0 is a rational, None for infinity. Memory: d_i = A c_i - a_i N, of sum 0."""

    tightness: Fraction | None
    after: tuple[str, ...] = ()
    """Faces that count as rolled before its first roll."""

    name: ClassVar[str] = "fair"

    @property
    def independent(self) -> bool:
        """True for the tightness 0 only."""
        return self.tightness == 0

    @property
    def settling(self) -> tuple[int, int] | None:
        """The slowest error shrinks by t ln 2 a/A a roll, A rolls are a cycle; None for 0, plain dice."""
        if self.independent:
            return None
        # To under a hundredth, since 7 ln 2 is more than ln 100.
        slowest = Fraction(7 * self.base.total, min(self.base.weights))
        slow = ceil(slowest / self.tightness) if self.tightness else 0
        return self.base.total + slow, self.base.total

    def start(self) -> Memory:
        """Return the errors after the faces in `after`: 0 without any."""
        base, rolls = self.base, len(self.after)
        if not rolls:
            return (0,) * len(base.faces)
        faces = zip(base.faces, base.weights, strict=True)
        return tuple([base.total * self.after.count(face) - a * rolls for face, a in faces])

    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return a_i half_power(t (d_i - min d)/A), at least a_i; the hat: a_i where d_i is least, else 0."""
        least = min(memory)
        if self.tightness is None:
            return tuple(a if d == least else 0 for a, d in zip(self.base.weights, memory, strict=True))
        p, q = self.tightness.as_integer_ratio()
        q *= self.base.total
        faces = zip(self.base.weights, memory, strict=True)
        return tuple([a * half_power(p * (d - least), q) for a, d in faces])

    def advance(self, memory: Memory, chosen: int) -> Memory:
        """Subtract every face's share from its error, and add a whole roll to the chosen one's."""
        errors = [d - a for d, a in zip(memory, self.base.weights, strict=True)]
        errors[chosen] += self.base.total
        return tuple(errors)

    def continues(self, other: System) -> bool:
        """Return whether `other` is fair on the same base, with the same `after` if this one has any."""
        return isinstance(other, Fair) and other.base == self.base and self.after in {(), other.after}

    def tuned_from(self, other: System) -> "Fair":
        """Return this rule with `after` of the roller that it tunes."""
        return replace(self, after=other.after) if isinstance(other, Fair) else self

    def as_spec(self) -> Spec:
        """Return {"system": "fair", "base": ..., "tightness": "1.5"}, or "inf"; "after" where it has any."""
        tightness = "inf" if self.tightness is None else print_decimal(self.tightness)
        after: Spec = {"after": [*self.after]} if self.after else {}
        return {"system": self.name, "base": self.base.as_json(), "tightness": tightness, **after}

    @classmethod
    def from_spec(cls, spec: Spec) -> "Fair":
        """Read `base`, `tightness` (1 by default), `after` (none); SpecError for t < 0 and t over 1,000."""
        base = read_base(spec.get("base"))
        after = _read_after(base, spec.get("after", []))
        tightness = spec.get("tightness", "1")
        if isinstance(tightness, str) and tightness.strip().casefold() in {"inf", "infinity", "∞"}:
            return cls(base, None, after)
        value = read_decimal(tightness)
        if value > TIGHTNESS_LIMIT:
            raise SpecError(
                "The tightness is 0 to {most:,}, or inf for the hat, not {tightness:,}.",
                most=TIGHTNESS_LIMIT,
                tightness=Decimal(print_decimal(value)),
            )
        return cls(base, value, after)


def _read_after(base: Base, faces: object) -> tuple[str, ...]:
    if not is_list(faces) or len(faces) > AFTER_LIMIT:
        raise SpecError("What came before is a list of at most {most} results.", most=AFTER_LIMIT)
    for face in faces:
        if face not in base.faces:
            raise SpecError("{face!r} is no result of these dice, so it can't have come before.", face=face)
    return tuple(map(str, faces))


def _roots() -> tuple[int, ...]:
    """Compute 2^(-2^-j) for j = 1..64, times 2^128, by repeated integer square roots."""
    roots = [isqrt(1 << 2 * _GUARD_BITS - 1)]
    while len(roots) < _UNIT_BITS:
        roots.append(isqrt(roots[-1] << _GUARD_BITS))
    return tuple(roots)


_ROOTS = _roots()


def _products(roots: Sequence[int]) -> tuple[int, ...]:
    """Return the product of the roots that the binary digits of each number choose, from 0 on."""
    products = [1 << _GUARD_BITS]
    for root in roots:
        products = [extended for product in products for extended in (product, product * root >> _GUARD_BITS)]
    return tuple(products)


_BYTES = tuple((56 - at, _products(_ROOTS[at : at + 8])) for at in range(0, _UNIT_BITS, 8))
"""For each byte of a fraction, the position of its lowest digit, and the product for each value."""
_CLOSE = 1 << 8
"""A bound on the difference of the products by bytes and by digits: each is less than 72 too small."""


@lru_cache(maxsize=1 << 16)
def half_power(numerator: int, denominator: int) -> int:
    """Compute 2^64 times 2^(-numerator/denominator), at least 1, with integers only, so equal everywhere.

    It is rounded down, or in a few cases in a thousand up, since the fraction is cut to 64 binary digits.
    """
    whole, rest = divmod(numerator, denominator)
    if whole >= _UNIT_BITS:
        return 1
    digits = (rest << _UNIT_BITS) // denominator
    product = 1 << _GUARD_BITS
    for at, products in _BYTES:
        product = product * products[digits >> at & 255] >> _GUARD_BITS
    dropped = _GUARD_BITS - _UNIT_BITS + whole
    if (product + _CLOSE) >> dropped != (product - _CLOSE) >> dropped:
        product = by_digits(digits)
    return max(1, product >> dropped)


def by_digits(digits: int) -> int:
    """Compute 2^128 times 2^(-digits/2^64) as it is defined: a root for each digit, cut off after each."""
    product = 1 << _GUARD_BITS
    for j, root in enumerate(_ROOTS, start=1):
        if digits >> (_UNIT_BITS - j) & 1:
            product = product * root >> _GUARD_BITS
    return product

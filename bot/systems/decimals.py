"""Parameters that are no integers: decimal strings outside, exact rationals inside."""

import re
from fractions import Fraction

from bot.dice.errors import SpecError

_DECIMAL = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?|\.[0-9]{1,6}", re.ASCII)


def read_decimal(name: str, value: object) -> Fraction:
    """The rational that a decimal such as "1.5" means; SpecError over six digits on either side."""
    text = str(value).strip()
    if isinstance(value, bool) or not isinstance(value, str | int | float) or not _DECIMAL.fullmatch(text):
        raise SpecError(f"{name} is a decimal number such as 1.5 (at most six decimals), not {value!r}.")
    return Fraction(text)


def print_decimal(value: Fraction) -> str:
    """The shortest decimal for a value that `read_decimal` read."""
    whole, rest = divmod(value.numerator * 10**6 // value.denominator, 10**6)
    return f"{whole}.{rest:06}".rstrip("0").rstrip(".")

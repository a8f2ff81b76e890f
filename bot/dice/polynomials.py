"""How often each total comes out, as a polynomial: the weight of total t is the factor of x^t.

The factors are packed side by side into one integer, `width` bits each (Kronecker's substitution), so that
adding dice is multiplying integers, which is fast and exact. `width` must hold every factor that can arise.
"""

from collections.abc import Mapping
from math import isqrt


def pack(weights: Mapping[int, int], width: int, first: int = 0) -> int:
    """The packed polynomial; `first`, taken off each total, must leave none of them negative."""
    size = width // 8
    raw = bytearray(size * (max(weights) - first + 1))
    for total, weight in weights.items():
        start = (total - first) * size
        raw[start : start + size] = weight.to_bytes(size, "little")
    return int.from_bytes(raw, "little")


def unpack(packed: int, width: int, first: int = 0) -> dict[int, int]:
    """The totals that have any weight, ascending; `first` is added to each."""
    size = width // 8
    raw = packed.to_bytes((packed.bit_length() + 7) // 8, "little")
    return {
        first + place: weight
        for place, start in enumerate(range(0, len(raw), size))
        if (weight := int.from_bytes(raw[start : start + size], "little"))
    }


def factor(packed: int, width: int, total: int) -> int:
    """The weight of one total; 0 outside of the polynomial."""
    return packed >> total * width & (1 << width) - 1 if total >= 0 else 0


def width_for(most: int) -> int:
    """Whole bytes, in bits, that hold every weight up to `most`."""
    return (most.bit_length() + 7) // 8 * 8


def work(totals: int, width: int) -> int:
    """What a product with so many totals costs, in the budget's unit."""
    digits = totals * width // 30 + 1
    return digits * isqrt(digits) // 100 + totals

"""Arrays of numbers, by what they hold. What works with them imports numpy by itself, for it takes long."""

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
Integers: TypeAlias = "NDArray[np.int64]"
Indices: TypeAlias = "NDArray[np.intp]"
"""Where something lies in another array: faces of a table, copies of a roller."""
Flags: TypeAlias = "NDArray[np.bool_]"
Generator: TypeAlias = "np.random.Generator"

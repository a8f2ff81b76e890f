"""Array types by content. Functions that use them import numpy themselves, since that import is slow."""

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
Integers: TypeAlias = "NDArray[np.int64]"
Indices: TypeAlias = "NDArray[np.intp]"
"""Positions in another array: faces of a table, copies of a roller."""
Flags: TypeAlias = "NDArray[np.bool_]"
Generator: TypeAlias = "np.random.Generator"

"""One of several options by its weight; the weights are made as small as they go, for the record's sake."""

from collections.abc import Mapping
from math import gcd
from typing import TypeVar

from bot.dice.draws import Draws

_Option = TypeVar("_Option")


def pick(options: Mapping[_Option, int], draws: Draws) -> _Option:
    """An option; nothing is drawn if there is only one. ValueError if no option has any weight."""
    weights = tuple(options.values())
    if len(weights) == 1:
        return next(iter(options))
    shared = gcd(*weights) or 1
    return tuple(options)[draws.choose([weight // shared for weight in weights])]

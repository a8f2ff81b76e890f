"""Options of a game's rolls: the numbers and dice that a player types with them."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.dice.errors import SpecError
from bot.dice.system import require_integer
from bot.rulebooks.fields import GameFields, require_name
from bot.rulebooks.rules import FAR

OPTIONAL, NAMED, TYPED_DICE, SEVERAL_DICE = "optional", "named", "dice", "dice+dice"
"""Values of an option: it may be left out, or it is dice such as 2d6+3, or also such as 1d8+3d6+4."""
PARTS = ("dice", "die", "plus", "dice2", "die2")
"""What typed dice give: the number and sides of the first ones, the bonus, then those of other sides."""
_TYPED_COUNT, _TYPED_SIDES = 20, 100


class UnknownWord(SpecError):
    """A word that is no option of a roll."""


class TooManySizes(UnknownWord):
    """Typed dice of more sizes than a roll has options for."""


@dataclass(frozen=True, slots=True)
class GameOption:
    """A number that a player types with a roll."""

    name: str
    low: int
    high: int
    usual: int | None = None
    """The default; None if it is required, a number below `low` if it may be missing: 0, or one less."""
    translation: str = ""
    """Its name in the player's language, accepted besides the English one; "" for none."""
    is_named: bool = False
    """Whether a number without its name never sets it: in `attack 5 15 18` the 18 is no critical range."""

    @property
    def word(self) -> str:
        """Return its preferred name."""
        return self.translation or self.name

    @property
    def may_be_missing(self) -> bool:
        """Return whether it may be left out without a default."""
        return self.usual is not None and self.usual < self.low

    @property
    def is_switch(self) -> bool:
        """Return whether it is turned on by its name alone, as in `move +1 boon`."""
        return (self.low, self.high, self.usual) == (0, 1, 0)

    @property
    def pattern(self) -> str:
        """Return how it is typed, "DICE" if it is required, else "[diff 6]"."""
        if self.usual is None:
            return self.word.upper()
        number = "" if self.is_switch else f" {'N' if self.may_be_missing else self.usual}"
        return f"[{self.word}{number}]"


def refuse_alone(option: GameOption, key: str, roll: str) -> SpecError:
    """Return the refusal of an option that a player typed without its number."""
    return SpecError(
        "In {key} {name} {option} takes a number, {low:,} to {high:,}.",
        key=key,
        name=roll,
        option=option.word,
        low=option.low,
        high=option.high,
    )


def print_dice(values: Sequence[int]) -> str:
    """Return typed dice as text, `1d8+3d6+4`, from the values of their options."""
    count, sides, plus, more, other_sides = (*values, 0, 0)[: len(PARTS)]
    other = f"+{more}d{other_sides}" if more else ""
    return f"{count}d{sides}{other}" + (f"{plus:+}" if plus else "")


def dice_options(name: str, *, is_several: bool) -> list[GameOption]:
    """Return the options of typed dice, each with the default 0: three, or five for dice of two sizes."""
    dice = (0, _TYPED_COUNT), (0, _TYPED_SIDES)
    limits = *dice, (-_TYPED_SIDES, _TYPED_SIDES), *(dice if is_several else ())
    return [GameOption(f"{name}_{part}", *both, 0) for part, both in zip(PARTS, limits, strict=False)]


def read_option(options: GameFields, name: str) -> GameOption:
    """Read an option that is a number; raise SpecError with its place for anything else."""
    path, numbers = options.path, options.list(name)
    if len(numbers) not in {2, 3}:
        raise SpecError(
            "{at}.{name} is [least, most], with a number, {optional!r} or {named!r} third where it may be "
            "missing; or {typed_dice!r} or {several!r}, once.",
            at=path,
            name=name,
            optional=OPTIONAL,
            named=NAMED,
            typed_dice=TYPED_DICE,
            several=SEVERAL_DICE,
        )
    low = require_integer(f"{path}.{name}[0]", numbers[0], -FAR, FAR)
    high = require_integer(f"{path}.{name}[1]", numbers[1], low, FAR)
    if numbers[2:] in ([OPTIONAL], [NAMED]):
        is_named = numbers[2] == NAMED
        return GameOption(require_name(path, name), low, high, min(0, low - 1), is_named=is_named)
    usual = require_integer(f"{path}.{name}[2]", numbers[2], low, high) if len(numbers) == 3 else None
    return GameOption(require_name(path, name), low, high, usual)

"""A roll of a game: throw the dice of its rule, and derive a class of outcomes or a number.

The spec holds the whole rule and the options, so that a roll can be replayed from its record alone. See
docs/games.md.
"""

import json
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

from bot.dice.draws import Draws, Replayer, ReplayError
from bot.dice.errors import NoDice, SpecError
from bot.dice.system import ByDice, Memory, Memoryless, Spec
from bot.dice.throws import Throw
from bot.rulebooks.book import print_rule
from bot.rulebooks.fields import GameFields, require_name
from bot.rulebooks.laws import ThrownRule, Tosses, outcome_law, throw_rule
from bot.rulebooks.options import PARTS, print_dice
from bot.rulebooks.rules import FAR, RULE_FIELDS, GameRule, read_rule
from bot.rulebooks.words import GameRequest

_SUCCESS = re.compile(r"\A(?!.*(?:failure|miss)).*\b(?:success|hit|regular|hard|extreme)\b")
_FAILURE = re.compile(r"failure|miss\b|fumble|botch")


@dataclass(frozen=True, slots=True)
class GameRoll(Memoryless, ByDice):
    """A named roll of a game with its options; `text` is its rule as canonical JSON."""

    game: str
    roll: str
    given: tuple[tuple[str, int], ...]
    text: str

    name: ClassVar[str] = "game"

    @property
    def words(self) -> str:
        """The game, the roll and all options as text; typed dice as 2d6+3."""
        options, words = dict(self.given), [self.game, self.roll]
        for name, value in self.given:
            dice_name, _, part = name.rpartition("_")
            if name == self.rule.against and value == self.rule.missing < 0:
                continue
            if f"{dice_name}_{PARTS[0]}" not in options:
                words.append(f"{name} {value}")
            elif part == PARTS[0] and value:
                dice = [options.get(f"{dice_name}_{suffix}", 0) for suffix in PARTS]
                words.append(f"{dice_name} {print_dice(dice)}")
        return " ".join(words)

    @property
    def rule(self) -> GameRule:
        """The rule, read with these options."""
        return _rule(self.text, tuple(name for name, _ in self.given)).reading(dict(self.given))

    @property
    def amounts(self) -> tuple[tuple[str, int], ...]:
        """The values and weights of the result beside the class, such as damage; () if it is always 0."""
        with suppress(SpecError):  # its law may exceed the budget when that of the classes does not
            return self.exact_amounts()
        return ()

    def exact_amounts(self) -> tuple[tuple[str, int], ...]:
        """Return the amounts; SpecError if their law exceeds the budget."""
        rule = self.rule
        if not rule.classes or not rule.amount:
            return ()
        amounts = outcome_law(replace(rule, classes=(), number=rule.amount), self.given)
        return amounts if len(amounts) > 1 else ()

    @property
    def faces(self) -> tuple[str, ...]:
        """The possible outcomes, from the worst to the best."""
        return tuple(name for name, _ in outcome_law(self.rule, self.given))

    @property
    def first_success(self) -> int | None:
        """The index of the first face that is a success or better; None if there is none.

        Where even the worst class is called one, such as a "crushing hit" that one takes, nothing succeeds.
        """
        better = self._successes
        return next((n for n, name in enumerate(self.faces) if name in better), None) if better else None

    def passed(self, face: str) -> bool | None:
        """Return whether an outcome is a success or better; None if it is better than a failure alone."""
        names = [name for name, _ in self.rule.classes]
        last = max((n for n, name in enumerate(names) if _FAILURE.search(name)), default=-1)
        return True if face in self._successes else False if face in names[: last + 1] else None

    @property
    def _successes(self) -> frozenset[str]:
        """The classes that are a success or better; none where even the worst one is called so."""
        names = [name for name, _ in self.rule.classes]
        first = next((n for n, name in enumerate(names) if succeeds(name)), 0)
        return frozenset(names[first:] if first else ())

    def weights(self, memory: Memory) -> tuple[int, ...]:  # noqa: ARG002 (there is none)
        """Return the weight of each outcome, exactly."""
        return tuple(weight for _, weight in outcome_law(self.rule, self.given))

    def throw(self, memory: Memory, draws: Draws) -> tuple[Throw, Memory]:
        """Throw the dice; the total is the number, or the index of the class."""
        return self.fall(draws).throw, memory

    def fall(self, draws: Draws, existing: Tosses = ()) -> ThrownRule:
        """Throw all dice but the `existing` ones; return them with every named value."""
        return throw_rule(self.rule, dict(self.given), draws, existing)

    def face(self, throw: Throw) -> str:
        """Return the class, or the number."""
        classes = self.rule.classes
        return classes[throw.total][0] if classes else str(throw.total)

    def as_spec(self) -> Spec:
        """Return {"system": "game", "game": "wod", "roll": "pool", "given": {...}, "rule": {...}}."""
        return {
            "system": self.name,
            "game": self.game,
            "roll": self.roll,
            "given": dict(self.given),
            "rule": json.loads(self.text),
        }

    @classmethod
    def from_spec(cls, spec: Spec) -> "GameRoll":
        """Read `game`, `roll`, `given` and `rule`."""
        fields = GameFields("", spec)
        numbers = fields.fields("given", {})
        options = tuple(
            (require_name("given", name), numbers.integer(name, -FAR, FAR)) for name in numbers.values
        )
        text = print_rule(fields.fields("rule", allowed=RULE_FIELDS).values)
        _rule(text, tuple(name for name, _ in options))
        return cls(fields.text("game", 16), fields.text("roll", 16), options, text)


def succeeds(name: str) -> bool:
    """Return whether a class is a success, or better than one."""
    return bool(_SUCCESS.search(name))


def game_roll(request: GameRequest) -> GameRoll:
    """Return the system of a requested roll; NoDice if it has no dice."""
    system = GameRoll(request.game.key, request.roll.name, request.given, request.roll.text)
    # A roll that needs no draw has no dice.
    with suppress(ReplayError):
        system.throw((), Replayer(()))
        raise NoDice(
            "That has no dice. Type `{pattern}`: {help}",
            pattern=request.game.pattern(request.roll),
            help=request.roll.help,
        )
    return system


@lru_cache(maxsize=512)
def _rule(text: str, options: tuple[str, ...]) -> GameRule:
    return read_rule("rule", json.loads(text), options)

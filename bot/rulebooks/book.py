"""A game as a file: its named rolls with their options, its pushes and buttons. docs/games.md says how."""

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import TypeVar

from bot.dice.errors import LocalizedError, SpecError
from bot.dice.notation import reads
from bot.dice.system import Json
from bot.rulebooks.fields import a_list, a_name, a_text, an_integer, an_object
from bot.rulebooks.formula import Formula, check_names, formula_at
from bot.rulebooks.rules import FACE, FAR, RULE_FIELDS, GameRule, read_rule

FILE_LIMIT = 16_384
"""Bytes of a game's file, and its characters."""
OPTIONAL, TYPED_DICE = "optional", "dice"
"""What an option may say: that it may be missing, and that it is dice, as 2d6+3."""
PARTS = ("dice", "die", "plus")
_DIGITS = 20
_TYPED_COUNT, _TYPED_SIDES = 20, 100
_Word = TypeVar("_Word", "GameOption", "NamedRoll")


@dataclass(frozen=True, slots=True)
class GameOption:
    """A number that a player gives with a roll."""

    name: str
    low: int
    high: int
    usual: int | None = None
    """What it is where the player does not give it; None where they must, 0 below `low` for none."""
    said: str = ""
    """Its name in the language of who types, which is read beside the other one; "" for none."""

    @property
    def word(self) -> str:
        """Return its name as it is best typed."""
        return self.said or self.name

    @property
    def is_switch(self) -> bool:
        """Return whether its name alone turns it on, as in `move +1 boon`."""
        return (self.low, self.high, self.usual) == (0, 1, 0)


@dataclass(frozen=True, slots=True)
class Push:
    """Another roll of the game that may follow a roll, with options taken from the first one's values."""

    roll: str
    options: tuple[tuple[str, Formula], ...]
    condition: Formula


@dataclass(frozen=True, slots=True)
class Choice:
    """A roll of the game that may follow a roll, on those of its dice that the player chooses."""

    roll: str
    options: tuple[tuple[str, Formula], ...]
    """Of the following roll; all others are the first one's."""
    free: Formula
    """Which dice may be chosen."""
    keep: Formula | None = None
    """How many may be kept at most, and all others go; None where the chosen ones are thrown again."""


@dataclass(frozen=True, slots=True)
class NamedRoll:
    """One roll of a game."""

    name: str
    help: str
    options: tuple[GameOption, ...]
    rule: GameRule
    text: str
    """The rule as canonical JSON text, as the record keeps it."""
    thrown: str = ""
    """What its dice that a player types are called, as `2d6+3`: three options, such as damage_dice."""
    push: Push | None = None
    choice: Choice | None = None
    letters: tuple[tuple[str, str], ...] = ()
    """Letters with the options that they mean: a player types one for each die, as in `yyggpp`."""
    said: str = ""
    """Its name in the language of who types, which is read beside the other one; "" for none."""
    thrown_said: str = ""
    """What the typed dice are called in that language."""

    @property
    def word(self) -> str:
        """Return its name as it is best typed."""
        return self.said or self.name

    @property
    def dice(self) -> tuple[str, ...]:
        """Return the options that the typed dice are: how many, their sides, and what is added."""
        return tuple(f"{self.thrown}_{part}" for part in PARTS)

    def option(self, word: str) -> GameOption | None:
        """Return the option that a word, as `plain` leaves it, is a name of."""
        return _called(self.options, word)


@dataclass(frozen=True, slots=True)
class Game:
    """A game; its first roll is the usual one."""

    key: str
    """The word that a player types."""
    name: str
    help: str
    rolls: tuple[NamedRoll, ...]
    buttons: tuple[str, ...] = ()
    """Rolls that a keyboard offers, as a player would type them."""
    usual: str = ""
    """The dice that a bonus alone, `+7`, is added to; "" for none."""
    under: str = ""
    """The dice of which low rolls pass, such as d100; "" for none."""
    scores: tuple[str, ...] = ()
    """Names of a character's numbers that are scores: of 16 the bonus is 3."""

    def roll(self, word: str) -> NamedRoll | None:
        """Return the roll that a word, as `plain` leaves it, is a name of."""
        return _called(self.rolls, word)

    def answers(self, word: str) -> bool:
        """Return whether a word, as `plain` leaves it, begins one of its rolls."""
        return word == self.key or self.roll(word) is not None


def plain(text: str) -> str:
    """Return a text in small letters without marks, for "Dégâts" is typed as "degats" too."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _called(things: Sequence[_Word], word: str) -> _Word | None:
    """Return what a word is the name of; its own name goes before all that it is called elsewhere."""
    for thing in things:
        if thing.name == word:
            return thing
    return next((thing for thing in things if thing.said and plain(thing.said) == word), None)


def _integer(digits: str) -> int:
    """Return an integer; one that is longer than any may be is cut, and is still too large."""
    return int(digits[:_DIGITS])


def read_game(text: str) -> Game:
    """Read a game's file; SpecError says where something is wrong with it."""
    if len(text) > FILE_LIMIT:
        raise SpecError(
            "A game's file has at most {most:,} characters, not {count:,}.", most=FILE_LIMIT, count=len(text)
        )
    try:
        value: object = json.loads(text, parse_int=_integer)
    except RecursionError:
        raise SpecError("The game's file is nested too deeply.") from None
    except json.JSONDecodeError as error:
        raise SpecError(
            "The game's file is no JSON: see line {lineno}, column {colno}.",
            lineno=error.lineno,
            colno=error.colno,
        ) from None
    fields = an_object(
        LocalizedError("The game"),
        value,
        ("key", "name", "help", "rolls", "buttons", "usual", "under", "scores"),
    )
    named = an_object("rolls", fields.get("rolls"))
    rolls = tuple(_roll(f"rolls.{name}", a_name("rolls", name), entry) for name, entry in named.items())
    if not rolls:
        raise SpecError("rolls needs at least one roll.")
    buttons = fields.get("buttons", [])
    game = Game(
        a_name("key", a_text("key", fields.get("key"), 16)),
        a_text("name", fields.get("name"), 60),
        a_text("help", fields.get("help")),
        rolls,
        tuple(a_text("buttons", button, 60) for button in a_list("buttons", buttons)) if buttons else (),
        _played_dice("usual", fields["usual"]) if "usual" in fields else "",
        _played_dice("under", fields["under"]) if "under" in fields else "",
        tuple(a_text("scores", each, 32).casefold() for each in a_list("scores", fields["scores"]))
        if "scores" in fields
        else (),
    )
    for roll in rolls:
        _check_push(game, roll)
    return game


def _played_dice(field: str, value: object) -> str:
    dice = a_text(field, value, 16)
    if not reads(dice):
        raise SpecError("{field} is dice, such as d20 or 2d6, not {dice!r}.", field=field, dice=dice)
    return dice


def print_rule(fields: Mapping[str, Json]) -> str:
    """Write the part of a roll that says how it is thrown and read, as canonical JSON text."""
    return json.dumps({name: fields[name] for name in RULE_FIELDS if name in fields}, separators=(",", ":"))


def _roll(at: str, name: str, value: object) -> NamedRoll:
    fields = an_object(at, value, ("help", "options", "letters", "push", "choose", *RULE_FIELDS))
    listed = an_object(f"{at}.options", fields.get("options", {}))
    thrown = next((a_name(f"{at}.options", o) for o, entry in listed.items() if entry == TYPED_DICE), "")
    read = (
        _dice(option) if thrown and option == thrown else [_option(f"{at}.options", option, entry)]
        for option, entry in listed.items()
    )
    options = tuple(chain.from_iterable(read))
    rule = read_rule(
        at, {key: fields[key] for key in RULE_FIELDS if key in fields}, [o.name for o in options]
    )
    push = _push(f"{at}.push", fields["push"], _names(options, rule)) if "push" in fields else None
    chosen = _choice(name, f"{at}.choose", fields["choose"], options, rule) if "choose" in fields else None
    said = a_text(f"{at}.help", fields.get("help"))
    letters = tuple(
        (letter, a_text(f"{at}.letters", option))
        for letter, option in an_object(f"{at}.letters", fields.get("letters", {})).items()
    )
    for _, option in letters:
        if not _called(options, option):
            raise SpecError(
                "{where} gives {name!r}, which {other} has no option for.",
                where=f"{at}.letters",
                name=option,
                other=name,
            )
    return NamedRoll(name, said, options, rule, print_rule(fields), thrown, push, chosen, letters)


def _dice(name: str) -> list[GameOption]:
    """Return what a player gives with dice: how many, their sides, and what is added; none is 0."""
    limits = (0, _TYPED_COUNT), (0, _TYPED_SIDES), (-_TYPED_SIDES, _TYPED_SIDES)
    return [GameOption(f"{name}_{part}", *both, 0) for part, both in zip(PARTS, limits, strict=True)]


def _option(at: str, name: str, value: object) -> GameOption:
    numbers = a_list(f"{at}.{name}", value)
    if len(numbers) not in {2, 3}:
        raise SpecError(
            "{at}.{name} is [least, most], and third a number or {optional!r} where it may be "
            "left out; or {typed_dice!r}, once.",
            at=at,
            name=name,
            optional=OPTIONAL,
            typed_dice=TYPED_DICE,
        )
    low = an_integer(f"{at}.{name}[0]", numbers[0], -FAR, FAR)
    high = an_integer(f"{at}.{name}[1]", numbers[1], low, FAR)
    if numbers[2:] == [OPTIONAL]:
        an_integer(f"{at}.{name}[0]", low, 1, FAR)
        return GameOption(a_name(at, name), low, high, 0)
    usual = an_integer(f"{at}.{name}[2]", numbers[2], low, high) if len(numbers) == 3 else None
    return GameOption(a_name(at, name), low, high, usual)


def _names(options: Sequence[GameOption], rule: GameRule) -> set[str]:
    """Return the names of all values that a roll ends with."""
    return {*(o.name for o in options), *(m.name for m in rule.measures), *(name for name, _ in rule.values)}


def _push(at: str, value: object, known: set[str]) -> Push:
    fields = an_object(at, value, ("roll", "with", "if"))
    options, condition = _given(at, fields, known), _formula(f"{at}.if", fields.get("if", "1"), known)
    return Push(a_text(f"{at}.roll", fields.get("roll"), 16), options, condition)


def _choice(name: str, at: str, value: object, options: Sequence[GameOption], rule: GameRule) -> Choice:
    fields = an_object(at, value, ("roll", "with", "dice", "keep"))
    known = _names(options, rule)
    free = _formula(f"{at}.dice", fields.get("dice", "1"), known | {FACE, *rule.symbols})
    keep = _formula(f"{at}.keep", fields["keep"], known) if "keep" in fields else None
    return Choice(a_text(f"{at}.roll", fields.get("roll", name), 16), _given(at, fields, known), free, keep)


def _given(at: str, fields: Mapping[str, Json], known: set[str]) -> tuple[tuple[str, Formula], ...]:
    """Return what a following roll's options are, by the values of the first one."""
    given = an_object(f"{at}.with", fields.get("with", {}))
    return tuple((name, _formula(f"{at}.with.{name}", text, known)) for name, text in given.items())


def _formula(at: str, text: object, known: set[str]) -> Formula:
    formula = formula_at(at, a_text(at, text))
    check_names(at, formula, known)
    return formula


def _check_push(game: Game, roll: NamedRoll) -> None:
    for at, follows in (("push", roll.push), ("choose", roll.choice)):
        if follows is None:
            continue
        where, second = f"rolls.{roll.name}.{at}", game.roll(follows.roll)
        if second is None:
            raise SpecError(
                "{where} names the roll {roll!r}, which is not in the game.", where=where, roll=follows.roll
            )
        there = {option.name for option in second.options}
        for name, _ in follows.options:
            if name not in there:
                raise SpecError(
                    "{where} gives {name!r}, which {other} has no option for.",
                    where=where,
                    name=name,
                    other=second.name,
                )
        if at == "choose" and [pool.name for pool in second.rule.pools] != [p.name for p in roll.rule.pools]:
            raise SpecError("{where} names {name}, which has other pools.", where=where, name=second.name)


@cache
def originals() -> Mapping[str, Game]:
    """Return them in English, by their keys, in the order of their names."""
    found = [file for file in (files("bot") / "games").iterdir() if file.name.endswith(".json")]
    games = [read_game(file.read_text(encoding="utf-8")) for file in found]
    return {game.key: game for game in sorted(games, key=lambda game: plain(game.name))}

"""Game files: named rolls with options, pushes and buttons. docs/games.md describes the format."""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypeVar

from bot.dice.errors import SpecError
from bot.dice.notation import reads
from bot.dice.system import Json
from bot.rulebooks.fields import GameFields, require_name, require_text
from bot.rulebooks.formula import Formula
from bot.rulebooks.options import PARTS, SEVERAL_DICE, TYPED_DICE, GameOption, dice_options, read_option
from bot.rulebooks.rules import DICE_LIMIT, FACE, FAR, RULE_FIELDS, GameRule, read_pools, read_rule

FILE_LIMIT = 16_384
"""Most bytes, and most characters, of a game's file."""
_NUMBER = re.compile(r"(.*) (-?[0-9]{1,4})", re.DOTALL)
_DIGITS = 20
_GAME_FIELDS = ("key", "name", "help", "rolls", "buttons", "usual", "under", "scores", "also", "numbers")
_ROLL_FIELDS = ("help", "options", "letters", "push", "choose", *RULE_FIELDS)
_PUSH_FIELDS = ("roll", "with", "if")
_CHOICE_FIELDS = ("roll", "with", "dice", "in", "most", "keep", "often")
_LETTERS = 2
_Named = TypeVar("_Named", "GameOption", "NamedRoll")


@dataclass(frozen=True, slots=True)
class Push:
    """A second roll that may follow a roll, with options computed from the first one's values."""

    roll: str
    options: tuple[tuple[str, Formula], ...]
    condition: Formula


@dataclass(frozen=True, slots=True)
class Choice:
    """A second roll that may follow a roll, of dice that the player chooses."""

    roll: str
    options: tuple[tuple[str, Formula], ...]
    """Options of the second roll; all others are the first one's."""
    free: Formula
    """The condition for dice that may be chosen."""
    keep: Formula | None = None
    """The most dice to keep, without the others; None if the chosen dice are rerolled."""
    often: bool = False  # more than once
    pools: frozenset[str] = frozenset()
    """The names of the pools whose dice may be chosen."""
    most: int = 0
    """The most dice to reroll; 0 for all."""


@dataclass(frozen=True, slots=True)
class Shorthand:
    """A letter or a word for an option, as in `yyggpp`, or for one with its number: hard is difficulty 3."""

    word: str
    option: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class NamedRoll:
    """One roll of a game."""

    name: str
    help: str
    options: tuple[GameOption, ...]
    rule: GameRule
    text: str
    """The rule as canonical JSON text, as it is recorded."""
    thrown: str = ""
    """The name of dice that a player types, `2d6+3`, which are several options such as damage_dice."""
    push: Push | None = None
    choice: Choice | None = None
    shorthands: tuple[Shorthand, ...] = ()
    translation: str = ""
    """Its name in the player's language, accepted besides the English one; "" for none."""
    thrown_translation: str = ""
    """The name of the typed dice in that language."""

    @property
    def word(self) -> str:
        """Return its preferred name."""
        return self.translation or self.name

    @property
    def letters(self) -> dict[str, str]:
        """Return the options of the letters and words that stand for no number."""
        return {short.word: short.option for short in self.shorthands if short.number is None}

    @property
    def words(self) -> list[Shorthand]:
        """Return the words among its shorthands, which languages translate."""
        return [short for short in self.shorthands if len(short.word) > _LETTERS]

    @property
    def dice(self) -> tuple[str, ...]:
        """Return the options of the typed dice: their number, sides and bonus, and those of other sides."""
        names = [f"{self.thrown}_{part}" for part in PARTS] if self.thrown else []
        return tuple(option.name for option in self.options if option.name in names)

    @property
    def thrown_names(self) -> tuple[str, ...]:
        """Return the names of the typed dice as they are typed, in English and in the player's language."""
        return tuple(filter(None, (self.thrown, plain(self.thrown_translation))))

    def option(self, word: str) -> GameOption | None:
        """Return the option named by a word normalized by `plain`; None if there is none."""
        return _find_named(self.options, word)


@dataclass(frozen=True, slots=True)
class Game:
    """A game; its first roll is the default one."""

    key: str
    """The word that a player types."""
    name: str
    help: str
    rolls: tuple[NamedRoll, ...]
    buttons: tuple[str, ...] = ()
    """Rolls offered as buttons, as a player would type them."""
    usual: str = ""
    """The dice to which a bare bonus, `+7`, is added; "" for none."""
    under: str = ""
    """The dice of which low rolls pass, such as d100; "" for none."""
    also: tuple[tuple[str, str], ...] = ()
    """Other words for its rolls, such as strike for attack."""
    numbers: tuple[tuple[str, int], ...] = ()
    """Words that stand for numbers, such as great for 4."""
    scores: tuple[str, ...] = ()
    """Names of a character's numbers that are scores: 16 gives the bonus 3."""

    @property
    def example(self) -> str:
        """Return a roll as it is typed with the game's key: the middle one of the buttons."""
        return self.buttons[len(self.buttons) // 2] if self.buttons else f"{self.key} {self.rolls[0].name}"

    @property
    def short(self) -> str:
        """Return its name without its edition."""
        return self.name.partition(" (")[0]

    @property
    def first_word(self) -> str:
        """Return the word to type for its first roll: its key for a roll named "roll"."""
        word = self.rolls[0].word
        return self.key if word == "roll" else word

    def roll(self, word: str) -> NamedRoll | None:
        """Return the roll named by a word normalized by `plain`; None if there is none."""
        return _find_named(self.rolls, dict(self.also).get(word, word))

    def pattern(self, roll: NamedRoll) -> str:
        """Return the pattern of a roll, "wod pool DICE [diff 6]"."""
        options = [option.pattern for option in roll.options if option.name not in roll.dice]
        options += [f"[{roll.thrown_translation or roll.thrown} 2d6+3]"] if roll.thrown else []
        return " ".join([self.key, roll.word, *options])

    def answers(self, word: str) -> bool:
        """Return whether a word normalized by `plain` starts one of its rolls."""
        return word == self.key or self.roll(word) is not None


def plain(text: str) -> str:
    """Return a text in lower case without diacritics: "Dégâts" is also typed as "degats"."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _find_named(items: Sequence[_Named], word: str) -> _Named | None:
    """Return the item with this name; English names come before translated ones."""
    for item in items:
        if item.name == word:
            return item
    return next((item for item in items if item.translation and plain(item.translation) == word), None)


def read_game(text: str) -> Game:
    """Parse a game's file; raise SpecError with the place of a fault."""
    if len(text) > FILE_LIMIT:
        raise SpecError(
            "A game's file has at most {most:,} characters, not {count:,}.", most=FILE_LIMIT, count=len(text)
        )
    try:
        # An integer with too many digits is cut, and is still over every limit.
        value: object = json.loads(text, parse_int=lambda digits: int(digits[:_DIGITS]))
    except RecursionError:
        raise SpecError("The game's file is nested too deeply.") from None
    except json.JSONDecodeError as error:
        raise SpecError(
            "The game's file is no JSON: see line {lineno}, column {colno}.",
            lineno=error.lineno,
            colno=error.colno,
        ) from None
    fields = GameFields("", value, _GAME_FIELDS)
    entries = fields.fields("rolls")
    rolls = tuple(
        _read_roll(require_name("rolls", name), path, entry) for path, name, entry in entries.items()
    )
    if not rolls:
        raise SpecError("rolls needs at least one roll.")
    also, numbers = fields.fields("also", {}), fields.fields("numbers", {})
    game = Game(
        require_name("key", fields.text("key", 16)),
        fields.text("name", 60),
        fields.text("help"),
        rolls,
        fields.texts("buttons", 60) if fields.values.get("buttons") else (),
        _read_dice(fields, "usual"),
        _read_dice(fields, "under"),
        tuple((plain(word), also.text(word, 16)) for word in also.values),
        tuple((plain(word), numbers.integer(word, -FAR, FAR)) for word in numbers.values),
        tuple(map(str.casefold, fields.texts("scores", 32))),
    )
    for word, name in game.also:
        if word == game.key or name not in entries.values or word in entries.values:
            raise SpecError("also.{word} is no other word for a roll of the game.", word=word)
    for roll in rolls:
        _check_following(game, roll)
    return game


def _read_dice(fields: GameFields, field: str) -> str:
    """Read dice that may be missing; "" for none."""
    dice = fields.text(field, 16) if field in fields.values else ""
    if dice and not reads(dice):
        raise SpecError("{field} is dice, such as d20 or 2d6, not {dice!r}.", field=field, dice=dice)
    return dice


def print_rule(fields: Mapping[str, Json]) -> str:
    """Return the fields of a roll that define its rule, as canonical JSON text."""
    return json.dumps({name: fields[name] for name in RULE_FIELDS if name in fields}, separators=(",", ":"))


def _read_roll(name: str, path: str, value: object) -> NamedRoll:
    fields = GameFields(path, value, _ROLL_FIELDS)
    options, typed_dice = list[GameOption](), ""
    for _, option, entry in (listed := fields.fields("options", {})).items():
        if entry in (TYPED_DICE, SEVERAL_DICE) and not typed_dice:
            typed_dice = require_name(listed.path, option)
            options += dice_options(option, is_several=entry == SEVERAL_DICE)
        else:
            options.append(read_option(listed, option))
    rule_fields = {key: fields.values[key] for key in RULE_FIELDS if key in fields.values}
    held_against = [o for o in options if o.name == fields.values.get("against") and o.may_be_missing]
    if held_against and held_against[0].usual:
        rule_fields["missing"] = held_against[0].usual
    rule = read_rule(path, rule_fields, [option.name for option in options])
    names = {option.name for option in options} | rule.value_names
    push = _read_push(fields.fields("push", allowed=_PUSH_FIELDS), names) if "push" in fields.values else None
    choice = None
    if "choose" in fields.values:
        choice = _read_choice(fields.fields("choose", allowed=_CHOICE_FIELDS), name, names, rule)
    letters = fields.fields("letters", {})
    shorthands = tuple(_read_shorthand(letters, word) for word in letters.values)
    _check_options(letters.path, (short.option for short in shorthands), name, options)
    return NamedRoll(
        name,
        fields.text("help"),
        tuple(options),
        rule,
        print_rule(rule_fields),
        typed_dice,
        push,
        choice,
        shorthands,
    )


def _read_shorthand(letters: GameFields, word: str) -> Shorthand:
    option = require_text(letters.path, letters.values[word])
    numbered = _NUMBER.fullmatch(option)
    name, number = (numbered[1], int(numbered[2])) if numbered else (option, None)
    return Shorthand(plain(word), name, number)


def _read_push(fields: GameFields, names: set[str]) -> Push:
    options = _read_following_options(fields, names)
    return Push(fields.text("roll", 16), options, fields.formula("if", "1", names))


def _read_choice(fields: GameFields, name: str, names: set[str], rule: GameRule) -> Choice:
    return Choice(
        fields.text("roll", 16, name),
        _read_following_options(fields, names),
        fields.formula("dice", "1", names | {FACE, *rule.symbols}),
        fields.formula("keep", names=names) if "keep" in fields.values else None,
        bool(fields.integer("often", 0, 1, 0)),
        read_pools(fields, [pool.name for pool in rule.pools]),
        fields.integer("most", 0, DICE_LIMIT, 0),
    )


def _read_following_options(fields: GameFields, names: set[str]) -> tuple[tuple[str, Formula], ...]:
    """Return the options of a following roll, as formulas of the first one's values."""
    formulas = fields.fields("with", {})
    return tuple((name, formulas.formula(name, names=names)) for name in formulas.values)


def _check_following(game: Game, roll: NamedRoll) -> None:
    for field, follows in (("push", roll.push), ("choose", roll.choice)):
        if follows is None:
            continue
        path, second = f"rolls.{roll.name}.{field}", game.roll(follows.roll)
        if second is None:
            raise SpecError(
                "{where} names the roll {roll!r}, which is not in the game.", where=path, roll=follows.roll
            )
        _check_options(path, dict(follows.options), second.name, second.options)
        pools, second_pools = ([pool.name for pool in part.rule.pools] for part in (roll, second))
        if field == "choose" and second_pools != pools:
            raise SpecError("{where} names {name}, which has other pools.", where=path, name=second.name)


def _check_options(path: str, names: Iterable[str], roll: str, options: Sequence[GameOption]) -> None:
    """Raise SpecError if one of the names is no option of the roll."""
    for name in names:
        if not _find_named(options, name):
            raise SpecError(
                "{where} gives {name!r}, which {other} has no option for.", where=path, name=name, other=roll
            )


@cache
def builtin_games() -> Mapping[str, Game]:
    """Return the built-in games in English by key, ordered by name."""
    paths = [path for path in (files("bot") / "games").iterdir() if path.name.endswith(".json")]
    games = [read_game(path.read_text(encoding="utf-8")) for path in paths]
    return {game.key: game for game in sorted(games, key=lambda game: plain(game.name))}

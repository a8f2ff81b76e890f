"""Texts of 200 characters that no notation accepts, with the fault at the end."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from bot.campaign.adjustments import read_adjustment, read_modifiers
from bot.campaign.campaigns import Rules
from bot.campaign.rolls import Misread, RollDice
from bot.d100.conversion import read_dice
from bot.d100.physical import read_faces
from bot.dice.dialects.dialect import Dialect
from bot.dice.names import clean
from bot.dice.naming import Vocabulary, resolve
from bot.parsing.texts import read_as, read_roller, split_dc
from bot.systems.checks import read_degrees
from bot.systems.typed import read_cards, read_decks, read_rows

LENGTH = 200
SIGNS = {
    "digits": "0123456789",
    "blanks": " \t\xa0\u3000",
    "letters": "abdefhiklmoprstuvx",
    "signs": "+-*/%<>=!#:;,.&|^~",
    "brackets": "()[]{}",
    "quotes": "'\"`´“”«»",
    "scripts": "äßé漢字カナдиסו١٢۳ไท한글\u0301\u200d\ufe0f💥👩ﷺ",
}
UNITS = (
    *("1d6+", "1d6!", "d20 adv ", "2d6; ", "(", "((1d4)d6+", "{2d6,", "{1d6+1d8}kh1+", "1d6[fire]+"),
    *("4d6kh3-", "1d6 vs ", "12#", "d6ro1", "10d10>=7f{1}", "1d6x", "!rr 3 ", "min(", "floor(", "d{1,2,3}"),
    *("wod 3 diff 6 ", "a, 0 b", "elk x3, ", "2-4 a; ", "[[", "adv +1d4 ", "+5", "keep the highest ", "x3"),
    *("explode ", "e1 ", "t8 ", "KM{", "C{<3,", "V{1=2,", "cs>3", "\\", '"', "<@1>", "!p", "r<2", "1d6 # "),
    *("choose a, ", "shuffle ", "flip 3 ", "d66 ", " vs 15", "fire + ", "drop 1 ", " x 3", "time:3 ", "k<3"),
    *("roll ", "/r ", "dc 5 ", "C{>1<2"),
)
FAULTS = ("x", "§", "(", "]", "\0", "1d", "!!!", "💥", "'", " q")


BRACKETS = {"(": ")", "{": "}", "[": "]", "min(": ")", "{1d6,": "}", "(1d": ")", "!{": "}", "d{": "}"}


ENDLESS = (
    "1234567890" * 3 + "x",
    "1d6+" * 40 + "1d6x",
    "1" * 199 + "x",
    "((((" * 40 + "1d6",
    " " * 199 + "x",
)
"""Repetitive texts that are faulty only at the end."""


def hostile(count: int, seed: int = 0) -> Iterator[str]:
    """Yield `count` different texts: random signs, repeated units and nested brackets."""
    chosen, texts = Random(seed), set[str]()  # noqa: S311 (the same texts each time)
    kinds = [*SIGNS.values()]
    while len(texts) < count:
        match len(texts) % 4:
            case 0:
                text = "".join(chosen.choices(chosen.choice(kinds), k=LENGTH))
            case 1:
                text = "".join(chosen.choices("".join(chosen.sample(kinds, 3)), k=LENGTH))
            case 2:
                text = "".join(chosen.sample(UNITS, chosen.randint(1, 3))) * LENGTH
            case _:
                (opening, closing), depth = chosen.choice([*BRACKETS.items()]), chosen.randint(1, 90)
                inside = f"{opening * depth}1d6{closing * depth}"
                text = chosen.choice(UNITS) + inside + chosen.choice(UNITS) * LENGTH
        fault = chosen.choice(FAULTS)
        text = (text[: LENGTH - len(fault)] + fault).strip()
        if text not in texts:
            texts.add(text)
            yield text


def readings(text: str) -> list[Callable[[], object]]:
    """Return a function for each way to read a text, explanations of refusals included."""
    lists = (
        read_adjustment,
        read_modifiers,
        split_dc,
        _named,
        read_degrees,
        read_cards,
        read_decks,
        read_faces,
        read_dice,
        read_roller,
        clean,
    )
    ways = [partial[object](read, text) for read in lists]
    return [
        *ways,
        partial(read_rows, "a", "2d6", text),
        *(partial(_dice, text, dialect) for dialect in Dialect),
    ]


def _named(text: str) -> object:
    """Read a text with names as terms."""
    names = Vocabulary({"d": "e", "e": "2"}, {"vs": "1d6", "fire": "fire"}, {"wod": "Wod"})
    return resolve(text, names), resolve(text, names, later=True)


def _dice(text: str, dialect: Dialect) -> object:
    """Read a text as a campaign of this dialect, and explain a refusal."""
    by = read_as(Rules(dialect=dialect, game="wod"), typed=True)
    return RollDice(text, by=by).reparse(Misread(by))

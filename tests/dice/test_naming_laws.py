"""Names change no text that has a meaning, their laws are exact, and no text with names holds anybody up."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from random import Random

import pytest

from bot.dice import grammar, notation
from bot.dice.dialects.dialect import Dialect
from bot.dice.distribution import distribution
from bot.dice.errors import NotationError
from bot.dice.naming import Vocabulary, is_taken, resolve
from tests.dice.test_documented import LINES
from tests.support.dialects import lines
from tests.support.everyday import READ
from tests.support.tapes import chances

_WORDS = (
    "fire|cold|to hit|slashing|piercing|sneak|attack|damage|healing|Feuer|огонь|heads|tails|tea|cake|"
    "dice|die|roll|w|y|a|n|of|the|rolled|hit|d-d|d x|r2d2|k9|x3y|dx20|a1|kk|dd6|e6e|attack roll|"
    "sneak attack"
)
_STARTS = ("wo", "co", "ne", "ot", "ow", "dn", "mi", "so")
_SHORT = [f"{start}{end}" for start in _STARTS for end in "abcdefghijklmnopqrstuv"]
HOSTILE = [name for name in (*_WORDS.split("|"), *_SHORT) if not is_taken(name)]
_WORD = re.compile(r"[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*)?")


def _valid() -> Iterator[tuple[str, Dialect]]:
    """Every text of the tests that has a meaning without names, and in which program."""
    yield from ((text, Dialect.EVENHAND) for text in READ)
    yield from ((line.text, Dialect(line.dialect)) for line in lines())
    yield from ((text, Dialect(program)) for program, texts in LINES.items() for text in texts)


def test_no_name_changes_a_text_that_is_valid_without_names() -> None:
    """Two hundred names, and all words of the text itself, are looked for in vain, in each program."""
    assert len(HOSTILE) >= 200
    valid = [(text, dialect) for text, dialect in _valid() if notation.reads(text, dialect)]
    assert len(valid) > 500
    for text, dialect in valid:
        own = [word for word in _WORD.findall(text) if not is_taken(word)]
        saved = dict.fromkeys(map(str.casefold, (*HOSTILE, *own)), "1d1000+5000")

        assert resolve(text, Vocabulary(saved=saved), dialect) is None, (text, dialect)


NAMES = Vocabulary(
    numbers={"str": "3", "dex": "-2", "level": "2", "power": "str*2+dex"},
    saved={"sneak": "1d20+7", "axe": "1d12+str", "small": "1d4", "pair": "small+Small", "trio": "3d6kh2"},
)
LAWS: Mapping[str, tuple[tuple[int, ...], Callable[[tuple[int, ...]], int]]] = {
    "Sneak+2": ((20,), lambda d: d[0] + 9),
    "Sneak-dex": ((20,), lambda d: d[0] + 9),
    "Sneak+dex": ((20,), lambda d: d[0] + 5),
    "Sneak adv": ((20, 20), lambda d: max(d[0], d[1]) + 7),
    "Sneak+1 dis": ((20, 20), lambda d: min(d[0], d[1]) + 8),
    "2*Sneak": ((20,), lambda d: 2 * (d[0] + 7)),
    "2*Small+1": ((4,), lambda d: 2 * d[0] + 1),
    "20-Small-str": ((4,), lambda d: 17 - d[0]),
    "20-Pair": ((4, 4), lambda d: 20 - (d[0] + d[1])),
    "Axe+Small": ((12, 4), lambda d: d[0] + 3 + d[1]),
    "Pair*2": ((4, 4), lambda d: 2 * (d[0] + d[1])),
    "1d6+power": ((6,), lambda d: d[0] + 4),
    "1d6*str-dex": ((6,), lambda d: d[0] * 3 + 2),
    "(level)d6": ((6, 6), lambda d: d[0] + d[1]),
    "d20+{str}+$level": ((20,), lambda d: d[0] + 5),
    "Sneak//level": ((20,), lambda d: (d[0] + 7) // 2),
    "Sneak vs 15": ((20,), lambda d: int(d[0] + 7 >= 15)),
    "Axe vs Small+4": ((12, 4), lambda d: d[0] + 3 - (d[1] + 4)),
    "{Axe, Small+6}kh1": ((12, 4), lambda d: max(d[0] + 3, d[1] + 6)),
    "Trio+str": ((6, 6, 6), lambda d: d[0] + d[1] + d[2] - min(d[0], d[1], d[2]) + 3),
    "-2*dex + small": ((4,), lambda d: 4 + d[0]),
}


@pytest.mark.parametrize("text", LAWS)
def test_the_law_of_dice_with_names_is_brute_force(text: str) -> None:
    """Every face of every die, worked out by hand."""
    dice, total = LAWS[text]
    found = resolve(text, NAMES)
    fell = Counter(total(faces) for faces in product(*(range(1, sides + 1) for sides in dice)))

    assert found
    assert chances(distribution(notation.parse(found.text))) == chances(fell)


class _Counted(dict[str, str]):
    """Names that count how often they are looked for."""

    looks = 0

    def __contains__(self, name: object) -> bool:
        self.looks += 1
        return super().__contains__(name)


_PIECES = (
    "Sneak|luck|str|Great Axe|str-dex|loop|deep|many|nobody|Удар|二刀|ни|\xe9\u0301|\"|'|{|}|[|]|(|)|$|,|;|"
    "#|+|-|*|/|//|%|=|>=|<|\n|1d20|d6|4d6kh3|adv|dis|vs|dc 15|ac|on|2|15|3#| |  |\t|\x00|💥|\ud800"
)


def test_no_text_with_names_holds_anybody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two thousand are read or refused; each takes few readings, and few look-ups for each sign."""
    saved = {f"n{place}": "+".join(f"n{place + 1}" for _ in range(30)) for place in range(30)}
    numbers = _Counted({"str": "3", "dex": "str+1", "str-dex": "1", "many": "+".join(["dex"] * 40)})
    saved |= {
        "sneak": "1d20+7",
        "great axe": "1d12",
        "loop": "loop+1",
        "deep": "n1+n2",
        "удар": "2d6",
        "二刀": "d4",
    }
    names = Vocabulary(numbers, saved, {"luck": "Luck"})
    parsed, read, random = Counter[str](), grammar.read, Random(27)  # noqa: S311 (the same texts each time)
    texts = ["".join(random.choices(_PIECES.split("|"), k=random.randint(1, 60)))[:200] for _ in range(2_000)]

    def counted(text: str) -> object:
        parsed[current] += 1
        return read(text)

    monkeypatch.setattr(notation, "read", counted)
    resolved = 0
    for current in texts:
        numbers.looks = 0
        with suppress(NotationError):
            resolved += resolve(current, names) is not None

        assert numbers.looks <= 40 * 200
    assert resolved > 10
    assert max(parsed.values()) <= 150

"""Translate dice typed in the current language, `1w20+5 vorteil gegen 15`, to the notation.

Words around dice, `zwei w6`, `8w6 halbiert` and `wähle Tee oder Kaffee`, become English ones. What these mean
is decided by `bot/dice/everyday.py`: most of them may change a roll, so that no language takes them for a
label.
"""

import re
import tomllib
from collections.abc import Collection, Mapping
from functools import lru_cache
from importlib.resources import files

from bot.dice.everyday import NUMBERS
from bot.rulebooks.book import plain
from bot.words.games import TYPED
from bot.words.languages import SPOKEN, Language

AIMS, SPREADS = ("dc", "ac", "vs"), ("adv", "dis", "advantage", "disadvantage")
"""Words before a target number, and words for advantage and disadvantage."""
_WORDS = tomllib.loads((files("bot.words") / "words.toml").read_text(encoding="utf-8"))
WORDS: Mapping[str, str] = _WORDS["notation"]
"""Words of the notation that languages translate, with a description for translators."""
_PLACES: Mapping[str, str] = {word: place for word, (place, _) in _WORDS["phrases"].items()}
"""Words around dice to the place where they are translated, a key of `_PHRASES`."""
PHRASES: Mapping[str, str] = {word: note for word, (_, note) in _WORDS["phrases"].items()}
"""English words around dice that languages translate, with a description for translators."""
PHRASE, SEPARATOR = "phrase", "|"
"""The translation context of words around dice, and what stands between the spellings of one."""

_DIE = r"(?:(?<!\w)|(?<=\dx))(\d*+)(?:{said})(?=[\d%]|f(?!\w)|(?<=\d\w)\s*(?:[-+]|\Z))"
# "Without advantage" is a label.
_WORD = r"(?<!\w)(?<!\b{without} )(?:(?:{before}) (?:(?:{article}) )?)?(?:{said})(?!\w)"
_AIM = r"(?<!\w)(?:{said})(?= ?[:=]? ?\d| (?:dc|ac|{aims}) ?\d)"
_TEMPLATES = {
    "d": _DIE,
    **dict.fromkeys(SPREADS, _WORD),
    **dict.fromkeys(AIMS, _AIM),
    "difficulty": rf"(?<=\S ){_AIM}",  # in front it is a label
}
_OPPOSED = r"(?:(?<=[\d)] )|(?<=(?:adv|dis|age) ))(?:{said})(?= \S)"
"""What is between dice and a name or other dice: `d20 gegen ge`."""
_LINE = re.compile(r"(\s*+\d++\s*+#)?+([^#]*+)(.*+)", re.DOTALL)

_OWN = r"(?P<own>\[[^\]]*\]|\{{[^}}]*\}}|[-+*/(] ?(?:{said})(?!\w))"
"""What stays as it is: labels in brackets, faces in braces, and names of numbers, `d20+resistencia`."""
_HERE = r"(?<!\w)(?:{said})(?!\w)"
_BEHIND = f"{_OWN}|{_HERE}"
_COUNTS = "|".join(rf"(?<=\b{word} )" for word in NUMBERS if word in _PLACES)
"""The places behind number words, which are translated before "times"."""
_PHRASES = {
    "front": r"\A\s*(?:{said})\s+(?=\S)",
    "whole": r"\A\s*(?:{said})\s*\Z",
    "count": r"(?:\A|(?<=\Aroll ))\s*(?:{said})\s+(?=d\d|(?:{times}) |dice with |\d+ sides)",
    "kept": r"(?:(?<=highest )|(?<=lowest ))(?:{said})(?!\w)|(?<!\w)(?:{said})(?= (?:highest|lowest))|"
    r"\A(?:{said})(?= [^\W\d_]{{3,}}+ (?:[-+] ?\d|\d*d\d))",
    "kind": r"(?<!\S)(?:{said})(?= \d+ sides)",
    # "1d6 faces" has a label.
    "sides": r"(?<!d\d)(?<!d\d\d)(?<!d\d\d\d)(?<=\d)[ -]?(?:{said})(?=\s*\Z)",
    "ranged": r"\A\s*(?:{said})\s+(?=\d)",
    "sized": r"(?:\A|(?<=\Aroll ))\s*(?:{said})\s+(?=\d+\s*\Z)",
    "between": r"(?<=[\d)] )(?:{said})(?= \d| d\d)|(?:(?<=adv )|(?<=dis )|(?<=age ))(?:{said})(?= )",
    "counted": r"(?:(?<=[\d)] )|{counts})(?:{said})(?= \d| d\d|\s*\Z)",
    "all": r"(?<=\A\d )(?:{said})\s*\Z",
    "around": _BEHIND,
    "behind": _BEHIND,
    # A saving throw is a *teste de resistência* or a *jet de résistance*.
    "damage": _OWN + r"|(?<!\bde )" + _HERE,
    # "Without armour" is a label, "without the lowest" is none.
    "without": _BEHIND + r"(?=\s*\Z|\s+(?:\w+\s+)?(?:\d|lowest|highest))",
    "numbered": _BEHIND + r"(?= \d)",
    # "Under pressure" is a label; and *el más bajo* is the lowest.
    "limit": _OWN + r"|(?<!\bmás )" + _HERE + r"(?=\s*\Z|\s+\d)",
    "chosen": r"(?:(?<=\Achoose )|(?<=\Achoose \d ))(?:{said})(?= )",
    "joined": r"(?<=\S )(?:{said})(?= \S)",
}
"""Places of words around dice to their patterns."""
_AFTER_DICE, _IN_LISTS = {"behind", "damage", "without", "numbered", "limit"}, {"chosen", "joined"}
_IN_FRONT = {"front", "count", "ranged", "sized"}
_BEHIND_NUMBER = {"sides"}
_LISTS = ("choose ", "shuffle ")
_DIGIT = re.compile(r"\d")
_DICE = re.compile(r"\d*d[\d%]", re.ASCII | re.IGNORECASE)
_SAVE = re.compile(r"\s*1?d20\b.*[^\W\d_] de [^\W\d_]", re.IGNORECASE)
"""A saving throw on a d20, which is no damage: `d20+3 resistência de Destreza`."""


def in_notation(text: str, words: Collection[str] = tuple(WORDS)) -> str:
    """Return the text with `words` translated from the current language; a comment stays unchanged."""
    if (language := SPOKEN.get()) is None or (match := _LINE.fullmatch(text)) is None:
        return text
    front, dice, comment = match.groups(default="")
    for word, pattern in _word_patterns(language):
        if word in words:
            dice = pattern.sub(rf"\1{word}" if word == "d" else word, dice)
    if len(words) == len(WORDS):
        dice = _in_english_words(dice, language)
    return f"{front}{dice}{comment}"


@lru_cache(maxsize=16)
def _word_patterns(language: Language) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return each translated word with its pattern; leave out words that are the same in English."""
    patterns: list[tuple[str, re.Pattern[str]]] = []
    beside = {
        "before": _spellings(language.word(TYPED, "with")),
        "without": re.escape(language.word(PHRASE, "without").partition(SEPARATOR)[0]),
        "article": language.word(PHRASE, "one"),
        "aims": "|".join(_spellings(language.word(TYPED, aim)) for aim in ("dc", "ac")),
    }
    for word, template in _TEMPLATES.items():
        translation = language.word(TYPED, word)
        if plain(translation) != word:
            pattern = template.format(said=_spellings(translation), **beside)
            patterns.append((word, re.compile(pattern, re.IGNORECASE)))
    return tuple(patterns)


def _spellings(word: str) -> str:
    """Return a pattern that matches a word with and without its accents."""
    return f"{re.escape(word)}|{re.escape(plain(word))}"


def in_own_words(word: str) -> str:
    """Return a word of the notation as it is typed in the current language: `ventaja` for advantage."""
    language = SPOKEN.get()
    return language.word(TYPED, word) if language else word


def names_check(text: str) -> bool:
    """Return whether words name a check in the current language, as `Wahrnehmungsprobe` does."""
    language = SPOKEN.get()
    endings = tuple(plain(language.word(PHRASE, "check")).split(SEPARATOR)) if language else ()
    return any(word.endswith(endings) for word in plain(text).split())


def before_account() -> re.Pattern[str]:
    """Return the pattern of the words between dice and a luck account, `on` and the current language's."""
    return _on_account(SPOKEN.get())


@lru_cache(maxsize=16)
def _on_account(language: Language | None) -> re.Pattern[str]:
    spellings = language.word(PHRASE, "on").split(SEPARATOR) if language else []
    # The longest first: "sur le compte" before "sur".
    every = sorted({"on", *spellings, *map(plain, spellings)}, key=lambda text: (-len(text), text))
    pattern = f" (?:{'|'.join(map(re.escape, every))}) "
    return re.compile(pattern, re.IGNORECASE)


def _in_english_words(dice: str, language: Language) -> str:
    """Return dice, whose letter is already translated, with a language's words around them in English."""
    for word, place, pattern in _phrase_patterns(language):
        # The words of a list are its results.
        is_list = dice.startswith(_LISTS)
        if place in _AFTER_DICE:
            is_save = place == "damage" and _SAVE.match(dice)
            if not (is_list or is_save) and (die := _DICE.search(dice)):
                behind = _translate(pattern, "drop" if word == "without" else word, dice[die.end() :])
                dice = dice[: die.end()] + behind
        elif place not in _IN_LISTS or is_list or (word == "or" and not _DIGIT.search(dice)):
            blanks = place in _BEHIND_NUMBER, place in _IN_FRONT
            dice = _translate(pattern, f"{' ' * blanks[0]}{word}{' ' * blanks[1]}", dice)
    return dice


def _translate(pattern: re.Pattern[str], english: str, text: str) -> str:
    return pattern.sub(lambda match: match.groupdict().get("own") or english, text)


@lru_cache(maxsize=16)
def _phrase_patterns(language: Language) -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Return each translated word with its place and pattern."""
    patterns: list[tuple[str, str, re.Pattern[str]]] = []
    beside_ends = ((word, "kept") for word in NUMBERS if word in _PLACES)
    for word, place in (*_PLACES.items(), ("and", "joined"), *beside_ends):
        spellings = [text.strip() for text in language.word(PHRASE, word).split(SEPARATOR)]
        if spellings != [word] and place in _PHRASES:
            # The longest first: "le plus bas" before "plus bas".
            every = sorted({*spellings, *map(plain, spellings)}, key=lambda text: (-len(text), text))
            spelled = "|".join(map(re.escape, every))
            pattern = _PHRASES[place].format(
                said=spelled, times=language.word(PHRASE, "times"), counts=_COUNTS
            )
            patterns.append((word, place, re.compile(pattern, re.IGNORECASE)))
    pattern = _OPPOSED.format(said=_spellings(language.word(TYPED, "vs")))
    return (*patterns, ("vs", "opposed", re.compile(pattern, re.IGNORECASE)))

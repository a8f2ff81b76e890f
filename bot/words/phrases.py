"""Translate words around dice, `zwei w6`, `8w6 halbiert` and `wähle Tee oder Kaffee`, to English ones.

A language has several spellings of each, with "|" between them. What English words mean is decided by
`bot/dice/everyday.py`: most of them may change a roll, so that no language takes them for a label.
"""

import re
from functools import lru_cache
from itertools import chain

from bot.rulebooks.book import plain
from bot.words.languages import Language

PHRASE, SEPARATOR = "phrase", "|"
_FRONT, _WHOLE = r"\A\s*(?:{said})\s+(?=\S)", r"\A\s*(?:{said})\s*\Z"
_COUNT, _BETWEEN = r"\A\s*(?:{said})\s+(?=d\d)", r"(?<=[\d)] )(?:{said})(?= \d| d\d)"
_OWN = r"(?P<own>\[[^\]]*\]|\{{[^}}]*\}}|[-+*/(] ?(?:{said})(?!\w))"
"""What stays as it is: labels in brackets, faces in braces, and names of numbers, `d20+resistencia`."""
_ALL = r"(?<=\A\d )(?:{said})\s*\Z"
_HERE = r"(?<!\w)(?:{said})(?!\w)"
_BEHIND = f"{_OWN}|{_HERE}"
# A saving throw is a *teste de resistência* or a *jet de résistance*.
_DAMAGE = _OWN + r"|(?<!\bde )" + _HERE
# "Without armour" is a label, "without the lowest" is none.
_WITHOUT = _BEHIND + r"(?=\s*\Z|\s+(?:\w+\s+)?(?:\d|lowest|highest))"
_NUMBERED = _BEHIND + r"(?= \d)"
_AFTER_DICE = {_BEHIND, _DAMAGE, _WITHOUT, _NUMBERED}
_TEMPLATES = {
    "roll": (_FRONT, "before dice: roll d20"),
    "choose": (_FRONT, "before a list: choose tea, coffee"),
    "shuffle": (_FRONT, "before a list: shuffle a, b, c"),
    "coin": (_WHOLE, "alone: coin, flip a coin, heads or tails"),
    "stats": (_WHOLE, "alone: the six ability scores"),
    "one": (_COUNT, "before a die: a d20, one d20"),
    "two": (_COUNT, "before a die: two d6"),
    "three": (_COUNT, "before a die: three d6"),
    "twice": (_BEHIND, "behind dice: d20+5 twice"),
    "times": (_BETWEEN, "between a number and dice: 6 times 4d6"),
    "and": (_BETWEEN, "between dice: 2d6 and 1d8"),
    "halved": (_BEHIND, "behind dice: 8d6 halved, 8d6 half"),
    "doubled": (_BEHIND, "behind dice: 8d6 doubled, 8d6 double"),
    "under": (_BEHIND, "behind dice: d100 under 45"),
    "over": (_NUMBERED, "behind dice: d100 over 55"),
    "at least": (_NUMBERED, "behind dice: 2d6 at least 9"),
    "at most": (_NUMBERED, "behind dice: 2d6 at most 5"),
    "exactly": (_NUMBERED, "behind dice: 2d6 exactly 7"),
    "drop": (_BEHIND, "behind dice: 4d6 drop lowest"),
    "keep": (_BEHIND, "behind dice: 4d6 keep highest"),
    "lowest": (_BEHIND, "behind dice, also with an article: 4d6 drop the lowest"),
    "highest": (_BEHIND, "behind dice, also with an article: 4d6 keep the highest"),
    "without": (_WITHOUT, "behind dice, as another word for drop: 4d6 without the lowest"),
    "reroll": (_BEHIND, "behind dice: 2d6 reroll 1s"),
    "exploding": (_BEHIND, "behind dice: 3d6 exploding, 3d6 explode"),
    "crit": (_BEHIND, "behind damage: 2d8+4 crit, 2d8+4 critical hit"),
    "resistance": (_DAMAGE, "behind damage: 8d6 fire resistance, 8d6 resistant"),
    "vulnerability": (_BEHIND, "behind damage: 8d6 fire vulnerability, 8d6 vulnerable"),
    "successes": (_BEHIND, "behind a pool: 7d10 successes"),
    "dice": (_ALL, "behind a number: 2 dice"),
}
_JOINED = r"(?<=\S )(?:{said})(?= \S)"
_LISTS = {
    "of": (
        r"(?:(?<=\Achoose )|(?<=\Achoose \d ))(?:{said})(?= )",
        "in a choice: choose 2 of a, b, c; also choose from a, b and choose between a and b",
    ),
    "or": (_JOINED, "in a choice: choose tea or coffee, or just tea or coffee"),
}
_ALSO_IN_LISTS = {"and": (_JOINED, "")}
_IN_LISTS = {template for template, _ in _LISTS.values()}
PHRASES = {word: note for word, (_, note) in (_TEMPLATES | _LISTS).items()}
"""English words that languages translate, with a description for translators."""
_DIGIT = re.compile(r"\d")
_DICE = re.compile(r"\d*d[\d%]", re.ASCII | re.IGNORECASE)


def in_english_words(dice: str, language: Language) -> str:
    """Return dice, whose letter is already translated, with such words of a language in English."""
    for word, template, pattern in _patterns(language):
        if template in _AFTER_DICE:
            # The words of a list are its results.
            is_list = dice.startswith(("choose ", "shuffle "))
            if not is_list and (die := _DICE.search(dice)):
                behind = _translate(pattern, "drop" if word == "without" else word, dice[die.end() :])
                dice = dice[: die.end()] + behind
        elif (
            template not in _IN_LISTS
            or dice.startswith(("choose ", "shuffle "))
            or (word == "or" and not _DIGIT.search(dice))
        ):
            dice = pattern.sub(f"{word} " if template in {_FRONT, _COUNT} else word, dice)
    return dice


def _translate(pattern: re.Pattern[str], english: str, text: str) -> str:
    return pattern.sub(lambda match: match["own"] or english, text)


@lru_cache(maxsize=16)
def _patterns(language: Language) -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Return each translated word with its template and pattern."""
    patterns: list[tuple[str, str, re.Pattern[str]]] = []
    for word, (template, _) in chain(_TEMPLATES.items(), _LISTS.items(), _ALSO_IN_LISTS.items()):
        spellings = [text.strip() for text in language.word(PHRASE, word).split(SEPARATOR)]
        if spellings != [word]:
            # The longest first: "le plus bas" before "plus bas".
            every = sorted({*spellings, *map(plain, spellings)}, key=lambda text: (-len(text), text))
            pattern = template.format(said="|".join(map(re.escape, every)))
            patterns.append((word, template, re.compile(pattern, re.IGNORECASE)))
    return tuple(patterns)

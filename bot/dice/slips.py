"""Refuse what can be meant in several ways, and read what people type that is no notation."""

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files

from bot.dice import advantage
from bot.dice.errors import DiceReading, NotationError
from bot.dice.everyday import NAME, RESERVED, WORDS, has_more_than_tens, is_harmless, read_tens
from bot.dice.names import closest_name

_FLAGS = re.ASCII | re.IGNORECASE
_REMARK = re.compile(
    r"(?:(?<=[\d)] )(?:adv|dis)(?:antage|advantage)?\b(?: ?[-+] ?[\dd]++)*+|\b(?:vs\.?|dc|ac) ?[:=]? ?\d+) "
    rf"(?P<comment>{NAME})\s*\Z",
    _FLAGS,
)
AS_LABEL = "the words as a label"
"""The meaning of a reading whose words may change a roll, but are its label."""
FOR_ALL = "for all to see"
SLIPS = tomllib.loads((files("bot.dice") / "slips.toml").read_text(encoding="utf-8"))
"""Common typing slips: their possible meanings, and the characters to replace."""
_LETTER = "[a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u0400-\u04ff]"
"""A letter of a label, also with an accent; the patterns say [a-z]."""
_EFFECTS, _MEANT = (
    [
        (
            re.compile(pattern.replace("[a-z]", _LETTER), _FLAGS),
            [DiceReading(*item) for item in readings.items()],
        )
        for pattern, readings in SLIPS[table].items()
    ]
    for table in ("effects", "meant")
)
EFFECT_WORDS = "|".join(SLIPS["words"])
"""A pattern of the words that change a d20 in some game."""
EFFECT = re.compile(EFFECT_WORDS, _FLAGS)
_AIM, _SPREAD = r"(?: (?:vs\.? ?(?:dc|ac)?|dc|ac) ?\d+)?", r"(?: (?:adv|dis)(?:antage|advantage)?)?"


def _behind_d20(words: str, changed: dict[str, str]) -> tuple[str, list[DiceReading]]:
    """Return the pattern and the readings of words behind a d20; the last has them as its label.

    Readings without a place for it are not for a d20 with an advantage.
    """
    spread = _SPREAD if any(r"\g<adv>" in text for text in changed) else ""
    pattern = (
        rf"\(?(?P<die>1?d20)(?P<bonus>(?: ?[-+] ?\d++)*+)\)?(?P<adv>{spread})(?P<front>{_AIM}),? \(?"
        rf"(?:with )?(?P<word>{words})\)?(?P<behind>{_AIM})"
    )
    aim, label = r"\g<front>\g<behind>", r" # \g<word>"
    # A word that may change a roll is no label of a changed one.
    own = aim if RESERVED.search(words) else aim + label
    readings = [DiceReading(text + own, meaning) for text, meaning in changed.items()]
    return pattern, [*readings, DiceReading(rf"\g<die>\g<adv>\g<bonus>{aim}{label}", AS_LABEL)]


_ON_D20 = [_behind_d20(words, changed) for words, changed in SLIPS["words"].items()]
_EFFECTS.extend((re.compile(pattern, _FLAGS), readings) for pattern, readings in _ON_D20)
_SEVERAL, _TIMES = re.compile(r"\s*[;\n]\s*"), re.compile(r"\d+ ?# ?", re.ASCII)
_KEEPS = re.compile(r"\dk\s*[<>]|\d\s+k\s*[<>]", _FLAGS)
_ADVANTAGE = re.compile(rf"[-+] ?(?P<die>1?d(?P<sides>\d++)) ?(?:with )?{advantage.WORD}", _FLAGS)
_D20 = re.compile(r"(?<![\d%])1?d20\b(?! ?(?:with )?(?:adv|dis))", _FLAGS)
_APART = re.compile(r"[;#,]")
_RUN_ON = re.compile(
    r"(?P<first>(?:[^;#,\[({]*[^\w;#,\[({])?\d*d[\d%][^;#,\[({]*[-+] ?\d+) (?P<die>d[\d%].*)", _FLAGS
)
_DROP = re.compile(r"(?P<count>\d{0,3})d\d+ d(?P<drop>\d{1,3})(?!\d)", _FLAGS)
_SPACED = re.compile(r"\d d[\d%]", _FLAGS)
_ROLL = re.compile(r"[\ddkhl%+*() -]+", _FLAGS)
_BETWEEN = re.compile(r" ?, ?(?:and )?|,? and | (?=\d*d\d)", _FLAGS)
_SUM = r"\d*d[\d%]\d*+(?: ?[-+] ?(?:\d*+d)?+\d++)*+"
_TERM = re.compile(r"(?P<sign>[-+]?) ?(?P<die>\d*d\d+)", _FLAGS)
_CRITICAL = re.compile(
    r"(?:(?P<front>crit(?:ical)?(?: hit| damage)?[!:]? )|(?P<kind>[a-z]{3,}+(?: (?!d\d)[a-z]++)*+) )?"
    rf"(?P<sum>{_SUM})"
    r"(?(front)|,? \(?crit(?:ical)?(?: hit| damage)?!?\)?)",
    _FLAGS,
)
_BEHIND_D20 = re.compile(
    r"(?P<dice>1?d20(?: ?[-+] ?\d++)*+) (?:(?:with|at) )?(?P<word>[a-z]{3,14})"
    r"(?P<more>(?: ?[-+] ?\d++)*+(?: (?:vs\.?|dc|ac) ?\d+)?)(?P<label>(?: [a-z]{2,}+)*+)",
    _FLAGS,
)
_ADVANTAGES = "advantage", "disadvantage", "disadv", "adv"
_HIDING = "|".join(WORDS["hiding"])
_HIDING_BEHIND = rf",? \(?(?P<behind>{_HIDING})\)?"
_HIDING_FRONT = rf"gmroll|gmr|rh|hide|[hb]roll|(?:{_HIDING})(?: ?roll)?|(?<=[/!])(?:[bghs]r|w gm)"
_HIDDEN = re.compile(
    rf"[/!]?(?P<front>gmroll|(?:p|{_HIDING_FRONT})(?=:? \d*d[\d%])):? (?P<dice>.+)|"
    rf"(?P<sum>(?s:.*)d[\d%f][^#\n]*?){_HIDING_BEHIND}",
    _FLAGS,
)
"""What hides a roll in other programs, such as their commands `!rh` and `/gmroll`, and words behind dice."""
_HIDDEN_NAMES = re.compile(
    rf"[/!]?(?P<front>{_HIDING_FRONT}):? (?P<named>[^#\n]+)|(?P<roll>[^#\n]+?)(?<!\bspot){_HIDING_BEHIND}",
    _FLAGS,
)
_OPTION = re.compile(r"(?P<dice>.+) (?P<name>[a-z]{4,7}): ?(?P<value>\S.*)", _FLAGS)


def find_remark(text: str) -> re.Match[str] | None:
    """Return the match of a comment behind an advantage or a target; None without one."""
    match = _REMARK.search(text)
    words = match["comment"] if match else ""
    # Most texts have no such words, and the patterns of whole texts are tried for the others only.
    if not is_harmless(words) or EFFECT.fullmatch(words):
        return None
    return None if any(read_effects(text)) or any(_read_hidden(text)) else match


def check_unambiguous(text: str) -> None:
    """Raise NotationError for a text that can be read in several ways."""
    # What stands on lines of its own is a roll of its own.
    if any(any(_read_run_on(" ".join(line.split()))) for line in text.splitlines()):
        raise NotationError("One roll or two? I can't tell.")
    if any(_read_hidden(text)):
        raise hides_nothing()
    if any(read_effects(text)) or any(_read_misspelled(text)):
        raise ask_about_word()
    if any(_read_doubled(text)):
        raise NotationError("Roll the d20 twice, or the last die? I can't tell.")
    if (drop := _DROP.match(text.strip())) and int(drop["drop"]) >= int(drop["count"] or 1):
        raise NotationError("One roll or two? I can't tell.")
    if _KEEPS.search(text):
        raise NotationError("Keep the dice that pass, or count the best one? I can't tell.")
    if has_more_than_tens(text):
        raise NotationError("d66 alone is two dice, for tens and ones: with more behind it I can't tell.")


def split_rolls(text: str) -> list[tuple[str, str]]:
    """Return each of several rolls, `3#d20; d6`, as its repeat, "3#" or "", and its dice."""
    parts = _SEVERAL.split(text.strip())
    repeats = (match[0] if (match := _TIMES.match(part)) else "" for part in parts)
    return [(times, part[len(times) :]) for times, part in zip(repeats, parts, strict=True)]


def read_effects(text: str) -> Iterator[DiceReading]:
    """Yield the readings of words that change dice in some game, and are a label elsewhere.

    They may stand in one of several rolls, or behind repeated dice.
    """
    rolls = split_rolls(text)
    for place, (times, dice) in enumerate(rolls):
        for pattern, readings in _EFFECTS:
            if match := pattern.fullmatch(dice):
                for reading in readings:
                    changed, mark, words = match.expand(reading.text).partition(" # ")
                    texts = map("".join, [*rolls[:place], (times, changed), *rolls[place + 1 :]])
                    yield reading._replace(text=f"{'; '.join(texts)}{mark}{words}")
                return


def read_intended(text: str) -> Iterator[DiceReading]:
    """Yield the possible readings of a refused text in notation; they keep all its dice and numbers."""
    text = " ".join(text.split())
    if effects := [*read_effects(text)]:
        yield from filter(_keeps_words, effects)
        return
    for pattern, readings in _MEANT:
        if match := pattern.fullmatch(text):
            yield from filter(_keeps_words, (r._replace(text=match.expand(r.text)) for r in readings))
            return
    if several := next((ways for read in _READERS if (ways := [*read(text)])), None):
        yield from several
        return
    rolls = _BETWEEN.split(text)
    if len(rolls) > 1 and all(map(_ROLL.fullmatch, rolls)):
        yield DiceReading("; ".join(rolls), "separate rolls")
    elif option := _OPTION.fullmatch(text):
        yield from _read_option(option["dice"], option["name"].lower(), option["value"])


def _keeps_words(reading: DiceReading) -> bool:
    """Return whether no word that may change a roll became a comment, unless the reading says so."""
    return reading.meaning == AS_LABEL or not RESERVED.search(reading.text.partition(" # ")[2])


def _read_run_on(text: str) -> Iterator[DiceReading]:
    """Yield the readings of a number before a die, `d20+5 d8`, where no other die has its number apart."""
    match = _RUN_ON.fullmatch(text)
    if match and not _SPACED.search(match["first"]):
        yield DiceReading(f"{match['first']}; {match['die']}", "separate rolls")
        yield DiceReading(f"{match['first']}{match['die']}", "one roll")


def _read_doubled(text: str) -> Iterator[DiceReading]:
    """Yield the readings of an advantage behind another die than the d20: for either die."""
    behind = _ADVANTAGE.search(text)
    d20 = _D20.search(text, 0, behind.start()) if behind else None
    if behind and d20 and behind["sides"] != "20" and not _APART.search(text, 0, behind.start()):
        rest, keep = text[behind.end() :], "kh" if behind["word"].lower() == "adv" else "kl"
        between = text[d20.end() : behind.end("die")]
        yield DiceReading(f"{text[: d20.end()]} {behind['word']}{between}{rest}", "the d20 twice")
        yield DiceReading(
            f"{text[: behind.start('die')]}2d{behind['sides']}{keep}1{rest}", "the last die twice"
        )


def _read_critical(text: str) -> Iterator[DiceReading]:
    """Yield the readings of a critical hit, `1d8+3+2d6 crit`: its dice twice, or all of it."""
    if match := _CRITICAL.fullmatch(text):
        dice = _TERM.sub(lambda term: f"{term[0]}{term['sign'] or '+'}{term['die']}", match["sum"])
        label = f" # {match['kind']}" if match["kind"] else ""
        yield DiceReading(f"{dice}{label}", "the dice twice")
        yield DiceReading(f"({match['sum']})*2{label}", "all doubled")


def _read_misspelled(text: str) -> Iterator[DiceReading]:
    """Yield the readings of a d20 with a misspelled advantage: that, or a label."""
    match = _BEHIND_D20.fullmatch(text.strip())
    typed = match["word"].lower() if match else ""
    # A word with a d in front never means an advantage.
    if match and (word := closest_name(typed, [name for name in _ADVANTAGES if name[0] == typed[0]])):
        yield DiceReading(f"{match['dice']} {word[:3]}{match['more']}{match['label']}")
        yield DiceReading(f"{match['dice']}{match['more']} # {match['word']}{match['label']}", AS_LABEL)


def split_hidden(text: str) -> tuple[str, str]:
    """Return a roll, of names too, and the word beside it that is to hide it; else two ""."""
    match = _HIDDEN_NAMES.fullmatch(text.strip())
    return (match["roll"] or match["named"], match["behind"] or match["front"]) if match else ("", "")


def ask_about_word(readings: tuple[DiceReading, ...] = ()) -> NotationError:
    """Return the question whether a word behind dice changes them."""
    return NotationError("Does that word change the roll? I can't tell.", readings=readings)


def hides_nothing(roll: str = "", word: str = "") -> NotationError:
    """Return the refusal of a word that is to hide a roll, with the roll to offer if it is known."""
    readings = (DiceReading(f"{roll} # {word}", FOR_ALL),) if roll else ()
    return NotationError(
        "No word hides a roll. For a hidden one, choose its `visibility`.", readings=readings
    )


def _read_hidden(text: str) -> Iterator[DiceReading]:
    """Yield the reading of dice with a word that is to hide them, which is a label only."""
    if match := _HIDDEN.fullmatch(text.strip()):
        label = match["front"] or match["behind"]
        yield DiceReading(f"{match['dice'] or match['sum']} # {label}", FOR_ALL)


_READERS = _read_run_on, _read_doubled, read_tens, _read_critical, _read_misspelled, _read_hidden


def _read_option(dice: str, name: str, value: str) -> Iterator[DiceReading]:
    """Yield the reading of an option typed into the dice, if its name is close to a known one."""
    if len({*name} ^ {*"times"}) <= 2 and value.isdecimal():
        yield DiceReading(f"{value}#{dice}")
    elif len({*name} ^ {*"label"}) <= 2:
        yield DiceReading(f"{dice} # {value}")

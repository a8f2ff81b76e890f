"""Read texts without a game's word, or with unknown ones, as rolls of the game that is played."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from bot.dice.errors import SpecError
from bot.dice.everyday import is_harmless
from bot.dice.notation import read_own, reads
from bot.rulebooks.book import Game, NamedRoll, plain
from bot.rulebooks.laws import adds_just
from bot.rulebooks.option_words import ALSO_AGAINST, expand_letters, named_option, option_meant
from bot.rulebooks.options import UnknownWord
from bot.rulebooks.own_dice import DICE, TYPED, adds_die, find_sizes
from bot.rulebooks.words import GameRequest, GamesByKey, understand

_SIGNED = re.compile(r"\s*[+-]\s*\d", re.ASCII)
_CONTEST = re.compile(r"\b(?:vs\.?|against)\s*(?:[+-]|\d*d(?P<die>[\d%]))", re.IGNORECASE)
_PLUS = re.compile(r"[+-]\d+\Z", re.ASCII)
_AIM = r"(?:vs\.?|dc|ac|against|versus)\b"
_WORDS = rf"(?!{_AIM})[^\W\d_]{{2,}}+(?: (?!{_AIM})[^\W\d_]++)*+"
_BEHIND_DICE = re.compile(
    rf"(?P<dice>(?:[ +-]*+(?:[\d%]|d(?=[\d%])))++)(?: (?P<front>{_WORDS}))?"
    rf"(?P<aim> (?:{_AIM} ?){{1,2}}\d++)?(?:,? (?:with )?(?P<behind>{_WORDS}))?",
    re.IGNORECASE,
)
_REACHING = re.compile(r"\A\s*(\d+) ?>=? ?(\d+)\s*\Z", re.ASCII)
_SIGNED_DIE = re.compile(r"(\s|[+-]\d+)\s*\+\s*(?=\d*d\d)", re.ASCII | re.IGNORECASE)
_NAMES = re.compile(r"[^\W\d_]{2,}")
_DIE = re.compile(r"\d*d\d+", re.ASCII | re.IGNORECASE)
_NUMBERS = re.compile(r"(?<![\d+-])\d+", re.ASCII)
_NAMED_NUMBER = re.compile(r"(?<=\d) (?=([^\W\d_]{3,}+) \d++(?!\S))")
_MARKS = {"d100": "%", "3d6": "-"}
"""What people write behind a skill that such dice are rolled under: `45%`, `12-`."""
_LABEL = re.compile(r"[^\d+=<>@]*[^\W\d_]{2}[^\d+=<>@]*")


def on_usual(text: str, played: Game | None) -> str:
    """Return a bonus without dice, `+7` or `+7 vs 15`, on the usual dice of the campaign's game.

    Where a roll of the game has degrees of success, it is that roll. Return other texts unchanged.
    """
    with_dice = f"{played.usual}{text}" if played and played.usual and _SIGNED.match(text) else text
    return by_degrees(text, played) or with_dice if reads(with_dice) and not reads(text) else text


def low_passes(dice: str, played: Game | None) -> bool:
    """Return whether low rolls of these dice, with a bonus or without, pass in the campaign's game."""
    if played is None or not played.under or not reads(dice):
        return False
    return _PLUS.sub("", read_own(dice).text) == read_own(played.under).text


def ends_in_skill(text: str, played: Game | None) -> bool:
    """Return whether a text ends in a percentage, `dodge 45%`, and low rolls of a d100 pass in the game."""
    return played is not None and played.under == "d100" and text.rstrip().endswith("%")


def for_first_roll(text: str, played: Game | None) -> str:
    """Return numbers with the word of the game's first roll in front; "" for other texts.

    In a game with usual dice a number is a bonus: there it is only for dice whose size the roll is told.
    """
    is_bonus = played and played.usual and not _has_own_die(text, played)
    return "" if is_bonus else as_first_roll(text, played)


def as_first_roll(text: str, played: Game | None) -> str:
    """Return what a game's first roll takes, also with usual dice, with its word in front; else ""."""
    mark = _MARKS.get(played.under, "") if played else ""
    text = text.strip().removesuffix(mark) if mark else text
    text = text if played and played.under else _REACHING.sub(r"\1 vs \2", text)
    word = plain(text.strip().partition(" ")[0])
    if played and (played.answers(word) or word in played.rolls[0].thrown_names or _is_contest(text, played)):
        return ""
    for own_text in (f"{first} {text.strip()}" for first in words_for(text, played)) if played else ():
        with suppress(SpecError):
            if understand(own_text, {}, played):
                return own_text
    return ""


def _has_own_die(text: str, played: Game) -> bool:
    """Return whether a text has a die of a size that the first roll is told, such as d8 in `d20+d8`."""
    dice = {die.lower().removeprefix("1") for die in _DIE.findall(text)} - {played.usual}
    return bool(dice and find_sizes(played.rolls[0]))


def words_for(text: str, played: Game) -> Iterator[str]:
    """Yield the word of the roll whose option a text names, `check` for "dc 15", and that of the first.

    Where low rolls pass, a skill comes first. Then come rolls that need fewer numbers, or as many as typed.
    """
    words = plain(text).split()
    names = [name for name in _NAMES.findall(plain(text)) if not named_option(played.rolls[0], name)]
    for roll in played.rolls[1:]:
        if any(named_option(roll, name) for name in names) or any(
            expand_letters(roll, word) for word in words
        ):
            yield roll.word
    if played.under and not played.rolls[0].rule.against:
        yield from (roll.word for roll in played.rolls[1:] if roll.rule.against)
    yield played.first_word
    needed = [sum(option.usual is None for option in roll.options) for roll in played.rolls]
    typed = len(_NUMBERS.findall(text))
    fewer = zip(played.rolls, needed, strict=True)
    yield from (
        roll.word for roll, count in fewer if typed <= count < needed[0] or typed == count > needed[0]
    )


def add_up(text: str, played: Game | None) -> str:
    """Return a text with numbers of several names added, `strength 3 + brawl 2`, if the game counts dice."""
    roll = played.rolls[0] if played else None
    if roll is None or not roll.options or roll.options[0].name != "dice":
        return text

    def added(match: re.Match[str]) -> str:
        name = plain(match[1])
        is_known = name in {*ALSO_AGAINST, "against", "versus"} or option_meant(roll, name)
        return " " if is_known else " + "

    return _NAMED_NUMBER.sub(added, text)


def _is_contest(text: str, played: Game) -> bool:
    """Return whether a text has dice against others, or in a game with usual dice a bonus: `+5 vs +3`."""
    contest = _CONTEST.search(text)
    return contest is not None and bool(played.usual or contest["die"])


def as_labelled_roll(text: str, played: Game | None) -> tuple[str, str]:
    """Return the game's first roll with a text, and the text's words that it does not know; or two "".

    In a game with usual dice the text begins with a bonus: `5-6` and `2d6+3 crit` are no attack there.
    """
    if played is None or _is_contest(text, played):
        return "", ""
    if played.usual and not _SIGNED.match(text) and not _has_own_die(text, played):
        return "", ""
    rolls = (split_unknown(f"{word} {text}", {}, played) for word in words_for(text, played))
    return next(filter(any, rolls), ("", ""))


def by_degrees(text: str, played: Game | None) -> str:
    """Return a bonus and a DC as the game's roll that has degrees of success; "" if it has none."""
    with_dice = f"{played.usual}{text}" if played else ""
    if played is None or not reads(with_dice) or ">=" not in read_own(with_dice).text:
        return ""
    for roll in played.rolls:
        if roll.rule.against in {"dc", "dr"} and len(roll.rule.classes) > 2:
            with suppress(SpecError):
                understand(f"{roll.word} {text}", {}, played)
                return f"{roll.word} {text}"
    return ""


def split_behind_dice(text: str) -> tuple[str, str]:
    """Return dice with their target, and the words behind either, `2d6+1 vs 8 easy`; else two ""."""
    match = _BEHIND_DICE.fullmatch(text.partition(" #")[0].strip())
    if match is None or (match["front"] and match["behind"]):
        return "", ""
    words = match["front"] or match["behind"] or ""
    return (f"{match['dice']}{match['aim'] or ''}", words) if is_harmless(words) else ("", "")


def changes_roll(text: str, played: Game, rolls: Sequence[NamedRoll]) -> bool:
    """Return whether words behind dice are options of these rolls of the game.

    In a game without usual dice they may also be the word of a roll: `2d6 damage`.
    """
    words = plain(text).split()
    options = filter(None, (option_meant(roll, word) for roll in rolls for word in words))
    is_roll = not played.usual and played.roll(words[0]) is not None
    return is_roll or any(option.usual is not None and option.low >= 0 for option in options)


def is_plain(text: str, played: Game | None) -> bool:
    """Return whether a text is dice without words behind them that change a roll of the game."""
    words = split_behind_dice(text)[1] if played else ""
    return reads(text) and not (played and words and changes_roll(words, played, played.rolls))


def split_unknown(text: str, games: GamesByKey, played: Game | None) -> tuple[str, str]:
    """Return a game's roll without the words that are unknown to it, and these; two "" for other texts."""
    words, unknown = text.split(), list[str]()
    while True:
        try:
            request = understand(" ".join(words), games, played)
        except UnknownWord as error:
            place = next((n for n, word in enumerate(words) if plain(word) == error.values["name"]), 0)
            if place == 0 or not _LABEL.fullmatch(words[place]) or _has_number(words, place):
                return "", ""
            unknown.append(words.pop(place))
        except SpecError:
            return "", ""
        else:
            label = " ".join(word for word in text.split() if word in unknown)
            return (" ".join(words), label) if request else ("", "")


def read_added_die(text: str, games: GamesByKey, played: Game | None) -> Iterator[str]:
    """Yield a game's roll with a die that an option of it adds, `attack +5 +1d4`, as that option.

    Behind the option's name, `attack +5 bless 1d4`, the die may also be the damage.
    """
    words = _SIGNED_DIE.sub(r"\1 +", text).split()
    for place, word in enumerate(words):
        front, behind = words[:place], words[place + 1 :]
        die = DICE.fullmatch(plain(word).removeprefix("+"))
        if die is None or any(map(TYPED.fullmatch, front)):
            continue
        with suppress(SpecError):
            if request := understand(" ".join([*front, *behind]), games, played):
                yield from map(" ".join, _with_option(request, front, die, behind))


def _with_option(
    request: GameRequest, front: list[str], die: re.Match[str], behind: list[str]
) -> Iterator[list[str]]:
    """Yield the words of a game's roll around a die that its options add, with each of these."""
    roll = request.roll
    for option in roll.options:
        if option.is_switch and adds_die(roll, option.name, die[0]):
            if dict(request.given)[option.name]:
                yield [*front, *behind]
                yield from [[*front, *behind, roll.thrown_names[-1], die[0]]] if roll.thrown else ()
            elif adds_just(roll.rule, request.given, option.name, int(die[2])):
                yield [*front, option.word, *behind]


def _has_number(words: Sequence[str], place: int) -> bool:
    """Return whether a word behind numbers has one of its own behind it, such as `limit 5`."""
    is_first = not any(map(str.isdigit, "".join(words[:place])))
    return not is_first and "".join(words[place + 1 : place + 2]).isdecimal()

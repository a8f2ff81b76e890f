"""Suggest readings of texts with names: corrected names, labels moved behind, a d20 or dice beside a name."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from bot.dice import notation
from bot.dice.errors import DiceReading, NotationError
from bot.dice.everyday import RESERVED, RESERVED_WORDS, WORD, WORDS, may_change
from bot.dice.lines import ON_D20
from bot.dice.names import NAME_LIMIT, closest_name
from bot.dice.naming import Resolved, Vocabulary, first_name, folded, resolve
from bot.dice.slips import EFFECT_WORDS
from bot.parsing.texts import COMMENT, is_word, reads_as_game, shipped, split_at_advantage
from bot.rulebooks import played
from bot.rulebooks.book import Game, plain
from bot.rulebooks.option_words import option_meant
from bot.rulebooks.own_dice import find_sizes
from bot.rulebooks.played import by_degrees, read_added_die
from bot.words.notation import in_notation, names_check

_NAME, _WORDS = re.compile(WORD), re.compile(rf"{WORD}(?: {WORD}){{0,3}}")
_LABEL_WORDS = rf"{WORD}(?!\w)(?:\s++{WORD}(?!\w))*+"
_LONGEST = re.compile(rf"\s*{_LABEL_WORDS}")
_LABEL = re.compile(rf"(\A|[-+])\s*({_LABEL_WORDS}(?: \({_LABEL_WORDS}\))?+)(?=\s*[-+]\s*\d|\s+d?\d)\s*")
SEPARATE = "separate rolls"
D20, THAT_MANY = "1d20", "that many dice"
AS_DAMAGE = "as damage"
SIX_SIDED = "six-sided dice"
WITH_BONUS, WITH_NUMBER = "with your bonus", "with your number"
_TIMES, _DICE = re.compile(r"\d{1,2}#", re.ASCII), re.compile(r"[\dd +-]+", re.ASCII)
_HIT = re.compile(
    r"(?P<word>[a-z]++) (?P<bonus>[-+]\d++)(?P<more>(?: (?:adv|dis|(?:vs|ac) \d+))*+),? "
    r"(?:(?:dmg|damage|for) )?(?P<damage>\d*d\d.*?)(?P<aim> (?:vs )?(?:vs|ac) \d+)?",
    re.IGNORECASE,
)
_AIDED = re.compile(
    r"(?P<word>[a-z]++) (?P<bonus>[-+] ?\d++)(?P<more>(?: (?:adv|dis|(?:vs|dc|ac) \d+))*+) "
    rf"(?P<label>(?!(?:adv|dis|vs|dc|ac)\b){WORD}(?: (?!d\d){WORD})*+) (?P<die>1?d\d++)"
    r"(?P<aim> (?:vs|dc|ac) \d++)?(?: (?P<damage>\d*d\d[^;#]*))?",
    re.IGNORECASE,
)
"""An attack with the die of an aid: `attack +5 guidance 1d4 ac 15`."""
_SPREAD = re.compile(r" (?:adv|dis)\b", re.IGNORECASE)
_ADDED_DIE = re.compile(r"\s?\+\s?(?=1?d\d)", re.IGNORECASE)
_DIE_APART = re.compile(r"(?<=\d) (?=\d*d\d)", re.IGNORECASE)
_BEHIND_NAME = re.compile(rf"(?: (?!(?:{RESERVED_WORDS}|at|dc|ac)\b){WORD}(?![\w+-]))*+", re.IGNORECASE)
_BONUS = re.compile(r"(?: ?[-+] ?\w++)*+")
_NUMBER_ADDED = re.compile(r"[-+] ?\d++(?!d)", re.IGNORECASE)
_EFFECT = re.compile(rf" (?:{EFFECT_WORDS})\b", re.IGNORECASE)
_OF_D20 = re.compile(
    rf"(?P<label>{WORD}(?: (?!(?:vs|dc|ac)\b){WORD})*+)(?P<aim> (?:vs\.? ?(?:dc|ac)?|dc|ac) ?[:=]? ?\d+)|"
    r"(?P<check>(?:[a-z]++ ){1,3}(?:check|save|saving throw|roll)|init(?:iative)?(?: check| roll)?)",
    re.IGNORECASE,
)


_ABILITIES = [re.compile(pattern, re.IGNORECASE) for pattern in WORDS["abilities"]]


def suggest_d20(text: str) -> Iterator[DiceReading]:
    """Yield a d20 with a name as its label, for `perception dc 15` and `stealth check`."""
    label, aim = text.strip(), ""
    if any(ability.fullmatch(label) for ability in _ABILITIES):
        yield from on_d20(label)
        return
    if match := _OF_D20.fullmatch(label):
        label, aim = match["label"] or match["check"], match["aim"] or ""
    elif not (_WORDS.fullmatch(label) and names_check(label)):
        return
    if not may_change(label):
        yield DiceReading(f"1d20{aim} # {label}", ON_D20)


def on_d20(name: str) -> Iterator[DiceReading]:
    """Yield a name as the bonus on a d20, where no game has usual dice of its own."""
    yield DiceReading(f"{D20}+{name}", WITH_BONUS)


def with_degrees(text: str, game: Game | None) -> str:
    """Return a name on the usual dice against a DC as the game's roll that has degrees of success."""
    dice, _, name = text.partition("+")
    match = _NAME.match(name)
    roll = by_degrees(f"+1{name[match.end() :]}", game) if game and match and dice == game.usual else ""
    return roll.replace("+1", f"+{match[0]}", 1) if match and roll else text


def with_or_without(usual: str, readings: tuple[DiceReading, ...]) -> NotationError:
    """Return the question whether dice go on a game's usual ones."""
    return NotationError("With {usual} or without? I can't tell.", usual=usual, readings=readings)


def resolve_saved(name: str, saved_text: str, vocabulary: Vocabulary) -> Resolved:
    """Return a saved text with its names resolved; raise NotationError if it can't be read.

    No game with such a roll is played, but names of rollers and numbers are words of games too.
    """
    try:
        if resolved := resolve(saved_text, vocabulary):
            return resolved
    except NotationError:
        if not is_word(saved_text):
            raise
    if not is_word(saved_text):
        return Resolved(saved_text)
    raise NotationError(
        "`{name}` is `{saved}`, and no game with such a roll is played here.",
        name=name.strip(),
        saved=saved_text,
    )


def translate_behind(text: str, name: str) -> str:
    """Return a text with the words behind its first name translated as behind dice; "" if they can't be."""
    translated = in_notation(f"{D20}{text[len(name) :]}")
    is_behind = text.startswith(name) and translated.startswith(D20)
    return f"{name}{translated[len(D20) :]}" if is_behind else ""


def move_advantage(text: str, vocabulary: Vocabulary) -> str:
    """Return a text with its advantage behind its first name and the bonus of that, `sneak+2 adv dc 15`.

    A text without a known name is returned unchanged.
    """
    parts = split_at_advantage(text)
    if not parts or not (name := first_name(parts[0], vocabulary)):
        return text
    roll, word = parts
    label = split_label(roll, name, vocabulary)[0] if folded(name) in vocabulary.numbers else name
    bonus = _BONUS.match(roll, len(label))
    end = bonus.end() if bonus else len(label)
    return f"{roll[:end]} {word}{roll[end:]}"


def is_on_d20(reading: DiceReading, typed: str) -> bool:
    """Return whether a reading is on a d20 of which nobody typed anything, also another program's."""
    is_of_others = reading.programs and reading.text.startswith("1d20") and "20" not in typed
    return bool(is_of_others) or reading.meaning == ON_D20


def on_usual_dice(readings: Iterable[DiceReading], game: Game | None, typed: str) -> Iterator[DiceReading]:
    """Yield readings in a game: those on a d20 that nobody typed are on its usual dice, or left out."""
    for reading in readings:
        if game is None or game.usual == "d20" or not is_on_d20(reading, typed):
            yield reading
        elif "d20" not in (text := reading.text.replace(D20, game.usual)) and notation.reads(text):
            yield DiceReading(text)


def split_label(text: str, name: str, vocabulary: Vocabulary) -> tuple[str, str]:
    """Return a name at the beginning with the words behind it, and the rest: "wis save", " dc 12".

    Other names, and words that may change the roll, are none of its words.
    """
    words = _BEHIND_NAME.match(text, len(name))
    label = text[: words.end()] if words else name
    more = label[len(name) :]
    if not notation.reads(f"1d20{more}") or any(vocabulary.has(folded(word)) for word in more.split()):
        label = name
    return label, text[len(label) :]


def saved_name(text: str, vocabulary: Vocabulary) -> str:
    """Return the name of the saved roll that a text is, with no other roll behind it; "" for others."""
    name = first_name(text, vocabulary)
    rest = text.strip().removeprefix(name)
    is_alone = ";" not in rest and not any(map(vocabulary.has, map(folded, _NAME.findall(rest))))
    return name if is_alone and folded(name) in vocabulary.saved else ""


def suggest_corrected(text: str, names: Collection[str], spelled: Mapping[str, str]) -> Iterator[str]:
    """Yield a text with its first words as the name that they are close to, the longest words first.

    `spelled` are names in their original spelling.
    """
    match = _LONGEST.match(text[:NAME_LIMIT])
    words = match[0].split()[:4] if match else []
    for typed in (" ".join(words[:n]) for n in range(len(words), 0, -1)):
        name = _meant_name(folded(typed), names)
        # No word that may change the roll is dropped.
        if name and len(RESERVED.findall(typed)) <= len(RESERVED.findall(name)):
            yield spelled.get(name, name) + text.strip().removeprefix(typed)


def suggest_ability(text: str, names: Iterable[str]) -> Iterator[str]:
    """Yield a text with its first word as a name of the same ability: `str check` for `strength check`."""
    word, blank, rest = text.strip().partition(" ")
    ability = next((pattern for pattern in _ABILITIES if pattern.fullmatch(word)), None)
    if ability:
        yield from (
            f"{name}{blank}{rest}" for name in names if name != folded(word) and ability.fullmatch(name)
        )


def _meant_name(typed: str, names: Collection[str]) -> str:
    """Return the name that a word is a slip of, or that a longer word begins with; "" for none.

    Words in front, as in `hard spot hidden`, are no slip.
    """
    longer = (name for name in names if len(name) > 4 and typed.startswith(name) and " " not in typed)
    name = closest_name(typed, names) or next(longer, "")
    return "" if name == typed or typed.endswith(f" {name}") else name


def without_repeats(text: str) -> str:
    """Return a game's roll without its repeats, `attack` for `2#attack`; other texts unchanged."""
    once = _TIMES.sub("", text)
    return once if is_word(once) else text


def suggest_dice(text: str, game: Game | None) -> Iterator[DiceReading]:
    """Yield the dice behind a game's word that takes none, `lancer 2d6`, or others: `attack +7 1d8+3d6`.

    A die that an option of the roll adds is that option. `game` is the one that is played: without usual
    dice an attack is no such roll.
    """
    usual = game.usual if game else ""
    yield from _with_own_die(text, game)
    if with_die := [*map(DiceReading, read_added_die(text, shipped(), game))]:
        yield from with_die
        return
    if usual and (hit := _HIT.fullmatch(text.strip())):
        aimed = f"{usual}{hit['bonus']}{hit['more']}{hit['aim'] or ''}"
        rolls = f"{aimed}; {_DIE_APART.sub('+', hit['damage'])}"
        if notation.reads(rolls):
            yield DiceReading(f"{rolls} # {hit['word']}", SEPARATE)
        return
    word, _, dice = text.strip().partition(" ")
    if not is_word(word):
        return
    if _DICE.fullmatch(dice) and notation.reads(dice):
        yield from (DiceReading(f"{text} # {word}") for text in with_usual(dice, usual))
    else:
        readings = notation.meanings(dice) if usual and dice[:1] in {"+", "-"} else ()
        yield from (reading._replace(text=f"{reading.text} # {word}") for reading in readings)


def split_unknown(text: str, game: Game | None) -> tuple[str, str]:
    """Return a game's roll without the words that are unknown to it, and these; two "" for other texts."""
    as_typed = played.split_unknown(text, shipped(), game)
    if any(as_typed):
        return as_typed
    apart = played.split_unknown(_without_sign(text, game), shipped(), game)
    return apart if all(apart) else as_typed


def _without_sign(text: str, game: Game | None) -> str:
    """Return dice behind a die whose size a game's roll is told, `trait d8 +d6`, as dice of their own."""
    has_sizes = game and any(map(find_sizes, game.rolls))
    return _ADDED_DIE.sub(" ", text) if has_sizes else text


def _with_own_die(text: str, game: Game | None) -> Iterator[DiceReading]:
    """Yield a game's roll with a die of its own in place of an added one: `trait d8 d6`."""
    apart = _without_sign(text, game)
    if game and apart != text and reads_as_game(apart, game):
        roll = game.roll(plain(text.split(maxsplit=1)[0]))
        yield DiceReading(apart, AS_DAMAGE if roll and roll.thrown else "its own dice")


def add_to_usual(text: str, game: Game | None) -> Iterator[DiceReading]:
    """Yield an attack with a die behind a word, `attack +5 guidance 1d4`, with the die on the usual dice."""
    hit = _AIDED.fullmatch(text.strip()) if game and game.usual else None
    roll = game.roll(plain(hit["word"])) if game and hit else None
    if game and hit and roll and roll.thrown:
        words, bonus = f"{hit['more']}{hit['aim'] or ''}", hit["bonus"].replace(" ", "")
        spread = "".join(_SPREAD.findall(words))
        aimed = f"{game.usual}{spread}{bonus}+{hit['die']}{_SPREAD.sub('', words)}"
        texts = f"{aimed}; {hit['damage']}" if hit["damage"] else aimed
        if notation.reads(texts):
            yield DiceReading(f"{texts} # {hit['word']}, {hit['label']}", "added to the roll")


def with_usual(dice: str, usual: str, d20: str = "") -> Iterator[str]:
    """Yield dice; behind a sign they are on a game's usual ones, `d20+5+1d4`, or else on the given d20.

    A die behind the sign, `+1d4`, may also be alone.
    """
    is_added = dice[:1] in {"+", "-"}
    is_bonus = _NUMBER_ADDED.match(dice)
    if under := is_added and (usual or (is_bonus and d20)):
        yield f"{under}{dice}"
    if not is_bonus:
        yield dice.lstrip("+ ")


def with_label_behind(text: str, game: Game | None) -> Iterator[str]:
    """Yield dice and a game's roll with the words in front moved behind a #, `8d6 # fireball`."""
    text = played.add_up(text, game)
    label = ", ".join(" ".join(name.split()) for _, name in _LABEL.findall(text))
    rest, own = _LABEL.sub(r"\1", text).strip(), game.usual if game else ""
    usual = own if game else D20
    is_option = game and any(map(game.rolls[0].option, map(plain, label.split())))
    if is_option and not usual:
        # In `attack level 3` the level belongs to the roll.
        rest, label = played.as_labelled_roll(text, game)
        yield from [f"{rest} # {label}"] if label and not may_change(label) else []
    if not label or is_option or may_change(label):
        return
    texts = rest, _without_sign(rest, game)
    first = next(filter(None, (played.for_first_roll(dice, game) for dice in texts)), "")
    bonus = f"+{rest}" if rest.isdecimal() else rest
    if notation.reads(rest):
        yield from (f"{roll} # {label}" for roll in with_usual(rest, own, usual))
    elif reads_as_game(rest, game) and not first:
        yield f"{rest} # {label}"
    elif usual and bonus[:1] in {"+", "-"} and _EFFECT.search(bonus):
        for roll in notation.meanings(f"{usual}{bonus}"):
            yield f"{roll.text}{',' if COMMENT in roll.text else COMMENT} {label}"
    elif usual and bonus[:1] in {"+", "-"} and played.is_plain(f"{usual}{bonus}", game):
        yield f"{by_degrees(bonus, game) or usual + bonus} # {label}"
    elif not first:
        first, unknown = played.as_labelled_roll(rest, game)
        label = f"{label} {unknown}".strip()
    if first and not may_change(label):
        yield f"{first} # {label}"


def with_options_behind(text: str, game: Game | None) -> str:
    """Return a name with the options before it behind it, `dodge hard` for `hard dodge`; "" for others.

    In a game with usual dice a name is a bonus on these, which have no options.
    """
    words = text.split()
    are_options = [bool(game and option_meant(game.rolls[0], plain(word))) for word in words]
    # A number belongs to the option behind it, as in `2 bonus dodge`.
    parts = [
        own or (word.isdecimal() and any(are_options[n + 1 : n + 2]))
        for n, (own, word) in enumerate(zip(are_options, words, strict=True))
    ]
    options = words[: [*parts, False].index(False)]
    name = words[len(options) :]
    is_before = game and not game.usual and options and name and name[0][:1].isalpha()
    return " ".join([*name, *options]) if is_before else ""

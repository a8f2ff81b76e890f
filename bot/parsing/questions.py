"""Ask about dice that may mean more in the game that is played: words behind them, or a number to reach."""

import re
from collections.abc import Iterable

from bot.campaign.rolls import roller_of
from bot.dice import notation
from bot.dice.errors import DiceError, DiceReading, NoDice, NotationError, SpecError
from bot.dice.everyday import NAME, PLURALS, WORD
from bot.dice.naming import Vocabulary, folded
from bot.dice.slips import AS_LABEL, ask_about_word, split_rolls
from bot.parsing.names import CampaignNames
from bot.parsing.suggestions import WITH_BONUS, with_or_without
from bot.parsing.texts import (
    COMMENT,
    parse_game_roll,
    reads_as_game,
    shipped,
    split_at_advantage,
    split_dc,
    with_accents,
)
from bot.rulebooks.book import Game, plain
from bot.rulebooks.option_words import find_target
from bot.rulebooks.options import TooManySizes, UnknownWord
from bot.rulebooks.played import (
    as_first_roll,
    by_degrees,
    changes_roll,
    for_first_roll,
    low_passes,
    on_usual,
    split_behind_dice,
)
from bot.rulebooks.words import ORDINARY_WORDS
from bot.words.notation import in_notation

_FACES = re.compile(rf"((?!1d)\d+d(\d+)) ({'|'.join(PLURALS)})", re.ASCII | re.IGNORECASE)
_SIGNED = re.compile(r"\s*[-+]\s*\d")
_ADDED_DIE = re.compile(r"\s?\+\s?(?=d\d)", re.ASCII | re.IGNORECASE)
_BONUS = re.compile(r"[-+]\s?\d+\Z", re.ASCII)
_ADDED = re.compile(r"\s*[-+][^d]*d[\d%]", re.ASCII | re.IGNORECASE)
"""Dice that may be added to a game's usual dice: `+5+1d4`."""
_DIE = re.compile(r"\d*+d[\d%]++", re.ASCII)
_NAMED_CHECK = re.compile(
    rf"({WORD}(?: (?!vs|dc|ac){WORD})*)((?: (?:vs\.? ?)?(?:dc|ac)? ?\d+)?)", re.IGNORECASE
)
_LARGE_DIE = re.compile(r"1?d(?!100|1000)\d{3,}", re.ASCII | re.IGNORECASE)
_UNSIGNED = re.compile(rf"\s*({NAME}) (\d\d+)\s*")
ON_SUCCESS, ON_FAILURE = "on a success", "on a failure"
"""The meanings of the two losses of a check, `san 1/1d6`."""
_AMOUNT = r"(?:\d{0,2}d)?\d{1,3}+(?:[-+]\d{1,2}+)?+"
_LOSS = re.compile(
    rf"(?:(?P<name>{NAME}):? (?:(?P<number>\d{{1,2}})%? )?)?(?P<losses>{_AMOUNT} ?/ ?{_AMOUNT})",
    re.ASCII | re.IGNORECASE,
)
_SANITY = re.compile(
    r"(?:san|sanity|sanidade|cordura|stabilität|santé mentale)(?: (?:check|loss|roll))?", re.IGNORECASE
)
_LABELLED = re.compile(r" [^\W\d_]{3}")
_BEFORE_WORDS = re.compile(r",? (?:with )?\Z")
_AIMED = re.compile(r"\b(?:vs|dc|ac|against)\b", re.ASCII | re.IGNORECASE)


def settled(names: CampaignNames, readings: Iterable[DiceReading]) -> tuple[DiceReading, ...]:
    """Return readings that are rolled without a question in the game, in place of one its own if it has some.

    A game's roll that would have no dice is left out.
    """
    own: list[DiceReading] = []
    for reading in readings:
        try:
            ask_about_game(reading.text, names)
            if request := parse_game_roll(reading.text, names.game):
                roller_of(request)
        except NotationError as asked:
            own += asked.readings
        except NoDice:
            continue
        except SpecError:
            own.append(reading)  # a name in it may be asked for
        else:
            own.append(reading)
    return tuple(dict.fromkeys(own))


def refuse_word(refusal: UnknownWord, readings: tuple[DiceReading, ...], text: str) -> DiceError:
    """Return the refusal of a word that a game's roll does not know, with readings if there are some."""
    if not readings:
        return refusal
    if isinstance(refusal, TooManySizes):
        return NotationError(refusal.text, readings=readings, **refusal.values)
    values = {place: refusal.values[place] for place in ("key", "roll")}
    values["name"] = with_accents(str(refusal.values["name"]), text)
    return NotationError("{key} {roll} has no {name!r}.", readings=readings, **values)


def split_own(text: str) -> tuple[str, str]:
    """Return the dice of a text in Evenhand's notation, and its comment."""
    return notation.split(in_notation(text))


def is_aimed(own_text: str) -> bool:
    """Return whether dice may have a number behind them that they have to reach."""
    return bool(_AIMED.search(own_text)) or split_dc(own_text)[1] is not None


def is_doubtful(text: str, own_text: str) -> bool:
    """Return whether dice without a number to reach, as typed and in notation, may mean more in a game."""
    is_added = _ADDED.match(own_text) and notation.reads(own_text)
    is_other = plain(text.strip().partition(" ")[0]) in ORDINARY_WORDS
    is_unsure = (
        is_other or _LABELLED.search(text) or _UNSIGNED.fullmatch(own_text) or _LARGE_DIE.match(own_text)
    )
    return bool(is_added or is_unsure)


def ask_about_game(text: str, names: CampaignNames) -> None:
    """Raise NotationError for dice that may mean more in the game that is played, with what they may mean.

    They have words behind them that change its rolls, or a number where low rolls of these dice pass.
    """
    if (game := names.game) is None:
        return
    own_text, label = split_own(text)
    text_with_values = names.with_values(own_text)
    if names.with_dice(own_text) == text_with_values:  # a saved roll of that name comes first
        _ask_which_game(own_text, label, game, text_with_values)
    _ask_about_usual(own_text, label, game)
    _ask_about_bonus(own_text, game, names)
    _ask_about_own_die(own_text, label, game)
    _ask_about_words(text, game, names)
    _ask_about_unsigned(own_text, label, game)
    if is_aimed(own_text):
        _ask_which_passes(text_with_values, label, game)
        ask_whose_dice(text_with_values, label, game)


def ask_about_faces(text: str) -> None:
    """Raise NotationError for a plural behind dice, `10d6 sixes`: it may count them, or be a label."""
    match = _FACES.fullmatch(notation.without_command(text).strip())
    face = PLURALS[match[3].lower()].rstrip("s") if match else ""
    if match and int(face) <= int(match[2]):
        counted = DiceReading(f"{match[1]}={face}", "each die")
        readings = counted, DiceReading(f"{match[1]}{COMMENT} {match[3]}", AS_LABEL)
        raise ask_about_word(readings)


def refuse_losses(text: str, game: Game | None, vocabulary: Vocabulary) -> NotationError | None:
    """Return the question which loss to roll of `san 1/1d6`, the one of a success or of a failure.

    Where low rolls of a d100 pass any word may stand before it, or none; a number is that of the check.
    """
    match = _LOSS.fullmatch(" ".join(text.split()))
    name = (match["name"] or "") if match else ""
    is_skill = game is not None and game.under == "d100"
    if match is None or "d" not in match["losses"].lower() or not (is_skill or _SANITY.fullmatch(name)):
        return None
    skill = match["number"]
    if not skill and folded(name) in vocabulary.numbers:
        skill = str(vocabulary.number(name))
    check = f"{game.first_word} {skill}" if game and skill else ""
    readings = [DiceReading(f"{check} # {name}")] if reads_as_game(check, game) else []
    label = f"{name} {match['losses']}".strip()
    first, second = (f"{loss.strip()} # {label}" for loss in match["losses"].split("/"))
    by_result = DiceReading(first, ON_SUCCESS), DiceReading(second, ON_FAILURE)
    readings += [reading for reading in by_result if "d" in reading.text.lower().partition(COMMENT)[0]]
    return NotationError(
        "The first loss is for a success, the second for a failure.", readings=tuple(readings)
    )


def _ask_which_game(text: str, label: str, game: Game, with_values: str) -> None:
    """Raise NotationError for another game's key that may be a name in the one played: `heart +3`.

    It may be one of the person's numbers, to which the number behind it is added: `with_values` is the text
    with their values.
    """
    word, _, numbers = text.strip().partition(" ")
    if plain(word) not in ORDINARY_WORDS or game.answers(plain(word)) or reads_as_game(numbers, game):
        return
    other = shipped()[plain(word)]
    if numbers[:1] in {"+", "-"} and (values := with_values.strip()) != text.strip():
        numbers = values
    own = on_usual(numbers, game) if game.usual else as_first_roll(numbers, game)
    if own != numbers and not other.roll(plain(numbers.partition(" ")[0])) and reads_as_game(text, game):
        in_other = f"{word} {other.rolls[0].word} {text.strip().partition(' ')[2]}"
        texts = (f"{own}{COMMENT} {word}", in_other)
        raise NotationError(
            "Is that {word} in {game}, or the game {other}?",
            word=f"`{word}`",
            game=game.name,
            other=other.name,
            readings=_readings(texts, label),
        )


def _ask_about_usual(own_text: str, label: str, game: Game) -> None:
    """Raise NotationError for dice behind a sign, `+5+1d4`, where a game has usual dice."""
    is_added = game.usual and _ADDED.match(own_text) and notation.reads(own_text)
    if is_added and _dice(own_text).isdisjoint(_dice(game.usual)):
        with_dice = f"{game.usual}{own_text.strip()}"
        texts = filter(notation.reads, (with_dice, str(notation.read_own(own_text))))
        raise with_or_without(game.usual, _readings(texts, label))


def _ask_about_bonus(own_text: str, game: Game, names: CampaignNames) -> None:
    """Raise NotationError for an advantage before a name alone, `adv perception`, on a game's usual dice."""
    check, word = split_at_advantage(own_text) or ("", "")
    match = _NAMED_CHECK.fullmatch(check)
    if match and notation.reads(own_text) and names.with_dice(check) == check:
        name, aim = match.groups()
        if game.usual and notation.reads(f"{game.usual}+1 {word}{aim}"):
            with_bonus = DiceReading(f"{game.usual}+{name} {word}{aim}", WITH_BONUS)
            readings = with_bonus, DiceReading(f"{word}{aim} # {name}")
            raise NotationError("I don't know {said}.", said=f"`{name}`", readings=readings)


def _ask_about_own_die(own_text: str, label: str, game: Game) -> None:
    """Raise NotationError for a die that is the name of a game's roll, d616 in Marvel Multiverse."""
    die = _LARGE_DIE.match(own_text.strip())
    name = die[0].lower().removeprefix("1") if die else ""
    if die and (roll := game.roll(name)):
        own = f"{roll.word}{own_text.strip()[die.end() :]}"
        is_option = label and reads_as_game(f"{own} {label}", game)
        own_label, own = ("", f"{own} {label}") if is_option else (label, own)
        readings = *_readings([own], own_label), *_readings([str(notation.read_own(own_text))], label)
        raise NotationError("{game} has its own roll with these dice.", game=game.name, readings=readings)


def _ask_about_unsigned(own_text: str, label: str, game: Game) -> None:
    """Raise NotationError for a bonus of two digits without a sign: in `attack 14` it may be the AC."""
    match = _UNSIGNED.fullmatch(own_text)
    request = parse_game_roll(own_text, game) if match else None
    bonus = request.roll.options[0] if request and request.roll.options else None
    if not (match and request and bonus) or bonus.usual is None or bonus.low >= 0:
        return
    name, number = match.groups()
    target = request.roll.option(find_target(request.roll) or "")
    is_open = game.usual or (target and not target.usual)
    if is_open and dict(request.given).get(bonus.name) == int(number):
        readings = _readings((f"{name} +{number}", f"{name} vs {number}" if target else name), label)
        raise NotationError(
            "Behind '{name}' I can't tell what {n} is.", name=name, n=number, readings=readings
        )


def _dice(text: str) -> set[str]:
    """Return the dice of a text, each with its number: 1d20 for d20."""
    return {die if die[0].isdecimal() else f"1{die}" for die in _DIE.findall(text.lower())}


def _ask_about_words(text: str, game: Game, names: CampaignNames) -> None:
    """Raise NotationError for words behind dice that are options of a roll that the game has with them.

    Options of its first roll may lack their number: `7d10 again`. The dice may be one of several rolls.
    """
    dice, mark, label = text.partition(COMMENT)
    rolls = split_rolls(dice)
    for times, roll in rolls:
        once = names.with_dice(roll)
        alone, words = split_behind_dice(once)
        # In another language they may be notation: `d20 ventaja contra fue`.
        words = words if split_behind_dice(in_notation(once))[1] else ""
        if not (words and notation.reads(on_usual(alone, game)) and changes_roll(words, game, game.rolls)):
            continue
        own = _as_own(once, words, game) if len(rolls) == 1 else ""
        if own or changes_roll(words, game, game.rolls[:1]):
            before, _, behind = dice.rpartition(words)
            without = f"{_BEFORE_WORDS.sub('', before)}{behind}"
            if len(rolls) > 1 and not all(
                notation.reads(names.with_dice(other)) for _, other in split_rolls(without)
            ):
                continue  # another of the rolls can't be read
            texts = [f"{times}{own}{mark}{label}"] if own else []
            texts.append(f"{on_usual(without, game)}{COMMENT} {words}{',' if label else ''}{label}")
            raise NotationError(
                "In {game} `{words}` may change the roll.",
                game=game.name,
                words=words,
                readings=tuple(map(DiceReading, texts)),
            )


def _as_own(text: str, words: str, game: Game) -> str:
    """Return dice with words behind them as a roll of the game; "" if none takes them."""
    dice = split_behind_dice(text)[0]
    texts = as_first_roll(text, game), f"{words} {dice}", *(f"{roll.word} {text}" for roll in game.rolls[1:])
    return next((own_text for own_text in texts if reads_as_game(own_text, game)), "")


def ask_whose_dice(text: str, label: str, game: Game) -> None:
    """Raise NotationError for dice against a number that the game has a roll for, `d10+14 vs 15`.

    That is its first one, or with usual dice the one with degrees of success, `check +8 dc 20`.
    """
    if not notation.reads(text):
        return
    # In `d8+d6` the d6 may be a die that the roll throws anyway.
    texts = text, _ADDED_DIE.sub(" ", text)
    own = next(filter(None, (for_first_roll(dice, game) for dice in texts)), "")
    own = own or _with_degrees(text, game) or _with_target_first(text, game)
    if own or (own := _without_target(text, game)):
        readings = _readings((own, str(notation.read_own(text))), label)
        raise NotationError("{game} has its own roll with these dice.", game=game.name, readings=readings)


def _with_target_first(text: str, game: Game) -> str:
    """Return a game's dice against a number as its first roll, which takes that first: `test 12 2d20`."""
    roll, (dice, number) = game.rolls[0], split_dc(text)
    takes_both = roll.option("dice") and roll.options[0].name in {"target", roll.rule.against}
    own = f"{game.first_word} {number} {dice}" if takes_both and number is not None else ""
    return own if own and reads_as_game(own, game) else ""


def _without_target(text: str, game: Game) -> str:
    """Return dice that a game's first roll throws, against a number that it does not take, as that roll."""
    dice, number = split_dc(text)
    # A bonus alone may be another number, such as the level of a task.
    throws = number is not None and for_first_roll(_BONUS.sub("", dice), game)
    own = for_first_roll(dice, game) if throws else ""
    return f"{own} # vs {number}" if own else ""


def _with_degrees(text: str, game: Game) -> str:
    """Return a usual die with a bonus and a DC as the game's roll with degrees of success; "" for others."""
    die, sign, more = text.strip().lower().partition(game.usual) if game.usual else ("", "", "")
    return by_degrees(more if _SIGNED.match(more) else f"+0{more}", game) if sign and die in {"", "1"} else ""


def _ask_which_passes(text: str, label: str, game: Game) -> None:
    """Raise NotationError for dice against a number where low rolls of these dice pass."""
    dice, number = split_dc(text)
    dice = game.under if game.under == f"{dice.lower()}6" else dice  # `3d`
    if number is None or not low_passes(dice, game):
        return
    texts = [for_first_roll(str(number), game), f"({dice})<={number}", f"({dice})>={number}"]
    if not reads_as_game(texts[0], game) or notation.read_own(dice) != notation.read_own(game.under):
        del texts[0]
    raise NotationError("In {game} low rolls pass.", game=game.name, readings=_readings(texts, label))


def _readings(texts: Iterable[str], label: str) -> tuple[DiceReading, ...]:
    """Return the texts as readings, with the label if there is one."""
    labelled = (f"{text}{',' if COMMENT in text else COMMENT} {label}" if label else text for text in texts)
    return tuple(map(DiceReading, labelled))

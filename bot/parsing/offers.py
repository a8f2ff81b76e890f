"""Offer what a refused text may mean in the campaign: corrected names, a game's rolls, dice with a label."""

import re
from collections.abc import Iterator

from bot.dice import notation
from bot.dice.errors import DiceError, DiceReading, NotationError
from bot.dice.everyday import NAME, RESERVED, may_change
from bot.dice.naming import UnknownName, first_name, resolve
from bot.dice.slips import AS_LABEL, hides_nothing, split_hidden
from bot.parsing import suggestions
from bot.parsing.game_rolls import with_number
from bot.parsing.names import CampaignNames
from bot.parsing.questions import refuse_losses, refuse_word, settled
from bot.parsing.texts import COMMENT
from bot.parsing.words_behind import refuse_effects
from bot.rulebooks import played
from bot.rulebooks.book import plain
from bot.rulebooks.options import UnknownWord
from bot.words.notation import in_notation

_NUMBER_FIRST = re.compile(r"\s*[+-]?\d")
_DIE_IN = re.compile(r"\bd\d", re.IGNORECASE)
_DIE_BEHIND = re.compile(r"[^\W\d]\s+d\d", re.IGNORECASE)
_NAME_NUMBER = re.compile(rf"\s*({NAME}) (\d+)\s*")
_DICE_BEHIND = re.compile(r"[^\W\d]\s+\d*d[\d%]", re.IGNORECASE)
_BONUS = re.compile(r"[-+]\s*+\d")


def _refuse_hidden(names: CampaignNames, text: str) -> NotationError | None:
    """Return the refusal of a roll of names, or of a game, with a word behind it that is to hide it."""
    roll, word = split_hidden(text)
    offered = roll if word and names.is_readable(roll) else ""
    if not word or (not offered and notation.meanings(roll)):
        return None
    try:
        resolve(roll, names.vocabulary)
    except UnknownName as unknown:
        # Its number will be asked for, unless dice are in the name.
        offered = "" if _DIE_IN.search(" ".join(unknown.names)) else roll
    except NotationError:
        pass  # a number alone has no dice
    if not offered and text.strip().startswith(roll) and not any(map(str.isdigit, roll)):
        numbers = _suggest_number(names, roll) if names.game else suggestions.on_d20(roll)
        offered = next((reading.text for reading in numbers), "")
    if not offered:
        return None
    hidden = hides_nothing(offered, word)
    hidden.readings = settled(hidden.readings, names.game, names.with_values, names.with_dice)
    return hidden


def offer_words(names: CampaignNames, refusal: UnknownWord, text: str) -> DiceError:
    """Return the refusal of a game's roll with words unknown to it, with readings if there are some."""
    if hidden := _refuse_hidden(names, text):
        return hidden
    offered = _suggest_label(names, names.in_notation(text))
    readings = settled(offered, names.game, names.with_values, names.with_dice)
    return refuse_word(refusal, readings, text)


def with_offers(names: CampaignNames, refusal: NotationError, text: str) -> NotationError:
    """Return the refusal of a text with readings to offer in the game that is played."""
    typed = notation.without_command(text)
    usual = names.usual if names.game else suggestions.D20
    losses = refuse_losses(typed, names.game, names.vocabulary)
    if question := losses or refuse_effects(typed, names.vocabulary, usual):
        return question
    if not (refusal.readings or correct_name(names, typed)) and (hidden := _refuse_hidden(names, typed)):
        return hidden
    # In a game with usual dice a number that is no bonus may be anything.
    is_bonus = typed.lstrip()[:1] in {"+", "-"}
    is_number = typed.strip()[:1].isdigit() or (refusal.readings and not is_bonus)
    if game_words := (played.for_first_roll if is_number else played.as_first_roll)(typed, names.game):
        readings = (DiceReading(game_words),)
    else:
        # In a game without usual dice nobody means a d20.
        has_usual = names.game is None or bool(names.usual)
        is_skill = played.ends_in_skill(typed, names.game)
        rolled = suggestions.without_unreadable(refusal.readings, names.is_readable)
        fitting = [*suggestions.on_usual_dice(rolled, names.game, typed)]
        usable = [] if is_skill else fitting
        # A d20 of the game's own roll comes before a plain one.
        later = {names.game and suggestions.ON_D20, not has_usual and suggestions.SIX_SIDED}
        others = [r for r in usable if r.meaning not in later]
        is_asked = any(r.meaning == suggestions.THAT_MANY for r in fitting)
        is_own = not (has_usual or is_asked) and names.has_number(first_name(text, names.vocabulary))
        offered = map(DiceReading, names.with_label_behind(text)) if is_own else ()
        readings = (*offered,) or (*others,) or (*suggest_readings(names, text),) or (*fitting,)
    if not readings and (values := names.with_dice(typed)) != typed:
        # Two rolls in a line, `d20+str, 1d8+str`, are told apart with numbers in the places of the names.
        readings = notation.meanings(values)
    readings = settled(readings, names.game, names.with_values, names.with_dice)
    translated = "" if readings else in_notation(text)
    if translated not in {"", text} and in_notation(translated) == translated:
        return with_offers(names, refusal, translated)
    if readings == refusal.readings:
        return refusal
    return NotationError(refusal.text, readings=readings, **refusal.values)


def suggest_readings(names: CampaignNames, text: str) -> Iterator[DiceReading]:
    """Yield readings to suggest for a refused text, such as a corrected name, or a label moved behind."""
    text = notation.without_command(text)
    if changed := suggestions.suggest_changed(text, names.vocabulary, names.is_readable):
        yield from changed
        return
    # A word before a die is no number of dice.
    is_label, values = _DIE_BEHIND.search(text), names.with_values(text)
    if suggestion := "" if is_label else correct_name(names, text):
        yield DiceReading(suggestion)
    elif names.game and not names.game.usual and _NUMBER_FIRST.match(values):
        yield from _suggest_label(names, f"{names.game.first_word} {values}")
    else:
        yield from () if names.game else suggestions.suggest_d20(text)
        # A number is no bonus in front of dice.
        for reading in names.with_label_behind(text if _DICE_BEHIND.search(text) else values):
            yield DiceReading(reading, AS_LABEL if RESERVED.search(reading.partition(COMMENT)[2]) else "")
    if not (is_label or _BONUS.search(text)):
        yield from _suggest_number(names, text)
        if names.usual and (number := _NAME_NUMBER.fullmatch(text)):
            yield from _suggest_number(names, f"{number[1]} dc {number[2]}")
            return
    if behind := suggestions.with_options_behind(text, names.game):
        is_known = names.is_readable(behind)
        yield from (DiceReading(behind),) if is_known else _suggest_number(names, behind)


def _suggest_number(names: CampaignNames, text: str) -> Iterator[DiceReading]:
    """Yield a name with the dice that its number is for, `d20+stealth adv` or `skill listen hard`."""
    if suggestion := names.with_bonus(text):
        yield DiceReading(suggestions.with_degrees(suggestion, names.game), suggestions.WITH_BONUS)
    elif not any(names.with_label_behind(text)) and (
        suggestion := with_number(text, names.game, names.vocabulary)
    ):
        yield DiceReading(suggestion, suggestions.WITH_NUMBER)


def correct_name(names: CampaignNames, text: str) -> str:
    """Return a text with its first name corrected; "" if no known name is close to it."""
    candidates = [*names.vocabulary.numbers, *names.vocabulary.saved, *names.rollers]
    if names.game:
        candidates += [names.game.key, *(plain(roll.word) for roll in names.game.rolls)]
    corrected = suggestions.suggest_corrected(text, candidates, names.vocabulary.rollers)
    return next(filter(names.is_readable, corrected), "")


def _suggest_label(names: CampaignNames, text: str) -> Iterator[DiceReading]:
    """Yield readings of a game's roll with unknown words: these as its label, or a name with a bonus."""
    roll, label = suggestions.split_unknown(names.with_values(text), names.game)
    yield from suggestions.suggest_repeats(text, names.is_readable)
    if not roll:
        yield from suggestions.suggest_dice(text, names.game)
    if not roll or not label or may_change(label):
        return
    if names.game and names.game.roll(plain(label)) and not text.startswith(label):
        # `pool 6 rote`, where rote is another roll
        first, _, rest = roll.partition(" ")
        other = f"{label} {rest if names.game.answers(plain(first)) else roll}".strip()
        yield from map(DiceReading, filter(names.is_readable, [other]))
        return
    takes_number = names.usual or (names.game and text.startswith(names.game.first_word))
    if takes_number and not any(map(str.isdigit, text)):
        yield from _suggest_number(names, label)
    on_dice = [*suggestions.add_to_usual(text, names.game)]
    meaning = AS_LABEL if RESERVED.search(label) else suggestions.AS_DAMAGE if on_dice else ""
    yield DiceReading(f"{roll} # {label}", meaning)
    yield from on_dice

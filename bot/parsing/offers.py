"""Offer what a refused text may mean in the campaign: corrected names, a game's rolls, dice with a label."""

import re
from collections.abc import Iterable, Iterator

from bot.dice import notation
from bot.dice.choices import is_unclear_choice
from bot.dice.errors import DiceError, DiceReading, NotationError, SpecError
from bot.dice.everyday import NAME, RESERVED, in_digits, may_change, tidy, without_manners
from bot.dice.expressions import MAX_TEXT, ZeroDivisor
from bot.dice.naming import UnknownName, Vocabulary, first_name, folded, resolve
from bot.dice.slips import AS_LABEL, EFFECT, FOR_ALL, hides_nothing, split_hidden
from bot.parsing import suggestions
from bot.parsing.game_guesses import (
    guess_game,
    guess_roll,
    keeps_options,
    lacks_number,
    on_own_roll,
    with_effect,
)
from bot.parsing.game_rolls import with_number
from bot.parsing.guesses import guess, refuse_effects
from bot.parsing.names import CampaignNames
from bot.parsing.questions import refuse_losses, refuse_word, settled
from bot.parsing.suggestions import on_usual_dice
from bot.parsing.texts import COMMENT
from bot.rulebooks import played
from bot.rulebooks.book import plain
from bot.rulebooks.options import UnknownWord
from bot.words.games import spoken
from bot.words.notation import in_notation

_NUMBER_FIRST = re.compile(r"\s*[+-]?\d")
_DIE_IN = re.compile(r"\bd\d", re.IGNORECASE)
_DIE_BEHIND = re.compile(r"[^\W\d]\s+d\d", re.IGNORECASE)
_NAME_NUMBER = re.compile(rf"\s*({NAME}) (\d+)\s*")
_DICE_BEHIND = re.compile(r"[^\W\d]\s+\d*d[\d%]", re.IGNORECASE)
_DICE = re.compile(r"(?<![^\W\d])d[\d%{f]", re.IGNORECASE)
_LONG_WORD = re.compile(r"[^\W\d_]{3}")
_BONUS = re.compile(r"[-+]\s*+\d")
_REPEATED = re.compile(
    r"(?P<times>\d{1,2}) ?(?:x? (?P<name>\D+|[^\W\d_]{3}.+)|(?:x|times) (?P<roll>.+))|"
    r"(?P<before>.+?) (?:(?P<behind>\d{1,2}) ?(?:times|x)|(?:x|times) ?(?P<number>\d{1,2}))",
    re.IGNORECASE,
)
_JOINT = re.compile(r"then|for", re.IGNORECASE)
_PLURAL = re.compile(r"(?<=[^\W\d_]{3})s\b")
_NO_ROLLS = (
    (
        re.compile(r"\?+|help(?: me)?|commands?", re.IGNORECASE),
        NotationError("That is no roll. `/help` shows what I can do."),
    ),
    (
        re.compile(r"undo(?: (?:(?:my|the) )?(?:last )?(?:roll|that|last))?", re.IGNORECASE),
        NotationError("A plain roll can't be undone. For a roller, use `/roller undo`."),
    ),
    (
        re.compile(r"again|re-?roll(?: (?:that|it|last))?", re.IGNORECASE),
        NotationError("Press *Again* under a roll to roll it once more."),
    ),
)
"""What people type to be done that is no roll, and how it is done."""
_CHANGE = re.compile(r"(?:half|double|crit(?:ical)?)(?: of)? (?=\S)", re.IGNORECASE)


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
    hidden.readings = settled(names, hidden.readings)
    return hidden


def offer_guesses(names: CampaignNames, refusal: SpecError, text: str) -> DiceError:
    """Return the refusal of a game's roll that lacks a number, with readings if there are some."""
    readings = _guess(names, refusal, names.in_notation(text))
    return NotationError(refusal.text, readings=readings, **refusal.values) if readings else refusal


def offer_words(names: CampaignNames, refusal: UnknownWord, text: str) -> DiceError:
    """Return the refusal of a game's roll with words unknown to it, with readings if there are some."""
    if hidden := _refuse_hidden(names, text):
        return hidden
    in_english = names.in_notation(text)
    offered = [*_suggest_behind(names, in_english)] or [*_suggest_label(names, in_english)]
    offered = offered or _guess(names, refusal, in_english)
    readings = settled(names, offered)
    return refuse_word(refusal, readings, text)


def _refuse_deed(text: str) -> NotationError | None:
    """Return the refusal of `undo`, `reroll` or `help` with how that is done; None for other texts."""
    ways = (way for words, way in _NO_ROLLS if words.fullmatch(text.strip()))
    return next((NotationError(way.text) for way in ways), None)


def with_offers(names: CampaignNames, refusal: NotationError, text: str) -> NotationError:
    """Return the refusal of a text with readings to offer in the game that is played."""
    typed = notation.without_command(text)
    usual = names.usual if names.game else suggestions.D20
    losses = _refuse_deed(typed) or refuse_losses(typed, names.game, names.vocabulary)
    if question := losses or refuse_effects(typed, names.vocabulary, usual):
        return question
    if not refusal.readings and (bare := without_manners(typed)) != typed and names.is_readable(bare):
        offer = DiceReading(str(notation.read_own(bare)) if notation.reads(bare) else bare)
        return NotationError(refusal.text, readings=settled(names, [offer]), **refusal.values)
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
        rolled = _without_unreadable(names, refusal.readings)
        fitting = [*on_usual_dice(rolled, names.game, typed)]
        usable = [] if is_skill else fitting
        # A d20 of the game's own roll comes before a plain one.
        later = {names.game and suggestions.ON_D20, not has_usual and suggestions.SIX_SIDED}
        others = [r for r in usable if r.meaning not in later]
        is_asked = any(r.meaning == suggestions.THAT_MANY for r in fitting)
        is_own = not (has_usual or is_asked) and names.has_number(first_name(text, names.vocabulary))
        offered = map(DiceReading, names.with_label_behind(text)) if is_own else ()
        as_bonus = [DiceReading(f"{names.usual}+{int(typed)}")] if names.usual and typed.isdecimal() else []
        as_bonus += [reading for reading in others if as_bonus and not reading.meaning]  # 20 may be a d20
        is_label = all(reading.meaning == AS_LABEL for reading in others)
        with_options = on_own_roll(typed, names.game) if is_label else ()
        readings = (
            (*offered, *as_bonus)
            or (*with_options, *others)
            or (*suggest_readings(names, text),)
            or (*fitting,)
        )
    if not readings and (values := names.with_dice(typed)) != typed:
        # Two rolls in a line, `d20+str, 1d8+str`, are told apart with numbers in the places of the names.
        readings = notation.meanings(values)
    readings = settled(names, readings)
    translated = "" if readings else in_notation(text)
    if translated not in {"", text} and in_notation(translated) == translated:
        return with_offers(names, refusal, translated)
    readings = readings or _guess(names, refusal, typed)
    if not readings:
        return _with_example(names, refusal, typed)
    if readings == refusal.readings:
        return refusal
    return NotationError(refusal.text, readings=readings, **refusal.values)


def _without_unreadable(names: CampaignNames, readings: Iterable[DiceReading]) -> list[DiceReading]:
    """Return the readings that are rolled, also those with a name whose number is asked for."""
    asks = {suggestions.WITH_BONUS, suggestions.WITH_NUMBER}
    return [r for r in readings if r.meaning in asks or notation.reads(r.text) or names.is_readable(r.text)]


def _with_example(names: CampaignNames, refusal: NotationError, text: str) -> NotationError:
    """Return the refusal of a text without dice, for which nothing is offered, with what can be typed."""
    is_unknown = isinstance(refusal, notation.UnknownNotation) and {*refusal.values} & {
        "shown",
        *({"said"} if names.game else ()),
    }
    if not is_unknown or _DICE.search(text) or not _LONG_WORD.search(text):
        return NotationError(refusal.text, **refusal.values) if refusal.readings else refusal
    if names.game:
        with_numbers = (text for text in names.game.buttons if any(map(str.isdigit, text.partition(" ")[2])))
        example = spoken(next(with_numbers, names.game.buttons[0]))
        return NotationError(
            "That is no roll of {game}. Type such as `{example}`.", game=names.game.name, example=example
        )
    return NotationError("That has no dice. Dice look like `2d6+3`.")


def _guess(names: CampaignNames, refusal: DiceError, text: str) -> tuple[DiceReading, ...]:
    """Return what a text for which nothing is offered may mean: as a game's roll, tidied, piece by piece."""
    # A form asks for unknown numbers.
    is_asked_for = isinstance(refusal, UnknownName) and not any(map(EFFECT.fullmatch, refusal.names))
    has_no_guess = len(text) > MAX_TEXT or is_unclear_choice(text) or names.is_readable(text)
    if is_asked_for or has_no_guess or isinstance(refusal, ZeroDivisor):
        return ()
    if names.game and (readings := settled(names, guess_roll(text, names.game))):
        return readings
    tidied = tidy(text)
    if tidied != text and (readings := _guess_tidied(names, tidied)) is not None:
        return readings
    readings = guess(text, names.vocabulary)
    if names.game and not names.usual and "d20" not in text.lower():
        readings = tuple(reading for reading in readings if "d20" not in reading.text)
    readings = tuple(reading for reading in readings if keeps_options(reading, names.game))
    if split_hidden(text)[1]:
        readings = tuple(reading._replace(meaning=FOR_ALL) for reading in readings)
    readings = settled(names, on_usual_dice(readings, names.game, text))
    return readings or (() if names.game else tuple(guess_game(text)))


def _guess_tidied(names: CampaignNames, tidied: str) -> tuple[DiceReading, ...] | None:
    """Return what a tidied text means; None where it is still to be guessed piece by piece."""
    if notation.reads(tidied):
        return settled(names, notation.guesses(tidied))
    if names.is_readable(tidied):
        return settled(names, [DiceReading(tidied)])
    if tidy(tidied) != tidied:
        return None
    as_tidied = NotationError("", readings=notation.meanings(tidied))
    own = settled(names, _with_own_number(names, tidied))
    return own or with_offers(names, as_tidied, tidied).readings or None


def _with_own_number(names: CampaignNames, text: str) -> tuple[DiceReading, ...]:
    """Return the readings of a person's own number without dice, `stealth check`; () for other texts."""
    try:
        names.resolve_bonus(text)
    except NotationError as refused:
        return refused.readings
    return ()


def suggest_readings(names: CampaignNames, text: str) -> Iterator[DiceReading]:
    """Yield readings to suggest for a refused text, such as a corrected name, or a label moved behind."""
    text = notation.without_command(text)
    if lacks_number(text, names.game) and (asking := with_number(text, names.game, names.vocabulary)):
        yield DiceReading(asking, suggestions.WITH_NUMBER)
        return
    if changed := _suggest_changed(names, text):
        yield from changed
        return
    # A word before a die is no number of dice.
    is_label, values = _DIE_BEHIND.search(text), names.with_values(text)
    if suggestion := "" if is_label else next(filter(names.is_readable, _own_names(names, text)), ""):
        yield DiceReading(suggestion)
    elif not names.game and (own := _with_own_number(names, next(_own_names(names, text), ""))):
        yield from own
    elif names.game and not names.game.usual and _NUMBER_FIRST.match(values):
        yield from _suggest_label(names, f"{names.game.first_word} {values}")
    else:
        is_saved = names.vocabulary.has(folded(text))
        yield from () if names.game or is_saved else suggestions.suggest_d20(text)
        # A number is no bonus in front of dice.
        for reading in names.with_label_behind(text if _DICE_BEHIND.search(text) else values):
            yield DiceReading(reading, AS_LABEL if RESERVED.search(reading.partition(COMMENT)[2]) else "")
    if not (is_label or _BONUS.search(text)):
        yield from _suggest_number(names, text)
        if names.usual and (number := _NAME_NUMBER.fullmatch(text)):
            yield from _suggest_number(names, f"{number[1]} dc {number[2]}")
            return
    yield from _suggest_behind(names, text)


def _suggest_behind(names: CampaignNames, text: str) -> Iterator[DiceReading]:
    """Yield a name with the options that stand before it behind it: `dodge hard`, `dodge 2 bonus`."""
    if behind := suggestions.with_options_behind(text, names.game):
        if names.is_readable(behind):
            yield DiceReading(behind)
        elif not any(map(str.isdigit, behind)) or lacks_number(behind, names.game):
            asking = with_number(behind, names.game, names.vocabulary)
            yield from [DiceReading(asking, suggestions.WITH_NUMBER)] if asking else []
        else:
            yield from map(DiceReading, names.with_label_behind(behind))


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
    return next(filter(names.is_readable, _corrections(names, text)), "")


def _own_names(names: CampaignNames, text: str) -> Iterator[str]:
    """Yield a text with its first name as one of the person's: corrected, or of the same ability."""
    yield from _corrections(names, text)
    yield from suggestions.suggest_ability(text, names.vocabulary.numbers)


def _corrections(names: CampaignNames, text: str) -> Iterator[str]:
    candidates = [*names.vocabulary.numbers, *names.vocabulary.saved, *names.rollers]
    if names.game:
        candidates += [names.game.key, *(plain(roll.word) for roll in names.game.rolls)]
    return suggestions.suggest_corrected(text, candidates, names.vocabulary.rollers)


def _suggest_label(names: CampaignNames, text: str) -> Iterator[DiceReading]:
    """Yield readings of a game's roll with unknown words: these as its label, or a name with a bonus."""
    roll, label = suggestions.split_unknown(names.with_values(text), names.game)
    yield from _suggest_repeats(names, text)
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
    yield from with_effect(roll, label, names.game)
    on_dice = [*suggestions.add_to_usual(text, names.game)]
    meaning = AS_LABEL if RESERVED.search(label) else suggestions.AS_DAMAGE if on_dice else ""
    # In `attack +7 then 1d8+4` the word only joins them.
    yield DiceReading(roll if _JOINT.fullmatch(label) else f"{roll} # {label}", meaning)
    yield from on_dice


def _suggest_changed(names: CampaignNames, text: str) -> list[DiceReading]:
    """Return readings of a name that is repeated, or has words behind it that change its roll."""
    # A saved roll may be called Twice.
    in_numbers = text if first_name(text, names.vocabulary) else in_digits(text)
    readings = [*_suggest_repeats(names, in_numbers), *_suggest_on_first(names, text)]
    return readings or [*_suggest_changed_dice(text, names.vocabulary)]


def _suggest_repeats(names: CampaignNames, text: str) -> Iterator[DiceReading]:
    """Yield the repeats that a number beside a name may mean: `3 Luck`, `sword x2`, `Luck twice`."""
    first, blank, rest = text.strip().partition(" ")
    if match := _REPEATED.fullmatch(f"{first}{blank}{in_digits(rest)}"):
        times = match["times"] or match["behind"] or match["number"]
        roll = match["name"] or match["roll"] or match["before"]
        readings = f"{times}#{roll}", f"{times}#{_PLURAL.sub('', roll, 1)}"
        if repeated := next(filter(names.is_readable, readings), ""):
            yield DiceReading(repeated, suggestions.SEPARATE)


def _suggest_changed_dice(text: str, vocabulary: Vocabulary) -> Iterator[DiceReading]:
    """Yield what words beside a saved roll mean beside its dice, `fireball half`, with its name as label."""
    front = None if first_name(text, vocabulary) else _CHANGE.match(text.strip())
    words = front[0] if front else ""
    name = first_name(behind := text.strip()[len(words) :], vocabulary)
    saved_text, rest = vocabulary.saved.get(folded(name), ""), behind.removeprefix(name)
    is_one_roll = saved_text and ";" not in saved_text
    dice, mark, label = saved_text.partition(COMMENT)
    changed = f"{words}{dice}{rest}{mark}{label}"
    for reading in notation.meanings(changed) if is_one_roll and (words or rest) else ():
        has_label = notation.comment(reading.text)
        yield reading if has_label else reading._replace(text=f"{reading.text} # {name}")


def _suggest_on_first(names: CampaignNames, text: str) -> Iterator[DiceReading]:
    """Yield a saved roll of several parts with the words behind its name at the first: `sword adv`."""
    name = first_name(text, names.vocabulary)
    first, separator, others = names.vocabulary.saved.get(folded(name), "").partition(";")
    # Behind words, as in `d20+7 to hit`, an advantage can only stand where they are a tag.
    forms = (first.rstrip(), str(notation.read_own(first))) if separator and notation.reads(first) else ()
    readings = (f"{form}{text.strip().removeprefix(name)};{others}" for form in forms)
    if reading := next(filter(names.is_readable, readings), ""):
        yield DiceReading(f"{reading} # {name}", "on the first roll")

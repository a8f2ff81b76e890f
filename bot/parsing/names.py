"""Look up the names that a caller can type in a campaign, and resolve texts that contain them."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from bot.campaign.campaigns import Roller, Rules
from bot.campaign.rolls import must_be_dice
from bot.dice import notation
from bot.dice.dialects.dialect import Dialect
from bot.dice.errors import DiceError, DiceReading, NotationError
from bot.dice.everyday import NAME, RESERVED, may_change
from bot.dice.naming import (
    Resolved,
    UnknownName,
    Vocabulary,
    first_name,
    folded,
    resolve,
)
from bot.dice.slips import AS_LABEL
from bot.parsing import suggestions
from bot.parsing.game_rolls import are_names, resolve_game_words, with_number, with_values
from bot.parsing.questions import ask_about_game, ask_for_sum, refuse_losses, refuse_word, settled
from bot.parsing.texts import (
    COMMENT,
    in_english,
    is_word,
    must_know_words,
    parse_game_roll,
    reads_as_game,
    shipped,
)
from bot.parsing.words_behind import refuse_effects, refuse_hidden
from bot.rulebooks import played
from bot.rulebooks.book import Game, plain
from bot.rulebooks.options import UnknownWord
from bot.rulebooks.played import on_usual
from bot.rulebooks.words import SHORT_NAMES
from bot.words.notation import in_notation

_SIGNED = re.compile(r"\s*[+-]\s*[^\W\d]")
_NUMBER_FIRST = re.compile(r"\s*[+-]?\d")
_DIE_BEHIND = re.compile(r"[^\W\d]\s+d\d", re.IGNORECASE)
_NAME_NUMBER = re.compile(rf"\s*({NAME}) (\d+)\s*")
_DICE_BEHIND = re.compile(r"[^\W\d]\s+\d*d[\d%]", re.IGNORECASE)
_DIE = re.compile(r"\s+d[\d%]", re.IGNORECASE)
_BONUS = re.compile(r"[-+]\s*+\d")
_D20, THAT_MANY = "1d20", "that many dice"


class CampaignNames(NamedTuple):
    """The names that a text may use in a campaign."""

    rollers: Mapping[str, Roller]
    """Casefolded name to roller."""
    rules: Rules
    vocabulary: Vocabulary

    @property
    def game(self) -> Game | None:
        """Return the game that the campaign plays."""
        return self.rules.played(shipped())

    @property
    def usual(self) -> str:
        """Return the usual dice of that game; "" for none."""
        return self.game.usual if self.game else ""

    def _resolve(self, text: str) -> Resolved | None:
        return resolve(text, self.vocabulary, self.rules.dialect)

    def _has_number(self, name: str) -> bool:
        return folded(name) in self.vocabulary.numbers

    def is_roller(self, text: str) -> bool:
        """Return whether a text is the name of one of the campaign's rollers."""
        return text.strip().casefold() in self.rollers

    def with_numbers(self, numbers: Mapping[str, str]) -> "CampaignNames":
        """Return a copy in which these numbers override the person's own."""
        vocabulary = replace(self.vocabulary, numbers={**self.vocabulary.numbers, **numbers})
        return self._replace(vocabulary=vocabulary) if numbers else self

    def in_notation(self, text: str) -> str:
        """Return a text with the dice words of its language rewritten as notation.

        Words inside a name are left alone; in a game's words, "d", "vs" and "difficulty" are rewritten.
        """
        name = first_name(text, self.vocabulary)
        is_own = name and not (self.game and self.game.answers(plain(name)))
        if is_own and (translated := suggestions.translate_behind(text, name)):
            return suggestions.move_advantage(translated, self.vocabulary)
        first = plain(text.split(maxsplit=1)[0]) if text.strip() else ""
        is_game_roll = is_word(text) or (self.game is not None and self.game.roll(first) is not None)
        translated = in_notation(text, ("d", "vs", "difficulty")) if is_game_roll else in_notation(text)
        names = (*self.rollers, *self.vocabulary.saved) if translated != text else ()
        in_names = any(name in folded(text) and in_notation(name) != name for name in names)
        return suggestions.move_advantage(text if in_names else translated, self.vocabulary)

    def resolve_text(self, text: str) -> Resolved | None:
        """Return a text with its names resolved; None if it contains no known name.

        Raise UnknownName if only unknown names are wrong with it, NotationError if it can't be read.
        """
        saved_text = self.vocabulary.saved.get(folded(text))
        if self.is_roller(text):
            return None
        self._check_dice_count(text)
        if saved_text is None or notation.reads(text, self.rules.dialect):
            return (
                self._resolve_bonus(text)
                or resolve_game_words(text, self.game, self.vocabulary)
                or self._resolve(text)
            )
        if notation.reads(saved_text) or self.is_roller(saved_text) or reads_as_game(saved_text, self.game):
            return Resolved(saved_text)
        return suggestions.resolve_saved(text, saved_text, self.vocabulary)

    def _resolve_bonus(self, text: str) -> Resolved | None:
        """Resolve a named bonus, `+str` or a number such as `stealth adv`, on the game's usual dice.

        In a game whose first roll takes such a number, `spot` is that roll. Return None if the text is no
        such bonus; raise NotationError if the game has no usual dice.
        """
        text = notation.without_command(text)
        ask_for_sum(text, self.game, self.vocabulary)
        is_signed, name = _SIGNED.match(text), first_name(text, self.vocabulary)
        if not is_signed:
            is_game_roll = folded(name) not in SHORT_NAMES and reads_as_game(text, self.game)
            if not self._has_number(name) or is_game_roll or self._has_dice(text):
                return None
        values = self.with_values(text)
        if roll := played.for_first_roll(values, self.game) or played.by_degrees(values, self.game):
            rest = " ".join(text.lstrip()[len(name) :].split())
            return Resolved(roll, comment=name if self.with_values(rest) == rest else text.strip(" +"))
        label = ""
        if not is_signed:
            label, rest = suggestions.split_label(text.strip(), name, self.vocabulary)
            text = f"+{name}{rest}"
        try:
            resolved = self._resolve(f"{self.usual or _D20}{text}")
        except UnknownName:
            raise
        except NotationError:
            return None
        if resolved and not self.usual:
            suffix = f"{COMMENT} {label}" if label != name and COMMENT not in text else ""
            reading = DiceReading(f"{_D20}{text.strip()}{suffix}", suggestions.ON_D20)
            raise NotationError("That has no dice.", readings=() if self.game else (reading,))
        return resolved._replace(comment=notation.comment(resolved.text) or label) if resolved else None

    def _check_dice_count(self, text: str) -> None:
        """Raise NotationError for a number of the person's own before a die, `fighting d8`."""
        name = first_name(text, self.vocabulary)
        die = text.lstrip()[len(name) :]
        if self._has_number(name) and _DIE.match(die):
            label = map(DiceReading, self.with_label_behind(text))
            offered = *label, DiceReading(f"({name}){die.strip()}", THAT_MANY)
            readings = tuple(reading for reading in offered if self.is_readable(reading.text))
            raise NotationError("Is `{name}` the number of dice? I can't tell.", name=name, readings=readings)

    def with_values(self, text: str) -> str:
        """Return a text with the signed values of the person's numbers, `+5+4` for `agility+pistols`."""
        return with_values(text, self.vocabulary)

    def refuse_hidden(self, text: str) -> NotationError | None:
        """Return the refusal of a roll of names, or of a game, with a word behind it that is to hide it."""
        suggest = self._suggest_number if self.game else suggestions.on_d20
        hidden = refuse_hidden(text, self.vocabulary, self.is_readable, suggest)
        if hidden:
            hidden.readings = settled(hidden.readings, self.game, self.with_values, self.with_dice)
        return hidden

    def with_dice(self, text: str) -> str:
        """Return a text with the dice of the saved roll that it begins with, and the values of numbers."""
        name = first_name(text := text.strip(), self.vocabulary)
        saved_text = self.vocabulary.saved.get(folded(name), "")
        is_one_roll = notation.reads(saved_text) and ";" not in saved_text
        return self.with_values(
            f"{notation.without_comment(saved_text) if is_one_roll else name}{text[len(name) :]}"
        )

    def offer_words(self, refusal: UnknownWord, text: str) -> DiceError:
        """Return the refusal of a game's roll with words unknown to it, with readings if there are some."""
        if hidden := self.refuse_hidden(text):
            return hidden
        offered = self.suggest_label(self.in_notation(text))
        readings = settled(offered, self.game, self.with_values, self.with_dice)
        return refuse_word(refusal, readings, text)

    def with_offers(self, refusal: NotationError, text: str) -> NotationError:
        """Return the refusal of a text with readings to offer in the game that is played."""
        typed = notation.without_command(text)
        usual = self.usual if self.game else _D20
        losses = refuse_losses(typed, self.game, self.vocabulary)
        if question := losses or refuse_effects(typed, self.vocabulary, usual):
            return question
        if not (refusal.readings or self.correct_name(typed)) and (hidden := self.refuse_hidden(typed)):
            return hidden
        # In a game with usual dice a number that is no bonus may be anything.
        is_bonus = typed.lstrip()[:1] in {"+", "-"}
        is_number = typed.strip()[:1].isdigit() or (refusal.readings and not is_bonus)
        if game_words := (played.for_first_roll if is_number else played.as_first_roll)(typed, self.game):
            readings = (DiceReading(game_words),)
        else:
            # In a game without usual dice nobody means a d20.
            has_usual = self.game is None or bool(self.usual)
            is_skill = played.ends_in_skill(typed, self.game)
            rolled = suggestions.without_unreadable(refusal.readings, self.is_readable)
            fitting = [*suggestions.on_usual_dice(rolled, self.game, typed)]
            usable = [] if is_skill else fitting
            # A d20 of the game's own roll comes before a plain one.
            later = {self.game and suggestions.ON_D20, not has_usual and suggestions.SIX_SIDED}
            others = [r for r in usable if r.meaning not in later]
            is_asked = any(r.meaning == THAT_MANY for r in fitting)
            is_number = not (has_usual or is_asked) and self._has_number(first_name(text, self.vocabulary))
            offered = map(DiceReading, self.with_label_behind(text)) if is_number else ()
            readings = (*offered,) or (*others,) or (*self.suggest_readings(text),) or (*fitting,)
        readings = settled(readings, self.game, self.with_values, self.with_dice)
        translated = "" if readings else in_notation(text)
        if translated not in {"", text} and in_notation(translated) == translated:
            return self.with_offers(refusal, translated)
        if readings == refusal.readings:
            return refusal
        return NotationError(refusal.text, readings=readings, **refusal.values)

    def suggest_readings(self, text: str) -> Iterator[DiceReading]:
        """Yield readings to suggest for a refused text, such as a corrected name, or a label moved behind."""
        text = notation.without_command(text)
        if changed := suggestions.suggest_changed(text, self.vocabulary, self.is_readable):
            yield from changed
            return
        # A word before a die is no number of dice.
        is_label, values = _DIE_BEHIND.search(text), self.with_values(text)
        if suggestion := "" if is_label else self.correct_name(text):
            yield DiceReading(suggestion)
        elif self.game and not self.game.usual and _NUMBER_FIRST.match(values):
            yield from self.suggest_label(f"{self.game.first_word} {values}")
        else:
            yield from () if self.game else suggestions.suggest_d20(text)
            # A number is no bonus in front of dice.
            for reading in self.with_label_behind(text if _DICE_BEHIND.search(text) else values):
                yield DiceReading(reading, AS_LABEL if RESERVED.search(reading.partition(COMMENT)[2]) else "")
        if not (is_label or _BONUS.search(text)):
            yield from self._suggest_number(text)
            if self.usual and (number := _NAME_NUMBER.fullmatch(text)):
                yield from self._suggest_number(f"{number[1]} dc {number[2]}")
            elif behind := suggestions.with_options_behind(text, self.game):
                is_known = self.is_readable(behind)
                yield from (DiceReading(behind),) if is_known else self._suggest_number(behind)

    def _suggest_number(self, text: str) -> Iterator[DiceReading]:
        """Yield a name with the dice that its number is for, `d20+stealth adv` or `skill listen hard`."""
        if suggestion := self.with_bonus(text):
            yield DiceReading(suggestions.with_degrees(suggestion, self.game), suggestions.WITH_BONUS)
        elif not any(self.with_label_behind(text)) and (
            suggestion := with_number(text, self.game, self.vocabulary)
        ):
            yield DiceReading(suggestion, suggestions.WITH_NUMBER)

    def correct_name(self, text: str) -> str:
        """Return a text with its first name corrected; "" if no known name is close to it."""
        names = [*self.vocabulary.numbers, *self.vocabulary.saved, *self.rollers]
        if self.game:
            names += [self.game.key, *(plain(roll.word) for roll in self.game.rolls)]
        corrected = suggestions.suggest_corrected(text, names, self.vocabulary.rollers)
        return next(filter(self.is_readable, corrected), "")

    def is_readable(self, text: str) -> bool:
        """Return whether a text is a roller, a game's words, or dice, with known names or none."""
        with suppress(DiceError):
            is_roll = self.is_roller(text) or notation.reads(text, self.rules.dialect)
            once = suggestions.without_repeats(text)
            return is_roll or bool(parse_game_roll(once, self.game) or self.resolve_text(text))
        return False

    def with_label_behind(self, text: str) -> Iterator[str]:
        """Yield dice and a game's roll with the words in front moved behind a #, `8d6 # fireball`."""
        return suggestions.with_label_behind(text, self.game)

    def suggest_label(self, text: str) -> Iterator[DiceReading]:
        """Yield readings of a game's roll with unknown words: these as its label, or a name with a bonus."""
        roll, label = suggestions.split_unknown(self.with_values(text), self.game)
        yield from suggestions.suggest_repeats(text, self.is_readable)
        if not roll:
            yield from suggestions.suggest_dice(text, self.game)
        if not roll or not label or may_change(label):
            return
        if self.game and self.game.roll(plain(label)) and not text.startswith(label):
            # `pool 6 rote`, where rote is another roll
            first, _, rest = roll.partition(" ")
            other = f"{label} {rest if self.game.answers(plain(first)) else roll}".strip()
            yield from map(DiceReading, filter(self.is_readable, [other]))
            return
        takes_number = self.usual or (self.game and text.startswith(self.game.first_word))
        if takes_number and not any(map(str.isdigit, text)):
            yield from self._suggest_number(label)
        on_dice = [*suggestions.add_to_usual(text, self.game)]
        meaning = AS_LABEL if RESERVED.search(label) else suggestions.AS_DAMAGE if on_dice else ""
        yield DiceReading(f"{roll} # {label}", meaning)
        yield from on_dice

    def with_bonus(self, text: str) -> str:
        """Return a name added to the game's usual dice, `d20+stealth adv`; "" for other texts.

        The name is that of one of the person's numbers, or unknown.
        """
        if not self.usual:
            return ""
        name = text.strip()
        with_dice = f"{self.usual}+{name}"
        is_own = self._has_number(first_name(name, self.vocabulary))
        if is_own and self._has_dice(name):
            return ""
        try:
            resolved = self._resolve(with_dice)
        except UnknownName as error:
            is_name = len(error.names) == 1 and name.startswith(error.names)
            return with_dice if is_name or are_names(name) else ""
        except NotationError:
            return ""
        return with_dice if is_own and resolved else ""

    def _has_dice(self, text: str) -> bool:
        """Return whether a text with names reads as dice by itself.

        Raise NotationError for a number with dice, `stealth+1d4`, in a game with usual dice.
        """
        resolved, usual = None, self.usual
        with suppress(NotationError):
            resolved = self._resolve(text)
        is_dice = resolved and not resolved.roller
        if resolved and is_dice and usual and self._has_number(first_name(text, self.vocabulary)):
            readings = DiceReading(f"{usual}+{text.strip()}"), DiceReading(resolved.text)
            raise suggestions.with_or_without(usual, readings)
        return resolved is not None

    def read(self, text: str, *, saved_as: str = "") -> str:
        """Return a text as it is stored: a roller, a game's words in English, or dice in Evenhand's notation.

        `saved_as` is the name of a personal saved roll, whose dice keep their names; in other texts names are
        resolved, except numbers. Raise NotationError if the text is none of these or may mean more in the
        game, SpecError for a luck account, which has no dice.
        """
        if roller := self.rollers.get(text.casefold()):
            must_be_dice(roller)
        text = on_usual(self.in_notation(text), self.game)
        if roller or reads_as_game(text, self.game):
            return text if roller else in_english(text, self.game)
        text = self._on_usual_dice(text)
        if self.game:
            ask_about_game(text, self.game, self.with_values, self.with_dice)
        try:
            return self._read_dice(text, saved_as)
        except NotationError as refused:
            raise self._refuse(refused, text) from None

    def _read_dice(self, text: str, saved_as: str) -> str:
        dialect = self.rules.dialect
        if not notation.reads(text, dialect):
            names = self.vocabulary
            if saved_as:
                names = replace(names, saved={**names.saved, folded(saved_as): text})
            if resolved := resolve(text, names, dialect, later=not saved_as):
                return suggestions.to_save(text, resolved) if saved_as else resolved.text
        roll = notation.parse(text, dialect)
        return text if dialect is Dialect.EVENHAND else str(roll)

    def _refuse(self, refused: NotationError, text: str) -> DiceError:
        """Return the refusal of a text that is to be kept: it may be a game's roll with unknown words."""
        try:
            must_know_words(text, self.game)
        except UnknownWord as error:
            return self.offer_words(error, text)
        return self.with_offers(refused, text)

    def _on_usual_dice(self, text: str) -> str:
        """Return a number of the person's own on the game's usual dice, `d20+stealth adv`.

        Return other texts unchanged; raise NotationError if the game has no usual dice.
        """
        bonus = None if notation.reads(text, self.rules.dialect) else self._resolve_bonus(text)
        if bonus and not self.usual:
            raise NotationError(
                "That has no dice.", readings=(DiceReading(f"{bonus.text} # {bonus.comment}"),)
            )
        if bonus:
            return f"{self.usual}{text}" if _SIGNED.match(text) else self.with_bonus(text)
        return text

"""Look up the names that a caller can type in a campaign, and resolve texts that contain them."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from bot.campaign.campaigns import Roller, Rules
from bot.dice import advantage, notation
from bot.dice.errors import DiceError, DiceReading, NotationError
from bot.dice.naming import (
    Resolved,
    UnknownName,
    Vocabulary,
    first_name,
    folded,
    resolve,
)
from bot.parsing import suggestions
from bot.parsing.game_rolls import are_names, ask_for_sum, resolve_game_words, with_values
from bot.parsing.texts import (
    COMMENT,
    is_word,
    parse_game_roll,
    reads_as_game,
    shipped,
)
from bot.rulebooks import played
from bot.rulebooks.book import Game, plain
from bot.rulebooks.words import SHORT_NAMES
from bot.words.notation import in_notation

_SIGNED = re.compile(r"\s*[+-]\s*[^\W\d]")
_WORDS_BEFORE = re.compile(r"\D+(?<=[^\W\d] )(?=\d*d[\d%])", re.IGNORECASE)
_ADVANTAGE = re.compile(rf"(?P<roll>.+?) (?:(?:with|at) )?{advantage.WORD}(?P<aim>.*)", re.IGNORECASE)
_DIE = re.compile(r"\s+d[\d%]", re.IGNORECASE)


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

    def resolve(self, text: str) -> Resolved | None:
        """Return dice with their names replaced; None if they need none, or no name is known."""
        return resolve(text, self.vocabulary, self.rules.dialect)

    def has_number(self, name: str) -> bool:
        """Return whether a name is one of the person's numbers."""
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
            game_words = self.resolve_bonus(text) or resolve_game_words(text, self.game, self.vocabulary)
            return game_words or self.resolve(text)
        if notation.reads(saved_text) or self.is_roller(saved_text) or reads_as_game(saved_text, self.game):
            return Resolved(saved_text)
        return suggestions.resolve_saved(text, saved_text, self.vocabulary)

    def resolve_bonus(self, text: str) -> Resolved | None:
        """Resolve a named bonus, `+str` or a number such as `stealth adv`, on the game's usual dice.

        In a game whose first roll takes such a number, `spot` is that roll. Return None if the text is no
        such bonus; raise NotationError if the game has no usual dice.
        """
        text = notation.without_command(text)
        ask_for_sum(text, self.game, self.vocabulary)
        is_signed, name = _SIGNED.match(text), first_name(text, self.vocabulary)
        if not is_signed:
            is_game_roll = folded(name) not in SHORT_NAMES and reads_as_game(text, self.game)
            if not self.has_number(name) or is_game_roll or self._has_dice(text):
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
            resolved = self.resolve(f"{self.usual or suggestions.D20}{text}")
        except UnknownName:
            raise
        except NotationError:
            return None
        if resolved and not self.usual:
            suffix = f"{COMMENT} {label}" if label != name and COMMENT not in text else ""
            reading = DiceReading(f"{suggestions.D20}{text.strip()}{suffix}", suggestions.ON_D20)
            raise NotationError("That has no dice.", readings=() if self.game else (reading,))
        return resolved._replace(comment=notation.comment(resolved.text) or label) if resolved else None

    def _check_dice_count(self, text: str) -> None:
        """Raise NotationError for a number of the person's own before a die, `fighting d8`."""
        name = first_name(text, self.vocabulary)
        die = text.lstrip()[len(name) :]
        if self.has_number(name) and _DIE.match(die):
            label = map(DiceReading, self.with_label_behind(text))
            offered = *label, DiceReading(f"({name}){die.strip()}", suggestions.THAT_MANY)
            readings = tuple(reading for reading in offered if self.is_readable(reading.text))
            raise NotationError("Is `{name}` the number of dice? I can't tell.", name=name, readings=readings)

    def with_values(self, text: str) -> str:
        """Return a text with the signed values of the person's numbers, `+5+4` for `agility+pistols`."""
        return with_values(text, self.vocabulary)

    def with_dice(self, text: str) -> str:
        """Return a text with the dice of the saved roll that it begins with, and the values of numbers."""
        name = first_name(text := text.strip(), self.vocabulary)
        saved_text = self.vocabulary.saved.get(folded(name), "")
        is_one_roll = notation.reads(saved_text) and ";" not in saved_text
        return self.with_values(
            f"{notation.without_comment(saved_text) if is_one_roll else name}{text[len(name) :]}"
        )

    def is_readable(self, text: str) -> bool:
        """Return whether a text is a roller, a game's words, or dice, with known names or none."""
        with suppress(DiceError):
            is_roll = self.is_roller(text) or notation.reads(text, self.rules.dialect)
            once = suggestions.without_repeats(text)
            return is_roll or bool(parse_game_roll(once, self.game) or self.resolve_text(text))
        return False

    def with_label_behind(self, text: str) -> Iterator[str]:
        """Yield dice and a game's roll with the words in front moved behind a #, `8d6 # fireball`.

        Names behind the first dice are the person's numbers, as in `attack d20+str`.
        """
        if words := _WORDS_BEFORE.match(text):
            text = f"{words[0]}{self.with_values(text[words.end() :])}"
        return suggestions.with_label_behind(text, self.game)

    def with_bonus(self, text: str) -> str:
        """Return a name added to the game's usual dice, `d20+stealth adv`; "" for other texts.

        The name is that of one of the person's numbers, or unknown.
        """
        if not self.usual:
            return ""
        name = text.strip()
        with_dice = f"{self.usual}+{name}"
        is_own = self.has_number(first_name(name, self.vocabulary))
        if is_own and self._has_dice(name):
            return ""
        try:
            resolved = self.resolve(with_dice)
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
            resolved = self.resolve(text)
        is_dice = resolved and not resolved.roller
        if resolved and is_dice and usual and self.has_number(first_name(text, self.vocabulary)):
            # In `stealth + 1d4 adv` it may be the d20 that is thrown twice.
            spread = _ADVANTAGE.fullmatch(text := text.strip()) if usual == "d20" else None
            with_dice = (
                f"{usual} {spread['word']}+{spread['roll']}{spread['aim']}" if spread else f"{usual}+{text}"
            )
            readings = DiceReading(with_dice), DiceReading(resolved.text)
            raise suggestions.with_or_without(usual, readings)
        return resolved is not None

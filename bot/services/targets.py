"""Dice as the campaign's game has them: whether low rolls pass, DCs in its words, and words behind dice."""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from bot.campaign.command import Caller
from bot.dice import notation
from bot.dice.errors import DiceReading, NotationError, SpecError
from bot.rulebooks.book import Game
from bot.rulebooks.played import (
    as_first_roll,
    changes_roll,
    for_first_roll,
    low_passes,
    on_usual,
    split_behind_dice,
)
from bot.rulebooks.words import find_target
from bot.services.access import DataStore
from bot.services.characters import Numbers
from bot.services.checks import split_dc
from bot.services.named_readings import ON_D20, suggest_d20, with_or_without
from bot.services.naming import COMMENT, WITH_BONUS
from bot.services.parsing import parse_game_roll, reads_as_game, shipped
from bot.services.saved import Saved
from bot.words.notation import in_notation

_ADDED = re.compile(r"\s*[-+][^d]*d[\d%]", re.ASCII | re.IGNORECASE)
"""Dice that may be added to a game's usual dice: `+5+1d4`."""
_DIE = re.compile(r"\d*+d[\d%]++", re.ASCII)
_AIMED = re.compile(r"\b(?:vs|dc|ac|against)\b", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Targets:
    """The use cases of dice with a number that they have to reach, or with a game's words."""

    store: DataStore
    saved: Saved

    async def passes_low(self, caller: Caller, dice: str) -> bool:
        """Return whether low rolls of these dice pass in the campaign's game."""
        return notation.reads(dice) and low_passes(dice, await self._played(caller))

    async def aim(self, caller: Caller, text: str, dc: int, *, takes_number: bool = True) -> str | None:
        """Return a game's roll with a DC in its words; None for any text but a game's roll with a target.

        If not `takes_number`, rolls that a number of the player belongs to are left out too.
        """
        if notation.reads(text):
            return None
        names = await self.saved.names(caller)
        with suppress(SpecError):
            request = parse_game_roll(names.with_values(text), names.game)
            if request and find_target(request.roll) and (takes_number or not request.roll.rule.number):
                return f"{text} vs {dc}"
        return None

    def offers(
        self, caller: Caller, dice: str, dc: int, readings: Iterable[DiceReading]
    ) -> list[DiceReading]:
        """Return the readings of a check's refused dice as rolls against its DC, if they take one.

        Where no game is played, a name alone is one of a d20.
        """
        aimed: list[DiceReading] = []
        rules = self.store.rules.last_known(caller)
        for offer in readings:
            roll, comment, label = offer.text.partition(COMMENT)
            has_name = offer.meaning in {WITH_BONUS, ON_D20}  # its number is known, or asked for
            aim = f"{roll} vs {dc}"
            if ";" not in roll and (
                has_name or notation.reads(aim) or reads_as_game(aim, rules.played(shipped()))
            ):
                aimed.append(offer._replace(text=f"{aim}{comment}{label}"))
        if not aimed and not rules.game:
            aimed += suggest_d20(f"{dice} vs {dc}")
        return aimed

    async def ask_about_usual(self, caller: Caller, text: str) -> None:
        """Raise NotationError for dice behind a sign, `+5+1d4`, where the campaign's game has usual dice."""
        await self._ask_about_usual(caller, *notation.split(in_notation(text)))

    async def _ask_about_usual(self, caller: Caller, own_text: str, label: str) -> None:
        is_added = _ADDED.match(own_text) and notation.reads(own_text)
        game = await self._played(caller) if is_added else None
        if game and game.usual and _dice(own_text).isdisjoint(_dice(game.usual)):
            with_dice = f"{game.usual}{own_text.strip()}"
            readings = _readings((with_dice, str(notation.read_own(own_text))), label)
            raise with_or_without(game.usual, readings)

    async def ask_about_game(self, caller: Caller, text: str, numbers: Numbers) -> None:
        """Raise NotationError for dice that may mean more in the campaign's game, with what they may mean.

        They have words behind them that change its rolls, or a number where low rolls of these dice pass.
        """
        own_text, label = notation.split(in_notation(text))
        await self._ask_about_usual(caller, own_text, label)
        dice, words = split_behind_dice(text)
        is_aimed = _AIMED.search(own_text) or split_dc(own_text)[1] is not None
        # The game is looked up only for such texts: with other processes that is a query.
        game = await self._played(caller) if words or is_aimed else None
        if game and words and notation.reads(on_usual(text, game)):
            _ask_about_words(text, dice, words, game)
        if game and is_aimed:
            names = (await self.saved.names(caller)).with_numbers(numbers)
            text_with_values = names.with_values(own_text)
            _ask_which_passes(text_with_values, label, game)
            _ask_whose_dice(text_with_values, label, game)

    async def _played(self, caller: Caller) -> Game | None:
        return (await self.store.rules.find_current(caller)).played(shipped())


def _dice(text: str) -> set[str]:
    """Return the dice of a text, each with its number: 1d20 for d20."""
    return {die if die[0].isdecimal() else f"1{die}" for die in _DIE.findall(text.lower())}


def _ask_about_words(text: str, dice: str, words: str, game: Game) -> None:
    """Raise NotationError for words behind dice that are options of a roll that the game has with them.

    Options of its first roll may lack their number: `7d10 again`.
    """
    if not changes_roll(words, game, game.rolls):
        return
    texts = as_first_roll(text, game), f"{words} {dice}", *(f"{roll.word} {text}" for roll in game.rolls[1:])
    own = [own_text for own_text in texts if reads_as_game(own_text, game)][:1]
    if own or changes_roll(words, game, game.rolls[:1]):
        readings = tuple(map(DiceReading, [*own, f"{on_usual(dice, game)} # {words}"]))
        raise NotationError(
            "In {game} `{words}` may change the roll.", game=game.name, words=words, readings=readings
        )


def _ask_whose_dice(text: str, label: str, game: Game) -> None:
    """Raise NotationError for dice against a number that the game's first roll throws, `d10+14 vs 15`."""
    if notation.reads(text) and (own := for_first_roll(text, game)):
        readings = _readings((own, str(notation.read_own(text))), label)
        raise NotationError("{game} has its own roll with these dice.", game=game.name, readings=readings)


def _ask_which_passes(text: str, label: str, game: Game) -> None:
    """Raise NotationError for dice against a number where low rolls of these dice pass."""
    dice, number = split_dc(text)
    dice = game.under if game.under == f"{dice}6" else dice  # `3d`
    if number is None or not low_passes(dice, game):
        return
    texts = [for_first_roll(str(number), game), f"({dice})<={number}", f"({dice})>={number}"]
    if not reads_as_game(texts[0], game) or notation.read_own(dice) != notation.read_own(game.under):
        del texts[0]
    raise NotationError("In {game} low rolls pass.", game=game.name, readings=_readings(texts, label))


def _readings(texts: Iterable[str], label: str) -> tuple[DiceReading, ...]:
    """Return the texts as readings, with the label if there is one."""
    return tuple(DiceReading(f"{text} # {label}" if label else text) for text in texts)

"""Dice as the campaign's game has them: whether low rolls pass, DCs in its words, and what is asked."""

import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass

from bot.campaign.command import Caller
from bot.dice import notation
from bot.dice.errors import DiceReading, NotationError, SpecError
from bot.dice.everyday import aimed_at_names
from bot.dice.expressions import Truth
from bot.dice.naming import Vocabulary, first_name, folded, resolve
from bot.parsing.game_rolls import named_roll, with_number
from bot.parsing.guesses import asks_or_rolls
from bot.parsing.questions import (
    ON_FAILURE,
    ON_SUCCESS,
    ask_about_faces,
    ask_about_game,
    ask_whose_dice,
    is_aimed,
    is_doubtful,
    split_own,
)
from bot.parsing.suggestions import ON_D20, WITH_BONUS, WITH_NUMBER, suggest_d20
from bot.parsing.texts import COMMENT, mentions_account, parse_game_roll, reads_as_game, shipped, split_dc
from bot.rulebooks.book import Game
from bot.rulebooks.option_words import find_target
from bot.rulebooks.played import by_degrees, for_first_roll, low_passes
from bot.services.access import DataStore
from bot.services.characters import NO_NUMBERS, Numbers
from bot.services.saved import Saved
from bot.systems.checks import CheckTerms
from bot.words.notation import before_account

_AIMED = re.compile(r"(?:>=| vs )\d+\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Targets:
    """The use cases of dice with a number that they have to reach, or with a game's words."""

    store: DataStore
    saved: Saved

    async def passes_low(self, caller: Caller, dice: str) -> bool:
        """Return whether low rolls of these dice pass in the campaign's game."""
        dice = await self.saved.in_notation(caller, before_account().split(dice, maxsplit=1)[0])
        return notation.reads(dice) and low_passes(dice, await self._played(caller))

    async def aim(self, caller: Caller, text: str, dc: int, *, takes_number: bool = True) -> str | None:
        """Return a game's roll with a DC in its words; None for any text but a game's roll with a target.

        If not `takes_number`, rolls that a number of the player belongs to are left out too, unless each
        player's own is meant: `handgun`.
        """
        text = await self.saved.in_notation(caller, text)
        if notation.reads(text):
            return None
        names, aimed = await self.saved.names(caller), f"{text} vs {dc}"
        if not takes_number and any(named_roll(aimed, names.game, names.vocabulary)):
            return aimed
        if takes_number and (own := by_degrees(f"{names.with_values(text)} dc {dc}", names.game)):
            return own
        with suppress(SpecError):
            request = parse_game_roll(names.with_values(text), names.game)
            target = request.roll.option(find_target(request.roll) or "") if request else None
            # One that the roll can't do without is there already: `skill 45`.
            is_open = target is not None and target.usual is not None
            if request and is_open and (takes_number or not request.roll.rule.number):
                return aimed
        return None

    async def with_named_dc(self, caller: Caller, text: str) -> str:
        """Return dice with the value of a number of the caller's own as their DC: 12 for `d20 vs climb`."""
        dice, aim, other = aimed_at_names(text).partition(" vs ")
        name, mark, comment = other.partition(COMMENT)
        numbers = (await self.saved.names(caller)).vocabulary if aim else Vocabulary()
        is_number = folded(name) in numbers.numbers
        return f"{dice}{aim}{numbers.number(name)}{mark}{comment}" if is_number else text

    async def number_alone(self, caller: Caller, text: str) -> int | None:
        """Return the number that a text is with the caller's own numbers; None for dice and other texts."""
        aimed = f"1d20 vs {text}"
        with suppress(NotationError):
            resolved = resolve(aimed, (await self.saved.names(caller)).vocabulary)
            body = notation.read_own(resolved.text if resolved else aimed).body
            return body.condition.number if isinstance(body, Truth) else None
        return None

    async def offers(
        self, caller: Caller, dice: str, dc: int, readings: Collection[DiceReading]
    ) -> list[DiceReading]:
        """Return the readings of a check's refused dice as rolls against its DC, if they take one.

        Where no game is played, a name that nobody knows is one of a d20.
        """
        aimed: list[DiceReading] = []
        names = await self.saved.names(caller)
        if losses := [offer for offer in readings if offer.meaning in {ON_SUCCESS, ON_FAILURE}]:
            # The DC is that of the check.
            check = for_first_roll(str(dc), names.game)
            return [DiceReading(f"{check} # {dice}"), *losses] if check else losses
        for offer in readings:
            roll, comment, label = offer.text.partition(COMMENT)
            aim = roll if _AIMED.search(roll) else f"{roll} vs {dc}"
            # Its number is known, or asked for.
            has_name = offer.meaning in {WITH_BONUS, ON_D20} or asks_or_rolls(aim, names.vocabulary)
            is_roll = names.is_readable(aim) or mentions_account(roll)
            if ";" not in roll and (has_name or is_roll):
                aimed.append(offer._replace(text=f"{aim}{comment}{label}"))
        if number := with_number(f"{dice} vs {dc}", names.game, names.vocabulary):
            aimed.append(DiceReading(number, WITH_NUMBER))
        if not aimed and names.game is None and not first_name(dice, names.vocabulary):
            aimed += suggest_d20(f"{dice} vs {dc}")
        return aimed

    async def rolls_of_game(self, caller: Caller, readings: Iterable[DiceReading]) -> tuple[DiceReading, ...]:
        """Return the readings that are rolls of a game, which need no DC."""
        game = await self._played(caller)
        return tuple(offer for offer in readings if reads_as_game(offer.text, game))

    async def ask_about_game(self, caller: Caller, text: str, numbers: Numbers = NO_NUMBERS) -> None:
        """Raise NotationError for dice that may mean more in the campaign's game, with what they may mean."""
        ask_about_faces(text)
        own_text, _ = split_own(text)
        aimed = is_aimed(own_text)
        # The game is looked up only for such texts: with other processes that is a query.
        if (aimed or is_doubtful(text, own_text)) and await self._played(caller):
            ask_about_game(text, (await self.saved.names(caller)).with_numbers(numbers))

    async def ask_whose_dice(self, caller: Caller, text: str, terms: CheckTerms | None) -> None:
        """Raise NotationError for dice with a DC behind them that the game has a roll of its own for.

        A DC of its own, other terms, and dice where low rolls pass, say enough.
        """
        own_text, label = split_own(text)
        is_asked = terms and terms.is_plain and not terms.under and split_dc(own_text)[1] is not None
        if is_asked and (game := await self._played(caller)):
            ask_whose_dice(own_text, label, game)

    async def _played(self, caller: Caller) -> Game | None:
        return (await self.store.rules.find_current(caller)).played(shipped())

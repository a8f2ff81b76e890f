"""Rolls in a game's own words, such as `wod 7 diff 6`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from bot.campaign.caller import Caller
from bot.campaign.command import Drawing, Needs, RollOptions
from bot.campaign.events import Rolled
from bot.campaign.rollers import Remembers, Roller
from bot.campaign.rolls import check_times, roll_system
from bot.campaign.rules import Rules
from bot.campaign.state import State
from bot.dice.errors import Unknown
from bot.dice.labels import LabelledDraws
from bot.rulebooks.book import Game, read_game
from bot.rulebooks.words import understand
from bot.systems.game import game_roll
from bot.systems.registry import print_spec


@dataclass(frozen=True, slots=True)
class RollGame(Drawing):
    """Roll what the words ask for, in the campaign's game or in one that its first word names."""

    text: str
    games: Mapping[str, Game]
    """The games that every campaign knows, by their keys."""
    times: int = 1
    options: RollOptions = RollOptions()

    def needs(self) -> Needs:
        """Return nothing: the campaign's rules say which game it plays."""
        return Needs()

    def decide(self, caller: Caller, state: State, draws: LabelledDraws) -> Rolled:
        """Roll; Unknown where the words are no game's, SpecError where they miss something."""
        check_times(self.times)
        asked = understand(self.text, self.games, game_of(state.campaign.rules, self.games))
        if asked is None:
            raise Unknown(f"No game here has {self.text[:40]!r}. /game list shows what there is.")
        system = game_roll(asked)
        roller = Roller(asked.words, print_spec(system), Remembers.PLAYER, epoch=0)
        return replace(roll_system(roller, system, self.times, caller, state, draws), prev=None)


def game_of(rules: Rules, games: Mapping[str, Game]) -> Game | None:
    """Return the game that is played by these rules: one of the games, or one from a file; None for none."""
    if not rules.game:
        return None
    return games.get(rules.game) or _from_file(rules.game)


@lru_cache(maxsize=64)
def _from_file(text: str) -> Game | None:
    return read_game(text) if text.startswith("{") else None

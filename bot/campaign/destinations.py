"""Where to: a roll on a channel's map, which its first roll makes out of the map that is given."""

from dataclasses import dataclass, replace

from bot.campaign.events import Asked
from bot.campaign.request import THIS, Change, Needs, Scene
from bot.campaign.rollers import Remembers, Roller
from bot.campaign.rolls import RollDice
from bot.dice.draws import Draws
from bot.dice.errors import SpecError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.systems.destinator import Destinator

MAP = "Destination"
"""The name of every channel's own map; a game master may import another one under it."""


@dataclass(frozen=True, slots=True)
class RollDestination:
    """Roll a region and its city on the channel's map of that name; so many times."""

    fallback: Destinator
    """The map that the channel's own one begins with."""
    name: str = MAP
    times: int = 1

    def needs(self) -> Needs:
        """The map."""
        return Needs(roller=self.name.strip().casefold())

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:
        """A roll; Unknown if there is no map of another name, SpecError if that roller is no map."""
        roller = scene.roller
        if roller is None or roller.system is None:
            if self.name.strip().casefold() != MAP.casefold():
                name = clean(self.name, NAME_LIMIT)
                raise Unknown(f"There is no map {name} here. A game master brings one with /roller import.")
            last = roller.last if roller else 0
            roller = Roller(MAP, self.fallback, Remembers.TABLE, epoch=THIS, last=last)
        if not isinstance(roller.system, Destinator):
            raise SpecError(f"{roller.name} is no map. A game master brings one with /roller import.")
        return RollDice(self.name, self.times).decide(asked, replace(scene, roller=roller), draws)

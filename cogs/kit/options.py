"""The options of commands: what they take, what is offered for them, and what is read of them."""

import re
import tomllib
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from discord import app_commands

from bot.app import App
from bot.campaign.command import RollOptions
from bot.campaign.kinds import Visibility
from bot.client import Evenhand
from bot.dice.by_hand import read_thrown
from bot.dice.errors import SpecError
from bot.dice.names import clean
from bot.systems.destinator import Destinator
from bot.systems.luck import LuckAccount
from bot.systems.registry import CARD_SYSTEMS
from bot.words.games import called, recorded_roller, spoken
from bot.words.text import coins
from cogs.kit.interactions import Interaction, caller

_CHOICE, _MOST = 100, 25
_LANDED = re.compile(r"<@!?(?P<person>[0-9]{1,19})>|#?(?P<number>[0-9]{1,15})")


class OneOf(app_commands.Transformer[Evenhand]):
    """Some choices by their values; what is chosen is what `read` makes of its value."""

    def __init__(self, offers: Mapping[str, str], read: Callable[[str], object] = str) -> None:
        self._offers = offers
        self._read = read

    @property
    def choices(self) -> list[app_commands.Choice[Any]]:
        """What Discord offers."""
        return [app_commands.Choice(name=name, value=value) for value, name in self._offers.items()]

    def read(self, value: str) -> object:
        """Return what was chosen; SpecError for what is not offered."""
        if value not in self._offers:
            raise SpecError("Choose one from the list.")
        return self._read(value)

    async def transform(self, _: Interaction, value: str, /) -> object:
        """Return what was chosen."""
        return self.read(value)


def offered(file: str, option: str, read: Callable[[str], object] = str) -> OneOf:
    """Return the choices of an option, from `choices.toml` beside a feature's file."""
    return OneOf(_choices(Path(file).parent)[option], read)


@cache
def _choices(folder: Path) -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((folder / "choices.toml").read_text("utf-8"))


class Suggested(app_commands.Transformer[Evenhand]):
    """A text of at most so many characters, of which some are found while it is typed."""

    def __init__(
        self, most: int, find: Callable[[App], Callable[..., Awaitable[list[str]]]], **more: object
    ) -> None:
        self._most, self._find, self._more = most, find, more

    @property
    def min_value(self) -> int:
        """At least so many characters."""
        return 1

    @property
    def max_value(self) -> int:
        """At most so many."""
        return self._most

    async def transform(self, _: Interaction, value: str, /) -> str:
        """Return what was typed."""
        return value

    async def autocomplete(
        self, interaction: Interaction, value: float | str, /
    ) -> list[app_commands.Choice[Any]]:
        """Suggest what is found."""
        return choice_list(await self._find(interaction.client.app)(caller(interaction), value, **self._more))


class SuggestedRoller(Suggested):
    """A roller's name, recorded or as it is shown."""

    async def transform(self, _: Interaction, value: str, /) -> str:
        """Return the name that is recorded."""
        return recorded_roller(value)


def choice_list(texts: Iterable[str]) -> list[app_commands.Choice[Any]]:
    """Return an autocomplete list of texts; Discord takes 25 at most."""
    return [app_commands.Choice(name=called(None, spoken(text))[:_CHOICE], value=text) for text in texts][
        :_MOST
    ]


Name = app_commands.Range[str, 1, 32]
DiceText = app_commands.Range[str, 1, 200]
Label = app_commands.Range[str, 1, 80]
Times = app_commands.Range[int, 1, 20]
_SEEN = offered(__file__, "seen", Visibility)
Seen = app_commands.Transform[Visibility, _SEEN]
AnyDice = app_commands.Transform[str, Suggested(200, lambda app: app.rolling.suggest)]
"""Rollers of the campaign, and one's own recent rolls."""
DiceOrSaved = app_commands.Transform[str, Suggested(200, lambda app: app.rolling.suggest, saved=True)]
"""One's saved rolls before them."""
RollerName = app_commands.Transform[str, SuggestedRoller(32, lambda app: app.rollers.suggest)]
AccountName = app_commands.Transform[str, Suggested(32, lambda app: app.rollers.suggest, kind=LuckAccount)]
"""Luck accounts of the campaign."""
DeckName = app_commands.Transform[str, Suggested(200, lambda app: app.rollers.suggest, kind=CARD_SYSTEMS)]
MapName = app_commands.Transform[str, Suggested(32, lambda app: app.rollers.suggest, kind=Destinator)]
RolledName = app_commands.Transform[str, SuggestedRoller(64, lambda app: app.reports.suggest)]
"""Rollers and dice that were rolled here."""
CharacterName = app_commands.Transform[str, Suggested(32, lambda app: app.characters.suggest)]
"""One's characters."""
CampaignName = app_commands.Transform[str, Suggested(32, lambda app: app.campaigns.suggest)]
"""Campaigns of this server."""


def landed(text: str | None) -> tuple[int | None, int | None]:
    """Return the person, or the number of an event, that was typed into an option for a name; else None."""
    found = _LANDED.fullmatch(text.strip()) if text else None
    person, number = (found["person"], found["number"]) if found else (None, None)
    return int(person) if person else None, int(number) if number else None


def roll_options(
    label: str = "", visibility: Visibility | None = None, *, practice: bool = False, thrown: str = ""
) -> RollOptions:
    """Return a roll's options as somebody chose them; None leaves who sees it to the campaign's rules.

    SpecError for `thrown` dice that can't be read.
    """
    by_hand = read_thrown(coins(thrown)) if thrown else ()
    return RollOptions(clean(label) if label else "", visibility, practice=practice, thrown=by_hand)

"""Options of commands: their types, choices, autocompletion and parsing."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
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
from bot.words.games import recorded_roller, roller_name, spoken
from bot.words.saying import read_table
from bot.words.text import coins
from cogs.kit.interactions import NUMBER, Interaction, caller

_CHOICE, _MOST = 100, 25
_REFERENCE = re.compile(rf"<@!?(?P<person>{NUMBER.pattern})>|#?(?P<number>[0-9]{{1,15}})")


class OneOf(app_commands.Transformer[Evenhand]):
    """A fixed set of choices, by their values; `read` parses the chosen value."""

    def __init__(self, offers: Mapping[str, str], read: Callable[[str], object] = str) -> None:
        self._offers = offers
        self._read = read

    @property
    def choices(self) -> list[app_commands.Choice[Any]]:
        """The choices as Discord takes them."""
        return [app_commands.Choice(name=name, value=value) for value, name in self._offers.items()]

    def read(self, value: str) -> object:
        """Return the parsed choice. Raise SpecError for a value that is not offered."""
        if value not in self._offers:
            raise SpecError("Choose one from the list.")
        return self._read(value)

    async def transform(self, _: Interaction, value: str, /) -> object:
        """Return the parsed choice."""
        return self.read(value)


def offered(file: str, option: str, read: Callable[[str], object] = str) -> OneOf:
    """Return the choices of an option, from `choices.toml` beside a feature's file."""
    return OneOf(read_table(file, "choices")[option], read)


class Suggested(app_commands.Transformer[Evenhand]):
    """A text with autocompletion, of at most `most` characters."""

    def __init__(
        self, most: int, find: Callable[[App], Callable[..., Awaitable[list[str]]]], **more: object
    ) -> None:
        self._most, self._find, self._more = most, find, more

    @property
    def min_value(self) -> int:
        """The least number of characters."""
        return 1

    @property
    def max_value(self) -> int:
        """The greatest number of characters."""
        return self._most

    async def transform(self, _: Interaction, value: str, /) -> str:
        """Return the typed text."""
        return value

    async def autocomplete(
        self, interaction: Interaction, value: float | str, /
    ) -> list[app_commands.Choice[Any]]:
        """Return the suggestions for a text."""
        return choice_list(await self._find(interaction.client.app)(caller(interaction), value, **self._more))


class SuggestedRoller(Suggested):
    """A roller's name, as recorded or as displayed, or another text."""

    async def transform(self, _: Interaction, value: str, /) -> str:
        """Return the recorded name."""
        return recorded_roller(value)


def choice_list(texts: Iterable[str]) -> list[app_commands.Choice[Any]]:
    """Return texts as autocomplete choices; Discord takes 25 at most."""
    return [
        app_commands.Choice(name=roller_name(None, spoken(text))[:_CHOICE], value=text) for text in texts
    ][:_MOST]


Name = app_commands.Range[str, 1, 32]
DiceText = app_commands.Range[str, 1, 200]
Label = app_commands.Range[str, 1, 80]
Times = app_commands.Range[int, 1, 20]
_SEEN = offered(__file__, "seen", Visibility)
Seen = app_commands.Transform[Visibility, _SEEN]
AnyDice = app_commands.Transform[str, SuggestedRoller(200, lambda app: app.rolling.suggest)]
"""Dice, suggesting the campaign's rollers and the user's recent rolls."""
DiceOrSaved = app_commands.Transform[str, SuggestedRoller(200, lambda app: app.rolling.suggest, saved=True)]
"""The same, with the user's saved rolls first."""
RollerName = app_commands.Transform[str, SuggestedRoller(32, lambda app: app.rollers.suggest)]
AccountName = app_commands.Transform[str, Suggested(32, lambda app: app.rollers.suggest, kind=LuckAccount)]
"""Luck accounts of the campaign."""
DeckName = app_commands.Transform[str, Suggested(200, lambda app: app.rollers.suggest, kind=CARD_SYSTEMS)]
MapName = app_commands.Transform[str, Suggested(32, lambda app: app.rollers.suggest, kind=Destinator)]
RolledName = app_commands.Transform[str, SuggestedRoller(64, lambda app: app.reports.suggest)]
"""Rollers and dice with rolls in this campaign."""
CharacterName = app_commands.Transform[str, Suggested(32, lambda app: app.characters.suggest)]
"""The user's characters."""
CampaignName = app_commands.Transform[str, Suggested(32, lambda app: app.campaigns.suggest)]
"""Campaigns of this server."""


def read_reference(text: str | None) -> tuple[int | None, int | None]:
    """Return the user id or the event number that was typed into an option for a name; None for either."""
    match = _REFERENCE.fullmatch(text.strip()) if text else None
    person, number = (match["person"], match["number"]) if match else (None, None)
    return int(person) if person else None, int(number) if number else None


def must_be_once(*typed: object) -> None:
    """Raise SpecError if a person or a number was given in two ways."""
    if sum(1 for value in typed if value) > 1:
        raise SpecError("The player or the number is there twice. Leave one out.")


def roll_options(
    label: str = "", visibility: Visibility | None = None, *, practice: bool = False, thrown: str = ""
) -> RollOptions:
    """Return a roll's options; a `visibility` of None leaves it to the campaign's rules.

    Raise SpecError if `thrown` can't be parsed.
    """
    by_hand = read_thrown(coins(thrown)) if thrown else ()
    return RollOptions(clean(label) if label else "", visibility, practice=practice, thrown=by_hand)

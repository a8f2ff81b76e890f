"""Option types and choices that several commands offer."""

from collections.abc import Iterable

from discord import app_commands

from bot.campaign.command import RollOptions
from bot.campaign.visibility import Visibility
from bot.dice.names import clean

Name = app_commands.Range[str, 1, 32]
DiceText = app_commands.Range[str, 1, 200]
Label = app_commands.Range[str, 1, 80]

VISIBILITIES = [
    app_commands.Choice(name="public: everybody", value=Visibility.PUBLIC),
    app_commands.Choice(name="self: only you", value=Visibility.SELF),
    app_commands.Choice(name="gm: you and the game masters", value=Visibility.GM),
    app_commands.Choice(name="blind: only the game masters", value=Visibility.BLIND),
]


def roll_options(label: str = "", visibility: str | None = None, *, practice: bool = False) -> RollOptions:
    """Return a roll's options as somebody chose them; no visibility leaves it to the campaign's rules."""
    return RollOptions(clean(label), Visibility(visibility) if visibility else None, practice=practice)


def choices(texts: Iterable[str]) -> list[app_commands.Choice[str]]:
    """Return an autocomplete list of texts; Discord takes 25 at most."""
    return [app_commands.Choice(name=text, value=text) for text in texts][:25]

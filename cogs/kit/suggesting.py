"""What commands suggest while somebody types one of their options; Discord takes 25 at most."""

from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any

from discord import app_commands

from bot.app import App
from bot.campaign.caller import Caller
from cogs.kit.context import Interaction, caller


def choices(texts: Iterable[str]) -> list[app_commands.Choice[str]]:
    """Return an autocomplete list of texts; Discord takes 25 at most."""
    return [app_commands.Choice(name=text, value=text) for text in texts][:25]


def _suggest(
    find: Callable[[App, Caller, str], Awaitable[list[str]]],
) -> Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    async def suggest(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return choices(await find(interaction.client.app, caller(interaction), typed))

    return suggest


DICE = _suggest(lambda app, asker, typed: app.rolling.suggest(asker, typed))
"""Rollers of the campaign, and one's own recent rolls."""
DICE_AND_SAVED = _suggest(lambda app, asker, typed: app.rolling.suggest(asker, typed, saved=True))
"""One's saved rolls before them."""
ROLLERS = _suggest(lambda app, asker, typed: app.rollers.suggest(asker, typed))
ACCOUNTS = _suggest(lambda app, asker, typed: app.rollers.suggest_accounts(asker, typed))
"""Luck accounts of the campaign."""
DECKS = _suggest(lambda app, asker, typed: app.rollers.suggest_decks(asker, typed))
MAPS = _suggest(lambda app, asker, typed: app.rollers.suggest_maps(asker, typed))
SAVED = _suggest(lambda app, asker, typed: app.saved.suggest(asker, typed))
"""One's saved rolls."""
ROLLED = _suggest(lambda app, asker, typed: app.reports.suggest(asker, typed))
"""Rollers and dice that were rolled here."""
CAMPAIGNS = _suggest(lambda app, asker, typed: app.campaigns.suggest(asker, typed))
"""Campaigns of this server."""

"""/roller: make, change, reset, undo, remove, list and export a campaign's rollers."""

from io import BytesIO

import discord

from bot.campaign.events import Rolled, RollerReset
from bot.campaign.roller_commands import RemoveRoller, ResetRoller
from bot.client import Evenhand
from bot.systems.registry import CARD_SYSTEMS
from bot.words.saying import say
from cogs.kit.cards import edit, send
from cogs.kit.interactions import NAME, NUMBER, ButtonHandler, Interaction, caller, caller_and_campaign
from cogs.kit.options import RollerName
from cogs.roller import cards, lucky, words
from cogs.roller.making import ROLLER

PARTS = (cards, lucky)
"""Modules whose import adds their commands to the group."""


@ROLLER.command(name="list")
async def show(interaction: Interaction) -> None:
    """Show this campaign's rollers."""
    await _list(interaction)


@ROLLER.command()
async def reset(interaction: Interaction, name: RollerName) -> None:
    """Make a roller forget everything, after a question.

    :param name: Which roller
    """
    asker, campaign_id = await caller_and_campaign(interaction)
    roller, _ = await interaction.client.app.rollers.get(asker, name, for_masters=True)
    await send(interaction, words.confirm_reset(roller, campaign_id), private=True)


@ROLLER.command()
async def undo(interaction: Interaction, name: RollerName) -> None:
    """Undo the newest thing that happened to a roller.

    :param name: Which roller
    """
    event, undone = await interaction.client.app.rollers.undo(caller(interaction), name)
    await send(interaction, lambda: words.undone(event, undone))
    if undone and isinstance(undone.body, Rolled) and undone.target:
        # A roll for a group call is shown on its board.
        interaction.client.dispatch("call_changed", undone.campaign_id, undone.target)


@ROLLER.command()
async def remove(interaction: Interaction, name: RollerName) -> None:
    """Remove a roller. Its history stays.

    :param name: Which roller
    """
    done = await interaction.client.app.ask(caller(interaction), RemoveRoller(name))
    await send(interaction, lambda: words.removed(done.event))


@ROLLER.command()
async def export(interaction: Interaction, name: RollerName) -> None:
    """Get a roller as JSON, to import it elsewhere.

    :param name: Which roller
    """
    roller, _ = await interaction.client.app.rollers.get(caller(interaction), name)
    file = discord.File(BytesIO(words.exported_json(roller).encode()), "roller.json")
    await send(interaction, words.exported(roller), file=file, private=True)


async def _list(interaction: Interaction) -> None:
    rollers = await interaction.client.app.rollers.present(caller(interaction))
    await send(interaction, words.listing(rollers), private=True)


async def _reset(interaction: Interaction, shown_in: int, name: str) -> None:
    """Reset a roller, and announce it."""
    done = await interaction.client.app.ask(caller(interaction, shown_in), ResetRoller(name))
    await edit(interaction, lambda: say("Done."))
    body, held_cards = done.event.body, 0
    if isinstance(body, RollerReset) and body.before and isinstance(body.before.system, CARD_SYSTEMS):
        held_cards = await interaction.client.app.hands.count(caller(interaction), name)
    await send(interaction, lambda: words.reset(done.event, held_cards))


LIST = ButtonHandler("roller-list", "Show the rollers", _list)
RESET = ButtonHandler("reset", "Reset it", _reset, NUMBER, NAME, style="danger", once=True)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    bot.tree.add_command(ROLLER)

"""/admin: settings of a campaign or server, resets of rollers, and deletion of a server's data."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

import discord
from discord import app_commands
from discord.ext import commands

from bot.campaign.campaigns import HAND_LIMIT, PACE_LIMIT, Footer, Looks, RightHolder, Rules
from bot.campaign.kinds import LONGEST_RETENTION, Visibility
from bot.client import Evenhand
from bot.dice.errors import NotAllowed, SpecError
from bot.words.saying import say
from cogs.admin import words
from cogs.admin.setting import FOOTERS, LANGUAGES, LOOKS, VISIBILITIES, WHOSE, set_rules, settings_list
from cogs.kit.barred import explain_bar, find_bar
from cogs.kit.cards import edit, send
from cogs.kit.interactions import (
    NAME,
    NUMBER,
    ButtonHandler,
    Field,
    Interaction,
    PersistentForm,
    caller,
    caller_and_campaign,
    lacks_to_post,
    only_once,
)
from cogs.kit.options import RollerName, offered

CHANNELS, SCOPES = offered(__file__, "channels"), offered(__file__, "scopes")
Place: TypeAlias = discord.TextChannel | discord.Thread
_ONE = "roller"
_AIM = (NUMBER, Field(f"{_ONE}|campaign"), NAME)
"""Campaign, scope and roller."""


@app_commands.default_permissions(manage_guild=True)
class AdminCog(commands.GroupCog, name="admin", description="Change settings, reset rollers, erase data."):
    """Commands for game masters and server managers."""

    @app_commands.command()
    async def settings(
        self,
        interaction: Interaction,
        visibility: app_commands.Transform[Visibility, VISIBILITIES] | None = None,
        makers: app_commands.Transform[RightHolder, WHOSE] | None = None,
        odds: app_commands.Transform[RightHolder, WHOSE] | None = None,
        called_only: bool | None = None,  # noqa: FBT001 (an option of the command)
        pace: app_commands.Range[int, 0, PACE_LIMIT] | None = None,
        retention: app_commands.Range[int, 0, LONGEST_RETENTION] | None = None,
        footer: app_commands.Transform[Footer, FOOTERS] | None = None,
        by_hand: bool | None = None,  # noqa: FBT001 (an option of the command)
        d6_only: bool | None = None,  # noqa: FBT001 (an option of the command)
        d100_zero: bool | None = None,  # noqa: FBT001 (an option of the command)
        hand: app_commands.Range[int, 0, HAND_LIMIT] | None = None,
        faces: bool | None = None,  # noqa: FBT001 (an option of the command)
        looks: app_commands.Transform[Looks, LOOKS] | None = None,
        language: app_commands.Transform[str, LANGUAGES] | None = None,
        log: Place | None = None,
        gm_channel: Place | None = None,
        stop: app_commands.Transform[str, CHANNELS] | None = None,
        server: bool = False,  # noqa: FBT001, FBT002 (an option of the command)
        campaigns: app_commands.Range[int, 1, 1_000] | None = None,
    ) -> None:
        """Show the campaign's settings, or change the ones you fill in.

        :param visibility: Who sees a roll, unless it says otherwise
        :param makers: Who may make rollers
        :param odds: Who may see the odds of the next roll
        :param called_only: Count only called rolls: rollers forget all others
        :param pace: Rolls per player in five seconds (0: the bot's own limit)
        :param footer: How much stands under a roll
        :param retention: Days to keep the history: 30 to 3,650 (0: as long as possible)
        :param by_hand: Let rollers with a memory remember dice thrown by hand
        :param d6_only: Throw only d6s: they make all other plain dice
        :param d100_zero: Count 00 as 0 in `/d100`, and not as 100
        :param hand: Cards that players hold again after each play (0: they draw themselves)
        :param faces: Draw the dice in results, or write them
        :param looks: Show messages as cards or as plain text
        :param language: The language of what everybody reads
        :param log: Show each public roll in this channel too
        :param gm_channel: Announce blind and hidden rolls in this channel, without results
        :param stop: Turn one of these channels off
        :param server: Set it for the whole server (needs Manage Server)
        :param campaigns: Campaigns this server may have (needs Manage Server)
        """
        options: dict[str, object] = {
            "visibility": visibility,
            "makers": makers,
            "odds": odds,
            "called_only": called_only,
            "pace": pace,
            "retention": retention,
            "footer": footer,
            "by_hand": by_hand,
            "d6_only": d6_only,
            "d100_zero": d100_zero,
            "hand": hand,
            "faces": faces,
            "looks": looks,
            "language": language,
            "log_channel": log and log.id,
            "gm_channel": gm_channel and gm_channel.id,
        }
        service = interaction.client.app.campaigns
        # A server's settings apply to all of its campaigns, so no campaign is looked up.
        asker, campaign_id = (caller(interaction), 0) if server else await caller_and_campaign(interaction)
        limit = service.retention
        changes = {name: value for name, value in options.items() if value is not None}
        if stop in changes:
            raise SpecError("Choose that channel, or stop it. Leave one out.")
        changes |= {stop: 0} if stop else {}
        before = await (service.usual if server else service.rules)(asker)
        rules = replace(before, **changes)
        places = [place for place in (log, gm_channel) if place]
        lacking = {place.id: lacks for place in places if (lacks := _lacks(interaction, place))}
        service.check(changes)
        # Last, because nothing else can be refused to whoever may do this.
        if campaigns is not None:
            await service.allow(asker, campaigns)
        if rules == before:
            card = words.settings(rules, await service.allowed(asker), limit, server=server)
            lists = [settings_list(campaign_id)] if not server and await service.leads(asker) else []
            await send(interaction, card, *lists, private=True)
            if barred := await _barred(interaction, rules):
                await send(interaction, "\n".join(barred), private=True)
        elif server:
            changed = await service.set_usual(asker, changes)
            await send(interaction, lambda: words.usual_changed(asker.user_id, *changed, limit))
        else:
            await set_rules(interaction, asker, before, changes)
        if lacking:
            await send(interaction, words.lacking(lacking), private=True)

    @app_commands.command()
    async def reset(
        self, interaction: Interaction, scope: app_commands.Transform[str, SCOPES], roller: RollerName = ""
    ) -> None:
        """Make rollers forget everything, after a question.

        :param scope: What to reset
        :param roller: Which roller, if only one
        """
        if (scope == _ONE) != bool(roller):
            raise SpecError("Say which roller, or choose all rollers of the campaign.")
        asker, campaign_id = await caller_and_campaign(interaction)
        rollers = await interaction.client.app.rollers.aimed(asker, _name(scope, roller))
        await send(interaction, words.confirm_reset(rollers, campaign_id, scope, roller), private=True)

    @app_commands.command()
    async def erase(self, interaction: Interaction) -> None:
        """Delete everything stored for this server, after a question."""
        campaigns, events = await interaction.client.app.privacy.size(caller(interaction))
        await send(interaction, words.confirm_delete(campaigns, events), private=True)


def _lacks(interaction: Interaction, place: Place) -> list[str]:
    """Return the permissions that the bot lacks to post in a channel. Raise NotAllowed if the user can't."""
    threaded, member = isinstance(place, discord.Thread), interaction.user
    granted = place.permissions_for(member) if isinstance(member, discord.Member) else None
    if granted is None or lacks_to_post(granted, threaded=threaded):
        raise NotAllowed("You can't write in <#{id}> yourself. Choose another channel.", id=place.id)
    return lacks_to_post(place.permissions_for(place.guild.me), threaded=threaded)


async def _barred(interaction: Interaction, rules: Rules) -> list[str]:
    """Return why channels of the settings take no rolls, a sentence each."""
    guild = interaction.guild
    places = {"log": rules.log_channel, "gm_channel": rules.gm_channel} if guild else {}
    reasons = {option: await find_bar(guild, id_) for option, id_ in places.items() if guild and id_}
    return [explain_bar(reason, option, places[option]) for option, reason in reasons.items() if reason]


def _name(scope: str, roller: str) -> str:
    """Return the name of the roller to reset; "" for all."""
    return roller if scope == _ONE else ""


async def _ask_why(interaction: Interaction, shown_in: int, scope: str, roller: str) -> None:
    """Open the form if the presser may still reset."""
    await interaction.client.app.rollers.aimed(caller(interaction, shown_in), _name(scope, roller))
    await ResetForm.open(interaction, shown_in, scope, roller)


async def _undo(interaction: Interaction, campaign_id: int, interaction_id: int) -> None:
    """Undo a reset, and announce it."""
    rollers = interaction.client.app.rollers
    events = await rollers.undo_resets(caller(interaction), campaign_id, interaction_id)
    await send(interaction, lambda: words.reset_undone(events))


async def _delete(interaction: Interaction) -> None:
    """Delete the server's data if the presser may still do so."""
    await interaction.response.defer()
    await interaction.client.app.privacy.delete_home(caller(interaction))
    await edit(interaction, lambda: say(words.DELETED))


class ResetForm(PersistentForm, title="Reset", word="why", fields=_AIM, file=__file__):
    """Asks for the person and the reason of a reset; sending it resets."""

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Reset the rollers, and announce it with its reason."""
        reason = ": ".join(filter(None, (typed["who"], typed["why"])))
        shown_in, scope, roller = self.values
        name, app = _name(scope, roller), interaction.client.app
        asker = caller(interaction, shown_in)
        with only_once(interaction, self.custom_id):
            events = await app.rollers.reset(asker, name, reason)
        held_cards = await app.hands.count(asker, name)
        await send(interaction, lambda: words.reset_done(events, interaction.id, held_cards))


ASK_WHY = ButtonHandler("why", "Reset…", _ask_why, *_AIM, style="danger")
UNDO = ButtonHandler("undo-reset", "Undo", _undo, NUMBER, NUMBER)
DELETE = ButtonHandler("delete-home", "Delete it all", _delete, style="danger")


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(AdminCog())

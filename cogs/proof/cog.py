"""/proof: rolls derived from committed keys. /verify: a campaign's database against its tree."""

import logging

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot.answers import DISCORD_ERRORS, barrier
from bot.client import Evenhand
from bot.dice.errors import DiceError, Unavailable
from bot.record.checkpoint import ConsistencyProof
from bot.record.findings import Broken
from bot.services.proving import KeysInUse
from bot.services.verifying import read_kept
from cogs.kit.cards import send
from cogs.kit.interactions import ButtonHandler, Interaction, caller, caller_and_campaign
from cogs.kit.replies import proof_file
from cogs.kit.throttle import logged
from cogs.proof import words
from cogs.proof.buttons import take_rounds

_BARRED_SECONDS = 3_600
"""Seconds before the next attempt to show new keys in a channel that takes no messages."""
CheckpointText = app_commands.Range[str, 1, 400]
_log = logging.getLogger(__name__)


class ProofCog(commands.Cog, name="Proof"):
    """Show proof mode, give it new keys in time, and check a campaign's history."""

    def __init__(self, bot: Evenhand) -> None:
        self._bot = bot
        self._proving = bot.app.proving

    async def cog_load(self) -> None:
        """Start the renewal of keys."""
        self.renew.start()

    async def cog_unload(self) -> None:
        """Stop the renewal of keys."""
        self.renew.cancel()

    @commands.Cog.listener()
    async def on_round_awaited(self, campaign_id: int) -> None:
        """Fetch the round of drand that new keys wait for; if that fails, `renew` tries again."""
        with logged(_log, "A round of drand has to wait for a minute"):
            await take_rounds(self._bot, campaign_id)

    @tasks.loop(minutes=1)
    async def renew(self) -> None:
        """Renew the keys of campaigns with few left, and fetch awaited rounds of drand."""
        with logged(_log, "New keys have to wait for a minute"):
            for few in await self._proving.few_left():
                # Each process looks, but only one may publish new keys. A barred channel waits by itself:
                # where the campaign goes on in another, its keys come at once.
                leases, lease = self._bot.app.leases, f"keys of {few.campaign_id} in {few.channel_id}"
                if not (await leases.take(lease))[0]:
                    wait = 0
                    try:
                        wait = await self._renew(few)
                    finally:
                        await leases.give_back(lease, wait, 0)
            await take_rounds(self._bot)

    @app_commands.command()
    async def proof(self, interaction: Interaction) -> None:
        """Show proof mode, and switch it on or off."""
        asker, campaign_id = await caller_and_campaign(interaction)
        leads = await self._bot.app.campaigns.leads(asker)
        card = words.status(await self._proving.status(asker), campaign_id, leads=leads)
        await send(interaction, card, private=True)

    @app_commands.command()
    @app_commands.rename(checkpoint="from")
    async def verify(self, interaction: Interaction, checkpoint: CheckpointText | None = None) -> None:
        """Check this campaign's history, and get a checkpoint to keep.

        :param checkpoint: Prove that the history goes on from a checkpoint that you kept
        """
        await _verify(interaction, checkpoint or "")

    async def _renew(self, few: KeysInUse) -> int:
        """Publish new keys and commit to them; return in how many seconds it may be tried again there."""
        keys = self._proving.fresh_keys()
        channel = self._bot.get_partial_messageable(few.channel_id)
        try:
            message_id = await send(channel, lambda: words.renews(keys.root))
        except DISCORD_ERRORS as error:
            # Unpublished keys prove nothing.
            _log.warning("Campaign %d gets no new keys: %s", few.campaign_id, error)
            return _BARRED_SECONDS if barrier(error) else 0
        try:
            event = await self._proving.renew(few, keys, message_id or 0)
        except (DiceError, Unavailable) as error:
            _log.warning("Campaign %d gets no new keys: %s", few.campaign_id, error)
            event = None
        with logged(_log, "The use of the keys of campaign %d is not shown", few.campaign_id):
            await send(channel, lambda: words.active(event, message_id or 0) if event else words.failed())
        return 0


async def _verify(interaction: Interaction, checkpoint: str = "") -> None:
    """Check the campaign's history, or that it extends the given checkpoints; prove it from the oldest."""
    pasted = read_kept(checkpoint) if checkpoint else []
    await interaction.response.defer(ephemeral=True, thinking=True)
    asker, verifying = caller(interaction), interaction.client.app.verifying
    file: discord.File | None = None
    links = list[ConsistencyProof]()
    try:
        links = [await verifying.link(asker, old) for old in pasted]
        # A link compares hashes alone, which stay as they were where somebody changes an entry.
        checked = await verifying.check_current(asker)
        text = words.goes_on(links[0]) if links else words.holds(checked)
        file = proof_file(links[0]) if links else None
    except Broken as error:
        text = words.broken(error, await verifying.restores(asker), typed=len(links) < len(pasted))
    await send(interaction, text, file=file, private=True)


VERIFY = ButtonHandler("verify", "Check this history", _verify)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(ProofCog(bot))

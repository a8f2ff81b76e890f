"""/proof: rolls that follow from keys bound before. /verify: a campaign's database against its tree."""

import asyncio
import logging

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot.campaign.proof_commands import SALT_LIMIT, DropKeys, GiveSalt
from bot.client import Evenhand
from bot.dice.errors import DiceError
from bot.record.lineage import Broken
from bot.services.proving import KeysInUse
from bot.services.verifying import read_kept
from cogs.kit.interactions import Interaction, caller
from cogs.kit.replies import proof_file
from cogs.proof import words

Kept = app_commands.Range[str, 1, 400]
Salt = app_commands.Range[str, 1, SALT_LIMIT]
_log = logging.getLogger(__name__)


@app_commands.default_permissions(manage_guild=True)
class ProofCog(commands.GroupCog, name="proof", description="Rolls that follow from keys bound before."):
    """Switch proof mode on and off, and give it new keys in time."""

    def __init__(self, bot: Evenhand) -> None:
        self._bot = bot
        self._proving = bot.app.proving

    async def cog_load(self) -> None:
        """Start looking for keys that run out."""
        self.renew.start()

    async def cog_unload(self) -> None:
        """Stop it."""
        self.renew.cancel()

    @tasks.loop(minutes=1)
    async def renew(self) -> None:
        """Give new keys to campaigns that have few left, and ask for rounds of drand that are awaited."""
        try:
            for few in await self._proving.few_left():
                # Each process looks, and one of them is to show new keys.
                leases, lease = self._bot.app.leases, f"keys of {few.campaign_id}"
                if not (await leases.take(lease))[0]:
                    await self._renew(few)
                    await leases.give_back(lease, 0, 0)
            await self._take_rounds()
        except DiceError as error:
            _log.warning("New keys have to wait for a minute: %s", error)
        except Exception:  # noqa: BLE001 (the next round is not to hang on it)
            _log.exception("New keys have to wait for a minute")

    @app_commands.command()
    @app_commands.describe(
        second_hand="Who hosts the bot: others throw for them, and no press goes unseen",
        drand="Add a public random number that is not out yet: nobody can have tried keys until one pleased",
    )
    async def on(
        self,
        interaction: Interaction,
        second_hand: discord.User | None = None,
        drand: bool = False,  # noqa: FBT001, FBT002 (an option of the command)
    ) -> None:
        """Have every roll follow from a key that is bound beforehand, so that anybody can check it."""
        asking, host = caller(interaction), second_hand.id if second_hand else None
        keys = await self._proving.prepare(asking, drand=drand)
        # Everybody sees the root before the first key is used.
        await interaction.response.send_message(words.begins(asking.user_id, keys.root, host))
        try:
            message = await interaction.original_response()
            event = await self._proving.commit(asking, keys, message.id, host, drand=drand)
        except Exception:
            await interaction.edit_original_response(content=words.failed())
            raise
        text = words.begins(asking.user_id, keys.root, host, event)
        await interaction.edit_original_response(content=text)
        if drand:
            await self._take_rounds()

    @app_commands.command()
    async def off(self, interaction: Interaction) -> None:
        """Go back to plain rolls; the keys that are left are never used."""
        done = await self._bot.app.ask(caller(interaction), DropKeys())
        await interaction.response.send_message(words.dropped(done.event))

    @app_commands.command()
    async def status(self, interaction: Interaction) -> None:
        """Show whether proof mode is on, and how many keys are left; only you see the answer."""
        found = await self._proving.status(caller(interaction))
        await interaction.response.send_message(words.status(found), ephemeral=True)

    @app_commands.command()
    @app_commands.rename(text="words")
    @app_commands.describe(text="Any words; everybody sees them, and they stay in the history for good")
    async def salt(self, interaction: Interaction, text: Salt) -> None:
        """Give words of your own, on which the bits of rolls after them hang too."""
        command = GiveSalt(text)
        done = await self._bot.app.ask(caller(interaction), command)
        await interaction.response.send_message(words.salted(done.event, command.words))

    @app_commands.command()
    async def help(self, interaction: Interaction) -> None:
        """Show what proof mode proves, and what a host can still do; only you see the answer."""
        await interaction.response.send_message(words.HELP, ephemeral=True)

    async def _take_rounds(self) -> None:
        await asyncio.gather(*map(self._take_round, await self._proving.awaited()))

    async def _take_round(self, keys: KeysInUse) -> None:
        event = await self._proving.take_round(keys)
        try:
            if event:
                await self._bot.get_partial_messageable(keys.channel_id).send(words.came(event))
        except discord.HTTPException as error:
            _log.info("#%d is in the history alone: %s", keys.begun, error.text)

    async def _renew(self, few: KeysInUse) -> None:
        keys = self._proving.fresh_keys()
        channel = self._bot.get_partial_messageable(few.channel_id)
        try:
            message = await channel.send(words.renews(keys.root))
        except discord.HTTPException as error:
            # Keys that nobody was shown prove nothing.
            _log.warning("Campaign %d gets no new keys: %s", few.campaign_id, error.text)
            return
        try:
            event = await self._proving.renew(few, keys, message.id)
        except DiceError:
            await message.edit(content=words.failed())
            return
        await message.edit(content=words.renews(keys.root, event))


class VerifyCog(commands.Cog, name="Verify"):
    """Check a campaign's history."""

    @app_commands.command()
    @app_commands.rename(kept="from")
    @app_commands.describe(kept="A checkpoint that you kept: get the proof that the history goes on from it")
    async def verify(self, interaction: Interaction, kept: Kept | None = None) -> None:
        """Check this campaign's history, and get a checkpoint of it to keep; only you see the answer."""
        old = read_kept(kept) if kept else None
        await interaction.response.defer(ephemeral=True)
        asking, verifying = caller(interaction), interaction.client.app.verifying
        files: list[discord.File] = []
        try:
            if old:
                link = await verifying.link(asking, old)
                text, files = words.goes_on(link), [proof_file(link)]
            else:
                text = words.holds(await verifying.here(asking))
        except Broken as error:
            text = words.broken(error, await verifying.restores(asking))
        await interaction.followup.send(text, files=files, ephemeral=True)


async def setup(bot: Evenhand) -> None:
    """Add the cogs."""
    await bot.add_cog(ProofCog(bot))
    await bot.add_cog(VerifyCog())

"""Buttons and forms of /proof: switch proof mode on and off, give salt, read the help."""

import asyncio
import logging
from collections.abc import Mapping

from bot.campaign.proof_commands import DropKeys, GiveSalt, clean_salt, must_be_on
from bot.client import Evenhand
from bot.services.proving import KeysInUse
from bot.words.saying import say
from cogs.kit.cards import send
from cogs.kit.interactions import NUMBER, ButtonHandler, Interaction, PersistentForm, caller, lacks_here
from cogs.kit.throttle import logged
from cogs.proof import words

_log = logging.getLogger(__name__)


class KeysForm(
    PersistentForm, title="Switch proof mode on", word="proof-keys", fields=(NUMBER,), file=__file__
):
    """Asks for the bot's host, and whether drand is used as salt; sending it switches proof mode on."""

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Publish the commitment to new keys, then activate them."""
        proving, asker = interaction.client.app.proving, caller(interaction, *self.values)
        host, drand = int(typed["host"] or 0) or None, bool(typed["drand"])
        keys = await proving.prepare(asker, drand=drand)
        # Everybody sees the root before the first key is used.
        await send(interaction, lambda: words.begins(asker.user_id, keys.root, host))
        try:
            message = await interaction.original_response()
            event = await proving.commit(asker, keys, message.id, host, drand=drand)
        except Exception:
            await send(interaction, words.failed)
            raise
        await send(interaction, lambda: words.active(event, message.id))
        if lacks := lacks_here(interaction):
            await send(interaction, words.lacking(lacks), private=True)
        if drand:
            # A stop waits for answers, and this one is given: the round may take long.
            interaction.client.dispatch("round_awaited", event.campaign_id)


class SaltForm(PersistentForm, title="Give words", word="proof-words", fields=(NUMBER,), file=__file__):
    """Asks for words that become salt."""

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Show the words to everybody, then record them as salt."""
        app, asker, salt = (
            interaction.client.app,
            caller(interaction, *self.values),
            clean_salt(typed["words"]),
        )
        must_be_on(await app.proving.status(asker))
        # Words that nobody saw before a press could have been chosen after it.
        await send(interaction, lambda: words.salts(asker.user_id, salt))
        try:
            message = await interaction.original_response()
            await app.ask(asker, GiveSalt(salt, message.id))
        except Exception:
            await send(interaction, words.unsalted)
            raise


async def take_rounds(bot: Evenhand, campaign_id: int | None = None) -> None:
    """Fetch the rounds of drand that are due, of one campaign or all; announce each where its keys were."""
    due = await bot.app.proving.awaited(bot.tree.now())
    await asyncio.gather(*(_take_round(bot, keys) for keys in due if campaign_id in {None, keys.campaign_id}))


async def _take_round(bot: Evenhand, keys: KeysInUse) -> None:
    event = await bot.app.proving.take_round(keys)
    if event:
        with logged(_log, "#%d is in the history alone", event.seq):
            await send(bot.get_partial_messageable(keys.channel_id), lambda: words.drand_arrived(event))


async def _ask_keys(interaction: Interaction, shown_in: int) -> None:
    """Open the form if the presser may switch proof mode on."""
    await interaction.client.app.proving.prepare(caller(interaction, shown_in))
    await KeysForm.open(interaction, shown_in)


async def _drop(interaction: Interaction, shown_in: int) -> None:
    """End proof mode, and announce it."""
    done = await interaction.client.app.ask(caller(interaction, shown_in), DropKeys())
    await send(interaction, lambda: words.dropped(done.event))


async def _help(interaction: Interaction) -> None:
    await send(interaction, "\n".join(map(say, words.HELP)), private=True)


ON = ButtonHandler("proof-on", "Switch on…", _ask_keys, NUMBER)
OFF = ButtonHandler("proof-off", "Switch off", _drop, NUMBER)
WORDS = ButtonHandler("proof-salt", "Give words…", SaltForm.open, NUMBER)
HELP = ButtonHandler("proof-help", "What it proves", _help)

"""A bot on discord.py's own views sits at the table: what it sends, reads back, edits, and is pressed."""

import io
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import discord as library
import pytest
from discord import app_commands, ui
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from tests.play.cards import ALT, V2
from tests.play.evening import drawn
from tests.support.discord import Discord, discord
from tests.support.openapi import faults_of


class Why(ui.Modal, title="Why?"):
    """A form whose answers the bot says again."""

    kind: ui.Label[Any] = ui.Label(
        text="Kind",
        component=ui.RadioGroup(
            custom_id="kind", options=[library.RadioGroupOption(label=n, value=n) for n in ("str", "dex")]
        ),
    )
    keep: ui.Label[Any] = ui.Label(text="Keep it", component=ui.Checkbox(custom_id="keep"))

    async def on_submit(self, interaction: library.Interaction[Any]) -> None:
        """Say what was chosen."""
        kind, keep = self.kind.component, self.keep.component
        assert isinstance(kind, ui.RadioGroup)
        assert isinstance(keep, ui.Checkbox)
        await interaction.response.send_message(view=Card(f"{kind.value}, {keep.value}"))


class Card(ui.LayoutView):
    """A text with a button beside it, in a container, and a picture where there is one."""

    def __init__(self, said: str, *, picture: bool = False) -> None:
        super().__init__(timeout=None)
        edit: ui.Button[Any] = ui.Button(label="Edit", custom_id="edit")
        ask: ui.Button[Any] = ui.Button(label="Ask", custom_id="ask")
        edit.callback, ask.callback = self.edit, self.ask
        box: ui.Container[Any] = ui.Container(ui.Section(ui.TextDisplay(said), accessory=edit))
        if picture:
            gallery: ui.MediaGallery[Any] = ui.MediaGallery()
            box.add_item(gallery.add_item(media="attachment://odds.png", description=ALT))
        box.add_item(ui.ActionRow(ask))
        self.add_item(box)

    async def edit(self, interaction: library.Interaction[Any]) -> None:
        """Say something else, and keep the picture, whose id is in the message's own components."""
        assert interaction.message
        assert interaction.message.attachments == []
        (box,) = interaction.message.components
        assert isinstance(box, library.Container)
        (gallery,) = (part for part in box.children if isinstance(part, library.MediaGalleryComponent))
        number = gallery.items[0].media.attachment_id or 0
        about: Any = {"id": number, "filename": "odds.png", "size": 0, "url": "", "proxy_url": ""}
        kept = library.Attachment(data=about, state=interaction._state)
        await interaction.response.edit_message(view=Card("edited", picture=True), attachments=[kept])

    async def ask(self, interaction: library.Interaction[Any]) -> None:
        """Show the form."""
        await interaction.response.send_modal(Why())


class Rolls(commands.Cog):
    """The bot's one command."""

    @app_commands.command()
    async def roll(self, interaction: library.Interaction[Any]) -> None:
        """Roll."""
        file = library.File(io.BytesIO(drawn("PNG")), "odds.png")
        await interaction.response.send_message(view=Card("sent", picture=True), file=file)


@asynccontextmanager
async def seated(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Discord]:
    """A table at which that bot sits."""
    async with discord(folder) as d:
        monkeypatch.setattr(Route, "BASE", d.table.api)
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", URL(d.table.gateway.address))
        bot = commands.AutoShardedBot("!", intents=library.Intents(guilds=True))
        async with bot:
            await bot.add_cog(Rolls())
            await bot.login(d.table.token)
            await bot.tree.sync()
            connected = bot.loop.create_task(bot.connect())
            await d.ready()
            yield d
        await connected


async def test_a_bot_on_views(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its card is pressed and edited and keeps its picture; its form takes a choice and a box."""
    async with seated(tmp_path, monkeypatch) as d:
        card = await d.says(d.ann, "/roll")
        assert (card.flags, card.text) == (V2, "sent")
        await d.press(d.bob, card, "Edit")
        edited = d.message(card.id)
        assert edited.text == "edited"
        assert [file["filename"] for file in edited.attachments] == ["odds.png"]
        asked = await d.press(d.ann, card, "Ask")
        sent = await d.submit(d.ann, asked, kind=["dex"], keep=True)  # type: ignore[arg-type]
        assert (await d.answer(sent)).text == "dex, True"
        assert faults_of(d.requests) == []

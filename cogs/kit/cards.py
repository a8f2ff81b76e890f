"""Send and edit cards in Discord: features call nothing else of discord.py that people see.

What Discord does not take is shown in another way: a card as text, a file as the reason why it is missing.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

import discord
from discord.abc import Messageable
from discord.ui import Item

from bot.answers import CLOSED_CODES, UNANSWERED
from bot.campaign.campaigns import USUAL, Looks, Rules
from bot.client import Evenhand
from bot.words.cards import Card, Picture, Small, plain, text_card
from bot.words.languages import SPOKEN, Language, language, speaking
from bot.words.text import NO_PICTURES, Pictures, no_file
from cogs.kit.interactions import Interaction, caller, parts_of
from cogs.kit.layout import Components, lay_out, rows

_INVALID, _LACKS_RIGHT = 50035, 50013
_ROWS = 5
"""Rows of buttons and lists under a text."""
_NO_FILES = {400, 403, 413}
"""How Discord refuses a message for the file that goes with it."""

_TEXT_ALONE, _CARDS_FIRST = (Looks.TEXT,), (Looks.CARDS, Looks.TEXT)

_log = logging.getLogger(__name__)

_Post: TypeAlias = Callable[..., Awaitable[Any]]
Telling: TypeAlias = Card | str | Callable[[], Card | str]
"""What a message says; what all can read says it once it is asked to, in the language of the place."""


@dataclass(frozen=True, slots=True)
class Attached:
    """A file of a message, which an edit keeps by naming it."""

    filename: str
    id: int
    alt: str = ""

    def to_dict(self) -> dict[str, object]:
        """Return what Discord is told."""
        return {"id": self.id, "filename": self.filename}


async def send(
    to: Interaction | Messageable,
    words: Telling,
    *lists: Item[Any],
    file: discord.File | str | None = None,
    private: bool = False,
    calls: discord.AllowedMentions | None = None,
    looks: Looks | None = None,
    rules: Rules | None = None,
) -> int | None:
    """Send a card as the next answer to an interaction, or to a channel; return its message's id if known.

    A text is a card that says it. `rules` are those of its campaign, which are looked up where they are
    missing; `looks` goes before them.

    A text for a file says why there is none. A card that `calls` people is sent as text and then edited, for
    a phone shows nothing of a card that it rings for. So is a deferred one with a picture: Discord refuses a
    new file in a picture of such an answer, and takes one that is there (discord-api-docs#7529).
    """
    interaction = _as_interaction(to)
    more = {"allowed_mentions": calls} if calls else dict[str, Any]()
    if rules is None and (not looks or (callable(words) and not private)):
        rules = await _rules(interaction)
    looks = looks or (rules or USUAL).looks
    post: _Post
    if interaction is None or interaction.response.is_done():
        post, answers = (interaction.followup if interaction else cast("Messageable", to)).send, False
    else:
        post, answers = interaction.response.send_message, True
    if interaction:
        more |= {"ephemeral": private, **({"wait": True} if not answers else {})}
    public = callable(words) and not private
    with speaking(spoken_in(interaction, rules or USUAL) if public else SPOKEN.get()):
        message = _Message(_card(words), lists, file)
        twice = bool(calls) or (interaction is not None and not answers and message.draws)
        sent = await message.show(post, _TEXT_ALONE if twice or looks is Looks.TEXT else _CARDS_FIRST, more)
        if twice and looks is Looks.CARDS:
            await message.turn(
                interaction.edit_original_response if interaction and answers else sent.edit, sent
            )
    return getattr(sent, "message_id", None) or getattr(sent, "id", None)


async def edit(
    what: Interaction | discord.PartialMessage,
    words: Telling,
    *lists: Item[Any],
    file: discord.File | str | None = None,
    kept: Attached | None = None,
    looks: Looks | None = None,
) -> Any:  # noqa: ANN401 (what discord.py returns: the message, or nothing)
    """Make a message a card: an interaction's own, or any other. Of its files one may be `kept`, no other is.

    A text is a card that says it.
    What is made of components stays so, whatever its campaign `looks` like now.
    """
    interaction = _as_interaction(what)
    public = callable(words) and _in_public(interaction)
    rules = await _rules(interaction) if public or looks is None else USUAL
    looks = looks or rules.looks
    post: _Post
    if interaction is None:
        post = cast("discord.PartialMessage", what).edit
    else:
        if interaction.message and interaction.message.flags.components_v2:
            looks = Looks.CARDS
        done = interaction.response.is_done()
        post = interaction.edit_original_response if done else interaction.response.edit_message
    order = _CARDS_FIRST if looks is Looks.CARDS else _CARDS_FIRST[::-1]
    with speaking(spoken_in(interaction, rules) if public else SPOKEN.get()):
        return await _Message(_card(words), lists, file, edits=True, kept=kept).show(post, order, {})


async def defer(interaction: Interaction, *, private: bool = False) -> None:
    """Have somebody wait for an answer that takes long, and speak from now on as those do who read it."""
    await interaction.response.defer(ephemeral=private, thinking=True)
    if not private:
        SPOKEN.set(spoken_in(interaction, await _rules(interaction)))


async def finish(interaction: Interaction, card: Card, file: discord.File | str) -> None:
    """Make a deferred answer that was text until now a card with its picture."""
    message = _Message(card, (), file, edits=True)
    sent = await message.show(interaction.edit_original_response, _TEXT_ALONE, {})
    if (await _rules(interaction)).looks is Looks.CARDS:
        await message.turn(interaction.edit_original_response, sent)


async def found(message: discord.PartialMessage, name: str) -> Attached | None:
    """Ask Discord, by an edit that changes nothing, for the file of that name in a message of the bot's."""
    return attached(await message.edit(allowed_mentions=discord.AllowedMentions.none()), name)


def why_no_file(error: discord.HTTPException) -> str | None:
    """Return why a message goes without its file; None where Discord refused it for something else."""
    if error.code in CLOSED_CODES or error.status not in _NO_FILES:
        return None
    return no_file(lacks_right=error.code == _LACKS_RIGHT)


def attached(message: discord.Message, name: str) -> Attached | None:
    """Return a message's file of that name; what a picture shows is not among its attachments."""
    files = [Attached(each.filename, each.id, each.description or "") for each in message.attachments]
    files += [
        Attached(
            item.media.url.partition("?")[0].rpartition("/")[2],
            item.media.attachment_id or 0,
            item.description or "",
        )
        for part in parts_of(message)
        if isinstance(part, discord.MediaGalleryComponent)
        for item in part.items
    ]
    return next((file for file in files if file.filename == name), None)


async def pictures_for(interaction: Interaction) -> Pictures:
    """Return the pictures of dice that messages show there; none where dice are text."""
    return pictures_of(interaction.client, await _rules(interaction))


def pictures_of(client: Evenhand, rules: Rules) -> Pictures:
    """Return the pictures of dice that messages show under these rules."""
    return client.pictures if rules.faces and rules.looks is Looks.CARDS else NO_PICTURES


def _as_interaction(where: object) -> Interaction | None:
    return cast("Interaction", where) if isinstance(where, discord.Interaction) else None


def spoken_in(interaction: Interaction | None, rules: Rules) -> Language | None:
    """Return the language of a campaign, else of the server in which somebody asks; None is English.

    Every server has a language in Discord, but only a community chooses it. Who is alone hears their own.
    """
    if rules.language:
        return language(rules.language)
    if interaction is None or interaction.guild_locale is None:
        return SPOKEN.get()
    guild = interaction.guild
    return language(interaction.guild_locale.value) if guild and "COMMUNITY" in guild.features else None


async def _rules(interaction: Interaction | None) -> Rules:
    """Return what holds in the campaign in which somebody asks; else the usual."""
    return await interaction.client.app.rolling.rules(caller(interaction)) if interaction else USUAL


def _in_public(interaction: Interaction | None) -> bool:
    """Return whether everybody sees what an edit changes."""
    return interaction is not None and not (interaction.message and interaction.message.flags.ephemeral)


def _card(words: Telling) -> Card:
    shown = words() if callable(words) else words
    return shown if isinstance(shown, Card) else text_card(shown)


@dataclass
class _Message:
    """What is shown of a card; `file` is what goes with it, or why nothing does."""

    card: Card
    lists: Sequence[Item[Any]]
    file: discord.File | str | None = None
    edits: bool = False
    kept: Attached | None = None

    @property
    def draws(self) -> bool:
        """Whether a picture of the card shows the file."""
        pictures = (block for block in self.card.blocks if isinstance(block, Picture))
        return isinstance(self.file, discord.File) and any(pictures)

    async def turn(self, change: _Post, sent: discord.Message | None) -> None:
        """Make a message that was sent as text a card, and keep its file."""
        kept, why = None, self.file if isinstance(self.file, str) else None
        if isinstance(self.file, discord.File) and sent:
            kept = attached(sent, self.file.filename)
        try:
            await change(**_Message(self.card, self.lists, why, edits=True, kept=kept).body(Looks.CARDS))
        except UNANSWERED as error:
            _log.warning("A message stays text: %s", error)

    async def show(self, post: _Post, looks: Sequence[Looks], more: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Show it in the first of these looks that Discord takes, and else without its file.

        Return what discord.py returns.
        """
        look, others = looks[0], looks[1:]
        while True:
            try:
                return await post(**self.body(look), **more)
            except discord.HTTPException as error:
                if error.code in CLOSED_CODES:
                    raise
                if error.code == _INVALID and others:
                    look, others = others[0], others[1:]
                elif isinstance(self.file, discord.File) and (why := why_no_file(error)):
                    self.file = why
                    look, others = looks[0], looks[1:]
                else:
                    raise
                _log.warning("Discord refused a message, so it is shown in another way: %s", error)
                if isinstance(self.file, discord.File):
                    self.file.reset()

    def body(self, look: Looks) -> dict[str, Any]:
        """Return what discord.py is given."""
        file = self.file if isinstance(self.file, discord.File) else None
        card = _without_picture(self.card, self.file) if isinstance(self.file, str) else self.card
        body: dict[str, Any] = {"file": file} if file else {}
        if self.edits:
            # What a message has in the older look is taken away, which discord.py does not do by itself.
            kept = file or self.kept
            body = {"attachments": [kept] if kept else [], "content": None, "embeds": []}
        if look is Looks.TEXT:
            shown = rows(card.below(_ROWS - len(self.lists)), card.columns, self.lists)
            view = {"view": Components(shown)} if self.edits or shown else {}
            return {**body, "content": plain(card), **view}
        return {
            **body,
            "view": lay_out(card, *self.lists, file=shown.filename if (shown := file or self.kept) else None),
        }


def _without_picture(card: Card, why: str) -> Card:
    """Return a card that says why it has no picture, in its place or at its end."""
    reason = Small(why)
    blocks = [reason if isinstance(block, Picture) else block for block in card.blocks]
    return replace(card, blocks=(*blocks, *(() if reason in blocks else (reason,))))

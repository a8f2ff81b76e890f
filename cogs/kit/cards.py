"""Send and edit cards in Discord: the only way in which features show a message.

If Discord refuses a message, it is sent in another form: a card as text, or the reason in place of a file.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeAlias, cast

import discord
from discord.abc import Messageable
from discord.ui import Item, MediaGallery

from bot.answers import CLOSED_CODES, DISCORD_ERRORS
from bot.campaign.campaigns import USUAL, Looks, Rules
from bot.client import Evenhand
from bot.words.cards import Card, Picture, Small, plain, text_card
from bot.words.languages import SPOKEN, Language, language, speaking
from bot.words.text import NO_PICTURES, Pictures, no_file
from cogs.kit.interactions import Interaction, caller, parts_of
from cogs.kit.layout import Components, lay_out, rows

_INVALID, _LACKS_RIGHT = 50035, 50013
_ROWS = 5
"""Most rows of buttons and lists under a text."""
_NO_FILES = {400, 403, 413}
"""HTTP statuses with which Discord refuses a message because of its file."""

_TEXT_ALONE, _CARDS_FIRST = (Looks.TEXT,), (Looks.CARDS, Looks.TEXT)

_log = logging.getLogger(__name__)

_Post: TypeAlias = Callable[..., Awaitable[Any]]
Content: TypeAlias = Card | str | Callable[[], Card | str]
"""A message's content, or a function that makes it in the language of the place, for public messages."""


@dataclass(frozen=True, slots=True)
class Attached:
    """A file attached to a message. An edit keeps it by passing it again."""

    filename: str
    id: int
    alt: str = ""

    def to_dict(self) -> dict[str, object]:
        """Return the file as an entry of Discord's `attachments`."""
        return {"id": self.id, "filename": self.filename}


async def send(
    to: Interaction | Messageable,
    content: Content,
    *lists: Item[Any],
    file: discord.File | str | None = None,
    private: bool = False,
    calls: discord.AllowedMentions | None = None,
    looks: Looks | None = None,
    rules: Rules | None = None,
) -> int | None:
    """Send a card as the next answer to an interaction, or to a channel; return the message's id if known.

    A string becomes a card of one text. `rules` are the campaign's, looked up if they are missing; `looks`
    overrides them. A string as `file` is the reason why there is no file.

    A card that `calls` people is sent as text and then edited, because a phone's notification shows nothing
    of a card. So is a deferred answer with a picture: Discord refuses a new file in a picture of such an
    answer, and takes one that is already attached (discord-api-docs#7529).
    """
    interaction = _as_interaction(to)
    public = callable(content) and not private
    looks, spoken = await _looks_and_language(interaction, looks, rules, public=public)
    more: dict[str, Any] = {"allowed_mentions": calls} if calls else {}
    answers = interaction is not None and not interaction.response.is_done()
    post: _Post
    if interaction is None:
        post = cast("Messageable", to).send
    elif answers:
        post, more["ephemeral"] = interaction.response.send_message, private
    else:
        post, more = interaction.followup.send, more | {"ephemeral": private, "wait": True}
    with speaking(spoken):
        message = _Message(_card(content), lists, file)
        twice = bool(calls) or (interaction is not None and not answers and message.draws)
        sent = await message.show(post, _TEXT_ALONE if twice or looks is Looks.TEXT else _CARDS_FIRST, more)
        if twice and looks is Looks.CARDS:
            await message.turn(
                interaction.edit_original_response if interaction and answers else sent.edit, sent
            )
    # The `id` of an interaction's first answer is the interaction's own.
    return sent.id if isinstance(sent, discord.Message) else getattr(sent, "message_id", None)


async def edit(
    target: Interaction | discord.PartialMessage,
    content: Content,
    *lists: Item[Any],
    file: discord.File | str | None = None,
    attachment: Attached | None = None,
    looks: Looks | None = None,
) -> Any:  # noqa: ANN401 (what discord.py returns: the message, or nothing)
    """Replace the content of an interaction's message, or of any other, by a card.

    The message keeps the file `attachment` and no other. A string becomes a card of one text.
    A message made of components stays one, whatever its campaign's `looks` are now.
    """
    interaction = _as_interaction(target)
    private = interaction and interaction.message and interaction.message.flags.ephemeral
    public = callable(content) and interaction is not None and not private
    looks, spoken = await _looks_and_language(interaction, looks, public=public)
    post: _Post
    if interaction is None:
        post = cast("discord.PartialMessage", target).edit
    else:
        if interaction.message and interaction.message.flags.components_v2:
            looks = Looks.CARDS
        done = interaction.response.is_done()
        post = interaction.edit_original_response if done else interaction.response.edit_message
    order = _CARDS_FIRST if looks is Looks.CARDS else _CARDS_FIRST[::-1]
    with speaking(spoken):
        message = _Message(_card(content), lists, file, edits=True, attachment=attachment)
        return await message.show(post, order, {})


async def defer(interaction: Interaction, *, private: bool = False) -> None:
    """Defer the answer, and speak from now on in the language of its readers."""
    await interaction.response.defer(ephemeral=private, thinking=True)
    if not private:
        SPOKEN.set(language_of_place(interaction, await _rules(interaction)))


async def finish(interaction: Interaction, card: Card, file: discord.File | str) -> None:
    """Turn a deferred answer that was text until now into a card with its picture."""
    message = _Message(card, (), file, edits=True)
    sent = await message.show(interaction.edit_original_response, _TEXT_ALONE, {})
    if (await _rules(interaction)).looks is Looks.CARDS:
        await message.turn(interaction.edit_original_response, sent)


async def attach(message: discord.PartialMessage, file: discord.File) -> Attached | str:
    """Attach a file to one of the bot's messages; return the reason instead if Discord refuses it.

    A later edit may show it: Discord refuses a new file in a picture of an edit (discord-api-docs#7529).
    """
    try:
        sent = await message.edit(attachments=[file])
    except discord.HTTPException as error:
        if error.status not in _NO_FILES:
            raise
        _log.warning("Discord refused a message's file: %s", error)
        return no_file(lacks_right=error.code == _LACKS_RIGHT)
    return attached(sent, file.filename) or no_file(lacks_right=False)


async def find_attached(message: discord.PartialMessage, name: str) -> Attached | None:
    """Fetch the file of that name in one of the bot's messages, by an edit that changes nothing."""
    return attached(await message.edit(allowed_mentions=discord.AllowedMentions.none()), name)


def attached(message: discord.Message, name: str) -> Attached | None:
    """Return a message's file of that name. Files of pictures are not in `message.attachments`."""
    for file in message.attachments:
        if file.filename == name:
            return Attached(name, file.id, file.description or "")
    galleries = (part for part in parts_of(message) if isinstance(part, MediaGallery))
    for item in chain.from_iterable(gallery.items for gallery in galleries):
        if item.media.url.partition("?")[0].endswith(f"/{name}"):
            return Attached(name, item.media.attachment_id or 0, item.description or "")
    return None


async def pictures_for(interaction: Interaction) -> Pictures:
    """Return the pictures of dice for an interaction's place; none if dice are shown as text."""
    return pictures_of(interaction.client, await _rules(interaction))


def pictures_of(client: Evenhand, rules: Rules) -> Pictures:
    """Return the pictures of dice that messages show under a campaign's rules."""
    return client.pictures if rules.faces and rules.looks is Looks.CARDS else NO_PICTURES


def _as_interaction(target: object) -> Interaction | None:
    return cast("Interaction", target) if isinstance(target, discord.Interaction) else None


def language_of_place(interaction: Interaction | None, rules: Rules) -> Language | None:
    """Return the language of the campaign, else of the server; None is English.

    Every server has a language in Discord, but only a community chooses it. Outside of servers it is the
    user's own language.
    """
    if rules.language:
        return language(rules.language)
    if interaction is None or interaction.guild_locale is None:
        return SPOKEN.get()
    guild = interaction.guild
    return language(interaction.guild_locale.value) if guild and "COMMUNITY" in guild.features else None


async def _rules(interaction: Interaction | None) -> Rules:
    """Return the rules of the interaction's campaign, else the usual ones."""
    return await interaction.client.app.rules.find(caller(interaction)) if interaction else USUAL


async def _looks_and_language(
    interaction: Interaction | None, looks: Looks | None, rules: Rules | None = None, *, public: bool
) -> tuple[Looks, Language | None]:
    """Return the looks of a message, by default its campaign's, and the language of its readers."""
    if rules is None:
        rules = await _rules(interaction) if public or looks is None else USUAL
    return looks or rules.looks, language_of_place(interaction, rules) if public else SPOKEN.get()


def _card(content: Content) -> Card:
    message = content() if callable(content) else content
    return message if isinstance(message, Card) else text_card(message)


@dataclass
class _Message:
    """A card with its lists and its file, or the reason why there is no file."""

    card: Card
    lists: Sequence[Item[Any]]
    file: discord.File | str | None = None
    edits: bool = False
    attachment: Attached | None = None

    @property
    def draws(self) -> bool:
        """Whether one of the card's pictures shows the file."""
        pictures = (block for block in self.card.blocks if isinstance(block, Picture))
        return isinstance(self.file, discord.File) and any(pictures)

    async def turn(self, change: _Post, sent: discord.Message | None) -> None:
        """Turn a message that was sent as text into a card, and keep its file."""
        attachment, why = None, self.file if isinstance(self.file, str) else None
        if isinstance(self.file, discord.File) and sent:
            attachment = attached(sent, self.file.filename)
        message = _Message(self.card, self.lists, why, edits=True, attachment=attachment)
        try:
            await change(**message.body(Looks.CARDS))
        except DISCORD_ERRORS as error:
            _log.warning("A message stays text: %s", error)

    async def show(self, post: _Post, looks: Sequence[Looks], more: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Post it in the first of these looks that Discord accepts, if need be without its file.

        Return discord.py's result.
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
                elif isinstance(self.file, discord.File) and error.status in _NO_FILES:
                    self.file = no_file(lacks_right=error.code == _LACKS_RIGHT)
                    look, others = looks[0], looks[1:]
                else:
                    raise
                _log.warning("Discord refused a message, so it is shown in another way: %s", error)
                if isinstance(self.file, discord.File):
                    self.file.reset()

    def body(self, look: Looks) -> dict[str, Any]:
        """Return the keyword arguments for discord.py."""
        file = self.file if isinstance(self.file, discord.File) else None
        shown_file = file or self.attachment
        card = _without_picture(self.card, self.file) if isinstance(self.file, str) else self.card
        body: dict[str, Any] = {"file": file} if file else {}
        if self.edits:
            # discord.py does not remove the content of the other look by itself.
            body = {"attachments": [shown_file] if shown_file else [], "content": None, "embeds": []}
        if look is Looks.TEXT:
            components = rows(card.below(_ROWS - len(self.lists)), card.columns, self.lists)
            view = {"view": Components(components)} if self.edits or components else {}
            return {**body, "content": plain(card), **view}
        filename = shown_file.filename if shown_file else None
        return {**body, "view": lay_out(card, *self.lists, file=filename)}


def _without_picture(card: Card, why: str) -> Card:
    """Return a card with the reason in place of its picture, or at its end."""
    reason = Small(why)
    blocks = [reason if isinstance(block, Picture) else block for block in card.blocks]
    return replace(card, blocks=(*blocks, *(() if reason in blocks else (reason,))))

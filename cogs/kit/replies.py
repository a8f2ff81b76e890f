"""Reply with a roll and its buttons to those who may see it; attach files, look up names.

Each roll's reply is recorded as delivered or lost.
"""

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from functools import partial
from io import BytesIO
from typing import TypeVarTuple

import discord

from bot.answers import ALREADY_ANSWERED, DISCORD_ERRORS, AnswerRefused, may_be_shown
from bot.campaign.kinds import Visibility
from bot.campaign.replay import RollResult
from bot.client import Evenhand
from bot.dice.errors import DiceError, SpecError, Unavailable
from bot.record.checkpoint import ConsistencyProof, InclusionProof
from bot.services.rolling import Answer
from bot.words import rolls as words
from bot.words import text
from bot.words.cards import Picture, text_card
from bot.words.saying import phrase, refusal, say
from cogs.kit.cards import pictures_for, pictures_of, send
from cogs.kit.interactions import (
    EVENT,
    OPTIONS_LIMIT,
    ButtonHandler,
    ComponentHandler,
    CustomId,
    Interaction,
    buttons_on,
    caller,
    chosen_numbers,
    service_handler,
)

_Values = TypeVarTuple("_Values")
_NO_FILE = phrase("Discord did not give me the file, so nothing was made. Please try again.")


async def read_attachment(interaction: Interaction, file: discord.Attachment, limit: int) -> bytes:
    """Defer the answer, because a download can take long, and return the file's content.

    Raise SpecError for more than `limit` bytes, Unavailable if Discord does not serve the file.
    """
    if file.size > limit:
        raise SpecError("The file has {size:,} bytes: at most {limit:,}.", size=file.size, limit=limit)
    await interaction.response.defer(ephemeral=True)
    try:
        return await file.read()
    except DISCORD_ERRORS:
        raise Unavailable(_NO_FILE) from None


async def drawn(
    interaction: Interaction, picture: Picture, draw: Callable[[*_Values], bytes], *values: *_Values
) -> discord.File | str:
    """Return a card's chart to attach, or why there is none: the user or all users ask for too many."""
    try:
        interaction.client.app.pace.figures(interaction.user.id)
    except DiceError as error:
        return refusal(error)
    return await charted(interaction.client, picture, draw, *values)


async def charted(
    client: Evenhand, picture: Picture, draw: Callable[[*_Values], bytes], *values: *_Values
) -> discord.File | str:
    """Return a card's chart to attach, or why there is none: too many are queued."""
    png = await client.app.drawing.do(draw, *values)
    if png is None:
        return say(text.TOO_MANY)
    return discord.File(BytesIO(png), picture.file, description=picture.alt)


def proof_file(proof: InclusionProof | ConsistencyProof) -> discord.File:
    """Return a proof as a file to attach, for `evenhand verify` and tools/verify.py."""
    of = f"{proof.index + 1}" if isinstance(proof, InclusionProof) else f"since-{proof.old}"
    return discord.File(BytesIO(proof.text.encode()), f"proof-{of}.txt")


async def display_names(
    client: discord.Client, guild: discord.Guild | None, user_ids: Iterable[int]
) -> dict[int, str]:
    """Request the users' display names, on the server if given and they are still there.

    Omit those that Discord does not return.
    """
    names: dict[int, str] = {}
    for user_id in user_ids:
        with suppress(*DISCORD_ERRORS):
            names[user_id] = (await _person(client, guild, user_id)).display_name
    return names


async def _person(
    client: discord.Client, guild: discord.Guild | None, user_id: int
) -> discord.Member | discord.User:
    if guild:
        with suppress(discord.NotFound, discord.Forbidden):  # they left, or the bot is no member itself
            return await guild.fetch_member(user_id)
    return await client.fetch_user(user_id)


CALL_ID = CustomId("call-lead", EVENT)
"""The id of a button that every group call has."""


async def reply(interaction: Interaction, answer: Answer) -> None:
    """Reply with a roll. If Discord refuses the reply, the roll counts and is shown later."""
    event, rules = answer.rolled.event, answer.rules
    is_hidden = event.visibility is not Visibility.PUBLIC
    # Who throws for another player may not see their hidden roll.
    unseen = is_hidden and (event.visibility is Visibility.BLIND or interaction.user.id != event.user_id)
    # Discord shows the user above the answer to a command, but not above the answer to a press.
    is_command = interaction.type is discord.InteractionType.application_command
    hidden = partial(words.hidden, event)
    visible = partial(
        words.answer,
        answer.showing,
        rules.footer,
        has_name=is_command and not interaction.response.is_done(),
        pictures=pictures_of(interaction.client, rules),
    )
    try:
        with tracking_reply(answer):
            private = is_hidden and not unseen
            await send(interaction, hidden if unseen else visible, private=private, rules=rules)
            if event.visibility is Visibility.GM and not unseen:
                await send(interaction, hidden, rules=rules)
    except discord.HTTPException as error:
        # The interaction was delivered twice, and the other delivery shows the roll.
        if error.code != ALREADY_ANSWERED:
            raise


@contextmanager
def tracking_reply(answer: Answer) -> Generator[None]:
    """Record whether Discord accepted all messages of the block.

    If not, the roll counts, and the campaign's next reply shows it.
    """
    try:
        yield
    except Exception as error:
        refused = isinstance(error, discord.HTTPException)
        if refused and error.code == ALREADY_ANSWERED:
            answer.answered_elsewhere()
        else:
            answer.lost()
        if refused and not may_be_shown(error):
            raise AnswerRefused(words.stands(answer.rolled.event)) from error
        raise
    answer.delivered()


def event_under(message: discord.Message, *forms: CustomId) -> tuple[int, int] | None:
    """Return the campaign and event number of the message's first button of these forms, if any."""
    return next(((campaign_id, number) for _, (campaign_id, number) in buttons_on(message, *forms)), None)


async def _ask_dice(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Let the player who rolled choose from the dice of a roll."""
    dice = await interaction.client.app.rolling.dice_of(caller(interaction), campaign_id, number)
    options = {
        str(place): say("Die {number}: {face}", number=place + 1, face=dice.labels[place])
        for place in dice.free[:OPTIONS_LIMIT]
    }
    most = min(dice.most, len(options))
    offered = _CHOSEN.select(campaign_id, number, options=options, placeholder=say("Choose dice"), most=most)
    await send(interaction, text_card(words.which_dice(dice)), offered, private=True)


async def _choose_dice(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Make the follow-up of a roll with the chosen dice."""
    rolling, places = interaction.client.app.rolling, chosen_numbers(interaction)
    await reply(interaction, await rolling.choose(caller(interaction), campaign_id, number, places))


async def _look(interaction: Interaction, rolled: RollResult) -> None:
    """Send a hidden roll to the presser."""
    await send(interaction, words.hidden_result(rolled, await pictures_for(interaction)), private=True)


async def _reveal(interaction: Interaction, rolled: RollResult) -> None:
    """Show a newly revealed roll to everybody."""
    rules = await interaction.client.app.rules.find(caller(interaction))
    pictures = pictures_of(interaction.client, rules)
    await send(interaction, lambda: words.revealed(rolled, interaction.user.id, pictures), rules=rules)


async def _check(interaction: Interaction, proof: InclusionProof) -> None:
    """Send the presser the proof of a formerly hidden roll, to compare with its seal."""
    await send(interaction, text_card(say(words.PROVED)), file=proof_file(proof), private=True)


CHECK = ButtonHandler("check", "Check it", service_handler(lambda app: app.verifying.prove, _check), *EVENT)
AGAIN = ButtonHandler("again", "Again", service_handler(lambda app: app.rolling.repeat, reply), *EVENT)
_CHOSEN = ComponentHandler("chosen-dice", _choose_dice, *EVENT)
CHOOSE = ButtonHandler("choose-dice", "Choose dice…", _ask_dice, *EVENT)
PUSH = ButtonHandler("push", "Push", service_handler(lambda app: app.rolling.push, reply), *EVENT)
LOOK = ButtonHandler("look", "Look", service_handler(lambda app: app.histories.look, _look), *EVENT)
REVEAL = ButtonHandler("reveal", "Reveal", service_handler(lambda app: app.histories.reveal, _reveal), *EVENT)
ROLL_BUTTONS = (PUSH, CHOOSE, AGAIN, LOOK, REVEAL, CHECK)

"""Reply with a roll, to those who may see it, with its buttons; files and names that go with messages.

Whether Discord took a roll's reply is noted.
"""

from collections.abc import Iterable
from io import BytesIO

import discord
from discord.ui import Button, View

from bot.answers import ALREADY_ANSWERED
from bot.campaign.events import Event
from bot.campaign.kinds import Visibility
from bot.dice.draws import Source
from bot.dice.errors import SpecError, Unavailable
from bot.record.checkpoint import ConsistencyProof, InclusionProof
from bot.services.rolling import Answer, Rolling
from cogs.kit import rolls as words
from cogs.kit.interactions import (
    EVENT,
    CustomId,
    Interaction,
    KeptButton,
    KindOfButton,
    buttons_on,
    caller,
    row,
)

_NO_FILE = "Discord did not give me the file, so nothing was made. Please try again."


async def read_attachment(interaction: Interaction, file: discord.Attachment, limit: int) -> bytes:
    """Defer the answer, for this can take long, and return the file's content.

    Raise SpecError for more than `limit` bytes, Unavailable where Discord does not give the file.
    """
    if file.size > limit:
        raise SpecError(f"The file has {file.size:,} bytes: at most {limit:,}.")
    await interaction.response.defer(ephemeral=True)
    try:
        return await file.read()
    except discord.HTTPException:
        raise Unavailable(_NO_FILE) from None


def chart_file(png: bytes, name: str, alt: str) -> discord.File:
    """Return a chart to attach; `alt` describes it to those who can't see it."""
    return discord.File(BytesIO(png), name, description=alt)


def proof_file(proof: InclusionProof | ConsistencyProof) -> discord.File:
    """Return a proof to attach; `python -m bot verify` and tools/verify.py take it."""
    of = f"{proof.index + 1}" if isinstance(proof, InclusionProof) else f"since-{proof.old}"
    return discord.File(BytesIO(proof.text.encode()), f"proof-{of}.txt")


async def display_names(
    client: discord.Client, guild: discord.Guild | None, user_ids: Iterable[int]
) -> dict[int, str]:
    """Ask Discord for the names of these people, on the server or at large; those it refuses are left out."""
    names: dict[int, str] = {}
    for user_id in user_ids:
        try:
            found = await (guild.fetch_member(user_id) if guild else client.fetch_user(user_id))
        except discord.HTTPException:
            continue
        names[user_id] = found.display_name
    return names


CALL_ID = CustomId("call-lead", EVENT)
"""The id of the button that stands under every group call."""
KEYBOARD, KEYBOARD_LABEL = CustomId("keyboard", ()), "Dice …"
"""The id and the label of the button that gives whoever presses it a keyboard of their own."""


async def reply(interaction: Interaction, rolling: Rolling, answer: Answer) -> None:
    """Reply with a roll; where Discord refuses the reply, the roll stands and is told later."""
    event = answer.rolled.event
    unseen = event.visibility is Visibility.BLIND
    if event.visibility is not Visibility.PUBLIC and interaction.user.id != event.user_id:
        # Whoever throws for somebody else is not the one who may see it.
        unseen = True
    # Where another message was the answer already, such as the keys for real dice, the roll follows it.
    pictures = interaction.client.pictures if answer.receipt.campaign.rules.faces else words.NO_PICTURES
    done = interaction.response.is_done()
    # Above the answer to a command stands whose it is; above the answer to a press it does not.
    named = interaction.type is discord.InteractionType.application_command and not done
    send = interaction.followup.send if done else interaction.response.send_message
    try:
        if unseen:
            await send(words.hidden(event), view=_buttons(event, hidden=True))
        else:
            await send(
                words.answer(
                    answer.rolled,
                    answer.late,
                    answer.checkpoint,
                    answer.footer,
                    named=named,
                    pictures=pictures,
                ),
                view=_buttons(event, hidden=False, pushable=answer.pushable),
                ephemeral=event.visibility is not Visibility.PUBLIC,
            )
    except Exception as error:
        if not (isinstance(error, discord.HTTPException) and error.code == ALREADY_ANSWERED):
            rolling.lost(answer)
            raise
        # The same interaction was delivered twice, and the other delivery has shown the roll.
    rolling.delivered(answer)
    if event.visibility is Visibility.GM and not unseen:
        await interaction.followup.send(words.hidden(event), view=_buttons(event, hidden=True))


def event_under(message: discord.Message, *forms: CustomId) -> tuple[int, int] | None:
    """Return the campaign and number in the id of the message's first button of these forms."""
    return next(((campaign_id, number) for _, (campaign_id, number) in buttons_on(message, *forms)), None)


def keyboard_button() -> KeptButton:
    """Return the button that opens a keyboard; the keyboard's feature answers it."""
    return Button(label=KEYBOARD_LABEL, custom_id=KEYBOARD.write())


def _buttons(event: Event, *, hidden: bool, pushable: bool = False) -> View:
    at = event.campaign_id, event.seq
    buttons: list[KeptButton] = []
    if hidden:
        buttons.append(LOOK(*at))
    elif event.roll.source is not Source.PHYSICAL:
        # The bot can't throw somebody's own dice again.
        checks = event.roll.check is not None or event.roll.stake
        buttons.append((CHECK_AGAIN if checks else AGAIN)(*at))
        if checks:
            buttons.append(keyboard_button())
    if pushable:
        buttons.append(PUSH(*at))
    if event.visibility is not Visibility.PUBLIC:
        buttons.append(REVEAL(*at))
    return row(*buttons)


async def _again(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Roll the same once more, for the player who rolled it."""
    rolling = interaction.client.app.rolling
    await reply(interaction, rolling, await rolling.again(caller(interaction), campaign_id, number))


async def _push(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Push a roll of a game, for the player who rolled it."""
    rolling = interaction.client.app.rolling
    await reply(interaction, rolling, await rolling.push(caller(interaction), campaign_id, number))


async def _look(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Show a hidden roll to whoever pressed, if they may see it."""
    rolled = await interaction.client.app.histories.look(caller(interaction), campaign_id, number)
    await interaction.response.send_message(words.result(rolled), ephemeral=True)


async def _reveal(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Record that a hidden roll is revealed, and show it to everybody."""
    rolled = await interaction.client.app.histories.reveal(caller(interaction), campaign_id, number)
    check = row(CHECK(campaign_id, number))
    await interaction.response.send_message(words.revealed(rolled, interaction.user.id), view=check)


async def _check(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Give whoever pressed the proof of a roll that was hidden, to compare with its seal."""
    proof = await interaction.client.app.verifying.prove(caller(interaction), campaign_id, number)
    await interaction.response.send_message(words.PROVED, file=proof_file(proof), ephemeral=True)


CHECK = KindOfButton("check", "Check it", _check, *EVENT)
AGAIN = KindOfButton("again", "Roll again", _again, *EVENT)
CHECK_AGAIN = KindOfButton("check-again", "Check again", _again, *EVENT)
PUSH = KindOfButton("push", "Push", _push, *EVENT)
LOOK = KindOfButton("look", "Look", _look, *EVENT)
REVEAL = KindOfButton("reveal", "Reveal", _reveal, *EVENT)
ROLL_BUTTONS = (PUSH, AGAIN, CHECK_AGAIN, LOOK, REVEAL, CHECK)

"""Enter real dice by buttons, whose ids hold all dice so far, so that none are lost at a restart."""

from contextlib import suppress
from dataclasses import replace
from functools import partial

from bot.answers import DISCORD_ERRORS
from bot.campaign.d100_rolls import Real, is_complete, real_dice
from bot.campaign.kinds import Visibility
from bot.d100.physical import DICE_LIMIT, SIDES
from bot.d100.register import DICE_LIMIT as REGISTER_DICE
from bot.dice.errors import NotAllowed, SpecError, Unknown
from bot.record.ledger import PressTooLate
from bot.words import d100 as words
from bot.words import rolls
from bot.words.cards import Card, CardButton, text_card
from bot.words.saying import phrase, say
from cogs.kit.cards import edit, pictures_of
from cogs.kit.interactions import ButtonHandler, Field, Interaction, caller
from cogs.kit.replies import reply, tracking_reply

Faces = tuple[int, ...]
_BACK, _ADD = "back", "add"
_LABELS = {_BACK: phrase("Take one back"), _ADD: phrase("Add")}


def _label(_real: Real, _faces: str, key: str) -> str:
    return say(_LABELS[key]) if key in _LABELS else key


async def _press(interaction: Interaction, real: Real, so_far: str, key: str) -> None:
    """Add a die or take one back; turn the message into the roll once the dice are complete."""
    begun = interaction.message and interaction.message.interaction_metadata
    if begun is None:
        raise Unknown("Those dice were started elsewhere. Start again with `/d100 physical`.")
    if interaction.user.id != begun.user.id:
        raise NotAllowed("These are somebody else's dice. Enter your own with `/d100 physical`.")
    # Keys pressed before the message has changed still show the dice before.
    pressed, at = interaction.client.pressed, (interaction.message.id if interaction.message else 0, "die")
    faces = _after(tuple(map(int, pressed.get(at, so_far))), key)
    full = real is Real.REGISTER and len(faces) == REGISTER_DICE
    if key == _ADD or full or is_complete(faces, real):
        await _finish(interaction, real, begun.id, faces)
        return
    pressed[at] = "".join(map(str, faces))
    try:
        await edit(interaction, lambda: entering(real, faces, begun.user.id))
    except DISCORD_ERRORS:
        pressed.pop(at, None)
        raise


def entering(real: Real, faces: Faces, user_id: int) -> Card:
    """Return the message with keys for the faces, for taking one back, and for finishing a register."""
    so_far = "".join(map(str, faces))
    names = [*map(str, range(1, SIDES + 1)), *[_BACK] * bool(faces)]
    if faces and real is Real.REGISTER:
        names.append(_ADD)
    keys = [CardButton("die", (real, so_far, n), style="" if n == _ADD else "secondary") for n in names]
    return replace(text_card(words.entering(real, faces, user_id), *keys), columns=3)


def _after(faces: Faces, key: str) -> Faces:
    if key == _BACK:
        return faces[:-1]
    if key == _ADD:
        return faces
    if len(faces) >= DICE_LIMIT:
        raise SpecError("At most {most} dice can be entered. Take one back, or begin again.", most=DICE_LIMIT)
    return (*faces, int(key))


async def _finish(interaction: Interaction, real: Real, begun: int, faces: Faces) -> None:
    # The roll has the id of the first interaction, so that a key pressed twice is rolled once.
    once = replace(caller(interaction), interaction_id=begun)
    rolling, command = interaction.client.app.rolling, real_dice(faces, real)
    try:
        answer = await rolling.ask(once, command)
    except PressTooLate:
        # Entering dice can take longer than proof mode allows; then the last press counts.
        answer = await rolling.ask(caller(interaction), command)
    hidden = answer.rolled.event.visibility is not Visibility.PUBLIC
    # Only a public message turns into a public roll.
    if hidden or (interaction.message and interaction.message.flags.ephemeral):
        with suppress(*DISCORD_ERRORS):
            await edit(interaction, lambda: text_card(say(words.ENTERED)))
        await reply(interaction, answer)
        return
    pictures, footer = pictures_of(interaction.client, answer.rules), answer.rules.footer
    show = partial(rolls.answer, answer.showing, footer, has_name=True, pictures=pictures)
    with tracking_reply(answer):
        await edit(interaction, show)


_FIELDS = Field("register|table", Real), Field(r"[1-6]*"), Field(r"[1-6]|back|add")
KEY = ButtonHandler("die", _label, _press, *_FIELDS, style="primary")

"""Buttons for the readings of a refused text, and forms for a player's numbers and their own dice."""

from collections.abc import Iterable, Mapping

from discord.ui import Checkbox, Label, TextInput

from bot.answers import sentence_for
from bot.campaign.command import RollOptions
from bot.campaign.kinds import Visibility
from bot.dice.by_hand import read_thrown
from bot.dice.choices import with_label
from bot.dice.errors import NotationError
from bot.dice.naming import UnknownName, UnknownNumber
from bot.services.characters import NO_NUMBERS, Numbers
from bot.words.cards import CardButton, text_card
from bot.words.saying import say
from bot.words.text import coins, shortened
from cogs.kit.cards import send
from cogs.kit.interactions import (
    EVENT,
    NUMBER,
    ButtonHandler,
    CustomId,
    Field,
    Interaction,
    PersistentForm,
    caller,
)
from cogs.kit.replies import reply

_TEXT = 300
MOST = 3
"""Most numbers in one form: Discord allows five fields, and the dice and the checkbox take two."""
_NUMBER, _KEEP = "number:", "keep"
_LABEL = 45
"""Most characters of a field's label in Discord."""
_WAYS = {None: "u", Visibility.PUBLIC: "p", Visibility.SELF: "s", Visibility.GM: "g", Visibility.BLIND: "b"}
_VISIBILITIES = {letter: visibility for visibility, letter in _WAYS.items()}
WAY = Field("[upsgb]f?")
"""A roll's visibility and whether it is for practice, in two letters at most."""


def way_of(options: RollOptions) -> str:
    """Return a roll's visibility and practice as the text of the field `WAY`."""
    return _WAYS[options.visibility] + "f" * options.practice


def options_in(way: str, label: str = "") -> RollOptions:
    """Return a roll's options from the text of the field `WAY`."""
    return RollOptions(label, _VISIBILITIES[way[0]], practice=way.endswith("f"))


def labelled(text: str, label: str) -> str:
    """Return the notation with the label as its comment; names of faces stay in front of it."""
    dice, _, comment = text.partition(" # ")
    return f"{dice} # {with_label(comment, label)}" if label else text


def ask_for(form: PersistentForm, unknown: UnknownName, *more: Label[PersistentForm]) -> None:
    """Add to a form a field for each unknown number, then `more`, and a checkbox that saves the numbers."""
    # What a game's roll takes may be no bonus: 45 for listen.
    is_bonus = not isinstance(unknown, UnknownNumber)
    for name in unknown.names:
        template = "Your {number} bonus?" if is_bonus else "Your {number}?"
        question = say(template, number=name)
        short = question if len(question) <= _LABEL else shortened(name, _LABEL)
        example = "+5" if is_bonus else None
        form.ask(short, TextInput(custom_id=_NUMBER + name, max_length=40, placeholder=example))
    for label in more:
        form.add_item(label)
    form.ask(say("Keep it"), Checkbox(custom_id=_KEEP, default=True))


async def take_numbers(interaction: Interaction, typed: Mapping[str, str]) -> Numbers:
    """Return the numbers typed into a form that may ask for some; save them if its checkbox is ticked."""
    numbers = [(name.removeprefix(_NUMBER), text) for name, text in typed.items() if name.startswith(_NUMBER)]
    if not numbers:
        return NO_NUMBERS
    characters = interaction.client.app.characters
    return await characters.give(caller(interaction), numbers, keep=bool(typed[_KEEP]))


async def roll(interaction: Interaction, dice: str, times: int, options: RollOptions) -> None:
    """Roll and reply; ask in a form first if the dice have unknown numbers."""
    try:
        answer = await interaction.client.app.rolling.roll(caller(interaction), dice, times, options)
    except NotationError as refused:
        await ask_instead(interaction, refused, dice, times, options)
    else:
        await reply(interaction, answer)


async def ask_instead(
    interaction: Interaction, refused: NotationError, dice: str, times: int, options: RollOptions
) -> None:
    """Offer the readings of a refused text as buttons, or ask for unknown numbers; else raise it."""
    if refused.readings:
        texts = (labelled(reading.text, options.label) for reading in refused.readings)
        values = [(times, way_of(options), text) for text in texts]
        await offer_readings(interaction, refused, READ.custom_id, values)
        return
    text = labelled(dice, options.label)
    if not isinstance(refused, UnknownName) or len(refused.names) > MOST or len(text) > _TEXT:
        raise refused
    form = RollForm(times, way_of(options))
    # The numbers come first: a form focuses its first field.
    ask_for(form, refused)
    form.ask(say("Dice"), TextInput(custom_id="dice", max_length=_TEXT, default=text))
    await form.show(interaction)


async def offer_readings(
    interaction: Interaction,
    refused: NotationError,
    custom_id: CustomId,
    values: Iterable[tuple[object, ...]],
) -> None:
    """Send the refusal with a button of that kind for each of these values that fit into an id."""
    buttons = [CardButton(custom_id.word, entry) for entry in dict.fromkeys(values) if custom_id.fits(*entry)]
    await send(interaction, text_card(sentence_for(refused) or "", *buttons), private=True)


async def _read(interaction: Interaction, times: int, way: str, text: str) -> None:
    """Roll the reading that was chosen."""
    await roll(interaction, text, times, options_in(way))


READ = ButtonHandler("read", "Roll {dice}", _read, NUMBER, WAY, Field(r".+", name="dice"))


class RollForm(PersistentForm, title="Your numbers", word="roll-ask", fields=(NUMBER, WAY)):
    """Asks for the unknown numbers of a roll's dice, and rolls."""

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Roll with the typed numbers."""
        numbers, rolling = await take_numbers(interaction, typed), interaction.client.app.rolling
        times, way = self.values
        answer = await rolling.roll(
            caller(interaction), typed["dice"], times, options_in(way), typed=True, numbers=numbers
        )
        await reply(interaction, answer)


OWN_DICE_LABEL = "My dice…"


class OwnDiceForm(PersistentForm, title=OWN_DICE_LABEL, word="own-dice", fields=EVENT, file=__file__):
    """Asks for the faces of the player's own dice, and repeats a roll with them."""

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Roll."""
        reroll, faces = interaction.client.app.rolling.repeat, read_thrown(coins(typed["thrown"]))
        await reply(interaction, await reroll(caller(interaction), *self.values, thrown=faces))


async def _ask_faces(interaction: Interaction, campaign_id: int, number: int) -> None:
    """Open the form if the presser rolled it."""
    await interaction.client.app.rolling.own(caller(interaction), campaign_id, number)
    await OwnDiceForm.open(interaction, campaign_id, number)


OWN_DICE = ButtonHandler("own-dice", OWN_DICE_LABEL, _ask_faces, *EVENT)

"""Buttons and lists of rolls: throws for the host, saved rolls to keep or to remove."""

from contextlib import suppress
from dataclasses import replace

from discord.ui import Select, View

from bot.answers import DISCORD_ERRORS, OUT_OF_DATE
from bot.campaign.command import RollOptions
from bot.campaign.deals import RollDestination
from bot.dice.errors import DiceError, NameTaken, NotAllowed, NotationError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.parsing.texts import in_english
from bot.services.rolling import Answer, longmarch
from bot.words.cards import Card, CardButton, text_card
from bot.words.games import spoken
from bot.words.saying import refusal, say
from cogs.kit.cards import edit, send
from cogs.kit.interactions import (
    BESIDE,
    NAME,
    NUMBER,
    ButtonHandler,
    ComponentHandler,
    Field,
    Interaction,
    buttons_on,
    caller,
    caller_and_campaign,
    chosen_value,
    in_lists,
)
from cogs.kit.prompts import WAY, offer_readings, options_in, way_of
from cogs.kit.replies import reply
from cogs.roll import words

ROOM = 64
"""Characters of dice and label that fit into a button's id."""
_SHARED, _OWN = "s", "o"
_MOST_BUTTONS = 5


async def offer_saved(interaction: Interaction, answer: Answer, times: int, options: RollOptions) -> None:
    """Offer the saved rolls whose names were typed behind dice, and so were read as tags."""
    asker, service = caller(interaction), interaction.client.app.saved
    saved_names = dict([*await service.shared(asker), *await service.all(asker)])
    if names := [name for name in saved_names if name.casefold() in answer.tags]:
        buttons = [CardButton("read", (times, way_of(options), name)) for name in names[:_MOST_BUTTONS]]
        await send(interaction, text_card(words.also_saved(names), *buttons), private=True)


async def ask_to_save(
    interaction: Interaction, refused: NameTaken, name: str, dice: str, *, shared: bool
) -> bool:
    """Ask whether to save a roll under a game's word. Return False if it does not fit into a button."""
    _, campaign_id = await caller_and_campaign(interaction)
    values = campaign_id, _SHARED if shared else _OWN, clean(name, NAME_LIMIT), dice
    if not SAVE.custom_id.fits(*values):
        return False
    await send(interaction, text_card(refusal(refused), CardButton("save-word", values)), private=True)
    return True


async def offer_to_save(interaction: Interaction, refused: NotationError, name: str, *, shared: bool) -> None:
    """Offer to save the readings of a refused text under the name; raise the refusal if it has none."""
    if not refused.readings:
        raise refused
    _, campaign_id = await caller_and_campaign(interaction)
    owner, name = _SHARED if shared else _OWN, clean(name, NAME_LIMIT)
    values = [(campaign_id, owner, name, reading.text) for reading in refused.readings]
    await offer_readings(interaction, refused, SAVE_AS.custom_id, values)


async def _save(interaction: Interaction, shown_in: int, owner: str, name: str, dice: str) -> None:
    """Save a roll under a name: a game's word, or with a reading of dice that were refused."""
    service = interaction.client.app.saved
    saved = await service.save(caller(interaction, shown_in), name, dice, shared=owner == _SHARED)
    await edit(interaction, lambda: text_card(words.saved(saved)))


async def ask_for_hand(interaction: Interaction, dice: str, times: int, options: RollOptions) -> None:
    """Ask in public for another player to throw the dice of the asker, who is the host of proof mode."""
    # A cleaned label has no @ in it.
    vocabulary = await interaction.client.app.saved.names(caller(interaction))
    dice = in_english(dice, vocabulary.game)
    if len(dice) + len(options.label) >= ROOM:
        raise DiceError(
            "That is too long for others to throw: dice and label have {room} characters here. "
            "Keep the dice under a short name with `/save`.",
            room=ROOM - 1,
        )
    values = interaction.user.id, times, way_of(options), dice, options.label
    button = CardButton("throw", values)
    await send(interaction, lambda: text_card(words.asks(interaction.user.id, dice, times), button))


async def _throw(interaction: Interaction, host: int, times: int, way: str, dice: str, label: str) -> None:
    """Throw the dice of the host who asked; the first press counts."""
    waiting = (values for _, values in buttons_on(interaction.message, THROW.custom_id))
    if [host, times, way, dice, label] not in waiting:
        raise Unknown(OUT_OF_DATE)  # a made-up id would roll in another user's name
    if interaction.user.id == host:
        raise NotAllowed("Somebody else has to throw for you: that is what makes it a proof.")
    # The thrower lends the press, but none of their rights.
    asker = replace(
        caller(interaction), user_id=host, hand=interaction.user.id, manages=False, roles=frozenset[int]()
    )
    rolling = interaction.client.app.rolling
    message_id = interaction.message.id if interaction.message else 0
    answer = await rolling.throw(asker, message_id, dice, times, options_in(way, label))
    # The roll is shown even if the button can't be removed.
    with suppress(*DISCORD_ERRORS):
        await edit(interaction, lambda: words.asks(host, dice, times))
    await reply(interaction, answer)


async def saved_rolls(interaction: Interaction) -> tuple[Card, list[Select[View]]]:
    """Return the card of the caller's saved rolls, and lists to remove them."""
    app, (asker, campaign_id) = interaction.client.app, await caller_and_campaign(interaction)
    own, shared = await app.saved.all(asker), await app.saved.shared(asker)
    removable = shared if shared and await app.campaigns.leads(asker) else []
    about = {_OWN + name: spoken(dice) for name, dice in own}
    about |= {_SHARED + name: say(words.SHARED, dice=spoken(dice)) for name, dice in removable}
    lists = [
        _REMOVE.select(campaign_id, place, options=options, about=about, placeholder=say("Remove …"))
        for place, options in in_lists({value: value[1:] for value in about})
    ]
    return words.saved_list(own, shared), lists


async def _remove(interaction: Interaction, shown_in: int, _first: int) -> None:
    """Remove the chosen saved roll, and show the others."""
    value, asker = chosen_value(interaction), caller(interaction, shown_in)
    await interaction.client.app.saved.remove(asker, value[1:], shared=value[:1] == _SHARED)
    card, lists = await saved_rolls(interaction)
    await edit(interaction, card, *lists)


async def go(
    interaction: Interaction, name: str, part: str = "", options: RollOptions = RollOptions()
) -> None:
    """Roll a destination on the map of that name, or on a part of it."""
    command = RollDestination(longmarch(), name, part, options)
    await reply(interaction, await interaction.client.app.rolling.ask(caller(interaction), command))


_REMOVE = ComponentHandler("unsave", _remove, NUMBER, NUMBER)
GO = ButtonHandler("destination", "Roll", go, NAME)
_OWNER, _SAVED_NAME = Field(f"[{_SHARED}{_OWN}]"), Field("[^:]{1,32}")
_SAVED = NUMBER, _OWNER, _SAVED_NAME, Field(".+", name="dice")
SAVE = ButtonHandler("save-word", "Save it", _save, *_SAVED)
SAVE_AS = ButtonHandler("save-as", "Save {dice}", _save, *_SAVED)
THROW = ButtonHandler("throw", "Throw for them", _throw, NUMBER, NUMBER, WAY, NAME, BESIDE)

"""What waits for a press: throws for the host, saved rolls to keep or to remove."""

from contextlib import suppress
from dataclasses import replace

import discord
from discord.ui import Select, View

from bot.answers import OUT_OF_DATE, UNANSWERED
from bot.campaign.command import RollOptions
from bot.campaign.deals import RollDestination
from bot.dice.errors import DiceError, NotAllowed, Taken, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.services.parsing import in_english
from bot.services.rolling import Answer, longmarch
from bot.words.cards import Card, CardButton, text_card
from bot.words.games import spoken
from bot.words.saying import refusal, say
from cogs.kit.cards import edit, send
from cogs.kit.interactions import (
    NAME,
    NUMBER,
    ButtonHandler,
    ComponentHandler,
    Field,
    Interaction,
    buttons_on,
    caller,
    caller_and_campaign,
    chosen_one,
)
from cogs.kit.prompts import WAY, options_in, way_of
from cogs.kit.replies import reply
from cogs.roll import words

ROOM = 64
"""How many characters of dice and label fit a button."""
_OPTIONS, _SHARED, _OWN = 25, "s", "o"
_MOST_BUTTONS = 5


async def offer_saved(interaction: Interaction, answer: Answer, times: int, options: RollOptions) -> None:
    """Offer who rolled their saved rolls whose names were typed behind dice, and so were read as tags."""
    asker, service = caller(interaction), interaction.client.app.saved
    known = dict([*await service.shared(asker), *await service.all(asker)])
    if names := [name for name in known if name.casefold() in answer.tags]:
        buttons = [CardButton("read", (times, way_of(options), name)) for name in names[:_MOST_BUTTONS]]
        await send(interaction, text_card(words.also_saved(names), *buttons), private=True)


async def ask_to_save(
    interaction: Interaction, refused: Taken, name: str, dice: str, *, shared: bool
) -> bool:
    """Ask whether a roll is saved under a game's word; return whether a button could hold it."""
    _, here = await caller_and_campaign(interaction)
    values = here, _SHARED if shared else _OWN, clean(name, NAME_LIMIT), dice
    if not SAVE.custom_id.fits(*values):
        return False
    await send(interaction, text_card(refusal(refused), CardButton("save-word", values)), private=True)
    return True


async def _save(interaction: Interaction, shown_in: int, whose: str, name: str, dice: str) -> None:
    """Save a roll under a game's word."""
    service = interaction.client.app.saved
    kept = await service.save(caller(interaction, shown_in), name, dice, shared=whose == _SHARED)
    await edit(interaction, lambda: text_card(words.saved(kept)))


async def ask_for_hand(interaction: Interaction, dice: str, times: int, options: RollOptions) -> None:
    """Ask in public for somebody who throws what the asker, the host of proof mode, wants to roll."""
    # A cleaned label has no @ in it.
    known = await interaction.client.app.saved.known(caller(interaction))
    dice = in_english(dice, known.game)
    asked = f"{dice}@{options.label}"
    if len(asked) > ROOM:
        raise DiceError(
            "That is too long for others to throw: dice and label have {room} characters here. "
            "Keep the dice under a short name with `/save`.",
            room=ROOM - 1,
        )
    button = CardButton("throw", (interaction.user.id, times, way_of(options), asked))
    await send(interaction, lambda: text_card(words.asks(interaction.user.id, dice, times), button))


async def _throw(interaction: Interaction, host: int, times: int, way: str, asked: str) -> None:
    """Throw what somebody else asked for; the first press counts."""
    waiting = (values for _, values in buttons_on(interaction.message, THROW.custom_id))
    if [host, times, way, asked] not in waiting:
        raise Unknown(OUT_OF_DATE)  # an id that somebody made up would roll in another's name
    if interaction.user.id == host:
        raise NotAllowed("Somebody else has to throw for you: that is what makes it a proof.")
    dice, _, label = asked.rpartition("@")
    # Whoever throws lends the press, and none of their rights.
    asker = replace(
        caller(interaction), user_id=host, hand=interaction.user.id, manages=False, roles=frozenset[int]()
    )
    rolling = interaction.client.app.rolling
    message_id = interaction.message.id if interaction.message else 0
    answer = await rolling.throw(asker, message_id, dice, times, options_in(way, label))
    # The roll is told even where the button can't be taken away.
    with suppress(*UNANSWERED):
        await edit(interaction, lambda: words.asks(host, dice, times))
    await reply(interaction, answer)


async def saved_rolls(interaction: Interaction) -> tuple[Card, list[Select[View]]]:
    """Return the saved rolls that the asker can use, and lists to remove them from."""
    app, (asker, here) = interaction.client.app, await caller_and_campaign(interaction)
    own, shared = await app.saved.all(asker), await app.saved.shared(asker)
    removable = shared if shared and await app.campaigns.leads(asker) else []
    told = [(_OWN, name, spoken(dice)) for name, dice in own]
    told += [(_SHARED, name, say(words.SHARED, dice=spoken(dice))) for name, dice in removable]
    options = [
        discord.SelectOption(label=name, value=whose + name, description=what[:100])
        for whose, name, what in told
    ]
    lists = [
        _REMOVE.select(here, n, options=options[n : n + _OPTIONS], placeholder=say("Remove …"))
        for n in range(0, len(options), _OPTIONS)
    ]
    return words.saved_list(own, shared), lists


async def _remove(interaction: Interaction, shown_in: int, _first: int) -> None:
    """Remove what was chosen, and show what is left."""
    value, asker = chosen_one(interaction), caller(interaction, shown_in)
    await interaction.client.app.saved.remove(asker, value[1:], shared=value[:1] == _SHARED)
    card, lists = await saved_rolls(interaction)
    await edit(interaction, card, *lists)


async def go(
    interaction: Interaction, name: str, part: str = "", options: RollOptions = RollOptions()
) -> None:
    """Roll where to go on the map of that name, or on a part of it."""
    command = RollDestination(longmarch(), name, part, options)
    await reply(interaction, await interaction.client.app.rolling.ask(caller(interaction), command))


_REMOVE = ComponentHandler("unsave", _remove, NUMBER, NUMBER)
GO = ButtonHandler("destination", "Roll", go, NAME)
_WHOSE, _NAMED = Field(f"[{_SHARED}{_OWN}]", str), Field("[^:]{1,32}", str)
SAVE = ButtonHandler("save-word", "Save it", _save, NUMBER, _WHOSE, _NAMED, Field(r".+", str))
THROW = ButtonHandler("throw", "Throw for them", _throw, NUMBER, NUMBER, WAY, NAME)

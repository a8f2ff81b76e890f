"""What waits for a press: readings of a refused text, throws for the host, saved rolls to remove."""

from contextlib import suppress
from dataclasses import replace

import discord
from discord.ui import Select, View

from bot.campaign.command import RollOptions
from bot.campaign.kinds import Visibility
from bot.dice.errors import DiceError, NotAllowed, NotationError
from cogs.kit.interactions import NAME, NUMBER, Field, Interaction, KindOfButton, caller, chosen, row
from cogs.kit.replies import reply
from cogs.roll import words

ROOM = 64
"""How many characters of dice and label fit a button."""
_ID_LIMIT, _LABEL_LIMIT = 100, 80
_WAYS = {None: "u", Visibility.PUBLIC: "p", Visibility.SELF: "s", Visibility.GM: "g", Visibility.BLIND: "b"}
_VISIBILITIES = {letter: visibility for visibility, letter in _WAYS.items()}
_WAY = Field("[upsgb]f?", str)
REMOVE = "unsave"
"""The word of the lists under the saved rolls."""
_OPTIONS, _SHARED, _OWN = 25, "s", "o"


def _way(options: RollOptions) -> str:
    """Return who sees a roll and whether it is for practice, in two letters at most."""
    return _WAYS[options.visibility] + "f" * options.practice


def _options(way: str, label: str = "") -> RollOptions:
    return RollOptions(label, _VISIBILITIES[way[0]], practice=way.endswith("f"))


async def offer(interaction: Interaction, refused: NotationError, times: int, options: RollOptions) -> None:
    """Tell the asker what is wrong, with a button for each reading that fits in one."""
    buttons = [READ(times, _way(options), _labelled(text, options.label)) for text, _ in refused.readings]
    view = row(*(button for button in buttons if len(button.custom_id or "") <= _ID_LIMIT))
    await interaction.response.send_message(refused.sentence, view=view, ephemeral=True)


def _labelled(text: str, label: str) -> str:
    """Return the notation with the label as its comment, which a roll's own label goes before."""
    return f"{text.partition(' # ')[0]} # {label}" if label else text


async def _read(interaction: Interaction, times: int, way: str, text: str) -> None:
    """Roll the reading that was chosen."""
    rolling = interaction.client.app.rolling
    await reply(interaction, await rolling.roll(caller(interaction), text, times, _options(way)))


async def ask_for_hand(interaction: Interaction, dice: str, times: int, options: RollOptions) -> None:
    """Ask in public for somebody who throws what the asker, the host of proof mode, wants to roll."""
    # A cleaned label has no @ in it.
    asked = f"{dice}@{options.label}"
    if len(asked) > ROOM:
        raise DiceError(
            f"That is too long for others to throw: dice and label have {ROOM - 1} characters here. "
            "Keep the dice under a short name with /save."
        )
    button = THROW(interaction.user.id, times, _way(options), asked)
    await interaction.response.send_message(words.asks(interaction.user.id, dice, times), view=row(button))


async def _throw(interaction: Interaction, host: int, times: int, way: str, asked: str) -> None:
    """Throw what somebody else asked for; the first press counts."""
    if interaction.user.id == host:
        raise NotAllowed("Somebody else has to throw for you: that is what makes it a proof.")
    dice, _, label = asked.rpartition("@")
    # Whoever throws lends the press, and none of their rights.
    asking = replace(
        caller(interaction), user_id=host, hand=interaction.user.id, manages=False, roles=frozenset[int]()
    )
    rolling = interaction.client.app.rolling
    message_id = interaction.message.id if interaction.message else 0
    answer = await rolling.throw(asking, message_id, dice, times, _options(way, label))
    # The roll is told even where the button can't be taken away.
    with suppress(discord.HTTPException):
        await interaction.response.edit_message(view=None)
    await reply(interaction, answer)


async def saved_rolls(interaction: Interaction) -> tuple[str, View]:
    """Return the saved rolls that the asker can use, with lists to remove them from."""
    asking, service = caller(interaction), interaction.client.app.saved
    own, shared = await service.all(asking), await service.shared(asking)
    options = [
        discord.SelectOption(label=name, value=whose + name, description=dice[:100])
        for whose, rolls in ((_OWN, own), (_SHARED, shared))
        for name, dice in rolls
    ]
    lists = [
        Select[View](custom_id=f"{REMOVE}:{n}", placeholder="Remove …", options=options[n : n + _OPTIONS])
        for n in range(0, len(options), _OPTIONS)
    ]
    return words.saved_list(own, shared), row(*lists)


async def remove_saved(interaction: Interaction, _custom_id: str) -> None:
    """Remove what was chosen, and show what is left."""
    for value in chosen(interaction):
        await interaction.client.app.saved.remove(caller(interaction), value[1:], shared=value[0] == _SHARED)
    text, view = await saved_rolls(interaction)
    await interaction.response.edit_message(content=text, view=view)


def _name(_times: int, _way: str, text: str) -> str:
    return f"Roll {text}"[:_LABEL_LIMIT]


READ = KindOfButton("read", _name, _read, NUMBER, _WAY, Field(r".+", str))
THROW = KindOfButton("throw", "Throw for them", _throw, NUMBER, NUMBER, _WAY, NAME)

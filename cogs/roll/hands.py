"""In proof mode, rolls of whoever hosts the bot: somebody else throws, so that no press goes unseen."""

from dataclasses import replace

from bot.campaign.command import RollOptions
from bot.campaign.kinds import Visibility
from bot.dice.errors import DiceError, NotAllowed
from cogs.kit.interactions import NAME, NUMBER, Field, Interaction, KindOfButton, caller, row
from cogs.kit.replies import reply
from cogs.roll import words

ROOM = 64
"""As many characters of dice and label fit a button."""
_WAYS = {None: "u", Visibility.PUBLIC: "p", Visibility.SELF: "s", Visibility.GM: "g", Visibility.BLIND: "b"}
_VISIBILITIES = {letter: visibility for visibility, letter in _WAYS.items()}


async def ask_for_hand(interaction: Interaction, dice: str, times: int, options: RollOptions) -> None:
    """Ask in public for somebody who throws what the asker wants to roll."""
    # A cleaned label has no @ in it.
    asked = f"{dice}@{options.label}"
    if len(asked) > ROOM:
        raise DiceError(
            f"That is too long for others to throw: dice and label have {ROOM - 1} characters here. "
            "Keep the dice under a short name with /save."
        )
    way = _WAYS[options.visibility] + "f" * options.practice
    button = THROW(interaction.user.id, times, way, asked)
    await interaction.response.send_message(words.asks(interaction.user.id, dice, times), view=row(button))


async def _throw(interaction: Interaction, host: int, times: int, way: str, asked: str) -> None:
    """Throw what somebody else asked for; the first press counts."""
    if interaction.user.id == host:
        raise NotAllowed("Somebody else has to throw for you: that is what makes it a proof.")
    dice, _, label = asked.rpartition("@")
    options = RollOptions(label, _VISIBILITIES[way[0]], practice=way.endswith("f"))
    # Whoever throws lends the press, and none of their rights.
    asking = replace(
        caller(interaction), user_id=host, hand=interaction.user.id, manages=False, roles=frozenset[int]()
    )
    rolling = interaction.client.app.rolling
    answer = await rolling.throw(
        asking, interaction.message.id if interaction.message else 0, dice, times, options
    )
    await interaction.response.edit_message(view=None)
    await reply(interaction, rolling, answer)


THROW = KindOfButton("throw", "Throw for them", _throw, NUMBER, NUMBER, Field("[upsgb]f?", str), NAME)

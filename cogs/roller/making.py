"""Commands of /roller that make a roller of dice, and the making of any roller."""

from collections.abc import Callable

from discord import app_commands

from bot.answers import explain_refusal
from bot.campaign.campaigns import Remembers
from bot.dice.errors import NameTaken
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.system import Json, Spec, System, read_base
from bot.systems.deck import REFILL_LIMIT
from bot.systems.registry import load_spec, print_spec, read_spec
from bot.systems.typed import in_decimals, read_faces, read_named, read_tightness
from bot.words.cards import CardButton, text_card
from bot.words.notation import in_notation
from bot.words.rolls import stands
from bot.words.saying import phrase, say
from bot.words.systems import roller_ready
from cogs.kit.cards import edit, send
from cogs.kit.interactions import NUMBER, ButtonHandler, Field, Interaction, caller, caller_and_campaign
from cogs.kit.options import DiceText, Name, offered
from cogs.roller import words

ROLLER = app_commands.Group(name="roller", description="Make and change rollers.")
Decimal = app_commands.Range[str, 1, 14]
Long = app_commands.Range[str, 1, 4_000]
Sets = app_commands.Range[int, 1, 1_000]
Refill = app_commands.Range[int, 1, 1_000_000]
MEMORIES, MODES = offered(__file__, "memories", Remembers), offered(__file__, "modes")
Memory = app_commands.Transform[Remembers, MEMORIES]
Mode = app_commands.Transform[str, MODES]


def read_dice(text: str) -> Json:
    """Return dice in the notation, and results such as wood 4, brick 3 with their weights."""
    return read_named(in_notation(text, ("d",)))


@ROLLER.command()
async def fair(
    interaction: Interaction,
    name: Name,
    dice: DiceText,
    tightness: Decimal | None = None,
    memory: Memory = Remembers.TABLE,
    after: Long = "",
) -> None:
    """Make a fair roller: what came up too often becomes rarer.

    :param name: Name it: /roll takes the name
    :param dice: The dice to even out, such as 2d6, or results: wood 4, brick 3
    :param tightness: How strongly (1): 0 is plain dice, inf is drawing from a hat
    :param memory: Whose rolls it remembers (the table's)
    :param after: Results that came up already: 2, 4, 7, 7
    """

    def read() -> System:
        base, strength = (dice, tightness) if tightness else read_tightness(in_notation(dice, ("d",)))
        spec: Spec = {"system": "fair", "base": read_dice(base), "tightness": strength}
        return read_spec({**spec, "after": [*read_faces(after)]} if after else spec)

    await make_of(interaction, name, read, memory)


@ROLLER.command()
async def dynamic(
    interaction: Interaction,
    name: Name,
    dice: DiceText = "1d6",
    factor: Decimal = "0.355",
    memory: Memory = Remembers.TABLE,
) -> None:
    """Make dynamic dice: each result gets rarer once it comes up.

    :param name: Name it: /roll takes the name
    :param dice: Dice with equally likely results, such as 1d6, or wood, brick, grain
    :param factor: Multiply a result's weight by this when it comes up: over 0, at most 1
    :param memory: Whose rolls it remembers (the table's)
    """
    await make(
        interaction,
        name,
        {"system": "dynamic", "base": read_dice(dice), "factor": in_decimals(factor)},
        memory,
    )


@ROLLER.command()
async def deck(
    interaction: Interaction,
    name: Name,
    dice: DiceText = "1d6",
    size: Sets = 1,
    refill: Refill | None = None,
    mode: Mode = "add",
    memory: Memory = Remembers.TABLE,
) -> None:
    """Make a deck: draw a die's results like cards.

    :param name: Name it: /roll takes the name
    :param dice: The dice that give the cards, such as 1d6, or wood 4, brick 3
    :param size: Sets of cards in it (1)
    :param refill: Refill when fewer cards than this are left (half)
    :param mode: How to refill it
    :param memory: Whose draws it remembers (the table's)
    """

    def read() -> System:
        # The last cards of a deck are known to those who count, so it is refilled early.
        base = read_dice(dice)
        least = refill or min(size * read_base(base).total // 2 + 1, REFILL_LIMIT)
        return read_spec({"system": "deck", "base": base, "size": size, "refill": least, "mode": mode})

    await make_of(interaction, name, read, memory)


@ROLLER.command(name="dice")
async def make_dice(interaction: Interaction, name: Name, dice: DiceText) -> None:
    """Make plain dice with a name, without a memory.

    :param name: Name it: /roll takes the name
    :param dice: Any dice, such as 1d20+5, or wood 4, brick 3
    """
    await make(interaction, name, {"system": "dice", "base": read_dice(dice)}, Remembers.TABLE)


async def make(interaction: Interaction, name: str, spec: Spec, memory: Remembers) -> None:
    """Make a roller from its parameters, and announce it."""
    await make_of(interaction, name, lambda: read_spec(spec), memory)


async def make_of(interaction: Interaction, name: str, read: Callable[[], System], memory: Remembers) -> None:
    """Make a roller of the system that `read` returns, and announce it."""
    rollers = interaction.client.app.rollers
    try:
        new_roller = await rollers.make_of(caller(interaction), name, read, memory)
    except NameTaken:
        if not await _ask(interaction, clean(name, NAME_LIMIT), read(), memory):
            raise
        return
    if interaction.response.is_done():
        # The download deferred a private answer, because errors are private.
        await send(interaction, say("Done."), private=True)
    await send(interaction, lambda: roller_ready(*new_roller))


async def _ask(interaction: Interaction, name: str, system: System, memory: Remembers) -> bool:
    """Ask whether to replace the roller of that name. Return False if it does not fit into a button."""
    asker, campaign_id = await caller_and_campaign(interaction)
    values = campaign_id, memory, name, print_spec(system)
    if not CHANGE.custom_id.fits(*values) or interaction.response.is_done():
        return False
    present, _ = await interaction.client.app.rollers.get(asker, name)
    question = words.confirm_change(present, system, memory)
    await send(interaction, text_card(question, CardButton("remake", values)), private=True)
    return True


async def _change(interaction: Interaction, shown_in: int, memory: Remembers, name: str, spec: str) -> None:
    """Replace a roller, and announce it."""
    system, asker = load_spec(spec), caller(interaction, shown_in)
    event = await interaction.client.app.rollers.make_instead(asker, name, system, memory)
    with explain_refusal(stands(event, _STANDS)):
        await edit(interaction, lambda: say("Done."))
        await send(interaction, lambda: roller_ready(event, system))


_STANDS = phrase("The change stands ({number}), but Discord refused my answer.")
_CHANGED = NUMBER, Field("table|player", Remembers), Field("[^{]{1,64}"), Field(r"\{.*")
CHANGE = ButtonHandler("remake", "Change it", _change, *_CHANGED, style="danger", once=True)

"""Commands of /roller that make a roller of cards, of a chart or from a file."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.campaign.campaigns import Remembers
from bot.campaign.imports import BYTES_LIMIT, must_be_roller, read_file, read_import
from bot.dice.errors import SpecError
from bot.systems.charts import Chart, read_chart
from bot.systems.registry import load_spec, read_spec
from bot.systems.typed import KNOWN_DECKS, read_chances, read_deck, read_decks, read_rows
from cogs.kit.interactions import Interaction, caller
from cogs.kit.options import DiceText, Name
from cogs.kit.replies import read_attachment
from cogs.roller.making import ROLLER, Decimal, Long, Memory, Mode, Refill, Sets, make_of

if TYPE_CHECKING:
    from bot.dice.system import Spec

Copies = app_commands.Range[int, 1, 40]


@ROLLER.command(name="cards")
async def make_cards(
    interaction: Interaction,
    name: Name,
    cards: Long,
    no_repeat: bool = False,  # noqa: FBT001, FBT002 (an option of Discord's)
    size: Sets = 1,
    refill: Refill = 1,
    mode: Mode = "add",
    memory: Memory = Remembers.TABLE,
    tightness: Decimal | None = None,
) -> None:
    """Make a deck of labelled cards, for /deal.

    :param name: Name it: /deal takes the name
    :param cards: Cards and how many copies: attack 3, defense 3. Or 52 for playing cards
    :param no_repeat: Never deal the same card twice in a row
    :param size: Sets of cards in it (1)
    :param refill: Refill when fewer cards than this are left (1)
    :param mode: How to refill it
    :param memory: Whose draws it remembers (the table's)
    :param tightness: Draw with replacement, evened out this strongly, instead of a deck
    """
    rule: Spec = {"system": "deck", "size": size, "refill": refill, "mode": mode, "no_repeat": no_repeat}
    if tightness is not None:
        if no_repeat or (size, refill, mode) != (1, 1, "add"):
            raise SpecError("With a tightness no card leaves the deck. Leave the options of a deck out.")
        rule = {"system": "fair", "tightness": tightness}
    await make_of(interaction, name, lambda: read_spec({**rule, "base": read_deck(cards)}), memory)


@make_cards.autocomplete("cards")
async def _suggest_cards(_: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Suggest the known decks, each with its first three cards and its last one."""
    return [
        app_commands.Choice(name=f"{number} · {first}, {second}, {third} … {last}", value=number)
        for number, (first, second, third, *_rest, last) in KNOWN_DECKS.items()
        if number.startswith(typed.strip())
    ]


@ROLLER.command(name="decks")
async def make_decks(
    interaction: Interaction,
    name: Name,
    decks: Long,
    no_repeat: bool = False,  # noqa: FBT001, FBT002 (an option of Discord's)
    size: Sets = 1,
    refill: Refill = 1,
    mode: Mode = "add",
    memory: Memory = Remembers.TABLE,
) -> None:
    """Make several decks that deal one card of each.

    :param name: Name it: /deal takes the name
    :param decks: The decks with their cards: attack: sword 3, bow 3; other: spy 3
    :param no_repeat: Never deal the same card of a deck twice in a row
    :param size: Sets of cards in it (1)
    :param refill: Refill when fewer cards than this are left (1)
    :param mode: How to refill each deck
    :param memory: Whose draws they remember (the table's)
    """
    rule: Spec = {"system": "decks", "size": size, "refill": refill, "mode": mode, "no_repeat": no_repeat}
    await make_of(interaction, name, lambda: read_spec({**rule, "decks": read_decks(decks)}), memory)


@ROLLER.command()
async def blocks(
    interaction: Interaction, name: Name, categories: Long, block: Copies, memory: Memory = Remembers.TABLE
) -> None:
    """Make blocks of cards: each has a card of every category.

    :param name: Name it: /deal takes the name
    :param categories: The categories with their cards: road: r1, r2 3; farm: f1, f2
    :param block: Cards in a block, all different
    :param memory: Whose draws it remembers (the table's)
    """
    rule: Spec = {"system": "blocks", "block": block}
    await make_of(
        interaction, name, lambda: read_spec({**rule, "categories": read_decks(categories)}), memory
    )


@ROLLER.command(name="chart")
async def make_chart(
    interaction: Interaction,
    name: Name,
    dice: DiceText | None = None,
    chart: Long | None = None,
    file: discord.Attachment | None = None,
    tightness: Decimal | None = None,
    memory: Memory = Remembers.TABLE,
) -> None:
    """Make a chart: dice whose results stand for something.

    :param name: Name it: /roll takes the name
    :param dice: The dice of the chart, such as 2d6
    :param chart: 2-4 bandits; 5-9 nothing; 10-12 treasure, or without dice: wood 3, brick 2
    :param file: The chart as CSV. Its first line names the dice: 2d6,encounter
    :param tightness: Even the results out this strongly (plain dice)
    :param memory: Whose rolls it remembers (the table's)
    """
    read_table = await _chart_reader(interaction, name, dice, chart, file)
    rule: Spec = {"system": "dice"} if tightness is None else {"system": "fair", "tightness": tightness}
    await make_of(interaction, name, lambda: read_spec({**rule, "base": read_table().as_base()}), memory)


@ROLLER.command(name="import")
async def bring(
    interaction: Interaction,
    name: Name,
    json: Long | None = None,
    file: discord.Attachment | None = None,
    memory: Memory = Remembers.TABLE,
) -> None:
    """Make a roller from JSON, or a map for /destination from CSV.

    :param name: Name it: /destination takes the map named Destination
    :param json: A roller as /roller export writes it
    :param file: The same as a file, or a map as CSV: region,coin,2d6,place
    :param memory: Whose rolls it remembers (the table's)
    """
    await interaction.client.app.rollers.may_make(caller(interaction))
    text = await _read_text(interaction, json, file, SpecError("Give either the JSON or a file."))
    await make_of(
        interaction, name, lambda: must_be_roller(read_import(text) if file else load_spec(text)), memory
    )


async def _chart_reader(
    interaction: Interaction, name: str, dice: str | None, typed: str | None, file: discord.Attachment | None
) -> Callable[[], Chart]:
    await interaction.client.app.rollers.may_make(caller(interaction))
    neither = SpecError("Give either a chart with its dice, or a file.")
    text = await _read_text(interaction, typed, file, neither)
    if file is None:
        return lambda: read_rows(name, dice, text) if dice else read_chances(text)
    if dice is not None:
        raise SpecError("A file's first line names its dice. Leave `dice` out.")
    return lambda: read_chart(name, text)


async def _read_text(
    interaction: Interaction, typed: str | None, file: discord.Attachment | None, refusal: SpecError
) -> str:
    """Return the typed or the attached text. Raise `refusal` unless exactly one is given."""
    if (typed is None) == (file is None):
        raise refusal
    if file is None:
        return typed or ""
    return read_file(await read_attachment(interaction, file, BYTES_LIMIT))

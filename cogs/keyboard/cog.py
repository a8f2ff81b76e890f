"""/buttons: a lasting message with dice to press."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import discord
from discord import app_commands
from discord.ext import commands
from discord.ui import TextInput

from bot.client import Evenhand
from bot.dice import notation
from bot.dice.errors import NotationError, SpecError
from bot.services.saved import Known
from bot.words.cards import Card, CardButton, text_card
from bot.words.games import spoken, translated
from bot.words.languages import speaking
from bot.words.saying import say
from cogs.keyboard import words
from cogs.kit.cards import edit, send, spoken_in
from cogs.kit.interactions import (
    NUMBER,
    ButtonHandler,
    Field,
    Interaction,
    PersistentForm,
    buttons_on,
    caller,
)
from cogs.kit.options import OneOf, roll_options
from cogs.kit.prompts import roll

_SETS = OneOf({name: one.title for name, one in words.SETS.items()})
ROLLS_LIMIT = 23
"""Keys that roll; with the modifier and the one that removes it a keyboard is full."""
_MODIFIERS = 100
_ROWS = 5


class KeyboardCog(commands.Cog, name="Keyboard"):
    """Dice to press."""

    @app_commands.command()
    @app_commands.rename(chosen="set")
    async def buttons(
        self,
        interaction: Interaction,
        chosen: app_commands.Transform[str, _SETS] = "",
        rolls: app_commands.Range[str, 1, 400] = "",
    ) -> None:
        """Put up dice that everybody can press.

        :param chosen: Which keys (the campaign's game, or a d20 table)
        :param rolls: Your own rolls, such as 1d20+5, 8d6
        """
        await show(interaction, "own" if rolls else chosen, rolls)


@dataclass(frozen=True, slots=True)
class Key:
    """A key: what is rolled, and its name where it is not the text itself."""

    text: str
    name: str = ""
    picture: str | None = None
    """Discord's text for a die before the label."""

    @property
    def fits(self) -> bool:
        """Return whether it can be written into a custom id."""
        return ROLL.custom_id.fits(self.name, self.text)


async def show(interaction: Interaction, chosen: str = "", rolls: str = "") -> None:
    """Answer with a keyboard that stays; SpecError where it has no keys."""
    known = await interaction.client.app.saved.known(caller(interaction))
    title, keys = await _set(interaction, chosen, rolls, known)
    fitting = [key for key in keys if key.fits][:ROLLS_LIMIT]
    if not fitting:
        raise SpecError("There is nothing to put on these keys. Say what with `rolls`, such as 1d20, 2d6+3.")
    left = [key.name or key.text for key in keys if key not in fitting]
    if known.rules.faces:
        pictures = interaction.client.pictures
        fitting = [replace(key, picture=words.picture(key.text, pictures)) for key in fitting]
    changes = any(notation.reads(key.text) for key in fitting)
    buttons = [*map(_button, fitting), *([CardButton("key-modify")] if changes else [])]
    buttons.append(CardButton("key-remove", (interaction.user.id,)))

    def told() -> Card:
        put = words.put(say(title), changes=changes)
        return _board(put + words.left_out(left, words.FULL), buttons)

    await send(interaction, told)


async def _set(interaction: Interaction, chosen: str, rolls: str, known: Known) -> tuple[str, list[Key]]:
    """Return a set's title and its keys."""
    game, title = known.game, words.SETS[chosen or "d20"].title
    if chosen == "own":
        return title, _own(rolls, known)
    if chosen == "saved":
        saved, asker = interaction.client.app.saved, caller(interaction)
        if not (found := [*await saved.all(asker), *await saved.shared(asker)]):
            raise SpecError(words.NO_SAVED)
        return title, [Key(text, name) for name, text in found]
    if game and chosen in {"", "game"}:
        with speaking(spoken_in(interaction, known.rules)):
            keys = [Key(text, spoken(text).removeprefix(f"{game.key} ")) for text in game.buttons]
            return translated(game).name, keys
    if chosen == "game":
        raise SpecError(words.NO_GAME)
    return title, [Key(text) for text in words.SETS[chosen or "d20"].rolls]


def _own(rolls: str, known: Known) -> list[Key]:
    """Return keys for dice, rollers and games' words; SpecError names what is none of them."""
    keys: list[Key] = []
    for text in filter(None, map(str.strip, rolls.split(","))):
        try:
            keys.append(Key(known.read(text)))
        except NotationError as error:
            raise SpecError("{text}: {error}", text=text, error=error) from None
    if not keys:
        raise SpecError(words.NO_ROLLS)
    return keys


def modified(keys: Sequence[Key], modifier: int) -> tuple[list[CardButton], list[str]]:
    """Return buttons for the keys whose dice take a modifier, and the others' names; SpecError for none."""

    def with_it(key: Key) -> Key:
        return replace(key, text=f"{key.text}{modifier:+}", name=key.name and f"{key.name} {modifier:+}")

    changed = {key: with_it(key) for key in keys}
    fitting = [key for key in changed.values() if notation.reads(key.text) and key.fits]
    if not fitting:
        raise SpecError("These keys take no modifier: they aren't plain dice.")
    left = [key.name or key.text for key, new in changed.items() if new not in fitting]
    return [*map(_button, fitting)], left


def keys_of(message: discord.Message | None) -> list[Key]:
    """Return the keys that are on a message."""
    on = buttons_on(message, ROLL.custom_id) if message else ()
    return [Key(text, name, str(button.emoji) if button.emoji else None) for button, (name, text) in on]


def _board(text: str, buttons: Sequence[CardButton]) -> Card:
    """Return the buttons in rows of three where they have room, for so many stand side by side on a phone."""
    return replace(text_card(text, *buttons), columns=max(3, -(-len(buttons) // _ROWS)))


def _button(key: Key) -> CardButton:
    # The die that most rolls at a table are made with stands out.
    style = "success" if key.text.removeprefix("1") == "d20" else ""
    return CardButton("key", (key.name, key.text), emoji=key.picture or "", style=style)


async def _roll(interaction: Interaction, name: str, text: str) -> None:
    """Roll what the key says, for whoever pressed it."""
    # A game's key is named by its words, which the roll shows anyway.
    await roll(interaction, text, 1, roll_options("" if text.endswith(name) else name))


async def _remove(interaction: Interaction, put_by: int) -> None:
    """Remove the keyboard, for whoever put it there and for game masters."""
    if interaction.user.id != put_by:
        await interaction.client.app.campaigns.only_for_masters(caller(interaction))
    await edit(interaction, lambda: say(words.REMOVED))


class ModifierForm(PersistentForm, title="Modifier", word="key-plus"):
    """Asks for a modifier; sending it gives a private copy of the keyboard with it."""

    number: TextInput[Self] = TextInput(
        label="Added to each roll", custom_id="number", max_length=4, placeholder="+5"
    )

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Answer with the keys that take the modifier."""
        modifier = words.read_modifier(typed.get("number", ""), _MODIFIERS)
        buttons, left = modified(keys_of(interaction.message), modifier)
        text = words.modified(modifier) + words.left_out(left, words.NO_MODIFIER)
        await send(interaction, _board(text, buttons), private=True)


ROLL = ButtonHandler("key", words.label, _roll, Field(r"[^:]{0,32}", str), Field(r".{1,64}", str))
MODIFY = ButtonHandler("key-modify", "± …", ModifierForm.open)
REMOVE = ButtonHandler("key-remove", "Remove", _remove, NUMBER)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(KeyboardCog())

"""/buttons: a lasting message with dice to press."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from bot.dice import notation
from bot.dice.choices import asks_choice, is_unclear_choice, named_faces
from bot.dice.dialects.rewriting import split_outside
from bot.dice.errors import NotationError, SpecError
from bot.dice.expressions import Binary, Expression, Node, Number, Operator, Opposed, Truth
from bot.dice.modifiers import Success
from bot.dice.naming import as_typed, first_name, folded, number_names
from bot.dice.terms import Dice
from bot.parsing.kept import read_to_keep
from bot.parsing.names import CampaignNames
from bot.words.cards import Card, CardButton, text_card
from bot.words.games import spoken, translated
from bot.words.languages import speaking
from bot.words.saying import say
from cogs.keyboard import words
from cogs.kit.cards import edit, language_of_place, send
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

_SETS = OneOf({name: key_set.title for name, key_set in words.SETS.items()})
ROLLS_LIMIT = 23
"""Most keys that roll; the modifier and *Remove* take Discord's other two buttons."""
_ROWS = 5
_STAND_IN = 91_820
"""A number in the place of a name, in which no other number stands."""
_BEHIND = re.compile(r" (?=(?:vs|dc|ac)\b|[#<>=])|[<>=]", re.ASCII | re.IGNORECASE)
"""What stands behind the total of dice: a target, another side, a comment."""


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
        if chosen and rolls:
            raise SpecError("Choose a set, or give your own `rolls`. Leave one out.")
        await _show(interaction, "own" if rolls else chosen, rolls)


@dataclass(frozen=True, slots=True)
class Key:
    """A key: the text to roll, and its name if it differs from the text."""

    text: str
    name: str = ""
    picture: str = ""
    """Discord's emoji of a die, shown before the label."""

    @property
    def fits(self) -> bool:
        """Return whether the key fits into a custom id."""
        return ROLL.custom_id.fits(self.written_name, self.text)

    @property
    def written_name(self) -> str:
        """The name as it stands in a custom id, where a colon would end it; a clean name has no @."""
        return self.name.replace(":", "@")


async def _show(interaction: Interaction, chosen: str, rolls: str) -> None:
    """Send a lasting keyboard. Raise SpecError if it would have no keys."""
    vocabulary = await interaction.client.app.saved.names(caller(interaction))
    title, keys = await _read_set(interaction, chosen, rolls, vocabulary)
    keys = [*dict.fromkeys(keys)]
    fitting = [key for key in keys if key.fits][:ROLLS_LIMIT]
    if not fitting:
        raise SpecError("There is nothing to put on these keys. Say what with `rolls`, such as 1d20, 2d6+3.")
    omitted = [key.name or as_typed(key.text) for key in keys if key not in fitting]
    if vocabulary.rules.faces:
        pictures = interaction.client.pictures
        fitting = [replace(key, picture=words.picture(key.text, pictures)) for key in fitting]
    changes = any(_add(key.text, 1, vocabulary) for key in fitting)
    buttons = [*map(_button, fitting), *([CardButton("key-modify")] if changes else [])]
    buttons.append(CardButton("key-remove", (interaction.user.id,)))

    def make_card() -> Card:
        put = words.put(say(title), changes=changes)
        return _board(put + words.left_out(omitted, words.FULL), buttons)

    await send(interaction, make_card)


async def _read_set(
    interaction: Interaction, chosen: str, rolls: str, vocabulary: CampaignNames
) -> tuple[str, list[Key]]:
    """Return the title and the keys of a set."""
    game, title = vocabulary.game, words.SETS[chosen or "d20"].title
    if chosen == "own":
        return title, _read_keys(rolls, vocabulary)
    if chosen == "saved":
        saved, asker = interaction.client.app.saved, caller(interaction)
        if not (saved_rolls := [*await saved.all(asker), *await saved.shared(asker)]):
            raise SpecError(words.NO_SAVED)
        return title, [Key(text, name) for name, text in saved_rolls]
    if game and chosen in {"", "game"}:
        with speaking(language_of_place(interaction, vocabulary.rules)):
            keys = [Key(text, spoken(text).removeprefix(f"{game.key} ")) for text in game.buttons]
            return translated(game).name, keys
    if chosen == "game":
        raise SpecError(words.NO_GAME)
    return title, [Key(text) for text in words.SETS[chosen or "d20"].rolls]


def _split_rolls(rolls: str, vocabulary: CampaignNames) -> list[str]:
    """Return the rolls of a list; commas in brackets, and those between a choice's options, are no ends."""
    texts: list[str] = []
    for part in filter(None, map(str.strip, split_outside(rolls, ",", "([{", ")]}"))):
        last = vocabulary.in_notation(texts[-1]) if texts else ""
        if asks_choice(last) and (
            is_unclear_choice(last) or not notation.reads(vocabulary.in_notation(part))
        ):
            texts[-1] += f", {part}"
        else:
            texts.append(part)
    return texts


def _read_keys(rolls: str, vocabulary: CampaignNames) -> list[Key]:
    """Return keys for typed dice, rollers and games' words. Raise NotationError for any other text."""
    keys: list[Key] = []
    for text in _split_rolls(rolls, vocabulary):
        saved_text = vocabulary.vocabulary.saved.get(folded(text), "")
        try:
            keys.append(Key(read_to_keep(vocabulary, text), text if saved_text else ""))
        except NotationError as error:
            if saved_text:  # its name alone is read everywhere, and `To hit: axe` in no other text
                keys.append(Key(saved_text, text))
                continue
            raise NotationError("{text}: {error}", readings=error.readings, text=text, error=error) from None
    if not keys:
        raise SpecError(words.NO_ROLLS)
    return keys


def modified(
    keys: Sequence[Key], modifier: int, names: CampaignNames | None = None
) -> tuple[list[CardButton], list[str]]:
    """Return buttons of the keys that take a modifier, and the names of the others.

    Rollers take one if their `names` are known. Raise SpecError if no key takes one.
    """
    changed = {
        key: replace(key, text=_add(key.text, modifier, names), name=key.name and f"{key.name} {modifier:+}")
        for key in keys
    }
    fitting = [key for key in changed.values() if key.text and key.fits]
    if not fitting:
        raise SpecError("These keys take no modifier: they are no sums.")
    omitted = [key.name or as_typed(key.text) for key, new in changed.items() if new not in fitting]
    return [*map(_button, fitting)], omitted


def _add(text: str, modifier: int, names: CampaignNames | None = None) -> str:
    """Return a roll with a number added to its total, in front of a target; "" for any other text.

    Dice may have numbers of the person's own, `d20+{str}`, and a roller of the campaign shows numbers.
    """
    numbers = {f"{{{name}}}": str(_STAND_IN + place) for place, name in enumerate(number_names(text))}
    in_numbers = text
    for name, number in numbers.items():
        in_numbers = in_numbers.replace(name, number)
    changed = (
        _add_to_dice(in_numbers, modifier) or (names and _add_to_roller(in_numbers, modifier, names)) or ""
    )
    for name, number in numbers.items():
        changed = changed.replace(number, name)
    return changed


def _add_to_roller(text: str, modifier: int, names: CampaignNames) -> str:
    """Return a roller with a number added behind its name; "" for other texts, and if it shows no numbers."""
    name = first_name(text, names.vocabulary) or text
    roller = names.rollers.get(name.casefold())
    changed = (
        f"{name}{modifier:+}{text.strip().removeprefix(name)}" if roller and roller.shows_numbers else ""
    )
    return changed if changed and names.is_readable(changed) else ""


def _add_to_dice(text: str, modifier: int) -> str:
    comment = notation.comment(text)
    if not notation.reads(text) or named_faces(comment) or (dice := notation.read_own(text)).more:
        return ""
    # To one die that counts as a success or not, a number would add successes.
    match dice.body:
        case Truth(body=total):
            body = replace(dice.body, body=_plus(total, modifier))
        case Opposed(left=total):
            body = replace(dice.body, left=_plus(total, modifier))
        case Dice(count=1, success=Success()):
            return ""
        case total:
            body = _plus(total, modifier)
    try:
        changed = Expression(body, dice.repeat)
    except NotationError:
        return ""
    # As typed where that can be: `d20+5+2 vs 15`.
    for place in (len(text), *(match.start() for match in _BEHIND.finditer(text))):
        typed = f"{text[:place]}{modifier:+}{text[place:]}"
        is_same = notation.reads(typed) and notation.read_own(typed) == changed
        if is_same and notation.comment(typed) == comment:
            return typed
    return f"{changed} # {comment}" if comment else str(changed)


def _plus(node: Node, modifier: int) -> Node:
    return Binary(Operator.PLUS if modifier > 0 else Operator.MINUS, node, Number(abs(modifier)))


def keys_of(message: discord.Message | None) -> list[Key]:
    """Return the keys of a message."""
    return [
        Key(text, name, str(button.emoji) if button.emoji else "")
        for button, (name, text) in buttons_on(message, ROLL.custom_id)
    ]


def _board(text: str, buttons: Sequence[CardButton]) -> Card:
    """Return the keyboard in rows of three if they suffice, because a phone shows three side by side."""
    return replace(text_card(text, *buttons), columns=max(3, -(-len(buttons) // _ROWS)))


def _button(key: Key) -> CardButton:
    # The most used die is highlighted.
    style = "success" if key.text.removeprefix("1") == "d20" else ""
    return CardButton("key", (key.written_name, key.text), emoji=key.picture, style=style)


def _read_name(written: str) -> str:
    return written.replace("@", ":")


def _label(written_name: str, text: str) -> str:
    return words.label(_read_name(written_name), text)


async def _roll(interaction: Interaction, name: str, text: str) -> None:
    """Roll a key's text for the presser."""
    # The name of a game's key repeats the roll's words, so it is no label.
    await roll(interaction, text, 1, roll_options("" if text.endswith(name) else name))


async def _remove(interaction: Interaction, put_by: int) -> None:
    """Remove the keyboard if its author or a game master pressed."""
    if interaction.user.id != put_by:
        await interaction.client.app.campaigns.only_for_masters(caller(interaction))
    await edit(interaction, lambda: say(words.REMOVED))


class ModifierForm(PersistentForm, title="Modifier", word="key-plus", file=__file__):
    """Asks for a modifier; sending it shows a private copy of the keyboard with it."""

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Send the keys that take the modifier."""
        modifier = words.read_modifier(typed["number"])
        names = await interaction.client.app.saved.names(caller(interaction))
        buttons, omitted = modified(keys_of(interaction.message), modifier, names)
        text = words.modified(modifier) + words.left_out(omitted, words.NO_MODIFIER)
        await send(interaction, _board(text, buttons), private=True)


ROLL = ButtonHandler("key", _label, _roll, Field(r"[^:]{0,32}", _read_name), Field(r".{1,64}"))
MODIFY = ButtonHandler("key-modify", "± …", ModifierForm.open)
REMOVE = ButtonHandler("key-remove", "Remove", _remove, NUMBER)


async def setup(bot: Evenhand) -> None:
    """Add the commands."""
    await bot.add_cog(KeyboardCog())

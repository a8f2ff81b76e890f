"""The list and form of /admin settings, which change one setting."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import get_type_hints

from discord.ui import RadioGroup, Select, TextInput, View

from bot.answers import OUT_OF_DATE
from bot.campaign.campaigns import Rules
from bot.campaign.command import Caller
from bot.dice.errors import SpecError, Unknown
from bot.words.languages import NAMES, codes
from bot.words.saying import phrase, say
from cogs.admin import words
from cogs.kit.cards import send
from cogs.kit.interactions import (
    NUMBER,
    ComponentHandler,
    Field,
    Interaction,
    PersistentForm,
    caller,
    chosen_value,
)
from cogs.kit.options import OneOf

_SERVERS, _YES = "server", "yes"
LANGUAGES = OneOf(
    {_SERVERS: phrase("the server's")} | {code: NAMES.get(code, code) for code in sorted({"en"} | codes())},
    lambda code: "" if code == _SERVERS else code,
)


def _reader(setting: str) -> Callable[[str], object]:
    """Return the function that reads a setting's choices: yes and no, or those of its type."""
    kind: Callable[[str], object] = get_type_hints(Rules)[setting]
    return _YES.__eq__ if kind is bool else kind


_CHOICES = {
    name: OneOf(texts["offers"], _reader(name)) for name, texts in words.SETTINGS.items() if "offers" in texts
} | {"language": LANGUAGES}
"""Setting name to its choices. Other settings are numbers, or channels, which only the command sets."""
VISIBILITIES, WHOSE = _CHOICES["visibility"], _CHOICES["makers"]
FOOTERS, LOOKS = _CHOICES["footer"], _CHOICES["looks"]


def _read(setting: str, typed: str) -> object:
    """Return a setting's parsed value. Raise SpecError for an invalid one."""
    if setting in _CHOICES:
        return _CHOICES[setting].read(typed)
    try:
        return int(typed.replace(",", ""))
    except ValueError:
        raise SpecError("{typed!r} is no number. Type one, such as 5.", typed=typed) from None


def settings_list(campaign_id: int) -> Select[View]:
    """Return the list of settings to change."""
    options = {name: say(texts["asks"]) for name, texts in words.SETTINGS.items()}
    return _LIST.select(campaign_id, options=options, placeholder=say("Change …"))


async def _ask(interaction: Interaction, shown_in: int) -> None:
    """Open the form of the chosen setting."""
    name = chosen_value(interaction)
    if name not in words.SETTINGS:
        raise Unknown(OUT_OF_DATE)
    rules = await interaction.client.app.campaigns.rules(caller(interaction, shown_in))
    await SettingForm(shown_in, name).with_field(rules).show(interaction)


_LIST = ComponentHandler("settings", _ask, NUMBER)


async def set_rules(
    interaction: Interaction, asker: Caller, before: Rules, changes: Mapping[str, object]
) -> None:
    """Change the campaign's rules, and announce the changes."""
    service = interaction.client.app.campaigns
    event, rules = await service.set_rules(asker, changes), replace(before, **changes)
    await send(interaction, lambda: words.settings_changed(event, before, rules, service.retention))


_SETTING = Field("|".join(words.SETTINGS))


class SettingForm(PersistentForm, title="Change a setting", word="setting", fields=(NUMBER, _SETTING)):
    """Asks for the value of one setting."""

    def with_field(self, rules: Rules) -> "SettingForm":
        """Add the field with the current value, and return the form."""
        _, name = self.values
        asks, now = words.SETTINGS[name]["asks"], getattr(rules, name)
        if name not in _CHOICES:
            self.ask(asks, TextInput(custom_id="value", default=str(now)))
            return self
        group: RadioGroup[View] = RadioGroup(custom_id="value")
        for choice in _CHOICES[name].choices:
            is_now = _read(name, choice.value) == now
            group.add_option(label=say(choice.name), value=choice.value, default=is_now)
        self.ask(asks, group)
        return self

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Change the setting. Raise SpecError for an invalid value."""
        shown_in, name = self.values
        changes = {name: _read(name, typed["value"])}
        asker = caller(interaction, shown_in)
        before = await interaction.client.app.campaigns.rules(asker)
        if replace(before, **changes) == before:
            await send(interaction, say("That is already so."), private=True)
            return
        await set_rules(interaction, asker, before, changes)

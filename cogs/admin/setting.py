"""The list under /admin settings: each setting opens a form of its own."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import discord
from discord.ui import Label, RadioGroup, Select, TextInput, View

from bot.answers import OUT_OF_DATE
from bot.campaign.campaigns import Footer, Looks, Rules, Whose
from bot.campaign.command import Caller
from bot.campaign.kinds import Visibility
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
    chosen_one,
)
from cogs.kit.options import OneOf

_SERVERS, _YES = "server", "yes"
LANGUAGES = OneOf(
    {_SERVERS: phrase("the server's")} | {code: NAMES.get(code, code) for code in sorted({"en"} | codes())},
    lambda code: "" if code == _SERVERS else code,
)


def _offered(setting: str, read: Callable[[str], object] = _YES.__eq__) -> OneOf:
    """Return what a setting offers; without another way to read it, a yes or a no."""
    return OneOf(words.SETTINGS[setting]["offers"], read)


VISIBILITIES, WHOSE = _offered("visibility", Visibility), _offered("makers", Whose)
FOOTERS, LOOKS = _offered("footer", Footer), _offered("looks", Looks)
_OFFERED = {name: _offered(name) for name, told in words.SETTINGS.items() if "offers" in told} | {
    "visibility": VISIBILITIES,
    **dict.fromkeys(("makers", "odds"), WHOSE),
    "footer": FOOTERS,
    "looks": LOOKS,
    "language": LANGUAGES,
}
"""The choices of settings by their names; the others are numbers. Channels are options of the command."""


def _read(setting: str, typed: str) -> object:
    """Return what was chosen or typed; SpecError for a value that the setting can't have."""
    if setting in _OFFERED:
        return _OFFERED[setting].read(typed)
    try:
        return int(typed.replace(",", ""))
    except ValueError:
        raise SpecError("{typed!r} is no number. Type one, such as 5.", typed=typed) from None


def settings_list(campaign_id: int) -> Select[View]:
    """Return the list of settings to change."""
    options = [
        discord.SelectOption(label=say(one["asks"]), value=name) for name, one in words.SETTINGS.items()
    ]
    return _LIST.select(campaign_id, options=options, placeholder=say("Change …"))


async def _ask(interaction: Interaction, shown_in: int) -> None:
    """Open the form of the setting that was chosen."""
    name = chosen_one(interaction)
    if name not in words.SETTINGS:
        raise Unknown(OUT_OF_DATE)
    rules = await interaction.client.app.campaigns.rules(caller(interaction, shown_in))
    await SettingForm(shown_in, name).asking(rules).show(interaction)


_LIST = ComponentHandler("settings", _ask, NUMBER)


async def set_rules(
    interaction: Interaction, asker: Caller, before: Rules, given: Mapping[str, object]
) -> None:
    """Change rules of the campaign, and show everybody what changed."""
    service = interaction.client.app.campaigns
    event, rules = await service.set_rules(asker, given), replace(before, **given)
    interaction.client.app.rolling.forget_rules()
    await send(interaction, lambda: words.settings_changed(event, before, rules, service.retention))


_SETTING = Field("|".join(words.SETTINGS), str)


class SettingForm(PersistentForm, title="Change a setting", word="setting", fields=(NUMBER, _SETTING)):
    """Asks for one setting; sending it changes it."""

    def asking(self, rules: Rules) -> "SettingForm":
        """Return the form with its field, which shows what holds now."""
        _, name = self.values
        asks, now = words.SETTINGS[name]["asks"], getattr(rules, name)
        if name not in _OFFERED:
            self.add_item(Label(text=asks, component=TextInput(custom_id="value", default=str(now))))
            return self
        options = [
            discord.RadioGroupOption(label=one.name, value=one.value, default=_read(name, one.value) == now)
            for one in _OFFERED[name].choices
        ]
        self.add_item(Label(text=asks, component=RadioGroup(custom_id="value", options=options)))
        return self

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Change it; SpecError for a value that it can't have."""
        shown_in, name = self.values
        given = {name: _read(name, typed["value"])}
        asker = caller(interaction, shown_in)
        before = await interaction.client.app.campaigns.rules(asker)
        if replace(before, **given) == before:
            await send(interaction, say("That is already so."), private=True)
            return
        await set_rules(interaction, asker, before, given)

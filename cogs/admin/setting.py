"""The list under /admin settings: each setting opens a form of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import discord
from discord import app_commands
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
from cogs.kit.interactions import NUMBER, Field, Interaction, KeptForm, KindOfComponent, caller, chosen_one
from cogs.kit.options import OneOf

VISIBILITIES = OneOf(
    app_commands.Choice(name="public: everybody", value=Visibility.PUBLIC),
    app_commands.Choice(name="self: only the player who rolled", value=Visibility.SELF),
    app_commands.Choice(name="gm: the player who rolled and the game masters", value=Visibility.GM),
    app_commands.Choice(name="blind: only the game masters", value=Visibility.BLIND),
)
WHOSE = OneOf(
    app_commands.Choice(name="only game masters", value=Whose.GMS),
    app_commands.Choice(name="everybody", value=Whose.EVERYONE),
)
FOOTERS = OneOf(
    app_commands.Choice(name="number: the roller and the number", value=Footer.NUMBER),
    app_commands.Choice(name="short: the roller, the number, the bits", value=Footer.SHORT),
    app_commands.Choice(name="full: the roller's whole rule, the number, the bits", value=Footer.FULL),
    app_commands.Choice(name="checkpoints: all that, and checkpoints to compare", value=Footer.CHECKPOINTS),
)
LOOKS = OneOf(
    app_commands.Choice(name="cards", value=Looks.CARDS),
    app_commands.Choice(name="text: for bridges to other chats", value=Looks.TEXT),
)
_SERVERS, _YES, _NO = "server", "yes", "no"
LANGUAGES = OneOf(
    app_commands.Choice(name="the server's", value=_SERVERS),
    *(app_commands.Choice(name=NAMES.get(code, code), value=code) for code in sorted({"en"} | codes())),
    read=lambda code: "" if code == _SERVERS else code,
)


@dataclass(frozen=True, slots=True)
class Setting:
    """How one of the rules is asked for."""

    label: str
    of: OneOf | None = None
    """None is a number."""

    def read(self, typed: str) -> object:
        """Return what was chosen or typed; SpecError for a value that it can't have."""
        return self.of.read(typed) if self.of else _number(typed)


def _either(yes: str, no: str) -> OneOf:
    choices = app_commands.Choice(name=yes, value=_YES), app_commands.Choice(name=no, value=_NO)
    return OneOf(*choices, read=_YES.__eq__)


def _number(typed: str) -> int:
    try:
        return int(typed.replace(",", ""))
    except ValueError:
        raise SpecError("{typed!r} is no number. Type one, such as 5.", typed=typed) from None


SETTINGS = {
    "visibility": Setting(phrase("Who sees a roll?"), VISIBILITIES),
    "makers": Setting(phrase("Who makes rollers?"), WHOSE),
    "odds": Setting(phrase("Who sees the next roll's odds?"), WHOSE),
    "called_only": Setting(
        phrase("What do rollers remember?"), _either(phrase("only called rolls"), phrase("every roll"))
    ),
    "pace": Setting(phrase("Rolls in five seconds? (0: any)")),
    "footer": Setting(phrase("What stands under a roll?"), FOOTERS),
    "by_hand": Setting(
        phrase("Remember dice thrown by hand?"), _either(phrase("yes"), phrase("no: nobody can steer them"))
    ),
    "d6_only": Setting(
        phrase("Which dice do you have?"),
        _either(phrase("only d6s: they make all others"), phrase("all kinds")),
    ),
    "d100_zero": Setting(phrase("What does 00 on a d100 count?"), _either("0", "100")),
    "hand": Setting(phrase("Cards held after each play? (0: any)")),
    "faces": Setting(phrase("How do dice look?"), _either(phrase("drawn"), phrase("written"))),
    "looks": Setting(phrase("How do messages look?"), LOOKS),
    "language": Setting(phrase("Language for everybody?"), LANGUAGES),
    "retention": Setting(phrase("Days of history? (0: most)")),
}
"""The rules that a form asks for, by their names; channels are options of the command."""


def settings_list(campaign_id: int) -> Select[View]:
    """Return the list of settings to change."""
    options = [discord.SelectOption(label=say(one.label), value=name) for name, one in SETTINGS.items()]
    return _LIST.select(campaign_id, options=options, placeholder=say("Change …"))


async def _ask(interaction: Interaction, shown_in: int) -> None:
    """Open the form of the setting that was chosen."""
    name = chosen_one(interaction)
    if name not in SETTINGS:
        raise Unknown(OUT_OF_DATE)
    rules = await interaction.client.app.campaigns.rules(caller(interaction, shown_in))
    await SettingForm(shown_in, name).asking(rules).show(interaction)


_LIST = KindOfComponent("settings", _ask, NUMBER)


async def set_rules(
    interaction: Interaction, asker: Caller, before: Rules, given: Mapping[str, object]
) -> None:
    """Change rules of the campaign, and show everybody what changed."""
    service = interaction.client.app.campaigns
    event, rules = await service.set_rules(asker, given), replace(before, **given)
    interaction.client.app.rolling.forget_rules()
    await send(interaction, lambda: words.settings_changed(event, before, rules, service.retention))


_SETTING = Field("|".join(SETTINGS), str)


class SettingForm(KeptForm, title="Change a setting", word="setting", fields=(NUMBER, _SETTING)):
    """Asks for one setting; sending it changes it."""

    def asking(self, rules: Rules) -> "SettingForm":
        """Return the form with its field, which shows what holds now."""
        _, name = self.values
        setting, now = SETTINGS[name], getattr(rules, name)
        if not setting.of:
            self.add_item(Label(text=setting.label, component=TextInput(custom_id="value", default=str(now))))
            return self
        options = [
            discord.RadioGroupOption(label=one.name, value=one.value, default=setting.read(one.value) == now)
            for one in setting.of.choices
        ]
        self.add_item(Label(text=setting.label, component=RadioGroup(custom_id="value", options=options)))
        return self

    async def send(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        """Change it; SpecError for a value that it can't have."""
        shown_in, name = self.values
        given = {name: SETTINGS[name].read(typed["value"])}
        asker = caller(interaction, shown_in)
        before = await interaction.client.app.campaigns.rules(asker)
        if replace(before, **given) == before:
            await send(interaction, say("That is already so."), private=True)
            return
        await set_rules(interaction, asker, before, given)

"""/help: a menu of topics with all commands, and what "fair" means."""

import discord
from discord import app_commands
from discord.ext import commands
from discord.ui import Select, View

from bot.answers import OUT_OF_DATE
from bot.client import Evenhand
from bot.dice.errors import Unknown
from cogs.kit.interactions import Interaction, chosen, row

_MENU = "help"

INTRO = """\
**Evenhand** rolls dice for your table. Dice are plain dice, unless a game master makes a roller.
`/roll 2d6+3` is all one needs. Choose below what else you want to know.
"""
TOPICS = {
    "Roll": """\
`/roll 2d6+3` · `4d6kh3` keep the highest 3 · `2d20kl1` keep the lowest · `adv` `dis` · `d%` · `4dF`
`8d6!` explode · `2d6ro<2` reroll once · `5d10>=7` count successes · `6#4d6kh3` six times · `2d6[fire]`
`/me` keeps your numbers for `1d20+str` · `/r` is `/roll` · `Luck + 1d4` adds to a roller
`/save` keeps a roll under a name, for `Sneak` and `Sneak+2`; alone it shows your saved rolls.
*visibility*: public, self (only you), gm (you and the GM), blind (only the GM). **Reveal** shows it to all.
`/details` looks into a roll by its number, as *Roll details* in a message's menu does.
`/d100 roll` a d100 out of d6s; `physical` your own dice, `reset`
`/lab methods` all ways to a d100 · `/lab convert` any die from others
""",
    "Rollers of this campaign": """\
`/roller list` · `/odds` of dice or a roller, of 15 or more · `/roll` and a roller's name
`/deal` cards by name, `hand:5` into your `/hand` · `/destination` where to · `/lab tune` which system suits
Game masters: `/roller fair`, `dynamic`, `renewal`, `recency`, `luck`, `deck`, `cards`, `decks`, `blocks`, \
`chart`, `dice`, `import`, `reset`, `undo`, `remove`; everybody: `/roller export`
""",
    "The whole table": """\
`/group call` one message, everybody presses Roll · `deal` a hand each · `initiative` · `npc` your monsters \
· `show` it again
`/check` against a DC, or against somebody else's dice · `/buttons` a keyboard of dice for the channel
`/game use` plays by a game's own dice, `stop` by none; `list`, `show`, `import`
""",
    "Campaigns": """\
`/campaign create`, `use`, `list`, `show`, `rename`, `archive`, `dialect`, `gm add`, `gm remove`: channels \
share a history
`/admin settings`, `/admin reset` · `/history` · `/export`, and back with `bring_back`
""",
    "Luck so far": """\
`/stats` how lucky the rolls were; *Luck so far* in a person's menu
`/rigged` are the dice rigged? · `/session start`, `end` an evening, with a look back
""",
    'What "fair" means': """\
A fair roller remembers: what came up more than its share becomes rarer, what came up less, likelier. So \
luck evens out over an evening. No result is fixed, but the last ones of a hat. *Tightness* says how \
strongly: 0 is plain dice, 1 gentle, 5 strict, inf a hat. Every result carries the roller's tag. `/odds` \
shows its chances, unless a hidden roll or the campaign's rules keep them.
""",
    "Trust": """\
Each result has its number, and a hidden one its seal. `/admin settings footer` shows more or less of that.
Undone rolls and resets stay in the history. `/verify` checks it all.
`/lab sources` where the random bits come from · `/proof` rolls by keys bound before
`/data show`, `forget` your data · `/admin erase` a server's data
""",
}
"""The text of each topic of the menu."""


def _menu() -> View:
    """Return the menu under the help."""
    options = [discord.SelectOption(label=topic) for topic in TOPICS]
    return row(Select[View](custom_id=_MENU, placeholder="What do you want to know?", options=options))


async def choose(interaction: Interaction, _custom_id: str) -> None:
    """Show a topic in place of the one before."""
    for topic in chosen(interaction):
        if text := TOPICS.get(topic):
            await interaction.response.edit_message(content=f"**{topic}**\n{text}", view=_menu())
            return
    raise Unknown(OUT_OF_DATE)


class HelpCog(commands.Cog, name="Help"):
    """Explain the bot."""

    @app_commands.command()
    async def help(self, interaction: Interaction) -> None:
        """Show what I can do."""
        await interaction.response.send_message(INTRO, view=_menu(), ephemeral=True)


async def setup(bot: Evenhand) -> None:
    """Add the cog, and its menu."""
    bot.handlers[discord.InteractionType.component, _MENU] = choose
    await bot.add_cog(HelpCog())

"""/help: all commands on one screen, and what "fair" means."""

from discord import app_commands
from discord.ext import commands

from bot.client import Evenhand
from cogs.kit.context import Interaction

HELP = """\
**Evenhand** rolls dice for your table. Dice are plain dice, unless a game master makes a roller.

**Roll**
`/roll 2d6+3` · `4d6kh3` keep the highest 3 · `2d20kl1` keep the lowest · `adv` `dis` · `d%` · `4dF`
`8d6!` explode · `2d6ro<2` reroll once · `5d10>=7` count successes · `6#4d6kh3` six times · `2d6[fire]`
`/save` keeps a roll under a name (`/saved list`, `remove`).
*visibility*: public, self (only you), gm (you and the GM), blind (only the GM). **Reveal** shows it to all.
`/d100 roll` a d100 out of d6s; `physical` your own dice, `methods`, `reset` · `/convert` any die from others

**Rollers of this campaign**
`/roller list` · `/odds` of dice or a roller, of 15 or more · `/roll` and a roller's name
`/deal` cards by name · `/destination` where to · `/tune` which system suits an evening
Game masters: `/roller fair`, `dynamic`, `deck`, `cards`, `decks`, `blocks`, `chart`, `dice`, `import`, \
`reset`, `undo`, `remove`; everybody: `/roller export`

**The whole table**
`/group call` one message, everybody presses Roll · `deal` a hand each · `initiative` · `npc` your monsters

**Campaigns**
`/campaign create`, `use`, `list`, `show`, `rename`, `archive`, `gm add`, `gm remove`: a history that \
channels share
`/admin settings`, `/admin reset` · `/session start`, `end` · `/stats`, `/rigged` · `/history` \
· `/export`, `/import`

**What "fair" means**
A fair roller remembers: what came up more than its share becomes rarer, what came up less likelier, so luck \
evens out over an evening. No result is ever fixed. *Tightness* says how strongly: 0 is plain dice, 1 \
gentle, 5 strict, inf a hat. Every result carries the roller's tag, and `/odds` shows its chances openly.

**Trust**
Each result has its number (a hidden one its seal too) and where its random bits came from \
(`/entropy`). Undone rolls and resets stay in the history. `/verify` checks \
it all; `/proof on`, `off`, `status`, `salt`: rolls that nobody chose. \
`/data show`, `forget`: what is stored about you; `/admin data`: of a server.
"""


class HelpCog(commands.Cog, name="Help"):
    """Explain the bot."""

    @app_commands.command()
    async def help(self, interaction: Interaction) -> None:
        """Show all commands, and what "fair" means; only you see the answer."""
        await interaction.response.send_message(HELP, ephemeral=True)


async def setup(bot: Evenhand) -> None:
    """Add the cog."""
    await bot.add_cog(HelpCog())

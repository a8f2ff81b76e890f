"""What /help says, on one screen."""

HELP = """\
**Evenhand** rolls dice for your table. Dice are plain dice, unless a game master makes a roller.

**Roll**
`/roll 2d6+3` · `4d6kh3` keep the highest 3 · `2d20kl1` keep the lowest · `adv` `dis` · `d%` · `4dF`
`8d6!` explode · `2d6ro<2` reroll once · `5d10>=7` count successes · `6#4d6kh3` six times · `2d6[fire]`
*visibility*: public, self (only you), gm (you and the GM), blind (only the GM). **Reveal** shows it to all.
`/d100 roll` a d100 out of d6s; `physical` your own dice, `methods`, `reset` · `/convert` any die from others

**Rollers of this channel**
`/roller list` · `/odds` what may come next, and how likely · `/roll` and a roller's name
`/deal` cards by name · `/destination` where to · `/tune` which system suits an evening
Game masters: `/roller fair`, `dynamic`, `deck`, `cards`, `decks`, `blocks`, `chart`, `dice`, `import`, \
`reset`, `undo`, `remove`; everybody: `/roller export`

**Campaigns**
`/admin settings`: what holds for rolls, rollers and odds.
`/admin reset`: a roller, a channel or the campaign forgets.
`/campaign create`, `use`, `list`, `show`, `rename`, `archive`: a history for several channels.
`/campaign gm add`, `gm remove`: its game masters, besides Manage Server

**What "fair" means**
A fair roller remembers. What came up more than its share becomes rarer, what came up less becomes likelier, \
so luck evens out over an evening. No result is ever fixed. The *tightness* says how strongly: 0 is plain \
dice, 1 is gentle, 5 is strict, inf is like drawing from a hat. Every result of such a roller carries its \
tag, and `/odds` shows its chances openly.

**Your data**
`/data show`, `/data forget`: what is stored about you. `/admin data` deletes all of a server's.

**Trust**
Each result has its number, four characters of the history's seal, and where its random bits came from \
(`/entropy`). `/stats` compares rolls with what is usual; `/session start`, `end`: an evening.
`/history` shows everything, undone rolls and resets too; `/export` gives it as a file.
"""

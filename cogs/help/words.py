"""The words of /help: six topics, each of a few lines with one thing to do."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.words.cards import Card, CardButton, Head, Small, Text, Tone
from bot.words.saying import phrase, say


@dataclass(frozen=True, slots=True)
class Topic:
    """A page of the help."""

    title: str
    text: str
    does: CardButton
    """Does what the page is about."""


TOPICS: Mapping[str, Topic] = {
    "roll": Topic(
        phrase("Roll"),
        phrase(
            """\
`/roll 2d6+3` · `d20 adv` · `8d6!` · short: `/r`
`/save` names a roll: `Climb+2`
`/me` keeps your numbers: `d20+str`
`/check` beats a DC. `/details` looks closer.
`/destination` says where to go.
Hide a roll: `visibility:gm`. *Reveal* shows it.
`/d100`: `roll`, `physical`, `show`, `reset`
`/lab`: `methods`, `convert`, `score`"""
        ),
        CardButton("read", (1, "u", "2d6+3"), phrase("Roll 2d6+3"), style="primary"),
    ),
    "fair": Topic(
        phrase("Fair dice"),
        phrase(
            """\
Game masters make rollers. Try `/roll Luck`.
A fair one remembers: what came too often gets rarer. No roll is fixed.
`/roller` makes `fair`, `luck`, `deck`, `cards`, `chart`, `dice`, `dynamic`, `recency`, `renewal`, \
`decks`, `blocks`.
It can `reset`, `undo`, `remove`, `export`, `import`.
`/deal` deals cards. `/hand` shows yours.
`/odds` shows chances. `/lab tune` compares."""
        ),
        CardButton("roller-list", style="primary"),
    ),
    "table": Topic(
        phrase("The table"),
        phrase(
            """\
`/group call` asks everybody for a roll: one press each, and one message shows all.
`/group initiative` keeps the order, `deal` gives each a hand, `npc` rolls your monsters.
`/group show` brings a call back.
`/buttons` puts up dice to press.
`/game use` plays by a game's own words. `list` and `show` tell which there are, `import` reads a file, \
`stop` ends it."""
        ),
        CardButton("call-new", style="primary"),
    ),
    "campaigns": Topic(
        phrase("Campaigns"),
        phrase(
            """\
A campaign is a history that channels share, with rollers and game masters of its own.
`/campaign create`, `use`, `list`, `show`, `rename`, `archive`
`/campaign gm add` and `remove` name game masters. `dialect` reads dice as another program does.
`/admin settings` says who sees what. `/admin reset` resets several rollers.
`/history` lists all rolls. `/export` writes them to a file, and brings rollers back."""
        ),
        CardButton("campaign-show", ("",), phrase("Show this campaign"), style="primary"),
    ),
    "luck": Topic(
        phrase("Luck so far"),
        phrase(
            """\
`/stats` says how lucky the rolls were, of you or of all; so does *Luck so far* in a person's menu.
`/rigged` says whether the dice are honest.
`/session start` begins an evening, and `end` looks back at it."""
        ),
        CardButton("rigged", (0, "", 0), phrase("Are they rigged?"), style="primary"),
    ),
    "trust": Topic(
        phrase("Trust"),
        phrase(
            """\
Each roll has a number, and a hidden one a seal that nobody can change.
Undone rolls and resets stay in the history. `/verify` checks it all.
`/lab sources` says where the randomness comes from.
`/proof` rolls from keys that were bound before.
`/data show` lists your data, `forget` erases it. `/admin erase` deletes a server's."""
        ),
        CardButton("verify", style="primary"),
    ),
}
"""The pages by the words of their buttons."""


def page(name: str, link: str | None) -> Card:
    """Return a topic, what it does, and the other topics; `link` leads to more."""
    topic = TOPICS[name]
    others = [CardButton("help", (other,)) for other in TOPICS if other != name]
    more = [Small(say("[More about Evenhand]({link})", link=link))] if link else []
    does = replace(topic.does, label=say(topic.does.label))
    texts = Head(say(topic.title)), Text(say(topic.text)), *more
    return Card(texts, (does, *others), Tone.QUIET, columns=3)

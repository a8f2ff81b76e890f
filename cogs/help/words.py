"""Cards of /help: six topics of a few lines, each with a button to try it."""

from bot.words.cards import Card, CardButton, Head, Small, Text, Tone
from bot.words.saying import read_table, say

TOPICS = read_table(__file__, "topics")
"""Topics by their names in the buttons' ids."""


def page(name: str, link: str | None) -> Card:
    """Return a topic's card with its button, the other topics, and the `link` to more."""
    topic = TOPICS[name]
    others = [CardButton("help", (other,)) for other in TOPICS if other != name]
    more = [Small(say("[More about Evenhand]({link})", link=link))] if link else []
    values, label = (*topic.get("values", ()),), say(topic.get("label", ""))
    does = CardButton(topic["button"], values, label, style="primary")
    texts = Head(say(topic["title"])), Text(say(topic["text"])), *more
    return Card(texts, (does, *others), Tone.QUIET, columns=3)

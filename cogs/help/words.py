"""Cards of /help: six topics of a few lines, each with a button to try it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.words.cards import Card, CardButton, Head, Small, Text, Tone
from bot.words.saying import say
from cogs.kit.tables import table


@dataclass(frozen=True, slots=True)
class Topic:
    """A page of the help."""

    title: str
    text: str
    does: CardButton
    """Button that tries the topic."""


def _read(title: str, text: str, button: str, values: Sequence[object] = (), label: str = "") -> Topic:
    return Topic(title, text, CardButton(button, (*values,), label, style="primary"))


TOPICS = {name: _read(**page) for name, page in table(__file__, "topics").items()}
"""Topics by their names in the buttons' ids."""


def page(name: str, link: str | None) -> Card:
    """Return a topic's card with its button, the other topics, and the `link` to more."""
    topic = TOPICS[name]
    others = [CardButton("help", (other,)) for other in TOPICS if other != name]
    more = [Small(say("[More about Evenhand]({link})", link=link))] if link else []
    does = replace(topic.does, label=say(topic.does.label))
    texts = Head(say(topic.title)), Text(say(topic.text)), *more
    return Card(texts, (does, *others), Tone.QUIET, columns=3)

"""Texts about rollers: the tag on every result, and the message about a roller that was made or changed."""

from collections.abc import Sequence
from functools import singledispatch

from bot.campaign.campaigns import Remembers
from bot.campaign.deals import MAP
from bot.campaign.events import Event, RollerMade
from bot.d100.leftovers import LeftoversMethod
from bot.d100.method import Method
from bot.d100.pool import PoolMethod
from bot.d100.register import Register
from bot.dice.system import Base, OnBase, System
from bot.systems.blocks import Blocks
from bot.systems.deck import Deck, NoRepeat
from bot.systems.decks import Decks
from bot.systems.destinator import Destinator
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.game import GameRoll
from bot.systems.luck import LuckAccount
from bot.systems.plain import PlainDice
from bot.systems.recency import Recency
from bot.systems.registry import CARD_SYSTEMS
from bot.systems.renewal import Renewal
from bot.words.cards import Beside, Card, CardButton, Small, Text, text_card
from bot.words.games import face, spoken
from bot.words.saying import join_with_and, phrase, read_table, say, say_many
from bot.words.text import decimal, escape, footnote, in_percent, ordinal, percent

_TEXTS = read_table(__file__, "rollers")
_LABELS_SHOWN = 3
_LABEL_LIMIT = 24
_AFTER_SHOWN = 6


def tag(system: System) -> str:
    """Return the short description of a roller, "fair 2d6, tightness 1.5"."""
    return ", ".join(_tag(system))


def kind(system: System) -> str:
    """Return the first part of the tag, "fair 2d6"."""
    return _tag(system)[0]


@singledispatch
def _tag(system: System) -> list[str]:
    """Return the parts of the tag: the kind of the roller, and its parameters."""
    name = say("plain {name}", name=system.name)
    return [f"{name} {_base(system.base)}" if isinstance(system, OnBase) else name]


@_tag.register
def _(system: PlainDice) -> list[str]:
    if system.base.dice:
        return [say("plain dice {base}", base=_base(system.base))]
    return [say("chart of {faces} results", faces=len(system.faces))]


@_tag.register
def _(system: Fair) -> list[str]:
    began = [say("begun after {before}", before=_before(system.after))] if system.after else []
    base, tightness = _base(system.base), system.tightness
    if tightness is None:
        return [say("hat of {base}", base=base), *began]
    return [say("fair {base}", base=base), say("tightness {number}", number=decimal(tightness)), *began]


@_tag.register
def _(system: Dynamic) -> list[str]:
    base, factor = _base(system.base), decimal(system.factor)
    return [say("dynamic {base}", base=base), say("factor {number}", number=factor)]


@_tag.register
def _(system: LuckAccount) -> list[str]:
    name = "luck account of ranks" if system.rank else "luck account of degrees"
    drought = [say("drought {number}", number=decimal(system.drought))] if system.drought else []
    cap = [] if system.cap == LuckAccount().cap else [say("cap {number}", number=decimal(system.cap))]
    tightness = say("tightness {number}", number=decimal(system.tightness))
    return [say(name if system.rank or system.scored else "luck account"), tightness, *drought, *cap]


@_tag.register
def _(system: Renewal) -> list[str]:
    at_latest = (
        [say("the {ordinal} try at the latest", ordinal=ordinal(system.latest))] if system.latest else []
    )
    often = f"{face(system, system.labels[0])[:_LABEL_LIMIT]} {in_percent(percent(1 / system.gap))}"
    return [often, say("likelier the longer it stays away"), *at_latest]


@_tag.register
def _(system: Recency) -> list[str]:
    singular, plural = "{base} with the last face thrown again", "{base} with the last {n} faces thrown again"
    if system.recent:
        singular, plural = "{base} with the last face rarer", "{base} with the last {n} faces rarer"
    name = say_many(singular, plural, system.window, base=_base(system.base))
    return [name] if system.recent else [name, say_many("{n} try", "{n} tries", system.tries)]


@_tag.register
def _(system: Deck) -> list[str]:
    return [*_deck(system), *_refilled(system)]


@_tag.register
def _(system: NoRepeat) -> list[str]:
    when = _refilled(system) if system.refill > 1 else []
    return [*_deck(system), *when, say("never twice the same in a row")]


@_tag.register
def _(system: Decks) -> list[str]:
    first = system.decks[0]
    sets = [say_many("{n} set each", "{n} sets each", first.size)] if first.size > 1 else []
    when = _refilled(first) if first.refill > 1 else []
    twice = [say("never twice the same in a row")] if isinstance(first, NoRepeat) else []
    decks = _first_labels(system.categories, phrase("{names}/… ({n:,} decks)"))
    return [say("decks of {decks}", decks=decks), say("a card of each"), *sets, *when, *twice]


@_tag.register
def _(system: Blocks) -> list[str]:
    cards = _first_labels(system.categories, phrase("{names}/… ({n:,} categories)"))
    size = say("blocks of {block} cards", block=system.block)
    return [size, say("at least one each of {cards}", cards=cards)]


@_tag.register
def _(system: Destinator) -> list[str]:
    singular, plural = "destinator of {n} region", "destinator of {n:,} regions"
    if system.cities:
        singular, plural = "destinator of {n} city", "destinator of {n:,} cities"
    return [say_many(singular, plural, len(system.faces))]


@_tag.register
def _(system: GameRoll) -> list[str]:
    return [spoken(system.words)]


@_tag.register
def _(system: Register) -> list[str]:
    return [say("d{values} register", values=system.values), f"{system.dice}d{system.sides}"]


@_tag.register
def _(system: Method) -> list[str]:
    dice = join_with_and([f"d{sides}" for sides in system.dice])
    figures = system.figures
    if figures.exact:
        return [say("{dice}, exact", dice=dice)]
    return [say("{dice}, not even: score {score:.2g}", dice=dice, score=float(figures.score))]


@_tag.register
def _(system: PoolMethod) -> list[str]:
    return [say("d{sides}, exact", sides=system.sides), say("leftovers kept")]


@_tag.register
def _(system: LeftoversMethod) -> list[str]:
    return [say("d{sides}, even over {period} rolls", sides=system.sides, period=system.values)]


def _deck(deck: Deck | NoRepeat) -> list[str]:
    """Return a deck's dice, if it has any, and its size; the names of its cards are left out."""
    cards = say_many("{n} card", "{n:,} cards", deck.size * deck.base.total)
    return [say("deck of {dice}", dice=deck.base.dice.text) if deck.base.dice else say("deck"), cards]


def _refilled(deck: Deck | NoRepeat) -> list[str]:
    """Return when and how a deck is refilled."""
    if deck.refill == 1:
        return [say("refilled when empty")]
    return [
        say("refilled below {refill} cards", refill=deck.refill),
        *([say("reshuffled whole")] if deck.mode == "reset" else []),
    ]


def _before(faces: Sequence[str]) -> str:
    if len(faces) <= _AFTER_SHOWN:
        return ", ".join(faces)
    return say_many("{n} result", "{n:,} results", len(faces))


def memory_owner(memory: Remembers) -> str:
    """Return the owner of a roller's memory, as the end of its tag."""
    return say("shared by the table") if memory is Remembers.TABLE else say("each player's own")


def use(name: str, system: System) -> CardButton | None:
    """Return the button that rolls a roller or deals from it; None for rollers with their own command."""
    if isinstance(system, LuckAccount | Register):
        return None
    if isinstance(system, Destinator):
        return CardButton("destination", (name,), say("Roll"), apart=say("Roll {name}", name=name))
    if isinstance(system, CARD_SYSTEMS):
        return CardButton("deal", (name,), say("Deal"), apart=say("Deal {name}", name=name))
    return CardButton("read", (1, "u", name), say("Roll"), apart=say("Roll {name}", name=name))


def roller_ready(event: Event, system: System) -> Card:
    """Return the public card about a roller that was made or changed, with the button to use it."""
    message, button = text_card(roller_made(event, system)), use(event.roller, system)
    texts = tuple(block for block in message.blocks if isinstance(block, Text | Small))
    return Card((Beside(texts, button),)) if button else message


def roller_made(event: Event, system: System) -> str:
    """Return the public message about a roller that was made or changed."""
    body = event.body_of(RollerMade)
    values = {"roller": escape(event.roller), "rule": escape(tag(system)), "whose": memory_owner(body.memory)}
    texts = _TEXTS["changed" if body.before and body.before.spec else "ready"]
    text = texts["whose" if system.has_state else "alone"]
    rule = say(text, **values)
    return f"{rule} {_how(event.roller, system)}\n{footnote(event)}"


def _base(base: Base) -> str:
    if base.dice:
        return base.dice.text
    return _first_labels(base.faces, phrase("{names}/… ({n:,} faces)"))


def _first_labels(names: Sequence[str], more: str) -> str:
    start = "/".join(name[:_LABEL_LIMIT] for name in names[:_LABELS_SHOWN])
    return start if len(names) <= _LABELS_SHOWN else say(more, names=start, n=len(names))


def _how(name: str, system: System) -> str:
    way = "dice"
    if isinstance(system, LuckAccount):
        way = "ranks" if system.rank else "passes"
    elif isinstance(system, CARD_SYSTEMS):
        way = "cards"
    elif isinstance(system, Destinator):
        way = "destination" if name.casefold() == MAP.casefold() else "map"
    return say(_TEXTS["how"][way], name=name)

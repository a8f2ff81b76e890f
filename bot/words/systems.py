"""Rollers in words: the tag that stands on every result, and the message about a roller that was made."""

from collections.abc import Sequence
from functools import singledispatch

from bot.campaign.campaigns import Remembers
from bot.campaign.deals import MAP
from bot.campaign.events import Event, RollerMade
from bot.d100.leftovers import LeftoversMethod
from bot.d100.method import Method
from bot.d100.pool import PoolMethod
from bot.d100.register import Register
from bot.dice.system import Base, OnBase, System, print_decimal
from bot.systems.blocks import Blocks
from bot.systems.deck import Deck
from bot.systems.decks import Decks
from bot.systems.destinator import Destinator
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.game import GameRoll
from bot.systems.luck import LuckAccount
from bot.systems.norepeat import NoRepeat
from bot.systems.plain import PlainDice
from bot.systems.recency import Recency
from bot.systems.registry import CARD_SYSTEMS
from bot.systems.renewal import Renewal
from bot.words.cards import Beside, Card, CardButton, Small, Text, said
from bot.words.text import escape, footnote, ordinal, percent, plural

_LABELS_SHOWN = 3
_LABEL_LIMIT = 24
_AFTER_SHOWN = 6


def tag(system: System) -> str:
    """Return the few words that say what a roller is, "fair 2d6, tightness 1.5"."""
    return ", ".join(_tag(system))


def kind(system: System) -> str:
    """Return the beginning of the tag, "fair 2d6"."""
    return _tag(system)[0]


@singledispatch
def _tag(system: System) -> list[str]:
    """Return the kind of a roller, and what else there is to say about its rule."""
    name = f"plain {system.name}"
    return [f"{name} {_base(system.base)}" if isinstance(system, OnBase) else name]


@_tag.register
def _(system: PlainDice) -> list[str]:
    return [
        f"plain dice {_base(system.base)}" if system.base.dice else f"chart of {len(system.faces)} results"
    ]


@_tag.register
def _(system: Fair) -> list[str]:
    began = [f"begun after {_before(system.after)}"] if system.after else []
    if system.tightness is None:
        return [f"hat of {_base(system.base)}", *began]
    return [f"fair {_base(system.base)}", f"tightness {print_decimal(system.tightness)}", *began]


@_tag.register
def _(system: Dynamic) -> list[str]:
    return [f"dynamic {_base(system.base)}", f"factor {print_decimal(system.factor)}"]


@_tag.register
def _(system: LuckAccount) -> list[str]:
    of = " of ranks" if system.rank else " of degrees" if system.scored else ""
    drought = [f"drought {print_decimal(system.drought)}"] if system.drought else []
    cap = [] if system.cap == LuckAccount().cap else [f"cap {print_decimal(system.cap)}"]
    return [f"luck account{of}", f"tightness {print_decimal(system.tightness)}", *drought, *cap]


@_tag.register
def _(system: Renewal) -> list[str]:
    at_latest = [f"the {ordinal(system.latest)} try at the latest"] if system.latest else []
    event = system.labels[0][:_LABEL_LIMIT]
    return [f"{event} {percent(1 / system.gap)}%", "likelier the longer it stays away", *at_latest]


@_tag.register
def _(system: Recency) -> list[str]:
    last = "the last face" if system.window == 1 else f"the last {system.window} faces"
    if system.recent:
        return [f"{_base(system.base)} with {last} rarer"]
    return [f"{_base(system.base)} with {last} thrown again", f"{system.tries} tries"]


@_tag.register
def _(system: Deck) -> list[str]:
    return [*_deck(system), *_refilled(system)]


@_tag.register
def _(system: NoRepeat) -> list[str]:
    when = _refilled(system) if system.refill > 1 else []
    return [*_deck(system), *when, "never twice the same in a row"]


@_tag.register
def _(system: Decks) -> list[str]:
    first = system.decks[0]
    sets = [f"{first.size} sets each"] if first.size > 1 else []
    when = _refilled(first) if first.refill > 1 else []
    twice = ["never twice the same in a row"] if isinstance(first, NoRepeat) else []
    return [f"decks of {_some(system.categories, 'decks')}", "a card of each", *sets, *when, *twice]


@_tag.register
def _(system: Blocks) -> list[str]:
    return [
        f"blocks of {system.block} cards",
        f"at least one each of {_some(system.categories, 'categories')}",
    ]


_PLACES = {True: ("city", "cities"), False: ("region", "regions")}


@_tag.register
def _(system: Destinator) -> list[str]:
    return [f"destinator of {plural(len(system.faces), *_PLACES[bool(system.cities)])}"]


@_tag.register
def _(system: GameRoll) -> list[str]:
    return [system.words]


@_tag.register
def _(system: Register) -> list[str]:
    return [f"d{system.values} register", f"{system.dice}d{system.sides}"]


@_tag.register
def _(system: Method) -> list[str]:
    dice = " and ".join(f"d{sides}" for sides in system.dice)
    figures = system.figures
    return [f"{dice}, {'exact' if figures.exact else f'not even: score {float(figures.score):.2g}'}"]


@_tag.register
def _(system: PoolMethod) -> list[str]:
    return [f"d{system.sides}, exact", "leftovers kept"]


@_tag.register
def _(system: LeftoversMethod) -> list[str]:
    return [f"d{system.sides}, even over {system.period} rolls"]


def _deck(deck: Deck | NoRepeat) -> list[str]:
    """Return a deck's dice, if it has any, and its size: the names of its cards say nothing about it."""
    cards = plural(deck.size * deck.base.total, "card")
    return [f"deck of {deck.base.dice.text}" if deck.base.dice else "deck", cards]


def _refilled(deck: Deck | NoRepeat) -> list[str]:
    """Return when a deck is refilled, and how."""
    if deck.refill == 1:
        return ["refilled when empty"]
    return [f"refilled below {deck.refill} cards", *(["reshuffled whole"] if deck.mode == "reset" else [])]


def _before(faces: Sequence[str]) -> str:
    return ", ".join(faces) if len(faces) <= _AFTER_SHOWN else plural(len(faces), "result")


def whose(memory: Remembers) -> str:
    """Return whose rolls a roller remembers, as the end of its tag."""
    return "shared by the table" if memory is Remembers.TABLE else "each player's own"


def use(name: str, system: System) -> CardButton | None:
    """Return the button that rolls a roller or deals from it; None for one with a command of its own."""
    if isinstance(system, LuckAccount | Register):
        return None
    if isinstance(system, Destinator):
        return CardButton("destination", (name,), "Roll", apart=f"Roll {name}")
    if isinstance(system, CARD_SYSTEMS):
        return CardButton("deal", (name,), "Deal", apart=f"Deal {name}")
    return CardButton("read", (1, "u", name), "Roll", apart=f"Roll {name}")


def roller_ready(event: Event, system: System) -> Card:
    """Return the public message about a roller that was made or changed, with the button that uses it."""
    told, button = said(roller_made(event, system)), use(event.roller, system)
    texts = tuple(block for block in told.blocks if isinstance(block, Text | Small))
    return Card((Beside(texts, button),)) if button else told


def roller_made(event: Event, system: System) -> str:
    """Return the public message about a roller that was made or changed."""
    body = event.body
    if not isinstance(body, RollerMade):
        raise TypeError(f"#{event.seq} makes no roller")
    remembers = f", {whose(body.memory)}" if system.has_state else ""
    verb = "changed" if body.before and body.before.spec else "is ready"
    rule = f"**{escape(event.roller)}** {verb}: {escape(tag(system))}{remembers}."
    return f"{rule} {_how(event.roller, system)}\n{footnote(event)}"


def _base(base: Base) -> str:
    if base.dice:
        return base.dice.text
    return _some(base.faces, "faces")


def _some(names: Sequence[str], what: str) -> str:
    shown = "/".join(name[:_LABEL_LIMIT] for name in names[:_LABELS_SHOWN])
    return shown if len(names) <= _LABELS_SHOWN else f"{shown}/… ({len(names):,} {what})"


def _how(name: str, system: System) -> str:
    if isinstance(system, LuckAccount):
        dc = "" if system.rank else " dc:15"
        return (
            "Behind on passes? Your next odds are a little better. Ahead? A little worse. No roll is fixed. "
            f"It counts checks: `/group call` with `roller:{name}`, or `/check dice:1d20{dc} roller:{name}`."
        )
    if isinstance(system, CARD_SYSTEMS):
        return f"Deal from it with `/deal {name}`."
    if isinstance(system, Destinator):
        return (
            "Roll it with `/destination`."
            if name.casefold() == MAP.casefold()
            else f"Roll it with `/destination {name}`."
        )
    return f"Roll it with `/roll {name}`."

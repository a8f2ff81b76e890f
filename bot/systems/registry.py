"""Every system by its name, and their specs as JSON."""

import json
from collections.abc import Mapping
from functools import lru_cache

from bot.d100.leftovers import LeftoversMethod
from bot.d100.method import Method
from bot.d100.pool import PoolMethod
from bot.d100.register import Register
from bot.dice.errors import SpecError
from bot.dice.names import LABEL_LIMIT
from bot.dice.system import Json, Spec, System, is_object, read_flag
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
from bot.systems.renewal import Renewal

SYSTEMS: Mapping[str, type[System]] = {
    s.name: s
    for s in (
        PlainDice,
        Fair,
        LuckAccount,
        Dynamic,
        Deck,
        Decks,
        Blocks,
        Renewal,
        Recency,
        Destinator,
        GameRoll,
        Register,
        Method,
        PoolMethod,
        LeftoversMethod,
    )
}

CARD_SYSTEMS = (Deck, NoRepeat, Decks, Blocks)
"""The systems that deal cards rather than throw dice."""
NO_ROLLERS = (Method, GameRoll)
"""The systems that can be rolled directly, but not saved as a campaign's rollers."""


def deals(system: System) -> bool:
    """Return whether a system deals cards: a deck's, or those of a fair roller on names."""
    return isinstance(system, CARD_SYSTEMS) or (
        isinstance(system, Fair) and not system.base.dice and not system.base.charted
    )


def read_spec(spec: object) -> System:
    """Read a spec into its system; DiceError says what is wrong with it."""
    if not is_object(spec) or "system" not in spec:
        raise SpecError('A roller is an object such as {"system": "fair", "base": "2d6", "tightness": "1"}.')
    name = str(spec["system"])
    system = SYSTEMS.get(name)
    if name == Deck.name and "no_repeat" in spec:
        # Both decks have the same name; the spec of the plain one has no "no_repeat".
        system = NoRepeat if read_flag(spec, "no_repeat") else Deck
        spec = {key: value for key, value in spec.items() if key != "no_repeat"}
    if system is None:
        raise SpecError(
            "There is no system {spec!r}. There are: {systems}.",
            spec=spec["system"],
            systems=", ".join(SYSTEMS),
        )
    read = system.from_spec(spec)
    unspec = spec.keys() - read.as_spec().keys()
    if unspec:
        raise SpecError("The system {name} has no {keys}.", name=system.name, keys=", ".join(sorted(unspec)))
    return read


def print_spec(system: System) -> str:
    """Write the spec as canonical JSON text: equal systems print equally."""
    return json.dumps(system.as_spec(), ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=2_048)
def load_spec(text: str) -> System:
    """Read a spec's JSON text into its system; SpecError if it is invalid JSON, or has a duplicate key.

    Cached, since every roll reads it.
    """
    try:
        spec = json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError):
        raise SpecError("The roller is not written as JSON. `/roller export` shows how one is.") from None
    return read_spec(spec)


def once(pairs: list[tuple[str, Json]]) -> Spec:
    """Make a JSON object for `object_pairs_hook`; SpecError for a duplicate key.

    By default Python silently keeps the last one.
    """
    spec: Spec = {}
    for name, value in pairs:
        if name in spec:
            raise SpecError(
                "The JSON has {name!r} twice in one place. Keep one of them.", name=name[:LABEL_LIMIT]
            )
        spec[name] = value
    return spec

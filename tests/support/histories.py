"""A long mixed history in memory: rolls, hidden ones, resets, undos, removals, and an erased player."""

from dataclasses import replace
from random import Random

from bot.campaign.campaign_commands import SetRules
from bot.campaign.campaigns import Remembers
from bot.campaign.command import Command, RollOptions
from bot.campaign.d100_rolls import KEPT, D100Method, ResetRegister, RollMethod, Start, roll_register
from bot.campaign.deals import MAP, DealCards, RollDestination
from bot.campaign.events import Event
from bot.campaign.followups import Reveal
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import MakeRoller, RemoveRoller, ResetRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.d100.leftovers import LeftoversMethod
from bot.d100.method import Method
from bot.d100.pool import PoolMethod
from bot.dice.draws import seeded
from bot.dice.errors import DiceError
from bot.dice.system import System
from bot.record.ledger import without_person
from bot.services.rolling import longmarch
from bot.systems.registry import load_spec
from tests.support.play import KEYS, Campaign
from tests.support.systems import make

ERASED = 3
PLAYERS = (1, 2, ERASED)
SYSTEMS: tuple[tuple[str, System, Remembers], ...] = (
    ("evil", make("fair", "2d6", tightness="1"), Remembers.TABLE),
    ("evil", make("fair", "2d6", tightness="2"), Remembers.TABLE),
    ("own", make("dynamic", "1d6", factor="0.5"), Remembers.PLAYER),
    ("Cards", make("deck", {"a": 2, "b": 1}), Remembers.TABLE),
    ("plain", make("dice", "1d20"), Remembers.TABLE),
)
OTHERS: tuple[tuple[str, System, Remembers], ...] = (
    ("spies", load_spec('{"system":"deck","base":{"spy":3,"thief":3},"no_repeat":true}'), Remembers.TABLE),
    ("offers", load_spec('{"system":"decks","decks":{"x":{"a":2,"b":1},"y":{"c":2}}}'), Remembers.TABLE),
    (
        "map",
        load_spec('{"system":"blocks","categories":{"x":["a"],"y":["b"]},"block":2}'),
        Remembers.PLAYER,
    ),
    (MAP, longmarch(), Remembers.TABLE),
)
WAYS: tuple[D100Method, ...] = (Method("table"), PoolMethod(), LeftoversMethod(), Method("table", (6, 4), 20))


def mixed_history(events: int, seed: int = 0, *, ways: bool = False) -> list[Event]:
    """Return the events of a mixed campaign."""
    return mixed_campaign(events, seed, ways=ways).events


def mixed_campaign(events: int, seed: int = 0, *, ways: bool = False) -> Campaign:
    """Return a campaign of this many events; player 3 is erased in the middle and goes on playing.

    `ways` adds cards, maps, real dice and the methods for a d100.
    """
    random = Random(seed)  # noqa: S311 (chooses commands, not rolls)
    campaign, draws = Campaign(), seeded(seed)
    while len(campaign.events) < events:
        if len(campaign.events) == events // 2:
            _erase(campaign)
        other = ways and random.random() < 0.5
        command = _other(random) if other else any_command(random, len(campaign.events))
        try:
            campaign.ask(command, draws, random.choice(PLAYERS))
        except DiceError:
            continue
    return campaign


def any_command(random: Random, done: int) -> Command:
    """Return a command that a person may send after this many events; many are refused."""
    name, system, memory = random.choice(SYSTEMS)
    rare: list[Command] = [
        MakeRoller(name, system, memory),
        ResetRoller(name),
        RemoveRoller(name),
        UndoRoller(name),
        UndoRoller("d100 register"),
        Reveal(None, random.randint(1, done + 1)),
    ]
    if random.random() < 0.2:
        return random.choice(rare)
    options = _options(random)
    common: list[Command] = [
        RollDice(name, random.randint(1, 3), options),
        RollDice(random.choice(["2d6+3", "4d6kh3", "8d6!", "d20"]), options=options),
        roll_register(random.randint(1, 6), options=options),
    ]
    return random.choice(common)


def _other(random: Random) -> Command:
    name, system, memory = random.choice(OTHERS)
    rare: list[Command] = [
        MakeRoller(name, system, memory),
        ResetRoller(name),
        RemoveRoller(name),
        UndoRoller(name),
        *map(UndoRoller, KEPT),
        *map(ResetRoller, KEPT),
        *map(ResetRegister, Start),
        SetRules(None, {"d6_only": random.random() < 0.5}),
    ]
    if random.random() < 0.4:
        return random.choice(rare)
    options = _options(random)
    common: list[Command] = [
        RollMethod(random.choice(WAYS), options=options),
        roll_register(3, options=replace(options, thrown=(3, 5, 1))),
        RollMethod(Method("table"), options=replace(options, thrown=(2, 4, 6, 1)[: random.randint(3, 4)])),
        RollDice("2d6+1", options=replace(options, thrown=(2, random.randint(1, 7)))),
        RollDice("d20", options=replace(options, thrown=(4, 5, 1)[: random.randint(1, 3)])),
        RollDestination(longmarch(), options=options),
        DealCards(random.choice(["spies", "offers", "map"]), 2, options),
    ]
    return random.choice(common)


def _options(random: Random) -> RollOptions:
    """Return options that hide some rolls and label some."""
    hidden = random.choice([Visibility.PUBLIC] * 4 + [Visibility.GM, Visibility.BLIND])
    return RollOptions(random.choice(["", "fire"]), hidden)


def _erase(campaign: Campaign) -> None:
    """Erase the words, the id and the memories of player `ERASED`."""
    campaign.events[:] = [erase(event) if event.user_id == ERASED else event for event in campaign.events]
    for memories in campaign.memories.values():
        for slot in [slot for slot in memories if slot[1] == ERASED]:
            del memories[slot]


def erase(event: Event) -> Event:
    """Return the event without its person."""
    return without_person(event, KEYS.keys(event.user_id))

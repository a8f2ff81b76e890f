"""A long mixed history in memory: rolls, hidden ones, resets, undos, removals, and an erased player."""

from dataclasses import replace
from random import Random

from bot.core.errors import DiceError
from bot.core.events import Event, Visibility
from bot.core.requests.request import Request
from bot.core.requests.reveals import Reveal
from bot.core.requests.rollers import MakeRoller, RemoveRoller, ResetRoller, UndoRoller
from bot.core.requests.rolls import RollDice, RollRegister
from bot.core.rollers import Remembers
from bot.core.seeded import seeded
from bot.core.systems.system import System
from tests.support.play import Campaign
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


def mixed_history(events: int, seed: int = 0) -> list[Event]:
    """So many events; player 3 is erased in the middle and goes on playing."""
    random = Random(seed)  # noqa: S311 (what is asked for, not what is rolled)
    campaign, draws = Campaign(), seeded(seed)
    while len(campaign.events) < events:
        if len(campaign.events) == events // 2:
            _erase(campaign)
        visibility = random.choice([Visibility.PUBLIC] * 4 + [Visibility.GM, Visibility.BLIND])
        request = _any(random, len(campaign.events))
        hidden = isinstance(request, RollDice | RollRegister)
        try:
            campaign.ask(
                request,
                draws,
                random.choice(PLAYERS),
                label=random.choice(["", "fire"]),
                visibility=visibility if hidden else Visibility.PUBLIC,
            )
        except DiceError:
            continue
    return campaign.events


def _any(random: Random, done: int) -> Request:
    name, system, memory = random.choice(SYSTEMS)
    rare: list[Request] = [
        MakeRoller(name, system, memory),
        ResetRoller(name),
        RemoveRoller(name),
        UndoRoller(name),
        UndoRoller("d100 register"),
        Reveal(random.randint(1, done + 1), is_gm=True),
    ]
    if random.random() < 0.2:
        return random.choice(rare)
    common: list[Request] = [
        RollDice(name, random.randint(1, 3)),
        RollDice(random.choice(["2d6+3", "4d6kh3", "8d6!", "d20"])),
        RollRegister(random.randint(1, 6)),
    ]
    return random.choice(common)


def _erase(campaign: Campaign) -> None:
    """The player's words and number go, and so do their memories."""
    campaign.events[:] = [
        replace(event, user_id=None, label=None, salt=None) if event.user_id == ERASED else event
        for event in campaign.events
    ]
    for key in [key for key in campaign.memories if key[2] == ERASED]:
        del campaign.memories[key]

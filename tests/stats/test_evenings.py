"""An evening: ranks of dice of all kinds, the rarest streak, the share of true rolls."""

from dataclasses import replace
from itertools import product

import pytest

from bot.campaign.events import Event
from bot.campaign.rollers import Remembers, Roller
from bot.campaign.rolls import RollDice, RollRegister
from bot.dice.labels import Label
from bot.dice.seeded import seeded
from bot.stats.evenings import look_back, rank_faces
from bot.stats.tallies import tosses
from bot.systems.registry import print_spec
from tests.support.play import Campaign
from tests.support.systems import make


def rolls(*asked: tuple[int, str], seed: int = 0) -> list[Event]:
    """The events of players who roll notation or a roller."""
    cards, fair = make("deck", {"a": 1, "b": 1}), make("fair", "2d6", tightness="1")
    campaign = Campaign(
        rollers={
            "cards": Roller("cards", print_spec(cards), Remembers.TABLE, epoch=0),
            "evil": Roller("evil", print_spec(fair), Remembers.TABLE, epoch=0),
        }
    )
    draws = seeded(seed)
    return [campaign.ask(RollDice(text), draws, user) for user, text in asked]


def test_ranks_count_ties_half() -> None:
    """Of a d4 the faces rank 12.5, 37.5, 62.5 and 87.5, and the usual range is that of so many faces."""
    events = rolls((1, "3d4"))
    evening = look_back(events)
    faces = [int(face) for _, face in tosses(events[0])]

    [player] = evening.players
    spread = sum((12.5 + 25 * face - 50) ** 2 for face in range(4)) / 4
    assert player.rank == pytest.approx(sum(25 * face - 12.5 for face in faces) / 3)
    assert player.side == pytest.approx(1.96 * (spread / 3) ** 0.5)
    assert player.rolls == 3


def test_over_all_throws_everybody_ranks_fifty() -> None:
    """Unequal faces too: the mean over every throw of 2d6, weighed, is 50."""
    ranked = rank_faces(make("fair", "2d6", tightness="1"))
    assert ranked
    sums = [str(a + b) for a, b in product(range(1, 7), repeat=2)]

    assert sum(ranked[0][face] for face in sums) / 36 == pytest.approx(0.5)
    assert sum((ranked[0][face] - 0.5) ** 2 for face in sums) / 36 == pytest.approx(ranked[1])


def test_the_luckiest_come_first() -> None:
    """By how far outside of what is usual they are, not by how high they rolled once."""
    events = rolls(*[(1 + i % 3, "9d6") for i in range(12)])
    evening = look_back(events)
    lucks = [player.luck for player in evening.players]

    assert {player.user_id for player in evening.players} == {1, 2, 3}
    assert lucks == sorted(lucks, reverse=True)
    assert evening.rolls == 12


def test_labels_and_registers_have_no_rank() -> None:
    """Cards can't be high or low, and a register's values are nobody's luck; streaks of cards count."""
    events = rolls(*[(1, "cards")] * 8)
    campaign = Campaign()
    register = campaign.ask(RollRegister(4), seeded(0), 2)
    evening = look_back([*events, register])

    assert evening.players == ()
    assert evening.rolls == 9
    assert evening.run
    assert (evening.run.user_id, evening.run.die) == (1, "cards")


def test_erased_players_are_only_a_number_of_rolls() -> None:
    """Their rolls count among all, and nothing more is said of them; true rolls are those labelled so."""
    rolled = rolls(*[(1, "9d2")] * 4)
    events = [replace(e, user_id=None, body=replace(e.roll, source=Label.TRUE)) for e in rolled]
    evening = look_back(events)

    assert (evening.players, evening.run) == ((), None)
    assert (evening.rolls, evening.true) == (4, 4)

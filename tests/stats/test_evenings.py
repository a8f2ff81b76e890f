"""An evening: ranks of dice of all kinds, the rarest streak, the share of true rolls."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.checks import RollCheck
from bot.campaign.d100_rolls import roll_register
from bot.campaign.events import Event
from bot.campaign.replay import tosses
from bot.campaign.roller_commands import MakeRoller
from bot.campaign.rolls import RollDice
from bot.dice.draws import Source, seeded
from bot.stats.best import streak_chance
from bot.stats.evenings import look_back, rank_faces
from bot.systems.checks import CheckTerms
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
    """Of a d4 the faces rank 12.5, 37.5, 62.5 and 87.5, and 19 of 20 throws of three are within the side."""
    events = rolls((1, "3d4"))
    evening = look_back((event, True) for event in events)
    faces = [int(face) for _, face in tosses(events[0])]

    [player] = evening.players
    throws = [
        abs(sum(25 * face - 12.5 for face in throw) / 3 - 50) for throw in product(range(1, 5), repeat=3)
    ]
    assert player.rank == pytest.approx(sum(25 * face - 12.5 for face in faces) / 3)
    assert sum(off <= player.side + 1e-6 for off in throws) >= 0.95 * 64
    assert sum(off < player.side - 1e-6 for off in throws) < 0.95 * 64
    assert player.dice == 3


def test_low_dice_rank_high_where_low_rolls_pass() -> None:
    """The same dice, in checks of each kind: their ranks lie at the same distance on both sides of 50."""
    campaign, draws = Campaign(), seeded(3)
    events = [campaign.ask(RollCheck("5d6+1d100", CheckTerms(45)), draws, 1) for _ in range(20)]
    under = CheckTerms(45, under=True)
    mirrored = [replace(event, body=replace(event.roll, check=under)) for event in events]
    [player], [other] = (look_back((event, True) for event in each).players for each in (events, mirrored))

    assert player.rank != 50
    assert other.rank == pytest.approx(100 - player.rank)
    assert (other.dice, other.side) == (player.dice, player.side)


def test_dice_that_count_both_ways_are_compared_with_plain_dice() -> None:
    """A whole deck comes to 50 if high cards are luck, but not if low ones are in half of its rolls."""
    campaign, draws = Campaign(), seeded(3)
    campaign.ask(MakeRoller("Luck", make("deck", "d20"), Remembers.TABLE), draws, 9)
    cards = [campaign.ask(RollCheck("Luck", CheckTerms(10)), draws, 1) for _ in range(40)]
    under = CheckTerms(10, under=True)
    lower = [replace(event, body=replace(event.roll, check=under)) for event in cards[::2]]
    plain = [campaign.ask(RollDice("1d20"), draws, 1) for _ in cards]
    one_way, both_ways, dice = (
        look_back((event, True) for event in each).players[0]
        for each in (cards, [*lower, *cards[1::2]], plain)
    )

    assert (one_way.rank, one_way.side) == (pytest.approx(50), pytest.approx(0, abs=1e-9))
    assert both_ways.rank != pytest.approx(50)
    assert both_ways.side == pytest.approx(dice.side)
    assert not both_ways.stands_out


def test_over_all_throws_everybody_ranks_fifty() -> None:
    """Unequal faces too: the mean over every throw of 2d6, weighed, is 50."""
    ranked = rank_faces(make("fair", "2d6", tightness="1"))
    assert ranked
    sums = [str(a + b) for a, b in product(range(1, 7), repeat=2)]

    assert sum(ranked[face] for face in sums) / 36 == pytest.approx(0.5)


def test_a_fair_roller_is_judged_as_a_fair_one() -> None:
    """Its average rank stays closer to 50 than plain dice's; a part of its rolls leaves it farther."""
    [plain] = look_back((e, True) for e in rolls(*[(1, "1d20")] * 60)).players
    [fair] = look_back((e, True) for e in rolls(*[(1, "evil")] * 60)).players
    halves = look_back((e, True) for e in rolls(*[(1 + n % 3 % 2, "evil") for n in range(90)])).players

    assert plain.side == pytest.approx(196 / (12 * 60) ** 0.5, rel=0.05)
    assert fair.side < 0.5 * plain.side
    assert all(1.2 * fair.side < player.side < plain.side * 2**0.5 for player in halves)


def test_hidden_rolls_only_move_the_memory_on() -> None:
    """They are nobody's luck, and no roll of the evening."""
    events = rolls(*[(1, "evil")] * 40)
    evening = look_back((event, n % 2 == 0) for n, event in enumerate(events))

    [player] = evening.players
    assert (evening.rolls, player.dice) == (20, 20)


def test_monsters_are_nobodys_luck() -> None:
    """What a game master rolls for them is of the evening, and never that player's roll, rank or natural."""
    own, *others = rolls((1, "1d20"), *[(1, "8d20")] * 9)
    monsters = [
        replace(
            event,
            body=replace(event.roll, names=tuple(f"Goblin {n}" for n in range(len(event.roll.results)))),
        )
        for event in others
    ]
    evening = look_back((event, True) for event in [own, *monsters])

    [player] = evening.players
    assert (evening.rolls, player.dice) == (10, 1)
    assert player.highs <= 1
    assert evening.best
    assert evening.best.event is own
    assert evening.run is None


def test_the_luckiest_come_first() -> None:
    """By how far outside of what is usual they are, not by how high they rolled once."""
    events = rolls(*[(1 + i % 3, "9d6") for i in range(12)])
    evening = look_back((event, True) for event in events)
    lucks = [player.luck for player in evening.players]

    assert {player.user_id for player in evening.players} == {1, 2, 3}
    assert lucks == sorted(lucks, reverse=True)
    assert evening.rolls == 12


def test_labels_and_registers_have_no_rank() -> None:
    """Cards can't be high or low, and a register's values are nobody's luck; streaks of cards count."""
    events = rolls(*[(1, "cards")] * 8)
    campaign = Campaign()
    register = campaign.ask(roll_register(4), seeded(0), 2)
    evening = look_back((event, True) for event in [*events, register])

    assert evening.players == ()
    assert evening.rolls == 9
    assert evening.run
    assert (evening.run.user_id, evening.run.die) == (1, "cards")


def test_erased_players_are_only_a_number_of_rolls() -> None:
    """Their rolls count among all, and nothing more is said of them; true rolls are those labelled so."""
    rolled = rolls(*[(1, "9d2")] * 4)
    events = [replace(e, user_id=None, body=replace(e.roll, source=Source.TRUE)) for e in rolled]
    evening = look_back((event, True) for event in events)

    assert (evening.players, evening.run) == ((), None)
    assert (evening.rolls, evening.true) == (4, 4)


def test_naturals_and_the_best_roll() -> None:
    """Twenties and ones on d20s are counted, and the roll that is equalled least often is the best."""
    events = rolls(*[(1, "20d20kh1+5")] * 3, (2, "1d4"), (2, "3d6"))
    evening = look_back((event, True) for event in events)
    faces = [face for event in events for die, face in tosses(event) if die == "d20"]
    chances: list[Fraction] = []
    for event in events:
        sums = [*product(range(1, 7), repeat=3)] if event.roll.text == "3d6" else [(1,), (2,), (3,), (4,)]
        total = int(event.roll.results[0])
        if "20d20" in event.roll.text:
            chances.append(1 - Fraction(total - 6, 20) ** 20)
        else:
            chances.append(Fraction(sum(sum(s) >= total for s in sums), len(sums)))

    ann = next(player for player in evening.players if player.user_id == 1)
    assert (ann.highs, ann.lows) == (faces.count("20"), faces.count("1"))
    assert evening.best
    assert evening.best.chance == min(chances)
    assert evening.best.event == events[chances.index(min(chances))]


def test_the_best_roll_may_be_a_number_of_any_size() -> None:
    """A roller's faces are typed by people, so they may be longer than a machine's integers."""
    words = make("dice", {"3": 2, "99999999999999999999": 1})
    named = Roller("huge", print_spec(words), Remembers.TABLE, epoch=0)
    event = Campaign(rollers={"huge": named}).ask(RollDice("huge"), seeded(1))
    evening = look_back([(event, True)])

    assert evening.best
    assert evening.best.chance == Fraction(1, 3 if len(event.roll.results[0]) > 1 else 1)


def test_the_rarest_streak_is_judged_among_all_that_were_looked_at() -> None:
    """Of twenty players who rolled ten coins each, somebody's longest run is a long one."""
    events = rolls(*[(user, "10d2") for user in range(1, 21)])
    run = look_back((event, True) for event in events).run
    assert run

    alone = streak_chance((1, 1), 10, run.streak.length)
    assert run.streak.chance == pytest.approx(1 - (1 - alone) ** 20)


def test_a_roller_that_cannot_be_judged_costs_nobody_else_the_recap() -> None:
    """It is left out and named, with what went wrong; all others are judged as without it."""
    events = rolls(*[(1, "evil"), (2, "3d6"), (1, "cards")] * 20)
    broken = [
        replace(event, body=replace(event.roll, results=("99",))) if event.roll.roller == "evil" else event
        for event in events
    ]
    evening = look_back((event, True) for event in broken)

    assert {name: type(error) for name, error in evening.unjudged.items()} == {"evil": KeyError}
    assert replace(evening, unjudged={}) == look_back((e, True) for e in events if e.roll.roller != "evil")

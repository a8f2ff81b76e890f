"""Luck in words: calm, with what is usual beside it, and no verdict on few rolls."""

import re

import pytest

from bot.campaign.sessions import Session
from bot.stats.evenings import EveningSummary, Player, PlayerStreak
from bot.stats.luck import Luck, Streak, judge, plain_die
from cogs.stats.words import heading, luck_alt, ranks_alt, recap, report
from tests.support.systems import make

D6 = plain_die("d6")


def told(luck: Luck, streak: Streak | None = None, *, plainly: bool = False) -> str:
    """The report on a d6."""
    return report("d6", luck, streak, (3, 10), user_id=5, session=None, plainly=plainly)


@pytest.mark.parametrize("counts", [(29, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)])
def test_few_rolls_get_no_verdict(counts: tuple[int, ...]) -> None:
    """Whatever they were."""
    words = told(judge(D6, counts), Streak("1", 29, 29, 0.0))

    assert "Too few rolls to say anything: from 30 on" in words
    assert not re.search("usual,|Mean|streak|nlucky", words.replace("what is usual.", ""))


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((10, 10, 10, 10, 10, 10), "An ordinary stretch"),
        ((15, 11, 10, 9, 8, 7), "Unlucky, as one is now and then: about 1 in"),
        ((30, 10, 6, 5, 5, 4), "Yes, a bad stretch: "),
        ((7, 8, 9, 10, 11, 15), "Lucky, as one is now and then: about 1 in"),
        ((4, 5, 5, 6, 10, 30), "A very good stretch: "),
    ],
)
def test_was_it_a_bad_night(counts: tuple[int, ...], words: str) -> None:
    """It is answered in words that go with how common such a mean is."""
    assert words in told(judge(D6, counts))


def test_faces_outside_are_named_with_what_is_usual() -> None:
    """And how many faces of fair dice are outside anyway."""
    words = told(judge(D6, (30, 10, 6, 5, 5, 4)), Streak("1", 4, 60, 0.19))

    assert (
        "of 6 faces came up as often as is usual; about 19 of 20 do. Not so: `1 (30, usually 5 to 16)`"
        in words
    )
    assert "Longest streak: `1`, 4 times. About 1 in 5 stretches of 60 rolls of plain dice have one" in words
    assert "3 of 10 rolls had true-random bits" in words


def test_a_memory_has_its_own_measure() -> None:
    """Or is left out of it openly."""
    fair = make("fair", "1d6", tightness="1")

    assert "evened out on purpose" in told(judge(fair, (10,) * 6))
    assert "compared with plain dice" in told(judge(fair, (10,) * 6, own_memory=False), plainly=True)


@pytest.mark.parametrize(
    "luck",
    [
        judge(D6, (10, 20, 1, 9, 9, 9)),
        judge(plain_die("d100"), (1,) * 100),
        judge(make("deck", {"🗡️": 3, "$x_{$": 2, "W" * 80: 1}), (9, 9, 9)),
        judge(make("dice", {"a": 1}), (9,)),
    ],
)
def test_charts_of_luck_are_told(luck: Luck) -> None:
    """For numbers, many faces and labels alike, within what Discord takes for a description."""
    told = luck_alt(heading("d6", None), luck)

    assert 0 < len(told) <= 1_000
    assert "usually" in told


def test_a_recap_names_who_was_lucky() -> None:
    """Only with dice enough; the chart's description names each player."""
    ann, bob = Player(1, 80, 58.2, 6.4), Player(2, 9, 70.0, 19.0)
    run = PlayerStreak(2, "d20", Streak("17", 3, 40, 0.09))
    words = recap(Session(3, 0.0, 9, 60.0), EveningSummary((ann, bob), 20, 15, run))
    few = recap(Session(3, 0.0, 9, 60.0), EveningSummary((bob,), 9, 0, None))
    described = ranks_alt(["Ann", "player 2"], [ann, bob])

    assert "Luckiest against expectation: <@1>, whose dice ranked 58 of 100" in words
    assert "<@2>: 70 of 100 over 9 die rolls (too few to tell)" in words
    assert "Longest streak: <@2> with `17` 3 times on `d20`. About 1 in 11" in words
    assert "15 of 20 rolls" in words
    assert "no telling who was lucky" in few
    assert described == (
        "Everybody's dice this session: average rank of each player's dice. "
        "Ann 58 (usual 50 ± 6); player 2 70 (usual 50 ± 19)."
    )

"""Luck in words: calm, with what is usual beside it, and no verdict on few dice."""

import re

import pytest

from bot.dice.system import System
from bot.stats.best import Streak
from bot.stats.luck import Luck, judge, plain_die
from bot.stats.reports import Report
from bot.stats.stretches import fresh
from bot.systems.registry import read_spec
from bot.words.luck import heading, luck_alt, report
from tests.support.systems import make

D6 = plain_die("d6")


def told(system: System, counts: tuple[int, ...], streak: Streak | None = None, **more: object) -> str:
    """The report on these counts of a new roller's rolls."""
    luck = judge(system, counts, fresh(system, sum(counts)))
    return report(Report("d6", system, luck, streak, 10, 3, **more), 5)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("counts", [(29, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)])
def test_few_dice_get_no_verdict(counts: tuple[int, ...]) -> None:
    """Whatever they were."""
    words = told(D6, counts, Streak("1", 29, 29, 0.0))

    assert "Too few to say anything: from 30 on" in words
    assert not re.search("usual,|Mean|streak|nlucky", words.replace("what is usual.", ""))


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((10, 10, 10, 10, 10, 10), "An ordinary stretch"),
        ((15, 11, 10, 9, 8, 7), "Unlucky, as one is now and then: about 1 in 16 stretches are as far"),
        ((30, 10, 6, 5, 5, 4), "Yes, a bad stretch: "),
        ((7, 8, 9, 10, 11, 15), "Lucky, as one is now and then: about 1 in 16 stretches are as far"),
        ((4, 5, 5, 6, 10, 30), "A very good stretch: "),
    ],
)
def test_was_it_a_bad_night(counts: tuple[int, ...], words: str) -> None:
    """It is answered in words that go with how common such a mean is, the same on both sides."""
    assert words in told(D6, counts)


def test_faces_outside_are_named_with_what_is_usual() -> None:
    """And how many faces of fair dice are outside anyway, and how far the furthest one usually is."""
    words = told(D6, (30, 10, 6, 5, 5, 4), Streak("1", 4, 60, 0.19))

    assert words.startswith("<@5> · `d6` · 60 dice\n")
    assert (
        "of 6 faces came up as often as is usual; about 19 of 20 do. Not so: `1 (30, usually 5 to 16)`"
        in words
    )
    assert (
        "The face furthest from its share is `1`, off by 20.0. Of stretches like this half stay within 4.0, "
        "19 of 20 within 8.0. Fewer than 1 in 2,000 are as far off." in words
    )
    assert (
        "Longest streak: `1`, 4 times in a row. About 1 in 5 stretches of 60 plain dice have one as long."
        in words
    )
    assert "3 of 10 rolls had true-random bits" in words
    assert "What is usual is worked out exactly." in words


def test_a_memory_has_its_own_measure() -> None:
    """Or is left out of it openly; what was simulated says so."""
    fair = make("fair", "1d6", tightness="1")
    many = make("fair", "1d20", tightness="1")

    assert "evened out on purpose" in told(fair, (10,) * 6)
    assert "What is usual is worked out exactly." in told(fair, (10,) * 6)
    assert "simulated stretches that begin with the same memory" in told(many, (3,) * 20)
    assert "compared with plain dice" in told(fair, (10,) * 6, plainly=True)
    assert "these are the newest, 1,234 older ones are left out" in told(fair, (10,) * 6, more=1_234)


@pytest.mark.parametrize(
    "system", [make("fair", "1d6", tightness="0"), read_spec({"system": "register", "values": 6})]
)
def test_a_state_alone_evens_out_nothing(system: System) -> None:
    """Nobody is told so of a fair roller without tightness, or of a register."""
    assert "on purpose" not in told(system, (10,) * 6)


def test_cards_are_cards() -> None:
    """And no dice."""
    assert " · 60 cards\n" in told(make("deck", "1d6"), (10,) * 6)


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

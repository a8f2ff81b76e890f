"""Luck in words: calm, with what is usual beside it, and no verdict on few dice."""

import re

import pytest

from bot.campaign.histories import Session
from bot.dice.system import System
from bot.stats.best import Streak
from bot.stats.luck import Luck, Report, judge, plain_die
from bot.systems.registry import read_spec
from bot.words.cards import Picture, plain
from bot.words.luck import Whose, card, counted, details, heading, luck_alt
from tests.support.stretches import fresh
from tests.support.systems import make

D6 = plain_die("d6")


def report(system: System, counts: tuple[int, ...], streak: Streak | None = None, **more: object) -> Report:
    """The report on these counts of a new roller's rolls."""
    luck = judge(system, counts, fresh(system, sum(counts)))
    return Report("d6", system, luck, streak, 10, 3, **more)  # pyright: ignore[reportArgumentType]


def told(system: System, counts: tuple[int, ...], streak: Streak | None = None, **more: object) -> str:
    """The details of such a report."""
    return plain(details(report(system, counts, streak, **more), Whose(5)))


def first(system: System, counts: tuple[int, ...], session: Session | None = None) -> list[str]:
    """The lines of its card."""
    return plain(
        card(report(system, counts, session=session), Whose(), Picture("stats.png", ""))
    ).splitlines()


@pytest.mark.parametrize("counts", [(29, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)])
def test_few_dice_get_no_verdict(counts: tuple[int, ...]) -> None:
    """Whatever they were."""
    words = told(D6, counts, Streak("1", 29, 29, 0.0))

    assert "Too few to say anything yet. It takes 30." in words
    assert not re.search("usual,|Mean|streak|nlucky", words)


def test_of_fewer_dice_than_faces_those_that_came_are_shown() -> None:
    """And the answer says once that they are too few."""
    words = first(plain_die("d20"), (0, 0, 2, *[0] * 16, 1))

    assert words[:2] == [
        "**Luck so far** · Everybody · `d6` · 3 dice",
        "Too few to say anything yet. It takes 30.",
    ]
    assert [line.split()[0] for line in words[4:-1]] == ["3", "20"]


def test_monsters_are_nobodys_luck() -> None:
    """The details of somebody's dice say so; among everybody's they count."""
    asked = report(D6, (10,) * 6)

    assert plain(details(asked, Whose(5))).endswith("Monsters' rolls don't count.")
    assert plain(details(asked, Whose())).endswith("Monsters' rolls count too.")


@pytest.mark.parametrize(
    ("counts", "head", "words"),
    [
        ((10, 10, 10, 10, 10, 10), "Ordinary luck", ""),
        ((15, 11, 10, 9, 8, 7), "A bit unlucky", "about 1 in 16 runs are this far off"),
        ((30, 10, 6, 5, 5, 4), "Very unlucky", "The next roll doesn't know."),
        ((7, 8, 9, 10, 11, 15), "A bit lucky", "about 1 in 16 runs are this far off"),
        ((4, 5, 5, 6, 10, 30), "Very lucky", "The next roll doesn't know."),
    ],
)
def test_was_it_a_bad_night(counts: tuple[int, ...], head: str, words: str) -> None:
    """It is answered first, in words that go with how common such a mean is, the same on both sides."""
    assert first(D6, counts)[0] == f"**{head}** · Everybody · `d6` · 60 dice"
    assert f"\n{head}: " in told(D6, counts)
    assert words in told(D6, counts)


def test_a_card_has_one_figure_with_its_usual_range() -> None:
    """In as many digits as it takes to see whether it is within; of labels the biggest gap."""
    cards = make("deck", {"a": 2, "b": 1})
    unlike = (14, 9, 9, 9, 9, 10)

    assert first(D6, (10,) * 6)[1:] == ["Average **3.5** (usual: 3.1 to 3.9)."]
    assert first(D6, (15, 11, 10, 9, 8, 7))[1].endswith(". About 1 in 16 runs are this far off, up or down.")
    assert first(cards, (20, 10))[:2] == [
        "**As even as usual** · Everybody · `d6` · 30 cards",
        "Biggest gap: `a`, 0.0 fewer than expected. Up to 0.0 is normal.",
    ]
    assert first(D6, unlike, session=Session(1, 0.0))[0].startswith("**An ordinary night** · ")


def test_an_ordinary_average_does_not_hide_uneven_faces() -> None:
    """Else it would say that all is usual where /rigged finds something odd; the face is named."""
    head, average, gap, *_ = first(D6, uneven := (5, 10, 25, 5, 10, 5))

    assert head == "**Ordinary average, uneven faces** · Everybody · `d6` · 60 dice"
    assert average.startswith("Average **3.3** (usual: ")
    assert gap.startswith("Biggest gap: `3`, 15.0 more than expected. Up to ")
    assert "\nThe average is ordinary, the faces are not." in told(D6, uneven)


def test_dice_and_rolls_are_counted_apart() -> None:
    """A roller of one die rolls dice; one of several, or of words, makes rolls."""
    assert [counted(system, 42) for system in (D6, make("fair", "1d6"), plain_die("dF"))] == ["42 dice"] * 3
    assert counted(make("fair", "2d6"), 42) == "42 rolls"
    assert counted(make("dice", {"elk": 1, "owl": 1}), 1) == "1 roll"


def test_faces_outside_are_named_with_what_is_usual() -> None:
    """And how many faces of fair dice are outside anyway, and how far the furthest one usually is."""
    words = told(D6, (30, 10, 6, 5, 5, 4), Streak("1", 4, 60, 0.19))
    common = told(D6, (30, 10, 6, 5, 5, 4), Streak("1", 3, 60, 0.6))

    assert "Longest streak" not in common
    assert words.startswith("<@5> · `d6` · 60 dice\n")
    assert "of 6 faces came up about as often as they should. The others: `1 (30, usually 5 to 16)`" in words
    assert (
        "Biggest gap: `1`, 20.0 more than expected. Up to 8.0 is normal. "
        "Fewer than 1 in 2,000 runs have such a gap." in words
    )
    assert "1.0 fewer than expected" in told(D6, (9, 11, 10, 10, 10, 10))
    assert (
        "Longest streak: 4 × `1` in a row (about 1 in 5 runs of 60 plain dice have one this long)." in words
    )
    assert words.endswith("3 of 10 rolls used true-random bits. Monsters' rolls don't count.")


def test_a_memory_has_its_own_measure() -> None:
    """Or is left out of it openly; what was simulated says so."""
    fair = make("fair", "1d6", tightness="1")
    many = make("fair", "1d20", tightness="1")

    assert "This roller evens out on purpose." in told(fair, (10,) * 6)
    assert "simulated" not in told(fair, (10,) * 6)
    assert "Usual ranges are simulated." in told(many, (3,) * 20)
    assert "I compare with plain dice" in told(fair, (10,) * 6, plainly=True)
    assert "the newest (1,234 older ones don't count)" in told(fair, (10,) * 6, more=1_234)


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

"""Evenings of checks: the figures that were worked out by other means, and burning."""

from fractions import Fraction
from math import sqrt

import pytest

from benchmarks.burning import lift
from benchmarks.checks import EASY, MIXED, play_faces
from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.checks import RollCheck
from bot.campaign.command import RollOptions
from bot.campaign.roller_commands import ResetRoller
from bot.dice.draws import seeded
from bot.stats.check_evenings import chance, play_checks, record
from bot.systems.checks import CheckTerms, outcomes
from bot.systems.luck import ACCOUNT_UNIT, MINOR, LuckAccount
from bot.systems.odds import odds
from bot.systems.registry import print_spec, read_spec
from tests.support.play import Campaign


def account(tightness: str, drought: str = "0", cap: str = "64") -> LuckAccount:
    """The rule of an account."""
    rule = read_spec({"system": "luck", "tightness": tightness, "drought": drought, "cap": cap})
    assert isinstance(rule, LuckAccount)
    return rule


@pytest.mark.parametrize(
    ("rule", "spread", "run", "entropy", "bias", "easy"),
    [
        (account("0"), 2.36, 17.5, 100, 0, 7.2),
        (account("0.25"), 1.21, 11.8, 98.2, -0.009, 3.4),
        (account("0.5"), 0.88, 8.0, 95.9, -0.008, 1.65),
        (account("1"), 0.65, 3.1, 91.3, -0.002, 0.29),
        (account("0.5", "1", "3"), 0.83, 1.5, 94.3, -0.090, 0.13),
    ],
    ids=["plain", "gentle", "even", "strict", "kind"],
)
def test_an_evening_of_checks(
    rule: LuckAccount, spread: float, run: float, entropy: float, bias: float, easy: float
) -> None:
    """The spread of the passes, five misses in a row, the surprise that is left, and the bias."""
    evening = play_checks(rule, MIXED)

    assert evening.spread == pytest.approx(spread, abs=0.005)
    assert 100 * evening.run == pytest.approx(run, abs=0.05)
    assert 100 * evening.bits / evening.plain_bits == pytest.approx(entropy, abs=0.051)
    assert evening.bias == pytest.approx(bias, abs=0.0005)
    assert 100 * play_checks(rule, EASY).run == pytest.approx(easy, abs=0.05)
    assert evening.expected == pytest.approx(13.5)


def test_chances_are_those_that_are_drawn() -> None:
    """As floating point, to fifteen digits."""
    rule = account("0.5", "1", "3").on(EASY[0])
    for memory in ((0, 0, 0), (-ACCOUNT_UNIT, 10**11, 10**10), (3 * ACCOUNT_UNIT, 0, 10**11)):
        assert chance(rule, memory) == pytest.approx(float(sum(odds(rule, memory)[7:])), rel=1e-15)


def test_burning() -> None:
    """From an even account five free checks gain 3.4 points, and far less where each counts a fifth."""
    even = {(0, 0, 0): 1.0}

    assert lift(account("0.5"), even) == pytest.approx([0, 3.4, 11.5], abs=0.05)
    assert lift(account("0.25"), even)[1] == pytest.approx(1.0, abs=0.05)
    assert lift(account("0.5"), even, MINOR)[1] < 1
    assert lift(account("0"), even) == pytest.approx([0, 0, 0])


def test_balanced_faces() -> None:
    """Of a deck of a d20 that is dealt whole, 20 checks of one kind pass exactly as often as is due."""
    evening = play_faces(read_spec({"system": "deck", "base": "1d20"}), [13] * 20, 50)

    assert (evening.expected, evening.bias, evening.spread) == (13, 0, 0)


@pytest.mark.parametrize("drought", ["0", "1"])
def test_what_was_checked_beside_what_is_usual(drought: str) -> None:
    """Two evenings of each of two players: passes are added up, and the variances of their four evenings."""
    rule = account("0.5", drought, "3")
    roller = Roller("fate", print_spec(rule), Remembers.PLAYER, epoch=0)
    campaign, draws, called = Campaign(rollers={"fate": roller}), seeded(7), RollOptions(called=True)
    dcs = (9, 15, 12, 21, 4)
    asked = [RollCheck("1d20", CheckTerms(dc), "fate", called) for dc in dcs]
    order = [(one, user) for user in (1, 2) * 5 for one in asked]
    events = [campaign.ask(one, draws, user) for one, user in order]
    campaign.ask(ResetRoller("fate"), draws)
    events += [campaign.ask(one, draws, user) for one, user in order]
    found = record(events)
    evening = play_checks(rule, [outcomes("1d20", CheckTerms(dc)) for dc in dcs * 5])

    assert (found.checks, found.expected, found.passes) == (80, Fraction(44), True)
    assert found.scored == sum(int(e.roll.results[0]) >= e.roll.check.dc for e in events if e.roll.check)
    assert found.spread == pytest.approx(2 * evening.spread)
    assert found.plain == pytest.approx(sqrt(20 * (0.6 * 0.4 + 0.3 * 0.7 + 0.45 * 0.55 + 0.85 * 0.15)))
    assert record([]).checks == 0


def test_a_long_evening_spreads_as_its_end_does() -> None:
    """The account has forgotten by then what was before."""
    rule = account("0.25")
    roller = Roller("fate", print_spec(rule), Remembers.TABLE, epoch=0)
    campaign, draws, called = Campaign(rollers={"fate": roller}), seeded(7), RollOptions(called=True)
    asked = RollCheck("1d20", CheckTerms(11), "fate", called)
    found = record([campaign.ask(asked, draws) for _ in range(60)])
    whole = play_checks(rule, [outcomes("1d20", CheckTerms(11))] * 60, run=0)

    assert found.spread == pytest.approx(whole.spread, rel=1e-3)

"""Evenings of checks: the figures that were worked out by other means, and burning."""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from benchmarks.burning import lift
from benchmarks.checks import EASY, MIXED, play_checks, play_faces
from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.checks import RollCheck
from bot.campaign.command import RollOptions
from bot.campaign.events import Event
from bot.campaign.roller_commands import ResetRoller
from bot.campaign.rolls import RollDice
from bot.dice.draws import Draws, seeded
from bot.dice.system import Memory
from bot.stats.best import best_roll
from bot.stats.check_evenings import chance, record
from bot.systems.checks import CheckTerms, Outcomes, outcomes
from bot.systems.luck import ACCOUNT_UNIT, MINOR, LuckAccount
from bot.systems.odds import odds
from bot.systems.registry import print_spec, read_spec
from tests.support.play import Campaign, rolled


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
    """Two evenings of each of two players: passes are added up, and so are their four evenings' laws."""
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
    laws = [outcomes("1d20", CheckTerms(dc)) for dc in dcs * 5]

    assert (found.checks, found.expected, found.passes) == (80, Fraction(44), True)
    assert found.scored == sum(int(e.roll.results[0]) >= e.roll.check.dc for e in events if e.roll.check)
    assert found.usual
    assert found.usual == narrow(together([passes(rule, laws)] * 4))
    assert found.plain == narrow(together([passes(account("0"), laws)] * 4))
    assert record([]).checks == 0


def passes(rule: LuckAccount, laws: Sequence[Outcomes]) -> dict[int, float]:
    """How likely so many checks pass: every roll's own chances, along every memory."""
    now = {(rule.start(), 0): 1.0}
    for law in laws:
        here, after = rule.on(law), dict[tuple[Memory, int], float]()
        places = [(score, [n for n, its in enumerate(law.scores) if its == score]) for score in {*law.scores}]
        for (memory, done), p in now.items():
            weights = here.weights(memory)
            for score, those in places:
                way = sum(weights[n] for n in those) / sum(weights)
                to = here.advance(memory, those[0]), done + int(score)
                after[to] = after.get(to, 0.0) + p * way
        now = after
    passed: dict[int, float] = {}
    for (_, done), p in now.items():
        passed[done] = passed.get(done, 0.0) + p
    return passed


def together(laws: Sequence[dict[int, float]]) -> dict[int, float]:
    """The law of a sum."""
    found: dict[int, float] = {0: 1.0}
    for law in laws:
        pairs = [(a + b, p * q) for a, p in found.items() for b, q in law.items()]
        found = dict[int, float]()
        for total, p in pairs:
            found[total] = found.get(total, 0.0) + p
    return found


def narrow(law: dict[int, float]) -> tuple[float, float]:
    """The narrowest band that holds 95 %; of several as narrow the likeliest."""
    bands = [(low, high) for low in law for high in law if low <= high and held(law, (low, high)) >= 0.95]
    return min(bands, key=lambda band: (band[1] - band[0], -held(law, band)))


def held(law: dict[int, float], band: tuple[float, float]) -> float:
    """How likely the band holds."""
    return sum(p for done, p in law.items() if band[0] <= done <= band[1])


def kept(rule: LuckAccount, checks: int, draws: Draws) -> Sequence[Event]:
    """Checks on a table's account, whose DCs go up and down."""
    roller = Roller("fate", print_spec(rule), Remembers.TABLE, epoch=0)
    campaign, called = Campaign(rollers={"fate": roller}), RollOptions(called=True)
    asked = [RollCheck("1d20", CheckTerms(15 - 7 * n % 11), "fate", called) for n in range(checks)]
    return [campaign.ask(one, draws) for one in asked]


@pytest.mark.parametrize(
    ("tightness", "drought", "checks"),
    [
        *(("0.25", "0", checks) for checks in (10, 25)),
        *(("0.5", "0", checks) for checks in (10, 25)),
        *(("0.5", "1", checks) for checks in (10, 25, 42)),
        *(("1", "0", checks) for checks in (10, 25)),
    ],
)
def test_the_band_of_every_feel_holds_19_of_20_evenings(tightness: str, drought: str, checks: int) -> None:
    """By its own exact law: at least 95 %, and any narrower band under it, of a long evening too."""
    rule = account(tightness, drought, "3")
    found = record(kept(rule, checks, seeded(checks)))
    law = passes(rule, [outcomes("1d20", CheckTerms(15 - 7 * n % 11)) for n in range(checks)])

    assert found.usual
    assert found.usual == narrow(law)
    assert held(law, found.usual) >= 0.95


def test_the_best_check_is_ranked_by_its_dice() -> None:
    """Whatever the account had made of their chances, and where it counted nothing too."""
    events = kept(account("1"), 9, seeded(0))
    totals = [int(event.roll.results[0]) for event in events]
    best = best_roll(events)

    assert best
    assert best.result == str(max(totals))
    assert best.chance == Fraction(21 - max(totals), 20)


def test_the_best_of_low_checks_is_the_lowest() -> None:
    """As in Call of Cthulhu, where a check passes at or under its DC."""
    campaign, check = Campaign(), RollCheck("1d100", CheckTerms(45, under=True))
    events = [campaign.ask(check, seeded(n)) for n in range(9)]
    lowest = min(int(event.roll.results[0]) for event in events)
    best = best_roll(events)

    assert best
    assert (best.result, best.chance) == (str(lowest), Fraction(lowest, 100))


@pytest.mark.parametrize(
    ("dice", "sides", "is_low"),
    [
        ("d20 vs 12", 20, False),
        ("d20 > 12", 20, False),
        ("d20 <= 5", 20, True),
        ("d20 < 5", 20, True),
        ("d10 vs 99", 10, False),
    ],
)
def test_the_best_of_compared_sums_is_the_best_sum(dice: str, sides: int, is_low: bool) -> None:  # noqa: FBT001 (pytest's)
    """Their totals are a 1 or a 0, which says nothing of how good they are."""
    events = [Campaign().ask(RollDice(dice), seeded(n)) for n in range(9)]
    sums = [event.roll.draws[0][1] + 1 for event in events]
    best = best_roll(events)
    number = (min if is_low else max)(sums)

    assert best
    assert best.result == str(number)
    assert best.chance == Fraction(number if is_low else sides + 1 - number, sides)


@pytest.mark.parametrize(
    ("dice", "label"), [("1d2", "1 heads, 2 tails"), ("1d{1,1,1,2}", "1 elk, 2 owl # first"), ("(2d6)=7", "")]
)
def test_no_name_is_better_than_another(dice: str, label: str) -> None:
    """Nor is a sum that is to be just one number."""
    assert best_roll(rolled(dice, label=label, seed=n).event for n in range(9)) is None


def test_what_takes_too_long_is_not_worked_out() -> None:
    """A very loose account remembers thousands of checks: then only what plain dice do is told."""
    found = record(kept(account("0.001"), 600, seeded(1)))

    assert found.usual is None
    assert found.plain == (307, 352)

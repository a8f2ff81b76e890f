"""The luck account: the worked figures of its law, what it equals, and what it never does."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dice.draws import seeded
from bot.dice.errors import SpecError
from bot.dice.system import Json, Memory, step
from bot.systems.checks import CheckTerms, Outcomes, outcomes, read_degrees
from bot.systems.fair import half_power
from bot.systems.luck import ACCOUNT_UNIT as U
from bot.systems.luck import FULL, MINOR, NONE, LuckAccount
from bot.systems.luck import SCORE_UNIT as M
from bot.systems.odds import odds
from bot.systems.registry import load_spec, print_spec, read_spec
from tests.support.systems import make

DICE = ("1d20+5", "2d20kh1", "3d6", "1d2", "1d100", "4d4-1d6")
D20 = outcomes("1d20+5", CheckTerms(15))


def luck(**parameters: Json) -> LuckAccount:
    """The rule of an account."""
    system = load_spec(print_spec(read_spec({"system": "luck", **parameters})))
    assert isinstance(system, LuckAccount)
    return system


CHECKS = st.builds(outcomes, st.sampled_from(DICE), st.builds(CheckTerms, st.integers(-2, 30), st.booleans()))
LUCKS = st.builds(
    luck,
    tightness=st.sampled_from(["0", "0.25", "0.5", "1", "1000"]),
    drought=st.sampled_from(["0", "0.35", "1", "10"]),
    cap=st.sampled_from(["0", "0.288", "3", "64"]),
)


def chance(rule: LuckAccount, memory: Memory) -> Fraction:
    """The chance of any score but 0."""
    pairs = zip(odds(rule, memory), rule.outcomes.scores, strict=True)
    return sum((one for one, score in pairs if score), Fraction(0))


def worked(value: Fraction) -> str:
    """To 18 decimals."""
    return f"{int(value * 10**18 + Fraction(1, 2)):018}"


def place(rule: LuckAccount, *, passed: bool) -> int:
    """A total that passes, or one that misses."""
    return next(i for i, score in enumerate(rule.outcomes.scores) if bool(score) is passed)


def test_a_check_moves_the_account_by_what_was_not_expected() -> None:
    """1d20+5 against 15 has 11/20: a pass is worth 9/20, a miss takes 11/20."""
    rule = luck().on(D20)

    assert rule.outcomes.expected == Fraction(11, 20)
    assert rule.advance((0, 0, 0), place(rule, passed=True)) == (604661760000, 0, 66512793600)
    assert rule.advance((0, 0, 0), place(rule, passed=False)) == (-739031040000, 147806208000, 66512793600)
    assert odds(rule, rule.start()) == (Fraction(1, 20),) * 20


@pytest.mark.parametrize(
    ("rule", "memory", "bits", "expected"),
    [
        (luck(tightness="1").on(outcomes("1d2", CheckTerms(2))), (-671846400000, 0, 0), -1, Fraction(2, 3)),
        (luck().on(outcomes("1d4", CheckTerms(4))), (-2 * U, 0, 0), -2, Fraction(4, 7)),
        (luck(tightness="1000").on(D20), (-U, 0, 0), -3, Fraction(88, 97)),
        (luck().on(outcomes("2d20kh1", CheckTerms(15))), (-U, 0, 0), -1, Fraction(102, 151)),
        (luck(drought="1").on(outcomes("1d2", CheckTerms(2))), (-U, 2 * M, M), -2, Fraction(4, 5)),
    ],
)
def test_whole_bits_are_exact(rule: LuckAccount, memory: Memory, bits: int, expected: Fraction) -> None:
    """Odds lowered by whole bits are halves of halves."""
    assert rule.bits(memory) == bits
    assert chance(rule, memory) == expected


@pytest.mark.parametrize(
    ("rule", "memory", "bits", "expected"),
    [
        (luck(tightness="0.25").on(D20), (-2217093120000, 0, 0), Fraction(-33, 40), "684065145514233420"),
        (luck().on(D20), (940584960000, 0, 0), Fraction(7, 10), "429342966786107943"),
        (luck(tightness="1000").on(D20), (-U, 0, 0), -3, "907216494845360825"),
        (
            luck(drought="1").on(outcomes("1d2", CheckTerms(2)), MINOR),
            (-U, 2 * M, M),
            Fraction(-1, 5),
            "534601961380763517",
        ),
    ],
)
def test_broken_bits_are_the_same_everywhere(
    rule: LuckAccount, memory: Memory, bits: Fraction, expected: str
) -> None:
    """The figures of the specification, to 18 decimals."""
    assert rule.bits(memory) == bits
    assert worked(chance(rule, memory)) == expected


def test_the_factors_are_integers() -> None:
    """A pass or a miss keeps 2^64, and the other has that times a power of 2 below it."""
    behind = luck(tightness="0.25").on(D20).weights((-2217093120000, 0, 0))
    ahead = luck().on(D20).weights((940584960000, 0, 0))

    assert {*behind} == {1 << 64, 10412858721893266248}
    assert {*ahead} == {1 << 64, 11355302955375478541}


def test_a_miss_with_advantage_costs_more() -> None:
    """2d20kh1 against 15 has 51/100."""
    rule = luck().on(outcomes("2d20kh1", CheckTerms(15)))

    assert rule.advance((-U, 0, 0), place(rule, passed=False))[0] == -2028976128000


def test_degrees_have_scores_of_their_own() -> None:
    """Two ahead at tightness 0.25, the weights of scores 0, 1, 2 and 3 halve from one to the next."""
    degrees: Json = [[0, "worst", 0], [-10, "miss", 1], [0, "pass", 2], [10, "best", 3]]
    rule = luck(tightness="0.25", score=degrees)
    rule = rule.on(outcomes("1d20+5", CheckTerms(15, degrees=rule.degrees)))

    assert {*rule.weights((2 * U, 0, 0))} == {1 << 64, 1 << 63, 1 << 62}
    assert M * rule.outcomes.expected == 429981696000
    every = rule.on(outcomes("1d20", CheckTerms(11, degrees=read_degrees("a, -9 b=1, 0 c=2, 9 d=3"))))
    assert {*every.weights((2 * U, 0, 0))} == {1 << 64, 1 << 63, 1 << 62, 1 << 61}


def evening(rule: LuckAccount, checks: list[Outcomes]) -> dict[int, Fraction]:
    """The exact law of how many of the checks pass."""
    states: dict[tuple[int, Memory], Fraction] = {(0, rule.start()): Fraction(1)}
    for check in checks:
        after: dict[tuple[int, Memory], Fraction] = {}
        now = rule.on(check)
        for (passes, memory), p in states.items():
            up = chance(now, memory)
            for passed, share in ((1, up), (0, 1 - up)):
                key = passes + passed, now.advance(memory, place(now, passed=bool(passed)))
                after[key] = after.get(key, Fraction(0)) + p * share
        states = after
    law: dict[int, Fraction] = {}
    for (passes, _), p in states.items():
        law[passes] = law.get(passes, Fraction(0)) + p
    return law


def test_four_coins() -> None:
    """At tightness 1 four coins pass 0 to 4 times with 1/270, 5/27, 28/45, 5/27, 1/270."""
    law = evening(luck(tightness="1"), [outcomes("1d2", CheckTerms(2))] * 4)

    assert [law[n] for n in range(5)] == [
        Fraction(1, 270), Fraction(5, 27), Fraction(28, 45), Fraction(5, 27), Fraction(1, 270)
    ]  # fmt: skip


def test_five_checks_of_three_fifths() -> None:
    """At tightness 1/2 all five miss once in two thousand evenings, and the mean stays nearly 3."""
    law = evening(luck(), [outcomes("1d5", CheckTerms(3))] * 5)

    assert round(law[0], 15) == Fraction("0.000495241374411")
    assert round(sum(n * p for n, p in law.items()), 15) == Fraction("2.983988012654356")


@given(
    st.sampled_from([2, 3, 4, 5, 6, 8, 9, 10, 12, 20, 36, 100]),
    st.integers(1, 99),
    st.sampled_from(["0", "0.25", "1.5"]),
    st.lists(st.booleans(), max_size=40),
)
def test_one_unchanging_check_is_the_fair_die(sides: int, n: int, tightness: str, came: list[bool]) -> None:
    """The same odds as the fair die on "pass" and "miss", after any history, to the last digit."""
    a = 1 + n % (sides - 1)
    b = sides - a
    fair = make("fair", {"miss": b, "pass": a}, tightness=tightness)
    rule = luck(tightness=tightness, cap="64").on(outcomes(f"1d{a + b}", CheckTerms(b + 1)))
    errors, account = fair.start(), rule.start()
    for passed in came:
        if abs(rule.bits(account)) < 64:
            assert chance(rule, account) == odds(fair, errors)[1]
        errors = fair.advance(errors, int(passed))
        account = rule.advance(account, place(rule, passed=passed))


@given(LUCKS, st.lists(CHECKS, max_size=30), st.integers(0, 10**6))
def test_passes_are_what_was_expected_and_the_account(
    rule: LuckAccount, checks: list[Outcomes], seed: int
) -> None:
    """After any history of checks at full stake; here the expectations divide the unit."""
    draws, memory, passes, expected = seeded(seed), rule.start(), Fraction(0), Fraction(0)
    for check in checks:
        outcome, memory = step(rule.on(check), memory, draws)
        if not check.settled:
            passes += check.scores[check.totals.index(int(outcome.face))]
            expected += check.expected

    assert abs(passes - expected - Fraction(memory[0], U)) <= Fraction(len(checks), 2 * M)
    assert 0 <= memory[2] <= M
    assert memory[1] >= 0


@given(LUCKS, CHECKS, st.integers(-20 * U, 20 * U), st.integers(0, 9 * M), st.integers(0, M))
def test_the_impossible_and_the_certain_stay_so(
    rule: LuckAccount, check: Outcomes, n: int, d: int, b: int
) -> None:
    """No memory makes either of them move, and every total that the dice have stays possible."""
    rule, memory = rule.on(check), (n, d, b)

    assert min(rule.weights(memory)) > 0
    if check.settled:
        assert odds(rule, memory) == odds(rule, rule.start())
        assert rule.advance(memory, 0) == memory


@given(LUCKS, CHECKS, st.integers(-9 * U, 9 * U), st.integers(0, U), st.integers(0, 9 * M), st.integers(0, M))
def test_more_debt_is_never_less_chance(
    rule: LuckAccount, check: Outcomes, n: int, less: int, d: int, b: int
) -> None:
    """Who has passed less has no smaller chance; and an even account at rest is plain dice."""
    rule = rule.on(check)

    assert chance(rule, (n - less, d, b)) >= chance(rule, (n, d, b))
    assert chance(rule, rule.start()) == check.expected


@given(LUCKS, CHECKS, st.integers(-9 * U, 9 * U))
def test_the_cap_bounds_what_a_check_can_move(rule: LuckAccount, check: Outcomes, n: int) -> None:
    """No chance moves by more than (2^(L/2) - 1)/(2^(L/2) + 1)."""
    half = Fraction(half_power(*(rule.cap / 2).as_integer_ratio()), 1 << 64)
    most = (1 - half) / (1 + half)

    assert abs(chance(rule.on(check), (n, 0, 0)) - check.expected) <= most + Fraction(1, 10**15)


def test_stakes() -> None:
    """A check of no stake is plain and leaves no trace; one of a fifth leaves the drought alone."""
    behind = (-3 * U, 2 * M, M)
    plain, minor = luck(drought="1").on(D20, NONE), luck(drought="1").on(D20, MINOR)

    assert odds(plain, behind) == odds(plain, plain.start())
    assert plain.advance(behind, 0) == behind
    assert minor.advance(behind, 0) == (-3 * U - 147806208000, 2 * M, M)
    with pytest.raises(SpecError, match="not 2"):
        luck().on(D20, 2)


def test_a_rank_account_counts_middle_ranks() -> None:
    """Half of all that is expected of any dice; a high total is a gain, a low one a loss."""
    rule = luck(score="rank").on(outcomes("2d6", None), FULL)

    assert rule.outcomes.expected == Fraction(1, 2)
    assert rule.advance((0, 0, 0), 0) == (5 * (M // 72 - M // 2), 0, 0)
    assert rule.weights((-U, 0, 0))[-1] > rule.weights((-U, 0, 0))[0]


def test_an_account_goes_on_under_another_tightness_and_not_under_other_scores() -> None:
    """Names of degrees don't matter where all are passes or misses."""
    scored: Json = [[0, "worst", 0], [0, "pass", 2]]
    named: Json = [[0, "miss", 0], [0, "pass", 1]]

    assert luck(tightness="1").continues(luck(drought="1", cap="2"))
    assert luck(score=named).continues(luck())
    assert not luck(score="rank").continues(luck())
    assert not luck(score=scored).continues(luck())
    assert luck(score=scored).as_spec()["score"] == scored


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"tightness": "1001"}, "`tightness` is 0 to 1,000"),
        ({"drought": "10.1"}, "`drought` is 0 to 10"),
        ({"cap": "65"}, "`cap` is 0 to 64"),
        ({"own": "mine"}, "practice, minor"),
        ({"keep": "never"}, "session, always"),
        ({"score": "sum"}, "pass, rank"),
        ({"score": []}, "pass, rank"),
        ({"score": [[0, "a", 1], [1, "b"]]}, "lowest margin"),
        ({"score": [[0, "a", 2], [1, "b", 1]]}, "lower score"),
        ({"score": "rank", "drought": "1"}, "scores of 0 and 1"),
        ({"score": [[0, "a", 0], [1, "b", 2]], "drought": "1"}, "scores of 0 and 1"),
        ({"own": ["minor"]}, "`own` is one of practice, minor"),
        ({"keep": {}}, "`keep` is one of session, always"),
    ],
)
def test_what_is_out_of_bounds_is_refused(parameters: dict[str, Json], named: str) -> None:
    """Each with the parameter that is wrong."""
    with pytest.raises(SpecError, match=named):
        luck(**parameters)

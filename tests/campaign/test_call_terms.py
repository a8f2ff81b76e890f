"""Terms of calls that do not go together, and what rolls come to under each rule."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import pytest

from bot.campaign.call_terms import Form, Rule, Terms, Verdict, judge
from bot.dice.errors import SpecError
from bot.dice.system import Json
from bot.record.codec import Unreadable, decode_value


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Terms(Form.CHECK, rule=Rule.HALF), "This rule needs a DC"),
        (lambda: Terms(Form.CHECK, rule=Rule.ALL), "This rule needs a DC"),
        (lambda: Terms(Form.CHECK, rule=Rule.ANY), "This rule needs a DC"),
        (lambda: Terms(Form.CHECK, dc=1_000_001), "A DC is a number up to 1,000,000"),
        (lambda: Terms(Form.CHECK, dc=-1_000_001), "A DC is a number up to 1,000,000"),
        (lambda: Terms(Form.CHECK, needed=0), "1 to 1,000"),
        (lambda: Terms(Form.CHECK, needed=1_001), "1 to 1,000"),
        (lambda: Terms(Form.DEAL, cards=0), "Deal 1 to 20 cards to each, not 0"),
        (lambda: Terms(Form.DEAL, cards=21), "Deal 1 to 20 cards to each, not 21"),
    ],
)
def test_terms_that_make_no_sense_are_refused(make: Callable[[], Terms], words: str) -> None:
    """Each with its own sentence."""
    with pytest.raises(SpecError, match=words):
        make()


@pytest.mark.parametrize(
    "record",
    [
        None,
        [],
        "check",
        {"form": "party"},
        {"form": "check"},
        {"dc": 10**9},
        {"rule": "most"},
        {"rule": "half"},
        {"needed": 0},
        {"form": "deal", "cards": 21},
        {"later": 1},
    ],
)
def test_a_damaged_record_is_the_record_s_fault(record: Json) -> None:
    """It is Unreadable: no sentence for a player, who asked for nothing wrong."""
    with pytest.raises(Unreadable, match=r"the record of terms is damaged"):
        decode_value(Terms, record)


DCS = range(-1, 14)
NEED_A_DC = {Rule.HALF, Rule.ALL, Rule.ANY}
TABLES = [totals for players in (1, 2, 3) for totals in product(range(1, 5), repeat=players)]
"""Everything that one, two or three players with a d4 can roll."""


def check(dc: int | None, rule: Rule = Rule.EACH, *, under: bool = False, needed: int = 1) -> Terms:
    """Terms of a check."""
    return Terms(Form.CHECK, dc, under, rule, needed)


def meets(value: Fraction | int, dc: int, *, under: bool) -> bool:
    """Whether a number is on the right side of the DC."""
    return value <= dc if under else value >= dc


def by_definition(terms: Terms, totals: Sequence[int]) -> tuple[Fraction | int, bool | None]:
    """The group's number and whether it succeeds, told as the rules tell it."""
    dc, under, players = terms.dc, terms.under, len(totals)
    winners = [total for total in totals if dc is not None and meets(total, dc, under=under)]
    losers = players - len(winners)
    results: dict[Rule, tuple[Fraction | int, bool]] = {
        Rule.HALF: (len(winners), len(winners) >= losers),
        Rule.ALL: (len(winners), losers == 0),
        Rule.ANY: (len(winners), winners != []),
    }
    if terms.rule in results:
        return results[terms.rule]
    if terms.rule is Rule.SUCCESSES:
        successes = sum(totals) if dc is None else len(winners)
        return successes, successes >= terms.needed
    value = {
        Rule.HIGHEST: next(one for one in totals if all(one >= other for other in totals)),
        Rule.LOWEST: next(one for one in totals if all(one <= other for other in totals)),
        Rule.SUM: sum(totals),
        Rule.AVERAGE: sum((Fraction(total, players) for total in totals), Fraction(0)),
    }[terms.rule]
    return value, None if dc is None else meets(value, dc, under=under)


@pytest.mark.parametrize("rule", [rule for rule in Rule if rule is not Rule.EACH])
@pytest.mark.parametrize("under", [False, True])
def test_every_rule_is_what_it_says(rule: Rule, under: bool) -> None:  # noqa: FBT001 (pytest's)
    """For every table and every DC the verdict is the rule's definition, and its margin has the same sign."""
    for dc, totals, needed in product(DCS, TABLES, (1, 2, 3) if rule is Rule.SUCCESSES else (1,)):
        terms = check(dc, rule, under=under, needed=needed)
        verdict = judge(terms, totals)
        value, passed = by_definition(terms, totals)

        assert (verdict.rolled, verdict.value, verdict.passed) == (len(totals), value, passed)
        assert verdict.succeeded == sum(meets(total, dc, under=under) for total in totals)
        if rule in NEED_A_DC:
            assert verdict.margin is None
        else:
            against = needed if rule is Rule.SUCCESSES else dc
            assert verdict.margin is not None
            assert (abs(verdict.margin), verdict.margin >= 0) == (abs(value - against), passed)


@pytest.mark.parametrize("rule", [Rule.HIGHEST, Rule.LOWEST, Rule.SUM, Rule.AVERAGE])
def test_without_a_dc_there_is_a_number_and_no_verdict(rule: Rule) -> None:
    """The group's number is told, and nobody succeeds or fails."""
    for totals in TABLES:
        value, _ = by_definition(check(None, rule), totals)

        assert judge(check(None, rule), totals) == Verdict(len(totals), None, Fraction(value), None, None)


def test_dice_that_count_successes_are_added() -> None:
    """Without a DC the totals are successes already, and so many are needed."""
    for totals, needed in product(TABLES, range(1, 14)):
        verdict = judge(check(None, Rule.SUCCESSES, needed=needed), totals)

        assert (verdict.value, verdict.margin) == (sum(totals), sum(totals) - needed)
        assert verdict.passed == (sum(totals) >= needed)
        assert verdict.succeeded is None


def test_each_stands_for_themselves() -> None:
    """Nothing is said of the group but how many succeed."""
    for totals in TABLES:
        assert judge(check(3), totals) == Verdict(len(totals), sum(t >= 3 for t in totals), None, None, None)
        assert judge(check(None), totals) == Verdict(len(totals), None, None, None, None)


@pytest.mark.parametrize("rule", Rule)
def test_nobody_has_no_verdict(rule: Rule) -> None:
    """Where nobody has rolled, the group has neither succeeded nor failed, under any rule."""
    assert judge(check(11, rule), ()) == Verdict(0, 0, None, None, None)
    if rule not in NEED_A_DC:
        assert judge(check(None, rule), ()) == Verdict(0, None, None, None, None)


@pytest.mark.parametrize("under", [False, True])
def test_the_margin_of_one_roll(under: bool) -> None:  # noqa: FBT001 (pytest's)
    """A roll that just meets the DC has the margin 0; one further off by one has 1 or -1."""
    terms = check(11, under=under)
    better = -1 if under else 1
    totals = [11 + better * by for by in (-2, -1, 0, 1, 2)]

    assert terms.check
    assert [terms.check.margin(total) for total in totals] == [-2, -1, 0, 1, 2]
    assert [judge(terms, (total,)).succeeded for total in totals] == [0, 0, 1, 1, 1]
    assert (check(None).check, judge(check(None), totals).succeeded) == (None, None)


@pytest.mark.parametrize(
    ("terms", "players", "sides", "chance"),
    [
        # The group check of d20 against DC 11: heads or tails.
        (check(11, Rule.HALF), 2, 20, Fraction(3, 4)),
        (check(11, Rule.HALF), 3, 20, Fraction(1, 2)),
        # Roll under 10 is the same half.
        (check(10, Rule.HALF, under=True), 3, 20, Fraction(1, 2)),
        (check(15, Rule.ALL), 3, 20, Fraction(27, 1000)),
        (check(15, Rule.LOWEST), 3, 20, Fraction(27, 1000)),
        (check(15, Rule.ANY), 3, 20, Fraction(657, 1000)),
        (check(15, Rule.HIGHEST), 3, 20, Fraction(657, 1000)),
        (check(15, Rule.SUCCESSES, needed=2), 3, 20, Fraction(27, 125)),
        (check(11, Rule.SUM), 3, 6, Fraction(1, 2)),
        (check(4, Rule.AVERAGE), 3, 6, Fraction(3, 8)),
        (check(3, Rule.AVERAGE, under=True), 3, 6, Fraction(3, 8)),
    ],
)
def test_known_chances(terms: Terms, players: int, sides: int, chance: Fraction) -> None:
    """The share of all rolls in which the group succeeds is the exact chance."""
    rolls = product(range(1, sides + 1), repeat=players)

    assert Fraction(sum(judge(terms, roll).passed is True for roll in rolls), sides**players) == chance

"""Renewal: its tables, its figures, and the memory."""

from fractions import Fraction

import pytest

from bot.dice.errors import SpecError
from bot.dice.system import Json
from bot.systems.odds import odds, shares
from bot.systems.registry import read_spec
from bot.systems.renewal import UNIT, Renewal, biases, latest, prd


def renewal(**parameters: Json) -> Renewal:
    """The rule of a spec."""
    system = read_spec({"system": "renewal", **parameters})
    assert isinstance(system, Renewal)
    return system


def test_a_table_of_quarters() -> None:
    """Gaps of 1 to 4 with 1/4, 3/8, 9/32, 3/32, so 71/32 on average; it begins one try in."""
    rule = renewal(table=["0.25", "0.5", "0.75", "1"])
    chances = [Fraction(h, UNIT) for h in rule.table]
    alive, gaps = Fraction(1), list[Fraction]()
    for h in chances:
        gaps.append(alive * h)
        alive *= 1 - h

    assert gaps == [Fraction(1, 4), Fraction(3, 8), Fraction(9, 32), Fraction(3, 32)]
    assert rule.gap == Fraction(71, 32)
    assert biases(rule.table) == tuple(Fraction(n, 5041) for n in (-945, 404, 1256, 1824))
    assert rule.start() == (1,)
    assert rule.latest == 4
    assert shares(rule) == (32, 39)


@pytest.mark.parametrize(
    ("chance", "least", "surely", "start"),
    [
        ("0.05", 3801658304, 264, 10),
        ("0.1", 14745844782, 68, 5),
        ("0.15", 32220914374, 32, 3),
        ("0.2", 55704042950, 18, 2),
        ("0.25", 84744091853, 12, 2),
        ("0.3", 118949192726, 9, 1),
        ("0.35", 157983098126, 7, 1),
        ("0.4", 201547413608, 5, 1),
        ("0.45", 249306998441, 5, 1),
        ("0.5", 302103025349, 4, 1),
    ],
)
def test_prd_grows_in_proportion(chance: str, least: int, surely: int, start: int) -> None:
    """The least integer whose long-run chance is enough: one less is too rare, and the excess is tiny."""
    rule = renewal(prd=chance)

    assert rule.table[0] == least
    assert (len(rule.table), rule.table[-1]) == (surely, UNIT)
    assert 0 <= 1 / rule.gap - Fraction(chance) < Fraction(5, 10**12)
    assert rule.start() == (start,)


def test_five_misses_at_a_quarter() -> None:
    """The worked odds."""
    assert renewal(prd="0.25").weights((5,)) == (508464551118, 491535448882)


@pytest.mark.parametrize(
    ("tries", "chance", "ratio"),
    [
        (7, "0.25", Fraction(1)),
        (8, "0.25", Fraction("0.908292488662")),
        (12, "0.25", Fraction("0.789212058037")),
        (20, "0.1", Fraction("0.985052465764")),
    ],
)
def test_latest_has_a_hard_end(tries: int, chance: str, ratio: Fraction) -> None:
    """Gaps in proportion to the powers of one ratio, the last try certain; the ratio is the worked one."""
    rule = renewal(latest=tries, chance=chance)
    exact = [1 / sum(ratio**j for j in range(tries - n)) for n in range(tries)]

    assert rule.table == tuple(int(h * UNIT + Fraction(1, 2)) for h in exact)
    assert rule.table[-1] == UNIT
    assert abs(1 / rule.gap - Fraction(chance)) < Fraction(1, 10**12)


def test_pity_is_a_table() -> None:
    """0.006 for 73 tries, then 0.06 more each time: in the long run 1.605 %."""
    table = ["0.006"] * 73 + [str(Fraction(6 + 60 * n, 1000) * 1.0) for n in range(1, 17)] + ["1"]
    rule = renewal(table=[f"{float(one):.3f}" for one in table])

    assert len(rule.table) == 90
    assert round(1 / rule.gap, 5) == Fraction("0.01605")


def test_a_last_entry_below_one_repeats() -> None:
    """Then the tail is plain dice, and there is no latest."""
    rule = renewal(table=["0", "0.5"])

    assert rule.gap == 3
    assert rule.latest is None
    assert rule.advance((1,), 1) == (1,)
    assert rule.advance((0,), 1) == (1,)
    assert rule.advance((1,), 0) == (0,)
    assert odds(rule, (1,)) == (Fraction(1, 2), Fraction(1, 2))


def test_the_bias_is_that_of_counting() -> None:
    """By hand, from each start: the mean count after 60 tries, less 60 over the mean gap."""
    rule = renewal(table=["0.25", "0.5", "0.75", "1"])
    for start, bias in enumerate(biases(rule.table)):
        states, count = {(start,): Fraction(1)}, Fraction(0)
        for _ in range(60):
            after: dict[tuple[int, ...], Fraction] = {}
            for memory, p in states.items():
                for chosen, share in enumerate(odds(rule, memory)):
                    key = rule.advance(memory, chosen)
                    after[key] = after.get(key, Fraction(0)) + p * share
                count += p * odds(rule, memory)[0]
            states = after
        assert abs(count - 60 / rule.gap - bias) < Fraction(1, 10**9)


def test_specs_come_back() -> None:
    """Each way of asking, with its labels and its start."""
    ways: list[dict[str, Json]] = [
        {"table": ["0.25", "1"]},
        {"prd": "0.25"},
        {"latest": 12, "chance": "0.25"},
        {"prd": "1/6"},
        {"latest": 12, "chance": "1/6"},
        {"table": ["1/3", "2/4", "1"]},
    ]
    for parameters in ways:
        rule = renewal(**parameters, labels=["encounter", "nothing"], start=1)
        assert read_spec(rule.as_spec()) == rule
        assert rule.faces == ("encounter", "nothing")


def test_a_chance_may_be_a_fraction() -> None:
    """It is meant exactly; one that is a short decimal is recorded as that, and so is the same roller."""
    assert renewal(prd="1/6").table == prd(Fraction(1, 6))
    assert renewal(prd="2/12").as_spec()["prd"] == "1/6"
    assert renewal(prd="1/4") == renewal(prd="0.25")
    for wrong in ("1/0", "7/6", "-1/6", "1 /6x", "1/1234567", "٣/6"):
        with pytest.raises(SpecError, match=r"A chance is |Give 0 or more"):
            renewal(prd=wrong)


def test_a_tuned_one_goes_on() -> None:
    """The count of tries goes on where the table is as long, for the same event."""
    assert renewal(prd="0.25").continues(renewal(latest=12, chance="0.25"))
    assert not renewal(prd="0.25").continues(renewal(prd="0.5"))


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({}, "takes a chance"),
        ({"prd": "0.25", "table": ["1"]}, "takes a chance"),
        ({"prd": "0.04"}, "0.05 to 1"),
        ({"prd": "1.01"}, "0 to 1"),
        ({"table": []}, "1 to 300"),
        ({"table": ["1", "0"]}, "over 0"),
        ({"table": ["0.5"] * 301}, "1 to 300"),
        ({"latest": 6, "chance": "0.25"}, "Raise"),
        ({"latest": 6, "chance": "0"}, "Raise"),
        ({"latest": 6}, "latest with a chance"),
        ({"prd": "0.5", "labels": ["a", "a"]}, "different"),
        ({"prd": "0.5", "start": 4}, "start"),
    ],
)
def test_what_is_no_renewal_is_refused(parameters: dict[str, Json], named: str) -> None:
    """With the way out."""
    with pytest.raises(SpecError, match=named):
        renewal(**parameters)


def test_chance_of_everything_and_of_the_rarest() -> None:
    """The ends of the range."""
    assert prd(Fraction(1)) == (UNIT,)
    assert latest(1, Fraction(1)) == (UNIT,)

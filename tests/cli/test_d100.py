"""The command `d100`, started as the command line does it."""

from fractions import Fraction
from functools import partial

from bot.d100.conversion import expected
from tests.support.cli import evenhand, printed

run = partial(evenhand, "d100")


found = partial(printed, "d100")
PUBLISHED = {
    "table": ("0", "14738/4665", None),
    "stream": ("0", "14738/4665", None),
    "again": ("0", "81/25", None),
    "table4": ("1/437400", "83/27", 4),
    "first": ("0", "162/25", None),
    "folded": ("0", "81/25", None),
    "wrapped": ("23/36450", "3", 3),
    "5x5x4": ("0", "39/10", None),
    "5x5x2x2": ("0", "22/5", None),
    "digits": ("0", "22/5", None),
    "leftovers": ("7/24300", "3", 3),
}


def test_json_has_exact_fractions() -> None:
    """Each method has its score and its expected rolls as fractions, and the most, if there is one."""
    told = found()
    methods = {m["method"]: (m["score"], m["expected"], m["most"]) for m in told["methods"]}

    assert (told["dice"], told["values"]) == (6, 100)
    assert {name: methods[name] for name in PUBLISHED} == PUBLISHED
    assert [m["method"] for m in told["methods"] if not m["every_value"]] == ["ranges"]
    assert {k: told["scores"][k] for k in "0123"} == {
        "0": "99/100",
        "1": "47/300",
        "2": "4/225",
        "3": "7/24300",
    }


def test_json_of_the_registers() -> None:
    """Scores after 1, 2, 3, 5, 10 and 25 rolls, the information in bits, and the correlation."""
    three, four = found()["register"]

    assert [three["dice"], four["dice"]] == [3, 4]
    assert [*map(int, three["scores"])] == [1, 2, 3, 5, 10, 25]
    assert f"{float(Fraction(four['scores']['2'])):.4e}" == "1.4689e-11"
    assert three["information_bits"].startswith("0.018960")
    assert f"{float(Fraction(three['correlation'])):.4f}" == "0.0442"


def test_other_dice() -> None:
    """Only the general ways are there, with the figures of those dice."""
    told = found("--dice", "20", "--values", "6")

    assert {m["method"] for m in told["methods"]}.isdisjoint({"first", "digits", "20d6", "ranges"})
    assert told["methods"][0]["expected"] == str(expected((20,), 6)) == "443/399"


def test_the_tables() -> None:
    """Without --json there is a line for every method, the score table, and the registers."""
    lines = run().stdout.splitlines()

    assert lines[0].strip() == "A d100 out of d6s"
    assert next(line for line in lines if line.startswith("table ")).split()[:4] == [
        "table",
        "0",
        "3.159",
        "-",
    ]
    assert any(line.startswith("ranges ") and line.split()[-5] == "5" for line in lines)
    assert any(line.startswith(" ") and line.split()[:1] == ["never"] for line in lines)


def test_everything_is_whole_at_80_columns() -> None:
    """No figure is cut, and each number of dice has a line with its best score."""
    said = run().stdout
    lines = [line.split() for line in said.splitlines()]

    assert "…" not in said
    assert max(map(len, said.splitlines())) <= 80
    assert ["10", "4.989e-15"] in lines
    assert ["25", "7.350e-60", "1.197e-127"] in lines
    assert ["bits", "told", "0.018960", "0.000169"] in lines


def test_the_best_way_comes_first() -> None:
    """By the contest's rule: the fairest, and of equally fair ones that with the fewest dice."""
    methods = [line.split()[0] for line in run().stdout.splitlines() if " 0 " in line and "exact" in line]

    assert methods == ["pool", "table", "stream", "again", "folded", "5x5x4", "5x5x2x2", "digits", "first"]

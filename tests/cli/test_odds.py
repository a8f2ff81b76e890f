"""The command `odds`, started as the command line does it."""

import csv
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import evenhand, printed

FAIR = '{"system":"fair","base":"2d6","tightness":"1"}'


run = partial(evenhand, "odds")


def faces(*arguments: str) -> dict[str, float]:
    """The faces that `--json` prints."""
    return told(*arguments)["faces"]


def told(*arguments: str) -> dict[str, Any]:
    """All that `--json` prints."""
    return printed("odds", *arguments)


def test_json_of_the_example() -> None:
    """A fair 2d6 after 2, 4, 7, 7 has the published odds, with all the digits that a float holds."""
    found = faces(FAIR, "--after", "2,4,7,7")

    assert [*found] == [*map(str, range(2, 13))]
    assert {face: f"{p:.6f}" for face, p in found.items() if face in "678"} == {
        "6": "0.184082", "7": "0.059646", "8": "0.184082",
    }  # fmt: skip
    assert abs(sum(found.values()) - 1) < 1e-15


def test_plain_notation() -> None:
    """Plain notation is plain dice, and what came out does not change them."""
    assert faces("2d6") == faces("2d6", "--after", "7, 7") == faces('{"system":"dice","base":"2d6"}')
    assert faces("2d6")["7"] == 1 / 6


def test_names_stand_for_dice_and_numbers() -> None:
    """As they do in /odds; one that stands for nothing is refused."""
    named = ("--name", "sneak=1d20+7", "--name", "str=3")

    assert faces("sneak+str", *named) == faces("1d20+10")
    assert faces("1d6*str", *named) == faces("1d6*3")
    assert "Write --name as sneak=1d20+7, not as sneak." in run("sneak", "--name", "sneak").stderr


def test_exact_fractions_stand_beside_the_floats() -> None:
    """What is a float in one place is the same number as a fraction in the other."""
    found = told("4d6kh3", "--at-least", "15")
    exact = found["exact"]

    assert (exact["mean"], exact["asked"]) == ("15869/1296", "25/108")
    assert found["asked"] == float(Fraction(25, 108))
    assert found["deviation"] ** 2 == pytest.approx(float(Fraction(exact["variance"])))  # pyright: ignore[reportUnknownMemberType]
    assert {face: float(Fraction(p)) for face, p in exact["faces"].items()} == found["faces"]


def test_side_by_side() -> None:
    """Two dice are compared as independent rolls, and both have their chance of what was asked."""
    found = told("1d4", "--compare", "1d6", "--at-least", "4")
    exact = found["exact"]

    assert (exact["higher"], exact["equal"], exact["lower"]) == ("1/4", "1/6", "7/12")
    assert (exact["asked"], found["versus"]["exact"]["asked"]) == ("1/4", "1/2")


def test_csv() -> None:
    """A line for every total of either, with the same chances as floats and as fractions."""
    rows = [*csv.DictReader(run("1d2", "--compare", "1d3", "--csv").stdout.splitlines())]

    assert rows[2] == {
        "face": "3",
        "chance": "0.0",
        "exact": "0",
        "versus": str(1 / 3),
        "versus exact": "1/3",
    }
    assert run("1d2", "--csv").stdout == "face,chance,exact\n1,0.5,1/2\n2,0.5,1/2\n"


def test_plot(tmp_path: Path) -> None:
    """The chart is a PNG; a folder that isn't there is said so."""
    run("4d6kh3", "--at-least", "15", "--plot", str(tmp_path / "odds.png"))
    refused = run("4d6kh3", "--plot", str(tmp_path / "none" / "odds.png"))

    assert (tmp_path / "odds.png").read_bytes().startswith(b"\x89PNG")
    assert refused.exit_code == 2
    assert "can't be used" in refused.stderr


def test_quoted_faces() -> None:
    """Blanks around faces don't count, and a face with a comma in it goes in quotes."""
    deck = '{"system":"deck","base":{"a, b":2,"c":3}}'

    assert faces(deck, "--after", ' c ,"a, b"') == {"a, b": 1 / 3, "c": 2 / 3}


def test_table() -> None:
    """Without --json there is a line for every face: what it is, the chance now, the base's, and a bar."""
    lines = run(FAIR, "--after", "2,4,7,7").stdout.splitlines()

    assert lines[0].strip() == "fair 2d6, tightness 1: after 4 rolls"
    rows = {line.split()[0]: line.split()[1:] for line in lines[2:-2]}
    assert [*rows] == [*map(str, range(2, 13))]
    assert rows["7"][:2] == ["6.0", "16.7"]
    assert rows["6"][:2] == ["18.4", "13.9"]
    assert rows["6"][2].count("█") + rows["6"][2].count("│") == 32
    assert lines[-1].strip() == "fair 2d6, tightness 1: mean 7.21, standard deviation 2.36"


def test_table_shows_labels_as_they_are() -> None:
    """Labels are text, not markup: brackets stay."""
    rows = run('{"system":"deck","base":{"[red]x[/red]":1,"y":1}}').stdout.splitlines()[2:]

    assert rows[0].split()[0] == "[red]x[/red]"


@pytest.mark.parametrize("columns", [40, 50, 80])
def test_a_narrow_terminal_has_shorter_bars(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """Every face keeps its figures; it is the bars that give way."""
    monkeypatch.setenv("COLUMNS", str(columns))

    assert " 7       16.7        58.3" in run("2d6").stdout
    assert max(map(len, run("2d6").stdout.splitlines())) <= columns


def test_a_renewal_roller_beside_its_long_run() -> None:
    """A chance of 10 % is told as that; at the start it is less, for the roller pretends some tries."""
    said = run('{"system":"renewal","prd":"0.1"}').stdout
    events = [line.split() for line in said.splitlines() if line.split()[:1] == ["event"]]

    assert events[-1][1:3] == ["8.8", "10.0"]

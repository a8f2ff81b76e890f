"""The command `odds`, started as the command line does it."""

import json

import pytest
from typer.testing import Result

from bot.cli.odds import odds
from tests.support.cli import evenhand

FAIR = '{"system":"fair","base":"2d6","tightness":"1"}'


def run(*arguments: str) -> Result:
    """Run the command."""
    return evenhand("odds", *arguments)


def faces(*arguments: str) -> dict[str, float]:
    """What `--json` prints, which is the faces and nothing else."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0
    (key, found), *more = json.loads(result.stdout).items()
    assert (key, more) == ("faces", [])
    return found


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


def test_quoted_faces() -> None:
    """Blanks around faces don't count, and a face with a comma in it goes in quotes."""
    deck = '{"system":"deck","base":{"a, b":2,"c":3}}'

    assert faces(deck, "--after", ' c ,"a, b"') == {"a, b": 1 / 3, "c": 2 / 3}


def test_table() -> None:
    """Without --json there is a line for every face: what it is, the chance now, the base's, and a bar."""
    lines = run(FAIR, "--after", "2,4,7,7").stdout.splitlines()

    assert lines[0].strip() == "fair 2d6, tightness 1: after 4 rolls"
    rows = {line.split()[0]: line.split()[1:] for line in lines[2:-1]}
    assert [*rows] == [*map(str, range(2, 13))]
    assert rows["7"][:2] == ["6.0", "16.7"]
    assert rows["6"][:2] == ["18.4", "13.9"]
    assert rows["6"][2].count("█") + rows["6"][2].count("│") == 32


def test_table_shows_labels_as_they_are() -> None:
    """Labels are text, not markup: brackets stay."""
    rows = run('{"system":"deck","base":{"[red]x[/red]":1,"y":1}}').stdout.splitlines()[2:]

    assert rows[0].split()[0] == "[red]x[/red]"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["2d"], "something is missing at its end"),
        (["{"], "not written as JSON"),
        (['{"system":"hat"}'], "There is no system 'hat'"),
        (['{"system":"dynamic","base":"1d6","factor":"2"}'], "not 2"),
        (["1d6", "--after", "1,,2"], "'' is no face"),
        (["1d6", "--after", "7"], "'7' is no face"),
        (["1d6", "--after", "1\n2"], "'1 2' is no face"),
    ],
)
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_refused(arguments: list[str], sentence: str, as_json: list[str]) -> None:
    """What makes no sense ends with one sentence on standard error and code 2, and prints nothing else."""
    result = run(*arguments, *as_json)

    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert (result.exit_code, result.stdout) == (2, "")


def test_help_teaches() -> None:
    """The help has examples, and each of them runs."""
    lines = [line.strip() for line in (odds.__doc__ or "").splitlines()]
    examples = [line.removeprefix("odds ") for line in lines if line.startswith("odds ")]

    assert len(examples) >= 4
    for example in examples:
        spec, _, seen = example.partition(" --after ")
        assert run(spec.strip("'"), "--after", seen).exit_code == 0
    assert "--after" in run("--help").stdout

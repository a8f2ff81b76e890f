"""The command `evening`, started as the command line does it."""

import json
import shlex
from pathlib import Path

import pytest
from typer.testing import Result

from bot.cli.evening import evening
from tests.support.cli import evenhand

DYNAMIC = '{"system":"dynamic","base":"1d6","factor":"0.355"}'
DECK = '{"system":"deck","base":"1d6","refill":6}'


def run(*arguments: str) -> Result:
    """Run the command."""
    return evenhand("evening", *arguments)


def test_json_of_the_published_figures() -> None:
    """The two systems of the text over 25 rolls, with every roll on the way."""
    told = json.loads(run(DYNAMIC, DECK, "--json").stdout)
    dynamic, deck = told["systems"]

    assert told["samples"] == 25
    assert dynamic["system"] == json.loads(DYNAMIC)
    assert [round(dynamic[key], 6) for key in ("entropy", "variance")] == [0.901998, 0.458978]
    assert [round(deck[key], 6) for key in ("entropy", "variance")] == [0.902009, 0.508855]
    assert len(dynamic["entropy_of_each_roll"]) == len(deck["variance_after_each_roll"]) == 25
    assert not dynamic["simulated"]


def test_table() -> None:
    """A line for each system beside plain dice and the plain deck; what is simulated says how sure it is."""
    said = run(DYNAMIC, '{"system":"fair","base":"4d6","tightness":"1"}', "--samples", "100").stdout

    assert said.splitlines()[0].strip() == "An evening of 100 rolls"
    assert [word in said for word in ("plain dice", "plain deck", "exact", "±")] == [True] * 4


def test_plot(tmp_path: Path) -> None:
    """--plot writes a PNG, here with as many lines as fit beside each other."""
    file = tmp_path / "evening.png"
    result = run(*[DECK] * 5, "--samples", "200", "--plot", str(file))

    assert result.exit_code == 0
    assert file.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["1d6", "--samples", "0"], "1 to 200 rolls, not 0."),
        (["1d6", "--samples", "201"], "1 to 200 rolls, not 201."),
        (["1d6"] * 6, "At most 5 systems"),
        (["nonsense"], "I don't know"),
        (['{"system":"deck","base":"1d6","refill":7}'], "With 6 cards the refill is at most 6, not 7."),
        (["1d6", "--plot", "no/such/folder/x.png"], "no/such/folder/x.png can't be used"),
    ],
)
def test_refused(arguments: list[str], sentence: str) -> None:
    """What makes no sense ends with one sentence on standard error and code 2, and prints nothing else."""
    result = run(*arguments)

    assert sentence in result.stderr
    assert (result.exit_code, result.stdout) == (2, "")


def test_help_teaches(tmp_path: Path) -> None:
    """The help has examples, and each of them runs."""
    lines = [line.strip() for line in (evening.__doc__ or "").splitlines()]
    examples = [shlex.split(line)[1:] for line in lines if line.startswith("evening ")]

    assert len(examples) == 3
    for example in examples:
        here = [str(tmp_path / word) if word.endswith(".png") else word for word in example]
        assert run(*here).exit_code == 0

"""The command `evening`, started as the command line does it."""

import json
from functools import partial
from pathlib import Path

from tests.support.cli import evenhand, printed

DYNAMIC = '{"system":"dynamic","base":"1d6","factor":"0.355"}'
DECK = '{"system":"deck","base":"1d6","refill":6}'


run = partial(evenhand, "evening")


def test_json_of_the_published_figures() -> None:
    """The two systems of the text over 25 rolls, with every roll on the way."""
    told = printed("evening", DYNAMIC, DECK)
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

"""The command `tune`, started as the command line does it."""

import json
from functools import partial
from pathlib import Path
from typing import Any

from tests.support.cli import evenhand, printed

run = partial(evenhand, "tune")


def found(values: int, samples: int, *arguments: str) -> dict[str, dict[str, Any]]:
    """What `--json` prints."""
    return printed("tune", "--values", str(values), "--samples", str(samples), *arguments)


def test_json_of_the_published_figures() -> None:
    """The best systems with their parameters, entropy and variance, and nothing else."""
    told = found(4, 30)

    assert {key: [*value] for key, value in told.items()} == {
        "deck": ["size", "refill", "entropy", "variance", "exact_variance"],
        "grid_deck": ["size", "refill", "entropy", "variance", "exact_variance"],
        "dynamic": ["factor", "entropy", "variance"],
        "optimum": ["factor", "tightness", "entropy", "variance"],
    }
    assert (told["deck"]["size"], told["deck"]["refill"], told["deck"]["variance"]) == (8, 1, 45 / 124)
    assert told["grid_deck"] == told["deck"]
    assert (told["dynamic"]["factor"], f"{told['dynamic']['variance']:.6f}") == ("0.425", "0.500860")
    assert f"{told['optimum']['factor']:.6f}" == "0.421220"
    assert f"{told['optimum']['tightness']:.6f}" == "1.247354"
    assert all(system["entropy"] >= 0.9 for system in told.values())


def test_json_where_there_is_no_deck() -> None:
    """What nothing reaches is null, and the best factor is there."""
    told = found(2, 60, "--unpredictability", "99")

    assert told["deck"] is None
    assert 0.9 < told["optimum"]["factor"] < 0.95


def test_json_has_the_articles_deck_beside_a_better_one() -> None:
    """Above ten values the grid of 1 to 10 misses the best deck, which stands there as a fraction."""
    told = found(20, 25, "--unpredictability", "95")

    assert [told["deck"][key] for key in ("size", "refill", "exact_variance")] == [2, 18, "781/1456"]
    assert [told["grid_deck"][key] for key in ("size", "refill", "exact_variance")] == [3, 1, "665/944"]


def test_table() -> None:
    """Without --json there is a line for each system, and which one to take."""
    said = " ".join(run("--values", "4", "--samples", "30").stdout.split())

    assert said.startswith("4 values, 30 rolls, at least 90% unpredictable")
    assert "deck (8, 1) 92.8 0.363 0.805 1.452 at 20" in said
    assert "fair dice of tightness 1.247" in said
    assert "Over 20 to 40 rolls, take the dynamic dice" in said
    assert "This deck deals its last card" in said


def test_plot(tmp_path: Path) -> None:
    """--plot writes a PNG, whatever else is printed."""
    file = tmp_path / "tune.png"
    run("--values", "3", "--samples", "5", "--plot", str(file), "--json")

    assert file.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_any_base_over_a_range_of_rolls() -> None:
    """Named results with weights: each system's entropy at the least, its variance, and which to take."""
    said = run("--dice", "wood 4, brick 3, grain 3", "--samples", "15-40").stdout.splitlines()

    assert said[0] == "wood 4, brick 3, grain 3, 15 to 40 rolls, at least 90% unpredictable"
    assert said[1].startswith("fair wood/brick/grain, tightness 1.08: entropy 90.0%, variance 0.511 on the")
    assert said[2].endswith("variance 0.797 on the mean, 0.939 at worst (32); exact.")
    assert said[3] == "Take the fair roller, over 15 to 40 rolls."


def test_a_roller_as_base_in_json(tmp_path: Path) -> None:
    """What a roller has in the long run is a base too; a deck that is dealt out is warned of."""
    file = tmp_path / "fit.png"
    deck = '{"system":"deck","base":{"a":1,"b":2}}'
    told = printed("tune", "--dice", deck, "--samples", "20", "--plot", str(file))

    assert told["deck"]["system"] == {**json.loads(deck), "size": 7, "refill": 1, "mode": "add"}
    assert (round(told["deck"]["mean"], 6), told["deck"]["worst_at"]) == (0.222222, 20)
    assert told["fair"]["system"]["tightness"] == "1.02"
    assert file.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert "whoever counts knows that card" in run("--dice", deck, "--samples", "20").stdout


def test_equal_values_over_a_range() -> None:
    """Without other dice a range is for so many equal values."""
    assert "\nfair 1d4, tightness 1.21: entropy 90.1%" in run("--values", "4", "--samples", "20-40").stdout

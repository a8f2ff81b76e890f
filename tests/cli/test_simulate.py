"""The command `simulate`, started as the command line does it."""

import json
from functools import partial

from tests.support.cli import evenhand, printed

FAIR = '{"system":"fair","base":"2d6","tightness":"1"}'


run = partial(evenhand, "simulate")


found = partial(printed, "simulate")


def test_json() -> None:
    """Counts add up to the rolls, and the variance is that of the counts."""
    told = found(FAIR, "--rolls", "3600", "--seed", "7")
    shares = [100 * (6 - abs(7 - face)) for face in range(2, 13)]
    squares = [(c - s) ** 2 for c, s in zip(told["counts"].values(), shares, strict=True)]

    assert [*told] == ["rolls", "seed", "counts", "entropy", "variance"]
    assert (told["rolls"], told["seed"], sum(told["counts"].values())) == (3600, 7, 3600)
    assert told["variance"] == sum(squares) / 11
    assert told["variance"] < 5
    assert 0.9 < told["entropy"] < 1


def test_a_seed_is_a_simulation() -> None:
    """The same seed gives the same rolls, another one others; plain dice lose no entropy."""
    one = found("2d6", "--rolls", "500", "--seed", "3")

    assert one == found("2d6", "--rolls", "500", "--seed", "3")
    assert one["counts"] != found("2d6", "--rolls", "500", "--seed", "4")["counts"]
    assert f"{one['entropy']:.9f}" == "1.000000000"


def test_a_plain_deck_deals_evenly() -> None:
    """Whole decks leave every card at its share: counts equal, variance 0."""
    told = found('{"system":"deck","base":{"a":2,"b":1}}', "--rolls", "300")

    assert (told["counts"], told["variance"]) == ({"a": 200, "b": 100}, 0.0)


def test_table() -> None:
    """Without --json there is a line for each face: its count, its share and how far it is off."""
    said = run('{"system":"deck","base":{"[red]x[/red]":2,"y":1}}', "--rolls", "300").stdout
    rows = [line.split() for line in said.splitlines()]

    assert said.startswith("deck, 3 cards, refilled when empty: 300 rolls, seed 1")
    assert ["[red]x[/red]", "200", "200.0", "+0.0"] in rows
    assert "variance 0.000" in said


def test_progress_is_told_on_standard_error() -> None:
    """The bar is not in what another program reads."""
    result = run("1d6", "--rolls", "20", "--json")

    assert json.loads(result.stdout)["rolls"] == 20

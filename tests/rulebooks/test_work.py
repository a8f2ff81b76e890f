"""No game's file holds anybody up: what would take long is refused, in throwing and in working out odds.

Each script runs in a process of its own, which is ended after some processor time: it may never end.
"""

import json
from collections.abc import Mapping

import pytest

from bot.dice.draws import Replayer, seeded
from bot.dice.errors import SpecError
from bot.rulebooks.book import builtin_games
from bot.rulebooks.laws import throw_rule
from bot.systems.game import GameRoll
from bot.systems.registry import load_spec
from tests.support.bounded import run_bounded
from tests.support.tapes import Tape

SECONDS = 10
"""Of processor time, with starting Python."""
_SUM = {"m": {"sum": "x"}}
_LONG = "+".join(["x"] * 149)
_TEN = {f"m{n}": {"sum": _LONG} for n in range(10)}
_BEST = {f"m{n}": {"highest": 100} for n in range(10)}


def pools(number: int, **dice: object) -> list[dict[str, object]]:
    """Pools of the same dice."""
    return [{"pool": f"p{n}", **dice} for n in range(number)]


def spec_of(rule: Mapping[str, object]) -> str:
    """A roll of a game with this rule."""
    return json.dumps({"system": "game", "game": "g", "roll": "r", "rule": rule})


LONG_THROWS = {
    "long formulas": {"dice": pools(10, count=100, faces="2", explode="x>=1"), "measures": _TEN},
    "best dice": {"dice": pools(10, count=100, faces="2", explode="x>=1"), "measures": _BEST},
    "long values": {
        "dice": pools(10, count=1, faces="6"),
        "measures": {"m0": {"sum": "x"}},
        "values": {f"v{n}": "+".join(["m0"] * 99) for n in range(600)},
    },
}
LONG_LAWS = {
    "explosions": {
        "dice": pools(1, count=1, faces="40", explode="x>=2"),
        "measures": {**_SUM, "n": {"sum": "x*x"}},
        "values": {"q": "m+n"},
        "number": "q",
    },
    "explosions together": {
        "dice": pools(1, count=1, faces="1000", explode="x>=2", together=True),
        "measures": _SUM,
        "number": "m",
    },
    "values of many states": {
        "dice": [{"pool": "a", "count": 1, "faces": "700"}, {"pool": "b", "count": 1, "faces": "600"}],
        "measures": _SUM,
        "values": {f"v{n}": "+".join(["m"] * 149) for n in range(600)},
        "classes": {f"c{n}": f"v{n} > 1000000" for n in range(20)} | {"last": ""},
    },
}


@pytest.mark.parametrize("rule", LONG_THROWS.values(), ids=LONG_THROWS.keys())
def test_a_throw_that_would_take_long_is_refused(rule: dict[str, object]) -> None:
    """Twenty of them, as one roll may have."""
    script = (
        "import sys\n"
        "from bot.dice.draws import seeded\n"
        "from bot.dice.errors import SpecError\n"
        "from bot.systems.registry import load_spec\n"
        "system = load_spec(sys.stdin.read())\n"
        "for seed in range(20):\n"
        "    try:\n"
        "        system.throw((), seeded(seed))\n"
        "    except SpecError as error:\n"
        "        print(error)\n"
    )

    said = run_bounded(script, seconds=SECONDS, given=spec_of({**rule, "number": "m0"}))

    assert "would take too long to throw" in said


@pytest.mark.parametrize("rule", LONG_LAWS.values(), ids=LONG_LAWS.keys())
def test_odds_that_would_take_long_are_refused(rule: dict[str, object]) -> None:
    """However often dice explode, and however long the formulas are."""
    script = (
        "import sys\n"
        "from bot.dice.errors import SpecError\n"
        "from bot.systems.registry import load_spec\n"
        "try:\n"
        "    load_spec(sys.stdin.read()).faces\n"
        "except SpecError as error:\n"
        "    print(error)\n"
    )

    said = run_bounded(script, seconds=SECONDS, given=spec_of(rule))

    assert "would take too long" in said


def test_a_hundred_dice_that_explode_are_thrown() -> None:
    """The limit lies far above what games ask for."""
    rule = {"dice": pools(1, count=100, faces="10", explode="x>=8"), "measures": _SUM, "number": "m"}

    system = load_spec(spec_of(rule))

    assert isinstance(system, GameRoll)
    assert system.throw((), Tape())[0].total == 100


@pytest.mark.parametrize("key", builtin_games())
def test_every_built_in_roll_can_be_thrown(key: str) -> None:
    """With as many dice as its options allow."""
    for roll in builtin_games()[key].rolls:
        given = {option.name: option.high for option in roll.options}

        assert throw_rule(roll.rule.reading(given), given, Tape()).throw.parts


def test_a_throw_of_another_limit_is_replayed() -> None:
    """What was rolled before there was this limit stands, and can still be checked."""
    rule = {"dice": pools(2, count=100, faces="6"), "measures": {"m": {"sum": _LONG}}, "number": "m"}
    system = load_spec(spec_of(rule))
    rolled = [(6, 2)] * 200

    assert isinstance(system, GameRoll)
    with pytest.raises(SpecError, match="would take too long to throw"):
        system.throw((), seeded(1))
    assert system.throw((), Replayer(rolled))[0].total == 200 * 149 * 3

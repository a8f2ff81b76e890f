"""Rolls passed off as a roller's, and logs as others: each verifier names them at their number."""

import json
from collections.abc import Callable

import pytest

from bot.record.hashing import Value
from tests.support.chromium import needs_chromium
from tests.support.logs import LOG, ORIGIN, Log, edited, end_of, export, inclusion
from tests.support.parts import Line, close_parts, part_of
from tests.support.systems import SPECS
from tests.support.verdicts import Verifier

OTHER = "f" * 32
LOADED: Line = {"system": "dice", "base": {"2": 1, "12": 99}}
"""A rule by which a 12 comes out nearly always."""


def two_rollers() -> Log:
    """Two rollers of one law, made as #2 and #3, of which each was rolled twice."""
    log = Log()
    log.add("create")
    for name in ("Luck", "Fate"):
        log.make(name, SPECS["fair"])
    for name in ("Luck", "Fate", "Luck", "Fate"):
        log.roll_with(name)
    return log


def forgotten() -> Log:
    """A memory that begins anew, as if nothing had been rolled."""
    log = two_rollers()
    log._rollers["Luck"].last = 0
    log._rollers["Luck"].memories.clear()
    log.roll_with("Luck")
    return log


def exchanged() -> Log:
    """The other roller's roll, of the same law, under this one's name."""
    log = two_rollers()
    log.roll_with("Fate")
    log.events[-1] = edited(log.events[-1], "what", roller="Luck")
    return log


def roll_loaded(log: Log, name: str = "Luck", *, last: int | None = None, practice: bool = False) -> None:
    """Roll by a loaded rule under a roller's name, behind its newest roll or another one."""
    other = Log()
    other.make("any", LOADED)
    log._rollers["loaded"] = other._rollers["any"]
    log._rollers["loaded"].last = log._rollers["Luck"].last if last is None else last
    log.roll_with("loaded", practice=practice)
    log.events[-1] = edited(log.events[-1], "what", roller=name)


def loaded(*, practice: bool = False, prev: bool = True, name: str = "Luck") -> Callable[[], Log]:
    """A roll by a loaded rule under a roller's name."""

    def make() -> Log:
        log = two_rollers()
        roll_loaded(log, name, last=None if name == "Luck" else 0, practice=practice)
        how = part_of(log.events[-1], "how")
        assert isinstance(how, dict)
        if not prev:
            how.pop("prev", None)
        return log

    return make


def plain(**what: Value) -> Callable[[], Log]:
    """A roll of plain dice, or by a rule without a roller, with more in its `what`."""

    def make() -> Log:
        log = two_rollers()
        log.roll("1d1+11")
        log.events[-1] = edited(log.events[-1], "what", **what)
        return log

    return make


def named_otherwise() -> Log:
    """A roll of a game under a roller's name; its one die has one face."""
    log = two_rollers()
    spec: Line = {
        "system": "game",
        "game": "wod",
        "roll": "pool",
        "given": {},
        "rule": {
            "dice": [{"pool": "dice", "faces": [12]}],
            "measures": {"total": {"sum": "x"}},
            "number": "total",
        },
    }
    what: Line = {"roller": "Luck", "spec": json.dumps(spec), "results": ["12"]}
    log.add("roll", what=what, how={"before": [], "draws": [[1, 0]]})
    return log


def restarted() -> Log:
    """A register's restart that gives a roller another rule."""
    log = two_rollers()
    what: Line = {"roller": "Luck", "spec": json.dumps(LOADED)}
    log.add("restart", what=what, how={"prev": 6, "before": [1]})
    return log


def undone(target: int | None) -> Callable[[], Log]:
    """An undo of nothing, or of a hidden roll by other dice, and then a loaded die."""

    def make() -> Log:
        log = two_rollers()
        if target:
            log.events[target - 1] = close_parts(log.events[target - 1], "words", "what", "how")
            log.events[target - 1]["see"] = "gm"
        log.add("undo", public={"target": target} if target else {}, what={"roller": "Luck"})
        roll_loaded(log)
        return log

    return make


ROLLS = {
    "a memory that is silently forgotten": (forgotten, "not its roller's newest"),
    "two rollers of one law exchanged": (exchanged, "not its roller's newest"),
    "a loaded die under a fair roller's name": (loaded(), "rule"),
    "one that goes on from nothing": (loaded(prev=False), "does not say what it goes on from"),
    "one for practice": (loaded(practice=True), "rule"),
    "one of a roller that nobody made": (loaded(name="Fortune"), "by a roller that nobody made"),
    "one among a player's own": (loaded(name="d100 register"), "by a roller that nobody made"),
    "plain dice under a roller's name": (plain(roller="Luck"), "is not named as"),
    "a game under a roller's name": (named_otherwise, "is not named as"),
    "a roller restarted like a register": (restarted, "resets no register"),
}


@pytest.mark.parametrize("name", ROLLS)
def test_a_roll_passed_off_as_a_rollers_is_named(name: str, ask: Verifier) -> None:
    """The eighth event is a roll that the roller's own rolls do not lead to; a player's checkpoint has it."""
    make, why = ROLLS[name]
    file = b"".join(export(make().events))
    for verdict in (ask(file), ask(file, checkpoints=(end_of(file),))):
        assert verdict.code == 1, verdict
        assert "#8 " in verdict.words
        assert why in verdict.words


@pytest.mark.parametrize(
    "what",
    [
        {"results": []},
        {"results": "12"},
        {"results": [12]},
        {"practice": 1},
        {"practice": False},
        {"together": "yes"},
    ],
    ids=str,
)
@pytest.mark.parametrize("closed", [(), ("how",)])
def test_a_roll_says_what_it_came_to(what: Line, closed: tuple[str, ...], ask: Verifier) -> None:
    """Texts, one at least, and whether it was practice: also where its memory, or its rule, is not known."""
    log = two_rollers()
    log.roll_with("Luck")
    log.events[-1] = close_parts(edited(log.events[-1], "what", **what), *closed)
    verdict = ask(b"".join(export(log.events)))

    assert verdict.code == 1, verdict
    assert "#8 " in verdict.words


@pytest.mark.parametrize("ask", ["tools", pytest.param("js", marks=needs_chromium)], indirect=True)
@pytest.mark.parametrize(("prev", "code"), [(4, 3), (3, 1), (None, 1)])
def test_a_card_put_back_goes_on_from_the_newest(prev: int | None, code: int, ask: Verifier) -> None:
    """It can't make a roller's rolls forgotten."""
    log = Log()
    log.add("create")
    log.make("Cards", {"system": "deck", "base": {"ace": 4}, "size": 1, "refill": 1, "mode": "add"})
    log.draw("Cards")
    log.draw("Cards")
    log.put_back("Cards", 4, 0)
    how = part_of(log.events[-1], "how")
    assert isinstance(how, dict)
    how.pop("prev")
    how |= {} if prev is None else {"prev": prev}

    assert ask(b"".join(export(log.events))).code == code


@pytest.mark.parametrize("target", [None, 5, 7])
def test_an_undo_makes_no_way_for_a_loaded_die(target: int | None, ask: Verifier) -> None:
    """Neither one of nothing, nor one of a roll that can't be seen."""
    verdict = ask(b"".join(export(undone(target)().events)))

    assert verdict.code == 1, verdict


def test_the_rolls_themselves_hold(ask: Verifier) -> None:
    """Both rollers, and practice, unforged: so the test above can fail."""
    log = two_rollers()
    log.roll_with("Luck", practice=True)

    assert ask(b"".join(export(log.events))).code == 3


def test_an_unknown_kind_is_named(ask: Verifier) -> None:
    """Also with parts that another kind would have."""
    log = two_rollers()
    log.add("gift", what={"roller": "Luck"})
    verdict = ask(b"".join(export(log.events)))

    assert verdict.code == 1
    assert "#8 is of a kind that there is not" in verdict.words


def other_log() -> bytes:
    """A first event of another log than its file's."""
    log = two_rollers()
    log.events[0] = {**log.events[0], "pub": {"format": 2, "log": OTHER, "origin": f"evenhand/{OTHER}"}}
    return b"".join(export(log.events))


def other_origin() -> bytes:
    """A first event whose origin is not that of its log."""
    log = two_rollers()
    log.events[0] = {**log.events[0], "pub": {"format": 2, "log": LOG, "origin": f"evenhand/{OTHER}"}}
    return b"".join(export(log.events))


def other_heading() -> bytes:
    """A first line whose origin is not that of its log."""
    return b"".join(export(two_rollers().events)).replace(ORIGIN.encode(), f"evenhand/{OTHER}".encode(), 1)


def other_proof() -> bytes:
    """A proof whose origin is no log's."""
    return inclusion(two_rollers().events, 4).text.replace(ORIGIN, "somebody/" + LOG).encode()


@pytest.mark.parametrize("make", [other_log, other_origin, other_heading, other_proof])
def test_another_log_than_the_origin_says_is_refused(make: Callable[[], bytes], ask: Verifier) -> None:
    """Bits of proof mode depend on the log's name, so there is one name."""
    assert ask(make()).code in {1, 2}

"""Histories of which something can't be seen: nothing honest is called broken, and a gap hides no forgery."""

import random
from collections.abc import Callable
from functools import cache

import pytest

from bot.record.hashing import Value
from bot.systems.registry import print_spec
from tests.support.chromium import needs_chromium
from tests.support.exporting import export_of, lines_of
from tests.support.histories import mixed_history
from tests.support.logs import Log, edited, export
from tests.support.parts import Line, close_parts, withhold
from tests.support.sight import told
from tests.support.systems import make
from tests.support.verdicts import Verifier, Verifiers
from tests.tools.test_rollers import roll_loaded, two_rollers


@cache
def gappy(seed: int) -> list[tuple[set[int], bytes]]:
    """Exports of one history for a player, each with the places that are withheld."""
    chance = random.Random(seed)  # noqa: S311 (what is left out, not what is rolled)
    events = mixed_history(120, seed, ways=seed % 2 > 0)
    items = zip(lines_of(events), told(events, 99, is_gm=False), strict=True)
    lines = [close_parts(line, *(part for part in item.closed if line[part])) for line, item in items]
    files: list[tuple[set[int], bytes]] = []
    for _ in range(6):
        gone = {place for place in range(len(events)) if chance.random() < chance.choice((0.02, 0.1, 0.4))}
        kept = [withhold(line) if place in gone else line for place, line in enumerate(lines)]
        files.append((gone, export_of(events, kept)))
    return files


@pytest.mark.parametrize("seed", [*range(6), 101, 109])
def test_whatever_is_withheld_nothing_honest_is_called_broken(seed: int, ask: Verifier) -> None:
    """A gap may hold an undo, a reset, a session, or anything; players' exports have closed parts besides."""
    for gone, file in gappy(seed):
        verdict = ask(file)

        assert verdict.code == 3, (gone, verdict)


def test_an_undo_counts_though_its_how_is_closed(ask: Verifier) -> None:
    """There is nothing in that part of it: who goes on from the roll before it is right."""
    log = two_rollers()
    log.roll_with("Luck")
    undo = log.undo("Luck")
    log.roll_with("Luck")
    events = [close_parts(event, "how") if event["seq"] == undo else event for event in log.events]

    assert ask(b"".join(export(events))).code == 3


def forgotten(log: Log) -> None:
    """A roller begins anew, behind its newest roll."""
    log._rollers["Luck"].memories.clear()
    log.roll_with("Luck")


def older(log: Log) -> None:
    """A roll goes on from an older one, though a newer one was seen behind the gap."""
    log.roll_with("Luck")
    log._rollers["Luck"].last = 4
    log._rollers["Luck"].memories.clear()
    log.roll_with("Luck")


def honest(log: Log) -> None:
    """Both rollers go on, and one is reset."""
    for name in ("Luck", "Fate"):
        log.roll_with(name)
    log.reset("Luck")
    log.roll_with("Luck")


def after_a_reset(log: Log) -> None:
    """Another memory than at first, behind a reset that was seen."""
    memory = log.memory("Luck", "table")
    log.reset("Luck")
    log._rollers["Luck"].memories["table"] = memory
    log.roll_with("Luck")


def behind(forge: Callable[[Log], None], number: int = 5) -> list[Line]:
    """A forgery behind an event of another roller that is withheld."""
    log = two_rollers()
    forge(log)
    return [withhold(event) if event["seq"] == number else event for event in log.events]


@pytest.mark.parametrize("forge", [forgotten, older, roll_loaded, after_a_reset])
def test_a_gap_hides_no_forgery(forge: Callable[[Log], None], ask: Verifier) -> None:
    """Where a roller goes on from what was seen, its rule and its memory are what they were."""
    events = behind(forge)
    verdict = ask(b"".join(export(events)))

    assert verdict.code == 1, verdict
    assert f"#{len(events)} " in verdict.words


def test_behind_a_gap_a_roller_goes_on(ask: Verifier) -> None:
    """Honest rolls behind the same gap hold, so the test above can fail."""
    assert ask(b"".join(export(behind(honest)))).code == 3


@pytest.mark.parametrize("change", [{"roller": "Fortune"}, {"spec": print_spec(make("fair", tightness="2"))}])
def test_a_closed_roll_is_of_a_roller_and_its_rule(change: dict[str, Value], ask: Verifier) -> None:
    """A roll whose memory is closed is of a roller that somebody made, whatever else is closed."""
    log = two_rollers()
    log.roll_with("Luck")
    closed = [close_parts(event, "how") if event["seq"] in {6, 8} else event for event in log.events]
    closed[-1] = edited(closed[-1], "what", **change)
    verdict = ask(b"".join(export(closed)))

    assert verdict.code == 1, verdict
    assert "#8 " in verdict.words


@pytest.mark.parametrize(("name", "target"), [("Fate", 6), ("Luck", 4)])
def test_an_undo_of_a_closed_roll_is_of_its_rollers_newest(name: str, target: int, ask: Verifier) -> None:
    """Who may not see a memory sees all the same whose roll was undone, and that it was the newest."""
    log = two_rollers()
    log.add("undo", public={"target": target}, what={"roller": name})
    closed = [close_parts(event, "how") if event["seq"] in {4, 6} else event for event in log.events]
    verdict = ask(b"".join(export(closed)))

    assert verdict.code == 1, verdict
    assert "#8 " in verdict.words


@pytest.mark.parametrize("closed", [(), ("how",)])
def test_behind_much_work_nothing_honest_is_called_broken(closed: tuple[str, ...], ask: Verifier) -> None:
    """Rules that would take too long leave open what goes on from them, reset, undone and closed ones too."""
    log = Log()
    log.add("create")
    for place in range(16):
        log.make(f"heavy {place}", {"system": "fair", "base": f"15d{99 - place}kh7", "tightness": "1"})
    for name in ("Luck", "Fate"):
        log.make(name, {"system": "fair", "base": "2d6", "tightness": f"{len(log.events)}"})
        log.roll_with(name)
    log.events[-1] = close_parts(log.events[-1], *closed)
    log.reset("Fate")
    log.roll_with("Fate")
    log.make("Luck", {"system": "fair", "base": "14d99kh7", "tightness": "1"})
    log.add("undo", public={"target": len(log.events)}, what={"roller": "Luck"})
    verdict = ask(b"".join(export(log.events)))

    assert verdict.code == 3, verdict


FIELDS: list[tuple[int, str, Line, int]] = [
    (8, "how", {"draws": [[20, 7, [6, 3]]]}, 1),
    (8, "how", {"draws": [["*", 7]]}, 1),
    (1, "what", {"spec": {}}, 1),
    (1, "how", {"prev": 5}, 3),
]


@needs_chromium
@pytest.mark.parametrize(("number", "part", "values", "code"), FIELDS)
def test_what_is_not_made_again_is_read_all_the_same(
    number: int, part: str, values: Line, code: int, verifiers: Verifiers
) -> None:
    """The two that know fewer rules say alike of draws and rules that are none; only rolls go on."""
    log = two_rollers()
    how: Line = {"draws": [[20, 7], [20, 7]]}
    log.add("roll", what={"text": "2d20kh1", "results": ["8"], "source": "true"}, how=how)
    log.events[number - 1] = edited(log.events[number - 1], part, **values)
    file = b"".join(export(log.events))

    assert {verifiers.named(which)(file).code for which in ("tools", "js")} == {code}


NOBODYS: list[tuple[Line, list[Value]]] = [
    ({"system": "deck", "base": {"a": 2, "b": 2}, "no_repeat": True}, [2, 0, -1_000_000]),
    ({"system": "recency", "base": "1d6"}, [1_000_000, -1, 0, 1]),
    ({"system": "register", "values": 100}, []),
    ({"system": "blocks", "categories": {"x": ["a"], "y": ["b"]}, "block": 2}, [1_000_000]),
]


@pytest.mark.parametrize(("spec", "memory"), NOBODYS)
@pytest.mark.parametrize("keyed", [False, True])
def test_a_memory_that_nobody_can_have_is_named(
    spec: Line, memory: list[Value], verifiers: Verifiers, *, keyed: bool
) -> None:
    """Who knows its rule names the roll where the memory before is hidden, whether or not it has a key."""
    log = Log()
    log.add("create")
    if keyed:
        log.commit()
    log.make("Luck", spec)
    hidden = log.roll_with("Luck")
    log.roll_with("Luck")
    log.events[-1] = edited(log.events[-1], "how", before=memory)
    events = [withhold(event) if event["seq"] == hidden else event for event in log.events]
    verdict = verifiers.named("bot")(b"".join(export(events, epochs=log.leaves)))

    assert verdict.code == 1, verdict
    assert verdict.words.startswith(f"Broken: #{len(events)} "), verdict

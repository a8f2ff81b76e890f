"""An evening, and ways to forge its history."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache

from bot.record.checkpoint import Checkpoint
from bot.record.hashing import Tree, Value, seal
from tests.support.logs import ORIGIN, SECOND, Log, checkpoint_of, edited, export, leaves_of, tree_of
from tests.support.parts import Line, close_parts, leaf_of, part_of

PLAIN, LUCKY, OWN, HIDDEN, REVEAL, CALL, ANSWER, LAST = 4, 6, 8, 9, 11, 12, 13, 54
"""Numbers of events of the evening: a plain roll, a fair one, one with a player's memory, a hidden one,
its reveal, a call, its answer, and the last event."""


@cache
def evening() -> tuple[Line, ...]:
    """Return an evening of 54 events, with every kind that a forgery changes."""
    log = Log()
    log.add("create")
    log.make("Luck", {"system": "fair", "base": "2d6", "tightness": "1"})
    log.make("Own", {"system": "dynamic", "base": "1d6", "factor": "0.355"}, "player")
    assert log.roll("1d20", 41, label="to hit") == PLAIN
    log.roll("1d20+2", 42)
    assert log.roll_with("Luck", 43) == LUCKY
    log.roll_with("Luck", 41)
    assert log.roll_with("Own", 42) == OWN
    assert log.roll("1d20", 42, public={"see": "gm"}, label="stealth") == HIDDEN
    log.roll_with("Luck", 42, 2)
    assert log.add("reveal", public={"target": HIDDEN}) == REVEAL
    assert log.add("call", what={"text": "1d20"}) == CALL
    assert log.roll("1d20", 41, public={"target": CALL}) == ANSWER
    while len(log.events) < LAST:
        log.roll_with(("Luck", "Own")[len(log.events) % 2], 41 + len(log.events) % 3)
    return tuple(log.events)


def true() -> list[Line]:
    """Return a copy of the evening's events."""
    return deepcopy([*evening()])


def host(events: Sequence[Line]) -> bytes:
    """Return the export of events for a reader who may see everything."""
    return b"".join(export(events))


def passed_off(events: Sequence[Line]) -> bytes:
    """Return the export of events with the hashes of the true ones."""
    return b"".join(export(events, leaves=leaves_of(evening())))


def changed(number: int, change: Callable[[Line], Line]) -> list[Line]:
    """Return the evening's events with one of them changed."""
    events = true()
    events[number - 1] = change(events[number - 1])
    return events


def other_face(event: Line) -> Line:
    """Return the roll with another face, otherwise unchanged."""
    return edited(event, "what", results=["20" if results_of(event) != ["20"] else "19"])


def other_roll(event: Line) -> Line:
    """Return a plain d20 roll with face 20 and matching draws."""
    return edited(edited(event, "what", results=["20"]), "how", draws=[[20, 19]])


def results_of(event: Line) -> Value:
    """Return the faces of a roll."""
    part = part_of(event, "what")
    assert isinstance(part, dict)
    return part["results"]


def without(number: int) -> list[Line]:
    """Return the evening without one event, with all later ones renumbered."""
    events = true()
    removed = part_of(events.pop(number - 1), "how")
    before = removed.get("prev", 0) if isinstance(removed, dict) else 0
    for place, event in enumerate(events, 1):
        event["seq"] = place
        target = event.get("target")
        if isinstance(target, int) and target > number:
            event["target"] = target - 1
        match part_of(event, "how"):
            case {"prev": int(prev)} as how if prev >= number:
                how["prev"] = before if prev == number else prev - 1
            case _:
                pass
    return events


def as_erased(event: Line) -> Line:
    """Return the event as exported after its person was erased."""
    return close_parts(event, "who", "words")


def exchange_players(events: list[Line]) -> list[Line]:
    """Exchange the players of two rolls, and return the events."""
    first, second = events[PLAIN - 1], events[PLAIN]
    first["who"], second["who"] = second["who"], first["who"]
    return events


@cache
def ground_roll() -> Line:
    """Return the hidden roll with another face, and a salt that keeps four digits of the seal."""
    event = evening()[HIDDEN - 1]
    prefix = seal(leaf_of(event))[:4]
    swapped = other_roll(event)
    rest = close_parts(swapped, "who", "what", "how")
    for tried in range(1 << 20):
        words: Value = [f"{tried:032x}", {"label": "stealth"}]
        if seal(leaf_of({**rest, "words": words}))[:4] == prefix:
            return {**swapped, "words": words}
    raise AssertionError("sixteen bits were not found in a million tries")


def all_closed(event: Line) -> Line:
    """Return a roll with result 12 and all other parts closed; other events unchanged."""
    if event["kind"] != "roll":
        return event
    part = edited(event, "what", results=["12"])
    return close_parts(part, "who", "words", "how")


def at(event: Line, back: int) -> Line:
    """Return the event with an interaction that is `back` seconds older."""
    return {**event, "id": str(int(str(event["id"])) - back * SECOND)}


def cut_by_host() -> bytes:
    """Return an export of the last 24 events after a forged cut."""
    before = tree_of(bytes([n]) * 32 for n in range(30))
    events = true()[30:]
    hashes: list[Value] = [node.hex() for node in before.frontier]
    cut: Line = {"seq": LAST + 1, "kind": "cut", "see": "public", "channel": "0", "clock": 1, "target": 30}
    events.append({**cut, "pub": {"days": 90, "frontier": hashes}})
    return b"".join(after(before, events))


def after(before: Tree, events: Sequence[Line]) -> list[bytes]:
    """Return the lines of an export of events after an invented frontier."""
    tree = before
    lines = export(events)
    heading = lines[0].replace(b'"first":1,"frontier":[]', _first(before).encode())
    size = before.size + len(events)
    lines[0] = heading.replace(f'"size":{len(events)}'.encode(), f'"size":{size}'.encode())
    for event in events:
        tree = tree.append(leaf_of(event)).tree
    text = Checkpoint(ORIGIN, tree.size, tree.root).text.replace("\n", "\\n")
    return [*lines[:-1], f'{{"checkpoint":"{text}"}}\n'.encode()]


def _first(before: Tree) -> str:
    hashes = ",".join(f'"{node.hex()}"' for node in before.frontier)
    return f'"first":{before.size + 1},"frontier":[{hashes}]'


def same_interaction() -> list[Line]:
    """Return the evening with two events of one interaction."""
    events = true()
    events[PLAIN]["id"] = events[PLAIN - 1]["id"]
    return events


def everything_new() -> bytes:
    """Return the export of an unrelated history of the same length."""
    log = Log(99)
    log.add("create")
    for _ in range(LAST - 1):
        log.roll("1d20")
    return host(log.events)


def end_of(events: Sequence[Line]) -> str:
    """Return the text of the events' checkpoint."""
    return checkpoint_of(leaves_of(events)).text

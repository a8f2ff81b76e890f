"""True files of every kind, and files that somebody changed: their bytes, lines, values or events."""

import json
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import cast

from bot.record.hashing import NotCanonical, Value
from tests.support.cutting import cut
from tests.support.exporting import export_of, lines_of
from tests.support.histories import mixed_history
from tests.support.hostile_files import DIGITS
from tests.support.logs import Log, checkpoint_of, consistency, export, inclusion, leaves_of, told_to_player
from tests.support.parts import Line, close_parts, leaf_of, withhold
from tests.support.sight import told
from tests.support.systems import SPECS

_ZEROS: list[Value] = [0] * 500
HOSTILE: tuple[Value, ...] = (
    _ZEROS,
    *(0, 1, -1, 2, 10**9, 2**53 - 1, True, None, "", [], {}, [[]], {"a": {}}, "a" * 5_000),
    *("-1", "0", DIGITS, f"-{DIGITS}", "1e99999999", "1/0", "inf", "nan", "\u202e", "ab" * 32, "0" * 64),
    *(
        "table",
        "player",
        "physical",
        "keyed",
        "true",
        "public",
        "gm",
        "Luck",
        "d100 register",
        "1d20",
        "99#1d1",
    ),
    *('{"system":"renewal","latest":300,"chance":"0.012345"}', '{"system":"register"}', "[" * 2_000, "{}"),
    *("roll", "make", "commit", "salt", "cut", "restored", "return", "undo", "1400000000000000000"),
)
"""Values that are put in the place of others."""
_CONTENT = b'0123456789[]{}",:-.eaf\\u \n'


@dataclass(frozen=True)
class Truth:
    """A true file: its events if it is an export, its checkpoints, and whether it begins in the middle."""

    name: str
    file: bytes
    checkpoints: tuple[str, ...]
    lines: tuple[Line, ...] = ()
    epochs: Mapping[int, tuple[bytes, ...]] | None = None
    part: bool = False


def _log(seed: int, *, keys: bool) -> Log:
    """Play an evening with rollers of several rules, hidden rolls, a call, practice, an undo and a reset."""
    log = Log(seed)
    log.add("create")
    names = list(SPECS)[seed % 3 :: 2]
    if keys:
        log.commit()
    for name in names:
        log.make(name, SPECS[name], "player" if seed % 2 else "table")
    for place in range(40):
        log.roll_with(names[place % len(names)], 40 + place % 3, 1 + place % 3, practice=place % 7 == 6)
        log.roll("2d6+3", label="sneak")
        if place % 8 == 5:
            log.roll("1d20", public={"see": "gm"}, label="stealth")
            log.add("reveal", public={"target": len(log.events)})
        if keys and place == 12:
            log.salt("owl")
    call = log.add("call", what={"text": "1d20"})
    log.roll("1d20", 41, public={"target": call})
    log.add("close", public={"clock": 1_780_000_000_000, "target": call})
    log.roll_with(names[0])
    log.undo(names[0])
    log.reset(names[0])
    log.roll_with(names[0])
    if keys:
        (log.uncommit, log.restored)[seed % 2]()
        log.roll("1d6")
    return log


def truths() -> list[Truth]:
    """Return true files of each kind, as everybody may get them."""
    originals: list[Truth] = []
    for seed in range(4):
        log = _log(seed, keys=seed > 1)
        events = log.events
        player = [told_to_player(event) for event in events]
        gaps = [
            withhold(e) if n % 17 == 9 and "commit" not in str(e["kind"]) else e for n, e in enumerate(player)
        ]
        for name, lines in (("all", events), ("player", player), ("withheld", gaps)):
            file = b"".join(export(lines, epochs=log.leaves))
            end = checkpoint_of(leaves_of(events)).text
            originals.append(Truth(f"{name} {seed}", file, (end,), tuple(lines), log.leaves))
    for seed in range(3):
        events = mixed_history(150, seed, ways=seed > 0)
        for name, some in (("mixed", events), ("cut", cut(events, 60))):
            for user, is_gm in ((99, False), (99, True)):
                items = zip(lines_of(some), told(some, user, is_gm=is_gm), strict=True)
                lines = [
                    close_parts(line, *(part for part in item.closed if line[part])) for line, item in items
                ]
                file = export_of(some, lines)
                originals.append(Truth(f"{name} {seed}", file, (_last(file),)))
    middle = _log(5, keys=False).events
    leaves = leaves_of(middle)
    part = b"".join(export(middle[70:], start=70, before=leaves[:70]))
    return [*originals, Truth("part", part, (_last(part),), part=True)]


def proofs() -> list[Truth]:
    """Return proofs of one event each, and proofs that a checkpoint extends another."""
    events = _log(3, keys=True).events
    leaves, end = leaves_of(events), checkpoint_of(leaves_of(events)).text
    inclusions = [
        Truth(f"#{n}", inclusion(events, n).text.encode(), (end,)) for n in range(1, len(events), 5)
    ]
    for old in (1, 30, 64, 100):
        file = consistency(leaves, old).text.encode()
        inclusions.append(Truth(f"from {old}", file, (checkpoint_of(leaves, old).text, end)))
    return inclusions


def mutated(true: Truth, chance: Random, others: Sequence[Truth]) -> bytes:
    """Change a file: its bytes, its lines, or an event, with all hashes made anew."""
    if true.lines and chance.random() < 0.5:
        return _by_host(true, chance)
    ways: list[Callable[[bytes, Random], bytes]] = [_bytes, _bytes, _lines, _values]
    file = chance.choice(ways)(true.file, chance)
    if chance.random() < 0.05:
        other = chance.choice(others).file
        at = chance.randrange(len(file) + 1)
        file = file[:at] + other[chance.randrange(len(other)) :]
    return file


def meaning(file: bytes) -> object:
    """Return the protected values: leaves, keys, first line without its name; of a proof its words."""
    if not file.startswith(b"{"):
        words = file.split()
        # Behind the checkpoint stand signatures, which nobody can check here.
        end = next((n for n, word in enumerate(words) if word.startswith(b"evenhand/")), 0)
        return words[: end + 3]
    first, *lines = file.split(b"\n")
    try:
        bound: list[object] = [{**json.loads(first), "name": ""}]
        for line in lines:
            if line.startswith((b'{"channel"', b'{"leaf"')):
                bound.append(leaf_of(json.loads(line)))
            elif not line.startswith((b'{"checkpoint"', b'{"about"')):
                bound.append(line)
    except (NotCanonical, ValueError, TypeError, KeyError):
        return file
    return bound


def _last(file: bytes) -> str:
    return str(json.loads(file.splitlines()[-1])["checkpoint"])


def _bytes(file: bytes, chance: Random) -> bytes:
    """Change, drop or put in a few bytes."""
    changed = bytearray(file)
    for _ in range(1 + chance.randrange(3)):
        at = chance.randrange(len(changed))
        match chance.randrange(4):
            case 0:
                changed[at] = chance.randrange(256)
            case 1:
                changed[at] ^= 1 << chance.randrange(8)
            case 2:
                del changed[at : at + chance.randrange(1, 40)]
            case _:
                changed[at:at] = bytes(chance.choice(_CONTENT) for _ in range(chance.randrange(1, 9)))
    return bytes(changed)


def _lines(file: bytes, chance: Random) -> bytes:
    """Drop, double, move or exchange lines."""
    lines = file.splitlines(keepends=True)
    first, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            del lines[first]
        case 1:
            lines.insert(other, lines[first])
        case 2:
            lines[first], lines[other] = lines[other], lines[first]
        case _:
            lines = lines[:first]
    return b"".join(lines)


def _values(file: bytes, chance: Random) -> bytes:
    """Put another value into a line."""
    lines = file.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    try:
        value: Value = json.loads(lines[at])
    except ValueError:
        return _bytes(file, chance)
    _put(value, chance)
    lines[at] = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    return b"".join(lines)


def _by_host(true: Truth, chance: Random) -> bytes:
    """Put other values into an event, or take one out, and make all hashes anew."""
    events = deepcopy([*true.lines])
    for _ in range(1 + chance.randrange(2)):
        at = chance.randrange(len(events))
        match chance.randrange(8):
            case 0:
                del events[at]
                events = [{**event, "seq": place} for place, event in enumerate(events, 1)]
            case 1:
                events[at] = withhold(events[at])
            case 2:
                events[at] = close_parts(events[at], chance.choice(("who", "words", "what", "how")))
            case 3:
                other = chance.randrange(len(events))
                part = chance.choice(("who", "what", "how", "id", "see", "pub"))
                if part in events[at] and part in events[other]:
                    events[at][part] = deepcopy(events[other][part])
            case _:
                _put(cast("Value", events[at]), chance)
    try:
        return b"".join(export(events, epochs=dict(true.epochs or {})))
    except (NotCanonical, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return _values(true.file, chance)


def _put(value: Value, chance: Random) -> None:
    """Put a hostile value, or one from elsewhere in it, somewhere into a value."""
    places: list[tuple[dict[str, Value] | list[Value], str | int]] = []
    _walk(value, places)
    if not places:
        return
    holder, key = chance.choice(places)
    into = cast("dict[str | int, Value]", holder)
    old = into[key]
    if isinstance(old, str) and old.startswith("{") and chance.random() < 0.7:
        try:
            rule: Value = json.loads(old)
            _put(rule, chance)
            into[key] = json.dumps(rule, ensure_ascii=False, separators=(",", ":"))
        except ValueError:
            pass
    elif isinstance(old, int) and chance.random() < 0.5:
        into[key] = old + chance.choice((-1, 1, 1_000))
    else:
        into[key] = deepcopy(chance.choice(HOSTILE))


def _walk(value: Value, places: list[tuple[dict[str, Value] | list[Value], str | int]]) -> None:
    if isinstance(value, dict):
        places += [(value, key) for key in value]
        for item in value.values():
            _walk(item, places)
    elif isinstance(value, list):
        places += [(value, place) for place in range(len(value))]
        for item in value:
            _walk(item, places)

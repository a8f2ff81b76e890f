"""Files of at most 1 MiB that cost a verifier much time or memory."""

import json
from base64 import b64encode
from collections.abc import Callable, Mapping

from bot.dice import notation
from bot.dice.draws import Recorder, seeded
from bot.dice.system import step
from bot.record.codec import number_or_text
from bot.record.hashing import Value, canon
from bot.systems.checks import outcomes
from bot.systems.luck import LuckAccount
from bot.systems.registry import load_spec
from tests.support.logs import FIRST_ID, SECOND, Log, checkpoint_of, export, leaves_of
from tests.support.parts import Line, withhold

MIB = 1 << 20
ROOM = MIB - 4_000
_SALT = "ab" * 16
_LABELS: Line = {f"face {n}": n + 1 for n in range(1_000)}
_FLAT: Value = [1, 0]
"""Draw of a die with one side."""
DIGITS = "9" * 4_300
"""The longest number that Python reads."""


def history(*events: Line) -> bytes:
    """Return an export with a correct beginning, followed by these events."""
    log = Log()
    log.add("create")
    return b"".join(export([log.events[0], *events]))


def event(seq: int, kind: str, **fields: Value) -> Line:
    """Return an event with an interaction; `fields` have the values of its parts."""
    parts = {name: [_SALT, fields.pop(name, {})] for name in ("who", "words", "what", "how")}
    body: Line = {
        "seq": seq,
        "kind": kind,
        "see": "public",
        "channel": "8",
        "id": str(FIRST_ID + (100 + seq) * SECOND),
    }
    return {**body, **parts, **fields}


def roll(seq: int, what: Line, how: Line, **fields: Value) -> Line:
    """Return a roll by player 42."""
    return event(seq, "roll", what=what, how=how, who={"user": "42"}, **fields)


def make(seq: int, spec: Value, name: str = "Luck") -> Line:
    """Return an event that makes a roller; a spec that is no text is written as JSON."""
    text = spec if isinstance(spec, str) else json.dumps(spec)
    return event(seq, "make", what={"roller": name, "spec": text}, how={"prev": 0})


def many(build: Callable[[int], Line], room: int = ROOM) -> bytes:
    """Return an export with events until `room` bytes are full."""
    events: list[Line] = []
    while room > 0:
        events.append(build(len(events) + 2))
        room -= len(canon(events[-1])) + 2
    return history(*events[:-1])


def rolls(
    spec: Callable[[int], Line],
    count: int,
    *,
    memory: Callable[[int], list[int]] | None = None,
    times: int = 1,
) -> bytes:
    """Return an export of correct rolls by new rules; a given memory cannot be checked."""
    log, hidden = Log(), set[int]()
    log.add("create")
    for place in range(count):
        name = f"r{place}"
        seq = log.make(name, spec(place))
        if memory:
            hidden.add(seq)
            log._rollers[name].memories["table"] = tuple(memory(place))
        log.roll_with(name, times=times)
    events = [withhold(event) if event["seq"] in hidden else event for event in log.events]
    return b"".join(export(events))


def one_roll(spec: Line, memory: list[Value], results: int = 1) -> bytes:
    """Return an export with a roll from an impossible memory."""
    withheld = withhold(event(2, "make"))
    faces: list[Value] = ["1"] * results
    part: Line = {"roller": "Luck", "spec": json.dumps(spec), "results": faces}
    return history(withheld, roll(3, part, {"before": memory, "prev": 1, "draws": [_FLAT] * results}))


def sums(
    text: Callable[[int], str], results: Callable[[int], list[Value]], draws: int, room: int = ROOM
) -> bytes:
    """Return an export of plain rolls of dice with one side."""
    how: Line = {"draws": [_FLAT] * draws}
    return many(lambda seq: roll(seq, {"text": text(seq), "results": results(seq)}, how), room)


def games(count: int) -> bytes:
    """Return an export of a game's rolls with long formulas; its dice have one side."""
    formula = "+".join(["x"] * 100)
    thrown: Line = {
        "dice": [{"pool": "dice", "count": 100, "faces": [1]}],
        "measures": {f"m{n}": {"sum": formula} for n in range(10)},
        "number": "m1",
    }
    spec: Line = {"system": "game", "game": "long", "roll": "roll", "given": {}, "rule": thrown}
    part: Line = {"roller": "long roll", "spec": json.dumps(spec), "results": ["10000"]}
    how: Line = {"before": [], "draws": [_FLAT] * 100}
    return history(*(roll(seq, part, how) for seq in range(2, count + 2)))


def owners() -> bytes:
    """Return an export with a roller that gets a new memory at each roll."""
    spec: Line = {"system": "dynamic", "base": "1d6", "factor": "0.5"}
    log = Log()
    log.add("create")
    log.make("Luck", spec, "player")
    while len(log.events) < 1_400:
        log.roll_with("Luck", 10_000 + len(log.events))
    return b"".join(export(log.events))


def checks(count: int) -> bytes:
    """Return an export of checks with different laws on a luck account that cannot be checked."""
    spec = '{"system":"luck","tightness":"0.5","drought":"0","cap":"3","own":"practice","score":"rank"}'
    events = [withhold(event(2, "make"))]
    for seq in range(3, count):
        base = notation.parse(f"{seq % 7 + 4}d{seq % 90 + 5}+{seq}")
        system = load_spec(spec)
        assert isinstance(system, LuckAccount)
        bound, record = system.on(outcomes(str(base), None), 5), Recorder(seeded(seq))
        outcome, _ = step(bound, (seq * 10**9, 0, 0), record)
        part: Line = {
            "roller": f"r{seq}",
            "spec": spec,
            "text": str(base),
            "results": [outcome.face],
            "stake": 5,
        }
        drawn: list[Value] = [[number_or_text(total), value] for total, value in record.drawn]
        events.append(
            roll(seq, part, {"prev": 1, "before": [seq * 10**9, 0, 0], "draws": drawn, "whose": "table"})
        )
    return history(*events)


def heavy(base: str, times: int, count: int) -> bytes:
    """Return an export of honest but slow rolls."""
    log = Log()
    log.add("create")
    log.make("Wide", {"system": "fair", "base": base, "tightness": "0.123457"})
    for _ in range(count):
        log.roll_with("Wide", times=times)
    return b"".join(export(log.events))


def in_brackets(text: str, event: Line) -> bytes:
    """Return an export with an event whose `pub` repeats this text up to 1 MiB."""
    room = MIB - len(canon(event)) - 1_000
    inside = ",".join([text] * (room // (len(text) + 1)))
    return (
        history()
        + canon({**event, "pub": {"a": 0}}).replace(b'{"a":0}', f'{{"a":[{inside}]}}'.encode())
        + b"\n"
    )


def proof(path: int, extra: bytes = b"{}") -> bytes:
    """Return a proof of an event, with a path of `path` hashes."""
    line = b64encode(bytes(32)).decode()
    text = f"c2sp.org/tlog-proof@v1\nextra {b64encode(extra).decode()}\nindex 3\n" + f"{line}\n" * path
    log = Log()
    log.add("create")
    return (text + "\n" + checkpoint_of(leaves_of(log.events)).text).encode()


def keys() -> dict[str, bytes]:
    """Return exports of many salts, commits and restores, by name."""
    salted, committed, restored = Log(), Log(), Log()
    for log in (salted, committed, restored):
        log.add("create")
    salted.commit()
    for _ in range(1_500):
        salted.salt("owl")
        restored.restored()
    for _ in range(7):
        committed.commit(shown=False)
        committed.commit()
        committed.uncommit()
    builders = {"salts": salted, "commits": committed, "restores": restored}
    return {name: b"".join(export(log.events, epochs=log.leaves)) for name, log in builders.items()}


def rule(system: str, base: Value = "1d6", **said: Value) -> Line:
    """Return a system's spec with a base."""
    return {"system": system, "base": base, **said}


def pity(place: int, **said: Value) -> Line:
    """Return the spec of a renewal system whose chances take long to compute."""
    return {"system": "renewal", "latest": 300, "chance": f"0.1{place:05}", **said}


def makes(spec: Callable[[int], Line], room: int = ROOM) -> bytes:
    """Return an export with events that make rollers."""
    return many(lambda n: make(n, spec(n), f"r{n}"), room)


def long_files() -> Mapping[str, bytes]:
    """Return files of a few MiB whose lines take much work, by name."""
    return {
        "long, new rules": makes(lambda n: rule("fair", "2d500", tightness=f"0.{n}"), 4 * MIB),
        "long, sums": long_sums(4 * MIB),
        "long, fair dice": heavy("2d20", 5, 3_000)[:-1] + b"\n",
        "long, dice": b"".join(plain(8_000)),
    }


def long_sums(room: int = ROOM) -> bytes:
    """Return an export of rolls of the longest sums, twenty times each."""
    text = "20#" + "+".join(["1d1"] + ["1"] * 97)
    return sums(lambda _: text, lambda _: ["98"] * 20, 20, room)


def plain(count: int) -> list[bytes]:
    """Return the lines of an export of plain rolls."""
    log = Log()
    log.add("create")
    for place in range(count):
        log.roll(f"{place % 9 + 1}d6+{place % 7 + 1}")
    return export(log.events)


def hostile() -> Mapping[str, bytes]:
    """Return all hostile files of at most 1 MiB by name."""
    files = {**odd(), **rules(), **_wide(), **_heavy()}
    return {name: file[:MIB] for name, file in files.items()}


def rules() -> dict[str, bytes]:
    """Return files with impossible rules and memories, by name."""
    orders: Line = rule("deck", {"a": 60, "b": 60}, size=1, refill=1, mode="add", no_repeat=True)
    several: Line = {
        "system": "decks",
        "decks": {"x": {"a": 60, "b": 60}, "y": {"c": 1, "d": 1}},
        "no_repeat": True,
    }
    return {
        "an endless factor": history(make(2, rule("dynamic", factor="1e99999999"))),
        "a factor of nothing": history(make(2, rule("dynamic", factor="1/0"))),
        "an endless tightness": history(make(2, rule("fair", tightness="1e99999999"))),
        "a rule in brackets": history(make(2, "[" * 50_000)),
        "a rule in braces": history(make(2, '{"a":' * 50_000)),
        "no rule": history(make(2, "")),
        "a rule that is no text": history(
            event(2, "make", what={"roller": "a", "spec": [1]}, how={"prev": 0})
        ),
        "a deck of text": history(make(2, rule("deck", {"a": 9**9}, size="9" * 99, refill=1, mode="add"))),
        "endless powers": one_roll(rule("dynamic", factor="0.355"), [10**9, 0, 0, 0, 0, 0]),
        "negative powers": one_roll(rule("dynamic", factor="0.5"), [-(10**9), 0, 0, 0, 0, 0]),
        "a deck in every order": one_roll(orders, [600, 600, 0]),
        "a deck that owes cards": one_roll(orders, [10**6, 10 - 10**6, 0]),
        "decks in every order": one_roll(several, [0, 600, 600, 0, 1, 1, 0]),
        "an empty pool": one_roll({"system": "pool", "sides": 6, "values": 100}, [0, 0]),
        "many results": one_roll(rule("fair", "1d1000", tightness="1"), [0] * 1_000, 20_000),
    }


def odd() -> dict[str, bytes]:
    """Return files with malformed lines and fields, by name."""
    create = event(2, "create")
    numbers = in_brackets("0", create)
    return {
        "a pub that is none": history({**create, "pub": 0}),
        "a person that is none": history({**create, "who": [_SALT, {"user": [1]}]}),
        "brackets": b"[" * 50_000 + b"\n",
        "braces": b'{"a":' * 50_000 + b"\n",
        "digits": b'{"a":' + b"9" * 500_000 + b"}\n",
        "one long word": b'"' + b"a" * 1_000_000 + b'"\n',
        "a long name": history().replace(b'"Friday"', b'"' + b"a" * 1_000_000 + b'"'),
        "a name of escapes": history().replace(b'"Friday"', b'"' + b'\\"' * 500_000 + b'"'),
        "a label of escapes": history({**create, "words": [_SALT, {"label": '"' * 500_000}]}),
        "a label of dice": history({**create, "words": [_SALT, {"label": "🎲" * 250_000}]}),
        "numbers": numbers,
        "empty lists": in_brackets("[]", create),
        "small objects": in_brackets('{"a":0}', create),
        "fractions": in_brackets("0.1", create),
        "long numbers": in_brackets(DIGITS, create),
        "a long path": proof(22_000),
        "a proof of numbers": proof(3, numbers[-700_000:-1]),
    }


def _wide() -> dict[str, bytes]:
    """Return files with many events of one kind, by name."""
    late = {0: 200, 1: 110}
    own: Line = {"spec": '{"system":"luck"}'}
    files = {
        "withheld, every other": many(lambda n: withhold(event(n, "use")) if n % 2 else event(n, "use")),
        "late, every other": many(lambda n: event(n, "use", id=str(FIRST_ID + (n + late[n % 2]) * SECOND))),
        "many rollers": makes(lambda _: rule("dice")),
        "closed rolls": many(lambda n: {**roll(n, {"roller": f"r{n}", **own}, {}), "how": "0" * 64}),
        "owners": owners(),
    }
    return {**files, **keys()}


def _heavy() -> dict[str, bytes]:
    """Return files of true rolls that are slow to repeat, by name."""
    lots: list[Value] = [1] * 300_000
    return {
        "a wide hat": heavy("2d500", 1, 60),
        "wide fair dice": heavy("2d100", 20, 120),
        "long sums": long_sums(),
        "new sums": sums(lambda n: "+".join(["1d1"] * 45 + [str(n)]), lambda n: [str(45 + n)], 45),
        "many dice": sums(lambda _: "100d1+100d1+100d1", lambda _: ["300"], 300),
        "games": games(190),
        "checks": checks(700),
        "lots": history(roll(2, {"text": "1d1", "results": ["1"], "lots": lots}, {"draws": [_FLAT]})),
        "new rules": makes(lambda n: rule("fair", "2d500", tightness=f"0.{n}")),
        "new bases": makes(lambda n: rule("dice", f"{n % 20 + 3}d{n % 19 + 2}kh2")),
        "new tables": makes(lambda n: rule("dice", f"1d{n % 1000 + 1}+{n}")),
        "pity without a start": makes(pity),
        "pity": makes(lambda n: pity(n, start=0)),
        "powers": rolls(
            lambda n: rule("dynamic", "1d1000", factor=f"0.9999{n:02}"),
            60,
            memory=lambda n: [n % 9] * 999 + [500],
        ),
        "long memories": rolls(
            lambda n: rule("fair", "1d20", tightness=f"0.1234{n:02}"),
            90,
            memory=lambda n: [int(DIGITS[n:]), *range(n, n + 19)],
        ),
        "orders": rolls(
            lambda n: rule("deck", {f"{n}.{i}": i + 1 for i in range(15)}, no_repeat=True), 90, times=20
        ),
        "wide blocks": rolls(
            lambda n: {
                "system": "blocks",
                "categories": {"x": {f"c{i}": i % 900 + n + 1 for i in range(999)}},
                "block": 40,
            },
            20,
            times=20,
        ),
        "laws": rolls(lambda n: rule("fair", f"{n % 20 + 20}d12kh9", tightness="1"), 200),
        "wide tables": rolls(lambda n: rule("fair", _LABELS, tightness=f"{n}.5"), 15, times=20),
    }

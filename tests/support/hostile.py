"""Files of at most 1 MiB that ask a verifier for as much time or memory as they can."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping

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
_SALT = "ab" * 16
_LABELS: Line = {f"face {n}": n + 1 for n in range(1_000)}
DIGITS = "9" * 4_300
"""The longest number that Python reads."""


def history(*events: Line) -> bytes:
    """An export that begins as it must, and goes on with these events by number."""
    log = Log()
    log.add("create")
    return b"".join(export([log.events[0], *events]))


def event(seq: int, kind: str, **fields: Value) -> Line:
    """An event that somebody asked for; parts are given by their values."""
    parts = {name: [_SALT, fields.pop(name, {})] for name in ("who", "words", "what", "how")}
    made: Line = {"seq": seq, "kind": kind, "see": "public", "channel": "8", "id": str(FIRST_ID + (100 + seq) * SECOND)}
    return {**made, **parts, **fields}


def roll(seq: int, what: Line, how: Line, **fields: Value) -> Line:
    """A roll by somebody."""
    return event(seq, "roll", what=what, how=how, who={"user": "42"}, **fields)


def make(seq: int, spec: Value, name: str = "Luck") -> Line:
    """A roller's making; a rule that is no text is written as JSON."""
    text = spec if isinstance(spec, str) else json.dumps(spec)
    return event(seq, "make", what={"roller": name, "spec": text}, how={"prev": 0})


def many(one: Callable[[int], Line], room: int = MIB - 4_000) -> bytes:
    """As many events as fit in 1 MiB."""
    events: list[Line] = []
    while room > 0:
        events.append(one(len(events) + 2))
        room -= len(canon(events[-1])) + 2
    return history(*events[:-1])


def rolls(
    spec: Callable[[int], Line], count: int, *, memory: Callable[[int], list[int]] | None = None, times: int = 1
) -> bytes:
    """Rolls by new rules that come out as they should, with a memory that can't be checked, if one is given."""
    log, hidden = Log(), set[int]()
    log.add("create")
    for place in range(count):
        name = f"r{place}"
        made = log.make(name, spec(place))
        if memory:
            hidden.add(made)
            log._rollers[name].memories["table"] = tuple(memory(place))
        log.roll_with(name, times=times)
    events = [withhold(event) if event["seq"] in hidden else event for event in log.events]
    return b"".join(export(events))


def one_roll(spec: Line, memory: list[Value], results: int = 1) -> bytes:
    """One roll of a memory that nobody can have."""
    gone = withhold(event(2, "make"))
    what: Line = {"roller": "Luck", "spec": json.dumps(spec), "results": ["1"] * results}
    return history(gone, roll(3, what, {"before": memory, "prev": 1, "draws": [[1, 0]] * results}))


def sums(text: Callable[[int], str], results: Callable[[int], list[Value]], draws: int = 0) -> bytes:
    """Plain dice, of which each has one side."""
    how: Line = {"draws": [[1, 0]] * draws} if draws else {}
    return many(lambda seq: roll(seq, {"text": text(seq), "results": results(seq)}, how))


def games(count: int) -> bytes:
    """Rolls of a game whose dice have one side, and whose formulas are long."""
    formula = "+".join(["x"] * 100)
    rule: Line = {
        "dice": [{"pool": "dice", "count": 100, "faces": [1]}],
        "measures": {f"m{n}": {"sum": formula} for n in range(10)},
        "number": "m1",
    }
    spec: Line = {"system": "game", "game": "long", "roll": "roll", "given": {}, "rule": rule}
    what: Line = {"roller": "long roll", "spec": json.dumps(spec), "results": ["10000"]}
    how: Line = {"before": [], "draws": [[1, 0]] * 100}
    return history(*(roll(seq, what, how) for seq in range(2, count + 2)))


def owners() -> bytes:
    """A roller that every roll gives one more memory."""
    spec: Line = {"system": "dynamic", "base": "1d6", "factor": "0.5"}
    log = Log()
    log.add("create")
    log.make("Luck", spec, "player")
    while len(log.events) < 1_400:
        log.roll_with("Luck", 10_000 + len(log.events))
    return b"".join(export(log.events))


def checks(count: int) -> bytes:
    """Checks on a luck account, each with a law of its own, whose account can't be known."""
    spec = '{"system":"luck","tightness":"0.5","drought":"0","cap":"3","own":"practice","keep":"session","score":"rank"}'
    events = [withhold(event(2, "make"))]
    for seq in range(3, count):
        base = notation.parse(f"{seq % 7 + 4}d{seq % 90 + 5}+{seq}")
        system = load_spec(spec)
        assert isinstance(system, LuckAccount)
        bound, record = system.on(outcomes(str(base), None), 5), Recorder(seeded(seq))
        outcome, _ = step(bound, (seq * 10**9, 0, 0), record)
        what: Line = {"roller": f"r{seq}", "spec": spec, "text": str(base), "results": [outcome.face], "stake": 5}
        drawn: list[Value] = [[number_or_text(total), value] for total, value in record.drawn]
        events.append(roll(seq, what, {"prev": 1, "before": [seq * 10**9, 0, 0], "draws": drawn, "whose": "table"}))
    return history(*events)


def heavy(base: str, times: int, count: int) -> bytes:
    """Honest rolls that take long."""
    log = Log()
    log.add("create")
    log.make("Wide", {"system": "fair", "base": base, "tightness": "0.123457"})
    for _ in range(count):
        log.roll_with("Wide", times=times)
    return b"".join(export(log.events))[:MIB]


def in_brackets(text: str, event: Line) -> bytes:
    """An event in whose `pub` such a text stands, again and again."""
    room = MIB - len(canon(event)) - 1_000
    inside = ",".join([text] * (room // (len(text) + 1)))
    return history() + canon({**event, "pub": {"a": 0}}).replace(b'{"a":0}', f'{{"a":[{inside}]}}'.encode()) + b"\n"


def proof(path: int, extra: bytes = b"{}") -> bytes:
    """A proof of one event, with a path of so many hashes."""
    line = b64encode(bytes(32)).decode()
    text = f"c2sp.org/tlog-proof@v1\nextra {b64encode(extra).decode()}\nindex 3\n" + f"{line}\n" * path
    log = Log()
    log.add("create")
    return (text + "\n" + checkpoint_of(leaves_of(log.events)).text).encode()


def salts() -> Iterator[bytes]:
    """Keys, and words for them, again and again; and as many commits as fit."""
    log = Log()
    log.add("create")
    log.commit()
    while len(log.events) < 1_500:
        log.salt("owl")
    yield b"".join(export(log.events, epochs=log.leaves))
    log = Log()
    log.add("create")
    for _ in range(7):
        log.commit(shown=False)
        log.commit()
        log.uncommit()
    yield b"".join(export(log.events, epochs=log.leaves))


def spec_of(**said: Value) -> Line:
    """A rule."""
    return said


def hostile() -> Mapping[str, bytes]:
    """All of them by name."""
    create = event(2, "create")
    own: dict[str, bytes] = {
        "an endless factor": history(make(2, spec_of(system="dynamic", base="1d6", factor="1e99999999"))),
        "a factor of nothing": history(make(2, spec_of(system="dynamic", base="1d6", factor="1/0"))),
        "an endless tightness": history(make(2, spec_of(system="fair", base="1d6", tightness="1e99999999"))),
        "a rule in brackets": history(make(2, "[" * 50_000)),
        "a rule in braces": history(make(2, '{"a":' * 50_000)),
        "no rule": history(make(2, "")),
        "a rule that is no text": history(event(2, "make", what={"roller": "a", "spec": [1]}, how={"prev": 0})),
        "a deck of text": history(make(2, spec_of(system="deck", base={"a": 9**9}, size="9" * 99, refill=1, mode="add"))),
        "a pub that is none": history({**create, "pub": 0}),
        "a person that is none": history({**create, "who": [_SALT, {"user": [1]}]}),
        "brackets": b"[" * 50_000 + b"\n",
        "braces": b'{"a":' * 50_000 + b"\n",
        "digits": b'{"a":' + b"9" * 500_000 + b"}\n",
        "one long word": b'"' + b"a" * 1_000_000 + b'"\n',
        "a long name": history().replace(b'"Friday"', b'"' + b"a" * 1_000_000 + b'"'),
        "a name of escapes": history().replace(b'"Friday"', b'"' + b'\\"' * 500_000 + b'"'),
        "a label of escapes": history({**create, "words": [_SALT, {"label": '"' * 500_000}]}),
        "a label of surrogates": history({**create, "words": [_SALT, {"label": "🎲" * 250_000}]}),
        "numbers": in_brackets("0", create),
        "empty lists": in_brackets("[]", create),
        "small objects": in_brackets('{"a":0}', create),
        "fractions": in_brackets("0.1", create),
        "long numbers": in_brackets("9" * 4_300, create),
        "a long path": proof(22_000),
        "a proof of numbers": proof(3, in_brackets("0", create)[-700_000:-1]),
        "withheld, every other": many(lambda n: withhold(event(n, "use")) if n % 2 else event(n, "use")),
        "late, every other": many(lambda n: event(n, "use", id=str(FIRST_ID + (200 + n - n % 2 * 90) * SECOND))),
        "many rollers": many(lambda n: make(n, spec_of(system="dice", base="1d6"), f"roller {n}")),
        "closed rolls": many(lambda n: {**roll(n, {"roller": f"r{n}", "spec": '{"system":"luck"}'}, {}), "how": "0" * 64}),
        "owners": owners(),
        "a wide hat": heavy("2d500", 1, 60),
        "wide fair dice": heavy("2d100", 20, 120),
        "long sums": sums(lambda _: "20#" + "+".join(["1d1"] + ["1"] * 97), lambda _: ["98"] * 20, 20),
        "new sums": sums(lambda n: "+".join(["1d1"] * 45 + [str(n)]), lambda n: [str(45 + n)], 45),
        "many dice": sums(lambda _: "100d1+100d1+100d1", lambda _: ["300"], 300),
        "games": games(190),
        "new rules": many(lambda n: make(n, spec_of(system="fair", base="2d500", tightness=f"0.{n}"), f"r{n}")),
        "new bases": many(lambda n: make(n, spec_of(system="dice", base=f"{n % 20 + 3}d{n % 19 + 2}kh2"), f"r{n}")),
        "new tables": many(lambda n: make(n, spec_of(system="dice", base=f"1d{n % 1000 + 1}+{n}"), f"r{n}")),
        "pity without a start": many(lambda n: make(n, spec_of(system="renewal", latest=300, chance=f"0.1{n:05}"), f"r{n}")),
        "pity": many(lambda n: make(n, spec_of(system="renewal", latest=300, chance=f"0.1{n:05}", start=0), f"r{n}")),
        "a full hat of power": one_roll(spec_of(system="dynamic", base="1d6", factor="0.355"), [10**9, 0, 0, 0, 0, 0]),
        "negative powers": one_roll(spec_of(system="dynamic", base="1d6", factor="0.5"), [-(10**9), 0, 0, 0, 0, 0]),
        "powers": rolls(
            lambda n: spec_of(system="dynamic", base="1d1000", factor=f"0.9999{n:02}"), 60, memory=lambda n: [n % 9] * 999 + [500]
        ),
        "long memories": rolls(
            lambda n: spec_of(system="fair", base="1d20", tightness=f"0.1234{n:02}"), 90, memory=lambda n: [int(DIGITS[n:]), *range(n, n + 19)]
        ),
        "a deck in every order": one_roll(
            spec_of(system="deck", base={"a": 60, "b": 60}, size=1, refill=1, mode="add", no_repeat=True), [600, 600, 0]
        ),
        "decks in every order": one_roll(
            spec_of(system="decks", decks={"x": {"a": 60, "b": 60}, "y": {"c": 1, "d": 1}}, no_repeat=True), [0, 600, 600, 0, 1, 1, 0]
        ),
        "orders": rolls(lambda n: spec_of(system="deck", base={f"{n}.{i}": i + 1 for i in range(15)}, no_repeat=True), 90, times=20),
        "wide blocks": rolls(
            lambda n: spec_of(system="blocks", categories={"x": {f"c{i}": i % 900 + n + 1 for i in range(999)}}, block=40), 20, times=20
        ),
        "laws": rolls(lambda n: spec_of(system="fair", base=f"{n % 20 + 20}d12kh9", tightness="1"), 200),
        "wide tables": rolls(lambda n: spec_of(system="fair", base=_LABELS, tightness=f"{n}.5"), 15, times=20),
        "many results": one_roll(spec_of(system="fair", base="1d1000", tightness="1"), [0] * 1000, 20_000),
        "lots": history(roll(2, {"text": "1d1", "results": ["1"], "lots": [1] * 300_000}, {"draws": [[1, 0]]})),
        "an empty pool": one_roll(spec_of(system="pool", sides=6, values=100), [0, 0]),
        "checks": checks(700),
    }  # fmt: skip
    for name, file in zip(("salts", "commits"), salts(), strict=True):
        own[name] = file
    return {name: file[:MIB] for name, file in own.items()}



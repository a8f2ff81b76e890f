"""Every way to forge a history that the design names, against the stand-alone verifier.

Each is tried without anything from outside the file, and with a checkpoint from after the event. "Host" is who
has all keys and makes all hashes anew: that is found with a checkpoint alone, but for what rules forbid.
"""

from base64 import b64encode
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache

import pytest

from bot.record.canonical import Value, canon
from bot.record.checkpoint import Checkpoint
from bot.record.commitments import close_parts, leaf_of, part_of, seal, withhold
from bot.record.tree import Tree
from tests.support.logs import (
    FIRST_ID,
    LOG,
    ORIGIN,
    SECOND,
    Line,
    Log,
    checkpoint_of,
    consistency,
    edited,
    export,
    inclusion,
    leaves_of,
    told_to_player,
    tree_of,
)
from tests.support.verdicts import Verifier

PLAIN, LUCKY, HIDDEN, REVEAL, CALL, ANSWER, LAST = 4, 6, 9, 11, 12, 13, 54
"""Numbers of the evening below: a plain roll, a fair one, a hidden one, its reveal, a call and its answer."""


@cache
def evening() -> tuple[Line, ...]:
    """An evening of 54 events; it has everything that the forgeries are about."""
    log = Log()
    log.add("create")
    log.make("Luck", {"system": "fair", "base": "2d6", "tightness": "1"})
    log.make("Own", {"system": "dynamic", "base": "1d6", "factor": "0.355"}, "player")
    assert log.roll("1d20", 41, label="to hit") == PLAIN
    log.roll("1d20+2", 42)
    assert log.roll_with("Luck", 43) == LUCKY
    log.roll_with("Luck", 41)
    log.roll_with("Own", 42)
    assert log.roll("1d20", 42, public={"see": "gm"}, label="stealth") == HIDDEN
    log.roll_with("Luck", 42, 2)
    assert log.add("reveal", public={"target": HIDDEN}) == REVEAL
    assert log.add("call", what={"text": "1d20"}) == CALL
    assert log.roll("1d20", 41, public={"target": CALL}) == ANSWER
    while len(log.events) < LAST:
        log.roll_with(("Luck", "Own")[len(log.events) % 2], 41 + len(log.events) % 3)
    return tuple(log.events)


def true() -> list[Line]:
    """The evening's events, to be changed."""
    return deepcopy([*evening()])


def host(events: Sequence[Line]) -> bytes:
    """An export of events by who has all keys."""
    return b"".join(export(events))


def passed_off(events: Sequence[Line]) -> bytes:
    """An export of events with the hashes of the true ones."""
    return b"".join(export(events, leaves=leaves_of(evening())))


def changed(number: int, change: Callable[[Line], Line]) -> list[Line]:
    """The evening's events, one of them changed."""
    events = true()
    events[number - 1] = change(events[number - 1])
    return events


def other_face(event: Line) -> Line:
    """The roll with another face, and nothing else changed."""
    return edited(event, "what", results=["20" if results_of(event) != ["20"] else "19"])


def other_roll(event: Line) -> Line:
    """A plain d20 with another face, and draws that fit it."""
    return edited(edited(event, "what", results=["20"]), "how", draws=[[20, 19]])


def results_of(event: Line) -> Value:
    """The faces of a roll."""
    what = part_of(event, "what")
    assert isinstance(what, dict)
    return what["results"]


def without(number: int) -> list[Line]:
    """The evening without one event, all later ones renumbered."""
    events = true()
    removed = part_of(events.pop(number - 1), "what")
    before = removed.get("prev", 0) if isinstance(removed, dict) else 0
    for place, event in enumerate(events, 1):
        event["seq"] = place
        target = event.get("target")
        if isinstance(target, int) and target > number:
            event["target"] = target - 1
        match part_of(event, "what"):
            case {"prev": int(prev)} as what if prev >= number:
                what["prev"] = before if prev == number else prev - 1
            case _:
                pass
    return events


def as_erased(event: Line) -> Line:
    """The event as it is told of somebody who was erased."""
    return close_parts(event, "who", "words")


def exchange_players(events: list[Line]) -> list[Line]:
    """Two rolls, each passed off as the other player's."""
    one, other = events[PLAIN - 1], events[PLAIN]
    one["who"], other["who"] = other["who"], one["who"]
    return events


@cache
def ground_roll() -> Line:
    """The hidden roll with another face, its salt ground until the seal began with the same four digits."""
    event = evening()[HIDDEN - 1]
    wanted = seal(leaf_of(event))[:4]
    swapped = other_roll(event)
    rest = close_parts(swapped, "who", "what", "how")
    for tried in range(1 << 20):
        words: Value = [f"{tried:032x}", {"label": "stealth"}]
        if seal(leaf_of({**rest, "words": words}))[:4] == wanted:
            return {**swapped, "words": words}
    raise AssertionError("sixteen bits were not found in a million tries")


def all_closed(event: Line) -> Line:
    """A roll with its result set to 12, and all the rest passed off as closed."""
    if event["kind"] != "roll":
        return event
    part = edited(event, "what", results=["12"])
    return close_parts(part, "who", "words", "how")


def at(event: Line, back: int) -> Line:
    """The event as if it had been asked for so many seconds before its time."""
    return {**event, "id": str(int(str(event["id"])) - back * SECOND)}


def cut_by_host() -> bytes:
    """The last 24 events, after a cut that is a lie."""
    before = tree_of(bytes([n]) * 32 for n in range(30))
    events = true()[30:]
    hashes: list[Value] = [one.hex() for one in before.frontier]
    cut: Line = {"seq": LAST + 1, "kind": "cut", "see": "public", "channel": "0", "clock": 1, "target": 30}
    events.append({**cut, "pub": {"days": 90, "frontier": hashes}})
    return b"".join(after(before, events))


def after(before: Tree, events: Sequence[Line]) -> list[bytes]:
    """An export of events after a frontier that somebody thought of."""
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
    hashes = ",".join(f'"{one.hex()}"' for one in before.frontier)
    return f'"first":{before.size + 1},"frontier":[{hashes}]'


@dataclass(frozen=True)
class Forgery:
    """A forged file, the codes without and with a checkpoint, and a word of each verdict."""

    name: str
    make: Callable[[], bytes]
    codes: tuple[int, int]
    words: tuple[str, str]


def both(word: str) -> tuple[str, str]:
    """The same word either way."""
    return word, word


UNANCHORED = ("unanchored", "checkpoint")
ROOT = both("does not fit the checkpoint after it")


def same_interaction() -> list[Line]:
    """Two events of one interaction."""
    events = true()
    events[PLAIN]["id"] = events[PLAIN - 1]["id"]
    return events


def renumbered(events: list[Line]) -> list[Line]:
    """A roll taken out, and the numbers left."""
    return [event for event in events if event["seq"] != PLAIN]


def everything_new() -> bytes:
    """A history that has nothing to do with the true one."""
    log = Log(99)
    log.add("create")
    for _ in range(LAST - 1):
        log.roll("1d20")
    return host(log.events)


FORGERIES = [
    Forgery("face edited, tree left", lambda: passed_off(changed(PLAIN, other_face)), (1, 1), both("#4")),
    Forgery(
        "face and draws edited, tree left", lambda: passed_off(changed(ANSWER, other_roll)), (1, 1), ROOT
    ),
    Forgery("face and draws edited, host", lambda: host(changed(PLAIN, other_roll)), (3, 1), UNANCHORED),
    Forgery(
        "salts ground until four digits agree",
        lambda: host(changed(HIDDEN, lambda _: ground_roll())),
        (3, 1),
        UNANCHORED,
    ),
    Forgery("hidden roll swapped, host", lambda: host(changed(HIDDEN, other_roll)), (3, 1), UNANCHORED),
    Forgery(
        "event told in part altered",
        lambda: passed_off(changed(LUCKY, all_closed)),
        (1, 1),
        ROOT,
    ),
    Forgery(
        "every roll edited and told in part",
        lambda: passed_off([all_closed(e) for e in true()]),
        (1, 1),
        ROOT,
    ),
    Forgery(
        "visible roll withheld", lambda: passed_off(changed(PLAIN, withhold)), (3, 0), both("withheld: #4")
    ),
    Forgery(
        "visible roll replaced by a false leaf, host",
        lambda: host(changed(PLAIN, lambda event: {"leaf": "ab" * 32, "seq": event["seq"]})),
        (3, 1),
        UNANCHORED,
    ),
    Forgery(
        "somebody passed off as erased",
        lambda: passed_off(changed(PLAIN, as_erased)),
        (3, 0),
        both("1 by nobody named"),
    ),
    Forgery(
        "another user under the commitment",
        lambda: passed_off(changed(PLAIN, lambda event: edited(event, "who", user="43"))),
        (1, 1),
        ROOT,
    ),
    Forgery("players exchanged", lambda: passed_off(exchange_players(true())), (1, 1), ROOT),
    Forgery("players exchanged, host", lambda: host(exchange_players(true())), (3, 1), UNANCHORED),
    Forgery(
        "tail cut, end left",
        lambda: b"".join(export(true())[:41]),
        (1, 1),
        both("#41 is missing"),
    ),
    Forgery(
        "tail cut, end made anew",
        lambda: host(true()[:40]),
        (3, 1),
        ("unanchored", "#41 is missing: a checkpoint was shown for 54 events"),
    ),
    Forgery(
        "beginning cut by hand",
        lambda: b"".join(after(tree_of(leaves_of(evening()[:30])), true()[30:])),
        (1, 1),
        both("no cut"),
    ),
    Forgery("beginning replaced by a false cut, host", cut_by_host, (3, 1), UNANCHORED),
    Forgery(
        "roll removed, numbers left",
        lambda: b"".join(line for line in export(true()) if b'"seq":4,' not in line),
        (1, 1),
        both("#4 is missing"),
    ),
    Forgery("plain roll removed and renumbered, host", lambda: host(without(PLAIN)), (3, 1), UNANCHORED),
    Forgery("fair roll removed and renumbered, host", lambda: host(without(LUCKY)), (1, 1), both("memory")),
    Forgery("one interaction in two events", lambda: host(same_interaction()), (1, 1), both("interaction")),
    Forgery(
        "time an hour backwards",
        lambda: host(changed(PLAIN, lambda event: at(event, 3600))),
        (1, 1),
        both("minutes before"),
    ),
    Forgery(
        "time five minutes backwards",
        lambda: host(changed(PLAIN, lambda event: at(event, 300))),
        (3, 1),
        ("over a minute before", "checkpoint"),
    ),
    Forgery(
        "unknown field",
        lambda: host(changed(PLAIN, lambda event: {**event, "extra": 1})),
        (1, 1),
        both("field"),
    ),
    Forgery(
        "roll without a part",
        lambda: host(changed(PLAIN, lambda event: {k: v for k, v in event.items() if k != "how"})),
        (1, 1),
        both("parts"),
    ),
    Forgery(
        "reveal of what was not hidden",
        lambda: host(changed(REVEAL, lambda event: {**event, "target": PLAIN})),
        (1, 1),
        both("#11 is a reveal about #4"),
    ),
    Forgery(
        "answer to what is no call",
        lambda: host(changed(ANSWER, lambda event: {**event, "target": PLAIN})),
        (1, 1),
        both("#13 is a roll about #4"),
    ),
    Forgery("whole history replaced", everything_new, (3, 1), UNANCHORED),
]


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_a_forgery_gets_its_verdict(forgery: Forgery, ask: Verifier) -> None:
    """Each forgery gets the code and the reason that the design says, without a checkpoint and with one."""
    file, end = forgery.make(), checkpoint_of(leaves_of(evening()))

    alone, anchored = ask(file), ask(file, checkpoints=(end.text,))

    assert (alone.code, anchored.code) == forgery.codes, (alone, anchored)
    assert forgery.words[0] in alone.words
    assert forgery.words[1] in anchored.words


def test_the_true_evening_holds(ask: Verifier) -> None:
    """The evening itself agrees with itself, and holds with its checkpoint, written in either way."""
    file, end = host(true()), checkpoint_of(leaves_of(evening()))

    assert ask(file).code == 3
    for text in (end.text, end.line, end.text + "\n— other.example QWxsIHJpZ2h0\n"):
        assert ask(file, checkpoints=(text,)).code == 0


def test_a_player_is_told_what_they_may_see(ask: Verifier) -> None:
    """A player's export has the same root, and what is closed in it is counted as such."""
    verdict = ask(passed_off([told_to_player(event) for event in true()]), checkpoints=(end_of(evening()),))

    assert verdict.code == 0
    assert "1 closed in part" in verdict.words


def end_of(events: Sequence[Line]) -> str:
    """The checkpoint of events."""
    return checkpoint_of(leaves_of(events)).text


def test_two_players_with_two_histories_find_out(ask: Verifier) -> None:
    """Each of two histories agrees with itself; the other player's checkpoint ends it."""
    one, other = true(), changed(PLAIN, other_roll)

    assert ask(host(other)).code == 3
    assert ask(host(one), checkpoints=(end_of(one),)).code == 0
    assert ask(host(other), checkpoints=(end_of(one),)) == ask(host(other), checkpoints=(end_of(one),))
    assert ask(host(other), checkpoints=(end_of(one),)).code == 1


def test_a_seal_shows_a_swapped_roll(ask: Verifier) -> None:
    """The seal that was shown when a roll was hidden finds the swap without any checkpoint; four digits do not."""
    shown = seal(leaf_of(evening()[HIDDEN - 1]))

    assert ask(host(true()), seals=(f"9={shown}",)).code == 3
    assert "#9 is the event that was sealed" in ask(host(true()), seals=(f"9={shown}",)).words
    assert ask(host(changed(HIDDEN, lambda _: ground_roll())), seals=(f"9={shown}",)).code == 1
    assert ask(host(changed(HIDDEN, other_roll)), seals=(f"9={shown}",)).code == 1
    assert ask(host(changed(HIDDEN, lambda _: ground_roll())), seals=(f"9={shown[:4]}",)).code == 2


def test_a_seal_of_what_is_not_here_is_said(ask: Verifier) -> None:
    """A seal for a number that the file does not have proves nothing, and it is said."""
    assert "#99, whose seal you gave, is not here" in ask(host(true()), seals=(f"99={'0' * 32}",)).words


def test_another_campaigns_checkpoint_is_refused(ask: Verifier) -> None:
    """A checkpoint of another campaign holds nothing, even with the same root."""
    end = checkpoint_of(leaves_of(evening()))
    other = Checkpoint("evenhand/" + "f" * 32, end.size, end.root)

    verdict = ask(host(true()), checkpoints=(other.text,))

    assert verdict.code == 1
    assert "another campaign" in verdict.words


def test_a_checkpoint_before_a_cut_anchors_nothing(ask: Verifier) -> None:
    """What lies before a cut can't be compared any more; from the cut on, checkpoints hold."""
    log = Log()
    log.add("create")
    for _ in range(19):
        log.roll("1d20")
    leaves = leaves_of(log.events)
    cut_tree = tree_of(leaves[:10])
    hashes: list[Value] = [one.hex() for one in cut_tree.frontier]
    pub: Line = {"days": 30, "frontier": hashes}
    log.add("cut", public={"clock": 1, "target": 10, "pub": pub})
    leaves = leaves_of(log.events)
    file = b"".join(export(log.events[10:], start=10, before=leaves[:10]))

    assert ask(file).code == 3
    assert ask(file, checkpoints=(checkpoint_of(leaves, 5).text,)).code == 3
    assert ask(file, checkpoints=(checkpoint_of(leaves, 10).text,)).code == 3
    assert ask(file, checkpoints=(checkpoint_of(leaves, 15).text,)).code == 0


def test_an_earlier_checkpoint_bears_out_what_came_before_it(ask: Verifier) -> None:
    """What came after the checkpoint is told as newer, and an edit there is not found."""
    early = checkpoint_of(leaves_of(evening()), 20)
    verdict = ask(host(changed(30, lambda event: event)), checkpoints=(early.text,))

    assert verdict.code == 0
    assert "up to #20" in verdict.words
    assert "#21 to #54 are newer" in verdict.words


UNREADABLE = {
    "doubled key": lambda line: line.replace(b'"kind"', b'"kind":"roll","kind"', 1),
    "needless escape": lambda line: line.replace(b"roll", b"r\\u006fll", 1),
    "blanks": lambda line: line.replace(b":", b": ", 1),
    "a fraction": lambda line: line.replace(b'"seq":4', b'"seq":4.0'),
    "400 digits": lambda line: line.replace(b'"seq":4', b'"seq":4' + b"0" * 400),
    "lone surrogate": lambda line: line.replace(b"to hit", b"\\ud800"),
    "100,000 brackets": lambda _: b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
    "a line of 2 MiB": lambda _: b'{"about":{"a":"' + b"x" * (2 << 20) + b'"}}\n',
    "no object": lambda _: b"[]\n",
    "no JSON": lambda _: b"hello\n",
    "no UTF-8": lambda line: line.replace(b"to hit", b"\xff"),
    "keys in another order": lambda _: b'{"seq":4,"leaf":"' + b"00" * 32 + b'"}\n',
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_line_that_can_be_read_in_two_ways_is_unreadable(name: str, ask: Verifier) -> None:
    """Whatever is not written in the one canonical way is not read at all, and its line is named."""
    lines = export(true())
    lines[PLAIN] = UNREADABLE[name](lines[PLAIN])

    for checkpoints in ((), (end_of(evening()),)):
        verdict = ask(b"".join(lines), checkpoints=checkpoints)
        assert verdict.code == 2, verdict
        assert "line 5" in verdict.words


def test_nothing_of_a_file_reaches_the_terminal_as_it_is(ask: Verifier) -> None:
    """What could move the cursor or turn the text around is shown as an escape."""
    lines = export(true(), name="\x1b[2J\u202e\x07")
    bad = [lines[0].replace(ORIGIN.encode(), "evenhand/\\u001b[2J\u202e".encode()), *lines[1:]]

    assert ask(b"".join(lines)).code == 3
    for file in (b"".join(lines), b"".join(bad)):
        assert all(letter.isprintable() or letter == "\n" for letter in ask(file).words)
    assert (
        "\\u202e" in ask(b"".join(lines), checkpoints=(f"evil\u202e 5 {end_of(evening()).split()[2]}",)).words
    )


def keyed() -> Log:
    """A short evening in proof mode."""
    log = Log()
    log.add("create")
    log.make("Luck", {"system": "fair", "base": "2d6", "tightness": "1"})
    log.commit()
    for _ in range(3):
        log.roll("1d20")
        log.roll_with("Luck")
    log.salt("seven ravens")
    log.roll("1d20")
    log.roll_with("Luck", 43, 3)
    return log


def test_proof_mode_holds(ask: Verifier) -> None:
    """Rolls in proof mode are made again from their keys."""
    log = keyed()
    verdict = ask(b"".join(export(log.events, epochs=log.leaves)))

    assert verdict.code == 3
    assert "8 made again" in verdict.words


def in_proof_mode(change: Callable[[list[Line]], list[Line]]) -> bytes:
    """The short evening, changed by its host."""
    log = keyed()
    return b"".join(export(change(deepcopy(log.events)), epochs=log.leaves))


def _with(events: list[Line], number: int, event: Line) -> list[Line]:
    return [*events[: number - 1], event, *events[number:]]


def test_in_proof_mode_the_host_chooses_no_result(ask: Verifier) -> None:
    """Another face with draws that fit it does not follow from the key."""
    verdict = ask(in_proof_mode(lambda events: _with(events, 4, other_roll(events[3]))))

    assert verdict.code == 1
    assert "#4 does not follow from its key" in verdict.words


def test_in_proof_mode_the_host_chooses_no_key(ask: Verifier) -> None:
    """Another key, or none, is not the one that was committed."""
    other = ask(in_proof_mode(lambda events: _with(events, 4, edited(events[3], "how", key="00" * 32))))
    none = ask(in_proof_mode(lambda events: _with(events, 4, edited(events[3], "how", key=""))))

    assert (other.code, none.code) == (1, 1)
    assert "committed" in other.words
    assert "has no key" in none.words


def test_in_proof_mode_no_roll_gets_another_number(ask: Verifier) -> None:
    """A roll that moves up has the key of another number."""

    def shortened(events: list[Line]) -> list[Line]:
        del events[3]
        return [{**event, "seq": place} for place, event in enumerate(events, 1)]

    verdict = ask(in_proof_mode(shortened))

    assert verdict.code == 1


def test_in_proof_mode_the_salt_counts(ask: Verifier) -> None:
    """Other words of a player give other bits."""

    def words(events: list[Line]) -> list[Line]:
        return _with(events, 10, {**events[9], "pub": {"salt": "six ravens"}})

    verdict = ask(in_proof_mode(words))

    assert verdict.code == 1
    assert "#11 does not follow from its key" in verdict.words


def test_in_proof_mode_an_interaction_chosen_by_the_host_needs_a_witness(ask: Verifier) -> None:
    """A forged interaction gives other bits that fit: nothing but an earlier checkpoint finds it."""
    true_log = keyed()
    forged = Log()
    forged.add("create")
    forged.make("Luck", {"system": "fair", "base": "2d6", "tightness": "1"})
    forged.commit()
    forged.roll("1d20", public={"id": str(FIRST_ID + 81 * SECOND)})
    file = b"".join(export(forged.events, epochs=forged.leaves))

    assert ask(file).code == 3
    assert ask(file, checkpoints=(checkpoint_of(leaves_of(true_log.events), 4).text,)).code == 1


def test_in_proof_mode_the_hashes_of_the_keys_must_follow(ask: Verifier) -> None:
    """A commit without its keys' hashes, or with others, is broken."""
    log = keyed()
    without_keys = b"".join(export(log.events))
    others = b"".join(export(log.events, epochs={3: (*log.leaves[3][1:], log.leaves[3][0])}))

    for file in (without_keys, others):
        verdict = ask(file)
        assert verdict.code == 1
        assert "#3" in verdict.words


@pytest.mark.parametrize("change", ["face", "number", "short", "inner"])
def test_a_proof_of_one_roll_is_bound(change: str, ask: Verifier) -> None:
    """Another face, another number, a hash too few or an inner node in a leaf's place lead to no root."""
    events = true()
    proof = inclusion(events, PLAIN)
    text = {
        "face": lambda: proof.text.replace(_b64(proof.line), _b64(canon(other_roll(events[PLAIN - 1])))),
        "number": lambda: proof.text.replace("index 3\n", "index 2\n"),
        "short": lambda: proof.text.replace(f"{_b64(proof.path[-1])}\n", ""),
        "inner": lambda: proof.text.replace(f"{_b64(proof.path[0])}\n", "").replace("index 3", "index 1"),
    }[change]()

    assert ask(proof.text).code == 3
    assert ask(proof.text, checkpoints=(proof.checkpoint.text,)).code == 0
    for checkpoints in ((), (proof.checkpoint.text,)):
        assert ask(text, checkpoints=checkpoints).code == 1


def _b64(data: bytes) -> str:
    return b64encode(data).decode()


def test_a_proof_of_a_closed_event_says_so(ask: Verifier) -> None:
    """What a proof does not show is counted as closed, and a withheld event as withheld."""
    events = true()
    events[HIDDEN - 1] = told_to_player(events[HIDDEN - 1])
    events[PLAIN - 1] = withhold(events[PLAIN - 1])

    assert "1 closed in part" in ask(inclusion(events, HIDDEN).text).words
    assert "withheld: #4" in ask(inclusion(events, PLAIN).text).words


def test_a_log_that_goes_on_is_told_from_one_that_does_not(ask: Verifier) -> None:
    """A consistency proof holds for the true history, and for no other one."""
    leaves = leaves_of(evening())
    old, new = checkpoint_of(leaves, 20), checkpoint_of(leaves)
    forged = leaves_of(changed(PLAIN, other_roll))

    assert ask(consistency(leaves, 20).text, checkpoints=(old.text,)).code == 0
    assert ask(consistency(leaves, 20).text).code == 3
    assert ask(consistency(forged, 20).text, checkpoints=(old.text,)).code == 1
    assert ask(consistency(forged, 20).text, checkpoints=(old.text, new.text)).code == 1


def test_a_consistency_proof_links_a_short_file_to_a_later_checkpoint(ask: Verifier) -> None:
    """With a proof that the log went on from where the file ends, a later checkpoint bears the file out."""
    leaves = leaves_of(evening())
    file, new = host(true()[:40]), checkpoint_of(leaves)

    assert ask(file, checkpoints=(new.text,)).code == 1
    assert ask(file, consistency(leaves, 40).text, checkpoints=(new.text,)).code == 0


def test_a_long_export_comes_in_files(ask: Verifier) -> None:
    """The files of one export are checked one after the other, and none may be left out or told otherwise."""
    leaves = leaves_of(evening())
    one = b"".join(export(true()[:20]))
    two = b"".join(export(true()[20:40], start=20, before=leaves[:20]))
    three = b"".join(export(true()[40:], start=40, before=leaves[:40]))
    end = end_of(evening())

    assert ask(one, two, three, checkpoints=(end,)).code == 0
    assert ask(one, three, checkpoints=(end,)).code == 1
    assert ask(two, checkpoints=(checkpoint_of(leaves, 40).text,)).code == 1
    assert ask(two, checkpoints=(checkpoint_of(leaves, 40).text,), part=True).code == 0
    assert LOG in ask(one, two, three).words

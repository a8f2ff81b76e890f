"""Every known way to choose a roll in proof mode, forged as a dishonest host could.

The host has all keys, and computes all hashes anew.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from bot.campaign.proof import KEYS
from bot.record.hashing import Value
from bot.record.proof_mode import Salts
from tests.support.logs import SECOND, Log, edited, export
from tests.support.parts import Line, close_parts, withhold
from tests.support.systems import SPECS

PRESS = 1_400_000_000_000_000_000
"""Interaction number of a press that is older than every event of a log."""


def evening(*, shown: bool = True, second_hand: bool = False) -> Log:
    """Return a log in proof mode: #2 commits, #3 shows, and rolls begin with #4."""
    log = Log()
    log.add("create")
    log.commit(shown=shown, what={"second_hand": True} if second_hand else None)
    return log


def rolled(*, second_hand: bool = False) -> Log:
    """Return a log in proof mode whose #4 is a roll."""
    log = evening(second_hand=second_hand)
    log.roll("1d20")
    return log


def file_of(log: Log, change: Callable[[list[Line]], list[Line]] = lambda events: events) -> bytes:
    """Return a log's export, changed before its hashes are made."""
    return b"".join(export(change(deepcopy(log.events)), epochs=log.leaves))


def replaced(number: int, change: Callable[[Line], Line]) -> Callable[[list[Line]], list[Line]]:
    """Return a function that changes the event of this number."""
    return lambda events: [change(event) if event["seq"] == number else event for event in events]


def keys_after_the_press() -> Log:
    """Return a log with new keys between a press and its roll, to choose the roll."""
    log = evening(shown=False)
    log.show(2, log._id + 10**15)
    log._epochs = [  # the host still rolls by the key
        type(epoch)(epoch.secret, type(epoch.keys)(epoch.keys.begun, epoch.keys.first, PRESS), epoch.salts)
        for epoch in log._epochs
    ]
    log.roll("1d20")
    return log


def keys_while_others_are_left() -> Log:
    """Return a log whose new keys are used before the shown ones are used up."""
    log = rolled()
    log._epochs = []
    log.commit(bytes([1]) * 32)
    log.roll("1d20")
    return log


def keys_too_late() -> Log:
    """Return a log whose next keys are shown too late for anybody to record them."""
    log = evening()
    while len(log.events) < 2 + KEYS - 200:
        log.roll("1d20")
    log.commit(bytes([1]) * 32)
    log.roll("1d20")
    return log


def keys_while_others_wait() -> Log:
    """Return a log with two sets of shown keys to choose from."""
    log = rolled()
    for secret in (1, 2):
        log.commit(bytes([secret]) * 32)
    log.roll("1d20")
    return log


def shown_without_a_commit() -> Log:
    """Return a log with a message that shows no commit."""
    log = Log()
    log.add("create")
    log.add("shown", public={"pub": {"message": "1400000000000000001"}, "clock": 1, "target": 1})
    return log


def shown_twice() -> Log:
    """Return a log with a second message for the same keys."""
    log = evening()
    log.show(2, log._id + 5)
    return log


def free_part() -> Log:
    """Return a log whose roll has a part that no interaction has, to change the bits."""
    log = evening()
    log.roll("1d20", public={"part": 26})
    return log


def part_left_out() -> Log:
    """Return a log with parts 1 and 3 of a press; the host dropped part 2."""
    log = evening()
    press = str(log._id + 41 * SECOND)
    for part in (1, 3):
        log.roll("1d20", public={"id": press, "part": part})
    return log


def parts_apart() -> Log:
    """Return a log with another press between two parts of a press."""
    log = evening()
    press = str(log._id + 41 * SECOND)
    log.roll("1d20", public={"id": press, "part": 1})
    log.roll("1d20")
    log.roll("1d20", public={"id": press, "part": 2})
    return log


def moved_back() -> Log:
    """Return a log whose roll has another key, since presses 4 s younger were put before it."""
    log = evening()
    press = log._id + (1_000 << 22)
    for place in range(3):
        log.roll("1d20", public={"id": str(press + (4_000 << 22) + place)})
    log.roll("1d20", public={"id": str(press)})
    return log


def moved_by_nobody() -> Log:
    """Return a log with a roll after three events without an interaction."""
    log = evening()
    call = log.add("call", what={"text": "1d20"})
    log.roll("1d20")
    for kind in ("close", "close", "close"):
        log.add(kind, public={"clock": 5, "target": call})
    log.roll("1d20")
    return log


def physical(d6s: Sequence[int] = (), *, second_hand: bool = False, **what: Value) -> Callable[[], bytes]:
    """Return a maker of a file with a chosen face, passed off as thrown by hand or with these d6s."""
    log = rolled(second_hand=second_hand)
    chosen: Line = {"results": ["20"], "source": "physical", **what}
    draws: list[Value] = [[6, face - 1] for face in d6s] or [[20, 19]]

    return lambda: file_of(
        log, replaced(4, lambda e: edited(edited(e, "what", **chosen), "how", draws=draws))
    )


def physical_roller(away: int) -> Callable[[], bytes]:
    """Return a maker of a file with 2d6 by hand whose sum is `away` from the recorded face."""
    log = evening()
    log.make("Luck", SPECS["fair"])
    log.roll_with("Luck")
    parts: Any = log.events[-1]
    face, first = int(parts["what"][1]["results"][0]), parts["how"][1]["draws"][:1]
    part: Line = {"source": "physical", "thrown": [min(6, face - 1), face - min(6, face - 1) + away]}
    return lambda: file_of(log, replaced(5, lambda e: edited(edited(e, "what", **part), "how", draws=first)))


def closed(*parts: str) -> Callable[[], bytes]:
    """Return a maker of a file with a roll whose named parts are closed."""
    return lambda: file_of(rolled(), replaced(4, lambda event: close_parts(event, *parts)))


def closed_memory() -> bytes:
    """Return a file with a fair roller's roll whose part "how" is closed."""
    log = evening()
    log.make("Luck", SPECS["fair"])
    log.roll_with("Luck")
    return file_of(log, replaced(5, lambda event: close_parts(event, "how")))


def closed_commit() -> bytes:
    """Return a file with a commit that hides whether others throw for the host."""
    return file_of(rolled(second_hand=True), replaced(2, lambda event: close_parts(event, "what")))


def named_local() -> bytes:
    """Return a file with a keyed roll that names local bits as its source."""
    return file_of(rolled(), replaced(4, lambda event: edited(event, "what", source="local")))


def without_a_key(**what: Value) -> Callable[[], bytes]:
    """Return a maker of a file with a roll without a key; `what` changes its part."""
    log = rolled()

    def change(event: Line) -> Line:
        how = event["how"]
        assert isinstance(how, list)
        return {**edited(event, "what", **what), "how": [how[0], {"draws": [[20, 19]]}]}

    return lambda: file_of(log, replaced(4, lambda event: edited(change(event), "what", results=["20"])))


def plain_that_says_keyed() -> Log:
    """Return a log without a commit whose roll names a key as its source."""
    log = Log()
    log.add("create")
    log.roll("1d20")
    log.events[1] = edited(log.events[1], "what", source="keyed")
    return log


def key_of_nobody() -> Log:
    """Return a log without a commit whose roll has a key of the host."""
    log = Log()
    log.add("create")
    log.roll("1d20")
    log.events[1] = edited(log.events[1], "how", key="ab" * 32)
    return log


def timed_by_a_clock(kind: str = "roll") -> Callable[[], bytes]:
    """Return a maker of a file with a roll, or a restart, timed by the host and not by a press."""
    log = evening()
    if kind == "roll":
        log.roll("1d20")
    else:
        log.add(kind, what={"roller": "d100 register"}, how={"prev": 0})

    def change(event: Line) -> Line:
        rest = {name: value for name, value in event.items() if name != "id"}
        return {**rest, "clock": 1_795_000_000_000}

    return lambda: file_of(log, replaced(4, change))


def salt_after_the_press(own: int = 20) -> Log:
    """Return a log with a salt chosen after the roll's press; `own` under 19 is that of a hidden press."""
    log = evening()
    press = log._id + 19 * SECOND
    log.salt("tried until it was a 20", log._id + own * SECOND, message=press + SECOND)
    log._epochs = [type(epoch)(epoch.secret, epoch.keys, _at_once(epoch.salts)) for epoch in log._epochs]
    log.roll("1d20", public={"id": str(press)})
    return log


def _at_once(salts: Salts) -> Salts:
    return Salts((*salts.links[:-1], (0, salts.links[-1][1])))


def withheld_commit() -> bytes:
    """Return a file with a withheld commit, so that the roll cannot be checked."""
    log = rolled()
    return b"".join(export([withhold(event) if event["seq"] == 2 else event for event in log.events]))


def keys_that_outlive_a_restore(*, withheld: bool = False) -> Callable[[], bytes]:
    """Return a maker of a file that uses keys again after a restore; `withheld` hides the restore."""
    log = rolled()
    keys = log._epochs
    log.restored()
    log._epochs = [] if withheld else keys
    log.roll("1d20")
    return lambda: file_of(log, replaced(5, withhold if withheld else lambda event: event))


def commit_that_outlives_a_restore() -> Log:
    """Return a log that shows keys after a restore that were committed before it."""
    log = evening(shown=False)
    log.restored()
    log.show(2)
    return log


def keys_that_follow_ended_ones() -> Log:
    """Return a log with new keys that begin at the end of those that a restore ended."""
    log = evening()
    keys = log._epochs
    log.restored()
    log._epochs = keys
    log.commit(bytes([1]) * 32)
    return log


def restored(**public: Value) -> Callable[[], bytes]:
    """Return a maker of a file with a restore whose public fields are changed."""
    log = evening()
    log.restored()
    return lambda: file_of(log, replaced(4, lambda event: {**event, **public}))


def restored_by_somebody() -> bytes:
    """Return a file with a restore that has an interaction in place of a time."""
    log = evening()
    press = str(log._id + 21 * SECOND)
    log.restored()

    def change(event: Line) -> Line:
        return {name: value for name, value in event.items() if name != "clock"} | {"id": press}

    return file_of(log, replaced(4, change))


def closed_restore() -> bytes:
    """Return a file with a restore whose part "what" is closed."""
    log = evening()
    log.restored()
    return file_of(log, replaced(4, lambda event: close_parts(event, "what")))


def withheld_salt() -> bytes:
    """Return a file with a withheld salt; some coins after it agree with their keys by chance."""
    log = evening()
    for _ in range(3):
        log.roll("1d20")
    log.salt("owl")
    for _ in range(20):
        log.roll("1d2")
    events = [withhold(event) if event["seq"] == 7 else event for event in log.events]
    return b"".join(export(events, epochs=log.leaves))


@dataclass(frozen=True)
class Chosen:
    """A forgery, its event and a part of the verdict; `counted`: the verdict counts it as unchecked."""

    make: Callable[[], bytes | Log]
    number: int
    word: str
    counted: bool = False

    @cached_property
    def file(self) -> bytes:
        """Return the file, made once for all verifiers."""
        exported = self.make()
        return exported if isinstance(exported, bytes) else file_of(exported)


WAYS = {
    "keys after the press": Chosen(keys_after_the_press, 4, "has a key that nothing committed to"),
    "keys while others are left": Chosen(keys_while_others_are_left, 5, "while others are left"),
    "keys too late": Chosen(keys_too_late, KEYS - 197, "commits to keys"),
    "keys while others wait": Chosen(keys_while_others_wait, 7, "while others are left"),
    "shown without a commit": Chosen(shown_without_a_commit, 2, "shows no keys"),
    "shown twice": Chosen(shown_twice, 4, "shows no keys"),
    "a free part": Chosen(free_part, 4, "other parts do not stand before it"),
    "a part left out": Chosen(part_left_out, 5, "has the interaction of another event"),
    "parts apart": Chosen(parts_apart, 6, "has the interaction of another event"),
    "moved back by younger presses": Chosen(moved_back, 7, "was asked for 4 s before"),
    "moved by what nobody asked for": Chosen(moved_by_nobody, 9, "that nobody asked for"),
    "physical on any die": Chosen(physical(), 4, "does not say so"),
    "physical, by hand": Chosen(physical(thrown=[20]), 4, "not from keys: #4", counted=True),
    "physical, and other dice": Chosen(physical(thrown=[19]), 4, "does not come out as"),
    "physical, and one die more": Chosen(physical(thrown=[20, 1]), 4, ""),
    "d6s": Chosen(physical((6, 6), thrown=[6, 6], d6_only=True), 4, "not from keys: #4", counted=True),
    "other d6s": Chosen(physical((6, 5), thrown=[6, 5], d6_only=True), 4, "does not come out as"),
    "a roller's dice, by hand": Chosen(physical_roller(0), 5, "not from keys: #5", counted=True),
    "a roller's dice that make another face": Chosen(physical_roller(1), 5, "does not come out as"),
    "physical by the host": Chosen(physical(second_hand=True, thrown=[20]), 4, "where others throw for"),
    "thrown with a key's bits": Chosen(without_a_key(source="keyed", thrown=[20]), 4, "does not say so"),
    "a closed how": Chosen(closed("how"), 4, "does not tell how it came about"),
    "a closed memory": Chosen(closed_memory, 5, "1 rolls of Luck closed: #5", counted=True),
    "a closed commit": Chosen(closed_commit, 2, "is closed, and names no roll"),
    "a closed what": Chosen(closed("words", "what", "how"), 4, "does not tell its result"),
    "a withheld commit": Chosen(
        withheld_commit, 4, "behind withheld events: #4 (#2 is withheld)", counted=True
    ),
    "a withheld salt": Chosen(
        withheld_salt, 8, "20 rolls can't be followed behind withheld events: #8 to #27", counted=True
    ),
    "no key, local bits": Chosen(without_a_key(source="local"), 4, "does not say that it has a key"),
    "no key, keyed bits": Chosen(without_a_key(source="keyed"), 4, "has no key"),
    "a key, local bits": Chosen(named_local, 4, "does not say that it has a key"),
    "a key without a commit": Chosen(key_of_nobody, 2, "has a key that nothing committed to"),
    "keyed without keys": Chosen(plain_that_says_keyed, 2, "has a key that nothing committed to"),
    "keys that outlive a restore": Chosen(
        keys_that_outlive_a_restore(), 6, "has a key that nothing committed to"
    ),
    "a withheld restore": Chosen(
        keys_that_outlive_a_restore(withheld=True),
        6,
        "behind withheld events: #6 (#5 is withheld)",
        counted=True,
    ),
    "a commit that outlives a restore": Chosen(commit_that_outlives_a_restore, 4, "shows no keys"),
    "keys that follow ended ones": Chosen(keys_that_follow_ended_ones, 5, "while others are left"),
    "a restore to elsewhere": Chosen(restored(pub={"last": 2}), 4, "put back to the event before it"),
    "a restore that says more": Chosen(restored(pub={"backup": 1, "last": 3}), 4, "Broken: #4"),
    "a restore that somebody asked for": Chosen(restored_by_somebody, 4, "put back to the event before it"),
    "a closed restore": Chosen(closed_restore, 4, "is closed, and names no roll"),
    "a clock in place of a press": Chosen(timed_by_a_clock(), 4, "was asked for by nobody"),
    "a clock in place of a restart's press": Chosen(timed_by_a_clock("restart"), 4, "by nobody"),
    "salt after the press": Chosen(salt_after_the_press, 5, "does not follow from its key"),
    "words kept back": Chosen(partial(salt_after_the_press, 18), 5, "does not follow from its key"),
}

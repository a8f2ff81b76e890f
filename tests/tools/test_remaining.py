"""What whoever hosts the bot can still do in proof mode, each way tried once: it is as /proof says.

No verifier calls these broken, for nothing in a file shows them; what shows them instead is tried too.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from bot.record.hashing import Value
from bot.record.proof_mode import KeyedDraws, Press
from cogs.proof.words import HELP
from tests.support.drand import signed
from tests.support.logs import LOG, SECOND, Log, edited, end_of, export
from tests.support.parts import close_parts, part_of
from tests.support.verdicts import Verifier

_WAY = re.compile(r"^([0-9]+)\. ", re.MULTILINE)
PROOF = Path(__file__).parents[2] / "docs" / "proof.md"


def evening(secret: int = 0) -> Log:
    """A log whose keys are in force from #4 on."""
    log = Log()
    log.add("create")
    log.commit(secret.to_bytes(32))
    return log


def liked(tried: Iterator[Log]) -> Log:
    """The first of many logs whose last roll is a 20."""
    return next(log for log in tried if result_of(log) == ["20"])


def result_of(log: Log) -> Value:
    """What the last roll came to."""
    what = part_of(log.events[-1], "what")
    assert isinstance(what, dict)
    return what["results"]


def pressed(log: Log, later: int = 0) -> Log:
    """The log with a roll by a press of so much later."""
    log.roll("1d20", public={"id": str(log._id + 20 * SECOND + later)})
    return log


def unanswered() -> Log:
    """Presses of the host's own, of which one alone is answered."""
    return liked(pressed(evening(), n * SECOND) for n in range(1_000))


def moved() -> Log:
    """The host's own presses, which are older than a player's, move that to another key."""

    def after(count: int) -> Log:
        log = evening()
        press = log._id + 20 * SECOND + 1_000
        for place in range(count):
            log.roll("1d20", user=7, public={"id": str(press - 1_000 + place)})
        log.roll("1d20", public={"id": str(press)})
        return log

    return liked(after(count) for count in range(1_000))


def invented() -> Log:
    """A press that Discord never saw."""
    return liked(pressed(evening(), n) for n in range(1_000))


def undone() -> Log:
    """A result that was read, disliked and undone; the roller begins anew."""
    log = evening()
    log.make("Luck", {"system": "fair", "base": "1d20", "tightness": "1"})
    log.roll_with("Luck")
    log.undo("Luck")
    log.reset("Luck")
    log.roll_with("Luck")
    return log


def unopened() -> Log:
    """A hidden roll that is never revealed."""
    log = evening()
    log.roll("1d20", public={"see": "gm"})
    log.events[-1] = close_parts(log.events[-1], "words", "what", "how")
    return log


def keys_tried() -> Log:
    """Many sets of keys, of which the one that is liked is shown."""
    return liked(pressed(evening(secret)) for secret in range(1_000))


def thrown() -> Log:
    """A face that the host says somebody threw."""
    log = pressed(evening())
    log.events[-1] = edited(log.events[-1], "what", results=["20"], source="physical", thrown=[20])
    log.events[-1] = edited(log.events[-1], "how", draws=[[20, 19]])
    return log


def put_back() -> Log:
    """A history that goes on from an older backup: the same log, and another end."""
    return pressed(evening(), 3 * SECOND)


REMAINING: dict[int, tuple[Callable[[], Log], tuple[str, ...]]] = {
    1: (unanswered, ("1 rolls follow from their keys",)),
    2: (moved, ("rolls follow from their keys",)),
    3: (invented, ("1 rolls follow from their keys", "Compare message")),
    4: (undone, ("2 rolls follow from their keys",)),
    5: (unopened, ("1 rolls closed, so their keys can't be seen: #4",)),
    6: (put_back, ("1 rolls follow from their keys",)),
    7: (keys_tried, ("1 rolls follow from their keys",)),
    8: (thrown, ("1 rolls typed in by people, not from keys: #4 (by 42 1)",)),
}


@cache
def file_of(number: int) -> bytes:
    """The export of a way, which is tried once for all verifiers."""
    log = REMAINING[number][0]()
    return b"".join(export(log.events, epochs=log.leaves))


@pytest.mark.parametrize("number", REMAINING)
def test_a_remaining_way_is_as_it_is_said(number: int, ask: Verifier) -> None:
    """It holds, also with a checkpoint that a player kept later, and nothing more is said of it."""
    words, file = REMAINING[number][1], file_of(number)
    verdicts = [ask(file), ask(file, checkpoints=(end_of(file),))]

    assert [verdict.code for verdict in verdicts] == [3, 0], verdicts
    for word in words:
        assert all(word in verdict.words for verdict in verdicts), (word, verdicts)


def test_the_help_lists_these_ways() -> None:
    """As many as are tried here, in the same order; the docs have them too, and rolls without proof mode."""
    docs = PROOF.read_text("utf-8").partition("can still do\n")[2].partition("\n## ")[0]

    assert [int(found) for found in _WAY.findall("\n".join(HELP))] == [*REMAINING]
    assert [int(found) for found in _WAY.findall(docs)] == [*REMAINING, len(REMAINING) + 1]


def test_presses_that_move_a_roll_are_in_the_history() -> None:
    """Way 2: each of them has a number and a person."""
    log = moved()

    assert [part_of(event, "who") for event in log.events[3:-1]] == [{"user": "7"}] * (len(log.events) - 4)


def test_two_histories_are_told_apart_by_one_checkpoint(ask: Verifier) -> None:
    """Way 6: each holds alone, and the other table's checkpoint ends it."""
    one, other = (b"".join(export(log.events, epochs=log.leaves)) for log in (pressed(evening()), put_back()))

    assert [ask(one).code, ask(other).code] == [3, 3]
    assert ask(other, checkpoints=(end_of(one),)).code == 1


def test_a_round_of_drand_ends_the_trying_of_keys() -> None:
    """Way 7: of keys that give a 20 without the round few give one with it, whichever round comes."""
    log = next(log for log in map(evening, range(400)) if result_of(pressed(log)) == ["20"])
    event = log.events[-1]
    how = part_of(event, "how")
    assert isinstance(how, dict)
    key = bytes.fromhex(str(how["key"]))
    rounds = [signed(number)[0] for number in range(50)]
    faces = {KeyedDraws(key, Press(LOG, 4, int(str(event["id"])), salt)).below(20) for salt in rounds}

    assert len(faces) > 10

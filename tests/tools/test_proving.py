"""Proofs of one event, proofs that a log went on, and exports in several files or after a cut."""

from base64 import b64encode

import pytest

import verify
from bot.record.hashing import Value, canon
from tests.support.forging import HIDDEN, PLAIN, changed, end_of, evening, host, other_roll, true
from tests.support.logs import (
    LOG,
    Log,
    checkpoint_of,
    consistency,
    export,
    inclusion,
    leaves_of,
    told_to_player,
    tree_of,
)
from tests.support.parts import Line, withhold
from tests.support.verdicts import Verifier


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


def test_a_true_consistency_proof_bears_out_no_forged_one(ask: Verifier) -> None:
    """A proof that the true log went on says nothing of a roll of a forged log that lies beside it."""
    leaves = leaves_of(evening())
    forged = inclusion(changed(PLAIN, other_roll), PLAIN).text
    old, link = checkpoint_of(leaves, 20), consistency(leaves, 20).text

    assert ask(forged, link, checkpoints=(old.text,)).code in {1, 3}
    assert ask(inclusion(true(), PLAIN).text, link, checkpoints=(old.text,)).code == 0
    assert ask(inclusion(true(), 30).text, link, checkpoints=(old.text,)).code == 3


def test_what_is_no_file_is_unreadable(ask: Verifier, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty file and a name without a file are unreadable, and the name is shown escaped."""
    assert ask(b"").code == 2
    assert verify.main(["no such file\x1b"]) == 2
    assert "\x1b" not in capsys.readouterr().out

"""`verify` says in words what it checked; the forgeries are in tests/tools, for both verifiers."""

from functools import cache
from pathlib import Path

import pytest

from bot.campaign.events import Event
from bot.record.hashing import Tree
from bot.record.ledger import Ledger
from tests.support.cli import evenhand, verified
from tests.support.cutting import cut
from tests.support.exporting import export_of
from tests.support.histories import mixed_history
from tests.support.play import LOG, SECRET


@cache
def history() -> list[Event]:
    """A mixed history, which only the tests of this file need."""
    return mixed_history(120)


def written(folder: Path, text: bytes, name: str = "export.jsonl") -> Path:
    """A file with that text."""
    file = folder / name
    file.write_bytes(text)
    return file


def checkpoint(folder: Path, size: int) -> Path:
    """The checkpoint of so many events, as somebody kept it."""
    tree = Tree()
    for event in history()[:size]:
        tree = tree.append(event.seal.leaf).tree
    return written(folder, Ledger(1, LOG, SECRET, tree).checkpoint.line.encode(), f"{size}.txt")


def test_a_history_that_holds(tmp_path: Path) -> None:
    """Without a checkpoint nothing is claimed but consistency; with one, up to which number it holds."""
    file = written(tmp_path, export_of(history()))
    code, said = verified(file)
    anchored, told = verified("--checkpoint", checkpoint(tmp_path, 70), file)

    assert code == 3
    assert "nothing was changed" not in said
    assert "unanchored" in said
    assert "#1 to #120 of evenhand/" in said
    assert "by nobody named" in said
    assert anchored == 0
    assert "up to #70 is what your checkpoint was made of" in told
    assert "#71 to #120 are newer" in told


@pytest.mark.parametrize("number", [1, 60, 99])
def test_a_removed_event(tmp_path: Path, number: int) -> None:
    """The exit code is 1, and the number is named."""
    lines = export_of(history()).splitlines(keepends=True)
    left = [line for line in lines if f'"seq":{number},'.encode() not in line]
    code, words = verified(written(tmp_path, b"".join(left)))

    assert code == 1
    assert f"Broken: #{number} is missing" in words


def test_a_history_that_was_cut(tmp_path: Path) -> None:
    """It is checked from the cut on; without its cut, what is missing is named."""
    left = cut(history(), 50)

    assert "#51 to #121 of" in verified(written(tmp_path, export_of(left)))[1]
    file = written(tmp_path, export_of(left).replace(b'"kind":"cut"', b'"kind":"erase"'))
    assert verified(file)[0] == 1


def test_what_is_no_export(tmp_path: Path) -> None:
    """A file that is not there or not an export gets a sentence and exit code 2."""
    code, said = verified(tmp_path / "nothing.json")

    assert (code, said.count("\n")) == (2, 1)
    assert said.startswith("Unreadable")
    assert verified(written(tmp_path, b"{}\n"))[0] == 2
    photo = written(tmp_path, b"\xff", "photo")
    for arguments in (("verify", "--checkpoint"), ("prove", "--from")):
        done = evenhand(*arguments, str(photo), "nothing.json")
        assert (done.exit_code, done.output.count("\n")) == (2, 1)
        assert f"{photo} is no checkpoint: it is no text.\n" in done.output


def test_a_checkpoint_as_the_bot_showed_it(tmp_path: Path) -> None:
    """Its code block's marks are no part of it; what is none is named with its file."""
    file, kept = written(tmp_path, export_of(history())), checkpoint(tmp_path, 70).read_bytes()
    fenced = written(tmp_path, b"```\n" + kept.replace(b" ", b"\n") + b"\n```\n", "fenced.txt")
    code, told = verified("--checkpoint", written(tmp_path, b"something", "c.txt"), file)

    assert verified("--checkpoint", fenced, file)[0] == 0
    assert code == 2
    assert told.startswith(f"Unreadable: {tmp_path}/c.txt: it is no checkpoint: ")


def test_a_strangers_words_reach_no_terminal(tmp_path: Path) -> None:
    """What is not printable is shown escaped."""
    code, said = verified("--checkpoint", written(tmp_path, b"evil\x1b[2J 5 " + b"A" * 43 + b"=\n", "c"), "x")

    assert code == 2
    assert "\x1b" not in said


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="Linux has a file that can't be read")
def test_a_file_that_its_disk_does_not_give_is_named() -> None:
    """It is the disk's fault; nothing is wrong with the output."""
    assert verified("/proc/self/mem") == (2, "Unreadable: /proc/self/mem: Input/output error.\n")
    for command in (["rigged"], ["prove", "--number", "1"]):
        done = evenhand(*command, "/proc/self/mem")
        assert (done.exit_code, done.output) == (1, "/proc/self/mem can't be used: Input/output error.\n")

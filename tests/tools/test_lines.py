import gzip
from collections.abc import Callable

import pytest

from tests.support.forging import PLAIN, end_of, evening, true
from tests.support.logs import ORIGIN, export
from tests.support.verdicts import Verifier

UNREADABLE: dict[str, Callable[[bytes], bytes]] = {
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


CHANGED: list[Callable[[bytes], bytes]] = [
    gzip.compress,
    lambda file: b"\xef\xbb\xbf" + file,
    lambda file: file.replace(b"\n", b"\r\n"),
    lambda file: file[:-1],
    lambda _: b"",
]


@pytest.mark.parametrize("change", CHANGED)
def test_a_file_that_was_changed_on_its_way_is_unreadable(
    change: Callable[[bytes], bytes], ask: Verifier
) -> None:
    """One that was packed, saved by an editor, or cut off."""
    assert ask(change(b"".join(export(true())))).code == 2


SAVED: list[Callable[[str], str]] = [
    lambda text: f"\ufeff{text}",
    lambda text: text.replace("\n", "\r\n"),
    str.strip,
]


@pytest.mark.parametrize("change", SAVED)
def test_a_checkpoint_that_an_editor_saved_is_the_same(change: Callable[[str], str], ask: Verifier) -> None:
    """A mark at its beginning, other ends of lines or none accuse nobody."""
    assert ask(b"".join(export(true())), checkpoints=(change(end_of(evening())),)).code == 0

"""What /verify says was found in a history that holds: whole sentences in the language of who reads."""

import re

import pytest

from bot.dice.errors import LocalizedError
from bot.record.audit import Findings
from bot.record.checkpoint import Checkpoint
from bot.record.findings import Few
from bot.record.key_audit import KeyFindings, Unkeyed
from bot.services.verifying import CheckedHistory
from bot.words.languages import PSEUDO, language, speaking
from cogs.proof import words

_NAMES = re.compile(r"`[^`]*`|<@[0-9]+>|evenhand/\S+|```")


def told(keys: KeyFindings, *notes: LocalizedError) -> list[str]:
    """The lines of what was found, as they are said."""
    checkpoint = Checkpoint(f"evenhand/{'0f' * 16}", 9, bytes(32))
    found = CheckedHistory(1, Findings(remade=2, notes=Few(notes)), checkpoint, keys)
    return words.holds(found).split("\n```")[0].split("\n")[1:]


def keyed() -> KeyFindings:
    """Proof mode with one roll that follows from its key, and others that do not."""
    found = KeyFindings(followed=1, ever=True)
    for seq in (*range(2, 20, 2), 40, 41):
        found.throw(seq, 7 if seq < 40 else None)
    found.count(3, Unkeyed.OFF)
    return found


def test_what_was_found_of_keys_is_said() -> None:
    """One and several, with the first rolls and who typed them in, and what else is worth a look."""
    note = LocalizedError("#{number} undoes something too far back to check.", number=5)

    assert told(keyed(), note) == [
        "Proof mode: 1 roll follows from its key.",
        "1 roll came while no keys were active: #3.",
        "11 rolls were typed in (<@7> 9, an erased player 2): #2, #4, #6, #8, #10 and 6 more.",
        "#5 undoes something too far back to check.",
    ]
    assert told(KeyFindings()) == []


def test_spans_are_not_counted_one_by_one() -> None:
    """Neighbours are told together, and what is cut off is one sort."""
    found = KeyFindings()
    for seq in (*range(5, 9), 12):
        found.count(seq, Unkeyed.CUT)

    assert told(found) == [
        "Proof mode: 0 rolls follow from their keys.",
        "5 rolls can't be followed, for older entries were removed: #5 to #8, #12.",
    ]


def test_a_command_is_shown_whole() -> None:
    """In any language."""
    found, signature = KeyFindings(), "5c" * 48
    found.rounds.add((123_456_789, signature))

    assert told(found) == [
        f"Check that drand signed round 123,456,789: `pipx run tools/drand.py 123456789 {signature}`"
    ]


@pytest.mark.parametrize("why", Unkeyed)
def test_no_english_is_left(why: Unkeyed) -> None:
    """Each reason is translated, and the notes."""
    found = keyed()
    found.messages.add(123_456_789_012_345_678)
    found.count(50, why)
    with speaking(language(PSEUDO)):
        lines = told(
            found, LocalizedError("#{number} was asked for over a minute before an event above it.", number=5)
        )

    assert len(lines) > 4
    assert not re.search("[a-z]{3}", _NAMES.sub("", "\n".join(lines)))

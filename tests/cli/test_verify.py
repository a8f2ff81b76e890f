"""`verify` says in words that a history holds, or at which number it does not."""

import json
from pathlib import Path

import pytest

from bot.record.chain import short
from tests.support.cli import evenhand
from tests.support.cutting import cut
from tests.support.exporting import export_text
from tests.support.histories import mixed_history

HISTORY = mixed_history(120)


def verified(*files: Path, part: bool = False) -> tuple[int, str]:
    """The exit code, and all that was said."""
    done = evenhand("verify", *map(str, files), *["--part"] * part)
    return done.exit_code, done.output


def written(folder: Path, text: str, name: str = "export.json") -> Path:
    """A file with that text."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_a_history_that_holds(tmp_path: Path) -> None:
    """It says how much was checked, and the head to compare with the channel."""
    code, said = verified(written(tmp_path, export_text(HISTORY)))

    assert code == 0, said
    assert "the history holds. 120 events" in said
    assert f"#120 · {short(HISTORY[-1].seal.head)}" in said
    assert "players who were erased" in said


@pytest.mark.parametrize("number", [1, 60, 120])
def test_a_removed_event(tmp_path: Path, number: int) -> None:
    """The exit code is 1, and the number is named."""
    said = json.loads(export_text(HISTORY))
    del said["events"][number - 1]
    code, words = verified(written(tmp_path, json.dumps(said)))

    assert code == 1
    assert f"does not hold at #{number}:" in words


def test_parts_come_in_any_order(tmp_path: Path) -> None:
    """All parts together are the whole; a later part alone is checked where it is said that it is one."""
    parts = [export_text(HISTORY, HISTORY[:50]), export_text(HISTORY, start=50)]
    first, second = (written(tmp_path, text, f"{i}.json") for i, text in enumerate(parts))

    assert "the history holds. 120 events" in verified(second, first)[1]
    assert "the history holds from #51 on. 70 events" in verified(second, part=True)[1]
    assert verified(second)[0] == 1
    assert "does not hold at #1: #1 is missing: the history begins with #51, and no" in verified(second)[1]
    assert "give all parts of it, or --part" in verified(second)[1]
    assert "does not hold at #51: #51 is missing" in verified(first)[1]
    assert verified(first, first)[0] == 2


def test_a_history_that_was_cut(tmp_path: Path) -> None:
    """It is checked from the cut on; with more taken off by hand, what is missing is named."""
    left = cut(HISTORY, 50)
    whole, less = [export_text([*HISTORY, left[-1]], left[start - 50 :], start) for start in (50, 51)]

    code, said = verified(written(tmp_path, whole))

    assert (code, "the history holds from #51 on. 71 events" in said) == (0, True)
    assert f"#121 · {short(left[-1].seal.head)}" in said
    assert (
        "does not hold at #51: #51 is missing: the history begins with #52"
        in verified(written(tmp_path, less))[1]
    )


def test_what_is_no_export(tmp_path: Path) -> None:
    """A file that is not there or not an export gets a sentence and exit code 2."""
    code, said = verified(tmp_path / "nothing.json")

    assert (code, said.count("\n")) == (2, 1)
    assert "can't be read" in said
    assert verified(written(tmp_path, "{}"))[0] == 2

"""Rollers from outside: JSON or a map, told apart by how they begin."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.imports import BYTES_LIMIT, read_file, read_import
from bot.dice.errors import DiceError, SpecError
from bot.services.maps import longmarch
from bot.systems.registry import print_spec, read_spec


@pytest.mark.parametrize("before", ["", "\ufeff", " \n"])
def test_json_and_maps(before: str) -> None:
    """A roller's JSON and a map's CSV are both read, with or without a byte order mark."""
    fair = read_spec({"system": "fair", "base": "2d6", "tightness": "1"})
    map_text = Path("bot/maps/longmarch.csv").read_text(encoding="utf-8")

    assert read_import(before + print_spec(fair)) == fair
    assert read_import(before + map_text) == longmarch()
    assert read_import(print_spec(longmarch())) == longmarch()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (" ", "There is nothing in it."),
        ("{", "not written as JSON"),
        ("[1]", "A roller is an object such as"),
        ('{"system": "dice", "base": "2d6", "base": "2d20"}', "The JSON has 'base' twice in one place."),
        ('{"system": "deck", "base": {"elk": 1, "owl": 2, "elk": 3}}', "has 'elk' twice in one place."),
        ("2d6", "A map's first line is region,coin,2d6,place."),
    ],
)
def test_refused(text: str, reason: str) -> None:
    """What is neither is refused with what it should look like."""
    with pytest.raises(SpecError) as refusal:
        read_import(text)

    assert reason in str(refusal.value)


def test_files() -> None:
    """A file is UTF-8 text of at most 200,000 bytes; a byte order mark goes."""
    assert read_file("\ufeffé".encode()) == "é"
    with pytest.raises(SpecError, match="at most 200,000"):
        read_file(b"x" * (BYTES_LIMIT + 1))
    with pytest.raises(SpecError, match="no text"):
        read_file(b"\xff\xfe\x00")


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    """No text fails in any other way than with a sentence."""
    with suppress(DiceError):
        assert read_import(text).faces

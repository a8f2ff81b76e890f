"""A release's notes come out of the changelog."""

import pytest

import bot
from tools.release import notes


def test_the_notes_are_those_of_the_version() -> None:
    """Its part alone, without the heading and the next version's."""
    said = notes(bot.__version__)

    assert said.startswith("### ")
    assert "\n## [" not in said


def test_a_version_without_notes_is_not_released() -> None:
    """It is named."""
    with pytest.raises(LookupError, match=r"says nothing of 99\.0\.0"):
        notes("99.0.0")

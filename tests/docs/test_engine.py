"""The examples in docs/ are run."""

import doctest
from pathlib import Path

ENGINE = Path(__file__).parents[2] / "docs" / "engine.md"


def test_the_engine_page_is_true() -> None:
    """Every example of docs/engine.md runs and gives what the page says."""
    results = doctest.testfile(str(ENGINE), module_relative=False, encoding="utf-8")

    assert results.attempted > 15
    assert results.failed == 0

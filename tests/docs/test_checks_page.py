"""The worked examples of docs/checks.md are run."""

import doctest
from pathlib import Path

CHECKS = Path(__file__).parents[2] / "docs" / "checks.md"


def test_the_page_of_checks_is_true() -> None:
    """Every example gives what the page says."""
    results = doctest.testfile(str(CHECKS), module_relative=False, encoding="utf-8")

    assert results.attempted > 12
    assert results.failed == 0

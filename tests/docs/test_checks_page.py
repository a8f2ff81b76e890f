"""The worked examples and the figures of docs/checks.md are worked out again."""

import doctest
import re
from pathlib import Path

import pytest

from benchmarks.checks import EASY, MIXED, play_checks
from bot.dice.system import Spec
from bot.systems.luck import LuckAccount
from bot.systems.registry import read_spec
from cogs.roller.lucky import PRESETS

CHECKS = Path(__file__).parents[2] / "docs" / "checks.md"
_ROW = re.compile(r"([\d.]+) \| ([\d.]+)%? \(([\d.]+)\) \| ([\d.]+)%? \| ([−\d.]+)")


def test_the_page_of_checks_is_true() -> None:
    """Every example gives what the page says."""
    results = doctest.testfile(str(CHECKS), module_relative=False, encoding="utf-8")

    assert results.attempted > 16
    assert results.failed == 0


@pytest.mark.parametrize(
    ("name", "spec"), [("plain dice", {"tightness": "0"}), *PRESETS.items()], ids=["plain", *PRESETS]
)
def test_the_table_of_accounts_is_true(name: str, spec: Spec) -> None:
    """The row of each feel, to the digits that it shows."""
    (line,) = re.findall(rf"^\| \**{name}.*$", CHECKS.read_text("utf-8"), re.MULTILINE)
    row = _ROW.search(line.replace("*", ""))
    rule = read_spec({"system": "luck", **spec})
    assert row
    assert isinstance(rule, LuckAccount)
    mixed, easy = play_checks(rule, MIXED), play_checks(rule, EASY)
    found = (mixed.spread, 100 * mixed.run, 100 * easy.run, 100 * mixed.bits / mixed.plain_bits, mixed.bias)
    for shown, figure in zip(row.groups(), found, strict=True):
        digits = len(shown.partition(".")[2])
        assert float(shown.replace("−", "-")) == pytest.approx(figure, abs=0.501 * 10**-digits)

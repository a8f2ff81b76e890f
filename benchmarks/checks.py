"""What luck accounts do to an evening of 25 checks: spread, runs of misses, surprise, and bias; exactly.

    python -m benchmarks.checks

The mixed evening has checks of 30, 65, 45, 80, 60, 40, 75, 55, 35, 70 and 50 %, over and over; the easy one
has 65 % throughout. `benchmarks.burning` prints what burning gains.
"""

from rich.console import Console
from rich.table import Table

from bot.stats.check_evenings import check, play_checks
from bot.systems.luck import LuckAccount
from bot.systems.registry import read_spec

MIXED = [check(6 + 7 * (i % 11) % 11) for i in range(25)]
EASY = [check(13)] * 25
RULES: list[tuple[str, str, str]] = [
    ("0", "0", "64"),
    ("0.1", "0", "64"),
    ("0.25", "0", "64"),
    ("0.5", "0", "64"),
    ("1", "0", "64"),
    ("1", "0", "3"),
    ("1.25", "0", "4"),
    ("1", "0.35", "3"),
    ("0.5", "1", "3"),
    ("0.25", "1", "3"),
]
"""Tightness, drought and cap."""


def accounts() -> list[tuple[str, LuckAccount]]:
    """Every rule of the table with its name."""
    found: list[tuple[str, LuckAccount]] = []
    for tightness, drought, cap in RULES:
        rule = read_spec({"system": "luck", "tightness": tightness, "drought": drought, "cap": cap})
        if isinstance(rule, LuckAccount):
            more = (f", drought {drought}" if rule.drought else "") + (f", cap {cap}" if cap != "64" else "")
            found.append((f"tightness {tightness}{more}" if rule.tightness else "plain dice", rule))
    return found


def main() -> None:
    """Print the table."""
    table = Table(title="25 checks: mixed, and in brackets easy ones alone")
    table.add_column("account")
    for column in ("spread of passes", "five misses in a row, %", "entropy, %", "bias, passes"):
        table.add_column(column, justify="right")
    for name, account in accounts():
        mixed, easy = play_checks(account, MIXED), play_checks(account, EASY)
        table.add_row(
            name,
            f"{mixed.spread:.2f} ({easy.spread:.2f})",
            f"{100 * mixed.run:.1f} ({100 * easy.run:.2f})",
            f"{100 * mixed.bits / mixed.plain_bits:.1f}",
            f"{mixed.bias:+.3f} ({easy.bias:+.3f})",
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()

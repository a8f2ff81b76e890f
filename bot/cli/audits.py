"""The words of `verify`: what an audit of a history found."""

from collections.abc import Sequence

from bot.record.audit import Findings
from bot.record.lineage import Broken
from cogs.kit.text import plural

_RANGES_SHOWN = 20
_ANCHOR = "If {} shows the same four characters in your channel, nothing up to it was changed since."


def verdict(campaign: str, findings: Findings, head: str) -> str:
    """Return a history that holds: what was checked, and what to compare it with."""
    named = f"{campaign}: " if campaign else ""
    since = "" if findings.first == 1 else f" from #{findings.first} on"
    checked = f"{plural(findings.events, 'event')}, {plural(findings.rolls, 'roll')} replayed"
    last = f"#{findings.last}"
    lines = [
        f"{named}the history holds{since}. {checked}.",
        f"It ends with {last} · {head}. {_ANCHOR.format(last)}",
    ]
    if findings.sealed:
        lines.append(
            f"{plural(findings.sealed, 'event')} could not be looked into, for they were hidden from you."
        )
    if findings.partial:
        numbers = _ranges(findings.partial)
        lines.append(
            f"{plural(len(findings.partial), 'event')} could be checked by the seal alone ({numbers}), for "
            "what the rollers remembered is not for you to see."
        )
    if findings.erased:
        lines.append(
            f"{plural(findings.erased, 'event')} of players who were erased; they stand in the chain."
        )
    return "\n".join(lines)


def broken(error: Broken) -> str:
    """Return a history that does not hold, and where."""
    return f"The history does not hold at #{error.number}: {error}."


def _ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers as "#2, #4 to #7", the first few of them."""
    ranges: list[tuple[int, int]] = []
    for n in numbers:
        if ranges and ranges[-1][1] == n - 1:
            ranges[-1] = (ranges[-1][0], n)
        else:
            ranges.append((n, n))
    shown = [f"#{a}" if a == b else f"#{a} to #{b}" for a, b in ranges[:_RANGES_SHOWN]]
    return ", ".join(shown) + (" …" if len(ranges) > _RANGES_SHOWN else "")

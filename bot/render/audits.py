"""What an audit found, in words."""

from bot.core.audit.audit import Findings
from bot.core.audit.lineage import Broken
from bot.render.counting import plural

_ANCHOR = "If {} shows the same four characters in your channel, nothing up to it was changed since."


def verdict(campaign: str, findings: Findings, head: str) -> str:
    """A history that holds: what was checked, and what to compare it with."""
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
    if findings.erased:
        lines.append(
            f"{plural(findings.erased, 'event')} of players who were erased; they stand in the chain."
        )
    return "\n".join(lines)


def broken(error: Broken) -> str:
    """A history that does not hold, and where."""
    return f"The history does not hold at #{error.number}: {error}."

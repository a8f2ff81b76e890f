"""The words of /verify."""

from bot.record.lineage import Broken
from bot.services.verifying import Checked
from cogs.kit.text import cut, plural

_PASTE = "Paste it yourself: what *you* post, the bot can't change."
_LIMITS = (
    "-# This is the bot's word about its own database. With the checkpoint in your hands, anyone can hold an "
    "export against it: `python -m bot verify`, or tools/verify.py, which shares no code with the bot."
)


def holds(found: Checked) -> str:
    """Return a database that agrees with its tree, and the checkpoint to keep."""
    since = f" from #{found.first:,} on" if found.first > 1 else ""
    rolls = plural(found.findings.remade, "roll")
    notes = "".join(f"\n{cut(note, 100)}" for note in found.findings.notes[:5])
    return (
        f"Every event here{since} was worked out anew and is what the tree was made of; "
        f"{rolls} made again.{notes}\n"
        f"```\n{found.checkpoint.text}```{_PASTE}\n{_LIMITS}"
    )


def broken(error: Broken) -> str:
    """Return a database that does not agree with its tree, and where."""
    return f"**This campaign does not hold.** {cut(str(error), 300)}."

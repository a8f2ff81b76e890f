"""The command to run the bot's command line in a process of its own."""

import sys
from pathlib import Path

import bot

_HOME = str(Path(bot.__file__).parents[1])
_CODE = f"import sys; sys.path.insert(0, {_HOME!r}); from bot.__main__ import main; main()"
COMMAND_LINE = (sys.executable, "-P", "-c", _CODE)
"""The command without its arguments; it imports this `bot`, even if the current folder has another."""

"""The bot's command line as a process of its own."""

import sys
from pathlib import Path

import bot

_HOME = str(Path(bot.__file__).parents[1])
_CODE = f"import sys; sys.path.insert(0, {_HOME!r}); from bot.__main__ import main; main()"
COMMAND_LINE = (sys.executable, "-P", "-c", _CODE)
"""What runs it, before its arguments: this `bot`, whatever lies in the current folder."""

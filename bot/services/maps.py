"""The map that comes with the bot: the Longmarch, an invented land of six regions and 48 cities."""

from functools import cache
from importlib.resources import files

from bot.systems.destinator import Destinator, read_map


@cache
def longmarch() -> Destinator:
    """The shipped map; read from the disk once."""
    return read_map((files("bot") / "maps" / "longmarch.csv").read_text(encoding="utf-8"))

"""A roller from outside: JSON as `/roller export` writes it, or a map's CSV for the destinator."""

from bot.core.errors import SpecError
from bot.core.systems.destinator import read_map
from bot.core.systems.registry import load_spec
from bot.core.systems.system import System

BYTES_LIMIT = 200_000


def read_import(text: str) -> System:
    """The system that a text describes; DiceError says what is wrong with it."""
    text = text.removeprefix("\ufeff").strip()
    if not text:
        raise SpecError("There is nothing in it.")
    # A map begins with the names of its columns.
    return load_spec(text) if text.startswith(("{", "[", '"')) else read_map(text)


def read_file(data: bytes) -> str:
    """A file's text; SpecError over 200,000 bytes, or where it is no UTF-8."""
    if len(data) > BYTES_LIMIT:
        raise SpecError(f"The file has {len(data):,} bytes: at most {BYTES_LIMIT:,}.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SpecError("The file is no text in UTF-8.") from None

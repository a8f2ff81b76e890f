"""The open database as use cases have it."""

from dataclasses import dataclass

from bot.storage.engine import Database
from bot.storage.queries import Reader
from bot.storage.writer import Writer


@dataclass(frozen=True, slots=True)
class DataStore:
    """What use cases stand on."""

    database: Database
    writer: Writer
    reader: Reader
    reports: Reader
    """For what takes long."""

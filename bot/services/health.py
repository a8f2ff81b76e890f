"""Health of the bot: writing, waiting times, disk space; and the sources of its random bits."""

import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bot.campaign.command import Caller
from bot.campaign.replay import SOURCES
from bot.dice.draws import Source
from bot.dice.errors import Unavailable
from bot.entropy.opening import Entropy
from bot.entropy.service import EntropyStatus, ServiceStatus
from bot.storage import campaigns, reading
from bot.storage.queries import Queries, Reader
from bot.storage.writer import Pulse, Writer

PROBE_SECONDS = 60
"""Seconds without a write after which the database is probed."""
QUEUE_SECONDS = 3.0
"""Seconds that Discord waits for an answer."""
ROOM_BYTES = 100_000_000


@dataclass(frozen=True, slots=True)
class Vitals:
    """The bot's health at a moment."""

    pulse: Pulse
    writes: bool
    """True if the database accepted a write within the last minute."""
    waiting: int
    waiting_seconds: float
    free_bytes: int
    """Free space on the fullest disk of the bot's folders."""
    entropy: EntropyStatus

    @property
    def problems(self) -> list[str]:
        """Return the current problems, a sentence each."""
        checks = {
            "The database can't be written to.": not self.writes,
            "Rolls wait longer for the database than Discord waits for them.": (
                self.waiting_seconds > QUEUE_SECONDS
            ),
            f"The disk has only {self.free_bytes // 1_000_000:,} MB left.": self.free_bytes < ROOM_BYTES,
        }
        return [sentence for sentence, is_wrong in checks.items() if is_wrong]


@dataclass(frozen=True, slots=True)
class RandomnessReport:
    """The state of the randomness, as far as the caller may see it."""

    status: EntropyStatus
    rolls: Mapping[Source, int]
    """Number of this campaign's visible rolls by source."""
    sources: tuple[ServiceStatus, ...] | None
    """The state of each source; None unless the caller has Manage Server."""


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """The use cases of health checks; `folders` are those of the data and of the database's file."""

    writer: Writer
    reader: Reader
    entropy: Entropy
    folders: Sequence[Path]

    async def vitals(self) -> Vitals:
        """Return the bot's health; probe the database if nothing was written for a minute."""
        pulse = self.writer.pulse
        writes = pulse.silence < PROBE_SECONDS
        if not writes:
            with suppress(Unavailable):
                await self.writer.probe()
                writes = True
        waiting, seconds = self.writer.queue
        free = min(shutil.disk_usage(folder).free for folder in self.folders)
        return Vitals(pulse, writes, waiting, seconds, free, self.entropy.status())

    async def randomness(self, caller: Caller) -> RandomnessReport:
        """Return the current sources of randomness, and those of the rolls of the campaign played here."""
        rolls = await self.reader.do(_count_sources(caller))
        status = self.entropy.status()
        return RandomnessReport(status, rolls, status.sources if caller.manages else None)


def _count_sources(caller: Caller) -> Queries[dict[Source, int]]:
    counts = yield from reading.faces((yield from campaigns.played(caller)), SOURCES)
    return {source: counts[source.value] for source in Source}

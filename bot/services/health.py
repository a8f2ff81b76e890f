"""How the bot fares: it writes, nobody waits long, there is room; and where its random bits come from."""

import shutil
from collections.abc import Mapping
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
"""Seconds without a write after which a database is tried."""
QUEUE_SECONDS = 3.0
"""Discord waits no longer for an answer."""
ROOM_BYTES = 100_000_000


@dataclass(frozen=True, slots=True)
class Vitals:
    """How the bot fares at a moment."""

    pulse: Pulse
    writes: bool
    """Whether the database took something within the last minute."""
    waiting: int
    waiting_seconds: float
    free_bytes: int
    """Room on the disk of the data directory."""
    entropy: EntropyStatus

    @property
    def problems(self) -> list[str]:
        """Return what is wrong, a sentence each."""
        told = {
            "The database can't be written to.": not self.writes,
            "Rolls wait longer for the database than Discord waits for them.": (
                self.waiting_seconds > QUEUE_SECONDS
            ),
            f"The disk has only {self.free_bytes // 1_000_000:,} MB left.": self.free_bytes < ROOM_BYTES,
        }
        return [sentence for sentence, wrong in told.items() if wrong]


@dataclass(frozen=True, slots=True)
class RandomnessReport:
    """What a caller may know about the randomness."""

    status: EntropyStatus
    rolls: Mapping[Source, int]
    """The rolls of this campaign by source, without those that are hidden still."""
    sources: tuple[ServiceStatus, ...] | None
    """How each source fares; None for those who don't manage the place."""


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """The use cases of watching over the bot; `folder` is where its data is."""

    writer: Writer
    reader: Reader
    entropy: Entropy
    folder: Path

    async def vitals(self) -> Vitals:
        """Return how the bot fares; the database is tried if nothing was written for a minute."""
        pulse = self.writer.pulse
        writes = pulse.silence < PROBE_SECONDS
        if not writes:
            with suppress(Unavailable):
                await self.writer.probe()
                writes = True
        waiting, seconds = self.writer.queue
        free = shutil.disk_usage(self.folder).free
        return Vitals(pulse, writes, waiting, seconds, free, self.entropy.status())

    async def randomness(self, caller: Caller) -> RandomnessReport:
        """Return what feeds the dice at this moment, and what fed the rolls of the campaign played here."""
        rolls = await self.reader.do(_rolls(caller))
        status = self.entropy.status()
        return RandomnessReport(status, rolls, status.sources if caller.manages else None)


def _rolls(caller: Caller) -> Queries[dict[Source, int]]:
    campaign_id = yield from campaigns.played(caller)
    if campaign_id is None:
        return dict.fromkeys(Source, 0)
    counts = yield from reading.faces(campaign_id, SOURCES)
    return {source: counts[source.value] for source in Source}

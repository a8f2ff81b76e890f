"""Report where the dice get their random bits, now and so far."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.campaign.command import Caller
from bot.campaign.replay import SOURCES
from bot.dice.draws import Source
from bot.entropy.opening import Entropy
from bot.entropy.service import EntropyStatus, ServiceStatus
from bot.storage import campaigns, reading
from bot.storage.queries import Queries, Reader


@dataclass(frozen=True, slots=True)
class RandomnessReport:
    """What a caller may know about the randomness."""

    status: EntropyStatus
    rolls: Mapping[Source, int]
    """The rolls of this campaign by source, without those that are hidden still."""
    sources: tuple[ServiceStatus, ...] | None
    """How each source fares; None for those who don't manage the place."""


@dataclass(frozen=True, slots=True)
class Randomness:
    """The use case of showing the sources of randomness."""

    entropy: Entropy
    reader: Reader

    async def report(self, caller: Caller) -> RandomnessReport:
        """Return what feeds the dice at this moment, and what fed the rolls of the campaign played here."""
        rolls = await self.reader.do(_rolls(caller))
        status = self.entropy.status()
        return RandomnessReport(status, rolls, status.sources if caller.manages else None)


def _rolls(caller: Caller) -> Queries[dict[Source, int]]:
    campaign_id = yield from campaigns.played(caller.channel_id, caller.parent_id)
    if campaign_id is None:
        return dict.fromkeys(Source, 0)
    counts = yield from reading.faces(campaign_id, SOURCES)
    return {source: counts[source.value] for source in Source}

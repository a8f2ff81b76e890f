"""Where the dice get their random bits, now and in the last 24 hours."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.campaign.caller import Caller
from bot.dice.sources import Source
from bot.entropy.opening import Entropy
from bot.entropy.status import EntropyStatus, ServiceStatus
from bot.storage import campaigns, reading
from bot.storage.asking import Piece
from bot.storage.reading import Reader

_DAY = 86_400_000 << 22
"""24 hours as a difference of two of Discord's ids, which count milliseconds from their 22nd bit on."""


@dataclass(frozen=True, slots=True)
class RandomnessReport:
    """What a caller may know about the randomness."""

    status: EntropyStatus
    rolls: Mapping[Source, int]
    """The rolls of this campaign in the last 24 hours, by source."""
    sources: tuple[ServiceStatus, ...] | None
    """How each source fares; None for those who don't manage the place."""


class Randomness:
    """The use case of showing the sources of randomness."""

    def __init__(self, entropy: Entropy, reader: Reader) -> None:
        self._entropy = entropy
        self._reader = reader

    async def report(self, caller: Caller) -> RandomnessReport:
        """Return what feeds the dice at this moment; the 24 hours end with the interaction that asks."""
        rolls = await self._reader.do(_rolls(caller))
        status = self._entropy.status()
        return RandomnessReport(status, rolls, status.sources if caller.manages else None)


def _rolls(caller: Caller) -> Piece[dict[Source, int]]:
    campaign_id = yield from campaigns.played(caller.channel_id, caller.parent_id)
    if campaign_id is None:
        return dict.fromkeys(Source, 0)
    return (yield from reading.sources(campaign_id, (caller.interaction_id or 0) - _DAY))

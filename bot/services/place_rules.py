"""Rules of the channels that were used last, so that most rolls need no query before their text is read."""

from contextlib import suppress

from bot.campaign.campaigns import USUAL, Rules
from bot.campaign.command import Caller
from bot.dice.errors import Unavailable
from bot.newest import Newest
from bot.storage import campaigns
from bot.storage.queries import Reader

_LIMIT = 1_000


class PlaceRules:
    """Rules by channel; `is_shared` says whether other processes change them too."""

    def __init__(self, reader: Reader, *, is_shared: bool) -> None:
        self._reader = reader
        self._is_shared = is_shared
        self._known = Newest[int, Rules](_LIMIT)

    def last_known(self, caller: Caller) -> Rules:
        """Return the rules of the caller's channel as they were last known; the default ones if never."""
        return self._known.get(caller.channel_id, USUAL)

    async def find(self, caller: Caller) -> Rules:
        """Return the rules of the caller's channel; the default ones if they can't be read."""
        if caller.channel_id not in self._known:
            with suppress(Unavailable):
                self.learn(caller, await self._reader.do(campaigns.played_rules(caller)))
        return self.last_known(caller)

    async def find_current(self, caller: Caller) -> Rules:
        """Return the rules of the caller's channel, with what another process has just changed."""
        if self._is_shared:
            return await self._reader.do(campaigns.played_rules(caller))
        return await self.find(caller)

    def learn(self, caller: Caller, rules: Rules) -> None:
        """Remember the rules of the caller's channel."""
        self._known[caller.channel_id] = rules

    def forget(self) -> None:
        """Forget all rules: a change of a campaign's or a server's concerns many channels."""
        self._known.clear()

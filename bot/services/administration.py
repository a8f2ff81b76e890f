"""The rules of a campaign: read by everybody, set by its game masters."""

from bot.campaign.campaign_commands import SetRules
from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.rules import FOREVER, Rules
from bot.dice.errors import SpecError
from bot.services.access import Access
from bot.storage.reading import Reader
from bot.storage.writer import Writer


class Administration:
    """The use cases of settings; `retention` is for how many days all histories are kept, 0 for ever."""

    def __init__(self, writer: Writer, reader: Reader, retention: int = FOREVER) -> None:
        self._retention = retention
        self._writer = writer
        self._access = Access(reader)

    @property
    def retention(self) -> int:
        """Return for how many days every history is kept at most; 0 is for ever."""
        return self._retention

    async def rules(self, caller: Caller) -> Rules:
        """Return the rules of the campaign that is played here."""
        return (await self._access.here(caller)).campaign.rules

    async def set_rules(self, caller: Caller, rules: Rules) -> Event:
        """Set the rules of the campaign that is played here, for its game masters."""
        (await self._access.here(caller)).must_be_gm("Changing settings")
        if FOREVER < self._retention < rules.retention:
            raise SpecError(f"Here a history is kept for {self._retention} days at most.")
        return (await self._writer.write(caller, SetRules(None, rules))).event

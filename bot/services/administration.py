"""What game masters settle for a whole campaign: its rules."""

from bot.campaign.campaign_requests import SetRules
from bot.campaign.events import Asked, Event
from bot.campaign.rules import FOREVER, USUAL, Rules
from bot.dice.errors import SpecError
from bot.services.access import Access, Person
from bot.storage import campaigns
from bot.storage.reading import Reader
from bot.storage.writer import Writer


class Administration:
    """The use cases of settings; `retention` is for how many days all histories are kept, 0 for ever."""

    def __init__(self, writer: Writer, reader: Reader, retention: int = FOREVER) -> None:
        self._retention = retention
        self._writer = writer
        self._reader = reader
        self._access = Access(reader)

    @property
    def retention(self) -> int:
        """For how many days every history is kept at most; 0 is for ever."""
        return self._retention

    async def rules(self, asked: Asked) -> Rules:
        """The rules of the campaign that is played here."""
        found = await self._reader.do(campaigns.played_campaign(asked.channel_id, asked.parent_id))
        return found.campaign.rules if found else USUAL

    async def set_rules(self, asked: Asked, person: Person, rules: Rules) -> Event:
        """Set the rules of the campaign that is played here, for its game masters."""
        await self._access.must_be_gm_here(asked, person, "Changing settings")
        if FOREVER < self._retention < rules.retention:
            raise SpecError(f"Here a history is kept for {self._retention} days at most.")
        return (await self._writer.write(asked, SetRules(None, rules))).event

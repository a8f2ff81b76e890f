"""The rolls of the last hours, counted by where their bits came from."""

from itertools import cycle

from bot.campaign.events import Event, Rolled
from bot.campaign.roller_commands import ResetRoller
from bot.campaign.rolls import RollDice
from bot.dice.seeded import seeded
from bot.dice.sources import Source
from bot.storage.engine import open_database
from bot.storage.reading import Reader
from bot.storage.reading import sources as sources_of
from bot.storage.writer import open_writer
from tests.storage.asking import Sourced, caller, fair

HOUR = 3_600_000 << 22


def counted(events: list[Event]) -> dict[Source, int]:
    """The same count, event by event."""
    sources = [event.roll.source for event in events if isinstance(event.body, Rolled)]
    return {source: sources.count(source) for source in Source}


async def test_rolls_are_counted_by_source_and_age(database_url: str) -> None:
    """For any moment: the campaign's later rolls by source; made, reset and other channels not counted."""
    labels = cycle([Source.TRUE, Source.HALF, Source.LOCAL, Source.TRUE, Source.LOCAL])
    register = seeded(0)
    async with (
        open_database(database_url) as database,
        open_writer(database, lambda: Sourced(register, next(labels))) as writer,
    ):
        reader = Reader(database.reader)
        events = [(await writer.write(caller(ago=90_001), fair())).event]
        for minutes in range(1_500, 0, -60):
            text = "evil" if minutes % 120 else "2d6"
            events.append((await writer.write(caller(ago=60 * minutes), RollDice(text))).event)
            await writer.write(caller(channel=2, ago=60 * minutes), RollDice("2d6"))
        events.append((await writer.write(caller(), ResetRoller("evil"))).event)
        campaign_id = events[0].campaign_id
        moments = [event.interaction_id or 0 for event in events]
        later = [[e for e in events if (e.interaction_id or 0) >= since] for since in moments]
        found = [await reader.do(sources_of(campaign_id, since)) for since in moments]

        assert len({tuple(count.values()) for count in found}) > 20
        assert found == [*map(counted, later)]
        assert await reader.do(sources_of(campaign_id, 0)) == counted(events)
        assert await reader.do(sources_of(campaign_id, moments[-1] + HOUR)) == dict.fromkeys(Source, 0)
        assert await reader.do(sources_of(99, 0)) == dict.fromkeys(Source, 0)

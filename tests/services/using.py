"""The use cases of one process on an open database, and all that stands there afterwards."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import aiohttp
from sqlalchemy import text

from bot.campaign.command import Caller, Command
from bot.entropy.drand import Drand
from bot.entropy.web import Clock, Web
from bot.services.calls import Calls
from bot.services.campaigns import Campaigns
from bot.services.characters import Characters
from bot.services.hands import Dealing
from bot.services.histories import Histories
from bot.services.imports import Imports
from bot.services.leading import Leading
from bot.services.pace import Pace
from bot.services.proving import Proving
from bot.services.rollers import Rollers
from bot.services.saved import Saved
from bot.services.sessions import Sessions
from bot.storage.queries import execute
from tests.storage.asking import Storage, seeded_draws

_IDS = text("SELECT id FROM campaign WHERE home = :home ORDER BY id")
_STANDS = (
    "SELECT seq, kind, user_id, visibility, roller_key, target, label FROM event WHERE campaign_id = :it",
    "SELECT user_id, count(*) FROM hand WHERE campaign_id = :it GROUP BY user_id",
    "SELECT key, name, spec_id, memory, epoch FROM roller WHERE campaign_id = :it",
    "SELECT user_id, key, name, text FROM saved WHERE campaign_id = :it",
    "SELECT user_id, key, numbers FROM character WHERE campaign_id = :it",
    "SELECT seq, due IS NULL, remind IS NULL, turn FROM board WHERE campaign_id = :it",
    "SELECT seq, user_id FROM seat WHERE campaign_id = :it",
    "SELECT seq, message FROM epoch WHERE campaign_id = :it",
    "SELECT name, archived, rules, evening, seq FROM campaign WHERE id = :it",
)


class Services:
    """The use cases that change something."""

    def __init__(self, storage: Storage, session: aiohttp.ClientSession) -> None:
        self.storage = storage
        self.sessions, self.hands = Sessions(storage), Dealing(storage, Pace())
        self.rollers, self.saved = Rollers(storage), Saved(storage)
        self.calls = Calls(storage, self.saved)
        self.leading, self.campaigns = Leading(storage, self.calls), Campaigns(storage)
        self.characters, self.histories = Characters(storage), Histories(storage)
        self.imports = Imports(storage, self.rollers, self.saved)
        self.proving = Proving(storage, seeded_draws(), Drand(Web(session, Clock()), None, 1))


Ask: TypeAlias = Callable[[Services, Caller], Awaitable[object]]


def write(command: Command) -> Ask:
    """Ask for what needs no more than the writer."""
    return lambda services, who: services.storage.writer.write(who, command)


async def stands(storage: Storage, home: int) -> list[list[str]]:
    """All that is there of a server's campaigns."""
    ids = [row["id"] for row in await storage.reader.do(execute(_IDS, {"home": home}))]
    asked = [execute(text(sql), {"it": it}) for it in ids for sql in _STANDS]
    return [sorted(repr(tuple(row)) for row in await storage.reader.do(each)) for each in asked]

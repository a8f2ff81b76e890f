"""Compose the application: open the database and the random bits, build the services, close in reverse."""

from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

from bot.campaign.command import Caller, Command
from bot.charts.worker import Worker
from bot.entropy.opening import Entropy, open_supply
from bot.entropy.web import Clock
from bot.services.access import DataStore
from bot.services.calls import Calls
from bot.services.campaigns import Campaigns
from bot.services.characters import Characters
from bot.services.checks import Checks
from bot.services.dice_questions import DiceQuestions
from bot.services.exports import Exports
from bot.services.games import Games
from bot.services.hands import Dealing
from bot.services.health import HealthCheck
from bot.services.histories import Histories
from bot.services.imports import Imports
from bot.services.leading import Leading
from bot.services.pace import Pace
from bot.services.privacy import Privacy
from bot.services.proving import Proving
from bot.services.reports import Reports
from bot.services.retention import Retention
from bot.services.rigging import Rigging
from bot.services.rollers import Rollers
from bot.services.rolling import Rolling
from bot.services.saved import Saved
from bot.services.sessions import Sessions
from bot.services.targets import Targets
from bot.services.tidying import Tidying
from bot.services.verifying import Verifying
from bot.settings import Settings
from bot.storage.engine import open_database
from bot.storage.files import read_address, sqlite_file
from bot.storage.leases import Leases
from bot.storage.writer import Writer, Written


class App:
    """The services that the client and its cogs use, on an open database and its random bits."""

    def __init__(self, store: DataStore, entropy: Entropy, settings: Settings, drawing: Worker) -> None:
        database, patient = store.database, store.reports
        self._store = store
        self.outdated = database.outdated
        """Set once a newer version has changed the database; nothing can be written from then on."""
        self.drawing = drawing
        self.contact_url = settings.contact_url
        """The address of the host's page about this bot, if there is one."""
        self.pace = Pace(settings.user_rolls, settings.guild_rolls)
        self.leases = Leases(database)
        self.saved = Saved(store)
        self.characters = Characters(store)
        self.rollers = Rollers(store)
        self.rules = store.rules
        self.targets = Targets(store, self.saved)
        self.rolling = Rolling(store, self.saved, self.targets, self.pace)
        self.hands = Dealing(store, self.pace)
        self.checks = Checks(store.reader)
        self.histories = Histories(store)
        self.campaigns = Campaigns(store, settings.retention_days)
        self.calls = Calls(store, self.saved)
        self.leading = Leading(store, self.calls)
        self.sessions = Sessions(store)
        self.games = Games(store)
        self.proving = Proving(store, entropy.supply.open, entropy.drand)
        self.health = HealthCheck(store.writer, store.reader, entropy, folders_of(settings))
        self.exports = Exports(patient)
        self.imports = Imports(store, self.rollers, self.saved)
        self.reports = Reports(DiceQuestions(patient, self.sessions))
        self.rigging = Rigging(database, patient)
        self.verifying = Verifying(patient)
        self.privacy = Privacy(database, store.reader)
        retention = Retention(database, patient, settings.retention_days)
        self.tidying = Tidying(database, self.privacy, retention, self.verifying, self.rigging, self.leases)

    async def ask(self, caller: Caller, command: Command) -> Written:
        """Return the result of a command once it is durable; raise DiceError if it is refused."""
        return await self._store.writer.write(caller, command)


def folders_of(settings: Settings) -> list[Path]:
    """Return the data folder, and that of the database's file where it is another; SpecError as for that."""
    file = sqlite_file(read_address(settings.database_url))
    return list(dict.fromkeys([settings.data.resolve(), *([file.parent] if file else [])]))


@asynccontextmanager
async def open_app(settings: Settings, clock: Clock | None = None) -> AsyncGenerator[App]:
    """Open the application until the block ends; raise Unavailable if that fails.

    `clock` times the requests to random sources; None is the real time.
    """
    time = clock or Clock()
    async with (
        open_database(settings.database_url) as database,
        open_supply(settings.entropy(), clock, Leases(database, lambda: time.utc().timestamp())) as entropy,
        aclosing(Writer(database, entropy.supply.open)) as writer,
        aclosing(Worker()) as drawing,
    ):
        yield App(DataStore.of(database, writer), entropy, settings, drawing)

"""Compose the application: open the database and the random bits, build the services, close in reverse."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

from bot.campaign.command import Caller, Command
from bot.charts.worker import Worker
from bot.entropy.opening import open_supply
from bot.entropy.web import Clock
from bot.services.calls import Calls
from bot.services.campaigns import Campaigns
from bot.services.checks import Checks
from bot.services.dice_questions import DiceQuestions
from bot.services.exports import Exports
from bot.services.games import Games
from bot.services.health import HealthCheck
from bot.services.histories import Histories
from bot.services.imports import Imports
from bot.services.leading import Leading
from bot.services.pace import Pace
from bot.services.privacy import Privacy
from bot.services.proving import Proving
from bot.services.randomness import Randomness
from bot.services.reports import Reports
from bot.services.retention import Retention
from bot.services.rigging import Rigging
from bot.services.rollers import Resets, Rollers
from bot.services.rolling import Rolling
from bot.services.saved import Saved
from bot.services.sessions import Sessions
from bot.services.store import Store
from bot.services.tidying import Departures, Tidying
from bot.services.verifying import Verifying
from bot.settings import Settings
from bot.storage.asking import Reader
from bot.storage.engine import open_database
from bot.storage.turns import Turnbook
from bot.storage.writer import Written, open_writer


@dataclass(frozen=True, slots=True)
class App:
    """The services that the client and its cogs use."""

    store: Store
    rolling: Rolling
    checks: Checks
    rollers: Rollers
    histories: Histories
    campaigns: Campaigns
    resets: Resets
    privacy: Privacy
    departures: Departures
    tidying: Tidying
    saved: Saved
    calls: Calls
    leading: Leading
    exports: Exports
    imports: Imports
    reports: Reports
    rigging: Rigging
    sessions: Sessions
    randomness: Randomness
    verifying: Verifying
    games: Games
    proving: Proving
    health: HealthCheck
    turns: Turnbook
    pace: Pace
    drawing: Worker

    async def ask(self, caller: Caller, command: Command) -> Written:
        """Return what a command came to, once it is durable; DiceError where it can't be met."""
        return await self.store.ask(caller, command)


@asynccontextmanager
async def open_app(settings: Settings, clock: Clock | None = None) -> AsyncGenerator[App]:
    """Open the application as long as the context lasts; raise Unavailable where that fails.

    `clock` tells when the random sources may be asked again: the real time unless given.
    """
    async with (
        open_database(settings.database_url) as database,
        open_supply(settings.entropy(), clock, Turnbook(database, _seconds(clock))) as entropy,
        open_writer(database, entropy.supply.open) as writer,
        aclosing(Worker()) as drawing,
    ):
        reader, patient = Reader(database.reader), Reader(database.reports)
        store = Store(database, writer, reader, patient)
        rollers, saved, sessions = Rollers(store), Saved(store), Sessions(store)
        pace = Pace(settings.user_rolls, settings.guild_rolls)
        questions = DiceQuestions(patient, sessions)
        calls = Calls(store, saved)
        privacy = Privacy(database, reader)
        departures, turns = Departures(database, privacy), Turnbook(database)
        verifying = Verifying(patient)
        rigging = Rigging(database, patient)
        retention = Retention(database, patient, settings.retention_days)
        yield App(
            store=store,
            rolling=Rolling(store, saved, pace),
            checks=Checks(reader),
            rollers=rollers,
            histories=Histories(store),
            campaigns=Campaigns(store, settings.retention_days),
            resets=Resets(store),
            privacy=privacy,
            departures=departures,
            tidying=Tidying(departures, privacy, retention, verifying, rigging, turns),
            saved=saved,
            calls=calls,
            leading=Leading(store, calls),
            exports=Exports(patient),
            imports=Imports(store, rollers, saved),
            reports=Reports(questions),
            rigging=rigging,
            sessions=sessions,
            randomness=Randomness(entropy, reader),
            verifying=verifying,
            games=Games(store),
            proving=Proving(store, entropy.supply.open, entropy.drand),
            health=HealthCheck(writer, entropy, settings.data),
            turns=turns,
            pace=pace,
            drawing=drawing,
        )


def _seconds(clock: Clock | None) -> Callable[[], float]:
    """Return the clock's time in seconds since 1970, as a function."""
    told = clock or Clock()
    return lambda: told.utc().timestamp()

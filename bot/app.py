"""Compose the application: open the database and the random bits, build the services, close in reverse."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

from bot.charts.worker import Worker
from bot.entropy.opening import open_supply
from bot.entropy.web import Clock
from bot.services.calls import Calls
from bot.services.campaigns import Administration, Campaigns
from bot.services.checks import Checks
from bot.services.d100 import D100
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
from bot.services.tidying import Departures, Tidying
from bot.services.verifying import Verifying
from bot.settings import Settings
from bot.storage.asking import Reader
from bot.storage.engine import open_database
from bot.storage.turns import Turnbook
from bot.storage.writer import open_writer


@dataclass(frozen=True, slots=True)
class App:
    """The services that the client and its cogs use."""

    rolling: Rolling
    checks: Checks
    rollers: Rollers
    histories: Histories
    campaigns: Campaigns
    administration: Administration
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
    d100: D100
    verifying: Verifying
    games: Games
    proving: Proving
    health: HealthCheck
    turns: Turnbook
    pace: Pace
    drawing: Worker


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
        rollers, saved = Rollers(writer, reader), Saved(database, reader)
        pace = Pace(settings.user_rolls, settings.guild_rolls)
        rolling = Rolling(writer, reader, saved, pace)
        sessions = Sessions(writer, reader)
        questions = DiceQuestions(patient, sessions)
        calls = Calls(database, writer, reader, saved)
        privacy = Privacy(database, reader)
        departures, turns = Departures(database, privacy), Turnbook(database)
        verifying = Verifying(patient)
        rigging = Rigging(database, patient, questions)
        retention = Retention(database, patient, settings.retention_days)
        yield App(
            rolling,
            Checks(rolling, reader),
            rollers,
            Histories(reader, writer),
            Campaigns(writer, reader),
            Administration(database, writer, reader, settings.retention_days),
            Resets(writer, reader),
            privacy,
            departures,
            Tidying(departures, privacy, retention, verifying, rigging, turns),
            saved,
            calls,
            Leading(database, writer, reader, calls),
            Exports(patient),
            Imports(writer, rollers, saved),
            Reports(patient, questions),
            rigging,
            sessions,
            Randomness(entropy, reader),
            D100(rolling, writer),
            verifying,
            Games(writer, reader),
            Proving(writer, reader, entropy.supply.open, entropy.drand),
            HealthCheck(writer, entropy, settings.data),
            turns,
            pace,
            drawing,
        )


def _seconds(clock: Clock | None) -> Callable[[], float]:
    """Return the clock's time in seconds since 1970, as a function."""
    told = clock or Clock()
    return lambda: told.utc().timestamp()

"""Are the dice rigged? Bets against them go on for ever: how they stand is kept, and is carried on in steps.

Who asks has the rest worked out, which a day of rolling made. Before a cut removes events they are carried
first, so that nothing is left out because of how it fell.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass

from bot.campaign.command import Caller
from bot.dice.errors import Unavailable, Unknown
from bot.dice.system import System
from bot.services.dice_questions import DiceQuestion, DiceQuestions, Wanted
from bot.stats.processes import FRESH, BetState
from bot.stats.rigged import EVERYBODY, Examined, Subject, bet_die, bet_on, carry_on, examine, falls
from bot.storage import reading
from bot.storage.asking import Reader
from bot.storage.engine import Database, work
from bot.storage.evidence import behind, keep_bets, load_bets
from bot.storage.rows import Row

STEP = 2_000
"""So many events at least are carried at a time, but for those before a cut."""
_SLICE = 200
_NONE_SEEN = "There are no rolls of that here yet that all could see fall. Roll it openly first."

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rigged:
    """An answer, and what it is about."""

    name: str
    system: System
    examined: Examined


class Rigging:
    """The use case of doubt."""

    def __init__(self, database: Database, reader: Reader, questions: DiceQuestions) -> None:
        self._database = database
        self._reader = reader
        self._questions = questions

    async def ask(self, caller: Caller, wanted: Wanted) -> DiceQuestion:
        """Return the question that `examine` answers; Unknown where it has no answer."""
        return await self._questions.ask(caller, wanted)

    async def examine(self, asked: DiceQuestion) -> Rigged:
        """Return the evidence against the die that was asked for, else the one rolled most."""
        die = asked.dice[0]
        subject = Subject(asked.user_id or EVERYBODY, bet_die(die.key, die.system))
        kept = await self._reader.do(load_bets(asked.campaign_id, subject))
        whose, roller = (None, die.name) if die.named else (asked.user_id, None)
        rows = [row async for row in _rows(self._reader, asked.campaign_id, kept.upto, whose, roller)]
        examined = await asyncio.to_thread(_examined, die.system, subject, kept.states, rows)
        return Rigged(die.name, die.system, examined)

    async def carry_all(self) -> None:
        """Carry the bets of all campaigns in which enough happened since."""
        for campaign_id, seq in await self._reader.do(behind(STEP)):
            await carry(self._database, self._reader, campaign_id, seq)


async def carry(database: Database, reader: Reader, campaign_id: int, upto: int) -> bool:
    """Carry a campaign's bets up to the event of that number; whether they could be."""
    try:
        while (kept := await reader.do(load_bets(campaign_id))).upto < min(upto, kept.newest):
            rows: list[Row] = []
            async for row in _rows(reader, campaign_id, kept.upto):
                if row.event.seq > upto or len(rows) == STEP:
                    break
                rows.append(row)
            states = await asyncio.to_thread(carry_on, kept.states, [row.told for row in rows])
            # Where another process was faster, or somebody was erased meanwhile, it is done again.
            end = rows[-1].event.seq if rows else upto
            await work(database, keep_bets(campaign_id, kept, end, states))
    except Unavailable:
        raise
    except Exception:  # noqa: BLE001 (one campaign that can't be judged must not keep all the others)
        _log.exception("The dice of campaign %d can't be judged", campaign_id)
        return False
    return True


async def _rows(
    reader: Reader, campaign_id: int, after: int, user_id: int | None = None, roller: str | None = None
) -> AsyncGenerator[Row]:
    """Yield the events after a number, the oldest first."""
    page = reading.page
    while rows := await reader.do(
        page(campaign_id, after=after, limit=_SLICE, user_id=user_id, roller=roller)
    ):
        for row in reversed(rows):
            yield row
        after = rows[0].event.seq


def _examined(
    system: System, subject: Subject, states: Mapping[Subject, BetState], rows: Sequence[Row]
) -> Examined:
    """Return what is to be said once the bets went on with some more rolls; Unknown for none at all."""
    fallen = falls(row.told for row in rows).get(subject)
    state = states.get(subject, FRESH)
    if fallen:
        state = bet_on(subject.die, fallen, state)
    if not state.counts:
        raise Unknown(_NONE_SEEN)
    return examine(system, state)

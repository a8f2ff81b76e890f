"""Evidence against rigged dice: bets whose state is stored and advanced in steps.

That happens each day, and before a query if more than a step is left. Before a cut removes events the bets
are advanced over them, so that no roll is left out because of its result.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.campaign.events import Event
from bot.campaign.histories import Filter
from bot.dice.errors import Unavailable, Unknown
from bot.dice.system import System
from bot.services.dice_questions import CountedDie, DiceQuestion
from bot.services.visibility import without_hidden_memories
from bot.stats.processes import FRESH
from bot.stats.rigged import EVERYBODY, Examined, Subject, bet_die, bet_on, carry_on, examine, falls
from bot.storage import reading
from bot.storage.engine import Database, transact
from bot.storage.evidence import StoredBets, campaigns_behind, load_bets, store_bets
from bot.storage.queries import Reader
from bot.storage.rows import Row

STEP = 500
"""Events per step, so that nothing else waits for long."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rigging:
    """The use cases of evidence against dice."""

    database: Database
    reader: Reader

    async def examine(self, question: DiceQuestion) -> tuple[CountedDie, Examined]:
        """Return the first of the question's dice that can be judged, and the evidence against it.

        Raise Unknown if there is none.
        """
        for die in question.dice:
            if examined := await self._examine(question, die):
                return die, examined
        raise Unknown(
            "Nothing can be judged yet. Hidden rolls don't count, nor what a roller rolled after one."
        )

    async def _examine(self, question: DiceQuestion, die: CountedDie) -> Examined | None:
        subject = Subject(question.user_id or EVERYBODY, bet_die(die.key, die.system))
        bets = await self.reader.do(load_bets(question.campaign_id))
        if bets.newest - bets.upto > STEP:
            # All rolls of a long day at once would fill the memory.
            await advance_bets(self.database, self.reader, question.campaign_id, bets.newest)
            bets = await self.reader.do(load_bets(question.campaign_id))
        rows, only = list[Row](), replace(die.rolls_of(question.user_id), after=bets.upto)
        while newer := await self.reader.do(reading.page(question.campaign_id, only)):
            rows, only = [*rows, *newer], replace(only, after=newer[-1].event.seq)
        readable = await self.reader.do(without_hidden_memories(rows, ever=True))
        events = [row.visible_event for row in readable]
        return await asyncio.to_thread(_examine_rest, die.system, subject, bets, events)

    async def advance_all(self) -> None:
        """Advance the bets of all campaigns with at least a step of new events."""
        for campaign_id, seq in await self.reader.do(campaigns_behind(STEP)):
            await advance_bets(self.database, self.reader, campaign_id, seq)


async def advance_bets(database: Database, reader: Reader, campaign_id: int, upto: int) -> None:
    """Advance a campaign's bets up to an event number; raise Unavailable if the database fails.

    Other errors are logged: neither other campaigns nor a cut have to wait for dice that can't be judged.
    """
    try:
        while (bets := await reader.do(load_bets(campaign_id))).upto < min(upto, bets.newest):
            room = min(STEP, upto - bets.upto)
            rows = await reader.do(reading.page(campaign_id, Filter(after=bets.upto), limit=room))
            readable = await reader.do(without_hidden_memories(rows, ever=True))
            events = [row.visible_event for row in readable]
            states = await asyncio.to_thread(carry_on, bets.states, events)
            done = rows[-1].event.seq if rows else upto
            # If another process was faster, or a person was erased meanwhile, the step is repeated.
            await transact(database, store_bets(campaign_id, bets, done, states))
    except Unavailable:
        raise
    except Exception:  # noqa: BLE001 (other campaigns go on)
        _log.exception("The dice of campaign %d can't be judged", campaign_id)


def _examine_rest(
    system: System, subject: Subject, bets: StoredBets, events: Sequence[Event]
) -> Examined | None:
    """Advance the bets over further rolls and return the evidence; None for no rolls at all."""
    state = bets.states.get(subject, FRESH)
    if tosses := falls(events).get(subject):
        state = bet_on(subject.die, tosses, state)
    return examine(system, state) if state.counts else None

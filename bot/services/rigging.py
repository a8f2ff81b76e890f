"""Are the dice rigged? Bets against them go on for ever: how they stand is kept, and is carried on in steps.

Who asks has the rest worked out, which is what a day of rolling made. Before a cut removes events they are
carried first, so that nothing is left out because of how it fell.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.campaign.events import Event
from bot.dice.errors import Unavailable, Unknown
from bot.dice.system import System
from bot.services.dice_questions import DiceQuestion
from bot.services.sight import unknown_before
from bot.stats.processes import FRESH
from bot.stats.rigged import EVERYBODY, Examined, Subject, bet_die, bet_on, carry_on, examine, falls
from bot.storage import reading
from bot.storage.engine import Database, work
from bot.storage.evidence import KeptBets, behind, keep_bets, load_bets
from bot.storage.queries import Reader
from bot.storage.rows import Row

STEP = 500
"""Events carried at a time, so that nothing else waits for long."""
_SLICE = 200
_NONE_SEEN = "Nobody rolled that openly here yet. Roll it openly first."

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rigged:
    """An answer, and what it is about."""

    name: str
    system: System
    examined: Examined


@dataclass(frozen=True, slots=True)
class Rigging:
    """The use case of doubt."""

    database: Database
    reader: Reader

    async def examine(self, asked: DiceQuestion) -> Rigged:
        """Return the evidence against the die that was asked for, else the one rolled most."""
        die = asked.dice[0]
        subject = Subject(asked.user_id or EVERYBODY, bet_die(die.key, die.system))
        kept = await self.reader.do(load_bets(asked.campaign_id, subject))
        whose, roller = (None, die.name) if die.named else (asked.user_id, None)
        page = partial(reading.page, asked.campaign_id, limit=_SLICE, user_id=whose, roller=roller)
        rows, after = list[Row](), kept.upto
        while newer := await self.reader.do(page(after=after)):
            rows, after = [*newer, *rows], newer[0].event.seq
        known = await self.reader.do(unknown_before(rows, ever=True))
        events = [row.told for row in reversed(known)]
        examined = await asyncio.to_thread(_examined, die.system, subject, kept, events)
        return Rigged(die.name, die.system, examined)

    async def carry_all(self) -> None:
        """Carry the bets of all campaigns in which enough happened since."""
        for campaign_id, seq in await self.reader.do(behind(STEP)):
            await carry(self.database, self.reader, campaign_id, seq)


async def carry(database: Database, reader: Reader, campaign_id: int, upto: int) -> None:
    """Carry a campaign's bets up to the event of that number; Unavailable where the database fails.

    Where some dice can't be judged it is logged: neither other campaigns nor a cut have to wait for that.
    """
    try:
        while (kept := await reader.do(load_bets(campaign_id))).upto < min(upto, kept.newest):
            room = min(STEP, upto - kept.upto)
            rows = await reader.do(reading.page(campaign_id, after=kept.upto, limit=room))
            known = await reader.do(unknown_before(rows, ever=True))
            states = await asyncio.to_thread(carry_on, kept.states, [row.told for row in reversed(known)])
            # Where another process was faster, or somebody was erased meanwhile, it is done again.
            await work(database, keep_bets(campaign_id, kept, rows[0].event.seq if rows else upto, states))
    except Unavailable:
        raise
    except Exception:  # noqa: BLE001 (whatever it is, the rest is done)
        _log.exception("The dice of campaign %d can't be judged", campaign_id)


def _examined(system: System, subject: Subject, kept: KeptBets, events: Sequence[Event]) -> Examined:
    """Return what is to be said once the bets went on with some more rolls; Unknown for none at all."""
    state = kept.states.get(subject, FRESH)
    if fallen := falls(events).get(subject):
        state = bet_on(subject.die, fallen, state)
    if not state.counts:
        raise Unknown(_NONE_SEEN)
    return examine(system, state)

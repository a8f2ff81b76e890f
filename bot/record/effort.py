"""Work budget for checking a stranger's file, so that no file takes long.

A unit is about a microsecond on a machine of 2020. It is estimated, never timed, so that a file gets the same
verdict everywhere. Rolls beyond the budget are not made again, and are counted as such.
"""

from bot.campaign.accounts import on_check
from bot.campaign.events import Body, RegisterReset, Rolled, RollerMade
from bot.dice.die_distribution import Budget
from bot.dice.distribution import laws
from bot.dice.draws import ReplayError
from bot.dice.expressions import Expression
from bot.dice.system import Memory, OnBase, System
from bot.newest import Newest
from bot.systems.blocks import Blocks
from bot.systems.deck import CARDS_LIMIT, NoRepeat
from bot.systems.decks import Decks
from bot.systems.dynamic import Dynamic
from bot.systems.fair import half_power
from bot.systems.game import GameRoll
from bot.systems.luck import LuckAccount
from bot.systems.registry import load_spec

_START, _LONGEST = 400_000, 250_000
"""Work for a file besides that of its lines; most work for one roll."""
_MOST = 200
"""Most results of a roll: 20 times one card of 10 decks."""
_KNOWN = 1_000
"""Number of cached rules and texts, no more than their parsers cache."""
_NUMBERS, _BITS = 1 << 96, 14_300
"""Larger than any number in a memory; most bits of a draw that can be recorded."""
_POWER, _TOTAL, _LETTER, _CARD = 10, 25, 25, 30
_PITY, _BEST_START = 25_000, 500_000
"""Work for a pity table, and to find the best start of one that names none."""
_RULED = (Rolled, RollerMade, RegisterReset)
_OFTEN = 2_000
"""Work after which the cost of new powers is charged; that is at most ten times as much."""
_NOBODY = "It has a memory that nobody can have."


class Effort:
    """The remaining work budget of one file."""

    def __init__(self) -> None:
        self._left = _START
        self._known = Newest[object, int](_KNOWN)
        """Rule or text to the work of a roll with it, besides that for the roll's size."""
        self._powers = half_power.cache_info().misses
        """Number of powers computed when they were charged last."""
        self._unsettled = 0

    def earn(self, length: int) -> None:
        """Add the work that a line may take: half a second for a million characters."""
        self._left += length // 2

    def allows(self, body: Body, *, closed: bool) -> bool:
        """Charge the work to read an event's rule and make its roll again; return whether the budget had it.

        If the draws are `closed`, only the rule is read. Raise DiceError for an invalid rule, ReplayError for
        an impossible memory.
        """
        if not isinstance(body, _RULED):
            return True
        spec = body.spec
        if spec and spec not in self._known and not self._read(spec):
            return False
        if closed or not isinstance(body, Rolled):
            return True
        if system := body.of.system:
            extra_dice = (_LETTER + len(body.added)) * len(body.rest)
            return self._spend(self._roll_work(system, body) + extra_dice)
        text = body.text
        work = 4 * len(body.draws) + len(body.results) * len(text) // 2
        if text not in self._known:
            work += _LETTER * len(text)
            self._known[text] = 0
        return self._spend(work)

    def _spend(self, work: int) -> bool:
        if work > self._left or work > _LONGEST:
            return False
        self._left -= work
        self._unsettled += work
        if self._unsettled > _OFTEN:
            powers = half_power.cache_info().misses
            self._left -= _POWER * (powers - self._powers)
            self._powers, self._unsettled = powers, 0
        return True

    def _read(self, spec: str) -> bool:
        """Parse a rule and note its work; return False if the budget does not have it."""
        work = 300 + len(spec) // 2
        if "renewal" in spec:
            work += _PITY if '"start":' in spec else _BEST_START
        if work > self._left:
            return False
        self._left -= work
        system = load_spec(spec)
        dice = system.base.dice if isinstance(system, OnBase) else None
        law = self._law_work(dice) if dice else 0
        self._known[spec] = law
        self._left -= 2 * law + (0 if isinstance(system, GameRoll) else 2 * len(system.faces))
        return True

    def _law_work(self, dice: Expression) -> int:
        """Return the work to compute the law of dice, which has a budget of its own."""
        budget = Budget()
        before = budget.remaining
        laws(dice, budget)
        return before - budget.remaining

    def _roll_work(self, system: System, body: Rolled) -> int:
        """Return the work to make a roller's roll again; ReplayError for an impossible memory."""
        memory, results = system.start() if body.before is None else body.before, len(body.results)
        if results > _MOST:
            return _LONGEST + 1
        if memory and (max(memory) >= _NUMBERS or min(memory) <= -_NUMBERS):
            raise ReplayError(_NOBODY)
        if isinstance(system, LuckAccount):
            step = self._check_work(system, body)
        else:
            step = _face_work(system, memory, body)
        work = self._known.get(body.spec, 0) + results * step + 10 * len(body.draws)
        return 2 * work + 4 * len(body.lots) if body.key else work

    def _check_work(self, account: LuckAccount, body: Rolled) -> int:
        """Return the work of one check; the law of its dice is computed and charged at once."""
        key = (body.text, body.check)
        if key not in self._known and self._spend(_LETTER * len(body.text)):
            outcomes = on_check(account, body).outcomes
            work = self._law_work(outcomes.dice) if outcomes.dice else 0
            self._known[key] = _TOTAL * len(outcomes.totals)
            self._left -= 2 * work + 3 * len(outcomes.totals)
        return self._known.get(key, _LONGEST + 1)


def _face_work(system: System, memory: Memory, body: Rolled) -> int:
    """Return the work for one face, about its microseconds; ReplayError for an impossible memory."""
    match system:
        case GameRoll():
            return 100 + (len(body.draws) + sum(map(len, body.stood))) * len(body.spec) // 10
        case Blocks():
            return _CARD * len(system.faces)
        case NoRepeat():
            return _order_work(memory[:-1])
        case Decks(decks=decks):
            parts = zip(decks, system.split(memory), strict=True)
            orders = [_order_work(part[:-1]) for deck, part in parts if isinstance(deck, NoRepeat)]
            return max(orders, default=20) + 3 * len(system.faces)
        case Dynamic(factor=factor):
            bits = max(memory, default=0) * (factor.denominator.bit_length() - 1)
            if bits >= _BITS or min(memory, default=0) < 0:
                raise ReplayError(_NOBODY)
            return 20 + len(system.faces) * (2 + bits // 1_000 + bits * bits // 5_000_000)
        case _:
            return 20 + 2 * len(system.faces)


def _order_work(counts: Memory) -> int:
    """Return the work to count the orders of a deck's cards without repeats; ReplayError for too many."""
    cards = sum(counts)
    if cards > CARDS_LIMIT or min(counts, default=0) < 0:
        raise ReplayError(_NOBODY)
    return 20 + 2 * len(counts) + cards * cards // 3

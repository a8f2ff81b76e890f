"""How much work a stranger's file may ask for, counted so that no file takes long.

A unit is about a microsecond on a machine of 2020. The clock is never asked: a file gets the same verdict
everywhere. Rolls that are beyond it are not made again, and are counted as such.
"""

from bot.campaign.accounts import on_check
from bot.campaign.events import Body, RegisterReset, Rolled, RollerMade
from bot.dice.die_distribution import Budget
from bot.dice.distribution import laws
from bot.dice.draws import ReplayError
from bot.dice.expressions import Expression
from bot.dice.system import Memory, System
from bot.systems.blocks import Blocks
from bot.systems.decks import Decks
from bot.systems.dynamic import Dynamic
from bot.systems.fair import half_power
from bot.systems.game import GameRoll
from bot.systems.luck import LuckAccount
from bot.systems.norepeat import CARDS_LIMIT, NoRepeat
from bot.systems.registry import load_spec

_START, _LONGEST = 400_000, 250_000
"""What there is for a file besides its lines, and what one roll may take."""
_MOST = 200
"""The most results that a roll has: 20 times one card of 10 decks."""
_KNOWN = 1_000
"""How many rules and texts are cached, no more than their readers cache."""
_NUMBERS, _BITS = 1 << 96, 14_300
"""No history gives a memory larger numbers; no larger draw can be written down."""
_POWER, _TOTAL, _LETTER, _CARD = 10, 25, 25, 30
_PITY, _BEST_START = 25_000, 500_000
"""What a table of chances takes, and one that does not say where it starts."""
_RULED = (Rolled, RollerMade, RegisterReset)
_OFTEN = 2_000
"""Work after which the cost of powers is looked up, which is ten times that at most."""
_NOBODY = "It has a memory that nobody can have."


class Effort:
    """The work that is left for one file."""

    def __init__(self) -> None:
        self._left = _START
        self._known: dict[object, int] = {}
        """What a roll takes by each rule and text that was read, over and above its own size."""
        self._powers = half_power.cache_info().misses
        """How many powers were worked out when that was taken off last."""
        self._unsettled = 0

    def earn(self, length: int) -> None:
        """Add the time that a line may take: half a second for each million characters."""
        self._left += length // 2

    def allows(self, body: Body, *, closed: bool) -> bool:
        """Take off what it takes to read an event's rule and to make its roll again; return if it was there.

        Of a roll whose making is `closed` the rule alone is read. DiceError for a rule that is none,
        ReplayError for a memory that nobody can have.
        """
        if not isinstance(body, _RULED):
            return True
        spec = body.spec
        if spec and spec not in self._known and not self._read(spec):
            return False
        if closed or not isinstance(body, Rolled):
            return True
        if system := body.of.system:
            beside = (_LETTER + len(body.added)) * len(body.rest)
            return self._spend(self._making(system, body) + beside)
        text = body.text
        again = 4 * len(body.draws) + len(body.results) * len(text) // 2
        if text not in self._known:
            again += _LETTER * len(text)
            self._keep(text, 0)
        return self._spend(again)

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

    def _keep(self, text: object, work: int) -> None:
        if len(self._known) >= _KNOWN:
            self._known.clear()
        self._known[text] = work

    def _read(self, spec: str) -> bool:
        """Read a rule, if its text leaves time for it, and note what it took."""
        work = 300 + len(spec) // 2
        if "renewal" in spec:
            work += _PITY if '"start":' in spec else _BEST_START
        if work > self._left:
            return False
        self._left -= work
        system = load_spec(spec)
        base: object = getattr(system, "base", None)
        dice: object = getattr(base, "dice", None)
        law = self._law(dice) if isinstance(dice, Expression) else 0
        self._keep(spec, law)
        self._left -= 2 * law + (0 if isinstance(system, GameRoll) else 2 * len(system.faces))
        return True

    def _law(self, dice: Expression) -> int:
        """Return what a law took to work out; no more than the budget that it has itself."""
        budget = Budget()
        before = budget.left
        laws(dice, budget)
        return before - budget.left

    def _making(self, system: System, body: Rolled) -> int:
        memory, results = system.start() if body.before is None else body.before, len(body.results)
        if results > _MOST:
            return _LONGEST + 1
        if memory and (max(memory) >= _NUMBERS or min(memory) <= -_NUMBERS):
            raise ReplayError(_NOBODY)
        each = self._check(system, body) if isinstance(system, LuckAccount) else _step(system, memory, body)
        work = self._known.get(body.spec, 0) + results * each + 10 * len(body.draws)
        return 2 * work + 4 * len(body.lots) if body.key else work

    def _check(self, account: LuckAccount, body: Rolled) -> int:
        """Return what one check takes; the law of its dice is worked out at once."""
        asked = (body.text, body.check)
        if asked not in self._known and self._spend(_LETTER * len(body.text)):
            outcomes = on_check(account, body).outcomes
            work = self._law(outcomes.dice) if outcomes.dice else 0
            self._keep(asked, _TOTAL * len(outcomes.totals))
            self._left -= 2 * work + 3 * len(outcomes.totals)
        return self._known.get(asked, _LONGEST + 1)


def _step(system: System, memory: Memory, body: Rolled) -> int:
    """Return about how many microseconds one face takes; ReplayError for a memory that nobody can have."""
    match system:
        case GameRoll():
            return 100 + (len(body.draws) + sum(map(len, body.stood))) * len(body.spec) // 10
        case Blocks():
            return _CARD * len(system.faces)
        case NoRepeat():
            return _ordering(memory[:-1])
        case Decks(decks=decks):
            parts = zip(decks, system.split(memory), strict=True)
            orders = [_ordering(part[:-1]) for deck, part in parts if isinstance(deck, NoRepeat)]
            return max(orders, default=20) + 3 * len(system.faces)
        case Dynamic(factor=factor):
            bits = max(memory, default=0) * (factor.denominator.bit_length() - 1)
            if bits >= _BITS or min(memory, default=0) < 0:
                raise ReplayError(_NOBODY)
            return 20 + len(system.faces) * (2 + bits // 1_000 + bits * bits // 5_000_000)
        case _:
            return 20 + 2 * len(system.faces)


def _ordering(left: Memory) -> int:
    cards = sum(left)
    if cards > CARDS_LIMIT or min(left, default=0) < 0:
        raise ReplayError(_NOBODY)
    return 20 + 2 * len(left) + cards * cards // 3

"""What a text that can't be read may mean: each program's reading, told apart by exact laws.

A reading is offered only if its law was worked out for this very text; programs that agree are named
together, and none is likelier than another.
"""

from functools import lru_cache

from bot.dice.dialects.dialect import OTHERS, read_in
from bot.dice.distribution import laws
from bot.dice.errors import DiceReading, NotationError, SpecError
from bot.dice.own import read_own, reads, split
from bot.dice.suggestions import repaired, split_words
from bot.dice.sums import Budget

_WORK = 12_000
"""For all that a text may mean, in the unit of `Budget`: with reading it once that is less than 20 ms."""
_PARSING = 25
"""What it takes to read one sign of a text."""


@lru_cache(maxsize=256)
def meanings(text: str) -> tuple[DiceReading, ...]:
    """Return the roll that a text with slips means, else its readings in other programs; none over budget."""
    budget = Budget(_WORK)
    try:
        return _slip(text, budget) or _others(text, budget)
    except SpecError:
        return ()


def _slip(text: str, budget: Budget) -> tuple[DiceReading, ...]:
    """Return the roll that a text with slips means, in its canonical form and with its comment, if any."""
    dice, words = split(text)
    for tried, said in ((dice, words), (not words and split_words(dice)) or ("", "")):
        fixed = repaired(tried)
        budget.spend(_PARSING * len(fixed))
        if reads(fixed):
            return (DiceReading(f"{read_own(fixed)} # {said}" if said else str(read_own(fixed))),)
    return ()


def _others(text: str, budget: Budget) -> tuple[DiceReading, ...]:
    """Return what the text means in other programs, one reading for each law."""
    found: dict[object, tuple[str, list[str]]] = {}
    for dialect in OTHERS:
        budget.spend(_PARSING * len(text))
        try:
            roll = read_in(dialect, text)
        except NotationError:
            continue
        law, said = laws(roll, budget), str(roll)
        shown, names = found.setdefault(law, (said, []))
        names.append(dialect.program)
        if len(said) < len(shown):
            found[law] = said, names
    return tuple(DiceReading(said, _in(names)) for said, names in found.values())


def _in(names: list[str]) -> str:
    return f"in {', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else f"in {names[0]}"

"""Variants of games' rolls, told a second time in Python: resistance, extras, limits, multiple attacks."""

import pytest

from tests.rulebooks.test_games import law_of, rolled
from tests.rulebooks.test_more_games import Die, Judge, judged
from tests.support.tapes import law


def blades(d: Die, dice: int) -> int:
    """Return the die that counts, or 7 for two sixes."""
    fell = sorted(d(6) for _ in range(dice or 2))
    return 7 if dice and fell[-2:] == [6, 6] else fell[-1] if dice else fell[0]


def resisted(d: Die, dice: int) -> int:
    """Blades in the Dark: the stress."""
    best = blades(d, dice)
    return -1 if best == 7 else 6 - best


def fortune(d: Die, dice: int) -> str:
    """Blades in the Dark: how it goes."""
    return ["bad", "bad", "bad", "bad", "mixed", "mixed", "good", "exceptional"][blades(d, dice)]


def exalted(d: Die, dice: int, diff: int, double: int) -> str:
    """Count 7 and above, and twice from `double` on."""
    fell = [d(10) for _ in range(dice)]
    successes = sum((x >= 7) + (x >= double) for x in fell)
    return "botch" if not successes and 1 in fell else judged(successes, diff)


def shadowrun(d: Die, dice: int, need: int, limit: int) -> str:
    """Count hits up to the limit; ones on more than half the dice are a glitch."""
    fell = [d(6) for _ in range(dice)]
    hits = min(sum(x >= 5 for x in fell), limit)
    if fell.count(1) * 2 <= dice:
        return judged(hits, need)
    return f"glitch ({judged(hits, need)})" if hits else "critical glitch"


def extra(d: Die, sides: int) -> str:
    """Savage Worlds without a wild die."""
    total = d.chain(sides, sides, 8)
    return "failure" if total < 4 else "success" if total < 8 else "raise"


def strike(d: Die, bonus: int, ac: int) -> str:
    """Pathfinder, without damage."""
    die = d(20)
    total = die + bonus
    degree = (total > ac - 10) + (total >= ac) + (total >= ac + 10) + (die == 20) - (die == 1)
    return ("critical miss", "miss", "hit", "critical hit")[min(max(degree, 0), 3)]


RULES: dict[str, Judge] = {
    "blades resist 3": lambda d: resisted(d, 3),
    "blades resist 0": lambda d: resisted(d, 0),
    "blades fortune 2": lambda d: fortune(d, 2),
    "blades fortune 0": lambda d: fortune(d, 0),
    "exalted 3 diff 2 double 9": lambda d: exalted(d, 3, 2, 9),
    "shadowrun 3 need 2 limit 1": lambda d: shadowrun(d, 3, 2, 1),
    "savage 6 extra": lambda d: extra(d, 6),
    "pathfinder attack +9 ac 18 map": lambda d: strike(d, 4, 18),
    "pathfinder attack +9 ac 18 map 2 agile": lambda d: strike(d, 1, 18),
    "pathfinder attack +9 ac 18 map -5": lambda d: strike(d, 4, 18),
    "pathfinder check +9 fortune": lambda d: max(d(20), d(20)) + 9,
    "pathfinder check +9 misfortune": lambda d: min(d(20), d(20)) + 9,
    "pathfinder flat 5": lambda d: judged(d(20), 5),
}


@pytest.mark.parametrize("words", RULES)
def test_a_variant_has_the_law_of_the_rule_told_again(words: str) -> None:
    """Every way in which the dice can fall, judged by the rule in Python, adds up to the file's law."""
    again = law(lambda tape: str(RULES[words](Die(tape))))

    assert again == law_of(rolled(words))

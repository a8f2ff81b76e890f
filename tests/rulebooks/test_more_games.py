"""Games whose rules are told a second time here, in Python; test_books.py compares them with their files."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TypeAlias

from tests.rulebooks.test_games import law_of, rolled
from tests.support.tapes import Tape, law


class Die:
    """Dice that fall along a tape: `d(6)`, or `d.chain(6)` for one that explodes."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape

    def __call__(self, sides: int) -> int:
        """Throw a die of so many sides."""
        return self._tape.below(sides) + 1

    def chain(self, sides: int, again: int, most: int = 999) -> int:
        """Return what a die and its further ones add up to; totals above `most` are one."""
        totals = _chains(sides, again, most)
        return [*totals][self._tape.choose([*totals.values()])]


Judge: TypeAlias = Callable[[Die], object]
"""A game's rule: the class, or the number, of one throw."""


@cache
def _chains(sides: int, again: int, most: int) -> dict[int, int]:
    """Return the weight of each total: a die brings a further one from `again` on, ten at most."""

    def one(tape: Tape) -> int:
        faces = [tape.below(sides) + 1]
        while faces[-1] >= again and len(faces) <= 10 and sum(faces) < most:
            faces.append(tape.below(sides) + 1)
        return min(sum(faces), most)

    return {total: int(chance * sides**11) for total, chance in law(one).items()}


def judged(total: int, target: int, *names: str) -> str:
    """Return the first name below the target, else the second."""
    failed, passed = names or ("failure", "success")
    return passed if total >= target else failed


def power(d: Die, bonus: int, edges: int) -> str:
    """Draw Steel."""
    dice = d(10) + d(10)
    if dice >= 19:
        return "critical"
    total = dice + bonus + (2 if edges == 1 else -2 if edges == -1 else 0)
    tier = 1 if total <= 11 else 2 if total <= 16 else 3
    return f"tier {min(max(tier + (edges == 2) - (edges == -2), 1), 3)}"


def stakes(d: Die, bonus: int, dc: int, *, plot: bool) -> str:
    """Cosmere."""
    die, side = d(20), d(6) if plot else 3
    good, bad = (die == 20) + (side in {5, 6}), (die == 1) + (side in {1, 2})
    verdict = judged(die + bonus + {1: 2, 2: 4}.get(side, 0), dc)
    told = [name for name, times in (("opportunity", good), ("complication", bad)) if times]
    return f"{verdict}{' with' if len(told) == 1 else ','} {', '.join(told)}" if told else verdict


def accurate(d: Die, bonus: int, dice: int) -> int:
    """LANCER and the Demon Lord: the best d6 added, or taken off where there are fewer than none."""
    die = d(20)
    best = max((d(6) for _ in range(abs(dice))), default=0)
    return die + bonus + (best if dice > 0 else -best)


def lancer_attack(d: Die) -> str:
    """Hit an evasion of 10 with +1 and one accuracy."""
    total = accurate(d, 1, 1)
    return "miss" if total < 10 else "critical" if total >= 20 else "hit"


def coriolis(d: Die, dice: int) -> str:
    """Count sixes; two of two where there are no dice."""
    sixes = [d(6) for _ in range(dice or 2)].count(6)
    if not dice:
        return "limited success" if sixes == 2 else "failure"
    return "failure" if not sixes else "limited success" if sixes < 3 else "critical success"


def twilight(d: Die, *sides: int) -> str:
    """Six and more on any die."""
    return "success" if max(d(size) for size in sides) >= 6 else "failure"


def age(d: Die) -> str:
    """3d6 +3 against 11."""
    dice = [d(6), d(6), d(6)]
    if sum(dice) + 3 < 11:
        return "failure"
    return "success with stunts" if len({*dice}) < 3 else "success"


def wild(d: Die, dice: int, pips: int, target: int) -> str:
    """D6 System."""
    first = d.chain(6, 6)
    total = first + pips + sum(d(6) for _ in range(dice - 1))
    return judged(total, target) + (" with complication" if first == 1 else "")


def step(d: Die, dice: tuple[int, ...], difficulty: int, less: int = 0) -> str:
    """Earthdawn."""
    fell = [d.chain(sides, sides, 30) for sides in dice]
    total = max(sum(fell) - less, 1)
    if total < difficulty or (len(dice) > 1 and {*fell} == {1}):
        return "failure"
    return "success with extras" if total - difficulty >= 5 else "success"


def legend(d: Die, dice: tuple[int, ...], most: int = 999) -> int:
    """Open Legend: a d20 and the attribute's dice, all exploding."""
    return sum(d.chain(sides, sides, most) for sides in (20, *dice))


def edge(d: Die, sides: int, thrown: int, keep: int, most: int) -> int:
    """Open Legend: the best (or, below 0, worst) so many of more dice, of which what is kept explodes."""
    fell = sorted(d(sides) for _ in range(thrown))
    kept = fell[: abs(keep)] if keep < 0 else fell[-keep:]
    total = sum(kept) + (d.chain(20, 20, most) if sides < 20 else 0)
    for face in kept:
        if face == sides and total < most:
            total += d.chain(sides, sides, most)
    return min(total, most)


def essence(d: Die, dice: tuple[int, ...], dif: int) -> str:
    """Essence20, the skill die first, and the lower ones of a specialty."""
    die, fell = d(20), [(sides, d(sides)) for sides in dice]
    if die == 1:
        return "fumble"
    if die + max(face for _, face in fell) < dif:
        return "failure"
    return "critical success" if any(s == f > 2 for s, f in fell) else "success"


def tunnels(d: Die, attribute: int, level: int) -> str:
    """Doubles add and roll over."""
    total = 0
    for _ in range(11):
        first, second = d(6), d(6)
        total += first + second
        # What has succeeded stays a success, whatever is added.
        if first != second or total >= max(5, 15 + 5 * level - attribute):
            break
    return "failure" if total < 5 else judged(total + attribute, 15 + 5 * level)


def dragonbane(d: Die, skill: int, more: int) -> str:
    """Keep the best for boons, the worst for banes."""
    dice = [d(20) for _ in range(1 + abs(more))]
    die = max(dice) if more < 0 else min(dice)
    if die in {1, 20}:
        return "dragon" if die == 1 else "demon"
    return "success" if die <= skill else "failure"


def fabula(d: Die, one: int, two: int, bonus: int, dl: int) -> str:
    """Two attributes."""
    first, second = d(one), d(two)
    if first == second == 1:
        return "fumble"
    if first == second >= 6:
        return "critical success"
    return judged(first + second + bonus, dl)


def one_ring(d: Die, dice: int, tn: int, *, favoured: bool = False, weary: bool = False) -> str:
    """The feat die's 11 is the Eye, its 12 the rune."""
    rank = {11: 0, 12: 99}
    feat = max(rank.get(face, face) for face in (d(12) for _ in range(1 + favoured)))
    fell = [d(6) for _ in range(dice)]
    total = (0 if feat == 99 else feat) + sum(0 if weary and face < 4 else face for face in fell)
    if feat != 99 and total < tn:
        return "failure"
    return ["success", "great success", "extraordinary success"][min(fell.count(6), 2)]


def stress(d: Die, bonus: int, ease: int) -> str:
    """Ars Magica with one botch die."""
    times, die = 1, d(10) % 10
    if not die:
        return "botch" if d(10) == 10 else judged(bonus, ease)
    for _ in range(9):
        if die != 1:
            break
        times, die = times * 2, d(10)
    if die == 1:
        times *= 2
    # Ten ones in a row end the throw, as if a ten came next.
    return judged(bonus + times * (10 if die == 1 else die), ease)


def rolemaster(d: Die, bonus: int, target: int) -> str:
    """Open-ended both ways."""
    first = d(100)
    more = 0 if 6 <= first <= 95 else d.chain(100, 96, 160)
    return judged(first + (more if first > 95 else -more) + bonus, target)


def heart(d: Die, dice: int) -> str:
    """The highest d10."""
    best = max(d(10) for _ in range(dice))
    names = {1: "critical failure", 6: "success at a cost", 7: "success at a cost", 10: "critical success"}
    return names.get(best, "success" if best > 7 else "failure")


def trophy(d: Die, light: int, dark: int) -> str:
    """Light and dark dice."""
    bright = max((d(6) for _ in range(light)), default=0)
    gloom = max((d(6) for _ in range(dark)), default=0)
    best = max(bright, gloom)
    name = "success" if best == 6 else "partial" if best > 3 else "failure"
    return f"{name} by a dark die" if gloom >= bright else name


def runequest(d: Die, skill: int) -> str:
    """A skill of 60: critical to 3, special to 12, fumble from 99."""
    die, (critical, special, fumble) = d(100), {60: (3, 12, 99), 3: (1, 1, 96)}[skill]
    if die <= max(min(skill, 95), 5):
        return "critical" if die <= critical else "special" if die <= special else "success"
    return "fumble" if die >= fumble else "failure"


def delta(d: Die, skill: int) -> str:
    """Equal digits."""
    die = d(100)
    alike = die == 1 or die in {11, 22, 33, 44, 55, 66, 77, 88, 99, 100}
    return ("critical" if alike else "success") if die <= skill else ("fumble" if alike else "failure")


def wildsea(d: Die, dice: int, cut: int) -> str:
    """Cut the highest, then look at what stays; where nothing does, one die is no triumph."""
    if dice <= cut:
        return "conflict" if d(6) > 3 else "disaster"
    left = sorted(d(6) for _ in range(dice))[: dice - cut]
    name = "triumph" if left[-1] == 6 else "conflict" if left[-1] > 3 else "disaster"
    return name if len({*left}) == len(left) else f"{name} with a twist"


def pendragon(d: Die, skill: int) -> str:
    """The number itself is critical."""
    die = d(20)
    if skill > 20:
        return "critical" if die + skill - 20 >= 20 else "success"
    if die == skill:
        return "critical"
    return "success" if die < skill else "fumble" if die == 20 else "failure"


def harnmaster(d: Die, level: int) -> str:
    """Fives are critical."""
    die, aim = d(100), min(max(level, 5), 95)
    return f"{'critical ' if die % 5 == 0 else ''}{'success' if die <= aim else 'failure'}"


def mutants(d: Die, bonus: int, dc: int) -> str:
    """Count degrees one by one."""
    die = d(20)
    total, degree = die + bonus, 0
    while total >= dc + 5 * degree:
        degree += 1
    while total < dc and total < dc + 5 * degree:
        degree -= 1
    degree += (die == 20) * (2 if degree == -1 else 1)
    name = "success" if degree > 0 else "failure"
    more = {1: "", 2: ", 2 degrees"}
    return name + more.get(abs(degree), ", 3 or more degrees")


RULES: dict[str, Judge] = {
    "drawsteel +3": lambda d: power(d, 3, 0),
    "drawsteel +2 edge 2 bane 1": lambda d: power(d, 2, 1),
    "drawsteel +2 edge 2": lambda d: power(d, 2, 2),
    "drawsteel bane 2": lambda d: power(d, 0, -2),
    "cosmere +3 dc 15": lambda d: stakes(d, 3, 15, plot=False),
    "cosmere +3 dc 15 plot": lambda d: stakes(d, 3, 15, plot=True),
    "lancer +2 accuracy 2": lambda d: judged(accurate(d, 2, 2), 10),
    "lancer difficulty 1": lambda d: judged(accurate(d, 0, -1), 10),
    "lancer attack +1 evasion 10 accuracy 1": lancer_attack,
    "lancer attack +1": lambda d: accurate(d, 1, 0),
    "demonlord +1 boons 2": lambda d: judged(accurate(d, 1, 2), 10),
    "demonlord attack +2 defense 13 banes 1": lambda d: judged(accurate(d, 2, -1), 13, "miss", "hit"),
    "coriolis 4": lambda d: coriolis(d, 4),
    "coriolis 0": lambda d: coriolis(d, 0),
    "twilight 10 8": lambda d: twilight(d, 10, 8),
    "twilight 6": lambda d: twilight(d, 6),
    "age +3 tn 11": age,
    "opend6 4 +1 target 15": lambda d: wild(d, 4, 1, 15),
    "earthdawn 2 difficulty 3": lambda d: step(d, (4,), 3, 1),
    "earthdawn 9 difficulty 8": lambda d: step(d, (8, 6), 8),
    "earthdawn 7 difficulty 8 karma": lambda d: step(d, (12, 6), 8),
    "openlegend 5 cr 15": lambda d: judged(legend(d, (6, 6), 15), 15),
    "openlegend 0": lambda d: legend(d, ()),
    "openlegend edge 1 adv 1 cr 14": lambda d: judged(edge(d, 4, 2, 1, 14), 14),
    "openlegend edge 1 dis 1 cr 14": lambda d: judged(edge(d, 4, 2, -1, 14), 14),
    "openlegend edge 5 adv 1 cr 16": lambda d: judged(edge(d, 6, 3, 2, 16), 16),
    "openlegend edge 5 adv 1 dis 2 cr 16": lambda d: judged(edge(d, 6, 3, -2, 16), 16),
    "openlegend edge 0 adv 2 cr 25": lambda d: judged(edge(d, 20, 2, 1, 25), 25),
    "essence 6 dif 12": lambda d: essence(d, (6,), 12),
    "essence 6 dif 15 special": lambda d: essence(d, (6, 4, 2), 15),
    "tunnels 12": lambda d: tunnels(d, 12, 1),
    "tunnels 40 level 5": lambda d: tunnels(d, 40, 5),
    "dragonbane 12": lambda d: dragonbane(d, 12, 0),
    "dragonbane 12 boon 1": lambda d: dragonbane(d, 12, 1),
    "dragonbane 12 bane 2": lambda d: dragonbane(d, 12, -2),
    "fabula 10 8 +1 dl 10": lambda d: fabula(d, 10, 8, 1, 10),
    "onering 2 tn 14": lambda d: one_ring(d, 2, 14),
    "onering 2 tn 14 favoured weary": lambda d: one_ring(d, 2, 14, favoured=True, weary=True),
    "arsmagica +5 ease 9": lambda d: stress(d, 5, 9),
    "arsmagica +5 ease 40": lambda d: stress(d, 5, 40),
    "arsmagica simple +5 ease 9": lambda d: judged(5 + d(10), 9),
    "rolemaster +60": lambda d: rolemaster(d, 60, 111),
    "rolemaster target 250": lambda d: rolemaster(d, 0, 250),
    "heart 3": lambda d: heart(d, 3),
    "trophy 2 1": lambda d: trophy(d, 2, 1),
    "trophy 0 1": lambda d: trophy(d, 0, 1),
    "runequest 60": lambda d: runequest(d, 60),
    "runequest 3": lambda d: runequest(d, 3),
    "deltagreen 45": lambda d: delta(d, 45),
    "wildsea 3": lambda d: wildsea(d, 3, 0),
    "wildsea 4 cut 2": lambda d: wildsea(d, 4, 2),
    "wildsea 2 cut 2": lambda d: wildsea(d, 2, 2),
    "wildsea 0": lambda d: wildsea(d, 0, 0),
    "pendragon 15": lambda d: pendragon(d, 15),
    "pendragon 20": lambda d: pendragon(d, 20),
    "pendragon 23": lambda d: pendragon(d, 23),
    "harnmaster 62": lambda d: harnmaster(d, 62),
    "harnmaster 120": lambda d: harnmaster(d, 120),
    "mutants +5 dc 20": lambda d: mutants(d, 5, 20),
    "mutants dc 22": lambda d: mutants(d, 0, 22),
}


def test_an_open_roll_has_the_law_of_its_chain() -> None:
    """Rolemaster's total alone: a die of 96 and more brings a further one, ten at most."""
    going, more = Counter({0: 1}), Counter[int]()
    for left in reversed(range(11)):
        further = Counter[int]()
        for (total, ways), face in product(going.items(), range(1, 101)):
            if face > 95 and left:
                further[total + face] += ways
            else:
                more[total + face] += ways * 100**left
        going = further
    again = Counter[int]()
    for first in range(1, 101):
        sign = (first > 95) - (first < 6)
        for total, ways in more.items() if sign else [(0, 100**11)]:
            again[first + 5 + sign * total] += ways

    assert {str(face): Fraction(ways, 100**12) for face, ways in again.items()} == law_of(
        rolled("rolemaster open +5")
    )


def test_the_documented_chance_of_a_saving_roll() -> None:
    """Tunnels & Trolls, level 1 with an attribute of 12."""
    again = law(lambda tape: tunnels(Die(tape), 12, 1))

    assert again["success"] == Fraction(11483, 23328)

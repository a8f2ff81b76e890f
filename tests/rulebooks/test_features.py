"""What characters can do beside the dice of a roll, told again in Python: halfling luck, momentum, a push."""

from collections.abc import Callable

import pytest

from bot.dice.draws import seeded
from bot.parsing.texts import shipped
from bot.rulebooks.words import understand
from bot.systems.game import game_roll
from tests.rulebooks.test_games import rolled
from tests.rulebooks.test_more_games import Die, Judge, judged
from tests.support.tapes import Tape, chances, law


def d20(d: Die, dice: int, *, lucky: bool = False, low: bool = False) -> int:
    """D&D: the best or worst of so many; a halfling throws one 1 of them again and takes what comes."""
    fell = sorted(d(20) for _ in range(dice))
    if lucky and fell[0] == 1:
        fell[0] = d(20)
    return min(fell) if low else max(fell)


def strike(d: Die, die: int, bonus: int, ac: int, crit: int) -> str:
    """D&D: bless and bane, and a wider critical."""
    total = die + bonus + d(4) - d(4)
    if die == 1 or (total < ac and die < crit):
        return "miss"
    return "critical" if die >= crit else "hit"


def death_save(d: Die) -> str:
    """D&D: a blessed halfling."""
    die = d20(d, 1, lucky=True)
    if die in {1, 20}:
        return "two failures" if die == 1 else "back with 1 hit point"
    return judged(die + d(4), 10)


def degrees(die: int, bonus: int, ac: int) -> str:
    """Pathfinder, counted by its steps."""
    total = die + bonus
    step = 3 if total >= ac + 10 else 2 if total >= ac else 0 if total <= ac - 10 else 1
    step = min(max(step + (die == 20) - (die == 1), 0), 3)
    return ["critical miss", "miss", "hit", "critical hit"][step]


def chronicles(d: Die) -> str:
    """Chronicles of Darkness without dice: the chance die."""
    return {1: "dramatic failure", 10: "success"}.get(d(10), "failure")


def threat(d: Die) -> str:
    """Mutants & Masterminds: +5 against 24, critical from 18 on."""
    die = d(20)
    if die == 1 or (die < 20 and die + 5 < 24):
        return "miss"
    return "critical hit" if die >= 18 and die + 5 >= 24 else "hit"


def investigator(d: Die, skill: int, needed: int) -> str:
    """Call of Cthulhu, whose `needed` is what a hard or extreme roll leaves of the skill."""
    die = d(100)
    if die == 1:
        return "critical"
    if die == 100 or (needed < 50 and die > 95):
        return "fumble"
    if die > needed:
        return "failure"
    return "extreme" if die <= skill // 5 else "hard" if die <= skill // 2 else "regular"


RULES: dict[str, Judge] = {
    "dnd5 attack +3 ac 16 bless bane crit 19": lambda d: strike(d, d20(d, 1), 3, 16, 19),
    "dnd5 attack +3 ac 24 bless bane halfling": lambda d: strike(d, d20(d, 1, lucky=True), 3, 24, 20),
    "dnd5 check +2 dc 14 halfling": lambda d: judged(d20(d, 1, lucky=True) + 2, 14),
    "dnd5 check +2 dc 14 halfling adv": lambda d: judged(d20(d, 2, lucky=True) + 2, 14),
    "dnd5 check +2 dc 14 halfling dis": lambda d: judged(d20(d, 2, lucky=True, low=True) + 2, 14),
    "dnd5 check +2 dc 14 halfling adv dis": lambda d: judged(d20(d, 1, lucky=True) + 2, 14),
    "dnd5 check +2 dc 14 elven adv": lambda d: judged(d20(d, 3) + 2, 14),
    "dnd5 check +2 dc 14 elven": lambda d: judged(d20(d, 1) + 2, 14),
    "dnd5 check +2 dc 14 elven adv halfling": lambda d: judged(d20(d, 3, lucky=True) + 2, 14),
    "dnd5 check +2 dc 14 reliable bane": lambda d: judged(max(d20(d, 1), 10) + 2 - d(4), 14),
    "dnd5 death halfling bless": death_save,
    "pathfinder attack +9 ac 20 fortune": lambda d: degrees(d20(d, 2), 9, 20),
    "pathfinder attack +9 ac 20 misfortune": lambda d: degrees(d20(d, 2, low=True), 9, 20),
    "cod 0": chronicles,
    "vampire rouse reroll": lambda d: judged(max(d(10), d(10)), 6, "hunger rises", "success"),
    "mutants attack +5 defense 24 crit 18": threat,
    "cthulhu 45": lambda d: investigator(d, 45, 45),
    "cthulhu 49 hard": lambda d: investigator(d, 49, 24),
    "cthulhu 4 extreme": lambda d: investigator(d, 4, 0),
    "cthulhu 100": lambda d: investigator(d, 100, 100),
    "cthulhu 250 hard": lambda d: investigator(d, 250, 125),
    "cthulhu push 1": lambda d: investigator(d, 1, 1),
}


@pytest.mark.parametrize("way", ["", "gwf", "threes"])
def test_a_great_weapon_throws_low_dice_again_or_takes_them_for_threes(way: str) -> None:
    """On the weapon's dice alone, which a critical doubles like the added ones."""

    def damage(tape: Tape) -> str:
        d = Die(tape)
        die = d(20)
        if die == 1 or (die < 20 and die < 15):
            return "0"
        times = 1 + (die == 20)
        fell = [d(4) for _ in range(times)]
        if way == "gwf":
            fell = [d(4) if face < 3 else face for face in fell]
        if way == "threes":
            fell = [max(face, 3) for face in fell]
        return str(sum(fell) + sum(d(3) for _ in range(times)) + 2)

    roll = rolled(f"dnd5 attack ac 15 1d4+1d3+2 {way}")

    assert law(damage) == chances(dict(roll.amounts))


CRITICAL: dict[str, Callable[[Die], int]] = {
    "1d4+1": lambda d: 2 * (d(4) + 1),
    "1d4+1 deadly d6": lambda d: 2 * (d(4) + 1) + d(6),
    "2d4+1 deadly d6": lambda d: 2 * (d(4) + d(4) + 1) + d(6),
    "3d4+1 deadly d6": lambda d: 2 * (d(4) + d(4) + d(4) + 1) + d(6) + d(6),
    "1d4+1 fatal d6": lambda d: 2 * (d(6) + 1) + d(6),
}
"""The damage of Pathfinder's weapons on a critical hit."""


@pytest.mark.parametrize("words", CRITICAL)
def test_deadly_and_fatal_dice_are_added_to_a_critical_and_not_doubled(words: str) -> None:
    """A 20 that hits anyway is critical, and fatal enlarges the weapon's dice then."""

    def damage(tape: Tape) -> str:
        d = Die(tape)
        step = degrees(d(20), 9, 20)
        if step == "critical hit":
            return str(CRITICAL[words](d))
        return str(sum(d(4) for _ in range(int(words[0]))) + 1 if step == "hit" else 0)

    assert law(damage) == chances(dict(rolled(f"pathfinder attack +9 ac 20 {words}").amounts))


@pytest.mark.parametrize(
    ("words", "fell", "shown"),
    [
        ("ironsworn 2 momentum 8", (1, 5, 7), "score 3 · hits if burned 2"),
        ("ironsworn 2 momentum 6", (1, 5, 7), "score 3 · hits if burned 1"),
        ("ironsworn 2 momentum 6", (4, 5, 7), "score 6"),
        ("ironsworn 2", (1, 5, 7), "score 3"),
        ("modiphius 12 focus 4 diff 2", (3, 9), "successes 3 · momentum 1"),
        ("modiphius 12 focus 4 diff 2", (13, 9), "successes 1"),
    ],
)
def test_what_one_could_do_with_a_result_is_shown_beside_it(
    words: str, fell: tuple[int, ...], shown: str
) -> None:
    """Momentum that would beat more dice, or that is left over."""
    throw, _ = rolled(words).throw((), Tape([die - 1 for die in fell]))

    assert "".join(map(str, throw.parts[-2:])).endswith(shown)


def test_a_failed_roll_is_pushed_once_and_no_other() -> None:
    """Call of Cthulhu: neither a success nor a fumble, and not what was pushed before."""
    request = understand("cthulhu 40 bonus", shipped(), None)
    assert request is not None
    push, seen = request.roll.push, set[tuple[str, bool]]()
    assert push is not None
    for seed in range(200):
        result = game_roll(request).fall(seeded(seed))
        name = game_roll(request).face(result.throw)
        seen.add((name, bool(push.condition.value(result.values))))

    assert seen == {(name, name == "failure") for name, _ in seen}
    assert len(seen) > 3
    second = request.game.roll(push.roll)
    assert second is not None
    assert second.push is None

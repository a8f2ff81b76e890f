"""What the books of games say, checked against them and told a second time in Python."""

from collections import Counter
from collections.abc import Callable

import pytest

from bot.rulebooks.book import builtin_games
from tests.rulebooks import test_features, test_further_rolls, test_games, test_more_games, variants
from tests.rulebooks.test_games import law_of, rolled
from tests.rulebooks.test_more_games import Die, Judge, judged, trophy
from tests.rulebooks.variants import again, warhammer
from tests.support.tapes import Tape, chances, law


def heart(d: Die, dice: int, away: int) -> str:
    """Heart: so many of the highest go; where none would stay, one is thrown and only a 10 helps."""
    if dice <= away:
        die = d(10)
        return {1: "critical failure", 10: "success at a cost"}.get(die, "failure")
    die = sorted(d(10) for _ in range(dice))[dice - 1 - away]
    names = ["critical failure", *["failure"] * 4, *["success at a cost"] * 2, "success", "success"]
    return [*names, "critical success"][die - 1]


def fallout(d: Die, stress: int) -> str:
    """Heart: how bad it is."""
    die = d(12)
    return "no fallout" if die > stress else "minor fallout" if die <= 6 else "major fallout"


def pool(d: Die, dice: int, diff: int, *, specialty: bool = False, willpower: int = 0) -> str:
    """World of Darkness: tens of a specialty bring further dice, of which only successes count."""
    fell = [d(10) for _ in range(dice)]
    further = [x for _ in range(fell.count(10) * specialty) for x in again(d, 10, 10, 6)]
    hits = sum(x >= diff for x in fell + further)
    if 1 in fell and not hits and not willpower:
        return "botch"
    return judged(max(hits - fell.count(1), 0) + willpower, 1)


def cortex(d: Die, sizes: tuple[int, ...], diff: int) -> str:
    """Cortex Prime: a tie fails, five over are heroic, nothing but ones is a botch."""
    fell = [d(size) for size in sizes]
    good = sorted(x for x in fell if x > 1)
    if not good:
        return "botch"
    over = sum(good[-2:]) - diff
    name = "failure" if over <= 0 else "success" if over < 5 else "heroic success"
    return f"{name} with hitch" if 1 in fell else name


def mutants_attack(d: Die, bonus: int, defense: int) -> str:
    """Mutants & Masterminds: a 20 hits anyhow, and is critical where the total hits too."""
    die = d(20)
    hits = die + bonus >= defense
    if die == 20:
        return "critical hit" if hits else "hit"
    return "hit" if hits and die > 1 else "miss"


def cosmere_attack(d: Die, bonus: int, defense: int) -> str:
    """Cosmere: an attack with raised stakes, where opportunity and complication stand side by side."""
    die, plot = d(20), d(6)
    name = judged(die + bonus + (2 * plot if plot < 3 else 0), defense, "miss", "hit")
    told = ["opportunity"] * (die == 20 or plot > 4) + ["complication"] * (die == 1 or plot < 3)
    return f"{name}{' with' if len(told) == 1 else ','} {', '.join(told)}" if told else name


def adversary(d: Die, bonus: int, evasion: int, keep: Callable[[list[int]], int] | None = None) -> str:
    """Daggerheart: the game master's d20."""
    die = keep([d(20), d(20)]) if keep else d(20)
    return "critical" if die == 20 else judged(die + bonus, evasion, "miss", "hit")


def marvel(d: Die, ability: int, target: int, edges: int) -> str:
    """Marvel: edges throw the lowest die again, troubles (below 0) the highest, the Marvel die first."""
    low, high, special = *sorted((d(6), d(6))), d(6)
    if (low, high, special) == (6, 6, 1):
        return "ultimate fantastic success"
    for _ in range(abs(edges)):
        new, worth = d(6), 6 if special == 1 else special
        if edges > 0 and worth <= low:
            special = max(special, new, key=_rank)
        elif edges > 0:
            low = max(low, new)
        elif worth >= high and special != 2:
            special = min(special, new, key=_rank)
        else:
            high = min(high, new)
        low, high = sorted((low, high))
    if (low, high, special) == (6, 6, 1):
        return "ultimate fantastic success"
    name = judged(low + high + min(_rank(special), 6) + ability, target)
    return f"fantastic {name}" if special == 1 else name


def _rank(face: int) -> int:
    return 7 if face == 1 else face


def artifact(d: Die, sides: int) -> str:
    """Forbidden Lands: a base die and an artifact die."""
    return judged(max(d(6), d(sides)), 6)


def hunted(d: Die, dice: int) -> str:
    """Trophy: what a hunt brings."""
    best = max(d(6) for _ in range(dice))
    if best == 1:
        return "all tokens lost"
    return ["something terrible", "a token and something terrible", "a token"][(best > 3) + (best > 5)]


def alien_panic(d: Die, stress: int) -> str:
    """Alien: a debuff from 7 on, and from 10 on no action."""
    total = d(6) + stress
    return "success" if total <= 6 else "panic" if total <= 9 else "panic, the action fails"


def improved(d: Die, skill: int) -> str:
    """Call of Cthulhu: a skill rises that fails, and any above 95."""
    die = d(100)
    return "improvement" if die > skill or die > 95 else "no improvement"


RULES: dict[str, Judge] = {
    "alien panic 5": lambda d: alien_panic(d, 5),
    "alien panic 8 resolve 2": lambda d: alien_panic(d, 6),
    "cortex d4 1 d6 1 d8 1 diff 3": lambda d: cortex(d, (4, 6, 8), 3),
    "cosmere attack +4 defense 14 plot": lambda d: cosmere_attack(d, 4, 14),
    "cthulhu improve 60": lambda d: improved(d, 60),
    "cthulhu improvement 97": lambda d: improved(d, 97),
    "cyberpunk damage 3": lambda d: d(6) + d(6) + d(6),
    "daggerheart adversary +3 evasion 14": lambda d: adversary(d, 3, 14),
    "daggerheart adversary +3 evasion 14 adv": lambda d: adversary(d, 3, 14, max),
    "daggerheart adversary evasion 25 dis": lambda d: adversary(d, 0, 25, min),
    "heart 3 risky": lambda d: heart(d, 3, 1),
    "heart 4 dangerous": lambda d: heart(d, 4, 2),
    "heart 1 risky": lambda d: heart(d, 1, 1),
    "heart 2 dangerous": lambda d: heart(d, 2, 2),
    "heart fallout 4": lambda d: fallout(d, 4),
    "heart fallout 9": lambda d: fallout(d, 9),
    "heart spire 4": lambda d: "fallout" if d(10) < 4 else "no fallout",
    "marvel +2 target 13 edge": lambda d: marvel(d, 2, 13, 1),
    "marvel +2 target 13 edge 3": lambda d: marvel(d, 2, 13, 3),
    "marvel +2 target 13 trouble 1": lambda d: marvel(d, 2, 13, -1),
    "marvel +2 target 13 edge 1 trouble 3": lambda d: marvel(d, 2, 13, -2),
    "marvel target 20": lambda d: marvel(d, 0, 20, 0),
    "mutants attack +5 defense 18": lambda d: mutants_attack(d, 5, 18),
    "mutants attack +1 defense 25": lambda d: mutants_attack(d, 1, 25),
    "runequest resist 13 10": lambda d: judged(65, d(100)),
    "runequest resistance 20 5": lambda d: judged(95, d(100)),
    "runequest resist 3 18": lambda d: judged(5, d(100)),
    "trophy 1 1": lambda d: trophy(d, 1, 1),
    "trophy hunt 2": lambda d: hunted(d, 2),
    "trophy combat 3 7": lambda d: judged(
        sum(sorted(d(6) for _ in range(3))[1:]), 7, "not defeated", "defeated"
    ),
    "warhammer attack 45 hard": lambda d: warhammer(d, 25),
    "wod 2 diff 6 specialty": lambda d: pool(d, 2, 6, specialty=True),
    "wod 3 diff 7 willpower": lambda d: pool(d, 3, 7, willpower=1),
    "wod 3 diff 7": lambda d: pool(d, 3, 7),
    "yearzero mixed 1b d8": lambda d: artifact(d, 8),
    "yearzero strain 1 artifact 12": lambda d: artifact(d, 12),
}


TOLD = RULES | test_more_games.RULES | variants.RULES | test_further_rolls.RULES | test_features.RULES


@pytest.mark.parametrize("words", TOLD)
def test_a_roll_has_the_law_that_its_book_says(words: str) -> None:
    """Every way in which the dice can fall, judged by the rule in Python, adds up to the file's law."""
    again = law(lambda tape: str(TOLD[words](Die(tape))))

    assert again == law_of(rolled(words))


def test_no_game_is_without_a_second_derivation() -> None:
    """A file's law is told again in Python, or has a documented chance."""
    checked = [*TOLD, *(check["words"] for check in test_games.CHECKS)]

    assert builtin_games().keys() == {words.split()[0] for words in checked}


@pytest.mark.parametrize(
    ("words", "fell", "result", "shown"),
    [
        ("splittermond check 10 diff 20", [9, 8], "triumph", {"total 29", "degrees 6"}),
        ("splittermond check 2 diff 22", [9, 8], "failure", {"total 21"}),
        ("splittermond check 10 diff 20", [5, 4], "success", {"total 21"}),
        ("splittermond check 10 diff 24", [5, 2], "failure", {"total 19", "degrees -1"}),
        ("splittermond check 30 diff 20", [0, 1], "fumble", {"total 33", "degrees -1"}),
        ("splittermond check 3 diff 20", [0, 1], "fumble", {"total 6", "degrees -7"}),
        ("splittermond risk 12 diff 20", [0, 9, 0, 9], "fumble", {"total 14", "degrees -5"}),
        ("splittermond safe 12 diff 15", [2, 9], "success", {"total 22", "degrees 2"}),
        ("trophy combat 3 7 weak 2", [1, 5, 1], "defeated", {"ruin 2"}),
        ("marvel attack +3 multiplier 4 target 12", [3, 3, 0], "fantastic success", {"damage 54"}),
        ("marvel attack +3 multiplier 4 target 12", [3, 3, 4], "success", {"damage 23"}),
        ("cosmere attack +4 defense 14 2d6+3", [4, 2, 3], "miss", {"graze 7"}),
        (
            "cosmere attack +4 defense 14 2d6+3",
            [19, 2, 3],
            "hit with opportunity",
            {"damage 10", "if critical 15"},
        ),
        ("daggerheart adversary +1 evasion 12 1d8+2", [19, 2], "critical", {"damage 13"}),
        ("cthulhu improve 60", [60, 6], "improvement", {"gain 7"}),
        ("warhammer attack 45", [36], "success", {"sl 1", "location 73"}),
        ("warhammer attack 45 hard", [4], "success", {"sl 2", "location 50"}),
        ("warhammer attack 45", [61], "failure", {"sl -2"}),
        ("yearzero mixed 1 d12", [2, 11], "success", {"sixes 4"}),
        ("yearzero strain 0 artifact 10 sixes 1", [7], "success", {"all sixes 3"}),
    ],
)
def test_a_roll_shows_what_its_table_counts(
    words: str, fell: list[int], result: str, shown: set[str]
) -> None:
    """Degrees, damage and the like; faces count from 0."""
    roll = rolled(words)
    throw, _ = roll.throw((), Tape(fell))

    assert roll.face(throw) == result
    assert {f" · {part}" for part in shown} <= {*throw.parts} | {
        f" · total {throw.judgement and throw.judgement[0]}"
    }


def test_two_sixes_are_a_critical_injury() -> None:
    """Cyberpunk RED says so beside the damage."""
    told = [
        " · critical injury" in rolled("cyberpunk damage 4").throw((), Tape(fell))[0].parts
        for fell in ([5, 5, 0, 0], [5, 4, 0, 0])
    ]

    assert told == [True, False]


def test_a_skill_rises_by_as_much_as_its_die_shows() -> None:
    """Call of Cthulhu: a d10 in four cases of ten, with a skill of 60."""
    again = Counter({"0": 600}) + Counter({str(n): 40 for n in range(1, 11)})

    assert chances(dict(rolled("cthulhu improve 60").exact_amounts())) == chances(again)

"""Rolls that tables need beside a game's first, told a second time in Python: saves, checks, damage."""

from collections import Counter

from tests.rulebooks import test_more_games
from tests.rulebooks.test_games import rolled
from tests.rulebooks.test_more_games import Die, Judge, judged
from tests.rulebooks.variants import cypher, exalted, morkborg
from tests.support.tapes import chances


def structure(d: Die, dice: int, names: tuple[str, str, str, str]) -> str:
    """LANCER: the lowest die of a structure or an overheating check; two ones are the worst."""
    fell = sorted(d(6) for _ in range(dice))
    if fell[:2] == [1, 1]:
        return names[0]
    return names[1] if fell[0] == 1 else names[2] if fell[0] <= 4 else names[3]


def morale(d: Die, most: int) -> str:
    """Mörk Borg: what an enemy does, by a second throw."""
    return "stands" if d(6) + d(6) <= most else "flees" if d(6) <= 3 else "yields"


def hero_skill(d: Die, skill: int) -> str:
    """HERO System."""
    total = d(6) + d(6) + d(6)
    return {3: "success", 18: "failure"}.get(total) or judged(skill, total)


def action_die(d: Die, sides: int, deed: int, bonus: int, ac: int) -> str:
    """Dungeon Crawl Classics: an attack with a die of the chain and a deed die."""
    die, total = d(sides), bonus + (d(deed) if deed else 0)
    if die == 1:
        return "fumble"
    if die == sides >= 20:
        return "critical"
    return judged(die + total, ac, "miss", "hit")


def tiers(d: Die, bonus: int, tier: int = 0) -> str:
    """Draw Steel, with tiers more or less."""
    fell = d(10) + d(10)
    if fell >= 19:
        return "critical"
    tier += 3 if fell + bonus >= 17 else 2 if fell + bonus >= 12 else 1
    return f"tier {min(max(tier, 1), 3)}"


def complicated(d: Die, target: int, worst: int) -> str:
    """Modiphius's 2d20 against difficulty 1, where `worst` and above are complications."""
    fell = [d(20), d(20)]
    name = judged(sum(1 + (x == 1) for x in fell if x <= target), 1)
    return f"{name} with complication" if max(fell) >= worst else name


def stunt(d: Die, bonus: int, tn: int) -> str:
    """The AGE System: 3d6 of which two that are alike are stunts."""
    fell = [d(6), d(6), d(6)]
    if sum(fell) + bonus < tn:
        return "failure"
    return "success with stunts" if len({*fell}) < 3 else "success"


RULES: dict[str, Judge] = {
    "age +1 focus tn 13": lambda d: stunt(d, 3, 13),
    "blades vice 2": lambda d: max(d(6), d(6)),
    "blades vice 0": lambda d: min(d(6), d(6)),
    "cypher 5 effort 1 eased 1": lambda d: cypher(d, 3),
    "cypher 4 hindered 2": lambda d: cypher(d, 6),
    "cypher recovery 3": lambda d: d(6) + 3,
    "dcc luckcheck 12": lambda d: judged(12, d(20)),
    "dcc attack d24+3 ac 14": lambda d: action_die(d, 24, 0, 3, 14),
    "dcc attack d16+1 deed d3 ac 12": lambda d: action_die(d, 16, 3, 1, 12),
    "dcc attack +2 deed ac 15": lambda d: action_die(d, 20, 3, 2, 15),
    "dcc attack +2 deed d5 ac 15": lambda d: action_die(d, 20, 5, 2, 15),
    "deltagreen lethality 15": lambda d: judged(15, d(100), "not lethal", "lethal"),
    "drawsteel +2 skill": lambda d: tiers(d, 4),
    "drawsteel +1 double bane": lambda d: tiers(d, 1, -1),
    "drawsteel save": lambda d: judged(d(10), 6),
    "exalted 3 diff 2 tn 5": lambda d: exalted(d, 3, 2, 10, 5),
    "exalted damage 3": lambda d: sum(d(10) >= 7 for _ in range(3)),
    "exalted join battle 3": lambda d: 3 + sum((0, 1, 2)[(x > 6) + (x > 9)] for x in (d(10), d(10), d(10))),
    "hero skill 11": lambda d: hero_skill(d, 11),
    "hero skill 2": lambda d: hero_skill(d, 2),
    "hero skill 19": lambda d: hero_skill(d, 19),
    "hero rka 2d6+1": lambda d: d(6) + d(6) + 1,
    "lancer structure 2": lambda d: structure(
        d, 2, ("crushing hit", "direct hit", "system trauma", "glancing blow")
    ),
    "lancer overheat 3": lambda d: structure(
        d, 3, ("irreversible meltdown", "meltdown", "destabilized power plant", "emergency shunt")
    ),
    "modiphius 11 complication 19": lambda d: complicated(d, 11, 19),
    "morkborg morale 7": lambda d: morale(d, 7),
    "rolemaster +60 very hard": lambda d: test_more_games.rolemaster(d, 40, 111),
    "trophy dark 2": lambda d: test_more_games.trophy(d, 0, 2),
    "yearzero mixed 1b1s1g": lambda d: judged([d(6), d(6), d(6)].count(6), 1),
    "yearzero strain base 1 skill 1": lambda d: judged([d(6), d(6)].count(6), 1),
    "yearzero strain 0 gear 1 sixes 1 worn 1": lambda d: judged(d(6), 0),
    "morkborg +1 dr 14": lambda d: morkborg(d, 1, 14),
    "wrathglory damage 8 3ed": lambda d: 8 + sum((0, 0, 0, 1, 1, 2)[d(6) - 1] for _ in range(3)),
}


def test_what_lethality_does_not_kill_it_damages() -> None:
    """Delta Green: both d10 of a failed throw add up, each 0 as 10."""
    damage = ["0" if die <= 15 else str((die // 10 % 10 or 10) + (die % 10 or 10)) for die in range(1, 101)]

    assert chances(dict(rolled("deltagreen lethality 15").exact_amounts())) == chances(Counter(damage))

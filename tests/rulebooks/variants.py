"""Rules of games, and variants of their rolls, told a second time in Python; test_books.py compares them."""

from tests.rulebooks.test_more_games import Die, Judge, judged


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


def exalted(d: Die, dice: int, diff: int, double: int, tn: int = 7) -> str:
    """Count `tn` and above, and twice from `double` on."""
    fell = [d(10) for _ in range(dice)]
    successes = sum((x >= tn) + (x >= double) for x in fell)
    return "botch" if not successes and 1 in fell else judged(successes, diff)


def again(d: Die, sides: int, least: int, left: int = 10) -> list[int]:
    """Return a die and the further ones that it brings from `least` on."""
    fell = [d(sides)]
    return fell + (again(d, sides, least, left - 1) if fell[0] >= least and left else [])


def shadowrun(d: Die, dice: int, need: int, limit: int = 99, sixes: int = 7) -> str:
    """Count hits up to the limit; ones on more than half the dice are a glitch."""
    fell = [x for _ in range(dice) for x in again(d, 6, sixes)]
    hits = min(sum(x >= 5 for x in fell), limit)
    if fell.count(1) * 2 <= len(fell):
        return judged(hits, need)
    return f"glitch ({judged(hits, need)})" if hits else "critical glitch"


def rote(d: Die, dice: int) -> str:
    """Chronicles of Darkness: throw failures again, once."""
    fell = [d(10) for _ in range(dice)]
    fell += [d(10) for x in fell if x < 8]
    fell += [y for x in fell if x == 10 for y in again(d, 10, 10)]
    return ("failure", *["success"] * 4, "exceptional")[min(sum(x >= 8 for x in fell), 5)]


def hard(d: Die, skill: int, part: int) -> str:
    """Call of Cthulhu, where a part of the skill is needed."""
    total = (d(10) - 1 + (d(10) - 1) * 10) or 100
    if total == 100 or (total > 95 and skill // part < 50):
        return "fumble"
    if total == 1:
        return "critical"
    reached = [name for name, n in (("extreme", 5), ("hard", 2)) if total <= skill // n]
    return "failure" if total > skill // part else [*reached, "regular"][0]


def wounds(d: Die, sizes: tuple[int, ...], toughness: int) -> str:
    """Savage Worlds: what damage does."""
    over = sum(d.chain(sides, sides) for sides in sizes) - toughness
    names = ("shaken", "1 wound", "2 wounds", "3 wounds", "4 wounds or more")
    return "no effect" if over < 0 else names[min(over // 4, 4)]


def death(d: Die, bonus: int) -> str:
    """D&D: a saving throw against death."""
    die = d(20)
    if die in {1, 20}:
        return "two failures" if die == 1 else "back with 1 hit point"
    return judged(die + bonus, 10)


def recovery(d: Die, dying: int) -> str:
    """Pathfinder: the degrees of a flat check, which a natural 20 raises and a natural 1 lowers."""
    die, dc = d(20), 10 + dying
    degree = (die > dc - 10) + (die >= dc) + (die >= dc + 10) + (die == 20) - (die == 1)
    return ("critical failure", "failure", "success", "critical success")[max(degree, 0)]


def last_stand(d: Die, body: int, penalty: int) -> str:
    """Cyberpunk RED: a death save, which only a number below BODY passes, and no 10."""
    die = d(10)
    return "success" if die + penalty < body and die < 10 else "failure"


def blessed(d: Die, bonus: int, dc: int) -> str:
    """D&D: a check with guidance."""
    return judged(d(20) + bonus + d(4), dc)


def struck(die: int, bonus: int, ac: int) -> str:
    """D&D: an attack."""
    hits = die == 20 or (die > 1 and die + bonus >= ac)
    return "critical" if die == 20 else "hit" if hits else "miss"


def oracle(d: Die, least: int) -> str:
    """Ironsworn: yes from a number on; equal digits, 00 too, are a match."""
    tens, units = d(10) % 10, d(10) % 10
    answer = judged(tens * 10 + units or 100, least, "no", "yes")
    return f"{answer} with match" if tens == units else answer


def warhammer(d: Die, target: int) -> str:
    """Warhammer, where nothing is sure."""
    die = d(100)
    made, double = die <= 5 or (die <= target and die < 96), die % 11 == 0 or die == 100
    return ("critical" if made else "fumble") if double else judged(made, 1)


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


def alien(d: Die, dice: int, stress: int) -> str:
    """Alien: sixes, and panic by a 1 on a stress die."""
    fell, stressed = [d(6) for _ in range(dice)], [d(6) for _ in range(stress)]
    name = judged([*fell, *stressed].count(6), 1)
    return f"{name} with panic" if 1 in stressed else name


def cypher(d: Die, level: int) -> str:
    """Cypher System."""
    die = d(20)
    effects = {17: "damage bonus", 18: "damage bonus", 19: "minor effect", 20: "major effect"}
    if die == 1:
        return "intrusion"
    return effects.get(die, "success") if die >= 3 * level else "failure"


def duality(d: Die, bonus: int, diff: int, more: int = 0) -> str:
    """Daggerheart; advantage adds a d6, disadvantage takes one off."""
    hope, fear = d(12), d(12)
    bonus += more * d(6) if more else 0
    if hope == fear:
        return "critical"
    return f"{judged(hope + fear + bonus, diff)} with {'hope' if hope > fear else 'fear'}"


def talent(d: Die, attributes: tuple[int, int, int], points: int) -> str:
    """Return The Dark Eye's check on three attributes."""
    fell = [d(20) for _ in attributes]
    if fell.count(20) > 1:
        return "botch"
    rest = points - sum(die - value for die, value in zip(fell, attributes, strict=True) if die > value)
    return "critical" if fell.count(1) > 1 else judged(rest, 0)


def attribute(d: Die, value: int) -> str:
    """Return The Dark Eye's check on one attribute, where a second throw confirms a 1 or a 20."""
    fell = d(20)
    if fell not in {1, 20}:
        return judged(value, fell)
    again = d(20)
    confirmed = again == 1 or (again < 20 and again <= value)
    return ("success", "critical")[confirmed] if fell == 1 else ("botch", "failure")[confirmed]


def fate(d: Die, skill: int, diff: int) -> str:
    """Fate."""
    margin = sum(d(3) - 2 for _ in range(4)) + skill - diff
    if margin == 0:
        return "tie"
    return "style" if margin > 2 else judged(margin, 0)


def gurps(d: Die, skill: int) -> str:
    """GURPS: the worst and the best totals come first."""
    total = d(6) + d(6) + d(6)
    if total in {3, 4} or (total == 5 and skill > 14) or (total == 6 and skill > 15):
        return "critical"
    if total == 18 or total >= skill + 10 or (total == 17 and skill < 16):
        return "critical failure"
    return "failure" if total > skill or total == 17 else "success"


def hero_hit(d: Die, ocv: int, dcv: int) -> str:
    """HERO System."""
    total = d(6) + d(6) + d(6)
    return "hit" if total == 3 or (total < 18 and total <= 11 + ocv - dcv) else "miss"


def morkborg(d: Die, ability: int, dr: int) -> str:
    """MÖRK BORG."""
    die = d(20)
    return {1: "fumble", 20: "critical"}.get(die) or judged(die + ability, dr)


def mothership(d: Die, stat: int, more: int = 0) -> str:
    """Mothership: 00 to 99, the better of two, or the worse."""
    order = ["critical failure", "failure", "success", "critical success"]
    places: list[int] = []
    for die in [d(100) - 1 for _ in range(1 + abs(more))]:
        name = "success" if die < min(stat, 90) else "failure"
        places.append(order.index(f"critical {name}" if die // 10 == die % 10 else name))
    return order[max(places) if more > 0 else min(places)]


def traveller(d: Die, dm: int, boon: int = 0) -> str:
    """Traveller against 8; a negative boon is a bane."""
    fell = sorted(d(6) for _ in range(2 + abs(boon)))
    effect = sum(fell[-2:] if boon > 0 else fell[:2]) + dm - 8
    if abs(effect) >= 6:
        return "exceptional failure" if effect < 0 else "exceptional"
    return judged(effect, 0)


def wrath(d: Die, dice: int, dn: int) -> str:
    """Wrath & Glory."""
    fell, own = [d(6) for _ in range(dice - 1)], d(6)
    name = judged(sum(1 + (die == 6) for die in [*fell, own] if die > 3), dn)
    if own == 1:
        return f"{name} with complication"
    return f"{name} with glory" if own == 6 else name


RULES: dict[str, Judge] = {
    "alien 2 stress 2": lambda d: alien(d, 2, 2),
    "alien panic 3": lambda d: "panic" if d(6) + 3 > 6 else "success",
    "cypher 3": lambda d: cypher(d, 3),
    "cypher 6": lambda d: cypher(d, 6),
    "daggerheart +2 diff 14": lambda d: duality(d, 2, 14),
    "daggerheart +2 diff 14 adv": lambda d: duality(d, 2, 14, 1),
    "daggerheart +2 diff 14 dis": lambda d: duality(d, 2, 14, -1),
    "dsa check 1": lambda d: attribute(d, 1),
    "dsa check 13": lambda d: attribute(d, 13),
    "dsa check 15 mod -3": lambda d: attribute(d, 12),
    "dsa check 20": lambda d: attribute(d, 20),
    "dsa check 25": lambda d: attribute(d, 25),
    "dsa 13 12 11 6": lambda d: talent(d, (13, 12, 11), 6),
    "fate 2 diff 3": lambda d: fate(d, 2, 3),
    "gurps 12": lambda d: gurps(d, 12),
    "gurps 16": lambda d: gurps(d, 16),
    "gurps 4": lambda d: gurps(d, 4),
    "hero body 3": lambda d: sum((0, 1, 1, 1, 1, 2)[d(6) - 1] for _ in range(3)),
    "hero hit 4 6": lambda d: hero_hit(d, 4, 6),
    "morkborg +1": lambda d: morkborg(d, 1, 12),
    "mothership 35": lambda d: mothership(d, 35),
    "mothership 35 adv": lambda d: mothership(d, 35, 1),
    "mothership 35 dis": lambda d: mothership(d, 35, -1),
    "mothership 95": lambda d: mothership(d, 95),
    "traveller +1": lambda d: traveller(d, 1),
    "traveller +1 boon": lambda d: traveller(d, 1, 1),
    "traveller bane": lambda d: traveller(d, 0, -1),
    "wrathglory 4 dn 3": lambda d: wrath(d, 4, 3),
    "blades resist 3": lambda d: resisted(d, 3),
    "blades resist 0": lambda d: resisted(d, 0),
    "blades fortune 2": lambda d: fortune(d, 2),
    "blades fortune 0": lambda d: fortune(d, 0),
    "exalted 3 diff 2 double 9": lambda d: exalted(d, 3, 2, 9),
    "shadowrun 3 need 2 limit 1": lambda d: shadowrun(d, 3, 2, 1),
    "shadowrun 1 limit 1 edge": lambda d: shadowrun(d, 1, 1, sixes=6),
    "shadowrun 2 need 2 edge": lambda d: shadowrun(d, 2, 2, sixes=6),
    "shadowrun 1 edge 2": lambda d: shadowrun(d, 3, 1, sixes=6),
    "ironsworn oracle certain": lambda d: oracle(d, 11),
    "ironsworn oracle small": lambda d: oracle(d, 91),
    "warhammer 45 hard": lambda d: warhammer(d, 25),
    "warhammer 45 very easy": lambda d: warhammer(d, 105),
    "cod rote 1": lambda d: rote(d, 1),
    "cthulhu 52 hard": lambda d: hard(d, 52, 2),
    "cthulhu 52 extreme": lambda d: hard(d, 52, 5),
    "savage damage d8+d6 vs 7": lambda d: wounds(d, (8, 6), 7),
    "savage damage d4 raise vs 5": lambda d: wounds(d, (4, 6), 5),
    "dnd5 check +3 dc 12 guidance": lambda d: blessed(d, 3, 12),
    "dnd5 attack +5 ac 15 bless": lambda d: struck(d(20), d(4) + 5, 15),
    "dnd5 attack +5 ac 15 adv": lambda d: struck(max(d(20), d(20)), 5, 15),
    "dnd5 attack +5 ac 15 dis": lambda d: struck(min(d(20), d(20)), 5, 15),
    "dnd5 death": lambda d: death(d, 0),
    "dnd5 death +3": lambda d: death(d, 3),
    "savage 6 extra": lambda d: extra(d, 6),
    "pathfinder attack +9 ac 18 map": lambda d: strike(d, 4, 18),
    "pathfinder attack +9 ac 18 map 2 agile": lambda d: strike(d, 1, 18),
    "pathfinder attack +9 ac 18 map -5": lambda d: strike(d, 4, 18),
    "pathfinder check +9 fortune": lambda d: max(d(20), d(20)) + 9,
    "pathfinder check +9 misfortune": lambda d: min(d(20), d(20)) + 9,
    "pathfinder flat 5": lambda d: judged(d(20), 5),
    "pathfinder recovery check 1": lambda d: recovery(d, 1),
    "pathfinder recovery 4": lambda d: recovery(d, 4),
    "cyberpunk death save 6": lambda d: last_stand(d, 6, 0),
    "cyberpunk death 11": lambda d: last_stand(d, 11, 0),
    "cyberpunk death 7 +2": lambda d: last_stand(d, 7, 2),
}

"""Throw the dice of a rule, as a person does at a table: pool after pool, with one draw a die."""

from collections.abc import Mapping

from bot.dice.draws import Draws
from bot.dice.terms import Dice
from bot.dice.throws import Die, Face, Part, Pool, Throw
from bot.rulebooks.rules import DicePool, GameFace, GameRule

_NEXT = " · "
_DICE = "dice"
"""A pool of this name is shown without it, as 3d6; so is one that is called what its dice are, d6."""


def throw(rule: GameRule, given: Mapping[str, int], draws: Draws) -> tuple[Throw, Mapping[str, int]]:
    """Throw the rule once with these values of its options; return the dice, and every value by its name.

    The total is the place of the class, or the number.
    """
    seen = list(rule.beginning())
    done: frozenset[str] = frozenset()
    parts: list[Part] = []
    for pool in rule.pools:
        known = rule.known(given, seen, done)
        dice = [_die(pool, known, draws) for _ in range(pool.dice(known))]
        for place, measure in enumerate(rule.measures):
            if pool.name in measure.pools:
                for face in (face for die in dice for face in _counted(pool, die)):
                    seen[place] = measure.join(seen[place], measure.of({**known, **face.values()}))
        if dice:
            plain = pool.sides and pool.name in {_DICE, f"d{len(pool.shown(known))}"}
            name = "" if plain else f"{_shown(pool.name)} "
            parts += [f"{_NEXT if parts else ''}{name}", _part(pool, known, dice)]
        done |= {pool.name}
    values = rule.settle(given, seen)
    # A value of 0 says nothing, unless it is the roll's own count.
    shown = [name for place, name in enumerate(rule.show) if values[name] or not place]
    parts.extend(f"{_NEXT}{_shown(name)} {values[name]}" for name in shown)
    return Throw(rule.outcome(values), tuple(parts)), values


def _part(pool: DicePool, known: Mapping[str, int], dice: list[tuple[GameFace, ...]]) -> Part:
    """Return the dice of a pool as they are shown: those with numbers from 1 on like any other dice."""
    if pool.sides is None:
        return f"({', '.join('+'.join(face.text for face in die) for die in dice)})"
    term = Dice(len(dice), len(pool.shown(known)))
    shown = tuple(Die(tuple(Face(face.number) for face in die)) for die in dice)
    return Pool(term, None, shown, sum(die.value for die in shown))


def _shown(name: str) -> str:
    return name.replace("_", " ")


def _die(pool: DicePool, known: Mapping[str, int], draws: Draws) -> tuple[GameFace, ...]:
    faces = pool.shown(known)
    fell = [faces[draws.below(len(faces))]]
    while pool.explode and len(fell) <= pool.most and pool.explode.value({**known, **fell[-1].values()}):
        fell.append(faces[draws.below(len(faces))])
    return tuple(fell)


def _counted(pool: DicePool, die: tuple[GameFace, ...]) -> tuple[GameFace, ...]:
    """Return what the measures see of a die: each of its faces, or their sum as one number."""
    if not pool.together:
        return die
    total = sum(face.number for face in die)
    return (GameFace(str(total), total),)

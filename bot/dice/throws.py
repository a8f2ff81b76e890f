"""Roll an expression, and hold the result: every die that fell, and the total it adds up to.

A die that shows a face to reroll is thrown again, as often as its term says; one that is rerolled for ever
is thrown among the other faces. A die that shows a face to explode on then explodes: a further die is thrown
and counts as part of it, rerolled and exploded in its turn, up to ten further dice, unless they are separate.
Of equal dice, the earlier ones are kept.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import lru_cache
from itertools import count
from typing import NamedTuple, TypeAlias

from bot.dice.by_hand import ByHand
from bot.dice.draws import Draws
from bot.dice.expressions import (
    Best,
    Binary,
    Expression,
    Negative,
    Node,
    Number,
    Operator,
    Opposed,
    Tagged,
    Thrown,
    Together,
    Truth,
)
from bot.dice.modifiers import Condition, Faces, Keep, Success
from bot.dice.terms import Dice

Toss: TypeAlias = tuple[int, bool]
"""A face as it fell, and whether the die was then thrown again in its place (a reroll)."""
Thrower: TypeAlias = Callable[[Dice, str | None], "Pool"]
"""Give a term, with its tag, its dice."""


@dataclass(frozen=True, slots=True)
class Face:
    """One face as it fell."""

    value: int
    rerolled: bool = False
    """Whether the die was thrown again, so that this face counts for nothing."""
    success: bool = False
    """Whether it is one of the successes counted."""
    changed: int | None = None
    """What it counts as, where that is not what it shows."""

    @property
    def worth(self) -> int:
        """What it counts as."""
        return self.value if self.changed is None else self.changed


@dataclass(frozen=True, slots=True)
class Die:
    """One die of a pool with all that it rerolled and exploded into, in the order thrown."""

    faces: tuple[Face, ...]
    kept: bool = True

    @property
    def value(self) -> int:
        """The sum of its faces, rerolled ones left out."""
        return sum(face.worth for face in self.faces if not face.rerolled)


class Pool(NamedTuple):
    """The dice of one term; `total` is their sum, or how many successes they have."""

    term: Dice
    tag: str | None
    dice: tuple[Die, ...]
    total: int


Part: TypeAlias = Pool | str


class Unit(Enum):
    """What the total of a throw counts."""

    SUM = auto()
    SUCCESSES = auto()
    TRUTH = auto()
    """1 for a success, 0 for a failure."""
    MARGIN = auto()
    """By how much the first of two rolls is higher."""


class Throw(NamedTuple):
    """The result of one roll. Its parts, joined without a separator, read as the expression does.

    Parts that are text carry their own blanks: " + ", "(", "-", "3", " [fire]".
    """

    total: int
    parts: tuple[Part, ...]
    unit: Unit = Unit.SUM
    judgement: tuple[int, str, int] | None = None
    """The number that a game's class was judged by, and the option that it was held against: 23 vs ac 15."""
    amount: int = 0
    """What a game has beside the class, such as damage."""
    by_tag: tuple[tuple[str, int], ...] = ()
    """What each tag of a sum adds to the total, at last "" for the rest; empty for fewer than two tags."""
    judged: "tuple[Throw, Condition] | None" = None
    """The sum that was compared, and with what."""

    @property
    def pools(self) -> list[Pool]:
        """Its dice, term by term."""
        return [part for part in self.parts if isinstance(part, Pool)]


def roll(expression: Expression, draws: Draws) -> Throw:
    """Roll an expression once, whatever its `repeat`, with one draw a toss from left to right."""
    meet = draws.meet if isinstance(draws, ByHand) else None

    def thrower(term: Dice, tag: str | None) -> Pool:
        lowest, sides, below = term.lowest, term.sides, draws.below
        if meet:
            meet(term)
        if term.plain:
            return single_faces(term, [lowest + below(sides) for _ in range(term.count)], tag)
        if term.unique:
            return single_faces(term, _unlike(term, draws), tag)
        return pool_of(term, [_toss(term, draws) for _ in range(term.count)], tag)

    return assemble(expression.body, thrower)


def assemble(body: Node, thrower: Thrower) -> Throw:
    """Build the result of an expression, asking `thrower` for the dice of each term from left to right."""
    if type(body) is Truth:
        return _judge(body, assemble(body.body, thrower))
    parts: list[Part] = []
    total = _add(body, 0, thrower, parts)
    tags = [part for part in parts if (part.startswith(" [") if isinstance(part, str) else part.tag)]
    if type(body) is Tagged and len(tags) == 1 and (parts[0], parts[-2:-1]) == ("(", [")"]):
        del parts[-2], parts[0]  # words behind a whole roll are about all of it
    throw = Throw(total, tuple(parts), Unit.SUM if type(body) is Binary else unit_of(body))
    by_tag = dict[str, int]()
    if len(tags) > 1:
        _sum_tags(body, 1, iter(throw.pools), by_tag)
    rest = by_tag.pop("", 0)
    return throw._replace(by_tag=(*by_tag.items(), ("", rest))) if len(by_tag) > 1 else throw


def _judge(body: Truth, reached: Throw) -> Throw:
    condition, total = body.condition, reached.total
    by = f" by {abs(total - condition.number)}" if total != condition.number else ""
    bad = f" f {body.failure.bracketed}" if body.failure else ""
    end = f" = {total}) {condition.comparison} {condition.number}{bad}{by}"
    return Throw(body.judge(total), ("(", *reached.parts, end), Unit.TRUTH, judged=(reached, condition))


def _sum_tags(node: Node, sign: int, pools: Iterator[Pool], by_tag: dict[str, int]) -> None:
    """Add each part of a sum to its tag, with the dice that fell."""
    if isinstance(node, Binary) and node.operator in {Operator.PLUS, Operator.MINUS}:
        _sum_tags(node.left, sign, pools, by_tag)
        _sum_tags(node.right, sign if node.operator is Operator.PLUS else -sign, pools, by_tag)
        return
    tag = node.tag if isinstance(node, Tagged) else ""
    by_tag[tag] = by_tag.get(tag, 0) + sign * _add(node, 0, lambda _term, _tag: next(pools), [])


def unit_of(body: Node) -> Unit:
    """Return what the totals of an expression count."""
    while isinstance(body, Tagged):
        body = body.body
    if isinstance(body, Dice):
        return Unit.SUCCESSES if body.success else Unit.SUM
    if isinstance(body, Opposed):
        return Unit.MARGIN
    return Unit.TRUTH if isinstance(body, Truth) else Unit.SUM


def single_faces(term: Dice, faces: Sequence[int], tag: str | None = None) -> Pool:
    """Build the pool of dice that show one face each, neither rerolled nor exploded."""
    if term.keep or term.success:
        return pool_of(term, [((face, False),) for face in faces], tag)
    return Pool(term, tag, tuple([_plain_die(face) for face in faces]), sum(faces))


def pool_of(term: Dice, dice: Sequence[tuple[Toss, ...]], tag: str | None = None) -> Pool:
    """Build the pool of these tosses, one tuple a die: settle which dice are kept, and add them up."""
    chains = [(tosses, 0) for tosses in dice]
    if term.explode and term.explode.separate:
        chains = [(link, place) for tosses in dice for place, link in enumerate(_links(tosses))]
    worths = [_worths(term, tosses, first) for tosses, first in chains]
    kept: Sequence[int] = range(len(chains))
    if term.select:
        kept = [place for place in kept if term.select.holds(worths[place][-1])]
    elif term.keep:
        kept = _kept(term.keep, [sum(each) for each in worths], highest=term.keeps_highest)
    implodes = term.explode is not None and term.explode.implodes
    scored = [
        _die(tosses, each, place in kept, term.success, implodes)
        for place, ((tosses, _), each) in enumerate(zip(chains, worths, strict=True))
    ]
    return Pool(term, tag, tuple([die for die, _ in scored]), sum([score for _, score in scored]))


def _worths(term: Dice, tosses: tuple[Toss, ...], first: int) -> tuple[int, ...]:
    """Return what the faces of a die count as, rerolled ones left out; `first` is the place of the first."""
    lasting = [value for value, rerolled in tosses if not rerolled]
    return tuple(lasting if term.plain else map(term.worth, count(first), lasting))


def _toss(term: Dice, draws: Draws) -> tuple[Toss, ...]:
    """Throw one die, with its rerolls and explosions."""
    tosses: list[Toss] = []
    for _ in range(1 + term.further):
        if term.reroll and term.reroll.times is None:
            face = _among_others(term, term.reroll.faces, draws)
        else:
            face = _face(term, draws)
            for _ in range(term.reroll.times or 0 if term.reroll else 0):
                if not term.reroll or not term.reroll.faces.holds(face):
                    break
                tosses.append((face, True))
                face = _face(term, draws)
        tosses.append((face, False))
        if not term.explodes(face):
            break
    return tuple(tosses)


def _face(term: Dice, draws: Draws) -> int:
    place = draws.below(term.sides)
    return term.special[place] if term.special else term.lowest + place


def _among_others(term: Dice, faces: Faces, draws: Draws) -> int:
    """Draw one of the sides that do not show one of these faces, all alike: as if rerolled for ever."""
    place = draws.below(term.sides - term.number_in(faces))
    if term.special:
        return [face for face in term.special if not faces.holds(face)][place]
    face = term.lowest + place
    for first, last in faces.spans(term.lowest, term.highest):
        if face >= first:
            face += last - first + 1
    return face


def _unlike(term: Dice, draws: Draws) -> list[int]:
    """Throw dice of which none shows a face that another one shows."""
    shown: list[int] = []
    for _ in range(term.count):
        face = term.lowest + draws.below(term.sides - len(shown))
        for other in sorted(shown):
            face += face >= other
        shown.append(face)
    return shown


def _links(tosses: tuple[Toss, ...]) -> list[tuple[Toss, ...]]:
    """Split a chain into its dice, each with the faces that were rerolled into it."""
    links, start = list[tuple[Toss, ...]](), 0
    for place, (_, rerolled) in enumerate(tosses, start=1):
        if not rerolled:
            links.append(tosses[start:place])
            start = place
    return links


def _add(node: Node, level: int, thrower: Thrower, parts: list[Part]) -> int:
    """Append the parts that the node shows to `parts`, and return its value."""
    if level and node.binds < level:
        parts.append("(")
        total = _add(node, 0, thrower, parts)
        parts.append(")")
        return total
    match node:  # the common cases first and without subpatterns, which would take as long as the dice
        case Dice():
            parts.append(pool := thrower(node, None))
            total = pool.total
        case Number():
            total = node.value
            parts.append(str(total))
        case Binary():
            operator = node.operator
            first = _add(node.left, operator.binds, thrower, parts)
            parts.append(f" {operator} ")
            total = operator.apply(first, _add(node.right, operator.binds + 1, thrower, parts))
        case Tagged(Dice() as term, tag):
            parts.append(pool := thrower(term, tag))
            total = pool.total
        case Tagged(body, tag):
            total = _add(body, 4, thrower, parts)
            parts.append(f" [{tag}]")
        case Negative(body):
            parts.append("-")
            total = -_add(body, 3, thrower, parts)
        case Truth():
            parts += (judged := assemble(node, thrower)).parts
            total = judged.total
        case _:
            total = _add_many(node, thrower, parts)
    return total


def _add_many(node: Opposed | Best | Together | Thrown, thrower: Thrower, parts: list[Part]) -> int:
    match node:
        case Opposed(left, right):
            first = _add(left, -1, thrower, parts)
            parts.append(" vs " if isinstance(left, Number) else f" = {first} vs ")
            other = _add(right, -1, thrower, parts)
            parts += [] if isinstance(right, Number) else [f" = {other}"]
            return first - other
        case Best(group, keep):
            return _best(group, keep, thrower, parts)
        case Together(terms, keep):
            return _together(terms, keep, thrower, parts)
        case Thrown(number, term):
            parts.append("(")
            dice_count = _add(number, 0, thrower, parts)
            pool = thrower(replace(term, count=dice_count), None)
            parts += [") → ", pool]
            return pool.total


def _best(group: tuple[Node, ...], keep: Keep, thrower: Thrower, parts: list[Part]) -> int:
    totals: list[int] = []
    for part in group:
        parts.append(", " if totals else "{")
        totals.append(_add(part, 0, thrower, parts))
        parts.append(f" = {totals[-1]}")
    parts.append(f"}}{keep}")
    return sum(totals[place] for place in _kept(keep, totals, highest=True))


def _together(terms: tuple[Dice, ...], keep: Keep, thrower: Thrower, parts: list[Part]) -> int:
    """Throw the terms, then strike out the dice that are not kept."""
    pools = [thrower(term, None) for term in terms]
    every = [(die.value, n, place) for n, pool in enumerate(pools) for place, die in enumerate(pool.dice)]
    best = _kept(keep, [value for value, _, _ in every], highest=keep.which.keeps_highest)
    kept = {every[which][1:] for which in best}
    total = 0
    for n, pool in enumerate(pools):
        dice = tuple(replace(die, kept=(n, place) in kept) for place, die in enumerate(pool.dice))
        value = sum(die.value for die in dice if die.kept)
        parts += [" + " if n else "{", pool._replace(dice=dice, total=value)]
        total += value
    parts.append(f"}}{keep}")
    return total


def _kept(keep: Keep, values: Sequence[int], *, highest: bool) -> Sequence[int]:
    """Return the places of the dice that are kept; of equal dice the earlier ones where the highest are."""
    below, above = keep.dropped(len(values))
    best = sorted(range(len(values)), key=values.__getitem__, reverse=highest)
    return best[above : len(values) - below] if highest else best[below : len(values) - above]


@lru_cache(maxsize=2_048)  # there are few different dice, and making one anew costs more than all the rest
def _die(
    tosses: tuple[Toss, ...],
    worths: tuple[int, ...],
    kept: bool,  # noqa: FBT001 (what the cache knows it by)
    success: Success | None,
    implodes: bool,  # noqa: FBT001
) -> tuple[Die, int]:
    """Return the die, whose faces count as `worths`, and how much it adds to the total of its pool."""
    scores = worths
    if success:
        scores = [0 if place and implodes else success.score(worth) for place, worth in enumerate(worths)]
    left = zip(worths, scores, strict=True)
    faces: list[Face] = []
    for value, rerolled in tosses:
        worth, score = (value, 0) if rerolled else next(left)
        counted = success is not None and kept and score > 0
        faces.append(Face(value, rerolled, counted, None if worth == value else worth))
    return Die(tuple(faces), kept), sum(scores) if kept else 0


@lru_cache(maxsize=1_024)
def _plain_die(face: int) -> Die:
    """Return a kept die that shows one face."""
    return Die((Face(face),))

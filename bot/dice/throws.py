"""Roll an expression; the result holds every die thrown and the total.

A die is rerolled up to the number of times in its term; one that is rerolled without limit is drawn from the
other faces. A die then explodes: a further die is thrown and counts as part of it, rerolled and exploded in
its turn, up to ten further dice, unless they are separate. Of equal dice, the earlier ones are kept.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import lru_cache
from itertools import count
from typing import NamedTuple, Self, TypeAlias

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
from bot.dice.modifiers import Condition, Keep, Success
from bot.dice.terms import Dice, Toss

Thrower: TypeAlias = Callable[[Dice, str | None], "Pool"]
"""Return the dice of a term and its tag."""


@dataclass(frozen=True, slots=True)
class Face:
    """One face thrown."""

    value: int
    rerolled: bool = False
    """Whether the die was rerolled, so that this face does not count."""
    success: bool = False
    """Whether it counts as a success."""
    changed: int | None = None
    """The value it counts as, if different from the face."""

    @property
    def worth(self) -> int:
        """The value it counts as."""
        return self.value if self.changed is None else self.changed


@dataclass(frozen=True, slots=True)
class Die:
    """One die of a pool with all its rerolls and explosions, in the order thrown."""

    faces: tuple[Face, ...]
    kept: bool = True

    @property
    def value(self) -> int:
        """The sum of its faces, rerolled ones left out."""
        return sum(face.worth for face in self.faces if not face.rerolled)


class Pool(NamedTuple):
    """The dice of one term; `total` is their sum, or their number of successes."""

    term: Dice
    tag: str | None
    dice: tuple[Die, ...]
    total: int


class Remark(str):
    """English text between dice, with its template and values for translation."""

    __slots__ = ("text", "values")
    text: str
    values: dict[str, object]

    def __new__(cls, text: str, /, **values: object) -> Self:
        """Format the template with the values."""
        remark = super().__new__(cls, text.format(**values))
        remark.text, remark.values = text, values
        return remark


Part: TypeAlias = Pool | str


class Unit(Enum):
    """The unit of a throw's total."""

    SUM = auto()
    SUCCESSES = auto()
    TRUTH = auto()
    """1 for a success, 0 for a failure."""
    MARGIN = auto()
    """The first of two rolls minus the second."""


class Throw(NamedTuple):
    """The result of one roll. Its parts, joined without a separator, read like the expression.

    Text parts include their blanks: " + ", "(", "-", "3", " [fire]".
    """

    total: int
    parts: tuple[Part, ...]
    unit: Unit = Unit.SUM
    judgement: tuple[int, str, int] | None = None
    """The number that decided a game's class, and the option it was compared with: 23 vs ac 15."""
    goal: int = 0
    """The number that was really compared with, such as half a skill; 0 if it is the option's."""
    amount: int = 0
    """A game's second result beside the class, such as damage."""
    by_tag: tuple[tuple[str, int], ...] = ()
    """Each tag's part of the total, "" for the rest last; empty for fewer than two tags."""
    judged: "tuple[Throw, Condition] | None" = None
    """The sum that was compared, and the condition."""

    @property
    def pools(self) -> list[Pool]:
        """Its dice, term by term."""
        return [part for part in self.parts if isinstance(part, Pool)]


def roll(expression: Expression, draws: Draws) -> Throw:
    """Roll an expression once, ignoring its `repeat`, with one draw for each toss from left to right."""
    meet = draws.meet if isinstance(draws, ByHand) else None

    def thrower(term: Dice, tag: str | None) -> Pool:
        lowest, sides, below = term.lowest, term.sides, draws.below
        if meet:
            meet(term)
        if term.plain:
            return single_faces(term, [lowest + below(sides) for _ in range(term.count)], tag)
        if term.unique:
            return single_faces(term, term.throw_unlike(draws), tag)
        return make_pool(term, [term.throw(draws) for _ in range(term.count)], tag)

    return assemble(expression.body, thrower)


def assemble(body: Node, thrower: Thrower) -> Throw:
    """Build the result of an expression; `thrower` returns the dice of each term, from left to right."""
    if type(body) is Truth:
        return _judge(body, assemble(body.body, thrower))
    if type(body) is Tagged and type(body.body) is Truth:
        return _with_tag(assemble(body.body, thrower), f" [{body.tag}]")
    parts: list[Part] = []
    total = _add(body, 0, thrower, parts)
    tags = [part for part in parts if (part.startswith(" [") if isinstance(part, str) else part.tag)]
    if type(body) is Tagged and len(tags) == 1 and (parts[0], parts[-2:-1]) == ("(", [")"]):
        del parts[-2], parts[0]  # a tag behind the whole roll needs no brackets
    throw = Throw(total, tuple(parts), Unit.SUM if type(body) is Binary else unit_of(body))
    by_tag = dict[str, int]()
    if len(tags) > 1:
        _sum_tags(body, 1, iter(throw.pools), by_tag)
    rest = by_tag.pop("", 0)
    return throw._replace(by_tag=(*by_tag.items(), ("", rest))) if len(by_tag) > 1 else throw


def _judge(body: Truth, throw: Throw) -> Throw:
    condition, total = body.condition, throw.total
    bad = f" f {body.failure.bracketed}" if body.failure else ""
    end = f" = {total}) {condition.comparison} {condition.number}{bad}"
    return Throw(body.judge(total), ("(", *throw.parts, end), Unit.TRUTH, judged=(throw, condition))


def _with_tag(throw: Throw, tag: str) -> Throw:
    """Return a compared sum with a tag behind it."""
    whole, condition = throw.judged or (throw, None)
    judged = (whole._replace(parts=(*whole.parts, tag)), condition) if condition else None
    return throw._replace(parts=(*throw.parts, tag), judged=judged)


def _sum_tags(node: Node, sign: int, pools: Iterator[Pool], by_tag: dict[str, int]) -> None:
    """Add the value of each part of a sum to its tag's total in `by_tag`, with the dice of `pools`."""
    if isinstance(node, Binary) and node.operator in {Operator.PLUS, Operator.MINUS}:
        _sum_tags(node.left, sign, pools, by_tag)
        _sum_tags(node.right, sign if node.operator is Operator.PLUS else -sign, pools, by_tag)
        return
    tag = node.tag if isinstance(node, Tagged) else ""
    by_tag[tag] = by_tag.get(tag, 0) + sign * _add(node, 0, lambda _term, _tag: next(pools), [])


def unit_of(body: Node) -> Unit:
    """Return the unit of an expression's totals."""
    while isinstance(body, Tagged):
        body = body.body
    if isinstance(body, Dice):
        return Unit.SUCCESSES if body.success else Unit.SUM
    if isinstance(body, Opposed):
        return Unit.MARGIN
    return Unit.TRUTH if isinstance(body, Truth) else Unit.SUM


def compared(throw: Throw) -> tuple[Throw, Condition] | None:
    """Return the sum, or the one die, of a throw that was compared with a number, and the condition.

    Return None for others, and for a pool of several dice that count as successes.
    """
    if throw.judged:
        return throw.judged
    pool = throw.parts[0] if len(throw.parts) == 1 else ""
    if isinstance(pool, str) or not (success := pool.term.success):
        return None
    term, conditions = pool.term, success.faces.conditions
    if not term.plain or term.kept_count > 1 or success.double or success.failure or len(conditions) != 1:
        return None
    dice = tuple(Die((Face(die.value),), die.kept) for die in pool.dice)
    total = sum(die.value for die in dice if die.kept)
    return Throw(total, (Pool(replace(term, success=None), pool.tag, dice, total),)), conditions[0]


def reached(body: Node, throw: Throw) -> int:
    """Return the number that a throw of `body` shows: the sum compared, or the sum of its first side."""
    if sum_and_condition := compared(throw):
        return sum_and_condition[0].total
    if not isinstance(body, Opposed):
        return throw.total
    pools = iter(throw.pools)
    return assemble(body.left, lambda _term, _tag: next(pools)).total


def sum_of(body: Node) -> Node:
    """Return the sum, or the one die, that is compared in `body`; others unchanged."""
    while isinstance(body, Tagged | Truth):
        body = body.body
    return replace(body, success=None) if isinstance(body, Dice) else body


def single_faces(term: Dice, faces: Sequence[int], tag: str | None = None) -> Pool:
    """Build the pool of dice that show one face each, neither rerolled nor exploded."""
    if term.keep or term.success:
        return make_pool(term, [((face, False),) for face in faces], tag)
    return Pool(term, tag, tuple([_plain_die(face) for face in faces]), sum(faces))


def make_pool(term: Dice, dice: Sequence[tuple[Toss, ...]], tag: str | None = None) -> Pool:
    """Build a pool from tosses, one tuple for each die: choose the dice that are kept, and add them up."""
    chains = [(tosses, 0) for tosses in dice]
    if term.explode and term.explode.separate:
        chains = [(link, place) for tosses in dice for place, link in enumerate(_links(tosses))]
    worths = [_worths(term, tosses, first) for tosses, first in chains]
    kept_places: Sequence[int] = range(len(chains))
    if term.select:
        kept_places = [place for place in kept_places if term.select.holds(worths[place][-1])]
    elif term.keep:
        kept_places = _select_kept(term.keep, [sum(faces) for faces in worths], highest=term.keeps_highest)
    implodes = term.explode is not None and term.explode.implodes
    scored = [
        _die(tosses, faces, place in kept_places, term.success, implodes)
        for place, ((tosses, _), faces) in enumerate(zip(chains, worths, strict=True))
    ]
    return Pool(term, tag, tuple([die for die, _ in scored]), sum([score for _, score in scored]))


def _worths(term: Dice, tosses: tuple[Toss, ...], first: int) -> tuple[int, ...]:
    """Return the values of a die's faces without rerolled ones; `first` is the position of the first."""
    lasting = [value for value, rerolled in tosses if not rerolled]
    return tuple(lasting if term.plain else map(term.worth, count(first), lasting))


def _links(tosses: tuple[Toss, ...]) -> list[tuple[Toss, ...]]:
    """Split an exploding die into separate dice, each with its rerolled faces."""
    links, start = list[tuple[Toss, ...]](), 0
    for place, (_, rerolled) in enumerate(tosses, start=1):
        if not rerolled:
            links.append(tosses[start:place])
            start = place
    return links


def _add(node: Node, level: int, thrower: Thrower, parts: list[Part]) -> int:
    """Append the displayed parts of the node to `parts`, and return its value."""
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
    return sum(totals[place] for place in _select_kept(keep, totals, highest=True))


def _together(terms: tuple[Dice, ...], keep: Keep, thrower: Thrower, parts: list[Part]) -> int:
    """Throw the terms as one pool, and mark the dice that are not kept."""
    pools = [thrower(term, None) for term in terms]
    all_dice = [(die.value, n, place) for n, pool in enumerate(pools) for place, die in enumerate(pool.dice)]
    indices = _select_kept(keep, [value for value, _, _ in all_dice], highest=keep.kind.keeps_highest)
    kept_dice = {all_dice[index][1:] for index in indices}
    total = 0
    for n, pool in enumerate(pools):
        dice = tuple(replace(die, kept=(n, place) in kept_dice) for place, die in enumerate(pool.dice))
        value = sum(die.value for die in dice if die.kept)
        parts += [" + " if n else "{", pool._replace(dice=dice, total=value)]
        total += value
    parts.append(f"}}{keep}")
    return total


def _select_kept(keep: Keep, values: Sequence[int], *, highest: bool) -> Sequence[int]:
    """Return the indices of the kept dice; of equal dice the earlier ones if the highest are kept."""
    below, above = keep.dropped(len(values))
    best = sorted(range(len(values)), key=values.__getitem__, reverse=highest)
    return best[above : len(values) - below] if highest else best[below : len(values) - above]


@lru_cache(maxsize=2_048)  # few different dice occur, and making them is the slowest step
def _die(
    tosses: tuple[Toss, ...],
    worths: tuple[int, ...],
    is_kept: bool,  # noqa: FBT001 (what the cache knows it by)
    success: Success | None,
    implodes: bool,  # noqa: FBT001
) -> tuple[Die, int]:
    """Return the die, whose faces have the values `worths`, and its part of the pool's total."""
    scores = worths
    if success:
        scores = [0 if place and implodes else success.score(worth) for place, worth in enumerate(worths)]
    remaining = zip(worths, scores, strict=True)
    faces: list[Face] = []
    for value, rerolled in tosses:
        worth, score = (value, 0) if rerolled else next(remaining)
        counted = success is not None and is_kept and score > 0
        faces.append(Face(value, rerolled, counted, None if worth == value else worth))
    return Die(tuple(faces), is_kept), sum(scores) if is_kept else 0


@lru_cache(maxsize=1_024)
def _plain_die(face: int) -> Die:
    """Return a kept die that shows one face."""
    return Die((Face(face),))

"""What stands behind the dice of another program is read in that program's order, or not at all.

Each program is played here by hand, one modifier after the other, in its own order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import permutations

import pytest

from bot.dice.dialects.dialect import Dialect
from bot.dice.distribution import distribution
from bot.dice.errors import SpecError
from bot.dice.notation import parse, read_in, reads
from tests.support.tapes import Tape, chances, law

SIDES = 3
FURTHER = 10


@dataclass
class Table:
    """Dice as they lie: what each shows, and what it counts as."""

    draws: Tape
    dice: list[list[int]] = field(default_factory=list[list[int]])
    off: int = 0

    def face(self) -> int:
        """A face of one more die."""
        return 1 + self.draws.below(SIDES)

    def throw(self, number: int) -> None:
        """Throw further dice."""
        for _ in range(number):
            face = self.face()
            self.dice.append([face, face])

    @property
    def total(self) -> int:
        """What all count as."""
        return sum(counts for _, counts in self.dice) - self.off


Step = Callable[[Table], None]


def each(change: Callable[[Table, int], int]) -> Step:
    """Every die shows something else, and counts as that."""

    def step(table: Table) -> None:
        for die in table.dice:
            die[:] = [change(table, die[0])] * 2

    return step


def counted(worth: Callable[[int], int | None]) -> Step:
    """Every die counts as something else than it shows; None leaves it."""

    def step(table: Table) -> None:
        table.off = 0
        for die in table.dice:
            counts = worth(die[0])
            die[1] = die[1] if counts is None else counts

    return step


def kept(number: int, *, highest: bool = True) -> Step:
    """So many of the highest or the lowest dice stay."""

    def step(table: Table) -> None:
        table.dice = sorted(table.dice, key=lambda die: -die[0] if highest else die[0])[:number]

    return step


def dropped(number: int, *, highest: bool = False) -> Step:
    """So many go."""
    return lambda table: kept(len(table.dice) - number, highest=not highest)(table)


def chain(table: Table, most: int) -> list[int]:
    """What further dice show, on and on after the highest face."""
    shown = [table.face()]
    while shown[-1] == SIDES and len(shown) < most:
        shown.append(table.face())
    return shown


def exploded(*, most: int = FURTHER, less: int = 0, together: bool = False) -> Step:
    """Dice that show the highest face bring further ones."""

    def step(table: Table) -> None:
        for die in [die for die in table.dice if die[0] == SIDES]:
            further = [face - less for face in chain(table, most)]
            if together:
                die[:] = [die[0] + sum(further)] * 2
            else:
                table.dice += [[face, face] for face in further]

    return step


def imploded(table: Table) -> None:
    """Ones take one further die off."""
    table.off += sum(table.face() for die in table.dice if die[0] == 1)


def advantage(table: Table) -> None:
    """One more die is thrown, and the lowest goes."""
    table.throw(1)
    dropped(1)(table)


again = each(lambda table, face: table.face() if face == 1 else face)
never = each(lambda table, face: 2 + table.draws.below(SIDES - 1) if face == 1 else face)
least = each(lambda _, face: max(face, 2))
most = each(lambda _, face: min(face, 2))
replaced = each(lambda _, face: 3 if face == 1 else face)
hits = counted(lambda face: int(face >= 2))
deducted = counted(lambda face: -1 if face == 1 else None)
once = exploded(most=1)
PROGRAMS: dict[Dialect, Sequence[Sequence[tuple[str, Step]]]] = {
    # Groups are taken in this order, what is in one group as it is typed.
    Dialect.AVRAE: [
        [
            *[("rr1", never), ("ro1", again), ("e3", exploded()), ("mi2", least), ("ma2", most)],
            *[("kh1", kept(1)), ("pl1", dropped(1)), ("kl1", kept(1, highest=False))],
        ]
    ],
    Dialect.FOUNDRY: [
        [
            *[("rr=1", never), ("r=1", again), ("x=3", exploded()), ("xo=3", once)],
            *[("min2", least), ("max2", most), ("kh1", kept(1)), ("dl1", dropped(1))],
            *[("cs>=2", hits), ("df=1", deducted)],
        ]
    ],
    Dialect.ROLL20: [
        [("!", exploded()), ("!!", exploded(together=True)), ("!p", exploded(less=1))],
        [("kh1", kept(1)), ("d1", dropped(1)), ("kl1", kept(1, highest=False))],
        [(">2", hits)],
    ],
    Dialect.RPG_DICE_ROLLER: [
        [("min2", least)],
        [("max2", most)],
        [
            *[("!", exploded()), ("!!", exploded(together=True)), ("!p", exploded(less=1))],
            ("!!p", exploded(less=1, together=True)),
        ],
        [("r=1", never), ("ro=1", again)],
        [("kh1", kept(1)), ("kl1", kept(1, highest=False))],
        [(">=2", hits)],
    ],
    Dialect.DICE_MAIDEN: [
        [(" adv1", advantage)],
        [(" ir1", never), (" r1", again), (" ie3", exploded()), (" e3", once), (" i1", imploded)],
        [(" k1", kept(1)), (" kl1", kept(1, highest=False)), (" d1", dropped(1))],
        [(" t2", hits)],
    ],
    Dialect.RANDSUM: [
        [("C{<2}", least), ("C{>2}", most)],
        [("K1", kept(1)), ("L", dropped(1)), ("H", dropped(1, highest=True))],
        [("V{1=3}", replaced)],
        [("R{1}", never), ("ro{1}", again)],
        [("!0", exploded())],
        [("!!0", exploded(together=True))],
        [("!p0", exploded(less=1, together=True))],
        [("S{2}", hits)],
    ],
}


def played(
    groups: Sequence[Sequence[tuple[str, Step]]], typed: Sequence[tuple[str, Step]], draws: Tape
) -> int:
    """The total of two dice with these modifiers."""
    table = Table(draws)
    table.throw(2)
    for group in groups:
        for modifier in typed:
            if modifier in group:
                modifier[1](table)
    return table.total


@pytest.mark.parametrize("dialect", PROGRAMS)
def test_two_modifiers_are_read_in_the_order_of_their_program_or_not_at_all(dialect: Dialect) -> None:
    """Rerolls, limits, explosions, keeping and counting, each alone and with each other, either one first."""
    groups = PROGRAMS[dialect]
    every = [modifier for group in groups for modifier in group]
    wrong: dict[str, str] = {}
    for typed in [*permutations(every, 1), *permutations(every, 2)]:
        text = "".join([f"2d{SIDES}", *(name for name, _ in typed)])
        if len(typed) > 1 and all("!" in name for name, _ in typed):
            continue  # side by side they are another modifier
        if not reads(text, dialect):
            assert len(typed) > 1, text
            continue
        roll = read_in(dialect, text)
        try:
            ours = chances(distribution(roll))
        except SpecError:
            continue
        if ours != law(lambda draws, typed=typed: played(groups, typed, draws)):
            wrong[text] = str(roll)

    assert wrong == {}


@pytest.mark.parametrize(
    ("dialect", "text", "ours"),
    [
        (Dialect.RANDSUM, "2d6+3//2", "(2d6+3)//2"),
        (Dialect.RANDSUM, "2d6//2+3", "(2d6+3)//2"),
        (Dialect.RANDSUM, "2d6+1%4", "(2d6+1)%4"),
        (Dialect.RANDSUM, "2d6%4*3//2", "(2d6*3//2)%4"),
        (Dialect.RANDSUM, "2d6-10//2", None),
        (Dialect.RANDSUM, "4dF//2", None),
        (Dialect.DICE_MAIDEN, "2d6+10/2", "(2d6+10)//2"),
        (Dialect.DICE_MAIDEN, "2d6-10/2", None),
        (Dialect.DICE_MAIDEN, "2d6 i1/2", None),
    ],
)
def test_quotients_are_read_in_the_order_of_their_program(
    dialect: Dialect, text: str, ours: str | None
) -> None:
    """Below zero they cut a quotient where ours is rounded down, so that none is read there."""
    assert (read_in(dialect, text) == parse(ours)) if ours else not reads(text, dialect)


def test_a_comma_of_randsum_separates_only_outside_of_braces() -> None:
    """The parts are added up."""
    assert str(read_in(Dialect.RANDSUM, "4d6R{1,2},2d8")) == str(parse("4d6rr{1,2}+2d8"))

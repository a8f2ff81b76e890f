"""Rolling: what a throw shows, by hand and against its own draws."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.d100.ways import spell
from bot.dice.draws import Recorder, RecyclingDraws, Replayer
from bot.dice.expressions import Expression, bounds
from bot.dice.modifiers import Explode
from bot.dice.notation import parse
from bot.dice.terms import Dice
from bot.dice.throws import Die, Face, Pool, Throw, roll
from tests.support.expressions import rolls
from tests.support.tapes import Tape


def thrown(text: str, *faces: int) -> Throw:
    """The throw of a notation when its dice fall so (normal dice only)."""
    tape = Tape([face - 1 for face in faces])
    throw = roll(parse(text), tape)
    assert len(tape.taken) == len(faces), "every face given was thrown, and no other"
    return throw


def shown(throw: Throw) -> str:
    """A throw as text: dropped dice in <>, rerolled faces struck, successes starred."""
    return "".join(part if isinstance(part, str) else _pool(part) for part in throw.parts)


def _pool(pool: Pool) -> str:
    tag = f" [{pool.tag}]" if pool.tag else ""
    return f"{pool.term}{tag} ({', '.join(map(_die, pool.dice))})"


def _die(die: Die) -> str:
    faces = " ".join(_face(face) for face in die.faces)
    return faces if die.kept else f"<{faces}>"


def _face(face: Face) -> str:
    return f"~{face.value}~" if face.rerolled else f"{face.value}{'*' if face.success else ''}"


@pytest.mark.parametrize(
    ("text", "faces", "expected", "total"),
    [
        ("d20", (13,), "1d20 (13)", 13),
        ("2d6+3", (2, 5), "2d6 (2, 5) + 3", 10),
        ("4d6kh3 [fire] + 3", (6, 5, 1, 3), "4d6kh3 [fire] (6, 5, <1>, 3) + 3", 17),
        ("2d20kl1", (9, 9), "2d20kl1 (9, <9>)", 9),
        ("3d6dh1", (4, 6, 6), "3d6dh1 (4, 6, <6>)", 10),
        ("3d6dl1", (2, 2, 6), "3d6dl1 (2, <2>, 6)", 8),
        ("2d6!", (6, 6, 2, 3), "2d6! (6 6 2, 3)", 17),
        ("2d6ro<2", (1, 1, 4), "2d6ro<2 (~1~ 1, 4)", 5),
        ("d6ro6!", (6, 6, 6, 6, 6, 2), "1d6ro6! (~6~ 6 ~6~ 6 ~6~ 2)", 14),
        ("5d10>=7", (7, 6, 10, 1, 8), "5d10>=7 (7*, 6, 10*, 1, 8*)", 3),
        ("2d10!>=7", (10, 8, 3), "2d10!>=7 (10* 8*, 3)", 2),
        ("3d10!kh1>=7", (10, 2, 9, 7), "3d10!kh1>=7 (10* 2, <9>, <7>)", 1),
        ("2d6! =6", (6, 1, 5), "2d6! =6 (6* 1, 5)", 1),
        ("d6+1 to hit", (6,), "1d6 (6) + 1 [to hit]", 7),
        ("(d6+1)[fire]+(d4+2)[cold]", (6, 1), "(1d6 (6) + 1) [fire] + (1d4 (1) + 2) [cold]", 10),
        ("(d6+1[x])[y]*-(d4-2)", (6, 1), "(1d6 (6) + 1 [x]) [y] * -(1d4 (1) - 2)", 7),
        ("-d6//4", (6,), "-1d6 (6) // 4", -2),
        ("d20+5>=15", (14,), "(1d20 (14) + 5 = 19) >= 15", 1),
        ("(2d6)>7", (3, 4), "(2d6 (3, 4) = 7) > 7", 0),
        ("d6-(2-d6)", (6, 5), "1d6 (6) - (2 - 1d6 (5))", 9),
    ],
)
def test_a_throw_shows_what_fell(text: str, faces: tuple[int, ...], expected: str, total: int) -> None:
    """The parts read as the expression does, with every face in its place, and the total is theirs."""
    throw = thrown(text, *faces)

    assert (shown(throw), throw.total) == (expected, total)


def test_fate_dice_show_minus_one_to_one() -> None:
    """The three sides of a Fate die are -1, 0 and 1, and it explodes on 1."""
    throw = roll(parse("4dF!"), Tape([0, 1, 2, 0, 0]))

    assert shown(throw) == "4dF! (-1, 0, 1 -1, -1)"
    assert throw.total == -2


def test_explosions_end() -> None:
    """A die explodes into ten further dice at most."""
    throw = thrown("d6!", *[6] * 11)

    assert throw.total == 66


def test_dice_that_explode_apart_may_not_explode() -> None:
    """Where the highest is dropped, one die is the least that is left."""
    term = parse("2d2!dh1").body
    assert isinstance(term, Dice)

    assert bounds(replace(term, explode=Explode(separate=True))) == (1, 22 * 2)


def test_a_die_is_worth_all_it_exploded_into() -> None:
    """Keep and drop compare whole dice, explosions and all."""
    throw = thrown("2d6!kh1", 6, 1, 5)

    assert [die.value for pool in throw.parts if isinstance(pool, Pool) for die in pool.dice] == [7, 5]
    assert throw.total == 7


@given(rolls(), st.randoms())
def test_a_recorded_roll_comes_again(expression: Expression, random: Random) -> None:
    """Replaying the draws of any roll gives an equal throw, and uses every draw."""
    recorder = Recorder(RecyclingDraws(lambda: random.getrandbits(64)))
    throw = roll(expression, recorder)
    replayer = Replayer(recorder.drawn)
    again = roll(expression, replayer)
    replayer.finish()

    assert again == throw
    assert sum(value for _, value in throw.by_tag) in {throw.total, 0}
    low, high = bounds(expression.body)
    assert low <= throw.total <= high


@given(st.integers(1, 9), st.integers(2, 100), st.data())
def test_digits_are_spelt_by_dice(dice: int, sides: int, data: st.DataObject) -> None:
    """Reading the dice to the base of their sides, each one less than its face, gives the number back."""
    number = data.draw(st.integers(0, sides**dice - 1))
    throw = spell(number, dice, sides)
    (pool,) = throw.parts
    assert isinstance(pool, Pool)
    read = 0
    for die in pool.dice:
        read = read * sides + die.value - 1

    assert pool.term == Dice(dice, sides)
    assert read == number
    assert throw.total == sum(die.value for die in pool.dice)


def test_a_number_too_large_for_the_dice_is_refused() -> None:
    """Two six-sided dice spell 0 to 35."""
    with pytest.raises(ValueError, match="can't spell 36"):
        spell(36, 2, 6)

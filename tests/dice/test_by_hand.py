"""Dice thrown by hand: how faces are typed, which fit, and that the bot's dice would come to the same."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dice.by_hand import TYPED_LIMIT, ByHand, read_thrown, recording
from bot.dice.draws import Replayer, seeded
from bot.dice.errors import SpecError
from bot.dice.notation import parse
from bot.dice.system import System, step
from bot.dice.throws import Throw, roll
from bot.systems.registry import load_spec
from tests.support.systems import make


@pytest.mark.parametrize(
    ("typed", "faces"),
    [
        ("5 2", (5, 2)),
        ("5, 2;3", (5, 2, 3)),
        (" 20 ", (20,)),
        ("+ - 0 −", (1, -1, 0, -1)),
        ("-3 +4", (-3, 4)),
    ],
)
def test_faces_as_people_type_them(typed: str, faces: tuple[int, ...]) -> None:
    """Blanks, commas and semicolons stand between; Fate dice have signs."""
    assert read_thrown(typed) == faces


@pytest.mark.parametrize("typed", ["", " , ", "5 two", "d6", "5+", "1 " * (TYPED_LIMIT + 1), "99999999"])
def test_what_is_no_face(typed: str) -> None:
    """Everything else is refused in words."""
    with pytest.raises(SpecError):
        read_thrown(typed)


def thrown(text: str, *faces: int) -> Throw:
    """The dice that somebody typed."""
    hand = ByHand(faces)
    throw = roll(parse(text), hand)
    hand.finish()
    return throw


@pytest.mark.parametrize(
    ("text", "faces", "total"),
    [
        ("2d6+3", (5, 2), 10),
        ("4d6kh3", (6, 1, 5, 4), 15),
        ("1d6!", (6, 6, 2), 14),
        ("2d6rr1", (4, 3), 7),
        ("2d6ro1", (1, 1, 3), 4),
        ("d{2,3,5,7}", (5,), 5),
        ("3dF", (1, -1, 0), 0),
        ("3d6u", (6, 1, 3), 10),
        ("(1d4)d6", (3, 6, 5, 4), 15),
        ("3d6>=5", (5, 6, 1), 2),
        ("1d20-1d4", (3, 4), -1),
        ("d%", (100,), 100),
    ],
)
def test_dice_that_fit(text: str, faces: tuple[int, ...], total: int) -> None:
    """Every kind of dice comes to what a person at the table would say."""
    assert thrown(text, *faces).total == total


@pytest.mark.parametrize(
    ("text", "faces", "words"),
    [
        ("2d6", (5, 7), "A d6 shows 1 to 6, not 7."),
        ("1d6", (0,), "A d6 shows 1 to 6, not 0."),
        ("2d6", (5,), "After 5 comes one more d6. Type every die as it fell."),
        ("1d6!", (6,), "After 6 comes one more d6."),
        ("2d6", (5, 2, 1), "You typed 3 dice, but this roll has 2. Leave 1 out."),
        ("d{2,3,5,7}", (4,), "The d4 can't show 4 here. It shows 2, 3, 5, 7."),
        ("1d6rr1", (1,), "The d6 can't show 1 here. It shows 2, 3, 4, 5, 6."),
        ("2d6u", (3, 3), "The d6 can't show 3 here. It shows 1, 2, 4, 5, 6."),
        ("1dF", (2,), "The dF can't show 2 here. It shows -1, 0, 1."),
        ("d{1,1,2,3,4,5,6,7,8,9,10,11,12,13}", (0,), "9, 10, 11, 12, …"),
        ("1d5000rr1", (2,), "Nobody throws a d5000 like that by hand."),
    ],
)
def test_dice_that_do_not_fit(text: str, faces: tuple[int, ...], words: str) -> None:
    """The sentence says which face would fit, how many dice there are, and which one is missing."""
    with pytest.raises(SpecError, match=re.escape(words)):
        thrown(text, *faces)


TEXTS = [
    "2d6+3",
    "4d6kh3",
    "2d6!",
    "2d6ro1",
    "d{2,3,3,7}+1d4",
    "3dF",
    "3d6u",
    "(1d4)d6",
    "{2d6, 1d12}kh1",
    "2d6rr1",
]


@given(st.sampled_from(TEXTS), st.integers(0, 10**6))
def test_typed_dice_are_recorded_as_the_same_draws(text: str, seed: int) -> None:
    """The faces that the bot threw, typed in, make the same roll; their draws are ones that replay it."""
    record = recording(seeded(seed))
    throw = roll(parse(text), record)
    faces = [face.value for pool in throw.pools for die in pool.dice for face in die.faces]
    hand = ByHand(faces)
    again = roll(parse(text), hand)
    hand.finish()

    assert again == throw
    assert roll(parse(text), Replayer(hand.drawn)) == throw


@pytest.mark.parametrize(
    ("system", "faces", "came"),
    [
        (make("fair", "2d6", tightness="1"), (3, 5), "8"),
        (make("dynamic", "1d6", factor="0.5"), (4,), "4"),
        (make("deck", "1d6"), (6,), "6"),
        (load_spec('{"system":"register","dice":4,"sides":6,"values":100}'), (6, 1, 5, 4), "7"),
        (load_spec('{"system":"leftovers","sides":6,"values":100}'), (6, 1, 5), "11"),
        (make("dice", "4d6kh3"), (6, 1, 5, 4), "15"),
        (
            make("fair", {"dice": "2d6", "labels": {"wood": [2, 3, 12], "ore": [*range(4, 12)]}}),
            (6, 6),
            "wood",
        ),
    ],
)
def test_systems_remember_typed_dice(system: System, faces: tuple[int, ...], came: str) -> None:
    """The face is what the dice make, they are shown, and the memory goes on as after any other roll."""
    hand = ByHand(faces)
    outcome, after = step(system, system.start(), hand)
    hand.finish()

    assert outcome.face == came
    assert outcome.throw
    assert [die.value for pool in outcome.throw.pools for die in pool.dice] == [*faces]
    if len(hand.drawn) == 1:
        assert after == system.advance(system.start(), system.faces.index(came))


def test_a_face_that_is_not_in_the_deck_any_more() -> None:
    """A deck without a 6 takes no 6 from anybody's hand, and says which cards it has."""
    deck = make("deck", "1d6")
    _, memory = step(deck, deck.start(), ByHand((6,)))
    with pytest.raises(SpecError, match=r"6 can't come out now\. These can: 1, 2, 3, 4, 5"):
        step(deck, memory, ByHand((6,)))


def test_cards_are_not_thrown() -> None:
    """What has no dice is left to the bot."""
    cards = make("deck", {"elk": 3, "owl": 3})
    with pytest.raises(SpecError, match="Nobody can throw that by hand"):
        step(cards, cards.start(), ByHand((1,)))
    with pytest.raises(SpecError, match="Roll it with the bot"):
        ByHand((1,)).choose((1, 1))

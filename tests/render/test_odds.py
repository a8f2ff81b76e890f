from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.rollers import Remembers
from bot.render.odds import heading, note, table
from bot.systems.odds import after, odds
from tests.support.systems import make

FAIR = make("fair", {"left": 1, "right": 1}, tightness="1")


def test_every_face_has_both_chances() -> None:
    """After "left", a fair coin of tightness 1 has it with 1/3 in place of 1/2."""
    base, now = odds(FAIR, FAIR.start()), odds(FAIR, after(FAIR, ["left"]))
    text = table(heading("Coin", FAIR), note(FAIR, Remembers.TABLE), FAIR.faces, base, now)

    assert text.splitlines() == [
        "`Coin: fair left/right, tightness 1`",
        "```",
        "face   without memory  next roll",
        "left           50.0 %     33.3 %",
        "right          50.0 %     66.7 %",
        "```",
        "The table shares its memory.",
    ]


def test_the_note_says_whose_memory_it_is() -> None:
    """The table's, the asker's own, or none."""
    assert note(FAIR, Remembers.PLAYER) == "Every player has their own memory; this is yours."
    assert note(make("dice"), Remembers.PLAYER) == "Plain dice remember nothing."


def test_of_many_faces_those_that_changed_most_are_shown() -> None:
    """Of 100 faces the 24 with the largest change, in their order, and how many are missing."""
    system = make("deck", "d100")
    drawn = [str(n) for n in range(7, 31)]
    base, now = odds(system, system.start()), odds(system, after(system, drawn))
    lines = table("x", "y", system.faces, base, now).splitlines()

    assert [line.split()[0] for line in lines[3:27]] == drawn
    assert lines[-1] == "… and 76 faces that changed less; the chart has them all."


@given(
    st.lists(st.text(st.sampled_from("ab`\n*<@1>"), max_size=80), min_size=1, max_size=60),
    st.text(st.sampled_from("ab`*"), max_size=32),
)
def test_any_faces_fit_a_message(faces: list[str], name: str) -> None:
    """Faces of any names stay within the block of code, and the text within a message."""
    chance = (Fraction(1, len(faces)),) * len(faces)
    text = table(f"{name}: {'fair 1d6' + '*1' * 97}", "Plain dice remember nothing.", faces, chance, chance)

    assert len(text) <= 2_000
    assert text.count("```") == 2
    assert text.count("`") == 8

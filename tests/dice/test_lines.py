"""A refused line is tidied, or read piece by piece: no number of it is lost."""

from collections import Counter

import pytest

from bot.dice.everyday import RESERVED, tidy
from bot.dice.lines import read_line
from bot.dice.notation import comment, guesses, reads
from bot.dice.slips import AS_LABEL
from tests.support.everyday import ASKED, OFFERED, READ, number_words


@pytest.mark.parametrize(
    ("text", "tidied"),
    [
        ("“Great Axe” 1d12+4", "Great Axe 1d12+4"),
        ("🎲 ２ｄ６＋１", "2d6+1"),
        ("can you please roll a d20, please?", "d20"),
        ("d20+5dc15", "d20+5 dc 15"),
        ("2d6fire", "2d6 fire"),
        ("Perception: +5", "Perception +5"),
        ("Perception (+5)", "Perception +5"),
        ("8d6 - fireball", "8d6 - fireball"),
        ("1d20+7 || 1d8", "1d20+7; 1d8"),
        ("2d6!", "2d6!"),
        ("(str)d6", "(str)d6"),
        ("4d6 discard the lowest # can I?", "4d6 drop the lowest # can I?"),
    ],
)
def test_a_text_is_tidied(text: str, tidied: str) -> None:
    """Signs of notation, names in brackets and the comment stay."""
    assert tidy(text) == tidied


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("sword d20+5 adv ac 15, 1d8+3 fire", ["d20 adv+5 ac 15; 1d8+3 fire # sword"]),
        ("dc 15 wis", ["1d20 dc 15 # wis"]),
        ("3 rays +7 against ac 14", ["3#1d20+7 ac 14 # rays"]),
        ("ray x3 +7 2d6", ["3#1d20+7; 3#2d6 # ray"]),
        ("d20 stealth +5", ["d20+5 # stealth"]),
        ("stealth +5 and bless", ["1d20+5+1d4 # stealth, bless", "1d20+5 # stealth, bless"]),
        ("fire 8d6 dc 15 dex", ["8d6 # fire dex dc 15"]),
        # A piece without a place of its own, and what is no roll at all.
        ("d20+5 fire 7", []),
        ("fire 8d6 adv", []),
        ("fire 8d6 ac 15", []),
        ("8d6 dc 15", []),
        ("d20 d8", []),
        ("d20+5 stealth +2", []),
        ("sword x2 x3 +5", []),
        ("d20 dc 15 fire ac 12", []),
        ("fire without 8d6", []),
        ("3 rays", []),
        ("sword vs 1d20+1", []),
        ("4d6kx", []),
        ("", []),
        ("fire " * 60 + "8d6", []),
    ],
)
def test_a_line_is_read_piece_by_piece(text: str, readings: list[str]) -> None:
    """Its first roll may be on a d20 of which only the bonus is typed."""
    assert [reading.text for reading in read_line(text)] == readings


def test_a_guess_loses_nothing() -> None:
    """No number is lost, and no word that may change a roll becomes a label, unless it says so."""
    lines = {
        line
        for line in (*READ, *ASKED, *(text for _, text, _ in OFFERED))
        if not {*"{%"} & {*line}
        and "50" not in line
        and not {"percent", "percentile", "or"} & {*line.split()}
    }
    for text in (around.format(line) for line in lines for around in ("{}", "sword {}", "{} foo", "{}!")):
        for reading in () if reads(text) else guesses(text):
            label = comment(reading.text)
            assert not Counter(number_words(tidy(text))) - Counter(number_words(reading.text)), (
                text,
                reading,
            )
            assert not RESERVED.search(label) or reading.meaning == AS_LABEL or label in text, (text, reading)

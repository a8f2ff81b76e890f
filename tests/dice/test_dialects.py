"""Other programs' notation: every documented line, with its dialect chosen and without."""

import pytest

from bot.dice.dialects.dialect import OTHERS, Dialect
from bot.dice.errors import DiceReading, NotationError
from bot.dice.notation import parse, read_in
from tests.support.dialects import Line, fingerprints, lines

LINES = [line for line in lines() if line.in_scope]

OURS = {
    *("avrae: d%+1d10", "avrae: 4d6k1"),
    *("dicemaiden: -d20", "dicemaiden: -d20-3", "dicemaiden: -d%"),
    "randsum: 2d6+3*2",
    *("roll20: 3d6!>5", "roll20: 2d6ro<2"),
    *("rpg-dice-roller: 2d10!<=3", "rpg-dice-roller: 2d6!>3", "rpg-dice-roller: 3d10!k2"),
}
"""Lines that Evenhand's own notation defines, with another law: that one holds unless a dialect is chosen."""


def law(text: str, dialect: Dialect) -> list[str] | None:
    """The law of a line as a dialect reads it; None where it does not."""
    try:
        return fingerprints(read_in(dialect, text))
    except NotationError:
        return None


def offered(line: Line) -> tuple[DiceReading, ...] | None:
    """The readings that a line is refused with when no dialect is chosen; None where it is read."""
    try:
        parse(line.text)
    except NotationError as refused:
        return refused.readings
    return None


def named(line: Line, reading: DiceReading) -> bool:
    """Whether a reading is offered in the name of the line's program, or as a slip of anybody."""
    own = not reading.meaning and not reading.programs
    return own or Dialect(line.dialect).program in reading.programs


def test_a_dialect_reads_its_lines_as_documented() -> None:
    """Nine in ten are read, each with the law that its program documents; the others are refused."""
    found = [(line, law(line.text, Dialect(line.dialect))) for line in LINES]

    assert [str(line) for line, read in found if read is not None and read != line.law] == []
    assert sum(read is not None for _, read in found) >= 0.9 * len(LINES)


def test_without_a_dialect_a_line_is_read_or_offered() -> None:
    """Six in seven are; what is read with another law is what our own notation defines, and nothing else."""
    readings = [(line, offered(line)) for line in LINES]
    read = {
        str(line): fingerprints(parse(line.text)) == line.law for line, found in readings if found is None
    }
    right = [
        line
        for line, found in readings
        for reading in found or ()
        if named(line, reading) and fingerprints(parse(reading.text)) == line.law
    ]

    assert {line for line, same in read.items() if not same} == OURS
    assert sum(read.values()) + len(right) >= 0.85 * len(LINES)


def test_nothing_is_offered_in_the_name_of_a_program_that_means_another_law() -> None:
    """Neither a slip put right nor a reading that names the program rolls anything but what it documents."""
    wrong = [
        (str(line), reading)
        for line in LINES
        for reading in offered(line) or ()
        if named(line, reading) and fingerprints(parse(reading.text)) != line.law
    ]

    assert wrong == []


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("4d6r2", {"4d6ro<=2": "Dice Maiden", "4d6ro2": "Foundry", "4d6rr2": "Roll20"}),
        ("4d6x6", {"4d6!": "Foundry", "6#4d6": "RANDSUM"}),
        ("2d6e5", {"2d6!{5}": "Avrae", "2d6!o{>=5}": "Dice Maiden"}),
        ("{3d20+5}>21", {"3d20>=16": "Roll20", "(3d20+5)>21": "rpg-dice-roller"}),
        ("+d20", {"2d20kh1": "Dice Maiden", "1d20": "Roll20"}),
        ("2d6>7", {"(2d6)>7": "Avrae"}),
        ("d20++", {}),
    ],
)
def test_one_text_may_have_several_laws(text: str, readings: dict[str, str]) -> None:
    """Each law is offered once, in the names of the programs that have it."""
    with pytest.raises(NotationError) as refused:
        parse(text)
    found = refused.value.readings

    assert {reading.text for reading in found} == set(readings)
    assert all(readings[reading.text] in reading.programs for reading in found)


OWN_SIGNS = {
    (Dialect.DICE_MAIDEN, "d20 adv"),  # adv1 is another roll there
    (Dialect.RPG_DICE_ROLLER, "6#2d6"),  # a # begins a comment
    (Dialect.AVRAE, "d20+5 vs d20"),  # any words behind are a comment
    (Dialect.ROLL20, "d20+5 vs d20"),
}


@pytest.mark.parametrize("dialect", OTHERS)
@pytest.mark.parametrize("text", ["6#2d6", "d20+5 vs d20", "2d6 # fire", "/r 2d6+3", "d20 adv"])
def test_what_a_dialect_leaves_open_is_ours(dialect: Dialect, text: str) -> None:
    """What is ours alone is read as ours, where the dialect has no sign of its own in it."""
    try:
        read = read_in(dialect, text)
    except NotationError:
        assert (dialect, text) in OWN_SIGNS
        return

    assert read == parse(text) or (dialect, text) in OWN_SIGNS


@pytest.mark.parametrize("dialect", OTHERS)
@pytest.mark.parametrize(
    "text", ["d20rr>0", "10d6!{>0}", "2d6@", "", "x" * 300, "((((", "[[[", "floor(", "d{"]
)
def test_a_dialect_refuses_in_words(dialect: Dialect, text: str) -> None:
    """What a dialect can't read is a NotationError, and nothing else."""
    with pytest.raises(NotationError):
        read_in(dialect, text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("conan3cd4", "{m}`."),
        ("wit", "again and again, which my dice don't."),
        ("no roll", "{program}'s notation has no such roll, or my dice can't roll it."),
    ],
)
def test_why_a_line_is_not_read_is_one_sentence(text: str, why: str) -> None:
    """A translator gets it with its places."""
    with pytest.raises(NotationError) as refused:
        read_in(Dialect.DICE_MAIDEN, text)

    assert refused.value.text.endswith(why)
    assert str(refused.value) == refused.value.text.format(**refused.value.values)

"""Nobody is judged by a number that nobody said; attack, damage and critical in one roll."""

from collections import defaultdict
from fractions import Fraction

import pytest

from bot.dice.draws import seeded
from bot.dice.errors import SpecError
from bot.parsing.texts import shipped
from bot.rulebooks.words import understand
from bot.systems.game import succeeds
from tests.rulebooks.test_games import law_of, rolled
from tests.support.tapes import Tape, chances, law

WITHOUT = {
    "dnd5 attack +7": "ac 15",
    "dnd5 check +2": "dc 12",
    "pathfinder +8": "dc 20",
    "pathfinder attack +8": "ac 20",
    "daggerheart +2": "diff 14",
    "daggerheart attack +2": "diff 14",
    "cyberpunk 12": "dv 15",
    "dcc +1": "dc 10",
    "dcc attack +1": "ac 12",
    "marvel +3": "target 14",
    "wrathglory 5": "dn 3",
    "l5r 2 1": "tn 2",
    "fate 2": "diff 3",
    "fate -2": "diff 0",
    "cortex 1 0 1": "diff 3",
}
"""Rolls as they are typed without the number that they may be held against, and that number."""
UNHELD = {
    ("cod", "pool", "again"),
    ("cod", "rote", "again"),
    ("exalted", "pool", "double"),
    ("exalted", "pool", "tn"),
    ("modiphius", "test", "complication"),
    ("shadowrun", "test", "limit"),
}
"""Options that may be missing in rolls that are held against no number: game, roll, option."""
BESIDE = {
    ("dnd5", "attack", "crit"),
    ("mutants", "attack", "crit"),
    ("pathfinder", "attack", "deadly"),
    ("pathfinder", "attack", "fatal"),
}
"""Options that may be missing beside the number that a roll is held against."""


@pytest.mark.parametrize("words", WITHOUT)
def test_a_number_that_nobody_said_judges_nobody(words: str) -> None:
    """Without it the result is the total; with it the class, and both numbers stand before it."""
    plain, told = rolled(words), rolled(f"{words} {WITHOUT[words]}")
    name, number = WITHOUT[words].split()
    throw, _ = told.throw((), seeded(5))
    total = plain.throw((), seeded(5))[0].total

    assert all(face.lstrip("-").isdecimal() for face in plain.faces)
    assert told.face(throw) in {name for name, _ in told.rule.classes}
    assert throw.judgement == (total, name, int(number))


@pytest.mark.parametrize(
    "words",
    [
        "cthulhu 45",
        "deltagreen 40",
        "dragonbane 12",
        "gurps 11",
        "harnmaster 60",
        "pendragon 12",
        "runequest 55",
    ],
)
def test_a_roll_under_a_skill_shows_what_it_is_held_against(words: str) -> None:
    """Beside the class: "48 vs skill 45: failure"."""
    throw, _ = rolled(words).throw((), seeded(3))

    assert throw.judgement
    assert throw.judgement[2] == int(words.split()[1])
    assert not any("total" in part or "die" in part for part in throw.parts if isinstance(part, str))


def test_every_option_that_may_be_missing_is_what_the_roll_is_held_against() -> None:
    """Where a roll is held against a number, no other option can be missing, but for criticals."""
    missing = {
        (game.key, roll.name, option.name): roll.rule.against
        for game in shipped().values()
        for roll in game.rolls
        for option in roll.options
        if option.usual == 0 and option.low > 0
    }

    assert len(missing) >= len(WITHOUT)
    assert {key for key, against in missing.items() if against != key[2]} == UNHELD | BESIDE
    assert not any(missing[key] for key in UNHELD)


@pytest.mark.parametrize(
    ("words", "notes"),
    [
        ("dnd5 attack", {"natural 20", "natural 1"}),
        ("fate 3", {"Fair", "Good", "Great"}),
        ("dnd5 check adv", {"natural 20", "natural 1"}),
        ("pathfinder", {"natural 20", "natural 1"}),
        ("daggerheart", {"with fear", "with hope", "doubles, critical"}),
        ("marvel", {"fantastic"}),
        ("wrathglory 3", {"glory", "complication"}),
    ],
)
def test_what_is_natural_is_said_without_a_number(words: str, notes: set[str]) -> None:
    """A 20, a 1, doubles: the throw says so where no class can."""
    roll = rolled(words)
    parts = {part for seed in range(200) for part in roll.throw((), seeded(seed))[0].parts}

    assert {f" · {note}" for note in notes} <= parts


@pytest.mark.parametrize("skill", [1, 2, 3, 4, 5, 50])
def test_a_one_is_critical_with_any_skill(skill: int) -> None:
    """Call of Cthulhu: also with a skill whose fifth is 0."""
    roll = rolled(f"cthulhu {skill}")

    assert dict(zip(roll.faces, roll.weights(()), strict=True))["critical"] * 100 == sum(roll.weights(()))


@pytest.mark.parametrize(
    "words",
    [
        "dnd5 attack +3 1d4+2 ac 15",
        "dnd5 attack +3 1d4-3 ac 12 adv",
        "pathfinder attack +12 1d6-2 ac 15",
        "daggerheart attack +2 2d4+1 diff 14",
        "dcc attack +2 1d5 ac 8 step -4",
        "dnd5 attack +3 1d4+2+2d3 ac 15",
        "pathfinder attack +12 1d6+1d4 ac 15",
        "daggerheart attack +2 1d4+1d3+1 diff 14",
        "dcc attack +2 1d3+1d2-1 ac 8 step -4",
    ],
)
def test_damage_has_its_exact_law(words: str) -> None:
    """Every way the dice can fall, thrown one by one, makes the law of the damage and of the classes."""
    roll = rolled(words)

    def both(tape: Tape) -> tuple[str, int]:
        values = roll.fall(tape).values
        return roll.rule.classes[roll.rule.outcome(values)][0], values["damage"]

    classes: dict[str, Fraction] = defaultdict(Fraction)
    amounts: dict[str, Fraction] = defaultdict(Fraction)
    for (name, damage), chance in law(both).items():
        classes[name] += chance
        amounts[str(damage)] += chance
        assert damage == 0 or not name.endswith(("miss", "fear", "hope", "fumble")) or "success" in name

    assert amounts == chances(dict(roll.amounts))
    assert classes == law_of(roll)


def worst(words: str, die: int, damage: int) -> int:
    """Return the damage of an attack whose first die shows a face, and each further die another."""
    roll = rolled(words)
    return roll.fall(Tape([die - 1, *[damage - 1] * 9])).values["damage"]


@pytest.mark.parametrize(
    ("words", "hit", "critical"),
    [
        ("dnd5 attack +7 2d6+3 ac 15", (10, 8 + 3), (20, 16 + 3)),
        ("dnd5 attack +7 1d4-6 ac 15", (10, 0), (20, 8 - 6)),
        ("dnd5 attack +7 2d6+3", (10, 8 + 3), (20, 16 + 3)),
        ("dnd5 attack +7 1d8+4+3d6 ac 15", (10, 16 + 4), (20, 32 + 4)),
        ("dnd5 attack +7 2d6+4 1d6 ac 15", (10, 12 + 4), (20, 24 + 4)),
        ("pathfinder attack +7 1d8+4+1d6 ac 15", (10, 8 + 4), (20, 2 * (8 + 4))),
        ("pathfinder attack +7 2d6+3 ac 15", (10, 8 + 3), (20, 2 * (8 + 3))),
        ("dcc attack +7 2d6+3 ac 15", (10, 8 + 3), (20, 8 + 3)),
    ],
)
def test_a_critical_doubles_what_its_game_doubles(
    words: str, hit: tuple[int, int], critical: tuple[int, int]
) -> None:
    """The dice alone, everything, or nothing; all damage dice show a 4 here."""
    for die, damage in (hit, critical):
        assert worst(words, die, 4) == damage


@pytest.mark.parametrize(
    ("typed", "again"),
    [
        ("dnd5 attack +7 2d6+3 ac 15", "dnd5 attack bonus 7 ac 15 2d6+3"),
        ("dnd5 attack 7 15 d8", "dnd5 attack bonus 7 ac 15 1d8"),
        ("dnd5 attack +7 damage 1d8-1 adv", "dnd5 attack bonus 7 adv 1d8-1"),
        ("dnd5 attack +7 damage: 1d8", "dnd5 attack bonus 7 1d8"),
        ("savage attack d8+2 2d6+1", "savage attack 8 plus 2 target 4 2d6+1"),
        ("savage attack d8", "savage attack 8 target 4"),
    ],
)
def test_dice_are_typed_as_dice(typed: str, again: str) -> None:
    """2d6+3 is one thing, which `Again` types the same way; d8 stays the trait where there is one."""
    asked = understand(typed, shipped(), None)
    assert asked is not None
    assert asked.words == again
    assert understand(again, shipped(), None) == asked


@pytest.mark.parametrize(
    "typed", ["dnd5 attack +7 ac 0", "dnd5 attack damage 5", "dnd5 check 2d6", "dnd5 attack 1d0"]
)
def test_what_is_no_dice_is_refused(typed: str) -> None:
    """Neither a target of 0, nor damage that is no dice, nor dice where none are taken."""
    with pytest.raises(SpecError):
        rolled(typed)


def test_damage_that_takes_too_long_leaves_the_classes_their_odds() -> None:
    """Only the odds of the damage are missing."""
    roll = rolled("savage attack 12 20d12")

    assert roll.amounts == ()
    assert roll.weights(())


@pytest.mark.parametrize(
    ("words", "fell", "shown"),
    [
        ("dsa 20 20 20 9", (20, 20, 5), "botch quality 0"),
        ("dsa 5 5 5", (1, 1, 20), "critical quality 1"),
        ("dsa 5 5 5", (6, 5, 5), "failure quality 0"),
        ("dsa 12 12 12 4", (12, 12, 12), "success quality 2"),
        ("dsa 12 12 12 4 mod -1", (12, 12, 12), "success quality 1"),
        ("dsa 12 12 12 4 mod -2", (12, 12, 12), "failure quality 0"),
        ("dsa 12 12 12 30", (12, 12, 12), "success quality 6"),
        ("warhammer 3", (5,), "success sl 1"),
        ("warhammer 120", (97,), "failure sl -1"),
        ("warhammer 120", (100,), "fumble sl -1"),
        ("warhammer 45", (47,), "failure sl 0"),
    ],
)
def test_what_stands_beside_an_outcome_goes_with_it(words: str, fell: tuple[int, ...], shown: str) -> None:
    """A botch has no quality and a critical success some; what always fails is no level above."""
    roll = rolled(words)
    throw, _ = roll.throw((), Tape([die - 1 for die in fell]))
    cls, value = roll.face(throw), str(throw.parts[-1]).removeprefix(" · ")

    assert f"{cls} {value}" == shown


def test_no_class_after_a_success_is_a_failure() -> None:
    """From the first success on all are as good or better, so that their chances add up."""
    succeeding = 0
    for game in shipped().values():
        for roll in game.rolls:
            names = [name for name, _ in roll.rule.classes]
            first = next((n for n, name in enumerate(names) if succeeds(name)), len(names))
            succeeding += first < len(names)
            assert not any(word in name for name in names[first:] for word in ("fail", "miss", "botch"))
            assert not any("success" in name for name in names[:first])

    assert succeeding > 60


def test_a_result_tells_what_it_was_held_against_and_how_far_it_goes() -> None:
    """Warhammer's changed target, every raise of Savage Worlds, and Mothership's d100 as it falls."""
    hard, plain = (rolled(f"warhammer 45 {word}").throw((), seeded(1))[0] for word in ("hard", ""))
    trait = rolled("savage 8 plus 10").throw((), seeded(1))[0]
    face = rolled("mothership 45").throw((), Tape([44]))[0]

    assert (hard.goal, plain.goal) == (25, 0)
    assert plain.judgement == (*(hard.judgement or (0,))[:1], "target", 45)
    assert " · raises " in "".join(str(part) for part in trait.parts)
    assert "".join(map(str, face.parts)) == "d100 (44)"


@pytest.mark.parametrize("words", ["warhammer {} {}", "warhammer attack {} {}", "cthulhu {} {}"])
def test_a_changed_target_is_shown_even_where_nothing_is_left_of_it(words: str) -> None:
    """A result of 10 against a target of 20 is no failure, and one against what hard leaves of it is."""
    for target in (1, 2, 4, 5, 9, 10, 19, 20, 21, 30, 40):
        plain = rolled(words.format(target, ""))
        for change in ("hard", "very hard" if "warhammer" in words else "extreme"):
            changed = rolled(words.format(target, change))
            throws = [roll.throw((), seeded(1))[0] for roll in (plain, changed)]

            assert law_of(changed) == law_of(plain) or throws[0].goal < 1 <= throws[1].goal < target


@pytest.mark.parametrize(
    ("words", "best"),
    [
        ("gurps 3", "critical"),
        ("deltagreen 1", "critical"),
        ("dnd5 attack -10 ac 40", "critical"),
        ("traveller +10 target 2", "exceptional"),
        ("warhammer 5", "success"),
        ("lancer structure 2", None),
        ("lancer overheat 2", None),
    ],
)
def test_the_best_outcome_counts_where_a_plain_success_never_comes(words: str, best: str | None) -> None:
    """A hit that one takes is no success, and a critical one is, also alone."""
    roll = rolled(words)

    assert (None if roll.first_success is None else roll.faces[roll.first_success]) == best

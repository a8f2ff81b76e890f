"""The shipped games: every check figure exact, and every law what all throws together make."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import TypedDict

import pytest

from bot.dice.draws import Recorder, Replayer, seeded
from bot.dice.errors import SpecError
from bot.dice.system import step
from bot.parsing.texts import shipped
from bot.rulebooks import laws
from bot.rulebooks.book import Game, NamedRoll
from bot.rulebooks.laws import PAIRS_LIMIT, Tallies, _cached_law
from bot.rulebooks.rules import GameRule
from bot.rulebooks.words import understand
from bot.systems.game import GameRoll, game_roll
from bot.systems.registry import load_spec, print_spec
from tests.support.tapes import Tape, chances, law

TOLD_AGAIN = {"rolemaster", "tunnels"}
"""Games whose dice explode too long to be thrown in every way: test_more_games.py has each of their rolls."""
ONE_DIE = {"cod rote", "openlegend action", "openlegend edge"}
"""Rolls whose two dice, or the next larger one, take long: each may bring ten further ones."""


class Check(TypedDict):
    """A documented chance: as it is typed, a class and its chance, and the whole law where known."""

    words: str
    cls: str
    chance: str
    law: dict[str, str]


CHECKS: list[Check] = json.loads((Path(__file__).parents[1] / "data" / "games.json").read_text("utf-8"))


def rolled(words: str) -> GameRoll:
    """Return the roll that these words ask for."""
    asked = understand(words, shipped(), None)
    assert asked is not None
    return game_roll(asked)


def largest_rolls() -> Iterator[GameRoll]:
    """Every roll of every game, with every option as high as it goes."""
    for game in shipped().values():
        for roll in game.rolls:
            most = tuple((option.name, option.high) for option in roll.options)
            yield GameRoll(game.key, roll.name, most, roll.text)


def law_of(roll: GameRoll) -> dict[str, Fraction]:
    """Return the chance of each outcome."""
    return chances(dict(zip(roll.faces, roll.weights(()), strict=True)))


def thrown(roll: GameRoll, tape: Tape) -> str:
    """Throw the roll along a tape, and return the outcome; each draw is a die's, with equal faces."""
    outcome, _ = step(roll, (), tape)
    assert all({*weights} == {1} for weights in tape.options)
    return outcome.face


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check["words"])
def test_a_documented_chance_is_exact(check: Check) -> None:
    """The figures of the games' own papers come out to the last fraction."""
    found = law_of(rolled(check["words"]))
    assert found[check["cls"]] == Fraction(check["chance"])
    if check["law"]:
        assert {face: str(chance) for face, chance in found.items() if chance} == check["law"]


@pytest.mark.parametrize(
    "words",
    [
        "vampire 3 hunger 1 diff 2",
        "pbta +1 boon",
        "cthulhu 40 penalty",
        "modiphius 11 focus 3",
        "marvel +3 target 14",
        "dnd5 check +2 dc 12",
        "savage attack 6 plus 1 target 6",
        "twilight push 8 6",
    ],
)
def test_the_law_is_what_all_throws_together_make(words: str) -> None:
    """Every way the dice can fall, each thrown and with its chance, adds up to the law."""
    roll = rolled(words)
    together = law(lambda tape: thrown(roll, tape))
    assert sum(together.values()) == 1
    assert together == law_of(roll)


@pytest.mark.parametrize(
    ("game", "roll"),
    [(game, roll) for game in shipped().values() for roll in game.rolls if game.key not in TOLD_AGAIN],
    ids=lambda one: one.key if isinstance(one, Game) else one.name,
)
def test_the_least_of_each_roll_has_the_law_of_its_throws(game: Game, roll: NamedRoll) -> None:
    """No roll of a game is left out, also of one that comes."""
    dice = 1 if f"{game.key} {roll.name}" in ONE_DIE else 2
    least = ((o.name, max(o.low, min(dice, o.high)) if o.usual is None else o.usual) for o in roll.options)
    asked = GameRoll(game.key, roll.name, tuple(least), roll.text)

    assert law(lambda tape: thrown(asked, tape)) == law_of(asked)


def test_dice_that_bring_further_dice_stop_after_ten() -> None:
    """A die and its ten further dice are eleven draws."""
    most = Tape([9] * 20)
    step(rolled("cod 1"), (), most)
    assert len(most.taken) == 11


@pytest.mark.parametrize("game", shipped().values(), ids=lambda game: game.key)
def test_each_button_of_a_game_can_be_pressed_and_told_again(game: Game) -> None:
    """A button's words read, read again as they are printed, and its roll can be replayed."""
    assert game.buttons
    for words in game.buttons:
        asked = understand(words, {game.key: game}, None)
        assert asked is not None
        roll = game_roll(asked)
        assert understand(asked.words, {game.key: game}, None) == asked
        assert load_spec(print_spec(roll)) == roll
        record = Recorder(seeded(7))
        outcome, memory = step(roll, (), record)
        assert step(roll, (), Replayer(record.drawn)) == (outcome, memory)
        assert outcome.face in roll.faces


def test_at_least_sixty_games_are_there() -> None:
    """The list of games is not empty by an accident of packaging."""
    assert len(shipped()) >= 60


def test_what_is_only_shown_costs_no_work() -> None:
    """Opportunity and strife are no part of the outcome, so that all dice of the game have exact odds."""
    assert law_of(rolled("l5r 6 6 tn 1"))["failure"] == Fraction(1, 2) ** 6 * Fraction(5, 12) ** 6


def test_the_largest_rolls_have_exact_odds_that_take_not_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every option as high as it goes, but for a game that adds up more than can be counted.

    So with what comes beside a class.
    """
    joining, pairs = laws._joining, 0

    def counting(rule: GameRule) -> Callable[[Tallies, Tallies], Tallies]:
        join = joining(rule)

        def counted(one: Tallies, other: Tallies) -> Tallies:
            nonlocal pairs
            pairs += 1
            assert pairs <= PAIRS_LIMIT, roll.words
            return join(one, other)

        return counted

    monkeypatch.setattr(laws, "_joining", counting)
    _cached_law.cache_clear()
    refused: set[str] = set()
    for roll in largest_rolls():
        pairs = 0
        try:
            assert roll.weights(())
        except SpecError:
            refused.add(roll.game)
        pairs = 0
        with suppress(SpecError):
            roll.exact_amounts()

    assert refused == {"cortex", "openlegend", "savage", "shadowrun"}


def test_too_many_dice_roll_but_have_no_exact_odds() -> None:
    """A roll whose law takes too long is refused for odds only."""
    roll = rolled("cortex 6 6 6 6 6 diff 9")
    step(roll, (), seeded(1))
    with pytest.raises(SpecError, match="too long"):
        roll.weights(())

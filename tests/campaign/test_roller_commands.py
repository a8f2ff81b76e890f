"""What game masters do with rollers, and what is refused."""

import pytest

from bot.campaign.campaigns import REGISTER, Remembers
from bot.campaign.command import Command
from bot.campaign.d100_rolls import roll_register
from bot.campaign.followups import Reveal
from bot.campaign.roller_commands import MakeRoller, RemoveRoller, ResetRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.dice.draws import seeded
from bot.dice.errors import DiceError, NotationError, SpecError, Unknown
from bot.systems.registry import read_spec
from tests.support.histories import erase
from tests.support.play import Campaign
from tests.support.systems import make

FAIR = make("fair", {"a": 1, "b": 2}, tightness="1")
LOOSE = make("fair", {"a": 1, "b": 2}, tightness="inf")


def asked(*commands: Command) -> Campaign:
    """A campaign in which these were asked."""
    campaign = Campaign()
    draws = seeded(0)
    for command in commands:
        campaign.ask(command, draws)
    return campaign


@pytest.mark.parametrize(
    ("before", "refused", "kind", "words"),
    [
        ([], MakeRoller("", FAIR), SpecError, "needs a name"),
        ([], MakeRoller("2d6", FAIR), SpecError, "already rolls plain dice"),
        ([], MakeRoller("adv", FAIR), SpecError, "already rolls plain dice"),
        ([], MakeRoller("D100 Register", FAIR), SpecError, "the d100's own register"),
        ([MakeRoller("Evil", FAIR)], MakeRoller("evil", make("dice")), SpecError, "a roller Evil already"),
        ([MakeRoller("a", FAIR)], MakeRoller("a", FAIR, Remembers.PLAYER), SpecError, "a roller a already"),
        ([], RollDice("evil"), NotationError, "I don't know"),
        ([MakeRoller("a", FAIR), RemoveRoller("a")], RollDice("a"), NotationError, "I don't know"),
        ([], RollDice("2d6", 0), DiceError, "1 to 20 times, not 0"),
        ([], RollDice("2d6", 21), DiceError, "1 to 20 times, not 21"),
        ([], RollDice("2#2d6", 11), NotationError, "1 to 20 times"),
        ([], RollDice("100d6", 6), NotationError, "At most 500 dice"),
        ([MakeRoller("a", make("fair", "100d6"))], RollDice("a", 6), DiceError, "At most 500 dice"),
        ([], RollDice("x" * 5_000), NotationError, "At most 200 characters"),
        ([], roll_register(4, 21), DiceError, "1 to 20 times"),
        ([], ResetRoller("`evil` <@1>\n"), Unknown, "no roller `evil 1` here"),
        ([], RemoveRoller("evil" * 2_000), Unknown, "There is no roller `(evil){8}` here"),
        ([], UndoRoller("evil"), Unknown, "There is no roller `evil` here"),
        ([roll_register(4)], RemoveRoller(REGISTER), SpecError, "belongs to every campaign"),
        ([RollDice("2d6")], Reveal(None, 1), Unknown, "#1 is no hidden roll"),
        ([MakeRoller("a", FAIR)], Reveal(None, 1), Unknown, "#1 is no hidden roll"),
        ([], Reveal(None, 10**30), Unknown, "is no hidden roll"),
    ],
)
def test_what_can_not_be_done_is_refused(
    before: list[Command], refused: Command, kind: type[DiceError], words: str
) -> None:
    """Each has a sentence of its own, and leaves the campaign as it was."""
    campaign = asked(*before)
    with pytest.raises(kind, match=words):
        campaign.ask(refused, seeded(1))

    assert len(campaign.events) == len(before)


def test_tuning_keeps_the_memory() -> None:
    """The same rule on the same base goes on where it was; the name is spelt as it was said last."""
    campaign = asked(MakeRoller("evil", FAIR), RollDice("evil", 5))
    before = campaign.memories["evil"][1, 0]
    campaign.ask(MakeRoller("EVIL", LOOSE), seeded(0))

    assert campaign.seen("evil") == (
        "EVIL",
        '{"system":"fair","base":{"a":1,"b":2},"tightness":"inf"}',
        Remembers.TABLE,
        {0: before},
    )


def test_a_hand_is_dealt_at_once() -> None:
    """A roll of several decks gives a card of each."""
    decks = {"system": "decks", "decks": {"x": {"a": 1, "b": 1}, "y": {"c": 2}}}
    campaign = asked(MakeRoller("market", read_spec(decks)))
    results = campaign.ask(RollDice("market", 2), seeded(0)).roll.results

    assert [sorted(results[::2]), [*results[1::2]]] == [["a", "b"], ["c", "c"]]


def test_players_of_a_roller_have_their_own_memory() -> None:
    """What one player rolls says nothing about another one's next roll, and is undone for that one alone."""
    campaign = asked(MakeRoller("own", FAIR, Remembers.PLAYER))
    draws = seeded(3)
    campaign.ask(RollDice("own"), draws, user=1)
    mine = campaign.memories["own"][1, 1]
    campaign.ask(RollDice("own", 3), draws, user=2)
    campaign.ask(UndoRoller("own"), draws, user=1)

    assert campaign.memories == {"own": {(1, 1): mine, (1, 2): FAIR.start()}}


@pytest.mark.parametrize("memory", Remembers)
def test_rolls_of_erased_people_can_be_undone(memory: Remembers) -> None:
    """The table's memory goes back; a memory of one's own is gone with its owner, and stays gone."""
    campaign = asked(MakeRoller("evil", FAIR, memory), RollDice("evil"))
    campaign.events[1] = erase(campaign.events[1])
    if memory is Remembers.PLAYER:
        campaign.memories.clear()
    campaign.ask(UndoRoller("evil"), seeded(0))

    assert campaign.memories == ({"evil": {(1, 0): FAIR.start()}} if memory is Remembers.TABLE else {})
    assert campaign.ask(UndoRoller("evil"), seeded(0)).target == 1

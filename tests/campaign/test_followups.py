"""Rolls and calls in games' words, the pushes that name the roll they follow, and showing hidden rolls."""

from dataclasses import replace
from importlib.resources import files

import pytest

from bot.campaign.call_commands import OpenCall
from bot.campaign.call_rolls import AnswerCall
from bot.campaign.call_terms import Terms
from bot.campaign.campaigns import USUAL
from bot.campaign.choosing import choosable
from bot.campaign.command import RollOptions
from bot.campaign.events import Event
from bot.campaign.followups import PushRoll, Reveal, find_push, may_see
from bot.campaign.kinds import Visibility
from bot.campaign.rolls import RollDice, roller_of
from bot.dice.draws import seeded
from bot.dice.errors import DiceError, NotAllowed
from bot.parsing.texts import read_as, shipped
from bot.record.findings import Broken
from bot.record.lineage import Lineage
from bot.rulebooks.book import read_game
from tests.support.play import Campaign, audited
from tests.support.tapes import Tape

ANN, BOB = 1, 2
WORDS = read_as(USUAL)


def rolled(campaign: Campaign, text: str, user: int = ANN) -> Event:
    """A roll in a game's words."""
    return campaign.ask(RollDice(text, by=WORDS), seeded(len(campaign.events)), user)


def pushed(campaign: Campaign, number: int, user: int = ANN) -> Event:
    """The push of a roll."""
    first = campaign.events[number - 1]
    request = find_push(first, campaign.rules, shipped())
    command = PushRoll(first.campaign_id, number, roller_of(request) if request else None)
    return campaign.ask(command, seeded(len(campaign.events)), user)


def test_a_push_names_the_roll_it_follows() -> None:
    """It stands in the record, and the history holds."""
    campaign = Campaign()
    first = rolled(campaign, "yearzero roll 20")
    rolled(campaign, "wod 3", BOB)
    with pytest.raises(NotAllowed):
        pushed(campaign, first.seq, BOB)
    second = pushed(campaign, first.seq)

    assert (first.roll.pushes, second.roll.pushes) == (None, first.seq)
    with pytest.raises(DiceError, match=f"You did that with #1 already: see #{second.seq}."):
        pushed(campaign, first.seq)
    audited(campaign.events)


@pytest.mark.parametrize(("fell", "times"), [(0, 0), (11, 0), (12, 1), (18, 1), (19, 0)])
def test_a_failure_of_dragonbane_may_be_pushed_but_no_demon(fell: int, times: int) -> None:
    """The same dice again, whose result stands."""
    campaign = Campaign()
    first = campaign.ask(RollDice("dragonbane 12", by=WORDS), Tape([fell]), ANN)
    request = find_push(first, campaign.rules, shipped())

    assert (request.words if request else "") == "dragonbane push 12" * times
    for _ in range(times):
        assert find_push(pushed(campaign, first.seq), campaign.rules, shipped()) is None


def test_a_risk_of_trophy_is_rolled_again_with_a_dark_die_more_until_one_is_highest() -> None:
    """Each roll may be followed by the next, and the history holds."""
    campaign = Campaign()
    rolls = [campaign.ask(RollDice("trophy 2", by=WORDS), Tape([2, 1]), ANN)]
    for fell in ([2, 1, 0], [4, 1, 0, 4]):
        request = find_push(rolls[-1], campaign.rules, shipped())
        assert request is not None
        command = PushRoll(*rolls[-1].at, roller_of(request))
        rolls.append(campaign.ask(command, Tape(fell), ANN))

    ends = ["light 2", "light 2 dark 1", "light 2 dark 2"]
    assert [roll.roll.roller for roll in rolls] == [f"trophy risk {end}" for end in ends]
    assert rolls[-1].roll.results == ("partial by a dark die",)
    assert find_push(rolls[-1], campaign.rules, shipped()) is None
    audited(campaign.events)


@pytest.mark.parametrize("number", [2, 3, 5])
def test_a_push_of_anything_else_does_not_hold(number: int) -> None:
    """Another player's roll, one of another game, and the push itself are told with the push's number."""
    campaign = Campaign()
    rolled(campaign, "yearzero roll 20")
    rolled(campaign, "yearzero roll 20", BOB)
    rolled(campaign, "wod 3")
    rolled(campaign, "yearzero roll 20")
    push = pushed(campaign, 1)
    lineage = Lineage()
    for event in campaign.events[:-1]:
        lineage.see(event)
    with pytest.raises(Broken, match=f"pushes #{number}, which is no roll of that player's in that game"):
        lineage.see(replace(push, body=replace(push.roll, pushes=number)))


def test_a_call_in_a_games_words_is_a_roll_of_the_game() -> None:
    """Each press is an ordinary roll of it, with other words too, and the history holds."""
    campaign = Campaign()
    call = campaign.ask(OpenCall("wod 3 diff 7", Terms(), by=WORDS), seeded(0), BOB)
    answers = [
        AnswerCall(call.campaign_id, call.seq, by=WORDS),
        AnswerCall(call.campaign_id, call.seq, dice="wod 5", by=WORDS),
    ]
    rolls = [campaign.ask(answer, seeded(n), n).roll for n, answer in enumerate(answers, start=1)]

    assert [roll.roller for roll in rolls] == ["wod pool 3 diff 7", "wod pool 5 diff 6"]
    assert [roll.target for roll in rolls] == [call.seq, call.seq]
    audited(campaign.events)


MAY_SEE = {
    Visibility.PUBLIC: {"roller", "gm", "roller who is gm", "other"},
    Visibility.SELF: {"roller", "roller who is gm"},
    Visibility.GM: {"roller", "gm", "roller who is gm"},
    Visibility.BLIND: {"gm", "roller who is gm"},
}


@pytest.mark.parametrize("visibility", Visibility)
def test_who_may_see_may_reveal(visibility: Visibility) -> None:
    """A hidden roll is seen, and revealed once, by whom its visibility names, and by nobody else."""
    people = {"roller": (1, False), "gm": (2, True), "roller who is gm": (1, True), "other": (2, False)}
    for person, (user, is_gm) in people.items():
        campaign = Campaign()
        command = RollDice("2d6", options=RollOptions(visibility=visibility))
        event, reveal = campaign.ask(command, seeded(0), 1), Reveal(None, 1)

        assert may_see(event, user, is_gm=is_gm) == (person in MAY_SEE[visibility])
        if visibility is Visibility.PUBLIC:
            continue
        if person in MAY_SEE[visibility]:
            assert campaign.ask(reveal, seeded(0), user, manages=is_gm).target == 1
            with pytest.raises(DiceError, match="#1 is revealed already"):
                campaign.ask(reveal, seeded(0), user, manages=is_gm)
        else:
            with pytest.raises(NotAllowed, match="#1 is hidden from you"):
                campaign.ask(reveal, seeded(0), user, manages=is_gm)


@pytest.mark.parametrize("old", ["open", "ones"])
def test_a_roll_by_an_earlier_rule_of_its_game_has_no_follow_up(old: str) -> None:
    """What the game calls its values now is unknown to a roll whose rule had other names for them."""
    campaign = Campaign()
    first = rolled(campaign, "yearzero roll 20")
    text = (files("bot") / "games" / "yearzero.json").read_text("utf-8")
    changed = {"yearzero": read_game(text.replace(f'"{old}', '"renamed').replace(f" {old}", " renamed"))}

    assert find_push(first, campaign.rules, shipped()) is not None
    assert choosable(first, campaign.rules, shipped()) is not None
    assert find_push(first, campaign.rules, changed) is None
    assert choosable(first, campaign.rules, changed) is None

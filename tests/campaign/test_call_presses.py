"""A press on a call's button: who may, with what, and how it is recorded."""

from dataclasses import replace

import pytest

from bot.campaign.adjustments import read_adjustment
from bot.campaign.call_commands import OpenCall
from bot.campaign.call_rolls import AnswerCall, Answered
from bot.campaign.call_terms import Terms
from bot.campaign.campaigns import Remembers
from bot.campaign.command import Caller, RollOptions, decide
from bot.campaign.events import Event, Rolled
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import MakeRoller
from bot.dice.draws import seeded
from bot.dice.errors import NotAllowed, SpecError, Unknown
from tests.support.play import Campaign, Local
from tests.support.systems import make

HOME, ROLE, MARA, ANN = 9, 77, 1, 2


def call(dice: str = "1d20+2", terms: Terms | None = None) -> tuple[Campaign, Event]:
    """A campaign with a roller and a call."""
    campaign, draws = Campaign(), seeded(0)
    campaign.ask(MakeRoller("Luck", make("fair", "2d6", tightness="1"), Remembers.TABLE), draws, MARA)
    options = RollOptions("Stealth", Visibility.PUBLIC)
    return campaign, campaign.ask(replace(OpenCall(dice, terms or Terms()), options=options), draws, MARA)


def press(
    campaign: Campaign,
    event: Event,
    command: AnswerCall,
    *,
    seats: frozenset[int] = frozenset(),
    home: int = HOME,
) -> Rolled:
    """What Ann's press comes to, in a campaign of that home."""
    state = campaign.state(command.needs(), ANN)
    state = replace(state, campaign=replace(state.campaign, home=home), played=home == HOME, seats=seats)
    ann = Caller(event.interaction_id, HOME, 7, ANN, roles=frozenset({ROLE}))
    body = decide(command, ann, state, lambda: Local(seeded(1)))
    assert isinstance(body, Rolled)
    return body


def test_a_press_rolls_what_is_called_for_and_is_recorded_as_the_call_says() -> None:
    """Its dice, its label and its visibility; advantage turns round where low is good."""
    campaign, event = call(terms=Terms(visibility=Visibility.BLIND, dc=11, under=True))
    command = AnswerCall(1, event.seq, adjustment=read_adjustment("adv"))
    rolled = press(campaign, event, command)
    recorded = command.options_in(campaign.state(command.needs(), ANN))

    assert (rolled.target, rolled.text) == (event.seq, "2d20kl1+2")
    assert recorded == RollOptions("Stealth", Visibility.BLIND, called=True)


def test_a_saved_roll_takes_the_place_of_the_calls_roller() -> None:
    """Dice need no roller, although the call has one; the roller's memory stays as it is."""
    campaign, event = call("Luck")

    assert press(campaign, event, AnswerCall(1, event.seq)).roller == "Luck"
    assert press(campaign, event, AnswerCall(1, event.seq, dice="3d6")).text == "3d6"


def test_only_who_is_called_rolls() -> None:
    """A role's members, those who were named, or everybody; and only where the call is."""
    for terms, seats in ((Terms(role=ROLE), frozenset[int]()), (Terms(named=True), frozenset({ANN}))):
        campaign, event = call(terms=terms)
        assert press(campaign, event, AnswerCall(1, event.seq), seats=seats).target == event.seq
    for terms, seats in ((Terms(role=ROLE + 1), frozenset[int]()), (Terms(named=True), frozenset({MARA}))):
        campaign, event = call(terms=terms)
        with pytest.raises(NotAllowed, match="This call is for"):
            press(campaign, event, AnswerCall(1, event.seq), seats=seats)
    with pytest.raises(Unknown, match="another place"):
        press(*call(), AnswerCall(1, 2), home=HOME + 1)


def test_what_does_not_fit_is_refused_before_anything_is_drawn() -> None:
    """A second press names the first roll; what can't be added to the dice is named."""
    campaign, event = call("8d6")
    with pytest.raises(SpecError, match="Advantage doubles"):
        press(campaign, event, AnswerCall(1, event.seq, adjustment=read_adjustment("adv")))
    rolled = campaign.ask(AnswerCall(1, event.seq), seeded(2), ANN)
    with pytest.raises(Answered) as refused:
        press(campaign, event, AnswerCall(1, event.seq))
    assert refused.value.number == rolled.seq

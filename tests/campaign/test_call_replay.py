"""What was rolled for a call comes out again from its record alone."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.campaign.adjustments import read_adjustment
from bot.campaign.call_commands import RollForNames
from bot.campaign.call_terms import Form, Terms
from bot.campaign.campaigns import Remembers, Rules
from bot.campaign.events import Event
from bot.campaign.kinds import Kind
from bot.campaign.replay import read_roll, replay
from bot.campaign.rolls import RollDice
from bot.dice.draws import ReplayError, seeded
from bot.dice.system import System
from bot.record.codec import Parts, decode, encode
from bot.systems.registry import read_spec
from tests.support.calls import GM, Table
from tests.support.systems import make

CHECK, INITIATIVE = Terms(Form.CHECK), Terms(Form.INITIATIVE)
DEAL = Terms(Form.DEAL, cards=3)
ROLLERS: dict[str, System] = {
    "fair": make("fair", "2d6", tightness="1.5"),
    "hat": make("fair", {"1": 1, "2": 2}, tightness="inf"),
    "dynamic": make("dynamic", "1d6", factor="0.355"),
    "deck": make("deck", {"a": 2, "b": 2}, size=2, refill=2),
    "spies": read_spec({"system": "deck", "base": {"spy": 2, "thief": 2}, "no_repeat": True}),
    "blocks": read_spec({"system": "blocks", "categories": {"x": ["a", "b"], "y": ["c", "d"]}, "block": 3}),
    "offers": read_spec({"system": "decks", "decks": {"x": {"a": 2, "b": 1}, "y": {"c": 2}}}),
}
FORMS: list[tuple[str, Terms, str]] = [
    *[("d20", terms, text) for terms in (CHECK, INITIATIVE) for text in ("", "+1d4", "adv -1", "dis")],
    *[(name, CHECK, text) for name in ("fair", "hat", "dynamic") for text in ("", "+5", "adv", "dis -2")],
    *[("fair", replace(INITIATIVE, whose=whose), "adv") for whose in Remembers],
    *[(name, terms, "") for name in ("deck", "spies", "blocks", "offers") for terms in (CHECK, DEAL)],
    *[(name, replace(DEAL, whose=Remembers.PLAYER), "") for name in ("deck", "spies", "blocks", "offers")],
]


def evening(seed: int, dice: str, terms: Terms, text: str, *, called_only: bool = False) -> Table:
    """Two calls that three players answer, and each time a roll that nobody called for."""
    played = Table(draws=seeded(seed))
    played.campaign.rules = Rules(called_only=called_only)
    if dice in ROLLERS:
        played.make(dice, ROLLERS[dice])
    calls = [played.call(dice, terms) for _ in range(2)]
    for call in calls:
        for user in (1, 2, 3):
            played.answer(call, user, read_adjustment(text))
        played.campaign.ask(RollDice(dice), played.draws, 4)
    if terms.form is Form.INITIATIVE:
        played.campaign.ask(RollForNames(dice, ("Orc", "Ogre"), 1, calls[0].seq), played.draws, GM)
    return played


def rolls(played: Table) -> list[Event]:
    """The rolls of the evening."""
    return [event for event in played.campaign.events if event.kind is Kind.ROLL]


@pytest.mark.parametrize(("dice", "terms", "text"), FORMS)
def test_every_form_of_answer_replays(dice: str, terms: Terms, text: str) -> None:
    """Each roll's record, read back from JSON, gives its faces; the whole history passes the audit."""

    @settings(max_examples=4)
    @given(st.integers(0, 2**32), st.booleans())
    def replays(seed: int, called_only: bool) -> None:  # noqa: FBT001 (Hypothesis's)
        played = evening(seed, dice, terms, text, called_only=called_only)
        for event in rolls(played):
            parts = Parts(**json.loads(json.dumps(encode(event.body)._asdict())))
            stored = replace(event, body=decode(event.kind, event.target, parts))

            assert stored == event
            assert tuple(outcome.face for outcome in read_roll(stored).outcomes) == event.roll.results
        assert played.holds()

    replays()


@pytest.mark.parametrize(("dice", "terms", "text"), FORMS[::3])
def test_another_face_does_not_replay(dice: str, terms: Terms, text: str) -> None:
    """A face that was changed in the record does not come out of it."""
    for event in rolls(evening(1, dice, terms, text)):
        with pytest.raises(ReplayError, match="does not come out as recorded"):
            replay(replace(event, body=replace(event.roll, results=("other", *event.roll.results[1:]))))

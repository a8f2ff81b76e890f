"""Rolling for a call: once each, with what is added, and with the memory that the call says."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from bot.campaign.adjustments import Adjustment, read_adjustment
from bot.campaign.call_commands import CancelCall, CloseCall
from bot.campaign.call_rolls import AnswerCall, Answered
from bot.campaign.call_terms import Form, Rule, Terms
from bot.campaign.campaigns import TABLE, Remembers, Rules
from bot.campaign.kinds import Kind
from bot.campaign.replay import replay
from bot.campaign.roller_commands import MakeRoller, RemoveRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.dice import notation
from bot.dice.draws import seeded
from bot.dice.errors import DiceError, NotationError, SpecError, Unknown
from bot.systems.registry import read_spec
from tests.support.calls import GM, Table
from tests.support.histories import erase
from tests.support.play import Campaign
from tests.support.systems import make

FAIR = make("fair", "2d6", tightness="1")
DECK = make("deck", {f"card {n}": 1 for n in range(6)})
CHECK = Terms(Form.CHECK, 7)
DEAL = Terms(Form.DEAL, cards=2)


def table(memory: Remembers = Remembers.TABLE) -> Table:
    """A table with a roller of numbers, and a deck, that remember so."""
    new_table = Table()
    new_table.make("luck", FAIR, memory)
    new_table.make("cards", DECK, memory)
    new_table.make("offers", read_spec({"system": "decks", "decks": {"x": {"1": 1}, "y": {"2": 1}}}))
    return new_table


@pytest.mark.parametrize(("dice", "terms"), [("d20", CHECK), ("luck", CHECK), ("cards", DEAL)])
def test_everybody_rolls_once(dice: str, terms: Terms) -> None:
    """Who presses again is told the number of their roll, also once the call is over; others may roll."""
    played = table()
    call = played.call(dice, terms)
    first = played.answer(call, 1)
    second = played.answer(call, 2)
    for command in (None, CloseCall(1, call.seq), CancelCall(1, call.seq)):
        if command:
            played.campaign.ask(command, played.draws, GM)
        events = [*played.campaign.events]
        with pytest.raises(Answered, match=rf"rolled for this .#{second.seq}") as answered:
            played.answer(call, 2)

        assert answered.value.number == second.seq
        assert played.campaign.events == events
    assert [entry.event for entry in played.read(call).entries] == [first, second]


def test_an_undone_roll_can_be_rolled_again() -> None:
    """It is no part of the call any more, and counts for its player no longer."""
    played = table()
    call = played.call("luck", CHECK)
    played.answer(call, 1)
    played.campaign.ask(UndoRoller("luck"), played.draws, GM)

    assert played.read(call).entries == ()
    second = played.answer(call, 1)
    assert [entry.event for entry in played.read(call).entries] == [second]


def test_an_erased_player_s_roll_stays() -> None:
    """It is nobody's then, and its numbers still count."""
    played = table()
    call = played.call("d20", CHECK)
    event = played.answer(call, 1)
    played.campaign.events[-1] = erase(event)
    (entry,) = played.read(call).entries

    assert (entry.user_id, entry.total) == (None, int(event.roll.results[0]))


@pytest.mark.parametrize("text", ["", "+3", "adv", "dis -2"])
@pytest.mark.parametrize("dice", ["1d20", "1d20[to hit]+2"])
def test_notation_is_rolled_with_what_is_added(dice: str, text: str) -> None:
    """The event is that of the adjusted notation rolled plainly, and has the call as its target."""
    played, plain = Table(), Campaign()
    call = played.call(dice, CHECK)
    played.draws = seeded(5)
    event = played.answer(call, 1, read_adjustment(text))
    other = plain.ask(RollDice(str(read_adjustment(text).on_dice(notation.parse(dice)))), seeded(5), 1)

    assert event.body == replace(other.roll, target=call.seq)
    assert (event.kind, event.roller) == (Kind.ROLL, "")
    assert played.read(call).entries[0].total == int(event.roll.results[0])


@pytest.mark.parametrize(
    ("text", "pick", "plus"),
    [("", min, 0), ("+3", min, 3), ("adv", max, 0), ("adv -2", max, -2), ("dis", min, 0), ("dis +9", min, 9)],
)
def test_a_roller_s_advantage_is_two_steps_of_its_memory(
    text: str, pick: Callable[[Iterable[int]], int], plus: int
) -> None:
    """The roller is rolled twice as by hand, the higher or the lower counts, and what is added is added."""
    differ, times = 0, 2 if text[:1].isalpha() else 1
    for seed in range(12):
        played, plain = table(), table()
        call = played.call("luck", CHECK)
        plain.call("luck", CHECK)
        played.draws = seeded(seed)
        event = played.answer(call, 1, read_adjustment(text))
        roll, other = event.roll, plain.campaign.ask(RollDice("luck", times), seeded(seed), 1).roll

        assert (roll.results, roll.spec) == (other.results, other.spec)
        assert (roll.draws, roll.before) == (other.draws, other.before)
        assert played.campaign.memories == plain.campaign.memories
        assert played.campaign.memories["luck"][1, TABLE] == replay(event)[1]
        assert played.read(call).entries[0].total == pick(map(int, roll.results)) + plus
        differ += len(set(roll.results)) == 2
    assert bool(differ) == (times == 2)


@pytest.mark.parametrize("own", Remembers)
@pytest.mark.parametrize("whose", [None, *Remembers])
def test_a_call_says_whose_memory_counts(own: Remembers, whose: Remembers | None) -> None:
    """Rolls use that memory and no other, the roller's own setting stays, and an undo finds the same one."""
    played = table(own)
    for user in (1, 2):
        played.campaign.ask(RollDice("luck"), played.draws, user)
    before = dict(played.campaign.memories["luck"])
    call = played.call("luck", replace(CHECK, whose=whose))
    for user in (1, 2):
        played.answer(call, user)
    after = dict(played.campaign.memories["luck"])
    used = whose or own
    changed = {owner for (_, owner), memory in after.items() if memory != before.get((1, owner))}
    rolls = played.campaign.events[-2:]

    assert played.campaign.rollers["luck"].memory is own
    assert changed == ({TABLE} if used is Remembers.TABLE else {1, 2})
    assert [event.roll.whose for event in rolls] == [used] * 2
    for event, memory in zip(rolls, [after[1, used.owner(n)] for n in (1, 2)], strict=True):
        assert used is Remembers.TABLE or replay(event)[1] == memory
    for _ in rolls:
        played.campaign.ask(UndoRoller("luck"), played.draws, GM)
    fresh = {key: FAIR.start() for key in after.keys() - before.keys()}
    assert played.campaign.memories["luck"] == before | fresh
    assert played.holds()


@pytest.mark.parametrize("called", [False, True])
@pytest.mark.parametrize(("dice", "terms"), [("luck", CHECK), ("cards", DEAL)])
def test_where_only_called_rolls_count_answers_do(dice: str, terms: Terms, *, called: bool) -> None:
    """Under that rule an answer moves the memory, and a roll that nobody called for is practice."""
    played = table()
    played.campaign.rules = Rules(called_only=True)
    call = played.call(dice, replace(terms, whose=Remembers.PLAYER))
    event = played.answer(call, 1) if called else played.campaign.ask(RollDice(dice), played.draws, 1)
    seq = played.campaign.rollers[dice].epoch

    assert event.roll.practice is not called
    assert ((seq, 1) in played.campaign.memories.get(dice, {})) is called
    assert replay(event)[0]
    assert played.holds()


@pytest.mark.parametrize(
    ("call", "terms", "dice", "text", "kind", "words"),
    [
        ("d20", CHECK, "evil", "", NotationError, "I don't know"),
        ("d20", CHECK, "2#d20", "", SpecError, "Everybody rolls once"),
        ("2d6", CHECK, "", "adv", SpecError, "Advantage doubles a single die"),
        ("d20", CHECK, "", "+x", SpecError, "can't read"),
        ("luck", CHECK, "", "+x", DiceError, "can't read"),
        ("luck", CHECK, "", "+10001", SpecError, "at most 10,000"),
        ("d20", CHECK, "cards", "", SpecError, "cards shows no number to compare"),
        ("d20", CHECK, "offers", "", SpecError, "offers shows no number"),
        ("d20", Terms(Form.INITIATIVE), "cards", "", SpecError, "cards shows no number"),
        ("d20", Terms(Form.CHECK, rule=Rule.SUM), "cards", "", SpecError, "cards shows no number"),
        ("cards", Terms(Form.CHECK), "", "adv", SpecError, "no numbers, so you can.t add"),
        ("cards", Terms(Form.CHECK), "", "+1", SpecError, "no numbers, so you can.t add"),
        ("cards", DEAL, "", "adv", SpecError, "no numbers, so you can.t add"),
        ("cards", DEAL, "luck", "", SpecError, "luck has no cards to deal"),
        ("cards", DEAL, "d20", "", SpecError, "so you can't roll here"),
    ],
)
def test_answers_that_do_not_fit(
    call: str, terms: Terms, dice: str, text: str, kind: type[DiceError], words: str
) -> None:
    """Each has a sentence of its own; nothing is recorded, and nothing was drawn for it."""
    played = table()
    opened = played.call(call, terms)
    events, played.draws = [*played.campaign.events], Undrawn()
    with pytest.raises(kind, match=words):
        played.answer(opened, 1, read_adjustment(text), dice=dice)

    assert played.campaign.events == events


class Undrawn:
    """Draws that are never asked for."""

    def below(self, n: int) -> int:
        """Nothing."""
        raise AssertionError(n)

    def choose(self, weights: object) -> int:
        """Nothing."""
        raise AssertionError(weights)


@pytest.mark.parametrize("terms", [CHECK, Terms(Form.DEAL)])
def test_a_roller_that_is_gone_is_named(terms: Terms) -> None:
    """However it is spelt; one that was made anew under the name is rolled."""
    played = table()
    name = "cards" if terms.form is Form.DEAL else "luck"
    call = played.call(name, terms)
    played.campaign.ask(RemoveRoller(name), played.draws, GM)
    for spelt in (name, f" {name.upper()}"):
        with pytest.raises(Unknown, match=f"The roller {name} is not here any more"):
            played.answer(call, 1, dice=spelt)
    played.campaign.ask(MakeRoller(name, DECK if name == "cards" else FAIR), played.draws, GM)

    assert played.answer(call, 1).roller == name


def test_who_was_rolled_for_is_told() -> None:
    """A roll that the game master made for a player is that player's own, and says so."""
    played = Table()
    call = played.call("d20", CHECK)
    absent = AnswerCall(1, call.seq, absent=True)
    event = played.campaign.ask(absent, played.draws, 1)
    played.answer(call, 2)
    with pytest.raises(Answered):
        played.answer(call, 1)

    assert event.user_id == 1
    assert [(entry.user_id, entry.absent) for entry in played.read(call).entries] == [(1, True), (2, False)]


def test_another_roll_may_stand_in_its_place() -> None:
    """Notation or a roller, with advantage, for a call for something else."""
    played = table()
    call = played.call("d20", CHECK)
    events = [
        played.answer(call, 1, Adjustment(rest="+1"), dice="2d6"),
        played.answer(call, 2, Adjustment(rest="+1"), dice="LUCK"),
    ]

    assert [(event.roll.text, event.roller) for event in events] == [("2d6+1", ""), ("", "luck")]
    assert [entry.total for entry in played.read(call).entries] == [
        int(events[0].roll.results[0]),
        int(events[1].roll.results[0]) + 1,
    ]

"""The message of a call: the words of every rule, and that it has room for any table."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.campaign.call_commands import OpenCall
from bot.campaign.call_terms import Form, Rule, Terms
from bot.campaign.calls import Call, Standing, Status
from bot.campaign.campaigns import Looks
from bot.campaign.command import OPEN
from bot.campaign.kinds import Visibility
from bot.campaign.replay import CallEntry
from bot.campaign.rolls import RollDice
from bot.campaign.turns import EntryAt, Turn
from bot.dice.draws import seeded
from bot.words.cards import CARD_LIMIT, Card, fitted, plain
from cogs.group import words
from cogs.group.calling import reminder
from tests.support.calls import entries_of
from tests.support.play import PLAYER, Campaign

LIMIT = 2_000
_MENTION = re.compile(r"<@\d{18}>")


def board(standing: Standing) -> str:
    """The message that fills in, as plain text."""
    return plain(words.boards(standing)[0])


def panel(standing: Standing) -> str:
    """The game master's panel, as plain text."""
    return plain(words.panel(standing)[0])


def check(totals: list[int], terms: Terms, status: Status = Status.CLOSED) -> Standing:
    """A check with these totals, of players 1, 2, 3 ..."""
    opening = OpenCall("1d20", terms, options=replace(OPEN, label="Stealth"))
    event = Campaign().ask(opening, seeded(0))
    rolled = [
        replace(entry, event=replace(entry.event, user_id=user))
        for user, entry in enumerate(entries_of(totals), start=1)
    ]
    return Standing(Call(event, tuple(rolled), status), 0)


def crowd(
    seats: int, rolled: int, dice: str, terms: Terms, *, names: bool = False, label: str = "*" * 80
) -> Standing:
    """As many named players, the first of whom rolled; or as many names of the game master's."""
    campaign = Campaign()
    event = campaign.ask(OpenCall(dice, terms, options=replace(OPEN, label=label)), seeded(0))
    roll = campaign.ask(RollDice(dice), seeded(1))
    found = tuple(
        CallEntry(
            replace(roll, seq=number + 2, user_id=PLAYER + number),
            0,
            f"{'`*' * 16}{number}" if names else "",
            roll.roll.results,
            int(roll.roll.results[0]),
            number,
        )
        for number in range(rolled)
    )
    call = Call(event, found, deadline=4_000_000_000_000)
    turn = Turn(EntryAt(rolled + 1, 0), 99, 9) if rolled else None
    return Standing(call, 0, frozenset(PLAYER + number for number in range(seats)), turn)


def summary(totals: list[int], terms: Terms, status: Status = Status.CLOSED) -> str:
    """The line before the last two of a closed call, or before the last of an open one."""
    return board(check(totals, terms, status)).splitlines()[-3 if status is Status.CLOSED else -2]


def test_a_game_masters_monsters_have_no_part_in_the_verdict() -> None:
    """With an orc that rolls low the two players still pass; where only orcs rolled, they are judged."""
    standing = check([2, 15, 18], Terms(Form.CHECK, 12, rule=Rule.ALL))
    orc, *players = standing.call.entries
    mixed = replace(standing.call, entries=(replace(orc, name="Orc"), *players))
    orcs = replace(standing.call, entries=tuple(replace(e, name="Orc") for e in (orc, *players)))

    assert "**The group succeeds**: 2 of 2 pass." in board(replace(standing, call=mixed))
    assert "**The group fails**: 2 of 3 pass." in board(replace(standing, call=orcs))


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        (Terms(Form.CHECK, 12), "**1 of 3 pass.**"),
        (Terms(Form.CHECK, 12, under=True), "**3 of 3 pass.**"),
        (Terms(Form.CHECK, 12, rule=Rule.HALF), "**The group fails**: 1 of 3 pass."),
        (Terms(Form.CHECK, 12, rule=Rule.ALL), "**The group fails**: 1 of 3 pass."),
        (Terms(Form.CHECK, 12, rule=Rule.ANY), "**The group succeeds**: 1 of 3 pass."),
        (Terms(Form.CHECK, 10, rule=Rule.HIGHEST), "**The group succeeds**: the highest is 12, 2 over."),
        (Terms(Form.CHECK, 10, rule=Rule.LOWEST), "**The group fails**: the lowest is 4, 6 short."),
        (
            Terms(Form.CHECK, 10, under=True, rule=Rule.HIGHEST),
            "**The group fails**: the highest is 12, 2 over.",
        ),
        (
            Terms(Form.CHECK, 10, under=True, rule=Rule.LOWEST),
            "**The group succeeds**: the lowest is 4, 6 under.",
        ),
        (Terms(Form.CHECK, rule=Rule.SUM), "**The sum is 23.**"),
        (Terms(Form.CHECK, 23, rule=Rule.SUM), "**The group succeeds**: the sum is 23, just enough."),
        (Terms(Form.CHECK, 8, rule=Rule.AVERAGE), "**The group fails**: the average is 7.67, 0.33 short."),
        (
            Terms(Form.CHECK, 7, rule=Rule.SUCCESSES, needed=3),
            "**The group fails**: 2 successes of 3 needed, 1 short.",
        ),
        (
            Terms(Form.CHECK, 5, rule=Rule.SUCCESSES),
            "**The group succeeds**: 2 successes of 1 needed, 1 over.",
        ),
    ],
)
def test_every_rule_has_its_line(terms: Terms, said: str) -> None:
    """4, 7 and 12: what they come to under each rule, in one line."""
    assert summary([4, 7, 12], terms) == said


def test_so_far_it_is_no_verdict() -> None:
    """While rolls are taken nothing is said to succeed or fail."""
    assert summary([4], Terms(Form.CHECK, 12, rule=Rule.ALL), Status.OPEN) == "So far: 0 of 1 pass."
    assert summary([4], Terms(Form.CHECK, rule=Rule.SUM), Status.OPEN) == "So far: the sum is 4."


@pytest.mark.parametrize(
    ("totals", "dc", "said"),
    [
        ([1] * 3 + [2] * 997, 2, "the average is 2, less than 0.01 short."),
        ([1, 2], 1, "the average is 1.5, 0.5 over."),
        ([0] * 299 + [-1], 1, "the average is less than 0.01, 1 short."),
        ([-1, -2], 1, "the average is -1.5, 2.5 short."),
        ([10, 10], 10, "the average is 10, just enough."),
    ],
)
def test_averages_are_told_in_short(totals: list[int], dc: int, said: str) -> None:
    """With two decimals at most, and no point or nought that says nothing."""
    assert summary(totals, Terms(Form.CHECK, dc, rule=Rule.AVERAGE)).endswith(said)


def whole(text: str) -> bool:
    """Whether it has room, and nothing is cut in a mention."""
    return len(text) <= LIMIT and "<@" not in _MENTION.sub("", text)


@pytest.mark.parametrize("form", [Form.CHECK, Form.INITIATIVE])
@pytest.mark.parametrize("dice", ["1d20+2", "20d1000000+1", "3d20kh1+2d4-1"])
def test_a_hundred_named_and_sixty_rolls(form: Form, dice: str) -> None:
    """It has room in the message, in the panel and in the reminder; how many more there are is said."""
    terms = Terms(form, 12 if form is Form.CHECK else None)
    standing = crowd(100, 60, dice, terms)

    assert all(whole(text) for text in (board(standing), panel(standing), reminder(standing)))
    assert f"{PLAYER}" in board(standing)
    assert re.search(r"… and \d+ more\nMissing: (<@\d{18}>, )+… and \d+ more", board(standing))
    card = fitted(words.boards(standing)[0].blocks)
    assert sum(len(str(block)) + 1 for block in card) <= CARD_LIMIT
    assert all(f"<@{PLAYER + number}>" in "".join(map(str, card)) for number in range(60))


def test_the_buttons_of_a_turn_stand_below_the_others() -> None:
    """So that on a phone none is alone in its row."""
    standing = crowd(0, 2, "1d20", Terms(Form.INITIATIVE))
    (card,) = words.boards(standing)

    assert [button.name for button in card.buttons[card.columns :]] == ["call-next", "call-delay"]


@pytest.mark.parametrize("shown", [words.boards, words.panel])
@pytest.mark.parametrize("looks", Looks)
@pytest.mark.parametrize("hides", [Visibility.PUBLIC, Visibility.BLIND])
@pytest.mark.parametrize("rolled", [1, 60, 121, 300])
def test_a_board_of_any_length_is_whole(
    shown: Callable[[Standing], Sequence[Card]], looks: Looks, hides: Visibility, rolled: int
) -> None:
    """In as many messages as it needs, everybody is there once, in the panel if hidden; nothing is cut."""
    standing = crowd(0, rolled, "1d20+2", Terms(Form.CHECK, 12, visibility=hides))
    cards = shown(replace(standing, rules=replace(standing.rules, looks=looks)))
    limit = CARD_LIMIT if looks is Looks.CARDS else LIMIT
    texts = ["\n".join(map(str, fitted(card.blocks, limit))) for card in cards]
    people = "".join(texts).split("<@")

    assert all(len(text) <= limit for text in texts)
    there = int(shown is words.boards or hides is Visibility.BLIND)
    assert [sum(f"{PLAYER + n}>" in one for one in people) for n in range(1, rolled)] == [there] * (
        rolled - 1
    )
    assert not any("more" in text for text in texts)
    assert len(cards) == 1 or all(f"{n} of {len(cards)}" in text for n, text in enumerate(texts, 1))


@settings(max_examples=60)
@given(
    seats=st.integers(0, 100),
    rolled=st.integers(0, 100),
    dice=st.sampled_from(["1d1", "100d1000000", "1d20+2"]),
    terms=st.builds(
        Terms,
        st.sampled_from([Form.CHECK, Form.INITIATIVE]),
        st.just(12),
        rule=st.sampled_from(Rule),
        visibility=st.sampled_from([Visibility.PUBLIC, Visibility.GM, Visibility.BLIND]),
        hold=st.booleans(),
        role=st.sampled_from([None, PLAYER]),
    ),
    names=st.booleans(),
    label=st.text("ab*_`<@1>~|\\", max_size=80),
)
def test_it_always_has_room(
    seats: int, rolled: int, dice: str, terms: Terms, *, names: bool, label: str
) -> None:
    """Whoever was named, whatever fell, however it is called."""
    standing = crowd(seats, rolled, dice, terms, names=names, label=label)

    assert all(len(text) <= LIMIT for text in (board(standing), panel(standing), reminder(standing)))

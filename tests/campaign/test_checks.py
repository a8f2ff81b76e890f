"""Checks in a campaign: what they count, whom they concern, and that a history of them holds."""

from dataclasses import replace
from fractions import Fraction

import pytest

from bot.campaign.accounts import SeenAccount, odds_of, outlook, seen_account
from bot.campaign.call_commands import OpenCall, RollForNames
from bot.campaign.call_rolls import AnswerCall
from bot.campaign.call_terms import Form, Rule, Terms
from bot.campaign.calls import opened
from bot.campaign.campaign_commands import MarkSession
from bot.campaign.campaigns import Remembers, Rules
from bot.campaign.checks import RollCheck
from bot.campaign.command import RollOptions
from bot.campaign.events import Event
from bot.campaign.followups import Reveal
from bot.campaign.kinds import Mark, Visibility
from bot.campaign.replay import replay
from bot.campaign.roller_commands import MakeRoller, ResetRoller, UndoRoller
from bot.campaign.rolls import RollDice
from bot.dice.draws import seeded
from bot.dice.errors import DiceError
from bot.dice.system import Memory, Spec
from bot.record.earlier import check_named
from bot.record.findings import Broken
from bot.record.lineage import Lineage
from bot.systems.checks import CONTEST, CheckTerms, read_degrees
from bot.systems.luck import ACCOUNT_UNIT, LuckAccount
from bot.systems.registry import read_spec
from tests.support.play import Campaign, audited

ANN, BOB, GM = 1, 2, 99
CALLED = RollOptions(called=True)
DC = CheckTerms(15)


def table(memory: Remembers = Remembers.PLAYER, **spec: object) -> Campaign:
    """A campaign with a luck account called Luck."""
    campaign = Campaign()
    account: Spec = {"system": "luck", **spec}  # pyright: ignore[reportAssignmentType] (parameters of JSON)
    campaign.ask(MakeRoller("Luck", read_spec(account), memory), seeded(0), GM)
    return campaign


def check(
    campaign: Campaign, user: int = ANN, *, called: bool = True, dice: str = "1d20+5", **more: object
) -> Event:
    """A check against 15 on the account."""
    command = RollCheck(dice, DC, "luck", replace(CALLED, called=called))
    return campaign.ask(replace(command, **more), seeded(len(campaign.events)), user)  # pyright: ignore[reportArgumentType] (its own fields)


def account(campaign: Campaign, user: int = ANN) -> Memory | None:
    """What stands on somebody's account now."""
    roller = campaign.rollers["luck"]
    return campaign.memories.get("luck", {}).get((roller.since(campaign.evening), user))


def test_a_called_check_moves_ones_own_account() -> None:
    """By its score less what was expected; the roll says all that it takes to make it again."""
    campaign = table()
    event = check(campaign)
    passed = int(event.roll.results[0]) >= 15

    assert event.roll.text == "1d20+5"
    assert (event.roll.check, event.roll.stake) == (DC, 5)
    assert account(campaign) == replay(event)[1] == event.roll.after
    assert (account(campaign) or (0,))[0] == 604661760000 - ACCOUNT_UNIT * (not passed)
    assert account(campaign, BOB) is None


@pytest.mark.parametrize(("own", "stake"), [("practice", 0), ("minor", 1)])
def test_ones_own_checks_count_as_the_account_says(own: str, stake: int) -> None:
    """Nothing, and then they are plain dice, or a fifth; nothing where only called rolls count."""
    campaign = table(own=own)
    event = check(campaign, called=False)
    strict = table(own=own)
    strict.rules = Rules(called_only=True)
    practised = check(strict, called=False)

    assert event.roll.stake == stake
    assert event.roll.practice is (stake == 0)
    assert (account(campaign) is None) is (stake == 0)
    assert (practised.roll.stake, practised.roll.practice, account(strict)) == (0, True, None)
    for check_event, played in ((event, campaign), (practised, strict)):
        replay(check_event)
        assert audited(played.events).remade == 1


def test_both_chances() -> None:
    """After misses the chance on the account is above that of plain dice; the outlook says what comes."""
    campaign = table(tightness="1")
    while True:
        event = check(campaign)
        if int(event.roll.results[0]) < 15:
            break
    after = check(campaign)
    odds = odds_of(after.roll)
    view = SeenAccount(after.roll.before or ())
    system = campaign.rollers["luck"].system
    assert isinstance(system, LuckAccount)
    look = outlook("Luck", system, "1d20+5", DC, view)

    assert odds
    assert odds.plain == Fraction(11, 20)
    assert look.odds == odds
    assert [future.passes for future in look.futures] == [True, False]
    assert look.futures[0].odds.now < odds.now < look.futures[1].odds.now
    assert odds_of(campaign.ask(RollDice("1d20"), seeded(0)).roll) is None


def test_a_session_ends_the_account() -> None:
    """Unless it is kept; without sessions it goes on, and what is undone brings no earlier evening back."""
    ends, stays = table(), table(keep="always")
    for campaign in (ends, stays):
        before = [check(campaign) for _ in range(3)]
        memory = account(campaign)
        campaign.ask(MarkSession(Mark.START), seeded(0), GM)
        campaign.ask(MarkSession(Mark.END), seeded(0), GM)
        fresh = check(campaign)
        assert fresh.roll.before == ((0, 0, 0) if campaign is ends else memory)
        for target in (fresh, before[-1]):
            undone = campaign.ask(UndoRoller("Luck"), seeded(0), GM)
            assert undone.target == target.seq
        next_check = check(campaign)
        assert next_check.roll.before == ((0, 0, 0) if campaign is ends else before[-1].roll.before)
        assert audited(campaign.events).remade == 5


def test_a_reset_undone_in_the_next_session_brings_nothing_back() -> None:
    """The account is the new evening's."""
    campaign = table()
    check(campaign)
    campaign.ask(ResetRoller("luck"), seeded(0), GM)
    campaign.ask(MarkSession(Mark.START), seeded(0), GM)
    campaign.ask(UndoRoller("luck"), seeded(0), GM)

    assert check(campaign).roll.before == (0, 0, 0)
    audited(campaign.events)


def test_a_call_feeds_the_account() -> None:
    """With its DC; each player counts for themselves, and monsters roll plainly."""
    campaign = table()
    terms = Terms(Form.CHECK, dc=15, degrees=read_degrees("fumble, -9 miss, 0 pass"))
    call = campaign.ask(OpenCall("1d20", terms, account="Luck"), seeded(0), GM)
    answer = AnswerCall(1, call.seq)
    events = [campaign.ask(answer, seeded(user), user) for user in (ANN, BOB)]
    names = campaign.ask(RollForNames("1d20", ("Orc",), 1, call.seq), seeded(3), GM)

    assert (opened(call).roller, opened(call).text, opened(call).dice) == ("Luck", "1d20", "1d20")
    assert [event.roll.check for event in events] == [terms.check] * 2
    assert [event.roll.stake for event in events] == [5, 5]
    assert account(campaign, ANN)
    assert account(campaign, BOB)
    assert (names.roll.spec, names.roll.stake) == ("", 0)
    assert audited(campaign.events).remade == 3


def test_hidden_checks_do_not_betray_themselves() -> None:
    """What is shown is the account without them; once they are revealed, it is the account."""
    campaign = table(drought="1")
    hidden = RollOptions(visibility=Visibility.BLIND, called=True)
    events = [check(campaign, options=hidden if n == 2 else CALLED) for n in range(5)]
    now = account(campaign) or ()
    bare = table(drought="1")
    memory: Memory = (0, 0, 0)
    for event in [*events[:2], *events[3:]]:
        system = bare.rollers["luck"].system
        assert isinstance(system, LuckAccount)
        part = outlook("Luck", system, "1d20+5", DC, SeenAccount(memory))
        passed = int(event.roll.results[0]) >= 15
        memory = next(future.memory for future in part.futures if future.passes is passed)

    assert seen_account(now, [(event, n != 2) for n, event in enumerate(events)]) == SeenAccount(memory, 1)
    assert seen_account(now, [(event, True) for event in events]) == SeenAccount(now)


def test_a_contest_is_one_roll_against_another() -> None:
    """Its scores are 0, 1 and 2."""
    campaign = table()
    event = check(campaign, dice="1d20+5 vs 1d20+3", terms=CheckTerms(0, degrees=CONTEST))
    total = int(event.roll.results[0])
    assert event.roll.check
    degree = event.roll.check.degree(total)

    assert degree
    assert degree.name == ("wins" if total > 0 else "ties" if total == 0 else "loses")
    assert audited(campaign.events).remade == 1


def test_a_check_against_somebodys_roll() -> None:
    """Their total is the DC and must be beaten; the account counts it as it counts every contest."""
    campaign = table()
    theirs = campaign.ask(RollDice("1d20+3"), seeded(8), BOB)
    total = int(theirs.roll.results[0])
    event = check(campaign, terms=None, versus=theirs.seq)
    odds = odds_of(event.roll)

    assert (event.roll.check, event.roll.versus) == (CheckTerms(total, degrees=CONTEST), theirs.seq)
    assert odds
    assert odds.plain == odds.now == Fraction(25 - total, 20)
    assert account(campaign) == event.roll.after != (0, 0, 0)
    assert account(campaign, BOB) is None
    assert audited(campaign.events).remade == 2


@pytest.mark.parametrize(
    ("dice", "added"),
    [
        ("1d20", 0),
        ("1d20+5 vs 15", 5),
        ("1d20+5 vs 15 [hit]", 5),
        ("1d20 <= 5", 0),
        ("1d20 >= 14", 0),
        ("(1d20-1)=7", -1),
        ("1d20+2 vs 1d20", 2),
        ("1d20 vs 15-1d4", 0),
    ],
)
def test_a_contest_is_with_the_number_that_shows(dice: str, added: int) -> None:
    """The sum that was compared, and not its 1 or 0; the first side, and not by how much it won."""
    campaign = table()
    theirs = campaign.ask(RollDice(dice), seeded(3), BOB)
    event = check(campaign, terms=None, versus=theirs.seq)
    earlier = replace(event.roll, check=CheckTerms(int(theirs.roll.results[0]), degrees=CONTEST))

    assert event.roll.check
    assert event.roll.check.dc == theirs.roll.draws[0][1] + 1 + added
    assert audited(campaign.events).remade == 2
    check_named(replace(event, body=earlier), theirs)


def test_against_a_name_nothing_is_held() -> None:
    """Neither of a coin nor of a choice, in whatever order its options were typed."""
    campaign = table()
    named = campaign.ask(RollDice("1d2", options=RollOptions("1 tea, 2 coffee")), seeded(1), BOB)

    with pytest.raises(DiceError, match="is not one number"):
        check(campaign, terms=None, versus=named.seq)


def test_a_contest_with_another_number_does_not_hold() -> None:
    """Neither with another DC than the named roll came to, nor against what is no roll of one number."""
    campaign = table()
    theirs = campaign.ask(RollDice("1d20+3"), seeded(8), BOB)
    campaign.ask(RollDice("1d20", 2), seeded(8), BOB)
    event = check(campaign, terms=None, account="", versus=theirs.seq)
    dc = int(theirs.roll.results[0])
    for terms, number in ((dc, 1), (dc, 3), (dc, event.seq), (dc + 1, theirs.seq)):
        body = replace(event.roll, check=CheckTerms(terms, degrees=CONTEST), versus=number)
        lineage = Lineage()
        for before in campaign.events[:-1]:
            lineage.see(before)
        with pytest.raises(Broken, match=f"compared with another number than that of #{number}"):
            lineage.see(replace(event, body=body))


def test_against_what_nothing_is_held() -> None:
    """Against a roll that is not there, is hidden, or is not one number; a revealed one will do."""
    campaign = table()
    hidden = campaign.ask(RollDice("1d20", options=RollOptions(visibility=Visibility.BLIND)), seeded(1), BOB)
    many = campaign.ask(RollDice("1d20", 2), seeded(1), BOB)
    for number, reason in (
        (99, "no roll #99"),
        (1, "no roll #1 "),
        (hidden.seq, "hidden"),
        (many.seq, "one"),
    ):
        with pytest.raises(DiceError, match=reason):
            check(campaign, terms=None, versus=number)
    campaign.ask(Reveal(None, hidden.seq), seeded(0), GM)

    assert check(campaign, terms=None, versus=hidden.seq).roll.versus == hidden.seq


def test_a_check_without_an_account() -> None:
    """Dice, or any roller of numbers, against a DC."""
    campaign = table()
    campaign.ask(MakeRoller("evil", read_spec({"system": "fair", "base": "1d20"})), seeded(0), GM)
    plain = campaign.ask(RollCheck("1d20", DC), seeded(1))
    fair = campaign.ask(RollCheck("Evil", DC), seeded(2))

    assert (plain.roll.check, plain.roll.spec, plain.roll.stake) == (DC, "", 0)
    assert (fair.roll.check, fair.roll.roller, fair.roll.stake) == (DC, "evil", 0)
    assert audited(campaign.events).remade == 2


@pytest.mark.parametrize(
    ("spec", "command", "named"),
    [
        ({}, RollCheck("1d20", None, "luck"), "What must it beat"),
        ({}, RollCheck("1d20", None), "What must it beat"),
        ({}, RollCheck("3#1d20", DC), "one roll"),
        ({}, RollCheck("3#1d20", DC, "luck"), "repeated roll"),
        ({}, RollCheck("1d1000+1d1000", DC, "luck"), "without a luck account"),
        ({}, RollCheck("luck", DC, "luck"), "I don't know"),
        ({}, RollCheck("1d20", DC, "nobody"), "no luck account `nobody`"),
        ({}, RollCheck("1d20", DC, "evil"), "no luck account, and one roll"),
        ({}, RollCheck("card", DC), "no number"),
        ({}, RollCheck("luck", DC), "/check"),
        ({}, RollDice("luck"), "/check"),
        (
            {},
            RollCheck("1d20", CheckTerms(1, degrees=read_degrees("a, 0 b = 2")), "luck"),
            "Leave the scores",
        ),
        ({"score": "rank"}, RollCheck("1d20", DC, "luck"), "Leave the DC out"),
        (
            {"score": [[0, "a", 0], [0, "b", 2]]},
            RollCheck("1d20", CheckTerms(1, degrees=read_degrees("a, 0 c = 2")), "luck"),
            "degrees of success of its own",
        ),
        ({}, OpenCall("1d20", Terms(dc=9, rule=Rule.SUM), account="luck"), "makes one number"),
        ({}, OpenCall("1d20", Terms(Form.INITIATIVE), account="luck"), "makes one number"),
        ({}, OpenCall("1d20", Terms(), account="luck"), "What must it beat"),
    ],
)
def test_what_an_account_does_not_count_is_refused(spec: Spec, command: RollCheck, named: str) -> None:
    """With a sentence, and nothing is recorded."""
    campaign = table(Remembers.PLAYER, **spec)
    campaign.ask(MakeRoller("evil", read_spec({"system": "fair", "base": "1d20"})), seeded(0), GM)
    campaign.ask(MakeRoller("card", read_spec({"system": "deck", "base": {"a": 1, "b": 1}})), seeded(0), GM)
    events = len(campaign.events)
    with pytest.raises(DiceError, match=named):
        campaign.ask(command, seeded(0))
    assert len(campaign.events) == events


def test_ranks_and_degrees_have_accounts_too() -> None:
    """Damage has no DC; an account's own degrees are those of each check on it."""
    ranks = table(score="rank")
    event = check(ranks, dice="8d6", terms=None)
    degrees = table(score=[[0, "worst", 0], [-10, "miss", 1], [0, "pass", 2], [10, "best", 3]])
    scored = check(degrees)

    assert event.roll.check is None
    assert scored.roll.check
    assert len(scored.roll.check.degrees) == 4
    for campaign in (ranks, degrees):
        assert audited(campaign.events).remade == 1


def test_an_evening_of_two_hundred_checks_holds() -> None:
    """Mixed dice and DCs, hidden ones, undone ones, resets, tuning and session ends: all is made again."""
    draws, choice = seeded(4), seeded(5).below
    kinds = ("1d20+5", "2d20kh1", "3d6", "1d100", "8d6", "1d7")
    campaign = table(drought="1")
    for n in range(200):
        options = RollOptions(
            visibility=(Visibility.PUBLIC, Visibility.GM, Visibility.BLIND)[choice(3)],
            called=choice(5) > 0,
        )
        terms = CheckTerms(2 + choice(24), choice(3) == 0)
        campaign.ask(RollCheck(kinds[choice(6)], terms, "luck", options), draws, (ANN, BOB)[choice(2)])
        if n % 17 == 3:
            campaign.ask(UndoRoller("luck"), draws, GM)
        if n % 50 == 40:
            campaign.ask(MarkSession(Mark.START), draws, GM)
            campaign.ask(MarkSession(Mark.END), draws, GM)
        if n == 90:
            campaign.ask(ResetRoller("luck"), draws, GM)
        if n == 120:
            system = read_spec({"system": "luck", "tightness": "1", "own": "minor"})
            campaign.ask(MakeRoller("Luck", system, Remembers.PLAYER), draws, GM)

    assert audited(campaign.events).remade == 200

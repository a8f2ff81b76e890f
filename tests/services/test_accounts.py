"""Luck accounts as a board shows them: read at once for all rolls, and without what is hidden."""

from pathlib import Path

from bot.campaign.call_commands import OpenCall
from bot.campaign.call_rolls import AnswerCall
from bot.campaign.call_terms import Terms
from bot.campaign.calls import Call
from bot.campaign.campaigns import Remembers
from bot.campaign.checks import RollCheck
from bot.campaign.command import RollOptions
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import MakeRoller
from bot.services.calls import find_standing
from bot.storage.erasing import begin_erasure
from bot.systems.checks import CheckTerms
from bot.systems.registry import read_spec
from tests.storage.asking import Storage, caller, opened
from tests.support.plans import Plans

ANN, BOB, GM = 1, 2, 99
LUCK = read_spec({"system": "luck", "tightness": "1"})
HIDDEN = RollOptions(visibility=Visibility.BLIND, called=True)


async def checked(storage: Storage, user: int) -> None:
    """Somebody's hidden check on the account."""
    hidden = RollCheck("1d20", CheckTerms(11), "luck", HIDDEN)
    await storage.writer.write(caller(user=user), hidden)


async def called(storage: Storage, *users: int) -> Call:
    """A call on the account that these have answered, as its board reads it."""
    terms = Terms(dc=11)
    event = (await storage.writer.write(caller(user=GM), OpenCall("1d20", terms, account="luck"))).event
    for user in users:
        answer = AnswerCall(event.campaign_id, event.seq)
        await storage.writer.write(caller(user=user), answer)
    return (await storage.reader.do(find_standing(event.campaign_id, event.seq, 0))).call


async def test_the_reads_of_a_board_do_not_grow_with_its_rolls(tmp_path: Path) -> None:
    """Whether a check is hidden or not."""
    plans = Plans()
    async with opened(f"sqlite:///{tmp_path / 'rolls.db'}", watched=plans) as storage:
        await storage.writer.write(caller(user=GM), MakeRoller("Luck", LUCK, Remembers.PLAYER))

        async def reads(*users: int) -> int:
            call = await called(storage, *users)
            before = len(plans.asked)
            await storage.reader.do(find_standing(call.event.campaign_id, call.event.seq, 0))
            return len(plans.asked) - before

        few, many = await reads(ANN), await reads(*range(1, 8))
        await checked(storage, BOB)
        few_hidden, many_hidden = await reads(ANN), await reads(*range(1, 8))

    assert few == many
    assert few_hidden == many_hidden == few + 1


async def test_a_hidden_check_is_left_out_of_its_own_account_alone(tmp_path: Path) -> None:
    """Of the player's own where each has their own, of everybody's where the table shares one."""
    for whose, anns in ((Remembers.PLAYER, 0), (Remembers.TABLE, 1)):
        async with opened(f"sqlite:///{tmp_path / whose}.db") as storage:
            await storage.writer.write(caller(user=GM), MakeRoller("Luck", LUCK, whose))
            await checked(storage, BOB)
            entries = {entry.user_id: entry.account for entry in (await called(storage, BOB, ANN)).entries}

        anns_own, bobs = entries[ANN], entries[BOB]
        assert anns_own
        assert bobs
        assert (anns_own.hidden, bobs.hidden, bobs.memory) == (anns, 1, (0, 0, 0))


async def test_who_is_being_erased_keeps_an_account_of_their_own(tmp_path: Path) -> None:
    """What is hidden on it stays left out, and what others have hidden on theirs is not taken for it."""
    for hidden, theirs in (((BOB,), 0), ((ANN, ANN), 2)):
        async with opened(f"sqlite:///{tmp_path / str(theirs)}.db") as storage:
            await storage.writer.write(caller(user=GM), MakeRoller("Luck", LUCK, Remembers.PLAYER))
            for user in hidden:
                await checked(storage, user)
            event = (await called(storage, ANN)).event
            await storage.transact(begin_erasure(caller(user=ANN)))
            (entry,) = (await storage.reader.do(find_standing(event.campaign_id, event.seq, 0))).call.entries

        assert entry.user_id is None
        assert entry.account
        assert entry.account.hidden == theirs

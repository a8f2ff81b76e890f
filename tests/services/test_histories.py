import asyncio
from dataclasses import replace

import pytest

from bot.campaign.command import RollOptions
from bot.campaign.events import Event
from bot.campaign.followups import Reveal
from bot.campaign.histories import Filter, Page
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import UndoRoller
from bot.campaign.rolls import RollDice
from bot.services.histories import PAGE, Histories
from tests.storage.asking import Storage, caller, fair, gm, player

ALL = Filter()


async def tell(storage: Storage, rolls: int) -> list[Event]:
    """A history of a roller and so many rolls by two players in turn, every third one of the roller."""
    commands = [fair("Evil"), *(RollDice("2d6" if n % 3 else "evil") for n in range(rolls))]
    writing = [storage.writer.write(caller(user=2 - n % 2), command) for n, command in enumerate(commands)]
    return [written.event for written in await asyncio.gather(*writing)]


def numbers(page: Page) -> list[int]:
    """The numbers of a page's events."""
    return [entry.event.seq for entry in page.entries]


async def test_pages_are_turned_forth_and_back(storage: Storage) -> None:
    """Older pages lead through the whole history, newer ones back over the same pages to the first."""
    events = await tell(storage, 69)
    for wanted in (ALL, Filter(user_id=2), Filter(roller="evil"), Filter(1, "evil")):
        await turn(Histories(storage), wanted, events)


async def turn(histories: Histories, wanted: Filter, events: list[Event]) -> None:
    """Turn over the pages of those events that are wanted, and back."""
    pages = [await histories.page(gm(), wanted)]
    while (place := pages[-1].older) is not None:
        pages.append(await histories.page(gm(), replace(wanted, before=place)))
    back = [pages[-1]]
    while (place := back[-1].newer) is not None:
        back.append(await histories.page(gm(), replace(wanted, after=place)))

    matching = [
        event.seq
        for event in reversed(events)
        if wanted.user_id in {None, event.user_id} and wanted.roller in {None, event.roller.casefold()}
    ]
    assert [n for page in pages for n in numbers(page)] == matching
    assert [len(page.entries) for page in pages[:-1]] == [PAGE] * (len(pages) - 1)
    assert pages[0].newer is None
    # The last page may be short; pages counted from there may lie across the others.
    assert sorted({n for page in back for n in numbers(page)}, reverse=True) == matching
    assert back[-1].newer is None


@pytest.mark.parametrize("rolls", [PAGE - 2, PAGE - 1, PAGE])
async def test_there_is_a_next_page_only_if_something_is_on_it(storage: Storage, rolls: int) -> None:
    """Of 9 and of 10 events there is one page; of 11 there are two, and both know of each other."""
    histories = Histories(storage)
    events = await tell(storage, rolls)
    page = await histories.page(gm(), ALL)

    assert len(page.entries) == min(PAGE, len(events))
    assert (page.older is not None) == (len(events) > PAGE)
    if page.older is not None:
        older = await histories.page(gm(), Filter(before=page.older))
        assert (numbers(older), older.older, older.newer) == ([1], None, 1)
        assert await histories.page(gm(), Filter(after=1)) == page


async def test_events_that_come_meanwhile_are_found_forwards(storage: Storage) -> None:
    """Somebody on the second page finds what was rolled since on newer pages, without a gap."""
    histories = Histories(storage)
    await tell(storage, 14)
    second = await histories.page(gm(), Filter(before=6))
    await tell_more(storage, 12)
    newer = await histories.page(gm(), Filter(after=second.newer or 0))

    assert numbers(second) == [5, 4, 3, 2, 1]
    assert numbers(newer) == [*range(15, 5, -1)]
    assert (newer.older, newer.newer) == (6, 15)


async def tell_more(storage: Storage, rolls: int) -> None:
    """More rolls."""
    for _ in range(rolls):
        await storage.writer.write(caller(), RollDice("2d6"))


async def test_a_channel_without_history_has_an_empty_page(storage: Storage) -> None:
    """Nothing is there, in either direction, and asking makes no campaign."""
    histories = Histories(storage)
    empty = Page((), None, None)

    assert await histories.page(gm(), ALL) == empty
    assert await histories.page(gm(), Filter(before=9)) == empty
    assert await histories.page(gm(), Filter(after=0)) == empty
    await tell(storage, 1)
    for wanted in (Filter(user_id=99), Filter(roller="\0"), Filter(roller="good")):
        assert replace(await histories.page(gm(), wanted), checkpoint="") == empty
    assert await histories.page(gm(2), ALL) == empty


async def test_readers_see_what_they_may(storage: Storage) -> None:
    """A hidden roll is visible to whom it is meant for, to all once revealed; undone rolls are marked."""
    histories = Histories(storage)
    await storage.writer.write(caller(), fair("evil"))
    for visibility in Visibility:
        await storage.writer.write(caller(), RollDice("evil", options=RollOptions(visibility=visibility)))
    seen = {
        name: [entry.visible for entry in (await histories.page(who, ALL)).entries[::-1]]
        for name, who in {"me": player(user=1), "gm": gm(), "other": player(user=2)}.items()
    }
    await storage.writer.write(caller(), Reveal(None, 5))
    await storage.writer.write(caller(), UndoRoller("evil"))
    page = await histories.page(player(user=2), ALL)

    assert seen == {
        "me": [True, True, True, True, False],
        "gm": [True, True, False, True, True],
        "other": [True, True, False, False, False],
    }
    assert [(entry.event.seq, entry.visible, entry.undone) for entry in page.entries[:4]] == [
        (7, True, False),
        (6, True, False),
        (5, True, True),
        (4, False, False),
    ]


async def test_a_page_of_a_label_is_full_where_others_hide_theirs(storage: Storage) -> None:
    """Hidden rolls with the same label are passed over, forth and back, until the page is full."""
    histories = Histories(storage)
    seen = [Visibility.GM if n % 4 else Visibility.PUBLIC for n in range(60)]
    rolls = [RollDice("1d6", options=RollOptions("owl", visibility)) for visibility in seen]
    await asyncio.gather(*(storage.writer.write(caller(user=1), roll) for roll in rolls))
    wanted, other = Filter(label="OWL"), player(user=2)
    first = await histories.page(other, wanted)
    second = await histories.page(other, replace(wanted, before=first.older or 0))
    back = await histories.page(other, replace(wanted, after=second.newer or 0))

    assert numbers(first) == [57 - 4 * n for n in range(PAGE)]
    assert (numbers(second), second.older) == ([17, 13, 9, 5, 1], None)
    assert numbers(back) == numbers(first)

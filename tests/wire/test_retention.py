"""A campaign that does not keep its history for ever: the setting, and what people see once it was cut."""

from datetime import UTC, datetime
from pathlib import Path

from bot.services.retention import Retention
from bot.storage.queries import Reader
from tests.support.proving import proof_off, proof_on
from tests.support.table import Table, entries, numbered, table, totals
from tests.support.wire import reply

DAY = 86_400
START = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""Where the simulated clock stands."""


async def later(t: Table, days: float) -> None:
    """The daily round, so many days later."""
    await Retention(t.database, Reader(t.database.reader)).tidy(START + days * DAY)


async def test_game_masters_set_it_openly(t: Table) -> None:
    """Everybody sees it, and no time out of range is taken."""
    usual = await t.whispers(t.ann, "admin settings")
    few = await t.whispers(t.mara, "admin settings", retention=29)
    changed = await t.says(t.mara, "admin settings", retention=90)
    back = await t.says(t.mara, "admin settings", retention=0)

    assert "the history stays for ever" in usual
    assert few == "A history can be kept for 30 to 3,650 days, or for ever (0), not for 29."
    assert changed.splitlines()[1:3] == [
        "**retention** · entries go for good after 90 days, the counts of plain dice stay",
        "Nothing is removed before tomorrow. Use `/export` first to keep a copy.",
    ]
    assert back.splitlines()[1:-1] == ["**retention** · the history stays for ever"]
    assert numbered(back) == 2


async def test_whoever_runs_the_bot_has_the_last_word(tmp_path: Path) -> None:
    """Their time is shown as the campaign's, and a longer one is refused."""
    async with table(tmp_path, retention_days=90) as t:
        usual = await t.whispers(t.ann, "admin settings")
        longer = await t.whispers(t.mara, "admin settings", retention=91)
        shorter = await t.says(t.mara, "admin settings", retention=30)

        assert "after 90 days" in usual
        assert longer == "Histories stay for 90 days at most here."
        assert "after 30 days" in shorter


async def test_one_refused_setting_changes_none(tmp_path: Path) -> None:
    """Nor how many campaigns a server may have, which is stored elsewhere."""
    async with table(tmp_path, retention_days=90) as t:
        log: dict[str, object] = {"log": t.channel, "stop": "log_channel"}
        before = await t.whispers(t.mara, "admin settings")
        for refused in ({"retention": 29}, {"retention": 91}, log):
            await t.whispers(t.mara, "admin settings", campaigns=3, faces=False, **refused)

            assert await t.whispers(t.mara, "admin settings") == before, refused


async def test_what_people_see_once_it_was_cut(t: Table) -> None:
    """The history says where it begins, old buttons say why they do nothing, and rolling goes on."""
    await t.says(t.mara, "admin settings", retention=30)
    first = await t.whispers(t.bob, "history")
    await t.says(t.mara, "roller deck", refill=1, name="Cards")
    old = await t.slash(t.ann, "roll", dice="cards", times=5)
    await later(t, 29)
    kept = await t.whispers(t.bob, "history")
    await later(t, 31)
    history = await t.whispers(t.bob, "history")
    early = await t.whispers(t.bob, "verify", **{"from": first.rpartition("-# ")[2]})
    await later(t, 31)
    there = await t.whispers(t.bob, "history", number=2)
    pressed = await t.pressed(old, "Again", t.ann)
    undone = await t.whispers(t.mara, "roller undo", name="cards")
    gone = (await t.slash(t.ann, "stats", roller="cards")).followups[-1].content
    last = await t.says(t.ann, "roll", dice="cards")
    shown = {*totals(reply(old).content), *totals(last)}

    assert "removed" not in kept
    assert early == "That checkpoint is too old: all entries before #4 were removed."
    assert entries(history)[0].startswith("#4 · <t:")
    assert entries(history)[0].endswith("· Evenhand · removed the entries up to #3")
    assert entries(history)[1].startswith("-# Entries up to #3 were removed on <t:")
    assert entries(history)[1].endswith(":D> by the campaign's retention of 30 days.")
    assert there == "#2 was removed. The history begins with #4."
    assert pressed == "#3 was removed with the old part of the history."
    assert "was removed from the history, so it can't be undone" in undone
    assert (
        gone == "No roll of Cards that still counts is here: they are too old, or gone with the old history."
    )
    assert numbered(last) == 5
    assert shown == {"1", "2", "3", "4", "5", "6"}


async def test_proof_mode_ends_after_a_cut_that_took_its_keys(t: Table) -> None:
    """*Switch off* holds, as everybody is told; once is enough, and the campaign holds."""
    await t.says(t.mara, "admin settings", retention=30)
    await proof_on(t, t.mara)
    await later(t, 31)
    off = await proof_off(t, t.mara)

    assert "off" in off
    assert "Proof mode is off." in await t.whispers(t.ann, "proof")
    assert "All entries from #4 on check out." in await t.whispers(t.ann, "verify")

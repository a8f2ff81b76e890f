"""A call's board whose campaign changes its look, or that stood there before messages were cards."""

import pytest

from tests.support.groups import call, labels, rolls, text
from tests.support.table import Table
from tests.support.wire import reply

V2 = 1 << 15


@pytest.mark.parametrize(("before", "after"), [("cards", "text"), ("text", "cards")])
async def test_a_board_fills_in_whatever_the_campaign_looks_like_now(
    t: Table, before: str, after: str
) -> None:
    """What is a card stays one, and what is text becomes one; both take rolls, and nothing is left behind."""
    await t.slash(t.mara, "admin settings", looks=before)
    called = await call(t, "1d1+14", dc=12)
    first = text(called), bool(reply(called).flags.value & V2)
    await rolls(t, called, t.ann)
    await t.says(t.mara, "admin settings", looks=after)
    await rolls(t, called, t.bob)

    assert first[1] == (before == "cards")
    assert first[0].startswith("**Stealth** · `1d1+14` against DC 12")
    assert reply(called).flags.value & V2
    assert text(called).count("**15**") == 2
    assert text(called).count("**Stealth**") == 1
    assert labels(called) == ["Roll", "+ bonus…", "My dice…", "GM…"]


async def test_a_row_shows_the_sum_that_was_compared(t: Table) -> None:
    """As the private answer does, and not the number of successes."""
    called = await call(t, "1d20>=14")
    head, verdict, *_ = (await rolls(t, called, t.ann)).content.splitlines()

    assert " vs 14" in head
    assert f"{t.ann.mention} {head} · {verdict.strip('*').lower()}\n" in text(called)

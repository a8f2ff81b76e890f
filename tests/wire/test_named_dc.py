"""A name as the number that dice have to reach: one's own number, or one that is asked for."""

from tests.support.table import Table


async def test_a_number_of_ones_own_is_a_dc(t: Table) -> None:
    """Behind the dice it is taken, alone against them it is told how to give it."""
    await t.whispers(t.ann, "me", set="climb 12, str 3")
    for aim in ("vs climb", "vs. climb", "against climb", "dc climb", "vs ac climb"):
        assert " vs 12\n" in await t.says(t.ann, "roll", dice=f"d1+str {aim}"), aim
        assert " vs DC 12\n" in await t.says(t.ann, "check", dice=f"d1+str {aim}"), aim
    for other, said in (("climb", "`climb`"), ("dc climb", "`dc climb`"), ("(12)", "`(12)`")):
        refused = await t.whispers(t.ann, "check", dice="d20+str", against=other)

        assert refused.startswith(f"{said} is 12, a number and no roll. Give `dc:12`"), other
    assert "wins" in await t.says(t.ann, "check", dice="1d1+40", against="d20+climb")


async def test_a_name_behind_dc_is_no_label(t: Table) -> None:
    """It is asked for, as behind "vs"."""
    for aim in ("vs wall", "dc wall", "against wall", "ac wall"):
        assert (await t.slash(t.ann, "roll", dice=f"d20+5 {aim}")).modal, aim

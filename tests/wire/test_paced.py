"""Whatever a person asks for is paced, and a server has only so many campaigns."""

from pathlib import Path

from tests.support.pressing import arrives, forms
from tests.support.realm import kept
from tests.support.table import Table, table
from tests.support.wire import reply
from tests.wire.test_permissions import SCRIPT

FULL = (
    "This server has no room for more campaigns, and archived ones count. People with Manage Server "
    "can allow more: `/admin settings campaigns:`."
)


def stand_still(t: Table) -> None:
    """Let no time go by for the pace."""
    t.app.pace._buckets._clock = lambda: 0.0


async def test_every_command_press_and_form_is_paced(tmp_path: Path) -> None:
    """Who was too fast is refused whatever they ask for, and nothing is written; others are not."""
    async with table(tmp_path, user_rolls=1) as t:
        stand_still(t)
        carrier = reply(await t.slash(t.bob, "buttons", set="d20"))
        for _ in range(2):
            await t.slash(t.mara, "help")
        before = await kept(t)
        for line in SCRIPT:
            options = {k: t.ann if v == "somebody" else v for k, v in line.options.items()}
            said = await t.whispers(t.mara, line.command, **options)

            assert said.startswith("That is too fast: 2 commands and presses in 5 seconds."), line.command
        for (kind, word), form in forms(t).items():
            custom_id = ":".join([word, *["1"] * len(form.fields)])
            answer = reply(await arrives(t, t.mara, kind, custom_id, carrier))

            assert answer.content.startswith("That is too fast"), custom_id
        assert await kept(t) == before
        assert "**" in await t.says(t.ann, "roll", dice="1d6")


async def test_a_roll_that_is_asked_about_is_paced(tmp_path: Path) -> None:
    """Whoever rolls too fast is told so, and no game is looked up for them."""
    async with table(tmp_path, user_rolls=1) as t:
        stand_still(t)
        await t.slash(t.mara, "game use", game="cthulhu")
        asked = [await t.whispers(t.ann, "roll", dice="d100 vs 45") for _ in range(2)]

        assert asked[0].startswith("In Call of Cthulhu (seventh edition) low rolls pass.")
        assert asked[1].startswith("That is too fast: 1 roll in 5 seconds.")


async def test_one_member_can_not_fill_a_server_with_campaigns(tmp_path: Path) -> None:
    """As many as the pace lets through, however many they ask for."""
    async with table(tmp_path, user_rolls=20) as t:
        stand_still(t)
        for n in range(60):
            await t.slash(t.ann, "campaign create", name=f"c{n}", fresh=True)

        assert len((await kept(t))["campaign"]) == 40


async def test_a_server_has_so_many_campaigns(t: Table) -> None:
    """The fifty-first is refused to anybody; only who manages the server allows more."""
    for n in range(50):
        await t.says(t.ann, "campaign create", name=f"c{n}", fresh=True)
    refused = await t.whispers(t.mara, "campaign create", name="more", fresh=True)
    shown = await t.whispers(t.mara, "admin settings", campaigns=51)
    made = await t.says(t.ann, "campaign create", name="more", fresh=True)

    assert refused == FULL
    assert "**campaigns** · at most 51 on this server" in shown
    assert "`more`" in made
    assert await t.whispers(t.ann, "campaign create", name="one", fresh=True) == FULL


async def test_another_server_has_its_own_number(t: Table) -> None:
    """What one server is allowed counts nowhere else, and goes with its data."""
    await t.whispers(t.mara, "admin settings", campaigns=1)
    await t.says(t.ann, "campaign create", name="c", fresh=True)
    full = await t.whispers(t.ann, "campaign create", name="d", fresh=True)
    await t.press(await t.slash(t.mara, "admin erase"), "Delete it all", t.mara)

    assert full == FULL
    assert "**campaigns** · at most 50 on this server" in await t.whispers(t.mara, "admin settings")

"""`/group call` alone opens a form; what is sent there is a call like any other."""

from tests.support.groups import rolls, text
from tests.support.realm import LIMITS
from tests.support.table import Table
from tests.support.wire import reply


async def test_a_call_is_filled_in(t: Table) -> None:
    """With a check, dice, a DC, people and a rule; only those people roll."""
    form = await t.slash(t.mara, "group call")
    filled = {
        "check": "Stealth",
        "dice": "1d1+14",
        "dc": "15",
        "who": [t.ann, t.bob],
        "rest": ["all", "hold"],
    }
    called = await t.mara.submit_modal(form, filled)
    refused = (await rolls(t, called, t.mara)).content
    for player in (t.ann, t.bob):
        await rolls(t, called, player)

    assert "Stealth" in text(called)
    assert f"{t.ann.mention} **15**" in text(called)
    assert "This call is for others." in refused


async def test_the_least_is_a_check_and_dice(t: Table) -> None:
    """Everybody is called then, each for themselves, without a DC."""
    form = await t.slash(t.mara, "group call")
    called = await t.mara.submit_modal(form, {"check": "Luck", "dice": "1d1+4"})
    await rolls(t, called, t.bob)

    assert f"{t.bob.mention} **5**" in text(called)


async def test_what_does_not_go_together_is_refused(t: Table) -> None:
    """In private, and no call is opened."""
    for more, why in (
        ({"rest": ["all", "half"]}, "Choose one rule"),
        ({"rest": ["gm", "blind"]}, "Choose one rule, and one way to hide"),
        ({"dc": "hard"}, "'hard' is no DC."),
        ({"dice": "2x6"}, "can't read"),
    ):
        form = await t.slash(t.mara, "group call")
        answer = reply(await t.mara.submit_modal(form, {"check": "Stealth", "dice": "1d20", **more}))

        assert answer.ephemeral, why
        assert why in answer.content, why

    assert "There was no call here yet." in await t.whispers(t.mara, "group show")


async def test_half_a_call_and_players_are_refused(t: Table) -> None:
    """Neither opens a form: half a call would lose the rest, and a player's would be refused."""
    half = await t.whispers(t.mara, "group call", dc=15)
    players = reply(await t.slash(t.ann, "group call"))

    assert "needs a check or dice" in half
    assert players.ephemeral
    assert players.content == LIMITS


async def test_a_check_is_its_own_dice(t: Table) -> None:
    """On the usual dice of the game, each player with their own number, and dice are their own check."""
    await t.says(t.mara, "game use", game="dnd5")
    for who, number in ((t.mara, 100), (t.ann, 200)):
        await t.whispers(who, "me", set=f"stealth {number}")
    by_name = await t.slash(t.mara, "group call", check="stealth", dc=15)
    advantage = await t.slash(t.mara, "group call", dice="stealth adv")
    await t.press(by_name, "Roll", t.ann)
    await t.press(advantage, "Roll", t.ann)

    assert "**stealth** · `d20+stealth` against DC 15" in reply(by_name).content
    assert "+ 200" in reply(by_name).content
    assert "**stealth adv**" in reply(advantage).content
    assert "+ 200" in reply(advantage).content


async def test_a_slip_opens_no_call(t: Table) -> None:
    """It is not taken for a number that every player has."""
    await t.says(t.mara, "game use", game="dnd5")
    await t.whispers(t.mara, "me", set="stealth 7")
    refused = await t.whispers(t.mara, "group call", check="Sneak", dice="stealht")

    assert "Did you mean `stealth` or `d20+stealht` (with your bonus)?" in refused


async def test_the_form_has_the_dice_of_the_game(t: Table) -> None:
    """A d20 without a game, the usual dice in one; else none, and the check's name is each player's roll."""
    dice: dict[str, str] = {}
    for game in ("none", "dnd5", "fate", "cthulhu"):
        await t.slash(t.mara, "game use", game=game)
        form = await t.slash(t.mara, "group call")
        assert form.modal
        dice[game] = next(
            part["component"].get("value", "")
            for part in form.modal["components"]
            if part["component"]["custom_id"] == "dice"
        )
    await t.whispers(t.ann, "me", set="listen 45")
    called = await t.mara.submit_modal(await t.slash(t.mara, "group call"), {"check": "Listen"})
    await t.press(called, "Roll", t.ann)

    assert dice == {"none": "1d20", "dnd5": "d20", "fate": "", "cthulhu": ""}
    assert "45" in reply(called).content

"""/d100 physical: real dice, typed and pressed, right and wrong, over a restart, never called true-random."""

from discord import InteractionType
from simcord import InteractionResult, MemberActor

from bot.campaign.command import Caller
from bot.campaign.d100_rolls import Real, real_dice
from tests.support.groups import labels
from tests.support.pressing import arrives
from tests.support.table import Table, entries, numbered, totals
from tests.support.wire import Wire, reply

PRESS = InteractionType.component


async def pressed(t: Wire, message: InteractionResult, keys: str, actor: MemberActor) -> InteractionResult:
    """What a message became after these keys, one after the other."""
    for key in keys:
        message = await t.press(message, key, actor)
    return message


async def test_typed_dice_feed_the_register(t: Table) -> None:
    """3 5 1 6 reads 581, 81 modulo 100; six, one and five read 184 more; all of it is told and marked."""
    first = await t.says(t.ann, "d100 physical", dice="3 5 1 6")
    second = await t.slash(t.ann, "d100 physical", dice="615")
    history = entries(await t.whispers(t.bob, "history"))

    assert first.startswith("**81** ← 4d6 (3, 5, 1, 6)\n-# dice 3-5-1-6 read 581, start 0 → 81 · ")
    assert reply(second).content.startswith(
        "**65** ← 3d6 (6, 1, 5)\n-# dice 6-1-5 read 184, start 81 → 65 · "
    )
    assert "thrown by hand" in first
    assert "bits" not in first
    assert labels(second) == []
    assert history[0].endswith("**65** (`d100 register`, dice thrown by hand)")


async def test_the_bot_and_real_dice_feed_one_register(t: Table) -> None:
    """The bot's own dice go on from where real ones ended, and an undo takes either back."""
    await t.says(t.ann, "d100 physical", dice="3 5 1 6")
    thrown = await t.says(t.ann, "d100 roll")
    await t.says(t.mara, "roller undo", name="d100 register")
    await t.says(t.mara, "roller undo", name="d100 register")
    last = await t.says(t.ann, "d100 physical", dice="1")

    assert ", start 81 → " in thrown
    assert last.startswith("**100** ← 1d6 (1)\n-# dice 1 read 0, start 0 → 100 · ")


async def test_a_conversation_with_a_wrong_die(t: Table) -> None:
    """6 1 5 is not enough; a seven is refused and changes nothing; 4 and 6, pressed, make it 44."""
    message = await t.slash(t.ann, "d100 physical", dice="6 1 5", method="table")
    asks = reply(message).content
    wrong = await t.whispers(t.ann, "d100 physical", dice="6 1 5 7", method="table")
    empty = await t.whispers(t.ann, "history")
    still = t.seen_by(t.bob)
    asks_again = reply(await t.press(message, "4", t.ann)).content
    done = await t.press(message, "6", t.ann)
    said = reply(done).content

    assert "dice: 6 1 5. The table wants 2 more dice" in asks
    assert "`/d100 physical dice:6 1 5 … method:table`" in asks
    assert wrong == "A six-sided die shows 1 to 6, not '7'. Nothing was changed."
    assert "Nothing here yet" in empty
    assert still == [asks]
    assert "dice: 6 1 5 4. The table wants one more die" in asks_again
    assert said.startswith("**44** ← 3d6 (6, 1, 5) reads 11, under 16; 2d6 (4, 6) behind 11 reads 420, ")
    assert "reads 420, less 76 is 344, mod 100 is 44\n" in said
    assert "**d100 table** · d6, exact" in said
    assert "thrown by hand" in said
    assert numbered(said) == 1
    assert labels(done) == []
    assert t.seen_by(t.bob) == [said]


async def test_the_same_conversation_typed(t: Table) -> None:
    """All dice typed at once give the same; one too many is refused and says which to type."""
    said = await t.says(t.ann, "d100 physical", dice="6,1,5,4,6", method="table")
    refused = await t.whispers(t.ann, "d100 physical", dice="3 5 1 6", method="table")

    assert totals(said) == ["44"]
    assert "needs the first 3 of these dice and no more. Type 3 5 1 alone." in refused


async def test_dice_by_buttons_alone(t: Table) -> None:
    """Without any dice the keys are there; one can be taken back, and Add ends a register's throw."""
    message = await t.slash(t.ann, "d100 physical")
    first = labels(message)
    message = await pressed(t, message, "35", t.ann)
    message = await t.press(message, "Take one back", t.ann)
    message = await pressed(t, message, "516", t.ann)
    then = labels(message)
    done = await t.press(message, "Add", t.ann)

    assert first == ["1", "2", "3", "4", "5", "6"]
    assert then == [*first, "Take one back", "Add"]
    assert reply(done).content.startswith(
        "**81** ← 4d6 (3, 5, 1, 6)\n-# dice 3-5-1-6 read 581, start 0 → 81 · "
    )


async def test_the_ninth_die_is_the_last(t: Table) -> None:
    """A register takes nine dice, and needs no Add behind the ninth; ten typed ones are refused."""
    done = await pressed(t, await t.slash(t.ann, "d100 physical"), "1" * 9, t.ann)
    refused = await t.whispers(t.ann, "d100 physical", dice="1" * 10)

    assert "dice 1-1-1-1-1-1-1-1-1 read 0, start 0 → 100" in reply(done).content
    assert "1 to 9" in refused


async def test_only_ones_own_dice(t: Table) -> None:
    """Bob can't press a die for Ann; her message stays as it was."""
    message = await t.slash(t.ann, "d100 physical")
    refused = reply(await t.press(message, "3", t.bob))

    assert refused.ephemeral
    assert "somebody else's dice" in refused.content
    assert "none yet" in t.seen_by(t.ann)[0]


async def test_two_quick_keys_are_two_dice(t: Table) -> None:
    """The second press comes while the message still shows the dice before the first one."""
    message = await t.slash(t.ann, "d100 physical", dice="6 1", method="table")
    quick = [await arrives(t, t.ann, PRESS, f"die:table:61:{key}", reply(message)) for key in "54"]
    shown = reply(quick[1]).content
    done = await t.press(message, "6", t.ann)

    assert "dice: 6 1 5 4. The table wants one more die" in shown
    assert reply(done).content.startswith("**44** ← 3d6 (6, 1, 5)")


async def test_two_last_keys_are_one_roll(t: Table) -> None:
    """Of two last dice pressed before the message changes, the first counts, and both get its roll."""
    message = await t.slash(t.ann, "d100 physical", dice="3 5", method="table")
    answered = t.env.backend.get_message(t.channel.id, reply(message).id)
    begun = int((answered.interaction_metadata or {})["id"])
    done = await t.press(message, "1", t.ann)
    caller = Caller(begun, t.guild.id, t.channel.id, t.ann.user.id)
    other = (await t.app.rolling.ask(caller, real_dice((3, 5, 2), Real.TABLE))).rolled

    assert totals(reply(done).content) == ["23"]
    assert (other.event.seq, other.outcomes[0].face) == (1, "23")


async def test_wrong_dice_are_refused_in_private(t: Table) -> None:
    """A sentence for the asker alone, and nothing in the history."""
    for text in ("7", "0", "1 2 three", "-4", "3.5"):
        assert "shows 1 to 6" in await t.whispers(t.ann, "d100 physical", dice=text), text

    assert "Nothing here yet" in await t.whispers(t.ann, "history")


async def test_physical_rolls_are_no_true_ones(t: Table) -> None:
    """/lab sources counts them neither among the true-random rolls nor among the bot's own."""
    before = await t.whispers(t.ann, "lab sources")
    await t.says(t.ann, "d100 physical", dice="3 5 1 6")
    after = await t.whispers(t.ann, "lab sources")

    assert [line for line in after.splitlines() if "true-random" in line] == [
        line for line in before.splitlines() if "true-random" in line
    ]


async def test_a_days_first_roll_has_its_checkpoint(t: Table) -> None:
    """Also where keys enter the dice."""
    await t.says(t.mara, "admin settings", footer="checkpoints")
    entered = await pressed(t, await t.slash(t.ann, "d100 physical"), "3516", t.ann)
    rolled = await t.press(entered, "Add", t.ann)

    assert "evenhand/" in reply(rolled).content

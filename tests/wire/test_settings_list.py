"""The list under /admin settings: a setting is chosen, asked for in a form, and changed openly."""

from discord import InteractionType
from simcord import InteractionResult, MemberActor

from cogs.admin.words import SETTINGS
from tests.support.pressing import arrives
from tests.support.realm import LIMITS
from tests.support.table import Table, numbered
from tests.support.wire import reply

CHANGES = {
    "visibility": ("gm", "the player and the game masters see a roll"),
    "makers": ("everyone", "all make rollers"),
    "odds": ("gms", "game masters see the next roll's odds"),
    "called_only": ("yes", "rollers remember only called rolls"),
    "pace": ("4", "4 rolls per player in five seconds"),
    "footer": ("full", "under a roll: the roller's whole rule"),
    "by_hand": ("no", "rollers take no dice thrown by hand"),
    "d6_only": ("yes", "plain dice are made of d6s alone"),
    "d100_zero": ("yes", "00 on a d100 counts 0"),
    "hand": ("5", "after each play, hands fill up to 5 cards"),
    "faces": ("no", "dice are text"),
    "looks": ("text", "messages are plain text"),
    "language": ("en", "shared messages are in English"),
    "retention": ("90", "entries go for good after 90 days"),
}


async def asked(t: Table, name: str, actor: MemberActor) -> InteractionResult:
    """The form of one setting, out of the list under somebody's /admin settings."""
    return await actor.select(reply(await t.slash(actor, "admin settings")), [name])


async def test_each_setting_is_changed_by_its_form(t: Table) -> None:
    """Everybody sees what changed; the same once more changes nothing."""
    for number, name in enumerate(SETTINGS, start=1):
        value, line = CHANGES[name]
        changed = reply(await t.mara.submit_modal(await asked(t, name, t.mara), {"value": value}))
        same = reply(await t.mara.submit_modal(await asked(t, name, t.mara), {"value": value}))

        assert not changed.ephemeral, name
        assert line in changed.content
        assert numbered(changed.content) == number
        assert (same.ephemeral, same.content) == (True, "That is already so.")


async def test_what_can_not_be_is_refused(t: Table) -> None:
    """A word for a number, a value that is in no list, and players."""
    word = reply(await t.mara.submit_modal(await asked(t, "pace", t.mara), {"value": "fast"}))
    shown = reply(await t.slash(t.mara, "admin settings"))
    forged = await arrives(t, t.mara, InteractionType.modal_submit, "setting:1:looks", shown, value="odd")
    player = reply(await arrives(t, t.ann, InteractionType.modal_submit, "setting:0:pace", shown, value="3"))

    assert word.content == "'fast' is no number. Type one, such as 5."
    assert reply(forged).content == "Choose one from the list."
    assert player.content == LIMITS
    assert "Nothing here yet." in await t.whispers(t.ann, "history")

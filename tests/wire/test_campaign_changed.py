"""Buttons, lists and forms once the channel plays another campaign: refused, or read as if typed there."""

from typing import Any

from discord import InteractionType
from simcord import InteractionResult
from simcord.components import walk_components

from cogs.kit.interactions import EVENT
from tests.support.pressing import forms
from tests.support.proving import proof_on
from tests.support.realm import kept
from tests.support.table import Table
from tests.support.walking import PRESS, Tour
from tests.support.wire import reply

REFUSED = "This channel plays another campaign since then. Use the command again."
FORM = InteractionType.modal_submit
BY_EVENT = {"card-which", "card-draw", "hand", "cards", "undo-reset"}
"""They name their campaign with no event, and are about it wherever they are pressed."""
TYPED = {
    *("read", "roll-ask", "deal", "destination", "key", "key-modify", "key-plus", "key-remove", "me-roll"),
    *("campaign-show", "campaign-use", "game-use", "games", "roller-list", "verify", "call-as", "call-new"),
    *("npc-as", "odds-as", "call-form"),
    *("me-new", "me-keep", "me-bonuses", "tune-fit", "tune-dice", "tune-deck", "die", "throw"),
    *("help", "methods", "convert", "proof-help", "delete-home", "forget-me"),
}
"""What they stand for could be typed, and is read in what is played; the last ones are about no campaign."""
NUMBERED = {"unsave", "recap", "stats"}
"""They name another number behind their campaign, which is none of an event's."""
ASKING = {(PRESS, "proof-salt"), (PRESS, "me-remove")}
"""These only ask; what answers them is refused."""
PREPARED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("game use", {"game": "dnd5"}),
    ("roller fair", {"name": "Luck", "dice": "2d6"}),
    ("save", {"name": "Bite", "dice": "1d4"}),
    ("save", {"name": "Door", "dice": "1d6", "shared": True}),
    ("me", {"new": "Kim", "set": "str 3"}),
    ("me", {"new": "Mira", "set": "str 2"}),
    ("session start", {}),
    *[("roll", {"dice": "Luck"})] * 40,
)
ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("roll", {"dice": "Luck"}),
    ("odds", {"what": "Luck"}),
    ("history", {}),
    ("stats", {"roller": "Luck"}),
    ("rigged", {"roller": "Luck"}),
    ("session end", {}),
    ("save", {}),
    ("save", {"name": "attack", "dice": "1d4"}),
    ("save", {"name": "Door", "dice": "1w4"}),
    ("me", {}),
    ("roller reset", {"name": "Luck"}),
    ("roller fair", {"name": "Luck", "dice": "2d8"}),
    ("admin reset", {"scope": "campaign"}),
    ("admin settings", {}),
    ("proof", {}),
)


async def test_a_press_is_about_the_campaign_that_it_was_shown_for(t: Table) -> None:
    """What changes or tells more of what a message showed is refused elsewhere, and so are open forms."""
    await t.slash(t.mara, "campaign create", name="One")
    off = await t.slash(t.mara, "proof")
    opened = [await t.press(off, "Switch on…", t.mara)]
    await proof_on(t, t.mara)
    for command, options in PREPARED:
        await t.slash(t.mara, command, **options)
    shown = [(command, await t.slash(t.mara, command, **options)) for command, options in ASKED]
    first = dict(reversed(shown))
    for command, label in (("proof", "Give words…"), ("me", "Edit…"), ("admin reset", "Reset…")):
        opened.append(await t.press(first[command], label, t.mara))
    opened.append(await t.mara.select(reply(first["admin settings"]), ["footer"]))
    further = [
        await t.press(first[one], label, t.mara) for one, label in (("me", "Remove"), ("roll", "Counts"))
    ]
    await t.slash(t.mara, "campaign create", name="Two", fresh=True)
    for command, options in PREPARED:
        await t.slash(t.mara, command, **options)
    tour, before = Tour(t, t.mara, lambda _: None), await kept(t)
    said: dict[tuple[InteractionType, str], set[str]] = {}
    for message in map(reply, [off, *[answer for _, answer in shown], *further]):
        for part in walk_components(message.components):
            word = str(part.get("custom_id", "")).partition(":")[0]
            if (PRESS, word) in bound(t) and not part.get("disabled"):
                said.setdefault((PRESS, word), set()).add(_told(await tour.press(t.mara, message, part)))
    for form in opened:
        content: Any = form.modal
        answer = await t.mara.submit_modal(form, tour.filled(content["components"]))
        said.setdefault((FORM, content["custom_id"].partition(":")[0]), set()).add(_told(answer))

    assert said == {at: {REFUSED} for at in bound(t)}
    assert await kept(t) == before


def bound(t: Table) -> set[tuple[InteractionType, str]]:
    """The kinds that name a campaign, and are about that alone."""
    return {
        at
        for at, form in forms(t).items()
        if at not in ASKING
        and at[1] not in TYPED | BY_EVENT
        and (at[1] in NUMBERED or form.fields[:2] != EVENT)
    }


def _told(answer: InteractionResult) -> str:
    return (answer.followups[-1] if answer.followups else reply(answer)).content

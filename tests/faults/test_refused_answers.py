"""Discord refuses an answer: what was asked for stands, is owed, and nobody is told to do it again."""

from collections.abc import Iterator
from typing import Any

import pytest
from discord import InteractionType
from simcord import InteractionResult

from tests.support.pressing import arrives, forms
from tests.support.proving import proof_on
from tests.support.realm import kept, people
from tests.support.table import REPLIES, Table, numbered
from tests.support.wire import reply
from tests.wire.test_permissions import SCRIPT

LOST = "It was rolled, but its reply may be lost."
PRESS, FORM = InteractionType.component, InteractionType.modal_submit
READS = {
    *(
        "help",
        "methods",
        "key-modify",
        "key-remove",
        "check",
        "look",
        "page",
        "rigged",
        "rigged-more",
        "stats",
        "recap",
        "call-lead",
        "call-next",
    ),
    *("call-ask", "call-chart", "call-order", "call-places", "call-places-on", "call-players", "key-plus"),
    *("call-delay", "call-in", "call-note", "call-out", "call-turn", "turn-delay", "turn-next"),
    *("call-new", "call-off", "call-panel", "campaign-show", "card-which", "games", "roller-list", "verify"),
    *("choose-dice", "counts", "hand", "odds", "odds-as", "settings", "unsave"),
    *("proof-help", "proof-keys", "proof-on", "proof-salt", "proof-words"),
    *("me-bonuses", "me-edit", "me-export", "me-gone", "me-keep", "me-new", "me-remove", "me-use"),
    *("save-as", "save-word"),
    *("chosen-dice", "push", "delete-home", "forget-me", "throw"),
}
"""Buttons and forms that make no event; or (the last five) of a game, a throw, or where all is deleted.

Keys and salt are shown before they are recorded, so they make none where that is refused.
A throw has a test below.
"""
STATUSES = (400, 404, 500)
"""Of what is asked, of what is there, and of Discord's own: other barriers, and other sentences."""


def refuse(t: Table, status: int, route: str = REPLIES) -> None:
    """Have Discord refuse the next request of a route."""
    t.env.inject_error("POST", route, status=status, code=0, message="no")


def told(answer: InteractionResult) -> str:
    """All that somebody was told."""
    messages = [*([answer.response] if answer.response else []), *answer.followups]
    return "\n".join(message.content for message in messages)


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.refusing
async def test_no_refused_answer_invites_to_do_it_again(t: Table, status: int) -> None:
    """Every command that leaves an event says that it stands, and names no second try."""
    seat = people(t).manager
    for command, options in (
        ("campaign create", {"name": "Dragons"}),
        ("roller cards", {"name": "Cards", "cards": "elk 3, owl 3"}),
    ):
        await seat.slash(command, **options)
    before = len((await kept(t))["event"])
    for line in SCRIPT:
        options = {k: seat.mate if v == "somebody" else v for k, v in line.options.items()}
        if line.adds:
            refuse(t, status)
        said = told(await seat.slash(line.command, **options)) or t.seen_by(t.mara)[-1]
        t.env.backend.faults.clear()
        there, before = before, len((await kept(t))["event"])

        if before > there:
            # A call whose answer is too late is shown in the channel.
            assert "stands" in said or said.startswith("**"), f"/{line.command}: {said}"
            assert "try again" not in said, f"/{line.command}: {said}"


def presses(t: Table) -> Iterator[tuple[InteractionType, str, dict[str, str]]]:
    """Yield every press and form of Mara's that makes an event, in the campaign of the test below.

    `{last}` in an id stands for the number of the newest event, `{offer}` for that of her offer.
    """
    yield PRESS, "proof-off:1", {}
    for word in ("take:1:{offer}:0", "offer-back:1:{offer}"):
        yield PRESS, word, {}
    for word in ("deal:Cards", "destination:Destination", "game-use:dnd5"):
        yield PRESS, word, {}
    for word in ("again:1:3", "reveal:1:4", "key::1d6", "read:1:u:1d6", "convert:6:20"):
        yield PRESS, word, {}
    yield PRESS, "die:register:351:add", {}
    for word in ("tune-dice:6:0.5", "tune-deck:6:1:1", "tune-fit:1.5:0:0:1d6", "reset:1:Cards"):
        yield PRESS, word, {}
    deck = '{{"system":"deck","base":{{"elk":3,"owl":3}}}}'
    yield PRESS, f"remake:1:table:Cards:{deck}", {}
    yield FORM, "why:1:roller:Cards", {"why": "Anew"}
    asked: Any = next(
        p for _, event, p in reversed(t.env.backend.transcript) if event == "INTERACTION_CREATE"
    )
    yield PRESS, f"undo-reset:1:{asked['id']}", {}
    for word in (
        "card-play:1:{last}",
        "card-again:1:{last}",
        "cards:1:discard",
        "cards:1:return",
        "cards:1:show",
    ):
        if "again" not in word:
            yield PRESS, "card-draw:1:Cards", {}
        yield PRESS, word, {}
    yield PRESS, "me-roll:Bite", {}
    yield FORM, "roll-ask:1:u", {"dice": "1d20"}
    yield FORM, "setting:1:footer", {"value": "number"}
    yield FORM, "call-own:1:9", {}
    yield FORM, "call-form", {"check": "E", "dice": "1d20"}
    yield PRESS, "call-as:12:1d20@F", {}
    yield PRESS, "npc-as:2:u:1d20@Orc@F", {}
    for word in ("roll:1:5", "mine:1:6", "hand:1:7", "missing:1:5", "reveal:1:5", "close:1:5", "reopen:1:5"):
        yield PRESS, f"call-{word}", {}
    yield PRESS, "call-cancel:1:5", {}
    yield FORM, "call-with:1:8", {"added": "+1"}
    yield FORM, "own-dice:1:3", {"thrown": "5"}
    yield FORM, "call-own-dice:1:10", {"thrown": "7"}
    yield FORM, "call-names:1:8", {"names": "Orc", "dice": "1d20"}
    yield PRESS, "campaign-use:", {}


async def test_no_refused_press_invites_to_do_it_again(t: Table) -> None:
    """Every button and form that leaves an event says that it stands; a new one needs a line here."""
    await t.slash(t.mara, "campaign create", name="Dragons")
    await t.slash(t.mara, "roller cards", name="Cards", cards="elk 3, owl 3")
    for visibility in ("public", "gm"):
        await t.slash(t.mara, "roll", dice="1d20", visibility=visibility)
    everybody = "".join(actor.mention for actor in t.world.actors)
    await t.slash(t.mara, "group call", check="A", dice="1d20", players=everybody, hidden="gm")
    await t.slash(t.mara, "group call", check="B", dice="1d20")
    await t.slash(t.mara, "group deal", deck="Cards")
    for check in "CDE":
        await t.slash(t.mara, "group call", check=check, dice="1d20")
    await t.slash(t.mara, "save", name="Bite", dice="1d20")
    await proof_on(t, t.mara)
    carrier = reply(await t.slash(t.mara, "buttons", set="d20"))
    offer = numbered(await t.says(t.mara, "deal", deck="Cards", offer=2))
    tried = set[str]()
    for kind, form, typed in presses(t):
        before = len((await kept(t))["event"])
        custom_id = form.format(last=before, offer=offer)
        tried.add(custom_id.partition(":")[0])
        refuse(t, 403)
        chosen = [str(before)] if custom_id.startswith("cards:") else ()
        said = told(await arrives(t, t.mara, kind, custom_id, carrier, chosen, **typed))
        t.env.backend.faults.clear()

        assert len((await kept(t))["event"]) > before, f"{custom_id}: {said}"
        # Where only a button could not be taken away, the roll itself is told.
        assert "stands" in said or said.startswith("**"), f"{custom_id}: {said}"
        assert "try again" not in said, f"{custom_id}: {said}"
    assert tried == {word for _, word in forms(t)} - READS


async def test_a_throw_whose_button_stays_is_told(t: Table) -> None:
    """It is asked for by a message of its own, so no other one carries its button."""
    await proof_on(t, t.mara, host=t.bob.user)
    waiting = await t.slash(t.bob, "roll", dice="1d20")
    refuse(t, 400)
    said = told(await t.press(waiting, "Throw for them", t.ann))

    assert said.startswith("**")


@pytest.mark.refusing
async def test_the_notice_of_a_hidden_roll_is_owed(t: Table) -> None:
    """Where the others are not told that somebody rolled, the next roll tells them."""
    refuse(t, 403, "/webhooks/*")
    said = told(await t.slash(t.ann, "roll", dice="1d20", visibility="gm"))
    after = await t.says(t.bob, "roll", dice="1d6")

    assert "Your roll stands (#1), but Discord refused my answer." in said
    assert f"#1 of {t.ann.mention}" in after
    assert LOST in after

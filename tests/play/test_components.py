"""Messages made of components alone (V2), and forms: what Discord takes, refuses, and tells of them."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from discord import RadioGroupOption, ui

from tests.play.cards import ALT, V2, again, card, chart, text, with_files
from tests.play.chair import Chair, Line
from tests.play.test_protocol import BUTTON, ROLL, rows, told
from tests.support.discord import CALLBACK, Discord
from tests.support.openapi import faults_of

BOARD = card(
    ui.Section(text("# 22 <:d20_17:5> + 5", 1000), text("-# Stealth", 3000), accessory=again()),
    ui.Container(
        text("**Stealth** for <@1>"),
        ui.Separator(),
        text("Ann **6**\nBob **27**", 2000),
        ui.ActionRow(again("roll", "Roll")),
        accent_colour=0x86CDB2,
    ),
)
TEXT = {"type": 10, "content": "x"}
LINK = {"type": 2, "style": 1, "label": "X", "custom_id": "x"}
PICTURE = {"media": {"url": "https://example.org/x.png"}}


def path(d: Discord) -> str:
    """Where messages are posted."""
    return f"/channels/{d.channel.id}/messages"


async def test_a_message_of_components(d: Discord, c: Chair) -> None:
    """It is told with its flag and an id for each component; people in it are called as allowed."""
    asked = f"<@{d.ann.id}> <@{d.bob.id}>"
    body = card(text(asked), allowed_mentions={"users": [str(d.ann.id)]})
    status, message = await c.ask("POST", path(d), body)
    assert (status, message["flags"], message["content"]) == (200, V2, "")
    assert [user["id"] for user in message["mentions"]] == [str(d.ann.id)]
    _, board = await c.ask("POST", path(d), BOARD)
    section, box = board["components"]
    ids = [part["id"] for part in (section, *section["components"], section["accessory"], box)]
    assert len(set(ids)) == 5
    assert ids[1:3] == [1000, 3000]
    assert faults_of(d.requests) == []


def _refused() -> Iterator[tuple[str, Any]]:
    """What each limit is about, and a body one beyond it."""
    legacy: dict[str, Any] = {"content": "x", "embeds": [{}], "poll": {"question": {}}, "sticker_ids": ["1"]}
    for name, value in legacy.items():
        yield name, card(text("x"), **{name: value})
    many = [{"type": 17, "components": [TEXT] * 12}] * 3 + [TEXT]
    parts: dict[str, Any] = {
        "a type that there is not": {"type": 99},
        "a label outside of a form": {"type": 18, "label": "x", "component": TEXT},
        "a text of no letters": {"type": 10, "content": ""},
        "a text of too many letters": {"type": 10, "content": "x" * 4_001},
        "an empty row": {"type": 1, "components": []},
        "six buttons": {"type": 1, "components": [{**LINK, "custom_id": str(n)} for n in range(6)]},
        "an empty container": {"type": 17, "components": []},
        "a container in a container": {"type": 17, "components": [{"type": 17, "components": [TEXT]}]},
        "no colour": {"type": 17, "components": [TEXT], "accent_color": 1 << 24},
        "a section without its accessory": {"type": 9, "components": [TEXT]},
        "a section beside a text": {"type": 9, "components": [TEXT], "accessory": TEXT},
        "a section of no text": {"type": 9, "components": [], "accessory": LINK},
        "a section of four texts": {"type": 9, "components": [TEXT] * 4, "accessory": LINK},
        "a gallery of nothing": {"type": 12, "items": []},
        "a gallery of eleven": {"type": 12, "items": [PICTURE] * 11},
        "an empty alt text": {"type": 12, "items": [{**PICTURE, "description": ""}]},
        "a long alt text": {"type": 12, "items": [{**PICTURE, "description": "x" * 1_025}]},
        "a picture that is not there": {"type": 12, "items": [{"media": {"url": "attachment://x.png"}}]},
        "a file that is not there": {"type": 13, "file": {"url": "attachment://x.json"}},
        "a file from elsewhere": {"type": 13, "file": {"url": "https://example.org/x.json"}},
    }
    for name, part in parts.items():
        yield name, {"flags": V2, "components": [part]}
    yield "41 components", {"flags": V2, "components": [*many, TEXT]}
    yield "4,001 characters", {"flags": V2, "components": [{**TEXT, "content": "x" * 4_000}, TEXT]}
    yield "one id twice", {"flags": V2, "components": [{**TEXT, "id": 7}] * 2}
    yield "one custom id twice", {"flags": V2, "components": [*rows(LINK), *rows(LINK)]}
    yield "components without the flag", {"components": [TEXT]}


@pytest.mark.parametrize(("what", "body"), [*_refused()])
async def test_what_discord_refuses(d: Discord, c: Chair, what: str, body: Any) -> None:
    """Each limit is Invalid Form Body, and nothing is shown."""
    status, said = await c.ask("POST", path(d), body)
    assert (status, said["code"]) == (400, 50035), what
    assert said["errors"]
    assert d.messages() == []


async def test_limits_are_reached(d: Discord, c: Chair) -> None:
    """Forty components, 4,000 characters and ten pictures are taken; nothing at all is not."""
    forty = {"flags": V2, "components": [{"type": 17, "components": [TEXT] * 12}] * 3 + [TEXT]}
    for body in (
        forty,
        {"flags": V2, "components": [{"type": 10, "content": "x" * 4_000}]},
        {"flags": V2, "components": [{"type": 12, "items": [PICTURE] * 10}]},
    ):
        assert (await c.ask("POST", path(d), body))[0] == 200
    assert await c.code("POST", path(d), {"flags": V2, "components": []}) == (400, 50006)
    assert faults_of(d.requests[:-1]) == []


async def test_the_look_belongs_to_the_message(d: Discord, c: Chair) -> None:
    """A message of components stays one; a plain one turns into one once its content is taken away."""
    _, own = await c.ask("POST", path(d), card(text("one")))
    there = f"{path(d)}/{own['id']}"
    assert await c.code("PATCH", there, {"content": "two"}) == (400, 50035)
    assert await c.code("PATCH", there, {"flags": 0}) == (400, 50035)
    assert await c.code("PATCH", there, {"components": []}) == (400, 50006)
    _, again_ = await c.ask("PATCH", there, {"components": card(text("two"))["components"]})
    assert (again_["flags"], again_["components"][0]["content"]) == (V2, "two")

    _, plain = await c.ask("POST", path(d), {"content": "Ann, roll!", "components": rows(BUTTON)})
    there = f"{path(d)}/{plain['id']}"
    turned = card(text("All in"))
    assert await c.code("PATCH", there, turned) == (400, 50035)
    gone = {"content": None, "embeds": None, "poll": None, "sticker_ids": None}
    status, board = await c.ask("PATCH", there, turned | gone)
    assert (status, board["flags"], board["content"]) == (200, V2, "")
    assert await c.code("PATCH", there, {"content": "back"}) == (400, 50035)


async def test_files_that_components_name(d: Discord, c: Chair) -> None:
    """They are left out of `attachments` and stand in the media; an edit keeps them by id and name."""
    body = card(chart(), ui.File("attachment://proof.json"))
    names = ("odds.png", "proof.json", "other.json")
    status, sent = await c.ask("POST", path(d), data=with_files(body, names))
    assert status == 200, sent
    assert [file["filename"] for file in sent["attachments"]] == ["other.json"]
    gallery, file = sent["components"]
    media = gallery["items"][0]["media"]
    assert (media["width"], media["height"], file["name"], file["size"]) == (5, 3, "proof.json", 2)
    assert gallery["items"][0]["description"] == ALT
    async with c.session.get(media["url"]) as answer:
        assert answer.content_type == "image/png"
    there = f"{path(d)}/{sent['id']}"
    kept = {"attachments": [{"id": media["attachment_id"], "filename": "odds.png"}]}
    status, edited = await c.ask("PATCH", there, {**card(chart()), **kept})
    assert edited["components"][0]["items"][0]["media"]["attachment_id"] == media["attachment_id"]
    assert edited["attachments"] == []
    assert await c.code("PATCH", there, {**card(chart()), "attachments": []}) == (400, 50035)


async def test_pictures_that_come_with_an_edit_are_refused(d: Discord, c: Chair, line: Line) -> None:
    """As Discord does: also in a deferred answer; a File is taken, but not in a press's own answer."""
    begun = await d.begin(d.ann, ROLL)
    callback, _ = await told(line)
    await c.ask("POST", callback, {"type": 5})
    webhook = f"/webhooks/{d.table.world.bot.id}/{begun.token}"
    edit = f"{webhook}/messages/@original"
    for method, where in (("PATCH", edit), ("POST", webhook)):
        assert await c.code(method, where, data=with_files(card(chart()))) == (400, 50035)
    body = card(ui.File("attachment://proof.json"), ui.ActionRow(again()))
    status, _ = await c.ask("PATCH", edit, data=with_files(body, ["proof.json"]))
    assert status == 200
    pressing = asyncio.create_task(d.press(d.ann, await d.answer(begun), "Again"))
    callback, payload = await told(line)
    assert payload["data"]["id"] == payload["message"]["components"][1]["components"][0]["id"]
    update = {"type": 7, "data": card(ui.File("attachment://new.json"))}
    assert await c.code("POST", callback, data=with_files(update, ["new.json"])) == (400, 50035)
    assert (await c.ask("POST", callback, {"type": 6}))[0] == 204
    await pressing


async def test_buttons_anywhere_are_pressed(d: Discord, c: Chair, line: Line) -> None:
    """Beside a text, and in a row inside a container; private messages are made of components too."""
    begun = await d.begin(d.ann, ROLL)
    callback, _ = await told(line)
    private = {**BOARD, "flags": V2 | 64}
    await c.ask("POST", callback, {"type": 4, "data": private})
    message = await d.answer(begun)
    assert message.flags == V2 | 64
    for label, custom_id in (("Again", "again"), ("Roll", "roll")):
        pressing = asyncio.create_task(d.press(d.ann, message, label))
        callback, payload = await told(line)
        assert payload["data"]["custom_id"] == custom_id
        await c.ask("POST", callback, {"type": 4, "data": card(text(label))})
        reply = await d.answer(await pressing)
        assert (reply.asker, reply.command) == (d.ann.id, None)  # what stands in private is nobody else's


class Form(ui.Modal, title="How do you roll?"):
    """A form with every kind of field."""

    bonus: ui.Label[Any] = ui.Label(text="Bonus", component=ui.TextInput(custom_id="bonus"))
    kind: ui.Label[Any] = ui.Label(
        text="Kind",
        component=ui.RadioGroup(
            custom_id="kind", options=[RadioGroupOption(label=n, value=n) for n in ("str", "dex")]
        ),
    )
    keep: ui.Label[Any] = ui.Label(text="Keep it", component=ui.Checkbox(custom_id="keep"))


async def test_forms_with_labels(d: Discord, c: Chair, line: Line) -> None:
    """Text, one of several and a box come back as Discord tells them; wrong ones are refused."""
    await d.begin(d.ann, ROLL)
    callback, _ = await told(line)
    asked = Form().to_dict()
    assert (await c.ask("POST", callback, {"type": 9, "data": asked}))[0] == 204
    shown = next(iter(d.table.interactions.forms))
    values: dict[str, Any] = {"bonus": "+7", "kind": ["dex"], "keep": True}
    acts = d.table.acts
    faults: list[dict[str, Any]] = [{"kind": []}, {"kind": ["int"]}, {"bonus": ""}]
    for wrong in faults:
        with pytest.raises(Exception, match=r"chosen|needed"):
            await acts.submit(d.ann, shown, values | wrong)
    await acts.submit(d.ann, shown, values)
    _, payload = await told(line)
    assert [part["component"]["value"] for part in payload["data"]["components"]] == ["+7", "dex", True]
    assert faults_of(d.sent(CALLBACK)) == []


FIELD = {"type": 18, "label": "x", "component": {"type": 4, "custom_id": "a", "style": 1}}


@pytest.mark.parametrize(
    "parts",
    [
        [],
        [{**FIELD, "component": {**FIELD["component"], "custom_id": str(n)}} for n in range(6)],  # type: ignore[dict-item]
        [FIELD, FIELD],
        [{**FIELD, "label": "x" * 46}],
        [{"type": 18, "label": "x", "component": LINK}],
        [{"type": 18, "label": "x", "component": {"type": 21, "custom_id": "a", "options": []}}],
        [{"type": 17, "components": [TEXT]}],
    ],
)
async def test_forms_that_discord_refuses(d: Discord, c: Chair, line: Line, parts: list[Any]) -> None:
    """No field, six, two of one id, long labels, and what has no place in a form."""
    await d.begin(d.ann, ROLL)
    callback, _ = await told(line)
    data = {"title": "x", "custom_id": "x", "components": parts}
    assert await c.code("POST", callback, {"type": 9, "data": data}) == (400, 50035)

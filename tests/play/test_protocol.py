"""The table speaks Discord's protocol: routes, gateway, deadlines and refusals, as this bot needs them."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from aiohttp import FormData

from bot.play.world import Role
from bot.words.languages import language, speaking
from tests.play.chair import Chair, Line, chair
from tests.play.evening import drawn
from tests.play.told import TOLD
from tests.support.discord import Discord, discord

ROLL = "/roll 2d6+3"
X = [{"label": "X", "value": "x"}]
BOX = {"type": 4, "custom_id": "b", "style": 1}
BUTTON = {"type": 2, "style": 1, "label": "Again", "custom_id": "again"}


async def told(line: Line) -> tuple[str, dict[str, Any]]:
    """The next interaction: where it is answered, and itself."""
    payload = (await line.hear("INTERACTION_CREATE"))["d"]
    return f"/interactions/{payload['id']}/{payload['token']}/callback", payload


def rows(*parts: dict[str, Any]) -> list[dict[str, Any]]:
    """A row of components."""
    return [{"type": 1, "components": list(parts)}]


async def test_the_token_and_what_is_not_there(c: Chair) -> None:
    """A wrong token is 401; a route that this table lacks is 501 and says so."""
    assert await c.code("GET", "/users/@me", token="wrong") == (401, 0)
    assert await c.ask("GET", "/users/@me") == (200, {**(await c.ask("GET", "/users/@me"))[1]})
    assert await c.ask("GET", "/gateway", token="wrong") == (200, {"url": c.table.gateway.address})
    status, body = await c.ask("POST", "/guilds/1/bans")

    assert (status, body["message"]) == (501, "this table has no POST /api/v10/guilds/1/bans")


async def test_commands_keep_their_ids(d: Discord, c: Chair) -> None:
    """A second telling has the same ids, a description everywhere, and GET shows what was told."""
    path = f"/applications/{d.table.world.bot.id}/commands"
    _, first = await c.ask("PUT", path, TOLD)
    _, second = await c.ask("PUT", path, TOLD[1:])
    _, shown = await c.ask("GET", path)

    assert [command["id"] for command in second] == [command["id"] for command in first[1:]]
    assert shown == second
    assert all(isinstance(command["description"], str) for command in second)
    status, body = await c.ask("PUT", path, [{"name": "Bad Name", "description": "x" * 101}])
    assert (status, body["code"], set(body["errors"]["0"])) == (400, 50035, {"name", "description"})


async def test_the_gateway_from_hello_to_resume(d: Discord, c: Chair) -> None:
    """READY and the whole server; heartbeats are acknowledged; a resume replays what was missed."""
    line = await c.connect(compress="zlib-stream")
    assert (await line.hear(op=10))["d"]["heartbeat_interval"] > 0
    await line.socket.send_json({"op": 2, "d": {"token": d.table.token, "shard": [0, 1]}})
    ready = (await line.hear("READY"))["d"]
    server = (await line.hear("GUILD_CREATE"))["d"]
    assert ready["guilds"] == [{"id": server["id"], "unavailable": True}]
    assert [channel["name"] for channel in server["channels"]] == ["table"]
    assert server["members"][0]["user"]["id"] == ready["user"]["id"]
    await line.socket.send_json({"op": 1, "d": line.number})
    await line.hear(op=11)

    await line.socket.close()
    d.table.world.add_channel("missed")
    d.table.world.add_channel("thread", parent=d.channel.id)
    d.table.world.tell(Role(1, "Keepers"), new=True)
    again = await c.connect()
    resume = {"token": d.table.token, "session_id": ready["session_id"], "seq": line.number}
    await again.socket.send_json({"op": 6, "d": resume})
    assert (await again.hear("CHANNEL_CREATE"))["d"]["name"] == "missed"
    assert (await again.hear("THREAD_CREATE"))["d"]["parent_id"] == str(d.channel.id)
    assert (await again.hear("GUILD_ROLE_CREATE"))["d"]["role"]["name"] == "Keepers"
    await again.hear("RESUMED")


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"op": 2, "d": {"token": "wrong"}}, 4004),
        ({"op": 6, "d": {"token": "wrong", "session_id": "x", "seq": 1}}, 4004),
        ({"nothing": 1}, 4000),
    ],
)
async def test_the_gateway_closes(c: Chair, frame: dict[str, Any], code: int) -> None:
    """With the code of what was wrong."""
    line = await c.connect()
    await line.socket.send_json(frame)

    assert await line.closed() == code


async def test_resuming_wrongly(tmp_path: Path) -> None:
    """An unknown session is invalid (op 9), a number from the future is 4007, silence is 4009."""
    async with discord(tmp_path, heartbeat=50) as d, chair(d.table) as c:
        line = await c.sit()
        stranger = await c.connect()
        unknown = {"token": d.table.token, "session_id": "x", "seq": 1}
        await stranger.socket.send_json({"op": 6, "d": unknown})
        assert (await stranger.hear(op=9))["d"] is False
        early = await c.connect()
        await early.socket.send_json({"op": 6, "d": {**unknown, "session_id": line.session, "seq": 10_000}})
        assert await early.closed() == 4007
        assert await line.closed() == 4009


async def test_an_interaction_and_its_answers(d: Discord, c: Chair, line: Line) -> None:
    """Answered with a message; edited; followed up; shown; deleted; each as Discord tells it."""
    d.table.world.locale = "de"
    with speaking(language("fr")):
        interaction = await d.begin(d.ann, "/roll 2d6 label:for @Bob")
    path, payload = await told(line)
    assert (payload["locale"], payload["guild_locale"]) == ("fr", "de")
    assert payload["guild"]["features"] == ["COMMUNITY"]
    assert payload["data"]["options"] == [
        {"name": "dice", "type": 3, "value": "2d6"},
        {"name": "label", "type": 3, "value": f"for <@{d.bob.id}>"},
    ]
    assert payload["member"]["user"]["id"] == str(d.ann.id)
    assert not int(payload["member"]["permissions"]) & 32
    answer: Any = {"type": 4, "data": {"content": "**3**", "components": rows(BUTTON)}}
    status, body = await c.ask("POST", f"{path}?with_response=1", answer)
    assert status == 200
    assert body["interaction"]["response_message_id"] == body["resource"]["message"]["id"]
    assert body["resource"]["message"]["components"] == answer["data"]["components"]
    assert await c.code("POST", path, answer) == (400, 40060)

    webhook = f"/webhooks/{d.table.world.bot.id}/{interaction.token}"
    status, edited = await c.ask("PATCH", f"{webhook}/messages/@original", {"content": "**4**"})
    assert (status, edited["content"], edited["edited_timestamp"] is None) == (200, "**4**", False)
    _, more = await c.ask("POST", f"{webhook}?wait=true", {"content": "more", "flags": 64})
    assert (await c.ask("GET", f"{webhook}/messages/{more['id']}"))[1]["flags"] == 64
    assert (await c.ask("DELETE", f"{webhook}/messages/{more['id']}"))[0] == 204
    assert [m.content for m in d.messages(d.ann)] == ["**4**"]
    assert await c.code("PATCH", f"{webhook}/messages/12", {"content": "x"}) == (404, 10008)
    assert await c.code("POST", "/webhooks/1/unknown", {"content": "x"}) == (404, 10015)
    interaction.started -= 16 * 60
    assert await c.code("POST", webhook, {"content": "x"}) == (401, 50027)


async def test_a_deferred_answer(d: Discord, c: Chair, line: Line) -> None:
    """The first follow-up is the deferred message and keeps its privacy; its loading flag goes."""
    interaction = await d.begin(d.ann, ROLL)
    path, _ = await told(line)
    assert await c.ask("POST", path, {"type": 5, "data": {"flags": 64}}) == (204, None)
    (waiting,) = d.messages(d.ann)
    assert (waiting.waiting, waiting.flags, waiting.viewer) == (True, 64 | 128, d.ann.id)
    webhook = f"/webhooks/{d.table.world.bot.id}/{interaction.token}"
    _, said = await c.ask("POST", f"{webhook}?wait=true", {"content": "now"})

    assert (said["id"], said["flags"], said["edited_timestamp"]) == (str(waiting.id), 64, None)
    assert d.messages(d.bob) == []


async def test_a_late_answer(d: Discord, c: Chair, line: Line) -> None:
    """After the deadline the token is dead for a first answer, and who asked is told."""
    d.table.interactions.patience = 0
    interaction = await d.line(d.ann, ROLL)
    path, _ = await told(line)

    assert not (await interaction.outcome).ok
    assert await c.code("POST", path, {"type": 4, "data": {"content": "x"}}) == (404, 10062)


async def test_choices_that_nobody_waits_for_any_more(d: Discord, c: Chair, line: Line) -> None:
    """Whoever typed on has given up the list: the bot's answer is taken all the same."""
    asking = asyncio.create_task(d.autocomplete(d.ann, "/roll 2"))
    path, payload = await told(line)
    assert payload["type"] == 4
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)

    assert await c.ask("POST", path, {"type": 8, "data": {"choices": []}}) == (204, None)


async def test_an_answer_with_a_picture(d: Discord, c: Chair, line: Line) -> None:
    """A first answer of several parts has its files in the message."""
    begun = await d.begin(d.ann, ROLL)
    path, _ = await told(line)
    form = FormData(quote_fields=False)
    said = '{"type": 4, "data": {"attachments": [{"id": 0, "description": "Odds"}]}}'
    form.add_field("payload_json", said, content_type="application/json")
    form.add_field("files[0]", drawn("WEBP"), filename="odds.webp", content_type="image/webp")
    assert await c.ask("POST", path, data=form) == (204, None)
    (file,) = (await d.answer(begun)).attachments

    assert (file["filename"], file["description"], file["width"]) == ("odds.webp", "Odds", 5)


async def test_a_press_an_update_and_a_form(d: Discord, c: Chair, line: Line) -> None:
    """A press carries its message; the form comes back in its shape; an update changes the message."""
    form = {
        "custom_id": "why",
        "title": "Why?",
        "components": [
            {"type": 18, "label": "A", "component": {**BOX, "custom_id": "a"}},
            {"type": 18, "label": "B", "component": {**BOX, "required": False}},
            {"type": 18, "label": "C", "component": {"type": 3, "custom_id": "c", "options": X}},
        ],
    }  # fmt: skip
    begun = await d.begin(d.ann, ROLL)
    path, _ = await told(line)
    await c.ask("POST", path, {"type": 4, "data": {"content": "x", "components": rows(BUTTON)}})
    message = await d.answer(begun)
    pressing = asyncio.create_task(d.press(d.bob, message, "Again"))
    path, payload = await told(line)
    assert payload["message"]["id"] == str(message.id)
    assert payload["data"] == {"custom_id": "again", "component_type": 2}
    await c.ask("POST", path, {"type": 9, "data": form})
    sending = asyncio.create_task(d.submit(d.bob, await pressing, a="one", c=["x"]))  # type: ignore[arg-type]
    path, payload = await told(line)
    assert payload["data"]["components"] == [
        {"type": 18, "component": {"type": 4, "custom_id": "a", "value": "one"}},
        {"type": 18, "component": {"type": 4, "custom_id": "b", "value": ""}},
        {"type": 18, "component": {"type": 3, "custom_id": "c", "values": ["x"]}},
    ]
    assert payload["message"]["id"] == str(message.id)
    await c.ask("POST", path, {"type": 7, "data": {"content": "y", "components": []}})
    await sending

    assert (d.message(message.id).content, d.message(message.id).components) == ("y", [])


REFUSED: list[tuple[dict[str, Any], int, int]] = [
    ({"content": ""}, 400, 50006),
    ({"content": "x" * 2_001}, 400, 50035),
    ({"content": "x", "embeds": [{}]}, 400, 50035),
    ({"content": "x", "components": rows(*[{**BUTTON, "custom_id": str(n)} for n in range(6)])}, 400, 50035),
    ({"content": "x", "components": rows(BUTTON) * 6}, 400, 50035),
    ({"content": "x", "components": rows(BUTTON, BUTTON)}, 400, 50035),
    ({"content": "x", "components": rows({**BUTTON, "label": "x" * 81})}, 400, 50035),
    ({"content": "x", "components": rows({**BUTTON, "custom_id": "x" * 101})}, 400, 50035),
    ({"content": "x", "components": [{"type": 17}]}, 400, 50035),
    ({"content": 5}, 400, 50035),
]


@pytest.mark.parametrize(("body", "status", "code"), REFUSED)
async def test_messages_that_discord_refuses(d: Discord, c: Chair, body: Any, status: int, code: int) -> None:
    """With Discord's code, and nothing is shown."""
    assert await c.code("POST", f"/channels/{d.channel.id}/messages", body) == (status, code)
    assert d.messages() == []


async def test_rights_that_are_lost(d: Discord, c: Chair, line: Line) -> None:
    """What a game master switches off is refused, and each interaction says it."""
    path = f"/channels/{d.channel.id}/messages"
    _, own = await c.ask("POST", path, {"content": "mine"})
    await d.table.acts.line(d.ann, d.channel, "hers")
    hers = d.messages()[-1].id
    assert await c.code("PATCH", f"{path}/{hers}", {"content": "x"}) == (403, 50005)
    assert await c.code("PATCH", f"{path}/1", {"content": "x"}) == (404, 10008)
    assert await c.code("POST", "/channels/1/messages", {"content": "x"}) == (404, 10003)
    d.table.governing.do(d.mara, "channel.edit", d.channel, name="table", lacks=["send"])
    assert (await line.hear("CHANNEL_UPDATE"))["d"]["permission_overwrites"]
    assert await c.code("POST", path, {"content": "x"}) == (403, 50013)
    assert (await c.ask("PATCH", f"{path}/{own['id']}", {"content": "still"}))[0] == 200
    d.table.governing.do(d.mara, "channel.edit", d.channel, name="table", lacks=["view"])
    assert await c.code("PATCH", f"{path}/{own['id']}", {"content": "x"}) == (403, 50001)
    await d.begin(d.ann, ROLL)
    assert not int((await told(line))[1]["app_permissions"]) & 1 << 10


async def test_people_by_id(d: Discord, c: Chair) -> None:
    """Names for charts and exports; who is not there is unknown."""
    guild = d.table.world.guild_id

    assert (await c.ask("GET", f"/users/{d.ann.id}"))[1]["global_name"] == "Ann"
    assert (await c.ask("GET", f"/guilds/{guild}/members/{d.mara.id}"))[1]["roles"] == [str(d.mara.roles[0])]
    assert await c.code("GET", "/users/1") == (404, 10013)
    assert await c.code("GET", f"/guilds/{guild}/members/1") == (404, 10007)


async def test_emojis_and_menus(d: Discord, c: Chair, line: Line) -> None:
    """An application's emojis are kept and listed; a person's menu says whose; answers have a date."""
    path = f"/applications/{d.table.world.bot.id}"
    dice = (await c.ask("GET", f"{path}/emojis"))[1]["items"]
    assert (len(dice), dice[0]["name"]) == (180, "d4_1")
    bad = {"name": "x", "image": "data:text/html;base64,AAAA"}
    status, refused = await c.ask("POST", f"{path}/emojis", bad)
    assert (status, set(refused["errors"])) == (400, {"name", "image"})
    _, made = await c.ask("POST", f"{path}/emojis", {"name": "d6", "image": "data:image/png;base64,AAAA"})
    assert (await c.ask("GET", f"{path}/emojis"))[1]["items"] == [*dice, made]
    menu = {"type": 2, "name": "Luck of"}
    assert (await c.ask("PUT", f"{path}/commands", [menu]))[1][0]["description"] == ""
    await d.table.acts.menu(d.ann, d.bob.id, "Luck of", d.channel)
    data = (await told(line))[1]["data"]
    assert (data["type"], data["target_id"]) == (2, str(d.bob.id))
    assert data["resolved"]["members"][str(d.bob.id)]["roles"] == []
    async with c.session.get(d.table.api) as answer:
        assert answer.headers["Date"].endswith("GMT")


async def test_files_go_both_ways(d: Discord, c: Chair) -> None:
    """A picture with its description and size; its address needs no token; an edit may take it away."""
    png = drawn("PNG")
    form = FormData(quote_fields=False)
    said = '{"content": "x", "attachments": [{"id": 0, "filename": "odds.png", "description": "Odds"}]}'
    form.add_field("payload_json", said, content_type="application/json")
    form.add_field("files[0]", png, filename="odds.png", content_type="image/png")
    path = f"/channels/{d.channel.id}/messages"
    _, message = await c.ask("POST", path, data=form)
    (file,) = message["attachments"]
    assert (file["filename"], file["description"], file["width"], file["height"]) == (
        "odds.png",
        "Odds",
        5,
        3,
    )
    async with c.session.get(file["url"]) as answer:
        assert await answer.read() == png
    async with c.session.get(file["url"].replace("/odds.png", "x/odds.png")) as answer:
        assert answer.status == 404
    _, kept = await c.ask("PATCH", f"{path}/{message['id']}", {"attachments": [{"id": file["id"]}]})
    assert len(kept["attachments"]) == 1
    _, bare = await c.ask("PATCH", f"{path}/{message['id']}", {"attachments": []})
    assert bare["attachments"] == []


async def test_chat_never_reaches_the_bot(d: Discord, line: Line) -> None:
    """The next thing it hears after chat is the next command."""
    await line.hear("GUILD_CREATE")
    await d.table.acts.line(d.ann, d.channel, "//roll is a command, @Bob")
    await d.begin(d.ann, ROLL)

    assert (await line.next())["t"] == "INTERACTION_CREATE"
    assert d.messages()[0].content == f"/roll is a command, <@{d.bob.id}>"
    assert d.messages()[0].calls == [d.bob.id]

"""A hostile guest: other people's seats, ids and files, floods and broken frames; the table goes on."""

import asyncio
import json
from contextlib import AsyncExitStack, suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from aiohttp import FormData, WSMessageTypeError

from bot.play import host as hosts
from bot.play import interactions, page
from bot.play.host import open_table, opened_page
from bot.play.options import ActRefused
from tests.play.evening import BUTTON, House, house, is_message
from tests.play.guest import HEARD_SECONDS, Guest, guest

HOSTILE = [
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "\u202eevil",
    "a" + "\u0301" * 5_000,
    "@everyone",
    "\x00",
    "<img src=x onerror=alert(1)>",
]


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "x" * 25,
        "a@b",
        "#x",
        "a:b",
        "`",
        "\u202eAnn",
        "Z\u200doe",
        "👩\u200d🚀 Ann",
        "<Zoe>",
        "A\x00",
        "ann",
        "Evenhand",
        "\u0430nn",
        "everyone",
    ],
)
async def test_names_that_can_not_be_taken(h: House, name: str) -> None:
    """Too long, with signs that mean something, or looking like somebody's."""
    with pytest.raises(ActRefused):
        h.table.seats.name(name)


async def test_an_emoji_of_several_parts_may_stand_in_a_name(h: House) -> None:
    """What joins it is no trick."""
    assert h.table.seats.name(" 👩\u200d🚀  Zoe") == "👩\u200d🚀 Zoe"


async def test_nobody_without_a_seat_learns_anything(tmp_path: Path) -> None:
    """Known and unknown seats look the same; another's cookie opens nothing of one's own."""
    async with house(tmp_path) as h, guest(h.mara.base) as out:
        for seat in (h.ann.seat, "00000000"):
            async with out.session.get(f"{out.base}/s/{seat}/") as answer:
                assert answer.status == 200
            out.seat = seat
            await out.connect()
            assert await out.closed() == 4001
            assert (await out.post(f"/s/{seat}/upload", {}))[0] == 403
        assert (await out.post("/api/enter", {"secret": "guess"}))[1] == {
            "table": "The Long Table", "seats": [], "link": None, "name": "",
        }  # fmt: skip
        async with h.bob.session.get(f"{out.base}/s/{h.ann.seat}/file/1/x") as answer:
            assert answer.status == 403


async def test_a_cookie_of_any_bytes_is_only_wrong(h: House, caplog: pytest.LogCaptureFixture) -> None:
    """It opens nothing, and leaves no traceback."""
    host = h.mara.base.removeprefix("http://")
    reader, writer = await asyncio.open_connection(*host.split(":"))
    cookie = f"{h.table.seats.cookies}{h.ann.seat}=".encode() + b"\xff\xfe"
    head = f"GET /s/{h.ann.seat}/file/1/x HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n".encode()
    writer.write(head + b"Cookie: " + cookie + b"\r\n\r\n")
    assert b" 403 " in (await reader.read()).splitlines()[0]
    writer.close()
    assert not caplog.records


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:80", "Origin": "http://evil.example:80"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": ""}, 403),
        ({"X-Table": ""}, 403),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 403),
        ({"Content-Type": "text/plain"}, 403),
    ],
)
async def test_other_pages_are_refused(tmp_path: Path, headers: dict[str, str], status: int) -> None:
    """Another host's name, another origin, a form: nothing of it is read."""
    async with house(tmp_path) as h, guest(h.mara.base) as out:
        sent = {**out.headers, "Content-Type": "application/json", **headers}
        assert (await out.post("/api/enter", None, data=b"{}", json=None, headers=sent))[0] == status


async def test_the_pages_policy(tmp_path: Path) -> None:
    """Scripts, styles and pictures of the table's own, no frame, and no HTML string."""
    async with house(tmp_path) as h, h.ann.session.get(h.ann.base) as answer:
        policy = answer.headers["Content-Security-Policy"]

        assert {"default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"} <= set(
            policy.split("; ")
        )
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_texts_stay_text(h: House, text: str) -> None:
    """In lines and in names: nodes of text, or refused; all pages go on."""
    await h.ann.line(text)
    await h.ann.line(f"/roll 1d6 label:{text}")
    await h.ann.ask("did", t="do", n=1, what="person.rename", person=h.ann.welcome["you"], name=text)
    await h.bob.line("on we go")
    seen = await h.mara.hear(lambda f: is_message(f) and f["message"]["text"] == "on we go")
    assert not seen["message"]["calls_you"]


@pytest.mark.parametrize(
    "frame",
    [
        "{",
        "[]",
        "nothing",
        '"x"',
        "[" * 9_000,
        '{"t": ' + '{"a": ' * 20 + "1" + "}" * 21,
        '{"t": "\\ud800"}',
        '{"t": "fly"}',
        '{"t": "do", "what": "person.remove"}',
        '{"t": "line"}',
        '{"t": "line", "nonce": 5}',
        '{"t": "open", "channel": []}',
        '{"t": "read", "channel": "1"}',
        '{"t": "hints", "n": 1, "channel": "x", "head": "/"}',
        '{"t": "hints", "n": 1, "head": 5}',
        '{"t": "dismiss", "message": "7"}',
        '{"t": "line", "nonce": "12345678", "channel": "9", "line": "x"}',
        '{"t": "press", "nonce": "12345679", "message": "1", "custom_id": "again", "values": 5}',
        '{"t": "submit", "nonce": "12345670", "modal": "1", "values": []}',
        '{"t": "line", "nonce": "12345671", "line": "x", "self": 1, "page": 2, "act": 3, "person": 4}',
        '{"t": "do", "what": "leave", "self": 1, "page": 2, "by": 3}',
        '{"t": "typing", "self": 1, "page": 2}',
        '{"t": "older", "channel": "1", "before": "99999999999999999999999"}',
    ],
)
async def test_broken_frames_are_told_and_forgotten(
    h: House, frame: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The page that lies gets an error or nothing; the table goes on, without a traceback."""
    assert h.ann.socket
    await h.ann.socket.send_str(frame)
    assert (await h.ann.line("still here"))["t"] in {"receipt", "error", "fault"}
    await h.bob.line("on we go")
    await h.mara.hear(lambda f: is_message(f) and f["message"]["text"] == "on we go")
    assert not caplog.records


async def test_what_others_may_not_press(h: House) -> None:
    """Another's private answer, a disabled button, an id that is nowhere, a form never shown or twice."""
    await h.ann.line("/roll 1d6")
    parts = [{**BUTTON, "custom_id": "off", "disabled": True}, BUTTON]
    await h.answer(content="x", flags=64, components=[{"type": 1, "components": parts}])
    message = (await h.ann.hear(is_message))["message"]["id"]

    async def press(page: Guest, nonce: str, **frame: Any) -> str:
        await page.send(nonce=nonce, **frame)
        return str((await page.hear(lambda f: f.get("nonce") == nonce))["t"])

    assert await press(h.bob, "press-0001", t="press", message=message, custom_id="again") == "fault"
    assert await press(h.ann, "press-0002", t="press", message=message, custom_id="off") == "fault"
    assert await press(h.ann, "press-0003", t="press", message=message, custom_id="none") == "fault"
    assert await press(h.bob, "press-0004", t="menu", target=message, name="Roll details") == "fault"
    assert await press(h.ann, "press-0005", t="press", message=message, custom_id="again") == "receipt"
    field = {"type": 4, "custom_id": "why", "style": 1, "max_length": 5}
    labelled = {"type": 18, "label": "Why?", "component": field}
    await h.answer(9, title="Why?", custom_id="w", components=[labelled])
    form = (await h.ann.hear(lambda f: f["t"] == "modal"))["modal"]
    assert form["fields"][0]["label"] == "Why?"
    sent = {"t": "submit", "modal": form["id"]}
    assert await press(h.bob, "press-0006", **sent, values={"why": "x"}) == "fault"
    assert await press(h.ann, "press-0007", **sent, values={"why": "too long"}) == "fault"
    assert await press(h.ann, "press-0008", **sent, values={"why": "x"}) == "receipt"
    assert await press(h.ann, "press-0009", **sent, values={"why": "x"}) == "fault"


async def test_commands_hidden_by_rights(h: House) -> None:
    """A player can't run what needs Manage Server, nor is it offered; the game master can."""
    shown = await h.ann.ask("hints", t="hints", n=1, channel=h.ann.channel, head="/adm")
    assert shown["rows"] == []
    assert (await h.ann.line("/admin reset"))["t"] == "fault"
    assert (await h.mara.line("/admin reset"))["t"] == "receipt"


async def test_what_is_of_no_use_any_more_fills_no_memory(h: House) -> None:
    """Links that are over, and suggestions for what somebody typed."""
    seats, world, interactions = h.table.seats, h.table.world, h.table.interactions
    now, links, asked = world.clock(), len(seats._links), len(interactions.by_token)
    for minutes in range(0, 60, 6):
        world.clock = lambda at=now + 60 * minutes: at
        seats.link("device", world.seated()[0])
    interactions.patience = 0
    typed = {"t": "hints", "channel": h.ann.channel, "head": "/roll dice:2"}
    await h.ann.send(**typed, n=1)
    await h.ann.hear(lambda frame: frame["t"] == "hints" and not frame["wait"])

    assert len(seats._links) == links + 1
    assert len(interactions.by_token) == asked


async def test_files_and_who_may_have_them(h: House) -> None:
    """Used once, by who sent them; an SVG called x.png is only downloaded; a private one is its person's."""
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

    async def upload(page: Guest, name: str, content: bytes) -> tuple[int, Any]:
        form = FormData()
        form.add_field("file", BytesIO(content), filename=name, content_type="image/png")
        return await page.post(f"/s/{page.seat}/upload", data=form, json=None)

    _, kept = await upload(h.ann, "../x.png", svg)
    assert (await h.bob.line("mine", files=[kept["id"]]))["t"] == "receipt"
    assert h.bob.heard[-2]["message"]["files"] == []
    async with h.bob.session.get(f"{h.bob.base}/s/{h.bob.seat}/file/{kept['id']}/x.png") as answer:
        assert answer.status == 404
    await h.ann.line("look", files=[kept["id"]])
    (file,) = (await h.bob.hear(lambda f: is_message(f) and f["message"]["files"]))["message"]["files"]
    assert "width" not in file
    path = f"/s/{h.bob.seat}/file/{file['id']}/{file['filename']}"
    async with h.bob.session.get(h.bob.base + path) as answer:
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert answer.content_type == "application/octet-stream"
        assert "sandbox" in answer.headers["Content-Security-Policy"]
    large = await upload(h.ann, "big.bin", bytes(10 * 1024 * 1024 + 1))
    assert large == (413, {"error": "A file has at most 10 MB."})
    await upload(h.ann, "sheet.json", b"{}")
    await h.ann.line("/import sheet.json")
    payload = await h.answer(content="thanks", flags=64)
    (sent,) = payload["data"]["resolved"]["attachments"].values()
    async with h.chair.session.get(sent["url"]) as answer:
        assert await answer.read() == b"{}"
    assert (await h.ann.line("/import sheet.json"))["t"] == "fault"


_PART = b"--a\r\nContent-Disposition: form-data; name=file"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"--a\r\n\r\nno name\r\n--a--",
        _PART + b"\r\nContent-Transfer-Encoding: odd\r\n\r\nx\r\n--a--",
        _PART + b"\r\nContent-Type: text/plain; charset=odd\r\n\r\nx\r\n--a--",
        _PART + b"\r\n\r\n\xff\r\n--a--",
    ],
)
async def test_broken_uploads_are_only_refused(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, body: bytes
) -> None:
    """Whatever is wrong with a form is told to who sends it, and leaves no traceback."""
    async with house(tmp_path) as h:
        kind = {**h.ann.headers, "Content-Type": "multipart/form-data; boundary=a"}
        answer = await h.ann.post(f"/s/{h.ann.seat}/upload", data=body, json=None, headers=kind)
        assert answer == (400, {"error": "That can't be read."})
    assert not caplog.records


async def test_a_body_that_never_comes_is_given_up(h: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody without a seat holds a place by promising a body."""
    monkeypatch.setattr(page, "_BODY_SECONDS", 0.01)
    reader, writer = await asyncio.open_connection("127.0.0.1", int(h.ann.base.rpartition(":")[2]))
    head = {"Host": h.ann.base.removeprefix("http://"), **h.ann.headers, "Content-Length": "50"}
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    start = f"POST /api/enter HTTP/1.1\r\nContent-Type: application/json\r\n{lines}\r\n"
    writer.write(start.encode())
    async with asyncio.timeout(HEARD_SECONDS):
        assert (await reader.readline()).split()[1] == b"408"
    writer.close()


async def test_a_body_in_pieces_is_read_whole(h: House) -> None:
    """A network may bring what a page posts in as many pieces as it likes, each on its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(h.ann.base.rpartition(":")[2]))
    body = json.dumps({"secret": "guess"}).encode()
    head = {"Host": h.ann.base.removeprefix("http://"), **h.ann.headers, "Content-Length": len(body)}
    head |= {"Content-Type": "application/json", "Expect": "100-continue"}
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    writer.write(f"POST /api/enter HTTP/1.1\r\n{lines}\r\n".encode())
    # The server begins to read before the first piece is sent, and has read it before the second is.
    await reader.readuntil(b"\r\n\r\n")
    for piece in (body[:5], body[5:]):
        writer.write(piece)
        await writer.drain()
        for _ in range(10):
            await asyncio.sleep(0)
    async with asyncio.timeout(HEARD_SECONDS):
        answer = await reader.readuntil(b"\r\n\r\n")
    writer.close()

    assert answer.split()[1] == b"200"
    assert b"\r\nserver:" not in answer.lower()


async def test_forms_that_nobody_sends_are_forgotten(h: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A form goes with what opened it, so that guests who open and leave them fill no memory."""
    loop, later = asyncio.get_running_loop(), list[tuple[Any, ...]]()
    call_later: Any = loop.call_later
    remembered = interactions._REMEMBERED_SECONDS

    def keep(seconds: float, call: Any, *given: Any) -> Any:
        return later.append((call, *given)) if seconds == remembered else call_later(seconds, call, *given)

    monkeypatch.setattr(loop, "call_later", keep)
    await h.ann.line("/roll 1d6")
    box = {"type": 18, "label": "Sure", "component": {"type": 23, "custom_id": "sure"}}
    await h.answer(9, title="Why?", custom_id="w", components=[box])
    form = (await h.ann.hear(lambda f: f["t"] == "modal"))["modal"]
    for call, *given in later:
        call(*given)
    await h.ann.send(t="submit", nonce="submit-001", modal=form["id"], values={})
    assert (await h.ann.hear(lambda f: f["t"] in {"receipt", "fault"}))["t"] == "fault"


async def test_floods_are_the_flooders_own(h: House) -> None:
    """Too many frames, pages and joins are told to who sends them; others go on."""
    assert h.ann.socket
    for _ in range(100):
        await h.ann.send(t="typing", channel=h.ann.channel)
    assert (await h.ann.hear(lambda f: f["t"] == "error"))["text"].startswith("Too fast")
    for number in range(30):
        await h.bob.send(t="line", nonce=f"flood-{number:04}", channel=h.bob.channel, line="x")
    flooded = await h.bob.hear(lambda f: f["t"] == "fault")
    assert (flooded["text"][:8], flooded["at"]) == ("Too fast", None)
    for _ in range(5):
        await h.ann.open()
    with pytest.raises(WSMessageTypeError):  # closed instead of welcomed
        await h.ann.open()
    statuses = [(await h.bob.post("/api/join", {"secret": "guess", "name": "x"}))[0] for _ in range(12)]
    assert statuses[-1] == 429
    assert (await h.mara.line("on we go"))["t"] == "receipt"


async def test_guests_behind_a_proxy_are_told_apart(tmp_path: Path) -> None:
    """The proxy adds their address at the end; what they claim before it counts for nothing."""
    async with AsyncExitStack() as stack:
        table = await stack.enter_async_context(open_table(tmp_path))
        await stack.enter_async_context(opened_page(table, public_url="https://dice.example"))
        door = await stack.enter_async_context(guest(table.gm.partition("/#")[0]))

        async def tries(address: str) -> int:
            headers = {"Origin": "https://dice.example", "Host": "dice.example", "X-Table": "1"}
            body = {"secret": "guess", "name": "x"}
            given = headers | {"X-Forwarded-For": f"9.9.9.9, {address}"}
            return (await door.post("/api/join", body, headers=given))[0]

        apart = [await tries(f"10.0.0.{n}") for n in range(12)]
        one = [await tries("10.0.1.1") for _ in range(12)]

    assert 429 not in apart
    assert one[-1] == 429


async def test_a_page_that_does_not_read_is_cut_off(h: House) -> None:
    """At a mebibyte that waits; the others hear everything."""
    page = next(p for p in h.table.pages._open if p.person.name == "Bob")
    for _ in range(30):
        page.send({"t": "notice", "text": "x" * 50_000})
    assert await h.bob.closed() == 1006
    assert (await h.ann.line("on we go"))["t"] == "receipt"


async def test_a_connection_that_asks_nothing_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slow headers hold no place for ever; the API is on loopback alone."""
    monkeypatch.setattr(hosts, "_IDLE_SECONDS", 0.01)
    async with hosts.open_table(tmp_path) as table, hosts.opened_page(table):
        port = table.gm.partition("/#")[0].rpartition(":")[2]
        reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
        writer.write(b"GET / HTTP/1.1\r\nHost: ")
        with suppress(ConnectionResetError):
            assert await reader.read() == b""
        writer.close()
        assert table.api.startswith("http://127.0.0.1:")

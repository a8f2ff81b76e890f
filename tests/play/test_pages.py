"""Pages: what each is told, what they may do, and that a hostile guest harms nobody."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from aiohttp import FormData, WSMessageTypeError

from bot.play import host as hosts
from bot.play.host import Plan, opened_page
from bot.play.seats import NoSeat
from bot.play.table import Table, open_table
from tests.play.chair import Chair, Line, chair
from tests.play.guest import Guest, guest
from tests.play.told import TOLD

BUTTON = {"type": 2, "style": 1, "label": "Again", "custom_id": "again"}
HOSTILE = [
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "\u202eevil",
    "a" + "\u0301" * 5_000,
    "@everyone",
    "\x00",
    "<img src=x onerror=alert(1)>",
]


@dataclass(slots=True)
class House:
    """A table, its bot's chair, a game master's page and two players' pages."""

    table: Table
    chair: Chair
    line: Line
    mara: Guest
    ann: Guest
    bob: Guest
    stack: AsyncExitStack

    async def sit(self, name: str) -> Guest:
        """Another player's page."""
        who = await self.stack.enter_async_context(guest(self.mara.base))
        return await who.join(self.table.seats.players, name)

    async def answer(self, kind: int = 4, **data: Any) -> dict[str, Any]:
        """Answer the next interaction; return it."""
        payload = (await self.line.hear("INTERACTION_CREATE"))["d"]
        path = f"/interactions/{payload['id']}/{payload['token']}/callback"
        status, body = await self.chair.ask("POST", path, {"type": kind, "data": data})
        assert status == 204, body
        return payload


@asynccontextmanager
async def house(folder: Path) -> AsyncGenerator[House]:
    """An evening with three pages."""
    async with AsyncExitStack() as stack:
        table = await stack.enter_async_context(open_table(folder))
        opened = await stack.enter_async_context(opened_page(Plan(folder, port=0), table))
        bot = await stack.enter_async_context(chair(table))
        await bot.ask("PUT", f"/applications/{table.world.bot.id}/commands", TOLD)
        base, _, secret = opened.gm.partition("/#")
        pages = [await stack.enter_async_context(guest(base)) for _ in range(3)]
        secrets = (secret, table.seats.players, table.seats.players)
        for page, link, name in zip(pages, secrets, ("Mara", "Ann", "Bob"), strict=True):
            await page.join(link, name)
        mara, ann, bob = pages
        yield House(table, bot, await bot.sit(), mara, ann, bob, stack)


def is_message(frame: dict[str, Any]) -> bool:
    """Whether a frame brings a message."""
    return frame["t"] == "message"


async def test_what_one_says_all_see(tmp_path: Path) -> None:
    """Chat with mentions: drawn from nodes, and counted for who is called."""
    async with house(tmp_path) as h:
        assert (await h.ann.line("hello **@bob**"))["t"] == "receipt"
        seen = (await h.bob.hear(is_message))["message"]

        assert seen["nodes"] == [
            {"n": "p", "c": ["hello ", {"n": "b", "c": [{"n": "user", "id": h.bob.welcome["you"]}]}]}
        ]
        assert (seen["text"], seen["calls_you"], seen["author"]) == (
            "hello **@Bob**",
            True,
            h.ann.welcome["you"],
        )


async def test_a_command_and_its_answer(tmp_path: Path) -> None:
    """It stands under who asked; the line is theirs alone; a press is answered under the bot."""
    async with house(tmp_path) as h:
        assert (await h.ann.line("/roll 2d6 label:Climb"))["t"] == "receipt"
        await h.answer(content="`Climb` **7** ← 2d6 (3, 4)", components=[{"type": 1, "components": [BUTTON]}])
        own = (await h.ann.hear(is_message))["message"]
        theirs = (await h.bob.hear(is_message))["message"]
        assert (own["line"], own["again"], own["author"]) == (
            "/roll 2d6 label:Climb",
            "2d6 label:Climb",
            h.ann.welcome["you"],
        )
        assert "line" not in theirs
        assert theirs["nodes"][0]["total"] == "7"

        await h.bob.send(t="press", nonce="press-0001", message=own["id"], id="again", values=[])
        await h.answer(content="only you", flags=64)
        told = (await h.bob.hear(is_message))["message"]
        assert (told["only_you"], told["kind"], told["asker"]) == (True, "reply", h.bob.welcome["you"])
        assert (await h.bob.hear(lambda f: f["t"] == "done"))["ok"]
        await h.ann.line("marker")
        assert [f["message"]["text"] for f in h.ann.heard if is_message(f)][1:] == ["marker"]
        assert (await h.ann.ask("error", t="dismiss", message=told["id"]))["t"] == "error"
        await h.bob.send(t="dismiss", message=told["id"])
        assert (await h.bob.hear(lambda f: f["t"] == "gone"))["ids"] == [told["id"]]


async def test_a_line_sent_twice_is_done_once(tmp_path: Path) -> None:
    """The same nonce is answered the same, also by a table that was restarted meanwhile."""
    async with house(tmp_path) as h:
        for _ in range(2):
            assert (await h.ann.line("once", nonce="the-same-nonce"))["t"] == "receipt"
        seat, cookies = h.ann.seat, h.ann.session.cookie_jar
    async with AsyncExitStack() as stack:
        table = await stack.enter_async_context(open_table(tmp_path))
        opened = await stack.enter_async_context(opened_page(Plan(tmp_path), table))
        back = await stack.enter_async_context(guest(opened.gm.partition("/#")[0]))
        back.session._cookie_jar = cookies
        back.seat = seat
        await back.open()
        assert (await back.line("once", nonce="the-same-nonce"))["t"] == "receipt"
        assert [m["text"] for m in back.welcome["open"]["messages"]] == ["once"]


async def test_a_page_that_was_away_gets_what_it_missed(tmp_path: Path) -> None:
    """By the number of the last event; with an unknown one, everything."""
    async with house(tmp_path) as h:
        await h.ann.line("one")
        last = (await h.bob.hear(is_message))["e"]
        assert h.bob.socket
        await h.bob.socket.close()
        await h.ann.line("two")
        await h.bob.open(epoch=h.bob.welcome["epoch"], last=last)
        assert (await h.bob.hear(is_message))["message"]["text"] == "two"
        assert h.bob.socket
        await h.bob.socket.close()
        assert (await h.bob.open(epoch="other", last=last))["t"] == "welcome"
        assert [m["text"] for m in h.bob.welcome["open"]["messages"]] == ["one", "two"]


async def test_unread_and_read(tmp_path: Path) -> None:
    """A mark never goes back, and is told to all of one's pages."""
    async with house(tmp_path) as h:
        await h.ann.line("one @Bob")
        first = (await h.bob.hear(is_message))["message"]["id"]
        await h.ann.line("two")
        second = (await h.bob.hear(is_message))["message"]["id"]
        await h.bob.open()
        assert (h.bob.welcome["channels"][0]["unread"], h.bob.welcome["channels"][0]["calls"]) == (2, 1)
        await h.bob.send(t="read", channel=h.bob.channel, message=second)
        told = await h.bob.hear(lambda f: f["t"] == "read")
        assert (told["read"], told["unread"]) == (second, 0)
        await h.bob.send(t="read", channel=h.bob.channel, message=first)
        await h.bob.open()
        assert h.bob.welcome["channels"][0]["read"] == second


async def test_older_messages_come_fifty_at_a_time(tmp_path: Path) -> None:
    """Without a gap and without one twice."""
    async with house(tmp_path) as h:
        person = h.table.world.people[int(h.ann.welcome["you"])]
        for number in range(120):
            await h.table.acts.line(person, h.table.world.channels[int(h.ann.channel)], str(number))
        await h.bob.open()
        shown: list[Any] = h.bob.welcome["open"]["messages"]
        while True:
            older = await h.bob.ask("older", t="older", n=1, channel=h.bob.channel, before=shown[0]["id"])
            shown = older["messages"] + shown
            if not older["more"]:
                break
        assert [m["text"] for m in shown] == [str(number) for number in range(120)]
        middle = shown[60]["id"]
        around = await h.bob.ask("opened", t="open", n=2, channel=h.bob.channel, around=middle)
        assert around["messages"][25]["id"] == middle
        assert (around["more"], around["later"]) == (True, True)


async def test_the_list_counts_as_the_browser_does(tmp_path: Path) -> None:
    """Places are JavaScript's, also behind a character that is two of them."""
    async with house(tmp_path) as h:
        typed = "/roll 1d6 label:🎲 vis"
        shown = await h.ann.ask("hints", t="hints", n=1, channel=h.ann.channel, line=typed, at=len(typed) + 1)
        (row,) = shown["rows"]
        assert (row["text"], row["from"], row["to"]) == ("visibility:", 19, 22)


async def test_the_game_masters_table(tmp_path: Path) -> None:
    """Channels, threads, people and links; a player may open threads and change their own name, no more."""
    async with house(tmp_path) as h:

        async def do(page: Guest, what: str, **more: Any) -> str:
            return str((await page.ask("did", t="do", n=1, what=what, **more))["t"])

        mara, ann, bob = (page.welcome["you"] for page in (h.mara, h.ann, h.bob))
        assert await do(h.mara, "channel.create", name="Down time", about="rest") == "did"
        made = (await h.bob.hear(lambda f: f["t"] == "channel"))["channel"]
        assert (made["name"], made["about"]) == ("down-time", "rest")
        assert await do(h.ann, "thread.create", channel=made["id"], name="cliff") == "did"
        assert await do(h.ann, "channel.create", name="no") == "error"
        assert await do(h.ann, "person.rename", person=bob, name="Rob") == "error"
        assert await do(h.ann, "person.rename", person=ann, name="Annika") == "did"
        assert await do(h.ann, "person.rename", person=ann, name="Bοb") == "error"
        assert await do(h.mara, "person.gm", person=mara, gm=False) == "error"
        assert await do(h.mara, "leave") == "error"
        assert await do(h.mara, "channel.archive", channel=made["id"], archived=True) == "did"
        assert (await h.ann.line("x", channel=made["id"]))["t"] == "fault"
        link = await h.mara.ask("did", t="do", n=2, what="link.gm")
        assert link["url"].startswith(h.mara.base)
        assert link["qr"]["path"].startswith("M")
        assert await do(h.mara, "person.remove", person=bob) == "did"
        assert await h.bob.closed() == 4001
        status, _ = await h.bob.post(f"/s/{h.bob.seat}/drop", {"id": "1"})
        assert status == 403


async def test_links_are_good_as_often_as_they_say(tmp_path: Path) -> None:
    """A game master's once; the players' until a new one is made; another device sits in the same seat."""
    async with house(tmp_path) as h:
        secret = (await h.mara.ask("did", t="do", n=1, what="link.gm"))["url"].partition("#")[2]
        async with guest(h.mara.base) as gm:
            await gm.join(secret, "Gus")
            assert gm.welcome["people"][-1]["gm"]
        async with guest(h.mara.base) as late:
            assert (await late.post("/api/join", {"secret": secret, "name": "Late"}))[0] == 403
            assert (await late.post("/api/enter", {"secret": secret}))[1]["link"] is None
        secret = (await h.ann.ask("did", t="do", n=1, what="link.device"))["url"].partition("#")[2]
        async with guest(h.mara.base) as phone:
            await phone.join(secret, "")
            assert phone.welcome["you"] == h.ann.welcome["you"]
        old = h.table.seats.players
        await h.mara.ask("did", t="do", n=1, what="link.players", renew=True)
        async with guest(h.mara.base) as late:
            assert (await late.post("/api/join", {"secret": old, "name": "Late"}))[0] == 403


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
        "A\x00",
        "ann",
        "Evenhand",
        "\u0430nn",
        "everyone",
    ],
)
async def test_names_that_can_not_be_taken(tmp_path: Path, name: str) -> None:
    """Too long, with signs that mean something, or looking like somebody's."""
    async with house(tmp_path) as h:
        with pytest.raises(NoSeat):
            h.table.seats.name(name)


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
async def test_hostile_texts_stay_text(tmp_path: Path, text: str) -> None:
    """In lines and in names: nodes of text, or refused; all pages go on."""
    async with house(tmp_path) as h:
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
        '{"t": "hints", "channel": "x", "line": 5, "at": "x"}',
        '{"t": "dismiss", "message": "7"}',
        '{"t": "line", "nonce": "12345678", "channel": "9", "line": "x"}',
        '{"t": "press", "nonce": "12345679", "message": "1", "id": "again", "values": 5}',
        '{"t": "submit", "nonce": "12345670", "modal": "1", "values": []}',
        '{"t": "older", "channel": "1", "before": "99999999999999999999999"}',
    ],
)
async def test_broken_frames_are_told_and_forgotten(
    tmp_path: Path, frame: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The page that lies gets an error or nothing; the table goes on, without a traceback."""
    async with house(tmp_path) as h:
        assert h.ann.socket
        await h.ann.socket.send_str(frame)
        assert (await h.ann.line("still here"))["t"] in {"receipt", "error", "fault"}
        await h.bob.line("on we go")
        await h.mara.hear(lambda f: is_message(f) and f["message"]["text"] == "on we go")
        assert not caplog.records


async def test_what_others_may_not_press(tmp_path: Path) -> None:
    """Another's private answer, a disabled button, an id that is nowhere, a form never shown or twice."""
    async with house(tmp_path) as h:
        await h.ann.line("/roll 1d6")
        parts = [{**BUTTON, "custom_id": "off", "disabled": True}, BUTTON]
        await h.answer(content="x", flags=64, components=[{"type": 1, "components": parts}])
        message = (await h.ann.hear(is_message))["message"]["id"]

        async def press(page: Guest, nonce: str, **frame: Any) -> str:
            await page.send(nonce=nonce, **frame)
            return str((await page.hear(lambda f: f.get("nonce") == nonce))["t"])

        assert await press(h.bob, "press-0001", t="press", message=message, id="again") == "fault"
        assert await press(h.ann, "press-0002", t="press", message=message, id="off") == "fault"
        assert await press(h.ann, "press-0003", t="press", message=message, id="none") == "fault"
        assert await press(h.bob, "press-0004", t="menu", message=message, name="Roll details") == "fault"
        assert await press(h.ann, "press-0005", t="press", message=message, id="again") == "receipt"
        field = {"type": 4, "custom_id": "why", "label": "Why?", "style": 1, "max_length": 5}
        await h.answer(9, title="Why?", custom_id="w", components=[{"type": 1, "components": [field]}])
        form = (await h.ann.hear(lambda f: f["t"] == "modal"))["modal"]
        assert form["fields"][0]["label"] == "Why?"
        sent = {"t": "submit", "modal": form["id"]}
        assert await press(h.bob, "press-0006", **sent, values={"why": "x"}) == "fault"
        assert await press(h.ann, "press-0007", **sent, values={"why": "too long"}) == "fault"
        assert await press(h.ann, "press-0008", **sent, values={"why": "x"}) == "receipt"
        assert await press(h.ann, "press-0009", **sent, values={"why": "x"}) == "fault"


async def test_commands_hidden_by_rights(tmp_path: Path) -> None:
    """A player can't run what needs Manage Server, nor is it offered; the game master can."""
    async with house(tmp_path) as h:
        shown = await h.ann.ask("hints", t="hints", n=1, channel=h.ann.channel, line="/adm", at=4)
        assert shown["rows"] == []
        assert (await h.ann.line("/admin reset"))["t"] == "fault"
        assert (await h.mara.line("/admin reset"))["t"] == "receipt"


async def test_files_and_who_may_have_them(tmp_path: Path) -> None:
    """Used once, by who sent them; an SVG called x.png is only downloaded; a private one is its person's."""
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    async with house(tmp_path) as h:

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
        assert not file["picture"]
        async with h.bob.session.get(h.bob.base + file["url"]) as answer:
            assert answer.headers["Content-Disposition"].startswith("attachment")
            assert answer.content_type == "application/octet-stream"
            assert "sandbox" in answer.headers["Content-Security-Policy"]
        assert (await upload(h.ann, "big.bin", bytes(10 * 1024 * 1024 + 1)))[0] == 413
        await upload(h.ann, "sheet.json", b"{}")
        await h.ann.line("/import sheet.json")
        payload = await h.answer(content="thanks", flags=64)
        (sent,) = payload["data"]["resolved"]["attachments"].values()
        async with h.chair.session.get(sent["url"]) as answer:
            assert await answer.read() == b"{}"
        assert (await h.ann.line("/import sheet.json"))["t"] == "fault"


async def test_floods_are_the_flooders_own(tmp_path: Path) -> None:
    """Too many frames, pages and joins are told to who sends them; others go on."""
    async with house(tmp_path) as h:
        assert h.ann.socket
        for _ in range(100):
            await h.ann.send(t="typing", channel=h.ann.channel)
        assert (await h.ann.hear(lambda f: f["t"] == "slow"))["text"]
        for number in range(30):
            await h.bob.send(t="line", nonce=f"flood-{number:04}", channel=h.bob.channel, line="x")
        assert (await h.bob.hear(lambda f: f["t"] == "fault"))["text"].startswith("That was too fast")
        for _ in range(5):
            await h.ann.open()
        with pytest.raises(WSMessageTypeError):  # closed instead of welcomed
            await h.ann.open()
        statuses = [(await h.bob.post("/api/join", {"secret": "guess", "name": "x"}))[0] for _ in range(12)]
        assert statuses[-1] == 429
        assert (await h.mara.line("on we go"))["t"] == "receipt"


async def test_a_page_that_does_not_read_is_cut_off(tmp_path: Path) -> None:
    """At a mebibyte that waits; the others hear everything."""
    async with house(tmp_path) as h:
        page = next(p for p in h.table.pages._open if p.viewer.person.name == "Bob")
        for _ in range(30):
            page.send({"t": "notice", "text": "x" * 50_000})
        assert await h.bob.closed() == 1006
        assert (await h.ann.line("on we go"))["t"] == "receipt"


async def test_a_connection_that_asks_nothing_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slow headers hold no place for ever; the API is on loopback alone."""
    async with house(tmp_path) as h:
        monkeypatch.setattr(hosts, "_HEADER_SECONDS", 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", int(h.mara.base.rpartition(":")[2]))
        writer.write(b"GET / HTTP/1.1\r\nHost: ")
        with suppress(ConnectionResetError):
            assert await reader.read() == b""
        writer.close()
        assert h.table.api.startswith("http://127.0.0.1:")


async def test_who_is_here(tmp_path: Path) -> None:
    """Told when somebody comes; typing is told to others, not to oneself."""
    async with house(tmp_path) as h:
        cem = await h.sit("Cem")
        assert (
            cem.welcome["you"]
            in (await h.mara.hear(lambda f: f["t"] == "here" and len(f["ids"]) == 4))["ids"]
        )
        await cem.send(t="typing", channel=cem.channel)
        assert (await h.mara.hear(lambda f: f["t"] == "typing"))["person"] == cem.welcome["you"]


async def test_a_deferred_answer_that_never_came(tmp_path: Path) -> None:
    """After the table's restart the message says so."""
    async with house(tmp_path) as h:
        await h.ann.line("/roll 1d6")
        await h.answer(5)
        assert (await h.ann.hear(is_message))["message"]["state"] == "working"
    async with open_table(tmp_path) as table:
        channel = next(iter(c.id for c in table.world.channels.values() if c.kind == "text"))
        (message,) = table.store.messages(channel, None, 0, 1 << 62, 10)
        assert (message["lost"], message["content"]) == (
            True,
            "No answer came: the table was closed meanwhile.",
        )


async def test_without_the_bot_a_command_stays(tmp_path: Path) -> None:
    """It is refused with the line left standing; the pages say that the bot is coming back."""
    async with house(tmp_path) as h:
        h.table.interactions.ready_seconds = 0
        await h.line.socket.close()
        await h.ann.hear(lambda f: f["t"] == "bot" and f["state"] == "coming")
        assert (await h.ann.line("/roll 1d6"))["t"] == "fault"
        await h.chair.sit()
        await h.ann.hear(lambda f: f["t"] == "bot" and f["state"] == "ready")

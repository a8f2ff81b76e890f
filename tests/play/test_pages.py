"""Pages: what each is told, what is kept for those who were away, and what game masters change."""

from contextlib import AsyncExitStack
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from aiohttp import FormData

from bot.play import page, pages, seats
from bot.play.host import open_table, opened_page
from tests.play.evening import BUTTON, House, house, is_message
from tests.play.guest import Guest, guest


async def test_what_one_says_all_see(h: House) -> None:
    """Chat with mentions: drawn from nodes, and counted for who is called."""
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


async def test_a_command_and_its_answer(h: House) -> None:
    """It stands under who asked; the line is theirs alone; a press is answered under the bot."""
    assert (await h.ann.line("/roll 2d6 label:Climb"))["t"] == "receipt"
    await h.answer(content="`Climb` **7** ← 2d6 (3, 4)", components=[{"type": 1, "components": [BUTTON]}])
    own = (await h.ann.hear(is_message))["message"]
    theirs = (await h.bob.hear(is_message))["message"]
    assert (own["line"], own["again"], own["author"]) == (
        "/roll 2d6 label:Climb",
        "2d6 Climb",
        h.ann.welcome["you"],
    )
    assert "line" not in theirs
    assert {"n": "b", "c": ["7"]} in theirs["nodes"][0]["c"]

    await h.bob.send(t="press", nonce="press-0001", message=own["id"], custom_id="again", values=[])
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
        await stack.enter_async_context(opened_page(table))
        back = await stack.enter_async_context(guest(table.gm.partition("/#")[0]))
        back.session._cookie_jar = cookies
        back.seat = seat
        await back.open()
        assert (await back.line("once", nonce="the-same-nonce"))["t"] == "receipt"
        assert [m["text"] for m in back.welcome["open"]["messages"]] == ["once"]


async def test_a_page_that_was_away_gets_what_it_missed(h: House) -> None:
    """By the number of the last event; with an unknown one, everything."""
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


async def test_unread_and_read(h: House) -> None:
    """A mark never goes back, and is told to all of one's pages."""
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


async def test_older_messages_come_fifty_at_a_time(h: House) -> None:
    """Without a gap and without one twice."""
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


async def test_long_messages_cut_no_page_off(h: House) -> None:
    """All are read in pieces that a page is sent at once; an evening that was missed comes as a new start."""
    person, place = h.table.world.people[int(h.ann.welcome["you"])], h.table.world.first_channel
    last = h.table.pages.last
    for number in range(120):
        await h.table.acts.line(person, place, f"{number} ".ljust(2_000, "龍"))
    told = await h.bob.open(epoch=h.bob.welcome["epoch"], last=last)
    assert told["t"] == "welcome"
    channel, shown = h.bob.channel, list[Any](told["open"]["messages"])
    around = await h.bob.ask("opened", t="open", n=1, channel=channel, around=shown[0]["id"])
    shown, more, later = around["messages"], around["more"], around["later"]
    while more:
        older = await h.bob.ask("older", t="older", n=2, channel=channel, before=shown[0]["id"])
        shown, more = older["messages"] + shown, older["more"]
    while later:
        newer = await h.bob.ask("newer", t="newer", n=3, channel=channel, after=shown[-1]["id"])
        shown, later = shown + newer["messages"], newer["later"]
    assert [m["text"].partition(" ")[0] for m in shown] == [str(number) for number in range(120)]


async def test_a_row_is_the_line_that_taking_it_makes(h: House) -> None:
    """All of what stands before the caret, so no place has to be counted as the browser does."""
    typed = "/roll 1d6 label:🎲 vis"
    shown = await h.ann.ask("hints", t="hints", n=1, channel=h.ann.channel, head=typed)
    (row,) = shown["rows"]
    assert row["text"] == "/roll 1d6 label:🎲 visibility:"


async def test_the_game_masters_table(h: House) -> None:
    """Channels, threads, people and links; a player may open threads and change their own name, no more."""

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


async def test_links_are_good_as_often_as_they_say(h: House) -> None:
    """A game master's once; the players' until a new one is made; another device sits in the same seat."""
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
    await h.mara.ask("did", t="do", n=1, what="link.player", renew=True)
    async with guest(h.mara.base) as late:
        assert (await late.post("/api/join", {"secret": old, "name": "Late"}))[0] == 403


async def test_a_game_masters_links_end_with_them(h: House) -> None:
    """Whoever is no longer one does not come back by a link that they made while they were."""
    ann, secrets = {"t": "do", "n": 1, "what": "person.gm", "person": h.ann.welcome["you"]}, list[str]()
    await h.mara.ask("did", **ann, gm=True)
    for kind in ("link.gm", "link.person", "link.device"):
        secrets.append((await h.ann.ask("did", t="do", n=1, what=kind))["url"].partition("#")[2])
    await h.mara.ask("did", **ann, gm=False)
    async with guest(h.mara.base) as late:
        told = [(await late.post("/api/enter", {"secret": secret}))[1]["link"] for secret in secrets]
        refused = (await late.post("/api/join", {"secret": secrets[0], "name": "Late"}))[0]
    assert (told, refused) == ([None, None, "device"], 403)


async def test_archived_channels_make_room(h: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """For others, up to a number that keeps the table quick; one that is brought back needs room too."""
    monkeypatch.setattr(seats, "_CHANNELS_AT_MOST", 2)
    monkeypatch.setattr(seats, "_EVER_AT_MOST", 4)

    async def do(what: str, **more: Any) -> str:
        return str((await h.mara.ask("did", t="do", n=1, what=what, **more)).get("text") or "did")

    full = "A table has at most 2 open channels. A game master can archive one."
    made = [await do("channel.create", name=f"c{number}") for number in range(2)]
    first = {"channel": h.mara.channel}
    archived = await do("channel.archive", **first, archived=True)
    made += [await do("channel.create", name="c3"), await do("channel.archive", **first, archived=False)]
    assert (made, archived) == (["did", full, "did", full], "did")
    for channel in list(h.table.world.channels):
        await do("channel.archive", channel=str(channel), archived=True)
    assert [await do("channel.create", name=f"d{number}") for number in range(2)] == [
        "did",
        "A table has at most 4 channels.",
    ]


async def test_many_small_files_are_too_much_too(h: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each one is remembered until it is used or a quarter of an hour is over."""
    monkeypatch.setitem(pages.LIMITS, "upload", (1e-9, 3 * page._LEAST_BYTES))
    statuses: list[int] = []
    for _ in range(4):
        form = FormData()
        form.add_field("file", BytesIO(b"x"), filename="x")
        statuses.append((await h.ann.post(f"/s/{h.ann.seat}/upload", data=form, json=None))[0])
    assert statuses == [200, 200, 200, 429]


async def test_nothing_more_is_done_in_an_archived_channel(h: House) -> None:
    """No line, command of a person or form; a form that is open there opens again with the channel."""
    await h.ann.line("/roll 1d6")
    box = {"type": 18, "label": "Sure", "component": {"type": 23, "custom_id": "sure"}}
    await h.answer(9, title="Why?", custom_id="w", components=[box])
    form = (await h.ann.hear(lambda f: f["t"] == "modal"))["modal"]
    place = {"t": "do", "n": 1, "what": "channel.archive", "channel": h.ann.channel}
    await h.mara.ask("did", **place, archived=True)
    deeds: tuple[dict[str, Any], ...] = (
        {"t": "line", "channel": h.ann.channel, "line": "x"},
        {"t": "menu", "channel": h.ann.channel, "target": h.bob.welcome["you"], "name": "Luck"},
        {"t": "submit", "modal": form["id"], "values": {}},
    )
    told: list[str] = []
    for number, deed in enumerate(deeds):
        nonce = f"archived-{number}"
        await h.ann.send(**deed, nonce=nonce)
        told.append((await h.ann.hear(lambda f, nonce=nonce: f.get("nonce") == nonce)).get("text", "done"))
    await h.mara.ask("did", **place, archived=False)
    await h.ann.send(**deeds[-1], nonce="archived-9")

    assert told == ["This channel is archived."] * 3
    assert (await h.ann.hear(lambda f: f.get("nonce") == "archived-9"))["t"] == "receipt"


async def test_who_is_here(h: House) -> None:
    """Told when somebody comes; typing is told to others, not to oneself."""
    cem = await h.sit("Cem")
    assert cem.welcome["you"] in (await h.mara.hear(lambda f: f["t"] == "here" and len(f["ids"]) == 4))["ids"]
    await cem.send(t="typing", channel=cem.channel)
    assert (await h.mara.hear(lambda f: f["t"] == "typing"))["person"] == cem.welcome["you"]


async def test_a_deferred_answer_that_never_came(tmp_path: Path) -> None:
    """After the table's restart the message says so."""
    async with house(tmp_path) as h:
        await h.ann.line("/roll 1d6")
        await h.answer(5)
        assert (await h.ann.hear(is_message))["message"]["waiting"]
    async with open_table(tmp_path) as table:
        channel = next(iter(c.id for c in table.world.channels.values() if c.kind == "text"))
        (message,) = table.store.messages(channel, None, 0, 1 << 62, 10)
        assert (message["waiting"], message["content"]) == (
            False,
            "No answer came: the table was closed meanwhile.",
        )


async def test_without_the_bot_a_command_stays(h: House) -> None:
    """It is refused with the line left standing; the pages say that the bot is coming back."""
    h.table.interactions.ready_seconds = 0
    await h.line.socket.close()
    await h.ann.hear(lambda f: f["t"] == "bot" and f["state"] == "coming")
    assert (await h.ann.line("/roll 1d6"))["t"] == "fault"
    await h.chair.sit()
    await h.ann.hear(lambda f: f["t"] == "bot" and f["state"] == "ready")

"""A table whose file can't be written: everybody is told why, nothing is half done, and it recovers."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict

import pytest
from aiohttp import FormData

from tests.play.evening import House, is_message

WHY = "The table can't save that, because it can only be read. Try again later."


@contextmanager
def readonly(h: House) -> Generator[None]:
    """Nothing can be written to the table's file."""
    h.table.store._connection.execute("PRAGMA query_only = ON")
    yield
    h.table.store._connection.execute("PRAGMA query_only = OFF")


@contextmanager
def full(h: House, row: str) -> Generator[None]:
    """These rows can't be added, as if the disk became full before them."""
    h.table.store._connection.execute(
        f"CREATE TRIGGER full BEFORE INSERT ON {row} BEGIN SELECT json('no'); END"
    )
    yield
    h.table.store._connection.execute("DROP TRIGGER full")


@pytest.mark.parametrize("text", ["hello", "/roll dice:2d6"])
async def test_a_line_that_can_not_be_saved_is_told(h: House, text: str) -> None:
    """The page stays open; the same line, sent again once there is room, is done."""
    with readonly(h):
        refused = await h.ann.line(text)
    h.ann.count -= 1
    again = await h.ann.line(text)

    assert (refused["t"], refused["text"]) == ("fault", WHY)
    assert again["t"] == "receipt"


async def test_a_line_that_fails_half_way_is_no_receipt(h: House) -> None:
    """Its nonce is saved and the disk full behind it: the page may send it again, its file included."""
    form = FormData()
    form.add_field("file", b"x", filename="x.txt")
    _, file = await h.ann.post(f"/s/{h.ann.seat}/upload", None, data=form)
    with full(h, "message"):
        refused = await h.ann.line("hello", files=[file["id"]])
    h.ann.count -= 1
    again = await h.ann.line("hello", files=[file["id"]])
    message = (await h.bob.hear(is_message))["message"]

    assert refused["t"] == "fault"
    assert again["t"] == "receipt"
    assert message["text"] == "hello"
    assert len(message["files"]) == 1


async def test_a_seat_is_saved_whole_or_not_at_all(h: House) -> None:
    """A disk that is full half way leaves the name free, and a link that works once is not used up."""
    secret = h.table.seats.link("gm")
    with full(h, "document WHEN NEW.kind = 'channel'"):
        status, _ = await h.ann.post("/api/join", {"secret": secret, "name": "Zoe"})

    assert status == 403
    assert "Zoe" not in {person.name for person in h.table.world.people.values()}
    assert (await h.ann.post("/api/join", {"secret": secret, "name": "Zoe"}))[0] == 200


async def test_a_seat_and_a_file_that_can_not_be_saved_are_told(
    h: House, caplog: pytest.LogCaptureFixture
) -> None:
    """The page says why, and the terminal of the host has no traceback."""
    form = FormData()
    form.add_field("file", b"x", filename="x.txt")
    with readonly(h):
        joined = await h.ann.post("/api/join", {"secret": h.table.seats.players, "name": "Zoe"})
        sent = await h.ann.post(f"/s/{h.ann.seat}/upload", None, data=form)
        posted = await h.chair.ask(
            "POST", f"/channels/{h.table.world.first_channel.id}/messages", {"content": "hello"}
        )

    assert joined == sent == (403, {"error": WHY})
    assert posted == (500, {"message": WHY, "code": 0})
    assert "Traceback" not in caplog.text
    assert (await h.sit("Zoe")).welcome


@pytest.mark.parametrize(
    "change",
    [
        {"what": "person.rename", "name": "Annika"},
        {"what": "person.color", "color": 5},
        {"what": "channel.edit", "name": "cellar", "about": "dark", "lacks": ["send"]},
        {"what": "channel.archive", "archived": True},
        {"what": "person.gm", "gm": True},
        {"what": "person.remove"},
    ],
    ids=lambda change: change["what"],
)
async def test_a_refused_change_of_the_table_changes_nothing(h: House, change: dict[str, object]) -> None:
    """Who was told that it can't be saved does not see it either, with or without a restart."""
    world, store = h.table.world, h.table.store
    other = next(person for person in world.seated() if person.name == "Bob")
    own = change["what"] in {"person.rename", "person.color"}
    person = h.mara.welcome["you"] if own else str(other.id)
    with readonly(h):
        refused = await h.mara.ask(
            "fault", t="do", n=1, person=person, channel=str(world.first_channel.id), **change
        )

    assert refused["text"] == WHY
    assert [asdict(person) for person in world.people.values()] == store.documents("person")
    assert [asdict(channel) for channel in world.channels.values()] == store.documents("channel")

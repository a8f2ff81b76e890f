"""Where the table is: its data, its address in a network, and what a wrong address is told."""

from pathlib import Path

import aiohttp
import pytest

from bot.cli.play import reaches_here
from bot.play.host import open_table, opened_page, origin
from tests.support.cli import evenhand


async def test_a_wrong_address_is_told_the_right_one(tmp_path: Path) -> None:
    """A browser that came by another name gets a page for people, with the address to open."""
    async with open_table(tmp_path) as table, opened_page(table, host="tavern.local"):
        port = table.gm.partition("/#")[0].rpartition(":")[2]
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{port}/", headers={"Host": f"10.1.2.3:{port}"}) as answer,
        ):
            said = await answer.text()

    assert (answer.status, answer.content_type) == (421, "text/html")
    assert f'href="http://tavern.local:{port}"' in said


async def test_a_host_is_what_others_open(tmp_path: Path) -> None:
    """Of several networks the one that was named is in the link, and answers."""
    async with open_table(tmp_path) as table, opened_page(table, host="tavern.local"):
        assert table.players is not None
        link, port = table.players, table.gm.partition("/#")[0].rpartition(":")[2]
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{port}/", headers={"Host": f"tavern.local:{port}"}) as answer,
        ):
            pass

    assert link.startswith(f"http://tavern.local:{port}/#")
    assert answer.status == 200


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("http://127.0.0.1:4280", "http://127.0.0.1:4280"),
        ("http://Tavern.Local:4280", "http://tavern.local:4280"),
        ("https://Dice.Example.org:443/", "https://dice.example.org"),
        ("https://würfel.example", "https://xn--wrfel-kva.example"),
    ],
)
def test_an_address_is_compared_as_browsers_send_it(address: str, sent: str) -> None:
    """In lower case, without the usual port, in the letters of the network."""
    assert origin(address) == sent


async def test_a_public_address_is_opened_however_it_was_typed(tmp_path: Path) -> None:
    """Its link, the check of the host and that of the page's origin agree."""
    async with open_table(tmp_path) as table, opened_page(table, public_url="https://Dice.Example.org:443/"):
        assert table.players is not None
        here = table.gm.partition("/#")[0]
        headers = {"Host": "dice.example.org", "Origin": "https://dice.example.org", "X-Table": "1"}
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{here}/api/enter", json={}, headers=headers) as answer,
        ):
            pass

    assert table.players.startswith("https://dice.example.org/#")
    assert answer.status == 200


@pytest.mark.parametrize(
    ("host", "reaches"),
    [
        ("10.254.3.2", False),
        ("192.168.1.300", False),
        ("127.0.0.1", False),
        ("tavern", True),
    ],
)
def test_an_address_that_others_cannot_open_is_noticed(host: str, *, reaches: bool) -> None:
    """One of another machine, one that is none, and this machine's own loopback; a name is believed."""
    assert reaches_here(f"http://{host}:5050/#secret") is reaches
    assert reaches_here(f"http://{host}/#secret") is reaches


def test_a_host_is_a_name_or_an_address() -> None:
    """An address with a scheme is refused in a sentence."""
    done = evenhand("play", "--host", "http://tavern")

    assert done.exit_code == 2
    assert "such as 192.168.1.20" in done.output


@pytest.mark.parametrize(
    "address",
    [
        "http://dice.example.org",
        "https://",
        "https://dice.example.org/table",
        "https://dice.example.org:99999",
    ],
)
def test_a_public_address_is_a_whole_host_with_https(address: str) -> None:
    """The page works at no path, and a browser opens no such port."""
    done = evenhand("play", "--public-url", address)

    assert done.exit_code == 2
    assert "without a path" in done.output

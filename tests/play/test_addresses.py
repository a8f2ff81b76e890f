"""Where the table is: its data, its address in a network, and what a wrong address is told."""

from pathlib import Path

import aiohttp
import pytest

from bot.cli.play import reaches_here
from bot.play.host import open_table, opened_page
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


def test_a_host_is_a_name_or_an_address() -> None:
    """An address with a scheme is refused in a sentence."""
    done = evenhand("play", "--host", "http://tavern")

    assert done.exit_code == 2
    assert "such as 192.168.1.20" in done.output

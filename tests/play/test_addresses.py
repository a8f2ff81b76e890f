"""Where the table is: its data, its address in a network, and what a wrong address is told."""

from pathlib import Path

import aiohttp
import pytest

from bot.play.host import open_table, opened_page
from tests.support.cli import evenhand
from tests.support.playing import playing


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


async def test_it_says_where_its_data_lies(tmp_path: Path) -> None:
    """`--data` comes before the setting, and is said."""
    async with playing(tmp_path, "--data", str(tmp_path / "chest")) as table:
        await table.stop()

    assert f"Its data is in {tmp_path / 'chest' / 'play'}." in table.said
    assert (tmp_path / "chest" / "play").is_dir()
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("host", ["10.254.3.2", "192.168.1.300", "127.0.0.1"])
async def test_an_address_that_others_cannot_open_is_said(host: str, tmp_path: Path) -> None:
    """One of another machine, one that is none, and this machine's own loopback; a name is believed."""
    async with playing(tmp_path, "--host", host) as wrong:
        await wrong.stop()
    async with playing(tmp_path, "--host", "tavern.local") as named:
        await named.stop()

    assert "Others can't open that link as it is" in wrong.said
    assert "Others can't" not in named.said


def test_a_host_is_a_name_or_an_address() -> None:
    """An address with a scheme is refused in a sentence."""
    done = evenhand("play", "--host", "http://tavern")

    assert done.exit_code == 2
    assert "such as 192.168.1.20" in done.output

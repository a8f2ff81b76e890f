"""`play`: the table in the browser, for one machine or a network, without Discord."""

import asyncio
import io
import re
import socket
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.logs import configure
from bot.cli.stopping import REFUSED, Refusal, exit_with_error, run_until_stopped
from bot.settings import SettingsError, load

_HOST_ALONE = re.compile(r"https://(?:[\w.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?/?")
"""A proxy's address: the page works at the root of its host alone."""


def play(
    *,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The page's port; 0 takes the usual one.")] = 0,
    data: Annotated[
        Path | None,
        typer.Option(help="The data folder. The table uses `play` inside it.", show_default=False),
    ] = None,
    lan: Annotated[bool, typer.Option("--lan", help="Let others in this network join.")] = False,
    host: Annotated[
        str | None, typer.Option(help="Like --lan, at this one of the machine's addresses.")
    ] = None,
    public_url: Annotated[str | None, typer.Option(help="The https address of your own proxy.")] = None,
    language: Annotated[
        str, typer.Option(help="The language of the bot, such as de; xx is one to test.")
    ] = "",
    without_bot: Annotated[
        bool, typer.Option("--without-bot", help="Start without the bot, for one of your own.")
    ] = False,
) -> None:
    """Open the table in the browser: the real bot, and no Discord."""
    with exit_with_error(SettingsError):
        settings = load()
        configure("ERROR", settings.log_format)
        from bot.play.host import Table, keep_bot, open_table, opened_page, origin
        from bot.play.store import TableError
        from bot.words.languages import speaks

        def tell(table: Table) -> None:
            typer.echo(f"The table is open. You, the game master, open\n\n    {table.gm}\n")
            if table.players:
                typer.echo(f"Everybody else opens\n\n    {table.players}\n\n{terminal_code(table.players)}")
            if table.players and not reaches_here(table.players):
                typer.echo(
                    "Others can't open that link as it is: this machine has no such address in a network.\n"
                )
            typer.echo(f"Its data is in {folder}.")
            if without_bot:
                typer.echo(f"A bot sits down at {table.api} with the token\n\n    {table.token}\n")
            typer.echo("Ctrl-C closes it.")

        async def evening() -> None:
            page_port = port or settings.play_port
            async with (
                open_table(folder, locale=language or "en-US") as table,
                opened_page(table, page_port, lan=lan, host=host, public_url=public_url),
            ):
                tell(table)
                await (asyncio.Event().wait() if without_bot else keep_bot(table, folder))
                raise typer.Exit(REFUSED)  # the bot has printed which setting is wrong

        def is_host_alone(address: str) -> bool:
            with suppress(ValueError):
                return bool(_HOST_ALONE.fullmatch(address) and origin(address))
            return False

        if public_url and not is_host_alone(public_url):
            raise Refusal("The public address should be https:// and the name of your proxy, without a path.")
        if language and not speaks(language):
            raise Refusal("Evenhand has no texts in that language.")
        if host and not (re.fullmatch(r"[\w.-]+", host) and is_host_alone(f"https://{host}")):
            raise Refusal("--host should be an address of this machine's, such as 192.168.1.20, or its name.")
        folder = (data or settings.data).absolute() / "play"
        with exit_with_error(TableError):
            run_until_stopped(evening())


def reaches_here(link: str) -> bool:
    """Return whether this machine has a link's address for others; names and proxies are not checked."""
    address = re.match(r"http://([\d.]+)[:/]", link)
    if address is None:
        return True
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address[1], 0))
        except OSError:
            return False
    return not address[1].startswith("127.")


def terminal_code(address: str) -> str:
    """Return a QR code as lines of blocks."""
    import segno

    drawn = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(drawn, compact=True)
    return drawn.getvalue()

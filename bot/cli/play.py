"""`play`: the table in the browser, for one machine or a network, without Discord."""

import io
import re
from typing import Annotated

import typer

from bot.cli.logs import configure
from bot.cli.stopping import REFUSED, Refusal, run_until_stopped, told
from bot.settings import SettingsError, load


def play(
    *,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The page's port; 0 takes the usual one.")] = 0,
    lan: Annotated[bool, typer.Option("--lan", help="Let others in this network join.")] = False,
    public_url: Annotated[str | None, typer.Option(help="The https address of your own proxy.")] = None,
    without_bot: Annotated[bool, typer.Option("--without-bot", help="Leave the bot's chair free.")] = False,
) -> None:
    """Open the table in the browser: the real bot, and no Discord."""
    with told(SettingsError):
        settings = load()
        configure("ERROR", settings.log_format)
        from bot.play.host import BOT, BotRefused, Opened, Plan, host
        from bot.play.store import TableError

        def tell(opened: Opened) -> None:
            typer.echo(f"The table is open. You, the game master, open\n\n    {opened.gm}\n")
            if opened.players:
                typer.echo(f"Everybody else opens\n\n    {opened.players}\n\n{terminal_code(opened.players)}")
            if without_bot:
                typer.echo(
                    f"A bot sits down at {opened.table.api} with the token\n\n    {opened.table.token}\n"
                )
            typer.echo("Ctrl-C closes it.")

        if public_url and not re.match(r"https://[\w\[]", public_url):
            raise Refusal("The public address should begin with https:// and the name of your proxy.")
        folder = settings.data.absolute() / "play"
        plan = Plan(folder, port or settings.play_port, lan, public_url, None if without_bot else BOT)
        try:
            run_until_stopped(host(plan, tell))
        except TableError as error:
            raise Refusal(str(error)) from None
        except BotRefused:
            raise typer.Exit(REFUSED) from None


def terminal_code(address: str) -> str:
    """Return a QR code as lines of blocks."""
    import segno

    drawn = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(drawn, compact=True)
    return drawn.getvalue()

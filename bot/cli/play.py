"""`play`: the table in the browser, for one machine or a network, without Discord."""

from typing import Annotated

import typer

from bot.cli.logs import configure
from bot.cli.stopping import REFUSED, Refusal, run_until_stopped, told
from bot.settings import load

_CLOSES = "Ctrl-C closes it."


def play(
    *,
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, help="The page's port; 0 takes the usual one.")
    ] = None,
    lan: Annotated[bool, typer.Option("--lan", help="Let others in this network join.")] = False,
    public_url: Annotated[
        str | None, typer.Option(help="The https address of your own tunnel or proxy.")
    ] = None,
    without_bot: Annotated[
        bool, typer.Option("--without-bot", help="Leave the bot's chair free for another.")
    ] = False,
) -> None:
    """Open the table in the browser: the real bot, and no Discord."""
    with told():
        settings = load()
        configure("ERROR", settings.log_format)
        from bot.play.host import BotRefused, Opened, Plan, host
        from bot.play.store import TableError

        def tell(opened: Opened) -> None:
            typer.echo(f"The table is open. You, the game master, open\n\n    {opened.gm}\n")
            if opened.players:
                import segno

                typer.echo(f"Everybody else opens\n\n    {opened.players}\n")
                segno.make(opened.players, error="m", micro=False).terminal(compact=True)
            if without_bot:
                typer.echo(
                    f"A bot sits down with\n\n    API    {opened.table.api}\n    token  {opened.table.token}\n"
                )
            typer.echo(_CLOSES)

        if public_url and not public_url.startswith("https://"):
            raise Refusal("The public address should begin with https://.")
        plan = Plan(
            settings.data.absolute() / "play", settings.play_port if port is None else port, lan, public_url
        )
        if without_bot:
            plan = Plan(plan.folder, plan.port, lan, public_url, bot=None)
        try:
            run_until_stopped(host(plan, tell))
        except TableError as error:
            raise Refusal(str(error)) from None
        except BotRefused:
            raise typer.Exit(REFUSED) from None

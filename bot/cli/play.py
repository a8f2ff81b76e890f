"""`play`: the table in the browser, without Discord."""

from typing import Annotated

import typer

from bot.cli.logs import configure
from bot.cli.stopping import Refusal, run_until_stopped, told
from bot.dice.errors import Unavailable
from bot.settings import Settings, SettingsError, load


def play(
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="0 takes a free one.")] = None,
) -> None:
    """Open the table in the browser: the real bot, and no Discord."""
    with told(SettingsError):
        settings = load().for_play()
        # What only whoever serves a real server can do something about would frighten a newcomer.
        configure("ERROR", settings.log_format)
        run_until_stopped(_play(settings, settings.play_port if port is None else port))


async def _play(settings: Settings, port: int) -> None:
    try:
        from simcord import SetupError
    except ModuleNotFoundError:
        raise Refusal("The table needs the extra `play`: run `make setup`.") from None
    from bot.app import open_app
    from bot.client import Evenhand
    from bot.play.host import host

    async with open_app(settings) as app:
        try:
            await host(lambda: Evenhand(app, shard_count=1), port=port, on_ready=_invite)
        except SetupError as error:
            raise Unavailable(str(error)) from error


def _invite(address: str) -> None:
    typer.echo(f"The table is open at\n\n    {address}\n\nOpen it in a browser. Ctrl-C closes it.")

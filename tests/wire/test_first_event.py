"""Whatever is the first thing that happens in a campaign, on a server with rules of its own: it holds."""

from tests.support.proving import proof_on
from tests.support.table import Table
from tests.wire.test_permissions import SCRIPT


async def test_a_campaign_holds_whatever_it_begins_with(t: Table) -> None:
    """The server's rules go first, as an event that nobody asked for; then each command, and proof mode.

    The table checks every campaign at its end.
    """
    await t.slash(t.mara, "admin settings", pace=3, server=True)
    await proof_on(t, t.mara, t.guild.create_text_channel("proof"))
    for number, line in enumerate(SCRIPT):
        options = {k: t.bob if v == "somebody" else v for k, v in line.options.items()}
        if name := options.get("name"):
            options["name"] = f"{name} {number}"
        await t.mara.slash(t.guild.create_text_channel(f"place-{number}"), line.command, **options)

    assert len(await t.app.verifying.campaigns()) >= 30

"""Proof mode by the buttons and forms under /proof."""

from typing import Any

from simcord import ChannelHandle, InteractionResult, MemberActor

from tests.support.wire import Wire, reply


async def presses(
    t: Wire, actor: MemberActor, label: str, where: ChannelHandle | None = None
) -> InteractionResult:
    """Press a button under the person's own /proof."""
    return await t.press(await actor.slash(where or t.channel, "proof"), label, actor)


async def proof_on(
    t: Wire, actor: MemberActor, where: ChannelHandle | None = None, *, drand: bool = False, host: Any = None
) -> str:
    """Return the public message after a person switches proof mode on and names its host."""
    form = await presses(t, actor, "Switch on…", where)
    return reply(
        await actor.submit_modal(form, {"drand": drand} | ({"host": [host]} if host else {}))
    ).content


async def proof_off(t: Wire, actor: MemberActor) -> str:
    """Return the public message after a person switches proof mode off."""
    return reply(await presses(t, actor, "Switch off")).content


async def salts(t: Wire, actor: MemberActor, words: str, where: ChannelHandle | None = None) -> str:
    """Return the public message after a person gives words."""
    form = await presses(t, actor, "Give words…", where)
    return reply(await actor.submit_modal(form, {"words": words})).content

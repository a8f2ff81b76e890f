"""Presses and sent forms with any custom id, as a client that is old or somebody's own may send them."""

from collections.abc import Sequence
from typing import Any

from discord import InteractionType
from simcord import InteractionResult, MemberActor, ResponseMessage
from simcord.actors import _dispatch_actor_interaction  # pyright: ignore[reportPrivateUsage]
from simcord.backend import serializers

from cogs.kit.interactions import CustomId
from tests.support.table import Table

_BUTTON, _PEOPLE = 2, 5


def forms(t: Table) -> dict[tuple[InteractionType, str], CustomId]:
    """Return the form of every custom id that the bot answers, by what carries it and its first word."""
    ids: dict[tuple[InteractionType, str], CustomId] = {}
    bot: Any = t.bot
    for at, answer in bot.handlers.items():
        owner: Any = answer.__self__
        ids[at] = getattr(owner, "custom_id", None) or owner.form
    return ids


async def arrives(
    t: Table,
    actor: MemberActor,
    kind: InteractionType,
    custom_id: str,
    under: ResponseMessage,
    chosen: Sequence[str] = (),
    **typed: str,
) -> InteractionResult:
    """Have the bot told of a press under a message, or of a form that was sent from there."""
    data: dict[str, Any] = {"custom_id": custom_id}
    if kind is InteractionType.modal_submit:
        fields = [{"type": 4, "custom_id": name, "value": text} for name, text in typed.items()]
        data["components"] = [{"type": 1, "components": [field]} for field in fields]
    else:
        data |= {"component_type": _PEOPLE if chosen else _BUTTON, "values": list(chosen)}
    backend = t.env.backend
    stored = backend.get_message(t.channel.id, under.id)
    return await _dispatch_actor_interaction(
        actor,
        kind.value,
        t.channel,
        data,
        extra={"message": dict(serializers.message_payload(backend, stored))},
        source_message_id=under.id,
    )

"""The messages that say whose turn it is: one for each initiative, deleted once the turn goes on."""

from contextlib import suppress
from typing import NamedTuple

from bot.answers import DISCORD_ERRORS
from bot.campaign.calls import Standing
from bot.client import Evenhand
from bot.newest import Newest

_MOST = 1_000
"""Most initiatives whose message is remembered; a restart forgets all."""


class _TurnCall(NamedTuple):
    channel_id: int
    message_id: int
    passed: int
    """The number of turn changes before it."""


class TurnCalls:
    """Remembers the message of each initiative's turn, and deletes it once the turn goes on."""

    def __init__(self, client: Evenhand) -> None:
        self._client = client
        self._sent = Newest[tuple[int, int], _TurnCall](_MOST)

    async def replace(
        self,
        standing: Standing,
        channel_id: int | None,
        message_id: int | None,
        earlier_id: int | None = None,
    ) -> None:
        """Delete the message of an earlier turn, and remember this one's if there is one.

        `earlier_id` is the earlier message if its button was pressed: a restart may have forgotten it.
        """
        at, turn = standing.call.event.at, standing.turn
        if channel_id and earlier_id and turn and at not in self._sent:
            self._sent[at] = _TurnCall(channel_id, earlier_id, turn.passed - 1)
        await self.delete_old(standing)
        if channel_id and message_id and turn:
            call = _TurnCall(channel_id, message_id, turn.passed)
            later = self._sent.get(at)
            if later and later.passed > call.passed:  # this one was sent too slowly
                await self._delete(call)
            else:
                self._sent[at] = call

    async def delete_old(self, standing: Standing) -> None:
        """Delete the message of a turn that is over; do nothing where Discord refuses."""
        at, turn = standing.call.event.at, standing.turn
        sent = self._sent.get(at)
        # An older state may be shown late, so a later turn's message stays.
        is_over = sent and turn and (sent.passed < turn.passed or standing.at_turn is None)
        if sent and (is_over or standing.cancelled):
            del self._sent[at]
            await self._delete(sent)

    async def _delete(self, call: _TurnCall) -> None:
        channel = self._client.get_partial_messageable(call.channel_id)
        with suppress(*DISCORD_ERRORS):
            await channel.get_partial_message(call.message_id).delete()

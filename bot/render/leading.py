"""What a game master is told of a call, alone."""

from bot.core.calls.standing import Standing
from bot.render import calls


def panel(standing: Standing) -> str:
    """How it stands, with what is hidden from the others."""
    told = "Only you see this."
    if not standing.call.shown:
        told = "Only you see this, and what is hidden from the others is shown to you."
    return f"{told}\n{calls.board(standing, seen=True, room=calls.MESSAGE_LIMIT - len(told) - 1)}"

"""What a game master is told of a call, alone."""

from bot.campaign.events import Visibility
from bot.campaign.standings import Standing
from bot.render import calls


def panel(standing: Standing) -> str:
    """How it stands, with what is hidden from the others."""
    # Hands are their owners' own.
    seen = standing.call.terms.visibility is not Visibility.SELF
    told = "What is hidden from the others is shown to you.\n" if seen and not standing.call.shown else ""
    return told + calls.board(standing, seen=seen, room=calls.MESSAGE_LIMIT - len(told))

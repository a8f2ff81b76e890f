"""The table rolls at once: a game master calls, everybody answers once, and the call fills in."""

from bot.services.answering import Answering
from bot.services.leading import Leading
from bot.services.timing import Timing


class Groups(Answering, Leading, Timing):
    """The use cases of calls: what players, game masters and time do with them."""

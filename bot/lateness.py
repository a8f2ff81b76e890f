"""An interaction that comes too late is not rolled, whatever the host's clock says."""

from math import inf

LIMIT_SECONDS = 2.5
"""Discord wants an answer within 3 s; a roll and its reply take well under half a second."""

_SPAN_SECONDS = 60


class Lateness:
    """Tells late interactions by their age, which is our clock minus Discord's.

    The two clocks may differ, so an age counts from the smallest one of the last two minutes in which
    anything came. The first interaction of all is therefore never late. Older ages are forgotten, so that
    a clock that is put right makes the bot refuse for two minutes at most.
    """

    def __init__(self) -> None:
        self._span = 0
        self._least_before = inf
        self._least_now = inf

    def late(self, age: float, at: float) -> bool:
        """Whether `age` is over the limit; `at` is when it was received, on a clock that only goes forward.

        Both are seconds, and `age` may be negative.
        """
        span = int(at // _SPAN_SECONDS)
        if span != self._span:
            self._span = span
            self._least_before, self._least_now = self._least_now, inf
        self._least_now = min(self._least_now, age)
        return age - min(self._least_before, self._least_now) > LIMIT_SECONDS

"""What a page may send: the shape of its frames, and how fast they may come."""

import time
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field

from bot.play.ids import read_id

LIMITS = {"frame": (20, 60), "deed": (5, 15), "hints": (12, 24)}
"""How many a second, and how many at once."""
UNREADABLE = "That can't be read."
TOO_FAST = "That was too fast, and was left out. Wait a moment."

_Id = Annotated[int, BeforeValidator(read_id)]


class PageFrame(BaseModel):
    """What a page sends: `t` says what it is, `n` numbers what is to be answered, a deed has a nonce."""

    t: str
    n: int | None = None
    nonce: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8,64}$")] | None = None
    epoch: str | None = None
    last: int | None = None
    channel: _Id | None = None
    message: _Id | None = None
    person: _Id | None = None
    modal: _Id | None = None
    before: _Id | None = None
    after: _Id | None = None
    around: _Id | None = None
    line: str = ""
    at: int = 0
    files: list[_Id] = []
    id: str = ""
    values: list[str] | dict[str, str | list[str]] = []
    what: str = ""
    name: str = ""
    about: str = ""
    color: Annotated[int, Field(ge=0, lt=8)] = 0
    gm: bool = False
    archived: bool = False
    renew: bool = False
    lacks: list[Literal["view", "send", "attach"]] = []


class Bucket:
    """Lets `rate` things a second through, and `burst` at once; time is by a clock that only goes forward."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = self._left = burst
        self._at = time.monotonic()

    def take(self, count: float = 1) -> bool:
        """Take so many; return whether there were enough."""
        now = time.monotonic()
        left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at, self._left = now, left - count if left >= count else left
        return left >= count

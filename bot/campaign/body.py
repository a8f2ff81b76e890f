"""What every kind of event may say, and which part of the record holds each field of it.

`pub` is told to everybody, `what` to whoever may see the result, and `how` (memory and draws) to whoever
could not work out a hidden roll from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from bot.campaign.kinds import Kind

PUB: Mapping[str, str] = {"part": "pub"}
HOW: Mapping[str, str] = {"part": "how"}
UNRECORDED: Mapping[str, str] = {"part": ""}
"""For values that go with a fresh event and are made again, or are not to be had, for a recorded one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What every kind of event may say."""

    kind: ClassVar[Kind]

    roller: str = ""
    """The name of the roller that it is about; "" for none."""
    target: int | None = field(default=None, metadata=UNRECORDED)
    """The number of the earlier event that it is about; a public field of the event, outside the parts."""

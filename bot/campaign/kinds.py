"""What every event has: its kind, who may see it, what binds it, and which part of the record says what.

`pub` is told to everybody, `what` to whoever may see the result, and `how` (memory and draws) to whoever
could not work out a hidden roll from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

SHORTEST_RETENTION, LONGEST_RETENTION = 30, 3_650
FOREVER = 0
"""Days that events are kept; of a history that nothing is removed from. Settings read this file alone."""
PUB: Mapping[str, str] = {"part": "pub"}
HOW: Mapping[str, str] = {"part": "how"}
FLAT: Mapping[str, str | bool] = {"part": "what", "flat": True}
"""For a value of one of several classes: its fields stand beside the body's, and tell which class it is."""
UNRECORDED: Mapping[str, str] = {"part": ""}
"""For values that go with a fresh event and are made again, or are not to be had, for a recorded one."""


class Kind(StrEnum):
    """The word for each kind of event, in the record and in `/history`."""

    ROLL = "roll"
    MAKE = "make"
    RESET = "reset"
    RESTART = "restart"
    REMOVE = "remove"
    UNDO = "undo"
    REVEAL = "reveal"
    CREATE = "create"
    USE = "use"
    RENAME = "rename"
    ARCHIVE = "archive"
    MASTER = "master"
    RULES = "rules"
    ERASE = "erase"
    SESSION = "session"
    CUT = "cut"
    RESTORED = "restored"
    COMMIT = "commit"
    SHOWN = "shown"
    SALT = "salt"
    UNCOMMIT = "uncommit"
    CALL = "call"
    CLOSE = "close"
    REOPEN = "reopen"
    CANCEL = "cancel"
    PLAY = "play"
    DISCARD = "discard"
    RETURN = "return"
    CHOOSE = "choose"


class Mark(StrEnum):
    """Which end of a session an event marks."""

    START = "start"
    END = "end"


class Visibility(StrEnum):
    """Who may see a result."""

    PUBLIC = "public"
    SELF = "self"
    """Only who rolled."""
    GM = "gm"
    """Who rolled, and the game masters."""
    BLIND = "blind"
    """Only the game masters, not even who rolled."""


@dataclass(frozen=True, slots=True)
class Seal:
    """What binds an event into its campaign's tree."""

    leaf: bytes = b""
    """Its leaf, 32 bytes; b"" while it is being made."""
    kept: tuple[str, str] | None = None
    """The commitments to the person and to their words, kept in place of both once they were erased."""


UNSEALED = Seal()


@dataclass(frozen=True, slots=True)
class Words:
    """A person's own words for an event; each is "" where there are none."""

    label: str = ""
    """What it is for."""
    typed: str = ""
    """The dice as they were typed, where the body has them otherwise."""
    character: str = ""
    """The name of the character that it is about."""


WORDLESS = Words()


BODIES: "dict[Kind, type[Body]]" = {}
"""The class of each kind's body; whoever reads this imports `bot.campaign.events`, which has all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What every kind of event may say."""

    kind: ClassVar[Kind]

    def __init_subclass__(cls, kind: Kind | None = None) -> None:
        # A dataclass with slots is made twice, the second time from the first one's attributes.
        cls.kind = kind or cls.kind
        BODIES[cls.kind] = cls

    roller: str = ""
    """The name of the roller that it is about; "" for none."""
    target: int | None = field(default=None, metadata=UNRECORDED)
    """The number of the earlier event that it is about; a public field of the event, outside the parts."""

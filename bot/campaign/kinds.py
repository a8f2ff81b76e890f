"""The common base of events: kind, visibility, seal, and the parts of a record.

The part `pub` is for everybody, `what` for those who may see the result, and `how` (memory and draws) for
those who could not infer a hidden roll from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

SHORTEST_RETENTION, LONGEST_RETENTION = 30, 3_650
FOREVER = 0
"""The shortest and longest retention in days; `FOREVER` removes nothing. Settings import only this file."""
PUB: Mapping[str, str] = {"part": "pub"}
HOW: Mapping[str, str] = {"part": "how"}
FLAT: Mapping[str, str | bool] = {"part": "what", "flat": True}
"""For a union of classes: its fields are stored among the body's, and determine the class."""
UNRECORDED: Mapping[str, str] = {"part": ""}
"""For values that only a new event has; for a recorded one they are recomputed or missing."""


class Kind(StrEnum):
    """The kind of an event, as in the record and in `/history`."""

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
    """The start or the end of a session."""

    START = "start"
    END = "end"


class Visibility(StrEnum):
    """The visibility of a result."""

    PUBLIC = "public"
    SELF = "self"
    """Only the person who rolled."""
    GM = "gm"
    """The person who rolled, and the game masters."""
    BLIND = "blind"
    """Only the game masters, not the person who rolled."""


@dataclass(frozen=True, slots=True)
class Seal:
    """An event's leaf in its campaign's tree."""

    leaf: bytes = b""
    """The leaf hash, 32 bytes; b"" before it is computed."""
    kept: tuple[str, str] | None = None
    """The commitments to the person and to their words, once both were erased."""


UNSEALED = Seal()


@dataclass(frozen=True, slots=True)
class Words:
    """A person's own words for an event; "" for missing ones."""

    label: str = ""
    """The purpose of the roll."""
    typed: str = ""
    """The dice as typed, if the body has them in another form."""
    character: str = ""
    """The name of the character."""


WORDLESS = Words()


BODIES: "dict[Kind, type[Body]]" = {}
"""Kind to body class; complete once `bot.campaign.events` is imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The base class of event bodies."""

    kind: ClassVar[Kind]
    """Missing in a common base of several kinds."""

    def __init_subclass__(cls, kind: Kind | None = None) -> None:
        # `dataclass(slots=True)` creates the class twice, the second time without `kind`.
        if kind := kind or getattr(cls, "kind", None):
            cls.kind = kind
            BODIES[kind] = cls

    roller: str = ""
    """The name of its roller; "" for none."""
    target: int | None = field(default=None, metadata=UNRECORDED)
    """The number of the earlier event it refers to; a public field of the event, outside the parts."""

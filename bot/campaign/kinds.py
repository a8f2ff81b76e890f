"""The kinds of events, and of marks that a session has."""

from enum import StrEnum


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
    COMMIT = "commit"
    SALT = "salt"
    UNCOMMIT = "uncommit"
    CALL = "call"
    CLOSE = "close"
    REOPEN = "reopen"
    CANCEL = "cancel"


class Mark(StrEnum):
    """Which end of a session an event marks."""

    START = "start"
    END = "end"

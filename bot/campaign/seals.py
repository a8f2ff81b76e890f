"""What binds an event into its campaign's tree; how it is worked out stands in `bot.record`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seal:
    """What binds an event into its campaign's tree."""

    leaf: bytes = b""
    """Its leaf, 32 bytes; b"" while it is being made."""
    kept: tuple[str, str] | None = None
    """The commitments to the person and to their words, kept in place of both once they were erased."""


UNSEALED = Seal()

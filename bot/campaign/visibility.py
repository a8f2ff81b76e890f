"""Who may see a roll's result until it is revealed."""

from enum import StrEnum


class Visibility(StrEnum):
    """Who may see a result."""

    PUBLIC = "public"
    SELF = "self"
    """Only who rolled."""
    GM = "gm"
    """Who rolled, and the game masters."""
    BLIND = "blind"
    """Only the game masters, not even who rolled."""

"""What is stored about a person, counted."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Holdings:
    """How many of each thing are stored."""

    events: int
    campaigns: int
    labels: int
    """Events with words of their own."""
    first: int | None
    """The number of their first interaction, which holds its time; None if there is none."""
    saved: int
    """Rolls they saved under a name."""
    masters: int
    """Campaigns that name them as a game master."""
    counts: int = 0
    """Campaigns that count their results; these counts and their memories outlive a history that is cut."""
    memories: int = 0
    """Rollers' memories of their own."""

"""Who may do what: game masters, and everybody else."""

from dataclasses import dataclass

from bot.core.errors import NotAllowed


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks, and what Discord says they may do where they ask."""

    user_id: int
    manages: bool
    """Whether they have Manage Server here, or are alone with the bot."""

    @property
    def is_gm(self) -> bool:
        """Whether they are a game master here."""
        return self.manages

    def must_be_gm(self, doing: str) -> None:
        """NotAllowed unless they are a game master; `doing` is what they tried, "Resetting a roller"."""
        if not self.is_gm:
            raise NotAllowed(f"{doing} is for game masters: people with Manage Server here.")

"""What a game master calls for: which dice, against what, judged by which rule, and who sees it."""

from dataclasses import dataclass
from enum import StrEnum

from bot.campaign.kinds import Visibility
from bot.campaign.rollers import Remembers
from bot.dice.errors import SpecError
from bot.systems.checks import CheckTerms, Degree

NEEDED_LIMIT = 1_000
CARDS_LIMIT = 20


class Form(StrEnum):
    """What kind of call it is."""

    CHECK = "check"
    DEAL = "deal"
    """Everybody gets cards of one deck, for their own eyes."""
    INITIATIVE = "initiative"
    """Everybody gets a place in an order."""


class Rule(StrEnum):
    """How the rolls of a check become one result."""

    EACH = "each"
    """Everybody stands for themselves."""
    HALF = "half"
    """At least half of those who rolled succeed: the group check of the fifth edition."""
    ALL = "all"
    ANY = "any"
    HIGHEST = "highest"
    LOWEST = "lowest"
    SUM = "sum"
    AVERAGE = "average"
    SUCCESSES = "successes"
    """At least so many succeed; without a DC the dice count successes themselves, and they are added."""


_NEED_A_DC = {Rule.HALF, Rule.ALL, Rule.ANY}


@dataclass(frozen=True, slots=True)
class Terms:
    """A call's terms; SpecError says which of them don't go together."""

    form: Form = Form.CHECK
    dc: int | None = None
    """What a roll is held against; None judges nothing."""
    under: bool = False
    """Whether a roll succeeds at or under the DC, instead of at or above it."""
    rule: Rule = Rule.EACH
    needed: int = 1
    """How many successes `Rule.SUCCESSES` asks for."""
    cards: int = 1
    """How many cards everybody is dealt."""
    role: int | None = None
    """The role whose members are called; None calls those who are named, or everybody."""
    whose: Remembers | None = None
    """Whose rolls the roller remembers for this call; None is as the roller has it."""
    visibility: Visibility = Visibility.PUBLIC
    """Of the rolls, until they are revealed."""
    hold: bool = False
    """Whether the rolls are shown once all are in, or the call is closed."""
    degrees: tuple[Degree, ...] = ()
    """The degrees of success of each roll; none are pass and miss alone."""
    named: bool = False
    """Whether players were named; who they are is not kept with the history, so that they can be erased."""

    def __post_init__(self) -> None:
        if self.check is None and self.degrees:
            raise SpecError("Degrees of success need a DC that the rolls are held against.")
        if self.dc is None and self.rule in _NEED_A_DC:
            raise SpecError(f"The rule {self.rule} needs a DC that the rolls are held against.")
        if not 1 <= self.needed <= NEEDED_LIMIT:
            raise SpecError(f"The successes that are needed are 1 to {NEEDED_LIMIT:,}.")
        if not 1 <= self.cards <= CARDS_LIMIT:
            raise SpecError(f"Everybody can be dealt 1 to {CARDS_LIMIT} cards, not {self.cards}.")

    @property
    def hides(self) -> bool:
        """Return whether the rolls are kept from the others at first."""
        return self.visibility is not Visibility.PUBLIC

    @property
    def check(self) -> CheckTerms | None:
        """Return what each roll is held against; None if there is no DC."""
        return None if self.dc is None else CheckTerms(self.dc, self.under, self.degrees)

    def succeeds(self, total: int) -> bool | None:
        """Return whether a total meets the DC; None if there is no DC."""
        margin = self.margin(total)
        return None if margin is None else margin >= 0

    def margin(self, total: int) -> int | None:
        """By how much a total meets the DC, negative where it fails; None if there is no DC."""
        return self.check.margin(total) if self.check else None

"""The body of a roll, and its subject: plain dice, a roller, a luck account's check, or a part of a map."""

from dataclasses import dataclass, field
from typing import ClassVar

from bot.campaign.campaigns import Remembers
from bot.campaign.kinds import FLAT, HOW, UNRECORDED, Body, Kind
from bot.dice.draws import Drawn, Source
from bot.dice.errors import SpecError
from bot.dice.modifiers import KeepKind
from bot.dice.system import Memory, Outcome, System
from bot.systems.checks import CheckTerms
from bot.systems.destinator import Destinator
from bot.systems.registry import load_spec


@dataclass(frozen=True, slots=True)
class OfDice:
    """Plain dice."""

    spec: ClassVar[str] = ""
    system: ClassVar[None] = None

    text: str = ""
    """Their canonical notation."""
    d6_only: bool = False
    """Whether the dice were simulated with d6s."""


@dataclass(frozen=True, slots=True)
class OfRoller:
    """A roller of the campaign, a roll of a game, or a d100 method."""

    spec: str = ""
    """The system as canonical JSON text, never ""."""

    @property
    def system(self) -> System:
        """Return the system; DiceError if the spec is invalid."""
        return load_spec(self.spec)


@dataclass(frozen=True, slots=True)
class OfAccount(OfRoller):
    """A check on a luck account, which has no dice of its own."""

    text: str = ""
    """Canonical notation of the dice, never ""."""


@dataclass(frozen=True, slots=True)
class OfPart(OfRoller):
    """A part of a map: a city of one region, or the region alone."""

    part: str = ""
    """The region, or "*" for all regions without their cities; never ""."""

    @property
    def system(self) -> System:
        """Return that part; DiceError if the spec is no map or has no such part."""
        system = load_spec(self.spec)
        if not isinstance(system, Destinator):
            raise SpecError("Only a map has parts.")
        return system.part(self.part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled(Body, kind=Kind.ROLL):
    """A roll; its target is the call that it answers."""

    of: OfDice | OfRoller | OfAccount | OfPart = field(default=OfDice(), metadata=FLAT)
    """The subject of the roll."""
    results: tuple[str, ...] = ()
    """The faces that came out, in order."""
    source: Source | None = None
    """The weakest source of its bits; None if nothing was drawn."""
    thrown: tuple[int, ...] = ()
    """The faces of dice thrown by hand, in order."""
    prev: int | None = field(default=None, metadata=HOW)
    """The roller's previous event that can be undone, 0 for none; None if this roll can't be undone."""
    whose: Remembers | None = field(default=None, metadata=HOW)
    """Whether it used the table's or the player's memory; None if it used none."""
    practice: bool = False
    """Whether it neither read nor changed a memory."""
    together: bool = False
    """Whether practice cards came from one fresh deck."""
    names: tuple[str, ...] = ()
    """The names that a game master rolled for, one for each result."""
    lots: tuple[int, ...] = ()
    """A tie-breaking lot for each result of an initiative."""
    absent: bool = False
    """Whether a game master rolled for a player who had not."""
    plus: int = 0
    """A number added to the result of a called roller."""
    keep: KeepKind | None = None
    """Which of two results of a called roller counts."""
    check: CheckTerms | None = None
    """Its check, unless the call has one; None for no check."""
    versus: int | None = None
    """The number of the opposing roll, whose total is the DC; None for no contest."""
    pushes: int | None = None
    """The number of the game roll that it pushes; None if it is no push."""
    again: tuple[int, ...] = ()
    """The indices of that roll's dice that were thrown again or dropped, if the player chose dice."""
    stood: tuple[tuple[tuple[int, ...], ...], ...] = field(default=(), metadata=HOW)
    """If they chose: for each pool, the faces of each kept die, counted from 0; a die without faces is
    thrown."""
    stake: int = 0
    """Its weight on a luck account, in fifths."""
    hand: bool = False
    """Whether it draws a card into a hand."""
    offer: bool = False
    """Whether it offers cards, of which one may be chosen."""
    rest: str = ""
    """Canonical notation of dice added to a roller; "" for none."""
    added: tuple[str, ...] = ()
    """The totals of the added dice."""
    before: Memory | None = field(default=None, metadata=HOW)
    """The roller's memory before it; None for plain dice and practice."""
    draws: tuple[Drawn, ...] = field(default=(), metadata=HOW)
    key: str = field(default="", metadata=HOW)
    """The key of its bits in proof mode, as 64 hexadecimal digits; else ""."""
    outcomes: tuple[Outcome, ...] = field(default=(), compare=False, repr=False, metadata=UNRECORDED)
    """The faces with their dice."""
    after: Memory | None = field(default=None, compare=False, repr=False, metadata=UNRECORDED)
    """The roller's memory after it."""

    @property
    def counts(self) -> bool:
        """Return whether its faces count for its roller; practice, parts, chosen and typed dice do not."""
        return not (self.practice or self.stood or self.thrown or isinstance(self.of, OfPart))

    @property
    def text(self) -> str:
        """Return the notation of plain dice, and of a check on a luck account; "" for other rollers."""
        return self.of.text if isinstance(self.of, OfDice | OfAccount) else ""

    @property
    def d6_only(self) -> bool:
        """Return whether its plain dice were simulated with d6s."""
        return isinstance(self.of, OfDice) and self.of.d6_only

    @property
    def spec(self) -> str:
        """Return the system as canonical JSON text; "" for plain dice."""
        return self.of.spec

    @property
    def part(self) -> str:
        """Return the part of a map that was rolled; "" for all other rolls."""
        return self.of.part if isinstance(self.of, OfPart) else ""

    @property
    def dice(self) -> str:
        """Return the notation, else the roller's name."""
        return self.of.text if isinstance(self.of, OfDice | OfAccount) else self.roller

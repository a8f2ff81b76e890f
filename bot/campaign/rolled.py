"""A roll, and what was rolled: dice as they are written, a roller's rule, or dice on a luck account."""

from dataclasses import dataclass, field
from typing import ClassVar

from bot.campaign.campaigns import Remembers
from bot.campaign.kinds import FLAT, HOW, UNRECORDED, Body, Kind
from bot.dice.draws import Drawn, Source
from bot.dice.errors import SpecError
from bot.dice.modifiers import Which
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
    """Whether each die was made of d6s, the only dice that were thrown."""


@dataclass(frozen=True, slots=True)
class OfRoller:
    """A roller of the campaign, a roll of a game, or a way to a d100."""

    spec: str = ""
    """The system as canonical JSON text, never ""."""

    @property
    def system(self) -> System:
        """Return the system; DiceError where the text is none."""
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
        """Return that part; DiceError where the text is no map or has no such part."""
        found = load_spec(self.spec)
        if not isinstance(found, Destinator):
            raise SpecError("Only a map has parts.")
        return found.part(self.part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled(Body, kind=Kind.ROLL):
    """A roll; its target is the call that it answers."""

    of: OfDice | OfRoller | OfAccount | OfPart = field(default=OfDice(), metadata=FLAT)
    """What was rolled."""
    results: tuple[str, ...] = ()
    """The faces that came out, in order."""
    source: Source | None = None
    """The weakest source of its bits; None where nothing was drawn."""
    thrown: tuple[int, ...] = ()
    """The faces of dice that somebody threw by hand, in order."""
    prev: int | None = field(default=None, metadata=HOW)
    """The roller's newest event before it that can be undone, 0 for none; None where it can't be undone."""
    whose: Remembers | None = field(default=None, metadata=HOW)
    """Whose memory it used, which a call may say otherwise than the roller; None where it used none."""
    practice: bool = False
    """Whether it began without a memory and left none."""
    together: bool = False
    """Whether practice cards came from one fresh deck."""
    names: tuple[str, ...] = ()
    """The names that a game master rolled for, one for each result."""
    lots: tuple[int, ...] = ()
    """A lot for each result, which breaks ties in an initiative."""
    absent: bool = False
    """Whether a game master rolled for a player who had not."""
    plus: int = 0
    """A number added to the result of a called roller."""
    keep: Which | None = None
    """Which of two results of a called roller counts."""
    check: CheckTerms | None = None
    """What it is held against, unless a call says so; None for a roll that is no check."""
    versus: int | None = None
    """The number of the roll whose total is the check's DC; None where nobody's is."""
    pushes: int | None = None
    """The number of the roll of a game that it follows as its push; None for any other roll."""
    again: tuple[int, ...] = ()
    """The places of the dice of that roll which did not stay, where the person chose dice of it."""
    stood: tuple[tuple[tuple[int, ...], ...], ...] = field(default=(), metadata=HOW)
    """Where they chose: pool by pool the dice that stay, each as the faces that it fell on, counted from 0;
    a die without any is thrown."""
    stake: int = 0
    """What it counts on a luck account, in fifths."""
    hand: bool = False
    """Whether it draws a card into a hand."""
    offer: bool = False
    """Whether it shows cards of which one may be taken."""
    rest: str = ""
    """Canonical notation of dice that were rolled beside a roller; "" for none."""
    added: tuple[str, ...] = ()
    """The totals of these dice."""
    before: Memory | None = field(default=None, metadata=HOW)
    """The roller's memory before it; None for plain dice and practice."""
    draws: tuple[Drawn, ...] = field(default=(), metadata=HOW)
    key: str = field(default="", metadata=HOW)
    """In proof mode the key that its bits follow from, as 64 hexadecimal digits; else ""."""
    outcomes: tuple[Outcome, ...] = field(default=(), compare=False, repr=False, metadata=UNRECORDED)
    """The faces with their dice."""
    after: Memory | None = field(default=None, compare=False, repr=False, metadata=UNRECORDED)
    """The roller's memory after it."""

    @property
    def counts(self) -> bool:
        """Return whether its faces are its roller's; practice, parts and chosen or typed dice do not."""
        return not (self.practice or self.stood or self.thrown or isinstance(self.of, OfPart))

    @property
    def text(self) -> str:
        """Return the notation of plain dice, and of a check on a luck account; "" for other rollers."""
        return self.of.text if isinstance(self.of, OfDice | OfAccount) else ""

    @property
    def d6_only(self) -> bool:
        """Return whether its plain dice were made of d6s."""
        return isinstance(self.of, OfDice) and self.of.d6_only

    @property
    def spec(self) -> str:
        """Return the system as canonical JSON text; "" for plain dice."""
        return self.of.spec

    @property
    def part(self) -> str:
        """Return which part of a map was rolled; "" for all else."""
        return self.of.part if isinstance(self.of, OfPart) else ""

    @property
    def dice(self) -> str:
        """Return the notation, or else the roller's name, which stands beside an account's notation."""
        return self.of.text if isinstance(self.of, OfDice | OfAccount) else self.roller

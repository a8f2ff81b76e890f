"""One term of dice, such as 4d6kh3, as a frozen value that checks every limit when it is made."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeAlias

from bot.dice.draws import Draws
from bot.dice.errors import NotationError
from bot.dice.modifiers import Clamp, Explode, Faces, Keep, Reroll, Select, Success

MAX_SIDES = 1_000_000
MAX_DICE_IN_TERM = 100
MAX_SPECIAL = 100
MAX_WALKED = 1_000
"""The most sides that are enumerated."""
MAX_FURTHER = 10
"""The most further dice that one die can explode into."""


Toss: TypeAlias = tuple[int, bool]
"""A face thrown, and whether it was then rerolled."""


@dataclass(frozen=True, slots=True)
class Dice:
    """One term of dice: thrown, rerolled, limited, exploded, kept or dropped, counted, in this order.

    Fate dice have three sides that show -1, 0 and 1; `special` dice show the faces listed, as often as they
    are listed; `unique` dice never show the same face twice. NotationError beyond the limits.
    """

    count: int
    sides: int
    fate: bool = False
    reroll: Reroll | None = None
    explode: Explode | None = None
    keep: Keep | None = None
    success: Success | None = None
    limits: Clamp | None = None
    select: Select | None = None
    unique: bool = False
    special: tuple[int, ...] = ()
    kept_count: int = field(init=False, repr=False, compare=False)
    """The number of dice that count."""
    skipped: int = field(init=False, repr=False, compare=False)
    """The number of dice dropped before those kept, sorted as `keeps_highest` says."""
    plain: bool = field(init=False, repr=False, compare=False)
    """Whether each die is thrown once and counts its face."""
    lowest: int = field(init=False, repr=False, compare=False)
    """The lowest face."""
    text: str = field(init=False, repr=False, compare=False)
    """The canonical text."""
    binds: ClassVar[int] = 4

    def __post_init__(self) -> None:
        # Computed once, since every roll needs them.
        below, above = self.keep.dropped(self.count) if self.keep else (0, 0)
        object.__setattr__(self, "kept_count", self.count - below - above)
        object.__setattr__(self, "skipped", above if self.keeps_highest else below)
        modified = self.reroll or self.explode or self.limits or self.select or self.unique
        object.__setattr__(self, "plain", not (modified or self.special))
        object.__setattr__(self, "lowest", min(self.special) if self.special else -1 if self.fate else 1)
        if self.count < 1:
            raise NotationError("A term needs at least one die.")
        if self.count > MAX_DICE_IN_TERM:
            raise NotationError("At most {most} dice in one term.", most=MAX_DICE_IN_TERM)
        if self.sides < 1:
            raise NotationError("A die needs at least one side.")
        if self.sides > MAX_SIDES:
            raise NotationError("A die has at most {most:,} sides.", most=MAX_SIDES)
        if len(self.special) > MAX_SPECIAL:
            raise NotationError("At most {most} faces can be listed.", most=MAX_SPECIAL)
        if modified:
            self._check_modifiers()
        if self.keep and min(self.keep.number, self.keep.highest or 1) < 1:
            raise NotationError("'{keep}' needs a number from 1 on.", keep=self.keep)
        if not 1 <= self.kept_count <= self.count:
            raise NotationError("'{keep}' is too many for {count} dice.", keep=self.keep, count=self.count)
        if self.success:
            self._check_target(self.success)
        object.__setattr__(self, "text", self._text())

    def _check_modifiers(self) -> None:
        if self.reroll and self.reroll.times is None and self.number_in(self.reroll.faces) == self.sides:
            raise NotationError("'{reroll}' would never end: every face is thrown again.", reroll=self.reroll)
        if self.explode:
            self._check_explosions(self.explode)
        if self.unique:
            if self.reroll or self.explode or self.limits or self.keep or self.select or self.special:
                raise NotationError("'u' goes with plain dice, and no other modifier but a count.")
            if self.count > self.sides:
                raise NotationError(
                    "{count} dice can't all show another of {sides} faces.",
                    count=self.count,
                    sides=self.sides,
                )
        if self.select and (self.keep or self.success or self.explode):
            raise NotationError(
                "'{keep}' goes with no explosion, no other keeping and no count.", keep=self.select
            )

    def _check_explosions(self, explode: Explode) -> None:
        if self.sides == 1:
            raise NotationError("A die with one side would always explode.")
        if self.limits:
            raise NotationError("A die has either limits or explosions: which of them comes first?")
        top = explode.faces and explode.faces.holds(self.highest) and self.number_in(explode.faces) == 1
        if top and not explode.implodes:
            object.__setattr__(self, "explode", replace(explode, faces=None))
        if explode.once or explode.implodes:
            return
        if self.sides <= MAX_WALKED:
            hits = sum(weight for face, weight in self.weights.items() if self.explodes(face))
            whole = sum(self.weights.values())
        else:
            hits = self.number_in(explode.faces) if explode.faces else 1
            whole = self.sides - (self.number_in(self.reroll.faces) if self.reroll else 0)
        # Above a half the limit of ten further dice would show in the results.
        if 2 * hits > whole:
            raise NotationError(
                "'{explode}' goes on and on: at most half of the faces may explode again.", explode=explode
            )

    @property
    def highest(self) -> int:
        """The highest face, the one that explodes."""
        return max(self.special) if self.special else 1 if self.fate else self.sides

    @property
    def faces(self) -> Sequence[int]:
        """The faces of its sides, in order."""
        return self.special or range(self.lowest, self.highest + 1)

    @property
    def keeps_highest(self) -> bool:
        """Whether the dice that count are the highest ones, or all."""
        return self.keep is None or (self.keep.kind.keeps_highest and not self.keep.highest)

    @property
    def even(self) -> bool:
        """Whether each toss shows all sides from 1 on equally often, whatever the other tosses show."""
        return not (self.special or self.unique or (self.reroll and self.reroll.times is None))

    def number_in(self, faces: Faces) -> int:
        """Return the number of sides with one of the faces."""
        if self.special:
            return sum(map(faces.holds, self.special))
        return faces.number(self.lowest, self.highest)

    @property
    def weights(self) -> dict[int, int]:
        """Each possible final face of a toss, and its weight after rerolls."""
        sides = dict(Counter(self.faces))
        if self.reroll is None:
            return sides
        holds, times = self.reroll.faces.holds, self.reroll.times
        rerolled = sum(number for face, number in sides.items() if holds(face))
        if times is None:
            return {face: number for face, number in sides.items() if not holds(face)}
        final = sum(rerolled**n * self.sides ** (times - n) for n in range(times + 1))
        chances = (
            (face, number, rerolled**times if holds(face) else final) for face, number in sides.items()
        )
        return {face: number * chance for face, number, chance in chances if chance}

    @property
    def tosses(self) -> int:
        """An upper estimate of the average number of throws, with rerolls and explosions."""
        often = 1
        if self.reroll and self.reroll.times:
            stay = self.sides - self.number_in(self.reroll.faces)
            often = min(self.reroll.times + 1, -(-self.sides // stay) if stay else MAX_FURTHER + 1)
        return self.count * often * (2 if self.explode else 1)

    def explodes(self, face: int) -> bool:
        """Return whether the die explodes on the face."""
        if self.explode is None:
            return False
        return self.explode.faces.holds(face) if self.explode.faces else face == self.highest

    @property
    def further(self) -> int:
        """The number of further dice that one die can explode into."""
        if self.explode is None:
            return 0
        return 1 if self.explode.once or self.explode.implodes else MAX_FURTHER

    def worth(self, place: int, face: int) -> int:
        """Return the value of a face: `place` 0 is the die's first toss, higher ones are explosions."""
        if self.limits:
            return self.limits.apply(face)
        if place and self.explode:
            return -face if self.explode.implodes else face - self.explode.penetrates
        return face

    def score(self, worth: int, place: int = 0) -> int:
        """Return what a face of value `worth` adds to the total: its value, or its successes."""
        if self.success:
            return 0 if place and self.explode and self.explode.implodes else self.success.score(worth)
        return worth if self.select is None or self.select.holds(worth) else 0

    def throw(self, draws: Draws) -> tuple[Toss, ...]:
        """Throw one die, with its rerolls and explosions."""
        tosses: list[Toss] = []
        faces, reroll = self.faces, self.reroll
        for _ in range(1 + self.further):
            if reroll and reroll.times is None:
                face = self._throw_among_others(reroll.faces, draws)
            else:
                face, rerolls = faces[draws.below(self.sides)], 0
                while reroll and rerolls < (reroll.times or 0) and reroll.faces.holds(face):
                    tosses.append((face, True))
                    face, rerolls = faces[draws.below(self.sides)], rerolls + 1
            tosses.append((face, False))
            if not self.explodes(face):
                break
        return tuple(tosses)

    def _throw_among_others(self, faces: Faces, draws: Draws) -> int:
        """Draw one of the sides without these faces, each equally likely: as if rerolled without limit."""
        place = draws.below(self.sides - self.number_in(faces))
        if self.special:
            return [face for face in self.special if not faces.holds(face)][place]
        face = self.lowest + place
        for first, last in faces.spans(self.lowest, self.highest):
            if face >= first:
                face += last - first + 1
        return face

    def throw_unlike(self, draws: Draws) -> list[int]:
        """Throw all its dice, which show different faces."""
        faces: list[int] = []
        for _ in range(self.count):
            face = self.lowest + draws.below(self.sides - len(faces))
            for other in sorted(faces):
                face += face >= other
            faces.append(face)
        return faces

    def _check_target(self, target: Success) -> None:
        """Raise NotationError for a target that all or no faces meet: it was probably meant for the total."""
        hits = self.number_in(target.faces)
        if 0 < hits < self.sides or self.limits or target.double or target.failure:
            return
        dice = replace(self, success=None)
        die = str(Dice(1, self.sides, self.fate, special=self.special))[1:]
        if hits:
            raise NotationError(
                "'{target}' is a target for each die, and every {die} meets it. For the total, write "
                "({dice}){target}.",
                target=target,
                die=die,
                dice=dice,
            )
        raise NotationError(
            "'{target}' is a target for each die, and no {die} meets it. For the total, write "
            "({dice}){target}.",
            target=target,
            die=die,
            dice=dice,
        )

    def __str__(self) -> str:
        return self.text

    def _text(self) -> str:
        sides = (
            f"{{{','.join(map(str, self.special))}}}" if self.special else "F" if self.fate else self.sides
        )
        text = f"{self.count}d{sides}{self.reroll or ''}{self.limits or ''}{self.explode or ''}"
        text += f"{'u' if self.unique else ''}{self.keep or ''}{self.select or ''}"
        if self.success is None:
            return text
        count = str(self.success)
        # Elsewhere a comparison behind !p or !o is of the faces that explode: brackets leave no doubt.
        if self.explode and not self.keep and str(self.explode) != "!" and count[0] != "#":
            count = f"#{self.success.faces.bracketed}{count.removeprefix(str(self.success.faces))}"
        # `!=` is refused: elsewhere it means "not equal". A blank tells the two signs apart.
        return f"{text}{count}".replace("!=", "! =")

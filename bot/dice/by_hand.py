"""Dice thrown by hand: their typed faces stand in for draws, so such rolls are recorded like all others."""

import re
from collections.abc import Sequence

from bot.dice.draws import Draws, Recorder, Source
from bot.dice.errors import SpecError
from bot.dice.terms import MAX_WALKED, Dice

TYPED_LIMIT = 100
"""How many dice can be typed for one roll."""
_BETWEEN = re.compile(r"[\s,;]+")
_FACE = re.compile(r"[+-]?\d{1,7}", re.ASCII)
_FATE = {"+": 1, "-": -1, "−": -1}
_LISTED = 12


def read_thrown(text: str) -> tuple[int, ...]:
    """Read the faces of dice as typed: "5 2", "5, 2", for Fate dice "+ - 0" too; SpecError for others."""
    words = [word for word in _BETWEEN.split(text) if word]
    if len(words) > TYPED_LIMIT:
        raise SpecError(f"At most {TYPED_LIMIT} dice can be typed for one roll, not {len(words):,}.")
    wrong = [word for word in words if word not in _FATE and not _FACE.fullmatch(word)]
    if wrong or not words:
        what = f"{wrong[0][:20]!r} is no face. " if wrong else ""
        raise SpecError(f"{what}Type what your dice show, with blanks between: 5 2.")
    return tuple(_FATE[word] if word in _FATE else int(word) for word in words)


class ByHand(Recorder):
    """The faces of one roll's dice, in order; a SpecError says which face would fit."""

    source = Source.PHYSICAL

    def __init__(self, faces: Sequence[int], machine: Draws | None = None) -> None:
        self.machine = machine
        """What draws lots, which nobody throws."""
        self._typed, self._left = tuple(faces), iter(faces)
        self._fits: list[int] | None = None
        self._die = ""
        self._once = False
        self.drawn = []

    def more(self) -> "ByHand":
        """Return the dice that are left, which go on from here, with a record of their own."""
        other = ByHand(self._typed, self.machine)
        other._left = self._left
        return other

    def meet(self, term: Dice) -> None:
        """Have the next dice be those of a term."""
        again = term.reroll.faces if term.reroll and term.reroll.times is None else None
        self._die = "dF" if term.fate else f"d{term.sides}"
        self._once = term.unique
        plain = not (again or term.special or term.fate or term.unique)
        if not plain and term.sides > MAX_WALKED:
            raise SpecError(f"Nobody throws a {self._die} like that by hand. Roll it with the bot.")
        self._fits = None if plain else [face for face in term.faces if not (again and again.holds(face))]

    def below(self, n: int) -> int:
        """Return the place of the next die's face among those that fit."""
        face = self._next(f"d{n}" if self._fits is None else self._die)
        if self._fits is None:
            if not 1 <= face <= n:
                raise SpecError(f"A d{n} shows 1 to {n}, not {face}.")
            place = face - 1
        elif face not in self._fits:
            raise SpecError(f"The {self._die} can't show {face} here. It shows {_listed(self._fits)}.")
        else:
            place = self._fits.index(face)
        if self._fits is not None and self._once:
            self._fits.pop(place)
        self.drawn.append((n, place))
        return place

    def choose(self, weights: Sequence[int]) -> int:
        """Raise SpecError, since dice have no weights."""
        raise SpecError(f"Nobody throws a choice of {len(weights)} by hand. Roll it with the bot.")

    def chose(self, weights: Sequence[int], index: int, faces: Sequence[str]) -> None:
        """Record the face that dice made; SpecError for one that can't come out, with those that can."""
        if not weights[index]:
            left = [face for face, weight in zip(faces, weights, strict=True) if weight]
            raise SpecError(f"{faces[index]} can't come out now. These can: {_listed(left)}.")
        self.drawn.append((sum(weights), index))

    def finish(self) -> None:
        """Raise SpecError where more dice were typed than fell."""
        over = len(list(self._left))
        if over:
            needed = len(self._typed) - over
            raise SpecError(
                f"You typed {len(self._typed)} dice, but this roll has {needed}. Leave {over} out."
            )

    def _next(self, die: str) -> int:
        face = next(self._left, None)
        if face is None:
            typed = " ".join(map(str, self._typed))
            raise SpecError(f"After {typed} comes one more {die}. Type every die as it fell.")
        return face


def recording(draws: Draws) -> Recorder:
    """Return what records draws: of dice thrown by hand, those that are left."""
    return draws.more() if isinstance(draws, ByHand) else Recorder(draws)


def _listed(faces: Sequence[object]) -> str:
    shown = list(dict.fromkeys(map(str, faces)))
    return ", ".join([*shown[:_LISTED], *(["…"] if len(shown) > _LISTED else [])])

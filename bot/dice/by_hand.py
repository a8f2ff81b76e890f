"""Dice thrown by hand: their typed faces stand in for draws, so such rolls are recorded like all others."""

import re
from collections.abc import Sequence

from bot.dice import everyday
from bot.dice.draws import Draws, Recorder, Source
from bot.dice.errors import SpecError
from bot.dice.terms import MAX_WALKED, Dice

TYPED_LIMIT = 100
"""How many dice can be typed for one roll."""
_BETWEEN = re.compile(r"[\s,;]+")
_FACE = re.compile(r"[+-]?\d{1,7}", re.ASCII)
_SIDES = {"+": 1, "-": -1, "−": -1, "heads": 1, "tails": 2}
_LISTED = 12


def read_thrown(text: str) -> tuple[int, ...]:
    """Read dice as typed: "5 2", "5, 2", of Fate dice "+ - 0", of a coin "heads"; SpecError for others."""
    words = [word for word in _BETWEEN.split(text) if word]
    if len(words) > TYPED_LIMIT:
        raise SpecError(
            "Type at most {most} dice for one roll, not {typed:,}.", most=TYPED_LIMIT, typed=len(words)
        )
    wrong = [word for word in words if word.casefold() not in _SIDES and not _FACE.fullmatch(word)]
    if not words:
        raise SpecError("Type what your dice show, with blanks between: 5 2.")
    if wrong:
        raise SpecError("{word!r} is no face. Type what your dice show, such as 5 2.", word=wrong[0][:20])
    return tuple(_SIDES[side] if (side := word.casefold()) in _SIDES else int(word) for word in words)


def numbered(dice: str, thrown: str) -> str:
    """Return typed throws of named faces, such as `d{wood 4, brick}`, as their numbers; others as they are.

    SpecError for a name or a number that no face has.
    """
    call = everyday.called(dice)
    names = everyday.named_faces(call[1]) if call and call[1] != everyday.COIN else []
    if not names:
        return thrown
    places = {name.casefold(): str(place) for place, name in enumerate(names, start=1)}
    longest = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    told = re.sub(
        rf"(?<!\w)(?:{longest})(?!\w)", lambda found: places[found[0].casefold()], thrown, flags=re.IGNORECASE
    )
    for word in filter(None, _BETWEEN.split(told)):
        if word not in places.values():
            raise SpecError("{word!r} is none of the faces: {faces}.", word=word[:20], faces=_listed(names))
    return told


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
            raise SpecError("Nobody throws a {die} like that by hand. Roll it with the bot.", die=self._die)
        self._fits = None if plain else [face for face in term.faces if not (again and again.holds(face))]

    def below(self, n: int) -> int:
        """Return the place of the next die's face among those that fit."""
        face = self._next(f"d{n}" if self._fits is None else self._die)
        if self._fits is None:
            if not 1 <= face <= n:
                raise SpecError("A d{sides} shows 1 to {sides:,}, not {face:,}.", sides=n, face=face)
            place = face - 1
        elif face not in self._fits:
            fits = _listed(self._fits)
            raise SpecError(
                "The {die} can't show {face:,} here. It shows {fits}.", die=self._die, face=face, fits=fits
            )
        else:
            place = self._fits.index(face)
        if self._fits is not None and self._once:
            self._fits.pop(place)
        self.drawn.append((n, place))
        return place

    def choose(self, weights: Sequence[int]) -> int:
        """Raise SpecError, since dice have no weights."""
        raise SpecError("Nobody throws a choice of {n} by hand. Roll it with the bot.", n=len(weights))

    def chose(self, weights: Sequence[int], index: int, faces: Sequence[str]) -> None:
        """Record the face that dice made; SpecError for one that can't come out, with those that can."""
        if not weights[index]:
            left = [face for face, weight in zip(faces, weights, strict=True) if weight]
            raise SpecError(
                "{face} can't come out now. These can: {left}.", face=faces[index], left=_listed(left)
            )
        self.drawn.append((sum(weights), index))

    def finish(self) -> None:
        """Raise SpecError where more dice were typed than fell."""
        over, typed = len(list(self._left)), len(self._typed)
        if over:
            raise SpecError(
                "You typed {typed} dice, but this roll has {needed}. Leave {over} out.",
                typed=typed,
                needed=typed - over,
                over=over,
            )

    def _next(self, die: str) -> int:
        face = next(self._left, None)
        if face is None:
            typed = " ".join(map(str, self._typed))
            raise SpecError(
                "After {typed} comes one more {die}. Type every die as it fell.", typed=typed, die=die
            )
        return face


def recording(draws: Draws) -> Recorder:
    """Return what records draws: of dice thrown by hand, those that are left."""
    return draws.more() if isinstance(draws, ByHand) else Recorder(draws)


def _listed(faces: Sequence[object]) -> str:
    shown = list(dict.fromkeys(map(str, faces)))
    return ", ".join([*shown[:_LISTED], *(["…"] if len(shown) > _LISTED else [])])

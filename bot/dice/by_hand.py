"""Dice thrown by hand: the typed faces replace random draws, and are recorded like them."""

import re
from collections.abc import Sequence

from bot.dice import choices
from bot.dice.draws import Draws, Recorder, Source
from bot.dice.errors import SpecError
from bot.dice.terms import MAX_WALKED, Dice

TYPED_LIMIT = 100
"""The most dice that can be typed for one roll."""
_BETWEEN = re.compile(r"[\s,;]+")
_FACE = re.compile(r"[+-]?\d{1,7}", re.ASCII)
_SIDES = {"+": 1, "-": -1, "−": -1, "heads": 1, "tails": 2}
_LISTED = 12


def read_thrown(text: str) -> tuple[int, ...]:
    """Read typed faces: "5 2", "5, 2", of Fate dice "+ - 0", of a coin "heads"; SpecError for others."""
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
    return tuple(_SIDES.get(word.casefold()) or int(word) for word in words)


def numbered(dice: str, thrown: str) -> str:
    """Return throws of named faces, such as `d{wood 4, brick}`, as face numbers; others unchanged.

    SpecError for a name or a number of no face.
    """
    call = choices.read_call(dice)
    names = choices.named_faces(call[1]) if call and call[1] != choices.COIN else []
    if not names:
        return thrown
    places = {name.casefold(): str(place) for place, name in enumerate(names, start=1)}
    longest = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    numbers = re.sub(
        rf"(?<!\w)(?:{longest})(?!\w)", lambda match: places[match[0].casefold()], thrown, flags=re.IGNORECASE
    )
    for word in filter(None, _BETWEEN.split(numbers)):
        if word not in places.values():
            raise SpecError("{word!r} is none of the faces: {faces}.", word=word[:20], faces=_listed(names))
    return numbers


class ByHand(Recorder):
    """The typed faces of one roll's dice, in order; a SpecError names the possible faces."""

    source = Source.PHYSICAL

    def __init__(self, faces: Sequence[int], machine: Draws | None = None) -> None:
        self.machine = machine
        """The source of draws that are not dice."""
        self._typed, self._remaining = tuple(faces), iter(faces)
        self._possible: list[int] | None = None
        self._die = ""
        self._once = False
        self.drawn = []

    def more(self) -> "ByHand":
        """Return a new recorder for the remaining faces."""
        other = ByHand(self._typed, self.machine)
        other._remaining = self._remaining
        return other

    def meet(self, term: Dice) -> None:
        """Set the term of the next dice."""
        rerolled = term.reroll.faces if term.reroll and term.reroll.times is None else None
        self._die = "dF" if term.fate else f"d{term.sides}"
        self._once = term.unique
        self._possible = None
        if rerolled or term.special or term.fate or term.unique:
            if term.sides > MAX_WALKED:
                raise SpecError(
                    "Nobody throws a {die} like that by hand. Roll it with the bot.", die=self._die
                )
            self._possible = [face for face in term.faces if not (rerolled and rerolled.holds(face))]

    def below(self, n: int) -> int:
        """Return the index of the next face among the possible ones."""
        face = self._next(f"d{n}" if self._possible is None else self._die)
        if self._possible is None:
            if not 1 <= face <= n:
                raise SpecError("A d{sides} shows 1 to {sides:,}, not {face:,}.", sides=n, face=face)
            place = face - 1
        elif face not in self._possible:
            fits = _listed(self._possible)
            raise SpecError(
                "The {die} can't show {face:,} here. It shows {fits}.", die=self._die, face=face, fits=fits
            )
        else:
            place = self._possible.index(face)
            if self._once:
                self._possible.pop(place)
        self.drawn.append((n, place))
        return place

    def choose(self, weights: Sequence[int]) -> int:
        """Raise SpecError: dice can't draw by weights."""
        raise SpecError("Nobody throws a choice of {n} by hand. Roll it with the bot.", n=len(weights))

    def chose(self, weights: Sequence[int], index: int, faces: Sequence[str]) -> None:
        """Record the face that the dice made; SpecError, with the possible faces, if its weight is 0."""
        if not weights[index]:
            possible = [face for face, weight in zip(faces, weights, strict=True) if weight]
            raise SpecError(
                "{face} can't come out now. These can: {left}.", face=faces[index], left=_listed(possible)
            )
        self.drawn.append((sum(weights), index))

    def finish(self) -> None:
        """Raise SpecError if more dice were typed than the roll has."""
        over, typed = len(list(self._remaining)), len(self._typed)
        if over:
            raise SpecError(
                "You typed {typed} dice, but this roll has {needed}. Leave {over} out.",
                typed=typed,
                needed=typed - over,
                over=over,
            )

    def _next(self, die: str) -> int:
        face = next(self._remaining, None)
        if face is None:
            typed = " ".join(map(str, self._typed))
            raise SpecError(
                "After {typed} comes one more {die}. Type every die as it fell.", typed=typed, die=die
            )
        return face


def recording(draws: Draws) -> Recorder:
    """Return a recorder of draws; for dice thrown by hand, of the remaining faces."""
    return draws.more() if isinstance(draws, ByHand) else Recorder(draws)


def _listed(faces: Sequence[object]) -> str:
    labels = list(dict.fromkeys(map(str, faces)))
    return ", ".join([*labels[:_LISTED], *(["…"] if len(labels) > _LISTED else [])])

"""Read a refused line piece by piece: how many rolls, of what dice, with an advantage, against what."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.dice.errors import DiceReading
from bot.dice.everyday import NUMBERS, RESERVED, WORD, in_digits, may_change
from bot.dice.slips import EFFECT_WORDS, read_effects

_SUM = r"(?:\d*+d(?:\d++|%)|[-+] ?\d++(?!d))(?: ?[-+] ?(?:\d*+d)?+\d++)*+"
_PIECE = re.compile(
    r" ?(?:"
    r"(?P<behind>(?<!\S)(?:x|times) ?\d{1,2})(?!\w)|(?P<front>\d{1,2} ?(?:x|times))(?![^\W\d_])|"
    r"(?P<aim>(?:(?:vs\.?|against) ?)?(?:dc|ac) ?[:=]? ?\d++|(?:vs\.?|against) ?\d++)(?![\w+-])|"
    r"(?P<spread>(?:(?:with|at) )?(?:adv|dis)(?:antage|advantage)?\b(?: on\b)?)|"
    rf"(?P<effect>(?:with )?(?:{EFFECT_WORDS})\b)|(?P<dice>(?<!\w){_SUM})|"
    rf"(?P<joint>[,;:/|&\\]|->|(?:and|then)\b|\+(?= ?(?:adv|dis|{EFFECT_WORDS})))|"
    rf"(?P<count>\d{{1,2}}|{'|'.join(NUMBERS)}) (?=[^\W\d_]{{3}})|(?P<word>(?<!\w){WORD})|(?P<end>\Z))",
    re.IGNORECASE,
)
_D20 = re.compile(r"1?d20(?!\d)", re.IGNORECASE)
_DAMAGE = re.compile(r"damage|dmg|for", re.IGNORECASE)
_BEFORE = re.compile(r"(?:with|at) |(?:vs\.?|against) ?(?=dc|ac)", re.IGNORECASE)
_NO_DIGIT = re.compile(r"\D")
_AGAINST = re.compile("against", re.IGNORECASE)
_ROLLED = re.compile(r"coins?|flips?|stats|choose|shuffle", re.IGNORECASE)
"""Words for rolls of their own, which are no labels of others."""
_PIECES_LIMIT = 40
ON_D20 = "on a d20"
"""The meaning of a reading on a d20 that nobody typed."""


@dataclass(slots=True)
class _Roll:
    """One roll of a line, with the words behind it."""

    dice: str = ""
    """Dice, or a bonus on a d20; "" for a d20 alone."""
    spread: str = ""
    aim: str = ""
    effect: str = ""
    words: list[str] = field(default_factory=list[str])
    joint: int | None = None
    """How many of its words stand before a comma or "and"."""

    @property
    def die(self) -> str:
        """Return the d20 that it begins with, typed or not; "" for other dice."""
        match = _D20.match(self.dice)
        return match[0] if match else "1d20" * (self.dice[:1] in {"", "+", "-"})

    @property
    def bonus(self) -> str:
        """Return what is added to the d20."""
        return _D20.sub("", self.dice, count=1)


@dataclass(slots=True)
class _Line:
    times: str = ""
    label: list[str] = field(default_factory=list[str])
    rolls: list[_Roll] = field(default_factory=list[_Roll])

    def take(self, kind: str, typed: str) -> bool:
        """Put a piece in its place; return whether it has one."""
        roll = self.rolls[-1] if self.rolls else None
        match kind:
            case "behind" | "front" | "count":
                has_place = not self.times and (kind != "count" or not (roll or self.label))
                self.times = NUMBERS.get(typed.lower(), "") or _NO_DIGIT.sub("", typed)
                return has_place
            case "dice":
                return self._take_dice(roll, typed)
            case "word":
                (roll.words if roll else self.label).append(typed)
                is_other = _ROLLED.fullmatch(typed) or typed.lower() == "or"
                return not (is_other or RESERVED.search(typed) or may_change(typed))
            case "joint":
                if roll:
                    roll.joint = len(roll.words)
                return True
            case _:
                if roll is None:
                    self.rolls.append(roll := _Roll())
                has_place = len(self.rolls) == 1 and not getattr(roll, kind)
                setattr(roll, kind, _BEFORE.sub("", typed))
                return has_place

    def _take_dice(self, roll: _Roll | None, typed: str) -> bool:
        """Put dice in their place: a roll of their own, or a bonus behind words on a d20."""
        is_added = typed[0] in "+-"
        if roll and not roll.dice:
            roll.dice = typed
        elif roll and is_added and len(self.rolls) > 1:
            roll.words.append(typed)  # more damage, with its own words
        elif roll and is_added:
            roll.dice += typed
            return _D20.fullmatch(roll.dice.removesuffix(typed)) is not None
        else:
            self.rolls.append(_Roll(typed))
            if roll:
                if roll.joint is None and not (roll.words or self.label):
                    return False  # `d20 d4` may be one roll or two
                is_damage = roll.joint is None and roll.words and _DAMAGE.fullmatch(roll.words[-1])
                end = len(roll.words) - 1 if is_damage else roll.joint
                if end is not None:
                    roll.words, self.rolls[-1].words = roll.words[:end], roll.words[end:]
        return True


def read_line(text: str) -> Iterator[DiceReading]:
    """Yield the readings of a line of words, rolls of dice, and what stands beside the first of these.

    That is on a d20 if only a bonus or a target is typed. Yield nothing for a line with a piece that has no
    place: no number is left out, and no word that may change a roll becomes a label.
    """
    line = _read_pieces(in_digits(" ".join(text.split())))
    if line is None or not line.rolls:
        return
    first, *others = line.rolls
    words, aim = [*line.label, *first.words], f" {_AGAINST.sub('vs', first.aim)}" if first.aim else ""
    spread = f" {'dis' if 'dis' in first.spread.lower() else 'adv'}" if first.spread else ""
    if not first.die:
        # A target beside damage is that of a saving throw: `8d6 fire, dc 15 dex save`.
        if first.spread or first.effect or "dc" not in (first.aim.lower() or "dc") or not words:
            return
        words += [first.aim] if first.aim else []
        rolls = [DiceReading(first.dice)]
    elif first.effect:
        rolls = [*read_effects(f"{first.die}{first.bonus}{spread}{aim} {first.effect}")]
    else:
        rolls = [DiceReading(f"{first.die}{spread}{first.bonus}{aim}")]
    times = f"{line.times}#" if line.times else ""
    more = "".join(f"; {times}{' '.join([roll.dice, *roll.words])}" for roll in others)
    on_d20 = ON_D20 if first.die and not _D20.match(first.dice) else ""
    for reading in rolls:
        dice, _, effect = reading.text.partition(" # ")
        label = ", ".join(filter(None, [" ".join(words), effect]))
        yield DiceReading(f"{times}{dice}{more}{f' # {label}' if label else ''}", reading.meaning or on_d20)


def _read_pieces(text: str) -> _Line | None:
    """Return the pieces of a line in their places; None if one has no place."""
    line, place = _Line(), 0
    for _ in range(_PIECES_LIMIT):
        match = _PIECE.match(text, place)
        kind = match.lastgroup if match else None
        if match is None or kind is None:
            return None
        if kind == "end":
            return line
        place = match.end()
        if not line.take(kind, match[kind].strip()):
            return None
    return None

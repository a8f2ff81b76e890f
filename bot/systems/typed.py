"""Parse cards, decks, blocks and charts typed on one line into the forms of specs.

attack 3, defense 3, other                   cards with their copies; 1 by default
52                                           a deck of 52 playing cards
attack: sword 3, bow 3; other: spy 3         decks: a category, a colon, its cards
2-4 bandits; 5-9 nothing; 10-12 treasure     a chart: faces, then what they stand for
"""

import csv
import re
from collections.abc import Iterable
from decimal import Decimal

from bot.dice import notation
from bot.dice.errors import SpecError
from bot.dice.names import LABEL_LIMIT, clean
from bot.dice.system import Json
from bot.systems.blocks import COPIES_LIMIT
from bot.systems.charts import Chart, read_rows_of

_NUMBER = re.compile(r"-?\d+", re.ASCII)
_STRONGLY = re.compile(r"\d*+[.,]?+\d*+|inf(?:inity)?|∞", re.ASCII | re.IGNORECASE)
_COPIES = re.compile(
    r"(?P<card>.*[^\s:=])(?:\s*+[:=]\s*+|\s++[x×*]?|\s*+[×*])\s*+(?P<copies>\d{1,7})|"
    r"(?P<before>.*[^\s:=])\s*+\([x×]?(?P<in_brackets>\d{1,7})\)|"
    r"(?P<in_front>\d{1,7})\s*+[x×*]\s++(?P<behind>\S.*)",
    re.ASCII,
)
_NUMBER_FIRST = re.compile(r"\d++ (?!of\b)[^\W\d].*\D", re.ASCII)
_PERCENT = re.compile(r"(\d{1,3}(?:[.,]\d{1,4})?) ?%", re.ASCII)
_ROW = re.compile(
    r"\s*(?P<faces>-?\d+(?:\+|\s*(?:-|–|\.\.|to)\s*-?\d+)?)(?:\s*+[:,=]\s*+|[.)]\s++|\s++[-–]\s++|\s++)(?P<label>.*)",
    re.ASCII,
)


_SUITS, _RANKS = "♠♥♦♣", ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def _playing_cards(ranks: Iterable[str]) -> dict[str, Json]:
    return {f"{rank}{suit}": 1 for suit in _SUITS for rank in ranks}


KNOWN_DECKS: dict[str, dict[str, Json]] = {
    "52": _playing_cards(_RANKS),
    "54": {**_playing_cards(_RANKS), "Joker": 2},
    "32": _playing_cards((*_RANKS[:1], *_RANKS[6:])),
}
"""Number of cards to the cards of a well-known deck."""
_KNOWN_DECK = re.compile(r"(?P<number>\d\d)(?: [^\d,]++)?", re.ASCII)


def read_deck(text: str) -> dict[str, Json]:
    """Read a known deck, such as "52" or "54 cards", or cards as `read_cards` does."""
    match = _KNOWN_DECK.fullmatch(text.strip())
    cards = (match and KNOWN_DECKS.get(match["number"])) or read_cards(text)
    if len(cards) == 1 and not any(map(str.isdecimal, text)):
        raise SpecError("One card is no deck. Write attack 3, defense 3, or 52 for playing cards.")
    return cards


def read_cards(text: str) -> dict[str, Json]:
    """Read each card with its copies; SpecError for no text, a duplicate card, no or too many copies.

    A number at the end is always the copies, so a card whose name ends in one is written "Route 66 1".
    """
    cards: dict[str, Json] = {}
    parts = _parts(text.replace(";", ","), ",")
    if len(parts) > 1 and all(map(_NUMBER_FIRST.fullmatch, parts)):
        number, _, name = clean(parts[0]).partition(" ")
        raise SpecError(
            "{part}: is {number} its copies? Write {name} {number}, or {part} 1 if it is the name.",
            part=clean(parts[0]),
            number=number,
            name=name,
        )
    for part in parts:
        match = _COPIES.fullmatch(part)
        groups = match.groupdict() if match else {}
        card = _name(groups.get("card") or groups.get("before") or groups.get("behind") or part)
        copies = int(groups.get("copies") or groups.get("in_brackets") or groups.get("in_front") or 1)
        if card in cards:
            raise SpecError(
                "The card {card} is there twice. Say how many copies it has, as in: {card} 2.", card=card
            )
        if not 1 <= copies <= COPIES_LIMIT:
            raise SpecError(
                "A card has 1 to {most:,} copies, and {card} {copies:,}.",
                most=COPIES_LIMIT,
                card=card,
                copies=copies,
            )
        cards[card] = copies
    if not cards:
        raise SpecError("Cards are written like this: attack 3, defense 3, other 3.")
    return cards


def read_faces(text: str) -> list[str]:
    """Read a list of results, the oldest first; a result with a comma is written in "quotes"."""
    numbers = re.split(r"[\s,;]+", text.strip(" ,;"))
    if all(_NUMBER.fullmatch(number) for number in numbers):
        return numbers
    rows = csv.reader([" ".join(text.split())], skipinitialspace=True)
    return [face.rstrip() for row in rows for face in row]


def read_named(text: str) -> Json:
    """Return dice unchanged, and results such as wood 4, brick 3 with their weights."""
    return text if "," not in text or notation.reads(text) else read_cards(text)


def in_decimals(text: str) -> str:
    """Return a text with each percentage as a decimal, `0.25` for `25%` and `0.125` for `12,5 %`."""
    return _PERCENT.sub(lambda match: f"{Decimal(match[1].replace(',', '.')) / 100:f}", text)


def read_decimals(text: str) -> list[str]:
    """Return the numbers of a list: 0.5, 1, 5 or 0.5,1,5 or 0,5 1 5; a lone 0,5 is one number."""
    if re.search(r"[\s;]", text.strip()) or (text.count(",") == 1 and "." not in text):
        return [part for part in (part.strip(",") for part in re.split(r"[\s;]+", text)) if part]
    return [part for part in text.strip().split(",") if part]


def read_tightness(text: str) -> tuple[str, str]:
    """Return dice and the tightness typed behind them, as in 2d6 1.5; 1 by default."""
    dice, _, number = text.strip().rpartition(" ")
    return (dice, number) if _STRONGLY.fullmatch(number) and notation.reads(dice) else (text, "1")


def read_decks(text: str) -> dict[str, Json]:
    """Read each category with its cards and their copies; SpecError for a missing or duplicate name."""
    decks: dict[str, Json] = {}
    for part in _parts(text, ";"):
        typed, colon, cards = part.partition(":")
        if not colon:
            raise SpecError(
                "{part} has no category. Write it so: attack: sword 3, bow 3; other: spy 3.", part=clean(part)
            )
        category = _name(typed)
        if category in decks:
            raise SpecError("The category {category} is there twice.", category=category)
        decks[category] = read_cards(cards)
    return decks


def read_owners(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Read the results of each owner, as in Ann: 6, 8; Bob: 5, 9; SpecError for results without an owner."""
    owners: dict[str, list[str]] = {}
    for part in _parts(text, ";"):
        owner, colon, faces = part.partition(":")
        if not colon:
            raise SpecError("{part} is nobody's. Write it so: Ann: 6, 8; Bob: 5, 9.", part=clean(part))
        owners.setdefault(_name(owner), []).extend(read_faces(faces))
    return tuple((owner, tuple(faces)) for owner, faces in owners.items())


def read_rows(name: str, dice: str, text: str) -> Chart:
    """Read a chart of these dice; SpecError as in `read_chart`, NotationError for invalid dice."""
    rows: list[tuple[int, str, str]] = []
    parts = _parts(text, ";")
    if len(parts) == 1 and all(map(_ROW.fullmatch, by_comma := _parts(text, ","))):
        parts = by_comma
    for line, part in enumerate(parts, start=1):
        match = _ROW.fullmatch(part)
        if match is None:
            raise SpecError(
                "{part} can't be read. A chart is written like this: 2-4 bandits; 5-9 nothing.",
                part=clean(part),
            )
        rows.append((line, match["faces"], match["label"]))
    return read_rows_of(name, dice, rows)


def read_chances(text: str) -> Chart:
    """Read a chart without dice: results with their weights; SpecError if it names faces of dice."""
    parts = _parts(text.replace(";", ","), ",")
    if all(map(_ROW.fullmatch, parts)):
        raise SpecError("Say which dice the chart is for, such as 2d6.")
    weights = read_cards(",".join(parts))
    return Chart(tuple(weights), tuple(n for n in weights.values() if isinstance(n, int)), tuple(weights))


def _parts(text: str, separator: str) -> list[str]:
    return [part.strip() for part in text.replace("\n", separator).split(separator) if part.strip()]


def _name(text: str) -> str:
    name = clean(text, LABEL_LIMIT + 1)
    if not name or len(name) > LABEL_LIMIT:
        raise SpecError("Each name has 1 to {most} characters.", most=LABEL_LIMIT)
    return name

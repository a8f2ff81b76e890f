"""What came out of a roll: its totals, the dice, drawn or as figures, and how it passes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.campaign.events import Rolled
from bot.campaign.replay import RollResult, summed
from bot.campaign.rolled import OfDice
from bot.d100.register import Register
from bot.d100.ways import read_throw
from bot.dice.everyday import named_faces
from bot.dice.modifiers import Comparison, Which
from bot.dice.system import Outcome
from bot.dice.terms import Dice
from bot.dice.throws import Die, Pool, Throw, Unit
from bot.systems.checks import DC_LIMIT, CheckTerms
from bot.systems.decks import Decks
from bot.systems.destinator import Destinator
from bot.systems.game import GameRoll
from bot.words.cards import (
    CardRow,
    CardRows,
    Head,
    Text,
    Wording,
    drawn,
)
from bot.words.checks import checked, contested, met
from bot.words.games import face_name, in_words, judged, tells_natural
from bot.words.saying import behind, both, phrase, say
from bot.words.text import (
    NO_PICTURES,
    Pictures,
    capital,
    code,
    cut,
    dice_shown,
    escape,
    figures,
    given_name,
    listed,
    natural,
    pictured,
    readings,
    successes,
)

_DICE_LIMIT = 900
_FACES_LIMIT = 400
_LEAST = 20
MOST_DRAWN = 12
"""A result of more dice has figures in the place of pictures."""
_NAME, _DICE, _SUMMED = 32, 120, 60
_REACHED = {Comparison.AT_LEAST, Comparison.AT_MOST}
_KEPT = {
    Which.KEEP_HIGHEST: phrase("the higher of {rolls}"),
    Which.KEEP_LOWEST: phrase("the lower of {rolls}"),
}
_CATEGORY = 24


def outcome_text(
    rolled: RollResult, room: int, pictures: Pictures, names: Sequence[str], *, figures_only: bool
) -> tuple[Wording, ...]:
    """Return what came out, in about `room` characters; `names` are those of its faces, if they have any."""
    rolled = in_words(rolled)
    roll, outcomes = rolled.roll, rolled.outcomes
    if isinstance(roll.of.system, Decks):
        return (Text(offers(roll.of.system, roll.results, room)),)
    if roll.names:
        return _for_names(rolled, pictures)
    aim, how = checked(rolled) if roll.check and rolled.event.target is None else ("", "")
    verdict = [_how(how)] if how else []
    if shown := _by_name(rolled, names) or _against(rolled, room, pictures):
        return shown
    if sums := sums_explained(roll, (thrown(outcome, pictures) for outcome in outcomes)):
        totals = summed(roll)
        if len(totals) == 1:
            return (Head(totals[0], f"{sums[0]} {aim}".rstrip()), *verdict)
        rows = [CardRow("", total, said) for total, said in zip(totals, sums, strict=True)]
        whole = CardRows((*rows,))
        return (whole if len(str(whole)) <= room else Head(listed(totals, _FACES_LIMIT)),)
    if len(outcomes) == 1:
        total, fell, aside = _parts(rolled, 0, min(_DICE_LIMIT, room - len(how)), pictures)
        if isinstance(roll.of.system, Destinator):
            return (Head(total),)
        return (Head(total, f"{fell} {aim}".rstrip(), aside), *verdict)
    share = min(_DICE_LIMIT, room // len(outcomes) - 8)
    row = _figures if figures_only else _row
    rows = [row(rolled, place, share, pictures) for place in range(len(outcomes))]
    if share < _LEAST or len(str(every := CardRows((*rows,)))) > room:
        return (Head(listed([outcome.face for outcome in outcomes], _FACES_LIMIT)),)
    return (every,)


def _for_names(rolled: RollResult, pictures: Pictures) -> tuple[Wording, ...]:
    """Return a row for each of a game master's own, and what they come to together."""
    roll, rows = rolled.roll, list[CardRow]()
    totals, sums = (
        summed(roll),
        sums_explained(roll, (thrown(outcome, pictures) for outcome in rolled.outcomes)),
    )
    for place, name in enumerate(roll.names):
        total, fell, aside = _parts(rolled, place, _DICE, pictures)
        if sums:
            total, fell = totals[place], sums[place]
        verdict = " · ".join(filter(None, (aside, met(roll.check, int(totals[place])) if roll.check else "")))
        rows.append(CardRow(cut(given_name(name), _NAME), total, fell, verdict))
    together = _together(rolled)
    return (CardRows((*rows,)), *([Text(together)] if together else ()))


def _figures(rolled: RollResult, place: int, room: int, _pictures: Pictures) -> CardRow:
    """Return one of many rolls with its dice as figures alone."""
    total, _, aside = _parts(rolled, place, room, NO_PICTURES)
    throw = rolled.outcomes[place].throw
    shown = figures(throw, room) if throw else ""
    return CardRow("", total, "", " · ".join(filter(None, (shown, aside))))


def _row(rolled: RollResult, place: int, room: int, pictures: Pictures) -> CardRow:
    """Return one of several rolls; a register's with the value that its dice are added to."""
    row = CardRow("", *_parts(rolled, place, room, pictures))
    start, throw = _start(rolled, place), rolled.outcomes[place].throw
    if start is None or throw is None:
        return row
    return replace(row, verdict=say("read {number:,}, start {start}", number=read_throw(throw), start=start))


def way(rolled: RollResult, pictures: Pictures) -> str:
    """Return how a single roll came to a place on a map, or to a register's new value; "" for others."""
    outcome = rolled.outcomes[0]
    if len(rolled.outcomes) > 1 or outcome.throw is None:
        return ""
    if isinstance(rolled.roll.of.system, Destinator):
        return pictured(outcome.throw, pictures) or dice_shown(outcome.throw, _DICE_LIMIT)
    if (start := _start(rolled, 0)) is None:
        return ""
    fell = "-".join(str(die.value) for pool in outcome.throw.pools for die in pool.dice)
    return say(
        "dice {dice} read {number:,}, start {start} → {value}",
        dice=fell,
        number=read_throw(outcome.throw),
        start=start,
        value=outcome.face,
    )


def face_names(rolled: RollResult) -> list[str]:
    """Return the names that a coin's, a choice's or an order's label gives the faces; else none."""
    label = rolled.event.label
    names = named_faces(given_name(label)) if label and isinstance(rolled.roll.of, OfDice) else []
    if not names:
        return []
    pools = [_one_pool(outcome) for outcome in rolled.outcomes]
    return names if all(pools) and all(d.value <= len(names) for pool in pools for d in pool) else []


def _by_name(rolled: RollResult, names: Sequence[str]) -> tuple[Wording, ...]:
    """Return what came out by the names of its faces; nothing where they have none."""
    if not names:
        return ()
    came = [", ".join(names[die.value - 1] for die in _one_pool(one)) for one in rolled.outcomes]
    heads = [cut(each, _FACES_LIMIT) for each in came]
    return (Head(*heads) if len(heads) == 1 else CardRows(tuple(CardRow("", each) for each in heads)),)


def _against(rolled: RollResult, room: int, pictures: Pictures) -> tuple[Wording, ...]:
    """Return a sum that was compared with a number, and by how much it passes; nothing for other rolls."""
    compared = compared_sum(rolled)
    if compared is None:
        return ()
    throw, terms = compared
    aim = say("at most {dc}" if terms.under else "vs {dc}", dc=terms.dc)
    shown = pictured(throw, pictures) or dice_shown(throw, min(_DICE_LIMIT, room - len(aim)))
    said = f"**{end}**" if (end := natural(throw)) else ""
    how = _how(capital(met(terms, throw.total)))
    return Head(str(throw.total), f"{shown}{readings(throw)} {aim}", said), how


def _one_pool(outcome: Outcome) -> tuple[Die, ...]:
    """Return the dice of a result that are nothing but themselves; else none."""
    throw = outcome.throw
    if throw is None or len(throw.parts) != 1 or not isinstance(pool := throw.parts[0], Pool):
        return ()
    term = pool.term
    bare = term == Dice(term.count, term.sides, special=term.special)
    return pool.dice if term.plain or term.unique or bare else ()


def _how(said: str) -> Text:
    return Text(f"**{said}**")


def compared_sum(rolled: RollResult) -> tuple[Throw, CheckTerms] | None:
    """Return the sum of one roll that was compared with a number, and how it passes; None for other rolls."""
    came = rolled.outcomes[0].throw if len(rolled.outcomes) == 1 else None
    if came is None or came.judged is None or came.total < 0:
        return None
    throw, condition = came.judged
    if condition.comparison not in _REACHED or abs(condition.number) > DC_LIMIT:
        return None
    return throw, CheckTerms(condition.number, under=condition.comparison is Comparison.AT_MOST)


def sums_explained(roll: Rolled, shown: Iterable[str]) -> list[str]:
    """Return what makes up each total, "the higher of 14 and 3, +2 (`1d4`), -1"; else none."""
    if not (roll.keep or roll.added or roll.plus):
        return []
    faces = [say(_KEPT[roll.keep], rolls=both([*shown]))] if roll.keep else [*shown]
    added = [int(total) for total in roll.added] or [None] * len(faces)
    made: list[str] = []
    for face, total in zip(faces, added, strict=True):
        more = [] if total is None else [(total, f" ({code(roll.rest, _SUMMED)})")]
        more += [(roll.plus, "")] if roll.plus else []
        made.append(face + "".join(f"{_signed(value, face)}{why}" for value, why in more))
    return made


def _signed(value: int, face: str) -> str:
    """Return what is added behind a face: " + 5" where that is drawn, else ", +5"."""
    return f" {'-' if value < 0 else '+'} {abs(value)}" if drawn(face) else f", {value:+}"


def thrown(outcome: Outcome, pictures: Pictures) -> str:
    """Return a face with its dice, or these alone where they are drawn."""
    if outcome.throw is None:
        return outcome.face
    return pictured(outcome.throw, pictures) or f"{outcome.face} ({dice_shown(outcome.throw, _SUMMED)})"


def _together(rolled: RollResult) -> str:
    """Return how many of a game master's own hit, and what a game's rolls add up to; "" for nothing."""
    check, outcomes = rolled.roll.check, rolled.outcomes
    if check:
        hits = sum(check.passes(int(total)) for total in summed(rolled.roll))
        return say("**{hits} of {rolls} hit.**", hits=hits, rolls=len(outcomes))
    system = rolled.roll.of.system
    if not isinstance(system, GameRoll) or not (rule := system.rule).amount:
        return ""
    counts = Counter(outcome.face for outcome in outcomes)
    names = [face_name(system.game, name) for name, _ in reversed(rule.classes)]
    came = [f"{counts[name]} {name}" for name in names if counts[name]]
    if not came:
        # Nobody knows which attacks hit.
        return ""
    total = sum(outcome.throw.amount for outcome in outcomes if outcome.throw)
    came.append(f"{total} {face_name(system.game, rule.amount)}")
    return say("**{counts}** in all.", counts=", ".join(came))


def _parts(rolled: RollResult, place: int, room: int, pictures: Pictures) -> tuple[str, str, str]:
    """Return a result, its dice and what stands beside them, in about `room` characters."""
    outcome = rolled.outcomes[place]
    throw = outcome.throw
    if throw is None:
        return cut(outcome.face, room - 4), "", ""
    reading = readings(throw)
    system = rolled.roll.of.system
    said = "" if tells_natural(system, throw) else natural(throw)
    counted = _counted(outcome.face, throw.unit)
    held = judged(system, throw)
    head = cut(behind(held, counted), room // 2)
    room -= len(head) + 8 + len(reading) + len(said)
    return head, f"{dice_text(throw, room, pictures)}{reading}", f"**{said}**" if said else ""


def dice_text(throw: Throw, room: int, pictures: Pictures) -> str:
    """Return the dice, drawn or in `room` characters; "" for one without a picture, which is the total."""
    shown = pictured(throw, pictures) or dice_shown(throw, room)
    return "" if pictures and len(throw.parts) == 1 and shown.endswith(f" ({throw.total})") else shown


def _counted(total: str, unit: Unit) -> str:
    """Return the total with what it counts: "3 successes", whether a target was met, or who wins."""
    match unit:
        case Unit.SUM:
            return total
        case Unit.SUCCESSES:
            return successes(int(total))
        case Unit.TRUTH:
            return say("success") if total == "1" else say("failure")
        case Unit.MARGIN:
            return contested(int(total))


def _start(rolled: RollResult, place: int) -> int | None:
    """Return the value that a register's dice are added to; None for any other system."""
    roll, system = rolled.roll, rolled.roll.of.system
    if not isinstance(system, Register):
        return None
    if roll.before is None:
        return 0
    return int(rolled.outcomes[place - 1].face) % system.values if place else roll.before[0]


def offers(system: Decks, cards: Sequence[str], room: int) -> str:
    """Return a line for each offer of several decks, each card behind its category.

    Where that takes more than `room` characters, only the cards are listed.
    """
    size = system.hand
    dealt = [cards[i : i + size] for i in range(0, len(cards), size)]
    lines = [
        " · ".join(
            behind(cut(category, _CATEGORY), f"**{escape(card)}**")
            for category, card in zip(system.categories, offer, strict=True)
        )
        for offer in dealt
    ]
    if len(lines) > 1:
        lines = [f"{n}. {line}" for n, line in enumerate(lines, start=1)]
    text = "\n".join(lines)
    return text if len(text) <= room else f"**{listed(cards, room - 4)}**"

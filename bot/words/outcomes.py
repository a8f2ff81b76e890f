"""The result of a roll: its totals, its dice as pictures or figures, and the outcome of a check."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.campaign.events import Rolled
from bot.campaign.replay import RollResult, result_totals
from bot.campaign.rolled import OfDice
from bot.d100.register import Register
from bot.d100.ways import read_throw
from bot.dice.choices import named_faces
from bot.dice.system import Outcome
from bot.dice.terms import Dice
from bot.dice.throws import Die, Pool, Throw, Unit
from bot.systems.decks import Decks
from bot.systems.destinator import Destinator
from bot.systems.game import GameRoll
from bot.words.cards import CardRow, CardRows, Head, Text, Wording, drawn
from bot.words.checks import ComparedSum, checked, compare, compared_sum, contested, met
from bot.words.games import counted_in, face_name, judged, localize_result, tells_natural
from bot.words.saying import TEXTS, join_with_and, say, say_many, with_heading
from bot.words.text import (
    NO_PICTURES,
    Pictures,
    capital,
    clean_name,
    code,
    cut,
    dice_shown,
    escape,
    figures,
    listed,
    natural,
    pictured,
    readings,
)

_DICE_LIMIT = 900
_FACES_LIMIT = 400
_LEAST = 20
MOST_DRAWN = 12
"""Results of more dice are shown as figures instead of pictures."""
_NAME, _DICE, _SUMMED = 32, 120, 60
_CATEGORY = 24


def outcome_text(
    rolled: RollResult, room: int, pictures: Pictures, names: Sequence[str], *, figures_only: bool
) -> tuple[Wording, ...]:
    """Return the result in about `room` characters; `names` are those of its faces, if they have any."""
    rolled = localize_result(rolled)
    roll, outcomes = rolled.roll, rolled.outcomes
    if isinstance(roll.of.system, Decks):
        return (Text(offers(roll.of.system, roll.results, room)),)
    if roll.names:
        return _named_rows(rolled, pictures, named_results(rolled, names))
    target, margin = checked(rolled) if roll.check and rolled.event.target is None else ("", "")
    verdict = [_bold(margin)] if margin else []
    if blocks := _by_name(rolled, names) or _compared(rolled, room, pictures):
        return blocks
    if sums := sums_explained(roll, (thrown(outcome, pictures) for outcome in outcomes)):
        totals = result_totals(roll)
        if len(totals) == 1:
            return (Head(totals[0], f"{sums[0]} {target}".strip()), *verdict)
        rows = [CardRow("", total, explanation) for total, explanation in zip(totals, sums, strict=True)]
        table = CardRows((*rows,))
        return (table if len(str(table)) <= room else Head(listed(totals, _FACES_LIMIT)),)
    if len(outcomes) == 1:
        total, dice, aside = _parts(rolled, 0, min(_DICE_LIMIT, room - len(margin)), pictures)
        if isinstance(roll.of.system, Destinator):
            return (Head(total),)
        return (Head(total, f"{dice} {target}".strip(), aside), *verdict)
    share = min(_DICE_LIMIT, room // len(outcomes) - 8)
    row = _figures if figures_only else _row
    rows = [row(rolled, place, share, pictures) for place in range(len(outcomes))]
    if share < _LEAST or len(str(table := CardRows((*rows,)))) > room:
        return (Head(listed([outcome.face for outcome in outcomes], _FACES_LIMIT)),)
    passes = _count_passes(outcomes)
    return (table, Text(passes)) if passes else (table,)


def _named_rows(rolled: RollResult, pictures: Pictures, results: Sequence[str]) -> tuple[Wording, ...]:
    """Return a row for each named roll of the game master, and their sum or number of hits.

    `results` are those by the names of their faces, if these have any.
    """
    roll, rows = rolled.roll, list[CardRow]()
    totals = result_totals(roll)
    sums = sums_explained(roll, (thrown(outcome, pictures) for outcome in rolled.outcomes))
    for index, name in enumerate(roll.names):
        total, dice, aside = _parts(rolled, index, _DICE, pictures)
        if sums:
            total, dice = totals[index], sums[index]
        if results:
            total, dice = cut(results[index], _FACES_LIMIT), ""
        verdict = " · ".join(filter(None, (aside, met(roll.check, int(totals[index])) if roll.check else "")))
        rows.append(CardRow(cut(clean_name(name), _NAME), total, dice, verdict))
    together = _sum_up(rolled)
    return (CardRows((*rows,)), *([Text(together)] if together else ()))


def _figures(rolled: RollResult, index: int, room: int, _pictures: Pictures) -> CardRow:
    """Return the row of one of many rolls, with its dice as figures."""
    total, _, aside = _parts(rolled, index, room, NO_PICTURES)
    throw = rolled.outcomes[index].throw
    compared = compare(throw) if throw else None
    dice = figures(compared.throw if compared else throw, room) if throw else ""
    return CardRow("", total, "", " · ".join(filter(None, (dice, aside))))


def _row(rolled: RollResult, index: int, room: int, pictures: Pictures) -> CardRow:
    """Return the row of one of several rolls; a register's row names the value its dice are added to."""
    row = CardRow("", *_parts(rolled, index, room, pictures))
    start, throw = _start(rolled, index), rolled.outcomes[index].throw
    if start is None or throw is None:
        return row
    return replace(row, verdict=say("read {number:,}, start {start}", number=read_throw(throw), start=start))


def way(rolled: RollResult, pictures: Pictures) -> str:
    """Return the dice of a single roll on a map, or a register's calculation; "" for other rolls."""
    outcome = rolled.outcomes[0]
    if len(rolled.outcomes) > 1 or outcome.throw is None:
        return ""
    if isinstance(rolled.roll.of.system, Destinator):
        return pictured(outcome.throw, pictures) or dice_shown(outcome.throw, _DICE_LIMIT)
    if (start := _start(rolled, 0)) is None:
        return ""
    faces = "-".join(str(die.value) for pool in outcome.throw.pools for die in pool.dice)
    text = "dice {dice} read {number:,}, start {start} → {value}"
    return say(text, dice=faces, number=read_throw(outcome.throw), start=start, value=outcome.face)


def face_names(rolled: RollResult) -> list[str]:
    """Return the names that the label of a coin, a choice or an order gives the faces; else none."""
    label = rolled.event.label
    names = named_faces(clean_name(label)) if label and isinstance(rolled.roll.of, OfDice) else []
    if not names:
        return []
    pools = [_bare_dice(outcome) for outcome in rolled.outcomes]
    return names if all(pools) and all(die.value <= len(names) for pool in pools for die in pool) else []


def named_results(rolled: RollResult, names: Sequence[str]) -> list[str]:
    """Return each result by the names of its faces; nothing if they have none."""
    if not names:
        return []
    return [", ".join(names[die.value - 1] for die in _bare_dice(outcome)) for outcome in rolled.outcomes]


def _by_name(rolled: RollResult, names: Sequence[str]) -> tuple[Wording, ...]:
    """Return the results by the names of the faces; nothing if they have none."""
    heads = [cut(text, _FACES_LIMIT) for text in named_results(rolled, names)]
    if not heads:
        return ()
    return (Head(*heads) if len(heads) == 1 else CardRows(tuple(CardRow("", head) for head in heads)),)


def _compared(rolled: RollResult, room: int, pictures: Pictures) -> tuple[Wording, ...]:
    """Return a sum that was compared with a number, and its margin; nothing for other rolls."""
    compared = compared_sum(rolled)
    if compared is None:
        return ()
    head, dice, extreme = _explain(compared, room, pictures)
    return Head(head, dice, extreme), _bold(capital(met(compared.terms, compared.throw.total)))


def _explain(compared: ComparedSum, room: int, pictures: Pictures) -> tuple[str, str, str]:
    """Return a sum that was compared with a number, its dice with that number, and a natural roll."""
    throw, _, target = compared
    dice = pictured(throw, pictures) or dice_shown(throw, min(_DICE_LIMIT, room - len(target)))
    return (
        str(throw.total),
        f"{dice}{readings(throw)} {target}",
        f"**{end}**" if (end := natural(throw)) else "",
    )


def _bare_dice(outcome: Outcome) -> tuple[Die, ...]:
    """Return the dice of a result without modifiers or other terms; else none."""
    throw = outcome.throw
    if throw is None or len(throw.parts) != 1 or not isinstance(pool := throw.parts[0], Pool):
        return ()
    term = pool.term
    bare = term == Dice(term.count, term.sides, special=term.special)
    return pool.dice if term.plain or term.unique or bare else ()


def _bold(text: str) -> Text:
    return Text(f"**{text}**")


def sums_explained(roll: Rolled, thrown_faces: Iterable[str]) -> list[str]:
    """Return the parts of each total, "the higher of 14 and 3, +2 (`1d4`), -1"; else none."""
    if not (roll.keep or roll.added or roll.plus):
        return []
    faces = [*thrown_faces]
    if roll.keep:
        faces = [say(TEXTS["kept"][roll.keep], rolls=join_with_and(faces))]
    added = [int(total) for total in roll.added] or [None] * len(faces)
    texts: list[str] = []
    for face, total in zip(faces, added, strict=True):
        more = [] if total is None else [(total, f" ({code(roll.rest, _SUMMED)})")]
        more += [(roll.plus, "")] if roll.plus else []
        texts.append(face + "".join(f"{_format_addend(value, face)}{suffix}" for value, suffix in more))
    return texts


def _format_addend(value: int, face: str) -> str:
    """Return an addend behind a face: " + 5" behind pictures, else ", +5"."""
    return f" {'-' if value < 0 else '+'} {abs(value)}" if drawn(face) else f", {value:+}"


def thrown(outcome: Outcome, pictures: Pictures) -> str:
    """Return a face with its dice, or the dice alone if they are pictures."""
    if outcome.throw is None:
        return outcome.face
    return pictured(outcome.throw, pictures) or f"{outcome.face} ({dice_shown(outcome.throw, _SUMMED)})"


def _count_passes(outcomes: Sequence[Outcome]) -> str:
    """Return how many rolls against one and the same number pass; "" for other rolls."""
    sums = [compare(outcome.throw) for outcome in outcomes if outcome.throw]
    passed = [check.terms.passes(check.throw.total) for check in sums if check]
    if len(passed) < len(outcomes) or len({check.terms for check in sums if check}) > 1:
        return ""
    return say("**{hits} of {rolls} pass.**", hits=sum(passed), rolls=len(outcomes))


def _sum_up(rolled: RollResult) -> str:
    """Return the number of hits of a game master's rolls, or the sum of a game's rolls; "" for others."""
    check, outcomes = rolled.roll.check, rolled.outcomes
    if check:
        hits = sum(check.passes(int(total)) for total in result_totals(rolled.roll))
        return say("**{hits} of {rolls} pass.**", hits=hits, rolls=len(outcomes))
    system = rolled.roll.of.system
    if not isinstance(system, GameRoll) or not (rule := system.rule).amount:
        return ""
    counts = Counter(outcome.face for outcome in outcomes)
    names = [face_name(system.game, name) for name, _ in reversed(rule.classes)]
    parts = [f"{counts[name]} {name}" for name in names if counts[name]]
    if not parts:
        # It is unknown which attacks hit.
        return ""
    total = sum(outcome.throw.amount for outcome in outcomes if outcome.throw)
    parts.append(f"{total} {face_name(system.game, rule.amount)}")
    return say("**{counts}** in all.", counts=", ".join(parts))


def _parts(rolled: RollResult, index: int, room: int, pictures: Pictures) -> tuple[str, str, str]:
    """Return a result, its dice and its remark, in about `room` characters."""
    outcome = rolled.outcomes[index]
    throw = outcome.throw
    if throw is None:
        return cut(outcome.face, room - 4), "", ""
    if compared := compare(throw):
        head, dice, extreme = _explain(compared, room, pictures)
        return head, dice, " · ".join(filter(None, (extreme, met(compared.terms, compared.throw.total))))
    reading = readings(throw)
    system = rolled.roll.of.system
    extreme = "" if tells_natural(system, throw) else natural(throw)
    counted = counted_in(system, _counted(outcome.face, throw.unit))
    judgement = judged(system, throw)
    head = cut(with_heading(judgement, counted), room // 2)
    room -= len(head) + 8 + len(reading) + len(extreme)
    return head, f"{dice_text(throw, room, pictures)}{reading}", f"**{extreme}**" if extreme else ""


def dice_text(throw: Throw, room: int, pictures: Pictures) -> str:
    """Return the dice as pictures or in `room` characters; "" for one die that is the total."""
    text = pictured(throw, pictures) or dice_shown(throw, room)
    return "" if pictures and len(throw.parts) == 1 and text.endswith(f" ({throw.total})") else text


def _counted(total: str, unit: Unit) -> str:
    """Return the total in its unit: "3 successes", "success", "wins by 2"."""
    match unit:
        case Unit.SUM:
            return total
        case Unit.SUCCESSES:
            return say_many("1 success", "{n} successes", int(total))
        case Unit.TRUTH:
            return say("success") if total == "1" else say("failure")
        case Unit.MARGIN:
            return contested(int(total))


def _start(rolled: RollResult, index: int) -> int | None:
    """Return the value that a register's dice are added to; None for any other system."""
    roll, system = rolled.roll, rolled.roll.of.system
    if not isinstance(system, Register):
        return None
    if roll.before is None:
        return 0
    return int(rolled.outcomes[index - 1].face) % system.values if index else roll.before[0]


def offers(system: Decks, cards: Sequence[str], room: int) -> str:
    """Return a line for each offer of several decks, each card behind its category.

    List only the cards if that takes more than `room` characters.
    """
    size = system.hand
    dealt = [cards[i : i + size] for i in range(0, len(cards), size)]
    lines = [
        " · ".join(
            with_heading(cut(category, _CATEGORY), f"**{escape(card)}**")
            for category, card in zip(system.categories, offer, strict=True)
        )
        for offer in dealt
    ]
    if len(lines) > 1:
        lines = [f"{n}. {line}" for n, line in enumerate(lines, start=1)]
    text = "\n".join(lines)
    return text if len(text) <= room else f"**{listed(cards, room - 4)}**"

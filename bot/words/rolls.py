"""A roll as Discord text: the result first, the dice behind it, and a small line with its provenance."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from bot.campaign.campaigns import REGISTER, Footer
from bot.campaign.choosing import Choosable
from bot.campaign.events import Event, HistoryRestored, Rolled
from bot.campaign.kinds import Visibility
from bot.campaign.replay import RollResult, entries, summed
from bot.campaign.rolled import OfAccount, OfRoller
from bot.d100.register import Register
from bot.d100.ways import read_throw
from bot.dice.draws import Source
from bot.dice.modifiers import Which
from bot.dice.system import Outcome
from bot.dice.throws import Unit
from bot.record.checkpoint import Checkpoint
from bot.systems.decks import Decks
from bot.systems.game import GameRoll
from bot.words.checks import checked, contested, luck, met
from bot.words.systems import kind, tag
from bot.words.text import (
    MESSAGE_LIMIT,
    NO_PICTURES,
    Pictures,
    bits,
    code,
    cut,
    dice,
    escape,
    fitted,
    footing,
    listed,
    mention,
    natural,
    number,
    put_back,
    readings,
    sealed,
    successes,
)

_RESULT_LIMIT = 1_900
_DICE_LIMIT = 900
_FACES_LIMIT = 400
_LEAST = 20
_MOST_DRAWN = 12
_NAME, _DICE = 32, 120
_NEW = "\n"
_KEPT = {Which.KEEP_HIGHEST: "the higher of", Which.KEEP_LOWEST: "the lower of"}
_TOLD = {
    Visibility.SELF: "only you see this",
    Visibility.GM: "you and the GM see this",
    Visibility.BLIND: "only the GM sees this",
}


PROVED = (
    "The roll, and its path to the campaign's root. `python -m bot verify` checks the file. Give it the "
    "first seal as `--seal`, and a checkpoint that you kept as `--checkpoint`."
)
_CATEGORY = 24


def answer(
    rolled: RollResult,
    late: Sequence[Event],
    checkpoint: Checkpoint | None = None,
    footer: Footer = Footer.SHORT,
    *,
    named: bool = False,
    pictures: Pictures = NO_PICTURES,
) -> str:
    """Return the reply to a roll, with a line for each earlier event that was not told yet; three fit.

    The last line is the checkpoint, if there is to be one. `named` says that Discord names the player above.
    """
    lines = "".join(f"\n{_late(event)}" for event in late)
    if checkpoint:
        lines += f"\n{footing(checkpoint.line)}"
    room = min(_RESULT_LIMIT, MESSAGE_LIMIT - len(lines))
    return result(rolled, room, footer, named=named, pictures=pictures) + lines


def revealed(rolled: RollResult, by: int) -> str:
    """Return the message that shows a hidden roll to everybody."""
    event = replace(rolled.event, visibility=Visibility.PUBLIC)
    whose = "a roll of their own" if by == event.user_id else f"{mention(event.user_id)}'s roll"
    seal = f"-# {sealed(event)} when it was rolled; the button below proves it"
    shown = result(replace(rolled, event=event), footer=Footer.SHORT, named=True)
    return f"{mention(by)} reveals {whose}.\n{shown}\n{seal}"


def result(
    rolled: RollResult,
    limit: int = _RESULT_LIMIT,
    footer: Footer = Footer.FULL,
    *,
    named: bool = False,
    pictures: Pictures = NO_PICTURES,
) -> str:
    """Return the result, a line for each of several rolls, and the provenance; up to twelve dice are drawn.

    It has at most `limit` characters, which must be 1,200 or more.
    """
    event, roll, outcomes = rolled.event, rolled.roll, rolled.outcomes
    if sum(len(pool.dice) for o in outcomes if o.throw for pool in o.throw.pools) > _MOST_DRAWN:
        pictures = NO_PICTURES
    foot = f"-# {provenance(event, footer, named=named)}"
    label = headed(event)
    room = limit - len(foot) - len(label)
    system = roll.of.system
    if isinstance(system, Decks):
        return f"{label}{offers(system, roll.results, room)}\n{foot}"
    own = entries(event)
    if own[0].name:
        lines = [
            f"{code(e.name, _NAME)} {_line(o, '', _DICE)}{_met(roll, o)}"
            for e, o in zip(own, outcomes, strict=True)
        ]
        few = [f"{code(e.name, _NAME)} **{cut(o.face, _DICE)}**" for e, o in zip(own, outcomes, strict=True)]
        whole = fitted([_NEW.join(lines), _NEW.join(few)], few, ", ", room)
        return _NEW.join(part for part in (label.strip(), whole, _together(rolled), foot) if part)
    thrown = [f"{o.face} ({dice(o.throw, 60, pictures)})" if o.throw else o.face for o in outcomes]
    if sums := made(roll, thrown):
        lines = [f"**{sum_}** ← {how}" for sum_, how in zip(summed(roll), sums, strict=True)]
        said = checked(rolled) if event.target is None else luck(rolled)
        whole = f"{_NEW.join(lines)}{' · ' * bool(said)}{said}"
        few = whole if len(whole) <= room else f"**{listed(summed(roll), _FACES_LIMIT)}**"
        return f"{label}{few}\n{foot}"
    if len(outcomes) == 1:
        said = ""
        if roll.check:
            said = checked(rolled) if event.target is None else luck(rolled)
        line = _line(outcomes[0], _sum(rolled, 0), min(_DICE_LIMIT, room - len(said)), pictures)
        return f"{label}{' · '.join(part for part in (line, said) if part)}\n{foot}"
    head = f"{label}**{listed([o.face for o in outcomes], _FACES_LIMIT)}**"
    share = min(_DICE_LIMIT, room - _FACES_LIMIT) // len(outcomes) - 8
    if share < _LEAST or not any(o.throw for o in outcomes):
        return f"{head}\n{foot}"
    lines = [
        f"{n}. {_line(o, _sum(rolled, n - 1), share, pictures)}" for n, o in enumerate(outcomes, start=1)
    ]
    whole = "\n".join([head, *lines, foot])
    # How signs were read may be longer than a line's share.
    return whole if len(whole) <= limit else f"{head}\n{foot}"


def headed(event: Event) -> str:
    """Return whose roll it is and what it is for, as far as there are words: "**Mira** · `Climb` "."""
    name = f"**{escape(event.character)}** · " if event.character else ""
    return name + (f"{code(event.label)} " if event.label else "")


def provenance(event: Event, footer: Footer, *, named: bool) -> str:
    """Return who rolled, the roller's tag, the number, a hidden roll's seal, and the source of the bits.

    What `footer` leaves out is missing, and who rolled, if they are `named` already.
    """
    roll = event.roll
    full, secret = footer is Footer.FULL, event.visibility is not Visibility.PUBLIC
    parts = [mention(event.user_id)] if event.user_id and (full or not named) else []
    if roll.practice:
        why = ": one's own checks don't count" if isinstance(roll.of, OfAccount) else ", no memory"
        by_roller = isinstance(roll.of, OfRoller)
        parts.append(f"{code(roll.roller)} for practice{why}" if by_roller else "for practice")
    elif system := roll.of.system:
        name = [] if roll.roller == REGISTER else [code(roll.roller)]
        what = [] if isinstance(system, GameRoll) else [escape((tag if full else kind)(system))]
        parts.append(" ".join([*name, *what]))
    parts.append(sealed(event) if secret else number(event))
    parts.append(_pushes(event))
    if footer is not Footer.NUMBER:
        parts.append(bits(roll.source))
    if secret:
        parts.append(_TOLD[event.visibility])
    return " · ".join(part for part in parts if part)


def stands(event: Event, what: str = "Your roll") -> str:
    """Return what the asker is told where Discord refused to show what was done."""
    return f"{what} stands ({number(event)}), but Discord refused my answer."


def hidden(event: Event) -> str:
    """Return what everybody sees of a roll that is hidden from them."""
    who = "for the GM's eyes" if event.visibility is Visibility.BLIND else "hidden"
    return f"{mention(event.user_id)} rolled, {who}.\n-# {sealed(event)} · {bits(event.roll.source)}"


def brief(event: Event, faces: int = 120, named: int = 60) -> str:
    """Return the faces and the dice, "**17** (`2d6+3`)", each cut to so many characters."""
    roll = event.roll
    by_hand = f", {bits(roll.source)}" if roll.source is Source.PHYSICAL else ""
    against = f" vs {roll.check.dc}" if roll.check and (roll.versus or not roll.check.contest) else ""
    against += f" of #{roll.versus}" if roll.versus else ""
    account = f", {code(roll.roller, named)}" if isinstance(roll.of, OfAccount) else ""
    more = f"+{roll.rest}".replace("+-", "-") if roll.rest else f"{roll.plus:+}" if roll.plus else ""
    what = code(roll.dice + more + against, named)
    push = f", {said}" if (said := _pushes(event)) else ""
    return f"**{listed(summed(roll), faces)}** ({what}{account}{push}{by_hand})"


def _pushes(event: Event) -> str:
    return f"pushes #{event.roll.pushes}" if event.roll.pushes else ""


def made(roll: Rolled, shown: Sequence[str]) -> list[str]:
    """Return what makes up each total, "the higher of 14 and 3, +2 (`1d4`), -1"; else none."""
    if not (roll.keep or roll.added or roll.plus):
        return []
    faces = [f"{_KEPT[roll.keep]} {' and '.join(shown)}"] if roll.keep else shown
    more = [f", {int(total):+} ({code(roll.rest)})" for total in roll.added] or [""] * len(faces)
    plus = f", {roll.plus:+}" if roll.plus else ""
    return [f"{face}{dice}{plus}" for face, dice in zip(faces, more, strict=True)]


def _met(roll: Rolled, outcome: Outcome) -> str:
    """Return how one of several rolls meets what all are held against; "" for no check."""
    return f" · {met(roll.check, int(outcome.face))}" if roll.check else ""


def _together(rolled: RollResult) -> str:
    """Return how many of a game master's own hit, and what a game's rolls add up to; "" for nothing."""
    check, outcomes = rolled.roll.check, rolled.outcomes
    if check:
        hits = sum(check.passes(int(outcome.face)) for outcome in outcomes)
        return f"**{hits} of {len(outcomes)} hit.**"
    system = rolled.roll.of.system
    if not isinstance(system, GameRoll) or not (rule := system.rule).amount:
        return ""
    counts = Counter(outcome.face for outcome in outcomes)
    came = [f"{counts[name]} {name}" for name, _ in reversed(rule.classes) if counts[name]]
    total = sum(outcome.throw.amount for outcome in outcomes if outcome.throw)
    return f"**{', '.join([*came, f'{total} {rule.amount}'])}** in all."


def _line(outcome: Outcome, reading: str, room: int, pictures: Pictures = NO_PICTURES) -> str:
    """Return a result and its dice in about `room` characters."""
    if outcome.throw is None:
        return f"**{cut(outcome.face, room - 4)}**"
    reading += readings(outcome.throw)
    notes = [part for part in outcome.throw.parts if isinstance(part, str)]
    said = "" if any("natural" in note for note in notes) else natural(outcome.throw)
    counted = _counted(outcome.face, outcome.throw.unit)
    head = ": ".join(part for part in (outcome.throw.judgement, counted) if part)
    result = f"**{cut(head, room // 2)}** ← "
    stands = f" · **{said}**" if said else ""
    room -= len(result) + len(reading) + len(stands)
    return f"{result}{dice(outcome.throw, room, pictures)}{reading}{stands}"


def _counted(total: str, unit: Unit) -> str:
    """Return the total with what it counts: "3 successes", whether a target was met, or who wins."""
    match unit:
        case Unit.SUM:
            return total
        case Unit.SUCCESSES:
            return successes(int(total))
        case Unit.TRUTH:
            return "success" if total == "1" else "failure"
        case Unit.MARGIN:
            return contested(int(total))


def _sum(rolled: RollResult, place: int) -> str:
    """Return how a register's dice are read and what they are added to; "" for any other system."""
    roll, outcomes = rolled.roll, rolled.outcomes
    system = roll.of.system
    throw = outcomes[place].throw
    if not isinstance(system, Register) or throw is None:
        return ""
    before = 0
    if roll.before is not None:
        before = int(outcomes[place - 1].face) % system.values if place else roll.before[0]
    return f" reads {read_throw(throw):,}, added to {before}"


def _late(event: Event) -> str:
    if isinstance(event.body, HistoryRestored):
        return f"-# {put_back(event)}"
    shown = brief(event, 60, 40) if event.visibility is Visibility.PUBLIC else "a hidden roll"
    return (
        f"-# {number(event)} of {mention(event.user_id)}, <t:{int(event.time)}:t>: {shown}. "
        "It was rolled, but Discord did not take the reply."
    )


def offers(system: Decks, cards: Sequence[str], room: int) -> str:
    """Return a line for each offer of several decks, each card behind its category.

    Where that takes more than `room` characters, only the cards are listed.
    """
    size = system.hand
    dealt = [cards[i : i + size] for i in range(0, len(cards), size)]
    lines = [
        " · ".join(
            f"{cut(category, _CATEGORY)}: **{escape(card)}**"
            for category, card in zip(system.categories, offer, strict=True)
        )
        for offer in dealt
    ]
    if len(lines) > 1:
        lines = [f"{n}. {line}" for n, line in enumerate(lines, start=1)]
    text = "\n".join(lines)
    return text if len(text) <= room else f"**{listed(cards, room - 4)}**"


def which_dice(dice: Choosable) -> str:
    """Return the question above the dice that a player may choose."""
    if dice.keep:
        return f"Which dice do you keep? Choose up to {dice.keep}. The others go."
    return "Which dice do you throw again?"

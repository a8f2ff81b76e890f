"""A roll as a card: the result first, the dice behind it, and a small line with its provenance."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.campaign.adjustments import recorded
from bot.campaign.campaigns import REGISTER, Footer
from bot.campaign.choosing import Choosable
from bot.campaign.events import Event, HistoryRestored, Rolled
from bot.campaign.kinds import Visibility
from bot.campaign.replay import RollResult, summed
from bot.campaign.rolled import OfAccount, OfRoller
from bot.d100.register import Register
from bot.d100.ways import read_throw
from bot.dice.draws import Source
from bot.dice.modifiers import Which
from bot.dice.system import Outcome
from bot.dice.throws import Unit
from bot.record.checkpoint import Checkpoint
from bot.systems.decks import Decks
from bot.systems.destinator import Destinator, numbers
from bot.systems.fair import Fair
from bot.systems.game import GameRoll
from bot.words.cards import (
    Beside,
    Block,
    Card,
    CardButton,
    CardRow,
    CardRows,
    Head,
    Small,
    Text,
    Tone,
    Wording,
)
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
    listed,
    mention,
    natural,
    number,
    pictured,
    put_back,
    readings,
    sealed,
    successes,
)

_RESULT_LIMIT = 1_900
_DICE_LIMIT = 900
_FACES_LIMIT = 400
_LEAST = 20
MOST_DRAWN = 12
"""A result of more dice has figures in the place of pictures."""
_NAME, _DICE, _NOTATION, _SUMMED = 32, 120, 60, 60
_OFFERED, _LABEL = 20, 80
"""Cards of an offer that have a button, and characters on it."""
_DRAWN = "<:d"
_SOURCES = {
    Source.TRUE: "true-random",
    Source.KEYED: "from committed keys",
    Source.PHYSICAL: "thrown by hand",
}
"""What is said of the bits without being asked; the usual ones are told by *Roll details*."""
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
    late: Sequence[Event] = (),
    checkpoint: Checkpoint | None = None,
    footer: Footer = Footer.SHORT,
    *,
    named: bool = False,
    pictures: Pictures = NO_PICTURES,
    pushable: bool = False,
    choosable: bool = False,
) -> Card:
    """Return the reply to a roll, with a line for each earlier event that was not told yet; three fit.

    The last line is the checkpoint, if there is to be one. `named` says that Discord names the player above.
    """
    event, roll = rolled.event, rolled.roll
    more = [_late(one) for one in late]
    if checkpoint and (footer is Footer.CHECKPOINTS or roll.source is Source.KEYED):
        more.append(f"Checkpoint: {code(checkpoint.line)}")
    room = min(_RESULT_LIMIT, MESSAGE_LIMIT - sum(len(line) + 4 for line in more))
    at = event.campaign_id, event.seq
    buttons = [CardButton("reveal", at)] if event.visibility is not Visibility.PUBLIC else []
    offered = roll.results[:_OFFERED] if roll.offer else ()
    if offered:
        taking = [CardButton("take", (*at, n), cut(card, _LABEL)) for n, card in enumerate(offered)]
        told = result(rolled, room, footer, named=named, pictures=pictures)
        return Card((*told, *([Small("\n".join(more))] if more else ())), (*buttons, *taking), tone(rolled))
    # The bot can't throw somebody's own dice again.
    if roll.source is not Source.PHYSICAL:
        buttons += [CardButton("again", at), *([CardButton("own-dice", at)] if roll.check else [])]
    fair = isinstance(roll.of.system, Fair) and not roll.practice
    buttons += [CardButton("counts", (event.roller,))] if fair else []
    buttons += [CardButton("push", at)] if pushable else []
    buttons += [CardButton("choose-dice", at)] if choosable else []
    blocks = _beside(result(rolled, room, footer, named=named, pictures=pictures), buttons[:1])
    return Card((*blocks, *([Small("\n".join(more))] if more else ())), (*buttons[1:],), tone(rolled))


def looked(rolled: RollResult) -> Card:
    """Return what somebody alone is shown of a hidden roll that they may see."""
    return Card(result(rolled), tone=Tone.SECRET)


def tone(rolled: RollResult) -> Tone:
    """Return a hidden roll's tone, and a check's by whether it is passed; a tie has none."""
    check, event = rolled.roll.check, rolled.event
    if event.visibility is not Visibility.PUBLIC:
        return Tone.SECRET
    if check is None or event.target is not None or rolled.roll.names:
        return Tone.NONE
    total = int(summed(rolled.roll)[0])
    tie = check.contest and not check.margin(total)
    return Tone.NONE if tie else Tone.GOOD if check.passes(total) else Tone.BAD


def _beside(blocks: tuple[Wording, ...], buttons: Sequence[CardButton]) -> tuple[Block, ...]:
    """Return the blocks with a button at their right, if there is one."""
    return (Beside(blocks, buttons[0]),) if buttons else blocks


def revealed(rolled: RollResult, by: int) -> Card:
    """Return the message that shows a hidden roll to everybody."""
    event = replace(rolled.event, visibility=Visibility.PUBLIC)
    whose = "a roll of their own" if by == event.user_id else f"{mention(event.user_id)}'s roll"
    shown = result(replace(rolled, event=event), footer=Footer.SHORT, named=True)
    seal = Small(f"{sealed(event)} when it was rolled; the button proves it")
    button = CardButton("check", (event.campaign_id, event.seq))
    return Card((Text(f"{mention(by)} reveals {whose}."), *shown[:-1], Beside((shown[-1], seal), button)))


def result(
    rolled: RollResult,
    limit: int = _RESULT_LIMIT,
    footer: Footer = Footer.FULL,
    *,
    named: bool = False,
    pictures: Pictures = NO_PICTURES,
) -> tuple[Wording, ...]:
    """Return the result, a row for each of several rolls, and the provenance; up to twelve dice are drawn.

    It has at most `limit` characters, which must be 1,200 or more. Who is `named` by Discord is not again.
    """
    event, outcomes = rolled.event, rolled.outcomes
    if sum(len(pool.dice) for o in outcomes if o.throw for pool in o.throw.pools) > MOST_DRAWN:
        pictures = NO_PICTURES
    told = event.user_id and not (named and footer in {Footer.SHORT, Footer.NUMBER})
    whose = [mention(event.user_id) if told else "", escape(event.character)]
    label = escape(event.label or "")
    foot = provenance(rolled, footer)
    shown = _shown(rolled, limit - sum(map(len, whose)) - len(label) - len(foot) - _NOTATION - 24, pictures)
    # Where the dice are drawn, their notation is said here.
    drawn = pictures and any(_DRAWN in str(block) for block in shown)
    notation = cut(rolled.roll.text, _NOTATION) if drawn else ""
    title = (Head(label),) if label and len(outcomes) > 1 else ()
    said = [*whose, "" if title else label, notation, foot]
    return (*title, *shown, Small(" · ".join(filter(None, said))))


def _shown(rolled: RollResult, room: int, pictures: Pictures) -> tuple[Wording, ...]:
    """Return what came out, in about `room` characters."""
    roll, outcomes = rolled.roll, rolled.outcomes
    if isinstance(roll.of.system, Decks):
        return (Text(offers(roll.of.system, roll.results, room)),)
    if roll.names:
        rows: list[CardRow] = []
        totals = summed(roll)
        sums = made(roll, (_thrown(outcome, pictures) for outcome in outcomes))
        for place, name in enumerate(roll.names):
            total, dice, aside = _parts(rolled, place, _DICE, pictures)
            if sums:
                total, dice, aside = totals[place], sums[place], ""
            verdict = " · ".join(filter(None, (aside, _met(roll, totals[place]))))
            rows.append(CardRow(cut(name, _NAME), total, dice, verdict))
        together = _together(rolled)
        return (CardRows((*rows,)), *([Text(together)] if together else ()))
    aim, how = checked(rolled) if roll.check and rolled.event.target is None else ("", "")
    verdict = [Text(f"**{how}**")] if how else []
    if sums := made(roll, (_thrown(outcome, pictures) for outcome in outcomes)):
        totals = summed(roll)
        if len(totals) == 1:
            return (Head(totals[0], f"{sums[0]} {aim}".rstrip()), *verdict)
        rows = [CardRow("", total, said) for total, said in zip(totals, sums, strict=True)]
        whole = CardRows((*rows,))
        return (whole if len(str(whole)) <= room else Head(listed(totals, _FACES_LIMIT)),)
    if len(outcomes) == 1:
        total, dice, aside = _parts(rolled, 0, min(_DICE_LIMIT, room - len(how)), pictures)
        return (Head(total, f"{dice} {aim}".rstrip(), aside), *verdict)
    share = min(_DICE_LIMIT, room // len(outcomes) - 8)
    rows = [CardRow("", *_parts(rolled, place, share, pictures)) for place in range(len(outcomes))]
    if share < _LEAST or len(str(every := CardRows((*rows,)))) > room:
        return (Head(listed([outcome.face for outcome in outcomes], _FACES_LIMIT)),)
    return (every,)


def provenance(rolled: RollResult, footer: Footer) -> str:
    """Return the roller's tag, the number, a hidden roll's seal, and the source of the bits.

    What `footer` leaves out is missing.
    """
    event, roll = rolled.event, rolled.roll
    full, secret = footer in {Footer.FULL, Footer.CHECKPOINTS}, event.visibility is not Visibility.PUBLIC
    parts: list[str] = []
    if roll.practice:
        why = ": one's own checks don't count" if isinstance(roll.of, OfAccount) else ", no memory"
        by_roller = isinstance(roll.of, OfRoller)
        parts.append(f"**{escape(roll.roller)}** for practice{why}" if by_roller else "for practice")
    elif system := roll.of.system:
        parts += [f"**{escape(roll.roller)}**"] if roll.roller != REGISTER else []
        parts += [escape((tag if full else kind)(system))] if not isinstance(system, GameRoll) else []
        if isinstance(system, Destinator) and (throw := rolled.outcomes[0].throw):
            parts.append(f"slot {' and '.join(map(str, numbers(throw)))}")
    parts += [luck(rolled)] if roll.stake else []
    parts.append(sealed(event) if secret else number(event))
    parts.append(_pushes(event))
    if footer is not Footer.NUMBER:
        parts.append(bits(roll.source) if full else special(roll.source))
    if secret:
        parts.append(_TOLD[event.visibility])
    return " · ".join(part for part in parts if part)


def stands(event: Event, what: str = "Your roll") -> str:
    """Return what the asker is told where Discord refused to show what was done."""
    return f"{what} stands ({number(event)}), but Discord refused my answer."


def hidden(event: Event) -> Card:
    """Return what everybody sees of a roll that is hidden from them."""
    who = "for the GM's eyes" if event.visibility is Visibility.BLIND else "hidden"
    foot = " · ".join(filter(None, (sealed(event), special(event.roll.source))))
    at = event.campaign_id, event.seq
    told = Text(f"{mention(event.user_id)} rolled, {who}."), Small(foot)
    return Card((Beside(told, CardButton("look", at)),), (CardButton("reveal", at),))


def brief(event: Event, faces: int = 120, named: int = 60) -> str:
    """Return the faces and the dice, "**17** (`2d6+3`)", each cut to so many characters."""
    roll = event.roll
    by_hand = f", {bits(roll.source)}" if roll.source is Source.PHYSICAL else ""
    against = f" vs {roll.check.dc}" if roll.check and (roll.versus or not roll.check.contest) else ""
    against += f" of #{roll.versus}" if roll.versus else ""
    account = f", {code(roll.roller, named)}" if isinstance(roll.of, OfAccount) else ""
    what = code(roll.dice + recorded(roll.rest, roll.plus).rest + against, named)
    push = f", {said}" if (said := _pushes(event)) else ""
    return f"**{listed(summed(roll), faces)}** ({what}{account}{push}{by_hand})"


def special(source: Source | None) -> str:
    """Return where bits came from, if it is worth saying unasked: "true-random"."""
    return _SOURCES.get(source, "") if source else ""


def _pushes(event: Event) -> str:
    return f"pushes #{event.roll.pushes}" if event.roll.pushes else ""


def made(roll: Rolled, shown: Iterable[str]) -> list[str]:
    """Return what makes up each total, "the higher of 14 and 3, +2 (`1d4`), -1"; else none."""
    if not (roll.keep or roll.added or roll.plus):
        return []
    faces = [f"{_KEPT[roll.keep]} {' and '.join(shown)}"] if roll.keep else [*shown]
    more = [f", {int(total):+} ({code(roll.rest, _SUMMED)})" for total in roll.added] or [""] * len(faces)
    plus = f", {roll.plus:+}" if roll.plus else ""
    return [f"{face}{dice}{plus}" for face, dice in zip(faces, more, strict=True)]


def _thrown(outcome: Outcome, pictures: Pictures) -> str:
    """Return a face with its dice."""
    if outcome.throw is None:
        return outcome.face
    return f"{outcome.face} ({pictured(outcome.throw, pictures) or dice(outcome.throw, _SUMMED)})"


def _met(roll: Rolled, total: str) -> str:
    """Return how one of several rolls meets what all are held against; "" for no check."""
    return met(roll.check, int(total)) if roll.check else ""


def _together(rolled: RollResult) -> str:
    """Return how many of a game master's own hit, and what a game's rolls add up to; "" for nothing."""
    check, outcomes = rolled.roll.check, rolled.outcomes
    if check:
        hits = sum(check.passes(int(total)) for total in summed(rolled.roll))
        return f"**{hits} of {len(outcomes)} hit.**"
    system = rolled.roll.of.system
    if not isinstance(system, GameRoll) or not (rule := system.rule).amount:
        return ""
    counts = Counter(outcome.face for outcome in outcomes)
    came = [f"{counts[name]} {name}" for name, _ in reversed(rule.classes) if counts[name]]
    total = sum(outcome.throw.amount for outcome in outcomes if outcome.throw)
    return f"**{', '.join([*came, f'{total} {rule.amount}'])}** in all."


def _parts(rolled: RollResult, place: int, room: int, pictures: Pictures) -> tuple[str, str, str]:
    """Return a result, its dice and what stands beside them, in about `room` characters."""
    outcome = rolled.outcomes[place]
    throw = outcome.throw
    if throw is None:
        return cut(outcome.face, room - 4), "", ""
    reading = _sum(rolled, place) + readings(throw)
    notes = [part for part in throw.parts if isinstance(part, str)]
    said = "" if any("natural" in note for note in notes) else natural(throw)
    counted = _counted(outcome.face, throw.unit)
    head = cut(": ".join(part for part in (throw.judgement, counted) if part), room // 2)
    room -= len(head) + 8 + len(reading) + len(said)
    shown = pictured(throw, pictures) or dice(throw, room)
    return head, f"{shown}{reading}", f"**{said}**" if said else ""


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
        return put_back(event)
    shown = brief(event, 60, 40) if event.visibility is Visibility.PUBLIC else "a hidden roll"
    return (
        f"{number(event)} of {mention(event.user_id)}, <t:{int(event.time)}:t>: {shown}. "
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

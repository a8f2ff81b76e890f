"""A roll as a card: the result first, the dice behind it, and a small line with its provenance."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.campaign.campaigns import REGISTER, Footer
from bot.campaign.choosing import Choosable
from bot.campaign.events import Event, HistoryRestored, Rolled
from bot.campaign.kinds import Visibility
from bot.campaign.replay import RollResult, summed
from bot.campaign.rolled import OfAccount, OfDice, OfRoller
from bot.d100.register import Register
from bot.d100.ways import read_throw
from bot.dice.draws import Source
from bot.dice.everyday import named_faces
from bot.dice.modifiers import Comparison, Which
from bot.dice.system import Outcome
from bot.dice.throws import Die, Pool, Throw, Unit
from bot.record.checkpoint import Checkpoint
from bot.systems.checks import DC_LIMIT, CheckTerms
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
    drawn,
)
from bot.words.checks import checked, contested, luck, met
from bot.words.systems import kind, tag
from bot.words.text import (
    MESSAGE_LIMIT,
    NO_PICTURES,
    Pictures,
    bits,
    capital,
    code,
    cut,
    dice,
    escape,
    figures,
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
_DRAWN = "<:d"
_SOURCES = {
    Source.TRUE: "true-random",
    Source.KEYED: "from committed keys",
    Source.PHYSICAL: "thrown by hand",
}
"""What is said of the bits without being asked; the usual ones are told by *Roll details*."""
_REACHED = {Comparison.AT_LEAST, Comparison.AT_MOST}
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
    if compared := _compared(rolled):
        passes = compared[1].passes(compared[0].total)
        return Tone.GOOD if passes else Tone.BAD
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
    too_many = sum(len(pool.dice) for o in outcomes if o.throw for pool in o.throw.pools) > MOST_DRAWN
    figures_only = bool(pictures) and too_many and len(outcomes) > 1
    pictures = NO_PICTURES if too_many else pictures
    told = event.user_id and not (named and footer in {Footer.SHORT, Footer.NUMBER})
    whose = [mention(event.user_id) if told else "", escape(event.character)]
    names = face_names(rolled)
    label = escape(" / ".join(names) or event.label or "")
    foot = provenance(rolled, footer)
    room = limit - sum(map(len, whose)) - len(label) - len(foot) - _NOTATION - 24
    shown = _shown(rolled, room, pictures, figures_only=figures_only)
    # Where the dice are drawn, or are figures alone, their notation is said here.
    said_here = figures_only or (pictures and any(_DRAWN in str(block) for block in shown))
    notation = cut(rolled.roll.text, _NOTATION) if said_here else ""
    title = (Head(label),) if label and not names and len(outcomes) > 1 else ()
    said = [*whose, "" if title else label, notation, foot]
    return (*title, *shown, Small(" · ".join(filter(None, said))))


def _shown(rolled: RollResult, room: int, pictures: Pictures, *, figures_only: bool) -> tuple[Wording, ...]:
    """Return what came out, in about `room` characters."""
    roll, outcomes = rolled.roll, rolled.outcomes
    if isinstance(roll.of.system, Decks):
        return (Text(offers(roll.of.system, roll.results, room)),)
    if roll.names:
        rows: list[CardRow] = []
        for place, name in enumerate(roll.names):
            total, fell, aside = _parts(rolled, place, _DICE, pictures)
            verdict = " · ".join(filter(None, (aside, _met(roll, outcomes[place]))))
            rows.append(CardRow(cut(name, _NAME), total, fell, verdict))
        together = _together(rolled)
        return (CardRows((*rows,)), *([Text(together)] if together else ()))
    aim, how = checked(rolled) if roll.check and rolled.event.target is None else ("", "")
    verdict = [_how(how)] if how else []
    if shown := _by_name(rolled) or _against(rolled, room, pictures):
        return shown
    if sums := made(roll, (thrown(outcome, pictures) for outcome in outcomes)):
        totals = summed(roll)
        if len(totals) == 1:
            return (Head(totals[0], f"{sums[0]} {aim}".rstrip()), *verdict)
        rows = [CardRow("", total, said) for total, said in zip(totals, sums, strict=True)]
        whole = CardRows((*rows,))
        return (whole if len(str(whole)) <= room else Head(listed(totals, _FACES_LIMIT)),)
    if len(outcomes) == 1:
        total, fell, aside = _parts(rolled, 0, min(_DICE_LIMIT, room - len(how)), pictures)
        return (Head(total, f"{fell} {aim}".rstrip(), aside), *verdict)
    share = min(_DICE_LIMIT, room // len(outcomes) - 8)
    places = range(len(outcomes))
    if figures_only:
        rows = [_figures(rolled, place, share) for place in places]
    else:
        rows = [CardRow("", *_parts(rolled, place, share, pictures)) for place in places]
    if share < _LEAST or len(str(every := CardRows((*rows,)))) > room:
        return (Head(listed([outcome.face for outcome in outcomes], _FACES_LIMIT)),)
    return (every,)


def _figures(rolled: RollResult, place: int, room: int) -> CardRow:
    """Return one of many rolls with its dice as figures alone."""
    total, _, aside = _parts(rolled, place, room, NO_PICTURES)
    throw = rolled.outcomes[place].throw
    shown = figures(throw, room) if throw else ""
    return CardRow("", total, "", " · ".join(filter(None, (shown, aside))))


def face_names(rolled: RollResult) -> list[str]:
    """Return the names that a coin's, a choice's or an order's label gives the faces; else none."""
    names = named_faces(rolled.event.label or "")
    if not names or not isinstance(rolled.roll.of, OfDice):
        return []
    pools = [_one_pool(outcome) for outcome in rolled.outcomes]
    return names if all(pools) and all(d.value <= len(names) for pool in pools for d in pool) else []


def _by_name(rolled: RollResult) -> tuple[Wording, ...]:
    """Return what came out by its names; nothing where the faces have none."""
    names = face_names(rolled)
    came = [", ".join(names[die.value - 1] for die in _one_pool(one)) for one in rolled.outcomes if names]
    heads = [cut(each, _FACES_LIMIT) for each in came]
    if len(heads) == 1:
        return (Head(heads[0]),)
    return (CardRows(tuple(CardRow("", each) for each in heads)),) if heads else ()


def _against(rolled: RollResult, room: int, pictures: Pictures) -> tuple[Wording, ...]:
    """Return a sum that was compared with a number, and by how much it passes; nothing for other rolls."""
    compared = _compared(rolled)
    if compared is None:
        return ()
    throw, terms = compared
    aim = f"{'at most' if terms.under else 'vs'} {terms.dc}"
    shown = pictured(throw, pictures) or dice(throw, min(_DICE_LIMIT, room - len(aim)))
    said = f"**{end}**" if (end := natural(throw)) else ""
    return Head(str(throw.total), f"{shown}{readings(throw)} {aim}", said), _how(met(terms, throw.total))


def _one_pool(outcome: Outcome) -> tuple[Die, ...]:
    """Return the dice of a result that are nothing but themselves; else none."""
    throw = outcome.throw
    if throw is None or len(throw.parts) != 1 or not isinstance(pool := throw.parts[0], Pool):
        return ()
    return pool.dice if pool.term.plain or pool.term.unique else ()


def _how(said: str) -> Text:
    return Text(f"**{capital(said)}**")


def _compared(rolled: RollResult) -> tuple[Throw, CheckTerms] | None:
    """Return the sum of one roll that was compared with a number, and how it passes; None for other rolls."""
    throws = [outcome.throw for outcome in rolled.outcomes]
    if len(throws) != 1 or throws[0] is None or throws[0].judged is None or throws[0].total < 0:
        return None
    throw, condition = throws[0].judged
    if condition.comparison not in _REACHED or abs(condition.number) > DC_LIMIT:
        return None
    return throw, CheckTerms(condition.number, under=condition.comparison is Comparison.AT_MOST)


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
    more = f"+{roll.rest}".replace("+-", "-") if roll.rest else f"{roll.plus:+}" if roll.plus else ""
    what = code(roll.dice + more + against, named)
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
    added = [int(total) for total in roll.added] or [None] * len(faces)
    made: list[str] = []
    for face, total in zip(faces, added, strict=True):
        more = [] if total is None else [(total, f" ({code(roll.rest)})")]
        more += [(roll.plus, "")] if roll.plus else []
        made.append(face + "".join(f"{_signed(value, face)}{why}" for value, why in more))
    return made


def _signed(value: int, behind: str) -> str:
    """Return what is added behind a face: " + 5" where that is drawn, else ", +5"."""
    return f" {'-' if value < 0 else '+'} {abs(value)}" if drawn(behind) else f", {value:+}"


def thrown(outcome: Outcome, pictures: Pictures) -> str:
    """Return a face with its dice, or these alone where they are drawn."""
    if outcome.throw is None:
        return outcome.face
    return pictured(outcome.throw, pictures) or f"{outcome.face} ({dice(outcome.throw, _SUMMED)})"


def _met(roll: Rolled, outcome: Outcome) -> str:
    """Return how one of several rolls meets what all are held against; "" for no check."""
    return met(roll.check, int(outcome.face)) if roll.check else ""


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

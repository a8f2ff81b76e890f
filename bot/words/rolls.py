"""A roll as a card: the result first, the dice behind it, and a small line with its provenance."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.campaign.adjustments import added
from bot.campaign.campaigns import REGISTER, Footer
from bot.campaign.choosing import Choosable
from bot.campaign.events import Event, HistoryRestored
from bot.campaign.kinds import Visibility
from bot.campaign.replay import RollResult, summed
from bot.campaign.rolled import OfAccount, OfRoller
from bot.dice.draws import Source
from bot.dice.names import clean
from bot.record.checkpoint import Checkpoint
from bot.systems.destinator import Destinator, numbers
from bot.systems.fair import Fair
from bot.systems.game import GameRoll
from bot.words.cards import (
    Beside,
    Block,
    Card,
    CardButton,
    Head,
    Small,
    Text,
    Tone,
    Wording,
)
from bot.words.checks import luck
from bot.words.games import called, face
from bot.words.outcomes import MOST_DRAWN, compared_sum, face_names, outcome_text, way
from bot.words.saying import both, phrase, say
from bot.words.systems import kind, tag
from bot.words.text import (
    MESSAGE_LIMIT,
    NO_PICTURES,
    Pictures,
    bits,
    code,
    cut,
    escape,
    event_number,
    first_few,
    footnote,
    given_name,
    listed,
    mention,
    put_back,
    seal_alone,
    sealed,
)

_RESULT_LIMIT = 1_900
_NOTATION = 60
_OFFERED, _LABEL, _SIXES = 20, 80, 12
"""Cards of an offer that have a button, and characters on it; d6s shown that other dice are made of."""
_DRAWN = "<:d"
_HELD = re.compile(r"\((.*)\)[<>]=\d++\Z", re.DOTALL)
_SOURCES = {
    Source.TRUE: phrase("true-random"),
    Source.KEYED: phrase("from committed keys"),
    Source.PHYSICAL: phrase("thrown by hand"),
}
"""What is said of the bits without being asked; the usual ones are told by *Roll details*."""
_TOLD = {
    Visibility.SELF: phrase("only you see this"),
    Visibility.GM: phrase("you and the GM see this"),
    Visibility.BLIND: phrase("only the GM sees this"),
}


PROVED = phrase(
    "The roll, and its path to the campaign's root. `evenhand verify` checks the file. Give it the "
    "first seal as `--seal`, and a checkpoint that you kept as `--checkpoint`."
)


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
        more.append(say("Checkpoint: {line}", line=code(checkpoint.line)))
    room = min(_RESULT_LIMIT, MESSAGE_LIMIT - sum(len(line) + 4 for line in more))
    at, public = event.at, event.visibility is Visibility.PUBLIC
    buttons = [] if public else [CardButton("reveal", at)]
    offered = roll.results[:_OFFERED] if roll.offer else ()
    if public and not offered:
        # The bot can't throw somebody's own dice again.
        if roll.source is not Source.PHYSICAL:
            buttons += [CardButton("again", at), *([CardButton("own-dice", at)] if roll.check else [])]
        fair = isinstance(roll.of.system, Fair) and not roll.practice
        buttons += [CardButton("counts", (event.campaign_id, event.roller))] if fair else []
    buttons += [CardButton("push", at)] if pushable else []
    buttons += [CardButton("choose-dice", at)] if choosable else []
    taking = [CardButton("take", (*at, n), clean(card, _LABEL)) for n, card in enumerate(offered)]
    blocks: tuple[Block, ...] = result(rolled, room, footer, named=named, pictures=pictures)
    if buttons and not offered:
        blocks, buttons = (Beside(blocks, buttons[0]),), buttons[1:]
    below = [Small("\n".join(more))] if more else []
    return Card((*blocks, *below), (*buttons, *taking), tone(rolled))


def looked(rolled: RollResult, pictures: Pictures = NO_PICTURES) -> Card:
    """Return what somebody alone is shown of a hidden roll that they may see."""
    return Card(result(rolled, footer=Footer.SHORT, pictures=pictures), tone=Tone.SECRET)


def tone(rolled: RollResult) -> Tone:
    """Return a hidden roll's tone, and a check's by whether it is passed; a tie has none."""
    check, event = rolled.roll.check, rolled.event
    if event.visibility is not Visibility.PUBLIC:
        return Tone.SECRET
    if compared := compared_sum(rolled):
        return Tone.GOOD if compared[1].passes(compared[0].total) else Tone.BAD
    if check is None or event.target is not None or rolled.roll.names:
        return Tone.NONE
    total = int(summed(rolled.roll)[0])
    tie = check.contest and not check.margin(total)
    return Tone.NONE if tie else Tone.GOOD if check.passes(total) else Tone.BAD


def revealed(rolled: RollResult, by: int, pictures: Pictures = NO_PICTURES) -> Card:
    """Return the message that shows a hidden roll to everybody."""
    event = replace(rolled.event, visibility=Visibility.PUBLIC)
    told = "{who} reveals a roll of their own." if by == event.user_id else "{who} reveals {player}'s roll."
    told = say(told, who=mention(by), player=mention(event.user_id))
    shown = result(replace(rolled, event=event), footer=Footer.SHORT, named=True, pictures=pictures)
    seal = Small(say("{seal} when it was rolled; the button proves it", seal=sealed(event)))
    button = CardButton("check", event.at)
    return Card((Text(told), *shown[:-1], Beside((shown[-1], seal), button)))


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
    label = escape(" / ".join(names) or given_name(event.label))
    foot, came = provenance(rolled, footer), way(rolled, pictures)
    room = limit - sum(map(len, [*whose, label, came, foot])) - _NOTATION - 24
    shown = outcome_text(rolled, room, pictures, names, figures_only=figures_only)
    # Where the dice are drawn, are figures alone, or are but the total, their notation is said here.
    bare = not names and not any("(" in str(block) for block in shown)
    said_here = figures_only or (pictures and (bare or any(_DRAWN in str(block) for block in shown)))
    # What a sum is held against stands in the head.
    dice = _HELD.sub(r"\1", rolled.roll.text) if compared_sum(rolled) else rolled.roll.text
    notation = cut(dice, _NOTATION) if said_here else ""
    title = (Head(label),) if label and not names and len(outcomes) > 1 else ()
    said = [*whose, "" if title else label, notation, came, foot]
    return (*title, *shown, Small(" · ".join(filter(None, said))))


def provenance(rolled: RollResult, footer: Footer) -> str:
    """Return the roller's tag, the number, a hidden roll's seal, and the source of the bits.

    What `footer` leaves out is missing.
    """
    event, roll = rolled.event, rolled.roll
    full, secret = footer in {Footer.FULL, Footer.CHECKPOINTS}, event.visibility is not Visibility.PUBLIC
    parts: list[str] = []
    if roll.practice:
        told = phrase("for practice")
        if isinstance(roll.of, OfAccount):
            told = "**{roller}** for practice: only called checks count"
        elif isinstance(roll.of, OfRoller):
            told = "**{roller}** for practice, no memory"
        parts.append(say(told, roller=escape(roll.roller)))
    elif system := roll.of.system:
        parts += [f"**{escape(called(system, roll.roller))}**"] if roll.roller != REGISTER else []
        parts += [escape((tag if full else kind)(system))] if not isinstance(system, GameRoll) else []
        if isinstance(system, Destinator) and (throw := rolled.outcomes[0].throw):
            parts.append(say("slot {slots}", slots=both([*map(str, numbers(throw))])))
    parts += [luck(rolled)] if roll.stake else []
    if roll.d6_only and (sixes := [str(place + 1) for _, place in roll.draws]):
        parts.append(f"d6s {first_few(sixes, _SIXES)}")
    parts.append(event_number(event))
    parts.append(_pushes(event))
    if footer is not Footer.NUMBER:
        parts.append(bits(roll.source) if full else special(roll.source))
    if secret:
        # The seal is a promise to others, and the last thing to read.
        parts += [say(_TOLD[event.visibility]), seal_alone(event)]
    return " · ".join(part for part in parts if part)


_STANDS = phrase("Your roll stands ({number}), but Discord refused my answer.")
DEED_STANDS = phrase("What you did stands ({number}), but Discord refused my answer.")


def noted(text: str, event: Event, **values: object) -> str:
    """Return what an event says of its `{player}`, with its number as the small last line."""
    return f"{say(text, player=mention(event.user_id), **values)}\n{footnote(event)}"


def stands(event: Event, told: str = _STANDS) -> str:
    """Return what the asker is told where Discord refused to show what was done."""
    return say(told, number=event_number(event))


def hidden(event: Event) -> Card:
    """Return what everybody sees of a roll that is hidden from them."""
    blind = event.visibility is Visibility.BLIND
    rolled = "{player} rolled, for the GM's eyes." if blind else "{player} rolled, hidden."
    foot = " · ".join(filter(None, (sealed(event), special(event.roll.source))))
    told = Text(say(rolled, player=mention(event.user_id))), Small(foot)
    return Card(told, (CardButton("look", event.at), CardButton("reveal", event.at)))


def brief(event: Event, faces: int = 120, named: int = 60) -> str:
    """Return the faces and the dice, "**17** (`2d6+3`)", each cut to so many characters."""
    roll, values = event.roll, {"dc": 0, "number": event.roll.versus}
    system = roll.of.system
    dice = f"{called(system, roll.dice)}{added(roll.rest, roll.plus)}"
    if roll.check and (roll.versus or not roll.check.contest):
        values["dc"] = roll.check.dc
        dice = say("{dice} vs {dc} of #{number}" if roll.versus else "{dice} vs {dc}", dice=dice, **values)
    said = [
        code(dice, named),
        code(roll.roller, named) if isinstance(roll.of, OfAccount) else "",
        _pushes(event),
        bits(roll.source) if roll.source is Source.PHYSICAL else "",
    ]
    came = [face(system, each) for each in summed(roll)]
    return f"**{listed(came, faces)}** ({', '.join(filter(None, said))})"


def special(source: Source | None) -> str:
    """Return where bits came from, if it is worth saying unasked: "true-random"."""
    return say(_SOURCES.get(source, "")) if source else ""


def _pushes(event: Event) -> str:
    return say("pushes #{number}", number=event.roll.pushes) if event.roll.pushes else ""


def _late(event: Event) -> str:
    if isinstance(event.body, HistoryRestored):
        return put_back(event)
    return say(
        "{number} of {player}, {when}: {roll}. It was rolled, but Discord did not take the reply.",
        number=event_number(event),
        player=mention(event.user_id),
        when=f"<t:{int(event.time)}:t>",
        roll=brief(event, 60, 40) if event.visibility is Visibility.PUBLIC else say("a hidden roll"),
    )


def which_dice(dice: Choosable) -> str:
    """Return the question above the dice that a player may choose."""
    if dice.keep:
        return say("Which dice do you keep? Choose up to {most}. The others go.", most=dice.keep)
    return say("Which dice do you throw again?")

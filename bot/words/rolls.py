"""The card of a roll: the result, the dice behind it, and a small line with its provenance."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from bot.campaign.adjustments import added
from bot.campaign.campaigns import REGISTER, Footer
from bot.campaign.choosing import Choosable
from bot.campaign.events import Event, HistoryRestored, Rolled
from bot.campaign.kinds import Visibility
from bot.campaign.replay import RollResult, read_roll, result_totals
from bot.campaign.rolled import OfAccount, OfDice, OfRoller
from bot.dice.choices import beside_faces, named_faces
from bot.dice.draws import ReplayError, Source
from bot.dice.names import clean
from bot.dice.throws import Unit
from bot.record.checkpoint import Checkpoint
from bot.systems.destinator import Destinator, numbers
from bot.systems.fair import Fair
from bot.systems.game import GameRoll
from bot.words.cards import Beside, Block, Card, CardButton, Head, Small, Text, Tone, Wording
from bot.words.checks import COMPARED, compared_sum, contested, luck
from bot.words.games import face, roller_name
from bot.words.outcomes import MOST_DRAWN, face_names, named_results, outcome_text, way
from bot.words.saying import TEXTS, join_with_and, phrase, say
from bot.words.systems import kind, tag
from bot.words.text import (
    MESSAGE_LIMIT,
    NO_PICTURES,
    Pictures,
    bits,
    clean_name,
    code,
    cut,
    escape,
    event_number,
    first_few,
    footnote,
    listed,
    mention,
    put_back,
    seal_alone,
    sealed,
)

_RESULT_LIMIT = 1_900
_NOTATION = 60
_OFFERED, _LABEL, _SIXES = 20, 80, 12
"""Most cards of an offer with a button, most characters on it, and most raw d6s shown."""
_DRAWN = "<:d"


PROVED = phrase(
    "The roll, and its path to the campaign's root. `evenhand verify` checks the file. Give it the "
    "first seal as `--seal`, and a checkpoint that you kept as `--checkpoint`."
)


class RollReply(NamedTuple):
    """A roll, and what its reply shows beside it."""

    rolled: RollResult
    late: Sequence[Event] = ()
    """Earlier events whose replies were lost, at most three."""
    checkpoint: Checkpoint | None = None
    """The log's checkpoint, if the reply is to show it."""
    pushable: bool = False
    """Whether the game lets a push follow the roll."""
    choosable: bool = False
    """Whether the game lets the player choose dice of the roll."""


def answer(
    reply: RollReply,
    footer: Footer = Footer.SHORT,
    *,
    has_name: bool = False,
    pictures: Pictures = NO_PICTURES,
) -> Card:
    """Return the reply to a roll, with a line for each late event, and the checkpoint as the last one.

    With `has_name` Discord shows the player's name.
    """
    rolled, late, checkpoint, pushable, choosable = reply
    event, roll = rolled.event, rolled.roll
    lines = [_late(earlier) for earlier in late]
    if checkpoint and (footer is Footer.CHECKPOINTS or roll.source is Source.KEYED):
        lines.append(say("Checkpoint: {line}", line=code(checkpoint.line)))
    room = min(_RESULT_LIMIT, MESSAGE_LIMIT - sum(len(line) + 4 for line in lines))
    at, public = event.at, event.visibility is Visibility.PUBLIC
    buttons = [] if public else [CardButton("reveal", at)]
    offered = roll.results[:_OFFERED] if roll.offer else ()
    if public and not offered:
        # The bot can't throw somebody's own dice again.
        if roll.source is not Source.PHYSICAL:
            buttons += [CardButton("again", at), *([CardButton("own-dice", at)] if roll.check else [])]
        is_fair = isinstance(roll.of.system, Fair) and not roll.practice
        buttons += [CardButton("counts", (event.campaign_id, event.roller))] if is_fair else []
    buttons += [CardButton("push", at)] if pushable else []
    buttons += [CardButton("choose-dice", at)] if choosable else []
    taking = [CardButton("take", (*at, n), clean(card, _LABEL)) for n, card in enumerate(offered)]
    blocks: tuple[Block, ...] = result(rolled, room, footer, has_name=has_name, pictures=pictures)
    if buttons and not offered:
        blocks, buttons = (Beside(blocks, buttons[0]),), buttons[1:]
    below = [Small("\n".join(lines))] if lines else []
    return Card((*blocks, *below), (*buttons, *taking), tone(rolled))


def hidden_result(rolled: RollResult, pictures: Pictures = NO_PICTURES) -> Card:
    """Return the private card of a hidden roll for somebody who may see it."""
    return Card(result(rolled, footer=Footer.SHORT, pictures=pictures), tone=Tone.SECRET)


def tone(rolled: RollResult) -> Tone:
    """Return the tone: secret if hidden, good or bad for checks and games, none for ties and others."""
    check, event, system = rolled.roll.check, rolled.event, rolled.roll.of.system
    if event.visibility is not Visibility.PUBLIC:
        return Tone.SECRET
    if compared := compared_sum(rolled):
        return Tone.GOOD if compared.terms.passes(compared.throw.total) else Tone.BAD
    if event.target is not None or rolled.roll.names:
        return Tone.NONE
    if check is None:
        results = rolled.roll.results
        passed = system.passed(results[0]) if isinstance(system, GameRoll) and len(results) == 1 else None
        return Tone.NONE if passed is None else Tone.GOOD if passed else Tone.BAD
    total = int(result_totals(rolled.roll)[0])
    is_tie = check.contest and not check.margin(total)
    return Tone.NONE if is_tie else Tone.GOOD if check.passes(total) else Tone.BAD


def revealed(rolled: RollResult, by: int, pictures: Pictures = NO_PICTURES) -> Card:
    """Return the public card of a revealed roll."""
    event = replace(rolled.event, visibility=Visibility.PUBLIC)
    text = "{who} reveals a roll of their own." if by == event.user_id else "{who} reveals {player}'s roll."
    text = say(text, who=mention(by), player=mention(event.user_id))
    blocks = result(replace(rolled, event=event), footer=Footer.SHORT, has_name=True, pictures=pictures)
    seal = Small(say("{seal} when it was rolled; the button proves it", seal=sealed(event)))
    button = CardButton("check", event.at)
    return Card((Text(text), *blocks[:-1], Beside((blocks[-1], seal), button)))


def result(
    rolled: RollResult,
    limit: int = _RESULT_LIMIT,
    footer: Footer = Footer.FULL,
    *,
    has_name: bool = False,
    pictures: Pictures = NO_PICTURES,
) -> tuple[Wording, ...]:
    """Return the result, a row for each of several rolls, and the provenance; up to 12 dice are pictures.

    It has at most `limit` characters, 1,200 or more. With `has_name` Discord shows the player's name.
    """
    event, outcomes = rolled.event, rolled.outcomes
    throws = filter(None, (outcome.throw for outcome in outcomes))
    too_many = sum(len(pool.dice) for throw in throws for pool in throw.pools) > MOST_DRAWN
    figures_only = bool(pictures) and too_many and len(outcomes) > 1
    pictures = NO_PICTURES if too_many else pictures
    has_player = event.user_id and not (has_name and footer in {Footer.SHORT, Footer.NUMBER})
    player = [mention(event.user_id) if has_player else "", escape(event.character)]
    names = face_names(rolled)
    label = " · ".join(filter(None, [escape(own_label(event)), escape(" / ".join(names))]))
    foot, path = provenance(rolled, footer), way(rolled, pictures)
    room = limit - sum(map(len, [*player, label, path, foot])) - _NOTATION - 24
    blocks = outcome_text(rolled, room, pictures, names, figures_only=figures_only)
    # The blocks lack the notation if the dice are pictures, figures alone, or only the total.
    bare = not names and not any("(" in str(block) for block in blocks)
    has_notation = figures_only or (pictures and (bare or any(_DRAWN in str(block) for block in blocks)))
    # The head has the number that a sum is compared with.
    dice = COMPARED.sub(r"\1\2\3", rolled.roll.text) if compared_sum(rolled) else rolled.roll.text
    notation = cut(dice, _NOTATION) if has_notation else ""
    title = (Head(label),) if label and not names and len(outcomes) > 1 else ()
    parts = [*player, "" if title else label, notation, path, foot]
    return (*title, *blocks, Small(" · ".join(filter(None, parts))))


def provenance(rolled: RollResult, footer: Footer) -> str:
    """Return the roller's tag, the number, a hidden roll's seal and the source, as `footer` says."""
    event, roll = rolled.event, rolled.roll
    is_full = footer in {Footer.FULL, Footer.CHECKPOINTS}
    parts: list[str] = []
    if roll.practice:
        text = phrase("for practice")
        if isinstance(roll.of, OfAccount):
            text = "**{roller}** for practice: only called checks count"
        elif isinstance(roll.of, OfRoller):
            text = "**{roller}** for practice, no memory"
        parts.append(say(text, roller=escape(roll.roller)))
    elif system := roll.of.system:
        parts += [f"**{escape(roller_name(system, roll.roller))}**"] if roll.roller != REGISTER else []
        parts += [escape((tag if is_full else kind)(system))] if not isinstance(system, GameRoll) else []
        if isinstance(system, Destinator) and (throw := rolled.outcomes[0].throw):
            parts.append(say("slot {slots}", slots=join_with_and([*map(str, numbers(throw))])))
    parts += [luck(rolled)] if roll.stake else []
    if roll.d6_only and (sixes := [str(index + 1) for _, index in roll.draws]):
        parts.append(f"d6s {first_few(sixes, _SIXES)}")
    parts.append(event_number(event))
    parts += [say("undone, so it doesn't count")] if rolled.undone else []
    parts.append(_pushes(event))
    if footer is not Footer.NUMBER:
        parts.append(bits(roll.source) if is_full else special(roll.source))
    if event.visibility is not Visibility.PUBLIC:
        # The seal is a commitment for others, so it comes last.
        parts += [say(TEXTS["audiences"][event.visibility]), seal_alone(event)]
    return " · ".join(part for part in parts if part)


_ROLL_STANDS = phrase("Your roll stands ({number}), but Discord refused my answer.")
DEED_STANDS = phrase("What you did stands ({number}), but Discord refused my answer.")


def event_line(text: str, event: Event, **values: object) -> str:
    """Return a text about an event's `{player}`, with the event's number as the small last line."""
    return f"{say(text, player=mention(event.user_id), **values)}\n{footnote(event)}"


def stands(event: Event, text: str = _ROLL_STANDS) -> str:
    """Return the message that an event is recorded although Discord refused the answer."""
    return say(text, number=event_number(event))


def hidden(event: Event) -> Card:
    """Return the public card of a hidden roll."""
    is_blind = event.visibility is Visibility.BLIND
    text = "{player} rolled, for the GM's eyes." if is_blind else "{player} rolled, hidden."
    foot = " · ".join(filter(None, (sealed(event), special(event.roll.source))))
    blocks = Text(say(text, player=mention(event.user_id))), Small(foot)
    return Card(blocks, (CardButton("look", event.at), CardButton("reveal", event.at)))


def brief(event: Event, faces_limit: int = 120, name_limit: int = 60) -> str:
    """Return the faces and the dice, "**17** (`2d6+3`)", each cut to its limit of characters."""
    roll, values = event.roll, {"dc": 0, "number": event.roll.versus}
    system = roll.of.system
    dice = f"{roller_name(system, roll.dice)}{added(roll.rest, roll.plus)}"
    if roll.check and (roll.versus or not roll.check.contest):
        values["dc"] = roll.check.dc
        aim = "{dice} at most {dc}" if roll.check.under else "{dice} vs {dc}"
        dice = say("{dice} vs {dc} of #{number}" if roll.versus else aim, dice=dice, **values)
    contest, aimed = " vs " in roll.text, isinstance(roll.of, OfDice) and COMPARED.search(roll.dice)
    # Dice are read from the record, in vain for most rolls.
    rolled = _read_whole(event) if contest or aimed else None
    compared = compared_sum(rolled) if rolled and aimed else None
    totals = [str(compared.throw.total)] if compared else result_totals(roll)
    if compared and not compared.terms.under:
        dice = say("{dice} vs {dc}", dice=COMPARED.sub(r"\1\2\3", dice), dc=compared.terms.dc)
    account = code(roll.roller, name_limit) if isinstance(roll.of, OfAccount) else ""
    source = bits(roll.source) if roll.source is Source.PHYSICAL else ""
    practice = say("for practice") if roll.practice else ""
    details = ", ".join(filter(None, (code(dice, name_limit), account, practice, _pushes(event), source)))
    throws = [outcome.throw for outcome in rolled.outcomes] if rolled and contest else []
    if throws and all(throw and throw.unit is Unit.MARGIN for throw in throws):
        totals = [contested(int(total)) for total in totals]
    results = results_by_name(event) or [face(system, name) for name in totals]
    return f"**{listed(results, faces_limit)}** ({details})"


def _read_whole(event: Event) -> RollResult | None:
    """Return a roll with its dice; None if its record is damaged, which is shown as it is."""
    with suppress(ReplayError):
        return read_roll(event)
    return None


def results_by_name(event: Event) -> list[str]:
    """Return the results of a coin, a choice or named faces by their names; none for other rolls."""
    rolled = _read_whole(event) if event.label and named_faces(event.label) else None
    return named_results(rolled, face_names(rolled)) if rolled else []


def own_label(event: Event) -> str:
    """Return the label of a roll or a call without the names of faces."""
    label = clean_name(event.label or "")
    is_named = isinstance(event.body, Rolled) and results_by_name(event)
    return beside_faces(label) if is_named else beside_faces(label) or label


def special(source: Source | None) -> str:
    """Return the source of the bits if it is always shown: "true-random"; else ""."""
    return say(TEXTS["sources"].get(source, ""))


def _pushes(event: Event) -> str:
    return say("pushes #{number}", number=event.roll.pushes) if event.roll.pushes else ""


def _late(event: Event) -> str:
    if isinstance(event.body, HistoryRestored):
        return put_back(event)
    text = "{number} of {player}, {when}: {roll}. It was rolled, but its reply may be lost."
    number, player, when = event_number(event), mention(event.user_id), f"<t:{int(event.time)}:t>"
    roll = brief(event, 60, 40) if event.visibility is Visibility.PUBLIC else say("a hidden roll")
    return say(text, number=number, player=player, when=when, roll=roll)


def which_dice(dice: Choosable) -> str:
    """Return the question above the dice that a player may choose."""
    if dice.keep:
        return say("Which dice do you keep? Choose up to {most}. The others go.", most=dice.keep)
    if dice.most < len(dice.free):
        return say("Which dice do you throw again? Choose up to {most}.", most=dice.most)
    return say("Which dice do you throw again?")

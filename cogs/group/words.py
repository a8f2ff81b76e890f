"""The words of /group: the message that fills in, the GM's panel, and what a player is told."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.campaign.call_terms import Form, Rule, Terms
from bot.campaign.calls import Call, Standing
from bot.campaign.campaigns import Footer, Looks, Remembers
from bot.campaign.kinds import Visibility
from bot.campaign.replay import CallEntry, RollResult, read_roll
from bot.campaign.turns import Turn, entry_at, tied
from bot.services.calls import Pressed
from bot.words.cards import (
    CARD_LIMIT,
    Block,
    Card,
    CardButton,
    CardRow,
    CardRows,
    Divider,
    Head,
    Small,
    Text,
    Tone,
    drawn,
    said,
)
from bot.words.checks import luck, met
from bot.words.outcomes import MOST_DRAWN, made, thrown
from bot.words.rolls import result, special
from bot.words.saying import say
from bot.words.text import (
    MESSAGE_LIMIT,
    NO_PICTURES,
    Pictures,
    capital,
    code,
    cut,
    dice,
    escape,
    fitted,
    listed,
    mention,
    natural,
    number,
    pictured,
    plural,
    sealed,
    successes,
)
from cogs.group.verdicts import YES_OR_NO, figures, summary

_FEWER = {Visibility.GM: "each sees their own, the GM all", Visibility.BLIND: "for the GM alone"}
_MISSING_SHOWN, _CALLED_SHOWN = 400, 1_300
_NAMES_SHOWN = 1_000
_BETWEEN, _FRAME = 3, 60
"""Characters between two rows, and what may stand around the rows of a board that goes on."""
_DICE, _FACES, _NAME = 60, 60, 32
_DICE_ROWS = 60
"""Dice are thrown again from the record, which is in vain where there is no room for them."""


def boards(
    standing: Standing, buttons: Sequence[CardButton] = (), pictures: Pictures = NO_PICTURES
) -> tuple[Card, *tuple[Card, ...]]:
    """Return the message that fills in, and those that go on with it where there is no room for all."""
    limit = CARD_LIMIT if standing.rules.looks is Looks.CARDS else MESSAGE_LIMIT
    rows = _rows(standing, pictures, seen=False)
    first = _board(standing, [], buttons)
    title, room = Head(_title(standing.call)), limit - _FRAME
    above = sum(len(str(block)) + 1 for block in first.blocks)
    pages = _pages(rows, room - above, room - len(str(title)))
    if len(pages) == 1:
        return (_board(standing, rows, buttons),)
    places = [say("{place} of {count}", place=n, count=len(pages)) for n in range(1, len(pages) + 1)]
    first = _board(standing, pages[0], buttons, place=places[0])
    event = number(standing.call.event)
    rest = (
        Card((title, Divider(), _listed(standing, page), Small(f"{event} · {place}")), (), first.tone)
        for page, place in zip(pages[1:], places[1:], strict=True)
    )
    return (first, *rest)


def _pages(rows: Sequence[CardRow], first: int, room: int) -> list[Sequence[CardRow]]:
    """Return rows in parts of so many characters, at the least that a row takes."""
    starts, left = [0], first
    for place, row in enumerate(rows):
        length = len(row.line(dice=False, verdict=False)) + _BETWEEN
        if length > left and place > starts[-1]:
            starts.append(place)
            left = room
        left -= length
    return [rows[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]


def _board(
    standing: Standing,
    rows: Sequence[CardRow],
    buttons: Sequence[CardButton],
    *,
    seen: bool = False,
    place: str = "",
    room: int = CARD_LIMIT,
) -> Card:
    """Return the message with these rows; `seen` tells what is hidden from the table, to a game master."""
    call = standing.call
    title, *lines = _head(standing)
    body = [*([_listed(standing, rows, room)] if rows else ()), *_waiting(standing)]
    result = _result(standing, seen=seen)
    blocks: list[Block] = [title, *([Text("\n".join(lines))] if lines else ())]
    blocks += [Divider(), *body] if body else []
    blocks += [Divider(), *result] if result else []
    if not standing.cancelled:
        blocks.append(Small("\n".join(_foot(standing, place))))
    verdict = standing.verdict.passed if call.terms.form is Form.CHECK and (call.shown or seen) else None
    over = standing.complete or not standing.is_open
    tone = Tone.QUIET if verdict is None or not over else Tone.GOOD if verdict else Tone.BAD
    return Card((*blocks,), (*buttons,), tone)


def board_buttons(standing: Standing) -> list[CardButton]:
    """Return the buttons that suit a call as it stands."""
    event, form = standing.call.event, standing.call.terms.form
    at = event.campaign_id, event.seq
    buttons: list[CardButton] = []
    if form is Form.DEAL:
        buttons.append(CardButton("call-hand", at))
    elif not standing.cancelled and standing.is_open:
        # Who has rolled sees their roll again, so it stays a button, and is grey once all have.
        roll = CardButton(
            "call-ask" if standing.call.asks else "call-roll",
            at,
            style="secondary" if standing.complete else "",
        )
        buttons += [roll, CardButton("call-with", at), CardButton("call-own-dice", at)]
    elif not standing.cancelled:
        buttons.append(CardButton("call-mine", at))
    if chartable(standing):
        buttons.append(CardButton("call-chart", at))
    buttons.append(CardButton("call-lead", at))
    # What comes later comes last: a button that moves is pressed by mistake.
    if form is Form.INITIATIVE and standing.call.entries and not standing.cancelled:
        passed = standing.turn.passed if standing.turn else 0
        buttons += [
            CardButton(name, (*at, passed)) for name in ("call-next", "call-delay")[: 1 + bool(passed)]
        ]
    return buttons


def chartable(standing: Standing, least: int = 2) -> bool:
    """Return whether a check is over and open to all, with at least so many totals."""
    call = standing.call
    over = standing.complete or not standing.is_open
    totals = sum(entry.total is not None for entry in call.entries)
    check = call.terms.form is Form.CHECK and call.shown and not standing.cancelled
    return check and over and totals >= least


def pressed(answer: Pressed, buttons: Sequence[CardButton] = (), pictures: Pictures = NO_PICTURES) -> Card:
    """Return what a player is told alone: their roll, and how it meets the DC."""
    again: tuple[Text, ...] = ()
    if answer.again:
        dealt = answer.terms.form is Form.DEAL
        again = (Text("You were dealt these:" if dealt else "You already rolled:"),)
    if answer.terms.visibility is Visibility.BLIND:
        told = Text(f"Rolled. Only the GM sees it ({number(answer.rolled.event)}).")
        return Card((*again, told), tone=Tone.SECRET)
    *shown, foot = result(answer.rolled, MESSAGE_LIMIT - 200, Footer.SHORT, named=True, pictures=pictures)
    met_dc = outcome(answer.entry, answer.terms)
    told = [Text(f"**{capital(met_dc)}**")] if met_dc else []
    tone = Tone.SECRET
    if met_dc and answer.terms.check and answer.entry.total is not None:
        tone = Tone.GOOD if answer.terms.check.passes(answer.entry.total) else Tone.BAD
    return Card((*again, *shown, *told, foot), (*buttons,), tone)


def reminder(standing: Standing) -> str:
    """Return the reminder for those who are missing."""
    role = standing.call.terms.role
    missing = _missing(standing, _CALLED_SHOWN) or (f"<@&{role}>" if role else "")
    ends = f"<t:{(standing.call.deadline or 0) // 1000}:R>"
    return f"{missing or 'Still open'}: {_name(standing.call)} closes {ends}."


def also_called(standing: Standing, told: str) -> str:
    """Return the message for those who are missing and for whom there was no room in what was said."""
    rest = [whom for user_id in standing.missing if (whom := mention(user_id)) not in told]
    return f"Called too: {', '.join(rest)}." if rest else ""


def your_turn(standing: Standing, user_id: int) -> str:
    """Return the message that calls whose turn it is."""
    return f"{mention(user_id)}, it is your turn in {_name(standing.call)}."


def you_are_called(standing: Standing, players: Sequence[int]) -> str:
    """Return the message for those who were chosen after the call was opened."""
    names = [mention(user_id) for user_id in players]
    return f"{', '.join(names)}: {_name(standing.call)} waits for {'you' if len(names) == 1 else 'you all'}."


def headline(standing: Standing) -> tuple[str, str, str]:
    """Return a check's name, its verdict ("" for none), and its dice and figures, without markup."""
    call, terms, verdict = standing.call, standing.call.terms, standing.verdict
    came = "" if verdict.passed is None else f"the group {'succeeds' if verdict.passed else 'fails'}"
    # Where the rule is one of yes and no, its name is needed; elsewhere the figures say it.
    asked = terms if terms.rule in YES_OR_NO else replace(terms, rule=Rule.EACH)
    said = [_what(call, asked).replace("`", ""), figures(terms, verdict)]
    return call.event.label or "Everybody rolls", came, ": ".join(part for part in said if part)


def lacking(permissions: Sequence[str]) -> str:
    """Return what a game master is told alone where the bot lacks permissions."""
    what = "keep this message up to date" if "View Channel" in permissions else "remind those who are missing"
    return f"I can't {what} unless I get {' and '.join(permissions)} in this channel."


def panel(standing: Standing, pictures: Pictures = NO_PICTURES) -> Card:
    """Return how a call stands for a game master, with what is hidden from the others."""
    call = standing.call
    at = call.event.campaign_id, call.event.seq
    # Hands are their owners' own.
    seen = call.terms.visibility is not Visibility.SELF
    names: list[str] = []
    if standing.is_open and standing.missing:
        names.append("call-missing")
    if standing.is_open and call.terms.form is not Form.DEAL:
        names.append("call-names")
    if not call.shown and seen:
        names.append("call-reveal")
    if call.terms.form is Form.INITIATIVE and call.entries:
        names.append("call-order")
    names.append("call-close" if standing.is_open else "call-reopen")
    if not standing.cancelled:
        names.append("call-off")
    rows = _rows(standing, pictures, seen=seen)
    card = _board(standing, rows, [CardButton(name, at) for name in names], seen=seen, room=_NAMES_SHOWN)
    told = (Text("What is hidden from the others is shown to you."),) if seen and not call.shown else ()
    return replace(card, blocks=(*told, *card.blocks))


def confirm_off(call: Call) -> Card:
    """Return the question before a call is called off."""
    at = call.event.campaign_id, call.event.seq
    asked = f"Call off **{escape(call.event.label or 'this roll')}**? What was rolled stays in the history."
    return said(asked, CardButton("call-cancel", at), CardButton("call-panel", at))


def _head(standing: Standing) -> tuple[Head, *tuple[str, ...]]:
    """Return a call's name with what is asked, and what else there is to know before anybody rolls."""
    call, terms = standing.call, standing.call.terms
    asked = [_what(call, terms)]
    if terms.hold and not call.shown:
        asked.append(f"held until {'all are in' if standing.seats else 'it is closed'}")
    elif terms.form is Form.DEAL:
        asked.append("for their own eyes")
    elif not call.shown:
        asked.append(f"hidden: {_FEWER[terms.visibility]}")
    # A hand is always of one shared deck.
    if terms.whose and terms.form is not Form.DEAL:
        asked.append(
            "one memory for the table" if terms.whose is Remembers.TABLE else "everybody's own memory"
        )
    if terms.role:
        asked.append(f"for <@&{terms.role}>")
    lines: list[str] = []
    if standing.is_open and terms.named and not (terms.role or standing.seats):
        lines.append("Nobody is called yet: the game master chooses who.")
    if standing.is_open and call.deadline and not standing.complete:
        lines.append(f"Closes <t:{call.deadline // 1000}:R>.")
    return (Head(_title(call), aside=", ".join(asked)), *lines)


def _title(call: Call) -> str:
    usual = {Form.CHECK: "Everybody rolls", Form.DEAL: "Hand", Form.INITIATIVE: "Initiative"}
    return escape(call.event.label or usual[call.terms.form])


def at_place(standing: Standing, entry: CallEntry) -> str:
    """Return an entry of an initiative for a game master, who does something with it."""
    return _turn(standing, entry, standing.at_turn).line()


def in_order(entry: CallEntry) -> str:
    """Return an entry of an initiative in a list, without markup."""
    event = entry.event
    return f"{entry.name or event.character or f'#{event.seq}'}: {entry.total}"


CHOOSE_PLACE = "Whose place in the order?"


def _name(call: Call) -> str:
    return f"**{_title(call)}**"


def _what(call: Call, terms: Terms) -> str:
    dice = code(call.dice) + (f" on {code(call.account)}" if call.account else "")
    if terms.form is Form.DEAL:
        return f"{plural(terms.cards, 'card')} of {dice} each"
    if terms.form is Form.INITIATIVE or terms.dc is None:
        return f"{dice}{_rule(terms)}"
    how = f", at most {terms.dc} passes" if terms.under else f" against DC {terms.dc}"
    return f"{dice}{how}{_rule(terms)}"


def _rule(terms: Terms) -> str:
    match terms.rule:
        case Rule.EACH:
            return ""
        case Rule.HALF:
            return ", at least half must pass"
        case Rule.ALL:
            return ", all must pass"
        case Rule.ANY:
            return ", one who passes is enough"
        case Rule.SUCCESSES:
            return f", {successes(terms.needed)} needed"
        case _:
            return f", the {terms.rule} counts"


def _rows(standing: Standing, pictures: Pictures, *, seen: bool) -> Sequence[CardRow]:
    """Return the rolls, as far as they may be seen: else who has rolled."""
    call = standing.call
    if not (call.shown or seen):
        return [CardRow(who) for who in dict.fromkeys(map(_who, call.entries))]
    return [*(_turns if call.terms.form is Form.INITIATIVE else _rolls)(standing, pictures)]


def _listed(standing: Standing, rows: Sequence[CardRow], room: int = CARD_LIMIT) -> Block:
    """Return rolls as rows, or in a text who has rolled."""
    if any(row.total for row in rows):
        return CardRows((*rows,))
    done, names = "Dealt" if standing.call.terms.form is Form.DEAL else "Rolled", [row.who for row in rows]
    return Text(f"{done}: {fitted([', '.join(names)], names, ', ', room)}")


def _waiting(standing: Standing) -> list[Block]:
    """Return who is missing."""
    if not standing.missing or standing.cancelled:
        return []
    # Who is mentioned here hears of the call, and before anybody rolled there is room for all.
    shown = _MISSING_SHOWN if standing.call.entries else _CALLED_SHOWN
    word = "Missing" if standing.is_open else "Did not roll"
    return [Text(f"{word}: {_missing(standing, shown)}")]


def _result(standing: Standing, *, seen: bool) -> list[Block]:
    """Return what came of it so far, and that it is over."""
    call, order = standing.call, standing.call.terms.form is Form.INITIATIVE
    if standing.cancelled:
        return [Text("Cancelled. What was rolled stays in the history.")]
    lines = [summary(standing, over=standing.complete or not standing.is_open)] if call.shown or seen else []
    if order and standing.turn and standing.turn.round:
        lines.append(_round(standing, standing.turn))
    if not standing.is_open:
        lines.append("Closed to newcomers." if order else "Closed.")
    elif standing.complete:
        lines.append("All in.")
    said = "\n".join(filter(None, lines))
    return [Text(said)] if said else []


def _foot(standing: Standing, place: str) -> list[str]:
    call = standing.call
    sources = sorted({special(entry.event.roll.source) for entry in call.entries})
    said = [number(call.event), f"called by {mention(call.event.user_id)}", *sources, place]
    lines = [" · ".join(filter(None, said))]
    if call.entries and not call.shown:
        newest = max((entry.event for entry in call.entries), key=lambda event: event.seq)
        lines.append(f"The newest roll: {sealed(newest)}")
    return lines


def _round(standing: Standing, turn: Turn) -> str:
    """Return the round, and whose turn it is; a long order may not show it."""
    now = standing.at_turn
    return f"Round {turn.round}: {_who(now)}'s turn." if now else f"Round {turn.round}."


def _missing(standing: Standing, room: int) -> str:
    names = [mention(user_id) for user_id in standing.missing]
    return fitted([", ".join(names)], names, ", ", room)


def _rolls(standing: Standing, pictures: Pictures) -> Iterator[CardRow]:
    """Yield a row for each roll, the best first; rolls that are cards stay in their order."""
    terms, entries = standing.call.terms, standing.call.entries
    best = sorted(entries, key=lambda e: e.total or 0, reverse=not terms.under)
    for entry in best:
        dice, natural = _dice(entry, pictures) if len(entries) <= _DICE_ROWS else ("", "")
        said = [natural, outcome(entry, terms), luck(RollResult(entry.event, (), entry.account))]
        said.append("rolled by the GM" if entry.absent else "")
        said.append(special(entry.event.roll.source) if entry.event.roll.thrown else "")
        passed = terms.check.passes(entry.total) if terms.check and entry.total is not None else None
        yield CardRow(_who(entry), _total(entry), dice, " · ".join(filter(None, said)), passed)


def _turns(standing: Standing, pictures: Pictures) -> Iterator[CardRow]:
    """Yield the order of an initiative, with a mark at whose turn it is."""
    ordered, now = standing.order, standing.at_turn
    ties = tied(ordered)
    for entry in ordered:
        dice, natural = _dice(entry, pictures) if len(ordered) <= _DICE_ROWS else ("", "")
        tie = f"tie, drew {entry.lot:,}" if entry.total in ties else ""
        yield _turn(standing, entry, now, dice, natural, tie)


def _turn(standing: Standing, entry: CallEntry, now: CallEntry | None, dice: str = "", *said: str) -> CardRow:
    note = escape(standing.notes.get(entry_at(entry), ""))
    who, told = _who(entry), " · ".join(filter(None, (*said, note)))
    if standing.turn and entry_at(entry) in standing.turn.out:
        return CardRow(f"~~{who} **{_total(entry)}**~~ (out)", verdict=told)
    return CardRow(f"➤ {who}" if entry is now else who, _total(entry), dice, told)


def _who(entry: CallEntry) -> str:
    """Return whose roll it is: a mention, or the name that the game master gave."""
    if entry.name:
        return cut(entry.name, _NAME)
    character = entry.event.character
    return f"**{escape(character)}** {mention(entry.user_id)}" if character else mention(entry.user_id)


def outcome(entry: CallEntry, terms: Terms) -> str:
    """Return whether a roll meets the DC, and by how much; "" where no single roll is held against one."""
    if entry.total is None or terms.check is None or terms.rule is Rule.SUM:
        return ""
    return met(terms.check, entry.total)


def _total(entry: CallEntry) -> str:
    return listed(entry.faces, _FACES) if entry.total is None else str(entry.total)


def _dice(entry: CallEntry, pictures: Pictures) -> tuple[str, str]:
    """Return a roll's dice, up to twelve of them drawn, and a natural 20 or 1."""
    outcomes, roll = read_roll(entry.event).outcomes, entry.event.roll
    if sums := made(roll, (thrown(outcome, pictures) for outcome in outcomes)):
        return (sums if drawn(sums[0]) else made(roll, roll.results))[entry.place], ""
    throw = outcomes[entry.place].throw
    if throw is None:
        return "", ""
    shown = "" if sum(len(pool.dice) for pool in throw.pools) > MOST_DRAWN else pictured(throw, pictures)
    said = natural(throw)
    return shown or dice(throw, _DICE), f"**{said}**" if said else ""

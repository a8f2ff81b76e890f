"""Texts and cards of /group: the board of a call, the game master's panel, and a player's answer."""

from collections.abc import Sequence
from dataclasses import replace

from bot.campaign.call_terms import Form, Rule, Terms
from bot.campaign.calls import Call, Standing
from bot.campaign.campaigns import Footer, Looks, Remembers
from bot.campaign.kinds import Visibility
from bot.dice.choices import beside_faces, named_faces
from bot.services.calls import CallAnswer
from bot.words.cards import (
    CARD_LIMIT,
    Beside,
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
    Wording,
    text_card,
)
from bot.words.games import without_game
from bot.words.rolls import own_label, result, special
from bot.words.saying import phrase, read_table, say, say_many, with_heading
from bot.words.text import (
    MESSAGE_LIMIT,
    NO_PICTURES,
    Pictures,
    capital,
    clean_name,
    code,
    escape,
    event_number,
    fitted,
    mention,
    sealed,
)
from cogs.group.entries import YES_OR_NO, against_dc, entry_name, figures, rows, summary

_TEXTS = read_table(__file__, "texts")
_CHART = "call-chart"
_MISSING_SHOWN, CALLED_SHOWN = 400, 1_300
_BETWEEN, _FRAME = 3, 60
"""Characters between two rows, and around the rows of a board's further pages."""


def boards(standing: Standing, pictures: Pictures = NO_PICTURES) -> tuple[Card, *tuple[Card, ...]]:
    """Return the board of a call with its buttons, and further pages if it is too long for one message."""
    return _whole(standing, rows(standing, pictures, show_hidden=False), board_buttons(standing))


def _whole(
    standing: Standing,
    entries: Sequence[CardRow],
    buttons: Sequence[CardButton],
    *,
    show_hidden: bool = False,
) -> tuple[Card, *tuple[Card, ...]]:
    """Return the board with these rows, in one message or more; `show_hidden` as for `_board`."""
    limit = CARD_LIMIT if standing.rules.looks is Looks.CARDS else MESSAGE_LIMIT
    listed = _listed(standing, entries) if entries else None
    first = _board(standing, listed, buttons, show_hidden=show_hidden)
    title, room = Head(_title(standing.call)), limit - _FRAME
    above = sum(len(str(block)) + 1 for block in first.blocks if block is not listed)
    pages = _pages(entries, room - above, room - len(str(title)))
    if len(pages) == 1:
        return (first,)
    places = [say("{place} of {count}", place=n, count=len(pages)) for n in range(1, len(pages) + 1)]
    listed = _listed(standing, pages[0])
    first = _board(standing, listed, buttons, show_hidden=show_hidden, place=places[0])
    event = event_number(standing.call.event)
    rest = (
        Card((title, Divider(), _listed(standing, page), Small(f"{event} · {place}")), (), first.tone)
        for page, place in zip(pages[1:], places[1:], strict=True)
    )
    return (first, *rest)


def _pages(entries: Sequence[CardRow], first: int, room: int) -> list[Sequence[CardRow]]:
    """Split rows into pages of `first` and then `room` characters, each row at its shortest."""
    starts, remaining = [0], first
    for place, row in enumerate(entries):
        length = len(row.line(dice=False, verdict=False)) + _BETWEEN
        if length > remaining and place > starts[-1]:
            starts.append(place)
            remaining = room
        remaining -= length
    return [entries[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]


def _board(
    standing: Standing,
    listed: Block | None,
    buttons: Sequence[CardButton],
    *,
    show_hidden: bool = False,
    place: str = "",
) -> Card:
    """Return the board's message with these rows, as `_listed` returns them.

    With `show_hidden`, for a game master, it shows what is hidden from the table.
    """
    call = standing.call
    title, *lines = _head(standing)
    body = [*([listed] if listed else ()), *_waiting(standing)]
    results = _result(standing, show_hidden=show_hidden)
    blocks: list[Block] = [title, *([Text("\n".join(lines))] if lines else ())]
    if show_hidden and not call.is_visible:
        blocks.insert(0, Text(say("You see what is hidden from the others.")))
    blocks += [Divider(), *body] if body else []
    if not standing.cancelled:
        results.append(Small("\n".join(_foot(standing, place))))
    chart = [button for button in buttons if button.name == _CHART]
    if len(results) > 1:
        blocks += [Divider(), *((Beside((*results,), chart[0]),) if chart else results)]
    else:
        blocks += results
    judged = _is_over(standing) and call.terms.form is Form.CHECK and (call.is_visible or show_hidden)
    verdict = standing.verdict.passed if judged else None
    tone = Tone.QUIET if verdict is None else Tone.GOOD if verdict else Tone.BAD
    below = tuple([button for button in buttons if button.name != _CHART])
    return Card((*blocks,), below, tone, columns=4 if call.terms.form is Form.INITIATIVE else 5)


def _is_over(standing: Standing) -> bool:
    return standing.complete or not standing.is_open


def board_buttons(standing: Standing) -> list[CardButton]:
    """Return the buttons for a call's current state."""
    at, form = standing.call.event.at, standing.call.terms.form
    passed = standing.turn.passed if standing.turn else 0
    buttons: list[CardButton] = []
    if form is Form.DEAL:
        buttons.append(CardButton("call-hand", at))
    elif not standing.cancelled and standing.is_open:
        # It shows a player their roll again, so it stays, and is grey once the turns are what goes on.
        name = "call-ask" if standing.call.asks else "call-roll"
        buttons.append(CardButton(name, at, style="secondary" if standing.complete or passed else ""))
        buttons += [CardButton("call-with", at), CardButton("call-own-dice", at)]
    elif not standing.cancelled:
        buttons.append(CardButton("call-mine", at))
    if chartable(standing):
        buttons.append(CardButton(_CHART, at))
    buttons.append(CardButton("call-lead", at))
    # New buttons come last: a button that moves is pressed by mistake.
    if form is Form.INITIATIVE and standing.call.entries and not standing.cancelled:
        goes_on = standing.complete or passed or not standing.is_open
        buttons.append(CardButton("call-next", (*at, passed), style="primary" if goes_on else ""))
        buttons += [CardButton("call-delay", (*at, passed))] if passed else []
    return buttons


def turn_buttons(standing: Standing) -> list[CardButton]:
    """Return the buttons under the message of a turn: the board may be far above it."""
    values = (*standing.call.event.at, standing.turn.passed if standing.turn else 0)
    return [CardButton("turn-next", values), CardButton("turn-delay", values)]


def chartable(standing: Standing, least: int = 2) -> bool:
    """Return whether a check is over, not hidden, and has at least `least` totals."""
    call = standing.call
    totals = sum(entry.total is not None for entry in call.entries)
    check = call.terms.form is Form.CHECK and call.is_visible and not standing.cancelled
    return check and _is_over(standing) and totals >= least


def pressed(answer: CallAnswer, buttons: Sequence[CardButton] = (), pictures: Pictures = NO_PICTURES) -> Card:
    """Return a player's private answer: their roll, compared with the DC."""
    terms, total = answer.terms, answer.entry.total
    repeated = say("You were dealt these:") if terms.form is Form.DEAL else say("You already rolled:")
    repeat_note = [Text(repeated)] if answer.is_repeat else []
    if terms.visibility is Visibility.BLIND:
        number = event_number(answer.rolled.event)
        text = Text(say("Rolled. Only the GM sees it ({number}).", number=number))
        return Card((*repeat_note, text), tone=Tone.SECRET)
    *blocks, foot = result(answer.rolled, MESSAGE_LIMIT - 200, Footer.SHORT, has_name=True, pictures=pictures)
    met_dc, tone = capital(against_dc(answer.entry, terms)), Tone.SECRET
    if met_dc and terms.check and total is not None:
        blocks.append(Text(f"**{met_dc}**"))
        tone = Tone.GOOD if terms.check.passes(total) else Tone.BAD
    return Card((*repeat_note, *blocks, foot), (*buttons,), tone)


def headline(standing: Standing) -> tuple[str, str, str]:
    """Return a check's name, its verdict or "", and its dice with the figures, without markup."""
    call, terms, verdict = standing.call, standing.call.terms, standing.verdict
    outcomes = {True: say("the group succeeds"), False: say("the group fails"), None: ""}
    # The figures name the rule, except for rules of yes and no.
    named_terms = terms if terms.rule in YES_OR_NO else replace(terms, rule=Rule.EACH)
    dice, result_text = _describe_dice(call, named_terms).replace("`", ""), figures(standing)
    name = own_label(call.event) or say("Everybody rolls")
    return name, outcomes[verdict.passed], with_heading(dice, result_text)


def panel(standing: Standing, pictures: Pictures = NO_PICTURES) -> tuple[Card, *tuple[Card, ...]]:
    """Return the game master's panel of a call with its hidden rolls, in one message or more.

    Public rolls are in the board alone.
    """
    call = standing.call
    # Hands are private, also from game masters.
    show_hidden = call.terms.visibility is not Visibility.SELF
    suits = {
        "call-missing": standing.is_open and standing.missing,
        "call-names": standing.is_open and call.terms.form is not Form.DEAL,
        "call-reveal": show_hidden and not call.is_visible,
        "call-order": call.terms.form is Form.INITIATIVE and call.entries,
        "call-close": standing.is_open,
        "call-reopen": not standing.is_open,
        "call-off": not standing.cancelled,
    }
    buttons = [CardButton(name, call.event.at) for name, suited in suits.items() if suited]
    entries = () if call.is_visible else rows(standing, pictures, show_hidden=show_hidden)
    return _whole(standing, entries, buttons, show_hidden=show_hidden)


def confirm_off(call: Call) -> Card:
    """Return the question before a call is called off."""
    name = escape(own_label(call.event)) or say("this roll")
    question = say("Call off **{name}**? Rolls so far stay in the history.", name=name)
    buttons = [CardButton(button, call.event.at) for button in ("call-cancel", "call-panel")]
    return text_card(question, *buttons)


def _head(standing: Standing) -> tuple[Head, *tuple[str, ...]]:
    """Return the heading with the call's name, dice and rules, and the lines for those who will roll."""
    call, terms = standing.call, standing.call.terms
    details = [_describe_dice(call, terms)]
    if terms.hold and not call.is_visible:
        details.append(say("held until all are in" if standing.can_complete else "held until it is closed"))
    elif terms.form is Form.DEAL:
        details.append(say("for their own eyes"))
    elif not call.is_visible:
        details.append(say(_TEXTS["fewer"][terms.visibility]))
    # A hand always comes from one shared deck.
    if terms.whose and terms.form is not Form.DEAL:
        shared = terms.whose is Remembers.TABLE
        details.append(say("one memory for the table" if shared else "everybody's own memory"))
    if terms.role:
        details.append(say("for {role}", role=f"<@&{terms.role}>"))
    lines: list[str] = []
    if standing.is_open and terms.named and not (terms.role or standing.seats):
        lines.append(say("Nobody is called yet: the game master picks the players."))
    if standing.is_open and call.deadline and not standing.complete:
        lines.append(say("Closes {when}.", when=f"<t:{call.deadline // 1000}:R>"))
    return (Head(_title(call), aside=", ".join(details)), *lines)


def _title(call: Call) -> str:
    return escape(own_label(call.event) or say(_TEXTS["titles"][call.terms.form]))


CHOOSE_PLACE = phrase("Pick somebody in the order.")


def call_name(call: Call) -> str:
    """Return a call's name in bold."""
    return f"**{_title(call)}**"


def _describe_dice(call: Call, terms: Terms) -> str:
    label = clean_name(call.event.label)
    faces = named_faces(label) if beside_faces(label) else []
    dice = escape(" / ".join(faces)) if faces else code(without_game(call.dice))
    if call.account:
        dice = say("{dice} on {account}", dice=dice, account=code(call.account))
    if terms.form is Form.DEAL:
        return say_many("{n} card of {deck} each", "{n:,} cards of {deck} each", terms.cards, deck=dice)
    if terms.form is not Form.INITIATIVE and terms.dc is not None:
        aim = "{dice}, at most {dc} passes" if terms.under else "{dice} against DC {dc}"
        dice = say(aim, dice=dice, dc=terms.dc)
    return ", ".join(filter(None, (dice, _rule(terms))))


def _rule(terms: Terms) -> str:
    if terms.rule is Rule.SUCCESSES:
        return say_many("1 success needed", "{n} successes needed", terms.needed)
    return say(_TEXTS["rules"].get(terms.rule, ""))


def _listed(standing: Standing, entries: Sequence[CardRow]) -> Block:
    """Return rolls as rows, or as a text of names where no row has a total; an order always as rows."""
    if standing.call.terms.form is Form.INITIATIVE or any(row.total for row in entries):
        return CardRows((*entries,))
    done = "Dealt: {players}" if standing.call.terms.form is Form.DEAL else "Rolled: {players}"
    names = [row.name for row in entries]
    return Text(say(done, players=", ".join(names)))


def _waiting(standing: Standing) -> list[Block]:
    """Return the line of the missing players, if any."""
    if not standing.missing or standing.cancelled:
        return []
    # A mention notifies the player; before anybody has rolled there is room for more of them.
    room = _MISSING_SHOWN if standing.call.entries else CALLED_SHOWN
    template = "Missing: {players}" if standing.is_open else "Did not roll: {players}"
    return [Text(say(template, players=missing(standing, room)))]


def _result(standing: Standing, *, show_hidden: bool) -> list[Wording]:
    """Return the result so far, and whether the call is closed."""
    call, order = standing.call, standing.call.terms.form is Form.INITIATIVE
    if standing.cancelled:
        return [Text(say("Cancelled. Rolls so far stay in the history."))]
    lines = [summary(standing, over=_is_over(standing))] if call.is_visible or show_hidden else []
    if order:
        lines.append(round_line(standing))
    if not standing.is_open:
        lines.append(say("Closed to newcomers." if order else "Closed."))
    elif standing.complete:
        lines.append(say("All in."))
    text = "\n".join(filter(None, lines))
    return [Text(text)] if text else []


def _foot(standing: Standing, place: str) -> list[str]:
    call = standing.call
    sources = sorted({special(entry.event.roll.source) for entry in call.entries})
    by = say("called by {player}", player=mention(call.event.user_id))
    items = [event_number(call.event), by, *sources, place]
    lines = [" · ".join(filter(None, items))]
    if call.entries and not call.is_visible:
        newest = max((entry.event for entry in call.entries), key=lambda event: event.seq)
        lines.append(say("The newest roll: {seal}", seal=sealed(newest)))
    return lines


def round_line(standing: Standing) -> str:
    """Return the round, and the player at turn, whom a long order may not show; "" before the first turn."""
    turn, now = standing.turn, standing.at_turn
    if turn is None or not turn.round:
        return ""
    if now is None:
        return say("Round {round}.", round=turn.round)
    return say("Round {round}: {player}'s turn.", round=turn.round, player=entry_name(now))


def missing(standing: Standing, room: int) -> str:
    """Return mentions of the called players who have not rolled, cut to `room` characters."""
    names = [mention(user_id) for user_id in standing.missing]
    return fitted(names, ", ", room)

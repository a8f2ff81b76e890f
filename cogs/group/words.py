"""The words of /group: the message that fills in, the GM's panel, and what a player is told."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from bot.campaign.call_terms import Form, Rule, Terms, Verdict
from bot.campaign.calls import Call, Standing
from bot.campaign.campaigns import Footer, Remembers
from bot.campaign.kinds import Visibility
from bot.campaign.replay import CallEntry, RollResult, read_roll
from bot.campaign.turns import Turn, entry_at, tied
from bot.services.calls import Pressed
from bot.words.checks import luck, met
from bot.words.rolls import made, result
from bot.words.text import (
    MESSAGE_LIMIT,
    bits,
    capital,
    code,
    cut,
    dice,
    escape,
    fitted,
    footing,
    listed,
    mention,
    number,
    plural,
    sealed,
    successes,
)

_FEWER = {Visibility.GM: "each sees their own, the GM all", Visibility.BLIND: "for the GM alone"}
_YES_OR_NO = {Rule.HALF, Rule.ALL, Rule.ANY}
_MISSING_SHOWN, _CALLED_SHOWN = 400, 1_300
_DICE, _FACES, _NAME = 60, 60, 32
_LEAST = 300
"""The rolls have at least so many characters."""


def board(standing: Standing, *, seen: bool = False, room: int = MESSAGE_LIMIT) -> str:
    """Return the message, in at most `room` characters.

    `seen` shows what is hidden from the table, as a game master may see it.
    """
    head, foot = _head(standing), _foot(standing, seen=seen)
    room = max(room - len(head) - len(foot) - 2, _LEAST)
    body = _body(standing, room, seen=seen)
    return "\n".join(part for part in (head, body, foot) if part)


def pressed(answer: Pressed) -> str:
    """Return what a player is told alone: their roll, and how it meets the DC."""
    lines: list[str] = []
    if answer.again:
        dealt = answer.terms.form is Form.DEAL
        lines.append(
            "You were dealt these." if dealt else "You have rolled already; this is what came of it."
        )
    if answer.terms.visibility is Visibility.BLIND:
        return "\n".join([*lines, f"It is recorded as {number(answer.rolled.event)}, for the GM's eyes."])
    shown, _, foot = result(answer.rolled, MESSAGE_LIMIT - 200, Footer.SHORT, named=True).rpartition("\n")
    said = outcome(answer.entry, answer.terms)
    check = answer.terms.check
    told = f"{capital(said)}." if check and check.degrees else f"That {said}."
    return "\n".join([*lines, shown, *([told] if said else []), foot])


def reminder(standing: Standing) -> str:
    """Return the reminder for those who are missing."""
    role = standing.call.terms.role
    missing = _missing(standing, _CALLED_SHOWN) or (f"<@&{role}>" if role else "")
    ends = f"<t:{(standing.call.deadline or 0) // 1000}:R>"
    return f"{missing or 'Still open'}: {_name(standing.call)} closes {ends}."


def also_called(standing: Standing, said: str) -> str:
    """Return the message for those who are missing and for whom there was no room in what was said."""
    rest = [whom for user_id in standing.missing if (whom := mention(user_id)) not in said]
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
    asked = terms if terms.rule in _YES_OR_NO else replace(terms, rule=Rule.EACH)
    said = [_what(call, asked).replace("`", ""), _said(terms, verdict)]
    return call.event.label or "Everybody rolls", came, ": ".join(part for part in said if part)


def lacking(permissions: Sequence[str]) -> str:
    """Return what a game master is told alone where the bot lacks permissions."""
    what = "keep this message up to date" if "View Channel" in permissions else "remind those who are missing"
    return f"I can't {what} unless I get {' and '.join(permissions)} in this channel."


def panel(standing: Standing) -> str:
    """Return how a call stands for a game master, with what is hidden from the others."""
    # Hands are their owners' own.
    seen = standing.call.terms.visibility is not Visibility.SELF
    told = "What is hidden from the others is shown to you.\n" if seen and not standing.call.shown else ""
    return told + board(standing, seen=seen, room=MESSAGE_LIMIT - len(told))


def _head(standing: Standing) -> str:
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
    lines = [f"{_name(call)}: {', '.join(asked)}."]
    if standing.is_open and terms.named and not (terms.role or standing.seats):
        lines.append("Nobody is called yet: the game master chooses who.")
    if standing.is_open and call.deadline and not standing.complete:
        lines.append(f"Closes <t:{call.deadline // 1000}:R>.")
    return "\n".join(lines)


def at_place(standing: Standing, entry: CallEntry) -> str:
    """Return an entry of an initiative for a game master, who does something with it."""
    return _turn(entry, standing, standing.at_turn, set(), _total)


def in_order(entry: CallEntry) -> str:
    """Return an entry of an initiative in a list, without markup."""
    event = entry.event
    return f"{entry.name or event.character or f'#{event.seq}'}: {entry.total}"


CHOOSE_PLACE = "Whose place in the order?"


def _name(call: Call) -> str:
    usual = {Form.CHECK: "Everybody rolls", Form.DEAL: "Hand", Form.INITIATIVE: "Initiative"}
    return f"**{escape(call.event.label or usual[call.terms.form])}**"


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


def _body(standing: Standing, room: int, *, seen: bool) -> str:
    call = standing.call
    if not call.entries:
        return ""
    if not (call.shown or seen):
        names = list(dict.fromkeys(_who(entry) for entry in call.entries))
        done = "Dealt" if call.terms.form is Form.DEAL else "Rolled"
        return f"{done}: {fitted([', '.join(names)], names, ', ', room - 20)}"
    return _turns(standing, room) if call.terms.form is Form.INITIATIVE else _rolls(standing, room)


def _foot(standing: Standing, *, seen: bool) -> str:
    call = standing.call
    lines: list[str] = []
    if standing.cancelled:
        return "Cancelled. What was rolled stays in the history."
    if standing.missing:
        # Who is mentioned here hears of the call, and before anybody rolled there is room for all.
        shown = _MISSING_SHOWN if call.entries else _CALLED_SHOWN
        lines.append(f"{'Missing' if standing.is_open else 'Did not roll'}: {_missing(standing, shown)}")
    over = standing.complete or not standing.is_open
    if call.shown or seen:
        lines.append(_summary(standing, over=over))
    if call.terms.form is Form.INITIATIVE and standing.turn and standing.turn.round:
        lines.append(_round(standing, standing.turn))
    if not standing.is_open:
        lines.append("Closed." if call.terms.form is not Form.INITIATIVE else "Closed to newcomers.")
    sources = sorted({bits(entry.event.roll.source) for entry in call.entries})
    said = [number(call.event), f"called by {mention(call.event.user_id)}", " and ".join(sources)]
    lines.append(f"-# {' · '.join(part for part in said if part)}")
    if call.entries and not call.shown:
        newest = max((entry.event for entry in call.entries), key=lambda event: event.seq)
        lines.append(f"-# The newest roll: {sealed(newest)}")
    if standing.checkpoint:
        lines.append(footing(standing.checkpoint))
    return "\n".join(line for line in lines if line)


def _summary(standing: Standing, *, over: bool) -> str:
    """Return the line that says what it comes to under its rule, so far or in the end."""
    terms, verdict = standing.call.terms, standing.verdict
    if terms.form is not Form.CHECK or not verdict.rolled:
        return ""
    said = _said(terms, verdict)
    if not said:
        return ""
    if not over:
        return f"So far: {said}."
    if verdict.passed is None:
        return f"**{capital(said)}.**"
    word = "The group succeeds" if verdict.passed else "The group fails"
    return f"**{word}**: {said}."


def _said(terms: Terms, verdict: Verdict) -> str:
    passed = "" if verdict.succeeded is None else f"{verdict.succeeded} of {verdict.rolled} pass"
    if verdict.value is None or terms.rule in _YES_OR_NO:
        return passed
    if terms.rule is Rule.SUCCESSES:
        return f"{successes(verdict.value)} of {terms.needed} needed{_margin(verdict.margin)}"
    return f"the {terms.rule} is {_figure(verdict.value)}{_margin(verdict.margin)}"


def _margin(margin: Fraction | None) -> str:
    if margin is None:
        return ""
    if not margin:
        return ", just enough"
    return f", {_figure(margin)} over" if margin > 0 else f", {_figure(-margin)} short"


def _figure(value: Fraction) -> str:
    """Return a number with two decimals at most; only zero itself reads 0."""
    text = f"{float(value):.2f}".rstrip("0").removesuffix(".")
    return "less than 0.01" if value and text in {"0", "-0"} else text


def _round(standing: Standing, turn: Turn) -> str:
    """Return the round, and whose turn it is; a long order may not show it."""
    now = standing.at_turn
    return f"Round {turn.round}: {_who(now)}'s turn." if now else f"Round {turn.round}."


def _missing(standing: Standing, room: int) -> str:
    names = [mention(user_id) for user_id in standing.missing]
    return fitted([", ".join(names)], names, ", ", room)


def _rolls(standing: Standing, room: int) -> str:
    """Return a line for each roll in at most `room` characters: with dice if they fit, else without."""
    terms, entries = standing.call.terms, standing.call.entries
    short = [_line(entry, terms, _total) for entry in entries]
    brief = "\n".join(short)
    # Dice are thrown again from the record, which is in vain where not even the totals fit.
    whole = [_line(entry, terms, _with_dice) for entry in entries] if len(brief) <= room else short
    return fitted(["\n".join(whole), brief, " · ".join(short)], short, " · ", room)


def _turns(standing: Standing, room: int) -> str:
    """Return the order of an initiative in at most `room` characters, with a mark at whose turn it is."""
    ordered = standing.order
    ties, now = tied(ordered), standing.at_turn
    whole = [_turn(entry, standing, now, ties, _with_dice) for entry in ordered]
    short = [_turn(entry, standing, now, ties, _total) for entry in ordered]
    return fitted(["\n".join(whole), "\n".join(short)], short, "\n", room)


def _who(entry: CallEntry) -> str:
    """Return whose roll it is: a mention, or the name that the game master gave."""
    if entry.name:
        return code(entry.name, _NAME)
    character = entry.event.character
    return f"**{escape(character)}** {mention(entry.user_id)}" if character else mention(entry.user_id)


def outcome(entry: CallEntry, terms: Terms) -> str:
    """Return whether a roll meets the DC, and by how much; "" where no single roll is held against one."""
    if entry.total is None or terms.check is None or terms.rule is Rule.SUM:
        return ""
    return met(terms.check, entry.total)


def _line(entry: CallEntry, terms: Terms, shown: Callable[[CallEntry], str]) -> str:
    chances = luck(RollResult(entry.event, (), entry.account))
    parts = [shown(entry), outcome(entry, terms), chances, "rolled by the GM" if entry.absent else ""]
    return f"{_who(entry)} " + " · ".join(part for part in parts if part)


def _turn(
    entry: CallEntry,
    standing: Standing,
    now: CallEntry | None,
    ties: set[int],
    shown: Callable[[CallEntry], str],
) -> str:
    tie = f" · tie, drew {entry.lot:,}" if entry.total in ties else ""
    note = standing.notes.get(entry_at(entry), "")
    line = f"{_who(entry)} {shown(entry)}{tie}{f' · {escape(note)}' if note else ''}"
    if standing.turn and entry_at(entry) in standing.turn.out:
        return f"~~{line}~~ (out)"
    return f"{'➤ ' if entry is now else ''}{line}"


def _total(entry: CallEntry) -> str:
    return f"**{listed(entry.faces, _FACES)}**" if entry.total is None else f"**{entry.total}**"


def _with_dice(entry: CallEntry) -> str:
    if said := made(entry.event.roll, entry.faces):
        return f"{_total(entry)} ← {cut(said[0], _DICE)}"
    throw = read_roll(entry.event).outcomes[entry.place].throw
    return f"{_total(entry)} ← {dice(throw, _DICE)}" if throw else _total(entry)

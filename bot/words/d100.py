"""The texts of /d100 and of its part of /lab: methods, real dice, resets, conversions."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from bot.campaign.d100_rolls import Real
from bot.campaign.events import Event, RegisterReset
from bot.d100.catalogue import Catalogue, MethodEntry
from bot.d100.conversion import (
    Conversion,
    Step,
    convert,
    equal_after,
    expected,
    missing_factor,
    rolls_at_most,
)
from bot.d100.physical import table_progress
from bot.d100.register import RegisterFigures
from bot.d100.ways import Figures, best_score
from bot.words.cards import Card, CardButton, Head, Text, Tone, text_card
from bot.words.saying import join_with_and, read_table, say, say_many, with_heading
from bot.words.tables import table
from bot.words.text import (
    bits,
    escape,
    figure,
    footnote,
    in_percent,
    localize_remark,
    mention,
    percent,
    score,
)

_TEXTS = read_table(__file__, "d100")
ENTERED = _TEXTS["entered"]
_VERY_EVEN = Fraction(1, 300)
_ROWS_SHOWN = 12
_DIGITS = 6
"""Most decimals with which two chances are told apart."""


def methods(catalogue: Catalogue) -> Card:
    """Return the methods grouped by how even they are, the fairest first, with the dice they take."""
    ranked = sorted(catalogue.entries, key=lambda entry: entry.figures.rank)
    tables = [_group_table(word, [*group]) for word, group in groupby(ranked, key=_word)]
    head = Head(_title(catalogue), aside=say("fairest first, then fewest dice"))
    text = Text("\n".join([*tables, say(_TEXTS["hint"])]))
    return Card((head, text), (CardButton("methods"),), Tone.QUIET)


def _word(entry: MethodEntry) -> str:
    """Return how even a method is, in a word or two."""
    off = _off(entry.figures)
    return say("rough") if off >= _VERY_EVEN else say("very even") if off else say("exact")


def _group_table(word: str, entries: Sequence[MethodEntry]) -> str:
    """Return the table of the methods that one word describes."""
    rows = [_group_row(localize_remark(entry.name), entry.figures) for entry in entries]
    heads = word, say("dice"), say("error"), say("never")
    columns = [column for column in range(len(heads)) if any(row[column] for row in rows)]
    return table([heads[column] for column in columns], [[row[column] for column in columns] for row in rows])


def _group_row(name: str, figures: Figures) -> tuple[str, str, str, str]:
    never = str(figures.missing) if figures.missing else ""
    off = _off(figures)
    if off >= _VERY_EVEN:
        return name, _average_dice(figures, 2), in_percent(percent(off)), never
    return name, _average_dice(figures, 2), say("1 in {many:,}", many=round(1 / off)) if off else "", never


def _title(catalogue: Catalogue) -> str:
    return say("d{values} from d{sides}s", values=catalogue.values, sides=catalogue.sides)


def all_figures(catalogue: Catalogue) -> Card:
    """Return the table of methods and the registers' figures, in one message."""
    heads, texts = (say("method"), say("score"), say("dice"), say("most")), _TEXTS["figures"]
    lines = [
        table(heads, [method_row(entry) for entry in catalogue.entries]),
        say(texts["score"], values=catalogue.values),
        say(texts["falls"]),
        *(_register_figures(entry) for entry in catalogue.registers),
        say(texts["dependent"]),
    ]
    head = Head(_title(catalogue), aside=say("score 0 is exact"))
    return Card((head, Text("\n".join(lines))), tone=Tone.QUIET)


def _register_figures(entry: RegisterFigures) -> str:
    first, second, third = (score(entry.scores[rolls]) for rolls in (1, 2, 3))
    values = {"information": entry.information, "correlation": float(entry.correlation)}
    values |= {"dice": entry.register.dice}
    return say(_TEXTS["figures"]["register"], first=first, second=second, third=third, **values)


def method_row(entry: MethodEntry) -> tuple[str, str, str, str]:
    """Return a method's name, score, and dice on average and at most."""
    figures = entry.figures
    most = "-" if figures.most is None else str(figures.most)
    return localize_remark(entry.name), score(figures.score), _average_dice(figures), most


def _average_dice(figures: Figures, digits: int = 3) -> str:
    """Return the mean number of dice of a method, to `digits` decimals; "?" if it is unknown."""
    return "?" if figures.expected is None else figure(float(figures.expected), f".{digits}f")


def evenness(figures: Figures) -> str:
    """Return how even a method is, in words: the share of its rolls that would have to change."""
    if not (off := _off(figures)):
        return say("exact")
    if off < _VERY_EVEN:
        return say("very even: 1 in {many:,} off", many=round(1 / off))
    return say("rough: {share}% off", share=percent(off))


def _off(figures: Figures) -> Fraction:
    """Return the share of a method's rolls that would have to change to make it even."""
    values, total = len(figures.weights), sum(figures.weights)
    return Fraction(sum(max(0, values * weight - total) for weight in figures.weights), values * total)


def scored(rule: str, figures: Figures, catalogue: Catalogue) -> list[str]:
    """Return the figures of a player's own rule, line by line."""
    values, total = catalogue.values, sum(figures.weights)
    order = [*range(1, values), 0]
    names = [value or values for value in order if not figures.weights[value]]
    likely = max(order, key=lambda value: figures.weights[value])
    better = [entry for entry in catalogue.entries if entry.figures.rank < figures.rank]
    singular = "Place {place} beside {n} known way: fairer comes first, then fewer dice.{above}"
    plural = "Place {place} beside {n:,} known ways: fairer comes first, then fewer dice.{above}"
    above = ""
    if better:
        name = localize_remark(max(better, key=lambda way: way.figures.rank).name)
        above = f" {say('Next above: {name}.', name=name)}"
    even, dice = evenness(figures), _TEXTS["score"]["dice-any" if figures.most is None else "dice"]
    return [
        say("{rule}: {evenness}, score {score}", rule=rule, evenness=even, score=score(figures.score)),
        say(dice, average=_average_dice(figures), most=figures.most),
        _likeliest(names, likely or values, Fraction(figures.weights[likely], total), values),
        say_many(singular, plural, len(catalogue.entries), place=len(better) + 1, above=above),
    ]


def _likeliest(names: Sequence[int], likely: int, share: Fraction, values: int) -> str:
    """Return the values that never come and the likeliest one, with enough digits to differ from even."""
    never, shares = spans(names) or say("none"), (share, Fraction(1, values))
    ways = (tuple(figure(float(100 * p), f".{digits}f") for p in shares) for digits in range(2, _DIGITS + 1))
    for chance, even in (tuple(map(percent, shares)), *ways):
        if chance != even:
            return say(_TEXTS["score"]["likeliest"], names=never, likely=likely, share=chance, even=even)
    return say("Never: {names}.", names=never)


def score_card(rule: str, figures: Figures, catalogue: Catalogue) -> Card:
    """Return the figures of a player's own rule as a card."""
    first, *others = scored(escape(rule), figures, catalogue)
    return Card((Text(f"**{first}**"), Text("\n".join(others))), tone=Tone.QUIET)


def register(value: int | None) -> Card:
    """Return the value of a player's register; None if a hidden roll is in it."""
    return text_card(say(_TEXTS["register"]["hidden" if value is None else "value"], value=value))


def spans(numbers: Sequence[int]) -> str:
    """Return ascending numbers with consecutive ones as ranges: "3, 7 to 9"."""
    runs = [[n for _, n in run] for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])]
    return ", ".join(
        say("{low} to {high}", low=run[0], high=run[-1]) if len(run) > 1 else str(run[0]) for run in runs
    )


def entering(way: str, faces: tuple[int, ...], user_id: int) -> str:
    """Return the message above the keys while real dice are entered."""
    entered = " ".join(map(str, faces)) or say("none yet")
    so_far = say("{who}'s dice: {dice}.", who=mention(user_id), dice=entered)
    if way == Real.REGISTER:
        return f"{so_far} {say(_TEXTS['register']['entering'])}"
    singular = "The table wants {n} die: press what each one shows, or type all of them, {command}."
    plural = "The table wants {n} dice: press what each one shows, or type all of them, {command}."
    if faces:
        singular = "The table wants one more die: press what each one shows, or type all of them, {command}."
        plural = "The table wants {n} more dice: press what each one shows, or type all of them, {command}."
    typed = " ".join([*map(str, faces), "…"])
    command = f"`/d100 physical dice:{typed} method:table`"
    return f"{so_far} {say_many(singular, plural, table_progress(faces).missing, command=command)}"


def reset(event: Event) -> str:
    """Return the public message about a player's reset register."""
    body = event.body_of(RegisterReset)
    text = _TEXTS["register"]["reset-drawn" if body.draws else "reset"]
    foot = " · ".join(part for part in (footnote(event), bits(body.source)) if part)
    return f"{say(text, who=mention(event.user_id), value=body.value)}\n{foot}"


def conversion_card(dice: tuple[int, ...], values: int, most: int | None, button: CardButton) -> Card:
    """Return the table that converts dice thrown in turn to a die with `values` values, and its cost.

    If `most` rolls are not enough to be exact, return the reason and the best possible score.
    """
    most_needed = rolls_at_most(dice, values)
    if most is not None and (most_needed is None or most_needed > most):
        return Card((Text(_impossible(dice, values, most)),), (button,), Tone.QUIET)
    title = say("d{values} from {dice}", values=values, dice=_dice(dice))
    head = Head(title, aside=_average(dice, values, most_needed))
    steps = Text(f"{say(_TEXTS['conversion']['hint'])}\n{_steps(convert(dice, values))}")
    return Card((head, steps), (button,), Tone.QUIET)


def _dice(dice: tuple[int, ...]) -> str:
    names = [f"d{sides}" for sides in dice]
    return names[0] if len(names) == 1 else say("{dice} in turn", dice=join_with_and(names))


def _average(dice: tuple[int, ...], values: int, most: int | None) -> str:
    """Return the number of rolls needed on average, and at most."""
    average = expected(dice, values)
    exact = str(average)
    mean = figure(float(average), ".6g") + (f" ({exact})" if len(exact) < 40 and "/" in exact else "")
    singular = "exact: {shown} roll on average, {sure} at most"
    plural = "exact: {shown} rolls on average, {sure} at most"
    if most is None:
        singular = "exact: {shown} roll on average, no number of rolls is always enough"
        plural = "exact: {shown} rolls on average, no number of rolls is always enough"
    return say_many(singular, plural, average, shown=mean, sure=most)


def _impossible(dice: tuple[int, ...], values: int, most: int) -> str:
    if (factor := missing_factor(dice, values)) > 1:
        reason = say(_TEXTS["conversion"]["no-multiple"], left=factor, values=values)
    else:
        reason = say("{n} are needed", n=rolls_at_most(dice, values))
    equal = equal_after(dice, most)
    share, remainder = divmod(equal, values)
    singular = "**A d{values} out of {dice} can't be exact in {n} roll**: {why}."
    plural = "**A d{values} out of {dice} can't be exact in {n:,} rolls**: {why}."
    impossible = say_many(singular, plural, most, values=values, dice=_dice(dice), why=reason)
    throws = {"more": remainder, "above": share + 1, "equal": equal, "each": share}
    best_way = say(_TEXTS["conversion"]["best"], score=score(best_score(equal, values)), **throws)
    return f"{impossible} {best_way}"


def _steps(conversion: Conversion) -> str:
    rows = conversion.rows[:_ROWS_SHOWN]
    lines = [_step(n, row) for n, row in enumerate(rows, start=1)]
    if omitted := len(conversion.rows) - len(rows):
        lines.append(say_many("… and {n} row more", "… and {n:,} rows more", omitted))
    elif conversion.loop is not None:
        lines.append(say("then row {row} again, and so on", row=conversion.loop + 1))
    return "\n".join([*lines, say(_TEXTS["conversion"]["value"], values=conversion.values)])


def _step(number: int, row: Step) -> str:
    groups = [(sides, len([*group])) for sides, group in groupby(row.dice)]
    dice = ", ".join(f"{count}d{sides}" for sides, count in groups)
    action = say("throw") if number == 1 else say("add")
    end = say("done from {face} on", face=row.threshold) if row.threshold else say("done")
    return with_heading(f"{number}. {action} {dice}", end)

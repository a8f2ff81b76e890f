"""The words of /d100 and of its part of /lab: methods, real dice, resets, conversions."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from bot.campaign.d100_rolls import Real
from bot.campaign.events import Event, RegisterReset
from bot.d100.catalogue import Catalogue, MethodEntry
from bot.d100.conversion import Conversion, Step, convert, equal_after, expected, obstacle, rolls_at_most
from bot.d100.physical import table_progress
from bot.d100.scores import Figures, best_score
from bot.words.cards import Card, CardButton, Head, Text, Tone, said
from bot.words.text import bits, escape, footnote, mention, percent, plural, score

ENTERED = "Your dice are entered."
_NAMES = 22
_VERY_EVEN = Fraction(1, 300)
_ROWS_SHOWN = 12


def methods(known: Catalogue) -> Card:
    """Return how even each method is in words, the fairest first, and how many dice it takes."""
    ranked = sorted(known.entries, key=lambda entry: entry.figures.rank)
    lines = [f"{entry.name:<{_NAMES}}{_mean(entry.figures):>6}  {_even(entry.figures)}" for entry in ranked]
    body = "\n".join([f"{'method':<{_NAMES}}{'dice':>6}  how even", *lines])
    head = Head(f"d{known.values} from d{known.sides}s", aside="fairest first, then fewest dice")
    hint = Text(f"```\n{body}\n```\nRoll one with `/d100 roll method:`. Dice are an average.")
    return Card((head, hint), (CardButton("methods"),), Tone.QUIET)


def _mean(figures: Figures) -> str:
    return "?" if figures.expected is None else f"{float(figures.expected):.2f}"


def _even(figures: Figures) -> str:
    return evenness(figures) + (f", {figures.missing} never" if figures.missing else "")


def all_figures(known: Catalogue) -> Card:
    """Return the table of methods and the registers' figures, in one message."""
    lines = [f"{'method':<{_NAMES}} {'score':>9}  {'dice':>6}  most"]
    lines += map(_row, known.entries)
    body = "\n".join(lines)
    registers = "\n".join(
        f"**{r.register.dice} dice**: after 1, 2 and 3 rolls {score(r.scores[1])}, {score(r.scores[2])}, "
        f"{score(r.scores[3])}. One value tells {r.information:.6f} bits of the next; "
        f"correlation {float(r.correlation):+.4f}."
        for r in known.registers
    )
    head = Head(f"d{known.values} from d{known.sides}s", aside="score 0 is exact")
    score_is = f"The score is the sum of (p - 1/{known.values})² over all values."
    takes = "Behind it are the dice it takes on average, and at most."
    falls = f"The register's score falls with every roll from a known value:\n{registers}"
    hints = "Its rolls are not independent: somebody who knows the register knows the odds of one roll."
    text = Text(f"```\n{body}\n```\n{score_is} {takes}\n{falls}\n{hints}")
    return Card((head, text), tone=Tone.QUIET)


def average_dice(figures: Figures) -> str:
    """Return how many dice a method takes on average, to three decimals; "?" where that is unknown."""
    return "?" if figures.expected is None else f"{float(figures.expected):.3f}"


def evenness(figures: Figures) -> str:
    """Return how even a method is, in words: how many of its rolls would have to fall elsewhere."""
    if figures.exact:
        return "exact"
    weights, values = figures.weights, len(figures.weights)
    total = sum(weights)
    off = Fraction(sum(max(0, values * weight - total) for weight in weights), values * total)
    return f"very even: 1 in {round(1 / off):,} off" if off < _VERY_EVEN else f"rough: {percent(off)} % off"


def scored(rule: str, figures: Figures, known: Catalogue) -> list[str]:
    """Return what a rule of somebody's own is worth, line by line."""
    values, total = known.values, sum(figures.weights)
    order = [*range(1, values), 0]
    names = [value or values for value in order if not figures.weights[value]]
    likely = max(order, key=lambda value: figures.weights[value])
    better = [entry for entry in known.entries if entry.figures.rank < figures.rank]
    most = "any number" if figures.most is None else f"{figures.most:,} at most"
    usual = (
        f"{percent(Fraction(figures.weights[likely], total))} % instead of {percent(Fraction(1, values))} %"
    )
    place = f"Place {len(better) + 1} beside {plural(len(known.entries), 'known way')}"
    above = f" Next above: {max(better, key=lambda way: way.figures.rank).name}." if better else ""
    return [
        f"{rule}: {evenness(figures)}, score {score(figures.score)}",
        f"Dice: {average_dice(figures)} on average, {most}.",
        f"Never: {spans(names) or 'none'}. Likeliest: {likely or values} with {usual}.",
        f"{place}: fairer comes first, then fewer dice.{above}",
    ]


def score_card(rule: str, figures: Figures, known: Catalogue) -> Card:
    """Return what a rule of somebody's own is worth, as a message."""
    first, *others = scored(escape(rule), figures, known)
    return Card((Text(f"**{first}**"), Text("\n".join(others))), tone=Tone.QUIET)


def register(value: int | None) -> Card:
    """Return where somebody's own register stands; None where a hidden roll is in it."""
    if value is None:
        return said("A hidden roll is in your register, so I don't show it.")
    return said(f"Your d100 register is at **{value}**. Your next dice add to it.")


def spans(numbers: Sequence[int]) -> str:
    """Return ascending numbers with runs of them as one: "3, 7 to 9"."""
    runs = [[n for _, n in run] for _, run in groupby(enumerate(numbers), key=lambda one: one[1] - one[0])]
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def entering(way: str, faces: tuple[int, ...], user_id: int) -> str:
    """Return the message above the keys, while real dice are entered."""
    so_far = f"{mention(user_id)}'s dice: {' '.join(map(str, faces)) or 'none yet'}."
    if way == Real.REGISTER:
        return f"{so_far} Press what each one shows, then **Add**: your register takes one to nine."
    missing = table_progress(faces).missing
    wanted = "one more die" if faces and missing == 1 else f"{missing} {'more ' if faces else ''}dice"
    typed = " ".join([*map(str, faces), "…"])
    return (
        f"{so_far} The table wants {wanted}: press what each one shows, or type all of them, "
        f"`/d100 physical dice:{typed} method:table`."
    )


def reset(event: Event) -> str:
    """Return the public message that says where somebody's register begins now."""
    body = event.body
    if not isinstance(body, RegisterReset):
        raise TypeError(f"#{event.seq} resets no register")
    start = f"It begins at {body.value}" + (", drawn at random" if body.draws else "")
    foot = " · ".join(part for part in (footnote(event), bits(body.source)) if part)
    return f"{mention(event.user_id)} reset their own d100 register. {start}.\n{foot}"


def conversion(dice: tuple[int, ...], values: int, most: int | None, button: CardButton) -> Card:
    """Return the table for a die with so many values out of dice that take turns, and its cost.

    If `most` rolls are not enough to be exact, say why, and how even such rolls can be at best.
    """
    sure = rolls_at_most(dice, values)
    if most is not None and (sure is None or sure > most):
        return Card((Text(_impossible(dice, values, most)),), (button,), Tone.QUIET)
    end = "no number of rolls is always enough" if sure is None else f"{sure} at most"
    head = Head(f"d{values} from {_dice(dice)}", aside=f"exact: {_average(dice, values)} on average, {end}")
    how = "Each die is a digit, its highest face is 0: times its sides, plus its face."
    steps = Text(f"{how}\n{_steps(convert(dice, values))}")
    return Card((head, steps), (button,), Tone.QUIET)


def _row(entry: MethodEntry) -> str:
    figures = entry.figures
    most = "-" if figures.most is None else str(figures.most)
    missing = f"  {figures.missing} never" if figures.missing else ""
    dice = average_dice(figures)
    return f"{entry.name:<{_NAMES}} {score(figures.score):>9}  {dice:>6}  {most:>4}{missing}"


def _dice(dice: tuple[int, ...]) -> str:
    names = [f"d{sides}" for sides in dice]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]} in turn"


def _average(dice: tuple[int, ...], values: int) -> str:
    average = expected(dice, values)
    exact = str(average)
    shown = f"{float(average):.6g}" + (f" ({exact})" if len(exact) < 40 and "/" in exact else "")
    return f"{shown} {'roll' if average == 1 else 'rolls'}"


def _impossible(dice: tuple[int, ...], values: int, most: int) -> str:
    equal = equal_after(dice, most)
    if (left := obstacle(dice, values)) > 1:
        why = (
            f"however often such dice are thrown, the number of ways they fall is no multiple of {left}, "
            f"and {values} is"
        )
    else:
        why = f"{rolls_at_most(dice, values)} are needed"
    each, more = divmod(equal, values)
    return (
        f"**A d{values} out of {_dice(dice)} can't be exact in {plural(most, 'roll')}**: {why}. "
        f"The best score there is has {more:,} values with {each + 1:,} of the {equal:,} throws and the "
        f"others with {each:,}: {score(best_score(equal, values))}."
    )


def _steps(table: Conversion) -> str:
    shown = table.rows[:_ROWS_SHOWN]
    lines = [_step(n, row) for n, row in enumerate(shown, start=1)]
    if len(table.rows) > len(shown):
        lines.append(f"… and {len(table.rows) - len(shown):,} rows more")
    elif table.loop is not None:
        lines.append(f"then row {table.loop + 1} again, and so on")
    body = "\n".join(lines)
    rest = f"The value is the remainder of that number divided by {table.values}; 0 is {table.values}."
    return f"```\n{body}\n```\n{rest}"


def _step(place: int, row: Step) -> str:
    groups = [(sides, len([*group])) for sides, group in groupby(row.dice)]
    dice = ", ".join(f"{count}d{sides}" for sides, count in groups)
    what = "throw" if place == 1 else "add"
    end = f"done from {row.threshold} on" if row.threshold else "done"
    return f"{place:>3}. {what:<5} {dice}: {end}"

"""The words of /d100 and /convert: methods and their figures, real dice, resets, conversions."""

from itertools import groupby

from bot.campaign.d100_rolls import Real
from bot.campaign.events import Event, RegisterReset
from bot.d100.catalogue import Catalogue, MethodEntry
from bot.d100.conversion import Conversion, Step, convert, equal_after, expected, obstacle, rolls_at_most
from bot.d100.physical import table_progress
from bot.d100.scores import Figures, best_score
from bot.words.text import bits, footnote, mention, plural, score

ENTERED = "Your dice are entered."
_NAMES = 22
_ROWS_SHOWN = 12


def methods(known: Catalogue) -> str:
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
    return (
        f"**A d{known.values} out of d{known.sides}s.** The score is the sum of (p - 1/{known.values})² over "
        f"all values: 0 is exact. Behind it the dice it takes on average, and at most.\n```\n{body}\n```\n"
        f"The register's score falls with every roll from a known value:\n{registers}\n"
        "But its rolls are not independent: somebody who knows the register knows the odds of one roll."
    )


def average_dice(figures: Figures) -> str:
    """Return how many dice a method takes on average, to three decimals; "?" where that is unknown."""
    return "?" if figures.expected is None else f"{float(figures.expected):.3f}"


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


def conversion(dice: tuple[int, ...], values: int, most: int | None = None) -> str:
    """Return the table for a die with so many values out of dice that take turns, and its cost.

    If `most` rolls are not enough to be exact, say why, and how even such rolls can be at best.
    """
    sure = rolls_at_most(dice, values)
    if most is not None and (sure is None or sure > most):
        return _impossible(dice, values, most)
    end = "no number of rolls is always enough" if sure is None else f"{sure} at most"
    head = f"**A d{values} out of {_dice(dice)}**, exact: {_average(dice, values)} on average, {end}."
    how = "Each die is a digit, its highest face is 0: times its sides, plus its face."
    return f"{head}\n{how}\n{_steps(convert(dice, values))}"


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

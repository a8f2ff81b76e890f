"""The words of /convert: the table that makes a die out of others, and what it costs."""

from itertools import groupby

from bot.d100.conversion import Conversion, Step, convert, equal_after, expected, obstacle, rolls_at_most
from bot.d100.scores import best_score
from cogs.kit.text import score

_ROWS_SHOWN = 12


def conversion(dice: tuple[int, ...], values: int, most: int | None = None) -> str:
    """Return the table for a die with so many values out of dice that take turns, and its cost.

    If `most` rolls are not enough to be exact, say why, and how even such rolls can be at best.
    """
    sure = rolls_at_most(dice, values)
    if most is not None and (sure is None or sure > most):
        return _impossible(dice, values, most)
    end = "no number of rolls is always enough" if sure is None else f"{sure} at most"
    head = f"**A d{values} out of {_dice(dice)}**, exact: {_average(dice, values)} rolls on average, {end}."
    how = "Each die is a digit, its highest face is 0: times its sides, plus its face."
    return f"{head}\n{how}\n{_table(convert(dice, values))}"


def _dice(dice: tuple[int, ...]) -> str:
    names = [f"d{sides}" for sides in dice]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]} in turn"


def _average(dice: tuple[int, ...], values: int) -> str:
    average = expected(dice, values)
    exact = str(average)
    return f"{float(average):.6g}" + (f" ({exact})" if len(exact) < 40 and "/" in exact else "")


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
        f"**A d{values} out of {_dice(dice)} can't be exact in {most} rolls**: {why}. "
        f"The best score there is has {more:,} values with {each + 1:,} of the {equal:,} throws and the "
        f"others with {each:,}: {score(best_score(equal, values))}."
    )


def _table(table: Conversion) -> str:
    shown = table.rows[:_ROWS_SHOWN]
    lines = [_line(n, row) for n, row in enumerate(shown, start=1)]
    if len(table.rows) > len(shown):
        lines.append(f"… and {len(table.rows) - len(shown):,} rows more")
    elif table.loop is not None:
        lines.append(f"then row {table.loop + 1} again, and so on")
    body = "\n".join(lines)
    rest = f"The value is the remainder of that number divided by {table.values}; 0 is {table.values}."
    return f"```\n{body}\n```\n{rest}"


def _line(place: int, row: Step) -> str:
    groups = [(sides, len([*group])) for sides, group in groupby(row.dice)]
    dice = ", ".join(f"{count}d{sides}" for sides, count in groups)
    what = "throw" if place == 1 else "add"
    end = f"done from {row.threshold} on" if row.threshold else "done"
    return f"{place:>3}. {what:<5} {dice}: {end}"

"""The words of /d100: the methods and their figures, real dice that are entered, and resets."""

from bot.campaign.d100_rolls import Real
from bot.campaign.events import Event, RegisterReset
from bot.d100.catalogue import Catalogue, MethodEntry
from bot.d100.physical import table_progress
from bot.d100.scores import Figures
from cogs.kit.text import bits, footnote, mention, score

ENTERED = "Your dice are entered."
_NAMES = 22


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
    start = f"It begins at {body.value}" + (", drawn at random" if body.drawn else "")
    foot = " · ".join(part for part in (footnote(event), bits(body.source)) if part)
    return f"{mention(event.user_id)} reset their own d100 register. {start}.\n{foot}"


def _row(entry: MethodEntry) -> str:
    figures = entry.figures
    most = "-" if figures.most is None else str(figures.most)
    missing = f"  {figures.missing} never" if figures.missing else ""
    dice = average_dice(figures)
    return f"{entry.name:<{_NAMES}} {score(figures.score):>9}  {dice:>6}  {most:>4}{missing}"

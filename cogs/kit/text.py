"""Text for Discord messages: safe markup, lengths, counts, and the line with an event's number."""

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from bot.campaign.events import Event
from bot.dice.draws import Source
from bot.record.hashing import seal

MESSAGE_LIMIT = 2_000
"""Discord's limit of characters in a message."""
CUT = "…"
_LIST_LIMIT = 1_900
_MORE = 24
"""Room for "… and 1,000 more"."""
# A bracket alone is harmless; a link needs "](".
_MARKUP = re.compile(r"[\\*_~`|<>@]|\](?=\()")
_BITS = {
    Source.TRUE: "true-random bits",
    Source.HALF: "half true-random bits",
    Source.LOCAL: "computer-random bits",
    Source.KEYED: "bits of a committed key",
    Source.PHYSICAL: "dice thrown by hand",
    None: "",
}


def escape(text: str) -> str:
    """Return the text so that Discord shows every character of it, and no markup or mention."""
    return _MARKUP.sub(r"\\\g<0>", text)


def cut(text: str, room: int) -> str:
    """Return the text escaped and cut to at most `room` characters; the backslashes count."""
    if len(whole := escape(text)) <= room:
        return whole
    text = text[:room]
    while text and len(escape(text)) + len(CUT) > room:
        text = text[:-1]
    return escape(text) + CUT


def successes(number_of: Fraction | int) -> str:
    """Return how many successes: "1 success", "3 successes"."""
    return "1 success" if number_of == 1 else f"{number_of} successes"


def listed(texts: Sequence[str], room: int) -> str:
    """Return the texts escaped, with dots between them; the last ones are dropped to fit `room`."""
    whole = " · ".join(map(escape, texts))
    if len(whole) <= room:
        return whole
    shown = cut(texts[0], room - 4)
    for text in map(escape, texts[1:]):
        if len(shown) + 3 + len(text) + 4 > room:
            break
        shown += f" · {text}"
    return f"{shown} · {CUT}" if len(texts) > 1 else shown


def fitted(texts: Sequence[str], parts: Sequence[str], between: str, room: int) -> str:
    """Return the first of the texts that fits, else as many parts as fit and the number of the others."""
    for text in texts:
        if len(text) <= room:
            return text
    shown: list[str] = []
    for part in parts:
        if len(between.join([*shown, part])) + _MORE > room:
            break
        shown.append(part)
    return between.join([*shown, f"{CUT} and {len(parts) - len(shown):,} more"])


def lines_within(lines: Sequence[str], limit: int = _LIST_LIMIT) -> str:
    """Return as many lines as fit, and the number of the others; "" for no lines."""
    text = ""
    for n, line in enumerate(lines):
        if len(text) + len(line) > limit:
            return f"{text}{CUT} and {len(lines) - n:,} more"
        text += line + "\n"
    return text.rstrip()


def first_few(texts: Sequence[str], limit: int) -> str:
    """Return the first `limit` texts with commas, and the number of the others."""
    more = len(texts) - limit
    return ", ".join(texts[:limit]) + (f" and {more:,} more" if more > 0 else "")


def code(text: str, room: int = 300) -> str:
    """Return the text as code on one line, of at most `room` characters between the two backticks."""
    text = text.replace("`", "'")
    return f"`{text if len(text) <= room else text[: room - 1] + CUT}`"


def mention(user_id: int | None) -> str:
    """Return the mention that Discord shows as a name; None is somebody who was erased."""
    return "somebody erased" if user_id is None else f"<@{user_id}>"


def number(event: Event) -> str:
    """Return the event's number as people cite it, "#12"."""
    return f"#{event.seq}"


def sealed(event: Event) -> str:
    """Return a hidden event's number and the seal that binds it from now on, 128 bits of its leaf."""
    return f"{number(event)} sealed `{seal(event.seal.leaf)}`"


def footing(checkpoint: str) -> str:
    """Return a checkpoint, in one line, as the small last line of an answer."""
    return f"-# Checkpoint: {code(checkpoint)}"


def footnote(event: Event, *, first: Event | None = None) -> str:
    """Return the small last line of an answer: the event's number, or the span from `first`."""
    span = number(event) if first is None or first.seq == event.seq else f"{number(first)} to {number(event)}"
    return f"-# {span}"


def bits(label: Source | None) -> str:
    """Return where a roll's randomness came from, "true-random bits"; "" where nothing was drawn.

    The same words stand on every roll, in /entropy and in docs/randomness.md.
    """
    return _BITS[label]


def plural(n: int, one: str, many: str = "") -> str:
    """Return a count with its noun: "1 roll", "2,000 rolls"; `many` where an s is not enough."""
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"


def ordinal(n: int) -> str:
    """Return a place in an order: "1st", "12th", "23rd"."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{'th' if n % 100 in {11, 12, 13} else ending}"


def capital(text: str) -> str:
    """Return the text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def share(chance: float) -> str:
    """Return a chance in everyday words: "about 1 in 8", "about 6 in 10", "nearly all"."""
    if chance >= 0.95:
        return "nearly all"
    if chance > 0.5:
        return f"about {min(9, round(10 * chance))} in 10"
    if chance < 0.0005:
        return "fewer than 1 in 2,000"
    return f"about 1 in {round(1 / chance):,}"


def percent(chance: Fraction) -> str:
    """Return the chance in per cent: "18.4", below one "0.28", below a hundredth "<0.01".

    "0" and "100" are exact: what can still happen, or still fail, never reads so.
    """
    if chance in {0, 1}:
        return str(100 * chance)
    if chance < Fraction(1, 10_000):
        return "<0.01"
    if chance > Fraction(9_995, 10_000):
        return ">99.9"
    return f"{float(100 * chance):.{1 if chance >= Fraction(1, 100) else 2}f}"


def score(value: Fraction) -> str:
    """Return a score of evenness to four digits, "2.286e-6", however small; "0" is exact."""
    return f"{Decimal(value.numerator) / Decimal(value.denominator):.3e}" if value else "0"

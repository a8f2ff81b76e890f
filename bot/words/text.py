"""Text for Discord messages: escaping, limits of length, counts, event numbers, thrown dice."""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from typing import TypeAlias

from bot.campaign.events import Event
from bot.dice.choices import COIN
from bot.dice.draws import Source
from bot.dice.modifiers import Comparison
from bot.dice.system import print_decimal
from bot.dice.throws import Die, Face, Pool, Remark, Throw, Unit
from bot.record.hashing import seal
from bot.words.languages import Localised, signs
from bot.words.pictures import DieState, face_name
from bot.words.saying import TEXTS, phrase, say, say_many

MESSAGE_LIMIT = 2_000
"""Discord's limit of characters in a message."""
TOO_MANY = phrase("No picture: too many are being drawn just now. Try again in a minute.")
CUT = "…"
_MORE_ROOM = 24
"""Room for "… and 1,000 more"."""
# A bracket alone is harmless; a link needs "](".
_MARKUP = re.compile(r"[\\*_~`|<>@]|\](?=\()")
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
Pictures: TypeAlias = Mapping[str, str]
"""Picture name to Discord's text for that emoji; empty if dice are shown as text."""
NO_PICTURES: Pictures = {}
_OMITTED_ROOM = 12
"""Room for ", … 100 more"."""
_NATURALS = (20, 100)
"""Sides of dice whose highest and lowest face are named when one is rolled alone."""
_STRUCK = re.compile(r"\\~\\~([\w+–-]+)\\~\\~")
_STRICT = {Comparison.MORE: phrase("above {number}"), Comparison.LESS: phrase("below {number}")}


def escape(text: str) -> str:
    """Return the text with Discord's markup and mentions escaped; right-to-left letters reorder no dice."""
    # A replacement template would be looked up for each text, which takes longer than most texts.
    escaped = _MARKUP.sub(_escape_sign, text)
    return f"\u2068{escaped}\u2069" if _RIGHT_TO_LEFT.search(text) else escaped


def _escape_sign(sign: re.Match[str]) -> str:
    return f"\\{sign[0]}"


def cut(text: str, room: int) -> str:
    """Return the text escaped and cut to at most `room` characters; the backslashes count."""
    if len(whole := escape(text)) <= room:
        return whole
    text = text[:room]
    while text and len(escape(text)) + len(CUT) > room:
        text = text[:-1]
    return escape(text) + CUT


def shortened(text: str, room: int) -> str:
    """Return the text on one line, cut to at most `room` characters."""
    text = " ".join(text.split())
    return text if len(text) <= room else text[: room - 1] + CUT


def listed(texts: Sequence[str], room: int) -> str:
    """Return the texts escaped and joined by dots, without the last ones if they don't fit `room`."""
    whole = " · ".join(map(escape, texts))
    if len(whole) <= room:
        return whole
    first, *others = texts
    start = cut(first, room - 4)
    if not others:
        return start
    return " · ".join([start, *fit_items([*map(escape, others)], room - 4 - len(start), " · "), CUT])


def fit_items(texts: Sequence[str], room: int, separator: str) -> Sequence[str]:
    """Return the longest beginning of the texts that fits `room`, each with its separator."""
    ends = [*accumulate(len(text) + len(separator) for text in texts)]
    return texts[: bisect_right(ends, room)]


def fitted(parts: Sequence[str], separator: str, room: int) -> str:
    """Return the parts joined; if they don't fit, the first ones and the number of the others."""
    if len(whole := separator.join(parts)) <= room:
        return whole
    visible = fit_items(parts, room - _MORE_ROOM + len(separator), separator)
    return separator.join([*visible, _rest(len(parts) - len(visible))])


def lines_within(lines: Sequence[str], limit: int) -> str:
    """Return the lines that fit `limit`, and the number of the others; "" for no lines."""
    visible = fit_items(lines, limit + 1, "\n")
    if len(visible) < len(lines):
        visible = [*visible, _rest(len(lines) - len(visible))]
    return "\n".join(visible).rstrip()


def first_few(texts: Sequence[str], limit: int) -> str:
    """Return the first `limit` texts joined by commas, and the number of the others."""
    return and_more(", ".join(texts[:limit]), len(texts) - limit)


def and_more(items: str, omitted: int) -> str:
    """Return a list with the number of the items that it lacks, if there are any: "a, b and 3 more"."""
    if omitted <= 0:
        return items
    return say_many("{shown} and {n} more", "{shown} and {n:,} more", omitted, shown=items)


def _rest(n: int) -> str:
    return say_many("… and {n} more", "… and {n:,} more", n)


def code(text: str, room: int = 300) -> str:
    """Return the text as code on one line, of at most `room` characters between the two backticks."""
    text = text.replace("`", "'")
    return f"`{text if len(text) <= room else text[: room - 1] + CUT}`"


_BOT_NAMES = frozenset({phrase("Initiative"), phrase("Hand")})
_SIDES = phrase("heads"), phrase("tails")
_NUMBERED = re.compile(r"No\. ([1-9][0-9]{0,2})")


def clean_name(text: str | None) -> str:
    """Return a recorded name or label; translate it if the bot gave it."""
    if text in _BOT_NAMES:
        return say(text)
    if text == COIN:
        return "1 {}, 2 {}".format(*map(say, _SIDES))
    number = _NUMBERED.fullmatch(text or "")
    return say("No. {n}", n=int(number[1])) if number else text or ""


def coins(text: str) -> str:
    """Return typed throws with the sides of a coin in English."""
    sides = {say(side).casefold(): side for side in _SIDES}
    return " ".join(sides.get(word.casefold(), word) for word in text.replace(",", " ").split())


def localize_remark(text: str) -> str:
    """Return the text; translate it if it is a remark."""
    return say(text.text, **text.values) if isinstance(text, Remark) else text


def mention(user_id: int | None) -> str:
    """Return the mention that Discord shows as a name; None is an erased person."""
    return say("an erased player") if user_id is None else f"<@{user_id}>"


def player(user_id: int | None, character: str = "") -> str:
    """Return a player's mention, with the name of their character before it if they have one."""
    return f"**{escape(character)}** {mention(user_id)}" if character else mention(user_id)


def event_number(event: Event) -> str:
    """Return the event's number, "#12"."""
    return f"#{event.seq}"


def sealed(event: Event) -> str:
    """Return a hidden event's number and its seal, the first 128 bits of its leaf."""
    return say("{number} sealed {seal}", number=event_number(event), seal=_seal(event))


def seal_alone(event: Event) -> str:
    """Return the seal of a hidden event without its number."""
    return say("sealed {seal}", seal=_seal(event))


def _seal(event: Event) -> str:
    return f"`{seal(event.seal.leaf)}`"


def footing(checkpoint: str) -> str:
    """Return a checkpoint as the small last line of an answer."""
    return f"-# {say('Checkpoint: {line}', line=code(checkpoint))}"


def put_back(event: Event) -> str:
    """Return the text of an event that records that the history was restored from a backup."""
    when = f"<t:{event.milliseconds // 1000}:D>"
    text = "This history was put back to #{number:,} on {when}; compare your checkpoints."
    return say(text, number=event.seq - 1, when=when)


def footnote(event: Event, *, first: Event | None = None) -> str:
    """Return the small last line of an answer: the event's number, or the span from `first`."""
    if first is None or first.seq == event.seq:
        return f"-# {event_number(event)}"
    return f"-# {say('{first} to {last}', first=event_number(first), last=event_number(event))}"


def no_file(*, lacks_right: bool) -> str:
    """Return that Discord refused the file of a message."""
    if not lacks_right:
        return say("Discord did not take the file that goes with this.")
    return say("Discord did not take the file that goes with this: I need *Attach Files* in this channel.")


def bits(label: Source | None) -> str:
    """Return the source of a roll's randomness, "true-random bits"; "" if nothing was drawn.

    Every roll, /lab sources and docs/randomness.md use the same words.
    """
    return say(TEXTS["bits"][label]) if label else ""


def ordinal(n: int) -> str:
    """Return an ordinal number: "1st", "12th", "23rd"."""
    return signs().place(figure(n, ","), n)


def figure(value: float, form: str) -> str:
    """Return a number in the format `form`, with the signs of the current language."""
    return format(Localised(value, signs()), form)


def rounded(value: Fraction | float) -> str:
    """Return a number with two decimals at most."""
    text = f"{float(value):,.2f}".rstrip("0")
    return figure(float(value), f",.{len(text.partition('.')[2])}f")


def decimal(number: Fraction) -> str:
    """Return a number with all its decimals and the decimal sign of the current language."""
    return print_decimal(number).replace(".", signs().point)


def capital(text: str) -> str:
    """Return the text with its first letter in upper case, skipping marks such as quotation marks."""
    return re.sub(r"^[^\w<:`]*\w", lambda match: match[0].upper(), text)


def everyday_share(chance: float) -> str:
    """Return a chance in everyday words: "about 1 in 8", "about 6 in 10", "nearly all"."""
    if chance >= 0.95:
        return say("nearly all")
    if chance > 0.5:
        return say("about {n} in 10", n=min(9, round(10 * chance)))
    if chance < 0.0005:
        return say("fewer than 1 in {n:,}", n=2_000)
    return say("about 1 in {n:,}", n=round(1 / chance))


def percent(chance: Fraction) -> str:
    """Return the chance in per cent: "18.4", below one "0.28", below a hundredth "<0.01".

    "0" and "100" are exact: a chance that is only near to them is never rounded to them.
    """
    if chance in {0, 1}:
        return str(100 * chance)
    if chance < Fraction(1, 10_000):
        return "<0.01"
    if chance > Fraction(9_995, 10_000):
        return ">99.9"
    return figure(float(100 * chance), ".1f" if chance >= Fraction(1, 100) else ".2f")


def in_percent(share: str) -> str:
    """Return a figure in per cent with the current language's sign behind it."""
    return f"{share}{signs().percent}"


def score(value: Fraction) -> str:
    """Return a score of evenness to four digits, "2.286e-6", however small; "0" is exact."""
    return f"{Decimal(value.numerator) / Decimal(value.denominator):.3e}" if value else "0"


def pictured(throw: Throw, pictures: Pictures) -> str:
    """Return the expression with pictures for its dice; "" if none of them has one."""
    if not pictures:
        return ""
    text = "".join(_format_parts(throw, lambda pool: _drawn(pool, pictures)))
    return text if "<:" in text else ""


def dice_shown(throw: Throw, room: int) -> str:
    """Return the expression with its dice, "4d6kh3 (6, 5, ~~1~~, 3) + 3", in at most `room` characters.

    If there are too many dice, each pool shows its first ones and the number of the others. If the expression
    alone is too long, only its beginning is shown.
    """
    if len(text := "".join(_format_parts(throw, lambda pool: _term(pool, _dice(pool, room))))) <= room:
        return text
    rest = sum(map(len, _format_parts(throw, lambda pool: _term(pool, ""))))
    share = max(_OMITTED_ROOM, (room - rest) // max(len(throw.pools), 1))
    parts = _format_parts(throw, lambda pool: _term(pool, _dice(pool, share)))
    if len(text := "".join(parts)) <= room:
        return text
    return f"{''.join(fit_items(parts, room - 2, '')).rstrip()} {CUT}".lstrip()


def readings(throw: Throw) -> str:
    """Return notes on unusual modifiers and the sum of each tag, " · 14 fire, 6 cold, 20 in all"; else ""."""
    texts: list[str] = []
    for pool in throw.pools:
        success, explode = pool.term.success, pool.term.explode
        conditions = success.faces.conditions if success else ()
        texts += [say(_STRICT[c.comparison], number=c.number) for c in conditions if c.comparison in _STRICT]
        if explode and pool.term.keep and not explode.separate:
            texts.append(say("a die counts with all it exploded into"))
    if by_tag := throw.by_tag:
        shares = [f"{total} {escape(tag or say('more'))}" for tag, total in by_tag if tag or total]
        texts.append(say("{shares}, {total} in all", shares=", ".join(shares), total=throw.total))
    return "".join(f" · {text}" for text in dict.fromkeys(texts))


def natural(throw: Throw) -> str:
    """Return "natural 20" or "natural 1" if the one kept d20 or d100 shows its highest or lowest face."""
    dice = [(die, pool.term.sides) for pool in throw.pools for die in pool.dice if die.kept]
    if len(dice) != 1 or throw.unit is not Unit.SUM:
        return ""
    ((die, sides),) = dice
    return say("natural {face}", face=die.value) if sides in _NATURALS and die.value in {1, sides} else ""


def _format_parts(throw: Throw, format_pool: Callable[[Pool], str]) -> list[str]:
    """Return the parts of a throw as text, its pools by `format_pool`."""
    return [format_pool(part) if isinstance(part, Pool) else _format_remark(part) for part in throw.parts]


def _format_remark(part: str) -> str:
    """Return a text between dice escaped, but for special dice that are struck out: (70, ~~50~~)."""
    return _STRUCK.sub(r"~~\1~~", escape(localize_remark(part)))


def _term(pool: Pool, dice: str) -> str:
    tag = f" [{escape(pool.tag)}]" if pool.tag else ""
    return f"{escape(pool.term.text)}{tag} ({dice})"


def _dice(pool: Pool, room: int) -> str:
    dice = [_die(die) for die in pool.dice]
    text = ", ".join(dice)
    if len(text) <= room:
        return text
    visible = fit_items(dice, room - _OMITTED_ROOM, ", ")
    return ", ".join([*visible, say_many("… {n} more", "… {n:,} more", len(dice) - len(visible))])


def figures(throw: Throw, room: int) -> str:
    """Return the dice as figures without notation, "6, 5, ~~1~~, 3 + 3", in about `room` characters."""
    return "".join(_format_parts(throw, lambda pool: _dice(pool, room)))


def _drawn(pool: Pool, pictures: Pictures) -> str:
    """Return the pool's dice as pictures; unusual dice stay text."""
    usual = pool.term.lowest == 1 and not pool.term.special
    dice = [(usual and _picture(die, pool.term.sides, pictures)) or _die(die) for die in pool.dice]
    if not any(text.startswith("<:") for text in dice):
        return _term(pool, ", ".join(dice))
    tag = f" {escape(pool.tag)}" if pool.tag else ""
    return ", ".join(dice).replace(">, <", "> <") + tag


def _picture(die: Die, sides: int, pictures: Pictures) -> str:
    """Return the picture of each face of a die, with "+" after an explosion; "" if a picture is missing."""
    text = ""
    for face in die.faces:
        state = DieState.SUCCESS if face.success else DieState.KEPT
        if face.rerolled or not die.kept:
            state = DieState.DROPPED
        picture = "" if face.changed is not None else pictures.get(face_name(sides, face.value, state))
        if not picture:
            return ""
        text += picture if face.rerolled or face is die.faces[-1] else f"{picture}+"
    return text


def _die(die: Die) -> str:
    final = "+".join([_face(face) for face in die.faces if not face.rerolled])
    text = "".join([f"{face.value}→" for face in die.faces if face.rerolled]) + final
    return text if die.kept else f"~~{text}~~"


def _face(face: Face) -> str:
    text = str(face.value) if face.changed is None else f"{face.value}→{face.changed}"
    return f"**{text}**" if face.success else text

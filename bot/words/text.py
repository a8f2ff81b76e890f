"""Text for Discord messages: safe markup, lengths, counts, the line with an event's number, thrown dice."""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from typing import TypeAlias

from bot.campaign.events import Event
from bot.dice.draws import Source
from bot.dice.everyday import COIN
from bot.dice.modifiers import Comparison
from bot.dice.remarks import Remark
from bot.dice.system import print_decimal
from bot.dice.throws import Die, Face, Pool, Throw, Unit
from bot.record.hashing import seal
from bot.words.languages import signs
from bot.words.numbers import Localised
from bot.words.pictures import DieState, face_name
from bot.words.saying import phrase, say, say_many

MESSAGE_LIMIT = 2_000
"""Discord's limit of characters in a message."""
TOO_MANY = phrase("No picture: too many are being drawn just now. Try again in a minute.")
CUT = "…"
_MORE = 24
"""Room for "… and 1,000 more"."""
# A bracket alone is harmless; a link needs "](".
_MARKUP = re.compile(r"[\\*_~`|<>@]|\](?=\()")
_BITS = {
    Source.TRUE: phrase("true-random bits"),
    Source.HALF: phrase("half true-random bits"),
    Source.LOCAL: phrase("computer-random bits"),
    Source.KEYED: phrase("bits of a committed key"),
    Source.PHYSICAL: phrase("dice thrown by hand"),
    None: "",
}
Pictures: TypeAlias = Mapping[str, str]
"""Discord's texts for the pictures of dice that the bot has, by their names; none where dice are text."""
NO_PICTURES: Pictures = {}
_UNSHOWN = 12
"""Room for ", … 100 more"."""
_NATURALS = (20, 100)
"""Dice whose ends stand out when one of them is rolled alone."""
_STRICT = {Comparison.MORE: phrase("above {number}"), Comparison.LESS: phrase("below {number}")}


def escape(text: str) -> str:
    """Return the text so that Discord shows every character of it, and no markup or mention."""
    # A template would be looked up for each text, which takes longer than most texts.
    return _MARKUP.sub(_escaped, text)


def _escaped(sign: re.Match[str]) -> str:
    return f"\\{sign[0]}"


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
    return say_many("1 success", "{n} successes", number_of)


def listed(texts: Sequence[str], room: int) -> str:
    """Return the texts escaped, with dots between them; the last ones are dropped to fit `room`."""
    whole = " · ".join(map(escape, texts))
    if len(whole) <= room:
        return whole
    first, *others = texts
    shown = cut(first, room - 4)
    if not others:
        return shown
    return " · ".join([shown, *as_many([*map(escape, others)], room - 4 - len(shown), " · "), CUT])


def as_many(texts: Sequence[str], room: int, between: str) -> Sequence[str]:
    """Return the first texts that fit, each with what stands between two of them."""
    ends = [*accumulate(len(text) + len(between) for text in texts)]
    return texts[: bisect_right(ends, room)]


def fitted(parts: Sequence[str], between: str, room: int) -> str:
    """Return all parts, or where they don't fit as many as do and the number of the others."""
    if len(whole := between.join(parts)) <= room:
        return whole
    shown = as_many(parts, room - _MORE + len(between), between)
    return between.join([*shown, _rest(len(parts) - len(shown))])


def lines_within(lines: Sequence[str], limit: int) -> str:
    """Return as many lines as fit, and the number of the others; "" for no lines."""
    shown = as_many(lines, limit + 1, "\n")
    if len(shown) < len(lines):
        shown = [*shown, _rest(len(lines) - len(shown))]
    return "\n".join(shown).rstrip()


def first_few(texts: Sequence[str], limit: int) -> str:
    """Return the first `limit` texts with commas, and the number of the others."""
    more = len(texts) - limit
    shown = ", ".join(texts[:limit])
    if more <= 0:
        return shown
    return say_many("{shown} and {n} more", "{shown} and {n:,} more", more, shown=shown)


def _rest(n: int) -> str:
    return say_many("… and {n} more", "… and {n:,} more", n)


def code(text: str, room: int = 300) -> str:
    """Return the text as code on one line, of at most `room` characters between the two backticks."""
    text = text.replace("`", "'")
    return f"`{text if len(text) <= room else text[: room - 1] + CUT}`"


_OURS = frozenset({phrase("Initiative"), phrase("Hand")})
_SIDES = phrase("heads"), phrase("tails")
_NUMBERED = re.compile(r"No\. ([1-9][0-9]{0,2})")


def given_name(text: str | None) -> str:
    """Return a recorded name or label; one that the bot gave is said in the language that is spoken."""
    if text in _OURS:
        return say(text)
    if text == COIN:
        return "1 {}, 2 {}".format(*map(say, _SIDES))
    number = _NUMBERED.fullmatch(text or "")
    return say("No. {n}", n=int(number[1])) if number else text or ""


def coins(text: str) -> str:
    """Return typed throws with a coin's sides in English, for who types them as they read them."""
    sides = {say(side).casefold(): side for side in _SIDES}
    return " ".join(sides.get(word.casefold(), word) for word in text.replace(",", " ").split())


def remarked(text: str) -> str:
    """Return a text; a remark in the language that is spoken."""
    return say(text.text, **text.values) if isinstance(text, Remark) else text


def mention(user_id: int | None) -> str:
    """Return the mention that Discord shows as a name; None is somebody who was erased."""
    return say("somebody erased") if user_id is None else f"<@{user_id}>"


def player(user_id: int | None, character: str = "") -> str:
    """Return a player's mention, behind the name of the character that they play, if there is one."""
    return f"**{escape(character)}** {mention(user_id)}" if character else mention(user_id)


def event_number(event: Event) -> str:
    """Return the event's number as people cite it, "#12"."""
    return f"#{event.seq}"


def sealed(event: Event) -> str:
    """Return a hidden event's number and the seal that binds it from now on, 128 bits of its leaf."""
    return say("{number} sealed {seal}", number=event_number(event), seal=_seal(event))


def seal_alone(event: Event) -> str:
    """Return the seal of a hidden event without its number."""
    return say("sealed {seal}", seal=_seal(event))


def _seal(event: Event) -> str:
    return f"`{seal(event.seal.leaf)}`"


def footing(checkpoint: str) -> str:
    """Return a checkpoint, in one line, as the small last line of an answer."""
    return f"-# {say('Checkpoint: {line}', line=code(checkpoint))}"


def put_back(event: Event) -> str:
    """Return what an event says which notes that a backup took the place of the history."""
    when = f"<t:{event.milliseconds // 1000}:D>"
    told = "This history was put back to #{number:,} on {when}; compare your checkpoints."
    return say(told, number=event.seq - 1, when=when)


def footnote(event: Event, *, first: Event | None = None) -> str:
    """Return the small last line of an answer: the event's number, or the span from `first`."""
    if first is None or first.seq == event.seq:
        return f"-# {event_number(event)}"
    return f"-# {say('{first} to {last}', first=event_number(first), last=event_number(event))}"


def no_file(*, lacks_right: bool) -> str:
    """Return why a message has no file: Discord refused it."""
    if not lacks_right:
        return say("Discord did not take the file that goes with this.")
    return say("Discord did not take the file that goes with this: I need *Attach Files* in this channel.")


def bits(label: Source | None) -> str:
    """Return where a roll's randomness came from, "true-random bits"; "" where nothing was drawn.

    The same words stand on every roll, in /lab sources and in docs/randomness.md.
    """
    return say(_BITS[label])


def ordinal(n: int) -> str:
    """Return a place in an order: "1st", "12th", "23rd"."""
    return signs().place(figure(n, ","), n)


def figure(value: float, form: str) -> str:
    """Return a number in that format, as the language that is spoken writes it."""
    return format(Localised(value, signs()), form)


def rounded(value: Fraction | float) -> str:
    """Return a number with two decimals at most."""
    text = f"{float(value):,.2f}".rstrip("0")
    return figure(float(value), f",.{len(text.partition('.')[2])}f")


def decimal(number: Fraction) -> str:
    """Return a number with all its decimals, as the language that is spoken writes it."""
    return print_decimal(number).replace(".", signs().point)


def capital(text: str) -> str:
    """Return the text with its first letter as a capital, behind marks such as quotation marks."""
    return re.sub(r"^[^\w<:`]*\w", lambda found: found[0].upper(), text)


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

    "0" and "100" are exact: what can still happen, or still fail, never reads so.
    """
    if chance in {0, 1}:
        return str(100 * chance)
    if chance < Fraction(1, 10_000):
        return "<0.01"
    if chance > Fraction(9_995, 10_000):
        return ">99.9"
    return figure(float(100 * chance), ".1f" if chance >= Fraction(1, 100) else ".2f")


def in_percent(share: str) -> str:
    """Return a figure in per cent with the sign behind it, as the language that is spoken writes it."""
    return f"{share}{signs().percent}"


def score(value: Fraction) -> str:
    """Return a score of evenness to four digits, "2.286e-6", however small; "0" is exact."""
    return f"{Decimal(value.numerator) / Decimal(value.denominator):.3e}" if value else "0"


def pictured(throw: Throw, pictures: Pictures) -> str:
    """Return the expression with pictures for its dice; "" where none has one."""
    if not pictures:
        return ""
    text = "".join(_terms(throw, lambda pool: _drawn(pool, pictures)))
    return text if "<:" in text else ""


def dice_shown(throw: Throw, room: int) -> str:
    """Return the expression with its dice, "4d6kh3 (6, 5, ~~1~~, 3) + 3", in at most `room` characters.

    Where there are too many dice, each pool shows its first ones and the number of the others; where the
    expression alone is too long, only its beginning is shown.
    """
    if len(text := "".join(_terms(throw, lambda pool: _term(pool, _dice(pool, room))))) <= room:
        return text
    rest = sum(map(len, _terms(throw, lambda pool: _term(pool, ""))))
    share = max(_UNSHOWN, (room - rest) // max(len(throw.pools), 1))
    parts = _terms(throw, lambda pool: _term(pool, _dice(pool, share)))
    if len(text := "".join(parts)) <= room:
        return text
    return f"{''.join(as_many(parts, room - 2, '')).rstrip()} {CUT}".lstrip()


def readings(throw: Throw) -> str:
    """Return what each tag adds, " · 14 fire, 6 cold, 20 in all", and odd signs as read; "" for neither."""
    said: list[str] = []
    for pool in throw.pools:
        success, explode = pool.term.success, pool.term.explode
        strict = [one for one in success.faces.conditions if one.comparison in _STRICT] if success else []
        said += [say(_STRICT[one.comparison], number=one.number) for one in strict]
        if explode and pool.term.keep and not explode.separate:
            said.append(say("a die counts with all it exploded into"))
    if by_tag := throw.by_tag:
        shares = [f"{total} {escape(tag or say('more'))}" for tag, total in by_tag if tag or total]
        said.append(say("{shares}, {total} in all", shares=", ".join(shares), total=throw.total))
    return "".join(f" · {words}" for words in dict.fromkeys(said))


def natural(throw: Throw) -> str:
    """Return "natural 20" or "natural 1" where one kept d20 or d100 shows its end; "" elsewhere."""
    kept = [(die, pool.term.sides) for pool in throw.pools for die in pool.dice if die.kept]
    if len(kept) != 1 or throw.unit is not Unit.SUM:
        return ""
    ((die, sides),) = kept
    return say("natural {face}", face=die.value) if sides in _NATURALS and die.value in {1, sides} else ""


def _terms(throw: Throw, told: Callable[[Pool], str]) -> list[str]:
    """Return the parts of a throw, its pools as they are told."""
    return [told(part) if isinstance(part, Pool) else escape(remarked(part)) for part in throw.parts]


def _term(pool: Pool, dice: str) -> str:
    tag = f" [{pool.tag}]" if pool.tag else ""
    return f"{escape(pool.term.text)}{tag} ({dice})"


def _dice(pool: Pool, room: int) -> str:
    whole = [_die(die) for die in pool.dice]
    text = ", ".join(whole)
    if len(text) <= room:
        return text
    shown = as_many(whole, room - _UNSHOWN, ", ")
    return ", ".join([*shown, say_many("… {n} more", "… {n:,} more", len(whole) - len(shown))])


def figures(throw: Throw, room: int) -> str:
    """Return the dice as figures without their notation, "6, 5, ~~1~~, 3 + 3", in about `room` characters."""
    return "".join(_terms(throw, lambda pool: _dice(pool, room)))


def _drawn(pool: Pool, pictures: Pictures) -> str:
    """Return the pool's dice as pictures; odd ones stay text."""
    usual = pool.term.lowest == 1 and not pool.term.special
    found = [(usual and _picture(die, pool.term.sides, pictures)) or _die(die) for die in pool.dice]
    if not any(each.startswith("<:") for each in found):
        return _term(pool, ", ".join(found))
    tag = f" {pool.tag}" if pool.tag else ""
    return ", ".join(found).replace(">, <", "> <") + tag


def _picture(die: Die, sides: int, pictures: Pictures) -> str:
    """Return the picture of each face of a die, "+" where it exploded; "" where one has none."""
    shown = ""
    for face in die.faces:
        state = DieState.SUCCESS if face.success else DieState.KEPT
        if face.rerolled or not die.kept:
            state = DieState.DROPPED
        picture = "" if face.changed is not None else pictures.get(face_name(sides, face.value, state))
        if not picture:
            return ""
        shown += picture if face.rerolled or face is die.faces[-1] else f"{picture}+"
    return shown


def _die(die: Die) -> str:
    kept = "+".join([_face(face) for face in die.faces if not face.rerolled])
    text = "".join([f"{face.value}→" for face in die.faces if face.rerolled]) + kept
    return text if die.kept else f"~~{text}~~"


def _face(face: Face) -> str:
    text = str(face.value) if face.changed is None else f"{face.value}→{face.changed}"
    return f"**{text}**" if face.success else text

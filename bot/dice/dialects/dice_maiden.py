"""Dice Maiden's notation: short modifiers, sums from left to right, and a word for each of many games.

From github.com/Humblemonk/DiceMaiden, its roll syntax. `e`, `ie` and `t` take a number and more,
`r`, `ir`, `f` and `i` a number and less.
"""

import json
import re
from importlib.resources import files

from bot.dice.dialects.rewriting import FLAGS, OneWord, PoolText, Unread, notation_of
from bot.dice.errors import NotationError


def _count(pool: PoolText, match: re.Match[str]) -> None:
    """Read t7, with ds for successes that count twice and f2 for those that take one off."""
    target, doubled, twice, failure = match.groups()
    text = f"#{{>={target}}}"
    if doubled:
        text += f"x2{{{twice or f'>={target}'}}}"
    pool.put("count", text + (f"f{{<={failure}}}" if failure else ""))


def _more_dice(pool: PoolText, match: re.Match[str]) -> None:
    """Throw additional dice and drop the same number, the lowest for an advantage; only as first modifier."""
    pool.put("before", "")
    pool.put("keep", f"{'dl' if match[1].lower() == 'adv' else 'dh'}{match[2]}")
    pool.number = str(pool.dice + int(match[2]))


_NOTATION = notation_of("dice_maiden", more_dice=_more_dice, count_twice=_count)
_WORDS = json.loads((files("bot.dice.dialects") / "dice_maiden.json").read_text(encoding="utf-8"))
_DICE, _REFUSED = OneWord(_WORDS["dice"]), OneWord(_WORDS["refused"])
_FLAG = re.compile(r"\A\s*(p|s|ul|nr)\s+(?=\S*\d)", FLAGS)
_BEHIND = re.compile(r"(?<=\d)\s+(p|s|ul|nr)\s*\Z", FLAGS)
_LABEL = re.compile(r"\A\s*\([^()]*[a-z][^()]*\)\s+", FLAGS)
_COMMENT = re.compile(r"\s!\s(.*)", re.DOTALL)
_REPEAT = re.compile(r"\s*(\d+)\s+(\d*d\d.*)", FLAGS | re.DOTALL)
_BELOW_ZERO = re.compile(r"-|!i|f", FLAGS)
_MODIFIED = re.compile(r"[a-z!#{]", FLAGS)


def is_private(text: str) -> bool:
    """Return whether only the player is to see the roll, `p 2d6`."""
    dice = _COMMENT.sub("", text)
    return any(match[1].lower() == "p" for match in (_FLAG.search(dice), _BEHIND.search(dice)) if match)


def read(text: str) -> str:
    """Return Dice Maiden's text in Evenhand's notation; Unread if it has no equivalent.

    NotationError gives the reason for known games that are not supported.
    """
    if comment := _COMMENT.search(text):
        dice, words = read(text[: comment.start()]), comment[1].strip()
        return f"{dice} # {words}" if words else dice
    text = _LABEL.sub("", _FLAG.sub("", _BEHIND.sub("", text)), count=1).strip()
    if ";" in text:
        return "; ".join(read(part) for part in text.split(";"))
    if own_text := _DICE.translate(text):
        return own_text
    if refused := _REFUSED.find(text):
        raise NotationError(refused[0], **refused[1])
    if repeat := _REPEAT.fullmatch(text):
        return f"{repeat[1]}#{read(repeat[2])}"
    if text.startswith(("+", "-")):
        raise Unread
    # "4d10 t8 ie10": a target may stand before what explodes.
    text = re.sub(r"(\st\d+)((?:\s++i?e\d*+)+)", r"\2\1", text, flags=FLAGS)
    return _left_to_right(_NOTATION.rewrite(text))


def _left_to_right(text: str) -> str:
    """Put brackets around each step, where a product stands behind a sum; a quotient is cut."""
    steps = re.split(r"\s*([+*/-])\s*", text.strip())
    if not any(sign in "*/" for sign in steps[1::2]):
        return text
    if not _MODIFIED.search(steps[0]) and (len(steps) > len("a/b") or steps[1] != "/"):
        raise Unread
    if "/" in steps and _BELOW_ZERO.search(text):
        raise Unread  # a quotient is cut there, and rounded down here
    whole = steps[0]
    for sign, part in zip(steps[1::2], steps[2::2], strict=True):
        whole = f"({whole}){'//' if sign == '/' else sign}{part}"
    return whole

"""Finds dice in what the bot says, and makes nodes of them: results of rolls, and calls as cards.

A result is a line such as "`Stealth` **25** ← 2d20kh1 (20, ~~12~~) + 5", also behind "1.", a mention or "➤".
What is not recognised stays Markdown.
"""

import re
from itertools import takewhile

from bot.play.marks import MarkNode, blocks, inline, without_faces, words
from bot.play.store import Object

_RESULT = re.compile(
    r"(?:(?P<index>\d{1,3})\. )?(?P<turn>➤ )?(?:(?P<who><@!?\d{1,19}>|somebody erased) )?"
    r"(?:(?P<label>`[^`]+`) )?"
    r"\*\*(?P<total>(?:\\.|[^*\\])+)\*\*(?: ← (?P<made>.+)| · (?P<after>.+))?"
)
_TITLE = re.compile(r"\*\*(?P<title>.+?)\*\*: (?P<asked>.+)")
_SIDES = re.compile(r"d(\d{1,4}|F)")
_DIE = re.compile(r"(?P<struck>~~)?(?P<bold>\*\*)?(?P<show>-?\d[-\d+→]{0,39})(?(bold)\*\*)(?(struck)~~)")
_USER = re.compile(r"(<@!?\d{1,19}>)")
_MORE = re.compile(r"… \d+ more")
_PASSES, _FAILS = ("passes", "just passes", "beats", "wins"), ("fails", "loses")
_MISSING = ("Missing", "Did not roll")
_DICE_SHOWN = 12


def body(text: str) -> tuple[list[Object], list[list[MarkNode]]]:
    """Return the blocks of a message of the bot, and its margin: the parts of the small line with its number.

    Small lines that say something else, such as a checkpoint, stay where they are. The bot's pictures of dice
    are read as text, for the page draws dice by itself.
    """
    lines = without_faces(text).split("\n")
    above = lines[: len(lines) - len([*takewhile(lambda line: line.startswith("-# "), reversed(lines))])]
    first, *others = lines[len(above) :] or [""]
    margin = [inline(part) for part in first[3:].split(" · ")]
    said = [words(part) for part in margin]
    if not any(part.startswith("#") for part in said):
        return _blocks(lines), []
    title = _TITLE.fullmatch(next(iter(above), ""))
    called = title if any(part.startswith("called by") for part in said) else None
    return [*([_card(called, above[1:])] if called else _blocks(above)), *blocks("\n".join(others))], margin


def _blocks(lines: list[str]) -> list[Object]:
    found: list[Object] = []
    plain: list[str] = []
    fenced = False
    read = [_RESULT.fullmatch(line) for line in lines]
    several = sum(bool(each and each["made"]) for each in read) > 1
    for line, result, below in zip(lines, read, [*read[1:], None], strict=False):  # of no lines none
        fenced ^= line.count("```") % 2 == 1
        sums_up = below and below["made"] and below["index"] == "1"
        if fenced or not result or not (result["made"] or sums_up):
            plain.append(line)
            continue
        found += blocks("\n".join(plain))
        plain = []
        if result["made"]:
            found.append(_result(result, big=not (several or result["index"] or result["who"])))
        elif result["label"]:
            found.append({"n": "label", "text": result["label"].strip("`")})
    return found + blocks("\n".join(plain))


def _result(found: re.Match[str], *, big: bool = False, card: bool = False) -> Object:
    """Return the node of a result; in a card it is somebody's, also of a name that the label gives."""
    expression, *after = (found["made"] or f" · {found['after'] or ''}").split(" · ")
    who, label = found["who"], found["label"]
    if card:
        who, label = who or label, None
    heard = _USER.split(found[0].replace(f"{who} ", "", 1))  # whole pieces of text, and people by their names
    said = inline(" · ".join(after))
    total = words(inline(found["total"]))
    fates = [total, *words(said).split(" · ")]
    tones = {"pass": _PASSES, "fail": _FAILS}
    return {
        "n": "result",
        "text": [inline(part)[0] if at % 2 else words(inline(part)) for at, part in enumerate(heard)],
        "who": inline(who) if who else None,
        "turn": bool(found["turn"]),
        "label": label.strip("`") if label else None,
        "total": total,
        "big": big,
        "parts": _parts(expression),
        "after": said,
        "tone": next((t for t, begin in tones.items() if any(f.startswith(begin) for f in fates)), None),
    }


def _parts(expression: str) -> list[Object]:
    """Return an expression's texts and dice: brackets hold the dice of the term before."""
    parts: list[Object] = []
    shown = ""
    *pieces, last = expression.split(")")
    for piece in pieces:
        term, opened, inside = piece.rpartition("(")
        dice = _dice(inside, term) if opened else []
        parts += [*_text(shown + term), *dice] if dice else []
        shown = "" if dice else f"{shown}{piece})"
    return [*parts, *_text(shown + last)]


def _text(text: str) -> list[Object]:
    return [{"text": words(inline(text)).strip()}] if text.strip() else []


def _dice(text: str, term: str) -> list[Object]:
    """Return the dice of a pool, and what says how many more there are; none if too many to draw.

    A die that was rolled again (5→1) or exploded (6+4) is not plain.
    """
    given = text.split(", ")
    more = given.pop() if _MORE.fullmatch(given[-1]) else ""
    found = [die for each in given if (die := _DIE.fullmatch(each))]
    if len(given) > _DICE_SHOWN or len(found) < len(given):
        return []
    named: str = ["0", *_SIDES.findall(term.replace("d%", "d100"))][-1]
    dice = [
        {
            "sides": named if named == "F" else int(named),
            "show": die["show"],
            "kept": not die["struck"],
            "success": bool(die["bold"]),
            "plain": not re.search(r"[→+]", die["show"]),
        }
        for die in found
    ]
    return [{"dice": dice}, *_text(more)]


def _card(head: re.Match[str], lines: list[str]) -> Object:
    """Return a call's message as a card, from its first line and the others."""
    card: Object = {
        "n": "card",
        "title": inline(head["title"]),
        "asked": inline(head["asked"].removesuffix(".")),
    }
    card |= {"lines": [], "rows": [], "foot": []} | dict.fromkeys(("missing", "missing_word", "verdict"))
    for line in lines:
        word, _, rest = line.partition(": ")
        row = _RESULT.fullmatch(line)
        if row and (row["who"] or row["label"]):
            card["rows"].append(_result(row, card=True))
        elif word in _MISSING:
            card["missing"], card["missing_word"] = inline(rest), word
        elif line.startswith(("So far: ", "**")):
            card["verdict"] = inline(line)
        elif line.strip():
            card["foot" if card["rows"] or card["missing"] else "lines"].append(inline(line))
    return card

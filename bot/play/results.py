"""Finds dice in what the bot says, and makes nodes of them: results of rolls, and calls as cards.

A result is a line such as "`Stealth` **25** ← 2d20kh1 (20, ~~12~~) + 5", also behind "1.", a mention or "➤".
What is not recognised stays Markdown.
"""

import re
from itertools import groupby, takewhile

from bot.play.marks import MarkNode, blocks, inline, words
from bot.play.store import Object

_RESULT = re.compile(
    r"(?:(?P<index>\d{1,3})\. )?(?P<turn>➤ )?(?P<who><@!?\d{1,19}> )?(?:`(?P<label>[^`]+)` )?"
    r"\*\*(?P<total>(?:\\.|[^*\\])+)\*\* ← (?P<made>.+)"
)
_HEAD = re.compile(r"(?:`(?P<label>[^`]+)` )?\*\*(?:\\.|[^*\\])+\*\*")
_TITLE = re.compile(r"\*\*(?P<title>.+?)\*\*: (?P<asked>.+)")
_ROW = re.compile(
    r"(?P<turn>➤ )?(?P<who><@!?\d{1,19}>|`[^`]+`|somebody erased) \*\*(?P<total>[^*]+)\*\*"
    r"(?: ← (?P<made>.+)|(?: · )?(?P<after>.*))(?P<label>(?!))?(?P<index>(?!))?"
)
_SIDES = re.compile(r"d(?P<sides>\d{1,4}|F)")
_DIE = re.compile(r"(?P<struck>~~)?(?P<bold>\*\*)?(?P<show>[^~*()]{1,40})(?(bold)\*\*)(?(struck)~~)")
_MORE = re.compile(r"… \d+ more")
_PICTURE = re.compile(
    r"<:d\d{1,3}_(?P<show>\d{1,3})(?:_(?P<as>dropped|success))?:\d{1,19}>(?P<next> (?=<:d\d))?"
)
_MARKS = {None: "", "dropped": "~~", "success": "**"}
_MISSING = ("Missing", "Did not roll")
_DICE_SHOWN = 12


def body(text: str) -> tuple[list[Object], list[list[MarkNode]]]:
    """Return the blocks of a message of the bot, and its margin: the parts of the small line with its number.

    Small lines that say something else, such as a checkpoint, stay where they are. The bot's pictures of dice
    are read as text, for the page draws dice by itself.
    """
    lines = _PICTURE.sub(_figure, text).split("\n")
    above = lines[: len(lines) - len([*takewhile(lambda line: line.startswith("-# "), reversed(lines))])]
    first, *others = lines[len(above) :] or [""]
    margin = [inline(part) for part in first[3:].split(" · ")]
    said = [words(part) for part in margin]
    if not any(part.startswith("#") for part in said):
        return _blocks("\n".join(lines)), []
    called = any(part.startswith("called by") for part in said)
    card = _card("\n".join(above)) if called else None
    return [*([card] if card else _blocks("\n".join(above))), *blocks("\n".join(others))], margin


def _figure(found: re.Match[str]) -> str:
    mark = _MARKS[found["as"]]
    return f"{mark}{found['show']}{mark}{', ' if found['next'] else ''}"


def _blocks(text: str) -> list[Object]:
    found: list[Object] = []
    plain: list[str] = []
    fenced = False
    lines = text.split("\n")
    results = [_result(line, _RESULT.fullmatch(line)) if "** ← " in line else None for line in lines]
    single = len([result for result in results if result]) == 1
    for at, (line, result) in enumerate(zip(lines, results, strict=True)):
        fenced ^= line.count("```") % 2 == 1
        numbered = results[at + 1 : at + 2]
        head = _HEAD.fullmatch(line) if numbered and numbered[0] and numbered[0]["index"] == 1 else None
        if fenced or not (result or head):
            plain.append(line)
            continue
        found += blocks("\n".join(plain)) if plain else []
        plain = []
        if result:
            found.append({**result, "big": single and result["index"] is None and result["who"] is None})
        elif head and head["label"]:  # it only sums up the numbered results below it
            found.append({"n": "label", "text": head["label"]})
    return found + (blocks("\n".join(plain)) if plain else [])


def _result(line: str, found: re.Match[str] | None) -> Object | None:
    """Return the node of a result line or of a row of a card; they have the same named parts."""
    if found is None:
        return None
    expression, *after = (found["made"] or f" · {found['after']}").split(" · ")
    parts, more = _parts(expression)
    said = inline(" · ".join(after))
    fates = words(said).split(" · ")
    passes = any(fate.startswith(("passes", "just passes", "beats", "wins")) for fate in fates)
    fails = any(fate.startswith(("fails", "loses")) for fate in fates)
    return {
        "n": "result",
        "text": _heard(inline(line.replace(found["who"] or "", "", 1).strip())),
        "index": int(found["index"]) if found["index"] else None,
        "who": inline(found["who"].strip()) if found["who"] else None,
        "turn": bool(found["turn"]),
        "label": found["label"],
        "total": words(inline(found["total"])),
        "big": False,
        "parts": parts,
        "more": more,
        "after": said,
        "tone": "pass" if passes else "fail" if fails else None,
    }


def _heard(nodes: list[MarkNode]) -> list[MarkNode]:
    """Return a line as it is read aloud: whole pieces of text, and people by their names."""
    heard: list[MarkNode] = []
    for named, some in groupby(nodes, lambda node: not isinstance(node, str) and node["n"] == "user"):
        part = list(some)
        heard += part if named else [words(part)]
    return heard


def _parts(expression: str) -> tuple[list[Object], str | None]:
    """Return an expression's texts and dice, and what is cut: brackets hold the dice of the term before."""
    parts: list[Object] = []
    more, shown = None, ""
    *pieces, last = expression.split(")")
    for piece in pieces:
        term, opened, inside = piece.rpartition("(")
        sides: list[str] = _SIDES.findall(term.replace("d%", "d100"))
        dice, left = _dice(inside, sides[-1] if sides else "0") if opened else ([], None)
        more = more or left
        parts += [*_text(shown + term), {"dice": dice}] if dice else []
        shown = "" if dice else f"{shown}{piece})"
    return [*parts, *_text(shown + last)], more


def _text(text: str) -> list[Object]:
    return [{"text": words(inline(text)).strip()}] if text.strip() else []


def _dice(text: str, sides: str) -> tuple[list[Object], str | None]:
    """Return the dice of a pool, and what says how many more there are; none if too many to draw."""
    given = text.split(", ")
    more = given.pop() if _MORE.fullmatch(given[-1]) else None
    found = [die for each in given if (die := _DIE.fullmatch(each))]
    if len(given) > _DICE_SHOWN or len(found) < len(given):
        return [], None
    return [_die(die, words(inline(die["show"])).strip(), sides) for die in found], more


def _die(found: re.Match[str], show: str, sides: str) -> Object:
    """Return a die; one that was rolled again (5→1) or exploded (6+4) is not plain."""
    plain = not re.search(r"[→+]", show[1:])
    kept, success = not found["struck"], bool(found["bold"])
    return {
        "sides": sides if sides == "F" else int(sides),
        "show": show,
        "kept": kept,
        "success": success,
        "plain": plain,
    }


def _card(text: str) -> Object | None:
    """Return a call's message as a card; None if its first line is not a call's."""
    first, *lines = text.split("\n")
    title = _TITLE.fullmatch(first)
    if title is None:
        return None
    asked = inline(title["asked"].removesuffix("."))
    card: Object = {"n": "card", "title": inline(title["title"]), "asked": asked}
    card |= {"lines": [], "rows": [], "foot": []} | dict.fromkeys(("missing", "missing_word", "verdict"))
    for line in lines:
        word, _, rest = line.partition(": ")
        if row := _result(line, _ROW.fullmatch(line)):
            card["rows"].append(row)
        elif word in _MISSING:
            card["missing"], card["missing_word"] = inline(rest), word
        elif line.startswith(("So far: ", "**")):
            card["verdict"] = inline(line)
        elif line.strip():
            card["foot" if card["rows"] or card["missing"] else "lines"].append(inline(line))
    return card

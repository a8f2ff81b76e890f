"""Finds dice in what the bot says, and makes nodes of them: results of rolls, and calls as cards.

A result is a line such as "`Stealth` **25** ← 2d20kh1 (20, ~~12~~) + 5", also behind "1.", a mention or "➤".
What is not recognised stays Markdown.
"""

import re

from bot.play.marks import MarkNode, blocks, inline, words
from bot.play.store import Object

_RESULT = re.compile(
    r"(?:(?P<index>\d{1,3})\. )?(?P<turn>➤ )?(?P<who><@!?\d{1,19}> )?(?:`(?P<label>[^`]+)` )?"
    r"\*\*(?P<total>(?:\\.|[^*\\])+)\*\* ← (?P<made>.+)"
)
_HEAD = re.compile(r"(?:`(?P<label>[^`]+)` )?\*\*(?P<totals>(?:\\.|[^*\\])+)\*\*")
_TITLE = re.compile(r"\*\*(?P<title>.+?)\*\*: (?P<asked>.+)")
_ROW = re.compile(r"(?P<turn>➤ )?(?P<who><@!?\d{1,19}>|`[^`]+`|somebody erased) \*\*(?P<rest>.+)")
_SIDES = re.compile(r"d(?P<sides>\d{1,4}|%)")
_MARKED = re.compile(r"(?P<struck>~~)?(?P<bold>\*\*)?(?P<show>[^~*()]{1,40})(?(bold)\*\*)(?(struck)~~)")
_MORE = re.compile(r"… (\d+ more)")
_FATE = ("passes", "fails", "just passes")
_MISSING = ("Missing: ", "Did not roll: ")
_VERDICT = ("So far: ", "**")
_DICE_SHOWN = 12


def body(text: str) -> tuple[list[Object], list[list[MarkNode]]]:
    """Return the blocks of a message of the bot, and its margin: the parts of its last small line."""
    above, margin = _margin(text)
    if any(words(part).startswith("called by") for part in margin) and (card := _card(above)):
        return [card], margin
    return _blocks(above), margin


def _margin(text: str) -> tuple[str, list[list[MarkNode]]]:
    above, _, last = text.rpartition("\n")
    if not last.startswith("-# "):
        return text, []
    return above, [inline(part) for part in last[3:].split(" · ")]


def _blocks(text: str) -> list[Object]:
    found: list[Object] = []
    plain: list[str] = []
    lines = text.split("\n")
    results = [_result(line) for line in lines]
    alone = sum(result is not None for result in results) == 1
    fenced = False

    def flush() -> None:
        if plain:
            found.extend(blocks("\n".join(plain)))
            plain.clear()

    for at, (line, result) in enumerate(zip(lines, results, strict=True)):
        fenced ^= line.count("```") % 2 == 1
        if result and not fenced:
            flush()
            found.append({**result, "big": alone and result["index"] is None and result["who"] is None})
        elif (label := _label_above(line, results[at + 1 :])) is not None:
            flush()
            if label:
                found.append({"n": "label", "text": label})
        else:
            plain.append(line)
    flush()
    return found


def _label_above(line: str, below: list[Object | None]) -> str | None:
    """Return the label of a line that only sums up the numbered results below it; None for any other line."""
    head = _HEAD.fullmatch(line) if below and below[0] and below[0]["index"] == 1 else None
    if head is None:
        return None
    return head["label"] or ""


def _result(line: str) -> Object | None:
    found = _RESULT.fullmatch(line) if "** ← " in line else None
    if found is None:
        return None
    who = inline(found["who"].strip()) if found["who"] else None
    return _made(line, found["total"], found["made"], found["label"], who, found["index"], found["turn"])


def _made(
    line: str,
    total: str,
    made: str,
    label: str | None,
    who: list[MarkNode] | None,
    index: str | None,
    turn: str | None,
) -> Object:
    expression, *after = made.split(" · ")
    parts, more = _parts(expression)
    said = inline(" · ".join(after))
    return {
        "n": "result",
        "text": words(inline(line)).strip(),
        "index": int(index) if index else None,
        "who": who,
        "turn": bool(turn),
        "label": label,
        "total": words(inline(total)),
        "big": False,
        "parts": parts,
        "more": more,
        "after": said,
        "tone": _tone(words(said)),
    }


def _tone(said: str) -> str | None:
    if not said.startswith(_FATE):
        return None
    return "fail" if said.startswith("fails") else "pass"


def _parts(expression: str) -> tuple[list[Object], str | None]:
    """Return an expression's texts and dice: each pair of brackets holds the dice of the term before it."""
    parts: list[Object] = []
    more: str | None = None
    shown = ""
    *pieces, last = expression.split(")")
    for piece in pieces:
        term, opened, inside = piece.rpartition("(")
        sides = [each["sides"] for each in _SIDES.finditer(term)]
        dice, left = _dice(inside, _number(sides[-1]) if sides else 0) if opened else ([], None)
        more = more or left
        if dice:
            parts += [*_text(shown + term), {"dice": dice}]
            shown = ""
        else:
            shown += f"{piece})"
    shown += last
    return [*parts, *_text(shown)], more


def _text(text: str) -> list[Object]:
    return [{"text": _plain(text)}] if text.strip() else []


def _number(sides: str) -> int:
    return 100 if sides == "%" else int(sides)


def _dice(text: str, sides: int) -> tuple[list[Object], str | None]:
    """Return the dice of a pool, and how many more there are; no dice where there are too many to draw."""
    given = text.split(", ")
    more = _MORE.fullmatch(given[-1])
    if more:
        given = given[:-1]
    found = [_MARKED.fullmatch(each) for each in given]
    if len(given) > _DICE_SHOWN or not all(found):
        return [], None
    dice: list[Object] = []
    for die in found:
        if die:
            show = _plain(die["show"])
            plain = not re.search(r"[→+]", show[1:])
            dice.append(
                {
                    "sides": sides,
                    "show": show,
                    "kept": not die["struck"],
                    "success": bool(die["bold"]),
                    "plain": plain,
                }
            )
    return dice, f"… {more[1]}" if more else None


def _plain(text: str) -> str:
    return words(inline(text)).strip()


def _card(text: str) -> Object | None:
    """Return a call's message as a card; None if its first line is not a call's."""
    first, *lines = text.split("\n")
    title = _TITLE.fullmatch(first)
    if title is None:
        return None
    card: Object = {
        "n": "card",
        "title": inline(title["title"]),
        "asked": inline(title["asked"].removesuffix(".")),
        "lines": [],
        "rows": [],
        "missing": None,
        "missing_word": "Missing",
        "verdict": None,
        "foot": [],
    }
    for line in lines:
        missing = next((word for word in _MISSING if line.startswith(word)), None)
        if row := _row(line):
            card["rows"].append(row)
        elif missing:
            card["missing"], card["missing_word"] = (
                inline(line.removeprefix(missing)),
                missing.removesuffix(": "),
            )
        elif line.startswith(_VERDICT):
            card["verdict"] = inline(line)
        elif line.strip():
            card["foot" if card["rows"] or card["missing"] else "lines"].append(inline(line))
    return card


def _row(line: str) -> Object | None:
    found = _ROW.fullmatch(line)
    if found is None:
        return None
    total, closed, rest = found["rest"].partition("**")
    if not closed:
        return None
    made = (
        rest.removeprefix(" ← ")
        if rest.startswith(" ← ")
        else f" · {rest.removeprefix(' · ')}"
        if rest
        else ""
    )
    return _made(line, total, made, None, inline(found["who"]), None, found["turn"])

"""Words from outside, safe inside Discord's markup and cut to a length; signs added for safety count."""

import re
from collections.abc import Sequence

CUT = "…"
# A bracket alone is none; a link needs "](".
_MARKUP = re.compile(r"[\\*_~`|<>@]|\](?=\()")


def escape(text: str) -> str:
    """The text, so that Discord shows every sign of it and takes none for markup or a mention."""
    return _MARKUP.sub(r"\\\g<0>", text)


def cut(text: str, room: int) -> str:
    """The text escaped, in at most `room` characters."""
    if len(whole := escape(text)) <= room:
        return whole
    text = text[:room]
    while text and len(escape(text)) + len(CUT) > room:
        text = text[:-1]
    return escape(text) + CUT


def listed(texts: Sequence[str], room: int) -> str:
    """The texts escaped, a dot between them, in at most `room` characters; the last ones may be missing."""
    whole = " · ".join(map(escape, texts))
    if len(whole) <= room:
        return whole
    shown = cut(texts[0], room - 4)
    for text in map(escape, texts[1:]):
        if len(shown) + 3 + len(text) + 4 > room:
            break
        shown += f" · {text}"
    return f"{shown} · {CUT}" if len(texts) > 1 else shown


def code(text: str, room: int = 300) -> str:
    """The text as code on one line, in at most `room` characters besides the two signs around it."""
    text = text.replace("`", "'")
    return f"`{text if len(text) <= room else text[: room - 1] + CUT}`"


def mention(user_id: int | None) -> str:
    """Whoever it was, as Discord shows them by name."""
    return "somebody erased" if user_id is None else f"<@{user_id}>"

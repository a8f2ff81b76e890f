"""Dice Maiden's notation: short modifiers, sums from left to right, and a word for each of many games.

From github.com/Humblemonk/DiceMaiden, its roll syntax. `e`, `ie` and `t` take a number and more,
`r`, `ir`, `f` and `i` a number and less.
"""

import re

from bot.dice.dialects.rewriting import FLAGS, Notation, PoolText, Unread, modifiers, rule


def _count(pool: PoolText, match: re.Match[str]) -> None:
    """Read t7, with ds for successes that count twice and f2 for those that take one off."""
    target, doubled, twice, failure = match.groups()
    text = f"#{{>={target}}}"
    if doubled:
        text += f"x2{{{twice or f'>={target}'}}}"
    pool.put("count", text + (f"f{{<={failure}}}" if failure else ""))


def _more_dice(pool: PoolText, match: re.Match[str]) -> None:
    """Throw so many more dice and drop as many, the lowest for an advantage; before anything else."""
    if pool.slots:
        raise Unread
    pool.put("keep", f"{'dl' if match[1].lower() == 'adv' else 'dh'}{match[2]}")
    pool.number = str(int(pool.number or 1) + int(match[2]))


_NOTATION = Notation(
    modifiers(
        (r"(adv|dis)(\d+)", _more_dice),
        (r"irg(\d+)", rule("reroll", r"rr{>=\1}")),
        (r"rg(\d+)", rule("reroll", r"ro{>=\1}")),
        (r"ir(\d+)", rule("reroll", r"rr{<=\1}")),
        (r"r(\d+)", rule("reroll", r"ro{<=\1}")),
        (r"ie(\d*)(?![a-z])", rule("explode", lambda p, m: f"!{{>={m[1] or p.top}}}")),
        (r"e(\d*)(?![a-z])", rule("explode", lambda p, m: f"!o{{>={m[1] or p.top}}}")),
        (r"i(\d*)(?![a-z])", rule("explode", lambda _, m: f"!i{{<={m[1] or 1}}}")),
        (r"km(\d+)", rule("keep", r"km\1")),
        (r"kl(\d+)", rule("keep", r"kl\1")),
        (r"k(\d+)", rule("keep", r"kh\1")),
        (r"d(\d+)", rule("keep", r"dl\1")),
        (r"tl(\d+)", rule("count", r"#{<=\1}")),
        (r"t(\d+)(?:\s*(ds)(\d*))?(?:\s*f(\d+))?(?:\s*b\d*)?(?![a-z])", _count),
    ),
    others=re.compile(r"[\s\d+*/\-]", FLAGS),
)
_CHART = "0,1,1,1,1,2,2,2,2" + ",4" * 11
"""What a d20 does as damage in Godbound."""
_GAMES = [
    (re.compile(pattern, FLAGS), ours)
    for pattern, ours in (
        (r"(?:attack|skill|save)\s*([+-]\s*\d+)?", r"d20\1"),
        (r"\+d20\s*([+-]\s*\d+)?", r"2d20kh1\1"),
        (r"-d20\s*([+-]\s*\d+)?", r"2d20kl1\1"),
        (r"\+d%", "2d10kl1*10+1d10-10"),
        (r"-d%", "2d10kh1*10+1d10-10"),
        (r"age", "3d6"),
        (r"dndstats", "6#4d6kh3"),
        (r"gbs", "d20"),
        (r"gbs\s+(\d+d\d+)\s*([+-]\s*\d+)?", r"\1\2"),
        (r"gb", f"d{{{_CHART}}}"),
        (r"gb\s+(\d+)d8", rf"\1d{{{_CHART[:15]}}}"),
        (r"(\d+)hsn", r"\1d6"),
        (r"cpd(\d+)", r"\1d6"),
        (r"(\d+)cod", r"\1d10!>=8"),
        (r"sp(\d+)", r"\1d10!>=8"),
        (r"sp(\d+)t(\d+)", r"\1d10!>=\2"),
        (r"ex(\d+)", r"\1d10>=7x2{10}"),
        (r"ex(\d+)t(\d+)", r"\1d10>=\2x2{10}"),
        (r"alien(\d+)", r"\1d6>=6"),
        (r"(\d+)yz", r"\1d6>=6"),
        (r"snm(\d+)", r"\1d6!>=4"),
        (r"(\d+)lf(\d+)f", r"\1d6>=\2"),
        (r"(\d+)lf(\d+)l", r"\1d6<=\2"),
        (r"(\d+)wh(\d+)\+", r"\1d6>=\2"),
        (r"dh\s+(\d+d\d+)", r"\1!"),
        (r"ol0", "d20!"),
        (r"ol5", "d20!+2d6!"),
        (r"sw(\d+)", r"{1d\1!,1d6!}kh1"),
        (r"tdh(\d+)b", r"3d6kh2+\1"),
        (r"tdh(\d+)n", r"3d6kl2+\1"),
        (r"a5e\s*\+(\d+)\s+ex1", r"d20+\1+1d4"),
        (r"\+a5e\s*\+(\d+)\s+ex1", r"2d20kh1+\1+1d4"),
        (r"-a5e\s*\+(\d+)\s+ex1", r"2d20kl1+\1+1d4"),
        (r"-ess1(d\d+)", r"2d20kl1+1\1"),
    )
]
_FLAG = re.compile(r"\A\s*(?:p|s|ul|nr)\s+(?=\S*\d)", FLAGS)
_LABEL = re.compile(r"\A\s*\([^()]*[a-z][^()]*\)\s+", FLAGS)
_COMMENT = re.compile(r"\s!\s.*", re.DOTALL)
_REPEAT = re.compile(r"\s*(\d+)\s+(\d*d\d.*)", FLAGS | re.DOTALL)
_MODIFIED = re.compile(r"[a-z!#{]", FLAGS)


def read(text: str) -> str:
    """Return Dice Maiden's text in our notation; Unread where it is none, or can't be said."""
    text = _LABEL.sub("", _FLAG.sub("", _COMMENT.sub("", text)), count=1).strip()
    if ";" in text:
        return "; ".join(read(part) for part in text.split(";"))
    for pattern, ours in _GAMES:
        if found := pattern.fullmatch(text):
            return found.expand(ours)
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
    whole = steps[0]
    for sign, part in zip(steps[1::2], steps[2::2], strict=True):
        whole = f"({whole}){'//' if sign == '/' else sign}{part}"
    return whole

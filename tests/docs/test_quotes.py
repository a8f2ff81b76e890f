"""What the papers quote of the program is what it says: sentences, buttons, answers.

A sentence is quoted in "quotation marks", a button in *italics* with a capital. An answer is a line below a
command, or a span with · or ← between its parts.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.docs.test_shown_commands import ROOT
from tools.messages import every_sentence
from tools.sentences import texts

NO_QUOTES = {
    "CONTRIBUTING.md": "Return ...|Release 1.0.0|Unreleased",
    "README.md": "New Application",
    "SECURITY.md": "What the operator could still do|Security|Report a vulnerability",
    "docs/checks.md": "surely by the N-th try",
    "docs/entropy.md": "again or not",
    "docs/fairness.md": "at most 3 points|never doubles|entropy = target|the same face again",
    "docs/games.md": "23 vs AC 15: hit",  # mostly of what was typed
    "docs/hosting.md": "New Application|Server Settings > Integrations > Evenhand",
    "docs/languages.md": "Not yet read by a native speaker",
    "docs/limits.md": "already acknowledged|unknown interaction",
}
"""Paper to what else it has in quotation marks and italics: others say it, or nobody does."""
PAPERS = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")} - {ROOT / "CHANGELOG.md"})
VERIFIERS = "tools/verify.py", "tools/verify.js"
_CODE = re.compile(r"^```.*?^```$|<!--.*?-->|<img[^>]*>", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"(?:^ {4}.*\n|^\n(?= {4}))+", re.MULTILINE)
_SPAN = re.compile(r"`([^`]+)`")
_QUOTE = re.compile(r'"([^"]+)"')
_BUTTON = re.compile(r"(?<![*\w])\*([A-Z+][^*|`]*\w[^*|`]*)\*(?![*\w])")
_VALUE = re.compile(r"\.\.\.|\bN\b|@\w+|#?\d[\d.]*")
_PLACE = re.compile(r"\{[^{}]*\}")
_WORD = re.compile(r"(?<![@\w(])[a-z]{3,}")


def quotes(paper: Path) -> Iterator[str]:
    """Yield what a paper quotes."""
    source = _CODE.sub("", paper.read_text("utf-8"))
    for block in _BLOCK.findall(source):
        lines = [line.strip() for line in block.strip().splitlines()]
        if lines[0].startswith("/"):
            yield from (part for line in lines if line[:1] != "/" for part in parts(line))
    source = _BLOCK.sub("", source)
    yield from (part for span in _SPAN.findall(source) if re.search(" [·←] ", span) for part in parts(span))
    source = _SPAN.sub(lambda span: "`…`" if '"' in span[1] else span[0], source)
    yield from (" ".join(said.split()) for said in (*_QUOTE.findall(source), *_BUTTON.findall(source)))


def parts(answer: str) -> list[str]:
    """Return the parts of an answer that have words of the program's own."""
    return [part.strip("*` ") for part in re.split(" [·←] ", answer.strip()) if _WORD.search(part)]


@cache
def everything() -> tuple[str, list[tuple[int, str]]]:
    """Return all texts of the program as one, and each with the number of its own letters."""
    found = {text for one in every_sentence() for text in (one.one.rpartition("\4")[2], one.many)}
    found |= {" ".join(text.words.split()) for text in texts() if not text.path.endswith(".md")}
    verifiers = ((ROOT / file).read_text("utf-8") for file in VERIFIERS)
    return "\n".join([*found, *verifiers]), [(letters(_PLACE.sub("", text)), text) for text in found]


def letters(text: str) -> int:
    """Return how many letters a text has."""
    return sum(map(str.isalpha, text))


def is_said(quote: str) -> bool:
    """Return whether a quote, or each part of it, is in a text but for numbers, or a text with values."""
    whole, each = everything()
    quote = quote.rstrip(".:")
    part = ".{0,60}?".join(map(re.escape, _VALUE.split(quote)))
    # A text of mostly values would be anything.
    near = [text for own, text in each if own <= letters(quote) < 2 * own]
    if re.search(rf"(?<!\w){part}(?!\w)", whole) or any(
        re.fullmatch(".+".join(map(re.escape, _PLACE.split(text.rstrip(".:")))), quote) for text in near
    ):
        return True
    pieces = re.split("[:,] ", quote)
    return len(pieces) > 1 and all(map(is_said, pieces))


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: str(paper.relative_to(ROOT)))
def test_what_is_quoted_is_said(paper: Path) -> None:
    """The program has that text, but for exactly those that are no quotes."""
    others = {*filter(None, NO_QUOTES.get(str(paper.relative_to(ROOT)), "").split("|"))}

    assert {quote for quote in quotes(paper) if not is_said(quote)} == others

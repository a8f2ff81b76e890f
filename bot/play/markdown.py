"""simcord builds a Markdown parser for every line of every page; here each kind of text keeps its own."""

from collections.abc import Mapping
from typing import Any

from markdown_it import MarkdownIt
from simcord.preview import _markdown as shipped  # pyright: ignore[reportPrivateUsage]

_build = shipped._markdown_parser  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001
_kept: dict[int, tuple[MarkdownIt, dict[str, Any]]] = {}


def keep_parsers() -> None:
    """Have simcord keep its parsers, which makes publishing a page several times quicker."""
    shipped._markdown_parser = _parser  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001


def _parser(policy: Mapping[str, bool | str], context: Mapping[str, Any]) -> MarkdownIt:
    # A parser looks names up in the context it was built with, and is used before the next one is asked for.
    parser, names = _kept.get(id(policy)) or (None, {})
    if parser is None:
        parser = _build(policy, names)
        _kept[id(policy)] = parser, names
    names.clear()
    names.update(context)
    return parser

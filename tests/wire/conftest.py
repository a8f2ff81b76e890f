"""Fixtures of all tests of whole commands: blank pictures, and the texts for translators."""

import pytest

from bot.charts.worker import Worker
from bot.words.languages import PseudoLanguage, accented
from tests.support.tongues import given


@pytest.fixture(autouse=True)
def _what_translators_find(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the pseudo-language leave in English each text that translators are not given."""

    def gettext(_: PseudoLanguage, text: str) -> str:
        return _said(text, text)

    def pgettext(_: PseudoLanguage, context: str, text: str) -> str:
        return _said(f"{context}\4{text}", text)

    def ngettext(_: PseudoLanguage, one: str, many: str, n: int) -> str:
        return _said(one, one if n == 1 else many)

    for said in (gettext, pgettext, ngettext):
        monkeypatch.setattr(PseudoLanguage, said.__name__, said)


@pytest.fixture(autouse=True)
def _blank_pictures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace slow drawing by a blank picture, except in tests marked `drawn`."""

    async def blank(*_: object) -> bytes:
        return b"a picture"

    if request.node.get_closest_marker("drawn") is None:
        monkeypatch.setattr(Worker, "do", blank)


def _said(key: str, text: str) -> str:
    return accented(text) if key in given() or text.startswith(accented("x")[0]) else text

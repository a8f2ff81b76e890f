from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.browsing import Script, browsing
from tests.support.chromium import needs_chromium
from tests.support.verdicts import Verifier, Verifiers


@pytest.fixture(scope="session")
def script() -> Generator[Script]:
    """The verifier in JavaScript, on one page for all tests."""
    with browsing() as opened:
        yield opened


@pytest.fixture
def verifiers(request: pytest.FixtureRequest, tmp_path: Path) -> Verifiers:
    """The three verifiers; no browser is opened before it is asked."""
    return Verifiers(tmp_path, lambda: request.getfixturevalue("script"))


@pytest.fixture(params=["tools", "bot", pytest.param("js", marks=needs_chromium)])
def ask(request: pytest.FixtureRequest, verifiers: Verifiers) -> Verifier:
    """Give files to each of the three verifiers in turn, and get its exit code and its words."""
    return verifiers.named(request.param)

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.browsing import Script, browsing
from tests.support.chromium import needs_chromium
from tests.support.verdicts import Verifier, Verifiers


@pytest.fixture(scope="session")
def script() -> Generator[Script]:
    """Yield the verifier in JavaScript, on one page for all tests."""
    with browsing() as opened:
        yield opened


@pytest.fixture
def verifiers(request: pytest.FixtureRequest, tmp_path: Path) -> Verifiers:
    """Return the three verifiers; the browser opens at its first use."""
    return Verifiers(tmp_path, lambda: request.getfixturevalue("script"))


@pytest.fixture(params=["tools", "bot", pytest.param("js", marks=needs_chromium)])
def ask(request: pytest.FixtureRequest, verifiers: Verifiers) -> Verifier:
    """Return each of the three verifiers in turn."""
    return verifiers.named(request.param)

"""What people type every evening, at the page by keyboard: forty lines, each rolled at once."""

import re

import pytest
from playwright.async_api import expect

from bot.words.languages import PSEUDO
from tests.support.chromium import Seat, needs_chromium
from tests.support.everyday import READ

pytestmark = [
    needs_chromium,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.usefixtures("tongue"),
    pytest.mark.parametrize("tongue", ["en", PSEUDO], indirect=True),
]
LINES = [text for text in READ if "\n" not in text and not text.startswith("/")][:40]


async def test_forty_lines_are_rolled(bob: Seat) -> None:
    """Typed behind /r and sent with Enter; none is asked about, and none stays in the field."""
    await bob.open_thread()
    for place, line in enumerate(LINES, start=1):
        await bob.say(f"/r {line}")
        await expect(bob.field).to_have_value("")
        await expect(bob.messages(re.compile(r"#\d"))).to_have_count(place)
    await bob.open_thread()

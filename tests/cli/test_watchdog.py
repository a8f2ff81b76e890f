"""A loop that stands still ends the program, even where a regular expression holds the interpreter."""

import pytest

from tests.support.forked import forked

HANGS = """
import asyncio, re
from bot.cli.stopping import watchdog

async def main():
    async with watchdog(1):
        await asyncio.sleep({idle})
        re.fullmatch(r"(a|a+)*", "a" * 60 + "b")

asyncio.run(main())
"""


@pytest.mark.parametrize("idle", [0, 2])
async def test_a_regular_expression_that_hangs_ends_the_program(idle: int) -> None:
    """With code 1, which starts it again, and the line that hung in the log; not before it hangs."""
    child = await forked(("-c", HANGS.format(idle=idle)), {})
    said = await child.said()

    assert child.returncode == 1
    assert "most recent call first" in said
    assert "line 8 in main" in said


async def test_it_is_called_off_at_the_end() -> None:
    """What comes after the block may take its time."""
    said = "import asyncio\nfrom bot.cli.stopping import watchdog\n"
    said += "async def main():\n    async with watchdog(0.2):\n        await asyncio.sleep(0.5)\n"
    said += "asyncio.run(main())\nimport time\ntime.sleep(0.6)\n"
    child = await forked(("-c", said), {})

    assert (await child.said(), child.returncode) == ("", 0)

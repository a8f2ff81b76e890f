"""How soon a command answers: what is slow to import is imported by what needs it."""

import asyncio
import sys

HEAVY = ("aiohttp", "alembic", "discord", "matplotlib", "numpy", "simcord", "sqlalchemy")


async def test_a_command_line_loads_nothing_heavy() -> None:
    """Refusing a wrong token, printing help or the odds of dice takes none of the big libraries."""
    program = f"import sys, bot.__main__; print(*sys.modules.keys() & {set(HEAVY)})"
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program), stdout=asyncio.subprocess.PIPE
    )
    loaded, _ = await child.communicate()

    assert child.returncode == 0
    assert loaded.decode().split() == []

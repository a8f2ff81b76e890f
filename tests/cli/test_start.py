"""The start of the command line: it imports as little as the command needs."""

import asyncio
import inspect
import json
import os
import re
import sys
from pathlib import Path

import pytest

import bot
from bot.__main__ import COMMANDS, find
from bot.child import COMMAND_LINE
from tests.support.cli import evenhand

ROOT = Path(bot.__file__).parents[1]
HEAVY = {"aiohttp", "alembic", "discord", "matplotlib", "numpy", "simcord", "sqlalchemy"}
NEEDED_BY_COMMANDS = {"bot.cli", "lark", "pydantic", "rich"}


async def python(
    folder: Path, *arguments: str, stdout: int = asyncio.subprocess.PIPE, **environment: str
) -> tuple[int | None, bytes | None, bytes]:
    """Run Python with this checkout; return its exit code, its output and its errors."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, *arguments),
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | environment,
        stdout=stdout,
        stderr=asyncio.subprocess.PIPE,
    )
    said, wrong = await child.communicate()
    return child.returncode, said, wrong


async def imported(folder: Path, *arguments: str) -> set[str]:
    """Return the modules that a run of the program has imported at its end."""
    program = (
        "import atexit, sys; from bot.__main__ import main;"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); main()"
    )
    _, _, printed = await python(folder, "-c", program, *arguments)
    return set(printed.decode().split())


async def test_a_child_runs_this_bot(tmp_path: Path) -> None:
    """A file or folder `bot` in the current folder, as authors of bots have one, is not run in its place."""
    (tmp_path / "bot.py").write_text("raise SystemExit('another bot')", "utf-8")
    child = await asyncio.create_subprocess_exec(
        *(*COMMAND_LINE, "odds", "d4", "--json"), cwd=tmp_path, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await child.communicate()
    others = [path for path in (ROOT / "bot").rglob("*.py") if '"-m", "bot"' in path.read_text("utf-8")]

    assert (child.returncode, json.loads(told)["faces"]["4"]) == (0, 0.25)
    assert others == []


async def test_help_imports_no_command(tmp_path: Path) -> None:
    """The list of commands needs no module of a command, and nothing that one stands on."""
    modules = await imported(tmp_path, "--help")

    assert "typer" in modules
    assert modules & (HEAVY | NEEDED_BY_COMMANDS) == set()


@pytest.mark.parametrize(
    "command", [["odds", "2d6"], ["verify", "missing.json"], ["run"], ["tune", "--help"]]
)
async def test_a_command_imports_nothing_heavy_that_it_does_not_need(
    tmp_path: Path, command: list[str]
) -> None:
    """The odds of dice, a missing file or token, and a command's help do without the big libraries."""
    modules = await imported(tmp_path, *command)

    assert f"bot.cli.{command[0]}" in modules
    assert modules & HEAVY == set()


async def test_settings_need_no_rules_of_dice(tmp_path: Path) -> None:
    """The table, whose address is there at once, reads them without the notation and the systems."""
    modules = await imported(tmp_path, "play", "--help")

    assert "bot.settings" in modules
    assert modules & {*HEAVY, "lark", "bot.systems"} == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_the_list_says_of_a_command_what_its_own_help_says(command: str) -> None:
    """The summary, which is known without an import, is the first line of the docstring."""
    assert COMMANDS[command] == (inspect.getdoc(find(command)) or "").partition("\n")[0]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_wrong_option_is_refused(command: str) -> None:
    """In one sentence, and with arguments that are called as in the help of all others."""
    done = evenhand(command, "--nonsense")
    usage = done.output.partition("\n")[0].partition(f" {command} ")[2]

    assert done.exit_code == 2
    assert "No such option: --nonsense" in done.output
    assert re.fullmatch(r"\[OPTIONS\](?: [{\[][A-Z]+[}\]](?:\.\.\.)?)*", usage)


async def test_a_python_without_the_libraries_says_where_they_are() -> None:
    """As that of the system is, beside a checkout that `make` has set up."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-S", "-m", "bot", "odds", "2d6"),
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        stderr=asyncio.subprocess.PIPE,
    )
    _, wrong = await child.communicate()

    assert child.returncode == 2
    assert wrong.startswith(b"This Python lacks what Evenhand needs.")


def test_an_unknown_command_is_refused() -> None:
    """The one that was meant is suggested."""
    done = evenhand("simulat")

    assert done.exit_code == 2
    assert "Did you mean 'simulate'?" in done.output


async def test_a_terminal_without_umlauts(tmp_path: Path) -> None:
    """A name that its letters can't show is written by its numbers, and nothing ends in a traceback."""
    deck = '{"system":"deck","base":{"\u00dcbel":1,"gut":1}}'
    code, said, wrong = await python(tmp_path, "-m", "bot", "odds", deck, PYTHONIOENCODING="ascii")

    assert (code, wrong) == (0, b"")
    assert said is not None
    assert rb"\xdcbel" in said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a device that is always full")
async def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    """Where the output can't be written it says so and ends with 1: trying again may help."""
    full = os.open("/dev/full", os.O_WRONLY)
    code, _, wrong = await python(tmp_path, "-m", "bot", "odds", "2d6", stdout=full)
    os.close(full)

    assert (code, wrong) == (1, b"The output can't be written: No space left on device.\n")


async def test_ctrl_c_at_the_very_start_is_no_fault(tmp_path: Path) -> None:
    """While the command's modules are imported, too, it ends without a word."""
    interrupted = (
        "import signal, sys; from bot import __main__ as program;"
        "program.find = lambda _: signal.raise_signal(signal.SIGINT); program.main()"
    )
    code, _, wrong = await python(tmp_path, "-c", interrupted, "odds", "2d6")

    assert (code, wrong) == (130, b"")


def test_the_version_is_said() -> None:
    """`--version` needs no command, and the help names it."""
    done = evenhand("--version")

    assert (done.exit_code, done.output) == (0, f"Evenhand {bot.__version__}\n")
    assert "--version" in evenhand("--help").output

"""Every command that a paper, a form or a host's file shows is one that its program or the bot takes."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import typer
from discord.app_commands import Command, Parameter
from typer.exceptions import TyperException
from typer.main import get_command

from bot.__main__ import COMMANDS, find
from tests.support.table import Table

ROOT = Path(__file__).parents[2]
PAPERS = "*.md", "docs/**/*.md", "tests/*.md"
OTHERS = "deploy/**/*.*", ".github/**/*.*", "Makefile", "compose.yaml", ".env.example"
_INDENTED = re.compile(r"(?:    |# )(.+)")
_SPAN = re.compile(r"`([^`]+)`")
_WORDS_BEGIN = re.compile(r"\s{2,}|\s[#(]| && |;")
"""Where a line of code goes on as a remark or as another command."""
_OURS = re.compile(r"(?:\S*python -m bot|(?:[A-Z_]+=\S+ )*evenhand|docker compose run --rm evenhand) (.+)")
_MODULE = re.compile(r"\S*python -m ((?:tools|benchmarks|tests)\.[\w.]+)")
_MAKE = re.compile(r"make ([a-z][a-z-]*)")
_SLASH = re.compile(r"/[a-z][a-z0-9 ]*(?![\w/])")
_OPTION = re.compile(r"(?:^| )([a-z]\w*):(?=[^\s/]|$)")
NOT_THE_BOTS = {"/healthz", "/metrics", "python:3.11-slim"}
_TARGETS = re.compile(r"^([a-z-]+):", re.MULTILINE)


def shown() -> Iterator[tuple[str, str, bool]]:
    """Yield the place of each line and each span of code, its text, and whether it is a whole line."""
    for file in sorted(file for pattern in (*PAPERS, *OTHERS) for file in ROOT.glob(pattern)):
        name = str(file.relative_to(ROOT))
        for paragraph in re.split(r"\n\s*\n", file.read_text("utf-8")):
            lines = [line[1] for text in paragraph.splitlines() if (line := _INDENTED.fullmatch(text))]
            yield from ((name, line, True) for line in lines)
            # A line of code has its own backticks seldom; a span may go over two lines.
            yield from ((name, " ".join(span.split()), False) for span in _SPAN.findall(paragraph))


def refused(words: list[str], *, whole: bool) -> str:
    """Return what the command line says against words; a span may leave arguments out."""
    if words[0] in {"--help", "--version"} or words[0].isupper():
        return ""
    if words[0] not in COMMANDS:
        return "no such command"
    app = typer.Typer()
    app.command()(find(words[0]))
    try:
        get_command(app).make_context(words[0], words[1:])
    except TyperException as error:
        said = error.format_message()
        return said if whole or not said.startswith(("Missing", "Option")) else ""
    return ""


def test_evenhand_takes_what_is_shown() -> None:
    """The command is there, and has the options and as many arguments."""
    tried = 0
    wrong: list[str] = []
    for place, text, whole in shown():
        if found := _OURS.fullmatch(_WORDS_BEGIN.split(text)[0].strip() if whole else text):
            tried += 1
            if said := refused(shlex.split(found[1]), whole=whole):
                wrong.append(f"{place}: {text}: {said}")

    assert tried > 60
    assert wrong == []


def test_what_is_run_or_made_is_there() -> None:
    """Modules exist and know the options that are named beside them; make has its targets."""
    targets = {*_TARGETS.findall((ROOT / "Makefile").read_text("utf-8"))}
    tried = 0
    wrong: list[str] = []
    for place, text, whole in shown():
        if module := _MODULE.match(text):
            tried += 1
            file = ROOT / f"{module[1].replace('.', '/')}.py"
            source = file.read_text("utf-8") if file.exists() else ""
            options = [one.replace("-", "_") for one in re.findall(r"--([a-z-]+)", text)]
            if not source or not all(re.search(rf"\b{one}\b", source) for one in options):
                wrong.append(f"{place}: {text}")
        if made := _MAKE.match(text) if whole else _MAKE.fullmatch(text.partition(" ARGS=")[0]):
            tried += 1
            if made[1] not in targets:
                wrong.append(f"{place}: {text}")

    assert tried > 60
    assert wrong == []


async def test_the_bot_takes_what_is_shown(t: Table) -> None:
    """Commands are there, and have the options and choices; of an option alone, some command has these."""
    commands = {command.qualified_name: command for command in t.bot.tree.walk_commands()}
    tried = 0
    wrong: list[str] = []
    for place, text, whole in shown():
        line = _WORDS_BEGIN.split(text)[0]
        begin, *given = _OPTION.split(line)
        slash = _SLASH.match(line)
        if (
            place == "CHANGELOG.md"
            or line in NOT_THE_BOTS
            or not (slash or (given and not begin + whole * " "))
        ):
            continue
        tried += 1
        words = slash[0][1:].split() if slash else []
        names = (" ".join(words[:n]) for n in (3, 2, 1))
        takers = [commands[name] for name in names if name in commands][:1] if slash else commands.values()
        options = [one for taker in takers if isinstance(taker, Command) for one in taker.parameters]
        wrong += [
            f"{place}: {text}: {name}"
            for name, value in zip(given[::2], given[1::2], strict=True)
            if not any(takes(one, value) for one in options if one.display_name == name)
        ]
        if slash and not any(
            isinstance(one, Command) or one.qualified_name.split() == words for one in takers
        ):
            wrong.append(f"{place}: {text}")

    assert tried > 250
    assert wrong == []


def takes(option: Parameter, value: str) -> bool:
    """Whether an option takes a value; a choice may be shown by what stands before its colon."""
    choices = [choice.name.partition(":")[0] for choice in option.choices]
    return not value or not choices or value in choices

"""Files of strangers: 20,000 that somebody changed, and all that ask for much, through both verifiers.

    python -m benchmarks.strangers [files]

A third are proofs of one event, or that a log goes on; the others are exports: as a game master gets them
and as a player does, with keys, with events withheld, with the beginning cut, and parts. Seeds are fixed.
Each file goes through both verifiers, with the checkpoint of the true one: none may end in a traceback, none
may take more than 2 s of processor or 100 MB, and none may hold whose events are others. What is hostile is
checked by the programs themselves, each in a process of its own; also that long files take at most 0.5 ms a
line in the tool.
"""

import io
import json
import os
import pickle
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

FILES, BATCH = 20_000, 1_000
SECONDS, BYTES, LINE = 2.0, 100_000_000, 0.0005
TOOLS = Path("tools/verify.py").resolve()
VERIFIERS = ("tools", "bot")
PROGRAMS = {"tools": [str(TOOLS)], "bot": ["-m", "bot", "verify"]}


def prepare(folder: Path) -> None:
    """Write the true files and the hostile ones; in a process of its own, for it takes much memory."""
    from benchmarks.mutations import proofs, truths
    from tests.support.hostile_files import hostile, long_files

    (folder / "true").write_bytes(pickle.dumps((truths(), proofs())))
    for kind, files in (("hostile", hostile()), ("long", long_files())):
        (folder / kind).mkdir()
        for name, file in files.items():
            (folder / kind / name).write_bytes(file)


def batch(verifier: str, folder: Path, begin: int, end: int) -> None:
    """Check some files in this process, and print what came of them as JSON."""
    from benchmarks.mutations import meaning, mutated

    ask = _asking(verifier)
    exports, proofs = pickle.loads((folder / "true").read_bytes())  # noqa: S301 (our own)
    path, checkpoints = folder / f"{verifier} {begin}", [folder / f"{verifier} {begin} {n}" for n in (0, 1)]
    codes: list[int | str] = []
    slowest: tuple[float, int] = (0.0, begin)
    wrong: list[int] = []
    for number in range(begin, end):
        random = Random(number)
        kind = proofs if number % 3 == 0 else exports
        true = random.choice(kind)
        file = mutated(true, random, kind) if number >= len(exports) * 3 else true.file
        path.write_bytes(file)
        arguments = ["--part"] * true.part
        for checkpoint_path, text in zip(checkpoints, true.checkpoints, strict=False):
            checkpoint_path.write_text(text)
            arguments += ["--checkpoint", str(checkpoint_path)]
        before = time.process_time()
        code = ask([*arguments, str(path)])
        slowest = max(slowest, (time.process_time() - before, number))
        codes.append(code)
        if code == 0 and meaning(file) != meaning(true.file):
            wrong.append(number)
        if code != 0 and file == true.file:
            wrong.append(-number)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"codes": codes, "slowest": slowest, "bytes": used, "wrong": wrong}))


def _asking(verifier: str) -> Callable[[list[str]], int | str]:
    """One of the two verifiers: it returns its exit code, or what it failed with."""
    if verifier == "bot":
        from tests.support.cli import evenhand

        def ask(arguments: list[str]) -> int | str:
            result = evenhand("verify", *arguments)
            failed = result.exception if not isinstance(result.exception, SystemExit) else None
            return repr(failed) if failed else result.exit_code

        return ask
    sys.path.insert(0, str(TOOLS.parent))
    # There is another module of that name beside this one.
    verify: Callable[[list[str]], int] = import_module("verify").main

    def ask_tool(arguments: list[str]) -> int | str:
        try:
            with redirect_stdout(io.StringIO()):
                return verify(arguments)
        except BaseException as error:  # noqa: BLE001 (that is what is looked for)
            return repr(error)

    return ask_tool


@dataclass(frozen=True)
class Run:
    """Cost of one run of a program on a file."""

    seconds: float
    """Of processor time."""
    bytes: int
    """The most that it had."""
    failed: bool
    """Whether it ended in a traceback, or with a code that none of its verdicts has."""


def run(verifier: str, file: Path) -> Run:
    """Check a file by the program itself."""
    with tempfile.TemporaryFile() as output:
        start = output.fileno()
        actions = [(os.POSIX_SPAWN_DUP2, start, 1), (os.POSIX_SPAWN_DUP2, start, 2)]
        command = [sys.executable, *PROGRAMS[verifier], str(file)]
        process = os.posix_spawn(sys.executable, command, os.environ, file_actions=actions)
        _, status, used = os.wait4(process, 0)
        output.seek(0)
        failed = b"Traceback" in output.read() or os.waitstatus_to_exitcode(status) not in {1, 2, 3}
    return Run(used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, failed)


def main(files: int = FILES) -> None:
    """Check all of them, and print the table; exit code 1 if one is as it may not be."""
    table = Table("files", "verifier", "tracebacks", "slowest, s", "most, MB", "hold and must not")
    bad = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _child("prepare", str(folder))
        every: dict[str, list[int | str]] = {}
        for verifier in VERIFIERS:
            batches = [
                json.loads(_child("batch", verifier, str(folder), str(n), str(min(files, n + BATCH))))
                for n in range(0, files, BATCH)
            ]
            codes = every[verifier] = [code for result in batches for code in result["codes"]]
            failed = [(n, code) for n, code in enumerate(codes) if isinstance(code, str)]
            wrong = [n for result in batches for n in result["wrong"]]
            slowest, most = (
                max(result["slowest"] for result in batches),
                max(result["bytes"] for result in batches),
            )
            bad |= bool(failed or wrong) or slowest[0] > SECONDS or most > BYTES
            row = f"{slowest[0]:.2f} (#{slowest[1]})", f"{most / 1e6:.0f}", f"{len(wrong)} {wrong[:5] or ''}"
            table.add_row(f"{files:,} changed", verifier, f"{len(failed)} {failed[:3] or ''}", *row)
        for verifier in VERIFIERS:
            runs = {file.name: run(verifier, file) for file in sorted((folder / "hostile").iterdir())}
            failed = [name for name, result in runs.items() if result.failed]
            slow = max(runs, key=lambda name: runs[name].seconds)
            wide = max(runs, key=lambda name: runs[name].bytes)
            bad |= bool(failed) or runs[slow].seconds > SECONDS or runs[wide].bytes > BYTES
            row = f"{runs[slow].seconds:.2f} ({slow})", f"{runs[wide].bytes / 1e6:.0f} ({wide})"
            table.add_row(f"{len(runs)} hostile", verifier, f"{len(failed)} {failed or ''}", *row, "")
        for file in sorted((folder / "long").iterdir()):
            result, lines = run("tools", file), file.read_bytes().count(b"\n")
            bad |= result.failed or result.seconds / lines > LINE
            per_line = f"{1e3 * result.seconds / lines:.2f} ms a line"
            size = f"{file.stat().st_size / 1e6:.0f} MB {file.name}"
            table.add_row(size, "tools", f"{result.failed:d}", per_line, f"{result.bytes / 1e6:.0f}", "")
    pairs = Counter(pair for pair in zip(*every.values(), strict=True) if pair[0] != pair[1])
    console = Console()
    console.print(table)
    console.print(f"Codes of {' and '.join(every)}: {Counter(every['tools'])}; others in the bot: {pairs}.")
    sys.exit(bad)


def _child(*arguments: str) -> str:
    command = [sys.executable, "-m", "benchmarks.strangers", *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 (this file)
    return done.stdout


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["prepare", folder]:
            prepare(Path(folder))
        case ["batch", which, folder, begin, end]:
            batch(which, Path(folder), int(begin), int(end))
        case [*count]:
            main(*map(int, count))

"""Asking the verifiers, as a test does it."""

import io
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol

from tests.support.browsing import Script
from tests.support.cli import evenhand


class Verdict(NamedTuple):
    """A verifier's exit code and words."""

    code: int
    words: str


class Verifier(Protocol):
    """A verifier, given files by their content."""

    def __call__(
        self,
        *files: bytes | str,
        checkpoints: tuple[str, ...] = (),
        seals: tuple[str, ...] = (),
        part: bool = False,
    ) -> Verdict:
        """Return the verdict on files, given checkpoints and seals."""
        ...


@dataclass(frozen=True)
class Verifiers:
    """The three verifiers; `script` opens the one in JavaScript, the others get files in a folder."""

    folder: Path
    script: Callable[[], Script]

    def named(self, which: str) -> Verifier:
        """Return one of them: `tools`, `bot` or `js`."""

        def ask(
            *files: bytes | str,
            checkpoints: tuple[str, ...] = (),
            seals: tuple[str, ...] = (),
            part: bool = False,
        ) -> Verdict:
            contents = [text if isinstance(text, bytes) else text.encode() for text in files]
            if which == "js":
                verdict = self.script().verify(contents, checkpoints, seals, part=part)
                return Verdict(*verdict)
            arguments = ["--part"] if part else []
            for seal in seals:
                arguments += ["--seal", seal]
            for place, content in enumerate((*(text.encode() for text in checkpoints), *contents)):
                file = self.folder / f"{place}"
                file.write_bytes(content)
                arguments += ["--checkpoint"] * (place < len(checkpoints)) + [str(file)]
            return _ask_bot(arguments) if which == "bot" else _ask_tools(arguments)

        return ask


def _ask_bot(arguments: Sequence[str]) -> Verdict:
    result = evenhand("verify", *arguments)
    return Verdict(result.exit_code, result.output)


def _ask_tools(arguments: Sequence[str]) -> Verdict:
    with redirect_stdout(io.StringIO()) as output:
        code = import_module("verify").main(arguments)
    return Verdict(code, output.getvalue())

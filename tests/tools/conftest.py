from collections.abc import Generator
from pathlib import Path

import pytest

import verify
from tests.support.browsing import Script, browsing
from tests.support.chromium import needs_chromium
from tests.support.cli import evenhand
from tests.support.verdicts import Verdict, Verifier


@pytest.fixture(scope="session")
def script() -> Generator[Script]:
    """The verifier in JavaScript, on one page for all tests."""
    with browsing() as opened:
        yield opened


@pytest.fixture(params=["tools", "bot", pytest.param("js", marks=needs_chromium)])
def ask(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Verifier:
    """Give files to one of the three verifiers, and get its exit code and its words."""

    def judge(
        *files: bytes | str,
        checkpoints: tuple[str, ...] = (),
        seals: tuple[str, ...] = (),
        part: bool = False,
    ) -> Verdict:
        contents = [text if isinstance(text, bytes) else text.encode() for text in files]
        if request.param == "js":
            script: Script = request.getfixturevalue("script")
            return Verdict(*script.verify(contents, checkpoints=checkpoints, seals=seals, part=part))
        arguments = ["--part"] if part else []
        for seal in seals:
            arguments += ["--seal", seal]
        for place, content in enumerate((*(text.encode() for text in checkpoints), *contents)):
            file = tmp_path / f"{place}"
            file.write_bytes(content)
            arguments += ["--checkpoint"] * (place < len(checkpoints)) + [str(file)]
        if request.param == "bot":
            result = evenhand("verify", *arguments)
            return Verdict(result.exit_code, result.output)
        capsys.readouterr()
        code = verify.main(arguments)
        return Verdict(code, capsys.readouterr().out)

    return judge

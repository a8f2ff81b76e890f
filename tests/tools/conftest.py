from pathlib import Path

import pytest

import verify
from tests.support.cli import evenhand
from tests.support.verdicts import Verdict, Verifier


@pytest.fixture(params=["tools", "bot"])
def ask(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Verifier:
    """Give files to one of the two verifiers, and get its exit code and its words."""

    def judge(
        *files: bytes | str,
        checkpoints: tuple[str, ...] = (),
        seals: tuple[str, ...] = (),
        part: bool = False,
    ) -> Verdict:
        arguments = ["--part"] if part else []
        for seal in seals:
            arguments += ["--seal", seal]
        for place, text in enumerate((*checkpoints, *files)):
            file = tmp_path / f"{place}"
            file.write_bytes(text if isinstance(text, bytes) else text.encode())
            arguments += ["--checkpoint"] * (place < len(checkpoints)) + [str(file)]
        if request.param == "bot":
            result = evenhand("verify", *arguments)
            return Verdict(result.exit_code, result.output)
        capsys.readouterr()
        code = verify.main(arguments)
        return Verdict(code, capsys.readouterr().out)

    return judge

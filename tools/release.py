"""Rehearse a release: `python -m tools.release` takes each step that can be taken here.

It asks for every text in every language, builds, checks what it built as the package index would, installs
the wheel into an empty environment, then plays and verifies from there. Last it builds the image with docker,
podman or buildah, where one answers, and hands that one any further words. `python -m tools.release notes`
prints what the changelog says of it.
"""

import asyncio
import gzip
import os
import re
import shutil
import signal
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from bot import __version__
from tests.play.guest import guest
from tools.languages import unfinished

ROOT = Path(__file__).parent.parent
_UNANCHORED = 3


def notes(version: str) -> str:
    """Return a version's section of CHANGELOG.md; raise LookupError if it has none."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    _, _, rest = text.partition(f"\n## [{version}]")
    section = rest.partition("\n## [")[0].partition("\n")[2].strip()
    if not section:
        raise LookupError(f"CHANGELOG.md says nothing of {version}.")
    return section


def built(folder: Path) -> Path:
    """Build wheel and sdist, check both, and return the wheel."""
    _run(sys.executable, "-m", "hatchling", "build", "--directory", folder)
    _run(sys.executable, "-m", "twine", "check", "--strict", *folder.iterdir())
    return next(folder.glob("*.whl"))


def installed(wheel: Path, folder: Path) -> Path:
    """Install a wheel with the locked versions into an empty environment; return its `evenhand`."""
    venv.create(folder, with_pip=True)
    place = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = (place / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    _run(*pip, "--require-hashes", "--requirement", ROOT / "requirements-run.lock")
    _run(*pip, "--no-deps", wheel)
    _run(place / "python", "-m", "pip", "check")
    return place / "evenhand"


def tried(command: Path, folder: Path) -> None:
    """Verify an export and roll at the table in an empty folder; an error where either fails."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("EVENHAND_", "PYTHON"))
    }
    text = subprocess.check_output([command, "--version"], cwd=folder, env=environment, text=True)
    assert text.strip() == f"Evenhand {__version__}", text
    export = folder / "history.jsonl"
    export.write_bytes(gzip.decompress((ROOT / "tests" / "data" / "kept" / "master.jsonl.gz").read_bytes()))
    verdict = subprocess.run([command, "verify", export], cwd=folder, env=environment, check=False)
    assert verdict.returncode == _UNANCHORED, verdict
    with subprocess.Popen(
        [command, "play", "--data", folder / "data"],
        cwd=folder, env=environment | {"PYTHONUNBUFFERED": "1", "EVENHAND_REMOTE_BITS": "false"},
        stdout=subprocess.PIPE, text=True,
    ) as table:  # fmt: skip
        assert table.stdout is not None
        address = next(
            (matches[0] for line in table.stdout if (matches := re.search(r"http://\S+/#\S+", line))), ""
        )
        try:
            with urlopen(address.partition("#")[0]) as page:  # noqa: S310 (on this machine)
                assert b"<!doctype html>" in page.read().lower()
            asyncio.run(_rolled(address))
        finally:
            table.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGINT)
            table.communicate()
    assert os.name == "nt" or table.returncode == 0, table.returncode


async def _rolled(address: str) -> None:
    """Join a table and roll, which only a running bot answers; raise TimeoutError if none does."""
    base, _, secret = address.partition("/#")
    async with guest(base) as page:
        await page.join(secret, "Mara")
        if page.welcome["bot"]["state"] != "ready":
            await page.hear(lambda frame: frame["t"] == "bot" and frame["state"] == "ready")
        await page.line("/roll 1d6")
        await page.hear(lambda frame: frame["t"] == "message" and frame["message"]["components"])


def main(arguments: list[str]) -> None:
    """Take all steps, or print the notes."""
    if arguments == ["notes"]:
        print(notes(__version__))
        return
    if codes := unfinished():
        sys.exit(f"These languages lack texts: {', '.join(codes)}")
    with TemporaryDirectory() as name:
        folder = Path(name)
        wheel = built(folder / "dist")
        print(f"ok: {wheel.name} and its sdist")
        elsewhere = folder / "elsewhere"
        elsewhere.mkdir()
        tried(installed(wheel, folder / "environment"), elsewhere)
        print("ok: installed elsewhere, it verifies and rolls at the table")
    print(f"ok: {len(notes(__version__).splitlines())} lines of notes for {__version__}")
    builders = (path for name in ("docker", "podman", "buildah") if (path := shutil.which(name)))
    if builder := next(filter(_answers, builders), None):
        os.environ["BUILDAH_FORMAT"] = "docker"  # the default format has no HEALTHCHECK
        _run(builder, "build", "--tag", "evenhand:release-check", *arguments, ROOT)
        print("ok: the image")
    else:
        print("left out: the image, for no builder of images answers here")


def _answers(builder: str) -> bool:
    if os.name == "nt":  # docker may build for Windows alone there
        return False
    return not subprocess.run([builder, "info"], check=False, capture_output=True).returncode


def _run(*command: str | Path) -> None:
    subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except subprocess.CalledProcessError as failed:
        sys.exit(f"This step failed: {' '.join(map(str, failed.cmd))}")

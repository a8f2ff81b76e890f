"""The package that `pipx install .` installs: it is whole, and its command works away from the checkout."""

import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from zipfile import ZipFile

import pytest

import bot

ROOT = Path(__file__).parent.parent
PACKAGES = ("bot", "cogs")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with what is installed here."""
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT))
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installation(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the installed wheel, which a test copies."""
    folder = tmp_path_factory.mktemp("installed")
    pip("install", "--no-compile", "--target", str(folder), str(wheel))
    return folder


def pip(*arguments: str) -> None:
    """Run pip without the network."""
    command = (sys.executable, "-m", "pip", *arguments, "--no-deps", "--no-index", "--quiet")
    subprocess.run(command, check=True, cwd=ROOT)


def test_it_holds_every_file_of_the_packages(wheel: Path) -> None:
    """Maps, migrations and whatever else lies beside the modules come along, and nothing from outside."""
    files = {
        path.relative_to(ROOT).as_posix()
        for name in PACKAGES
        for path in (ROOT / name).rglob("*")
        if path.is_file()
    }
    expected = {file for file in files if "__pycache__" not in file} | {"evenhand.py"}

    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}

    assert "bot/maps/longmarch.csv" in names
    assert names == expected


def test_it_has_the_version_of_the_code(wheel: Path) -> None:
    """The version is written once, and the changelog's newest release is this one."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    releases = [line for line in changes if line.startswith("## [") and line != "## [Unreleased]"]

    assert wheel.name.split("-")[1] == bot.__version__
    assert releases[0].startswith(f"## [{bot.__version__}] - ")


def test_its_command_runs_anywhere(installation: Path, tmp_path: Path) -> None:
    """`evenhand` answers in an empty folder, from the installed files alone."""
    installed, elsewhere = tmp_path / "installed", tmp_path / "elsewhere"
    elsewhere.mkdir()
    copytree(installation, installed)
    done = subprocess.run(
        (sys.executable, installed / "bin" / "evenhand", "odds", "d4", "--json"),
        cwd=elsewhere,
        env=os.environ | {"PYTHONPATH": str(installed)},
        check=True,
        capture_output=True,
    )

    assert json.loads(done.stdout)["faces"] == {"1": 0.25, "2": 0.25, "3": 0.25, "4": 0.25}
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "in_front"),
    [("bot", True), ("cogs", True), ("bot", False)],
    ids=["bot in front", "cogs in front", "bot in its place"],
)
def test_another_package_of_that_name_is_not_started(
    name: str, *, in_front: bool, installation: Path, tmp_path: Path
) -> None:
    """Where another program's package would run, the command says where it is and what to do."""
    installed, other = tmp_path / "installed", tmp_path / "other"
    copytree(installation, installed)
    strange = (other if in_front else installed) / name / "__init__.py"
    strange.parent.mkdir(parents=True, exist_ok=True)
    strange.write_text("raise SystemExit('started')")
    done = subprocess.run(
        (sys.executable, installed / "bin" / "evenhand", "odds", "d4"),
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (other, installed)))},
        check=False,
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert f"package `{name}` lies in front of Evenhand's, at {strange}" in done.stderr
    assert "pipx install" in done.stderr

"""The hosts' files: their form, their settings, and how exposed the service is."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bot.settings import names, secret_files

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
FILES = sorted(
    file for file in [*DEPLOY.rglob("*"), ROOT / "compose.yaml", ROOT / "Dockerfile"] if file.is_file()
)
_EXPOSED = re.compile(r"exposure level for evenhand\.service: ([0-9.]+)")
_SETTING = re.compile(r"\b(?:EVENHAND|DISCORD)_[A-Z_]+\b")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_host_sets_what_there_is(file: Path) -> None:
    """Every setting that a template names is one."""
    assert set(_SETTING.findall(file.read_text("utf-8"))) <= {*names().values(), *secret_files()}


def test_objects_are_well_formed() -> None:
    """What is JSON or TOML can be read; the egg says when the bot is there, in the bot's own words."""
    egg = json.loads((DEPLOY / "pterodactyl.json").read_text("utf-8"))
    fly = tomllib.loads((DEPLOY / "fly.toml").read_text("utf-8"))
    json.loads((DEPLOY / "railway.json").read_text("utf-8"))
    stages = re.findall(r"^FROM \S+ AS (\w+)", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE)

    assert json.loads(egg["config"]["startup"])["done"] in (ROOT / "bot" / "client.py").read_text("utf-8")
    assert fly["build"]["build-target"] in stages


@pytest.mark.skipif(not shutil.which("git"), reason="There is no git here.")
def test_a_panel_installs_and_installs_again(tmp_path: Path) -> None:
    """The egg's script takes the newest commit each time, here without Debian's packages and Python's."""
    egg = json.loads((DEPLOY / "pterodactyl.json").read_text("utf-8"))
    script: str = egg["scripts"]["installation"]["script"]
    repository, server, stubs = folders = [tmp_path / name for name in ("repository", "server", "stubs")]
    for folder in folders:
        folder.mkdir()
    for name in ("apt-get", "pip"):
        (stubs / name).symlink_to("/bin/true")
    names = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = os.environ | names | {"REPOSITORY": str(repository), "VERSION": "main"}
    environment["PATH"] = f"{stubs}:{environment['PATH']}"
    for version in ("1", "2"):
        (repository / "version").write_text(version)
        committed = "git init -q --initial-branch=main && git add --all && git commit -qm Release"
        command = ("bash", "-c", f"{committed}\n{script.replace('/mnt/server', str(server))}")
        subprocess.run(command, cwd=repository, env=environment, check=True)

        assert (server / "version").read_text() == version


@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ("compose-spec", "compose.yaml"),
        ("github-workflows", ".github/workflows/*.yml"),
        ("github-issue-forms", ".github/ISSUE_TEMPLATE/[!c]*.yml"),
        ("github-issue-config", ".github/ISSUE_TEMPLATE/config.yml"),
        ("dependabot", ".github/dependabot.yml"),
    ],
)
def test_each_file_has_the_form_that_its_reader_asks_for(schema: str, pattern: str) -> None:
    """Compose's own schema and GitHub's, as check-jsonschema brings them: nothing is downloaded."""
    files = sorted(ROOT.glob(pattern))
    command = (sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *files)
    said = subprocess.run(command, check=False, capture_output=True, text=True)

    assert files
    assert said.returncode == 0, said.stdout + said.stderr


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="There is no systemd here.")
def test_the_service_is_hardly_exposed() -> None:
    """The measure of systemd itself, of 10, is under 2."""
    command = ("systemd-analyze", "security", "--offline=yes", "--no-pager", DEPLOY / "evenhand.service")
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    (exposed,) = _EXPOSED.findall(said)

    assert float(exposed) < 2


@pytest.mark.skipif(not shutil.which("kubectl"), reason="There is no kubectl here.")
def test_the_cluster_is_whole() -> None:
    """Kustomize builds it; as many pods as the shards are shared by."""
    command = ("kubectl", "kustomize", DEPLOY / "kubernetes")
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    processes = re.findall(r'name: PROCESSES\s+value: "(\d+)"', said)

    assert said.count("kind: StatefulSet") == 2
    assert f"replicas: {processes[0]}\n" in said

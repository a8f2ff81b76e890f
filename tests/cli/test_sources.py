"""`sources` shows the random sources, and with --check asks each one once."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from typer.testing import Result

from tests.support.cli import run_beside
from tests.support.services import EMAIL, KEY, Mood, Service, Services, services

_GAP = re.compile(r" {2,}")


@pytest.fixture
async def loopback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Services]:
    """The services, and settings in the environment that have them all on, with keys."""
    monkeypatch.chdir(tmp_path)
    async with services() as running:
        config = running.config()
        for name in ("random_org", "random_org_rpc", "lfd", "anu", "qrandom", "aqn", "outshift"):
            monkeypatch.setenv(f"EVENHAND_{name.upper()}_URL", getattr(config, f"{name}_url"))
        for name in ("random_org", "aqn", "outshift"):
            monkeypatch.setenv(f"EVENHAND_{name.upper()}_KEY", KEY)
        monkeypatch.setenv("EVENHAND_OPERATOR_EMAIL", EMAIL)
        monkeypatch.setenv("COLUMNS", "140")
        yield running


async def run(*arguments: str) -> Result:
    """Run the command on a thread, for it has an event loop of its own, beside that of the services."""
    return await run_beside("sources", *arguments)


def rows(result: Result) -> dict[str, list[str]]:
    """The cells of each source's row, empty ones left out."""
    lines = [_GAP.split(line.strip()) for line in result.stdout.splitlines()]
    return {line[0]: line[1:] for line in lines if line[0] in set(Service)}


async def test_a_check_shows_what_came_of_each(loopback: Services) -> None:
    """State, seconds, bytes and health of every source, and what rolls would be made of."""
    loopback.moods |= {
        Service.RANDOM_ORG: Mood.NO_QUOTA,
        Service.AQN: Mood.WRONG_KEY,
        Service.LFD: Mood.CONSTANT,
    }
    result = await run("--check")
    found = rows(result)

    assert result.exit_code == 0, result.output
    assert [*found] == [
        "random.org (key)",
        "random.org",
        "ANU (key)",
        "Outshift (key)",
        "lfdr.de",
        "ANU",
        "qrandom.io",
    ]
    for name in ("random.org (key)", "Outshift (key)", "ANU", "qrandom.io"):
        assert found[name][1] == "fine"
        assert float(found[name][2]) < 30
        assert found[name][3:] == ["1,024", "sound"]
    assert found["random.org"][1] == "failing: its quota for our address is used up"
    assert found["ANU (key)"][1] == "failing: it does not accept our key"
    assert found["lfdr.de"][1] == "failing: failed its health test: one byte repeated in a row"
    assert found["lfdr.de"][3:] == ["0", "failed"]
    assert "rolls get true-random bits." in result.stdout
    assert len(loopback.sent) == 5


async def test_no_key_and_no_byte_is_shown(loopback: Services) -> None:
    """Whatever the services say, what is printed has neither our key nor what they sent."""
    loopback.moods |= {Service.RANDOM_ORG_RPC: Mood.WRONG_KEY, Service.OUTSHIFT: Mood.WRONG_KEY}
    said = (await run("--check")).output

    assert "our key" in said
    assert KEY not in said
    assert not any(block[:16].hex() in said for block in loopback.sent)


@pytest.mark.parametrize(
    ("alive", "code", "words"),
    [
        ((), 1, "computer-random bits"),
        ((Service.ANU,), 0, "half true-random bits"),
        ((Service.ANU, Service.QRANDOM), 0, "half true-random bits"),
        ((Service.ANU, Service.RANDOM_ORG), 0, "true-random bits"),
    ],
)
async def test_the_end_says_what_rolls_would_get(
    loopback: Services, alive: tuple[Service, ...], code: int, words: str
) -> None:
    """Two kinds of noise are true, one is half, however many sources; code 1 says that none answered."""
    loopback.moods = {s: Mood.GOOD if s in alive else Mood.ERROR_503 for s in Service}
    result = await run("--check")

    assert f"rolls get {words}." in result.stdout
    assert result.exit_code == code


async def test_all_off_is_a_good_end(loopback: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without remote bits nobody is asked, and that is no failure."""
    monkeypatch.setenv("EVENHAND_REMOTE_BITS", "off")
    result = await run("--check")

    assert result.exit_code == 0
    assert {cells[1] for cells in rows(result).values()} == {"off: switched off in the settings"}
    assert "No source is on: rolls get computer-random bits." in result.stdout
    assert loopback.requests == []


async def test_without_check_nobody_is_asked(loopback: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list says what is on, and why the others are off."""
    monkeypatch.delenv("EVENHAND_OPERATOR_EMAIL")
    monkeypatch.delenv("EVENHAND_AQN_KEY")
    monkeypatch.setenv("EVENHAND_LFD_URL", "off")
    result = await run()

    assert result.exit_code == 0
    assert {name: cells[1] for name, cells in rows(result).items()} == {
        "random.org (key)": "on",
        "random.org": "off: needs the operator's e-mail address",
        "ANU (key)": "off: needs a key",
        "Outshift (key)": "on",
        "lfdr.de": "off: switched off in the settings",
        "ANU": "on",
        "qrandom.io": "on",
    }
    assert loopback.requests == []


async def test_a_wrong_setting_is_told(loopback: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address that is none ends the command with a sentence and code 2."""
    monkeypatch.setenv("EVENHAND_ANU_URL", "qrng.example.org")
    result = await run("--check")

    assert result.exit_code == 2
    assert result.stdout == ""
    assert "EVENHAND_ANU_URL" in result.stderr
    assert loopback.requests == []

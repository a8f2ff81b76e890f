"""The command `rigged`, on an export."""

from functools import cache
from pathlib import Path

from bot.campaign.events import Event
from tests.support.cli import evenhand
from tests.support.exporting import export_of
from tests.support.histories import mixed_history


@cache
def history() -> list[Event]:
    """A mixed history, which only the tests of this file need."""
    return mixed_history(240)


def asked(*arguments: Path | str) -> tuple[int, str]:
    """The exit code, and all that was said."""
    done = evenhand("rigged", *map(str, arguments))
    return done.exit_code, done.output


def test_every_die_of_an_export_is_told(tmp_path: Path) -> None:
    """Each with its number of dice; one of them alone where it is named."""
    file = tmp_path / "export.jsonl"
    file.write_bytes(export_of(history()))
    code, said = asked(file)
    first = said.partition(":")[0]
    one = asked(file, "--die", first.upper())

    assert code == 0
    assert " seen\n" in said
    assert "Nothing odd so far." in said or "Too few to say anything" in said
    assert one[1].splitlines()[0] == said.splitlines()[0]
    assert said.startswith(one[1])


def test_what_can_not_be_answered(tmp_path: Path) -> None:
    """A die nobody rolled, a file that is none, an export that does not hold."""
    file = tmp_path / "export.jsonl"
    file.write_bytes(export_of(history()))
    lines = export_of(history()).splitlines(keepends=True)
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(b"".join(line for line in lines if b'"seq":20,' not in line))

    assert "Nobody rolled d77 in it" in asked(file, "--die", "d77")[1]
    assert "can't be used" in asked(tmp_path / "none.jsonl")[1]
    assert asked(Path(__file__))[1].startswith(f"{__file__} can't be read: line 1 is no line of an export: ")
    assert asked(broken)[0] == 1
    assert "Broken: #20" in asked(broken)[1]

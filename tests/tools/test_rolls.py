"""The tool's own rules against the bot's engine: what it makes again comes out as it was rolled."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import verify
from tests.support.logs import Log, edited, export
from tests.support.parts import Line, withhold
from tests.support.systems import SPECS
from tests.support.verdicts import Verifier

TOOLS = Path(verify.__file__).parent
NEEDED = ["verify.py", "proofs.py", "events.py", "hands.py", "keys.py"]


def file_of(log: Log) -> bytes:
    """The log's export."""
    return b"".join(export(log.events, epochs=log.leaves))


@cache
def forty_rolls(name: str, *, proof_mode: bool) -> bytes:
    """Rolls of a roller, with memories, an undo, a reset and practice."""
    log = Log(len(name))
    log.add("create")
    log.make(name, SPECS[name], "player" if "d" in name else "table")
    if proof_mode:
        log.commit()
    for place in range(40):
        log.roll_with(name, 40 + place % 3, 1 + place % 4)
    log.undo(name)
    log.roll_with(name, practice=True, times=3)
    log.undo(name)
    log.roll_with(name)
    log.reset(name)
    log.roll_with(name)
    return file_of(log)


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("proof_mode", [False, True])
def test_a_roller_is_made_again(name: str, ask: Verifier, *, proof_mode: bool) -> None:
    """Forty rolls of a roller are all made again."""
    verdict = ask(forty_rolls(name, proof_mode=proof_mode))

    assert verdict.code == 3, verdict
    assert "43 made again, 0 not made again" in verdict.words


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.integers(1, 20), st.integers(1, 100)).map(lambda dice: f"{dice[0]}d{dice[1]}"),
            st.integers(0, 1_000).map(str),
        ),
        min_size=1,
        max_size=4,
    ),
    st.lists(st.sampled_from("+-"), min_size=4, max_size=4),
    st.integers(1, 3),
)
def test_a_sum_is_made_again(ask: Verifier, terms: list[str], signs: list[str], repeat: int) -> None:
    """Sums of dice and numbers, with signs and repeated, come out as the bot rolled them."""
    body = "".join(sign + term for sign, term in zip(signs, ["1d6", *terms], strict=False)).removeprefix("+")
    log = Log()
    log.add("create")
    log.roll(f"{repeat}#{body}" if repeat > 1 else body)

    verdict = ask(file_of(log))

    assert verdict.code == 3, verdict
    assert "1 made again" in verdict.words


@pytest.mark.parametrize("text", ["4d6kh3", "6d10>=7", "1d6!", "2d6*3", "(1d6+1)*2", "4dF", "1d6ro1"])
@pytest.mark.parametrize("ask", ["tools"], indirect=True)
def test_what_is_not_made_again_is_said(text: str, ask: Verifier) -> None:
    """Notation that the tool does not know is counted as not made again, and nothing is claimed of it."""
    log = Log()
    log.add("create")
    log.roll(text)

    assert "0 made again, 1 not made again" in ask(file_of(log)).words


@pytest.mark.parametrize(
    "spec",
    [
        {"system": "deck", "base": {"a": 2, "b": 2}, "no_repeat": True},
        {"system": "decks", "decks": {"attack": {"sword": 3}, "luck": {"good": 1, "bad": 2}}},
        {"system": "register", "dice": 3},
        {"system": "fair", "base": "3d6", "tightness": "1"},
    ],
)
@pytest.mark.parametrize("ask", ["tools"], indirect=True)
def test_other_rules_are_not_made_again(spec: Line, ask: Verifier) -> None:
    """A roller by a rule that the tool does not know is counted so, and breaks nothing."""
    log = Log()
    log.add("create")
    log.make("Other", spec)
    for _ in range(5):
        log.roll_with("Other")
    log.undo("Other")

    assert "0 made again, 5 not made again" in ask(file_of(log)).words


def lucky() -> Log:
    """A fair roller's rolls, number 3 to 12."""
    log = Log()
    log.add("create")
    log.make("Luck", SPECS["fair"])
    for _ in range(10):
        log.roll_with("Luck")
    return log


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        ("how", {"before": [0] * 11}, "memory"),
        ("how", {"before": [0] * 10}, "memory"),
        ("how", {"draws": []}, "draw"),
        ("how", {"draws": [[1, 0]]}, "draw"),
        ("how", {"draws": "x"}, "recorded"),
        ("what", {"results": []}, "come out"),
        ("what", {"results": ["1"]}, "come out"),
        ("how", {"prev": 3}, "newest"),
        ("how", {"prev": "x"}, ""),
        ("what", {"spec": '{"system":"fair","base":"2d6","tightness":"2"}'}, ""),
        ("what", {"spec": '{"system":"fair","base":"2d0","tightness":"2"}'}, ""),
        ("what", {"spec": "["}, ""),
    ],
)
def test_a_roll_that_does_not_follow_is_named(name: str, values: Line, why: str, ask: Verifier) -> None:
    """Whoever changes a record must change all that hangs on it; the number and the reason are said."""
    log = lucky()
    log.events[7] = edited(log.events[7], name, **values)
    verdict = ask(file_of(log))

    # The bot's own verifier says the same in words of its own.
    assert why in verdict.words or verdict.words.startswith("Broken: #8 ")
    assert verdict.code == 1 or "not made again" in verdict.words
    assert "#8" in verdict.words or verdict.code == 3


def test_after_what_is_withheld_a_memory_may_be_anything(ask: Verifier) -> None:
    """A roller whose roll lies in a gap goes on from there, and is checked again from then on."""
    log = lucky()
    hidden = [withhold(event) if event["seq"] == 6 else event for event in log.events]
    verdict = ask(b"".join(export(hidden)))

    assert verdict.code == 3, verdict
    assert "9 made again" in verdict.words
    hidden[8] = edited(hidden[8], "how", before=[0 for _ in range(11)])
    assert ask(b"".join(export(hidden))).code == 1


def test_an_undo_is_of_the_newest(ask: Verifier) -> None:
    """An undo of what is not its roller's newest event is refused."""
    log = lucky()
    log.add("undo", public={"target": 9}, what={"roller": "Luck"})

    assert "not its roller's newest" in ask(file_of(log)).words


def test_the_tools_stand_alone(tmp_path: Path) -> None:
    """The tools run in an empty folder without the bot, and check all but the rolls without rolls.py."""
    export_file = tmp_path / "export.jsonl"
    export_file.write_bytes(file_of(lucky()))
    said: list[str] = []
    for names in ([*NEEDED, "rolls.py", "laws.py", "draws.py"], NEEDED):
        folder = tmp_path / str(len(names))
        folder.mkdir()
        for name in names:
            (folder / name).write_text((TOOLS / name).read_text("utf-8"), "utf-8")
        command = [sys.executable, "-I", "-c", _run(folder), str(export_file)]
        done = subprocess.run(command, capture_output=True, check=False, cwd=folder)
        assert done.returncode == 3, done.stderr
        said.append(done.stdout.decode())

    assert "10 made again" in said[0]
    assert "0 made again" in said[1]


def _run(folder: Path) -> str:
    """A program that has nothing but the folder and the standard library."""
    return (
        f"import sys; sys.path.insert(0, {str(folder)!r}); import verify; sys.exit(verify.main(sys.argv[1:]))"
    )


_PEAK = """
import sys, tracemalloc, verify
tracemalloc.start()
verdict = verify.main(sys.argv[1:])
print(verdict, tracemalloc.get_traced_memory()[1], file=sys.stderr)
"""


def peak(events: list[Line], file: Path) -> int:
    """How many bytes the verifier needs at most for an export, in a process where nothing else runs."""
    file.write_bytes(b"".join(export(events)))
    command = [sys.executable, "-c", _PEAK, str(file)]
    done = subprocess.run(command, cwd=TOOLS, capture_output=True, text=True, check=True)
    verdict, most = map(int, done.stderr.split())
    assert verdict == 3
    return most


def test_memory_does_not_grow_with_the_history(tmp_path: Path) -> None:
    """Ten times as many events need hardly more memory: nothing of an event is kept but a byte."""
    log = Log()
    log.add("create")
    for _ in range(1_999):
        log.roll("1d20")
    few, many = peak(log.events[:200], tmp_path / "few"), peak(log.events, tmp_path / "many")

    assert many < few + 100_000


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("verify.py", 350),
        ("rolls.py", 260),
        ("proofs.py", 220),
        ("keys.py", 285),
        ("laws.py", 150),
        ("draws.py", 95),
    ],
)
def test_the_tools_are_short_enough_to_read(name: str, most: int) -> None:
    """Who does not trust the bot can read all of what they check it with."""
    assert len((TOOLS / name).read_text("utf-8").splitlines()) <= most

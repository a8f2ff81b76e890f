"""The verifier in JavaScript against docs/vectors.json, and what the others have from their language."""

import json
from pathlib import Path
from typing import Any

import pytest

import verify
from tests.support.browsing import Script
from tests.support.chromium import needs_chromium
from tests.support.exporting import export_of
from tests.support.histories import mixed_history
from tests.support.logs import Log, export
from tests.support.vectors import FILE

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def vectors() -> Any:
    """What docs/vectors.json says."""
    return json.loads(FILE.read_text("utf-8"))


def test_the_vectors_are_met(script: Script, vectors: Any) -> None:
    """Values, lines, leaves, trees, paths and bits come out as the file says."""
    assert script.run((Path(__file__).parent / "vectors.js").read_text("utf-8"), vectors) == []


def test_the_exported_vectors_hold(script: Script, vectors: Any) -> None:
    """The export and both proofs are borne out by the checkpoints that they lead to."""
    end, own = vectors["checkpoint"]["line"], json.loads(vectors["export"].splitlines()[-1])["checkpoint"]

    assert script.verify([vectors["export"].encode()], checkpoints=[own])[0] == 0
    assert script.verify([vectors["inclusion"].encode()], checkpoints=[end])[0] == 0
    assert script.verify([vectors["consistency"].encode()])[0] == 3


def test_names_are_folded_as_unicode_says(script: Script) -> None:
    """Two signs are alike where Python's full folding says so, of all that Python's Unicode knows."""
    signs = [chr(n) for n in range(0x110000) if not 0xD800 <= n < 0xE000 and chr(n).isprintable()]
    folded: list[str] = script.run("(signs) => signs.map(verifier.fold)", signs)
    alike: dict[str, str] = {}

    for sign, found in zip(signs, folded, strict=True):
        assert alike.setdefault(found, sign.casefold()) == sign.casefold(), sign
    assert len(alike) == len({sign.casefold() for sign in signs})
    assert script.run("() => ['STRASSE', 'ΟΔΟΣ', 'ı'].map(verifier.fold)") == ["strasse", "οδοσ", "ı"]


def test_labels_keep_their_order(script: Script) -> None:
    """Labels that look like numbers stay where they stand, and whole numbers whole."""
    text = '{"base":{"10":1,"x":90071992547409931,"2":3},"system":"dice"}'
    pairs = script.run("(text) => [...verifier.readOrdered(text).get('base')].map(String)", text)

    assert pairs == ["10,1", "x,90071992547409931", "2,3"]


@pytest.mark.parametrize("seed", range(3))
def test_a_mixed_history_is_told_as_the_other_tool_tells_it(
    seed: int, script: Script, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rollers of every kind, registers, methods and maps, undos and an erased player: word for word."""
    file = tmp_path / "export.jsonl"
    file.write_bytes(export_of(mixed_history(300, seed, ways=True)))

    code = verify.main([str(file)])
    assert script.verify([file.read_bytes()]) == (code, capsys.readouterr().out)


def test_heavy_rolls_are_not_made_again_for_ever(script: Script) -> None:
    """Rolls that would take long are counted as not made again, and the history holds all the same."""
    log = Log()
    log.add("create")
    log.make("Wide", {"system": "fair", "base": "2d100", "tightness": "3"})
    for _ in range(60):
        log.roll_with("Wide", times=20)
    code, words = script.verify([b"".join(export(log.events))])

    assert code == 3
    assert "0 not made again" not in words


def test_an_endless_rule_is_refused_at_once(script: Script) -> None:
    """Quotes that never end are read once, not once for each of them."""
    log = Log()
    log.add("create")
    log.add("make", what={"roller": "R", "spec": '"\\' * 200_000}, how={"prev": 0})

    assert script.verify([b"".join(export(log.events))]) == (1, "Broken: #2 has a rule that can't be read.\n")

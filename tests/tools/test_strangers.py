"""Files of strangers: whatever stands in them, a verifier ends soon and with a sentence."""

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

import verify
from tests.support.hostile_files import heavy, odd, rules
from tests.support.logs import Log, export, inclusion
from tests.support.systems import SPECS
from tests.support.verdicts import Verifier

BYTES = 100_000_000
"""Memory that a verifier may take for a file of at most 1 MiB."""


HOSTILE = {**odd(), **rules()}
READABLE = {
    "a long name",
    "a name of escapes",
    "a label of escapes",
    "a label of dice",
    "a deck in every order",
    "a deck that owes cards",
    "decks in every order",
    "an empty pool",
    "many results",
}
"""What a verifier may pass: a name binds nothing, and some rules the tool does not know."""


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_ends_in_a_sentence(name: str, ask: Verifier) -> None:
    """It does not hold, or can't be read; there is no traceback."""
    verdict = ask(HOSTILE[name])

    assert verdict.code in ({1, 2, 3} if name in READABLE else {1, 2}), verdict
    assert verdict.words.startswith(("Broken", "Unreadable") if verdict.code < 3 else "Consistent")
    assert len(verdict.words) < 5_000


@pytest.mark.parametrize("program", [[str(Path(verify.__file__))], ["-m", "bot", "verify"]])
def test_heavy_rolls_are_not_made_again_for_ever(program: list[str], tmp_path: Path) -> None:
    """A file whose rolls would take long ends in 100 MB, and says what it left out."""
    file = tmp_path / "heavy.jsonl"
    file.write_bytes(heavy("2d100", 20, 40))
    limited = f"import os, resource, sys; resource.setrlimit(resource.RLIMIT_DATA, ({BYTES}, {BYTES}))\n"
    run = f"{limited}os.execv(sys.executable, {[sys.executable, *program, str(file)]!r})"
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, check=False)

    assert done.returncode == 3, done.stderr
    made = re.search(rb"Rolls: (\d+) made again, (\d+) not made again", done.stdout)
    assert made
    assert int(made[1]) > 10
    assert int(made[2]) > 5


@pytest.mark.parametrize("seed", range(4))
def test_a_changed_byte_never_ends_in_a_traceback(seed: int, ask: Verifier) -> None:
    """Of exports and of proofs: 25 mutated files each are named, or told as what they are."""
    chance = random.Random(seed)  # noqa: S311 (what is changed, not what is rolled)
    log = Log(seed)
    log.add("create")
    log.commit()
    log.make("Luck", SPECS["fair"])
    log.roll("2d6+3", label="sneak")
    log.roll_with("Luck")
    log.salt("owl")
    log.roll("1d20", public={"see": "gm"})
    files = [b"".join(export(log.events, epochs=log.leaves)), inclusion(log.events, 5).text.encode()]
    for place in range(50):
        file = bytearray(files[place % 2])
        for _ in range(1 + chance.randrange(3)):
            at = chance.randrange(len(file))
            match chance.randrange(3):
                case 0:
                    file[at] = chance.randrange(256)
                case 1:
                    del file[at : at + chance.randrange(1, 40)]
                case _:
                    file[at:at] = bytes(
                        chance.choice(b'0123456789[]{}",:aef') for _ in range(chance.randrange(1, 9))
                    )
        verdict = ask(bytes(file))

        assert verdict.code in {1, 2, 3}, verdict
        assert "Traceback" not in verdict.words

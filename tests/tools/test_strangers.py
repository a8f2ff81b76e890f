"""Files of strangers: whatever stands in them, a verifier ends soon and with a sentence."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

import verify
from bot.record.hashing import canon
from tests.support.logs import Log, export, inclusion
from tests.support.parts import Line, leaf_of
from tests.support.verdicts import Verifier
from tests.tools.test_rolls import SPECS

BYTES = 100_000_000
"""Memory that a verifier may take for a file of at most 1 MiB."""


def spec(**said: object) -> Line:
    """A roller's making, with a rule that says anything."""
    log = Log()
    log.add("create")
    log.make("Luck", SPECS["dynamic"])
    event = log.events[-1]
    what = event["what"]
    assert isinstance(what, list)
    assert isinstance(what[1], dict)
    what[1]["spec"] = json.dumps({**SPECS["dynamic"], **said})
    return event


def history(*events: Line) -> bytes:
    """An export that begins as it must."""
    log = Log()
    log.add("create")
    return b"".join(export([log.events[0], *events]))


HOSTILE = {
    "an endless factor": history(spec(factor="1e99999999")),
    "a factor of nothing": history(spec(factor="1/0")),
    "a rule in brackets": history({**spec(), "what": ["0" * 32, {"roller": "a", "spec": "[" * 50_000}]}),
    "a pub that is none": history().replace(b'"pub":{', b'"pub":0,"x":{'),
    "brackets": b"[" * 50_000 + b"\n",
    "braces": b'{"a":' * 50_000 + b"\n",
    "digits": b'{"a":' + b"9" * 500_000 + b"}\n",
    "one long word": b'"' + b"a" * 1_000_000 + b'"\n',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_ends_in_a_sentence(name: str, ask: Verifier) -> None:
    """It does not hold, or can't be read; there is no traceback."""
    verdict = ask(HOSTILE[name])

    assert verdict.code in {1, 2}, verdict
    assert verdict.words.startswith(("Broken", "Unreadable"))
    assert "Traceback" not in verdict.words


def test_heavy_rolls_are_not_made_again_for_ever(tmp_path: Path) -> None:
    """A file whose rolls would take minutes ends within 10 s in 100 MB, and says what it left out."""
    log = Log()
    log.add("create")
    log.make("Wide", {"system": "fair", "base": "2d100", "tightness": "3"})
    for _ in range(60):
        log.roll_with("Wide", times=20)
    file = tmp_path / "heavy.jsonl"
    file.write_bytes(b"".join(export(log.events)))
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_DATA, ({BYTES}, {BYTES}))\n"
    tools = str(Path(verify.__file__).parent)
    run = f"{limited}import sys; sys.path.insert(0, {tools!r}); import verify\n"
    run += f"sys.exit(verify.main([{str(file)!r}]))"
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, check=False, timeout=10)

    assert done.returncode == 3, done.stderr
    assert b"not made again" in done.stdout


@pytest.mark.parametrize("seed", range(4))
def test_a_changed_byte_never_ends_in_a_traceback(seed: int, ask: Verifier) -> None:
    """Of exports and of proofs: 25 mutated files each are named, or told as what they are."""
    chance = random.Random(seed)  # noqa: S311 (the same files each time)
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


def test_canonical_lines_are_what_these_are() -> None:
    """So that the hostile ones are refused for what they say, not for how they are written."""
    event = spec()

    assert canon(event)
    assert len(leaf_of(event)) == 32

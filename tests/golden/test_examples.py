"""Each example of a system, rolled twenty times from a seed of its own: what it says, and what it remembers.

`python -m tests.golden.test_examples` writes the file anew. A new example changes no line of another.
"""

import json
from pathlib import Path

import pytest

from bot.dice.draws import Recorder, seeded
from bot.dice.system import Json, step
from bot.systems.registry import read_spec
from bot.words.systems import tag
from tests.support.systems import EXAMPLES

GOLDEN = Path(__file__).with_name("examples.json")
ROLLS = 20


def rolled(name: str) -> Json:
    """Return the tag of an example, its faces in order, and its memory after them."""
    system, draws = read_spec(EXAMPLES[name]), Recorder(seeded(name))
    memory, faces = system.start(), list[Json]()
    for _ in range(ROLLS):
        outcome, memory = step(system, memory, draws)
        faces.append(outcome.face)
    return {"tag": tag(system), "faces": faces, "memory": [*memory]}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_rolls_as_it_did(name: str) -> None:
    """The same law, the same order of draws, the same words."""
    assert rolled(name) == json.loads(GOLDEN.read_text(encoding="utf-8"))[name]


if __name__ == "__main__":
    lines = (f"{json.dumps(name)}: {json.dumps(rolled(name), ensure_ascii=False)}" for name in EXAMPLES)
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")

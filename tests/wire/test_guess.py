"""Nothing that players receive of a hidden roll lets them test a guess of it, in proof mode or without.

Whoever guesses knows how commitments, leaves and bits are worked out, and has every byte that they were sent.
"""

import json
import re
from itertools import product

import pytest

from bot.dice.draws import Source
from bot.record.hashing import canon, leaf_hash, read_line
from tests.support.parts import commitment
from tests.support.proving import proof_on
from tests.support.table import Table
from tests.support.wire import reply

_FACES = [str(face) for face in range(1, 21)]
_SOURCES = (Source.LOCAL, Source.KEYED)
_HEX = re.compile("[0-9a-f]{32,}")


@pytest.mark.parametrize("mode", ["plain", "keyed"])
async def test_no_guess_of_a_hidden_roll_can_be_tested(t: Table, mode: str) -> None:
    """None of a d20's faces is told apart by what Bob has got; once the roll is revealed, one is."""
    if mode == "keyed":
        await proof_on(t, t.mara)
    await t.says(t.bob, "roll", dice="1d20")
    rolled = await t.slash(t.ann, "roll", dice="1d20", visibility="gm", label="Sneak")
    await t.says(t.bob, "roll", dice="1d20")
    refused = [
        reply(await t.press(rolled.followups[-1], label, t.bob)).content for label in ("Look", "Reveal")
    ]
    before = "\n".join([*refused, *await received(t)])
    await t.press(rolled, "Reveal", t.ann)
    after = "\n".join([before, *await received(t)])

    assert "Sneak" not in before
    assert (confirmed(before), keys(before)) == ([], 0)
    assert len(confirmed(after)) == 1
    assert keys(after) == (mode == "keyed")


async def received(t: Table) -> list[str]:
    """All that Bob is sent: the channel, and the answers to whatever he asks."""
    texts = t.seen_by(t.bob)
    for command in ("history", "stats", "verify", "proof"):
        texts.append(reply(await t.slash(t.bob, command)).content)
    for form in ("json", "csv"):
        answer = reply(await t.slash(t.bob, "export", format=form))
        texts += [answer.content, (await answer.attachments[0].read()).decode()]
    return texts


def confirmed(text: str) -> list[str]:
    """The faces that somebody with this text can tell to be right: one commitment follows from them."""
    found = {run for run in _HEX.findall(text) if len(run) <= 64}
    salts = {run[place : place + 32] for run in found for place in (0, len(run) - 32)}
    whats = [
        (face, read_line(canon({"results": [face], "source": source.value, "text": "1d20"}) + b"\n"))
        for face, source in product(_FACES, _SOURCES)
    ]
    told = closed(text)
    return [face for (face, what), salt in product(whats, salts) if commitment("what", salt, what) in told]


def closed(text: str) -> set[str]:
    """The commitments of rolls that were told as closed."""
    lines = [json.loads(line) for line in text.splitlines() if line.startswith('{"channel"')]
    return {line["what"] for line in lines if isinstance(line.get("what"), str)}


def keys(text: str) -> int:
    """How many keys of the hidden roll there are in a text: those whose hash was committed to."""
    commits = [json.loads(line) for line in text.splitlines() if line.startswith('{"commit"')]
    hidden = next(iter(json.loads(line) for line in text.splitlines() if '"see":"gm"' in line))
    hashes = {one["leaves"][hidden["seq"] - one["commit"] - 1] for one in commits}
    return sum(
        leaf_hash(bytes.fromhex(run)).hex() in hashes for run in {*_HEX.findall(text)} if len(run) == 64
    )

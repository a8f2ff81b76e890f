"""Make docs/vectors.json: examples of everything that format 2 is made of, for whoever writes a reader.

`python -m tests.support.vectors` writes the file; a test says when it is not up to date.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from bot.campaign.proof import KEYS
from bot.record.hashing import PARTS, Keys, Value, canon, leaf_hash, seal
from bot.record.proof_mode import Epoch, KeyedDraws, Press, keys_root, salted, words
from bot.record.tree_proofs import prove_consistency, prove_inclusion
from tests.support.logs import (
    LOG,
    Log,
    card_of,
    checkpoint_of,
    consistency,
    export,
    inclusion,
    leaves_of,
    tiles_of,
    told_to_player,
    tree_of,
)
from tests.support.parts import Line, close_parts, entry, leaf_of

FILE = Path(__file__).parents[2] / "docs" / "vectors.json"

CERTIFICATE_TRANSPARENCY = (
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
)
"""The inputs that Certificate Transparency's own tests have."""

CANONICAL: list[Value] = [
    {"b": [1, True, None], "a": "x"},
    ['"\\/\b\f\n\r\t\u0001\u007f', "é \u2028 \ufeff 🎲"],
    {"number": 2**53 - 1, "least": 1 - 2**53, "zero": 0, "empty": {}, "none": []},
    {"a_2": 2, "a": {"z": "", "b": [[[]]]}, "a1": 1},
]
REFUSED: dict[str, bytes] = {
    "blanks": b'{"a": 1}\n',
    "keys out of order": b'{"b":1,"a":2}\n',
    "a key twice": b'{"a":1,"a":1}\n',
    "an escape that is not needed": b'{"a":"\\u0062"}\n',
    "a fraction": b'{"a":1.0}\n',
    "an exponent": b'{"a":1e3}\n',
    "minus zero": b'{"a":-0}\n',
    "too large a number": b'{"a":9007199254740992}\n',
    "half of a pair of surrogates": b'{"a":"\\ud83c"}\n',
    "a key in capitals": b'{"A":1}\n',
    "no newline at the end": b'{"a":1}',
}


GAME: Line = {
    "system": "game",
    "game": "tide",
    "roll": "roll",
    "given": {},
    "rule": {
        "dice": [{"pool": "dice", "count": 3, "faces": [1, 2, 3, 4, 5, 6]}],
        "measures": {"sum": {"sum": "x"}},
        "number": "sum",
    },
}
"""A game of which dice can be chosen to be thrown again."""


def make() -> Line:
    """Return all vectors."""
    log = evening()
    told_lines = [told_in_vectors(event) for event in log.events]
    leaves = leaves_of(log.events)
    inputs: list[Value] = [*CERTIFICATE_TRANSPARENCY]
    published = [leaf_hash(bytes.fromhex(text)) for text in CERTIFICATE_TRANSPARENCY]
    return {
        "canonical": [{"value": value, "text": canon(value).decode()} for value in CANONICAL],
        "refused": [{"why": why, "hex": line.hex()} for why, line in REFUSED.items()],
        "salts": _salts(),
        "events": [_event(event, told_line) for event, told_line in zip(log.events, told_lines, strict=True)],
        "trees": [
            {"name": "Certificate Transparency", "inputs": inputs, "sizes": _sizes(published)},
            {"name": "events", "sizes": _sizes(leaves)},
        ],
        "checkpoint": {"text": checkpoint_of(leaves).text, "line": checkpoint_of(leaves).line},
        "inclusion": inclusion(told_lines, 4).text,
        "consistency": consistency(leaves, 5).text,
        "proof_mode": _proof_mode(),
        "export": b"".join(export(told_lines[:16])).decode(),
    }


def evening() -> Log:
    """Return events of many kinds, the last ones in proof mode, until a backup was put back."""
    log = Log()
    log.add("create", what={"name": "Friday"})
    log.make("Luck", {"system": "fair", "base": "2d6", "tightness": "1"})
    log.roll("2#1d20+2", label="für Änne 🎲")
    log.roll_with("Luck", 43, public={"see": "gm"}, label="stealth")
    log.roll_with("Luck", 42)
    log.roll("1d6", 44, label="gone")
    log.make("Cards", {"system": "deck", "base": "1d6", "size": 2})
    words: Line = {"label": "Climb", "typed": "Cards+1d4-str", "character": "Mira"}
    log.roll_with("Cards", 42, words=words, rest="1d4-3")
    drawn = log.draw("Cards", 43)
    log.add("play", 43, public={"target": drawn}, what=card_of(log.events[drawn - 1]))
    log.add("discard", 43, public={"target": log.draw("Cards", 43)}, what={"roller": "Cards"})
    thrown: Line = {"text": "1d20", "results": ["14"], "source": "physical", "thrown": [14]}
    log.add("roll", what=thrown, how={"draws": [[20, 13]]})
    sixes: Line = {"text": "1d20+1d2", "results": ["17"], "source": "true", "d6_only": True}
    log.add("roll", what=sixes, how={"draws": [[6, 3], [6, 4], [6, 0]]})
    game: Line = {"roller": "tide roll", "spec": json.dumps(GAME, separators=(",", ":")), "source": "true"}
    first = log.add(
        "roll", what={**game, "results": ["8"]}, how={"before": [], "draws": [[6, 0], [6, 4], [6, 1]]}
    )
    pushed: Line = {**game, "results": ["16"], "pushes": first, "again": [0, 2]}
    log.add("roll", what=pushed, how={"before": [], "draws": [[6, 5], [6, 4]], "stood": [[[], [4], []]]})
    log.commit()
    log.salt("seven ravens")
    log.roll("1d100", 42)
    log.restored()
    return log


def told_in_vectors(event: Line) -> Line:
    """Return an event as a player gets it: #4 is hidden, #5 betrays it, #6 is nobody's, #9 was played."""
    match event["seq"]:
        case 5:
            return close_parts(event, "how")
        case 6:
            return close_parts(event, "who", "words")
        case 9:
            return event
        case _:
            return told_to_player(event)


def _event(event: Line, told: Line) -> Value:
    closed = close_parts(event, *PARTS)
    return {
        "line": canon(event).decode(),
        "told": canon(told).decode(),
        "commitments": {name: closed[name] for name in PARTS},
        "entry": entry(event).decode(),
        "leaf": leaf_of(event).hex(),
        "seal": seal(leaf_of(event)),
    }


def _sizes(leaves: Sequence[bytes]) -> list[Value]:
    sizes: list[Value] = []
    for size in range(1, len(leaves) + 1):
        tree, tiles = tree_of(leaves[:size]), tiles_of(leaves[:size])
        paths: list[Value] = [_hashes(prove_inclusion(tree, index, tiles)) for index in range(size)]
        proofs: list[Value] = [_hashes(prove_consistency(tree, old, tiles)) for old in range(1, size + 1)]
        sizes.append(
            {
                "size": size,
                "root": tree.root.hex(),
                "frontier": _hashes(tree.frontier),
                "inclusion": paths,
                "consistency": proofs,
            }
        )
    return sizes


def _salts() -> Value:
    keys = Keys(bytes(range(32)), bytes(range(32, 64)))
    salts: Line = {**keys.salts(27)}
    return {"campaign": keys.campaign.hex(), "person": keys.person.hex(), "seq": 27, **salts}


def _proof_mode() -> Value:
    secret = bytes(range(64, 96))
    epoch = Epoch(secret)
    salt = salted("", {"message": "1399999999999999999", "salt": "seven ravens"})
    press = Press(LOG, 9, 1400000000000000000, salt)
    word, draws = words(epoch.key(1), press), KeyedDraws(epoch.key(1), press)
    return {
        "secret": secret.hex(),
        "keys": {str(place): epoch.key(place).hex() for place in (0, 1, KEYS - 1)},
        "root": keys_root(epoch.leaves()).hex(),
        "salt": salt,
        "log": LOG,
        "seq": 9,
        "id": str(press.interaction),
        "words": [f"{word():016x}" for _ in range(5)],
        "draws_below_20": [draws.below(20) for _ in range(10)],
        "draws_of_1_2_3": [draws.choose((1, 2, 3)) for _ in range(10)],
    }


def _hashes(hashes: Sequence[bytes]) -> list[Value]:
    return [node.hex() for node in hashes]


def printed() -> str:
    """Return the file's text."""
    return json.dumps(make(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(printed(), encoding="utf-8")

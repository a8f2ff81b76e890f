"""The fields and parts of one event. Stands beside verify.py; numbers are sections of docs/format.md."""

import re
from typing import Any

from proofs import NUMBER, canon, commit, leaf_of, need

CALL, HIDDEN, UNSEEN, ROLL, HAND, UNREAD = 1, 2, 4, 8, 16, 32
ABOUT = {
    **dict.fromkeys(("roll", "close", "reopen", "cancel"), CALL),
    "reveal": HIDDEN | CALL,
    "choose": ROLL,
    **dict.fromkeys(("play", "discard", "return"), HAND | HIDDEN),
}
FIXED = {"commit", "shown", "salt", "uncommit", "cut", "restored"}
KINDS = {*ABOUT, *FIXED, "call", "make", "reset", "restart", "remove", "undo", "create", "use", "rename"}
OTHERS = {"archive", "master", "rules", "erase", "session"}
TIMED = {"close", "cut", "restored", "commit", "shown"}
MEMORY = {
    "fair",
    "luck",
    "dynamic",
    "deck",
    "decks",
    "blocks",
    "renewal",
    "recency",
    "register",
    "pool",
    "leftovers",
}
PARTS, HASH = {"who", "words", "what", "how"}, '"[0-9a-f]{64}"'
# The canonical text of an event, its parts closed and its `pub` put as 0; and of a file's first line.
ENTRY = (
    rf'{{"channel":"[0-9]{{1,20}}",("clock":{NUMBER},)?("how":{HASH},)?("id":"[1-9][0-9]{{15,18}}",)?'
    rf'"kind":"[a-z_]{{1,20}}",("part":{NUMBER},)?("pub":0,)?"see":"(?:public|self|gm|blind)","seq":{NUMBER}'
    rf'(,"target":{NUMBER})?(,"what":{HASH})?(,"who":{HASH})?(,"words":{HASH})?}}'
)


def open_parts(event: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """1.2, 1.3: an event's parts that are open, and its leaf."""
    seq, parts, entry = event["seq"], dict[str, Any](), dict(event)
    for name in event.keys() & PARTS:
        salt, part = event[name] if isinstance(event[name], list) and len(event[name]) == 2 else ("", None)
        if isinstance(part, dict) and re.fullmatch("[0-9a-f]{32}", str(salt)):
            parts[name], entry[name] = part, commit(name, salt, part)
    shape = canon({**entry, "pub": 0} if isinstance(event.get("pub"), dict) else entry)
    need(re.fullmatch(ENTRY, shape), "has a field or a part that is not as it should be", seq)
    kind, pub = event["kind"], event.get("pub", {})
    need(kind in KINDS | OTHERS, "is of a kind that there is not", seq)
    timed = "id" in event if "clock" not in event else not event.keys() & {"id", "part"}
    need(timed, "has no time, or two", seq)
    own = kind in TIMED or (kind == "salt" and "drand" in pub) or (kind == "reveal" and "target" in event)
    need("id" in event or own, "was asked for by nobody", seq)
    need(
        kind not in FIXED or event.keys() & {"what", "how"} <= parts.keys() | {"how"},
        "is closed, and names no roll",
        seq,
    )
    need(event["kind"] != "roll" or event.keys() >= PARTS, "is a roll without one of its parts", seq)
    return parts, leaf_of(entry)

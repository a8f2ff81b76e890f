"""The fields and parts of one event. Stands beside verify.py; numbers are sections of docs/format.md."""

import re
from typing import Any

from proofs import NUMBER, commit, leaf_of, need, write

CALL, HIDDEN, UNSEEN, ROLL, HAND, UNREAD = 1, 2, 4, 8, 16, 32
ABOUT = {
    **dict.fromkeys(("roll", "close", "reopen", "cancel"), CALL),
    "reveal": HIDDEN | CALL,
    "choose": ROLL,
    **dict.fromkeys(("play", "discard", "return"), HAND | UNREAD),
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
PARTS, COUNT, HASH = {"who", "words", "what", "how"}, "[1-9][0-9]{0,15}", '"[0-9a-f]{64}"'
WHO = re.compile(r'\{("user":"(0|[1-9][0-9]{0,19})")?\}')
WORDS = {"label", "typed", "character"}
FLAGS = {"practice", "together", "absent"}  # true, or left out
# The canonical text of an event, its parts closed and its `pub` put as 0; and of a file's first line.
ENTRY = (
    rf'{{"channel":"[0-9]{{1,20}}",("clock":{NUMBER},)?("how":{HASH},)?("id":"[1-9][0-9]{{15,18}}",)?'
    rf'"kind":"[a-z_]{{1,20}}",("part":{COUNT},)?("pub":0,)?"see":"(?:public|self|gm|blind)","seq":{COUNT}'
    rf'(,"target":{COUNT})?(,"what":{HASH})?(,"who":{HASH})?(,"words":{HASH})?}}'
)


def open_parts(event: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """1.2, 1.3: an event's parts that are open, and its leaf."""
    seq, parts, entry, pub = event["seq"], dict[str, Any](), dict(event), event.get("pub", {})
    for name in event.keys() & PARTS:
        salt, part = event[name] if isinstance(event[name], list) and len(event[name]) == 2 else ("", None)
        if isinstance(part, dict) and isinstance(salt, str) and re.fullmatch("[0-9a-f]{32}", salt):
            parts[name], entry[name] = part, commit(name, salt, part)
    shape = write({**entry, "pub": 0} if "pub" in entry else entry)
    named = WHO.fullmatch(write(parts.get("who", {}))) and parts.get("words", {}).keys() <= WORDS
    fits = named and isinstance(pub, dict) and re.fullmatch(ENTRY, shape)
    need(fits, "has a field or a part that is not as it should be", seq)
    kind = event["kind"]
    need(kind in KINDS | OTHERS, "is of a kind that there is not", seq)
    timed = "id" in event if "clock" not in event else not event.keys() & {"id", "part"}
    need(timed, "has no time, or two", seq)
    own = kind in TIMED or (kind == "salt" and "drand" in pub) or (kind == "reveal" and "target" in event)
    need("id" in event or own, "was asked for by nobody", seq)
    need(kind not in FIXED or "what" in parts or "what" not in event, "is closed, and names no roll", seq)
    need(kind != "roll" or event.keys() >= PARTS, "is a roll without one of its parts", seq)
    if kind == "roll" and "what" in parts:
        what, results = parts["what"], parts["what"].get("results")
        texts = isinstance(results, list) and results and all(isinstance(one, str) for one in results)
        need(texts, "has no results", seq)
        flags = all(what[name] is True for name in what.keys() & FLAGS)
        need(flags, "has a field that is not as it should be", seq)
    return parts, leaf_of(entry)

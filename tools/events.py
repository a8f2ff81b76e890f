"""Check the fields and parts of one event. Part of verify.py; numbers are sections of docs/format.md."""

import re
from typing import Any

from proofs import NUMBER, commit, leaf_of, need, write

CALL, HIDDEN, UNSEEN, OFFER, HAND, UNREAD, MOVE = 1, 2, 4, 8, 16, 32, 64
TARGETS = {
    **dict.fromkeys(("roll", "close", "reopen", "cancel"), CALL),
    "reveal": HIDDEN | CALL,
    "choose": OFFER | UNREAD,
    "return": HAND | OFFER | UNREAD,
    **dict.fromkeys(("play", "discard"), HAND | UNREAD),
}
FIXED = {"commit", "shown", "salt", "uncommit", "cut", "restored"}
KINDS = {*TARGETS, *FIXED, "call", "make", "reset", "restart", "remove", "undo", "create", "use", "rename"}
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
CHOICES = {
    "source": ("true", "half", "local", "keyed", "physical"),
    "memory": ("table", "player"),
    "whose": ("table", "player"),
}
FLAGS = {"practice", "together", "absent", "d6_only"}  # true, or left out
# The canonical text of an event, with its parts closed and 0 for its `pub`.
ENTRY = (
    rf'{{"channel":"[0-9]{{1,20}}",("clock":{NUMBER},)?("how":{HASH},)?("id":"[1-9][0-9]{{15,18}}",)?'
    rf'"kind":"[a-z_]{{1,20}}",("part":{COUNT},)?("pub":0,)?"see":"(?:public|self|gm|blind)","seq":{COUNT}'
    rf'(,"target":{COUNT})?(,"what":{HASH})?(,"who":{HASH})?(,"words":{HASH})?}}'
)


def open_parts(event: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """1.2, 1.3: check an event; return its open parts, and its leaf."""
    seq, parts, entry, pub = event["seq"], dict[str, Any](), dict(event), event.get("pub", {})
    for name in event.keys() & PARTS:
        salt, part = event[name] if isinstance(event[name], list) and len(event[name]) == 2 else ("", None)
        if isinstance(part, dict) and isinstance(salt, str) and re.fullmatch("[0-9a-f]{32}", salt):
            parts[name], entry[name] = part, commit(name, salt, part)
    shape = write({**entry, "pub": 0} if "pub" in entry else entry)
    own_words = parts.get("words", {})
    own = own_words.keys() <= WORDS and all(isinstance(text, str) and text for text in own_words.values())
    fits = own and WHO.fullmatch(write(parts.get("who", {})))
    fits = fits and isinstance(pub, dict) and re.fullmatch(ENTRY, shape)
    need(fits, "has a field or a part that is not as it should be", seq)
    kind = event["kind"]
    need(kind in KINDS | OTHERS, "is of a kind that there is not", seq)
    timed = "id" in event if "clock" not in event else not event.keys() & {"id", "part"}
    need(timed, "has no time, or two", seq)
    own = kind in TIMED or (kind == "salt" and "drand" in pub) or (kind == "reveal" and "target" in event)
    own = own or (kind == "rules" and seq == 1)
    need("id" in event or own, "was asked for by nobody", seq)
    need(kind not in FIXED or "what" in parts or "what" not in event, "is closed, and names no roll", seq)
    need(kind != "roll" or event.keys() >= PARTS, "is a roll without one of its parts", seq)
    fields = {*pub, *parts.get("what", {}), *parts.get("how", {})}
    need(not fields & WORDS, "tells a person's words where they would stay", seq)
    for name, words in CHOICES.items():
        are_known = all(part.get(name, words[0]) in words for part in parts.values())
        need(are_known, "has a field that is not as it should be", seq)
    if kind == "roll" and "what" in parts:
        what, results = parts["what"], parts["what"].get("results")
        texts = isinstance(results, list) and results and all(isinstance(text, str) for text in results)
        need(texts, "has no results", seq)
        flags = all(what[name] is True for name in what.keys() & FLAGS)
        need(flags, "has a field that is not as it should be", seq)
    return parts, leaf_of(entry)


def check_roll(seq: int, see: str, what: dict[str, Any], how: dict[str, Any] | None) -> int:
    """5.5 to 5.9: check the fields of a roll; return its flags for later events."""
    physical = what.get("source") == "physical"
    need(("thrown" in what) == physical, "was typed in, and does not say so", seq)
    ruled, count, drawn = bool(what.get("spec")), len(what["results"]), what.keys() & {"hand", "offer"}
    if drawn:
        need("offer" in drawn or see == "self", "is of a hand, and seen by others than it may be", seq)
        whole = len(drawn) == 1 and what[min(drawn)] is True and ruled and (count == 1 or "offer" in drawn)
        need(whole, "is of a hand, and not as it should be", seq)
    counts = {count, 1} if "keep" in what else {count}
    rest, added = what.get("rest"), what.get("added")
    beside = ruled and isinstance(rest, str) and rest and added and len(added) in counts
    need(beside or not what.keys() & {"rest", "added"}, "has dice beside no roller", seq)
    need(not (ruled and "d6_only" in what), "makes dice of d6s that are not plain dice", seq)
    chosen_places, kept_dice = what.get("again", []), (how or {}).get("stood", [])
    faces = [*chosen_places, *(face for pool in kept_dice for die in pool for face in die)]
    chosen = ruled and what.get("pushes") and all(type(face) is int and face >= 0 for face in faces)
    chosen = chosen and chosen_places == sorted({*chosen_places}) and ("again" not in what or chosen_places)
    none = "again" not in what and "stood" not in (how or {})
    need(none or (chosen and (kept_dice or how is None)), "chooses dice that are not there", seq)
    return HAND * ("hand" in drawn) | OFFER * ("offer" in drawn)

"""Events written as canonical text: a line as its reader is told it, and the entry that the leaf is made of.

Each part is written once: the same text goes into its commitment, into the line, and into the database.
Source: docs/format.md, sections 1.2 and 1.3.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple, cast

from bot.campaign.events import Event
from bot.record.canonical import Value, bytes_of, text_of
from bot.record.codec import Parts, encode
from bot.record.commitments import PARTS, Keys, commitment
from bot.record.tree import leaf_hash

FORMAT = 2
ORIGIN = "evenhand/"
_PERSON = ("who", "words")


class Entered(NamedTuple):
    """An event's leaf, and the parts of its body as values and as texts."""

    leaf: bytes
    parts: Parts
    pub: str
    what: str
    how: str


def enter(event: Event, keys: Keys) -> Entered:
    """Return what a new event is entered into the tree and the database with."""
    parts = encode(event.body)
    pub, texts = _pub(event, parts), _texts(event, parts)
    entry = _line(event, keys, pub, texts, PARTS)
    return Entered(leaf_hash(bytes_of(entry)), parts, pub, texts["what"], texts["how"])


def write_line(event: Event, keys: Keys, *closed: str) -> str:
    """Return an event's line, but for its newline, with these parts closed, and those of an erased person."""
    parts = encode(event.body)
    return _line(event, keys, _pub(event, parts), _texts(event, parts), closed)


def untold(*, visible: bool, betrays: bool) -> tuple[str, ...]:
    """Return the parts that are closed for a reader; see `bot.record.discretion`."""
    if not visible:
        return "words", "what", "how"
    return ("how",) if betrays else ()


def without_person(event: Event, keys: Keys) -> Event:
    """Return an event as it is once its person is erased: nobody's, with what binds them."""
    salts = keys.salts(event.seq)
    who, words = (commitment(name, salts[name], text) for name, text in _person(event).items())
    return replace(
        event, user_id=None, label=None, seal=replace(event.seal, kept=event.seal.kept or (who, words))
    )


def _pub(event: Event, parts: Parts) -> str:
    """Return what an event says openly; event 1 names its log."""
    begins: dict[str, Value] = {"format": FORMAT, "log": event.log, "origin": f"{ORIGIN}{event.log}"}
    return text_of({**cast("dict[str, Value]", parts.pub), **(begins if event.log else {})})


def _texts(event: Event, parts: Parts) -> dict[str, str]:
    return {"what": text_of(parts.what), "how": text_of(parts.how), **_person(event)}


def _person(event: Event) -> dict[str, str]:
    return {
        "who": "{}" if event.user_id is None else f'{{"user":"{event.user_id}"}}',
        "words": text_of({"label": event.label} if event.label else {}),
    }


def _line(event: Event, keys: Keys, pub: str, texts: dict[str, str], closed: Collection[str]) -> str:
    salts = keys.salts(event.seq)
    told = {
        name: f'"{commitment(name, salts[name], text)}"' if name in closed else f'["{salts[name]}",{text}]'
        for name, text in texts.items()
    }
    if event.seal.kept:
        told.update(zip(_PERSON, (f'"{one}"' for one in event.seal.kept), strict=True))
    # In the order of the keys' names.
    said = [f'"channel":"{event.channel_id}"']
    if event.clock is not None:
        said.append(f'"clock":{event.clock}')
    said.append(f'"how":{told["how"]}')
    if event.interaction_id is not None:
        said.append(f'"id":"{event.interaction_id}"')
    said.append(f'"kind":"{event.kind.value}"')
    if event.part:
        said.append(f'"part":{event.part}')
    if pub != "{}":
        said.append(f'"pub":{pub}')
    said.append(f'"see":"{event.visibility.value}","seq":{event.seq}')
    if event.target is not None:
        said.append(f'"target":{event.target}')
    said += [f'"{name}":{told[name]}' for name in ("what", *_PERSON)]
    return f"{{{','.join(said)}}}"

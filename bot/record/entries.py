"""An event's line and its entry as canonical text, put together from the texts of its parts.

Each part is written once: the same text goes into its commitment, into the line, and into the database.
Source: docs/format.md, sections 1.2 and 1.3.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, cast

from bot.campaign.events import Event
from bot.record.canonical import Value, text_of
from bot.record.codec import Parts, encode
from bot.record.commitments import Keys, commitment_of
from bot.record.tree import leaf_hash

FORMAT = 2
ORIGIN = "evenhand/"
_AFTER_TARGET = ("what", "who", "words")


@dataclass(frozen=True, slots=True)
class PublicFields:
    """What every reader is told of an event."""

    seq: int
    kind: str
    see: str
    channel: str
    interaction: str | None
    """Discord's id; None where nobody asked."""
    part: int | None
    clock: int | None
    target: int | None
    pub: str
    """What its kind says openly, as canonical text; "" for nothing."""

    def line(self, parts: Mapping[str, str]) -> str:
        """Return the event's canonical line, with its parts as they are told."""
        # In the order of the keys' names.
        said = [f'"channel":"{self.channel}"']
        if self.clock is not None:
            said.append(f'"clock":{self.clock}')
        if "how" in parts:
            said.append(f'"how":{parts["how"]}')
        if self.interaction is not None:
            said.append(f'"id":"{self.interaction}"')
        said.append(f'"kind":"{self.kind}"')
        if self.part is not None:
            said.append(f'"part":{self.part}')
        if self.pub:
            said.append(f'"pub":{self.pub}')
        said.append(f'"see":"{self.see}","seq":{self.seq}')
        if self.target is not None:
            said.append(f'"target":{self.target}')
        said += [f'"{name}":{parts[name]}' for name in _AFTER_TARGET if name in parts]
        return f"{{{','.join(said)}}}"


class Entered(NamedTuple):
    """An event's leaf, and the parts of its body as values and as texts."""

    leaf: bytes
    parts: Parts
    pub: str
    what: str
    how: str


def closed(name: str, salt: str, text: str) -> str:
    """Return a closed part as it stands in a line."""
    return f'"{commitment_of(name, salt, text)}"'


def opened(salt: str, text: str) -> str:
    """Return an open part as it stands in a line."""
    return f'["{salt}",{text}]'


def pub_of(log: str, parts: Parts) -> Mapping[str, Value]:
    """Return what an event says openly; `log` is the name that event 1 gives its log, else ""."""
    pub = cast("dict[str, Value]", parts.pub)
    return {**pub, "format": FORMAT, "log": log, "origin": f"{ORIGIN}{log}"} if log else pub


def enter(event: Event, keys: Keys) -> Entered:
    """Return what a new event is entered into the tree and the database with."""
    parts = encode(event.body)
    said = pub_of(event.log, parts)
    pub, what, how = text_of(said), text_of(parts.what), text_of(parts.how)
    public = PublicFields(
        event.seq,
        event.kind.value,
        event.visibility.value,
        str(event.channel_id),
        None if event.interaction_id is None else str(event.interaction_id),
        event.part or None,
        event.clock,
        event.target,
        pub if said else "",
    )
    salts = keys.salts(event.seq)
    values = {
        "who": "{}" if event.user_id is None else f'{{"user":"{event.user_id}"}}',
        "words": text_of({"label": event.label} if event.label else {}),
        "what": what,
        "how": how,
    }
    entry = public.line({name: closed(name, salts[name], text) for name, text in values.items()})
    return Entered(leaf_hash(entry.encode()), parts, pub, what, how)

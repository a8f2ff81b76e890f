"""A history as JSON and back: a head with the campaign, then one event a line, so that it can be streamed.

What is hidden from the reader is an event with nothing but its number and its head; what would betray it
is told in part. A long history comes in parts, each with the whole head and the numbers it holds.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from bot.campaign.events import Event, Seal
from bot.campaign.kinds import Kind
from bot.campaign.visibility import Visibility
from bot.dice.bases import Json
from bot.dice.errors import DiceError
from bot.record.audit import Item, Partial, Sealed
from bot.record.codec import Parts, decode, encode

FORMAT = 1


class DamagedExport(DiceError):
    """A file that is no export of a history, or is damaged so that it can't be read."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What an export says before its events."""

    campaign: str
    """Its name, for people."""
    seq: int
    """How many events the history has."""
    head: bytes
    """The chain's head after the last one."""
    first: int
    """The number of this part's first event."""
    before: bytes
    """The chain's head before that one."""
    about: Mapping[str, Json]
    """Settings and rollers, for people and for import; the audit works them out from the events."""


@dataclass(frozen=True, slots=True)
class ExportPart:
    """One file's worth of history."""

    heading: Heading
    items: tuple[Item, ...]


def print_heading(heading: Heading) -> str:
    """Return the text before the first event."""
    said = {
        "evenhand": FORMAT,
        "campaign": heading.campaign,
        "seq": heading.seq,
        "head": heading.head.hex(),
        "first": heading.first,
        "before": heading.before.hex(),
        **heading.about,
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in said.items()]
    return "{" + ",\n ".join(lines) + ',\n "events": [\n'


_BETRAYING = frozenset({"how", "salt", "person"})
"""What is left out of an event told in part; who knew the player's hash could find the rest by trying."""

END = "\n]}\n"
"""The text after the last event."""


def print_items(items: Iterable[Item]) -> Iterator[str]:
    """Return a line for each event, without the comma that stands between two of them."""
    for item in items:
        yield json.dumps(_as_json(item), ensure_ascii=False, separators=(",", ":"))


def read_part(text: str) -> ExportPart:
    """Read an export; DamagedExport says what is wrong with it."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DamagedExport(f"This is no export: it can't be read as JSON ({error}).") from error
    if not isinstance(said, dict) or "events" not in said or "evenhand" not in said:
        raise DamagedExport("This is no export of Evenhand: it has no history in it.")
    known = cast("dict[str, Json]", said)
    if known["evenhand"] != FORMAT:
        raise DamagedExport(
            f"The export has the format {known['evenhand']!r}. I know {FORMAT}: update Evenhand."
        )
    events = known.pop("events")
    if not isinstance(events, list):
        raise DamagedExport("The export has no list of events.")
    try:
        heading = Heading(
            str(known["campaign"]),
            _integer(known, "seq"),
            _bytes(known, "head"),
            _integer(known, "first"),
            _bytes(known, "before"),
            known,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedExport(f"The export's beginning is damaged: {error}.") from error
    return ExportPart(heading, tuple(_read_item(event, heading.first + i) for i, event in enumerate(events)))


def _as_json(item: Item) -> dict[str, Json]:
    match item:
        case Sealed():
            return {"seq": item.seq, "head": item.head.hex(), "sealed": True}
        case Partial(event):
            said = _event_as_json(event)
            return {key: said[key] for key in said if key not in _BETRAYING} | {"partial": True}
        case Event():
            return _event_as_json(item)


def _event_as_json(item: Event) -> dict[str, Json]:
    parts, seal = encode(item.body), item.seal
    said: dict[str, Json] = {
        "seq": item.seq,
        "id": _text(item.interaction_id),
        "part": item.part or None,
        "clock": item.clock,
        "channel": str(item.channel_id),
        "user": _text(item.user_id),
        "kind": item.kind.value,
        "see": item.visibility.value,
        "label": item.label,
        "target": item.target,
        "pub": parts.pub,
        "what": parts.what,
        "how": parts.how,
        "salt": None if seal.salt is None else seal.salt.hex(),
        "person": seal.person.hex(),
        "head": seal.head.hex(),
    }
    return {key: value for key, value in said.items() if value not in (None, "", {})}


def _read_item(value: Json, place: int) -> Item:
    try:
        said = cast("dict[str, Json]", value)
        if said.get("sealed"):
            return Sealed(_integer(said, "seq"), _bytes(said, "head"))
        if said.get("partial"):
            return Partial(_read_event({**said, "person": "", "how": {}}))
        return _read_event(said)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DamagedExport(f"The event in place of #{place} is damaged: {error}.") from error


def _read_event(said: dict[str, Json]) -> Event:
    user, asked = said.get("user"), said.get("id")
    target = None if said.get("target") is None else _integer(said, "target")
    parts = Parts(_object(said, "pub"), _object(said, "what"), _object(said, "how"))
    return Event(
        campaign_id=0,
        seq=_integer(said, "seq"),
        interaction_id=None if asked is None else int(str(asked)),
        part=_integer(said, "part") if "part" in said else 0,
        clock=_integer(said, "clock") if "clock" in said else None,
        channel_id=int(str(said["channel"])),
        user_id=None if user is None else int(str(user)),
        label=None if user is None else str(said.get("label", "")),
        visibility=Visibility(str(said["see"])),
        body=decode(Kind(str(said["kind"])), target, parts),
        seal=Seal(
            bytes.fromhex(str(said["salt"])) if "salt" in said else None,
            _bytes(said, "person"),
            _bytes(said, "head"),
        ),
    )


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)


def _object(said: Mapping[str, Json], key: str) -> dict[str, Json]:
    value = said.get(key, {})
    if not isinstance(value, dict):
        raise TypeError(f"{key} is no object")
    return value


def _integer(said: Mapping[str, Json], key: str) -> int:
    value = said[key]
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{key} is no number")
    return value


def _bytes(said: Mapping[str, Json], key: str) -> bytes:
    value = said[key]
    if not isinstance(value, str):
        raise TypeError(f"{key} is no text")
    return bytes.fromhex(value)

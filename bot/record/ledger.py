"""A campaign's ledger: its keys and its tree, and how an event body is appended to it.

Each part is encoded once: the same text goes into its commitment, the line and the database.
Source: docs/format.md, sections 1.2 and 1.3.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, cast

from bot.campaign.command import Caller, RollOptions
from bot.campaign.events import Body, Event
from bot.campaign.kinds import Kind, Seal, Visibility, Words
from bot.dice.draws import SourcedDraws
from bot.dice.errors import DiceError
from bot.dice.system import Json
from bot.record.checkpoint import Checkpoint
from bot.record.codec import Parts, Unreadable, encode, encode_value
from bot.record.hashing import (
    PARTS,
    Hashes,
    Keys,
    Tree,
    Value,
    bytes_of,
    commitment,
    leaf_hash,
    text_of,
)
from bot.record.proof_mode import Epoch, KeyedDraws, Press, epochs_after
from bot.times import milliseconds_of

FORMAT = 2
LONGEST = 900_000
"""Milliseconds by which an event may be older than one before it."""
LATEST = 3_000
"""Milliseconds by which a roll of proof mode may be older than the youngest event before it."""
UNASKED = 2
"""Events in a row that nobody asked for, which such a roll may follow."""
ORIGIN = "evenhand/"
_PERSON = ("who", "words")


class Entered(NamedTuple):
    """The leaf of an event, and the parts of its body as values and as texts."""

    leaf: bytes
    parts: Parts
    pub: str
    what: str
    how: str


def enter(event: Event, keys: Keys) -> Entered:
    """Return the leaf of a new event, and its parts for the database."""
    parts = encode(event.body)
    pub, texts = _pub(event, parts), _texts(event, parts)
    entry = _line(event, keys, pub, texts, PARTS)
    return Entered(leaf_hash(bytes_of(entry)), parts, pub, texts["what"], texts["how"])


def write_line(event: Event, keys: Keys, *closed: str) -> str:
    """Return an event's line without its newline; these parts, and an erased person's, are closed."""
    parts = encode(event.body)
    return _line(event, keys, _pub(event, parts), _texts(event, parts), closed)


def closed_parts(*, visible: bool, typed: bool, reveals_hidden: bool) -> tuple[str, ...]:
    """Return the names of the parts to close for a reader; see `bot.record.discretion`.

    `visible`: they may see the result; `typed`: also the typed text, which may hold a person's own names;
    `reveals_hidden`: the draws would reveal a hidden roll.
    """
    if not visible:
        return "words", "what", "how"
    return ("words",) * (not typed) + ("how",) * reveals_hidden


def without_person(event: Event, keys: Keys) -> Event:
    """Return an event after its person is erased: without them, but with the commitments to their parts."""
    salts = keys.salts(event.seq)
    who, words = (commitment(name, salts[name], text) for name, text in _person(event).items())
    return replace(
        event, user_id=None, words=None, seal=replace(event.seal, kept=event.seal.kept or (who, words))
    )


def checkpoint_of(log: str, tree: Tree) -> Checkpoint:
    """Return the checkpoint of a log with this tree."""
    return Checkpoint(f"{ORIGIN}{log}", tree.size, tree.root)


def _pub(event: Event, parts: Parts) -> str:
    """Return the text of an event's public fields; event 1 also names its log."""
    begins: dict[str, Value] = {"format": FORMAT, "log": event.log, "origin": f"{ORIGIN}{event.log}"}
    return text_of({**cast("dict[str, Value]", parts.pub), **(begins if event.log else {})})


def _texts(event: Event, parts: Parts) -> dict[str, str]:
    return {"what": text_of(parts.what), "how": text_of(parts.how), **_person(event)}


def _person(event: Event) -> dict[str, str]:
    return {
        "who": "{}" if event.user_id is None else f'{{"user":"{event.user_id}"}}',
        "words": text_of(cast("Value", encode_value(event.words))) if event.words else "{}",
    }


def _line(event: Event, keys: Keys, pub: str, texts: dict[str, str], closed: Collection[str]) -> str:
    salts = keys.salts(event.seq)
    parts = {
        name: f'"{commitment(name, salts[name], text)}"' if name in closed else f'["{salts[name]}",{text}]'
        for name, text in texts.items()
    }
    if event.seal.kept:
        parts.update(zip(_PERSON, (f'"{digest}"' for digest in event.seal.kept), strict=True))
    fields: dict[str, str | int | None] = {
        **parts,
        "channel": f'"{event.channel_id}"',
        "clock": event.clock,
        "id": None if event.interaction_id is None else f'"{event.interaction_id}"',
        "kind": f'"{event.kind.value}"',
        "part": event.part or None,
        "pub": None if pub == "{}" else pub,
        "see": f'"{event.visibility.value}"',
        "seq": event.seq,
        "target": event.target,
    }
    present = [f'"{name}":{text}' for name, text in sorted(fields.items()) if text is not None]
    return f"{{{','.join(present)}}}"


class PressTooLate(DiceError):
    """Refusal of a roll in proof mode that later commands of others could have influenced."""

    def __init__(self) -> None:
        super().__init__("In proof mode a roll has to be in time, and this one came late. Roll again.")


@dataclass(frozen=True, slots=True)
class Ledger:
    """A campaign's keys and tree after its newest event."""

    campaign_id: int
    log: str
    """Its permanent name, 32 hexadecimal digits."""
    secret: bytes = field(repr=False)
    """The campaign's key."""
    tree: Tree = field(default_factory=Tree)
    epochs: tuple[Epoch, ...] = ()
    """The epochs of keys of proof mode: the one in use, and the one that follows it."""
    newest: int = 0
    """Id of its youngest interaction."""
    unasked: int = 0
    """Number of its last events in a row that nobody asked for."""

    @property
    def seq(self) -> int:
        """Return the newest event's number."""
        return self.tree.size

    @property
    def checkpoint(self) -> Checkpoint:
        """Return the checkpoint after the newest event."""
        return checkpoint_of(self.log, self.tree)

    def key(self, caller: Caller) -> tuple[bytes, Epoch] | None:
        """Return the key of the next event for a caller, and its epoch; None if no keys are in force.

        Raise PressTooLate if others could have influenced the caller's place in the history.
        """
        if not self.epochs:
            return None
        keys = ((epoch.key_of(self.seq + 1, caller.interaction_id), epoch) for epoch in self.epochs)
        key = next(((key, epoch) for key, epoch in keys if key), None)
        late = milliseconds_of(self.newest) - milliseconds_of(caller.interaction_id or 0)
        if key and (late > LATEST or self.unasked > UNASKED):
            raise PressTooLate
        return key

    def draws(self, caller: Caller) -> SourcedDraws | None:
        """Return the draws of the next event's key for a caller; None if there is no key."""
        match, press = self.key(caller), caller.interaction_id
        if match is None or press is None:
            return None
        key, epoch = match
        return KeyedDraws(key, Press(self.log, self.seq + 1, press, epoch.salts.of(press)))

    def is_too_old(self, interaction_id: int) -> bool:
        """Return whether an interaction is too old to follow the newest event (format.md, section 5.4)."""
        return milliseconds_of(self.newest) - milliseconds_of(interaction_id) > LONGEST

    def must_wait(self, caller: Caller, kind: Kind) -> bool:
        """Return whether an event that nobody asked for must wait: too many could influence the next roll."""
        limit = 0 if kind is Kind.COMMIT else UNASKED - 1
        return caller.interaction_id is None and bool(self.epochs) and self.unasked > limit

    def append(
        self,
        caller: Caller,
        options: RollOptions,
        body: Body,
        person: bytes,
        usual: Visibility = Visibility.PUBLIC,
        secret: bytes | None = None,
    ) -> "Appended":
        """Return the ledger with a body as its newest event.

        `person` is the caller's key in this campaign, unused if nobody asked; `usual` the visibility if the
        options have none; `secret` derives the keys of a commit.
        """
        has_asker = caller.clock is None
        event = Event(
            campaign_id=self.campaign_id,
            seq=self.seq + 1,
            interaction_id=caller.interaction_id,
            part=caller.part,
            clock=caller.clock,
            channel_id=caller.channel_id,
            user_id=caller.user_id if has_asker else None,
            words=Words(options.label, options.typed, options.character) if has_asker else None,
            visibility=options.visibility or usual,
            body=body,
            log="" if self.seq else self.log,
        )
        entered = enter(event, Keys(self.secret, person if has_asker else self.secret))
        tree, completed = self.tree.append(entered.leaf)
        ledger = replace(
            self,
            tree=tree,
            epochs=epochs_after(self.epochs, event, secret) if self.epochs or secret else (),
            newest=max(self.newest, caller.interaction_id or 0),
            unasked=0 if caller.interaction_id else self.unasked + 1,
        )
        return Appended(ledger, replace(event, seal=Seal(entered.leaf)), completed, entered)


class Appended(NamedTuple):
    """A ledger after one more event."""

    ledger: Ledger
    event: Event
    completed: Hashes
    """Hashes of completed tiles, to be stored."""
    entered: Entered
    """The leaf and the texts for the event's row."""


def read_pub(seq: int, pub: Mapping[str, Json]) -> tuple[str, dict[str, Json]]:
    """Return the log's name ("" except for event 1) and the body's public fields; Unreadable for no log."""
    rest = {**pub}
    if seq != 1:
        return "", rest
    log = rest.pop("log", None)
    if (rest.pop("format", None), rest.pop("origin", None)) != (FORMAT, f"{ORIGIN}{log}"):
        raise Unreadable("it does not begin a log of this format")
    return str(log), rest

"""A campaign's ledger: its keys and its tree, and how a body joins it as the line and the leaf of an event.

Each part is written once: the same text goes into its commitment, into the line, and into the database.
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
from bot.record.hashing import PARTS, Keys, Spot, Tree, Value, bytes_of, commitment, leaf_hash, text_of
from bot.record.presses import LONGEST
from bot.record.proof_mode import Epoch, KeyedDraws, Press, epochs_after
from bot.times import milliseconds_of

FORMAT = 2
LATEST = 3_000
"""Milliseconds that a roll of proof mode may be older than the youngest event before it."""
UNASKED = 2
"""Events that nobody asked for which may stand side by side before such a roll."""
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


def untold(*, visible: bool, typed: bool, reveals_hidden: bool) -> tuple[str, ...]:
    """Return the parts that are closed for a reader; see `bot.record.discretion`.

    `visible` is the result, `typed` what was typed for it, in which a person's own names may stand.
    """
    if not visible:
        return "words", "what", "how"
    return ("words",) * (not typed) + ("how",) * reveals_hidden


def without_person(event: Event, keys: Keys) -> Event:
    """Return an event as it is once its person is erased: nobody's, with what binds them."""
    salts = keys.salts(event.seq)
    who, words = (commitment(name, salts[name], text) for name, text in _person(event).items())
    return replace(
        event, user_id=None, words=None, seal=replace(event.seal, kept=event.seal.kept or (who, words))
    )


def checkpoint_of(log: str, tree: Tree) -> Checkpoint:
    """Return the checkpoint of a log as it is with a tree."""
    return Checkpoint(f"{ORIGIN}{log}", tree.size, tree.root)


def _pub(event: Event, parts: Parts) -> str:
    """Return what an event says openly; event 1 names its log."""
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


class CameLate(DiceError):
    """Others could have moved a roll in proof mode by what they did since it was asked for."""

    def __init__(self) -> None:
        super().__init__("In proof mode a roll has to be in time, and this one came late. Roll again.")


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where a campaign's history stands."""

    campaign_id: int
    log: str
    """The 32 hexadecimal digits that name it for ever."""
    secret: bytes = field(repr=False)
    """The campaign's key."""
    tree: Tree = field(default_factory=Tree)
    epochs: tuple[Epoch, ...] = ()
    """In proof mode, where its keys come from: those in use, and those that wait to follow them."""
    newest: int = 0
    """The youngest interaction in it."""
    unasked: int = 0
    """How many events that nobody asked for stand at its end."""

    @property
    def seq(self) -> int:
        """Return the newest event's number."""
        return self.tree.size

    @property
    def checkpoint(self) -> Checkpoint:
        """Return the checkpoint after the newest event."""
        return checkpoint_of(self.log, self.tree)

    def key(self, caller: Caller) -> tuple[bytes, Epoch] | None:
        """Return the key of the next event for who asks; None where no keys are in force for the press.

        CameLate where the place in the history would not be the press's own.
        """
        if not self.epochs:
            return None
        found = ((epoch.key_of(self.seq + 1, caller.interaction_id), epoch) for epoch in self.epochs)
        key = next(((key, epoch) for key, epoch in found if key), None)
        late = milliseconds_of(self.newest) - milliseconds_of(caller.interaction_id or 0)
        if key and (late > LATEST or self.unasked > UNASKED):
            raise CameLate
        return key

    def draws(self, caller: Caller) -> SourcedDraws | None:
        """Return the draws that the next event's key gives to who asks; None where there is no key."""
        found, press = self.key(caller), caller.interaction_id
        if found is None or press is None:
            return None
        key, epoch = found
        return KeyedDraws(key, Press(self.log, self.seq + 1, press, epoch.salts.of(press)))

    def has_no_room(self, interaction_id: int) -> bool:
        """Return whether a press is so old that a history with it behind the newest event does not hold."""
        return milliseconds_of(self.newest) - milliseconds_of(interaction_id) > LONGEST

    def must_wait(self, caller: Caller, kind: Kind) -> bool:
        """Return whether what nobody asked for has to wait: too much of it could move the next roll."""
        room = 0 if kind is Kind.COMMIT else UNASKED - 1
        return caller.interaction_id is None and bool(self.epochs) and self.unasked > room

    def append(
        self,
        caller: Caller,
        options: RollOptions,
        body: Body,
        person: bytes,
        usual: Visibility = Visibility.PUBLIC,
        secret: bytes | None = None,
    ) -> "Appended":
        """Return the ledger with a body as its newest event; `usual` is for options that leave it open.

        `person` is the key of who asks, in this campaign; it is not used where nobody does. `secret` is what
        the keys of a commit follow from.
        """
        asked = caller.clock is None
        event = Event(
            campaign_id=self.campaign_id,
            seq=self.seq + 1,
            interaction_id=caller.interaction_id,
            part=caller.part,
            clock=caller.clock,
            channel_id=caller.channel_id,
            user_id=caller.user_id if asked else None,
            words=Words(options.label, options.typed, options.character) if asked else None,
            visibility=options.visibility or usual,
            body=body,
            log="" if self.seq else self.log,
        )
        entered = enter(event, Keys(self.secret, person if asked else self.secret))
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
    completed: Mapping[Spot, bytes]
    """The hashes of tiles that are to be stored from now on."""
    entered: Entered
    """What the event's row is made of."""


def read_pub(seq: int, pub: Mapping[str, Json]) -> tuple[str, dict[str, Json]]:
    """Return the log's name, "" but for event 1, and what the body says openly; Unreadable for no log."""
    rest = {**pub}
    if seq != 1:
        return "", rest
    log = rest.pop("log", None)
    if (rest.pop("format", None), rest.pop("origin", None)) != (FORMAT, f"{ORIGIN}{log}"):
        raise Unreadable("it does not begin a log of this format")
    return str(log), rest

"""Canonical JSON, commitments to the parts of an event, and the Merkle tree of the events' leaves.

Canonical JSON has exactly one text per value: RFC 8785 (JCS) for integers up to 2^53-1 and keys of
`[a-z0-9_]+`, which one call of `json` writes. Each part has a commitment of its own, so that one can be open
and another closed. Its salt derives from the key of the campaign or of a person in it, so that deleting the
person's key makes their parts unreadable. The keys open every hidden roll, past and future, so they never
leave the database. A campaign stores the tree's frontier, about 20 hashes for a million events.
Source: docs/format.md, sections 1.1 to 1.4; RFC 9162, 2.1.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import digest
from typing import NamedTuple, TypeAlias

from bot.dice.system import Json

Value: TypeAlias = bool | int | str | list["Value"] | dict[str, "Value"] | None
"""A value that can be recorded; numbers are integers."""

LARGEST_NUMBER = 2**53 - 1
"""The largest integer that every reader of JSON holds exactly."""
DEEPEST_NESTING = 32
LONGEST_LINE = 1 << 20
"""Most bytes of a line in a file, with its newline."""

is_hash = re.compile("[0-9a-f]{64}").fullmatch
"""Return a match if a text is a hash."""
_is_key = re.compile(r"[a-z0-9_]+", re.ASCII).fullmatch
# `json.JSONEncoder` creates this encoder for each value; this one is reused. It sorts keys, without blanks.
_write: Callable[[object, int], tuple[str, ...]] = vars(json.encoder)["c_make_encoder"](
    None, json.JSONEncoder().default, json.encoder.encode_basestring, None, ":", ",", True, False, True
)


_CHANGED: tuple[tuple[Callable[[bytes], bool], str], ...] = (
    (lambda line: line.startswith(b"\x1f\x8b"), "it is packed (gzip): unpack it first"),
    (
        lambda line: line.removeprefix(b"\xef\xbb\xbf").startswith(b"number,time"),
        "it is a table for a spreadsheet: check what /export format:json gives",
    ),
    (lambda line: line.startswith(b"\xef\xbb\xbf"), "some program put a byte-order mark before it"),
    (lambda line: line.endswith(b"\r\n"), "some program changed the ends of its lines (CR LF)"),
    (lambda line: not line.endswith(b"\n"), "the line has no end: something was cut off"),
)
"""How other programs change files, and the sentence for each."""
PARTS = ("who", "words", "what", "how")
"""The person who asked; their own words; the result; the draws and memory that it follows from."""
KEY_BYTES = 32
SALT_DIGITS = 32
SEAL_DIGITS = 32
"""Hexadecimal digits of a leaf that are shown of a hidden roll; two rolls that share them take 2^64 tries."""
_DOMAIN = "evenhand/2"
_TAG_BYTES = 16
HASH_BYTES = 32
TILE_BITS = 8
"""A tile holds 2^8 hashes; each hash on the next level covers one full tile (C2SP tlog-tiles)."""


class NotCanonical(ValueError):
    """A value without a canonical text, or a line that is not canonical."""


def canon(value: Value) -> bytes:
    """Return the canonical bytes of a value; raise NotCanonical if it has none."""
    check(value)
    return bytes_of(text_of(value))


def text_of(value: Value | Mapping[str, Value | Json]) -> str:
    """Return the canonical text of a value that was read from canonical text, or made by the codec.

    The value is not checked again, which would take longer than everything else.
    """
    # Keys are sorted by code points; the RFC sorts by UTF-16 units, which is the same for these keys.
    return "".join(_write(value, 0))


def bytes_of(text: str) -> bytes:
    """Return the bytes of canonical text."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise NotCanonical("half of a pair of surrogates stands alone") from None


def read_line(line: bytes) -> dict[str, Value]:
    """Return the object on a line that ends with its newline; raise NotCanonical unless it is canonical.

    So no line can be read in two ways, by duplicate keys, blanks, needless escapes or 1.0.
    """
    try:
        value: Value = json.loads(text_on(line))
    except (ValueError, RecursionError) as error:
        raise error if isinstance(error, NotCanonical) else NotCanonical("it is no JSON") from None
    if not isinstance(value, dict):
        raise NotCanonical("the line is no object")
    if canon(value) != line[:-1]:
        raise NotCanonical("it is not written canonically")
    return value


def text_on(line: bytes) -> str:
    """Return the decoded text of a line, which is not yet known to be canonical."""
    if len(line) > LONGEST_LINE:
        raise NotCanonical(f"the line has more than {LONGEST_LINE:,} bytes")
    if line[:1] != b"{" or line[-2:] != b"}\n":
        for fits, why in _CHANGED:
            if fits(line):
                raise NotCanonical(why)
    try:
        return line[:-1].decode()
    except UnicodeDecodeError:
        raise NotCanonical("it is no UTF-8") from None


def check(value: Value | float, levels: int = DEEPEST_NESTING) -> None:
    """Raise NotCanonical if a value has no canonical text."""
    if value is None or isinstance(value, str | bool):
        return
    if isinstance(value, int):
        if not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
            raise NotCanonical(f"the number is beyond {LARGEST_NUMBER:,}")
    elif not isinstance(value, list | dict):
        raise NotCanonical("it holds something other than a text, a whole number, a list or an object")
    elif not levels:
        raise NotCanonical(f"it is nested more than {DEEPEST_NESTING} deep")
    elif isinstance(value, list):
        for item in value:
            check(item, levels - 1)
    else:
        for key, item in value.items():
            if not _is_key(key):
                raise NotCanonical("a key is not made of a-z, 0-9 and _")
            check(item, levels - 1)


@dataclass(frozen=True, slots=True)
class Keys:
    """The secrets that derive one event's salts; never shown, logged or exported."""

    campaign: bytes = field(repr=False)
    person: bytes = field(repr=False)
    """The key of the person who asked, in this campaign."""

    def salts(self, seq: int) -> dict[str, str]:
        """Return part name to salt, for the event with that number."""
        what, how = _two_salts(self.campaign, "what", seq)
        who, words = _two_salts(self.person, "who", seq)
        return {"who": who, "words": words, "what": what, "how": how}


@dataclass(frozen=True, slots=True)
class Keyring:
    """A campaign's keys."""

    campaign: bytes = field(repr=False)
    people: Mapping[int, bytes] = field(default_factory=dict[int, bytes], repr=False)

    def keys(self, user_id: int | None) -> Keys:
        """Return the keys for the events of a person, or for those of nobody: the campaign's alone."""
        return Keys(self.campaign, self.campaign if user_id is None else self.people[user_id])

    def tag(self, user_id: int) -> str | None:
        """Return the tag of a person in a cut; None if they have no key here.

        Without the key nobody can tell whose tag it is.
        """
        person = self.people.get(user_id)
        return None if person is None else digest(person, b"evenhand/2 owner", "sha256")[:_TAG_BYTES].hex()


def commitment(name: str, salt: str, text: str) -> str:
    """Return the commitment to a part's canonical text: 64 hexadecimal digits, which hide the text."""
    return sha256(bytes_of(f'["{_DOMAIN}","{name}","{salt}",{text}]')).hexdigest()


def seal(leaf: bytes) -> str:
    """Return the shown beginning of a leaf: four groups of eight hexadecimal digits."""
    digits = leaf.hex()[:SEAL_DIGITS]
    return " ".join(digits[place : place + 8] for place in range(0, SEAL_DIGITS, 8))


def _two_salts(key: bytes, name: str, seq: int) -> tuple[str, str]:
    both = digest(key, f"{_DOMAIN} salt {name} {seq}".encode(), "sha256").hex()
    return both[:SALT_DIGITS], both[SALT_DIGITS:]


def leaf_hash(entry: bytes) -> bytes:
    """Return the leaf of an event's entry."""
    return sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash over two neighbours."""
    return sha256(b"\1" + left + right).digest()


def fold(hashes: Iterable[bytes]) -> bytes:
    """Return the root over the roots of perfect subtrees, given from the largest to the smallest."""
    root = b""
    for subroot in reversed(tuple(hashes)):
        root = node_hash(subroot, root) if root else subroot
    return root or sha256().digest()


class HashPosition(NamedTuple):
    """Position of a stored hash: level of tiles and place on it, from 0. Level 0 holds the leaves."""

    level: int
    place: int


Hashes: TypeAlias = Mapping[HashPosition, bytes]


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree, as its size and the roots of its perfect subtrees from the largest to the smallest."""

    size: int = 0
    frontier: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        if self.size < 0 or len(self.frontier) != self.size.bit_count():
            raise ValueError(f"{self.size} events do not have a frontier of {len(self.frontier)} hashes")

    @property
    def root(self) -> bytes:
        """The root hash, which commits to all leaves and their order."""
        return fold(self.frontier)

    def append(self, leaf: bytes) -> "Grown":
        """Return the tree with one more leaf, and the hashes of tiles that it completes."""
        frontier = [*self.frontier]
        completed: dict[HashPosition, bytes] = {}
        joined, size, height = leaf, self.size, 0
        while size & 1:
            joined = node_hash(frontier.pop(), joined)
            size >>= 1
            height += 1
            if height % TILE_BITS == 0:
                completed[HashPosition(height // TILE_BITS, size)] = joined
        frontier.append(joined)
        return Grown(Tree(self.size + 1, tuple(frontier)), completed)


class Grown(NamedTuple):
    """A tree after one more leaf."""

    tree: Tree
    completed: dict[HashPosition, bytes]
    """The new hashes of level 1 and above, to be stored."""

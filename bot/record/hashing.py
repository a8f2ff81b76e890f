"""What is hashed, and how: canonical JSON, what binds an event's parts, and the Merkle tree of their leaves.

Canonical JSON is one sequence of bytes for one value: RFC 8785 (JCS) for integers up to 2^53-1 and keys of
`[a-z0-9_]+`, which keeps it to one call of `json`. Each part is bound by itself, so that one can be shown and
another closed. Salts come from keys, the campaign's and one for each person in it, so that erasing a key
erases what hangs on it. Whoever has the keys can open every hidden roll there is and will be, so they stay in
the database. Of the tree a campaign keeps the frontier, some 20 hashes for a million events, and appends to
it. Source: docs/format.md, sections 1.1 to 1.4; RFC 9162, 2.1.
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
"""What can be recorded; no fractions."""

LARGEST_NUMBER = 2**53 - 1
"""The largest integer that every reader of JSON holds exactly."""
DEEPEST_NESTING = 32
LONGEST_LINE = 1 << 20
"""Bytes of a line in a file, with its newline."""

_is_key = re.compile(r"[a-z0-9_]+", re.ASCII).fullmatch
# `json.JSONEncoder` makes one of these anew for each value; this one sorts the keys and leaves no blanks.
_write: Callable[[object, int], tuple[str, ...]] = vars(json.encoder)["c_make_encoder"](
    None, json.JSONEncoder().default, json.encoder.encode_basestring, None, ":", ",", True, False, True
)


_CHANGED: tuple[tuple[Callable[[bytes], bool], str], ...] = (
    (lambda line: line.startswith(b"\x1f\x8b"), "it is packed (gzip): unpack it first"),
    (lambda line: line.startswith(b"\xef\xbb\xbf"), "some program put a byte-order mark before it"),
    (lambda line: line.endswith(b"\r\n"), "some program changed the ends of its lines (CR LF)"),
    (lambda line: not line.endswith(b"\n"), "the line has no end: something was cut off"),
)
"""What happens to files on their way, and what is said of it."""
PARTS = ("who", "words", "what", "how")
"""Who asked; their own words for it; what came out; what it was worked out from."""
KEY_BYTES = 32
SALT_DIGITS = 32
SEAL_DIGITS = 32
"""How many of the leaf's hexadecimal digits are shown of a hidden roll: to find two rolls that share them
takes 2^64 tries."""
_DOMAIN = "evenhand/2"
_TAG_BYTES = 16
HASH_BYTES = 32
TILE_BITS = 8
"""A tile holds 2^8 hashes; a hash of the next level of tiles stands for one whole tile (C2SP tlog-tiles)."""


class NotCanonical(ValueError):
    """A value or a line that the format does not have."""


def canon(value: Value) -> bytes:
    """Return the canonical bytes of a value; NotCanonical for one that has none."""
    check(value)
    return bytes_of(text_of(value))


def text_of(value: Value | Mapping[str, Value | Json]) -> str:
    """Return the canonical text of a value that was read from canonical text, or made by the codec.

    Nothing is checked once more: that would take longer than all the rest.
    """
    # Keys are sorted by code points; the RFC sorts by UTF-16, which is the same for these.
    return "".join(_write(value, 0))


def bytes_of(text: str) -> bytes:
    """Return the bytes of canonical text."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise NotCanonical("half of a pair of surrogates stands alone") from None


def read_line(line: bytes) -> dict[str, Value]:
    """Return the object on a line that ends with its newline; NotCanonical unless it is written canonically.

    So nothing can be read in two ways: keys that stand twice, blanks, escapes that are not needed, 1.0.
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
    """Return the text on a line, of which its reader has yet to see that it is canonical."""
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
    """Raise NotCanonical for a value that has no canonical text."""
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
    """The secrets that one event's salts come from; never shown, logged or exported."""

    campaign: bytes = field(repr=False)
    person: bytes = field(repr=False)
    """The key of who asked, in this campaign."""

    def salts(self, seq: int) -> dict[str, str]:
        """Return each part's salt for the event of that number."""
        what, how = _two_salts(self.campaign, "what", seq)
        who, words = _two_salts(self.person, "who", seq)
        return {"who": who, "words": words, "what": what, "how": how}


@dataclass(frozen=True, slots=True)
class Keyring:
    """A campaign's keys."""

    campaign: bytes = field(repr=False)
    people: Mapping[int, bytes] = field(default_factory=dict[int, bytes], repr=False)

    def keys(self, user_id: int | None) -> Keys:
        """Return the keys for the events of a person; nobody's have but the campaign's."""
        return Keys(self.campaign, self.campaign if user_id is None else self.people[user_id])

    def tag(self, user_id: int) -> str | None:
        """Return what stands for a person in a cut; None for whoever has no key here.

        Without the key it can't be tied to anybody.
        """
        person = self.people.get(user_id)
        return None if person is None else digest(person, b"evenhand/2 owner", "sha256")[:_TAG_BYTES].hex()


def commitment(name: str, salt: str, text: str) -> str:
    """Return what binds a part, given as canonical text, without telling it: 64 hexadecimal digits."""
    return sha256(bytes_of(f'["{_DOMAIN}","{name}","{salt}",{text}]')).hexdigest()


def seal(leaf: bytes) -> str:
    """Return the beginning of a leaf as it is shown: four groups of eight hexadecimal digits."""
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
    """Return the root over the roots of perfect subtrees, from the largest to the smallest."""
    root = b""
    for one in reversed(tuple(hashes)):
        root = node_hash(one, root) if root else one
    return root or sha256().digest()


class Spot(NamedTuple):
    """A hash that is stored: which one of which level of tiles, counted from 0. Level 0 holds the leaves."""

    level: int
    place: int


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree by its size and the roots of its perfect subtrees, from the largest to the smallest."""

    size: int = 0
    frontier: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        if self.size < 0 or len(self.frontier) != self.size.bit_count():
            raise ValueError(f"{self.size} events do not have a frontier of {len(self.frontier)} hashes")

    @property
    def root(self) -> bytes:
        """The root hash, which stands for all leaves and their order."""
        return fold(self.frontier)

    def append(self, leaf: bytes) -> "Grown":
        """Return the tree with one more leaf, and the hashes of tiles that it completes."""
        frontier = [*self.frontier]
        completed: dict[Spot, bytes] = {}
        joined, size, height = leaf, self.size, 0
        while size & 1:
            joined = node_hash(frontier.pop(), joined)
            size >>= 1
            height += 1
            if height % TILE_BITS == 0:
                completed[Spot(height // TILE_BITS, size)] = joined
        frontier.append(joined)
        return Grown(Tree(self.size + 1, tuple(frontier)), completed)


class Grown(NamedTuple):
    """A tree after one more leaf."""

    tree: Tree
    completed: dict[Spot, bytes]
    """The hashes of level 1 and above that are to be stored from now on."""

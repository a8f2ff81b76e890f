"""What binds the four parts of an event, each by itself, so that one can be shown and another closed.

Salts come from keys, the campaign's and one for each person in it, so that erasing a key erases what hangs on
it. Whoever has the keys can open every hidden roll there is and will be, so they stay in the database.
Source: docs/format.md, sections 1.2 to 1.4.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import digest

from bot.record.canonical import bytes_of

PARTS = ("who", "words", "what", "how")
"""Who asked; their own words for it; what came out; what it was worked out from."""
KEY_BYTES = 32
SALT_DIGITS = 32
SEAL_DIGITS = 32
"""As many of the leaf's hexadecimal digits are shown of a hidden roll: to find two rolls that share them
takes 2^64 tries."""

_DOMAIN = "evenhand/2"
_TAG_BYTES = 16


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

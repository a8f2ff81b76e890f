"""The secrets of one campaign that its salts come from: its own, and one for each person in it.

Whoever has them can open every hidden roll there is and will be, so they stay in the database. Source:
docs/format.md, section 1.4.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hmac import digest

from bot.record.commitments import Keys

_TAG_BYTES = 16


def owner_tag(person: bytes) -> str:
    """Return what stands for a person in a cut; without their key it can't be tied to anybody."""
    return digest(person, b"evenhand/2 owner", "sha256")[:_TAG_BYTES].hex()


@dataclass(frozen=True, slots=True)
class Keyring:
    """A campaign's keys."""

    campaign: bytes = field(repr=False)
    people: Mapping[int, bytes] = field(default_factory=dict[int, bytes], repr=False)

    def keys(self, user_id: int | None) -> Keys:
        """Return the keys for the events of a person; nobody's have but the campaign's."""
        return Keys(self.campaign, self.campaign if user_id is None else self.people[user_id])

    def tag(self, user_id: int) -> str | None:
        """Return what stands for a person in a cut; None for whoever has no key here."""
        person = self.people.get(user_id)
        return None if person is None else owner_tag(person)

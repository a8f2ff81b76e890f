from hashlib import sha256
from hmac import digest

import pytest

from bot.campaign.proof import KEYS
from bot.record.hashing import canon, leaf_hash
from bot.record.proof_mode import Epoch, KeyedDraws, Press, keys_root, salted, words
from tests.support.logs import LOG, tree_of

EPOCH = Epoch(bytes(range(32)))
PRESS = Press(LOG, 28, 1400000000000000000, "")


def test_keys_follow_from_the_secret() -> None:
    """Key i is an HMAC of its number under the epoch's secret; there are 1,024, and no two are alike."""
    keys = [EPOCH.key(place) for place in range(KEYS)]

    assert keys[7] == digest(bytes(range(32)), b"evenhand/2 key 7", "sha256")
    assert len(set(keys)) == KEYS
    for place in (-1, KEYS):
        with pytest.raises(ValueError, match="1024"):
            EPOCH.key(place)


def test_the_commit_binds_every_key() -> None:
    """The root is the tree's over the keys' hashes, so that another key has no path to it."""
    leaves = EPOCH.leaves()

    assert leaves[3] == leaf_hash(EPOCH.key(3))
    assert keys_root(leaves) == tree_of(leaves).root
    assert keys_root(leaves) != keys_root((*leaves[:-1], leaf_hash(b"other")))


def test_the_secret_is_not_shown() -> None:
    """The object that holds the secret does not print it."""
    assert bytes(range(32)).hex() not in repr(EPOCH)
    assert "secret" not in repr(EPOCH)


def test_bits_are_hmacs_of_the_press() -> None:
    """Four words come from each block, whose text was written here by hand."""
    word = words(EPOCH.key(0), PRESS)
    first = [word() for _ in range(6)]
    blocks = b"".join(
        digest(EPOCH.key(0), f"evenhand/2 bits {LOG}|28|1400000000000000000||{b}".encode(), "sha256")
        for b in range(2)
    )

    assert first == [int.from_bytes(blocks[place : place + 8]) for place in range(0, 48, 8)]


@pytest.mark.parametrize(
    "other",
    [
        Press("f" * 32, 28, PRESS.interaction, ""),
        Press(LOG, 29, PRESS.interaction, ""),
        Press(LOG, 28, 1400000000000000001, ""),
        Press(LOG, 28, PRESS.interaction, "ab" * 32),
    ],
)
def test_everything_about_a_press_changes_its_bits(other: Press) -> None:
    """Another log, number, interaction or salt gives other bits."""
    assert words(EPOCH.key(0), other)() != words(EPOCH.key(0), PRESS)()


def test_the_same_press_draws_the_same() -> None:
    """Whoever has the key draws what the bot drew."""
    one, other = KeyedDraws(EPOCH.key(0), PRESS), KeyedDraws(EPOCH.key(0), PRESS)

    assert [one.below(20) for _ in range(50)] == [other.below(20) for _ in range(50)]


def test_each_salt_holds_those_before_it() -> None:
    """The salt after a player's words is a hash of the salt before and of the words."""
    first = salted("", {"salt": "seven"})

    assert first == sha256(canon(["", {"salt": "seven"}])).hexdigest()
    assert salted(first, {"salt": "ravens"}) != salted("", {"salt": "ravens"})

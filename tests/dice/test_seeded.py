"""Seeded draws: the stream is fixed for ever."""

from hashlib import sha256

from bot.dice.seeded import seeded, words

ROLLS = [5, 3, 6, 2, 3, 1, 6, 2, 2, 2, 5, 1, 5, 6, 2, 2, 4, 3, 5, 1]


def test_words_are_the_hash_of_key_and_counter() -> None:
    """Four words come from each SHA-256(key, counter), big-endian, in order."""
    word = words(b"key")
    expected = [sha256(b"key" + number.to_bytes(8)).digest() for number in range(2)]

    assert b"".join(word().to_bytes(8) for _ in range(8)) == b"".join(expected)


def test_seeds_of_different_kinds_differ() -> None:
    """A number, its text and its bytes are three seeds; equal seeds give equal draws."""
    rolls = {seed: [seeded(seed).below(2**60) for _ in range(2)] for seed in (1, "1", b"1")}

    assert len({tuple(found) for found in rolls.values()}) == 3
    assert seeded(1).below(2**60) == rolls[1][0]


def test_the_stream_does_not_change() -> None:
    """These rolls of a d6 were written down once; a proof made today has to hold later."""
    draws = seeded("evenhand")

    assert [1 + draws.below(6) for _ in range(20)] == ROLLS

"""A word is lane XOR lane XOR kernel, each of them used once, and named after what fed it."""

from hypothesis import given
from hypothesis import strategies as st

from bot.dice.draws import Source
from bot.entropy.supply import ChainedBlake2, Lane, WordPool
from tests.entropy.feeds import Fixed, lane

words = st.integers(0, 2**64 - 1)


@given(words, words, words)
def test_a_true_word_is_the_xor_of_all_three(first: int, second: int, kernel: int) -> None:
    """With both lanes fed the word is exactly remote XOR remote XOR kernel, and true."""
    pool = WordPool(lane(first), lane(second), kernel.to_bytes)

    assert (pool.source, pool.word()) == (Source.TRUE, first ^ second ^ kernel)


@given(words, words)
def test_a_dry_lane_falls_back_to_its_own_generator(remote: int, kernel: int) -> None:
    """With one lane dry its generator's word takes its place and the word is half; with both, local."""
    pool = WordPool(lane(remote), lane(), kernel.to_bytes)

    assert (pool.source, pool.word()) == (Source.HALF, remote ^ 1 ^ kernel)
    assert (pool.source, pool.word()) == (Source.LOCAL, 1 ^ 2 ^ kernel)


@given(st.lists(words, max_size=5), st.lists(words, max_size=5))
def test_remote_words_are_used_once_in_order(first: list[int], second: list[int]) -> None:
    """The labels are as many true ones as both lanes have, then half ones, then local ones."""
    pool = WordPool(lane(*first), lane(*second), bytes)
    low, high = sorted([len(first), len(second)])
    labels = [(pool.source, pool.word())[0] for _ in range(high + 1)]

    assert labels == [Source.TRUE] * low + [Source.HALF] * (high - low) + [Source.LOCAL]


def test_a_kernel_word_is_in_every_word() -> None:
    """The kernel is asked once for each word, for eight bytes, at the moment of use."""
    asked: list[int] = []

    def kernel(size: int) -> bytes:
        asked.append(size)
        return bytes(size)

    pool = WordPool(lane(1, 2), lane(3), kernel)
    pool.word()
    pool.word()

    assert asked == [8, 8]


def test_forgetting_drops_remote_words_and_reseeds() -> None:
    """Afterwards no remote bit is left, and the local generators start again."""
    pool = WordPool(lane(1, 2), lane(), bytes)
    pool.word()
    pool.forget()

    assert (pool.atmospheric.bits, pool.quantum.bits) == (0, 0)
    assert (pool.source, pool.word()) == (Source.LOCAL, 1 ^ 1)


def test_a_part_of_a_word_is_left_out() -> None:
    """Bytes that do not fill a word are not used."""
    made = Lane(Fixed())
    made.add(bytes(15))

    assert made.bits == 64


def test_the_second_generator_never_gives_the_same_stream_twice() -> None:
    """Two of them, and one before and after a reseeding, share no word of 64 (by chance: 2^-50)."""
    one, other = ChainedBlake2(), ChainedBlake2()
    streams = [one.word() for _ in range(64)], [other.word() for _ in range(64)]
    one.reseed()
    every = {*streams[0], *streams[1], *(one.word() for _ in range(64))}

    assert len(every) == 3 * 64


def test_the_second_generator_does_not_keep_the_key_of_words_it_gave() -> None:
    """Every four words its key is another one: who reads it later learns nothing of what was."""
    generator = ChainedBlake2()
    keys = {key(generator)}
    for _ in range(12):
        generator.word()
        keys.add(key(generator))

    assert len(keys) == 1 + 12 // 4


def key(generator: ChainedBlake2) -> bytes:
    """The generator's inner state."""
    return generator._key  # pyright: ignore[reportPrivateUsage]

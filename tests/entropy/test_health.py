"""The tests of raw bytes: their cut-offs from the formulas, and what they see and do not see, exactly."""

from collections import Counter
from fractions import Fraction
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.entropy.health import (
    BLOCK,
    LONG_BLOCKS,
    LONG_ONES,
    ONES,
    PROPORTION_CUTOFF,
    PROPORTION_WINDOW,
    REPETITION_CUTOFF,
    Health,
    Monitor,
    RecentBlocks,
)

ENTROPY, ALPHA = 7, 30
BITS = 8 * BLOCK


def block(seed: int = 0) -> bytes:
    """A sound block."""
    return Random(seed).randbytes(BLOCK)  # noqa: S311


def verdict(data: bytes) -> Health:
    """The verdict on a source's first block."""
    return Monitor(RecentBlocks()).examine(data)


def at_least(n: int, k: int, p: Fraction) -> Fraction:
    """P(X >= k) for a binomial X of n tries with chance p."""
    ways = sum(
        comb(n, i) * p.numerator**i * (p.denominator - p.numerator) ** (n - i) for i in range(k, n + 1)
    )
    return Fraction(ways, p.denominator**n)


def ones_tail(n: int, k: int, p: Fraction) -> Fraction:
    """P(X >= k) as above, but for large n: by walking away from the mean, right to about 2^-300."""
    up, down = p / (1 - p), (1 - p) / p
    middle = int(n * p)
    mass = {middle: 1 << 400}
    for i in range(middle, n):
        mass[i + 1] = mass[i] * (n - i) * up.numerator // ((i + 1) * up.denominator)
        if not mass[i + 1]:
            break
    for i in range(middle, 0, -1):
        mass[i - 1] = mass[i] * i * down.numerator // ((n - i + 1) * down.denominator)
        if not mass[i - 1]:
            break
    return Fraction(sum(weight for i, weight in mass.items() if i >= k), sum(mass.values()))


def test_the_repetition_cutoff_is_the_formulas() -> None:
    """C = 1 + ceil(alpha / H), at H = 7 and alpha = 2^-30."""
    assert 1 + -(-ALPHA // ENTROPY) == REPETITION_CUTOFF


def test_the_proportion_cutoff_is_the_formulas() -> None:
    """C = 2 + critbinom(511, 2^-7, 1 - 2^-30): the least count that the other 511 reach too seldom."""
    p, alpha = Fraction(1, 2**ENTROPY), Fraction(1, 2**ALPHA)
    critical = next(k for k in range(512) if at_least(511, k + 1, p) <= alpha)

    assert 2 + critical == PROPORTION_CUTOFF
    assert PROPORTION_WINDOW == 512


@pytest.mark.parametrize(("n", "band"), [(BITS, ONES), (LONG_BLOCKS * BITS, LONG_ONES)])
def test_the_band_of_ones_is_two_sided_two_to_the_minus_thirty(n: int, band: range) -> None:
    """A perfect source leaves it with a chance of 2^-30, and any narrower band oftener."""
    half, alpha = Fraction(1, 2), Fraction(1, 2 ** (ALPHA + 1))

    assert band.start + band[-1] == n
    assert ones_tail(n, band.stop, half) <= alpha < ones_tail(n, band.stop - 1, half)


def test_two_ways_to_count_a_tail_agree() -> None:
    """The scaled walk and the whole sum give the same chance, to 2^-190."""
    p = Fraction(51, 100)

    assert abs(ones_tail(600, 340, p) - at_least(600, 340, p)) < Fraction(1, 2**190)


@given(st.integers(0, 2**32))
def test_a_sound_block_passes(seed: int) -> None:
    """Blocks of a good generator are sound: the chance that one of 1e9 is not is about one."""
    assert verdict(block(seed)) is Health.SOUND


@given(st.integers(0, 2**32), st.integers(0, BLOCK - REPETITION_CUTOFF), st.integers(0, 255))
def test_six_equal_bytes_anywhere_are_seen(seed: int, at: int, byte: int) -> None:
    """The repetition count needs no more than its six."""
    data = block(seed)
    stuck = data[:at] + bytes([byte]) * REPETITION_CUTOFF + data[at + REPETITION_CUTOFF :]

    assert verdict(stuck) is Health.STUCK


def test_five_equal_bytes_are_allowed() -> None:
    """The repetition count says nothing below its cut-off."""
    data = block()

    assert verdict(b"\x01" + bytes(5) + b"\x01" + data[7:]) is Health.SOUND


def test_a_run_across_two_blocks_is_seen() -> None:
    """The count goes on from one block to the next."""
    monitor = Monitor(RecentBlocks())
    first, second = block(1)[:-3] + bytes(3), bytes(3) + block(2)[3:]

    assert monitor.examine(first) is Health.SOUND
    assert monitor.examine(second) is Health.STUCK


def test_after_an_alarm_the_count_begins_afresh() -> None:
    """A block that follows a refused one is tested like a source's first."""
    monitor = Monitor(RecentBlocks())

    assert monitor.examine(bytes(BLOCK)) is Health.STUCK
    assert monitor.examine(bytes(3) + block()[3:]) is Health.SOUND


@pytest.mark.parametrize(("count", "expected"), [(22, Health.SOUND), (23, Health.LOPSIDED)])
@pytest.mark.parametrize("window", [0, 512])
def test_the_first_byte_of_a_window_may_come_22_times(count: int, expected: Health, window: int) -> None:
    """The 23rd, its own first appearance counted, is an alarm."""
    data = bytearray(b if b != 7 else 8 for b in block())
    for i in range(count):
        data[window + 20 * i] = 7

    assert verdict(bytes(data)) is expected


@pytest.mark.parametrize(("ones", "expected"), [(4373, Health.SOUND), (4374, Health.UNBALANCED)])
def test_the_band_of_ones_is_kept_to_the_bit(ones: int, expected: Health) -> None:
    """The last allowed number of ones passes, the next one does not, and zeros are treated alike."""
    random = Random(5)  # noqa: S311
    value = int.from_bytes(block())
    while value.bit_count() < ones:
        value |= 1 << random.randrange(BITS)

    assert verdict(value.to_bytes(BLOCK)) is expected
    assert verdict((value ^ ((1 << BITS) - 1)).to_bytes(BLOCK)) is expected


def test_hex_text_never_passes() -> None:
    """Hex digits have too few ones: a block of them passes with a chance below 2^-70 (Chernoff's bound)."""
    pops = Counter(digit.bit_count() for digit in b"0123456789abcdef")
    t = Fraction(3, 2)
    each = sum(times * t**pop for pop, times in pops.items()) / 16

    assert each**BLOCK / t**ONES.start < Fraction(1, 2**70)
    assert verdict(block().hex().encode()[:BLOCK]) is not Health.SOUND


def test_a_bias_of_one_percent_shows_over_32_blocks_and_not_in_one() -> None:
    """With 51 % ones a block alarms 8 times in a million, 32 blocks together 9,999 times in 10,000."""
    biased = Fraction(51, 100)
    one = ones_tail(BITS, ONES.stop, biased)
    many = ones_tail(LONG_BLOCKS * BITS, LONG_ONES.stop, biased)

    assert Fraction(7, 10**6) < one < Fraction(9, 10**6)
    assert many > Fraction(9999, 10**4)


def test_a_drifting_source_is_dropped_at_the_32nd_block() -> None:
    """Blocks that are each within the band, but all on one side, end in an alarm, and then begin afresh."""
    monitor, random = Monitor(RecentBlocks()), Random(3)  # noqa: S311
    verdicts: list[Health] = []
    for seed in range(LONG_BLOCKS):
        value = int.from_bytes(block(seed))
        while value.bit_count() < BITS // 2 + 80:
            value |= 1 << random.randrange(BITS)
        verdicts.append(monitor.examine(value.to_bytes(BLOCK)))

    assert verdicts == [Health.SOUND] * (LONG_BLOCKS - 1) + [Health.DRIFTING]
    assert monitor.examine(block(99)) is Health.SOUND


def test_a_replayed_block_is_refused() -> None:
    """The same block again is never used, from this source or another that shares the memory."""
    seen = RecentBlocks()

    assert Monitor(seen).examine(block()) is Health.SOUND
    assert Monitor(seen).examine(block()) is Health.SEEN


@given(st.integers(63, 600), st.integers(0, 400), st.integers(0, 400))
def test_a_replayed_part_is_found_wherever_it_is(length: int, here: int, there: int) -> None:
    """63 bytes that came before are found at any place in a new block."""
    seen, old, new = RecentBlocks(), block(1), block(2)
    seen.add(old)

    assert seen.holds(new[:there] + old[here : here + length] + new[there + length :])
    assert not seen.holds(new)


def test_a_block_that_repeats_itself_is_refused() -> None:
    """A half block sent twice is not used."""
    assert verdict(block()[:512] * 2) is Health.SEEN


def test_the_memory_has_256_blocks() -> None:
    """The 256th block before is still known, the one before it is not."""
    seen = RecentBlocks()
    for seed in range(257):
        seen.add(block(seed))

    assert not seen.holds(block(0))
    assert seen.holds(block(1))


@pytest.mark.parametrize("size", [0, 1023, 1025, 2048])
def test_only_whole_blocks_are_examined(size: int) -> None:
    """A block of another size is the caller's mistake."""
    with pytest.raises(ValueError, match="1024"):
        verdict(bytes(size))

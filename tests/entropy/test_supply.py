"""Draws out of the pool: exact, named after the weakest word that fed them, and forgotten in time."""

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from bot.dice.draws import RecyclingDraws, Source
from bot.entropy.supply import Lane, Supply, WordPool
from tests.entropy.feeds import Fixed, lane

words = st.integers(0, 2**64 - 1)


def supply(atmospheric: int, quantum: int) -> Supply:
    """A supply whose lanes hold so many words."""
    return Supply(WordPool(lane(*range(atmospheric)), lane(*range(quantum))))


@given(st.lists(words, min_size=30, max_size=30), st.lists(st.integers(1, 10**6), max_size=20))
def test_draws_are_the_registers_own(remote: list[int], sizes: list[int]) -> None:
    """A roll's draws are those of a plain register that is fed the same mixed words."""
    roll = Supply(WordPool(lane(*remote), lane(*[0] * 30), bytes)).open()
    plain = RecyclingDraws(iter(remote).__next__)

    assert [roll.below(n) for n in sizes] == [plain.below(n) for n in sizes]
    assert roll.choose([1, 2, 3]) == plain.choose([1, 2, 3])


def test_a_roll_is_true_while_both_lanes_last() -> None:
    """Every draw from words of two remote lanes is true."""
    roll = supply(4, 4).open()
    roll.below(6)
    roll.choose([1, 2, 3])

    assert roll.source is Source.TRUE


def test_bits_held_over_count() -> None:
    """A roll that is fed by nothing but what another one left is as true as those bits."""
    source = supply(1, 1)
    first, second = source.open(), source.open()
    first.below(6)
    second.below(6)

    assert second.source is Source.TRUE
    assert source.open().source is Source.LOCAL


def test_a_roll_is_called_by_its_weakest_word() -> None:
    """A roll that begins true and ends local is local."""
    roll = supply(1, 1).open()
    roll.below(6)

    assert roll.source is Source.TRUE
    for _ in range(30):
        roll.below(6)
    assert roll.source is Source.LOCAL


def test_a_roll_stays_weak_when_the_lanes_are_filled_meanwhile() -> None:
    """A roll with a half word in it stays half, whatever follows."""
    pool = WordPool(lane(1), lane())
    source = Supply(pool)
    roll = source.open()
    roll.below(6)
    pool.atmospheric.add(bytes(8 * 50))
    pool.quantum.add(bytes(8 * 50))
    for _ in range(30):
        roll.below(6)

    assert source.register_source is Source.TRUE
    assert roll.source is Source.HALF


def test_the_next_roll_profits_from_filled_lanes_at_once() -> None:
    """Local bits that are held do not weaken a roll that begins when the lanes are fed."""
    pool = WordPool()
    source = Supply(pool)
    source.open().below(6)
    pool.atmospheric.add(bytes(80))
    pool.quantum.add(bytes(80))
    roll = source.open()
    roll.below(6)

    assert roll.source is Source.TRUE


@given(words, words, st.lists(words, min_size=8, max_size=8), st.integers(1, 2**70))
def test_what_came_before_a_change_of_label_has_no_part_in_what_follows(
    one: int, other: int, later: list[int], n: int
) -> None:
    """The same roll with other bits before the change draws the same after it, so no register holds both."""

    def played(before: int) -> int:
        pool = WordPool(lane(before), lane(), bytes)
        roll = Supply(pool).open()
        roll.below(6)
        pool.atmospheric.add(b"".join(word.to_bytes(8) for word in later))
        pool.quantum.add(bytes(64))
        return roll.below(2**40 * n)

    assert played(one) == played(other)


def test_an_alarm_empties_the_register_and_not_the_pool() -> None:
    """After `clear` the next draw begins with a fresh word; the lanes keep theirs."""
    pool = WordPool(lane(*range(5)), lane(*range(5)))
    source = Supply(pool)
    roll = source.open()
    taken: list[int] = []
    for _ in range(3):
        roll.below(6)
        taken.append(5 - pool.atmospheric.bits // 64)
    source.clear()
    roll.below(6)
    taken.append(5 - pool.atmospheric.bits // 64)

    assert taken == [1, 1, 1, 2]


def test_closing_forgets_everything_and_still_answers() -> None:
    """A roll that comes after the end is fed by the machine's own bits, from the first word on."""
    local = Fixed()
    pool = WordPool(Lane(local), lane(*range(3)))
    source = Supply(pool)
    source.open().below(6)
    source.close()
    roll = source.open()

    assert pool.quantum.bits == 0
    assert roll.below(6) in range(6)
    assert local.given == 1
    assert roll.source is Source.LOCAL


def test_a_roll_without_a_draw_claims_the_least() -> None:
    """Nothing fed it, so it is not called true."""
    assert supply(3, 3).open().source is Source.LOCAL


FORK = """
import os
from bot.entropy.supply import ChainedBlake2, Kernel
from bot.entropy.supply import Lane, WordPool
from bot.entropy.supply import Supply

kernel = Kernel()
kernel.word()
pool = WordPool(Lane(kernel), Lane(ChainedBlake2()))
supply = Supply(pool)
pool.atmospheric.add(bytes(800))
roll = supply.open()
roll.below(6)
pool.quantum.take(), pool.quantum.take()
reading, writing = os.pipe()
child = os.fork()
held = supply._register._m == 1, pool.atmospheric.bits
state = pool.quantum._local._key.hex(), len(pool.quantum._local._words), len(kernel._words)
if child == 0:
    os.write(writing, repr((held, state)).encode())
    os._exit(0)
os.waitpid(child, 0)
told = os.read(reading, 4096).decode()
print(held, state[1:], told.startswith("((True, 0), "), told.endswith(", 0, 0))"), state[0] in told)
"""


WITHOUT_FORK = """
import os
del os.register_at_fork
from bot.entropy.supply import Supply
print(Supply.local().open().below(6))
"""
SUPPLIES = """
import os
told = []
os.register_at_fork = lambda **callbacks: told.append(callbacks)
from bot.entropy.supply import Supply
from tests.entropy.test_pool import lane
before = len(told)
supplies = [Supply.local() for _ in range(100)]
print(len(told) - before)
"""


def test_a_system_without_fork_has_a_supply() -> None:
    """On Windows the function that watches for forks is not there."""
    run = subprocess.run([sys.executable, "-c", WITHOUT_FORK], capture_output=True, text=True, check=True)

    assert 0 <= int(run.stdout) < 6


def test_a_supply_leaves_no_callback_behind() -> None:
    """The system keeps each one for ever, so there is one for all of them."""
    run = subprocess.run([sys.executable, "-c", SUPPLIES], capture_output=True, text=True, check=True)

    assert run.stdout == "0\n"


def test_a_forked_child_forgets_its_parents_bits() -> None:
    """The child has an empty register, empty lanes and a new key; the parent keeps all of its own."""
    run = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, check=True)

    assert run.stdout.split("\n")[0] == "(False, 6336) (1, 15) True True False"

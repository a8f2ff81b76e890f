"""A round of drand in the salt of proof mode, and what a host can't make of it."""

import pytest

from bot.campaign.events import milliseconds_of
from bot.campaign.proof import round_after, time_of_round
from bot.record.hashing import Value
from tests.support.drand import signed
from tests.support.logs import Log, export
from tests.support.verdicts import Verdict, Verifier

COMMIT_CLOCK = 1_795_000_000_000


def evening(*, shift: int = 0, drand: Value = None, timed: bool = False, ended: bool = False) -> bytes:
    """A commit, drand's round after it or another one, and a roll; `timed` keys were asked for by nobody.

    With `ended` proof mode ends before the round.
    """
    log = Log()
    log.add("create")
    log.commit(clock=COMMIT_CLOCK if timed else None, what={"drand": True})
    time = COMMIT_CLOCK if timed else milliseconds_of(int(str(log.events[1]["id"])))
    number = round_after(time) + shift
    if ended:
        log.uncommit()
    else:
        log.roll("1d20")
    log.drand([number, *signed(number)] if drand is None else drand, time_of_round(number))
    log.roll("1d20")
    return b"".join(export(log.events, epochs=log.leaves))


def _broken(verdict: Verdict) -> bool:
    return verdict.code == 1 and "#5" in verdict.words


@pytest.mark.parametrize("timed", [False, True])
def test_the_first_round_after_the_commit_holds(ask: Verifier, *, timed: bool) -> None:
    """It becomes salt, and the roll after it follows from it; so it does where nobody asked for the keys."""
    verdict = ask(evening(timed=timed))

    assert verdict.code == 3
    assert "2 made again" in verdict.words


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("shift", [-1, 1])
def test_the_host_chooses_no_round(ask: Verifier, shift: int, *, timed: bool) -> None:
    """A round that was out before, or a later one, is named by its number."""
    verdict = ask(evening(shift=shift, timed=timed))

    assert _broken(verdict)
    assert "does not have drand's first round after the commit, or not its signature's hash" in verdict.words


def test_the_host_chooses_no_value(ask: Verifier) -> None:
    """A value that is not the hash of the signature is named, also of a signature that is none."""
    log = Log()
    log.add("create")
    log.commit()
    number = round_after(milliseconds_of(int(str(log.events[1]["id"]))))
    value, signature = signed(number)
    forged: list[Value] = [
        [number, "00" * 32, signature],
        [number, value, signature[:-2]],
        [number, value, signature.upper()],
        [number, value, "zz"],
    ]
    for drand in forged:
        verdict = ask(evening(drand=drand))
        assert _broken(verdict)
        assert (
            "does not have drand's first round after the commit, or not its signature's hash" in verdict.words
        )


@pytest.mark.parametrize("drand", ["", [], {}, 5, [1, "a"], [1, "a", 7], ["1", "a", "aa"], {"a": 1}])
def test_what_is_no_round_is_none(ask: Verifier, drand: Value) -> None:
    """Something else in the place of a round does not hold, at its number, with or without its commit."""
    assert _broken(ask(evening(drand=drand)))
    assert _broken(ask(evening(drand=drand, ended=True)))


def test_without_keys_there_is_no_round(ask: Verifier) -> None:
    """After the end of proof mode nothing waits for one."""
    assert _broken(ask(evening(ended=True)))


def test_a_commit_has_one_round(ask: Verifier) -> None:
    """A second one, though it is the same, is named."""
    log = Log()
    log.add("create")
    log.commit(what={"drand": True})
    number = round_after(milliseconds_of(int(str(log.events[1]["id"]))))
    for _ in range(2):
        log.drand([number, *signed(number)], time_of_round(number))
    verdict = ask(b"".join(export(log.events, epochs=log.leaves)))

    assert verdict.code == 1
    assert "#5 does not have drand's first round" in verdict.words

"""A round of drand in the salt of proof mode, and what a host can't make of it."""

import pytest

from bot.campaign.proof import round_after, round_after_message, time_of_round
from bot.record.hashing import Value
from bot.times import milliseconds_of
from tests.support.drand import signed
from tests.support.logs import Log, export
from tests.support.verdicts import Verdict, Verifier
from tools.drand import main

COMMIT_CLOCK = 1_795_000_000_000


def evening(
    *,
    shift: int = 0,
    drand: Value = None,
    timed: bool = False,
    ended: bool = False,
    late: int = 0,
    older: bool = False,
    awaited: int = 0,
) -> bytes:
    """Keys, drand's round after their message or another one, and a roll; nobody asked for `timed` keys.

    With `ended` proof mode ends before the round; the message is `late` by milliseconds. An `older` history
    does not say which round it waits for; another one waits for the round `awaited` behind its own.
    """
    log = Log()
    log.add("create")
    commit = log.commit(clock=COMMIT_CLOCK if timed else None, shown=False, what={"drand": True})
    time = milliseconds_of(log._id)
    message = log._id + (late << 22)
    log.show(commit, message, **({} if older else {"round": round_after_message(message) + awaited}))
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
def test_the_first_round_after_the_message_holds(ask: Verifier, *, timed: bool) -> None:
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
    assert "does not have drand's first round after its keys" in verdict.words


def test_keys_that_were_shown_after_a_round_do_not_take_it(ask: Verifier) -> None:
    """Whoever waits for a round before they show keys could try keys until one fits it."""
    assert ask(evening(late=0)).code == 3
    assert _broken(ask(evening(late=3_000)))
    assert ask(evening(late=3_000, shift=1)).code == 3


def test_a_message_names_the_round_after_it(ask: Verifier) -> None:
    """Another number does not hold."""
    assert "#3 does not have drand's first round" in ask(evening(awaited=1)).words


def test_an_older_history_holds_with_what_it_does_not_prove(ask: Verifier) -> None:
    """Its round followed the commit, and may have been out before the message; words named no message."""
    chosen = "is a salt that may have been chosen late, so it proves nothing."
    log = Log()
    log.add("create")
    log.commit()
    log.salt("seven ravens", message=0)
    log.roll("1d20")
    words = ask(b"".join(export(log.events, epochs=log.leaves)))
    early, late = ask(evening(older=True)), ask(evening(older=True, late=3_000))

    assert [verdict.code for verdict in (early, late, words)] == [3, 3, 3]
    assert "1 rolls follow from their keys" in words.words
    assert [chosen in verdict.words for verdict in (early, late, words)] == [False, True, True]
    assert (f"#5 {chosen}" in late.words, f"#4 {chosen}" in words.words) == (True, True)
    assert _broken(ask(evening(older=True, late=3_000, shift=1)))


def test_a_round_before_any_message_proves_nothing(ask: Verifier) -> None:
    """Keys that are shown behind their round may have been chosen for it."""
    log = Log()
    log.add("create")
    commit = log.commit(shown=False, what={"drand": True})
    number = round_after(milliseconds_of(log._id))
    log.drand([number, *signed(number)], time_of_round(number))
    log.show(commit, log._id + (60_000 << 22))
    verdict = ask(b"".join(export(log.events, epochs=log.leaves)))

    assert verdict.code == 3, verdict
    assert "#3 is a salt that may have been chosen late" in verdict.words


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
        assert "does not have drand's first round after its keys" in verdict.words


def test_a_round_is_of_a_commit(ask: Verifier) -> None:
    """A round that does not say whose keys it is for would be salt of all."""
    log = Log()
    log.add("create")
    log.commit(what={"drand": True})
    number = round_after(milliseconds_of(int(str(log.events[1]["id"]))))
    log.drand([number, *signed(number)], time_of_round(number))
    del log.events[-1]["target"]

    assert (
        "#4 does not have drand's first round" in ask(b"".join(export(log.events, epochs=log.leaves))).words
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


def test_who_checks_a_signature_is_told(ask: Verifier) -> None:
    """Neither verifier says that drand signed a round: each gives the command that checks it."""
    verdict = ask(evening())
    [asked] = [line for line in verdict.words.splitlines() if "drand signed" in line]
    number, signature = asked.split()[-2:]

    assert asked == f"Check that drand signed round {number}: pipx run tools/drand.py {number} {signature}"
    assert signature == signed(int(number))[1]


SIGNATURE = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
"""Of round 1,000 of quicknet, as drand's servers have it."""


@pytest.mark.parametrize(
    ("number", "signature", "code"),
    [
        ("1000", SIGNATURE, 0),
        ("1001", SIGNATURE, 1),
        ("1000", "c0" + "00" * 47, 1),
        ("1000", "00", 2),
        ("x", "", 2),
    ],
)
def test_a_signature_is_checked(number: str, signature: str, code: int) -> None:
    """A round that drand signed passes; another round, no point and no number do not."""
    pytest.importorskip("py_ecc", reason="the command brings py-ecc into an environment of its own")

    assert main(number, signature) == code

"""Proof mode, and what a host can't do in it."""

from collections.abc import Callable
from copy import deepcopy

import pytest

from bot.campaign.calls import TIES
from bot.record.proof_mode import KeyedDraws, Press
from tests.support.chromium import needs_chromium
from tests.support.forging import other_roll
from tests.support.logs import FIRST_ID, LOG, SECOND, Log, checkpoint_of, edited, export, leaves_of
from tests.support.parts import Line, part_of
from tests.support.verdicts import Verifier


def keyed() -> Log:
    """A short evening in proof mode."""
    log = Log()
    log.add("create")
    log.make("Luck", {"system": "fair", "base": "2d6", "tightness": "1"})
    log.commit()
    for _ in range(3):
        log.roll("1d20")
        log.roll_with("Luck")
    log.salt("seven ravens")
    log.roll("1d20")
    log.roll_with("Luck", 43, 3)
    return log


def test_proof_mode_holds(ask: Verifier) -> None:
    """Rolls in proof mode are made again from their keys."""
    log = keyed()
    verdict = ask(b"".join(export(log.events, epochs=log.leaves)))

    assert verdict.code == 3
    assert "8 made again" in verdict.words


def in_proof_mode(change: Callable[[list[Line]], list[Line]]) -> bytes:
    """The short evening, changed by its host."""
    log = keyed()
    return b"".join(export(change(deepcopy(log.events)), epochs=log.leaves))


def _with(events: list[Line], number: int, event: Line) -> list[Line]:
    return [*events[: number - 1], event, *events[number:]]


def test_in_proof_mode_the_host_chooses_no_result(ask: Verifier) -> None:
    """Another face with draws that fit it does not follow from the key."""
    verdict = ask(in_proof_mode(lambda events: _with(events, 5, other_roll(events[4]))))

    assert verdict.code == 1
    assert "#5 does not follow from its key" in verdict.words


def test_in_proof_mode_the_host_chooses_no_key(ask: Verifier) -> None:
    """Another key, or none, is not the one that was committed."""
    other = ask(in_proof_mode(lambda events: _with(events, 5, edited(events[4], "how", key="00" * 32))))
    none = ask(in_proof_mode(lambda events: _with(events, 5, edited(events[4], "how", key="ab"))))

    assert (other.code, none.code) == (1, 1)
    assert "committed" in other.words
    assert "has no key" in none.words


def test_in_proof_mode_no_roll_gets_another_number(ask: Verifier) -> None:
    """A roll that moves up has the key of another number."""

    def shortened(events: list[Line]) -> list[Line]:
        del events[4]
        return [{**event, "seq": place} for place, event in enumerate(events, 1)]

    verdict = ask(in_proof_mode(shortened))

    assert verdict.code == 1


def test_in_proof_mode_the_host_chooses_no_lot(ask: Verifier) -> None:
    """The lots that break ties in an initiative follow from the key too, after the dice."""

    def lots(change: int) -> Callable[[list[Line]], list[Line]]:
        return lambda events: _with(events, 5, edited(events[4], "what", lots=[_lot() + change]))

    assert ask(in_proof_mode(lots(0))).code == 3
    assert ask(in_proof_mode(lots(1))).code == 1


def _lot() -> int:
    """The lot that comes after the die of the first roll."""
    event = keyed().events[4]
    how = part_of(event, "how")
    assert isinstance(how, dict)
    draws = KeyedDraws(bytes.fromhex(str(how["key"])), Press(LOG, 5, int(str(event["id"])), ""))
    draws.below(20)
    return draws.below(TIES)


def test_in_proof_mode_the_salt_counts(ask: Verifier) -> None:
    """Other words of a player give other bits."""

    def words(events: list[Line]) -> list[Line]:
        pub = events[10]["pub"]
        assert isinstance(pub, dict)
        return _with(events, 11, {**events[10], "pub": {**pub, "salt": "six ravens"}})

    verdict = ask(in_proof_mode(words))

    assert verdict.code == 1
    assert "#12 does not follow from its key" in verdict.words


def test_in_proof_mode_an_interaction_chosen_by_the_host_needs_a_witness(ask: Verifier) -> None:
    """A forged interaction gives other bits that fit: nothing but an earlier checkpoint finds it."""
    true_log = keyed()
    forged = Log()
    forged.add("create")
    forged.make("Luck", {"system": "fair", "base": "2d6", "tightness": "1"})
    forged.commit()
    forged.roll("1d20", public={"id": str(FIRST_ID + 81 * SECOND)})
    file = b"".join(export(forged.events, epochs=forged.leaves))

    assert ask(file).code == 3
    assert ask(file, checkpoints=(checkpoint_of(leaves_of(true_log.events), 5).text,)).code == 1


def test_in_proof_mode_the_hashes_of_the_keys_must_follow(ask: Verifier) -> None:
    """A commit without its keys' hashes, or with others, is broken."""
    log = keyed()
    without_keys = b"".join(export(log.events))
    others = b"".join(export(log.events, epochs={3: (*log.leaves[3][1:], log.leaves[3][0])}))

    capital = b"".join(export(log.events, epochs=log.leaves)).split(b"\n")
    capital[4] = capital[4][:30] + capital[4][30:].replace(b"a", b"A", 1)

    for file in (without_keys, others, b"\n".join(capital)):
        verdict = ask(file)
        assert verdict.code == 1
        assert "#3" in verdict.words


@pytest.mark.parametrize("ask", ["tools", pytest.param("js", marks=needs_chromium)], indirect=True)
def test_a_roll_that_is_not_made_again_is_counted_by_its_number(ask: Verifier) -> None:
    """Its key is right, and nobody here can tell that it follows from it."""
    log = Log()
    log.add("create")
    log.commit()
    log.roll("4d6kh3")
    log.roll("1d20")
    verdict = ask(b"".join(export(log.events, epochs=log.leaves)))

    assert "1 rolls follow from their keys" in verdict.words
    assert "1 rolls by rules that this tool does not know: #4." in verdict.words


def test_many_words_hide_no_message_with_keys(ask: Verifier) -> None:
    """Their messages have a list of their own, or a host could push the next root's out of it."""
    log = keyed()
    for place in range(30):
        log.salt(f"owl {place}")
    log.uncommit()
    shown = log.events[log.commit()]["pub"]
    assert isinstance(shown, dict)
    words = ask(b"".join(export(log.events, epochs=log.leaves))).words

    assert f"Compare message {shown['message']} in the channel.\n" in words
    assert "And 11 more messages with words." in words

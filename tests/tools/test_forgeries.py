"""Every way to forge a history that the design names, against the stand-alone verifier.

Each is tried without anything from outside the file, and with a checkpoint from after the event. "Host" is
who has all keys and makes all hashes anew: that is found with a checkpoint alone, but for what rules forbid.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from bot.record.checkpoint import Checkpoint
from bot.record.hashing import seal
from tests.support.forging import (
    ANSWER,
    HIDDEN,
    LUCKY,
    PLAIN,
    REVEAL,
    after,
    all_closed,
    as_erased,
    at,
    changed,
    cut_by_host,
    end_of,
    evening,
    everything_new,
    exchange_players,
    ground_roll,
    host,
    other_face,
    other_roll,
    passed_off,
    same_interaction,
    true,
    without,
)
from tests.support.logs import checkpoint_of, edited, export, leaves_of, told_to_player, tree_of
from tests.support.parts import leaf_of, withhold
from tests.support.verdicts import Verifier, Verifiers


@dataclass(frozen=True)
class Forgery:
    """A forged file, the codes without and with a checkpoint, and a word of each verdict."""

    name: str
    make: Callable[[], bytes]
    codes: tuple[int, int]
    words: tuple[str, str]


def both(word: str) -> tuple[str, str]:
    """The same word either way."""
    return word, word


UNANCHORED = ("unanchored", "checkpoint")
ROOT = both("does not fit the checkpoint after it")


FORGERIES = [
    Forgery("face edited, tree left", lambda: passed_off(changed(PLAIN, other_face)), (1, 1), both("#4")),
    Forgery(
        "face and draws edited, tree left", lambda: passed_off(changed(ANSWER, other_roll)), (1, 1), ROOT
    ),
    Forgery("face and draws edited, host", lambda: host(changed(PLAIN, other_roll)), (3, 1), UNANCHORED),
    Forgery(
        "salts ground until four digits agree",
        lambda: host(changed(HIDDEN, lambda _: ground_roll())),
        (3, 1),
        UNANCHORED,
    ),
    Forgery("hidden roll swapped, host", lambda: host(changed(HIDDEN, other_roll)), (3, 1), UNANCHORED),
    Forgery(
        "event told in part altered",
        lambda: passed_off(changed(LUCKY, all_closed)),
        (1, 1),
        ROOT,
    ),
    Forgery(
        "every roll edited and told in part",
        lambda: passed_off([all_closed(e) for e in true()]),
        (1, 1),
        both("#4 does not tell how it came about"),
    ),
    Forgery(
        "visible roll withheld", lambda: passed_off(changed(PLAIN, withhold)), (3, 0), both("withheld: #4")
    ),
    Forgery(
        "visible roll replaced by a false leaf, host",
        lambda: host(changed(PLAIN, lambda event: {"leaf": "ab" * 32, "seq": event["seq"]})),
        (3, 1),
        UNANCHORED,
    ),
    Forgery(
        "somebody passed off as erased",
        lambda: passed_off(changed(PLAIN, as_erased)),
        (3, 0),
        both("1 by nobody named"),
    ),
    Forgery(
        "another user under the commitment",
        lambda: passed_off(changed(PLAIN, lambda event: edited(event, "who", user="43"))),
        (1, 1),
        ROOT,
    ),
    Forgery("players exchanged", lambda: passed_off(exchange_players(true())), (1, 1), ROOT),
    Forgery("players exchanged, host", lambda: host(exchange_players(true())), (3, 1), UNANCHORED),
    Forgery(
        "tail cut, end left",
        lambda: b"".join(export(true())[:41]),
        (1, 1),
        both("#41 is missing"),
    ),
    Forgery(
        "tail cut, end made anew",
        lambda: host(true()[:40]),
        (3, 1),
        ("unanchored", "#41 is missing: a checkpoint was shown for 54 events"),
    ),
    Forgery(
        "beginning cut by hand",
        lambda: b"".join(after(tree_of(leaves_of(evening()[:30])), true()[30:])),
        (1, 1),
        both("no cut"),
    ),
    Forgery("beginning replaced by a false cut, host", cut_by_host, (3, 1), UNANCHORED),
    Forgery(
        "roll removed, numbers left",
        lambda: b"".join(line for line in export(true()) if b'"seq":4,' not in line),
        (1, 1),
        both("#4 is missing"),
    ),
    Forgery("plain roll removed and renumbered, host", lambda: host(without(PLAIN)), (3, 1), UNANCHORED),
    Forgery("fair roll removed and renumbered, host", lambda: host(without(LUCKY)), (1, 1), both("memory")),
    Forgery("one interaction in two events", lambda: host(same_interaction()), (1, 1), both("interaction")),
    Forgery(
        "time an hour backwards",
        lambda: host(changed(PLAIN, lambda event: at(event, 3600))),
        (1, 1),
        both("minutes before"),
    ),
    Forgery(
        "time five minutes backwards",
        lambda: host(changed(PLAIN, lambda event: at(event, 300))),
        (3, 1),
        ("over a minute before", "checkpoint"),
    ),
    Forgery(
        "unknown field",
        lambda: host(changed(PLAIN, lambda event: {**event, "extra": 1})),
        (1, 1),
        both("field"),
    ),
    Forgery(
        "roll without a part",
        lambda: host(changed(PLAIN, lambda event: {k: v for k, v in event.items() if k != "how"})),
        (1, 1),
        both("parts"),
    ),
    Forgery(
        "reveal of what was not hidden",
        lambda: host(changed(REVEAL, lambda event: {**event, "target": PLAIN})),
        (1, 1),
        both("#11 is a reveal about #4"),
    ),
    Forgery(
        "answer to what is no call",
        lambda: host(changed(ANSWER, lambda event: {**event, "target": PLAIN})),
        (1, 1),
        both("#13 is a roll about #4"),
    ),
    Forgery("whole history replaced", everything_new, (3, 1), UNANCHORED),
]


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_a_forgery_gets_its_verdict(forgery: Forgery, ask: Verifier) -> None:
    """Each forgery gets the code and the reason that the design says, without a checkpoint and with one."""
    file, end = forgery.make(), checkpoint_of(leaves_of(evening()))

    alone, anchored = ask(file), ask(file, checkpoints=(end.text,))

    assert (alone.code, anchored.code) == forgery.codes, (alone, anchored)
    assert forgery.words[0] in alone.words
    assert forgery.words[1] in anchored.words


def test_the_true_evening_holds(ask: Verifier) -> None:
    """The evening itself agrees with itself, and holds with its checkpoint, written in either way."""
    file, end = host(true()), checkpoint_of(leaves_of(evening()))

    assert ask(file).code == 3
    for text in (end.text, end.line, end.text + "\n— other.example QWxsIHJpZ2h0\n"):
        assert ask(file, checkpoints=(text,)).code == 0


def test_a_player_is_told_what_they_may_see(ask: Verifier) -> None:
    """A player's export has the same root, and what is closed in it is counted as such."""
    verdict = ask(passed_off([told_to_player(event) for event in true()]), checkpoints=(end_of(evening()),))

    assert verdict.code == 0
    assert "1 closed in part, 0 by nobody named" in verdict.words


def test_two_players_with_two_histories_find_out(ask: Verifier) -> None:
    """Each of two histories agrees with itself; the other player's checkpoint ends it."""
    one, other = true(), changed(PLAIN, other_roll)

    assert ask(host(other)).code == 3
    assert ask(host(one), checkpoints=(end_of(one),)).code == 0
    assert ask(host(other), checkpoints=(end_of(one),)) == ask(host(other), checkpoints=(end_of(one),))
    assert ask(host(other), checkpoints=(end_of(one),)).code == 1


def test_a_seal_shows_a_swapped_roll(ask: Verifier) -> None:
    """The seal shown when a roll was hidden finds the swap without any checkpoint; four digits do not."""
    shown = seal(leaf_of(evening()[HIDDEN - 1]))

    assert ask(host(true()), seals=(f"9={shown}",)).code == 3
    assert "#9 is the event that was sealed" in ask(host(true()), seals=(f"9={shown}",)).words
    assert ask(host(changed(HIDDEN, lambda _: ground_roll())), seals=(f"9={shown}",)).code == 1
    assert ask(host(changed(HIDDEN, other_roll)), seals=(f"9={shown}",)).code == 1
    assert ask(host(changed(HIDDEN, lambda _: ground_roll())), seals=(f"9={shown[:4]}",)).code == 2


def test_a_seal_of_what_is_not_here_is_said(ask: Verifier) -> None:
    """A seal for a number that the file does not have proves nothing, and it is said."""
    assert "#99, whose seal you gave, is not here" in ask(host(true()), seals=(f"99={'0' * 32}",)).words


def test_another_campaigns_checkpoint_is_refused(ask: Verifier) -> None:
    """A checkpoint of another campaign holds nothing, even with the same root."""
    end = checkpoint_of(leaves_of(evening()))
    other = Checkpoint("evenhand/" + "f" * 32, end.size, end.root)

    verdict = ask(host(true()), checkpoints=(other.text,))

    assert verdict.code == 1
    assert "another campaign" in verdict.words


def test_an_earlier_checkpoint_bears_out_what_came_before_it(ask: Verifier) -> None:
    """What came after the checkpoint is told as newer, and an edit there is not found."""
    early = checkpoint_of(leaves_of(evening()), 20)
    verdict = ask(host(changed(30, lambda event: event)), checkpoints=(early.text,))

    assert verdict.code == 0
    assert "up to #20" in verdict.words
    assert "#21 to #54 are newer" in verdict.words


@pytest.mark.parametrize("which", ["tools", "bot"])
def test_all_checkpoints_of_a_file_count(verifiers: Verifiers, which: str) -> None:
    """Whoever keeps one of each evening in one file hears of the last one too, as on the page."""
    forged = changed(PLAIN, other_roll)
    first, last = (checkpoint_of(leaves_of(true()), size).line for size in (PLAIN - 1, None))
    early = f"Friday: {first}"
    verdicts = [
        verifiers.named(which)(host(forged), checkpoints=(kept,))
        for kept in (early, f"{early}\nSaturday: {last}")
    ]

    assert [verdict.code for verdict in verdicts] == [0, 1]

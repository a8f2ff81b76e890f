"""Fields of which a roll or a rule has one of a few words, changed by a host who makes all hashes anew."""

import pytest

from bot.record.hashing import Value
from tests.support.forging import LUCKY, OWN, PLAIN, after, changed, evening, host, true
from tests.support.logs import edited, leaves_of, tree_of
from tests.support.parts import Line, part_of
from tests.support.verdicts import Verifier


@pytest.mark.parametrize(
    ("number", "part", "field", "word"),
    [
        (PLAIN, "what", "source", "tru"),
        (PLAIN, "what", "source", None),
        (LUCKY, "what", "source", ["true"]),
        (LUCKY, "how", "whose", "nobody"),
        (2, "what", "memory", "Table"),
        (3, "what", "memory", None),
    ],
)
def test_a_word_that_there_is_not_breaks_the_history(
    ask: Verifier, number: int, part: str, field: str, word: Value
) -> None:
    """No verifier takes another word for one that is known."""
    verdict = ask(host(changed(number, lambda event: edited(event, part, **{field: word}))))

    assert (verdict.code, f"#{number}" in verdict.words) == (1, True)


@pytest.mark.parametrize("number", [LUCKY, OWN])
def test_a_roll_says_whose_memory_it_used(ask: Verifier, number: int) -> None:
    """No verifier guesses it, whoever the roller remembers."""

    def silent(event: Line) -> Line:
        how = part_of(event, "how")
        assert isinstance(how, dict)
        del how["whose"]
        return event

    verdict = ask(host(changed(number, silent)))

    assert verdict.code == 1
    assert f"#{number} does not say whose memory it used" in verdict.words


def test_a_beginning_that_is_missing_is_named(ask: Verifier) -> None:
    """In the same words by all."""
    verdict = ask(b"".join(after(tree_of(leaves_of(evening()[:30])), true()[30:])))

    assert verdict.code == 1
    assert "#1 is missing: the history begins later, and no cut says why" in verdict.words


def test_the_words_that_there_are_hold(ask: Verifier) -> None:
    """The same evening unchanged agrees with itself."""
    assert ask(host(true())).code == 3

"""Fields of which a roll or a rule has one of a few words, changed by a host who makes all hashes anew."""

import pytest

from bot.record.hashing import Value
from tests.support.forging import LUCKY, PLAIN, changed, host, true
from tests.support.logs import edited
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


def test_the_words_that_there_are_hold(ask: Verifier) -> None:
    """The same evening unchanged agrees with itself."""
    assert ask(host(true())).code == 3

"""No notation takes long: the work is counted, never the time, on the worst texts that a search has found."""

import pytest

from bot.dice.draws import Recorder, seeded
from bot.dice.errors import NotationError
from bot.dice.expressions import MAX_TOSSES
from bot.dice.notation import meanings, parse
from bot.dice.throws import roll

HEAVY = [
    "+".join(["100d6!{4,5,6}"] * 5),
    "+".join(["100d6!skh50"] * 5),
    "+".join(["100d20r1{<=10}!"] * 5),
    "100d20r10{<=18}!",
    "100d1000000r10{<=999999}",
    "20#25d4ro1!",
    "{100d6!,100d8!,100d10!,100d12!,100d20!}kh1",
]
ENDLESS = ["100d2r10{1}!", "100d6r10{<=5}!", "100d2000rr<1001!{>1000}", "100d2000rr<2000!"]
TOO_MANY = ["+".join(["100d6r10{<=5}"] * 5), "100d6; " * 4 + "100d20r10{<=18}!", "20#25d20r10{<=18}"]


@pytest.mark.parametrize("text", HEAVY)
def test_dice_are_thrown_so_often_at_most(text: str) -> None:
    """Rerolls and explosions stay within the limit on average, and hardly pass it by chance."""
    drawn: list[int] = []
    for seed in range(3):
        record = Recorder(seeded(seed))
        expression = parse(text)
        for each in (expression, *expression.more):
            for _ in range(each.repeat):
                roll(each, record)
        drawn.append(len(record.drawn))

    assert max(drawn) <= 1.1 * MAX_TOSSES


@pytest.mark.parametrize("text", ENDLESS)
def test_what_rerolls_into_an_explosion_does_not_go_on_and_on(text: str) -> None:
    """A face counts as often as it comes after rerolls, on dice of any size."""
    with pytest.raises(NotationError, match="goes on and on"):
        parse(text)


@pytest.mark.parametrize("text", TOO_MANY)
def test_too_many_throws_are_refused(text: str) -> None:
    """Five hundred dice that are thrown again ten times are too many; with the number."""
    with pytest.raises(NotationError, match="At most 2,000 throws in one roll"):
        parse(text)


def test_a_long_text_is_refused_without_a_search() -> None:
    """What other programs mean is worked out as far as the budget goes, which counts every sign read."""
    assert meanings("4d6r2") != ()
    assert meanings("+".join(["4d6r2"] * 30)) == ()

"""The words of /rigged: is something odd, and the suspicion; in *Details* what it takes, and a test."""

from math import exp

from bot.dice.system import System
from bot.stats.chi_square import ChiSquare
from bot.stats.processes import ENOUGH
from bot.stats.rigged import Examined
from bot.words.cards import Card, CardButton, Head, Small, Text, Tone
from bot.words.luck import FEW, TOO_FEW, counted
from bot.words.text import share

_MEMORY = "I compare each roll with its own odds, memory included. `/stats` shows how even the counts are."
_COUNTED = (
    "Only rolls that everybody saw count, undone ones too. Hidden rolls, practice and typed dice don't."
)
"""Which rolls are looked at: what is settled before they fall."""


def card(about: str, examined: Examined, more: CardButton) -> Card:
    """Return the answer: whether there is a sign, the suspicion now, and what would be one."""
    if not examined.enough:
        return Card((Head(TOO_FEW, aside=about), Text(FEW)), tone=Tone.QUIET)
    head, suspicion, sign = _evidence(examined)
    return Card((Head(head, aside=about), Text(f"{suspicion} {sign}")), (more,), Tone.QUIET)


def details(about: str, system: System, examined: Examined) -> Card:
    """Return all that there is to say."""
    text = "\n".join([about, *verdict(system, examined)])
    return Card((Text(text), Small(_COUNTED)), tone=Tone.QUIET)


def verdict(system: System, examined: Examined) -> list[str]:
    """Return the whole answer line by line, without whose dice it is about."""
    if not examined.enough:
        return [FEW]
    head, suspicion, sign = _evidence(examined)
    first = f"**{head}.** {suspicion} {sign}"
    if examined.test is None:
        return [first, _MEMORY]
    return [first, _power(system, examined), _test(examined.test)]


def _evidence(examined: Examined) -> tuple[str, str, str]:
    """Return whether there is a sign, the suspicion, and what would be one."""
    logs = examined.evidence.log_now, examined.evidence.log_most
    # They may be infinite, and e^21 is more than is told.
    now, most = (min(exp(min(one, 21)), 1e9) for one in logs)
    rare = "in 1 campaign of {} at most, however often you look."
    if most < ENOUGH:
        suspicion = f"Suspicion: {_figure(now)}, at most {_figure(most)} until now."
        return (
            "Nothing odd so far",
            suspicion,
            f"{ENOUGH} would be a sign. Fair dice get there {rare.format(ENOUGH)}",
        )
    often = "1,000,000,000 or more" if most >= 1e9 else f"{most:,.0f}"
    suspicion = f"Suspicion: {_figure(now)}, at most {often} until now."
    return "Something is odd", suspicion, f"Fair dice get that far {rare.format(often)} {ENOUGH} is a sign."


def _power(system: System, examined: Examined) -> str:
    # Found by simulation, so good to two digits.
    takes = f"{round(examined.needed, -2):,}" if examined.needed else "more than 50,000"
    return (
        f"{counted(system, examined.dice)} so far. After {takes} I would notice a face that comes 20% too "
        "often."
    )


def _test(test: ChiSquare) -> str:
    return (
        f"Classic test, for a single look: {share(float(test.upper))} fair sets of dice look at least this "
        f"uneven, {share(float(test.lower))} at least this even (χ² {float(test.statistic):.1f}, "
        f"{'exact' if test.exact else 'simulated'})."
    )


def _figure(worth: float) -> str:
    return f"{worth:,.0f}" if worth >= 10 else f"{worth:.2g}"

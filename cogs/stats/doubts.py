"""The words of /rigged, and of `python -m bot rigged`: evidence with the numbers behind it."""

from math import exp

from bot.dice.system import System
from bot.stats.bands import ENOUGH_DICE
from bot.stats.chi_square import ChiSquare
from bot.stats.processes import ENOUGH
from bot.stats.rigged import Examined
from cogs.kit.text import capital, share
from cogs.stats.words import counted

_MEMORY = (
    "Each was held against the very chances that it was drawn by, memory and all; `/stats` tells how even "
    "the counts are."
)


def verdict(system: System, examined: Examined) -> list[str]:
    """Return the answer line by line, without whose dice it is about."""
    if not examined.enough:
        return [f"Too few to say anything: from {ENOUGH_DICE} on I tell what there is against them."]
    if examined.test is None:
        return [_evidence(examined), _MEMORY]
    return [_evidence(examined), _power(system, examined), _test(examined.test)]


def since(number: int) -> list[str]:
    """Return the line that says where looking began; none for at the beginning."""
    return [f"-# Looked at from #{number:,} on; what is older has had its looks."] if number else []


def _evidence(examined: Examined) -> str:
    now, most = (min(exp(log), 1e9) for log in (examined.evidence.log_now, examined.evidence.log_most))
    rule = "Fair ones get there in at most 1 of {} histories, however often somebody looks."
    if most < ENOUGH:
        return (
            f"**No sign of it.** The evidence against them is {_figure(now)}, and was {_figure(most)} at its "
            f"highest; from {ENOUGH} on it would be a sign. {rule.format(ENOUGH)}"
        )
    often = "1,000,000,000 or more" if most >= 1e9 else f"{most:,.0f}"
    return (
        f"**There is something against them.** The evidence is {_figure(now)}, and was {often} at its "
        f"highest; from {ENOUGH} on it is a sign. {rule.format(often)}"
    )


def _power(system: System, examined: Examined) -> str:
    # Found by simulation, so good to two digits.
    takes = f"about {round(examined.needed, -2):,}" if examined.needed else "more than 50,000"
    return (
        f"So far there are {counted(system, examined.dice)}. It would take {takes} to notice one face that "
        "comes 20 % too often."
    )


def _test(test: ChiSquare) -> str:
    return (
        f"The usual test, which is good for a single look: χ² is {float(test.statistic):.1f}. "
        f"{capital(share(float(test.upper)))} rows of so many fair dice are at least as uneven, "
        f"{share(float(test.lower))} at least as even ({'exact' if test.exact else 'simulated'})."
    )


def _figure(worth: float) -> str:
    return f"{worth:,.0f}" if worth >= 10 else f"{worth:.2g}"

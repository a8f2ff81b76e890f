"""The words of /rigged, and of `python -m bot rigged`: evidence with the numbers behind it."""

from math import exp

from bot.dice.system import System
from bot.stats.bands import ENOUGH_DICE
from bot.stats.processes import ENOUGH
from bot.stats.rigged import Examined
from bot.systems.luck import LuckAccount
from cogs.kit.text import share
from cogs.stats.words import counted


def verdict(system: System, examined: Examined) -> list[str]:
    """Return the answer line by line, without whose dice it is about."""
    if not examined.enough:
        return [f"Too few to say anything: from {ENOUGH_DICE} on I tell what there is against them."]
    return [_evidence(examined), _power(system, examined), _test(examined)]


def since(number: int) -> list[str]:
    """Return the line that says where looking began; none for at the beginning."""
    return [f"-# Looked at from #{number:,} on; what is older has had its looks."] if number else []


def _evidence(examined: Examined) -> str:
    now, most = (min(exp(log), 1e9) for log in (examined.evidence.log_now, examined.evidence.log_most))
    rule = (
        f"Fair ones ever come to {ENOUGH} in at most 1 of {ENOUGH} histories, however often somebody looks."
    )
    if most < ENOUGH:
        return (
            f"**No sign of it.** The evidence against them is worth {now:.2g}, at its most {most:.2g}. {rule}"
        )
    often = "1,000,000,000 or more" if most >= 1e9 else f"{most:,.0f}"
    return (
        f"**There is something against them.** The evidence was worth {often} at its most, and is {now:,.2g} "
        f"now. Fair ones ever come to that in at most 1 of {often} histories, however often somebody looks."
    )


def _power(system: System, examined: Examined) -> str:
    takes = f"about {examined.needed:,}" if examined.needed else "more than 50,000"
    what = "passes that come" if isinstance(system, LuckAccount) else "one face that comes"
    return (
        f"To notice {what} 20 % too often takes {takes} of them; these are {counted(system, examined.dice)}."
    )


def _test(examined: Examined) -> str:
    test = examined.test
    if test is None:
        return (
            "The evidence is against the very chances that each was drawn by, memory and all; `/stats` tells "
            "how even they came out."
        )
    how = "exact" if test.exact else "simulated"
    freedom = f"χ² is {float(test.statistic):.1f}"
    return (
        f"Tested once, at just this number: {freedom}; {share(float(test.upper))} such rows of fair dice are "
        f"as uneven or more, {share(float(test.lower))} as even or more ({how})."
    )

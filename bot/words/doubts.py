"""The cards of /rigged: a verdict and the evidence; behind *Details* the rolls needed, and a classic test."""

from math import exp

from bot.dice.system import System
from bot.stats.chi_square import ChiSquare
from bot.stats.processes import ENOUGH
from bot.stats.rigged import Examined
from bot.words.cards import Card, CardButton, Head, Small, Text, Tone
from bot.words.luck import counted, few
from bot.words.saying import phrase, say
from bot.words.text import everyday_share, figure

_MEMORY = phrase(
    "I compare each roll with its own odds, memory included. `/stats` shows how even the counts are."
)
_COUNTED = phrase(
    "Only rolls that everybody saw count, undone ones too. Hidden rolls, practice and dice thrown by hand "
    "don't."
)
"""The rolls that are tested, by criteria known before they fall."""


def card(about: str, examined: Examined, more: CardButton) -> Card:
    """Return the answer: the verdict, the evidence so far, and the threshold."""
    if not examined.enough:
        return Card((Head(say("Are they rigged?"), aside=about), Text(few())), tone=Tone.QUIET)
    head, suspicion, sign = _evidence(examined)
    return Card((Head(head, aside=about), Text(f"{suspicion} {sign}")), (more,), Tone.QUIET)


def details(about: str, system: System, examined: Examined) -> Card:
    """Return the whole answer as a card."""
    text = "\n".join([about, *verdict(system, examined)])
    return Card((Text(text), Small(say(_COUNTED))), tone=Tone.QUIET)


def verdict(system: System, examined: Examined) -> list[str]:
    """Return the whole answer line by line, without the line that names the dice."""
    if not examined.enough:
        return [few()]
    head, suspicion, sign = _evidence(examined)
    first = f"**{head}.** {suspicion} {sign}"
    if examined.test is None:
        return [first, say(_MEMORY)]
    return [first, _power(system, examined), _test(examined.test)]


def _evidence(examined: Examined) -> tuple[str, str, str]:
    """Return the verdict, the evidence so far, and the threshold."""
    logs = examined.evidence.log_now, examined.evidence.log_most
    # They may be infinite, and e^21 is above the largest figure shown.
    now, most = (min(exp(min(log, 21)), 1e9) for log in logs)
    frequency = say("1,000,000,000 or more") if most >= 1e9 else _figure(most)
    suspicion = say("Suspicion: {now}, at most {most} until now.", now=_figure(now), most=frequency)
    if most < ENOUGH:
        sign = (
            "{n} would be a sign. Fair dice get there in 1 campaign of {n} at most, however often you look."
        )
        return say("Nothing odd so far"), suspicion, say(sign, n=ENOUGH)
    sign = "Fair dice get that far in 1 campaign of {often} at most, however often you look. {n} is a sign."
    scope = say("I judge every face, roll by roll. `/stats` judges only what they add up to.")
    return say("Something is odd"), suspicion, f"{say(sign, often=frequency, n=ENOUGH)}\n{scope}"


def _power(system: System, examined: Examined) -> str:
    # Estimated by simulation, so only two digits are significant.
    needed = figure(round(examined.needed, -2), ",") if examined.needed else say("more than 50,000")
    text = "{counted} so far. After {takes} I would notice a face that comes 20% too often."
    return say(text, counted=counted(system, examined.dice), takes=needed)


def _test(test: ChiSquare) -> str:
    text = (
        "Classic test, for a single look: {upper} fair sets of dice look at least this uneven, {lower} "
        "at least this even (χ² {value:.1f}, exact)."
        if test.exact
        else "Classic test, for a single look: {upper} fair sets of dice look at least this uneven, {lower} "
        "at least this even (χ² {value:.1f}, simulated)."
    )
    upper, lower = everyday_share(float(test.upper)), everyday_share(float(test.lower))
    return say(text, upper=upper, lower=lower, value=float(test.statistic))


def _figure(worth: float) -> str:
    return figure(worth, ",.0f" if worth >= 10 else ".2g")

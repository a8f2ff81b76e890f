"""What the tuner found, in words: figures, which system to take, and what to beware of."""

from bot.dice.system import print_decimal
from bot.stats.advice import Advice
from bot.stats.measures import Curve, Robustness, robust
from bot.stats.tuner import TunedDeck

BURNING = (
    "With the refill constant 1 this deck is dealt to its last card, and whoever kept count knows that card. "
    "There it pays to throw rolls away until a good one is due; a higher refill constant, or dynamic dice "
    "at 95 % and more, guard against it."
)


def title(values: int, samples: int, percent: str) -> str:
    """What is tuned for, e.g. "6 values, 25 rolls, at least 90 % unpredictable"."""
    rolls = "1 roll" if samples == 1 else f"{samples} rolls"
    return f"{values} values, {rolls}, at least {percent} % unpredictable"


def title_of(advice: Advice) -> str:
    """The same of an advice."""
    tuning = advice.tuning
    return title(tuning.values, tuning.samples, print_decimal(tuning.unpredictability * 100))


def beginning(heading: str, deck: TunedDeck | None) -> str:
    """What is known first: the deck, while the dice are still being worked out."""
    if deck is None:
        found = "No deck that I know is that unpredictable."
    else:
        found = f"The best deck is {named(deck)}: variance {deck.variance:.3f}."
    return f"**{heading}**\n{found} Working out the best dice …"


def named(deck: TunedDeck) -> str:
    """The deck by its two parameters."""
    return f"deck ({deck.size}, {deck.refill})"


def summary(advice: Advice) -> str:
    """All of it, for Discord."""
    return "\n".join([f"**{title_of(advice)}**", _table(advice), *remarks(advice), by_hand(advice)])


def remarks(advice: Advice) -> list[str]:
    """Which system wins, over which numbers of rolls, and when burning pays; a sentence or two each."""
    deck = advice.tuning.deck
    found = [verdict(advice)]
    if deck and deck.refill == 1:
        found.append(BURNING)
    return found


def verdict(advice: Advice) -> str:
    """Which system to take, if the number of rolls is known and if it is not."""
    n, span = advice.tuning.samples, _span(advice)
    deck, dice = advice.deck_over_lengths, advice.dice_over_lengths
    if deck is None:
        return "No deck that I know is that unpredictable; take the dynamic dice."
    means = f"{dice.mean:.2f} against the deck's {deck.mean:.2f} on the mean"
    worst = f"{dice.worst:.2f} against {deck.worst:.2f} at worst"
    if advice.deck_wins_at_n and advice.deck_wins_over_lengths:
        return f"Take the deck: it is the more even one at {n} rolls and over {span}."
    if advice.deck_wins_at_n:
        return (
            f"The deck is the more even one if there are exactly {n} rolls. Over {span}, take the dynamic "
            f"dice: variance {means}, {worst}."
        )
    if advice.deck_wins_over_lengths:
        return f"The dynamic dice are the more even ones at {n} rolls, the deck over {span}."
    return f"Take the dynamic dice: at least as even at {n} rolls, and over {span} ({means}, {worst})."


def by_hand(advice: Advice) -> str:
    """The commands that make what was found."""
    tuning = advice.tuning
    factor = print_decimal(tuning.optimum.factor)
    dice = f"name:Luck dice:1d{tuning.values}"
    lines = [f"`/roller dynamic {dice} factor:{factor}`"]
    if tuning.deck:
        lines.append(f"`/roller deck {dice} size:{tuning.deck.size} refill:{tuning.deck.refill}`")
    return f"-# By hand: {' or '.join(lines)}"


def rows(advice: Advice) -> list[tuple[str, Curve, Robustness]]:
    """Each system with its evening, and its variance over the lengths."""
    tuning = advice.tuning
    factor = print_decimal(tuning.optimum.factor)
    found = [("plain dice", advice.plain), (f"dynamic {factor}", advice.dice)]
    if tuning.deck and advice.deck:
        found.append((named(tuning.deck), advice.deck))
    return [(name, evening, robust(evening, advice.lengths)) for name, evening in found]


def _table(advice: Advice) -> str:
    n = advice.tuning.samples
    span = f"mean {advice.lengths[0]}–{advice.lengths[-1]}"
    lines = [f"{'':<16}  entropy  {f'n = {n}':>7}  {span:>10}"]
    for name, evening, over in rows(advice):
        at = evening.at(n)
        lines.append(f"{name:<16}  {at.entropy * 100:>5.1f} %  {at.variance:>7.3f}  {over.mean:>10.3f}")
    body = "\n".join(lines)
    return f"Entropy, and the variance of the counts after n rolls (0 is perfectly even):\n```\n{body}\n```"


def _span(advice: Advice) -> str:
    return f"{advice.lengths[0]} to {advice.lengths[-1]} rolls"

"""The words of /lab tune, `tune` and `evening`: the figures, which system to take, what to beware of."""

from collections.abc import Sequence

from bot.dice.system import System, print_decimal
from bot.stats.advice import Advice
from bot.stats.curves import curve, ends
from bot.stats.fitting import Fit
from bot.stats.measures import Curve, Robustness, robust
from bot.stats.tuner import TunedDeck
from bot.systems.deck import Deck
from bot.words.cards import Card, CardButton, Head, Picture, Small, Text, Tone
from bot.words.pictures import CurveLine, End
from bot.words.systems import tag
from bot.words.text import capital, escape, plural

_NAME = 32

_SIMULATED = (
    "I simulate the dynamic dice, for they have too many states to count. I round their factor up "
    "until they are surely as hard to guess as you want."
)
ROLLER_ALONE = (
    "A roller has its own results and unpredictability. Leave `values` and `unpredictability` out, or "
    "leave `roller` out to search."
)
BURNING = (
    "This deck deals its last card, and whoever counts knows that card. Players could waste rolls "
    "until a good one is due. A higher refill, or dynamic dice at 95% and more, prevent that."
)
BUSY = "I am busy with four searches. Try again in a minute."


def title(what: int | str, lengths: int | range, percent: str) -> str:
    """Return what is tuned for, "6 values, 25 rolls, at least 90% unpredictable"."""
    what = f"{what} values" if isinstance(what, int) else what
    rolls = plural(lengths, "roll") if isinstance(lengths, int) else _span(lengths)
    return f"{what}, {rolls}, at least {percent}% unpredictable"


def title_of(advice: Advice) -> str:
    """Return what an advice is tuned for."""
    tuning = advice.tuning
    return title(tuning.values, tuning.samples, print_decimal(tuning.unpredictability * 100))


def fit_lines(found: Fit) -> list[CurveLine]:
    """Return the chart's lines, after plain dice and the plain deck."""
    fitted = [*filter(None, (found.fair, found.deck))]
    plain, deck = (curve(end, len(found.fair.evening.each)) for end in ends(found.fair.system))
    return evening_lines([(one.system, one.evening) for one in fitted], plain, deck)


def fitted(found: Fit, lengths: range) -> list[str]:
    """Return what each of the two costs, and which one to take."""
    told: list[str] = []
    for one in filter(None, (found.fair, found.deck)):
        least = 100 * min(one.evening.entropy[lengths[0] - 1 :])
        variance = f"{one.over.mean:.3f} on the mean, {one.over.worst:.3f} at worst ({one.over.worst_at})"
        told.append(f"{tag(one.system)}: entropy {least:.1f}%, variance {variance}; {how(one.evening)}.")
    if found.deck is None:
        return [*told, "No deck that I know is that unpredictable; take the fair roller."]
    take = f"Take the {'fair roller' if found.best is found.fair else 'deck'}, over {_span(lengths)}."
    return [
        *told,
        take,
        *([BURNING] if isinstance(found.best.system, Deck) and found.best.system.refill == 1 else []),
    ]


def fit_card(heading: str, found: Fit, lengths: range, picture: Picture) -> Card:
    """Return what suits any base, with the picture."""
    return Card(
        (Head("Tuned", aside=heading), Text("\n".join(fitted(found, lengths))), picture), tone=Tone.QUIET
    )


def beginning(heading: str, deck: TunedDeck | None, bar: str = "") -> Card:
    """Return the first message: the deck, while the dice are still being worked out; a bar says how far."""
    if deck is None:
        found = "No deck that I know is that unpredictable."
    else:
        found = f"The best deck is {_deck(deck)}: variance {deck.variance:.3f}."
    text = f"{found} Working out the best dice …"
    return Card((Head("Looking", aside=heading), Text(f"{text}\n{bar}".rstrip())), tone=Tone.QUIET)


def _deck(deck: TunedDeck) -> str:
    """Return the deck by its two parameters."""
    return f"deck ({deck.size}, {deck.refill})"


def summary(advice: Advice, picture: Picture, *buttons: CardButton) -> Card:
    """Return the whole answer for Discord: what to take, why, the picture and the figures."""
    head = "Take the dynamic dice"
    if advice.deck_over_lengths and advice.deck_wins_over_lengths:
        head = "Take the deck" if advice.deck_wins_at_n else "Dice or deck"
    blocks = (
        Head(head, aside=title_of(advice)),
        Text(capital("\n".join(remarks(advice)).removeprefix(f"{head}: "))),
        picture,
        Text(_table(advice)),
        Small(_by_hand(advice)),
    )
    return Card(blocks, buttons, Tone.QUIET)


def remarks(advice: Advice) -> list[str]:
    """Return which system wins, over which numbers of rolls, and a warning where burning rolls pays."""
    deck = advice.tuning.deck
    found = [verdict(advice)]
    if advice.tuning.optimum.simulated:
        found.append(_SIMULATED)
    if deck and deck.refill == 1:
        found.append(BURNING)
    return found


def verdict(advice: Advice) -> str:
    """Return which system to take, if the number of rolls is known and if it is not."""
    rolls, span = plural(advice.tuning.samples, "roll"), _span(advice.lengths)
    deck, dice = advice.deck_over_lengths, advice.dice_over_lengths
    if deck is None:
        return "No deck that I know is that unpredictable; take the dynamic dice."
    means = f"{dice.mean:.2f} against the deck's {deck.mean:.2f} on the mean"
    worst = f"{dice.worst:.2f} against {deck.worst:.2f} at worst"
    if advice.deck_wins_at_n and advice.deck_wins_over_lengths:
        return f"Take the deck: it is the more even one at {rolls} and over {span}."
    if advice.deck_wins_at_n:
        return (
            f"The deck is the more even one if there are exactly {rolls}. Over {span}, take the dynamic "
            f"dice: variance {means}, {worst}."
        )
    if advice.deck_wins_over_lengths:
        return f"The dynamic dice are the more even ones at {rolls}, the deck over {span}."
    return f"Take the dynamic dice: at least as even at {rolls}, and over {span} ({means}, {worst})."


def _by_hand(advice: Advice) -> str:
    """Return the commands that make the dice and the deck."""
    tuning = advice.tuning
    factor = print_decimal(tuning.optimum.factor)
    dice = f"name:Luck dice:1d{tuning.values}"
    lines = [f"`/roller dynamic {dice} factor:{factor}`"]
    if tuning.deck:
        lines.append(f"`/roller deck {dice} size:{tuning.deck.size} refill:{tuning.deck.refill}`")
    return f"By hand: {' or '.join(lines)}"


def rows(advice: Advice) -> list[tuple[str, Curve, Robustness]]:
    """Return each system with its evening, and its variance over the lengths."""
    tuning = advice.tuning
    factor = print_decimal(tuning.optimum.factor)
    found = [("plain dice", advice.plain), (f"dynamic {factor}", advice.dice)]
    if tuning.deck and advice.deck:
        found.append((_deck(tuning.deck), advice.deck))
    return [(name, evening, robust(evening, advice.lengths)) for name, evening in found]


def lines(advice: Advice) -> list[CurveLine]:
    """Return the chart's lines: plain dice and the plain deck, dynamic dice, and a deck if there is one."""
    found = [CurveLine(name, evening) for name, evening, _ in rows(advice)[1:]]
    return [*_ends(advice.plain, advice.plain_deck), *found]


def alt(advice: Advice) -> str:
    """Return the chart's description."""
    n, found = advice.tuning.samples, rows(advice)
    figures = "; ".join(
        f"{name}: entropy {evening.at(n).entropy * 100:.1f}%, variance {evening.at(n).variance:.3f}"
        for name, evening, _ in found
    )
    return (
        f"Two graphs over 1 to {advice.lengths[-1]} rolls, {title_of(advice)}. After {n} rolls: {figures}. "
        f"On the mean of {advice.lengths[0]} to {advice.lengths[-1]} rolls: "
        + "; ".join(f"{name} variance {over.mean:.3f}" for name, _, over in found)
        + "."
    )


def evening_title(samples: int) -> str:
    """Return what evenings are worked out for."""
    return f"An evening of {plural(samples, 'roll')}"


def evening_lines(found: Sequence[tuple[System, Curve]], plain: Curve, deck: Curve) -> list[CurveLine]:
    """Return the chart's lines of given systems, after plain dice and the plain deck."""
    return [*_ends(plain, deck), *(CurveLine(tag(system), evening) for system, evening in found)]


def evening(lines: Sequence[CurveLine], samples: int, picture: Picture) -> Card:
    """Return the answer about evenings of given systems for Discord."""
    names = [line.name[:_NAME] for line in lines]
    wide = max(map(len, names))
    told = [f"{'':<{wide}}  entropy  roll {samples:<3}  variance"]
    for name, line in zip(names, lines, strict=True):
        mean, each, variance = evening_figures(line.evening, samples)
        told.append(f"{name:<{wide}}  {mean:>6}%  {each:>7}%  {variance:>8}")
    body = "\n".join(told)
    errors = [f"{line.name}: {how(line.evening)}" for line in lines if line.evening.simulated]
    columns = "Entropy of all rolls and of the last one, of plain dice's; variance of the counts after it:"
    exact = "These figures are exact." if not errors else "\n".join(f"{escape(error)}." for error in errors)
    table = Text(f"{columns}\n```\n{body}\n```")
    return Card((Head(evening_title(samples)), picture, table, Small(exact)), tone=Tone.QUIET)


def evening_alt(lines: Sequence[CurveLine], samples: int) -> str:
    """Return the chart's description."""
    figures = ((line.name[:_NAME], *evening_figures(line.evening, samples)) for line in lines)
    told = "; ".join(f"{name}: entropy {mean}%, variance {variance}" for name, mean, _, variance in figures)
    return f"Two graphs over {plural(samples, 'roll')}: the entropy of each roll, and the variance. {told}."


def evening_figures(evening: Curve, samples: int) -> tuple[str, str, str]:
    """Return the entropy of all rolls and of the last one in per cent, and the variance."""
    at = evening.at(samples)
    return f"{100 * at.entropy:.1f}", f"{100 * evening.each[samples - 1]:.1f}", f"{at.variance:.3f}"


def how(evening: Curve) -> str:
    """Return whether the figures are exact, or how large their standard errors are."""
    if not evening.simulated:
        return "exact"
    return f"simulated, entropy ±{100 * evening.entropy_error:.2f}%, variance ±{evening.variance_error:.3f}"


def _ends(plain: Curve, deck: Curve) -> list[CurveLine]:
    return [CurveLine(End.DICE, plain, End.DICE), CurveLine(End.DECK, deck, End.DECK)]


def _table(advice: Advice) -> str:
    n = advice.tuning.samples
    span = f"mean {advice.lengths[0]}–{advice.lengths[-1]}"
    lines = [f"{'':<16}  entropy  {f'n = {n}':>7}  {span:>10}"]
    for name, evening, over in rows(advice):
        at = evening.at(n)
        lines.append(f"{name:<16}  {at.entropy * 100:>6.1f}%  {at.variance:>7.3f}  {over.mean:>10.3f}")
    body = "\n".join(lines)
    return f"Entropy, and the variance of the counts after n rolls (0 is perfectly even):\n```\n{body}\n```"


def _span(lengths: range) -> str:
    low, high = lengths[0], lengths[-1]
    return plural(high, "roll") if low == high else f"{low} to {high} rolls"

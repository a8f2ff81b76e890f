"""The words of /lab tune, `tune` and `evening`: the figures, which system to take, what to beware of."""

from collections.abc import Sequence

from bot.dice.system import System, print_decimal
from bot.stats.advice import Advice
from bot.stats.curves import curve, ends
from bot.stats.fitting import Fit
from bot.stats.measures import Curve, Robustness, robust
from bot.stats.tuner import TunedDeck
from bot.systems.deck import Deck
from bot.systems.fair import Fair
from bot.words.cards import Card, CardButton, Head, Picture, Small, Text, Tone
from bot.words.odds import shortened
from bot.words.pictures import CurveLine, End
from bot.words.saying import behind, either, phrase, say, say_many
from bot.words.systems import tag
from bot.words.tables import table
from bot.words.text import decimal, escape, figure, in_percent

_NAME = 40

_SIMULATED = phrase(
    "I simulate the dynamic dice, for they have too many states to count. I round their factor up "
    "until they are surely as hard to guess as you want."
)
ROLLER_ALONE = phrase(
    "A roller has its own results and unpredictability. Leave `values` and `unpredictability` out, or "
    "leave `roller` out to search."
)
BURNING = phrase(
    "This deck deals its last card, and whoever counts knows that card. Players could waste rolls "
    "until a good one is due. A higher refill, or dynamic dice at 95% and more, prevent that."
)
BUSY = phrase("I am busy with four searches. Try again in a minute.")


def title(what: int | str, lengths: int | range, percent: str) -> str:
    """Return what is tuned for, "6 values, 25 rolls, at least 90% unpredictable"."""
    what = say_many("{n} value", "{n} values", what) if isinstance(what, int) else what
    rolls = _rolls(lengths) if isinstance(lengths, int) else _span(lengths)
    return say("{what}, {rolls}, at least {percent}% unpredictable", what=what, rolls=rolls, percent=percent)


def title_of(advice: Advice) -> str:
    """Return what an advice is tuned for."""
    tuning = advice.tuning
    return title(tuning.values, tuning.samples, decimal(tuning.unpredictability * 100))


def fit_lines(found: Fit) -> list[CurveLine]:
    """Return the chart's lines, after plain dice and the plain deck."""
    fitted = [*filter(None, (found.fair, found.deck))]
    plain, deck = (curve(end, len(found.fair.evening.each)) for end in ends(found.fair.system))
    return evening_lines([(one.system, one.evening) for one in fitted], plain, deck)


def fit_costs(found: Fit, lengths: range) -> list[str]:
    """Return what each of the two costs, and which one to take."""
    told: list[str] = []
    for one in filter(None, (found.fair, found.deck)):
        least = 100 * min(one.evening.entropy[lengths[0] - 1 :])
        told.append(
            say(
                "{roller}: entropy {least:.1f}%, variance {mean:.3f} on the mean, {worst:.3f} at worst "
                "({at}); {how}.",
                roller=tag(one.system),
                least=least,
                mean=one.over.mean,
                worst=one.over.worst,
                at=one.over.worst_at,
                how=how(one.evening),
            )
        )
    if not found.searched:
        return [*told, say("There is no time to search all decks for so many rolls; take the fair roller.")]
    if found.deck is None:
        return [*told, say("No deck that I know is that unpredictable; take the fair roller.")]
    fair = found.best is found.fair
    take = say(
        "Take the fair roller, over {span}." if fair else "Take the deck, over {span}.", span=_span(lengths)
    )
    burns = isinstance(found.best.system, Deck) and found.best.system.refill == 1
    return [*told, take, *([say(BURNING)] if burns else [])]


def fit_beginning(heading: str, bar: str = "") -> Card:
    """Return the first message, while what suits a base is still being worked out; a bar says how far."""
    told = say("Working out the best fair roller and the best deck …")
    blocks = Head(say("Looking"), aside=escape(heading)), Text(f"{told}\n{bar}".rstrip())
    return Card(blocks, tone=Tone.QUIET)


def fit_card(
    heading: str, dice: str, found: Fit, lengths: range, picture: Picture, *buttons: CardButton
) -> Card:
    """Return what suits any base, with the picture, and the commands that make it."""
    dice, fair, rule = dice.replace("`", "'"), found.fair.system, ""
    if isinstance(fair, Fair) and fair.tightness:
        rule = f"`/roller fair name:Luck dice:{dice} tightness:{print_decimal(fair.tightness)}`"
    deck = found.deck.system if found.deck else None
    by_hand = _by_hand(dice, rule, deck if isinstance(deck, Deck) else None)
    told = Text("\n".join(map(escape, fit_costs(found, lengths))))
    return Card((Head(say("Tuned"), aside=escape(heading)), told, picture, by_hand), buttons, Tone.QUIET)


def beginning(heading: str, deck: TunedDeck | None, bar: str = "") -> Card:
    """Return the first message: the deck, while the dice are still being worked out; a bar says how far."""
    if deck is None:
        found = say("No deck that I know is that unpredictable. Working out the best dice …")
    else:
        found = say(
            "The best deck is {deck}: variance {variance:.3f}. Working out the best dice …",
            deck=_deck(deck),
            variance=deck.variance,
        )
    return Card((Head(say("Looking"), aside=heading), Text(f"{found}\n{bar}".rstrip())), tone=Tone.QUIET)


def _deck(deck: TunedDeck) -> str:
    """Return the deck by its two parameters."""
    return say("deck ({size}, {refill})", size=deck.size, refill=deck.refill)


def summary(advice: Advice, picture: Picture, *buttons: CardButton) -> Card:
    """Return the whole answer for Discord: what to take, why, the picture and the figures."""
    deck = advice.deck_over_lengths and advice.deck_wins_over_lengths
    tuning = advice.tuning
    rule = f"`/roller dynamic name:Luck dice:1d{tuning.values} factor:{print_decimal(tuning.optimum.factor)}`"
    which = "Take the deck" if advice.deck_wins_at_n else "Dice or deck"
    blocks = (
        Head(say(which) if deck else say("Take the dynamic dice"), aside=title_of(advice)),
        Text("\n".join([verdict(advice, headed=True), *_warnings(advice)])),
        picture,
        Text(_table(advice)),
        _by_hand(f"1d{tuning.values}", rule, tuning.deck),
    )
    return Card(blocks, buttons, Tone.QUIET)


def remarks(advice: Advice) -> list[str]:
    """Return which system wins, over which numbers of rolls, and a warning where burning rolls pays."""
    return [verdict(advice), *_warnings(advice)]


def _warnings(advice: Advice) -> list[str]:
    deck, simulated = advice.tuning.deck, advice.tuning.optimum.simulated
    burns = deck is not None and deck.refill == 1
    return [*([say(_SIMULATED)] if simulated else []), *([say(BURNING)] if burns else [])]


def verdict(advice: Advice, *, headed: bool = False) -> str:
    """Return which system to take, if the number of rolls is known and if it is not.

    Below a head that says what to take it does not say that again.
    """
    deck, dice = advice.deck_over_lengths, advice.dice_over_lengths
    if deck is None:
        return say("No deck that I know is that unpredictable; take the dynamic dice.")
    if advice.deck_wins_at_n and advice.deck_wins_over_lengths:
        told = "Take the deck: it is the more even one at {rolls} and over {span}."
        if headed:
            told = "It is the more even one at {rolls} and over {span}."
    elif advice.deck_wins_at_n:
        told = (
            "The deck is the more even one if there are exactly {rolls}. Over {span}, take the dynamic dice: "
            "variance {figures}."
        )
    elif advice.deck_wins_over_lengths:
        told = "The dynamic dice are the more even ones at {rolls}, the deck over {span}."
    else:
        told = "Take the dynamic dice: at least as even at {rolls}, and over {span} ({figures})."
        if headed:
            told = "At least as even at {rolls}, and over {span} ({figures})."
    figures = say(
        "{dice:.2f} against the deck's {deck:.2f} on the mean, {dice_worst:.2f} against {deck_worst:.2f} at "
        "worst",
        dice=dice.mean,
        deck=deck.mean,
        dice_worst=dice.worst,
        deck_worst=deck.worst,
    )
    return say(told, rolls=_rolls(advice.tuning.samples), span=_span(advice.lengths), figures=figures)


def _by_hand(dice: str, rule: str, deck: TunedDeck | Deck | None) -> Small:
    """Return the command that makes a roller with that rule, if there is one, and the deck's."""
    lines = [rule] if rule else []
    if deck:
        lines.append(f"`/roller deck name:Luck dice:{dice} size:{deck.size} refill:{deck.refill}`")
    return Small(say("By hand: {commands}", commands=either(lines)))


def advice_rows(advice: Advice) -> list[tuple[str, Curve, Robustness]]:
    """Return each system with its evening, and its variance over the lengths."""
    tuning = advice.tuning
    factor = print_decimal(tuning.optimum.factor)
    found = [(say("plain dice"), advice.plain), (say("dynamic {factor}", factor=factor), advice.dice)]
    if tuning.deck and advice.deck:
        found.append((_deck(tuning.deck), advice.deck))
    return [(name, evening, robust(evening, advice.lengths)) for name, evening in found]


def curve_lines(advice: Advice) -> list[CurveLine]:
    """Return the chart's lines: plain dice and the plain deck, dynamic dice, and a deck if there is one."""
    found = [CurveLine(name, evening) for name, evening, _ in advice_rows(advice)[1:]]
    return [*_ends(advice.plain, advice.plain_deck), *found]


def alt(advice: Advice) -> str:
    """Return the chart's description."""
    n, found = advice.tuning.samples, advice_rows(advice)
    figures = "; ".join(
        say(
            "{name}: entropy {entropy:.1f}%, variance {variance:.3f}",
            name=name,
            entropy=evening.at(n).entropy * 100,
            variance=evening.at(n).variance,
        )
        for name, evening, _ in found
    )
    variances = "; ".join(
        say("{name} variance {variance:.3f}", name=name, variance=over.mean) for name, _, over in found
    )
    return say(
        "Two graphs over 1 to {last} rolls, {title}. After {n} rolls: {figures}. On the mean of {first} to "
        "{last} rolls: {variances}.",
        first=advice.lengths[0],
        last=advice.lengths[-1],
        title=title_of(advice),
        n=n,
        figures=figures,
        variances=variances,
    )


def evening_title(samples: int) -> str:
    """Return what evenings are worked out for."""
    return say_many("An evening of {n} roll", "An evening of {n:,} rolls", samples)


def evening_lines(found: Sequence[tuple[System, Curve]], plain: Curve, deck: Curve) -> list[CurveLine]:
    """Return the chart's lines of given systems, after plain dice and the plain deck."""
    return [*_ends(plain, deck), *(CurveLine(tag(system), evening) for system, evening in found)]


def evening_card(lines: Sequence[CurveLine], samples: int, picture: Picture) -> Card:
    """Return the answer about evenings of given systems for Discord."""
    heads = "", say("entropy"), say("roll {n:<3}", n=samples).rstrip(), say("variance")
    rows = [
        (shortened(line.name, _NAME), in_percent(mean), in_percent(each), variance)
        for line in lines
        for mean, each, variance in [evening_figures(line.evening, samples)]
    ]
    errors = [behind(line.name, how(line.evening)) for line in lines if line.evening.simulated]
    columns = say(
        "Entropy of all rolls and of the last one, of plain dice's; variance of the counts after it:"
    )
    exact = "\n".join(f"{escape(error)}." for error in errors) or say("These figures are exact.")
    figures = Text(f"{columns}\n{table(heads, rows)}")
    return Card((Head(evening_title(samples)), picture, figures, Small(exact)), tone=Tone.QUIET)


def evening_alt(lines: Sequence[CurveLine], samples: int) -> str:
    """Return the chart's description."""
    figures = ((shortened(line.name, _NAME), *evening_figures(line.evening, samples)) for line in lines)
    told = "; ".join(
        say("{name}: entropy {entropy}%, variance {variance}", name=name, entropy=mean, variance=variance)
        for name, mean, _, variance in figures
    )
    return say_many(
        "Two graphs over {n} roll: the entropy of each roll, and the variance. {told}.",
        "Two graphs over {n:,} rolls: the entropy of each roll, and the variance. {told}.",
        samples,
        told=told,
    )


def evening_figures(evening: Curve, samples: int) -> tuple[str, str, str]:
    """Return the entropy of all rolls and of the last one in per cent, and the variance."""
    at = evening.at(samples)
    last = evening.each[samples - 1]
    return figure(100 * at.entropy, ".1f"), figure(100 * last, ".1f"), figure(at.variance, ".3f")


def how(evening: Curve) -> str:
    """Return whether the figures are exact, or how large their standard errors are."""
    if not evening.simulated:
        return say("exact")
    return say(
        "simulated, entropy ±{entropy:.2f}%, variance ±{variance:.3f}",
        entropy=100 * evening.entropy_error,
        variance=evening.variance_error,
    )


def _ends(plain: Curve, deck: Curve) -> list[CurveLine]:
    return [CurveLine(say("plain dice"), plain, End.DICE), CurveLine(say("plain deck"), deck, End.DECK)]


def _table(advice: Advice) -> str:
    n = advice.tuning.samples
    span = say("mean {first}–{last}", first=advice.lengths[0], last=advice.lengths[-1])
    heads = "", say("entropy"), f"n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{n}", span
    found = [
        (
            name,
            in_percent(figure(at.entropy * 100, ".1f")),
            figure(at.variance, ".3f"),
            figure(over.mean, ".3f"),
        )
        for name, at, over in ((name, evening.at(n), over) for name, evening, over in advice_rows(advice))
    ]
    told = say("Entropy, and the variance of the counts after n rolls (0 is perfectly even):")
    return f"{told}\n{table(heads, found)}"


def _span(lengths: range) -> str:
    low, high = lengths[0], lengths[-1]
    return _rolls(high) if low == high else say("{low} to {high} rolls", low=low, high=high)


def _rolls(n: int) -> str:
    return say_many("{n} roll", "{n:,} rolls", n)

"""The texts of /lab tune, `tune` and `evening`: the figures, the system to take, and warnings."""

from collections.abc import Sequence

from bot.dice.system import System, print_decimal
from bot.stats.curves import curve, ends
from bot.stats.fitting import Fit
from bot.stats.measures import Candidate, Curve
from bot.stats.tuner import Advice, TunedDeck
from bot.systems.deck import Deck
from bot.words.cards import Card, CardButton, Head, Picture, Small, Text, Tone
from bot.words.pictures import CurveLine, End
from bot.words.saying import either, read_table, say, say_many, with_heading
from bot.words.systems import tag
from bot.words.tables import table
from bot.words.text import decimal, escape, figure, in_percent, shortened

_NAME = 40
_TEXTS = read_table(__file__, "tuning")
ROLLER_ALONE, BURNING, BUSY = _TEXTS["roller-alone"], _TEXTS["burning"], _TEXTS["busy"]


def title(subject: int | str, lengths: int | range, percent: str) -> str:
    """Return the goal of a tuning, "6 values, 25 rolls, at least 90% unpredictable"."""
    subject = say_many("{n} value", "{n} values", subject) if isinstance(subject, int) else subject
    rolls = _rolls(lengths) if isinstance(lengths, int) else _span(lengths)
    return say(_TEXTS["title"], what=subject, rolls=rolls, percent=percent)


def title_of(advice: Advice) -> str:
    """Return the goal of the tuning behind an advice."""
    tuning = advice.tuning
    return title(tuning.values, tuning.samples, decimal(tuning.unpredictability * 100))


def fit_lines(fit: Fit) -> list[CurveLine]:
    """Return the chart's lines, after plain dice and the plain deck."""
    fitted = [*filter(None, (fit.fair, fit.deck))]
    plain, deck = (curve(end, len(fit.fair.evening.entropies)) for end in ends(fit.fair.system))
    return evening_lines([(roller.system, roller.evening) for roller in fitted], plain, deck)


def fit_costs(fit: Fit, lengths: range) -> list[str]:
    """Return the figures of the fair roller and of the deck, and which of them to take."""
    lines, texts = list[str](), _TEXTS["fit"]
    for roller in filter(None, (fit.fair, fit.deck)):
        least = 100 * min(roller.evening.entropy[lengths[0] - 1 :])
        name, over, errors = tag(roller.system), roller.over, how(roller.evening)
        values = {"least": least, "mean": over.mean, "worst": over.worst, "at": over.worst_at}
        lines.append(say(texts["figures"], roller=name, how=errors, **values))
    if not fit.searched:
        return [*lines, say(texts["unsearched"])]
    if fit.deck is None:
        return [*lines, say(texts["none"])]
    is_fair = fit.best is fit.fair
    choice = texts["fair" if is_fair else "deck"]
    can_burn = not is_fair and fit.deck.system.refill == 1
    return [*lines, say(choice, span=_span(lengths)), *([say(BURNING)] if can_burn else [])]


def fit_beginning(heading: str, bar: str = "") -> Card:
    """Return the card shown while the search for a base runs; `bar` is its progress."""
    return _looking(escape(heading), say(_TEXTS["fit"]["looking"]), bar)


def _looking(heading: str, text: str, bar: str) -> Card:
    return Card((Head(say("Looking"), aside=heading), Text(f"{text}\n{bar}".rstrip())), tone=Tone.QUIET)


def fit_card(
    heading: str, dice: str, fit: Fit, lengths: range, picture: Picture, *buttons: CardButton
) -> Card:
    """Return the result of a search for a base, with the picture, and the commands that make the rollers."""
    dice, tightness, rule = dice.replace("`", "'"), fit.fair.system.tightness, ""
    if tightness:
        rule = f"`/roller fair name:Luck dice:{dice} tightness:{print_decimal(tightness)}`"
    by_hand = _by_hand(dice, rule, fit.deck.system if fit.deck else None)
    costs = Text("\n".join(map(escape, fit_costs(fit, lengths))))
    return Card((Head(say("Tuned"), aside=escape(heading)), costs, picture, by_hand), buttons, Tone.QUIET)


def beginning(heading: str, deck: TunedDeck | None, bar: str = "") -> Card:
    """Return the card shown while the search for dice runs: the deck, and `bar` for the progress."""
    text = say(_TEXTS["none-working"])
    if deck:
        text = say(_TEXTS["working"], deck=_deck(deck), variance=deck.variance)
    return _looking(heading, text, bar)


def _deck(deck: TunedDeck | Deck) -> str:
    """Return a deck with its two parameters."""
    return say("deck ({size}, {refill})", size=deck.size, refill=deck.refill)


def summary(advice: Advice, picture: Picture, *buttons: CardButton) -> Card:
    """Return the whole answer for Discord: the recommendation, the reason, the picture and the figures."""
    tuning = advice.tuning
    rule = f"`/roller dynamic name:Luck dice:1d{tuning.values} factor:{print_decimal(tuning.optimum.factor)}`"
    blocks = (
        Head(say(_TEXTS["heading"][_winners(advice)]), aside=title_of(advice)),
        Text("\n".join(remarks(advice, headed=True))),
        picture,
        Text(_table(advice)),
        _by_hand(f"1d{tuning.values}", rule, tuning.deck),
    )
    return Card(blocks, buttons, Tone.QUIET)


def remarks(advice: Advice, *, headed: bool = False) -> list[str]:
    """Return which system wins over which numbers of rolls, and a warning if wasting rolls pays.

    `headed` means that the head names the system already, so it is not repeated.
    """
    warnings = [say(_TEXTS["simulated"])] if advice.tuning.optimum.simulated else []
    warnings += [say(BURNING)] if advice.deck and advice.deck.system.refill == 1 else []
    return [_verdict(advice, headed=headed), *warnings]


def _verdict(advice: Advice, *, headed: bool) -> str:
    """Return which system to take if the number of rolls is known, and if it is not."""
    if advice.deck is None:
        return say(_TEXTS["verdict"]["no-deck"])
    winners = _winners(advice)
    text = (headed and _TEXTS["headed"].get(winners)) or _TEXTS["verdict"][winners]
    dice, deck = advice.dice.over, advice.deck.over
    means = {"dice": dice.mean, "deck": deck.mean, "dice_worst": dice.worst, "deck_worst": deck.worst}
    figures = say(_TEXTS["means"], **means)
    return say(text, rolls=_rolls(advice.tuning.samples), span=_span(advice.lengths), figures=figures)


def _winners(advice: Advice) -> str:
    """Return the key of the more even ones at the number of rolls, and over several: "deck-dice"."""
    wins = advice.deck_wins_at_n, advice.deck_wins_over_lengths
    return "-".join("deck" if deck_wins else "dice" for deck_wins in wins)


def _by_hand(dice: str, rule: str, deck: TunedDeck | Deck | None) -> Small:
    """Return the commands that make the roller, if `rule` is set, and the deck."""
    lines = [rule] if rule else []
    if deck:
        lines.append(f"`/roller deck name:Luck dice:{dice} size:{deck.size} refill:{deck.refill}`")
    return Small(say("By hand: {commands}", commands=either(lines)))


def advice_rows(advice: Advice) -> list[tuple[str, Candidate[System]]]:
    """Return plain dice, dynamic dice and the deck, if there is one, with their names."""
    factor = print_decimal(advice.tuning.optimum.factor)
    rows: list[tuple[str, Candidate[System]]]
    rows = [(say("plain dice"), advice.plain), (say("dynamic {factor}", factor=factor), advice.dice)]
    return [*rows, (_deck(advice.deck.system), advice.deck)] if advice.deck else rows


def curve_lines(advice: Advice) -> list[CurveLine]:
    """Return the chart's lines: plain dice, the plain deck, dynamic dice, and the tuned deck if any."""
    lines = [CurveLine(name, roller.evening) for name, roller in advice_rows(advice)[1:]]
    return [*_ends(advice.plain.evening, advice.plain_deck), *lines]


def alt(advice: Advice) -> str:
    """Return the chart's alternative text."""
    n, rows = advice.tuning.samples, advice_rows(advice)
    figures = "; ".join(_measures(name, roller.evening, n) for name, roller in rows)
    variances = "; ".join(
        say("{name} variance {variance:.3f}", name=name, variance=roller.over.mean) for name, roller in rows
    )
    goal, first, last = title_of(advice), advice.lengths[0], advice.lengths[-1]
    return say(_TEXTS["alt"], title=goal, first=first, last=last, n=n, figures=figures, variances=variances)


def evening_title(samples: int) -> str:
    """Return the title of a calculated evening."""
    return say_many("An evening of {n} roll", "An evening of {n:,} rolls", samples)


def evening_lines(systems: Sequence[tuple[System, Curve]], plain: Curve, deck: Curve) -> list[CurveLine]:
    """Return the chart's lines: plain dice, the plain deck, and the given systems."""
    return [*_ends(plain, deck), *(CurveLine(tag(system), evening) for system, evening in systems)]


def evening_card(lines: Sequence[CurveLine], samples: int, picture: Picture) -> Card:
    """Return the answer for Discord about evenings of the given systems."""
    heads = "", say("entropy"), say("roll {n:<3}", n=samples).rstrip(), say("variance")
    rows = [
        (shortened(line.name, _NAME), in_percent(mean), in_percent(last), variance)
        for line in lines
        for mean, last, variance in [evening_figures(line.evening, samples)]
    ]
    errors = [with_heading(line.name, how(line.evening)) for line in lines if line.evening.simulated]
    exact = "\n".join(f"{escape(error)}." for error in errors) or say("These figures are exact.")
    figures = Text(f"{say(_TEXTS['columns'])}\n{table(heads, rows)}")
    return Card((Head(evening_title(samples)), picture, figures, Small(exact)), tone=Tone.QUIET)


def evening_alt(lines: Sequence[CurveLine], samples: int) -> str:
    """Return the chart's alternative text."""
    texts = "; ".join(_measures(shortened(line.name, _NAME), line.evening, samples) for line in lines)
    singular = "Two graphs over {n} roll: the entropy of each roll, and the variance. {told}."
    plural = "Two graphs over {n:,} rolls: the entropy of each roll, and the variance. {told}."
    return say_many(singular, plural, samples, told=texts)


def _measures(name: str, evening: Curve, samples: int) -> str:
    """Return both measures after a number of rolls, as a part of an alternative text."""
    mean, _, variance = evening_figures(evening, samples)
    return say("{name}: entropy {entropy}%, variance {variance}", name=name, entropy=mean, variance=variance)


def evening_figures(evening: Curve, samples: int) -> tuple[str, str, str]:
    """Return the entropy of all rolls and of the last one, in per cent, and the variance."""
    mean, last = evening.entropy[samples - 1], evening.entropies[samples - 1]
    return figure(100 * mean, ".1f"), figure(100 * last, ".1f"), figure(evening.variance[samples - 1], ".3f")


def how(evening: Curve) -> str:
    """Return that the figures are exact, or their standard errors."""
    if not evening.simulated:
        return say("exact")
    text = "simulated, entropy ±{entropy:.2f}%, variance ±{variance:.3f}"
    return say(text, entropy=100 * evening.entropy_error, variance=evening.variance_error)


def _ends(plain: Curve, deck: Curve) -> list[CurveLine]:
    return [CurveLine(say("plain dice"), plain, End.DICE), CurveLine(say("plain deck"), deck, End.DECK)]


def _table(advice: Advice) -> str:
    n = advice.tuning.samples
    span = say("mean {first}–{last}", first=advice.lengths[0], last=advice.lengths[-1])
    heads = "", say("entropy"), f"n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{n}", span
    rows = [
        (name, in_percent(mean), variance, figure(roller.over.mean, ".3f"))
        for name, roller in advice_rows(advice)
        for mean, _, variance in [evening_figures(roller.evening, n)]
    ]
    return f"{say(_TEXTS['caption'])}\n{table(heads, rows)}"


def _span(lengths: range) -> str:
    low, high = lengths[0], lengths[-1]
    return _rolls(high) if low == high else say("{low} to {high} rolls", low=low, high=high)


def _rolls(n: int) -> str:
    return say_many("{n} roll", "{n:,} rolls", n)

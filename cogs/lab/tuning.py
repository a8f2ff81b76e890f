"""/lab tune: search for a system that suits an evening; show figures, a chart and buttons to make it."""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from fractions import Fraction

from bot.campaign.campaigns import Looks, Remembers, Roller
from bot.charts.curves import curves_chart
from bot.dice.errors import DiceError, SpecError
from bot.dice.names import NAME_LIMIT
from bot.dice.system import Spec, System, print_decimal, read_base
from bot.stats.curves import curve, ends
from bot.stats.fitting import Fit, fit
from bot.stats.tuner import Advice, advise, best_deck
from bot.systems.registry import read_spec
from bot.systems.typed import read_named
from bot.words import tuning as words
from bot.words.cards import Card, CardButton, Picture
from bot.words.pictures import CurveLine
from bot.words.saying import say, with_heading
from bot.words.systems import roller_made
from cogs.kit.cards import defer, edit, finish, send
from cogs.kit.interactions import ButtonHandler, Field, Interaction, caller
from cogs.kit.replies import charted
from cogs.kit.throttle import Progress

_SIGNS = re.compile(r"\W+")
_SMALL = Field(r"\d{1,4}", int)
_WIDTH = 12
_WAITING = 4


class Tuner:
    """Runs searches for an evening's parameters, one at a time."""

    def __init__(self) -> None:
        # The longest searches take seconds, and rolls need the processor too.
        self._turn = asyncio.Semaphore(1)
        self._waiting = 0
        self._bar: Progress | None = None

    async def answer(
        self,
        interaction: Interaction,
        values: int | str | None,
        evening: range,
        unpredictability: int | None,
        names: list[str],
    ) -> None:
        """Show the result of a search, or the figures of the rollers with these names.

        `values` is a number of equal results, or typed dice or results. Raise SpecError for names together
        with values and for an evening without rolls, DiceError if too many searches are queued.
        """
        if names and (values or unpredictability):
            raise SpecError(words.ROLLER_ALONE)
        if not evening:
            raise SpecError("`samples` is the fewest rolls and `to` the most. Swap them.")
        interaction.client.app.pace.figures(interaction.user.id)
        if self._waiting >= _WAITING:
            raise DiceError(words.BUSY)
        self._waiting += 1
        try:
            if names:
                await self._evening(interaction, names, evening[0])
            elif isinstance(values, str) or len(evening) > 1:
                dice = values if isinstance(values, str) else f"1d{values or 6}"
                await self._fit(interaction, dice, evening, unpredictability or 90)
            else:
                await self._search(interaction, values or 6, evening[0], unpredictability or 90)
        finally:
            self._waiting -= 1

    async def _search(
        self, interaction: Interaction, values: int, samples: int, unpredictability: int
    ) -> None:
        """Show the deck at once, then the dice and the chart."""
        await defer(interaction)
        entropy = Fraction(unpredictability, 100)
        # The deck is found at once; the dice and the chart take seconds.
        deck = await asyncio.to_thread(best_deck, values, samples, entropy)
        heading = words.title(values, samples, str(unpredictability))
        # A picture can be added to text alone.
        await send(interaction, lambda: words.beginning(heading, deck), looks=Looks.TEXT)
        async with self._progress(interaction, lambda bar_text: words.beginning(heading, deck, bar_text)):
            advice = await asyncio.to_thread(advise, values, samples, entropy, self._tell)
        title, lines = words.title_of(advice), words.curve_lines(advice)
        picture = Picture("tune.png", words.alt(advice))
        file = await charted(interaction.client, picture, curves_chart, title, lines, samples)
        await finish(interaction, words.summary(advice, picture, *_buttons(advice)), file)

    async def _fit(self, interaction: Interaction, dice: str, evening: range, unpredictability: int) -> None:
        """Show the best deck and fair roller of a base, for an evening's numbers of rolls."""
        base = read_base(read_named(dice))
        await defer(interaction)
        title = words.title(dice, evening, str(unpredictability))
        async with self._progress(interaction, lambda bar_text: words.fit_beginning(title, bar_text)):
            fitted = await asyncio.to_thread(fit, base, evening, Fraction(unpredictability, 100), self._tell)
            lines = await asyncio.to_thread(words.fit_lines, fitted)
        picture = Picture("tune.png", words.evening_alt(lines, evening[-1]))
        file = await charted(interaction.client, picture, curves_chart, title, lines, evening[-1])
        card = words.fit_card(title, dice, fitted, evening, picture, *_fit_buttons(dice, fitted))
        await finish(interaction, card, file)

    @asynccontextmanager
    async def _progress(
        self, interaction: Interaction, make_card: Callable[[str], Card]
    ) -> AsyncGenerator[None]:
        """Hold the turn within the block, and show the progress of its search."""
        async with self._turn:
            self._bar = progress = Progress(
                lambda done, total: edit(interaction, lambda: make_card(bar(done, total)), looks=Looks.TEXT)
            )
            try:
                yield
            finally:
                await progress.end()

    def _tell(self, done: int, total: int) -> None:
        """Pass the progress on to the current search's bar. One bound method, because results are cached."""
        if self._bar:
            self._bar.tell(done, total)

    async def _evening(self, interaction: Interaction, names: list[str], samples: int) -> None:
        """Show how unpredictable and how even rollers are, from their first roll on."""
        rollers = [await interaction.client.app.rollers.get(caller(interaction), name) for name in names]
        await defer(interaction)
        async with self._turn:
            lines = await asyncio.to_thread(_lines, rollers, samples)
        title = words.evening_title(samples)
        picture = Picture("evening.png", words.evening_alt(lines, samples))
        file = await charted(interaction.client, picture, curves_chart, title, lines, samples)
        await send(interaction, lambda: words.evening_card(lines, samples, picture), file=file)


def _lines(rollers: list[tuple[Roller, System]], samples: int) -> list[CurveLine]:
    plain, deck = (curve(end, samples) for end in ends(rollers[0][1]))
    lines = words.evening_lines([(system, curve(system, samples)) for _, system in rollers], plain, deck)
    if len(rollers) == 1:
        return lines
    # Their descriptions may be cut to the same text, but their names come first and differ.
    own = zip(rollers, lines[2:], strict=True)
    return lines[:2] + [replace(line, name=with_heading(r.name, line.name)) for (r, _), line in own]


async def _make_dice(interaction: Interaction, values: int, factor: str) -> None:
    """Make the dynamic dice of the search."""
    spec: Spec = {"system": "dynamic", "base": f"1d{values}", "factor": factor}
    await _make(interaction, f"Dynamic d{values}", spec)


async def _make_deck(interaction: Interaction, values: int, size: int, refill: int) -> None:
    """Make the deck of the search."""
    spec: Spec = {"system": "deck", "base": f"1d{values}", "size": size, "refill": refill}
    await _make(interaction, f"Deck d{values} {size}-{refill}", spec)


async def _make(interaction: Interaction, name: str, spec: Spec) -> None:
    """Make a roller, with signs removed from its name, because `/roll` takes a bonus behind it."""
    name = _SIGNS.sub(" ", name)[:NAME_LIMIT].strip()
    rollers, table = interaction.client.app.rollers, Remembers.TABLE
    event, system = await rollers.make_of(caller(interaction), name, lambda: read_spec(spec), table)
    await send(interaction, lambda: roller_made(event, system))


def _buttons(advice: Advice) -> list[CardButton]:
    tuning, deck = advice.tuning, advice.tuning.deck
    buttons = [CardButton("tune-dice", (tuning.values, print_decimal(tuning.optimum.factor)))]
    return buttons + ([CardButton("tune-deck", (tuning.values, deck.size, deck.refill))] if deck else [])


async def _make_fitted(interaction: Interaction, tightness: str, size: int, refill: int, dice: str) -> None:
    """Make the deck of the search if `size` is given, else its fair roller."""
    base = read_named(dice)
    name = dice if isinstance(base, str) else "/".join(read_base(base).faces)
    spec: Spec = {"system": "fair", "base": base, "tightness": tightness}
    if size:
        spec = {"system": "deck", "base": base, "size": size, "refill": refill}
    await _make(interaction, f"{'Deck' if size else 'Fair'} {name}", spec)


def _fit_buttons(dice: str, fitted: Fit) -> list[CardButton]:
    """Return a button for each system of the search; none if the dice don't fit into it."""
    candidates: list[tuple[str, int, int, str]] = []
    if tightness := fitted.fair.system.tightness:
        candidates.append((print_decimal(tightness), 0, 0, dice))
    if fitted.deck:
        candidates.append(("0", fitted.deck.system.size, fitted.deck.system.refill, dice))
    return [CardButton("tune-fit", own) for own in candidates if MAKE_FITTED.custom_id.fits(*own)]


def _fit_label(_tightness: str, size: int, _refill: int, _dice: str) -> str:
    return say("Make the deck (GM)") if size else say("Make the fair roller (GM)")


_DECIMAL = Field(r"[\d.]{1,8}")
MAKE_FITTED = ButtonHandler(
    "tune-fit",
    _fit_label,
    _make_fitted,
    _DECIMAL,
    _SMALL,
    Field(r"\d{1,5}", int),
    Field(r"[^\n]+"),
    once=True,
)
MAKE_DICE = ButtonHandler("tune-dice", "Make the dice (GM)", _make_dice, _SMALL, _DECIMAL, once=True)
MAKE_DECK = ButtonHandler("tune-deck", "Make the deck (GM)", _make_deck, _SMALL, _SMALL, _SMALL, once=True)


def bar(done: int, total: int) -> str:
    """Return a progress bar with its figures."""
    full = _WIDTH * min(done, total) // total
    return f"{'▰' * full}{'▱' * (_WIDTH - full)} {say('step {done} of {of}', done=done, of=total)}"

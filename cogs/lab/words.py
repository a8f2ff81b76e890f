"""Texts and cards of /lab sources: the randomness, and for server managers each source."""

from bot.dice.draws import Source
from bot.services.health import RandomnessReport
from bot.words.cards import Card, Head, Small, Text, Tone
from bot.words.saying import read_table, refusal, say, say_many, with_heading
from bot.words.text import bits, capital

_TEXTS = read_table(__file__, "texts")
_COUNTED = Source.TRUE, Source.HALF, Source.LOCAL, Source.KEYED
_THOUSAND_D20_BITS = 4_322
"""Bits of a thousand rolls of a d20, log2(20) each."""
_KEYED = " (key)"
"""Suffix of services that need a key."""


def answer(report: RandomnessReport) -> Card:
    """Return the card of a report, with a line for each source if the report has them."""
    source = report.status.source
    head = Head(capital(bits(source)), aside=say("for the next roll"))
    summary = Text("\n".join([say(_TEXTS["meanings"][source]), *_lanes(report), _share(report)]))
    foot = Small(say("I fetch noise ahead, test it and tell nobody. A roll never waits for it."))
    if report.sources is None:
        return Card((head, summary, foot), tone=Tone.QUIET)
    sources = Text("\n".join([say("**Sources** (only server managers see them)"), *_sources(report)]))
    return Card((head, summary, foot, sources), tone=Tone.QUIET)


def _lanes(report: RandomnessReport) -> list[str]:
    """Return a line for each kind of noise with its available bits."""
    lines: list[str] = []
    for kind, available in report.status.bits.items():
        if available:
            template = "{left:,} bits ready, enough for {rolls:,} rolls of a d20."
            text = say(template, left=available, rolls=available * 1_000 // _THOUSAND_D20_BITS)
        elif all(source.state == "off" for source in report.status.sources if source.kind is kind):
            text = say("no source is switched on.")
        else:
            text = say("no bits ready. I am fetching more.")
        lines.append(with_heading(say(_TEXTS["noises"][kind]), text))
    return lines


def _share(report: RandomnessReport) -> str:
    """Return the counts of rolls by kind of bits, without dice thrown by hand.

    The share is rounded down, so that 100% is all of them.
    """
    rolls = {source: n for source in _COUNTED if (n := report.rolls[source])}
    if not rolls:
        return say("Nobody rolled openly here yet.")
    counted = ", ".join(say("{rolls:,} with {bits}", rolls=n, bits=bits(s)) for s, n in rolls.items())
    total = sum(rolls.values())
    share = 100 * report.rolls[Source.TRUE] // total
    template = "Open rolls here so far: {total:,}, {share}% true-random ({counted})."
    return say(template, total=total, share=share, counted=counted)


def _sources(report: RandomnessReport) -> list[str]:
    """Return a line for each source: its state, and the time until its next request."""
    lines: list[str] = []
    for source in report.sources or ():
        asking, why = source.state == "being asked", source.error and refusal(source.error)
        state = say(source.state)
        if why and asking:
            state = say("being asked, last time: {reason}", reason=why)
        elif why:
            state = f"{state}, {why}"
        name, key, _ = source.name.partition(_KEYED)
        parts = [with_heading(say("{name} (key)", name=name) if key else name, state)]
        if source.blocks:
            parts.append(say("{blocks} used", blocks=say_many("{n} block", "{n:,} blocks", source.blocks)))
        if source.quota is not None:
            parts.append(say("quota {quota:,} bits", quota=source.quota))
        if source.next_try is not None and not asking:
            parts.append(_wait(source.next_try))
        lines.append("- " + " · ".join(parts))
    return lines


def _wait(seconds: float) -> str:
    """Return the time until a source's next request, in a suitable unit, rounded up."""
    if seconds <= 0:
        return say("may be asked now")
    if seconds > 7_200:
        return say("may be asked in {hours} h", hours=-int(-seconds // 3_600))
    if seconds > 120:
        return say("may be asked in {minutes} min", minutes=-int(-seconds // 60))
    return say("may be asked in {seconds} s", seconds=-int(-seconds // 1))

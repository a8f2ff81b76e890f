"""What feeds the dice, in words: a few lines for everybody, a line for each source for those who manage."""

from collections.abc import Mapping, Sequence

from bot.dice.labels import Label
from bot.entropy.source import Kind
from bot.entropy.status import SourceStatus, State, Status
from bot.render.labels import bits

_MEANINGS = {
    Label.TRUE: "Atmospheric noise, quantum noise and random bits of the bot's computer, mixed. "
    "To foretell a roll, somebody would have to know all three.",
    Label.HALF: "One kind of noise from nature and random bits of the bot's computer, mixed. "
    "To foretell a roll, somebody would have to know both.",
    Label.LOCAL: "Random bits of the bot's computer alone, for no noise from nature is in hand. "
    "The dice are as fair as ever; only the promise is smaller.",
}
_NOISES = {Kind.ATMOSPHERIC: "Atmospheric noise", Kind.QUANTUM: "Quantum noise"}
_THOUSAND_D20_BITS = 4_322
"""What a thousand rolls of a d20 take: log2(20) bits each."""


def answer(status: Status, rolls: Mapping[Label, int], sources: Sequence[SourceStatus] | None) -> str:
    """What /entropy says; with a line for each source, unless `sources` is None."""
    lines = [
        f"The next roll gets **{bits(status.label)}**.",
        _MEANINGS[status.label],
        *(f"{_NOISES[kind]}: {_lane(status, kind)}" for kind in Kind),
        _share(rolls),
        "-# Noise is fetched ahead, tested and kept secret. A roll never waits for it, and says what it got.",
    ]
    if sources is not None:
        lines += ["**Sources**, shown to those who manage the server", *map(_source, sources)]
    return "\n".join(lines)


def _lane(status: Status, kind: Kind) -> str:
    """What is left of one kind of noise."""
    if left := status.bits[kind]:
        return f"{left:,} bits in hand, enough to roll a d20 {left * 1_000 // _THOUSAND_D20_BITS:,} times."
    if all(source.state is State.OFF for source in status.sources if source.kind is kind):
        return "no source is switched on."
    return "no bits in hand. It is asked for in the background."


def _share(rolls: Mapping[Label, int]) -> str:
    """How many rolls had which bits, dice thrown by hand left out.

    The share is rounded down, so that 100 % is all of them.
    """
    total = sum(rolls[label] for label in _MEANINGS)
    if not total:
        return "Nothing was rolled here in the last 24 hours."
    counted = ", ".join(f"{rolls[label]:,} with {bits(label)}" for label in _MEANINGS if rolls[label])
    how_many = "1 roll" if total == 1 else f"{total:,} rolls"
    return (
        f"The last 24 hours here: {how_many}, {100 * rolls[Label.TRUE] // total} % true-random ({counted})."
    )


def _source(source: SourceStatus) -> str:
    """A source, how it is, and when it may be asked again."""
    parts = [f"{source.name}: {source.state}"]
    if source.error:
        parts[0] += f", last time: {source.error}" if source.state is State.ASKING else f", {source.error}"
    if source.blocks:
        parts.append("1 block used" if source.blocks == 1 else f"{source.blocks:,} blocks used")
    if source.quota is not None:
        parts.append(f"quota {source.quota:,} bits")
    if source.next_try is not None and source.state is not State.ASKING:
        parts.append(f"may be asked {_wait(source.next_try)}")
    return "- " + " · ".join(parts)


def _wait(seconds: float) -> str:
    """How long, in the unit that suits it, rounded up."""
    if seconds <= 0:
        return "now"
    for size, unit in ((3_600, "h"), (60, "min")):
        if seconds > 2 * size:
            return f"in {-int(-seconds // size)} {unit}"
    return f"in {-int(-seconds // 1)} s"

"""What /lab sources says, for every state that the room can be in."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from bot.dice.draws import Source
from bot.dice.errors import LocalizedError
from bot.entropy.service import EntropyStatus, Physics, ServiceState, ServiceStatus
from bot.services.health import RandomnessReport
from bot.words.cards import plain
from bot.words.languages import PSEUDO, language, speaking
from bot.words.text import bits, capital
from cogs.lab import words

NONE = dict.fromkeys(Source, 0)
FINE = ServiceStatus("lfdr.de", Physics.QUANTUM, ServiceState.FINE, blocks=1, next_try=480.5)
OFF = ServiceStatus(
    "random.org", Physics.ATMOSPHERIC, ServiceState.OFF, LocalizedError("needs the operator's e-mail address")
)


def status(label: Source, atmospheric: int, quantum: int, *sources: ServiceStatus) -> EntropyStatus:
    """A room with so many bits in hand."""
    return EntropyStatus(label, {Physics.ATMOSPHERIC: atmospheric, Physics.QUANTUM: quantum}, sources)


def answer(
    status: EntropyStatus, rolls: Mapping[Source, int], sources: Sequence[ServiceStatus] | None
) -> str:
    """What is said of a room, of rolls, and to those who may know of each source."""
    return plain(words.answer(RandomnessReport(status, rolls, None if sources is None else tuple(sources))))


def shares(true: int, half: int, local: int) -> str:
    """What is said of so many rolls."""
    rolls = {**NONE, Source.TRUE: true, Source.HALF: half, Source.LOCAL: local}
    return answer(status(Source.LOCAL, 0, 0), rolls, None).splitlines()[4]


@pytest.mark.parametrize("label", [Source.TRUE, Source.HALF, Source.LOCAL])
def test_the_first_line_has_the_words_of_a_roll(label: Source) -> None:
    """What the next roll gets is called as the roll will call it, and explained in the next line."""
    first, second = answer(status(label, 64, 64), NONE, None).splitlines()[:2]

    assert first == f"**{capital(bits(label))}** · for the next roll"
    assert "computer" in second


def test_each_lane_says_how_much_is_left() -> None:
    """Bits come with the number of d20s they are enough for; a dry lane says whether anybody is asked."""
    lines = answer(status(Source.HALF, 0, 8_192, FINE, OFF), NONE, None).splitlines()
    dry = answer(status(Source.LOCAL, 0, 0, FINE, OFF), NONE, None).splitlines()

    assert lines[2] == "Atmospheric noise: no source is switched on."
    assert lines[3] == "Quantum noise: 8,192 bits ready, enough for 1,895 rolls of a d20."
    assert dry[3] == "Quantum noise: no bits ready. I am fetching more."


def test_the_promised_d20s_can_be_rolled() -> None:
    """So many d20s take no more bits than are there: 20^n <= 2^bits, and nearly all of them."""
    for left in (64, 8_128, 65_536):
        line = answer(status(Source.HALF, left, 0), NONE, None).splitlines()[2]
        rolls = int(line.split()[-5].replace(",", ""))

        assert 20**rolls <= 2**left < 20 ** (rolls + rolls // 1_000 + 1)


def test_shares_are_exact_counts_and_never_rounded_up() -> None:
    """100% is all of them, 0% less than one in a hundred; labels that did not come are left out."""
    assert shares(0, 0, 0) == "Nobody rolled openly here yet."
    assert shares(1, 0, 0) == "Open rolls here so far: 1, 100% true-random (1 with true-random bits)."
    assert shares(1_999, 1, 0) == (
        "Open rolls here so far: 2,000, 99% true-random "
        "(1,999 with true-random bits, 1 with half true-random bits)."
    )
    assert shares(0, 0, 3).endswith("so far: 3, 0% true-random (3 with computer-random bits).")


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (FINE, "- lfdr.de: fine · 1 block used · may be asked in 9 min"),
        (OFF, "- random.org: off, needs the operator's e-mail address"),
        (
            ServiceStatus(
                "random.org", Physics.ATMOSPHERIC, ServiceState.FINE, quota=191_808, next_try=0, blocks=2_000
            ),
            "- random.org: fine · 2,000 blocks used · quota 191,808 bits · may be asked now",
        ),
        (
            ServiceStatus(
                "ANU", Physics.QUANTUM, ServiceState.FAILING, LocalizedError("no connection"), next_try=7_201
            ),
            "- ANU: failing, no connection · may be asked in 3 h",
        ),
        (
            ServiceStatus("ANU", Physics.QUANTUM, ServiceState.NEW, next_try=0.0),
            "- ANU: not asked yet · may be asked now",
        ),
        (
            ServiceStatus(
                "ANU", Physics.QUANTUM, ServiceState.ASKING, LocalizedError("no connection"), next_try=0.0
            ),
            "- ANU: being asked, last time: no connection",
        ),
        (
            ServiceStatus(
                "ANU", Physics.QUANTUM, ServiceState.FAILING, LocalizedError("no connection"), next_try=119.2
            ),
            "- ANU: failing, no connection · may be asked in 120 s",
        ),
    ],
)
def test_a_source_is_a_line(source: ServiceStatus, line: str) -> None:
    """State, the last error, blocks, quota, and when it may be asked again."""
    said = answer(status(Source.LOCAL, 0, 0, source), NONE, [source])

    assert said.splitlines()[-1] == line


def test_a_reason_is_said_in_the_readers_language() -> None:
    """With its values."""
    error = LocalizedError("it sent {sent} numbers, not {asked}", sent=511, asked=512)
    source = ServiceStatus("ANU", Physics.QUANTUM, ServiceState.FAILING, error, next_try=0)
    with speaking(language(PSEUDO)):
        line = answer(status(Source.LOCAL, 0, 0, source), NONE, [source]).splitlines()[-1]

    assert ("511" in line, "512" in line) == (True, True)
    assert not re.search("[a-z]{2}", line)


def test_sources_are_only_for_those_who_may() -> None:
    """Without the right to see them no source's name is said."""
    everybody = answer(status(Source.HALF, 0, 64, FINE, OFF), NONE, None)
    admins = answer(status(Source.HALF, 0, 64, FINE, OFF), NONE, [FINE, OFF])

    assert admins.startswith(f"{everybody}\n")
    assert "lfdr.de" not in everybody
    assert "random.org" not in everybody


def test_the_longest_answer_fits_a_message() -> None:
    """Seven sources with everything to say about them stay within Discord's 2,000 characters."""
    error = LocalizedError("failed its health test: too many ones or zeros over many blocks")
    source = ServiceStatus(
        "Outshift (key)",
        Physics.QUANTUM,
        ServiceState.FAILING,
        error,
        quota=10**12,
        next_try=86_400,
        blocks=10**9,
    )
    said = answer(
        status(Source.TRUE, 10**6, 10**6, *[source] * 7), dict.fromkeys(Source, 10**9), [source] * 7
    )

    assert len(said) <= 2_000


def test_the_manual_uses_the_same_words() -> None:
    """Each label's words stand in docs/randomness.md, where they are explained."""
    manual = (Path(__file__).parents[3] / "docs" / "randomness.md").read_text(encoding="utf-8")

    assert [
        label
        for label in (Source.TRUE, Source.HALF, Source.LOCAL, Source.KEYED)
        if f"**{bits(label)}**" not in manual
    ] == []


def test_dice_thrown_by_hand_are_not_counted() -> None:
    """They have no bits: neither a share nor the total has them."""
    rolls = {**NONE, Source.TRUE: 1, Source.LOCAL: 1, Source.PHYSICAL: 7}
    lines = answer(status(Source.LOCAL, 0, 0), rolls, None).splitlines()

    assert lines[4].startswith("Open rolls here so far: 2, 50% true-random")
    assert "hand" not in lines[4]


def test_every_label_has_words_of_its_own() -> None:
    """No two labels read the same, and none is empty."""
    named = [bits(label) for label in Source]

    assert all(named)
    assert len({*named}) == len(named)

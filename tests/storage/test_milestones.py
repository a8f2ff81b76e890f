from dataclasses import replace

from bot.storage.transactions import Milestones
from tests.support.play import rolled

_DAY = 86_400_000 << 22


def test_a_day_and_a_hundred_are_passed_once() -> None:
    """A day's first roll, and the first at or after each hundred, in each campaign by itself."""
    milestones, event = Milestones(), rolled("2d6").event
    first = event.interaction_id or 0

    def passes(seq: int, days: int = 0, campaign: int = 1) -> bool:
        return milestones.passes(
            replace(event, seq=seq, interaction_id=first + days * _DAY, campaign_id=campaign)
        )

    assert [passes(seq) for seq in (1, 2, 99, 103, 104, 199, 400, 401)] == [
        True, False, False, True, False, False, True, False,
    ]  # fmt: skip
    assert passes(400), "a second delivery is answered as the first one was"
    assert [passes(402, days=1), passes(403, days=1), passes(404)] == [True, False, False]
    assert [passes(5, campaign=2), passes(6, campaign=2)] == [True, False]

"""Nobody who may not see a hidden roll learns how it fell: histories that differ there look the same."""

from pathlib import Path

import pytest
from simcord.backend.models.message import Message

from bot.charts.worker import Worker
from tests.support.table import table
from tests.support.twins import Finding, Told, Walk, changes, play, sketch


async def _findings(folder: Path, hidden: int, changed: dict[int, Message]) -> list[Finding]:
    """What Ann finds after an evening whose hidden rolls show the face at that place."""
    changed.clear()
    async with table(folder) as t:
        transactions, draws = t.app._store.writer._transactions, Told()
        transactions.open_draws = draws.open
        await play(t, draws, hidden)
        walk = Walk(t, t.ann, changed)
        await walk.menus()
        await walk.commands(t.ann)
        await walk.commands(t.mara)
        return walk.found


async def test_no_place_tells_how_a_hidden_roll_fell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command, button, menu, form, offer and picture is the same, whatever the hidden rolls show."""
    monkeypatch.setattr(Worker, "do", sketch)
    changed = changes(monkeypatch)
    first, second = [await _findings(tmp_path / str(hidden), hidden, changed) for hidden in (0, 5)]

    for one, other in zip(first, second, strict=True):
        assert one == other

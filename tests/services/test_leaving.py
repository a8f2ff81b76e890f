"""Whoever is being erased is shown nowhere any more, although their last event is not reached yet."""

from pathlib import Path

from bot.campaign.command import RollOptions
from bot.campaign.histories import Filter
from bot.campaign.rolls import RollDice
from bot.services.exports import ExportFormat
from bot.services.histories import Histories
from bot.storage.erasing import begin_erasure
from tests.services.test_exports import exported
from tests.storage.asking import Storage, audited, caller, gm
from tests.support.exporting import audit_of, told_in


async def test_who_is_being_erased_is_nobody_from_the_first_moment(storage: Storage, tmp_path: Path) -> None:
    """The pages, their filters and both exports name the other player alone, and the seals still fit."""
    for user in (1, 2):
        roll = RollDice("2d6", options=RollOptions(f"Owl {user}"))
        await storage.writer.write(caller(user=user), roll)
    await storage.transact(begin_erasure(caller(user=1)))
    histories = Histories(storage)
    page, owls, theirs = [
        await histories.page(gm(), wanted) for wanted in (Filter(), Filter(label="owl"), Filter(user_id=1))
    ]
    found = await exported(storage, tmp_path)
    table = await exported(storage, tmp_path, gm(), ExportFormat.CSV)

    assert [(e.event.user_id, e.event.label) for e in page.entries] == [(2, "Owl 2"), (None, None)]
    assert ([e.event.seq for e in owls.entries], theirs.entries) == ([2], ())
    assert [told.event.user_id for told in told_in(found.files) if told.event] == [None, 2]
    assert audit_of(found.files).findings.nobody == 1
    assert "Owl 1" not in table.files[0].read_text("utf-8")
    assert (await audited(storage)).remade == 2

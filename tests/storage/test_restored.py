"""That a backup took the place of a history is noted in it, on either engine."""

import pytest

from bot.campaign.command import RollOptions
from bot.campaign.kinds import Visibility
from bot.campaign.proof import round_after
from bot.campaign.proof_commands import GiveRound
from bot.campaign.rolls import RollDice
from bot.dice.errors import DiceError
from bot.storage.moving import note_restored
from tests.storage.asking import Storage, audited, caller, nobody, opened
from tests.storage.test_ledgers import commit, keyed, secrets


async def test_it_ends_keys_and_drops_what_is_owed(database_url: str) -> None:
    """A hidden roll does not tell it, the next public one does; a round of drand is awaited no more."""
    async with opened(database_url) as storage:
        begun = await keyed(storage, commit(drand=True))
        await storage.writer.write(caller(ago=60), RollDice("2d6"))
    async with opened(database_url) as storage:
        await storage.transact(note_restored(1, 1_795_000_000_000))
        hidden = RollDice("2d6", options=RollOptions(visibility=Visibility.GM))
        told = [await storage.writer.write(caller(), one) for one in (hidden, RollDice("2d6"))]
        late = GiveRound(1, (round_after(begun.milliseconds), "00" * 32, "00" * 48))
        with pytest.raises(DiceError, match="Nobody waits"):
            await storage.writer.write(nobody(), late)
        await audited(storage)

        assert await secrets(storage) == []
        assert [[event.seq for event in one.undelivered] for one in told] == [[], [4]]


async def test_what_is_not_there_notes_nothing(storage: Storage) -> None:
    """A campaign that was deleted stays so."""
    await storage.transact(note_restored(1, 1_795_000_000_000))

    assert await storage.numbers("SELECT count(*) FROM event") == [0]

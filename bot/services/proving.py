"""Proof mode: make keys, commit to them once they were shown, and renew them in time."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.proof import KeysCommitted, ProofMode, round_after, time_of_round
from bot.campaign.proof_commands import CommitKeys, GiveRound, ShowKeys
from bot.dice.draws import Source, SourcedDraws
from bot.dice.errors import DiceError, Unavailable
from bot.entropy.drand import Drand
from bot.entropy.web import Refused
from bot.record.proof_mode import SECRET_BYTES, Epoch, keys_root
from bot.services.access import DataStore, current_campaign
from bot.storage import ledgers, reading
from bot.storage.ledgers import KeysInUse
from bot.storage.queries import Queries
from bot.storage.transactions import Request
from bot.times import milliseconds_of

ROUNDS_AWAITED = 200
"""Rounds of drand, of three seconds each, after which a missing round is given up."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FreshKeys:
    """Unused keys, and the root that commits to them."""

    root: str
    """64 hexadecimal digits, to be shown before the first roll."""
    secret: bytes = field(repr=False)
    source: Source


@dataclass(frozen=True, slots=True)
class ProofStatus:
    """The state of a campaign's proof mode."""

    proof: ProofMode
    salt: str
    seq: int
    """The number of the campaign's newest event."""
    commit: KeysCommitted | None
    """The commitment; None once it was removed with old history."""


@dataclass(frozen=True, slots=True)
class Proving:
    """The use cases of proof mode; `open_draws` gives the random bits of keys."""

    store: DataStore
    open_draws: Callable[[], SourcedDraws]
    drand: Drand

    async def prepare(self, caller: Caller, *, drand: bool = False) -> FreshKeys:
        """Return new keys for the caller's campaign.

        Raise NotAllowed unless the caller is a game master, DiceError for `drand` if it is switched off.
        """
        await self.store.reader.do(current_campaign(caller, for_masters=True))
        if drand and self.drand.url is None:
            raise DiceError("The host of this bot switched drand off. Try without it.")
        return self.fresh_keys()

    def fresh_keys(self) -> FreshKeys:
        """Return new keys."""
        draws = self.open_draws()
        secret = draws.below(1 << 8 * SECRET_BYTES).to_bytes(SECRET_BYTES)
        return FreshKeys(keys_root(Epoch(secret).leaves()).hex(), secret, draws.source)

    async def commit(
        self, caller: Caller, keys: FreshKeys, message: int, host: int | None = None, *, drand: bool = False
    ) -> Event:
        """Start proof mode with keys that a message has shown; see `CommitKeys` for `host` and `drand`."""
        command = CommitKeys(None, keys.root, keys.secret, keys.source, host, drand)
        return await self._commit_and_show(caller, command, message)

    async def status(self, caller: Caller) -> ProofStatus | None:
        """Return the state of proof mode; None if it is off."""
        return await self.store.reader.do(_load_status(caller))

    async def few_left(self) -> list[KeysInUse]:
        """Return the campaigns that need new keys soon."""
        return await self.store.reader.do(ledgers.keys_to_renew())

    async def renew(self, few: KeysInUse, keys: FreshKeys, message: int) -> Event:
        """Continue with new keys that a message has shown; raise DiceError if they were renewed already."""
        command = CommitKeys(few.campaign_id, keys.root, keys.secret, keys.source, follows=few.begun)
        # By Discord's clock, since this machine's may be wrong.
        nobody = Caller.nobody(milliseconds_of(message), few.channel_id)
        return await self._commit_and_show(nobody, command, message)

    async def _commit_and_show(self, caller: Caller, command: CommitKeys, message: int) -> Event:
        """Commit to keys and record the message that has shown them, which puts them to use."""

        def show(commit: Event) -> list[Request]:
            nobody = Caller.nobody(milliseconds_of(message), commit.channel_id)
            return [(nobody, ShowKeys(commit.campaign_id, commit.seq, message))]

        return (await self.store.writer.write_all([(caller, command)], show)).written_or_raise()[0].event

    async def awaited(self, at: float) -> list[KeysInUse]:
        """Return the keys that wait for a round of drand at a time in seconds since 1970."""
        after = round_after(int(at * 1000)) - ROUNDS_AWAITED
        return await self.store.reader.do(ledgers.keys_awaiting_drand(after))

    async def take_round(self, keys: KeysInUse) -> Event | None:
        """Wait for a round of drand and record it as salt; return None if it is missing or not awaited."""
        number = keys.drand or 0
        try:
            drand = await self.drand.round(number, time_of_round(number))
            caller = Caller.nobody(time_of_round(number), keys.channel_id)
            return (await self.store.writer.write(caller, GiveRound(keys.campaign_id, drand))).event
        except (Refused, DiceError, Unavailable) as error:
            _log.warning("Round %d of drand is missing: %s", number, error)
            return None


def _load_status(caller: Caller) -> Queries[ProofStatus | None]:
    access = yield from current_campaign(caller)
    status = yield from ledgers.proof_status(access.campaign_id)
    if status is None:
        return None
    proof, salt = status
    row = yield from reading.event(access.campaign_id, proof.begun)
    body = row.event.body if row else None
    commit = body if isinstance(body, KeysCommitted) else None
    return ProofStatus(proof, salt, access.seq, commit)

"""A campaign in memory, played with the pure rooms alone: every event is folded by `evolve`."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from bot.campaign.campaigns import REGISTER, UNNAMED, Remembers, Roller, Rules
from bot.campaign.command import Caller, Command, Following, Needs, RollOptions, decide
from bot.campaign.events import CallOpened, CardLeft, CardPlayed, Event, Revealed, Rolled, Undone
from bot.campaign.followups import Reveal
from bot.campaign.kinds import Visibility
from bot.campaign.replay import RollResult, read_roll
from bot.campaign.rolls import Misread, RollDice, TextCommand
from bot.campaign.state import Slot, State, evolve, fold_call
from bot.dice.draws import Draws, Source, seeded
from bot.dice.system import Memory, System
from bot.record.audit import Audit, Findings
from bot.record.hashing import Keyring
from bot.record.ledger import Ledger
from bot.systems.registry import print_spec
from bot.times import DISCORD_EPOCH

CHANNEL = 7
_FIRST = DISCORD_EPOCH + 240_000_000
"""When the first command is asked for, in milliseconds since 1970: the first ids of 16 digits."""
PLAYER = 123_456_789_012_345_678
"""A player with an id as long as Discord's."""

LOG = "0f" * 16
SECRET = bytes(range(32))


class _Everybody(dict[int, bytes]):
    """A key for each person, which their id says."""

    def __missing__(self, user_id: int) -> bytes:
        return user_id.to_bytes(32)

    def get(self, user_id: int, _default: object = None) -> bytes:  # pyright: ignore[reportIncompatibleMethodOverride] (never missing)
        return self[user_id]


KEYS = Keyring(SECRET, _Everybody())


class Local:
    """Draws labelled as the machine's own."""

    source = Source.LOCAL

    def __init__(self, draws: Draws) -> None:
        self.below = draws.below
        self.choose = draws.choose


@dataclass
class Campaign:
    """One campaign with one channel."""

    ledger: Ledger = field(default_factory=lambda: Ledger(1, LOG, SECRET))
    rollers: dict[str, Roller] = field(default_factory=dict[str, Roller])
    memories: dict[str, dict[Slot, Memory]] = field(default_factory=dict[str, dict[Slot, Memory]])
    """By roller, then by epoch and owner."""
    events: list[Event] = field(default_factory=list[Event])
    revealed: set[int] = field(default_factory=set[int])
    undone: set[int] = field(default_factory=set[int])
    rules: Rules = UNNAMED.rules
    evening: int = 0
    session: bool = False

    def ask(
        self,
        command: Command,
        draws: Draws,
        user: int = PLAYER,
        *,
        at: int | None = None,
        manages: bool | None = None,
    ) -> Event:
        """Return the event of a command; an error that it raises leaves the campaign unchanged.

        `at` is when it is asked, in milliseconds since 1970. Who asks for what is a game master's `manages`
        the place, unless it is said.
        """
        while True:
            try:
                return self._ask(command, draws, user, at, manages=manages)
            except Misread as refused:
                assert isinstance(command, TextCommand)
                command = command.reparse(refused)

    def _ask(
        self, command: Command, draws: Draws, user: int, at: int | None, *, manages: bool | None
    ) -> Event:
        number = len(self.events) + 1
        moment = (_FIRST + number if at is None else at) - DISCORD_EPOCH
        caller = Caller(moment << 22, 9, CHANNEL, user)
        if manages is None:
            manages = bool(command.right(caller, self.rules)) or isinstance(command, Reveal)
        caller = replace(caller, manages=manages)
        needs = command.needs()
        state = self.state(needs, user)
        body = decide(command, caller, state, lambda: Local(draws))
        self.ledger, event, *_ = self.ledger.append(
            caller, command.options_in(state), body, KEYS.people[user]
        )
        self.events.append(event)
        self._keep(self._key(needs), state, evolve(state, event))
        if event.target and isinstance(event.body, Revealed | CardPlayed):
            self.revealed.add(event.target)
        if event.target and isinstance(event.body, Undone):
            self.undone.add(event.target)
        return event

    def state(self, needs: Needs, user: int = PLAYER) -> State:
        """Return the state that a command of this player with these needs sees."""
        roller = self.rollers.get(self._key(needs))
        seq = (roller.last if roller else 0) if needs.last else needs.event or 0
        event = self.events[seq - 1] if 1 <= seq <= len(self.events) else None
        called = event is not None and isinstance(event.body, CallOpened)
        follows = called and needs.following is not Following.NONE
        following = [e for e in self.events if e.target == seq and e.seq not in self.undone]
        if needs.following is Following.OWN:
            following = [e for e in following if e.user_id == user or not isinstance(e.body, Rolled)]
        return State(
            played=True,
            roller=roller,
            memories=self.memories.get(self._key(needs), {}),
            event=event,
            undone=seq in self.undone,
            is_in_hand=bool(event and self._holds(event)),
            revealed=seq in self.revealed,
            call=fold_call(event, following) if event and follows else None,
            session=self.session,
            push=next((e.seq for e in self.events if _pushes(e, seq) and e.user_id == user), None),
            campaign=replace(UNNAMED, rules=self.rules, evening=self.evening),
        )

    def seen(self, key: str) -> object:
        """All that players can notice of a roller: None where there is none, and so for a fresh register."""
        roller = self.rollers.get(key)
        if roller is None or roller.system is None:
            return None
        start = roller.system.start()
        memories = {
            owner: memory
            for (epoch, owner), memory in self.memories.get(key, {}).items()
            if epoch == roller.since(self.evening) and memory != start
        }
        if key == REGISTER and not memories:
            return None
        return roller.name, roller.spec, roller.memory, memories

    def _holds(self, event: Event) -> bool:
        """Whether it drew a card that is in a hand."""
        departures = (e for e in self.events if e.target == event.seq and isinstance(e.body, CardLeft))
        drawn = isinstance(event.body, Rolled) and event.body.hand and event.seq not in self.undone
        return drawn and all(e.seq in self.undone for e in departures)

    def _key(self, needs: Needs) -> str:
        """Return the casefolded name of the roller that a command is about; a call may name it."""
        body = self.events[needs.event - 1].body if needs.called and needs.event else None
        if isinstance(body, CallOpened) and body.roller and (body.text or not needs.roller):
            return body.roller.casefold()
        return needs.roller

    def _keep(self, key: str, before: State, after: State) -> None:
        self.evening, self.session = after.campaign.evening, after.session
        if after.roller is not None and after.roller is not before.roller:
            self.rollers[key] = after.roller
        if after.memories:
            self.memories.setdefault(key, {}).update(after.memories)


def audited(events: Iterable[Event], audit: Audit | None = None) -> Findings:
    """Return the verdict of an audit of stored events, from the first one on."""
    audit = audit or Audit(LOG)
    for event in events:
        audit.see_stored(event, KEYS)
    return audit.findings


def rolled(
    text: str,
    times: int = 1,
    seed: int = 0,
    *,
    label: str = "",
    visibility: Visibility = Visibility.PUBLIC,
) -> RollResult:
    """Return a roll of plain dice in a new campaign."""
    command = RollDice(text, times, RollOptions(label, visibility))
    return read_roll(Campaign().ask(command, seeded(seed)))


def rolled_with(
    system: System, times: int = 1, seed: int = 0, *, name: str = "evil", label: str = ""
) -> RollResult:
    """Return the first roll of a new roller of that system."""
    campaign = Campaign(rollers={name: Roller(name, print_spec(system), Remembers.TABLE, epoch=0)})
    return read_roll(campaign.ask(RollDice(name, times, RollOptions(label)), seeded(seed)))


def _pushes(event: Event, number: int) -> bool:
    return isinstance(event.body, Rolled) and event.body.pushes == number

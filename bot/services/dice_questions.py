"""What a question about dice is about: whose, which die, which evening; and the rolls that tell."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.histories import Session
from bot.campaign.replay import SOURCES, count, counted_faces, is_roller, roller_die, tosses
from bot.campaign.rolled import OfDice
from bot.dice.errors import Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.system import System
from bot.services.sessions import Sessions
from bot.services.sight import unknown_before
from bot.stats.luck import Owners, find_faces, plain_die
from bot.storage import campaigns, reading
from bot.storage.queries import Queries, Reader
from bot.storage.rows import Row
from bot.words.games import face, recorded

NO_DICE = "Nobody rolled that here yet. Roll it first."
ROLLER_EVENTS = 5_000
"""How many of the newest events of a roller with a memory, or for a character, are looked at."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whose numbers, of which roller or die, of which evening; None is all."""

    user_id: int | None = None
    roller: str | None = None
    session: int | None = None
    """The number of the event that began the evening."""
    character: str = ""
    """The name of a character; "" for all rolls."""
    owners: Owners = ()
    """Who gains from which faces."""


@dataclass(frozen=True, slots=True)
class CountedDie:
    """A die of a campaign's counts."""

    key: str
    name: str
    system: System
    named: bool
    """Whether it is a roller with a name."""

    def faces(self, event: Event) -> Sequence[str]:
        """Return the faces of it that a roll shows, in order."""
        roll = event.roll
        if not roll.counts or isinstance(roll.of, OfDice) is self.named:
            return ()
        if self.named:
            return counted_faces(roll) if self.key == roller_die(event.roller, roll.spec) else ()
        return [result for key, result in tosses(event) if key == self.key]

    def by_hand(self, event: Event) -> bool:
        """Return whether a roll is of it and was thrown by hand."""
        roll = event.roll
        if not roll.thrown or isinstance(roll.of, OfDice) is self.named:
            return False
        if self.named:
            return self.key == roller_die(event.roller, roll.spec)
        return any(key == self.key for key, _ in tosses(event))


@dataclass(frozen=True, slots=True)
class DiceQuestion:
    """A question that has an answer."""

    campaign_id: int
    user_id: int | None
    session: Session | None
    dice: tuple[CountedDie, ...]
    """Those that it may be about, the one rolled most first."""
    character: str = ""
    owners: Owners = ()

    def includes(self, row: Row) -> bool:
        """Return whether a roll counts, and is of whom the question is about."""
        event = row.event
        named = self.character.casefold() in {"", event.character.casefold()}
        theirs = event.player_id is not None or not self.character
        return row.counts and named and theirs and self.user_id in {None, event.player_id}


@dataclass(frozen=True, slots=True)
class DiceQuestions:
    """Finds what a question is about."""

    reader: Reader
    sessions: Sessions

    async def ask(self, caller: Caller, wanted: Wanted) -> DiceQuestion:
        """Return the question, in one trip; Unknown where there is no such roller, evening, or roll.

        SpecError for an owner of faces that the die has not.
        """
        session = None
        if wanted.session is not None:
            _, session = await self.sessions.past(caller, wanted.session)
        campaign_id, dice = await self.reader.do(_dice(caller, wanted.user_id))
        if campaign_id is None:
            raise Unknown("Nobody rolled here yet. Begin with `/roll 2d6`.")
        if wanted.roller is not None:
            named = clean(wanted.roller, NAME_LIMIT)
            dice = [die for die in dice if die.name.casefold() == named.casefold()]
            if not dice:
                raise Unknown(
                    "Nothing that counts was rolled with {named} here yet. `/roller list` shows the rollers.",
                    named=named,
                )
        if not dice:
            if wanted.user_id:
                raise Unknown("{player} has rolled no dice here yet.", player=f"<@{wanted.user_id}>")
            raise Unknown(NO_DICE)
        system = dice[0].system
        named = tuple((one, recorded(system, of)) for one, of in wanted.owners)
        owners = find_faces(system, named, [face(system, each) for each in system.faces] if named else ())
        character = clean(wanted.character)
        return DiceQuestion(campaign_id, wanted.user_id, session, tuple(dice), character, owners)

    async def names(self, caller: Caller) -> list[str]:
        """Return the names of what was rolled here, the most rolled first."""
        return [die.name for die in (await self.reader.do(_dice(caller, None)))[1]]

    async def rolls(self, asked: DiceQuestion) -> list[Row]:
        """Return the rolls of the evening, or the newest ones, that stand, the oldest first."""
        if asked.session:
            return await self.sessions.rolls(asked.campaign_id, asked.session)
        return await self.reader.do(_newest(asked.campaign_id, None, None, ROLLER_EVENTS))

    async def newest(self, asked: DiceQuestion, die: CountedDie, most: int) -> list[Row]:
        """Return the newest rolls that may show the die and stand, the oldest first: of `most` events."""
        user_id, roller = (None, die.name) if die.named else (asked.user_id, None)
        return await self.reader.do(_newest(asked.campaign_id, user_id, roller, most))


def commonest(asked: DiceQuestion, rolls: Sequence[Row]) -> CountedDie:
    """Return the die that the question is about and that these rolls show most; Unknown for none."""
    most = Counter[str]()
    for row in filter(asked.includes, rolls):
        for (key, _), n in count(row.event).items():
            most[key] += n
    rolled = [die for die in asked.dice if most.get(die.key)]
    if not rolled:
        raise Unknown(NO_DICE)
    return max(rolled, key=lambda die: most[die.key])


def _newest(campaign_id: int, user_id: int | None, roller: str | None, most: int) -> Queries[list[Row]]:
    rows = yield from reading.newest(campaign_id, most, user_id=user_id, roller=roller)
    return (yield from unknown_before([row for row in reversed(rows) if row.stands]))


def _dice(caller: Caller, user_id: int | None) -> Queries[tuple[int | None, list[CountedDie]]]:
    """Return a campaign's rollers and the plain dice that were rolled, the most rolled first."""
    campaign_id = yield from campaigns.played(caller)
    if campaign_id is None:
        return None, []
    counts: Mapping[str, int] = yield from reading.dice(campaign_id, user_id)
    dice = [
        CountedDie(roller_die(roller.name, roller.spec), roller.name, roller.system, named=True)
        for roller in (yield from reading.rollers(campaign_id))
        if roller.system
    ]
    plain = [key for key in counts if not is_roller(key) and key != SOURCES]
    dice += [CountedDie(key, key, plain_die(key), named=False) for key in plain]
    rolled = [die for die in dice if counts.get(die.key, 0) > 0]
    return campaign_id, sorted(rolled, key=lambda die: -counts[die.key])

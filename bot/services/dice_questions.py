"""Resolve a statistics query to its player, die and session, and load the rolls for it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.histories import Filter, Session
from bot.campaign.replay import (
    SOURCES,
    count,
    counted_faces,
    is_roller,
    plain_tosses,
    roller_die,
    throws_plain_dice,
    tosses,
)
from bot.campaign.rolled import OfDice
from bot.dice.errors import Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.system import System
from bot.services.sessions import Sessions
from bot.services.visibility import without_hidden_memories
from bot.stats.luck import Owners, find_faces, plain_die
from bot.storage import campaigns, reading
from bot.storage.queries import Queries, Reader
from bot.storage.rows import Row
from bot.words.games import face, recorded_faces
from bot.words.notation import in_notation

NO_DICE = "No roll that counts fits all of that. Leave the player, character, session or roller out."
_SEVERAL = re.compile(r"\d++(?P<die>d\d++|dF|d%).*", re.ASCII | re.IGNORECASE)
_PERCENT = re.compile(r"(?<![^\W\d])d%\Z", re.ASCII | re.IGNORECASE)
ROLLER_EVENTS = 5_000
"""Newest events examined for a roller with a memory, or for a character."""


@dataclass(frozen=True, slots=True)
class StatsQuery:
    """A statistics query by player, roller or die, and session; None matches all."""

    user_id: int | None = None
    roller: str | None = None
    session: int | None = None
    """The number of the event that started the session."""
    character: str = ""
    """The name of a character; "" matches all rolls."""
    owners: Owners = ()
    """Owners with the faces that they gain from."""


@dataclass(frozen=True, slots=True)
class CountedDie:
    """A roller or a plain die in a campaign's counts of faces."""

    key: str
    name: str
    system: System
    is_roller: bool
    """True for a roller, False for plain dice."""

    def rolls_of(self, user_id: int | None) -> Filter:
        """Return the filter of the events that may show it: a roller's, or for plain dice a player's."""
        return Filter(roller=self.name) if self.is_roller else Filter(user_id)

    def faces(self, event: Event) -> Sequence[str]:
        """Return the faces of this die that a roll shows, in order."""
        roll = event.roll
        if not roll.counts:
            return ()
        if self.is_roller:
            return counted_faces(roll) if self._is_of(event) else ()
        return [result for key, result in plain_tosses(event) if key == self.key]

    def by_hand(self, event: Event) -> bool:
        """Return whether a roll of this die was thrown by hand."""
        roll = event.roll
        if not roll.thrown:
            return False
        if self.is_roller:
            return self._is_of(event)
        return throws_plain_dice(roll) and any(key == self.key for key, _ in tosses(event))

    def _is_of(self, event: Event) -> bool:
        """Return whether a roll is one of this roller."""
        roll = event.roll
        return not isinstance(roll.of, OfDice) and self.key == roller_die(event.roller, roll.spec)


@dataclass(frozen=True, slots=True)
class DiceQuestion:
    """A resolved statistics query."""

    campaign_id: int
    user_id: int | None
    session: Session | None
    dice: tuple[CountedDie, ...]
    """The dice that match, most rolled first."""
    character: str = ""
    owners: Owners = ()

    def includes(self, row: Row) -> bool:
        """Return whether a roll counts, and matches the player and character."""
        event = row.event
        matches_character = self.character.casefold() in {"", event.character.casefold()}
        has_player = event.player_id is not None or not self.character
        return row.counts and matches_character and has_player and self.user_id in {None, event.player_id}


@dataclass(frozen=True, slots=True)
class DiceQuestions:
    """The use cases of resolving statistics queries."""

    reader: Reader
    sessions: Sessions

    async def ask(self, caller: Caller, query: StatsQuery) -> DiceQuestion:
        """Resolve a query; raise Unknown if there is no such roller, session or roll.

        Raise SpecError for owners of faces that the die does not have.
        """
        session = None
        if query.session is not None:
            _, session = await self.sessions.past(caller, query.session)
        campaign_id, dice = await self.reader.do(_load_dice(caller, query.user_id))
        if not campaign_id:
            raise Unknown("Nobody rolled here yet. Begin with `/roll 2d6`.")
        if query.roller is not None:
            name = _PERCENT.sub("d100", clean(in_notation(query.roller, ("d",)), NAME_LIMIT))
            dice = [die for die in dice if die.name.casefold() == name.casefold()]
            if not dice and (several := _SEVERAL.fullmatch(name)):
                raise Unknown("Plain dice count one by one. Take `{die}`.", die=several["die"])
            if not dice and query.user_id:
                raise Unknown(
                    "{player} has rolled nothing that counts with {named} here yet.",
                    player=f"<@{query.user_id}>",
                    named=name,
                )
            if not dice:
                raise Unknown(
                    "Nothing that counts was rolled with {named} here yet. `/roller list` shows the rollers.",
                    named=name,
                )
        if not dice and query.user_id:
            raise Unknown(
                "{player} has rolled no dice here yet that count: plain ones, or a roller.",
                player=f"<@{query.user_id}>",
            )
        if not dice:
            raise Unknown("Nobody has rolled dice here yet that count: plain ones, or a roller.")
        system = dice[0].system
        claims = tuple((owner, recorded_faces(system, faces)) for owner, faces in query.owners)
        labels = [face(system, key) for key in system.faces] if claims else ()
        owners = find_faces(system, claims, labels)
        character = clean(query.character)
        return DiceQuestion(campaign_id, query.user_id, session, tuple(dice), character, owners)

    async def names(self, caller: Caller) -> list[str]:
        """Return the names of the dice rolled here, most rolled first."""
        return [die.name for die in (await self.reader.do(_load_dice(caller, None)))[1]]

    async def rolls(self, question: DiceQuestion) -> list[Row]:
        """Return the session's valid rolls, else the newest ones, oldest first."""
        if question.session:
            return await self.sessions.rolls(question.campaign_id, question.session)
        return await self.reader.do(_load_newest(question.campaign_id, Filter(), ROLLER_EVENTS))

    async def newest(self, question: DiceQuestion, die: CountedDie, limit: int) -> list[Row]:
        """Return valid rolls among the newest `limit` events that may show the die, oldest first."""
        return await self.reader.do(_load_newest(question.campaign_id, die.rolls_of(question.user_id), limit))


def most_rolled_die(question: DiceQuestion, rolls: Sequence[Row]) -> CountedDie:
    """Return the question's die that these rolls show most; raise Unknown if they show none."""
    totals = Counter[str]()
    for row in filter(question.includes, rolls):
        for (key, _), number in count(row.event).items():
            totals[key] += number
    rolled = [die for die in question.dice if totals.get(die.key)]
    if not rolled:
        raise Unknown(NO_DICE)
    return max(rolled, key=lambda die: totals[die.key])


def _load_newest(campaign_id: int, only: Filter, limit: int) -> Queries[list[Row]]:
    rows = yield from reading.newest(campaign_id, limit, only)
    return (yield from without_hidden_memories([row for row in reversed(rows) if row.stands]))


def _load_dice(caller: Caller, user_id: int | None) -> Queries[tuple[int, list[CountedDie]]]:
    """Return the campaign's id, and its rollers and plain dice that were rolled, most rolled first."""
    campaign_id = yield from campaigns.played(caller)
    counts: Mapping[str, int] = yield from reading.dice(campaign_id, user_id)
    dice = [
        CountedDie(roller_die(roller.name, roller.spec), roller.name, roller.system, is_roller=True)
        for roller in (yield from reading.rollers(campaign_id))
        if roller.system
    ]
    plain = [key for key in counts if not is_roller(key) and key != SOURCES]
    dice += [CountedDie(key, key, plain_die(key), is_roller=False) for key in plain]
    rolled = [die for die in dice if counts.get(die.key, 0) > 0]
    return campaign_id, sorted(rolled, key=lambda die: -counts[die.key])

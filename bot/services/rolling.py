"""Rolling: every roll is written first and told afterwards, and the answer is read off what was written."""

from dataclasses import dataclass, replace

from bot.campaign.calls import entries
from bot.campaign.d100_rolls import OtherWay, RollMethod
from bot.campaign.deals import DealCards
from bot.campaign.destinations import MAP, RollDestination
from bot.campaign.details import Details, moment
from bot.campaign.events import Asked, Event, Kind
from bot.campaign.name_rolls import RollForNames
from bot.campaign.replay import Rolled, is_practice, read_roll
from bot.campaign.request import Request
from bot.campaign.reveals import Reveal, may_see
from bot.campaign.rolls import REGISTER, RollDice, RollRegister
from bot.campaign.rules import Whose
from bot.d100.register import Register
from bot.dice import notation
from bot.dice.errors import NotAllowed, NotationError, Unknown
from bot.services.access import Access, Person, check_here
from bot.services.maps import longmarch
from bot.services.pace import Pace
from bot.storage import campaigns, cutting, reading
from bot.storage.asking import Piece
from bot.storage.reading import Reader
from bot.storage.rows import Row
from bot.storage.writer import Writer, Written
from bot.systems.registry import load_spec

CHOICE_LIMIT = 100
"""As many characters has a choice that Discord offers while somebody types."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A fresh roll, and earlier ones whose replies Discord did not take."""

    rolled: Rolled
    late: tuple[Event, ...]
    receipt: Written


class Rolling:
    """The use cases of rolling dice."""

    def __init__(self, writer: Writer, reader: Reader, pace: Pace | None = None) -> None:
        self._pace = pace or Pace()
        self._writer = writer
        self._reader = reader
        self._access = Access(reader)

    async def roll(self, asked: Asked, text: str, times: int = 1, *, practice: bool = False) -> Answer:
        """Roll a roller of the channel, or notation; DiceError where the text is neither, or it is too soon.

        For practice it is rolled with plain dice, and no memory counts it.
        """
        return await self.ask(asked, RollDice(text, times, practice))

    async def register(self, asked: Asked, dice: int, times: int = 1, *, practice: bool = False) -> Answer:
        """Add so many six-sided dice to the asker's d100 register, or for practice to 0."""
        return await self.ask(asked, RollRegister(dice, times, practice))

    async def deal(self, asked: Asked, deck: str, cards: int = 1, *, practice: bool = False) -> Answer:
        """Deal so many cards of a deck, or offers of several; DiceError where it has no cards."""
        return await self.ask(asked, DealCards(deck, cards, practice))

    async def destination(self, asked: Asked, name: str = MAP) -> Answer:
        """Roll a region and its city on a map of the channel; the shipped one where it has none."""
        return await self.ask(asked, RollDestination(longmarch(), name))

    async def ask(self, asked: Asked, request: Request) -> Answer:
        """The roll that a request asks for; DiceError where it is too soon."""
        self._pace.take(asked)
        written = await self._writer.write(asked, request)
        self._pace.learn(asked.channel_id, written.campaign.rules.pace)
        return Answer(read_roll(written.event), written.undelivered, written)

    async def again(self, asked: Asked, campaign_id: int, number: int) -> Answer:
        """The same roll once more, hidden as it was; NotAllowed unless the asker rolled it.

        Unknown if its roller is not there any more.
        """
        event = (await self._find(asked, campaign_id, number)).event
        if event.user_id != asked.user_id:
            raise NotAllowed("Only who rolled can roll that again. Use /roll for one of your own.")
        asked = replace(asked, label=event.label or "", visibility=event.visibility)
        if names := tuple(entry.name for entry in entries(event) if entry.name):
            dice = event.roller or str(notation.parse(event.text).body)
            return await self.ask(asked, RollForNames(dice, names))
        if not event.roller:
            return await self.roll(asked, event.text, practice=is_practice(event))
        system = load_spec(event.spec)
        times = len(event.results) // system.hand
        if event.roller == REGISTER and isinstance(system, Register):
            return await self.register(asked, system.dice, times, practice=is_practice(event))
        if isinstance(system, OtherWay):
            return await self.ask(asked, RollMethod(system, times, is_practice(event)))
        try:
            return await self.roll(asked, event.roller, times, practice=is_practice(event))
        except NotationError:
            raise Unknown(f"The roller {event.roller} is not here any more.") from None

    async def details(self, asked: Asked, person: Person, campaign_id: int, number: int) -> Details:
        """A roll with the odds and the memory of its moment, as far as the person may see them."""
        rolled = await self.look(asked, person, campaign_id, number)
        person = await self._access.known(person, campaign_id)
        found = await self._reader.do(campaigns.campaign(campaign_id))
        shown = person.is_gm or found is None or found.campaign.rules.odds is Whose.EVERYONE
        return Details(rolled, moment(rolled) if shown else None)

    async def look(self, asked: Asked, person: Person, campaign_id: int, number: int) -> Rolled:
        """A hidden roll, for somebody who may see it or once it is revealed; NotAllowed for others."""
        row = await self._find(asked, campaign_id, number)
        person = await self._access.known(person, campaign_id)
        if not row.revealed and not may_see(row.event, person.user_id, is_gm=person.is_gm):
            raise NotAllowed(f"#{number} is hidden from you. Who may see it can reveal it.")
        return read_roll(row.event)

    async def reveal(self, asked: Asked, person: Person, campaign_id: int, number: int) -> Rolled:
        """Show a hidden roll to everybody; NotAllowed unless the person may see it."""
        event = (await self._find(asked, campaign_id, number)).event
        person = await self._access.known(person, campaign_id)
        await self._writer.write(asked, Reveal(number, is_gm=person.is_gm, campaign_id=campaign_id))
        return read_roll(event)

    async def suggest(self, channel_id: int, user_id: int, typed: str) -> list[str]:
        """What the asker may mean: the channel's rollers first, then their own recent rolls; 25 at most.

        What was typed stands before them as soon as it reads as dice, for Enter takes the first one.
        Texts of more than 100 characters are left out, for Discord takes none in a list of choices.
        """
        rollers = [roller.name for roller in await self._reader.do(reading.rollers(channel_id))]
        recent = await self._reader.do(reading.recent_rolls(user_id, channel_id, limit=25))
        wanted = typed.strip().casefold()
        fitting = [text for text in [*rollers, *recent] if wanted in text.casefold()]
        if notation.reads(typed):
            fitting.insert(0, typed.strip())
        return [text for text in dict.fromkeys(fitting) if len(text) <= CHOICE_LIMIT][:25]

    def delivered(self, answer: Answer) -> None:
        """Note that Discord took the reply."""
        self._writer.delivered(answer.receipt)

    def lost(self, answer: Answer) -> None:
        """Note that Discord refused the reply: the roll stands, and shows at the next one."""
        self._writer.lost(answer.receipt)

    async def _find(self, asked: Asked, campaign_id: int, number: int) -> Row:
        return await self._reader.do(_found(asked, campaign_id, number))


def _found(asked: Asked, campaign_id: int, number: int) -> Piece[Row]:
    yield from check_here(asked, campaign_id)
    row = yield from reading.event(campaign_id, number)
    beginning = (yield from cutting.beginning(campaign_id)) if row is None else None
    if beginning and number <= beginning.cut.upto:
        raise Unknown(f"#{number} was removed with the old part of the history.")
    if row is None or row.event.kind is not Kind.ROLL:
        raise Unknown(f"There is no roll #{number} here.")
    return row

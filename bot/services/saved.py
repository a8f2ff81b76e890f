"""Rolls saved under a name, each player's own or shared by a game master, in the campaign played there."""

from dataclasses import dataclass
from typing import NamedTuple

from bot.campaign.command import Caller
from bot.dice import notation
from bot.dice.errors import DiceError, SpecError, Taken, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.naming import folded, taken
from bot.services.access import DataStore, current_campaign
from bot.services.naming import Known, Named, in_notation_here, known_here
from bot.services.on_account import OnAccount, mentions_account, on_account, read_on
from bot.storage import campaigns, saved
from bot.storage.engine import work
from bot.storage.queries import Queries

LIMIT = 50
"""A player can save so many rolls in a campaign."""


class SavedRoll(NamedTuple):
    """A roll that was saved."""

    name: str
    text: str
    also: str = ""
    """What has the name too: "number" goes before it, it goes before a "shared" roll or a game's words."""
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Saved:
    """The use cases of saved rolls."""

    store: DataStore

    async def save(
        self,
        caller: Caller,
        name: str,
        text: str,
        *,
        shared: bool = False,
        sure: bool = True,
        instead: bool = True,
    ) -> SavedRoll:
        """Keep dice under a name, for the caller or for everybody, `instead` of others of that name.

        Names in a shared roll are put as what they mean now, but for numbers. Raise Taken for a new name that
        is a word of the game that is played, unless the caller is sure; NotationError where the text is
        neither dice nor a roller of the campaign, SpecError for a luck account and for a name that is empty
        or may be notation or has others, DiceError over the limit, NotAllowed where a player shares a roll.
        """
        name, text = clean(name, NAME_LIMIT), text.strip()
        if not name:
            raise SpecError("A saved roll needs a name with letters.")
        about = await self.known(caller)
        if taken(name, about.rules.dialect):
            raise SpecError("{name} looks like dice. Take another name.", name=name)
        if name.casefold() in about.rollers:
            raise SpecError("There is a roller {name} here already. Take another name.", name=name)
        text = about.read(text, whose="" if shared else name)
        also, is_new = await self._also(caller, about, name, shared=shared)
        if is_new and not sure and about.game and about.game.roll(folded(name)):
            raise Taken(
                "{name} is a word of {game}. Save it anyway? `/roll {also}` still rolls the game's.",
                name=name,
                game=about.game.name,
                also=f"{about.game.key} {folded(name)}",
            )
        if not await work(self.store.database, _kept(caller, name, text, shared=shared, instead=instead)):
            if shared:
                raise DiceError("This campaign has {most} saved rolls. Remove one first.", most=LIMIT)
            raise DiceError("You have {most} saved rolls. Remove one first.", most=LIMIT)
        return SavedRoll(name, text, also, shared)

    async def _also(self, caller: Caller, about: Known, name: str, *, shared: bool) -> tuple[str, bool]:
        """Return what has a name too, before a roll is saved under it, and whether that is new."""
        key, own = folded(name), {folded(each) for each, _ in await self.all(caller)}
        is_new = key not in (about.names.saved if shared else own)
        if key in about.names.numbers:
            return "number", is_new
        if not shared and key in about.names.saved and key not in own:
            return "shared", is_new
        return (f"{about.game.key} {key}" if about.game and about.game.roll(key) else ""), is_new

    async def remove(self, caller: Caller, name: str, *, shared: bool = False) -> None:
        """Remove a saved roll; Unknown if there is none, NotAllowed where a player removes a shared one."""
        name = clean(name, NAME_LIMIT)
        if not await work(self.store.database, _removed(caller, name, shared=shared)):
            if shared:
                raise Unknown("There is no shared roll `{name}` here. `/save` shows them.", name=name)
            raise Unknown("You have no saved roll `{name}` here. `/save` shows them.", name=name)

    async def all(self, caller: Caller) -> list[tuple[str, str]]:
        """Return the names and texts of the caller's saved rolls here, by name."""
        return await self.store.reader.do(_all_of(caller, caller.user_id))

    async def shared(self, caller: Caller) -> list[tuple[str, str]]:
        """Return the names and texts of the rolls that everybody here may use, by name."""
        return await self.store.reader.do(_all_of(caller, saved.SHARED))

    async def text(self, caller: Caller, name: str) -> str:
        """Return the dice that the caller may roll under a name; where there are none, the name."""
        return (await self.known(caller)).names.saved.get(folded(name), name)

    async def known(self, caller: Caller) -> Known:
        """Return what texts may mean here."""
        return await self.store.reader.do(known_here(caller))

    async def in_notation(self, caller: Caller, text: str) -> str:
        """Return a text with the words of dice of its language as notation."""
        return await in_notation_here(self.store.reader, caller, text)

    async def named(self, caller: Caller, command: Named) -> Named:
        """Return a command with the luck account that stands in its dice, `on Luck`, as its own."""
        return on_account(command, await self.known(caller)) if mentions_account(command.said) else command

    async def on_account(self, caller: Caller, text: str, account: str = "") -> OnAccount | None:
        """Return dice without names, the account behind them or that one, and the DC; None for no account."""
        if not (account or mentions_account(text)):
            return None
        names = await self.known(caller)
        found = OnAccount(text, account) if account else read_on(text, names)
        if found is None:
            return None
        meant = names.meant(found.dice) if found.dice and not notation.reads(found.dice) else None
        return found._replace(dice=meant.text) if meant and not meant.roller else found


def offered(campaign_id: int, user_id: int) -> Queries[list[str]]:
    """Return the names of somebody's saved rolls in a campaign, and of the shared ones."""
    own = yield from saved.all_of((campaign_id, user_id))
    shared = yield from saved.all_of((campaign_id, saved.SHARED))
    return [*dict.fromkeys(name for name, _ in [*own, *shared])]


def _all_of(caller: Caller, owner: int) -> Queries[list[tuple[str, str]]]:
    campaign_id = yield from campaigns.played(caller)
    return [] if campaign_id is None else (yield from saved.all_of((campaign_id, owner)))


def _owner(caller: Caller, campaign_id: int, *, shared: bool) -> Queries[saved.Owner]:
    """Return whose a saved roll is, alone with the campaign; NotAllowed where the caller may not share it."""
    yield from campaigns.lock(campaign_id)
    if shared:
        yield from current_campaign(caller, for_masters=True)
    return campaign_id, saved.SHARED if shared else caller.user_id


def _kept(caller: Caller, name: str, text: str, *, shared: bool, instead: bool) -> Queries[bool]:
    owner = yield from _owner(caller, (yield from campaigns.settle_in(caller)), shared=shared)
    there = {} if instead else {each.casefold(): dice for each, dice in (yield from saved.all_of(owner))}
    if there.get(name.casefold(), text) != text:
        raise SpecError(
            "There is another shared roll of that name. Remove it first."
            if shared
            else "You have saved other dice under that name. Remove them first."
        )
    return (yield from saved.keep(owner, name, text, LIMIT))


def _removed(caller: Caller, name: str, *, shared: bool) -> Queries[bool]:
    campaign_id = yield from campaigns.played(caller)
    if campaign_id is None:
        return False
    return (yield from saved.remove((yield from _owner(caller, campaign_id, shared=shared)), name))

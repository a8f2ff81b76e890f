"""Saved rolls: named dice of one player, or shared by a game master, in the current campaign."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from bot.campaign.call_commands import OpenCall
from bot.campaign.campaigns import USUAL
from bot.campaign.checks import RollCheck
from bot.campaign.command import Caller
from bot.campaign.d100_rolls import KEPT
from bot.campaign.events import RollerRemoved
from bot.campaign.histories import Filter
from bot.dice import notation
from bot.dice.errors import DiceError, NameTaken, NotationError, SpecError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.naming import Vocabulary, folded, is_taken
from bot.parsing.commands import (
    Named,
    OnAccount,
    must_take_dice,
    on_account,
    parse_account_roll,
    split_comment,
)
from bot.parsing.kept import read_to_keep
from bot.parsing.names import CampaignNames
from bot.parsing.offers import offer_guesses, offer_words
from bot.parsing.texts import mentions_account, says_roll, split_at_advantage, split_dc
from bot.rulebooks.options import UnknownWord
from bot.rulebooks.played import low_passes
from bot.services.access import DataStore, current_campaign
from bot.storage import campaigns
from bot.storage.belongings import (
    SHARED,
    Owner,
    available_rolls,
    numbers_of,
    remove_roll,
    save_roll,
    saved_rolls,
)
from bot.storage.campaigns import in_played
from bot.storage.engine import transact
from bot.storage.ledgers import lock_ledger
from bot.storage.queries import Queries, Reader
from bot.storage.reading import newest, rollers
from bot.words.notation import before_account, in_notation

_BEHIND_NAME = re.compile(r"[-+*/();#<>=]|\b(?:adv|dis|vs|dc|ac|on)\b", re.IGNORECASE)
"""What ends the name of a roller."""
LIMIT = 50
"""Most saved rolls per player and campaign."""


class SavedRoll(NamedTuple):
    """A saved roll."""

    name: str
    text: str
    also: str = ""
    """What else has the name: a "number", which wins over it, or a "shared" roll or a game's words."""
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
        """Save dice under a name, for the caller or for everybody; `instead` replaces a saved roll.

        Names in a shared roll are resolved now, except numbers. Raise NameTaken for a new name that is a word
        of the campaign's game, unless the caller is `sure`; NotationError if the text is neither dice nor a
        roller of the campaign; SpecError for a luck account and for a name that is empty, in use or may be
        notation; DiceError over the limit; NotAllowed if a player shares a roll.
        """
        name, text = clean(name, NAME_LIMIT), text.strip()
        if not name:
            raise SpecError("A saved roll needs a name with letters.")
        names = await self.names(caller)
        if is_taken(name, names.rules.dialect):
            raise SpecError("{name} looks like dice. Take another name.", name=name)
        if name.casefold() in names.rollers:
            raise SpecError("There is a roller {name} here already. Take another name.", name=name)
        text = read_to_keep(names, text, saved_as="" if shared else name)
        also, is_new = await self._find_namesake(caller, names, name, shared=shared)
        if is_new and not sure and names.game and names.game.roll(folded(name)):
            raise NameTaken(
                "{name} is a word of {game}. Save it anyway? `/roll {also}` still rolls the game's.",
                name=name,
                game=names.game.name,
                also=f"{names.game.key} {folded(name)}",
            )
        if not await transact(self.store.database, _keep(caller, name, text, shared=shared, instead=instead)):
            if shared:
                raise DiceError("This campaign has {most} saved rolls. Remove one first.", most=LIMIT)
            raise DiceError("You have {most} saved rolls. Remove one first.", most=LIMIT)
        return SavedRoll(name, text, also, shared)

    async def _find_namesake(
        self, caller: Caller, names: CampaignNames, name: str, *, shared: bool
    ) -> tuple[str, bool]:
        """Return what else has a name before a roll is saved under it, and whether the name is new."""
        key, own_names = folded(name), {folded(saved_name) for saved_name, _ in await self.all(caller)}
        is_new = key not in (names.vocabulary.saved if shared else own_names)
        if key in names.vocabulary.numbers:
            return "number", is_new
        if not shared and key in names.vocabulary.saved and key not in own_names:
            return "shared", is_new
        return (f"{names.game.key} {key}" if names.game and names.game.roll(key) else ""), is_new

    async def remove(self, caller: Caller, name: str, *, shared: bool = False) -> None:
        """Remove a saved roll; Unknown if there is none, NotAllowed if a player removes a shared one."""
        name = clean(name, NAME_LIMIT)
        if not await transact(self.store.database, _remove(caller, name, shared=shared)):
            if shared:
                raise Unknown("There is no shared roll `{name}` here. `/save` shows them.", name=name)
            raise Unknown("You have no saved roll `{name}` here. `/save` shows them.", name=name)

    async def all(self, caller: Caller) -> list[tuple[str, str]]:
        """Return the names and texts of the caller's saved rolls here, by name."""
        return await self.store.reader.do(in_played(caller, lambda at: saved_rolls((at, caller.user_id))))

    async def shared(self, caller: Caller) -> list[tuple[str, str]]:
        """Return the names and texts of the campaign's shared rolls, by name."""
        return await self.store.reader.do(in_played(caller, lambda at: saved_rolls((at, SHARED))))

    async def text(self, caller: Caller, name: str) -> str:
        """Return the dice that are saved under a name; the name itself if there are none."""
        return (await self.names(caller)).vocabulary.saved.get(folded(name), name)

    async def names(self, caller: Caller) -> CampaignNames:
        """Return the names that the caller can type here."""
        return await self.store.reader.do(load_names(caller))

    async def in_notation(self, caller: Caller, text: str) -> str:
        """Return a text with the dice words of its language as notation."""
        return await translate_dice_words(self.store.reader, caller, text)

    async def comment(self, caller: Caller, text: str) -> str:
        """Return what is said behind dice, "fire" for `2d6 # fire`; "" for nothing."""
        return split_comment(await self.in_notation(caller, text))[1]

    async def resolve_account(self, caller: Caller, command: Named) -> Named:
        """Return a command with a luck account that its dice name, `on Luck`, moved to its own field.

        Raise SpecError if its dice are a roller: that has a memory too.
        """
        has_account = isinstance(command, RollCheck | OpenCall) and bool(command.account)
        if not (has_account or mentions_account(command.source_text)):
            return command
        names = await self.names(caller)
        if mentions_account(command.source_text):
            resolved = on_account(command, names)
            if resolved is command:
                await self._must_be_present(caller, command.source_text)
            command = resolved
        if isinstance(command, RollCheck | OpenCall) and command.account and names.is_roller(command.dice):
            raise must_take_dice(command.dice)
        return command

    async def on_account(self, caller: Caller, text: str, account: str = "") -> OnAccount | None:
        """Return dice without names, their account (or this one) and the DC; None without an account."""
        if not (account or mentions_account(text)):
            return None
        names, text = await self.names(caller), await self.in_notation(caller, text)
        dice, dc = split_dc(text)
        account_roll: OnAccount | None = OnAccount(dice, account, dc, low_passes(dice, names.game))
        if not account:
            account_roll = parse_account_roll(text, names)
        if account_roll is None:
            await self._must_be_present(caller, text)
            return None
        dice = account_roll.dice
        resolved = names.resolve_text(dice) if dice and not notation.reads(dice) else None
        if names.is_roller(dice) or (resolved and resolved.roller):
            raise must_take_dice(resolved.roller if resolved else dice)
        return account_roll._replace(dice=resolved.text) if resolved else account_roll

    async def _must_be_present(self, caller: Caller, text: str) -> None:
        """Raise Unknown for dice on an account that was removed."""
        if removed := await self.store.reader.do(find_removed(caller, before_account().split(text)[-1])):
            raise removed


def load_saved_names(campaign_id: int, user_id: int) -> Queries[list[str]]:
    """Return the names of a player's saved rolls in a campaign, and of the shared ones."""
    own = yield from saved_rolls((campaign_id, user_id))
    shared = yield from saved_rolls((campaign_id, SHARED))
    return [*dict.fromkeys(name for name, _ in [*own, *shared])]


def _resolve_owner(caller: Caller, campaign_id: int, *, shared: bool) -> Queries[Owner]:
    """Lock the campaign and return the owner of a saved roll; NotAllowed if the caller may not share it."""
    yield from lock_ledger(campaign_id)
    if shared:
        yield from current_campaign(caller, for_masters=True)
    return campaign_id, SHARED if shared else caller.user_id


def _keep(caller: Caller, name: str, text: str, *, shared: bool, instead: bool) -> Queries[bool]:
    owner = yield from _resolve_owner(caller, (yield from campaigns.find_or_make(caller)), shared=shared)
    rolls = [] if instead else (yield from saved_rolls(owner))
    existing = {saved_name.casefold(): dice for saved_name, dice in rolls}
    if existing.get(name.casefold(), text) != text:
        raise SpecError(
            "There is another shared roll of that name. Remove it first."
            if shared
            else "You have saved other dice under that name. Remove them first."
        )
    return (yield from save_roll(owner, name, text, LIMIT))


def _remove(caller: Caller, name: str, *, shared: bool) -> Queries[bool]:
    campaign_id = yield from campaigns.played(caller)
    if not campaign_id:
        return False
    return (yield from remove_roll((yield from _resolve_owner(caller, campaign_id, shared=shared)), name))


def explain_refusal(caller: Caller, text: str, refusal: SpecError | NotationError) -> Queries[DiceError]:
    """Return the refusal of a text with what its unknown words may be, or that of a removed roller's name."""
    if isinstance(refusal, UnknownWord):
        return offer_words((yield from load_names(caller)), refusal, text)
    if isinstance(refusal, SpecError):
        return offer_guesses((yield from load_names(caller)), refusal, text)
    return (yield from find_removed(caller, text)) or refusal


def find_removed(caller: Caller, text: str) -> Queries[Unknown | None]:
    """Return the refusal of a text that begins with the name of a removed roller; None for other texts."""
    name = _BEHIND_NAME.split(text, 1)[0].strip()
    current = (yield from campaigns.played_campaign(caller)) if name else None
    rows = (yield from newest(current.campaign_id, 1, Filter(roller=name.casefold()))) if current else []
    event = rows[0].event if rows else None
    if event is None or not isinstance(event.body, RollerRemoved):
        return None
    return Unknown("The roller {name} was removed. `/roller undo {name}` brings it back.", name=event.roller)


async def translate_dice_words(reader: Reader, caller: Caller, text: str) -> str:
    """Return a text with the dice words of its language as notation, and an advantage behind its name.

    Query only if there are any.
    """
    # A name may stand for the dice before its words.
    behind_dice = f"1d20 {text}"
    if in_notation(text) == text and in_notation(behind_dice) == behind_dice and not split_at_advantage(text):
        return text
    return in_notation(text) if says_roll(text) else (await reader.do(load_names(caller))).in_notation(text)


def load_names(caller: Caller) -> Queries[CampaignNames]:
    """Return the names that the caller can type in the current campaign."""
    current = yield from campaigns.played_campaign(caller)
    if current is None:
        return CampaignNames({}, USUAL, Vocabulary())
    by_name = {roller.name.casefold(): roller for roller in (yield from rollers(current.campaign_id))}
    available = yield from available_rolls((current.campaign_id, caller.user_id))
    roller_names = {folded(roller.name): roller.name for key, roller in by_name.items() if key not in KEPT}
    # A roller's name alone rolls it without a look-up, so it goes first in sums too.
    roll_texts = {name: text for name, text in available.items() if name not in roller_names}
    numbers = yield from numbers_of(current.campaign_id, caller.user_id)
    return CampaignNames(by_name, current.campaign.rules, Vocabulary(numbers, roll_texts, roller_names))

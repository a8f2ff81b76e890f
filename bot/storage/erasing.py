"""Erase a person from every history, or a server's data; the trees of what stays hold.

Each step is a transaction of its own on the connection that writes, between two batches.
"""

from dataclasses import dataclass

from sqlalchemy import Delete, Table, bindparam, delete, literal, select, union, update

from bot.campaign.command import OPEN, Caller
from bot.campaign.events import Event, PersonErased
from bot.campaign.kinds import Kind
from bot.record.hashing import Keys
from bot.record.ledger import Ledger, without_person
from bot.storage import schema
from bot.storage.ledgers import forget_person, keyring, lock_ledger
from bot.storage.places import new_key
from bot.storage.queries import Queries, Query, changing, insert_or
from bot.storage.rows import EVENTS, GONE, IN_USE, IS_MASTER, OWN_WORDS, of_campaign, of_user, read_event
from bot.storage.saving import NOBODY, adding_counts, save_appended

_c, _e, _t = schema.campaign.c, schema.event.c, schema.tally.c

CHUNK = 500
"""Events deleted in one transaction, so that rolls never wait for long."""

# Where the history was cut off, a memory may be older than all that is left of it.
_their_memory = schema.memory.c.owner_id == bindparam("user")
_rollers = select(schema.roller.c.campaign_id).join_from(schema.memory, schema.roller)
_REMEMBER = _rollers.where(_their_memory)
_COUNT = select(_t.campaign_id).where(of_user(schema.tally))
_KNOW = select(schema.person.c.campaign_id).where(of_user(schema.person))
_CONCERNED = select(_c.id).where(IN_USE, _c.id.in_(union(_KNOW, _REMEMBER, _COUNT))).order_by(_c.id).limit(1)
_COUNTING = select(_c.id).where(_c.id.in_(_COUNT)).order_by(_c.id).with_for_update()
_THEIRS = EVENTS.where(of_campaign(schema.event), of_user(schema.event)).order_by(_e.seq).limit(CHUNK)
_theirs = of_campaign(schema.tally) & of_user(schema.tally)
_FORGET_COUNTS = adding_counts(select(_t.campaign_id, literal(NOBODY), _t.die, _t.face, _t.n).where(_theirs))
_DROP_COUNTS = delete(schema.tally).where(_theirs)
_PERSON = ("user_id", *OWN_WORDS)
_ERASE = changing(schema.event, *_PERSON, "who", "words")
_BEGIN = insert_or(schema.erasure).on_conflict_do_nothing(index_elements=["user_id"])
_UNFINISHED = select(schema.erasure).order_by(schema.erasure.c.user_id).limit(1)
# Locked first, so that of several processes one at a time does a step of it.
_OF_PERSON = select(schema.erasure).where(of_user(schema.erasure)).with_for_update()
_AT_HAND = changing(schema.erasure, "campaign_id", "events")
_FINISH = delete(schema.erasure).where(of_user(schema.erasure))
_NOTED = EVENTS.where(_e.interaction_id == bindparam("interaction"), _e.kind == Kind.ERASE.value)
_FORGET_MEMORIES = delete(schema.memory).where(_their_memory, of_campaign(schema.memory))
_belongings = schema.saved, schema.character, schema.seat, schema.hand
_FORGET_BELONGINGS = (
    delete(schema.master).where(IS_MASTER),
    *[delete(table).where(of_user(table)) for table in _belongings],
    # That others throw for somebody stays: else whoever hosts the bot could go on by themselves.
    update(schema.epoch).where(schema.epoch.c.host == bindparam("user")).values(host=NOBODY),
)
# Who noted what is not kept.
_UNNOTE = update(schema.board).where(of_campaign(schema.board)).values(notes="[]")
_FORGET_BETS = delete(schema.evidence).where(of_campaign(schema.evidence), of_user(schema.evidence))
_FORGET_HOME = delete(schema.home).where(schema.home.c.id == bindparam("place"))
_AT_HOME = select(_c.id).where(_c.home == bindparam("place")).order_by(_c.id).with_for_update()
_BARE = {"home": 0, "guild_id": None, "name": None, "name_key": None, "rules": "{}"}
_HIDE = changing(schema.campaign, "key", *_BARE)
_HIDDEN = select(_c.id).where(_c.key >= GONE, _c.key < GONE[:-1] + ";").limit(1)
NEXT = select(_e.seq).where(of_campaign(schema.event)).order_by(_e.seq).limit(1).offset(CHUNK)
"""The number of the event behind those that are deleted together, of the oldest ones."""
_NEEDED = {
    schema.person,
    schema.spec,
    schema.roller,
    schema.memory,
    schema.event,
    schema.keyhash,
    schema.tile,
}
"""What goes last of a campaign: who reads its events meanwhile needs the keys and all else."""


def _whole(table: Table) -> Delete:
    return delete(table).where(of_campaign(table))


_FORGET_ABOUT = tuple(_whole(table) for table in reversed(schema.OF_CAMPAIGNS) if table not in _NEEDED)
_DELETE_BELOW = _whole(schema.event).where(_e.seq < bindparam("upto"))
_DELETE_ALL = (
    *map(_whole, reversed(schema.OF_CAMPAIGNS)),
    delete(schema.campaign).where(_c.id == bindparam("campaign")),
)


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure came to."""

    events: int
    campaigns: int


def begin_erasure(caller: Caller) -> Queries[None]:
    """Note that the caller is being erased, so that it goes on after a stop; drop what is no history."""
    mine = {"user": caller.user_id}
    if not (yield Query(_OF_PERSON, mine)) and (yield Query(_NOTED, {"interaction": caller.interaction_id})):
        return
    yield Query(_BEGIN, {"user_id": caller.user_id, "interaction_id": caller.interaction_id, "events": 0})
    for row in (yield Query(_COUNTING, mine)):
        yield from forget_tallies(row["id"], caller.user_id)
    # Behind the locks on campaigns: who holds one of those may wait for these rows.
    yield from _forget_belongings(caller.user_id)


def unfinished_erasure() -> Queries[int | None]:
    """Return somebody who is being erased still; None for nobody."""
    rows = yield Query(_UNFINISHED)
    return int(rows[0]["user_id"]) if rows else None


def erase_some(user_id: int) -> Queries[bool]:
    """Take a person out of some of their events, 500 at most; whether there is more to do.

    The last step in a campaign deletes their key and notes that somebody was erased, but not who. What they
    do meanwhile goes with them: a campaign may need another step then, and what is no history the last one.
    """
    mine = {"user": user_id}
    rows = yield Query(_OF_PERSON, mine)
    if not rows:
        return False
    concerned = [row["campaign_id"] for row in rows if row["campaign_id"] is not None]
    concerned = concerned or [row["id"] for row in (yield Query(_CONCERNED, mine))]
    if not concerned:
        yield from _forget_belongings(user_id)
        yield Query(_FINISH, mine)
        return False
    campaign_id: int = concerned[0]
    at_hand = {"at_user_id": user_id, "campaign_id": None, "events": 0}
    ledger = yield from lock_ledger(campaign_id)
    if ledger is None:
        yield Query(_AT_HAND, at_hand)
        return True
    here = {"campaign": campaign_id, "user": user_id}
    keys = yield from keyring(ledger)
    found = [read_event(row) for row in (yield Query(_THEIRS, here))]
    yield Query(_ERASE, [_erased_row(without_person(event, keys.keys(user_id))) for event in found])
    yield from forget_tallies(campaign_id, user_id)
    done: int = rows[0]["events"] + len(found)
    if len(found) == CHUNK:
        yield Query(_AT_HAND, {**at_hand, "campaign_id": campaign_id, "events": done})
        return True
    yield Query(_FORGET_MEMORIES, here)
    yield Query(_UNNOTE, {"campaign": campaign_id})
    yield from forget_person(campaign_id, user_id)
    yield from _note(ledger, user_id, rows[0]["interaction_id"], done)
    yield Query(_AT_HAND, at_hand)
    return True


def _note(ledger: Ledger, user_id: int, interaction_id: int, events: int) -> Queries[None]:
    """Note in a campaign that somebody was erased, once for each erasure.

    None stands where a stop has put the erasure off until that is long past: no history may have it there.
    """
    if ledger.has_no_room(interaction_id):
        return
    noted: list[int] = [row["campaign_id"] for row in (yield Query(_NOTED, {"interaction": interaction_id}))]
    if ledger.campaign_id in noted:
        return
    caller = Caller(interaction_id, None, 0, user_id)
    # Its own key is kept nowhere.
    secret = new_key()
    appended = ledger.append(caller, OPEN, PersonErased(events=events), secret)
    yield from save_appended(appended, without_person(appended.event, Keys(ledger.secret, secret)))


def erased(interaction_id: int) -> Queries[Erased]:
    """Return what the erasure that an interaction asked for came to."""
    bodies = [read_event(row).body for row in (yield Query(_NOTED, {"interaction": interaction_id}))]
    return Erased(sum(one.events for one in bodies if isinstance(one, PersonErased)), len(bodies))


def hide_home(home: int) -> Queries[int]:
    """Take all campaigns of a server or a channel out of use, to be deleted; how many there were.

    A roll that comes meanwhile begins a new campaign.
    """
    campaigns: list[int] = [row["id"] for row in (yield Query(_AT_HOME, {"place": home}))]
    yield Query(_FORGET_HOME, {"place": home})
    for campaign_id in campaigns:
        for statement in _FORGET_ABOUT:
            yield Query(statement, {"campaign": campaign_id})
        yield Query(_HIDE, {"at_id": campaign_id, "key": f"{GONE}{campaign_id}", **_BARE})
    return len(campaigns)


def forget_tallies(campaign_id: int, user_id: int) -> Queries[None]:
    """Make a player's counts in a locked campaign nobody's, and end the bets on their dice alone.

    What there is of everybody together stays as it is.
    """
    for statement in (_FORGET_COUNTS, _DROP_COUNTS, _FORGET_BETS):
        yield Query(statement, {"campaign": campaign_id, "user": user_id})


def _forget_belongings(user_id: int) -> Queries[None]:
    """Forget what is no history."""
    for statement in _FORGET_BELONGINGS:
        yield Query(statement, {"user": user_id})


def delete_some() -> Queries[bool]:
    """Delete some of what is out of use; whether there is more."""
    hidden = yield Query(_HIDDEN)
    if not hidden:
        return False
    here = {"campaign": hidden[0]["id"]}
    upto = yield Query(NEXT, here)
    if upto:
        yield Query(_DELETE_BELOW, {**here, "upto": upto[0]["seq"]})
    else:
        for statement in _DELETE_ALL:
            yield Query(statement, here)
    return True


def _erased_row(event: Event) -> dict[str, object]:
    sealed = zip(("who", "words"), map(bytes.fromhex, event.seal.kept or ()), strict=True)
    at = {"at_campaign_id": event.campaign_id, "at_seq": event.seq}
    return {**at, **dict(sealed), **dict.fromkeys(_PERSON)}

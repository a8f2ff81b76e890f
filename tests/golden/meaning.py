"""What a history means, as plain JSON: the one file that knows how the bot keeps it.

Who rolled what and where, the dice as they fell, what the rollers remember then, who may see it, what calls
came to, and if the exports hold. No seal, salt, head, id or byte that chance or a format decides.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from io import BytesIO
from typing import Any, NamedTuple, TypeAlias

from simcord import ChannelHandle, MemberActor

from bot.campaign.call_terms import Form
from bot.campaign.campaigns import TABLE, CampaignEntry, MasterKind, Remembers, Roller
from bot.campaign.command import Caller
from bot.campaign.d100_rolls import METHODS
from bot.campaign.events import (
    CallOpened,
    CampaignArchived,
    CampaignCreated,
    CampaignRenamed,
    CampaignUsed,
    Event,
    HistoryCut,
    MasterChanged,
    Rolled,
    RollerMade,
    RulesSet,
    SessionMarked,
)
from bot.campaign.followups import may_see
from bot.campaign.kinds import Kind, Visibility
from bot.campaign.proof import KeysCommitted, SaltGiven
from bot.campaign.replay import CallEntry, entries, replay
from bot.campaign.state import fold_call, owner_of
from bot.dice.system import Memory, System
from bot.record.audit import Audit
from bot.record.codec import encode, encode_value
from bot.record.exchange import Reading as Checking
from bot.record.hashing import Keyring
from bot.record.known import rollers_from_cut
from bot.record.lineage import Lineage
from bot.record.lines import EventRecord, read_record
from bot.storage import belongings, campaigns, ledgers, reading
from bot.storage.queries import Reader
from bot.storage.rows import Row
from bot.systems.odds import odds
from bot.systems.registry import SYSTEMS, load_spec, print_spec
from tests.golden.printing import numbers, shown
from tests.support.table import Table
from tests.support.wire import reply

Meaning: TypeAlias = dict[str, Any]

KINDS = frozenset(kind.value for kind in Kind) - {"choose", "restored"}
"""All that an event of the evening can be: it is put back to no backup, and no offer is made yet."""
RULES = frozenset({*SYSTEMS, *METHODS})
"""Every system, and every way to a d100, by name."""
_ALL = 10_000
_NOBODY = "somebody erased"


class Export(NamedTuple):
    """What somebody is told of each event, and what checking it found."""

    items: Sequence[EventRecord]
    audit: Audit


class Reading:
    """Reads the campaigns of a table; `names` are the people, roles and channels by their ids."""

    def __init__(self, t: Table, names: Mapping[int, str], channels: Sequence[ChannelHandle]) -> None:
        self._t = t
        self._names = names
        self._channels = channels
        self._reader = Reader(t.database.reader)
        self._name: str | None = None
        """What the campaign was called at the event that is read."""

    async def everything(self) -> Meaning:
        """Every campaign that one of the channels plays, and every other that has a name on the server."""
        meant: Meaning = {}
        for channel in self._channels:
            number = await self._reader.do(campaigns.played(Caller.nobody(0, channel.id)))
            if number and (found := await self._reader.do(campaigns.campaign(number))):
                meant[found.campaign.name or self._names[channel.id]] = await self._campaign(found, channel)
        for found in await self._reader.do(campaigns.named_campaigns(self._t.guild.id)):
            if found.campaign.name not in meant:
                meant[str(found.campaign.name)] = await self._campaign(found, None)
        return meant

    async def _campaign(self, found: CampaignEntry, channel: ChannelHandle | None) -> Meaning:
        number = found.campaign_id
        self._name = None
        rows = (await self._reader.do(reading.page(number, limit=_ALL)))[::-1]
        told = {who.name: await _export(who, channel) for who in self._t.world.actors} if channel else {}
        return {
            "archived": found.campaign.archived,
            "own": found.campaign.own,
            "played in": [self._names[one] for one in await self._reader.do(campaigns.channels(number))],
            "rules": encode_value(found.campaign.rules),
            "game masters": sorted(
                self._master(m.kind, m.id) for m in await self._reader.do(campaigns.masters(number))
            ),
            "events": self._events(rows, told, (await self._reader.do(ledgers.all_keys(number)))[1]),
            "calls": [await self._call(row.event) for row in rows if row.event.kind is Kind.CALL],
            "rollers": await self._rollers(number, channel),
            "counts": await self._counts(number),
            "saved": await self._saved(number),
            "exports": {who: _verdict(export) for who, export in told.items()},
        }

    def _master(self, kind: MasterKind, number: int) -> str:
        return f"{'@' if kind is MasterKind.ROLE else ''}{self._names[number]}"

    def _events(self, rows: Sequence[Row], told: Mapping[str, Export], keyring: Keyring) -> list[Meaning]:
        first = rows[0].event.seq if rows else 1
        fold = _fold_from(rows, keyring)
        shown: list[Meaning] = []
        left = {row.event.seq for row in rows if row.event.kind in {Kind.PLAY, Kind.DISCARD}}
        for place, row in enumerate(rows):
            if row.event.kind is not Kind.UNDO or row.event.target not in left:
                fold.see(row.event)
            items = {who: _told(export.items[place]) for who, export in told.items()}
            shown.append(self._event(row, fold, items, rows[: place + 1], first))
        return shown

    def _event(
        self, row: Row, fold: Lineage, told: Mapping[str, str], rows: Sequence[Row], first: int
    ) -> Meaning:
        event = row.event
        said: Meaning = {
            "n": event.seq,
            "kind": event.kind.value,
            "who": self._who(event),
            "where": self._names.get(event.channel_id),
            "label": event.label,
            "target": event.target,
            "undone": row.undone,
            "revealed": row.revealed,
            **self._about(event),
            **self._memories(event, fold),
        }
        if event.visibility is not Visibility.PUBLIC:
            said["hidden"] = event.visibility.value
            said["at first seen by"] = [
                who.name
                for who in self._t.world.actors
                if may_see(event, who.id, is_gm=who is self._t.world.mara)
            ]
        if len({*told.values()}) > 1 or "whole" not in told.values():
            said["told"] = dict(told)
        if event.kind in {Kind.CLOSE, Kind.REOPEN, Kind.CANCEL, Kind.REVEAL} and (event.target or 0) >= first:
            called = next(one.event for one in rows if one.event.seq == event.target)
            if called.kind is Kind.CALL:
                call = fold_call(called, [one.event for one in rows if one.event.target == called.seq])
                said["the call is"] = f"{call.status.value}, {'shown' if call.is_visible else 'hidden'}"
        return {key: value for key, value in said.items() if value not in (None, "", [], {}, False)}

    def _who(self, event: Event) -> str:
        if event.interaction_id is None:
            return "the bot"
        return _NOBODY if event.user_id is None else self._names[event.user_id]

    def _owner(self, owner: int | None) -> str:
        return _NOBODY if owner is None else "table" if owner == TABLE else self._names[owner]

    def _about(self, event: Event) -> Meaning:
        """Return the fields that belong to the event's kind alone."""
        said: Meaning = {"roller": event.roller}
        if event.kind is Kind.PLAY:
            said["results"] = encode(event.body).what["results"]
        match event.body:
            case Rolled():
                said |= _roll(event)
            case RollerMade() as body:
                said |= {"rule": json.loads(body.spec), "remembers": body.memory.value}
            case SessionMarked(mark=mark):
                said["mark"] = mark.value
            case CallOpened(text=text):
                said["dice"] = text
            case HistoryCut() as body:
                said |= {"days": body.days, "cut session": body.session and body.session[0]}
            case _:
                said |= self._about_campaign(event)
        return said

    def _about_campaign(self, event: Event) -> Meaning:
        """Return the fields of an event about the campaign, and note its name from then on."""
        match event.body:
            case MasterChanged() as body:
                master = "a person" if body.role is None else f"@{self._names[body.role]}"
                return {"done": "named" if body.named else "dismissed", "master": master}
            case RulesSet() as body:
                return {"before": encode_value(body.before), "after": encode_value(body.after)}
            case CampaignCreated(name=name):
                self._name = name
                return {"name": name}
            case CampaignRenamed() as body:
                self._name = body.name
                return {"before": body.before, "name": body.name}
            case CampaignUsed() | CampaignArchived():
                return {"name": self._name}
            case KeysCommitted() as body:
                return {"keys": body.keys, "bits": body.source}
            case SaltGiven(salt=salt, drand=drand):
                return {"drand": drand[0]} if drand else {"salt": salt}
            case _:
                return {}

    def _memories(self, event: Event, fold: Lineage) -> Meaning:
        """Return the memory after an event: its owner's after a roll, else all of the roller's."""
        known = fold.rollers.get(event.roller.casefold())
        if isinstance(body := event.body, Rolled):
            if not body.spec or body.practice or not load_spec(body.spec).has_state:
                return {}
            owner = owner_of(known.roller, event, body.whose) if known else None
            return {"leaves": {self._owner(owner): numbers(replay(event)[1] or ())}}
        if event.kind not in {Kind.MAKE, Kind.RESET, Kind.RESTART, Kind.REMOVE, Kind.UNDO} or known is None:
            return {}
        if known.roller.system is None:
            return {"leaves": "no roller"}
        rule = {} if event.kind is Kind.MAKE else {"rule": json.loads(print_spec(known.roller.system))}
        left = {
            self._owner(owner): numbers(memory)
            for (epoch, owner), memory in known.memories.items()
            if epoch == known.since and isinstance(owner, int)
        }
        return {**rule, "leaves": dict(sorted(left.items())) or "afresh"}

    async def _call(self, event: Event) -> Meaning:
        """How a call stands at last."""
        now = self._t.env.now().timestamp()
        standing = await self._t.app.calls.standing(event.campaign_id, event.seq, now)
        terms, verdict, turn = standing.call.terms, standing.verdict, standing.at_turn
        asks: Any = encode_value(replace(terms, form=Form.CHECK, role=None, visibility=Visibility.PUBLIC))
        return {
            "n": event.seq,
            "for": event.label,
            "dice": standing.call.dice,
            "form": terms.form.value,
            **asks,
            "role": None if terms.role is None else self._names[terms.role],
            "hidden": terms.visibility.value,
            "status": standing.call.status.value,
            "open": standing.is_open,
            "shown": standing.call.is_visible,
            "missing": [self._names[user_id] for user_id in standing.missing],
            "entries": [self._entry(entry) for entry in standing.call.entries],
            "order": [self._entry_name(entry) for entry in standing.order],
            "at turn": turn and self._entry_name(turn),
            "round": standing.turn and standing.turn.round,
            "judged": verdict.rolled,
            "succeeded": verdict.succeeded,
            "value": _fraction(verdict.value),
            "passed": verdict.passed,
            "margin": _fraction(verdict.margin),
        }

    def _entry(self, entry: CallEntry) -> Meaning:
        absent = {"absent": True} if entry.absent else {}
        return {"who": self._entry_name(entry), "n": entry.event.seq, "total": entry.total} | absent

    def _entry_name(self, entry: CallEntry) -> str:
        return entry.name or self._who(entry.event)

    async def _rollers(self, campaign_id: int, channel: ChannelHandle | None) -> list[Meaning]:
        """Return the rollers as the next roll will find them: each memory with its exact odds."""
        if channel is None:
            return []
        return [
            {
                "roller": roller.name,
                "rule": roller.system and json.loads(print_spec(roller.system)),
                "remembers": roller.memory.value,
                "next": {
                    self._owner(owner): _next(roller.system, memory)
                    for owner, memory in (await self._owned(roller, campaign_id)).items()
                    if roller.system and (memory is not None or owner == TABLE)
                },
            }
            for roller in await self._reader.do(reading.rollers(campaign_id))
        ]

    async def _owned(self, roller: Roller, campaign_id: int) -> dict[int, Memory | None]:
        people = [who.id for who in self._t.world.actors]
        users = [people[0]] if roller.memory is Remembers.TABLE else people
        key = roller.name.casefold()
        found = {user: await self._reader.do(reading.find_roller(campaign_id, key, user)) for user in users}
        return {roller.memory.owner(user): memory for user, (_, memory) in found.items()}

    async def _counts(self, campaign_id: int) -> list[Meaning]:
        """How often each face of each die came out; of one die with several rules, each by itself."""
        counted: list[Meaning] = []
        for die in await self._reader.do(reading.dice(campaign_id)):
            said: Meaning = {"die": die.split(":", 1)[-1]}
            for who in (None, *(actor.id for actor in self._t.world.actors)):
                faces = await self._reader.do(reading.faces(campaign_id, die, who))
                if some := {face: faces[face] for face in sorted(faces) if faces[face]}:
                    said["all" if who is None else self._names[who]] = some
            counted.append(said)
        return sorted(counted, key=json.dumps)

    async def _saved(self, campaign_id: int) -> Meaning:
        rolls = {
            who.name: await self._reader.do(belongings.saved_rolls((campaign_id, who.id)))
            for who in self._t.world.actors
        }
        return {who: dict(named) for who, named in rolls.items() if named}


def _fold_from(rows: Sequence[Row], keyring: Keyring) -> Lineage:
    """Return a fold from the history's start: with what a cut has kept, if there was one."""
    cut = next((row.event.body for row in rows if isinstance(row.event.body, HistoryCut)), None)
    if cut is None:
        return Lineage()
    return Lineage(rows[0].event.seq - 1, rollers_from_cut(cut.rollers), keyring.tag)


def _roll(event: Event) -> Meaning:
    """Return a roll's faces, its dice, and all that was typed for it."""
    body, (outcomes, _) = event.roll, replay(event)
    said: Meaning = {
        "text": body.text,
        "faces": list(body.results),
        "dice": [shown(outcome.throw) for outcome in outcomes if outcome.throw],
        "bits": body.source and body.source.value,
        "practice": body.practice,
    }
    if body.spec:
        rule = json.loads(body.spec)
        said["by"] = rule.get("method", rule["system"])
    said |= {
        "names": list(body.names),
        "lots": list(body.lots),
        "plus": body.plus,
        "keep": body.keep and body.keep.value,
        "check": body.check and encode_value(body.check),
        "stake": body.stake,
        "whose": body.whose and body.whose.value,
        "absent": body.absent,
    }
    if event.target is not None:
        said["totals"] = [entry.total for entry in entries(event)]
    return said


def _next(system: System, memory: Memory | None) -> Meaning:
    """Return the memory, and the faces by their exact chance."""
    now = system.start() if memory is None else memory
    faces: defaultdict[str, list[str]] = defaultdict(list)
    for face, chance in zip(system.faces, odds(system, now), strict=True):
        faces[str(chance)].append(face)
    return {"memory": "none yet" if memory is None else numbers(memory), "odds": _listed(faces)}


def _listed(faces: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {chance: ", ".join(faces[chance]) for chance in sorted(faces, key=Fraction)}


def _fraction(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


async def _export(who: MemberActor, channel: ChannelHandle) -> Export:
    """Somebody's export, verified as `verify` does it; raises Broken where it does not hold."""
    result = await who.slash(channel, "export", format="json")
    (file,) = (a for message in (reply(result), *result.followups) for a in message.attachments)
    text = await file.read()
    stream = BytesIO(text)
    checked = Checking()
    checked.read(stream.readline(), stream)
    assert checked.audit
    lines = [line for line in text.decode().splitlines() if line.startswith('{"channel"')]
    return Export([read_record(line) for line in lines], checked.audit)


def _told(told: EventRecord) -> str:
    return "hidden" if "what" in told.closed else "in part" if "how" in told.closed else "whole"


def _verdict(export: Export) -> Meaning:
    told = [(one.seq, _told(one)) for one in export.items]
    return {
        "holds": True,
        "events": f"#{export.audit.start + 1} to #{export.audit.seq}",
        "made again": export.audit.findings.remade,
        "hidden": sum(how == "hidden" for _, how in told),
        "by nobody": export.audit.findings.nobody,
        "in part": [seq for seq, how in told if how == "in part"],
    }

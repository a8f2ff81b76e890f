"""Who may what: every command by everybody, with what it leaves in the history or how it is refused.

A new command must be given a line in `SCRIPT`. The order matters: a line builds on those before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from pathlib import Path

import pytest
from discord import app_commands
from simcord import MemberActor

from tests.support.realm import LIMITS, Realm, Seat, kept, people, visits
from tests.support.table import Table, table
from tests.support.wire import reply


class Gate(Enum):
    """Who may."""

    ALL = auto()
    GMS = auto()
    MANAGERS = auto()


@dataclass(frozen=True, slots=True)
class Line:
    """A command with what it says and does for those who may, and what the others are told."""

    command: str
    options: Mapping[str, object] = field(default_factory=dict[str, object])
    says: str = ""
    """A part of the answer."""
    adds: int = 0
    """As many events does it leave in the history."""
    gate: Gate = Gate.ALL
    refused: str = ""
    unlisted: bool = False
    """Whether it needs what only a game master could have made here."""
    server: bool = False
    """Whether it is only there on servers."""


def _gm(command: str, says: str, adds: int = 1, **options: object) -> Line:
    return Line(command, options, says, adds, Gate.GMS, LIMITS)


def _group(command: str, says: str, adds: int = 1, **options: object) -> Line:
    return replace(_gm(f"group {command}", says, adds, **options), server=True)


def _needs(command: str, says: str, adds: int = 0, **options: object) -> Line:
    return Line(command, options, says, adds, unlisted=True)


CARDS = {"name": "Cards", "cards": "elk 3, owl 3"}
NOBODY = (
    "Only game masters can do that, and this place has none. Whoever makes a campaign here with "
    "`/campaign create` becomes its first one."
)
"""What who is no game master is told where nobody is one."""
NO_MANAGERS = "Only people with Manage Server can do that, and this place has none."
FILE = b'{"evenhand":2}\n{"about":{"saved":[{"name":"Fang","dice":"1d8"}]}}\n'
SCRIPT = (
    Line("help", says="**Roll**"),
    Line("lab sources", says="for the next roll"),
    Line("verify"),
    Line("lab convert", {"from": "d6", "to": 2}, "**d2 from d6** · exact: "),
    Line("lab tune", {"values": 2, "samples": 3}, "2 values, 3 rolls"),
    Line("roll", {"dice": "2d6"}, "**", 1),
    Line("r", {"dice": "2d6"}, "**", 1),
    Line("d100 roll", {}, "start 0", 1),
    Line("d100 physical", {"dice": "3 5 1 6"}, "thrown by hand", 1),
    Line("d100 physical", {}, "none yet"),
    Line("lab methods", {}, "**d100 from d6s** · "),
    Line("lab score", {"rule": "a+b"}, "a+b: rough"),
    Line("d100 show", {}, "register is at **"),
    Line("d100 reset", {}, "begins at 0", 1),
    Line("destination", {}, "**", 1),
    _gm("roller fair", "fair 2d6", name="Luck", dice="2d6"),
    _gm("roller dynamic", "dynamic 1d6", name="Waves"),
    _gm("roller deck", "deck of 1d6", name="Deck"),
    _gm("roller dice", "plain dice", name="Plain", dice="1d20+5"),
    _gm("roller cards", "deck, 6 cards", name="Cards", cards="elk 3, owl 3"),
    _gm("roller decks", "decks of", name="Two", decks="a: x 2; b: y 2"),
    _gm("roller blocks", "blocks of", name="Blocks", categories="a: x; b: y", block=2),
    _gm("roller chart", "chart of", name="Woods", dice="1d6", chart="1-3 elk; 4-6 owl"),
    _gm("roller luck", "", name="Fate"),
    _gm("roller renewal", "", name="Snow", chance="0.25"),
    _gm("roller recency", "", name="Tune", dice="1d6"),
    _gm("roller import", "plain dice", name="Brought", json='{"system":"dice","base":"3d6"}'),
    _gm("roller remove", "removed `Luck`", name="Luck"),
    _gm("roller undo", "undid", name="Luck"),
    _gm("roller reset", "It forgets every roll so far", 0, name="Luck"),
    _gm("admin reset", "forget every roll so far", 0, scope="campaign"),
    _needs("roller list", "**Cards**"),
    _needs("roller export", "`Cards`", name="Cards"),
    _needs("odds", "each result of **Cards**", what="Cards"),
    _needs("deal", "**", 1, deck="Cards"),
    Line("hand", says="You hold no cards."),
    _group("call", "Stealth", check="Stealth", dice="1d20"),
    _group("deal", "**Hand** · 1 card of `Cards` each", deck="Cards"),
    _group("initiative", "Initiative"),
    _group("show", "Initiative", 0),
    _group("npc", "Orc 2", dice="1d20", count=2, names="Orc"),
    Line("check", {"dice": "1d20", "dc": 11}, "**", 1),
    Line("buttons", {"set": "d20"}, "press a key"),
    Line("game list", says="No game is played here."),
    Line("game show", {"game": "fate"}, "Fate Core"),
    _gm("game use", "plays **Fate Core**", game="fate"),
    _gm("game import", "", 0, file=("game.json", b"{}")),
    _gm("game stop", "No game is played here any more"),
    _gm("campaign dialect", "", program="roll20"),
    Line("export", {"bring_back": ("rolls.json", FILE)}, "Fang"),
    Line("save", {"name": "Claw", "dice": "1d20+7"}, "`Claw`"),
    Line("me", {"set": "str 3"}, "**str** +3"),
    Line("save", says="**Claw**"),
    Line("history", {"number": 1}, "#1 ·"),
    Line("details", {"number": 10_000}, "There is no roll #10000 here."),
    Line("stats", {"roller": "d6"}, "`d6`"),
    Line("rigged", {"roller": "d6"}, "`d6`"),
    Line("export", says="The history:"),
    Line("data show", says="Stored about you"),
    Line("data forget", says="Erase yourself"),
    Line("admin settings", says="all see a roll"),
    _gm("admin settings", "all make rollers", makers="everyone"),
    Line("proof", says="Proof mode is off."),
    _gm("session start", "A session begins"),
    _gm("session end", "The session"),
    Line("session show", says=""),
    Line("admin erase", {}, "Delete everything", 0, Gate.MANAGERS,
         "Only people with Manage Server can delete a server's data."),
    Line("campaign list", says=""),
    Line("campaign show", says="entries in its history"),
    _gm("campaign gm add", " a game master of ", who="somebody"),
    _gm("campaign gm remove", " game masters", who="somebody"),
    _gm("campaign rename", "is called `Dragons", new="Dragons II"),
    _gm("campaign use", "their own campaign"),
    Line("campaign create", {"name": "Mine"}, "made the campaign `Mine`", 1),
    Line("campaign archive", {"name": "Mine"}, "archived the campaign `Mine`", 1),
)  # fmt: skip

MANAGERS_ONLY = {"admin"}
"""Commands that Discord shows to people with Manage Server alone, unless a server says otherwise."""
MARK = "100000"
"""Only the hidden roll of the server's campaign shows it."""


async def stage(t: Table, realm: Realm, seat: Seat) -> None:
    """The server's campaign with its game masters; whoever is elsewhere has one of the same names."""
    await _begin(realm.manager)
    await t.says(t.mara, "campaign gm add", who=t.bob)
    await t.says(t.mara, "campaign gm add", who=realm.role)
    await t.slash(t.ann, "roll", dice="1d9+1000000", visibility="blind", label="Sneak")
    if seat.who in {"stranger", "alone"}:
        await _begin(seat)


async def _begin(seat: Seat) -> None:
    for command, options in (
        ("campaign create", {"name": "Dragons"}),
        ("roller cards", CARDS),
        ("roll", {"dice": "2d6"}),
    ):
        await seat.slash(command, **options)


def expected(line: Line, who: str) -> tuple[str, int]:
    """What somebody is told, and how many events it leaves; a full stop at the end means the whole answer."""
    gms = {"named", "keeper", "manager", "stranger", "alone"}
    may = {Gate.ALL: True, Gate.GMS: who in gms, Gate.MANAGERS: who in {"manager", "stranger", "alone"}}
    if not may[line.gate]:
        nobody = NOBODY if line.gate is Gate.GMS else NO_MANAGERS
        return nobody if who == "guest" else line.refused, 0
    if line.unlisted and who == "guest":
        return "", 0
    return line.says, line.adds


def _hidden(line: Line, who: str) -> bool:
    """Whether Discord does not even offer the command to them."""
    return (line.server and who == "alone") or (
        line.command.split()[0] in MANAGERS_ONLY and who in {"player", "named", "keeper"}
    )


def available(seat: Seat) -> tuple[str, ...]:
    """The commands that Discord offers somebody where they are."""
    if isinstance(seat.actor, MemberActor):
        assert seat.channel
        return seat.actor.available_commands(seat.channel)
    return seat.actor.available_commands()


@pytest.mark.parametrize("who", ["player", "named", "keeper", "manager", "stranger", "alone", "guest"])
async def test_everybody_tries_every_command(tmp_path: Path, who: str) -> None:
    """What may be done is done, what may not is refused in private with a reason and changes nothing."""
    async with table(tmp_path, opened=False) as t:
        realm = people(t)
        seat: Seat = getattr(realm, who)
        await stage(t, realm, seat)
        home = await kept(t, t.guild.id)
        async with visits(t, realm.guest):
            before = await kept(t)
            for line in SCRIPT:
                if _hidden(line, who):
                    assert line.command not in available(seat)
                    continue
                assert line.command in available(seat)
                options = {k: seat.mate if v == "somebody" else v for k, v in line.options.items()}
                answer = await seat.slash(line.command, **options)
                said, adds = expected(line, who)
                text = reply(answer).content
                after = await kept(t)
                case = f"/{line.command} by {who}: {text}"

                refused = bool(said) and said != line.says
                assert text == said if refused else said in text, case
                assert len(after["event"]) - len(before["event"]) == adds, case
                if refused:
                    assert reply(answer).ephemeral, case
                    assert after == before, case
                if who in {"stranger", "alone", "guest"}:
                    assert MARK not in text, case
                    assert "Sneak" not in text, case
                before = after
        if who in {"stranger", "alone", "guest"}:
            assert await kept(t, t.guild.id) == home


async def test_a_players_file_brings_no_rollers(t: Table) -> None:
    """The saved rolls of an export come along, its rollers are left with the reason."""
    roller = b'{"name": "Even", "spec": "{\\"system\\":\\"dice\\",\\"base\\":\\"2d6\\"}"}'
    file = FILE.removesuffix(b"}}\n") + b',"rollers":[' + roller + b"]}}\n"
    answer = reply(await t.slash(t.ann, "export", bring_back=("rolls.json", file)))
    stored = await kept(t)
    made = await t.slash(t.mara, "export", bring_back=("rolls.json", file))

    assert "Only game masters can do that" in answer.content
    assert (len(stored["roller"]), len(stored["event"]), len(stored["saved"])) == (0, 0, 1)
    assert any("Even" in message.content for message in made.followups if not message.ephemeral)


async def test_no_command_is_left_out(t: Table) -> None:
    """The script has a line for every slash command that there is; menus are in another test."""
    commands = [c for c in t.bot.tree.walk_commands() if isinstance(c, app_commands.Command)]

    assert {c.qualified_name for c in commands} == {line.command for line in SCRIPT}

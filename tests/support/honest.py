"""Honest histories that a verifier could mistake for forged ones, made by the real bot.

Each is played on the simulated Discord in proof mode, and exported by commands.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from simcord import ChannelHandle, MemberActor

from bot.app import open_app
from bot.campaign.command import Caller
from bot.campaign.proof import KEYS
from bot.campaign.proof_commands import GiveSalt
from bot.record.hashing import canon
from bot.services.retention import Retention
from bot.storage.queries import Reader
from bot.times import INSTANCE_BITS
from tests.golden.company import gather
from tests.golden.evening import play
from tests.support.drand import Prompt, asking, drand_server
from tests.support.groups import adds, call, group_table, leads, named, plays, rolls
from tests.support.parts import withhold
from tests.support.proving import proof_off, proof_on, salts
from tests.support.restart import restartable
from tests.support.table import Table, settings
from tests.support.wire import Wire, reply

DAY = 86_400
START = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""Initial time of the simulated clock, in seconds since 1970."""


@dataclass
class Told:
    """Exports of a history and checkpoints of its players, by reader."""

    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    kept: dict[str, str] = field(default_factory=dict[str, str])

    async def take(self, t: Wire, where: ChannelHandle | None = None, name: str = "") -> None:
        """Export for Mara, the game master, and Bob, a player, and record their checkpoints."""
        for title, actor in (("mara", t.mara), ("bob", t.bob)):
            answer = await _sent(actor, where or t.channel, "export", format="json")
            checked = reply(await actor.slash(where or t.channel, "verify")).content
            self.files[name + title] = answer
            self.kept[name + title] = checked.split("```")[1].lstrip("\n")


async def missing(folder: Path) -> Told:
    """Roll for several missing players at once, after one of them has rolled."""
    result = Told()
    async with group_table(folder) as t:
        dan = t.guild.add_member(t.env.create_user("dan", global_name="Dan"))
        await t.says(t.mara, "roller fair", name="evil", dice="2d6")
        await proof_on(t, t.mara)
        for dice in ("1d20", "evil"):
            called = await call(t, dice, dc=9, players=named(t.ann, t.bob, dan))
            panel = await t.press(called, "GM…", t.mara)
            await rolls(t, called, t.bob)
            await t.press(panel, "Roll for the missing", t.mara)
            await t.says(t.ann, "roll", dice="evil")
        await result.take(t)
    return result


async def held(folder: Path) -> Told:
    """Reveal held rolls by the last press, by a game master, and at the close."""
    result = Told()
    async with group_table(folder) as t:
        await proof_on(t, t.mara)
        for last in ("press", "Roll for the missing", "Close", "Reveal"):
            called = await call(t, "1d20", players=named(t.ann, t.bob), hold=True)
            await rolls(t, called, t.ann)
            if last == "press":
                await rolls(t, called, t.bob)
            else:
                await leads(t, called, last)
            await t.says(t.bob, "roll", dice="1d20")
        await result.take(t)
    return result


async def imports(folder: Path) -> Told:
    """Import three rollers, of which one is refused; the others are parts 1 and 2."""
    result = Told()
    async with group_table(folder) as t:
        for name in ("evil", "own", "third"):
            await t.says(t.mara, "roller fair", name=name, dice="1d6")
        data = await _sent(t.mara, t.channel, "export", format="json")
        channel = t.guild.create_text_channel("there")
        await proof_on(t, t.mara, channel)
        await t.mara.slash(channel, "roller deck", name="own")
        await t.ann.slash(channel, "roll", dice="own")
        await t.mara.slash(channel, "export", bring_back=("export.json", data))
        for dice in ("evil", "own", "third"):
            await t.ann.slash(channel, "roll", dice=dice)
        await result.take(t, channel)
    return result


async def resets(folder: Path) -> Told:
    """Reset several rollers by one press, and restore them by another."""
    result = Told()
    async with group_table(folder) as t:
        await proof_on(t, t.mara)
        for name in ("evil", "own", "third"):
            await t.says(t.mara, "roller fair", name=name, dice="1d6", memory="player")
        for _ in range(2):
            await _roll_each(t, "evil", "own", "third")
            question = await t.slash(t.mara, "admin reset", scope="campaign")
            form = await t.press(question, "Reset…", t.mara)
            done = await t.mara.submit_modal(form, {"why": "A new season", "who": "Ann"})
            await t.says(t.ann, "roll", dice="1d20")
            await t.press(done, "Undo", t.mara)
        await _roll_each(t, "evil", "own", "third")
        await result.take(t)
    return result


async def erasure(folder: Path) -> Told:
    """Play as Dan in three campaigns, with hidden rolls too, and erase him from all at once."""
    result = Told()
    async with group_table(folder) as t:
        dan = t.guild.add_member(t.env.create_user("dan", global_name="Dan"))
        places = {name: t.guild.create_text_channel(name) for name in ("tavern", "cellar", "attic")}
        for where in places.values():
            await proof_on(t, t.mara, where)
            await t.mara.slash(where, "roller fair", name="own", dice="1d6", memory="player")
            for actor in (dan, t.ann, dan):
                await actor.slash(where, "roll", dice="own", label="mine")
            await dan.slash(where, "roll", dice="own", visibility="gm")
            await salts(t, dan, "owl", where)
        question = await dan.slash(t.channel, "data forget")
        await t.press(question, "Erase me", dan)
        for name, where in places.items():
            await t.ann.slash(where, "roll", dice="own")
            await result.take(t, where, f"{name} ")
    return result


async def renewal(folder: Path) -> Told:
    """Show new keys between two presses; they follow once the old keys are used up."""
    result = Told()
    async with group_table(folder) as t:
        await proof_on(t, t.mara)
        await salts(t, t.ann, "owl")
        await _many(t, range(KEYS - 500))
        cog: Any = t.bot.get_cog("Proof")
        await cog.renew()
        await t.says(t.ann, "roll", dice="1d20")
        await salts(t, t.bob, "fox")
        await _many(t, range(KEYS - 500, KEYS + 20))
        await t.says(t.ann, "roll", dice="1d20")
        await result.take(t)
    return result


async def restart(folder: Path) -> Told:
    """Restart the bot between the commit and the last rolls."""
    result = Told()
    async with restartable(folder) as run:
        t = run.wire
        for command in await t.bot.tree.fetch_commands():
            t.guild.set_command_permissions(command, {t.guild.default_role: True})
        await t.slash(t.mara, "roller fair", name="evil", dice="2d6")
        await proof_on(t, t.mara)
        await salts(t, t.ann, "owl")
        await t.slash(t.ann, "roll", dice="evil")
        await run.restart()
        await t.slash(t.bob, "roll", dice="evil")
        await t.slash(t.ann, "roll", dice="1d20", visibility="gm")
        await result.take(t)
    return result


async def processes(folder: Path, url: str) -> Told:
    """Roll and add salts by a second process between the rolls of the first."""
    result = Told()
    first, other = folder / "1", folder / "2"
    async with group_table(first, database=SecretStr(url)) as t:
        async with open_app(settings(other, database=SecretStr(url))) as app:
            await t.says(t.mara, "roller fair", name="evil", dice="2d6")
            await proof_on(t, t.mara)
            base = t.channel.id + (1 << 21)
            for place in range(3):
                await app.rolling.roll(_press(t, base + 2 * place), "evil")
                await app.ask(_press(t, base + 2 * place + 1), GiveSalt(f"owl {place}", base + 2 * place + 1))
                await t.says(t.bob, "roll", dice="evil")
        await result.take(t)
    return result


async def presses(folder: Path) -> Told:
    """Roll by presses before the message and by late ones; end the keys, then use drand."""
    result, clock = Told(), Prompt()
    async with drand_server() as server, group_table(folder, **asking(server, clock)) as t:
        clock.env = t.env
        early = t.channel.id + 20
        await proof_on(t, t.mara)
        await t.app.rolling.roll(_press(t, early), "1d20")
        await t.says(t.ann, "roll", dice="1d20")
        await t.app.rolling.roll(_press(t, early + (3_500 << INSTANCE_BITS)), "1d20")
        assert "this one came late" in await t.whispers(t.bob, "roll", dice="1d20")
        await t.env.advance_time(5)
        await proof_off(t, t.mara)
        await t.says(t.ann, "roll", dice="1d20")
        await proof_on(t, t.mara, drand=True)
        await t.says(t.ann, "roll", dice="1d20")
        await t.env.advance_time(5)
        await t.says(t.ann, "roll", dice="1d20")
        await result.take(t)
    return result


async def withheld(folder: Path) -> Told:
    """Withhold from a player's export all events whose results they may not see."""
    result = Told()
    async with group_table(folder) as t:
        await t.says(t.mara, "roller fair", name="evil", dice="2d6")
        await t.says(t.mara, "roller deck", name="tiles", dice="1d6")
        await proof_on(t, t.mara)
        for visibility in ("gm", "self"):
            await _roll_each(t, "evil", "tiles", "1d20")
            for dice in ("evil", "1d20"):
                await t.slash(t.ann, "roll", dice=dice, visibility=visibility)
        await _roll_each(t, "evil", "tiles", "1d20")
        await result.take(t)
    lines = [json.loads(line) for line in result.files["bob"].splitlines()]
    kept_lines = (withhold(line) if isinstance(line.get("what"), str) else line for line in lines)
    result.files["bob"] = b"".join(canon(line) + b"\n" for line in kept_lines)
    return result


async def cuts(folder: Path) -> Told:
    """Remove old events with the commit of the current keys; new keys follow."""
    result = Told()
    async with group_table(folder) as t:
        await t.says(t.mara, "admin settings", retention=30)
        await t.says(t.mara, "roller fair", name="evil", dice="2d6")
        await proof_on(t, t.mara)
        await _roll_each(t, "evil")
    async with group_table(folder, later=20 * DAY) as t:
        await _roll_each(t, "evil", "1d20")
        await result.take(t, name="whole ")
        await Retention(t.database, Reader(t.database.reader)).tidy(START + 35 * DAY)
        await t.says(t.ann, "roll", dice="1d20")
        cog: Any = t.bot.get_cog("Proof")
        await cog.renew()
        await _roll_each(t, "evil", "1d20")
        await result.take(t, name="cut ")
    return result


async def deals(folder: Path) -> Told:
    """Deal cards of one deck to several people, openly and in secret; reveal, undo, practise."""
    result = Told()
    async with group_table(folder) as t:
        await proof_on(t, t.mara)
        await t.says(t.mara, "roller cards", name="Hands", cards="elk 3, owl 3, fox 3")
        await t.says(t.mara, "group deal", deck="hands", cards=2, players=named(t.ann, t.bob))
        to_all = await t.slash(t.mara, "group deal", deck="hands")
        await t.press(to_all, "My hand", t.ann)
        await t.slash(t.ann, "deal", deck="hands", hand=4)
        for done in ("Put back", "Play"):
            await plays(t, t.ann, done)
        for cards in (1, 3):
            await t.says(t.bob, "deal", deck="hands", cards=cards)
        hidden = await t.slash(t.ann, "deal", deck="hands", visibility="self")
        await t.press(hidden, "Reveal", t.ann)
        await t.says(t.mara, "roller undo", name="hands")
        await t.says(t.bob, "deal", deck="hands", cards=2, practice=True)
        await result.take(t)
    return result


async def names(folder: Path) -> Told:
    """Add dice, numbers and saved rolls to rollers, with advantage, openly and hidden."""
    result = Told()
    async with group_table(folder) as t:
        await t.says(t.mara, "roller fair", name="evil", dice="2d6")
        await t.says(t.mara, "roller deck", name="tiles", dice="1d6", memory="player")
        await proof_on(t, t.mara)
        for actor in (t.ann, t.bob):
            await t.whispers(actor, "save", name="Sneak", dice="1d20+7")
            await t.whispers(actor, "me", new="Mira", set="dex -2")
        texts = (
            "Sneak+dex",
            "2#Sneak adv",
            "evil+5",
            "evil + Sneak",
            "3#tiles-1d4",
            "tiles+dex adv",
            "evil+1d4 dc 9",
        )
        await _roll_each(t, *texts)
        for text in texts:
            await t.slash(t.ann, "roll", dice=text, visibility="gm")
        await t.says(t.bob, "roll", dice="tiles + 1d6", practice=True)
        await t.says(t.bob, "check", dice="evil+1d4+dex", dc=5, under=True)
        called = await call(t, "evil", dc=9)
        for actor in (t.ann, t.bob):
            await adds(t, called, actor, "dis +Sneak")
        await result.take(t)
    return result


async def everything(folder: Path) -> Told:
    """Play the golden evening, which has every command."""
    result = Told()
    async with group_table(folder) as t:
        await play(t, gather(t), proof=True)
        await result.take(t)
    return result


async def _sent(who: MemberActor, where: ChannelHandle, name: str, **options: object) -> bytes:
    """Run a command, and return the file attached to its answer."""
    result = await who.slash(where, name, **options)
    [message] = [message for message in (reply(result), *result.followups) if message.attachments]
    return await message.attachments[0].read()


async def _roll_each(t: Table, *dice: str) -> None:
    for text in dice:
        for actor in (t.ann, t.bob):
            await t.says(actor, "roll", dice=text)


async def _many(t: Table, numbers: range) -> None:
    """Roll for all numbers at once without Discord, by presses half a second younger than others."""
    base = t.channel.id + (1 << 21)
    await asyncio.gather(*(t.app.rolling.roll(_press(t, base + n), "1d20") for n in numbers))


def _press(t: Table, interaction: int) -> Caller:
    """Return Ann as the caller of an interaction of this number."""
    return Caller(interaction, t.guild.id, t.channel.id, t.ann.id)


HISTORIES: dict[str, Callable[[Path], Coroutine[Any, Any, Told]]] = {
    "rolls for the missing": missing,
    "held calls": held,
    "imports": imports,
    "resets": resets,
    "an erasure over three campaigns": erasure,
    "renewal of keys": renewal,
    "a restart": restart,
    "early and late presses": presses,
    "withheld events": withheld,
    "cuts through the keys": cuts,
    "group deals": deals,
    "names in dice": names,
    "everything": everything,
}

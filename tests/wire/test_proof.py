"""/proof: what everybody sees of it, and an evening under it that anybody can make again."""

import asyncio
import re
from pathlib import Path
from typing import Any

import verify
from bot.campaign.command import Caller
from bot.campaign.proof import KEYS
from bot.storage.ledgers import RENEWED
from cogs.proof.words import OFF
from tests.support.cli import evenhand
from tests.support.proving import presses, proof_off, proof_on, salts
from tests.support.shown import labels
from tests.support.table import Table, numbered, table, totals
from tests.support.wire import reply

_ROOT = re.compile(r"^[0-9a-f]{64}$", re.MULTILINE)


async def exported(t: Table, folder: Path) -> Path:
    """What Bob, a player, gets as a whole export."""
    answer = reply(await t.slash(t.bob, "export", format="json"))
    file = folder / "history.jsonl"
    file.write_bytes(await answer.attachments[0].read())
    return file


def verdicts(file: Path) -> list[int]:
    """The exit codes of both verifiers."""
    return [evenhand("verify", str(file)).exit_code, verify.main([str(file)])]


async def test_the_root_is_shown_before_the_first_key_is_used(t: Table) -> None:
    """Everybody sees the whole root in a message that stays as it was; another says that it is in use."""
    await proof_on(t, t.mara)
    root, active = t.seen_by(t.bob)[-2:]

    assert "I never edit this message" in root
    assert len(_ROOT.findall(root)) == 1
    assert "#1 · these keys are active for the rolls after it" in active
    assert "PATCH" not in {request.method for request in t.env.http_requests}
    assert "· posted the root of the keys of #1\n" in await t.whispers(t.ann, "history")


async def test_dice_that_take_long_to_enter_are_in_time(t: Table) -> None:
    """Whoever throws real dice and types them by keys may take their time, also while others roll."""
    await proof_on(t, t.mara)
    message = await t.slash(t.ann, "d100 physical", dice="3 5", method="table")
    await t.env.advance_time(30)
    await t.says(t.bob, "roll", dice="1d20")
    done = await t.press(message, "1", t.ann)

    assert totals(reply(done).content) == ["23"]


async def test_an_evening_under_proof_mode(tmp_path: Path) -> None:
    """Plain, fair, hidden, called and d100 rolls: a player's export of them holds with both verifiers."""
    async with table(tmp_path) as t:
        await t.says(t.ann, "roll", dice="1d20")
        await proof_on(t, t.mara)
        await t.says(t.mara, "roller fair", name="evil", dice="2d6")
        assert "from committed keys" in await t.says(t.ann, "roll", dice="2d6+3")
        for _ in range(3):
            await t.says(t.bob, "roll", dice="evil", times=2)
        salted = await salts(t, t.ann, "seven `ravens`")
        hidden = await t.slash(t.ann, "roll", dice="1d20", visibility="gm", label="Sneak")
        await t.press(hidden, "Reveal", t.ann)
        kept = await t.slash(t.bob, "roll", dice="evil", visibility="blind")
        await t.says(t.bob, "d100 roll")
        await t.says(t.ann, "d100 reset", start="random")
        await t.says(t.ann, "d100 roll", method="pool")
        await t.says(t.bob, "d100 physical", dice="3 5 1 6")
        await t.says(t.mara, "roller luck", name="Fortune")
        order = await t.slash(t.mara, "group initiative")
        check = await t.slash(t.mara, "group call", check="Stealth", dice="1d20", dc=12, roller="Fortune")
        for board, who in ((order, t.ann), (order, t.bob), (check, t.ann)):
            await t.press(board, "Roll", who)
        await t.says(t.mara, "roller undo", name="evil")
        after = await t.says(t.ann, "roll", dice="evil")
        await proof_off(t, t.mara)
        plain = await t.says(t.ann, "roll", dice="1d20")
        file = await exported(t, tmp_path)
        checked = await t.whispers(t.ann, "verify")

    assert "gives salt: `seven ravens`" in salted
    assert "committed key" in after
    assert "committed key" not in plain
    assert numbered(reply(kept).content)
    assert verdicts(file) == [3, 3]
    assert "this campaign does not hold" not in checked.lower()
    assert b'"leaves":[' in file.read_bytes()


async def test_status_tells_what_is_left(t: Table) -> None:
    """Before, on, salted, and off again."""
    before = await t.whispers(t.ann, "proof")
    await proof_on(t, t.mara)
    await t.says(t.ann, "roll", dice="1d20")
    on = await t.whispers(t.ann, "proof")
    await salts(t, t.bob, "owl")
    salted = await t.whispers(t.ann, "proof")
    await proof_off(t, t.mara)
    after = await t.whispers(t.ann, "proof")

    assert before == after == OFF
    assert "its newest keys are those of #1." in on
    assert "1,022 keys of 1,024 left" in on
    assert "nobody gave words yet" in on
    assert _ROOT.search(on)
    assert re.search("Salt: `[0-9a-f]{64}`", salted)


async def test_two_checkpoints_are_linked(tmp_path: Path) -> None:
    """Who kept one gets the proof that the history goes on from it, from the bot or from an export alike."""
    async with table(tmp_path) as t:
        await t.says(t.ann, "roll", dice="1d20")
        old = checkpoint_in(await t.whispers(t.ann, "verify"))
        await t.says(t.bob, "roll", dice="1d20", times=2)
        answer = reply(await t.slash(t.bob, "verify", **{"from": " ".join(old.split())}))
        link, new = (await answer.attachments[0].read()).decode(), checkpoint_in(answer.content)
        other = await t.whispers(t.bob, "verify", **{"from": old.replace("evenhand/", "evenhand/0")})
        none = await t.whispers(t.bob, "verify", **{"from": "seven ravens"})
        forged = await t.whispers(
            t.bob, "verify", **{"from": old[:-3] + ("A" if old[-3] != "A" else "E") + "=\n"}
        )
        line = " ".join(old.split())
        pasted = [
            await t.whispers(t.bob, "verify", **{"from": kept})
            for kept in (f"Checkpoint: `{line}`", f"Bob: {line} (of #1)", line.capitalize()[:9] + line[9:])
        ]
        size, root = new.split()[1:]
        newer = f"{new.split()[0]} {size} {'A' if root[0] != 'A' else 'B'}{root[1:]}"
        both = await t.whispers(t.bob, "verify", **{"from": f"{new}{line}"})
        one_is_wrong = [
            await t.whispers(t.bob, "verify", **{"from": " and ".join(kept)})
            for kept in ((line, newer), (newer, line))
        ]
        file = await exported(t, tmp_path)
    for name, text in {"old": old, "new": new, "link": link}.items():
        (tmp_path / name).write_text(text, "utf-8")
    kept = ["--checkpoint", str(tmp_path / "old"), "--checkpoint", str(tmp_path / "new")]

    assert [
        evenhand("verify", str(tmp_path / "link"), *kept).exit_code,
        verify.main([str(tmp_path / "link"), *kept]),
    ] == [0, 0]
    assert evenhand("prove", "--from", str(tmp_path / "old"), str(file)).output == link
    assert "of another campaign" in other
    assert "That is no checkpoint" in none
    assert "does not hold" in forged
    assert "First see whether your checkpoint is whole" in forged
    assert all("This history goes on from your checkpoint of #1" in said for said in [*pasted, both])
    assert all("does not hold" in said for said in one_is_wrong)


def checkpoint_in(answer: str) -> str:
    """The checkpoint that an answer of /verify shows."""
    return answer.split("```")[1].lstrip("\n")


async def test_who_may_and_when(t: Table) -> None:
    """Players aren't offered to switch it, and there is nothing to salt or to end once it is off."""
    help_ = await presses(t, t.ann, "What it proves")
    await proof_on(t, t.mara)
    own = reply(await t.slash(t.ann, "proof"))
    shown, form = await t.slash(t.mara, "proof"), await presses(t, t.bob, "Give words…")
    await t.press(shown, "Switch off", t.mara)

    assert labels(own.components) == ["Give words…", "What it proves"]
    assert "What whoever hosts the bot can still do" in reply(help_).content
    assert "is off here" in await t.pressed(shown, "Switch off", t.mara)
    assert "is off here" in reply(await t.bob.submit_modal(form, {"words": "owl"})).content


async def test_new_keys_follow_in_time(tmp_path: Path) -> None:
    """With few keys left the channel sees a new root, and rolls go on from its keys; the export holds."""
    async with table(tmp_path) as t:
        await proof_on(t, t.mara)
        first = _ROOT.findall(t.seen_by(t.bob)[-2])
        await t.slash(t.mara, "roll", dice="1d20")
        await run_low(t)
        cog: Any = t.bot.get_cog("Proof")
        await cog.renew()
        shown = t.seen_by(t.bob)
        await cog.renew()
        again = t.seen_by(t.bob)
        await t.says(t.ann, "roll", dice="1d20")
        history = await t.whispers(t.ann, "history")
        file = await exported(t, tmp_path)

    assert "goes on with new keys" in shown[-2]
    assert "active for the rolls after it" in shown[-1]
    assert _ROOT.findall(shown[-2]) != first
    assert again == shown
    assert "Evenhand · took new keys for proof mode" in history
    assert verdicts(file) == [3, 3]


async def test_keys_that_nobody_took_are_called_dropped(t: Table) -> None:
    """If proof mode ends while its new keys are published, their message says that no roll uses them."""
    await proof_on(t, t.mara)
    await run_low(t)
    (few,) = await t.app.proving.few_left()
    await proof_off(t, t.mara)
    cog: Any = t.bot.get_cog("Proof")
    await cog._renew(few)

    assert "these keys were dropped" in t.seen_by(t.bob)[-1]


async def run_low(t: Table) -> None:
    """Let as many events happen as leave few keys, all at once and without Discord."""
    new_id = t.env.backend.snowflake
    rolls = (t.app.rolling.roll(_caller(t, new_id()), "1d20") for _ in range(KEYS - RENEWED))
    await asyncio.gather(*rolls)


def _caller(t: Table, interaction: int) -> Caller:
    return Caller(interaction, t.guild.id, t.channel.id, t.ann.id)

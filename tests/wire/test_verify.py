"""/verify and *Check it*: what a player gets to hold against the bot, and what both verifiers say of it."""

import re
from pathlib import Path

import pytest
from simcord import InteractionResult

import verify
from bot.record.checkpoint import read_checkpoint
from bot.record.codec import Unreadable
from bot.storage.backup import back_up
from tests.support.cli import evenhand, run_beside
from tests.support.databases import sqlite_url
from tests.support.groups import call
from tests.support.table import Table, table
from tests.support.wire import reply

_CHECKPOINT = re.compile(r"```\n(evenhand/[0-9a-f]{32}\n\d+\n\S{43}=\n)```")
_SEAL = re.compile(r"#(\d+) sealed `([0-9a-f ]{35})`")


async def kept(result: InteractionResult, folder: Path) -> Path:
    """The file that came with a private answer."""
    answer = reply(result)
    assert answer.ephemeral
    file = folder / "roll.tlog-proof"
    file.write_bytes(await answer.attachments[0].read())
    return file


def verdicts(*arguments: object) -> list[int]:
    """The exit codes of both verifiers."""
    told = [str(one) for one in arguments]
    return [evenhand("verify", *told).exit_code, verify.main(told)]


async def test_verify_says_what_it_checked_and_gives_a_checkpoint(tmp_path: Path) -> None:
    """The text that a player pastes is what an export made later is held against."""
    async with table(tmp_path) as t:
        for _ in range(3):
            await t.says(t.ann, "roll", dice="2d6")
        said = await t.whispers(t.bob, "verify")
        await t.says(t.ann, "roll", dice="2d6")
        answer = reply(await t.slash(t.bob, "export", format="json"))
        export = tmp_path / "history.jsonl"
        export.write_bytes(await answer.attachments[0].read())
    found = _CHECKPOINT.search(said)
    assert found
    checkpoint = tmp_path / "kept.txt"
    checkpoint.write_text(found[1])

    assert "I replayed 3 rolls." in said
    assert "what *you* post, the bot can't change" in said
    assert read_checkpoint(found[1]).size == 3
    assert verdicts("--checkpoint", checkpoint, export) == [0, 0]


async def test_a_changed_database_is_found(tmp_path: Path) -> None:
    """Words that the host changed in the database do not hold, and the number is named; with `from` too."""
    async with table(tmp_path, holds=False) as t:
        for _ in range(3):
            await t.says(t.ann, "roll", dice="2d6", label="Owl")
        kept = _CHECKPOINT.search(await t.whispers(t.bob, "verify"))
        assert kept
        await t.command("UPDATE event SET label = 'Elk' WHERE seq = 2")
        answers = [await t.whispers(t.bob, "verify", **more) for more in ({}, {"from": kept[1]})]

    for said in answers:
        assert said.startswith("**This campaign does not hold.** #2 is not what was written down")


async def test_a_revealed_roll_is_checked_against_its_seal(tmp_path: Path) -> None:
    """*Check it* gives the roll with its path; both verifiers find it to be the one that was sealed."""
    async with table(tmp_path) as t:
        hidden = await t.slash(t.ann, "roll", dice="1d9+1000000", visibility="gm")
        number, seal = sealed(t)
        shown = await t.press(hidden, "Reveal", t.ann)
        file = await kept(await t.press(shown, "Check it", t.bob), tmp_path)
        other = seal[:-1] + ("0" if seal[-1] != "0" else "1")

    assert seal in reply(shown).content
    assert verdicts("--seal", f"{number}={seal}", file) == [3, 3]
    assert verdicts("--seal", f"{number}={other}", file) == [1, 1]


async def test_what_is_hidden_is_closed_in_its_proof(t: Table) -> None:
    """Before the reveal whoever may not see a roll gets a proof of that there was one, and no more."""
    hidden = await t.slash(t.ann, "roll", dice="1d9+1000000", visibility="gm")
    asked = await t.bob.context_menu(t.channel, "Roll details", hidden.followups[-1])

    assert "hidden from you" in reply(asked).content
    assert reply(asked).attachments == []


def sealed(t: Table) -> tuple[int, str]:
    """The number and the seal that everybody sees of a hidden roll."""
    found = _SEAL.search(t.seen_by(t.bob)[-1])
    assert found
    return int(found[1]), found[2]


async def test_a_history_that_was_put_back_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once under the next public roll, in /history, and in /verify, also where a checkpoint does not fit."""
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path))
    async with table(tmp_path) as t:
        await t.says(t.ann, "roll", dice="2d6")
        back_up(sqlite_url(tmp_path), tmp_path / "copy.db")
        await t.says(t.ann, "roll", dice="2d6")
        kept = _CHECKPOINT.search(await t.whispers(t.bob, "verify"))
    assert kept
    done = await run_beside("restore", str(tmp_path / "copy.db"))
    async with table(tmp_path, later=86_400) as t:
        rolled = [await t.says(t.ann, "roll", dice="2d6") for _ in range(2)]
        private = [await t.whispers(t.bob, name) for name in ("history", "verify")]
        compared = await t.whispers(t.bob, "verify", **{"from": kept[1]})
    told = re.compile(r"This history was put back to #1 on <t:\d+:D>; compare your checkpoints\.")

    assert done.exit_code == 0, done.output
    assert [len(told.findall(text)) for text in (*rolled, *private, compared)] == [1, 0, 1, 1, 1]
    assert "**This campaign does not hold.** #2 " in compared


DAMAGES = {
    "UPDATE event SET kind = 'rol' WHERE seq = 2": "#2",
    "UPDATE event SET visibility = 'all' WHERE seq = 2": "#2",
    "UPDATE event SET user_id = 1 WHERE seq = 2": "#2",
    "UPDATE event SET roller_key = 'luck' WHERE seq = 2": "#2",
    "DELETE FROM event WHERE seq = 3": "#3",
    "UPDATE campaign SET rules = 'x'": "#3",
    "UPDATE campaign SET seq = 7": "#1",
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_row_is_named(tmp_path: Path, damage: str) -> None:
    """With its number; it is not the bot's fault, and nothing that may be tried again."""
    async with table(tmp_path, holds=False) as t:
        for _ in range(3):
            await t.says(t.ann, "roll", dice="2d6")
        await t.command(damage)
        said = await t.whispers(t.bob, "verify")

    assert f"**This campaign does not hold.** {DAMAGES[damage]} " in said


async def test_what_needs_a_damaged_entry_says_so(tmp_path: Path) -> None:
    """Whether it shows or does something, and who can look; rolls go on."""
    async with table(tmp_path, holds=False, expected=Unreadable) as t:
        called = await call(t)
        for _ in range(3):
            await t.says(t.ann, "roll", dice="2d6")
        await t.command("UPDATE event SET how = '{' WHERE seq < 3")
        told = [await t.slash(t.ann, name) for name in ("history", "stats", "export")]
        told += [await t.slash(t.ann, "details", number=2), await t.press(called, "Roll", t.ann)]
        rolled = await t.says(t.ann, "roll", dice="2d6")

    for answer in told:
        said = answer.followups[-1] if answer.followups else reply(answer)
        assert said.content.startswith("That went wrong, because an entry of this history is damaged.")
        assert said.ephemeral
    assert rolled.endswith("#5")

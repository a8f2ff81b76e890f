"""/help, and the bot alone with somebody."""

from pathlib import Path
from textwrap import wrap

import discord
from discord import app_commands

from bot.words.tables import PHONE
from cogs.help.words import TOPICS
from tests.support.shown import labels
from tests.support.table import Table, table, totals
from tests.support.wire import reply

VERBS = {
    "Archive", "Begin", "Call", "Change", "Check", "Compare", "Deal", "Delete", "End", "Enter", "Erase",
    "Find", "Get", "Look", "Make", "Name", "Play", "Put", "Read", "Remove", "Rename", "Reset", "Roll", "Save",
    "Score", "Show", "Stop", "Try", "Undo",
}  # fmt: skip
LISTS = {"roller chart chart", "roller decks decks", "roller blocks categories", "stats owners"}
"""Options whose text is a list with semicolons, and their descriptions an example of one."""


async def test_help_is_six_private_topics_that_name_every_command(t: Table) -> None:
    """Each is short, on a phone too, and has one thing to do; no command but itself is left out."""
    shown = await t.slash(t.ann, "help")
    pages = [reply(shown).content]
    does = [labels(reply(shown).components)[0]]
    for topic in [*TOPICS.values()][1:]:
        pages.append(await t.pressed(shown, topic["title"], t.ann))
        does.append(labels(reply(shown).components)[0])
    said = "\n".join(pages)
    commands = [c for c in t.bot.tree.walk_commands() if isinstance(c, app_commands.Command)]
    names = [c.name for c in commands if c.name != "help"]

    assert reply(shown).ephemeral
    assert [page.splitlines()[0] for page in pages] == [f"**{topic['title']}**" for topic in TOPICS.values()]
    assert len(TOPICS) == len({*does}) == 6
    assert max(len(page.splitlines()) for page in pages) <= 9
    assert max(sum(len(wrap(line, PHONE)) for line in page.splitlines()) for page in pages) <= 14
    assert t.seen_by(t.bob) == []
    assert len(names) > 10
    assert [name for name in names if name not in said] == []


async def test_each_topic_does_what_it_is_about(t: Table) -> None:
    """One press rolls, lists, asks, shows or checks."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    shown = await t.slash(t.mara, "help")
    done = dict[str, str]()
    for topic in TOPICS.values():
        if topic["title"] != "Roll":
            await t.press(shown, topic["title"], t.mara)
        label = labels(reply(shown).components)[0]
        answer = await t.press(shown, label, t.mara)
        done[label] = "" if answer.modal else (answer.followups or [reply(answer)])[-1].content

    assert list(done) == [
        "Roll 2d6+3",
        "Show the rollers",
        "Call for a roll…",
        "Show this campaign",
        "Are they rigged?",
        "Check this history",
    ]
    assert len(totals(done["Roll 2d6+3"])) == 1
    assert "**Luck** · fair 2d6" in done["Show the rollers"]
    assert "Played in" in done["Show this campaign"]
    assert "evenhand/" in done["Check this history"]
    assert "Too few to say anything yet." in done["Are they rigged?"]


async def test_help_links_to_the_hosts_page(tmp_path: Path) -> None:
    """Where the settings know one."""
    async with table(tmp_path, contact_url="https://example.org/evenhand") as t:
        assert "](https://example.org/evenhand)" in await t.whispers(t.ann, "help")
        assert "](" not in (await t.whispers(t.ann, "help")).replace("](https://example.org/evenhand)", "")


async def test_every_command_and_option_is_described(t: Table) -> None:
    """Whoever types a command reads what it and each of its options is for."""
    commands = [c for c in t.bot.tree.walk_commands() if isinstance(c, app_commands.Command)]
    bare = [f"{c.qualified_name} {p.name}" for c in commands for p in c.parameters if p.description == "…"]

    assert bare == []
    assert [c.qualified_name for c in commands if not c.description or c.description == "…"] == []


async def test_descriptions_are_short_and_begin_with_a_verb(t: Table) -> None:
    """Other languages are longer, and Discord takes 100 characters; a semicolon is syntax only."""
    every = list(t.bot.tree.walk_commands())
    said = {c.qualified_name: c.description for c in every}
    said |= {
        f"{c.qualified_name} {p.display_name}": str(p.description)
        for c in every
        if isinstance(c, app_commands.Command)
        for p in c.parameters
    }
    first = {c.qualified_name: c.description.split()[0] for c in every}

    assert {name: text for name, text in said.items() if len(text) > 75} == {}
    assert {name for name, text in said.items() if ";" in text} == LISTS
    assert {name: word for name, word in first.items() if word not in VERBS} == {}


async def test_there_are_few_commands(t: Table) -> None:
    """Whoever types a slash finds what they look for; what few need stands behind one word."""
    assert len(t.bot.tree.get_commands(type=discord.AppCommandType.chat_input)) <= 27


async def test_the_short_roll_is_the_roll(t: Table) -> None:
    """`/r` takes what `/roll` takes, with the same offers."""
    await t.whispers(t.ann, "save", name="Fire", dice="1d1+7")

    assert await t.offered(t.ann, "r", "dice", "fi") == ["Fire"]
    assert totals(await t.says(t.ann, "r", dice="Fire", times=2, label="Owl")) == ["8", "8"]


async def test_every_limit_is_one_that_discord_takes(t: Table) -> None:
    """Discord refuses the whole list of commands for one limit beyond 2^53 - 1."""
    commands = [c for c in t.bot.tree.walk_commands() if isinstance(c, app_commands.Command)]
    limits = {
        (c.qualified_name, p.name): limit
        for c in commands
        for p in c.parameters
        for limit in (p.min_value, p.max_value)
        if limit is not None
    }

    assert limits
    assert {option: limit for option, limit in limits.items() if abs(limit) > 2**53 - 1} == {}

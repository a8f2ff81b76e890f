"""The bot on a network that is busy, slow, broken or doubled: no roll is lost, and none happens twice."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.support.discord import CALLBACK, Discord, discord, served

NUMBER = re.compile(r"#(\d+)")


def numbers(d: Discord) -> list[int]:
    """The numbers of all rolls that the channel shows, in the order of the messages."""
    return [int(found[1]) for message in d.messages() for found in NUMBER.finditer(message.content)]


@asynccontextmanager
async def evening(folder: Path) -> AsyncGenerator[Discord]:
    """A table with its bot."""
    async with discord(folder / "table") as d, served(d, folder / "bot"):
        yield d


async def test_two_hundred_commands_in_flight(tmp_path: Path) -> None:
    """All are acknowledged and answered, each once."""
    async with evening(tmp_path) as d:
        people = (d.mara, d.ann, d.bob)
        begun = [await d.begin(people[n % 3], f"/roll 1d20+{n}") for n in range(200)]
        answers = await asyncio.gather(*(d.answer(interaction) for interaction in begun))

        assert sorted(numbers(d)) == list(range(1, 201))
        assert all(f"+ {n}" in answer.content for n, answer in enumerate(answers) if n)
        assert len(d.sent(CALLBACK)) == 200


async def test_fifty_people_press_one_button_at_once(tmp_path: Path) -> None:
    """None is lost, and each is told their own."""
    async with evening(tmp_path) as d:
        crowd = [d.table.world.add_person(f"P{n}") for n in range(50)]
        call = await d.says(d.mara, "/group call check:Perception dice:1d20")
        told = await asyncio.gather(*(d.pressed(person, call, "Roll") for person in crowd))
        await d.until(lambda: d.message(call.id).content.count("<@") >= 50 or "50" in d.message(call.id).content)

        assert [answer.viewer for answer in told] == [person.id for person in crowd]
        assert len({NUMBER.findall(answer.content)[-1] for answer in told}) == 50

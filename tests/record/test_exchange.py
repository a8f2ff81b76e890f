"""An export as JSON: what it holds, what it leaves out, and that it reads back."""

import json
from dataclasses import replace

import pytest

from bot.campaign.roller_commands import MakeRoller
from bot.campaign.rollers import Remembers
from bot.campaign.rolls import RollDice
from bot.dice.seeded import seeded
from bot.record.audit import Item, Partial, Sealed
from bot.record.chain import START
from bot.record.codec import encode
from bot.record.exchange import END, DamagedExport, Heading, print_heading, print_items, read_part
from tests.support.exporting import export_text
from tests.support.histories import mixed_history
from tests.support.play import Campaign
from tests.support.sight import told
from tests.support.systems import make

HISTORY = mixed_history(620)
LAST = HISTORY[-1]
HEAD = '{"evenhand":1,"campaign":"","seq":1,"head":"","first":1,"before":"","events":'


def test_an_export_reads_back() -> None:
    """Every event comes back as it was, but for the number that the database gave its campaign."""
    events: list[Item] = [
        Sealed(e.seq, e.seal.head) if e.seq % 7 == 0 else replace(e, campaign_id=0) for e in HISTORY
    ]
    heading = Heading('A "name"', LAST.seq, LAST.seal.head, 1, START, {"settings": {"odds": "gms"}})
    part = read_part(print_heading(heading) + ",\n".join(print_items(events)) + END)

    assert list(part.items) == events
    assert (part.heading.campaign, part.heading.seq) == ('A "name"', LAST.seq)
    assert (part.heading.head, part.heading.before) == (LAST.seal.head, START)
    assert part.heading.about["settings"] == {"odds": "gms"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1]",
        "{}",
        '{"evenhand": 2, "events": []}',
        '{"evenhand": 1, "events": []}',
        '{"evenhand": 1, "campaign": "", "seq": "1", "head": "", "first": 1, "before": "", "events": []}',
        f"{HEAD}[1]}}",
        f'{HEAD}[{{"seq":1}}]}}',
        f'{HEAD}[{{"seq":1,"channel":"7","kind":"sing","see":"public","person":"","head":""}}]}}',
        f'{HEAD}[{{"seq":1,"channel":"7","kind":"roll","see":"public","person":"","head":"","what":[]}}]}}',
        f'{HEAD}[{{"seq":1,"channel":"7","kind":"roll","see":"public","person":"","head":"","pub":{{"x":1}}}}]}}',
    ],
)
def test_what_is_no_export_is_refused(text: str) -> None:
    """With a sentence, and never with a stack of Python's own errors."""
    with pytest.raises(DamagedExport):
        read_part(text)


def test_what_is_told_in_part_can_not_be_found_by_trying() -> None:
    """The player's hash stays out with the memory, for with all but one of them the seal tells the last."""
    campaign = Campaign()
    campaign.ask(MakeRoller("own", make("deck", "1d6"), Remembers.PLAYER), seeded(0))
    events = [*campaign.events, campaign.ask(RollDice("own"), seeded(0))]
    items = told(events, 99, memories=False)
    [said] = [json.loads(line) for line in print_items(items[1:])]
    part = read_part(export_text(events, items))

    assert said.keys() == {"seq", "id", "channel", "user", "kind", "see", "what", "head", "partial"}
    assert said["what"] == encode(events[1].body).what
    assert isinstance(part.items[1], Partial)
    assert list(print_items(part.items)) == list(print_items(items))

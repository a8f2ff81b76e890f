"""What comes from outside: a roller's JSON, a map's CSV, or an export's rollers and saved rolls."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.campaigns import Remembers
from bot.campaign.imports import (
    BYTES_LIMIT,
    ImportedRoller,
    read_beginning,
    read_bundle,
    read_file,
    read_import,
)
from bot.dice.errors import DiceError, SpecError
from bot.dice.system import Json
from bot.record.exchange import Heading, print_about, print_heading
from bot.record.hashing import Tree
from bot.services.rolling import longmarch
from bot.systems.registry import print_spec, read_spec

EVIL = '{"system":"fair","base":"2d6","tightness":"1"}'


@pytest.mark.parametrize("before", ["", "\ufeff", " \n"])
def test_a_roller_is_json_or_a_map(before: str) -> None:
    """A roller's JSON and a map's CSV are both read, with or without a byte order mark."""
    fair = read_spec({"system": "fair", "base": "2d6", "tightness": "1"})
    map_text = Path("bot/maps/longmarch.csv").read_text(encoding="utf-8")

    assert read_import(before + print_spec(fair)) == fair
    assert read_import(before + map_text) == longmarch()
    assert read_import(print_spec(longmarch())) == longmarch()


@pytest.mark.parametrize("about", ['{"about":', "[" * 100_000, '{"about":{"rollers":' + "9" * 5_000])
def test_a_damaged_export_is_called_so(about: str) -> None:
    """And not one roller without a name."""
    with pytest.raises(SpecError, match="The export is damaged"):
        read_bundle(f'{{"evenhand":2}}\n{about}\n', None)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (" ", "The file is empty."),
        ("{", "not written as JSON"),
        ("[1]", "A roller is an object such as"),
        ('{"system": "dice", "base": "2d6", "base": "2d20"}', "The JSON has 'base' twice in one place."),
        ('{"system": "deck", "base": {"elk": 1, "owl": 2, "elk": 3}}', "has 'elk' twice in one place."),
        ("2d6", "A map's first line is region,coin,2d6,place."),
    ],
)
def test_what_is_no_roller_is_refused(text: str, reason: str) -> None:
    """What is neither is refused with what it should look like."""
    with pytest.raises(SpecError) as refusal:
        read_import(text)

    assert reason in str(refusal.value)


def test_files_are_short_texts() -> None:
    """A file is UTF-8 text of at most 200,000 bytes; a byte order mark goes."""
    assert read_file("\ufeffé".encode()) == "é"
    with pytest.raises(SpecError, match="at most 200,000"):
        read_file(b"x" * (BYTES_LIMIT + 1))
    with pytest.raises(SpecError, match="no text"):
        read_file(b"\xff\xfe\x00")


@given(st.text(max_size=80))
def test_any_text_is_a_roller_or_refused(text: str) -> None:
    """No text fails in any other way than with a sentence."""
    with suppress(DiceError):
        assert read_import(text).faces


def export(about: dict[str, Json], events: str = "") -> str:
    """An export's file."""
    opening = print_heading(Heading("A", "ab" * 16, Tree(), 1)) + print_about(about)
    return opening.decode() + events


def test_one_roller_takes_the_name_that_is_given() -> None:
    """Its file does not hold the name; without one it is refused with what to do."""
    bundle = read_bundle(f"\ufeff {EVIL}", "evil")

    assert bundle.saved == ()
    assert [(roller.name, roller.memory) for roller in bundle.rollers] == [("evil", Remembers.TABLE)]
    assert read_import(bundle.rollers[0].text) == read_import(EVIL)
    with pytest.raises(SpecError, match="Give it as `name`"):
        read_bundle(EVIL, None)


def test_an_export_has_rollers_and_saved_rolls() -> None:
    """Each with its name; what every campaign has for its d100 is left out."""
    rollers: list[Json] = [
        {"name": "evil", "memory": "player", "spec": EVIL},
        {"name": "by hand", "spec": {"system": "dice", "base": "1d6"}},
        {"name": "d100 register", "memory": "player", "spec": '{"system":"register"}'},
    ]
    saved: list[Json] = [{"name": "fire", "dice": "8d6"}]
    shared: list[Json] = [{"name": "ice", "dice": "4d6"}]
    bundle = read_bundle(export({"rollers": rollers, "saved": saved, "shared": shared}), None)

    assert (bundle.saved, bundle.shared) == ((("fire", "8d6"),), (("ice", "4d6"),))
    assert bundle.rollers == (
        ImportedRoller("evil", EVIL, Remembers.PLAYER),
        ImportedRoller("by hand", '{"base": "1d6", "system": "dice"}'),
    )
    assert read_bundle(export({}), None).rollers == ()
    with pytest.raises(SpecError, match="Leave `name` out"):
        read_bundle(export({}), "evil")


@pytest.mark.parametrize(
    "about",
    [
        {"rollers": {}},
        {"rollers": [1]},
        {"rollers": [{"name": 1, "spec": EVIL}]},
        {"rollers": [{"name": "a", "memory": "dog", "spec": EVIL}]},
        {"saved": "all"},
        {"saved": [{"name": "a"}]},
        {"shared": 1},
    ],
)
def test_a_damaged_export_is_refused(about: dict[str, Json]) -> None:
    """With a sentence that says which part of it."""
    with pytest.raises(SpecError, match=r"The export is damaged: its `(rollers|saved|shared|name|dice)`"):
        read_bundle(export(about), None)


def test_too_many_rollers_are_refused() -> None:
    """A hundred are enough."""
    many: list[Json] = [{"name": f"evil {n}", "spec": EVIL} for n in range(101)]

    assert len(read_bundle(export({"rollers": many[:100]}), None).rollers) == 100
    with pytest.raises(SpecError, match="101 rollers: I can bring in 100"):
        read_bundle(export({"rollers": many}), None)


def test_a_long_export_is_read_without_its_events() -> None:
    """However long it is; a label that looks like the line about rollers changes nothing."""
    saved: list[Json] = [{"name": 'a {"about":', "dice": "8d6"}]
    events = "\n".join(json.dumps({"seq": n, "label": '{"about":{'}) for n in range(20_000))
    data = export({"saved": saved}, events).encode()
    short = read_beginning(data)

    assert len(data) > BYTES_LIMIT > len(short)
    assert read_bundle(short, None).saved == (('a {"about":', "8d6"),)
    with pytest.raises(SpecError, match="at most 200,000"):
        read_beginning(b" " * (BYTES_LIMIT + 1))
    with pytest.raises(SpecError, match="no text"):
        read_beginning(b"\xff\xfe\x00")


@given(st.text(max_size=80) | st.builds(json.dumps, st.dictionaries(st.text(), st.text())))
def test_any_text_is_a_file_or_refused(text: str) -> None:
    """No text fails in any other way than with a sentence."""
    with suppress(DiceError):
        assert len(read_bundle(text, "evil").rollers) == 1
    with suppress(DiceError):
        assert not read_bundle(text, None).rollers

"""Games in other languages: what people read and type of each one is a text for translators."""

import json
from pathlib import Path

import pytest

from tools.messages import sentences

GAMES = sorted(Path("bot/games").glob("*.json"))
TEXTS = {one.one: one for one in sentences()}
OWN = {"dsa", "splittermond"}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_word_of_a_game_is_a_text_for_translators(path: Path) -> None:
    """Its name, what is said of it and its rolls, and their words, those that are typed for themselves."""
    game = json.loads(path.read_text("utf-8"))
    mark = f" {game['key']}" if game["key"] in OWN else ""
    wanted = {game["name"], game["help"]}
    for name, roll in game["rolls"].items():
        shown = [*roll.get("classes", ()), *roll.get("notes", ()), *roll.get("show", ())]
        wanted |= {roll["help"], *(f"game{mark}\4{word.replace('_', ' ')}" for word in shown)}
        wanted |= {f"typed{mark}\4{word}" for word in (name, *roll.get("options", ()))}

    assert wanted - TEXTS.keys() == set()


def test_translators_are_told_what_a_word_is() -> None:
    """Of which games, and of how many more."""
    assert TEXTS["game dsa\4botch"].note == "outcome: The Dark Eye (fifth edition)"
    assert TEXTS["game dsa\4botch"].path == "bot/games/dsa.json"
    assert TEXTS["typed\4ac"].note.startswith("option: Dungeon Crawl Classics, D&D (fifth edition), ")
    assert " and 47 more" in TEXTS["game\4failure"].note
    assert TEXTS["game\4failure"].path == "bot/games"

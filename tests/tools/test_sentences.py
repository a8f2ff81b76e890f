"""The voice: no text that people read is long-winded, and `python -m tools.sentences` finds these texts."""

import json
from pathlib import Path

from tools.sentences import MOST_WORDS, PHRASES, Text, faults, texts

HELD = json.loads(PHRASES.read_text("utf-8"))


def found(words: str, **places: list[str]) -> list[str]:
    """What is wrong with a text."""
    return [why for _, why in faults([Text("bot/a.py", 1, words)], {"what is": [], **places})]


def test_every_text_is_short_and_plain() -> None:
    """No sentence over 25 words and no banned phrase, but where phrases.json says so."""
    wrong = [f"{text.path}:{text.line}: {why}" for text, why in faults(texts(), HELD["phrases"])]

    assert wrong == []


def test_faults_are_found() -> None:
    """Words are counted by sentence; a value, a command and a link are one word each."""
    long = "word " * MOST_WORDS

    assert found(f"{long.strip()}. {long}") == []
    assert len(found(f"{long}more")) == 1
    assert found(f"`{long}` [here](`{long}`) {{…}}") == []
    assert found("Show what is here.") == ["“what is”"]
    assert found("Show what is here.", **{"what is": ["bot/*"]}) == []


def test_texts_are_found_in_all_that_people_read(tmp_path: Path) -> None:
    """In messages, docstrings of commands, pages and papers; code and other docstrings are left out."""
    for name, source in {
        "bot/a.py": '"""A module here."""\nX = f"Roll {1} dice."\nre.compile("no text here")\n',
        "cogs/b.py": '@app.command()\nasync def roll() -> None:\n    """Roll some dice."""\n',
        "bot/play/site/c.js": 'const a = "Press it now"; html`<p>Look ${x} here</p>`',
        "docs/d.md": "# The title\n\nFirst\ngoes on.\n\n    some code here\n\n| one cell | other cell |\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, "utf-8")

    assert [(text.path, text.words) for text in texts(tmp_path)] == [
        ("bot/a.py", "Roll {…} dice."),
        ("cogs/b.py", "Roll some dice."),
        ("bot/play/site/c.js", "Press it now"),
        ("bot/play/site/c.js", "Look {…} here"),
        ("docs/d.md", "# The title"),
        ("docs/d.md", "First goes on."),
        ("docs/d.md", "one cell"),
        ("docs/d.md", "other cell"),
    ]

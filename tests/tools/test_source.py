"""What `tools.measure` counts in the source."""

from pathlib import Path

from tools import source
from tools.source import Module


def modules(**texts: str) -> list[Module]:
    """Return modules by their names, with `__` for a slash."""
    return [Module(Path(name.replace("__", "/") + ".py"), text) for name, text in texts.items()]


def test_empty_files_are_not_counted(tmp_path: Path) -> None:
    """Only files with text are read, and only in the folders that are asked for."""
    for name, text in {
        "bot/__init__.py": "",
        "bot/a.py": "x = 1\n\ny = 2\n",
        "tests/b.py": "z = 3\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    found = source.read(tmp_path, ["bot"])

    assert [module.path for module in found] == [Path("bot/a.py")]
    assert source.lines(found) == 3


def test_lines_of_code_are_counted() -> None:
    """Imports, docstrings, comments and blank lines are none; each line of a statement is one."""
    text = '"""A file."""\n\nimport os\n# why\nx = [\n    1,  # one\n]\n\n'
    text += 'def f():\n    """Return it."""\n    return x\n'

    assert Module(Path("a.py"), text).code == 5


def test_a_feature_is_its_modules_and_who_imports_them() -> None:
    """A module counts by a word of its name or folder, or by importing such a module itself."""
    found = modules(
        bot__call_terms="",
        cogs__group__cog="",
        bot__recall="",
        bot__from_module="from bot.call_terms import Terms",
        bot__from_package="def f():\n    from bot import call_terms",
        bot__second="from bot.from_module import anything",
    )

    feature = source.feature(found, {"call", "group"})

    assert [module.path.stem for module in feature] == ["call_terms", "cog", "from_module", "from_package"]
    assert source.folders(feature) == {Path("bot"), Path("cogs/group")}


def test_a_name_of_two_public_classes_is_found() -> None:
    """Private classes may share a name."""
    found = modules(
        a="class Row: ...\nclass _Own: ...", b="class Row: ...\nclass _Own: ...\nclass Other: ..."
    )

    assert source.shared_names(found) == {"Row": [Path("a.py"), Path("b.py")]}


def test_a_changed_copy_of_a_state_is_found() -> None:
    """`replace` counts if what it copies is called as a state is, and all that it changes are its fields."""
    found = modules(
        state="class Roller:\n    name: str\n    epoch: int",
        changes="replace(known.roller, epoch=1)",
        other="replace(roller, epoch=1, rule=2)\nreplace(ledger, epoch=1)\ntext.replace('a', 'b')",
    )

    assert [module.path.stem for module in source.changing_states(found)] == ["changes"]


def test_reading_a_record_by_its_keys_is_found() -> None:
    """By index, `get`, `in` and a pattern; writing one is no reading."""
    found = modules(
        index="event.detail['x']",
        get="event.detail.get('x')",
        known="said['draws']",
        inside="'x' in event.detail",
        pattern="match said:\n    case {'draws': _}:\n        pass",
        writing="event.detail['x'] = 1\nsaid = {'draws': 2}\nsaid['name']",
    )

    reading = [module.path.stem for module in source.reading_records(found)]

    assert reading == ["index", "get", "known", "inside", "pattern"]


def test_habits_are_counted_where_they_are_used() -> None:
    """A noqa counts in comments and not in strings, a name where it is used and not where it is imported."""
    found = modules(a="from typing import Any\nx: Any = 1  # noqa: A001\ny: list[Any] = '# noqa'\n")

    assert source.silenced(found) == 1
    assert source.count_name(found, "Any") == 2

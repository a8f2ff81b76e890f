"""Which tests `make near` runs."""

from pathlib import Path

from tools.near import OF_FOLDERS, OF_TEXTS, found_near, found_quoting


def test_a_change_runs_what_mirrors_and_what_imports_it(tmp_path: Path) -> None:
    """Its own tests, those that import it, and those that changed themselves; nothing else."""
    for name, text in {
        "tests/dice/test_draws.py": "import pytest\n",
        "tests/systems/test_fair.py": "from bot.dice.draws import Recorder\n",
        "tests/systems/test_deck.py": "from bot.dice import throws\n",
        "tests/test_run.py": "x = 1\n",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    found = found_near({Path("bot/dice/draws.py"), Path("tests/test_run.py")}, tmp_path)

    assert {path.name for path in found} == {"test_draws.py", "test_fair.py", "test_run.py"}


def test_a_folder_has_tests_that_import_none_of_its_files() -> None:
    """What its files are for is tried by whole commands."""
    root = Path(__file__).parents[2]
    found = found_near({Path("bot/storage/saving.py"), Path("cogs/roll/cog.py")}, root)
    named = {Path("tests", f"{test}.py") for tests in OF_FOLDERS.values() for test in tests}

    assert {Path("tests/wire/test_stats.py"), Path("tests/wire/test_permissions.py")} <= found
    assert [path for path in named if not (root / path).exists()] == []


def test_a_text_that_is_gone_runs_what_quotes_it(tmp_path: Path) -> None:
    """By a piece between its values; what is new is quoted nowhere yet."""
    for name, text in {"test_a.py": 'x = "There is no roll #7 here."', "test_b.py": "y = 1"}.items():
        (tmp_path / "tests").mkdir(exist_ok=True)
        (tmp_path / "tests" / name).write_text(text, encoding="utf-8")
    gone = '-    raise Unknown("There is no roll #{number} here.", number=number)'

    assert found_quoting([gone], tmp_path) - {Path("tests", f"{test}.py") for test in OF_TEXTS} == {
        Path("tests/test_a.py")
    }
    assert found_quoting([gone.replace("-", "+", 1)], tmp_path) == set()

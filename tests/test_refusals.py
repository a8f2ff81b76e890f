"""Errors that people read: each is raised as a whole sentence, with a value for every place in it."""

import ast
import string
from collections.abc import Iterator
from pathlib import Path

from bot.dice import errors
from bot.dice.errors import DiceReading, NotationError, SpecError
from bot.words.saying import refusal, say_many

_OTHERWISE = {"column", "readings"}
"""What a NotationError is given besides the values of its sentence."""


def _bases() -> dict[str, set[str]]:
    """Every class of the program, with the names of its bases."""
    found: dict[str, set[str]] = {}
    for _, tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found[node.name] = {base.id for base in node.bases if isinstance(base, ast.Name)}
    return found


def _trees() -> Iterator[tuple[str, ast.Module]]:
    for folder in ("bot", "cogs"):
        for path in sorted(Path(folder).rglob("*.py")):
            yield str(path), ast.parse(path.read_text("utf-8"))


def _raised() -> Iterator[tuple[str, ast.Call]]:
    """Every error that people read, where it is made."""
    said, bases = {errors.Said.__name__}, _bases()
    while more := {name for name, above in bases.items() if above & said} - said:
        said |= more
    for path, tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in said:
                yield f"{path}:{node.lineno}", node


def test_no_sentence_is_glued_where_it_is_raised() -> None:
    """A translator gets it whole."""
    glued = [at for at, call in _raised() if call.args and isinstance(call.args[0], ast.JoinedStr)]

    assert glued == []


def test_every_place_has_its_value() -> None:
    """And every value has its place."""
    wrong: list[str] = []
    for at, call in _raised():
        text = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
        given = {each.arg for each in call.keywords} - _OTHERWISE
        if isinstance(text, str) and given:
            places = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
            wrong += [at] if places != given else []
        elif given and text is None:
            wrong.append(at)

    assert wrong == []


def test_a_sentence_has_its_values_where_it_is_read() -> None:
    """The error keeps both apart."""
    error = SpecError("{count:,} are too many: at most {most:,}.", count=2_000, most=1_000)

    assert (error.text, error.values) == (
        "{count:,} are too many: at most {most:,}.",
        {"count": 2_000, "most": 1_000},
    )
    assert refusal(error) == str(error) == "2,000 are too many: at most 1,000."
    assert (
        refusal(SpecError("Braces such as {a, b} alone are text.")) == "Braces such as {a, b} alone are text."
    )


def test_what_was_typed_is_no_sentence() -> None:
    """Braces in a value stay what they are."""
    assert refusal(NotationError("I can't read '{rest}'.", rest="{0}{x}", column=4)) == (
        "I can't read '{0}{x}'. (at column 4)"
    )


def test_dice_that_may_have_been_meant_are_offered() -> None:
    """One, or several with what each means."""
    one, other = DiceReading("1d6"), DiceReading("3#1d6", "so many rolls")

    assert refusal(NotationError("No.", readings=(one,))) == "No. Did you mean `1d6`?"
    assert refusal(NotationError("No.", readings=(one, other, one))) == (
        "No. Did you mean `1d6`, `3#1d6` (so many rolls) or `1d6`?"
    )


def test_one_is_not_many() -> None:
    """The sentence is written for both."""
    assert [say_many("1 success", "{n} successes", n) for n in (0, 1, 2)] == [
        "0 successes",
        "1 success",
        "2 successes",
    ]

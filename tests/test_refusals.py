"""Errors that people read: each is raised as a whole sentence, with a value for every place in it."""

import ast
import re
import string
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.campaign.campaigns import Rules
from bot.dice.errors import DiceReading, NotationError, SpecError
from bot.dice.system import require_integer
from bot.systems.registry import read_spec
from bot.words.languages import PSEUDO, language, speaking
from bot.words.saying import refusal, say_many
from tests.support.glued import Code, sentence_of
from tools.messages import DESCRIPTION, ROOT, every_sentence

_OTHERWISE = {"column", "readings"}
"""What a NotationError is given besides the values of its sentence."""
_ENGLISH = ("bot/cli/", "bot/play/", "bot/rulebooks/")
"""The command line is English, as the names in a game's file are."""
_MEANT = {
    "bot/dice/system.py: key": "names in a roller's JSON",
    "bot/dice/system.py: value_text(value)": "JSON's null",
    "bot/dice/system.py: value_text(weight)": "JSON's null",
    "bot/record/audit.py: error": "a file's line, which the command line alone reads",
    "bot/record/exchange.py: error": "a file's line, which the command line alone reads",
    "bot/storage/backup.py: path": "the name of a file",
    "bot/storage/backup.py: error.strerror or error": "the system's own words",
    "bot/storage/engine.py: error.strerror or error": "the system's own words",
    "bot/storage/files.py: error.strerror or error": "the system's own words",
    "bot/storage/moving.py: f'{table.name}: {done:,} of {total:,}'": "another `say`, of the command line",
    "bot/systems/charts.py: name": "the column of a map's file",
    "bot/systems/destinator.py: ', '.join(_HEADER)": "the columns of a map's file",
    "bot/systems/destinator.py: ','.join(_HEADER)": "the columns of a map's file",
    "bot/systems/registry.py: spec['system']": "names in a roller's JSON",
    "cogs/log/words.py: link": "the address of a message",
    "cogs/history/words.py: line": "the bot's own name",
}
"""Values with English letters in them that are no words of a sentence, and what they are."""

_COLONS = ("cogs/admin/cog.py", "cogs/d100/cog.py")
"""What a colon behind a value is English in: a reason that is kept, and the choices of a command."""


@pytest.fixture(scope="module")
def code() -> Code:
    """The program."""
    return Code("bot", "cogs")


def test_a_command_in_a_sentence_stands_in_code() -> None:
    """`/group call` is seen at once as what is typed; Discord draws no code in descriptions of commands."""
    known = {
        name.split()[0]
        for name in re.findall(r"`/([a-z0-9]+)", (ROOT / "docs/commands.md").read_text("utf-8"))
    }
    bare = re.compile(rf"(?<![\w<:/])/(?:{'|'.join(known)})\b")
    sentences = [one.one for one in every_sentence() if one.limit != DESCRIPTION]

    assert not [one for one in sentences if bare.search(re.sub(r"`[^`]*`", "", one))]


def test_no_english_is_glued_into_a_sentence(code: Code) -> None:
    """A translator gets it whole, with all that stands in it."""
    glued = {at for at in code.glued() if not at.startswith(_ENGLISH)}

    assert glued == _MEANT.keys()


@pytest.mark.parametrize(
    "wrong",
    [
        'def f(n): say("{n} of all", n="every" if n else "no")',
        'def f(n):\n    much = f"{n} rolls"\n    raise SpecError("Only {much}.", much=much)',
        'WORDS = {1: "odd", 2: "even"}\ndef f(n): say("It is {what}.", what=WORDS[n])',
        'def f(what): raise SpecError("A {what} too many.", what=what)\ndef g(): f("card")',
        'def why(): return "it is full"\ndef f(): say("No, because {why}.", why=why())',
        'def f(x): say("One of {all}.", all=" or ".join(x))',
        'def f(x): raise SpecError(f"Not {x}." if x else "Nothing.")',
        'def f(x):\n    said = f"Not {x}."\n    raise SpecError(said)',
        "def f(error): raise SpecError(str(error)) from error",
        'def f(n): raise Broken(n, f"#{n} is missing.")',
        'def f(n): raise Broken(n, "#{number} is {}.".format("missing"))',
        'def f(n, why="#{number} is missing."): raise Broken(n, why)',
        'def f(x): raise SpecError(x.why or f"Not {x}.")',
        'def f(n): raise Broken(n, "#{number} {why}.", why="is missing")',
        'def f(x):\n    try: g(x)\n    except ValueError as e: raise SpecError("No: {why}", why=e)',
        'def f(x):\n    try: g(x)\n    except SpecError as e: raise SpecError("No: {why}", why=str(e))',
    ],
)
def test_glue_is_seen(tmp_path: Path, wrong: str) -> None:
    """In a choice, behind a name, an argument or a function, and between others."""
    (tmp_path / "one.py").write_text(
        f"class SpecError(LocalizedError): ...\nclass Broken(LocalizedError): ...\n{wrong}\n"
    )

    assert len([*Code(str(tmp_path)).glued()]) == 1


def test_words_that_are_said_are_no_glue(tmp_path: Path) -> None:
    """Nor are those that somebody typed, or types."""
    (tmp_path / "one.py").write_text(
        'def f(name): say("{name}: {no}, `{word}`", name=name, no=say("no"), word="roll", '
        'n=LocalizedError("full"))\n'
        "def g(n):\n    try: f(n)\n    except LocalizedError as error:\n"
        '        raise LocalizedError("{n}: {why}", n=n, why=error)\n'
    )

    assert [*Code(str(tmp_path)).glued()] == []


def test_every_place_has_its_value(code: Code) -> None:
    """And every value has its place."""
    wrong: list[str] = []
    for call in (call for name in code.errors for call, _ in code.calls.get(name, ())):
        text = next((one.value for one in sentence_of(call) if isinstance(one, ast.Constant)), None)
        given = {each.arg for each in call.keywords if each.arg} - _OTHERWISE
        given |= {"number"} if text and sentence_of(call) == call.args[1:] else set()
        if isinstance(text, str) and given:
            places = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
            wrong += [text] if places != given else []
        elif given and text is None:
            wrong.append(ast.unparse(call))

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


def test_an_error_in_an_error_is_said_too() -> None:
    """In the language of the whole, and without where the part of it was wrong."""
    error = SpecError("No, because {reason}.", reason=NotationError("{n} is much", n=9, column=4))

    assert refusal(error) == str(error) == "No, because 9 is much."
    with speaking(language(PSEUDO)):
        assert refusal(error) == "⟦Ñó, ƀéçáúšé ⟦9 íš ḿúçħ~⟧.~~~⟧"


@pytest.mark.parametrize(
    ("refuse", "end"),
    [
        (lambda: Rules(pace=5_000), "5,000."),
        (lambda: read_spec({"system": "deck", "base": "1d6", "refill": 5_000_000}), "5,000,000."),
        (lambda: read_spec({"system": "fair", "base": "1d6", "tightness": "5000.5"}), "5,000.5."),
        (lambda: require_integer("dice", 5_000, 1, 9), "1 to 9, not 5,000."),
        (lambda: require_integer("dice", "5000", 1, 9), "1 to 9, not '5000'."),
    ],
)
def test_a_refused_number_is_written_like_its_limits(refuse: Callable[[], object], end: str) -> None:
    """With the signs of each language; a text that looks like one stays as it is."""
    with pytest.raises(SpecError) as refused:
        refuse()

    assert str(refused.value).endswith(end)
    with speaking(language("de")):
        assert end.translate(str.maketrans(",.", ".,"))[:-1].split()[-1] in refusal(refused.value)


def test_what_was_typed_is_no_sentence() -> None:
    """Braces in a value stay what they are."""
    refused = NotationError("I can't read '{rest}'.", rest="{0}{x}", column=4)
    refused.typed = "d6+{0}{x}"

    assert refusal(refused) == "I can't read '{0}{x}'. Here: `d6+▸{◂0}{x}`."


@pytest.mark.parametrize(
    ("typed", "column", "place"),
    [
        ("2d6 + 3x", 8, " Here: `2d6 + 3▸x◂`."),
        ("2d6[`x`]", 5, " Here: `2d6[▸'◂x']`."),
        ("2d6\x00\n3", 4, " Here: `2d6▸ ◂ 3`."),
        (
            "d6+" * 20 + "x" * 20 + "+d6" * 20,
            61,
            f" Here: `…{('d6+' * 20)[-32:]}▸{'x' * 16}…◂+d6+d6+d6+d6+d6+…`.",
        ),
        ("x2d6", 1, ""),
        ("2d6+", 5, ""),
        ("", 3, ""),
    ],
)
def test_the_wrong_place_is_marked(typed: str, column: int, place: str) -> None:
    """In what was typed, on one line, with a little around it; not where nothing stands there or before."""
    refused = NotationError("No.", column=column)
    refused.typed = typed

    assert refusal(refused) == f"No.{place}"


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


def test_no_colon_is_glued_behind_a_value() -> None:
    """A language sets it as it likes: French has a blank before it."""
    glued = [
        f"{path}: {ast.unparse(node)}"
        for folder in ("bot/words", "bot/charts", "cogs")
        for path in sorted(Path(folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.JoinedStr) and _colon(node)
    ]

    assert [at for at in glued if not at.startswith(_COLONS)] == []


def _colon(node: ast.JoinedStr) -> bool:
    return any(isinstance(part, ast.Constant) and str(part.value).startswith(": ") for part in node.values)

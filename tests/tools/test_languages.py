"""Translators' files: all texts are found, kept, checked, compiled, and read by the bot."""

from gettext import GNUTranslations, c2py
from pathlib import Path

import pytest
from babel import Locale
from babel.messages.catalog import Catalog

from bot.words.languages import SHIPPED, SIGNS, Language, speaking
from bot.words.saying import say, say_many
from tools.catalogues import compiled, faults, forms, fresh, merge, read, texts, written
from tools.languages import shipped, update
from tools.messages import BUTTON, DESCRIPTION, Sentence, every_sentence, sentences
from tools.words_of_games import CONTEXT

SOURCE = '''
X = phrase("Later {x}")
class Form(PersistentForm, title="A title"):
    field = TextInput(label="A label", placeholder="5")
@app.command()
@app.describe(dice="Which dice")
async def roll(n):
    """Roll dice."""
    one, many = "{n} die", "{n} dice"
    told = "yes" if n else "no"
    raise NewError("Not {n}.", n=n)
    return say(told), say_many(one, many, n), say("so {n}" if n else X, n=n)
class NewError(SpecError):
    def __init__(self):
        super().__init__("Its own.")
class SpecError(LocalizedError): ...
ButtonHandler("word", "Press", roll)
Choice(name="a choice", value="x")
DiceReading("d20", b.WITH_BONUS)
DiceReading("d20", AS_LABEL)
'''

ELSEWHERE = """
WITH_BONUS, AS_LABEL = "with a bonus", "as a label"
"""


def test_texts_are_found_wherever_they_are_said(tmp_path: Path) -> None:
    """Sentences in all their forms, refusals, what Discord shows, and constants of another file.

    A form's input takes its texts as they are: only what `say` gets is translated.
    """
    (tmp_path / "cogs").mkdir()
    (tmp_path / "cogs" / "a.py").write_text(SOURCE, "utf-8")
    (tmp_path / "cogs" / "b.py").write_text(ELSEWHERE, "utf-8")
    found = {(one.one, one.many): one.limit for one in sentences(tmp_path)}

    assert found == {
        ("Later {x}", ""): 0,
        ("A title", ""): 45,
        ("Which dice", ""): DESCRIPTION,
        ("Roll dice.", ""): DESCRIPTION,
        ("{n} die", "{n} dice"): 0,
        ("yes", ""): 0,
        ("no", ""): 0,
        ("so {n}", ""): 0,
        ("Not {n}.", ""): 0,
        ("with a bonus", ""): 0,
        ("as a label", ""): 0,
        ("Its own.", ""): 0,
        ("Press", ""): BUTTON,
        ("a choice", ""): DESCRIPTION,
    }


TEXTS = [
    Sentence('Say "{x}"\\\nnow', "", "a.py"),
    Sentence("{n} die", "{n} dice", "b.py"),
    Sentence("Roll", "", "b.py", 6),
]
WORDS = [
    Sentence(f"typed{CONTEXT}attack", "", "a.json", note="name of a roll: A game"),
    Sentence("attack", "", "b.py"),
]


def translated(sentences: list[Sentence], *said: str | tuple[str, ...]) -> Catalog:
    """A German catalogue of those texts."""
    catalogue = fresh("de")
    merge(catalogue, sentences)
    for message, words in zip(texts(catalogue), said, strict=True):
        message.string = words
    return catalogue


def test_a_file_is_read_as_it_was_written() -> None:
    """With signs, lines, and forms for one and for more; what is new has none."""
    file = written(translated(TEXTS, 'Sag "{x}"\\\njetzt', ("{n} Würfel", "{n} Würfel"), "Wurf"))
    again = read(file, "de")
    assert written(again) == file

    merge(again, [*TEXTS[1:2], Sentence("New", "", "c.py")])
    assert [forms(message.string) for message in texts(again)] == [("{n} Würfel", "{n} Würfel"), ("",)]


@pytest.mark.parametrize("code", SIGNS)
def test_per_cent_is_written_as_the_language_does(code: str) -> None:
    """As Unicode's tables have it, whatever blank a translator typed; code and other signs stay."""
    english = ["{a:.1f}%, {b}%.", "of 5% or `d%`", "chance, %"]
    catalogue = fresh(code)
    merge(catalogue, every := [Sentence(text, "", "a.py") for text in english])
    said = ["{a:.1f} %, {b}\u202f%.", "5% `d%`", "%"]
    for message, text in zip(texts(catalogue), said, strict=True):
        message.string = text
    merge(catalogue, every)

    sign = Locale.parse(code, "-").percent_formats[None].pattern.removeprefix("#,##0")
    assert SIGNS[code].percent == sign
    assert [m.string for m in texts(catalogue)] == [f"{{a:.1f}}{sign}, {{b}}{sign}.", f"5{sign} `d%`", "%"]


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        (("", ("{n} Würfel", "{n} Würfel"), "Wurf"), None),
        (("Sag {y}", ("", ""), ""), "x, y on one side alone"),
        (("Sag {x", ("", ""), ""), "on one side alone"),
        (("", ("{n} Würfel",), ""), "a form is missing"),
        (("", ("{n} Würfel", ""), ""), "a form is missing"),
        (("", ("", ""), "Würfeln"), "7 characters, and 6 fit"),
    ],
)
def test_faults_are_found(said: tuple[str | tuple[str, ...], ...], fault: str | None) -> None:
    """Values that are lost, forms that are missing, and what Discord would cut."""
    found = [*faults(translated(TEXTS, *said), TEXTS)]

    assert (fault is None) == (found == [])
    assert fault is None or fault in found[0]


def test_a_word_that_is_typed_has_a_text_for_itself(tmp_path: Path) -> None:
    """What it is stands above it, and one word of letters and digits is all that it may be."""
    told = translated(WORDS, "angriff", "Angriff!")
    (tmp_path / "de.mo").write_bytes(compiled(told))
    with (tmp_path / "de.mo").open("rb") as file:
        german = GNUTranslations(file)
    wrong = translated(WORDS, "zum Angriff", "")

    assert b'#. name of a roll: A game\n#: a.json\nmsgctxt "typed"\nmsgid "attack"\n' in written(told)
    assert [*faults(told, WORDS)] == []
    assert (german.pgettext("typed", "attack"), german.gettext("attack")) == ("angriff", "Angriff!")
    assert ["one word" in fault for fault in faults(wrong, WORDS)] == [True]


def test_a_new_language_is_one_file(tmp_path: Path) -> None:
    """Made, filled and compiled by one command, and then spoken."""
    assert update("it", tmp_path) == []
    path = tmp_path / "it.po"
    text = path.read_text("utf-8").replace('msgid "All in."\nmsgstr ""', 'msgid "All in."\nmsgstr "Tutti."')
    one = 'msgid "{n} campaign"\nmsgid_plural "{n:,} campaigns"\n'
    text = text.replace(
        one + 'msgstr[0] ""\nmsgstr[1] ""', one + 'msgstr[0] "{n} campagna"\nmsgstr[1] "{n:,} campagne"'
    )
    path.write_text(text, "utf-8")
    assert update("it", tmp_path) == []

    with (tmp_path / "it.mo").open("rb") as file:
        italian = Language("it", GNUTranslations(file))
    with speaking(italian):
        assert say("All in.") == "Tutti."
        assert say_many("{n} campaign", "{n:,} campaigns", 2) == "2 campagne"
        assert say("Closed.") == "Closed."


def test_a_file_with_a_fault_is_not_compiled(tmp_path: Path) -> None:
    """So what is shown is never worse than English."""
    update("it", tmp_path)
    before = (tmp_path / "it.mo").read_bytes()
    path = tmp_path / "it.po"
    english = 'msgid "Roll {dice}"\nmsgstr "'
    path.write_text(path.read_text("utf-8").replace(english, f"{english}Tira"), "utf-8")

    assert [fault.partition(": ")[0] for fault in update("it", tmp_path)] == ["it.po"]
    assert (tmp_path / "it.mo").read_bytes() == before


def test_a_file_that_is_none_is_said(tmp_path: Path) -> None:
    """With its place, and no traceback."""
    (tmp_path / "it.po").write_text('msgid "All in."\nTutti.\n', "utf-8")

    assert [fault.partition(": ")[0] for fault in update("it", tmp_path)] == ["it.po"]


def test_shipped_files_are_compiled() -> None:
    """Each has a place for every text, no fault, and is what the bot reads; a release wants them whole."""
    every = every_sentence()
    for code in shipped():
        file = (SHIPPED / f"{code}.po").read_bytes()
        catalogue = read(file, code)
        merge(catalogue, every)
        assert written(catalogue) == file
        assert catalogue.obsolete == {}
        assert [*faults(catalogue, every)] == []
        assert (SHIPPED / f"{code}.mo").read_bytes() == compiled(catalogue)


def test_english_fits_where_discord_has_little_room() -> None:
    """Every description, label and button."""
    assert [one for one in every_sentence() if one.limit and len(one.one) > one.limit] == []


NEVER_NONE = {
    "It has one face.",
    "{base} with the last face thrown again",
    "{base} with the last face rarer",
    "{player} wants to roll {dice}, and hosts the bot: somebody else throws.",
}
"""Texts whose count is never 0."""


@pytest.mark.parametrize("code", shipped())
def test_a_form_for_several_numbers_contains_its_number(code: str) -> None:
    """French and Portuguese have one form for 0 and 1: "1 success" would be wrong of none."""
    catalogue = read((SHIPPED / f"{code}.po").read_bytes(), code)
    chosen = [c2py(catalogue.plural_expr)(n) for n in range(200)]
    wrong = [
        form
        for message in texts(catalogue)
        if message.pluralizable and "{n" in forms(message.id)[1] and message.id[0] not in NEVER_NONE
        for index, form in enumerate(forms(message.string))
        if chosen.count(index) > 1 and "{n" not in form
    ]

    assert wrong == []

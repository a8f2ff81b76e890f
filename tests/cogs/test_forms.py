"""The forms of features: what their files let people type is what the program takes."""

from importlib import import_module

import pytest

from bot.campaign.characters import LINES_LIMIT
from bot.campaign.proof_commands import SALT_LIMIT
from bot.client import COGS
from bot.dice.names import NAME_LIMIT
from cogs.kit.interactions import PersistentForm

for cog in COGS:
    import_module(cog)
FORMS = {form.form.word: form for form in PersistentForm.__subclasses__()}


@pytest.mark.parametrize(
    ("word", "asked", "most"),
    [
        ("me-edit", "name", NAME_LIMIT),
        ("me-edit", "numbers", LINES_LIMIT),
        ("me-new", "name", NAME_LIMIT),
        ("proof-words", "words", SALT_LIMIT),
    ],
)
def test_an_input_takes_as_much_as_the_program(word: str, asked: str, most: int) -> None:
    """A limit that is a constant elsewhere is the same in the file."""
    assert FORMS[word].inputs[asked]["max_length"] == most

"""No feature speaks to Discord by itself: what people see goes through `send` and `edit` of cogs/kit."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SENDS = {"send", "reply", "edit", "send_message", "edit_message", "edit_original_response", "followup"}
ANSWERS = {"defer", "is_done"}
"""What a feature may do with an interaction's response; forms are opened by `PersistentForm.show`."""
OTHERS = {"cogs/group/live.py: self._pictures.edit", "cogs/me/cog.py: characters.edit"}
"""What has such a name and is no message."""


def spoken(source: str) -> Iterator[str]:
    """Yield what a source calls or names that sends or edits a message of Discord's."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            whole = ast.unparse(node)
            answers = isinstance(node.value, ast.Attribute) and node.value.attr == "response"
            if node.attr in SENDS or (answers and node.attr not in ANSWERS):
                yield whole


def test_features_send_and_edit_by_cards_alone() -> None:
    """Else a message would be no card, or an edit would leave the older look behind."""
    files = [path for path in (ROOT / "cogs").rglob("*.py") if path.parts[-2] != "kit"]
    found = {
        f"{path.relative_to(ROOT)}: {each}" for path in files for each in spoken(path.read_text("utf-8"))
    }

    assert len(files) > 40
    assert found == OTHERS


def test_what_is_looked_for_is_found() -> None:
    """The ways in which discord.py sends and edits."""
    wrong = [
        "await interaction.response.send_message('x')",
        "await interaction.response.send_modal(form)",
        "await interaction.followup.send('x')",
        "await message.edit(content='x')",
        "post = channel.send",
    ]

    assert [bool([*spoken(line)]) for line in wrong] == [True] * len(wrong)
    assert [*spoken("await interaction.response.defer()\nawait send(interaction, card)")] == []

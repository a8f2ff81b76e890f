"""A refused text with a button for each roll that it may have meant, made as it was asked for."""

from bot.campaign.command import RollOptions
from bot.dice.errors import NotationError
from cogs.kit.interactions import NUMBER, Field, Interaction, KindOfButton, caller, roll_options, row
from cogs.kit.replies import reply

_ID_LIMIT = 100
_LABEL_LIMIT = 80
_CHOSEN = Field(r"[a-z]*", str)
_TEXT = Field(r".+", str)


async def offer(interaction: Interaction, refused: NotationError, times: int, options: RollOptions) -> None:
    """Tell the asker what is wrong, with a button for each reading that fits in one."""
    visibility = options.visibility or ""
    buttons = [
        READ(times, int(options.practice), visibility, _labelled(text, options.label))
        for text, _ in refused.readings
    ]
    view = row(*(button for button in buttons if len(button.custom_id or "") <= _ID_LIMIT))
    await interaction.response.send_message(refused.sentence, view=view, ephemeral=True)


def _labelled(text: str, label: str) -> str:
    """Return the notation with the label as its comment, which a roll's own label goes before."""
    return f"{text.partition(' # ')[0]} # {label}" if label else text


async def _roll(interaction: Interaction, times: int, practice: int, visibility: str, text: str) -> None:
    """Roll the reading that was chosen."""
    rolling = interaction.client.app.rolling
    options = roll_options(visibility=visibility or None, practice=bool(practice))
    await reply(interaction, rolling, await rolling.roll(caller(interaction), text, times, options))


def _name(_times: int, _practice: int, _visibility: str, text: str) -> str:
    return f"Roll {text}"[:_LABEL_LIMIT]


READ = KindOfButton("read", _name, _roll, NUMBER, NUMBER, _CHOSEN, _TEXT)

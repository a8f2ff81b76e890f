"""The buttons that delete for good: all that is stored of a server, or of a person."""

from bot.render import privacy as render
from cogs.shared.asking import asked, person
from cogs.shared.pressing import Press, SureButton


class DeleteAll(SureButton, template=r"delete:home"):
    """Deletes the data of the place in which it is pressed."""

    word = "delete:home"
    label = "Delete it all"

    async def press(self, interaction: Press) -> None:
        """Delete, for those who may still do it."""
        await interaction.response.defer()
        await interaction.client.house.privacy.delete_home(asked(interaction), person(interaction))
        await interaction.edit_original_response(content=render.DELETED, view=None)


class Forget(SureButton, template=r"forget:me"):
    """Erases whoever presses it."""

    word = "forget:me"
    label = "Erase me"

    async def press(self, interaction: Press) -> None:
        """Erase, and say what it came to."""
        await interaction.response.defer()
        erased = await interaction.client.house.privacy.forget(asked(interaction))
        text = render.forgotten(erased.events, erased.campaigns)
        await interaction.edit_original_response(content=text, view=None)

"""The preview's page with a table's face: its tools for bot makers put away, and what is typed readable."""

from aiohttp import web
from simcord.preview._server import PreviewServer  # pyright: ignore[reportPrivateUsage]

_WORDS = {"SimCord Preview": "Evenhand: the table", "End preview session": "Close the table"}
_STYLE = """
/* As shipped, padding eats the first letters of what is typed into a command's option. */
.command-option-input { box-sizing: content-box; }
.preview-brand, #messages-toggle, #refresh, #capture-open, #inspector-toggle, #view-action-output,
#messages-sidebar { display: none !important; }
"""


class TableServer(PreviewServer):
    """Serves simcord's files, two of them touched up on the way."""

    async def _static(self, request: web.Request) -> web.Response:
        response: web.Response = await super()._static(request)
        text = response.text or ""
        if request.path == "/":
            for theirs, ours in _WORDS.items():
                text = text.replace(theirs, ours)
            response.text = text
        elif request.path == "/preview.css":
            response.text = text + _STYLE
        return response

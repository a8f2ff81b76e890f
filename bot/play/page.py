"""The preview's page with a table's face: its tools for bot makers put away, and what is typed readable."""

from collections.abc import Callable

from aiohttp import web
from simcord.preview._server import PreviewServer  # pyright: ignore[reportPrivateUsage]

_WORDS = {"SimCord Preview": "Evenhand: the table", "End preview session": "Close the table"}
_STYLE = """
/* As shipped, padding eats the first letters of what is typed into a command's option. */
.command-option-input { box-sizing: content-box; }
.preview-brand, #messages-toggle, #refresh, #capture-open, #inspector-toggle, #view-action-output,
#messages-sidebar { display: none !important; }
"""
_SCRIPT = """
// As shipped, an option offers nothing before something is typed. Discord asks as soon as one comes to it.
let asked = 0;
document.addEventListener("focusin", ({ target }) => {
  if (!target.matches(".command-option-input") || target.value || Date.now() - asked < 1000) return;
  asked = Date.now();
  setTimeout(() => target.dispatchEvent(new Event("input", { bubbles: true })), 50);
});
"""


def _renamed(text: str) -> str:
    for theirs, ours in _WORDS.items():
        text = text.replace(theirs, ours)
    return text


_TOUCHES: dict[str, Callable[[str], str]] = {
    "/": _renamed,
    "/preview.css": lambda text: text + _STYLE,
    "/app.js": lambda text: text + _SCRIPT,
}


class TableServer(PreviewServer):
    """Serves simcord's files, three of them touched up on the way."""

    async def _static(self, request: web.Request) -> web.Response:
        response: web.Response = await super()._static(request)
        touch = _TOUCHES.get(request.path)
        if touch:
            response.text = touch(response.text or "")
        return response

"""Messages made of components, as discord.py's own views write them."""

import json
from collections.abc import Sequence
from typing import Any

from aiohttp import FormData
from discord import ui

from tests.play.evening import drawn

V2 = 1 << 15
ALT = "Chances of 4d6kh3"


def card(*items: ui.Item[Any], **more: Any) -> dict[str, Any]:
    """Return the body of a message that holds these items."""
    view = ui.LayoutView()
    for item in items:
        view.add_item(item)
    return {"flags": V2, "components": view.to_components(), **more}


def text(content: str, number: int | None = None) -> ui.TextDisplay[Any]:
    """Return a text display."""
    return ui.TextDisplay(content, id=number)


def again(custom_id: str = "again", label: str = "Again") -> ui.Button[Any]:
    """Return a button."""
    return ui.Button(label=label, custom_id=custom_id)


def chart(name: str = "odds.png") -> ui.MediaGallery[Any]:
    """Return a gallery of one picture."""
    gallery: ui.MediaGallery[Any] = ui.MediaGallery()
    return gallery.add_item(media=f"attachment://{name}", description=ALT)


def with_files(body: dict[str, Any], names: Sequence[str] = ("odds.png",)) -> FormData:
    """Return the body with files, as discord.py sends it."""
    form = FormData(quote_fields=False)
    attachments = [{"id": number, "filename": name} for number, name in enumerate(names)]
    within = body.get("data", body)
    within.setdefault("attachments", []).extend(attachments)
    form.add_field("payload_json", json.dumps(body), content_type="application/json")
    for number, name in enumerate(names):
        content = drawn("PNG") if name.endswith(".png") else b"{}"
        form.add_field(f"files[{number}]", content, filename=name, content_type="application/octet-stream")
    return form

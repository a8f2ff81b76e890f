"""Validate the bot's requests against Discord's own description, of which tests/data has a part."""

import json
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from bot.play.store import listed, mapped
from tests.support.discord import ROOT, Request

FILE = ROOT / "tests" / "data" / "discord-openapi.json"
"""Taken from github.com/discord/discord-api-spec (MIT): routes and their schemas, without descriptions."""


def faults_of(requests: Iterable[Request]) -> list[str]:
    """Return what Discord's description has against the requests."""
    faults = (
        fault_of(request.method, request.path, request.body)
        for request in requests
        if request.method != "GET"
    )
    return [fault for fault in faults if fault]


@cache
def _api() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


@cache
def _routes() -> list[tuple[re.Pattern[str], str]]:
    """Return the paths as patterns; those with fewer variables come first."""
    paths = sorted(_api()["paths"], key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path)), path) for path in paths]


@cache
def _validator(path: str, method: str) -> Draft202012Validator | None:
    body = _api()["paths"][path].get(method, {}).get("requestBody")
    if body is None:
        return None
    schema = body["content"]["application/json"]["schema"]
    return Draft202012Validator({**schema, "components": _api()["components"]})


def fault_of(method: str, path: str, body: Any) -> str | None:
    """Return what Discord's description has against one request."""
    route = next((known for pattern, known in _routes() if pattern.fullmatch(path)), None)
    if route is None or method.lower() not in _api()["paths"][route]:
        return f"{method} {path}: there is no such route in {FILE.name}"
    validator = _validator(route, method.lower())
    if validator is None:
        return None
    faults = validator.iter_errors(_as_sent(body))
    deepest = max(faults, key=lambda fault: len(fault.instance_path), default=None)
    return f"{method} {path}: {deepest.instance_path}: {deepest.message}" if deepest else None


def _as_sent(body: Any) -> Any:
    """Return a body with ids as strings: discord.py sends some as numbers, which Discord takes too."""
    items, fields = listed(body), mapped(body)
    if items:
        return [_as_sent(item) for item in items]
    if not fields:
        return body
    changed = {key: _as_sent(value) for key, value in fields.items()}
    for entry in (*(changed.get("attachments") or ()), *(changed.get("default_values") or ())):
        entry["id"] = str(entry["id"])
    if isinstance(changed.get("emoji"), dict) and changed["emoji"].get("id"):
        changed["emoji"] |= {"id": str(changed["emoji"]["id"])}
    for kind in ("users", "roles"):
        if isinstance(changed.get(kind), list):
            changed[kind] = [str(number) for number in changed[kind]]
    return changed

"""Holds the bot's requests against Discord's own description, where one lies beside the checkout."""

import json
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from bot.play.store import listed, mapped
from tests.support.discord import ROOT, Request

FILE = ROOT.parent / "shared" / "data" / "discord-openapi.json"
ABSENT = "Discord's OpenAPI file is not beside the checkout (../shared/data): no request was held against it."


def faults_of(requests: Iterable[Request]) -> list[str]:
    """Return what Discord's description has against the requests; nothing where the description is absent."""
    if not FILE.exists():
        return []
    found = (_fault(request) for request in requests if request.method != "GET")
    return [fault for fault in found if fault]


@cache
def _api() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


@cache
def _routes() -> list[tuple[re.Pattern[str], str]]:
    """The paths as patterns; those with fewer variables come first."""
    paths = sorted(_api()["paths"], key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path)), path) for path in paths]


@cache
def _validator(path: str, method: str) -> Draft202012Validator | None:
    body = _api()["paths"][path].get(method, {}).get("requestBody")
    if body is None:
        return None
    schema = body["content"]["application/json"]["schema"]
    return Draft202012Validator({**schema, "components": _api()["components"]})


def _fault(request: Request) -> str | None:
    path = next((path for pattern, path in _routes() if pattern.fullmatch(request.path)), None)
    if path is None or request.method.lower() not in _api()["paths"][path]:
        return f"{request.route}: there is no such route"
    validator = _validator(path, request.method.lower())
    if validator is None:
        return None
    errors: list[Any] = list(validator.iter_errors(_as_sent(request.body)))  # pyright: ignore[reportUnknownMemberType] -- as typed
    deepest = max(errors, key=lambda error: len(error.absolute_path), default=None)
    return f"{request.route}: {deepest.json_path}: {deepest.message}" if deepest else None


def _as_sent(body: Any) -> Any:
    """Return a body with ids as strings: discord.py sends some as numbers, which Discord takes too."""
    things, fields = listed(body), mapped(body)
    if things:
        return [_as_sent(each) for each in things]
    if not fields:
        return body
    changed = {key: _as_sent(value) for key, value in fields.items()}
    for attachment in changed.get("attachments") or ():
        attachment["id"] = str(attachment["id"])
    if isinstance(changed.get("emoji"), dict) and changed["emoji"].get("id"):
        changed["emoji"] |= {"id": str(changed["emoji"]["id"])}
    for kind in ("users", "roles"):
        if isinstance(changed.get(kind), list):
            changed[kind] = [str(number) for number in changed[kind]]
    return changed

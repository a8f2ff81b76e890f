"""A page of the table without a browser: the requests it sends, one after another."""

import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import ClientSession


class Visitor:
    """Someone at a page, who acts on what the page showed last, be it old."""

    def __init__(
        self, session: ClientSession, base: str, state: dict[str, Any], catalog: dict[str, Any]
    ) -> None:
        self._session = session
        self._base = base
        self._state = state
        self._commands = {entry["invocation"]: entry for entry in catalog["entries"]}
        self._acted = 0

    async def look(self) -> list[str]:
        """The text of every message the page shows now, the oldest first."""
        async with self._session.get(f"{self._base}/api/state") as answer:
            self._state = await answer.json()
        return [self._state["messages"][key]["content"] for key in self._state["timeline"]]

    async def slash(self, name: str, /, **options: str) -> str:
        """Run a command; returns how the table took it: "settled", "failed" or "rejected"."""
        command = self._commands[name]
        return await self._act(
            kind="run_command",
            command_id=command["commandId"],
            path=command["path"],
            schema_fingerprint=command["schemaFingerprint"],
            options=options,
        )

    async def _act(self, **body: object) -> str:
        self._acted += 1
        body |= {
            "protocol_version": 3,
            "sequence": self._acted,
            "request_id": str(uuid.uuid4()),
            "generation": self._state["context"]["generation"],
            "bot_generation": self._state["botGeneration"],
            "published_revision": self._state["publishedRevision"],
        }
        async with self._session.post(f"{self._base}/api/action", json=body) as answer:
            return str((await answer.json())["settlement"])


@asynccontextmanager
async def visiting(address: str, name: str) -> AsyncGenerator[Visitor, None]:
    """A page opened as "Mara", "Ann" or "Bob"."""
    base, _, key = address.partition("/#")
    async with ClientSession(headers={"X-Simcord-Capability": key}) as session:
        async with session.post(f"{base}/api/pages", json={}) as answer:
            state = await answer.json()
        async with session.delete(
            f"{base}/api/pages/{state['context']['id']}",
            headers={"X-Simcord-Context": state["context"]["id"]},
        ):
            pass
        viewer = next(each["id"] for each in state["viewers"] if each["name"] == name)
        async with session.post(f"{base}/api/pages", json={"viewer_id": viewer}) as answer:
            state = await answer.json()
        session.headers["X-Simcord-Context"] = state["context"]["id"]
        async with session.get(f"{base}/api/commands") as answer:
            catalog = await answer.json()
        yield Visitor(session, base, state, catalog)

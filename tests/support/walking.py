"""Whoever presses all that there is: each button, list and form of the messages that commands bring."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from discord import InteractionType
from simcord import InteractionResult, MemberActor, ResponseMessage
from simcord.components import walk_components
from simcord.enums import ComponentType

from tests.support.table import Table

PRESS, FORM = InteractionType.component, InteractionType.modal_submit
TYPED = {
    "added": "+2", "check": "Stealth", "dice": "1d20", "name": "Mira", "names": "Orc", "note": "Stealth",
    "number": "+5", "numbers": "dex +2", "who": "Ann", "why": "Storm", "words": "owl",
}  # fmt: skip
"""Text for a form's fields, by their ids; others get a number."""


@dataclass(slots=True)
class Tour:
    """Somebody's way through commands and all that can be pressed then, each kind once for each command."""

    t: Table
    actor: MemberActor
    looks: Callable[[str], None]
    """Is told where one is, behind each step."""
    guest: MemberActor | None = None
    """Presses what all see, before them."""
    tried: set[tuple[InteractionType, str]] = field(default_factory=set[tuple[InteractionType, str]])
    """The kinds of presses and forms that were tried, by the first word of their ids."""
    unsaid: set[str] = field(default_factory=set[str])
    """Kinds of buttons that opened a form, and do not end with dots as a sign of it."""
    _known: set[int] = field(default_factory=set[int])
    _done: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])
    _left: frozenset[str] = frozenset()

    async def slash(self, command: str, /, *leaving: str, **options: object) -> None:
        """Run a command, and press all that it brings but the kinds that are named."""
        self._done.clear()
        self._left = frozenset(leaving)
        await self._goes_on(self.actor, await self.t.slash(self.actor, command, **options), f"/{command}")

    async def _goes_on(self, who: MemberActor, answer: InteractionResult, where: str) -> None:
        self.looks(where)
        if form := answer.modal:
            custom_id = str(form["custom_id"])
            self.tried.add((FORM, custom_id.partition(":")[0]))
            sent = await who.submit_modal(answer, self.filled(form["components"]))
            await self._goes_on(who, sent, f"{where} > form {custom_id}")
        for message in [
            *([answer.response] if answer.response else []),
            *answer.followups,
            *self._elsewhere(who),
        ]:
            self._known.add(message.id)
            while target := self._next(who, message):
                actor, part = target
                await self._goes_on(
                    actor, await self.press(actor, message, part), f"{where} > {part['custom_id']}"
                )

    def _elsewhere(self, who: MemberActor) -> Iterator[ResponseMessage]:
        """Yield the messages that the bot has posted by itself."""
        everywhere = [sent for several in self.t.env.backend.messages.values() for sent in several.values()]
        for message in everywhere:
            if message.id not in self._known and message.visible_to(who.id):
                yield ResponseMessage(self.t.env, message)

    def _next(self, who: MemberActor, message: ResponseMessage) -> tuple[MemberActor, Any] | None:
        """Return the next thing to press that was not pressed yet: a press may remove others, or add some.

        A message that the bot has deleted meanwhile has none.
        """
        if not any(message.id in several for several in self.t.env.backend.messages.values()):
            return None
        people = [self.guest, self.actor] if self.guest and not message.ephemeral else [who]
        for part in walk_components(message.components):
            kind = re.sub(r"\d", "", str(part.get("custom_id", "")))
            word = kind.partition(":")[0]
            for person in people if word and word not in self._left and not part.get("disabled") else ():
                if (person.id, kind) not in self._done:
                    self._done.add((person.id, kind))
                    self.tried.add((PRESS, word))
                    return person, part
        return None

    async def press(self, who: MemberActor, message: ResponseMessage, part: Any) -> InteractionResult:
        """Press a button, or choose the last entry of a list."""
        if part["type"] == ComponentType.BUTTON:
            answer = await who.click(message, custom_id=part["custom_id"])
            if answer.modal and not part["label"].rstrip("~⟧").endswith("…"):
                self.unsaid.add(str(part["custom_id"]).partition(":")[0])
            return answer
        return await who.select(message, self._chosen(part), custom_id=part["custom_id"])

    def filled(self, parts: Iterable[Any]) -> dict[str, Any]:
        """Return what is typed and chosen in a form's fields."""
        return {
            part["custom_id"]: self._chosen(part) for part in walk_components(parts) if "custom_id" in part
        }

    def _chosen(self, part: Any) -> Any:
        match ComponentType(part["type"]):
            case ComponentType.TEXT_INPUT:
                return TYPED.get(part["custom_id"], "3")
            case ComponentType.USER_SELECT:
                return [self.actor]
            case ComponentType.CHECKBOX:
                return False
            case ComponentType.RADIO_GROUP:
                return str(part["options"][-1]["value"])
            case _:
                return [str(part["options"][-1]["value"])]

"""Messages come, change and go: each is kept before anybody is told of it."""

import secrets
from collections.abc import Mapping

from bot.play import messages, pictures
from bot.play.messages import EPHEMERAL, LOADING, Gone, Message, Upload
from bot.play.refusals import unknown
from bot.play.store import Object
from bot.play.world import World

Uploads = Mapping[int, Upload]
"""The files of a request, by the number in their field's name."""


class Posts:
    """The messages of the table. `address` is where the bot fetches files."""

    def __init__(self, world: World) -> None:
        self.address = ""
        self._world = world
        self._store = world.store

    def find(self, message: int) -> Message | None:
        """Return a message."""
        data = self._store.message(message)
        return Message(**data) if data else None

    def payload(self, message: Message) -> Object:
        """Return a message as Discord's JSON."""
        return messages.payload(self._world, message, self.address)

    def fill(self, message: Message, body: Object, uploads: Uploads) -> None:
        """Take over what a request says of a message; raise Refused for what Discord refuses."""
        messages.check(body, list(uploads.values()))
        if "content" in body:
            message.content = body["content"] or ""
        if "components" in body:
            message.components = body["components"] or []
        if "content" in body or "allowed_mentions" in body:
            message.calls = messages.called(self._world, message, body.get("allowed_mentions"))
        self._attach(message, body, uploads)
        messages.refuse_empty(message)

    def _attach(self, message: Message, body: Object, uploads: Uploads) -> None:
        listed: dict[str, Object] = {str(each.get("id")): each for each in body.get("attachments") or ()}
        if "attachments" in body:
            message.attachments = [kept for kept in message.attachments if kept["id"] in listed]
        for number, upload in uploads.items():
            said = listed.get(str(number), {})
            kept = self.keep_file(
                upload, message.author, name=said.get("filename"), about=said.get("description")
            )
            message.attachments.append(kept)

    def keep_file(
        self, upload: Upload, owner: int, *, name: str | None = None, about: str | None = None
    ) -> Object:
        """Keep a file that stands in no message yet, and return its description."""
        found = pictures.picture(upload.content)
        kept: Object = {
            "id": str(self._world.ids.new()),
            "key": secrets.token_urlsafe(16),
            "filename": _file_name(name or upload.name),
            "size": len(upload.content),
            "content_type": found.type if found else "application/octet-stream",
        }
        if found:
            kept |= {"width": found.width, "height": found.height}
        if about:
            kept["description"] = about[:1024]
        self._store.add_file(int(kept["id"]), owner, kept, upload.content)
        return kept

    def post(self, message: Message) -> None:
        """Keep a new message and tell it."""
        self._keep(message, new=True)

    def edit(self, message: Message, body: Object, uploads: Uploads) -> None:
        """Change a message as a request says."""
        self.fill(message, body, uploads)
        if message.waiting:
            message.waiting = False
            message.flags &= ~LOADING
        else:
            message.edited = int(self._world.ids.clock() * 1000)
        self._keep(message)

    def lose(self, message: Message, sentence: str) -> None:
        """Say in a message that its answer never came."""
        message.waiting, message.lost = False, True
        message.flags &= ~LOADING
        message.content = sentence
        self._keep(message)

    def delete(self, message: Message) -> None:
        """Delete a message."""
        self._store.delete(message.id)
        self._world.tell(Gone(message.channel, (message.id,), message.viewer))

    def clear(self, channel: int) -> None:
        """Delete all messages of a channel."""
        self._store.clear(channel)
        self._world.tell(Gone(channel, None))

    def tidy(self) -> None:
        """Delete what is beyond the limits, and private answers of more than a day ago."""
        day_ago = self._world.ids.new() - (86_400_000 << 22)
        for number in list(self._store.tidy(day_ago)):
            if message := self.find(number):
                self.delete(message)

    def own(self, channel: int, number: int) -> Message:
        """Return a message that the bot may see in a channel; raise Refused if there is none."""
        message = self.find(number)
        if message is None or message.channel != channel or message.flags & EPHEMERAL:
            raise unknown(10008, "Message")
        return message

    def _keep(self, message: Message, *, new: bool = False) -> None:
        for kept in message.attachments:
            self._store.attach(int(kept["id"]), message.id)
        self._store.save(message.id, message.channel, message.author, message.viewer, message.data())
        self._world.tell(message, new=new)


def _file_name(given: str) -> str:
    """Return a file's name as Discord makes it: letters, digits, dot, dash and underline."""
    name = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in given)[-100:]
    return name.lstrip(".") or "file"

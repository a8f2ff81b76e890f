"""The Discord client: minimal intents, the features, and a command tree that answers every interaction."""

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeAlias, cast

import discord
from discord import InteractionType, app_commands
from discord.app_commands import TranslationContextLocation
from discord.ext import commands
from discord.webhook.async_ import async_context

from bot.answers import (
    DISCORD_ERRORS,
    OUT_OF_DATE,
    Lateness,
    NoEchoAdapter,
    Replies,
    report,
    tell,
    typed_parts,
)
from bot.dice.errors import DiceError, Unknown
from bot.dice.names import with_single_blanks
from bot.newest import Newest
from bot.services.tidying import Presence
from bot.times import time_of
from bot.words.languages import SPOKEN, codes, language, speaking
from bot.words.saying import phrase, refusal, say

if TYPE_CHECKING:
    from bot.app import App

_FEATURES = Path(str(files("cogs"))).glob("*/cog.py")
COGS = tuple(sorted(f"cogs.{file.parent.name}.cog" for file in _FEATURES))
"""The module of each feature, in the order in which they are loaded."""

PERMISSIONS = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, attach_files=True
)
"""The rights that the bot needs in a channel: to see it, to post, and to attach charts and exports."""

_LAST_ANSWERS_SECONDS, _LAST_WORDS_SECONDS = 5, 2
"""At a stop, the time for running interactions, and then for what is said about unfinished ones."""
_HANDOVER_SECONDS = 1.5
"""Seconds in which a stopping process lets others of its shards answer, before it refuses an interaction."""
_PICTURES_SECONDS = 5
_MOST_RECENT = 500
"""The largest number of stored recent interactions."""
_TRANSLATED = {
    TranslationContextLocation.command_description,
    TranslationContextLocation.group_description,
    TranslationContextLocation.parameter_description,
    TranslationContextLocation.choice_name,
}
_STOPPING = phrase("I am restarting, so I did nothing. Try again in a minute.")
_UNFINISHED = phrase("I am restarting and could not finish this. Look at `/history` before you do it again.")
_TOO_LATE = phrase("Discord told me too late, so I did nothing. Try again.")

_log = logging.getLogger(__name__)

Handler: TypeAlias = Callable[[discord.Interaction["Evenhand"], str], Awaitable[None]]
"""Handles a pressed button or a submitted form; called with the interaction and its custom id."""


async def _refuse_unknown(_interaction: discord.Interaction["Evenhand"], _custom_id: str) -> None:
    raise Unknown(OUT_OF_DATE)


async def _no_time() -> float | None:
    return None


class Evenhand(commands.AutoShardedBot):
    """The client; `app` has the services of the features, and the caller opens and closes it.

    `sync_memory` is the file with the fingerprint of the registered commands; without one, or if `sync` is
    true, they are registered at every start. `shard_count` None asks Discord. `shard_ids` are the shards of
    this process, None for all; the process with the first one registers the commands. `discord_time` returns
    Discord's time in seconds since 1970, or None. `clock` is monotonic, in seconds. `pictures` maps the names
    of the bot's own pictures to Discord's texts for them, once it runs.
    """

    handlers: ClassVar[dict[tuple[InteractionType, str], Handler]] = {}
    """Kind of interaction and first word of the custom id to the handler of buttons, lists and forms."""

    def __init__(
        self,
        app: "App",
        *,
        sync_memory: Path | None = None,
        sync: bool = False,
        cogs: Sequence[str] = COGS,
        shard_count: int | None = None,
        shard_ids: Sequence[int] | None = None,
        discord_time: Callable[[], Awaitable[float | None]] = _no_time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        # The bot never speaks in voice channels, so discord.py need not warn of missing packages for that.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=SlashCommands,
            intents=discord.Intents(guilds=True),
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            shard_count=shard_count,
            shard_ids=cast(
                "list[int]", shard_ids and list(shard_ids)
            ),  # None is all, which is not in the types
        )
        self.app = app
        self.recent_interactions = Newest[int, discord.Interaction[Evenhand]](_MOST_RECENT)
        """The newest commands and presses by their ids, for links to their answers."""
        self.pressed = Newest[tuple[int, str], str](_MOST_RECENT)
        """What came of the newest presses, by message and button, for presses that follow too quickly."""
        self._own_shards = None if shard_ids is None else frozenset(shard_ids)
        self.handover_seconds = 0.0 if shard_ids is None else _HANDOVER_SECONDS
        self.discord_time = discord_time
        self.clock = clock
        self.pictures: Mapping[str, str] = {}
        self._departed = set[int]()
        self._buckets = 0
        """Number of shards that may identify themselves at once; 0 until Discord answers."""
        self._online_at: float | None = None
        """Monotonic time of the first connection."""
        self._cog_names = tuple(cogs)
        self._sync_memory = sync_memory
        self._sync_always = sync

    @property
    def online_seconds(self) -> float:
        """Return the seconds since the bot came online, or 0."""
        return 0.0 if self._online_at is None else time.monotonic() - self._online_at

    @property
    def tree(self) -> "SlashCommands":
        """The slash commands."""
        return cast("SlashCommands", super().tree)

    @classmethod
    def register_handler(cls, kind: InteractionType, word: str, handler: Handler) -> None:
        """Register the handler of custom ids that begin with a word; raise ValueError for a second one."""
        if (kind, word) in cls.handlers:
            raise ValueError(f"{word} is answered twice")
        cls.handlers[kind, word] = handler

    async def setup_hook(self) -> None:
        """Load the features and the list of pictures, and register the commands if they changed."""
        await self.tree.learn_time()
        for name in self._cog_names:
            await import_module(name).setup(self)
        if codes():
            await self.tree.set_translator(Translations())
        if self._own_shards is None or 0 in self._own_shards:
            await self.tree.sync_changed(self._sync_memory, always=self._sync_always)
        try:
            async with asyncio.timeout(_PICTURES_SECONDS):
                await self.learn_pictures()
        except DISCORD_ERRORS as error:
            _log.warning("Dice are text, for Discord did not list their pictures: %s", type(error).__name__)

    async def learn_pictures(self) -> None:
        """Load the list of the application's pictures from Discord."""
        self.pictures = {emoji.name: str(emoji) for emoji in await self.fetch_application_emojis()}

    def presence(self) -> Presence:
        """Return the servers that the bot is on, including unavailable ones."""
        present = frozenset(guild.id for guild in self.guilds) - self._departed
        count, own = self.shard_count or 1, self._own_shards
        return Presence(present, lambda guild_id: own is None or (guild_id >> 22) % count in own)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:  # noqa: ARG002 (others may have begun)
        """Wait for a shard's turn to identify itself: Discord allows one of each bucket in five seconds."""
        if not self._buckets:
            with suppress(*DISCORD_ERRORS):
                self._buckets = (await self.fetch_session_start_limits()).max_concurrency
        await asyncio.sleep(await self.app.leases.identify((shard_id or 0) % (self._buckets or 1)))

    def dispatch(self, event_name: str, /, *args: object, **kwargs: object) -> None:
        """Dispatch an event, and track interactions and departed servers.

        Discord sends a shard that identifies itself anew its servers again, but discord.py keeps those that
        are no longer among them; they alone are not marked unavailable at this moment. A command reaches the
        tree by itself, so it is only stored here.
        """
        if event_name == "interaction" and isinstance(interaction := args[0], discord.Interaction):
            if interaction.type is InteractionType.autocomplete:
                return
            self.recent_interactions[interaction.id] = interaction
            if interaction.type is InteractionType.application_command:
                return
        if event_name == "shard_connect":
            guilds = [guild for guild in self.guilds if guild.shard_id == args[0]]
            self._departed -= {guild.id for guild in guilds}
            self._departed |= {guild.id for guild in guilds if not guild.unavailable}
        elif event_name == "guild_join":
            self._departed -= {guild.id for guild in args if isinstance(guild, discord.Guild)}
        super().dispatch(event_name, *args, **kwargs)

    async def on_ready(self) -> None:
        """Log once that the bot is online, with its invite link."""
        if self._online_at is None and self.user and self.application_id:
            self._online_at = time.monotonic()
            link = discord.utils.oauth_url(self.application_id, permissions=PERMISSIONS)
            count = "1 server" if len(self.guilds) == 1 else f"{len(self.guilds):,} servers"
            _log.info("Online as %s in %s, invite: %s", self.user, count, link)

    async def on_interaction(self, interaction: discord.Interaction["Evenhand"]) -> None:
        """Dispatch a pressed button or a submitted form to its handler, unless it is too late."""
        custom_id = str((interaction.data or {}).get("custom_id", ""))
        handler = self.handlers.get((interaction.type, custom_id.partition(":")[0]))
        try:
            if await self.tree.interaction_check(interaction):
                await (handler or _refuse_unknown)(interaction, custom_id)
        except Exception as error:  # noqa: BLE001 (the one place that turns such errors into words)
            await report(interaction, error)

    async def on_message(self, message: discord.Message, /) -> None:
        """Ignore messages, because all commands are slash commands."""


class Translations(app_commands.Translator):
    """Translates descriptions, choices and menus for Discord.

    Names of commands and options stay English, so that people can tell others what to type.
    """

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Return a text in a language, or None if it stays English."""
        translatable = context.location in _TRANSLATED or isinstance(context.data, app_commands.ContextMenu)
        if not translatable or (spoken := language(locale.value)) is None:
            return None
        text = spoken.say(string.message, {})
        return None if text == string.message else text


async def _tell_unfinished(interaction: discord.Interaction[Evenhand]) -> None:
    """Tell who waits for a deferred answer that it does not come."""
    if interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
        with speaking(language(interaction.locale.value)):
            await tell(interaction, say(_UNFINISHED))


class SlashCommands(app_commands.CommandTree[Evenhand]):
    """The slash commands: their registration with Discord, and the answers to late calls and errors."""

    def __init__(self, client: Evenhand) -> None:
        super().__init__(client)
        self._lateness = Lateness()
        self._zero: float | None = None
        """The local clock at 1970 by Discord's time, as its server told at the start."""
        self.replies = Replies(self.now)
        self._running: dict[asyncio.Task[object], discord.Interaction[Evenhand]] = {}
        self._stopping = False

    async def interaction_check(self, interaction: discord.Interaction[Evenhand], /) -> bool:
        """Return whether to handle an interaction; reply with the reason if not.

        `on_interaction` calls it for buttons and forms, which discord.py does not check.
        """
        async_context.set(NoEchoAdapter(async_context.get(), self.replies))
        SPOKEN.set(language(interaction.locale.value))
        # The task continues after this check, to the end of the answer.
        if task := asyncio.current_task():
            self._running[task] = interaction
            task.add_done_callback(self._running.pop)
        if interaction.type is not InteractionType.autocomplete:
            # Words are told apart by one space everywhere.
            for part in typed_parts(interaction.data):
                part["value"] = with_single_blanks(str(part["value"]))
        if self._stopping:
            # Another process may get it too and handle it; an earlier refusal would be wrong.
            await asyncio.sleep(self.client.handover_seconds)
            await tell(interaction, say(_STOPPING))
            return False
        # The clock is monotonic: a correction of the system's clock would look like lateness.
        at = self.client.clock()
        age = at - time_of(interaction.id)
        if not self._lateness.is_late(age, at):
            return await self._admit(interaction)
        self.replies.late += 1
        _log.warning("An interaction came late and was refused")
        if await tell(interaction, say(_TOO_LATE)):
            self._lateness.note_accepted(age)
        return False

    async def _admit(self, interaction: discord.Interaction[Evenhand]) -> bool:
        """Return whether the user is within the rate limit, and reply if not; autocompletion is free."""
        if interaction.type is not InteractionType.autocomplete:
            try:
                self.client.app.pace.admit(interaction.user.id, interaction.guild_id, interaction.channel_id)
            except DiceError as error:
                await tell(interaction, refusal(error))
                return False
        return True

    async def finish(self) -> None:
        """Refuse new interactions, and wait up to five seconds for the running ones to be answered.

        Cancel those that are not, and say so where somebody waits for a deferred answer.
        """
        self._stopping = True
        try:
            async with asyncio.timeout(_LAST_ANSWERS_SECONDS):
                while self._running:
                    await asyncio.wait(self._running)
        except TimeoutError:
            if not (unfinished := dict(self._running)):
                return  # the last one was answered in the same moment
            _log.warning("%d answers were not finished in time", len(unfinished))
            for task in unfinished:
                task.cancel()
            last = [asyncio.create_task(_tell_unfinished(interaction)) for interaction in unfinished.values()]
            _, pending = await asyncio.wait([*unfinished, *last], timeout=_LAST_WORDS_SECONDS)
            for task in pending:
                task.cancel()

    async def learn_time(self) -> None:
        """Ask Discord for the time, which counts until the first interaction tells it."""
        if (seconds := await self.client.discord_time()) is not None:
            self._zero = self.client.clock() - seconds

    def now(self) -> float:
        """Return the time in seconds since 1970, by Discord's clock if possible."""
        at = self.client.clock()
        started = discord.utils.utcnow().timestamp() if self._zero is None else at - self._zero
        return self._lateness.time(at) or started

    async def on_error(
        self, interaction: discord.Interaction[Evenhand], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer an error of a command."""
        await report(interaction, error)

    async def sync_changed(self, memory: Path | None, *, always: bool = False) -> bool:
        """Register the commands with Discord if their fingerprint differs from the file's; return whether.

        Discord allows 200 new commands a day. Errors of discord.py are raised, and leave the file unchanged.
        """
        fingerprint = await self._fingerprint() if memory is not None else ""
        if memory is not None and not always and _read(memory) == fingerprint:
            return False
        await self.sync()
        _log.info("The commands are registered with Discord")
        if memory is not None:
            _write(memory, fingerprint)
        return True

    async def _fingerprint(self) -> str:
        payload = [
            await command.get_translated_payload(self, self.translator)
            if self.translator
            else command.to_dict(self)
            for command in self.get_commands()
        ]
        ordered = sorted(json.dumps(command, sort_keys=True) for command in payload)
        text = json.dumps([self.client.application_id, ordered])
        return hashlib.sha256(text.encode()).hexdigest()


def _read(memory: Path) -> str | None:
    try:
        return memory.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None


def _write(memory: Path, fingerprint: str) -> None:
    try:
        memory.touch(mode=0o600)
        memory.write_text(f"{fingerprint}\n", encoding="ascii")
    except OSError as error:
        _log.warning("I can't note which commands Discord has: %s", error.strerror)

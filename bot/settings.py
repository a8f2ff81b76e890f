"""The settings, from the environment and `.env`; nothing is read before `load` is called.

`.env.example` lists every setting with its reason, and a test keeps the two equal. A secret may also be in
its own file; the setting named like the secret plus `_FILE` has its path.
"""

import os
import re
import shlex
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import fields, replace
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import Annotated, Literal, get_args
from urllib.parse import urlsplit

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.campaign.kinds import FOREVER, LONGEST_RETENTION, SHORTEST_RETENTION
from bot.entropy.config import EntropyConfig

PREFIX = "EVENHAND_"
_ENCODING = "utf-8-sig"
"""Some editors begin a file with a byte-order mark."""
_SOURCES = EntropyConfig()
_PLAIN_REASONS = {
    "int_parsing": "it should be a whole number",
    "bool_parsing": "it should be true or false",
    "cluster": "it should be this process's number and how many there are, such as 2/4",
    "operator_email": "it should be an e-mail address",
}
"""Kind of pydantic's error, or a field with a pattern, to a reason for people who are no programmers."""


class SettingsError(Exception):
    """An invalid setting; the text is one sentence for the host of the bot."""


def _address(value: object) -> object:
    if not isinstance(value, str):
        return value
    if value.lower() == "off":
        return None
    if not value.startswith(("http://", "https://")):
        raise ValueError("it should begin with https://, or be `off`")
    with suppress(ValueError):  # for an invalid port or host
        parts = urlsplit(value)
        if parts.hostname and parts.port != 0 and value.isprintable():
            return value
    raise ValueError("it should be a whole address, such as https://example.org")


def _parsed_command(value: str) -> str:
    shlex.split(value)  # raises ValueError for an open quotation mark
    return value


Address = Annotated[str | None, BeforeValidator(_address)]
"""The address of a service, or None, written `off`, to not use it."""
Place = Annotated[Path, AfterValidator(lambda path: Path(os.path.expanduser(path)))]  # noqa: PTH111 (never fails)
"""The path of a file or folder; `~` is the user's home."""
_Level = Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(str.upper)]


class Settings(BaseSettings):
    """The settings. Those without an alias are named `EVENHAND_` and the field's name in capitals."""

    model_config = SettingsConfigDict(
        env_file_encoding=_ENCODING,
        env_prefix=PREFIX,
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )

    token: SecretStr | None = Field(None, validation_alias="DISCORD_TOKEN")
    data: Place = Path("data")
    database: SecretStr | None = None
    log_level: _Level = "INFO"
    log_format: Literal["text", "json"] = "text"
    cluster: str | None = Field(None, pattern="^[1-9][0-9]{0,3}/[1-9][0-9]{0,3}$")
    shards: int = Field(0, ge=0, le=100_000)
    play_port: int = Field(0, ge=0, le=65_535)
    discord_api: Address = None
    backup_folder: Place | None = None
    backup_hours: int = Field(24, ge=1, le=720)
    backup_keep: int = Field(30, ge=1, le=10_000)
    backup_hook: Annotated[str, AfterValidator(_parsed_command)] | None = None
    alarm_webhook: Annotated[SecretStr | None, BeforeValidator(_address)] = None
    health_host: str = "127.0.0.1"
    health_port: int = Field(0, ge=0, le=65_535)

    retention_days: int = Field(0, ge=0, le=LONGEST_RETENTION)
    user_rolls: int = Field(20, ge=0, le=1_000)
    guild_rolls: int = Field(0, ge=0, le=100_000)

    remote_bits: bool = True
    operator_email: str | None = Field(None, pattern="^[!-~]+@[!-~]+$")
    contact_url: Address = None
    random_org_url: Address = _SOURCES.random_org_url
    random_org_rpc_url: Address = _SOURCES.random_org_rpc_url
    random_org_key: SecretStr | None = None
    lfd_url: Address = _SOURCES.lfd_url
    anu_url: Address = _SOURCES.anu_url
    qrandom_url: Address = _SOURCES.qrandom_url
    aqn_url: Address = _SOURCES.aqn_url
    aqn_key: SecretStr | None = None
    outshift_url: Address = _SOURCES.outshift_url
    outshift_key: SecretStr | None = None
    drand_url: Address = _SOURCES.drand_url

    @field_validator("database")
    @classmethod
    def _check_database(cls, value: SecretStr | None) -> SecretStr | None:
        if value and not value.get_secret_value().startswith(("sqlite:///", "postgres")):
            raise ValueError("it should begin with sqlite:/// and a file, or with postgresql://")
        return value

    @field_validator("retention_days")
    @classmethod
    def _check_retention(cls, value: int) -> int:
        if FOREVER < value < SHORTEST_RETENTION:
            raise ValueError(f"it should be {FOREVER}, or {SHORTEST_RETENTION} and more")
        return value

    @property
    def clusters(self) -> tuple[int, int] | None:
        """Return this process's number, from 1 on, and the number of processes; None for a single process."""
        if self.cluster is None:
            return None
        number, count = map(int, self.cluster.split("/"))
        if number > count:
            raise SettingsError(
                f"The setting EVENHAND_CLUSTER can't be used: there is no process {number} of {count}."
            )
        if self.shards and self.shards < count:
            raise SettingsError(
                f"EVENHAND_SHARDS is {self.shards}, too few for {count} processes: each needs one or more."
            )
        if self.database_url.startswith("sqlite"):
            raise SettingsError(
                "EVENHAND_CLUSTER needs a PostgreSQL in EVENHAND_DATABASE: SQLite has one process."
            )
        return number, count

    @property
    def database_url(self) -> str:
        """Return the address of the database: a file in the data folder, unless another one is set."""
        if self.database is None:
            return f"sqlite:///{self.data / 'evenhand.db'}"
        return self.database.get_secret_value()

    def discord_token(self) -> str | None:
        """Return the token, or None."""
        return None if self.token is None else self.token.get_secret_value().strip()

    def entropy(self) -> EntropyConfig:
        """Return the settings of the random sources; no source is on if remote bits are off."""
        if not self.remote_bits:
            return EntropyConfig.offline()
        values = self.model_dump(include={field.name for field in fields(EntropyConfig)})
        return replace(EntropyConfig(), **{name: _reveal(value) for name, value in values.items()})

    def for_play(self) -> "Settings":
        """Return these settings for the table in the browser, with data and database of its own."""
        return self.model_copy(update={"data": self.data / "play", "database": None})


def load(env_file: Path | None = Path(".env")) -> Settings:
    """Return the settings; the environment overrides the file. SettingsError names the wrong setting."""
    try:
        in_file = _read_file(env_file) if env_file is not None and env_file.is_file() else {}
        environment = {**in_file, **os.environ}
        _refuse_unknown(environment)
        # pydantic reads all other settings by itself.
        secrets = {
            str(Settings.model_fields[field].validation_alias or field): _read_secret(name, place)
            for name, field in secret_files().items()
            if (place := environment.get(name)) and not environment.get(name.removesuffix("_FILE"))
        }
        return Settings(_env_file=env_file, **secrets)  # pyright: ignore -- pydantic's own argument
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The file {env_file} can't be read: {_why_unread(error)}.") from None
    except ValidationError as error:
        raise SettingsError(_sentence(error)) from None


def readable_by_others(env_file: Path = Path(".env")) -> bool:
    """Return whether the settings file has a secret, and other users of this machine can read it.

    The address of a SQLite file is none.
    """
    try:
        if os.name != "posix" or not env_file.stat().st_mode & 0o077:
            return False
        in_file = _read_file(env_file)
        secrets = [in_file.get(name.removesuffix("_FILE")) or "" for name in secret_files()]
        return any(secret and not secret.startswith("sqlite:") for secret in secrets)
    except (OSError, ValueError, SettingsError):
        return False


def names() -> dict[str, str]:
    """Return the name of each field in the environment."""
    return {
        field: str(info.validation_alias or f"{PREFIX}{field.upper()}")
        for field, info in Settings.model_fields.items()
    }


def secret_files() -> dict[str, str]:
    """Return the settings for a secret's file, each with the secret's field."""
    variables = names()
    return {
        f"{variables[field]}_FILE": field
        for field, info in Settings.model_fields.items()
        if SecretStr in get_args(info.annotation)
    }


def _read_secret(name: str, place: str) -> str:
    """Return a secret from its file; errors do not show the path, which may be the secret by mistake."""
    try:
        text = Path(os.path.expanduser(place)).read_text(encoding=_ENCODING).strip()  # noqa: PTH111 (never fails)
    except (OSError, ValueError) as error:
        raise SettingsError(f"The file that {name} names can't be read: {_why_unread(error)}.") from None
    if not text:
        raise SettingsError(f"The file that {name} names is empty.")
    return text


def _why_unread(error: OSError | ValueError) -> str:
    return (isinstance(error, OSError) and error.strerror) or "it is no text"


def _read_file(file: Path) -> dict[str, str | None]:
    """Return the settings of a file; SettingsError for one of the bot's that would be left out."""
    text = file.read_text(encoding=_ENCODING)
    for binding in parse_stream(StringIO(text)):
        # An open quotation mark may make further lines part of a value.
        lost = binding.original.string if binding.error else (binding.value or "").partition("\n")[2]
        if PREFIX in lost or "DISCORD_TOKEN" in lost:
            raise SettingsError(
                f"Line {binding.original.line} of {file} can't be read. A line is NAME=value, and "
                "quotation marks go around the whole value."
            )
    return dotenv_values(stream=StringIO(text))


def _refuse_unknown(variables: Iterable[str]) -> None:
    valid = {name for name in (*names().values(), *secret_files()) if name.startswith(PREFIX)}
    for name in variables:
        if name.startswith(PREFIX) and name not in valid:
            # The common prefix would make all names similar.
            near = get_close_matches(
                name.removeprefix(PREFIX), [other.removeprefix(PREFIX) for other in valid], 1
            )
            hint = f" Did you mean {PREFIX}{near[0]}?" if near else ""
            raise SettingsError(f"There is no setting {name}.{hint} See .env.example for all of them.")


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    field = str(first["loc"][0])
    text = re.sub("^Input", "it", first["msg"].removeprefix("Value error, "))
    reason = _PLAIN_REASONS.get(first["type"]) or _PLAIN_REASONS.get(field, text)
    return f"The setting {names().get(field, field)} can't be used: {reason[0].lower()}{reason[1:]}."


def _reveal(value: object) -> object:
    return value.get_secret_value() if isinstance(value, SecretStr) else value

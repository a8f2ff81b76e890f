"""Settings come from the environment and .env, are typed, and a bad one is one clear sentence."""

import re
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.entropy.config import EntropyConfig
from bot.settings import Settings, SettingsError, load, names, secret_files
from bot.storage.files import read_address

EXAMPLE = Path(__file__).parent.parent / ".env.example"


def of(tmp_path: Path, text: str) -> Settings:
    """The settings that a .env with this text makes."""
    file = tmp_path / ".env"
    file.write_text(text, encoding="utf-8")
    return load(file)


def test_nothing_needs_to_be_set() -> None:
    """Without any setting there are the defaults, and no token."""
    settings = load(None)

    assert settings.discord_token() is None
    assert settings.database_url == "sqlite:///data/evenhand.db"
    assert settings.entropy() == EntropyConfig()


@pytest.mark.parametrize(
    ("days", "right"), [(0, True), (29, False), (30, True), (3_650, True), (3_651, False)]
)
def test_how_long_histories_are_kept(tmp_path: Path, days: int, right: bool) -> None:  # noqa: FBT001 (pytest's)
    """For ever, or 30 to 3,650 days."""
    text = f"EVENHAND_RETENTION_DAYS={days}"
    if right:
        assert of(tmp_path, text).retention_days == days
        return
    with pytest.raises(SettingsError, match="EVENHAND_RETENTION_DAYS can't be used"):
        of(tmp_path, text)


def test_the_environment_comes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is set in both is the environment's."""
    monkeypatch.setenv("EVENHAND_PLAY_PORT", "1234")

    assert of(tmp_path, "EVENHAND_PLAY_PORT=4321\nEVENHAND_LOG_LEVEL=debug").play_port == 1234
    assert of(tmp_path, "EVENHAND_LOG_LEVEL=debug").log_level == "DEBUG"


@pytest.mark.parametrize("name", secret_files())
def test_each_secret_may_stand_in_a_file_of_its_own(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file's text is the secret, without the line's end; the secret itself comes before it."""
    secret, field = tmp_path / "secret", secret_files()[name]
    secret.write_text("https://example.org/?postgresql\n", encoding="utf-8")
    if field == "database":
        secret.write_text("postgresql://db/evenhand\n", encoding="utf-8")
    wanted = secret.read_text(encoding="utf-8").strip()

    in_file = getattr(of(tmp_path, f"{name}={secret}"), field)
    both = getattr(of(tmp_path, f"{name}={secret}\n{name.removesuffix('_FILE')}={wanted}2"), field)
    monkeypatch.setenv(name, str(secret))

    assert in_file == getattr(load(None), field) == SecretStr(wanted)
    assert both == SecretStr(f"{wanted}2")


def test_a_mark_that_an_editor_writes_first_hides_no_setting(tmp_path: Path) -> None:
    """It belongs neither to the name of the first setting nor to a secret."""
    file, secret = tmp_path / ".env", tmp_path / "token"
    secret.write_text("ravens", encoding="utf-8-sig")
    file.write_text(f"EVENHAND_DATA=dice\nDISCORD_TOKEN_FILE={secret}\n", encoding="utf-8-sig")
    settings = load(file)

    assert (settings.data, settings.discord_token()) == (Path("dice"), "ravens")


def test_a_secret_from_a_file_is_held_to_the_same(tmp_path: Path) -> None:
    """What is wrong is said of the setting that it stands for, and is not shown."""
    secret = tmp_path / "secret"
    secret.write_text("mysql://hush", encoding="utf-8")

    with pytest.raises(SettingsError, match="EVENHAND_DATABASE can't be used: it should begin") as error:
        of(tmp_path, f"EVENHAND_DATABASE_FILE={secret}")
    assert "hush" not in str(error.value)


@pytest.mark.parametrize(
    ("content", "why"),
    [(None, "can't be read: No such file"), (b"\xff", "can't be read: it is no text"), (b"\n", "is empty")],
)
def test_an_unusable_file_of_a_secret_is_said(tmp_path: Path, content: bytes | None, why: str) -> None:
    """It is an error at once and no missing secret; its name may be the secret, so it is not repeated."""
    secret = tmp_path / "hush"
    if content:
        secret.write_bytes(content)

    with pytest.raises(SettingsError, match=f"The file that EVENHAND_AQN_KEY_FILE names {why}") as error:
        of(tmp_path, f"EVENHAND_AQN_KEY_FILE={secret}")
    assert "hush" not in str(error.value)


def test_secrets_are_not_shown(tmp_path: Path) -> None:
    """No representation of the settings has a secret in it."""
    text = "DISCORD_TOKEN=hush\nEVENHAND_AQN_KEY=hush\nEVENHAND_DATABASE=postgresql://me:hush@db/evenhand"
    settings = of(tmp_path, f"{text}\nEVENHAND_ALARM_WEBHOOK=https://example.org/hush")

    assert "hush" not in repr(settings)
    assert "hush" not in str(settings.model_dump())
    assert settings.database_url == "postgresql://me:hush@db/evenhand"
    assert settings.entropy().aqn_key == "hush"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "EVENHAND_PLAY_PORT=http",
            "The setting EVENHAND_PLAY_PORT can't be used: it should be a whole number.",
        ),
        (
            "EVENHAND_PLAY_PORT=70000",
            "The setting EVENHAND_PLAY_PORT can't be used: it should be less than",
        ),
        ("EVENHAND_LOG_LEVEL=loud", "The setting EVENHAND_LOG_LEVEL can't be used: it should be 'DEBUG'"),
        (
            "EVENHAND_LFD_URL=lfdr.de",
            "EVENHAND_LFD_URL can't be used: it should begin with https://, or be `off`.",
        ),
        ("EVENHAND_LFD_URL=http://", "EVENHAND_LFD_URL can't be used: it should be a whole address"),
        ("EVENHAND_ANU_URL=https://[bad", "EVENHAND_ANU_URL can't be used: it should be a whole address"),
        ("EVENHAND_DISCORD_API=here", "EVENHAND_DISCORD_API can't be used: it should begin with https://"),
        (
            "EVENHAND_DISCORD_API=https://host:99999/api",
            "EVENHAND_DISCORD_API can't be used: it should be a whole address, such as https://example.org.",
        ),
        ("EVENHAND_CLUSTER=0/1", "EVENHAND_CLUSTER can't be used: it should be this process's number"),
        ('EVENHAND_OPERATOR_EMAIL="a@b\nX-Key: c"', "EVENHAND_OPERATOR_EMAIL can't be used: it should be an"),
        ("EVENHAND_DTAA=x", "There is no setting EVENHAND_DTAA. Did you mean EVENHAND_DATA?"),
        ("EVENHAND_NOPE=x", "There is no setting EVENHAND_NOPE. See .env.example for all of them."),
    ],
)
def test_a_bad_setting_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    """The sentence names the setting and what is wrong, and repeats no value."""
    with pytest.raises(SettingsError) as error:
        of(tmp_path, text)

    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_no_text_is_one_sentence(tmp_path: Path) -> None:
    """A .env in another encoding is refused by name."""
    (tmp_path / ".env").write_bytes(b"EVENHAND_DATA=\xff\xfe")

    with pytest.raises(SettingsError, match=r"\.env can't be read: it is no text\."):
        load(tmp_path / ".env")


@pytest.mark.parametrize("line", ["='", "='postgresql://db/dice", '="postgresql://db/dice', "='a'b", ": a"])
def test_a_line_that_can_not_be_read_is_no_default(tmp_path: Path, line: str) -> None:
    """Such as one with an open quotation mark: the bot would begin a database of its own."""
    with pytest.raises(SettingsError, match=r"Line 3 of .*\.env can't be read\."):
        of(tmp_path, f"# The bot's\nEVENHAND_LOG_LEVEL=INFO\nEVENHAND_DATABASE{line}\nEVENHAND_SHARDS=4\n")


@pytest.mark.parametrize("line", ["KEY: value", "MY VAR=1", "A='b' c", "A='b", "A='b\nc'"])
def test_a_line_of_another_program_stops_no_start(tmp_path: Path, line: str) -> None:
    """Whatever is wrong with it, for the bot does not need it."""
    assert of(tmp_path, f"{line}\nEVENHAND_DATA=here\n").data == Path("here")


@pytest.mark.parametrize("end", ["B='", "B='c'"])
def test_an_open_quotation_mark_hides_no_setting(tmp_path: Path, end: str) -> None:
    """A second one further down would make the lines between them part of a value."""
    for setting in ("EVENHAND_DATA=here", "DISCORD_TOKEN=abc"):
        with pytest.raises(SettingsError, match=r"Line 2 of .*\.env can't be read\."):
            of(tmp_path, f"C=1\nA='b\n{setting}\n{end}\n")


def test_sources_can_be_switched_off(tmp_path: Path) -> None:
    """One by one with `off`, or all at once."""
    assert of(tmp_path, "EVENHAND_LFD_URL=off").entropy().lfd_url is None
    assert of(tmp_path, "EVENHAND_REMOTE_BITS=false").entropy() == EntropyConfig.offline()


def test_play_keeps_its_rolls_apart(tmp_path: Path) -> None:
    """The table in the browser writes neither into the bot's file nor into its server."""
    settings = of(tmp_path, "EVENHAND_DATA=here\nEVENHAND_DATABASE=postgresql://db/evenhand")

    assert settings.for_play().database_url == "sqlite:///here/play/evenhand.db"


def test_postgresql_has_an_old_name(tmp_path: Path) -> None:
    """Some hosts give their addresses with it."""
    url = of(tmp_path, "EVENHAND_DATABASE=postgres://me@db/evenhand").database_url

    assert read_address(url).render_as_string() == "postgresql://me@db/evenhand"


def test_a_wave_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the data and of the database in it alike."""
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = of(tmp_path, "EVENHAND_DATA=~/dice")

    assert settings.data == tmp_path / "dice"
    assert settings.database_url == f"sqlite:///{tmp_path}/dice/evenhand.db"


def test_the_example_lists_every_setting() -> None:
    """Each setting stands in .env.example once, below a reason."""
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    listed = [line.lstrip("#").partition("=")[0] for line in lines if re.match(r"#?[A-Z_]+=", line)]
    without_reason = [
        line
        for before, line in zip(["", *lines], lines, strict=False)
        if re.match(r"#?[A-Z_]+=", line) and not before
    ]

    assert sorted(listed) == sorted(names().values())
    assert without_reason == []


def test_the_example_tells_the_defaults(tmp_path: Path) -> None:
    """The example with every setting uncommented sets what holds anyway."""
    text = re.sub(r"^#(?=[A-Z_]+=)", "", EXAMPLE.read_text(encoding="utf-8"), flags=re.MULTILINE)

    assert of(tmp_path, text) == load(None)

"""Settings from files: what containers call secrets, and systemd credentials."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from config import settings
from service.commands.health import diagnosis

KEY = "k" * 40


@pytest.fixture
def load_with(tmp_path: Path) -> Callable[..., settings.Settings]:
    """Load settings from these variables, their full names given, with an own folder of data."""

    def load(**variables: str) -> settings.Settings:
        return settings.load({"WARDROOM_DATA_DIR": str(tmp_path / "data"), **variables}, makes_key=False)

    return load


def written(path: Path, text: str | bytes) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_a_setting_is_read_from_the_file_that_its_variable_names(load_with, tmp_path):
    key = written(tmp_path / "key", f"{KEY}\n")
    url = written(tmp_path / "url", "postgresql://anna:pw@db/wardroom\n")
    loaded = load_with(WARDROOM_SECRET_KEY_FILE=key, WARDROOM_DATABASE_URL_FILE=url)
    assert (loaded.secret_key, loaded.database_url) == (KEY, "postgresql+psycopg://anna:pw@db/wardroom")


def test_a_setting_is_read_from_a_credential_of_systemd(load_with, tmp_path):
    written(tmp_path / "given" / "wardroom_secret_key", f"{KEY}\n")
    written(tmp_path / "given" / "wardroom_smtp_url", "smtp://mail.example:25\n")
    loaded = load_with(CREDENTIALS_DIRECTORY=str(tmp_path / "given"))
    assert (loaded.secret_key, loaded.smtp_url.host) == (KEY, "mail.example")


def test_credentials_of_others_change_nothing(load_with, tmp_path):
    written(tmp_path / "given" / "passwd.root", "x")
    for folder in (tmp_path / "given", tmp_path / "gone", tmp_path / "given" / "passwd.root"):
        assert load_with(CREDENTIALS_DIRECTORY=str(folder), WARDROOM_SECRET_KEY=KEY).secret_key == KEY


def test_an_empty_variable_names_no_file(load_with):
    assert load_with(WARDROOM_SECRET_KEY=KEY, WARDROOM_SECRET_KEY_FILE=" ", CREDENTIALS_DIRECTORY="").secret_key == KEY


@pytest.mark.parametrize(
    "text, reason",
    [
        ("", "it is empty"),
        (" \n", "it is empty"),
        (f"{KEY}\n{KEY}", "it holds more than one line of text"),
        (b"\xff" * 40, "it is no text in UTF-8"),
        (None, "No such file or directory"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_a_sentence(load_with, tmp_path, text, reason):
    path = str(tmp_path / "key") if text is None else written(tmp_path / "key", text)
    with pytest.raises(settings.BadSetting) as refused:
        load_with(WARDROOM_SECRET_KEY_FILE=path)
    assert str(refused.value) == f"WARDROOM_SECRET_KEY_FILE is {path}, which cannot be used: {reason}."


def test_a_folder_is_no_file(load_with, tmp_path):
    with pytest.raises(settings.BadSetting, match=r"_FILE is /.*, which cannot be used: Is a directory"):
        load_with(WARDROOM_SECRET_KEY_FILE=str(tmp_path))


@pytest.fixture
def as_nobody() -> Iterator[None]:
    """Root may read every file: be nobody for a while."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    yield
    os.seteuid(before)


def test_a_file_of_others_is_refused(load_with, tmp_path, request):
    written(tmp_path / "key", KEY)
    (tmp_path / "key").chmod(0)
    request.getfixturevalue("as_nobody")
    with pytest.raises(settings.BadSetting, match="which cannot be used: Permission denied"):
        load_with(WARDROOM_DATA_DIR="/", WARDROOM_SECRET_KEY_FILE=str(tmp_path / "key"))


def test_an_empty_credential_is_refused(load_with, tmp_path):
    written(tmp_path / "given" / "wardroom_redis_url", "\n")
    with pytest.raises(settings.BadSetting) as refused:
        load_with(WARDROOM_SECRET_KEY=KEY, CREDENTIALS_DIRECTORY=str(tmp_path / "given"))
    assert str(refused.value) == f"The credential wardroom_redis_url in {tmp_path}/given cannot be used: it is empty."


@pytest.mark.parametrize(
    "ways, places",
    [
        ("variable file", "WARDROOM_SECRET_KEY and by WARDROOM_SECRET_KEY_FILE"),
        ("variable credential", "WARDROOM_SECRET_KEY and by the credential wardroom_secret_key"),
        ("file credential", "WARDROOM_SECRET_KEY_FILE and by the credential wardroom_secret_key"),
    ],
)
def test_a_setting_that_is_given_twice_is_refused(load_with, tmp_path, ways, places):
    written(tmp_path / "given" / "wardroom_secret_key", KEY)
    every = {
        "variable": {"WARDROOM_SECRET_KEY": KEY},
        "file": {"WARDROOM_SECRET_KEY_FILE": str(tmp_path / "given" / "wardroom_secret_key")},
        "credential": {"CREDENTIALS_DIRECTORY": str(tmp_path / "given")},
    }
    with pytest.raises(settings.BadSetting) as refused:
        load_with(**{name: value for way in ways.split() for name, value in every[way].items()})
    assert str(refused.value) == f"WARDROOM_SECRET_KEY is given twice, by {places}: take one away."


def test_a_bad_value_names_the_file_it_comes_from_and_never_shows_a_secret(load_with, tmp_path):
    url = written(tmp_path / "url", "mysql://anna:c4nary@db/wardroom")
    with pytest.raises(settings.BadSetting) as refused:
        load_with(WARDROOM_SECRET_KEY=KEY, WARDROOM_DATABASE_URL_FILE=url)
    assert str(refused.value) == (
        "WARDROOM_DATABASE_URL from WARDROOM_DATABASE_URL_FILE has a value that cannot be shown here, but must be "
        "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE."
    )


def test_a_misspelt_file_or_credential_is_found(tmp_path):
    written(tmp_path / "given" / "wardroom_smpt_url", "x")
    written(tmp_path / "given" / "wardroom_smtp_url", "x")
    environ = {"WARDROOM_PROT_FILE": "/x", "WARDROOM_PORT_FILE": "/y", "CREDENTIALS_DIRECTORY": str(tmp_path / "given")}
    assert settings.unknown(environ) == ["WARDROOM_PROT_FILE", "The credential wardroom_smpt_url"]


def test_doctor_says_where_the_key_is_given(load_with, tmp_path, monkeypatch):
    path = written(tmp_path / "key", KEY)
    monkeypatch.setenv("WARDROOM_SECRET_KEY_FILE", path)
    services = SimpleNamespace(settings=load_with(WARDROOM_SECRET_KEY_FILE=path))
    found = {finding.what: (finding.mark, finding.sentence) for finding in diagnosis._settings(services)}
    assert found["secret key"] == ("well", "It is given by WARDROOM_SECRET_KEY_FILE.")

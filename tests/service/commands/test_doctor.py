"""Faults on the machine itself: a damaged SQLite file, files that others can read, folders that cannot be written."""

import os
import shutil
from pathlib import Path

import pytest

from service.commands.health import diagnosis
from service.commands.terminal import exits
from service.commands.terminal.exits import Failure
from service.commands.terminal.opening import database_faults, require_sound
from service.store.errors import DatabaseError
from service.web.readiness import checks

PAGE = 4096


def spoil(file: Path, *, at: int = 0, text: bytes = b"", size: int | None = None) -> None:
    """Write over a part of a file, then cut it to a size."""
    with file.open("r+b") as handle:
        handle.seek(at)
        handle.write(text)
        if size is not None:
            handle.truncate(size)


def damages(size: int) -> dict[str, dict[str, object]]:
    """Ways to spoil a database of this size, by name."""
    return {
        "cut in half": {"size": size // 2},
        "a thousand bytes short": {"size": size - 1000},
        "its header overwritten": {"text": b"x" * 100},
        "a page of noise": {"at": 3 * PAGE, "text": b"\xa5\x5a" * (PAGE // 2)},
        "a page of zeros near the end": {"at": size - 3 * PAGE, "text": bytes(PAGE)},
        "its last page of noise": {"at": size - PAGE, "text": b"\xa5\x5a" * (PAGE // 2)},
        "another file": {"text": b"hello\n" * 1000, "size": 6000},
        "all but its first page": {"at": PAGE, "text": b"\xff" * (size - PAGE)},
    }


def test_f38_a_damaged_sqlite_file_is_named_with_sqlites_words_and_how_to_restore(
    sqlite_template, open_services, tmp_path
):
    """F-38, G-16: by doctor, before serve and backup begin, and by whatever else meets the damage."""
    for number, (name, how) in enumerate(damages(sqlite_template.stat().st_size).items()):
        file = tmp_path / f"{number}.sqlite"
        shutil.copy(sqlite_template, file)
        spoil(file, **how)
        services = open_services(f"sqlite:///{file}")
        (found,) = [finding for finding in diagnosis.examine(services) if finding.what == "database"]
        assert (found.mark, "`wardroom restore FILE`" in found.sentence) == ("broken", True), name
        assert "SQLite says “" in found.sentence, name
        with pytest.raises(Failure, match="wardroom restore") as failed, database_faults():
            require_sound(services)
        assert failed.value.exit_code == os.EX_DATAERR, name
        (check,) = [check for check in checks(services) if check["what"] == "database"]
        assert (check["ok"], "damaged" in check["detail"]) == (False, True), name


def test_f38_readyz_tells_of_damage_that_a_request_met(sqlite_template, open_services, tmp_path):
    file = tmp_path / "spoilt.sqlite"
    shutil.copy(sqlite_template, file)
    services = open_services(f"sqlite:///{file}")
    with services.database.read() as connection:
        root = connection.exec_driver_sql("SELECT rootpage FROM sqlite_schema WHERE name = 'games'").scalar_one()
    services.database.engine.dispose()
    spoil(file, at=(root - 1) * PAGE, text=b"\xff" * PAGE)
    with pytest.raises(DatabaseError), services.database.read() as connection:
        connection.exec_driver_sql("SELECT * FROM games").fetchall()
    assert {check["ok"] for check in checks(services) if check["what"] == "database"} == {False}


def test_a_sound_file_is_found_sound(migrated_sqlite, open_services):
    services = open_services(migrated_sqlite)
    require_sound(services)
    assert "database" not in {finding.what for finding in diagnosis.examine(services)}


def test_s32_the_doctor_names_files_that_others_can_read(migrated_sqlite, open_services, tmp_path, monkeypatch):
    """S-32: the key and the database are for the service's own user, and its group at most."""
    monkeypatch.setattr(diagnosis, "_is_reached", lambda path: True)  # pytest closes its folder to others
    services = open_services(migrated_sqlite)
    given, data = tmp_path / "given-key", services.settings.data_dir
    data.mkdir(exist_ok=True)
    monkeypatch.setenv("WARDROOM_SECRET_KEY_FILE", str(given))
    files = {
        data / "secret-key": ("secret key file", "broken"),
        tmp_path / "test.sqlite": ("database file", "broken"),
        given: ("secret key file", "note"),
    }
    for mode, readable in ((0o600, False), (0o640, False), (0o644, True), (0o604, True)):
        for path, expected in files.items():
            path.touch()
            path.chmod(mode)
            found = {(one.what, one.mark) for one in diagnosis._files(services) if f"{path}" in one.sentence}
            assert (expected in found) == readable, (oct(mode), path)


def test_a_file_in_a_closed_folder_is_not_reached(tmp_path):
    assert diagnosis._is_reached(Path("/usr/bin/env"))
    (tmp_path / "closed").mkdir(mode=0o700)
    assert not diagnosis._is_reached(tmp_path / "closed" / "secret-key")


def test_the_doctor_notes_a_service_that_runs_as_root_or_cannot_write(migrated_sqlite, open_services, monkeypatch):
    services = open_services(migrated_sqlite)
    services.settings.data_dir.mkdir(exist_ok=True)
    for user, noted in ((0, True), (1000, False)):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        assert ("user" in {finding.what for finding in diagnosis._files(services)}) == noted, user
    monkeypatch.setattr(os, "access", lambda *_: False)
    (found,) = [finding for finding in diagnosis._files(services) if finding.what == "data folder"]
    assert (found.mark, f"{services.settings.data_dir}" in found.sentence) == ("broken", True)


def test_a_folder_that_cannot_be_written_is_named_with_the_user(capsys):
    """It is not a fault of Wardroom (rc 70): the sentence names file, user and what to do."""
    for number in exits.FORBIDDEN:
        assert exits._fault(OSError(number, os.strerror(number), "/srv/wardroom/serve.lock")) == os.EX_NOPERM
        said = capsys.readouterr().err
        assert f"The user {exits.user_name()} may not use /srv/wardroom/serve.lock" in said, number
        assert "fault of Wardroom" not in said, number

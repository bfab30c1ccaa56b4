"""A full disk: writes are 503, reads go on, /readyz says so, and all is well as soon as there is room (F-34)."""

import contextlib
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from service.store.running.heartbeats import beat
from tests.service.api.table import Api, served


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path | None]:
    """A disk of 24 MB; None where nobody may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(mount, capture_output=True).returncode == 0
    except FileNotFoundError:
        mounted = False
    yield folder if mounted else None
    if mounted:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def full(small_disk: Path | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Fill the disk up, or make room."""

    def fill(is_full: bool) -> None:
        if small_disk is None:
            room = os.statvfs(tmp_path)
            few = os.statvfs_result([*room[:4], 3 if is_full else room[4], *room[5:]])
            monkeypatch.setattr(os, "statvfs", lambda _: few)
        elif is_full:
            with (small_disk / "filler").open("wb", buffering=0) as filler, contextlib.suppress(OSError):
                while True:
                    filler.write(bytes(4096))
        else:
            (small_disk / "filler").unlink(missing_ok=True)

    return fill


@pytest.fixture
def api(small_disk, tmp_path, migrated_sqlite, settings_with) -> Iterator[Api]:
    folder = small_disk or tmp_path
    database = Path(migrated_sqlite.removeprefix("sqlite:///"))
    if small_disk is not None:
        database = database.rename(tmp_path / "moved.sqlite")
        (small_disk / "test.sqlite").write_bytes(database.read_bytes())
        database = small_disk / "test.sqlite"
    with served(settings_with(DATABASE_URL=f"sqlite:///{database}", DATA_DIR=str(folder / "data"))) as made:
        yield made


def disk(api: Api, status: int) -> dict:
    """What /readyz says of the disk."""
    ready = api.get("//readyz").ok(status).json
    return next(check for check in ready["checks"] if check["what"] == "disk")


@pytest.mark.slow
def test_f34_a_service_on_a_full_disk_is_not_ready_and_is_again_when_there_is_room(api, full, small_disk):
    with api.services.database.write() as tx:
        beat(api.services.database, tx, "sweep")
    ann, *others = api.players("ann bob cyd")
    table = api.begin(ann, *others)
    assert disk(api, 200)["ok"]
    full(True)
    said = disk(api, 503)
    assert not said["ok"]
    assert "make room" in said["detail"]
    assert str(api.services.settings.data_dir) not in said["detail"], "anybody may read it"
    table.get(ann).ok()
    if small_disk is not None:
        answer = table.post(table.awaited, "messages", {"text": "x" * 400}).refused(503, "unavailable")
        assert int(answer.headers["Retry-After"]) > 0
    full(False)
    table.post(table.awaited, "messages", {"text": "hello"}).ok(201)
    assert disk(api, 200)["ok"]


@pytest.mark.postgres
def test_f34_a_database_without_room_elsewhere_is_known_by_its_last_write(migrated_postgres, settings_with):
    with served(settings_with(DATABASE_URL=migrated_postgres)) as api:
        with api.services.database.write() as tx:
            beat(api.services.database, tx, "sweep")
        raising = sa.text("DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '53100'; END $$")
        with pytest.raises(sa.exc.OperationalError), api.services.database.write() as tx:
            tx.execute(raising)
        assert "no room" in disk(api, 503)["detail"]
        with api.services.database.write() as tx:
            beat(api.services.database, tx, "sweep")
        assert disk(api, 200)["ok"]

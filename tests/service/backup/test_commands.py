"""`wardroom backup` and `wardroom restore`, as somebody types them who has made every mistake there is."""

import gzip
import hashlib
import io
import json
import os
import signal
import stat
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from config.settings import load
from service import cli
from service.backup.archive import ArchiveReader, ArchiveWriter
from service.container import assemble
from service.store.structure import migrate, sqlite_copy
from tests.tables import Tables

KEY = "k" * 32
AT = 1_700_000_000


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A folder with a database in which somebody plays, and its key in a file; and a backup of it."""
    folder = tmp_path_factory.mktemp("house")
    (folder / "data").mkdir()
    (folder / "data" / "secret-key").write_text(f"{KEY}\n")
    (folder / "data" / "erased").write_text("p_gone 2026-01-01T00:00:00Z\n")
    services = assemble(load({"WARDROOM_DATA_DIR": str(folder / "data"), "WARDROOM_RATE_LIMITS": "off"}), durable=False)
    migrate.upgrade(services.database)
    tables = Tables(services)
    tables.play_out(tables.begin(kind="tammany-hall"), 1, late=0, most=3)
    services.database.close()
    for words in (["a.tar.gz"], ["with-key.tar.gz", "--with-key"]):
        done = wardroom(folder / "data", "backup", str(folder / words[0]), *words[1:])
        assert done.exit_code == 0, done.output
    return folder


def wardroom(data, *words, **settings):
    """Run a command in this process."""
    environ = {name: None for name in os.environ if name.startswith("WARDROOM_")}
    environ |= {"WARDROOM_DATA_DIR": str(data), **{f"WARDROOM_{name}": value for name, value in settings.items()}}
    return CliRunner().invoke(cli.main, [*words], env=environ, prog_name="wardroom")


def sentence(done):
    """The last line of a command that failed, which is a sentence."""
    assert done.exit_code != 0
    assert not isinstance(done.exception, Exception) or isinstance(done.exception, SystemExit), done.exc_info
    line = done.stderr.strip().splitlines()[-1]
    assert line.endswith(".")
    return line


# Writing


@pytest.mark.slow
def test_a_backup_is_a_file_for_its_owner_alone_that_says_where_the_key_is(house, tmp_path):
    done = wardroom(house / "data", "backup", str(tmp_path / "b.tar.gz"))
    assert (done.exit_code, done.stdout) == (0, "")
    assert "1 games with" in done.stderr
    assert "The secret key is not inside, and without it nothing can be restored: keep a copy apart (" in done.stderr
    assert stat.S_IMODE((tmp_path / "b.tar.gz").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["b.tar.gz"]
    with tarfile.open(tmp_path / "b.tar.gz") as archive:
        names = archive.getnames()
    assert (names[0], names[1], names[-1]) == ("manifest.json", "files/erased", "end.json")


@pytest.mark.slow
def test_a_key_that_is_inside_is_warned_of(house):
    with tarfile.open(house / "with-key.tar.gz") as archive:
        assert archive.extractfile("key/secret-key").read() == f"{KEY}\n".encode()
    done = wardroom(house / "data", "restore", "--check", str(house / "with-key.tar.gz"))
    assert "The secret key is inside" in done.stdout
    assert KEY.encode() not in gzip.decompress((house / "a.tar.gz").read_bytes())


@pytest.mark.slow
def test_json_tells_what_was_written(house, tmp_path):
    done = wardroom(house / "data", "backup", str(tmp_path / "b.tar.gz"), "--json", "--quiet")
    said = json.loads(done.stdout)
    assert (done.stderr, said["rows"]["games"], said["with_key"]) == ("", 1, False)
    assert said["bytes"] == (tmp_path / "b.tar.gz").stat().st_size


@pytest.mark.slow
def test_a_file_that_is_there_is_kept_unless_told_otherwise(house, tmp_path):
    (tmp_path / "b.tar.gz").write_text("precious")
    done = wardroom(house / "data", "backup", str(tmp_path / "b.tar.gz"))
    assert (done.exit_code, "say --force" in sentence(done)) == (os.EX_CANTCREAT, True)
    assert (tmp_path / "b.tar.gz").read_text() == "precious"
    assert wardroom(house / "data", "backup", str(tmp_path / "b.tar.gz"), "--force").exit_code == 0
    assert wardroom(house / "data", "restore", "--check", str(tmp_path / "b.tar.gz")).exit_code == 0


def test_a_device_is_never_replaced(house):
    done = wardroom(house / "data", "backup", "/dev/null", "--force")
    assert done.exit_code == os.EX_CANTCREAT
    assert "is no file" in sentence(done)
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.slow
def test_standard_output_can_be_sent_through_another_program(house, tmp_path):
    done = wardroom(house / "data", "backup", "-")
    assert done.exit_code == 0
    (tmp_path / "piped").write_bytes(done.stdout_bytes)
    assert wardroom(house / "data", "restore", "--check", str(tmp_path / "piped")).exit_code == 0
    assert not list((house / "data").glob(".wardroom-backup*"))


@pytest.mark.parametrize("place, code", [("no/such/folder/b", os.EX_CANTCREAT), ("/proc/b", os.EX_CANTCREAT)])
def test_a_place_that_cannot_be_written_to_is_named(house, tmp_path, place, code):
    done = wardroom(house / "data", "backup", str(tmp_path / place))
    assert (done.exit_code, "cannot be written" in sentence(done)) == (code, True)


@pytest.mark.slow
def test_a_folder_keeps_backups_of_so_many_days_and_all_else(house, tmp_path):
    old, kept = tmp_path / "wardroom-20200101T000000Z.tar.gz", tmp_path / "wardroom-of-anna.tar.gz"
    for path in (old, kept):
        path.touch()
    (tmp_path / ".wardroom-backup-x").mkdir()
    os.utime(tmp_path / ".wardroom-backup-x", (0, 0))
    done = wardroom(house / "data", "backup", str(tmp_path), "--days", "30")
    assert (done.exit_code, f"{old} was deleted." in done.stderr) == (0, True)
    (new,) = {*tmp_path.iterdir()} - {kept}
    assert wardroom(house / "data", "restore", "--check", str(new)).exit_code == 0


def test_days_without_a_folder_are_a_mistake(house, tmp_path):
    done = wardroom(house / "data", "backup", str(tmp_path / "b"), "--days", "30")
    assert (done.exit_code, "--days goes with a FOLDER" in done.stderr) == (os.EX_USAGE, True)


def test_a_backup_that_is_stopped_leaves_nothing(house, tmp_path, monkeypatch):
    def stopped(*_):
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(sqlite_copy, "copy", stopped)
    done = wardroom(house / "data", "backup", str(tmp_path / "b.tar.gz"))
    assert (done.exit_code, list(tmp_path.iterdir())) == (130, [])


def test_a_disk_without_room_leaves_nothing(house, tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 1})())
    done = wardroom(house / "data", "backup", str(tmp_path / "b.tar.gz"))
    assert done.exit_code == os.EX_IOERR
    assert "has 1 MB free, and about" in sentence(done)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_database_is_no_reason_for_a_backup(tmp_path):
    (tmp_path / "data").mkdir()
    done = wardroom(tmp_path / "data", "backup", str(tmp_path / "b.tar.gz"), SECRET_KEY=KEY)
    assert "There is nothing to back up" in sentence(done)
    assert not (tmp_path / "b.tar.gz").exists()


# Restoring


@pytest.mark.slow
def test_a_house_comes_back_with_its_key_and_who_was_erased(house, tmp_path):
    done = wardroom(tmp_path / "new", "restore", str(house / "with-key.tar.gz"), "--json")
    assert done.exit_code == 0, done.stderr
    (game,) = json.loads(done.stdout)["games"]
    assert (tmp_path / "new" / "secret-key").read_text() == f"{KEY}\n"
    assert not (tmp_path / "new" / "secret-key.before-restore").exists()
    assert (tmp_path / "new" / "erased").read_text() == "p_gone 2026-01-01T00:00:00Z\n"
    assert wardroom(tmp_path / "new", "doctor", "--audit").exit_code == 0
    assert (
        wardroom(tmp_path / "new", "export", game["id"]).stdout == wardroom(house / "data", "export", game["id"]).stdout
    )
    done = wardroom(tmp_path / "new", "restore", str(house / "a.tar.gz"))
    assert (done.exit_code, "is used" in sentence(done)) == (os.EX_CANTCREAT, True)


@pytest.mark.slow
def test_s50_nothing_comes_back_where_it_cannot_be_known_who_was_erased(house, tmp_path):
    """A journal that the service's user may not read; a folder stands for it, which not even root reads as a file."""
    (tmp_path / "new" / "erased").mkdir(parents=True)
    done = wardroom(tmp_path / "new", "restore", str(house / "with-key.tar.gz"))
    assert done.exit_code != 0
    assert str(tmp_path / "new" / "erased") in sentence(done)
    assert "Nothing was changed" in sentence(done)
    assert not (tmp_path / "new" / "wardroom.sqlite").exists()
    (tmp_path / "new" / "erased").rmdir()
    assert wardroom(tmp_path / "new", "restore", str(house / "with-key.tar.gz")).exit_code == 0


@pytest.mark.slow
def test_a_key_that_was_just_made_gives_way_to_the_one_inside(house, tmp_path):
    """Somebody has run `wardroom migrate` first, as one does."""
    assert wardroom(tmp_path / "new", "migrate").exit_code == 0
    made = (tmp_path / "new" / "secret-key").read_text()
    assert wardroom(tmp_path / "new", "restore", str(house / "with-key.tar.gz")).exit_code == 0
    assert (tmp_path / "new" / "secret-key").read_text() == f"{KEY}\n"
    assert (tmp_path / "new" / "secret-key.before-restore").read_text() == made


@pytest.mark.slow
def test_what_was_restored_is_told_up_to_its_last_event(house, tmp_path):
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "secret-key").write_text(KEY)
    done = wardroom(tmp_path / "new", "restore", str(house / "a.tar.gz"))
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("Restored: 1 games with ")
    assert "what came later is lost" in done.stdout


def test_a_key_that_the_environment_sets_is_not_overruled(house, tmp_path):
    done = wardroom(tmp_path / "new", "restore", str(house / "with-key.tar.gz"), SECRET_KEY="x" * 32)
    assert done.exit_code == os.EX_CONFIG
    assert f"tar -xzOf {house}/with-key.tar.gz key/secret-key" in sentence(done)
    assert not (tmp_path / "new" / "wardroom.sqlite").exists()


def test_without_any_key_the_one_that_is_needed_is_named(house, tmp_path):
    done = wardroom(tmp_path / "new", "restore", str(house / "a.tar.gz"))
    assert done.exit_code == os.EX_CONFIG
    assert "The secret key is not here, and not in the backup" in sentence(done)
    assert not (tmp_path / "new" / "secret-key").exists()


# Files that are no backup any more


def members(path):
    with path.open("rb") as file:
        return dict(ArchiveReader(file).members())


def repacked(parts):
    file = io.BytesIO()
    archive = ArchiveWriter(file, AT)
    for name, content in parts.items():
        archive.add(name, content)
    archive.end()
    return file.getvalue()


def without(name):
    return lambda parts: {kept: content for kept, content in parts.items() if kept != name}


def flipped(name):
    def flip(parts):
        content = bytearray(parts[name])
        content[len(content) // 2] ^= 1
        return parts | {name: bytes(content)}

    return flip


def edited(name, *words):
    return lambda parts: parts | {name: parts[name].replace(*(word.encode() for word in words))}


def in_order(*names):
    return lambda parts: {name: parts[name] for name in (*names, *parts)}


EVENTS, PLAYERS = "tables/events/000001.ndjson", "tables/players/000001.ndjson"
SPOILED = {
    **{f"a bit of {name} is another": flipped(name) for name in ("manifest.json", "files/erased", EVENTS, "end.json")},
    **{f"{name} is missing": without(name) for name in ("manifest.json", "files/erased", EVENTS, "end.json")},
    "a part is there that nobody knows": lambda parts: {
        "manifest.json": parts.pop("manifest.json"),
        "x": b"x",
        **parts,
    },
    "a part leads out of the folder": lambda parts: {**parts, "../../etc/cron.d/x": b"x"},
    "a part has an absolute name": lambda parts: {"/etc/passwd": b"x", **parts},
    "a second part of a table comes from nowhere": lambda parts: {**parts, EVENTS.replace("1.", "2."): parts[EVENTS]},
    "parts stand in another order": in_order("manifest.json", "files/erased", PLAYERS),
    "a name was changed with the digest left": edited(PLAYERS, "ann", "eve"),
    "the digest was changed": edited("end.json", '"digest": "', '"digest": "0'),
    "a row has a value of another kind": edited(EVENTS, "[", "[7,"),
    "a row is cut": lambda parts: parts | {EVENTS: parts[EVENTS][:-9]},
    "it is of a later format": edited("manifest.json", '"number": 1', '"number": 2'),
    "it is of something else": edited("manifest.json", "wardroom-backup", "chess-backup"),
    "a table has a name that SQL would obey": edited("manifest.json", '"name": "events"', '"name": "x\\"; DROP"'),
    "a column has a kind that nobody knows": edited("manifest.json", '"kind": "bytes"', '"kind": "pickle"'),
    "it was made at no time": edited("manifest.json", '"taken_at": "', '"taken_at": "x'),
}


@pytest.mark.parametrize("how", SPOILED)
def test_what_was_spoiled_is_refused_with_a_sentence_and_nothing_is_written(house, tmp_path, how):
    (tmp_path / "bad.tar.gz").write_bytes(repacked(SPOILED[how](members(house / "a.tar.gz"))))
    done = wardroom(tmp_path / "new", "restore", str(tmp_path / "bad.tar.gz"), SECRET_KEY=KEY)
    assert done.exit_code == os.EX_DATAERR
    assert "bad.tar.gz cannot be restored, and nothing was changed. " in sentence(done)
    assert not (tmp_path / "new").exists()


def test_who_changes_a_row_and_all_digests_cannot_sign_them(house, tmp_path):
    """Whoever has the backup, and not the key, can make no other house of it."""
    parts = edited(PLAYERS, "ann", "eve")(members(house / "a.tar.gz"))
    end = json.loads(parts["end.json"])
    end["digests"]["tables"]["players"]["digest"] = hashlib.sha256(parts[PLAYERS]).hexdigest()
    (tmp_path / "bad.tar.gz").write_bytes(repacked(parts | {"end.json": json.dumps(end).encode()}))
    assert wardroom(tmp_path / "new", "restore", "--check", str(tmp_path / "bad.tar.gz")).exit_code == 0
    done = wardroom(tmp_path / "new", "restore", str(tmp_path / "bad.tar.gz"), SECRET_KEY=KEY)
    assert done.exit_code == os.EX_DATAERR
    assert "somebody else has written it" in sentence(done)
    assert not (tmp_path / "new" / "wardroom.sqlite").exists()


@pytest.mark.parametrize(
    "content",
    [b"", b"hello", gzip.compress(b"hello"), b"SQLite format 3\0" + bytes(4096)],
    ids=["nothing", "text", "packed text", "database"],
)
def test_another_file_is_called_by_its_name(house, tmp_path, content):
    (tmp_path / "bad").write_bytes(content)
    done = wardroom(tmp_path / "new", "restore", str(tmp_path / "bad"), SECRET_KEY=KEY)
    assert done.exit_code == os.EX_DATAERR
    sentence(done)


@pytest.mark.parametrize("words", [[], ["--recovered", "x"], ["--recovered", "--check"]])
def test_what_is_to_be_restored_must_be_said(tmp_path, words):
    done = wardroom(tmp_path / "new", "restore", *words, SECRET_KEY=KEY)
    assert done.exit_code == os.EX_USAGE


def test_a_file_that_is_not_there_is_missed(tmp_path):
    done = wardroom(tmp_path / "new", "restore", str(tmp_path / "no.tar.gz"), SECRET_KEY=KEY)
    assert (done.exit_code, "is not there" in sentence(done)) == (os.EX_NOINPUT, True)

"""Files that save work: nobody can read or change them, there are never too many, and any may be missing."""

import os
import time

import pytest

from service.kernel.encryption import Sealer
from service.kernel.sealed_files import EVERY, SealedFiles

GAME = "k7x2m9qd4t"


@pytest.fixture
def files(tmp_path):
    return SealedFiles(tmp_path / "data" / "pictures", Sealer(["k" * 32]))


def stored(files):
    return sorted(files.folder.iterdir())


def test_what_one_process_kept_another_finds(files):
    files.put(GAME, "a", b"picture")
    assert SealedFiles(files.folder, Sealer(["k" * 32])).get(GAME, "a") == b"picture"
    assert files.get(GAME, "b") is None
    assert files.get("another", "a") is None


def test_s_30_files_are_sealed_and_their_owners_alone(files):
    files.put(GAME, "a", b"Your sealed bid")
    (path,) = stored(files)
    assert b"sealed bid" not in path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600
    for folder in (files.folder, files.folder.parent):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert SealedFiles(files.folder, Sealer(["x" * 32])).get(GAME, "a") is None


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:-1] + b"x"), id="changed"),
        pytest.param(lambda path: path.write_bytes(b""), id="empty"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:15]), id="cut short"),
    ],
)
def test_a_damaged_file_is_none_and_is_removed(files, spoil):
    files.put(GAME, "a", b"picture")
    spoil(stored(files)[0])
    assert files.get(GAME, "a") is None
    assert stored(files) == []


def test_a_file_in_anothers_place_is_none(files):
    """It is bound to its game and its name."""
    files.put(GAME, "a", b"what seat 1 sees")
    path = files.folder / f"{GAME}.b"
    stored(files)[0].rename(path)
    assert files.get(GAME, "b") is None


@pytest.mark.parametrize("hours", [-2, 2], ids=["ago", "ahead"])
def test_a_file_is_good_for_a_while(files, hours):
    """One that was written while the clock was ahead is not good until then."""
    files.put(GAME, "a", b"picture")
    os.utime(stored(files)[0], (at := time.time() + 3600 * hours, at))
    assert files.get(GAME, "a") is None
    files.make_room()
    assert stored(files) == []


def test_the_oldest_make_room_for_the_newest(files):
    size = len(files.sealer.seal(GAME, "0", bytes(100)))
    files.most_bytes = 3 * size
    for number in range(5):
        files.put(GAME, str(number), bytes(100))
        os.utime(files.folder / f"{GAME}.{number}", (at := time.time() - 60 + number, at))
    files.make_room()
    assert [path.name for path in stored(files)] == [f"{GAME}.{number}" for number in (2, 3, 4)]


def test_room_is_made_while_files_are_written(files):
    files.most_bytes = 0
    for number in range(EVERY):
        files.put(GAME, str(number), b"picture")
    assert stored(files) == []


def test_where_nothing_can_be_written_nothing_is_kept(files):
    files.folder.parent.mkdir(exist_ok=True)
    files.folder.write_text("not a folder")
    files.put(GAME, "a", b"picture")
    files.make_room()
    files.clear()
    assert files.get(GAME, "a") is None


@pytest.mark.parametrize(("scope", "name"), [("..", "a"), (GAME, "../../secret-key"), (GAME, ""), ("a.b", "c")])
def test_a_name_leads_nowhere_else(files, scope, name):
    with pytest.raises(ValueError, match="letters and digits"):
        files.get(scope, name)

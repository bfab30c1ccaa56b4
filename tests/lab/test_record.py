"""Records: the same seed gives the same bytes, and a comparison finds what differs and says where."""

from pathlib import Path
from random import Random

import pytest

from lab import compare
from lab.record import run, table
from lab.record.shelf import Shelf, read
from lab.seeded import SeededEntropy

BUILT_IN = ("ids", "hashes", "salts")
KINDS = {"export", "position", "answer", "mail", "page"}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of four short games, made in processes of its own: in this one other tests have left caches."""
    out = tmp_path_factory.mktemp("record") / "old"
    assert run.main(["--out", str(out), "--games", "4", "--jobs", "2", "--moves", "4"]) == 0
    return out


@pytest.mark.slow
def test_two_records_of_one_tree_are_equal(recorded, tmp_path, capsys):
    new = tmp_path / "new"
    assert run.main(["--out", str(new), "--games", "4", "--jobs", "3", "--moves", "4"]) == 0
    files = sorted(path.name for path in recorded.iterdir())
    assert files == [f"{number:03}.jsonl.xz" for number in range(4)]
    assert [(new / name).read_bytes() for name in files] == [(recorded / name).read_bytes() for name in files]
    assert {artefact.kind for name in files for artefact in read(recorded / name)} == KINDS
    capsys.readouterr()
    assert compare.main([str(recorded), str(new)]) == 0
    assert capsys.readouterr().out.startswith("equal: ")


@pytest.mark.slow
def test_one_game_of_a_record_can_be_made_alone_in_a_process_of_its_own(recorded, tmp_path):
    run.main(["--out", str(tmp_path / "new"), "--games", "4", "--only", "2", "--jobs", "2", "--moves", "4"])
    assert (tmp_path / "new" / "002.jsonl.xz").read_bytes() == (recorded / "002.jsonl.xz").read_bytes()


@pytest.mark.slow
def test_a_tree_that_makes_other_ids_and_salts_plays_the_same_game(tmp_path, capsys, monkeypatch):
    class Other(SeededEntropy):
        def __init__(self, seed: object) -> None:
            super().__init__(seed)
            self.token_bytes, self.salt = Random(1).randbytes, Random(2).randbytes

    old, new = tmp_path / "old", tmp_path / "new"
    run.main(["--out", str(old), "--games", "4", "--only", "1", "--jobs", "1", "--moves", "4"])
    monkeypatch.setattr(table, "SeededEntropy", Other)
    run.main(["--out", str(new), "--games", "4", "--only", "1", "--jobs", "1", "--moves", "4"])
    names = "".join(f'[[difference]]\nname = "{name}"\nwhy = "other"\nbuiltin = "{name}"\n' for name in BUILT_IN)
    (tmp_path / "allow.toml").write_text(names)
    capsys.readouterr()
    assert compare.main([str(old), str(new), "--allow", str(tmp_path / "allow.toml")]) == 0
    out = capsys.readouterr().out
    assert all(f"{name}: used" in out for name in BUILT_IN)


# A comparison

ANSWER = b'{"id":"k7x2m9qd4t","version":17,"seats":[{"strikes":0}]}'
MAIL = b"Subject: your turn\r\n\r\nYou are asked, k7x2m9qd4t."
ETAG = [("Content-Type", "application/json"), ("ETag", '"17"')]


def record(folder: Path, *, answer: bytes = ANSWER, mail: bytes = MAIL, etag: bool = True) -> str:
    """A record of one game with an answer, a mail and a position."""
    folder.mkdir()
    shelf = Shelf()
    shelf.put("answer", "version 017 GET /games/k7x2m9qd4t ann", answer, 200, ETAG if etag else ETAG[:1])
    shelf.put("mail", "version 017 your-turn to bob", mail)
    shelf.put("position", "version 017 seat 0", answer)
    shelf.write(folder / "000.jsonl.xz")
    return str(folder)


def allow(folder: Path, text: str) -> str:
    """A file of one named difference."""
    path = folder / "allow.toml"
    path.write_text(f'[[difference]]\nname = "wanted"\nwhy = "it is"\n{text}\n')
    return str(path)


@pytest.mark.parametrize(
    "changed, what, where",
    [
        ({"mail": MAIL.replace(b"asked", b"told")}, "mail: text: 1", "+You are told"),
        ({"etag": False}, "answer: headers: 1", '-ETag: "17"'),
        ({"answer": ANSWER.replace(b"17", b"18")}, "position: text: 1", '+ "version": 18'),
    ],
)
def test_a_comparison_finds_a_difference_and_says_where(tmp_path, capsys, changed, what, where):
    assert compare.main([record(tmp_path / "old"), record(tmp_path / "new", **changed)]) == 1
    out = capsys.readouterr().out
    assert what in out
    assert where in out
    assert "000 version 017" in out


@pytest.mark.parametrize(
    "changed, difference",
    [
        ({"mail": MAIL.replace(b"asked", b"told")}, 'pattern = "asked|told"\nkinds = ["mail"]'),
        ({"etag": False}, 'header = "etag"'),
        ({"answer": ANSWER.replace(b"17", b"18")}, 'json = "version"'),
        ({"answer": ANSWER.replace(b'"strikes":0', b'"strikes":1')}, 'json = "seats.*.strikes"'),
        ({"answer": ANSWER.replace(b"k7x2m9qd4t", b"0123456789")}, 'builtin = "ids"'),
    ],
)
def test_a_named_difference_is_allowed_and_counted(tmp_path, capsys, changed, difference):
    given = [record(tmp_path / "old"), record(tmp_path / "new", **changed), "--allow", allow(tmp_path, difference)]
    assert compare.main(given) == 0
    assert "wanted: used" in capsys.readouterr().out


def test_ids_are_numbered_so_that_one_in_the_place_of_another_is_a_difference(tmp_path, capsys):
    other = {"answer": ANSWER.replace(b"k7x2m9qd4t", b"0123456789"), "mail": MAIL.replace(b"k7x2m9qd4t", b"q2dzhjtr1n")}
    given = [record(tmp_path / "old"), record(tmp_path / "new", **other)]
    assert compare.main([*given, "--allow", allow(tmp_path, 'builtin = "ids"')]) == 1
    assert "mail: text: 1" in capsys.readouterr().out


def test_a_difference_that_was_never_seen_is_reported(tmp_path, capsys):
    given = [record(tmp_path / "old"), record(tmp_path / "new"), "--allow", allow(tmp_path, 'header = "Age"')]
    assert compare.main(given) == 0
    assert "wanted: unused" in capsys.readouterr().out


def test_games_and_artefacts_of_one_side_alone_are_differences(tmp_path, capsys):
    old, new = record(tmp_path / "old"), record(tmp_path / "new")
    shelf = Shelf()
    shelf.put("mail", "version 018 game-over to bob", MAIL)
    shelf.write(Path(new, "000.jsonl.xz"))
    shelf.write(Path(new, "001.jsonl.xz"))
    assert compare.main([old, new]) == 1
    out = capsys.readouterr().out
    assert "mail only in NEW: 1\n  000 version 018 game-over to bob" in out
    assert "position only in OLD: 1" in out
    assert "game only in NEW: 1\n  001.jsonl.xz" in out


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "must have one of pattern, header, json, builtin"),
        ('header = "A"\njson = "b"', "must have one of"),
        ('pattern = "("', "cannot be read"),
        ('header = "A"\nkinds = ["letter"]', "names the kind letter"),
        ('builtin = "times"', "names the builtin times"),
        ('heeder = "A"', "heeder"),
    ],
)
def test_a_list_of_differences_that_cannot_be_read_is_named(tmp_path, capsys, text, said):
    old, new = record(tmp_path / "old"), record(tmp_path / "new")
    assert compare.main([old, new, "--allow", allow(tmp_path, text)]) == 2
    assert said in capsys.readouterr().err


def test_what_is_no_record_is_named(tmp_path, capsys):
    old, new = record(tmp_path / "old"), tmp_path / "new"
    assert compare.main([old, str(new)]) == 2
    assert f"{new} is not a record" in capsys.readouterr().err
    new.mkdir()
    (new / "000.jsonl.xz").write_bytes(b"\xfd7zXZ no")
    assert compare.main([old, str(new)]) == 2
    assert "000.jsonl.xz cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--only", "300"], ["--only", "x"], []])
def test_a_record_is_made_in_an_empty_folder_of_games_there_are(tmp_path, capsys, words):
    (tmp_path / "old").write_text("here")
    with pytest.raises(SystemExit):
        run.main(["--out", str(tmp_path), *words])
    assert "error: " in capsys.readouterr().err

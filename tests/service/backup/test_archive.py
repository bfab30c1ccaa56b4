"""The file of a backup: every bit of it counts, and what is not one is refused with a sentence and little memory."""

import gzip
import io
import tarfile

import pytest

from service.backup import archive
from service.backup.archive import LARGEST, ArchiveReader, ArchiveWriter, NotABackup

MEMBERS = [("manifest.json", b"{}"), ("tables/events/000001.ndjson", b"[1]\n" * 999), ("end.json", b"x" * 512)]


def packed(members=MEMBERS, at=1_700_000_000):
    file = io.BytesIO()
    writer = ArchiveWriter(file, at)
    for name, content in members:
        writer.add(name, content)
    writer.end()
    assert writer.size == len(file.getvalue())
    return file.getvalue()


def unpacked(data):
    return list(ArchiveReader(io.BytesIO(data)).members())


def refused(data):
    with pytest.raises(NotABackup) as error:
        unpacked(data)
    sentence = str(error.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def test_what_is_written_is_read_back():
    assert unpacked(packed()) == MEMBERS


def test_anybody_can_open_it_with_tar():
    with tarfile.open(fileobj=io.BytesIO(packed())) as found:
        assert [(member.name, member.mode, member.size) for member in found] == [
            (name, 0o600, len(content)) for name, content in MEMBERS
        ]


def test_it_may_be_packed_again_by_somebody_else():
    assert unpacked(gzip.compress(gzip.decompress(packed()))) == MEMBERS


@pytest.mark.slow
def test_every_changed_bit_of_what_it_holds_is_seen():
    plain = bytearray(gzip.decompress(packed([("manifest.json", b"{}")])))
    for place in range(len(plain)):
        plain[place] ^= 1 << place % 8
        try:
            found = unpacked(gzip.compress(plain, 1))
        except NotABackup:
            found = None
        plain[place] ^= 1 << place % 8
        assert found != [("manifest.json", b"{}")], place


def test_every_cut_is_seen():
    whole = packed()
    for length in {*range(0, len(whole), 7), len(whole) - 1}:
        refused(whole[:length])


@pytest.mark.parametrize(
    "more", [b"\0", b"x", packed(), gzip.compress(b"\0" * 512)], ids=["zero", "x", "another", "zeros"]
)
def test_nothing_may_follow_its_end(more):
    assert refused(packed() + more) == "It goes on behind its end."


def test_nothing_may_follow_the_end_of_the_tar():
    plain = gzip.decompress(packed())
    assert refused(gzip.compress(plain + b"\0" * 512)) == "It goes on behind its end."


def header(name="manifest.json", **fields):
    member = tarfile.TarInfo(name)
    member.size, member.mtime, member.mode, member.uname, member.gname = 2, 1, 0o600, "wardroom", "wardroom"
    for field, value in fields.items():
        setattr(member, field, value)
    return member.tobuf(tarfile.USTAR_FORMAT)


@pytest.mark.parametrize(
    "fields",
    [
        {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"},
        {"type": tarfile.LNKTYPE, "linkname": "x"},
        {"type": tarfile.DIRTYPE},
        {"type": tarfile.CHRTYPE},
        {"type": tarfile.XHDTYPE, "size": 1 << 32},
        {"type": tarfile.GNUTYPE_LONGNAME, "size": 1 << 32},
        {"type": tarfile.GNUTYPE_SPARSE},
        {"mode": 0o4755},
        {"uid": 1},
        {"size": LARGEST + 1},
    ],
    ids=str,
)
def test_a_member_of_another_kind_is_refused_before_it_is_read(fields):
    refused(gzip.compress(header(**fields) + b"{}".ljust(512, b"\0") + bytes(1024)))


@pytest.mark.slow
def test_a_bomb_is_refused_with_little_memory(monkeypatch):
    monkeypatch.setattr(archive, "FREE_OF_THAT", 1 << 16)
    member = header(size=1 << 20) + bytes(1 << 20)
    bomb = gzip.compress(member * 32)
    assert len(bomb) < 40_000
    assert "times its size" in refused(bomb)


@pytest.mark.parametrize(
    "data",
    [b"", b"\0" * 1024, b"PK\3\4", gzip.compress(b""), gzip.compress(b"x" * 1024)],
    ids=["nothing", "zeros", "zip", "packed nothing", "packed text"],
)
def test_another_file_is_no_backup(data):
    refused(data)

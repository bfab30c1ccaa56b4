"""Compressed answers: the same content in fewer bytes, under a strong tag of their own (RFC 9110 8.8.3.3, 12.5.3)."""

import gzip
import re

import pytest
from flask import Response

from service.api.http.application import asked_now
from service.api.http.compression import LEAST, compress
from service.web.http.assets import asset
from tests.service.api.table import Answer, Api, ApiTable

GZIP = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.fixture
def table(sqlite_api: Api) -> ApiTable:
    return sqlite_api.begin(*sqlite_api.players("ann bob cyd"))


def is_compressed(answer: Answer) -> bool:
    return answer.headers.get("Content-Encoding") == "gzip"


@pytest.mark.slow
@pytest.mark.parametrize("read", ["", "actions", "actions?as=choices", "board", "board.svg", "story", "?version=3"])
def test_a_long_text_is_compressed_for_who_accepts_it(table, read):
    path = f"{table.path}{read}" if read.startswith("?") else f"{table.path}/{read}".rstrip("/")
    whole = table.api.get(path, table.awaited).ok()
    small, again = (table.api.get(path, table.awaited, headers=GZIP).ok() for _ in range(2))
    if len(whole.data) < LEAST:
        assert small.data == whole.data
        return
    assert is_compressed(small)
    assert gzip.decompress(small.data) == whole.data
    assert small.data == again.data, "a strong tag stands for these very bytes"
    assert small.data[4:8] == bytes(4), "no time in it (RFC 1952 2.3)"
    assert int(small.headers["Content-Length"]) == len(small.data) < len(whole.data) / 2
    assert small.headers["Content-Type"] == whole.headers["Content-Type"]
    assert "Accept-Encoding" in small.headers["Vary"]
    assert "Accept-Encoding" in whole.headers["Vary"]


def test_rfc_9110_8_8_3_3_a_compressed_answer_has_a_strong_tag_of_its_own(table):
    player, version = table.seated[0], table.version
    whole, small = table.get(player), table.get(player, headers=GZIP)
    assert small.headers["ETag"] == small.tag(version) != whole.headers["ETag"] == whole.tag(version)
    known = table.get(player, headers=GZIP | {"If-None-Match": small.headers["ETag"]})
    assert (known.status, known.data, known.headers["ETag"]) == (304, b"", small.headers["ETag"])
    assert not is_compressed(known)
    table.get(player, headers=GZIP | {"If-None-Match": whole.headers["ETag"]}).ok(200)
    table.get(player, headers={"If-None-Match": small.headers["ETag"]}).ok(200)


def test_the_tag_of_a_compressed_answer_serves_a_move(table):
    player = table.awaited
    tag = table.get(player, headers=GZIP).headers["ETag"]
    table.move(player, "place 1 1", "end", **{"If-Match": tag})


def test_an_audit_that_is_known_in_either_form_is_not_made_again(table, monkeypatch):
    monkeypatch.setattr("service.api.http.compression.LEAST", 100)
    player = table.seated[0]
    whole, small = table.get(player, "audit").ok(), table.get(player, "audit", headers=GZIP).ok()
    assert is_compressed(small)
    assert gzip.decompress(small.data) == whole.data
    assert small.headers["ETag"] != whole.headers["ETag"]
    assert re.fullmatch(rf'"{table.version}\.[0-9a-f]{{64}}"', small.headers["ETag"])
    for tag in (whole.headers["ETag"], small.headers["ETag"]):
        known = table.get(player, "audit", headers=GZIP | {"If-None-Match": tag})
        assert (known.status, known.headers["ETag"]) == (304, tag)


@pytest.mark.parametrize(
    "accepts", [None, "", "identity", "br, zstd", "gzip;q=0", "*;q=0", "gzip;q=0.5, identity", "gzip;q=0, *"]
)
def test_who_does_not_accept_it_gets_the_text_as_it_is(table, accepts):
    answer = table.get(table.seated[0], headers={} if accepts is None else {"Accept-Encoding": accepts}).ok()
    assert answer.headers["ETag"] == answer.tag(table.version)
    assert not is_compressed(answer)


@pytest.mark.parametrize(
    "accepts", ["gzip", "*", "GZIP", "br;q=1, gzip;q=0.1", "identity;q=0.5, gzip", "identity;q=0, *"]
)
def test_who_accepts_it_among_others_gets_it(table, accepts):
    assert is_compressed(table.get(table.seated[0], headers={"Accept-Encoding": accepts}).ok())


@pytest.mark.slow
def test_what_is_small_or_no_text_is_left_as_it_is(table):
    ann = table.seated[0]
    for path in ("/me", "/nothing", f"{table.path}/board.png", f"{table.path}/bundle"):
        assert not is_compressed(table.api.get(path, ann, headers=GZIP)), path
    assert table.api.get(f"{table.path}/board.png", ann, headers=GZIP).data[:4] == b"\x89PNG"


@pytest.mark.slow
def test_all_that_is_long_and_text_is_compressed(table):
    ann = table.seated[0]
    ndjson = GZIP | {"Accept": "application/x-ndjson"}
    assert is_compressed(table.api.get("/openapi.json", headers=GZIP).ok())
    assert gzip.decompress(table.get(ann, "events", headers=ndjson).data).splitlines() == table.export(ann)
    stale = table.post(ann, "moves", {"text": "end"}, headers=GZIP | {"If-Match": '"1"'})
    assert (stale.status, is_compressed(stale)) == (412, True)
    assert stale.headers["Content-Type"] == "application/problem+json"


def test_the_answer_to_a_head_has_the_headers_of_a_get(table):
    ann = table.seated[0]
    got, head = (table.api.send(method, table.path, ann, headers=GZIP) for method in ("GET", "HEAD"))
    assert head.data == b""
    names = ("ETag", "Content-Encoding", "Content-Length", "Vary")
    assert [head.headers[name] for name in names] == [got.headers[name] for name in names]


def test_an_answer_that_is_given_again_is_compressed_for_who_asks_again(table):
    player, body = table.awaited, {"text": "place 1 1\nend"}
    key = {"Idempotency-Key": "compressed"}
    first = table.post(player, "moves", body, headers=key | GZIP).ok(201)
    plain, small = (table.post(player, "moves", body, headers=key | more).ok(201) for more in ({}, GZIP))
    assert small.data == first.data
    assert gzip.decompress(small.data) == plain.data
    assert plain.headers["Idempotency-Replayed"] == small.headers["Idempotency-Replayed"] == "true"


def test_a_style_is_compressed_under_a_weak_tag(sqlite_api):
    with sqlite_api.app.test_request_context():
        path = f"/{asset('tokens.css')}"
    whole, small = sqlite_api.get(path), sqlite_api.get(path, headers=GZIP)
    assert gzip.decompress(small.data) == whole.data
    assert small.headers["ETag"] == f"W/{whole.headers['ETag']}"
    assert sqlite_api.get(path, headers=GZIP | {"If-None-Match": small.headers["ETag"]}).status == 304


@pytest.mark.parametrize(
    ("path", "compressed"), [("//sign-in", True), ("//sign-in?next=%2Ftables", False), ("//sign-in?next=1", True)]
)
def test_a_page_that_may_repeat_words_of_its_address_is_not_compressed(sqlite_api, path, compressed):
    """BREACH: beside words of a stranger's choosing, the size of a page would tell of the secrets in it."""
    assert is_compressed(sqlite_api.get(path, headers=GZIP | {"Accept": "text/html"}).ok()) == compressed


def test_streams_are_never_compressed(sqlite_api):
    stream = Response((b"x" * LEAST for _ in range(3)), content_type="text/plain")
    with sqlite_api.app.test_request_context("/api/v1/me/events", headers=GZIP):
        assert "Content-Encoding" not in compress(asked_now(), stream).headers
        news = Response(b"data: x\n" * LEAST, content_type="text/event-stream")
        assert "Content-Encoding" not in compress(asked_now(), news).headers
        part = Response(b"x" * LEAST * 2, 206, content_type="text/plain")
        assert "Content-Encoding" not in compress(asked_now(), part).headers

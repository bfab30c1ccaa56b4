"""Entity tags: an answer that changed is never taken for one that did not; commands compare versions (DESIGN-8)."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from domain.table.state import Status
from service.api.http.keeping import kept
from tests.service.api.table import Api, ApiTable
from tests.unreadable_dates import UNREADABLE_DATES

READS = [
    "", "actions", "board", "board.svg", "board.png", "story", "events", "events?after=3", "audit", "checkpoint",
    "diff?from=2", "messages", "notices", "orders", "rewind", "bundle", "?version=3", "board?version=3",
]  # fmt: skip
COSTLY = {"audit", "bundle"}
"""What takes long to make: there the digest is of all that it is made of, so that a known one need not be made."""


@pytest.fixture
def table(sqlite_api: Api) -> ApiTable:
    """A running game that knows leave."""
    return sqlite_api.begin(*sqlite_api.players("ann bob cyd"), clock={"per_move": "P3D", "leave_days": 14})


@pytest.mark.slow
@pytest.mark.parametrize("read", READS)
def test_design_8_every_read_of_a_game_has_the_digest_of_its_body_and_knows_it_again(
    table: ApiTable, read: str
) -> None:
    path = f"{table.path}{read}" if read.startswith("?") else f"{table.path}/{read}".rstrip("/")
    answer = table.api.get(path, table.seated[0]).ok()
    version = 3 if "version=3" in read else table.version
    if read in COSTLY:
        assert re.fullmatch(rf'"{version}\.[0-9a-f]{{64}}"', answer.headers["ETag"])
    else:
        assert answer.headers["ETag"] == answer.tag(version)
    for known in (answer.headers["ETag"], f"W/{answer.headers['ETag']}", f'"x", {answer.headers["ETag"]}', "*"):
        same = table.api.get(path, table.seated[0], headers={"If-None-Match": known})
        assert (same.status, same.data, same.headers["ETag"]) == (304, b"", answer.headers["ETag"])
        assert same.headers["Vary"] == answer.headers["Vary"] == "Authorization, Accept, Cookie, Accept-Encoding"
        assert same.headers["Cache-Control"] == answer.headers["Cache-Control"]
    for other in (f'"{version}"', f'"{version}.{"0" * 64}"'):
        table.api.get(path, table.seated[0], headers={"If-None-Match": other}).ok(200)


def test_design_8_an_unchanged_clock_is_known_again_although_it_tells_the_time(table: ApiTable) -> None:
    """RFC 9110, 8.8.1: a weak tag, for what differs is the time of the request alone."""
    ann = table.seated[0]
    forms = {
        (kind, coding): {"Accept": kind, "Accept-Encoding": coding}
        for kind in ("application/json", "text/plain")
        for coding in ("identity", "gzip")
    }

    def tags() -> dict[tuple[str, str], str]:
        return {form: table.get(ann, "clock", headers=asked).ok().headers["ETag"] for form, asked in forms.items()}

    known = tags()
    assert all(re.fullmatch(rf'W/"{table.version}\.[0-9a-f]{{64}}"', tag) for tag in known.values())
    assert len(set(known.values())) == 2, "one for each type"
    for form, tag in known.items():
        asked = forms[form] | {"If-None-Match": tag}
        same = table.get(ann, "clock", headers=asked)
        assert (same.status, same.data, same.headers["ETag"]) == (304, b"", tag), form
    changes = {
        "a zone": lambda: table.api.patch("/me", ann, {"timezone": "Asia/Kathmandu"}).ok(),
        "a name": lambda: table.api.patch("/me", table.awaited, {"name": "Queen Anne"}).ok(),
        "a move": lambda: table.move(table.awaited, "place 1 1", "end"),
        "leave": lambda: table.api.send("PUT", "/me/leave", table.awaited, json=_days_off()).ok(201),
    }
    for name, change in changes.items():
        change()
        after = tags()
        assert not set(after.values()) & set(known.values()), name
        known = after


def _days_off() -> dict[str, str]:
    today = datetime.now(UTC).date()
    return {"from": str(today + timedelta(days=2)), "to": str(today + timedelta(days=4))}


@pytest.mark.parametrize("read", ["story", "diff?from=2", "events"])
def test_design_8_each_form_of_an_answer_has_its_own_tag(table: ApiTable, read: str) -> None:
    form = "application/x-ndjson" if read == "events" else "text/plain"
    one, other = (table.get(table.seated[0], read, headers={"Accept": kind}) for kind in ("application/json", form))
    assert one.ok().headers["Content-Type"] != other.ok().headers["Content-Type"]
    assert one.headers["ETag"] != other.headers["ETag"]
    table.get(table.seated[0], read, headers={"Accept": form, "If-None-Match": one.headers["ETag"]}).ok(200)


def test_design_8_leave_moves_a_deadline_and_so_the_tag(table: ApiTable) -> None:
    player, version = table.awaited, table.version
    before = table.get(player).ok()
    days = [datetime.now(UTC).date() + timedelta(days=number) for number in (2, 4)]
    leave = {"from": str(days[0]), "to": str(days[1])}
    table.api.send("PUT", "/me/leave", player, json=leave)
    assert table.version == version + 1
    after = table.get(player, headers={"If-None-Match": before.headers["ETag"]}).ok(200)
    assert after.headers["ETag"] != before.headers["ETag"]
    assert after.headers["ETag"] == after.tag(version + 1)


def test_design_8_a_new_name_changes_the_tag_of_everybody_at_the_table(table: ApiTable) -> None:
    ann, bob = table.seated[:2]
    before = table.get(bob).ok().headers["ETag"]
    table.api.patch("/me", ann, {"name": "Queen Anne"}).ok()
    after = table.get(bob, headers={"If-None-Match": before}).ok(200)
    assert "Queen Anne" in after.text
    assert after.headers["ETag"] != before


def test_design_8_seats_that_see_different_answers_have_different_tags(table: ApiTable) -> None:
    tags = {table.get(player).ok().headers["ETag"] for player in table.seated}
    assert len(tags) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "header",
    [
        '"{v}"', "{tag}", "*", ' {tag} ', '"x", {tag}', '"{old}", "{v}"', '"{v}", "{old}"', '"{v}","999"', ', "{v}", ,',
        '"a,b", "{v}"', 'W/"x", "{v}"', '"{v}.' + "0" * 64 + '"',
    ],
)  # fmt: skip
def test_design_8_a_move_may_name_the_version_the_whole_tag_any_or_a_list(table: ApiTable, header: str) -> None:
    player = table.awaited
    tag = table.get(player).ok().headers["ETag"]
    wanted = header.replace("{v}", str(table.version)).replace("{old}", str(table.version - 1)).replace("{tag}", tag)
    table.move(player, "place 1 1", "end", **{"If-Match": wanted})


@pytest.mark.parametrize(
    "header, seen", [('"{old}"', 1), ('"{older}", "{old}"', 1), ('W/"{v}", "{old}"', 1), ('"999", "{older}"', 2)]
)
def test_design_8_of_versions_that_are_all_past_the_last_is_what_was_seen(
    table: ApiTable, header: str, seen: int
) -> None:
    player, version = table.awaited, table.version
    wanted = header.replace("{v}", str(version)).replace("{older}", str(version - 2)).replace("{old}", str(version - 1))
    answer = table.post(player, "moves", {"text": "place 1 1\nend"}, headers={"If-Match": wanted})
    assert [event["version"] for event in answer.refused(412, "stale").json["events"]] == [
        *range(version - seen + 1, version + 1)
    ]


def test_design_8_a_tag_of_the_past_is_no_permission_now(table: ApiTable) -> None:
    player = table.awaited
    tag = table.get(player, query_string={"version": table.version - 1}).ok().headers["ETag"]
    table.post(player, "moves", {"text": "place 1 1\nend"}, headers={"If-Match": tag}).refused(412, "stale")


def test_design_8_what_a_command_answers_names_the_version_for_the_next_one(table: ApiTable) -> None:
    moved = table.move(table.awaited, "place 1 1", "end")
    assert moved.headers["ETag"] == f'"{table.version}"'
    table.move(table.awaited, "place 1 1", "end", **{"If-Match": moved.headers["ETag"]})


PAST = ["?version=3", "board?version=3", "board.svg?version=3", "board.svg?version=3&for=page", "board.png?version=3"]


@pytest.mark.slow
@pytest.mark.parametrize("read", PAST)
def test_design_8_a_past_version_may_be_kept_by_who_saw_it(table: ApiTable, read: str) -> None:
    path = f"{table.path}{read}" if read.startswith("?") else f"{table.path}/{read}"
    past = table.api.get(path, table.seated[0]).ok()
    assert past.headers["Cache-Control"] == "private, max-age=600"
    known = table.api.get(path, table.seated[0], headers={"If-None-Match": past.headers["ETag"]})
    assert (known.status, known.headers["Cache-Control"]) == (304, past.headers["Cache-Control"])
    for present in (
        path.replace("version=3", f"version={table.version}"),
        path.replace("version=3&", "").replace("?version=3", ""),
    ):
        now = table.api.get(present, table.seated[0]).ok()
        assert now.headers["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize(
    ("status", "keeps"),
    [
        ("running", "private, max-age=600"),
        ("finished", "private, max-age=86400, immutable"),
        ("abandoned", "private, max-age=86400, immutable"),
    ],
)
def test_design_8_a_version_of_a_game_that_is_over_is_kept_longer(table: ApiTable, status: Status, keeps: str) -> None:
    with table.api.services.database.read() as connection:
        head = table.api.services.streams.head(connection, table.id)
    head.table.status = status
    assert kept(head, head.version - 1) == {"Cache-Control": keeps}
    assert kept(head, head.version) == kept(head, None) == {}


def test_rfc9110_13_1_3_a_condition_with_a_date_that_cannot_be_read_counts_as_absent(sqlite_api: Api) -> None:
    client = sqlite_api.app.test_client()
    for date in UNREADABLE_DATES:
        for name in ("If-Modified-Since", "If-Unmodified-Since", "If-Range", "Date"):
            with client.get("/assets/x/besley.woff2", headers={"Range": "bytes=0-1", name: date}) as answer:
                assert answer.status_code == (200 if name == "If-Range" else 206), (name, date)


def test_rfc9111_5_2_2_9_what_only_a_release_changes_may_be_kept_by_anybody(sqlite_api: Api) -> None:
    ann = sqlite_api.player("ann")
    for path in ("/openapi.json", "/rulesets", "/rulesets/tammany-hall", "/rulesets/city-hall"):
        for who, coding in ((None, "identity"), (None, "gzip"), (ann, "gzip")):
            first = sqlite_api.get(path, who, headers={"Accept-Encoding": coding}).ok()
            assert first.headers["Cache-Control"] == "public, max-age=300", path
            assert first.headers["Vary"] == "Accept-Encoding", path
            known = {"If-None-Match": first.headers["ETag"], "Accept-Encoding": coding}
            again = sqlite_api.get(path, who, headers=known)
            assert (again.status, again.data, again.headers["ETag"]) == (304, b"", first.headers["ETag"]), path
    missing = sqlite_api.get("/rulesets/chess").refused(404, "no-such-ruleset")
    assert missing.headers["Cache-Control"] == "private, no-store"

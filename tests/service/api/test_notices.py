"""GET /games/{id}/notices: was I told, when, and what became of it."""

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from config.settings import Settings
from domain.engine.game import Seat
from service.games import chat
from service.kernel.clock import text
from service.mail import unsubscribes
from service.notify import notice_log, subscriptions
from service.store.outgoing import outbox
from service.store.outgoing.webhooks import messages
from tests.letters import Carrier
from tests.service.api.table import Api, ApiTable, Player, served
from workers.mail_out.channel import deliver
from workers.mail_out.transport import Deferred, Refused

once = pytest.mark.parametrize("api", ["sqlite"], indirect=True)
"""No statement of it has a dialect, a lock or a constraint of its own: PostgreSQL need not repeat it."""

pytestmark = pytest.mark.slow

FIELDS = {
    "kind", "channel", "about", "created_at", "due_at", "sent_at", "state", "reason", "mail", "webhook", "attempts",
}  # fmt: skip


def delivers(api: Api, *mishaps: Exception | None) -> Carrier:
    carrier = Carrier()
    carrier.before.extend(mishaps)
    deliver(api.services, carrier)
    return carrier


def told(table: ApiTable, who: Player, **query: Any) -> list[dict[str, Any]]:
    """What somebody was told about a game, newest first."""
    items: list[dict[str, Any]] = table.get(who, "notices", query_string=query).ok().json["items"]
    return items


def executes(api: Api, statement: str, **values: Any) -> None:
    with api.services.database.write() as tx:
        tx.execute(sa.text(statement), values)


def notice(table: ApiTable, who: Player, seat: Seat | None = 0, **row: Any) -> None:
    """A notice to somebody about a game, as if the service had made it."""
    with table.api.services.database.write() as tx:
        now = table.api.services.database.clock.now(tx)
        about = {"recipient": who.id, "game_id": table.id, "seat": seat, "version": 1, "created_at": now}
        outbox.put(tx, [about | row])


@pytest.fixture
def table(api: Api) -> ApiTable:
    return api.begin(*api.players("ann bob cyd"))


@pytest.fixture
def small_table(sqlite_api: Api) -> ApiTable:
    """For what does not depend on the database."""
    return sqlite_api.begin(*sqlite_api.players("ann bob cyd"))


@once
def test_a_notice_says_what_when_how_and_with_what_result(api: Api, table: ApiTable) -> None:
    asked = table.awaited
    (waiting,) = told(table, asked)
    assert set(waiting) == FIELDS
    version = table.version
    assert (waiting["kind"], waiting["channel"], waiting["about"]) == ("your-turn", "mail", {"event": version})
    assert (waiting["state"], waiting["attempts"], waiting["sent_at"], waiting["mail"]) == ("queued", 0, None, None)
    assert waiting["reason"] == "It will be sent in a moment."
    assert waiting["due_at"] == waiting["created_at"]
    carrier = delivers(api)
    (sent,) = told(table, asked)
    (letter,) = carrier.letters
    assert (sent["state"], sent["attempts"], sent["mail"]) == ("sent", 1, letter.message_id)
    assert sent["reason"] == "Your mail server took it."
    assert sent["created_at"] <= sent["sent_at"]


@once
def test_each_player_reads_of_their_own_alone(api: Api, table: ApiTable) -> None:
    asked = table.awaited
    for other in table.seated:
        assert len(told(table, other)) == (other == asked)
    notice(table, table.seated[1], seat=1, kind="proposal", decision="7")
    assert [one["kind"] for one in told(table, table.seated[1])][:1] == ["proposal"]
    assert not any(one["kind"] == "proposal" for one in told(table, table.seated[0]))


@once
def test_others_may_not_read_them(api: Api, table: ApiTable) -> None:
    watcher = api.player("eve")
    table.get(watcher, "notices").refused(403, "not-seated")
    api.get(f"{table.path}/notices").refused(401, "unauthorized")
    people = api.players("ann bob cyd")
    private = api.begin(*people, public=False, invite=["bob@example.org", "cyd@example.org"])
    private.get(watcher, "notices").refused(404, "no-such-game")
    api.get("/games/nothing/notices", watcher).refused(404, "no-such-game")
    table.get(table.seated[0], "notices", query_string={"player": watcher.id}).refused(400, "bad-request")


@once
def test_a_former_player_may_not_read_what_the_next_is_told(api: Api, table: ApiTable) -> None:
    ann = table.seated[0]
    executes(api, "UPDATE notices SET recipient = 'p_former' WHERE recipient = :ann", ann=ann.id)
    assert told(table, ann) == []


@once
@pytest.mark.parametrize(
    "mishap, state, reason",
    [
        (Refused("550 5.1.1 No such mailbox."), "failed", "It could not be delivered: 550 5.1.1 No such mailbox."),
        (Deferred("451 later"), "queued", "It could not be delivered yet, and is tried again: 451 later."),
    ],
)
def test_what_could_not_be_delivered_says_why(
    api: Api, table: ApiTable, mishap: Exception, state: str, reason: str
) -> None:
    asked = table.awaited
    delivers(api, mishap)
    (one,) = told(table, asked)
    assert (one["state"], one["reason"], one["sent_at"]) == (state, reason, None)
    assert (one["due_at"] > one["created_at"]) == (state == "queued")


@pytest.mark.parametrize(
    "state, kept, reason, gone_out",
    [
        ("sent", None, "Your mail server took it.", True),
        ("sent", "452 mailbox full", "Your mail server took it, and reported later: 452 mailbox full.", True),
        ("bounced", "550 unknown", "It came back: 550 unknown.", True),
        ("bounced", None, "It came back: no reason was given.", True),
        ("superseded", "the answer was given", "It was not sent: the answer was given.", False),
        ("superseded", None, "It was not sent: you know it already.", False),
        ("failed", None, "It could not be delivered: no reason was given.", False),
    ],
)
def test_what_became_of_it_is_a_sentence(
    small_table: ApiTable, state: str, kept: str | None, reason: str, gone_out: bool
) -> None:
    asked = small_table.awaited
    values = {"state": state, "kept": kept}
    executes(small_table.api, "UPDATE deliveries SET state = :state, reason = :kept, done_at = created_at", **values)
    (one,) = told(small_table, asked)
    assert (one["state"], one["reason"], one["sent_at"] is not None) == (state, reason, gone_out)


@once
def test_what_waits_says_for_what(api: Api, table: ApiTable) -> None:
    asked = table.awaited
    executes(api, "UPDATE deliveries SET not_before = not_before + 3600000000, reason = 'it is sent in the morning'")
    (one,) = told(table, asked)
    assert one["reason"] == "It is on hold: it is sent in the morning."
    assert one["due_at"] > one["created_at"]
    executes(api, "UPDATE deliveries SET reason = NULL")
    assert told(table, asked)[0]["reason"] == "It is on hold: it is not due yet."


@once
def test_what_was_overtaken_was_not_sent(api: Api, table: ApiTable) -> None:
    asked = table.awaited
    table.move(asked, "place 1 1", "end")
    delivers(api)
    assert told(table, asked)[-1]["reason"] == "It was not sent: the answer was given."


@pytest.mark.parametrize(
    "kind, key, about",
    [
        ("your-turn", "17", {"event": 17}),
        ("your-turn", "17.1930392000000000", {"event": 17}),
        ("reminder", "17.2", {"event": 17, "rung": 2}),
        ("deadline-passed", "21", {"event": 21}),
        ("game-over", "end", {}),
        ("invitation", "open", {}),
        ("fresh", "1930392000000000", {}),
        ("answer", "5", {"mail": 5}),
        ("confirm", "5", {"mail": 5}),
        ("undeliverable", "17.1", {"event": 17}),
        ("undeliverable", "0.1.99", {}),
        ("vacant", "9", {"event": 9}),
    ],
)
def test_it_says_which_event_rung_or_mail_it_is_about(
    small_table: ApiTable, kind: str, key: str, about: dict[str, int]
) -> None:
    executes(small_table.api, "DELETE FROM deliveries")
    executes(small_table.api, "DELETE FROM notices")
    notice(small_table, small_table.seated[0], kind=kind, decision=key)
    (one,) = told(small_table, small_table.seated[0])
    assert (one["kind"], one["about"]) == (kind, about)


def test_an_invitation_to_my_address_is_mine_once_i_sit_there(api: Api) -> None:
    ann, bob = api.players("ann bob")
    table = api.open(ann, 3, invite=["Bob@Example.org", "cyd@example.org"], public=False)
    table.get(bob, "notices").refused(403, "not-seated")
    delivers(api)
    table.sit(bob)
    assert [(one["kind"], one["state"]) for one in told(table, bob)] == [("invitation", "sent")]
    assert told(table, ann) == []


# Pages


def test_they_come_in_pages_newest_first(api: Api, table: ApiTable) -> None:
    ann = table.seated[0]
    executes(api, "DELETE FROM deliveries")
    executes(api, "DELETE FROM notices")
    for number in range(7):
        notice(table, ann, kind="proposal", decision=str(number))
    executes(api, "UPDATE notices SET created_at = 5 WHERE decision IN ('3', '4')")
    executes(
        api, "UPDATE deliveries SET created_at = 5 WHERE notice_id IN (SELECT id FROM notices WHERE created_at = 5)"
    )
    whole = [one["about"] for one in told(table, ann)]
    pages, cursor = [], None
    while True:
        query = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        answer = table.get(ann, "notices", query_string=query).ok()
        pages.append([one["about"] for one in answer.json["items"]])
        cursor = answer.json["next"]
        assert ('rel="next"' in answer.headers.get("Link", "")) == (cursor is not None)
        if cursor is None:
            break
    assert [len(page) for page in pages] == [2, 2, 2, 1]
    assert [one for page in pages for one in page] == whole
    assert whole == [{"event": 6}, {"event": 5}, {"event": 2}, {"event": 1}, {}, {"event": 4}, {"event": 3}]


@pytest.mark.parametrize("cursor", ["x", "MA", "InR3byI", "dHJ1ZQ", "W10", "WzEsMl0", "WzEsMiwzLDRd", "WzEsdHJ1ZSwzXQ",
                                    "WzEsMiwtM10", "WzEsMS4wLDNd", "WzFlOTksMSwzXQ",
                                    "WzEsMSw5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5XQ"])  # fmt: skip
def test_what_is_no_cursor_is_400(small_table: ApiTable, cursor: str) -> None:
    small_table.get(small_table.seated[0], "notices", query_string={"cursor": cursor}).refused(400, "bad-cursor")


@pytest.mark.parametrize("limit", ["0", "101", "-1", "x"])
def test_a_page_has_1_to_100(small_table: ApiTable, limit: str) -> None:
    small_table.get(small_table.seated[0], "notices", query_string={"limit": limit}).refused(400, "bad-request")


# Webhooks


def test_what_a_webhook_was_told_is_there_too(api: Api, table: ApiTable) -> None:
    mover = table.awaited
    following = table.seated[(table.seated.index(mover) + 1) % 3]
    with api.services.database.write() as tx:
        hook, _ = subscriptions.register(api.services, tx, following.id, "https://bot.example/turns")
    table.move(mover, "place 1 1", "end")
    mail, hooked = told(table, following)
    assert (mail["channel"], hooked["channel"]) == ("mail", "webhook"), "made at the same moment"
    assert hooked["kind"] == mail["kind"] == "your-turn"
    assert hooked["about"] == mail["about"]
    assert (mail["webhook"], hooked["mail"]) == (None, None)
    assert hooked["reason"] == "It will be sent in a moment."
    with api.services.database.read() as connection:
        row = connection.execute(sa.select(messages)).one()
    assert hooked["webhook"] == subscriptions.message_id(
        row.hook_id, row.game_id, row.kind, row.decision, row.created_at
    )
    executes(
        api, "UPDATE deliveries SET state = 'sent', done_at = created_at + 5, attempts = 2 WHERE channel = 'webhook'"
    )
    _, hooked = told(table, following)
    assert (hooked["reason"], hooked["attempts"]) == ("Your program took it.", 2)
    assert hooked["sent_at"] == text(row.created_at + 5)
    first = table.get(following, "notices", query_string={"limit": 1}).ok().json
    assert [one["channel"] for one in first["items"]] == ["mail"]
    second = table.get(following, "notices", query_string={"limit": 1, "cursor": first["next"]}).ok().json
    assert [one["channel"] for one in second["items"]] == ["webhook"]
    assert second["next"] is None
    assert hook.id not in str(told(table, following)), "which of them is not said"


# What nobody may know yet


def test_s02_a_line_of_talk_that_nobody_has_seen_is_no_notice_yet(
    sqlite_copy: str, settings_with: Callable[..., Settings]
) -> None:
    with served(settings_with(DATABASE_URL=sqlite_copy, TALK_DELAY="PT5M")) as api:
        table = api.begin(*api.players("ann bob cyd"))
        ann, bob, _ = table.seated
        before = told(table, bob)
        table.post(ann, "messages", {"text": "psst", "to": 1}).ok(201)
        taken_back = table.post(ann, "messages", {"text": "oops"}).ok(201).json["id"]
        assert told(table, bob) == before
        executes(api, "UPDATE messages SET shown_at = created_at")
        assert [one["kind"] for one in told(table, bob)][:2] == ["talk", "talk"]
        executes(api, "UPDATE messages SET cancelled_at = created_at WHERE id = :id", id=taken_back)
        with api.services.database.write() as tx:
            unsubscribes.mute(api.services.database, tx, bob.id, table.id)
        executes(api, "UPDATE deliveries SET not_before = 0")
        delivers(api)
        items = told(table, bob)
        (line,) = [one for one in items if one["kind"] == chat.KIND]
        assert line["reason"] == "It was not sent: the player wants no mail about this game."
        assert line["about"]["message"] != taken_back


# Too many


@once
def test_rate09_what_was_held_back_is_in_the_profile_and_among_the_notices(api: Api, table: ApiTable) -> None:
    ann = table.seated[0]
    assert api.get("/me", ann).ok().json["mail_note"] == ""
    for number in range(2):
        notice(table, ann, kind="proposal", decision=str(number + 1))
    executes(
        api,
        "UPDATE deliveries SET state = 'superseded', reason = :why, done_at = created_at WHERE kind = 'proposal'",
        why=f"{notice_log.HELD}: you had 100 mails in 24 hours",
    )
    assert api.get("/me", ann).ok().json["mail_note"].startswith("2 mails to you were held back in the last 24 hours")
    assert api.get("/me", table.seated[1]).ok().json["mail_note"] == ""
    held = [one["reason"] for one in told(table, ann) if one["kind"] == "proposal"]
    assert held == ["It was not sent: held back: you had 100 mails in 24 hours."] * 2
    executes(
        api,
        "UPDATE deliveries SET done_at = done_at - 86400000000"
        " WHERE notice_id IN (SELECT id FROM notices WHERE decision = '1')",
    )
    assert api.get("/me", ann).ok().json["mail_note"].startswith("1 mail to you was held back")


# The profile


@once
def test_rate06_rate07_the_profile_says_what_mail_is_wanted(api: Api) -> None:
    (ann,) = api.players("ann")
    me = api.get("/me", ann).ok().json
    assert (me["digest"], me["quiet_turns"]) == ("off", False)
    for change in ({"digest": "weekly"}, {"quiet_turns": True}, {"digest": "daily"}, {"digest": "off"}):
        assert api.patch("/me", ann, change).ok().json.items() >= change.items()
    assert api.get("/me", ann).ok().json["quiet_turns"] is True
    for bad in ({"digest": "hourly"}, {"digest": None}, {"quiet_turns": "yes"}, {"digest_at": 5}):
        api.patch("/me", ann, bad).refused(400, "bad-request")

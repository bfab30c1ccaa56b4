"""Whether mail reaches people, as they and the hosts of their games see it (OUT-17, RATE-11)."""

from typing import Any

import sqlalchemy as sa

from service.mail import deliverability, unsubscribes
from service.store.outgoing.deliveries import deliveries
from service.store.outgoing.outbox import outbox, put
from tests.notices import mail_in
from tests.service.api.table import Api, ApiTable, Player


def stops(api: Api, player: Player) -> None:
    """The player calls a mail of ours spam."""
    with api.services.database.write() as tx:
        now = api.services.database.clock.now(tx)
        row = {"recipient": player.id, "kind": "reminder", "decision": "1.1", "created_at": now}
        put(tx, [row])
        mine = (outbox.c.recipient == player.id, outbox.c.kind == "reminder")
        tx.execute(sa.update(deliveries).where(deliveries.c.kind == "reminder").values(state="sent", done_at=now))
        notice = tx.execute(sa.select(outbox).where(*mine)).mappings().one()
        assert deliverability.record_complaint(api.services, tx, mail_in(tx, notice))


def seats(api: Api, table: ApiTable, who: Player, **query: Any) -> dict[int, str | None]:
    """What somebody is told of the mail at each seat, by seat."""
    found = api.get(table.path, who, query_string=query).ok().json["seats"]
    return {seat["seat"]: seat["mail"] for seat in found if "mail" in seat}


def test_rate11_a_player_sees_that_mail_has_stopped_and_asks_for_it_again(api):
    ann = api.player("ann")
    before = api.get("/me", ann).ok().json
    stops(api, ann)
    stopped = api.get("/me", ann).ok().json
    assert stopped == before | {"mail_state": "stopped", "mail_reason": "complaint"}
    assert api.patch("/me", ann, {"name": "ann"}).ok().json == stopped
    assert api.patch("/me", ann, {"mail": True}).ok().json == before


def test_out17_rate11_the_host_alone_sees_where_mail_is_off_or_does_not_arrive(sqlite_api):
    api = sqlite_api
    ann, bob, cyd, dan = api.players("ann bob cyd dan")
    table = api.begin(ann, bob, cyd)
    assert seats(api, table, ann) == {}
    stops(api, bob)
    api.patch("/me", cyd, {"mail": False}).ok()
    assert seats(api, table, ann) == {1: "undeliverable", 2: "off"}
    for other in (bob, cyd, dan):
        assert seats(api, table, other) == {}
    assert seats(api, table, ann, version=2) == {}, "it is about now"
    assert "example.org" not in api.get(table.path, ann).text, "no address is shown"


def test_out17_a_player_has_mail_about_a_game_again(api):
    ann, bob, cyd = api.players("ann bob cyd")
    table = api.begin(ann, bob, cyd)
    with api.services.database.write() as tx:
        unsubscribes.mute(api.services.database, tx, bob.id, table.id)
        unsubscribes.mute(api.services.database, tx, cyd.id, table.id)
    for _ in range(2):
        assert api.delete(f"/me/mutes/{table.id}", bob).ok(204).data == b""
    assert seats(api, table, ann) == {2: "off"}


def test_mail_that_was_not_off_can_be_wanted_and_nothing_changes(sqlite_api):
    ann = sqlite_api.player("ann")
    before = sqlite_api.kept()
    sqlite_api.delete("/me/mutes/none", ann).ok(204)
    sqlite_api.delete("/me/mutes/%F0%9F%92%A9", ann).refused(404, "no-such-game")
    assert sqlite_api.kept() == before

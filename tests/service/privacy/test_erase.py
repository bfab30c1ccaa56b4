"""Erasure as tables see it: seats go to the caretaker, a crash is made good, and no table is forgotten (S-50)."""

import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel

from service.accounts import idempotency, people, sign_in
from service.games import clock_votes, play, seat_names, standing_orders
from service.privacy import erase, give_up_seats
from service.privacy.data_map import NOBODYS, SECTIONS
from service.store import personal_data
from service.store.deliveries import deliveries
from tests.service.clockwork import Hall, hall, small_hall
from tests.service.store.house import check
from tests.workers.office import hands

__all__ = ["hall", "hands", "small_hall"]


def erased(hall: Hall, name: str) -> erase.Erased:
    done = erase.erase(hall.services, hall.ids[name])
    assert done is not None
    return done


def settles(hall: Hall) -> None:
    """What was under way has come to an end."""
    hall.hands.advance(minutes=11)
    erase.go_on(hall.services)


def rows(hall: Hall, table: sa.Table) -> list[dict]:
    with hall.services.database.read() as connection:
        return [dict(row) for row in connection.execute(sa.select(table)).mappings()]


def kinds(hall: Hall, game: str) -> list[str]:
    return [one["type"].removeprefix("table.") for one in hall.facts(game)]


# Where things lie

OF_A_DELIVERY = {"notice_id", "channel", "target", "chained"}
"""What tells deliveries apart: a section shows those of one channel, and the target of a webhook as `hook_id`. And what
the ledger of the game has told of, which is the service's own note."""


def test_s50_every_table_says_whether_it_is_about_people_and_every_column_whether_they_are_shown_it():
    """A new table, or a new column, must be put on the page before this passes."""
    about = {name for section in SECTIONS for name in personal_data.tables_of(section.theirs)}
    assert about | set(NOBODYS) == set(SQLModel.metadata.tables)
    assert not about & set(NOBODYS)
    assert (
        len({section.name for section in SECTIONS})
        == len(SECTIONS)
        == len({section.theirs.table for section in SECTIONS})
    )
    shown = {name for view in personal_data.VIEWS.values() for name in view.c.keys()}  # noqa: SIM118
    for name in personal_data.OF_A_NOTICE:  # two sections show them, each the deliveries of a channel
        assert {*personal_data.columns(name)} <= shown | OF_A_DELIVERY
    for section in SECTIONS:
        assert {*section.shown, *section.hidden} == set(personal_data.columns(section.theirs.table)), section.name
        assert not {*section.shown} & {*section.hidden}, section.name
        assert all(why for why in section.hidden.values())


def test_s50_columns_that_hold_ids_or_addresses_of_people_are_only_in_tables_about_people():
    names = {"player_id", "recipient", "email", "email_key", "host", "address", "sender"}
    for table in SQLModel.metadata.tables.values():
        if names & set(table.c.keys()):
            assert table.name not in NOBODYS, table.name


# Seats


def test_s50_who_gives_up_a_seat_that_is_asked_leaves_it_to_the_caretaker_and_the_game_goes_on(hall):
    game = hall.sets("ann", "bob", "cyd")
    name = next(one for one in hall.ids if hall.seat(game, one) in hall.awaited(game))
    seat = hall.seat(game, name)
    assert erased(hall, name).seats == 1
    assert hall.head(game).table.chairs[seat].vacant
    assert hall.head(game).table.status == "running"
    assert seat not in hall.awaited(game)
    facts = hall.facts(game)
    vacated = next(one for one in facts if one["type"] == "table.seat-vacated")
    assert vacated["actor"] == {"seat": seat}
    assert [one["data"]["reason"] for one in facts if one["type"] == "table.caretaker-acted"] == ["vacant"]
    check(hall.services, game)
    assert not [row for row in rows(hall, personal_data.table_of("decisions")) if row["player_id"] == hall.ids[name]]


def test_s50_the_seat_can_be_taken_over_by_others_and_the_game_ends_as_games_do(small_hall):
    hall = small_hall
    game = hall.begins("ann", "bob", "cyd", options={"rounds": "2"})
    erased(hall, "ann")
    hall.sits(game, "dave")
    assert hall.head(game).table.chairs[0].player == hall.ids["dave"]
    hall.wanders(game, 3, late=0)
    assert check(hall.services, game).status == "finished"


def test_s50_a_host_who_is_erased_before_the_start_passes_the_table_on(hall):
    game = hall.sits(hall.opens("ann"), "bob")
    erased(hall, "ann")
    table = hall.head(game).table
    assert (table.host, table.status, table.chairs[0].player) == (hall.ids["bob"], "open", None)
    check(hall.services, game)


def test_s50_a_table_where_nobody_else_sits_is_closed(small_hall):
    game = small_hall.opens("ann", bots=1)
    erased(small_hall, "ann")
    assert kinds(small_hall, game)[-2:] == ["game-abandoned", "seed-revealed"]
    check(small_hall.services, game)


def test_s50_a_game_with_nobody_left_is_abandoned_and_verifies(hall):
    game = hall.sets("ann", "bob")
    erased(hall, "ann")
    assert hall.head(game).table.status == "running"
    erased(hall, "bob")
    assert hall.facts(game, "table.game-abandoned")[0]["data"]["reason"] == "nobody-left"
    check(hall.services, game)


def test_s50_a_proposal_of_who_goes_is_off_the_table_and_one_that_waits_for_them_alone_is_done(small_hall):
    hall = small_hall
    game = hall.sets("ann", "bob", "cyd")
    with hall.services.database.write() as tx:
        clock_votes.propose(hall.services, tx, game, hall.ids["ann"], "pause", 7200)
        clock_votes.vote(hall.services, tx, game, hall.ids["bob"], True)
    erased(hall, "cyd")
    assert hall.head(game).table.paused
    other = hall.sets("ann", "bob", "dave")
    with hall.services.database.write() as tx:
        clock_votes.propose(hall.services, tx, other, hall.ids["dave"], "pause", 7200)
    erased(hall, "dave")
    assert hall.head(other).table.proposal is None
    assert not hall.head(other).table.paused
    assert hall.facts(other, "table.proposal-dropped")[0]["data"]["reason"] == "withdrawn"


def test_s50_a_clock_that_waited_for_who_goes_runs_again(small_hall):
    hall = small_hall
    game = hall.sets("ann", "bob", "cyd", on_timeout="pause", strikes=3)
    seat = hall.awaited(game)[0]
    assert hall.expires(game, seat)
    assert hall.head(game).table.late == seat
    erased(hall, next(one for one in hall.ids if hall.seat(game, one) == seat))
    assert not hall.head(game).table.paused
    check(hall.services, game)


def test_s50_standing_orders_go_with_their_player(small_hall):
    hall = small_hall
    game = hall.begins("ann", "bob", "cyd", kind="tammany-hall")
    name = next(one for one in hall.ids if hall.seat(game, one) not in hall.awaited(game))
    with hall.services.database.write() as tx:
        standing_orders.put_orders(hall.services, tx, game, hall.ids[name], text="pass slander")
    assert hall.head(game).table.orders
    erased(hall, name)
    assert not hall.head(game).table.orders
    assert hall.facts(game, "table.orders-dropped")[0]["data"]["reason"] == "withdrawn"
    check(hall.services, game)


def test_s50_former_players_are_told_apart_by_their_pawns(small_hall):
    hall = small_hall
    game = hall.sets("ann", "bob", "cyd")
    erased(hall, "ann")
    erased(hall, "bob")
    with hall.services.database.read() as connection:
        head = hall.services.streams.head(connection, game)
        names = seat_names.shown_names(connection, head)
        assert seat_names.display_names(connection, head) == [None, None, "cyd"]
    pawns = head.rules.notation.pawns
    assert names == [f"a former player ({pawns[0]})", f"a former player ({pawns[1]})", "cyd"]


# Again, later, in the middle


def test_s50_twice_is_once_and_nobody_is_none(small_hall):
    small_hall.person("ann")
    assert erase.erase(small_hall.services, "p_nobody") is None
    assert sum(erased(small_hall, "ann").rows.values()) > 0
    assert sum(erased(small_hall, "ann").rows.values()) == 0
    settles(small_hall)
    assert rows(small_hall, personal_data.table_of("erasures"))[0]["done_at"] == small_hall.hands.at
    erased(small_hall, "ann")
    assert rows(small_hall, personal_data.table_of("erasures"))[0]["look_at"] is None, "what is done stays done"


def test_s50_a_crash_before_the_seats_are_given_up_is_made_good_by_whoever_keeps_house(hall, monkeypatch):
    game = hall.sets("ann", "bob", "cyd")
    with monkeypatch.context() as patch:
        patch.setattr(give_up_seats, "leave_all", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            erase.erase(hall.services, hall.ids["ann"])
    assert not hall.head(game).table.chairs[0].vacant
    assert erase.go_on(hall.services) == 0, "whoever began it has a minute"
    hall.hands.advance(minutes=2)
    assert erase.go_on(hall.services) == 1
    assert hall.head(game).table.chairs[0].vacant
    assert rows(hall, personal_data.table_of("erasures"))[0]["done_at"] is None
    settles(hall)
    assert rows(hall, personal_data.table_of("erasures"))[0]["done_at"] == hall.hands.at
    check(hall.services, game)


def test_s50_a_game_that_cannot_be_opened_stops_neither_the_others_nor_what_names_the_player(small_hall):
    hall = small_hall
    spoiled, sound = sorted(hall.sets("ann", "bob") for _ in range(2))
    hall.executes("UPDATE games SET ruleset = 'chess' WHERE id = :game", game=spoiled)
    done = erased(hall, "ann")
    assert (done.seats, done.left) == (1, 1)
    assert hall.head(sound).table.chairs[0].vacant
    assert [row["name"] for row in rows(hall, personal_data.table_of("players"))] == ["bob"]
    settles(hall)
    assert rows(hall, personal_data.table_of("erasures"))[0]["look_at"] is not None, "it is tried again"


def test_s50_what_a_request_under_way_writes_after_the_erasure_goes_too(hall):
    """Who was let in before it may still be writing: nothing of that outlives the second look."""
    ann = hall.person("ann")
    erased(hall, "ann")
    game = hall.opens("ann", seats=2)
    with hall.services.database.write() as tx:
        people.make_token(tx, ann, "late", 1)
    settles(hall)
    assert not rows(hall, personal_data.table_of("tokens"))
    assert hall.head(game).table.status == "abandoned"


def test_s50_requests_for_codes_go_whoever_made_them_and_mail_nothing_any_more(hall):
    hall.person("ann")
    with hall.services.database.write() as tx:
        sign_in.ask(hall.services, tx, "ANN@people.example", profile={"name": "X"})
        sign_in.ask(hall.services, tx, "bob@people.example", profile={"name": "X"})
    erased(hall, "ann")
    assert [row["email_key"] for row in rows(hall, personal_data.table_of("sign_ins"))] == ["bob@people.example"]
    sign_in.post_codes(hall.services)
    settles(hall)
    assert not any(row["recipient"] == "ann@people.example" for row in rows(hall, personal_data.table_of("outbox")))


def test_s50_the_same_address_signs_up_again_as_somebody_new_who_sees_nothing_of_the_old(small_hall):
    hall = small_hall
    game = hall.begins("ann", "bob", public=False, invite=["bob@people.example"])
    old = hall.ids["ann"]
    erased(hall, "ann")
    del hall.ids["ann"]
    assert hall.person("ann") != old
    with hall.services.database.read() as connection, pytest.raises(play.NoSuchGame):
        play.look(hall.services, connection, game, hall.ids["ann"])
    settles(hall)
    assert {row["id"] for row in rows(hall, personal_data.table_of("players"))} == {hall.ids["ann"], hall.ids["bob"]}


def test_s50_what_was_announced_stays_in_the_ledger_without_words_of_mail_servers(small_hall):
    hall = small_hall
    game = hall.sets("ann", "bob")
    said = "550 <ann@people.example> unknown"
    hall.executes("UPDATE deliveries SET reason = :said, message_id = '<m@x>'", said=said)
    before = hall.notices(recipient=hall.ids["ann"], game_id=game)
    erased(hall, "ann")
    kept = [row for row in hall.notices(recipient=hall.ids["ann"], game_id=game) if row["id"] <= before[-1]["id"]]
    facts = ("kind", "seat", "version", "created_at", "state", "done_at")
    assert [[row[name] for name in facts] for row in kept] == [[row[name] for name in facts] for row in before]
    assert {(row["reason"], row["message_id"]) for row in kept} == {(None, None)}


def test_s50_mail_that_waits_is_not_sent(small_hall):
    hall = small_hall
    hall.begins("ann", "bob")
    hall.asks_for_a_code("ann")
    with hall.services.database.write() as tx:
        tx.execute(sa.update(deliveries).values(lease="somebody's", lease_until=hall.hands.at + 10**9))
    erased(hall, "ann")
    mine = hall.notices(recipient=hall.ids["ann"])
    assert {(row["state"], row["lease"], row["secret"]) for row in mine} == {("superseded", None, None)}
    assert "code" not in {row["kind"] for row in mine}


def test_s50_what_others_were_answered_is_done_once_still_but_names_nobody(hall):
    ann, bob, _ = (hall.person(name) for name in ("ann", "bob", "cyd"))
    bodies = {
        "names": b'{"id":"g1","version":7,"hash":"ab","seats":[{"player":"%s","name":"Ann"}]}' % ann.encode(),
        "other": b'{"id":"g2","seats":[{"player":"%s","name":"bob"}]}' % bob.encode(),
    }
    claims = {key: idempotency.claim(bob, key, "POST", "/x", b"") for key in bodies}
    with hall.services.database.write() as tx:
        for key, body in bodies.items():
            assert idempotency.replay(hall.services.database, hall.services.sealer, tx, claims[key]) is None
            idempotency.keep(hall.services.sealer, tx, claims[key], idempotency.Answer(201, [("ETag", '"7"')], body))
    erased(hall, "ann")
    settles(hall)
    with hall.services.database.write() as tx:
        names, other = (
            idempotency.replay(hall.services.database, hall.services.sealer, tx, claims[key]) for key in bodies
        )
    assert other.body == bodies["other"]
    assert (names.status, names.headers) == (201, [("ETag", '"7"')])
    assert b"Ann" not in names.body
    assert b'"version":7' in names.body

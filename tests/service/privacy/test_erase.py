"""Erasure as tables see it: seats go to the caretaker, a crash is made good, and no table is forgotten (S-50)."""

import os

import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel

from service.accounts import idempotency, people, sign_in
from service.games import clock_votes, play, seat_names, standing_orders
from service.privacy import erase, give_up_seats
from service.privacy.data_map import NOBODYS, SECTIONS
from service.store.across import personal_data
from service.store.outgoing.deliveries import deliveries
from tests.service.clock_tables import clock_tables, sqlite_clock_tables
from tests.service.store.service_tables import check
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock
from workers.sweep import housekeep

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables"]


def erased(clock_tables: Tables, name: str) -> erase.Erased:
    done = erase.erase(clock_tables.services, clock_tables.ids[name])
    assert done is not None
    return done


def settles(clock_tables: Tables) -> None:
    """What was under way has come to an end."""
    clock_tables.advance(minutes=11)
    erase.go_on(clock_tables.services)


def rows(clock_tables: Tables, table: sa.Table) -> list[dict]:
    with clock_tables.services.database.read() as connection:
        return [dict(row) for row in connection.execute(sa.select(table)).mappings()]


def kinds(clock_tables: Tables, game: str) -> list[str]:
    return [one["type"].removeprefix("table.") for one in clock_tables.events(game)]


# Where things lie

OF_A_DELIVERY = {"notice_id", "channel", "target"}
"""The columns that tell deliveries apart. A section shows one channel, and the target of a webhook as `hook_id`."""


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


def test_s50_who_gives_up_a_seat_that_is_asked_leaves_it_to_the_caretaker_and_the_game_goes_on(clock_tables):
    game = clock_tables.begin_timed("ann", "bob", "cyd")
    name = next(one for one in clock_tables.ids if clock_tables.seat(game, one) in clock_tables.awaited(game))
    seat = clock_tables.seat(game, name)
    assert erased(clock_tables, name).seats == 1
    assert clock_tables.head(game).table.chairs[seat].vacant
    assert clock_tables.head(game).table.status == "running"
    assert seat not in clock_tables.awaited(game)
    facts = clock_tables.events(game)
    vacated = next(one for one in facts if one["type"] == "table.seat-vacated")
    assert vacated["actor"] == {"seat": seat}
    assert [one["data"]["reason"] for one in facts if one["type"] == "table.caretaker-acted"] == ["vacant"]
    check(clock_tables.services, game)
    assert not [
        row
        for row in rows(clock_tables, personal_data.table_of("decisions"))
        if row["player_id"] == clock_tables.ids[name]
    ]


@pytest.mark.slow
def test_s50_the_seat_can_be_taken_over_by_others_and_the_game_ends_as_games_do(sqlite_clock_tables):
    clock_tables = sqlite_clock_tables
    game = clock_tables.begin("ann", "bob", "cyd", options={"rounds": "2"})
    erased(clock_tables, "ann")
    clock_tables.sit(game, "dave")
    assert clock_tables.head(game).table.chairs[0].player == clock_tables.ids["dave"]
    clock_tables.play_out(game, 3, late=0)
    assert check(clock_tables.services, game).status == "finished"


def test_s50_a_host_who_is_erased_before_the_start_passes_the_table_on(clock_tables):
    game = clock_tables.sit(clock_tables.open("ann", name="Ann's own words"), "bob")
    erased(clock_tables, "ann")
    assert clock_tables.head(game).name is None
    table = clock_tables.head(game).table
    assert (table.host, table.status, table.chairs[0].player) == (clock_tables.ids["bob"], "open", None)
    check(clock_tables.services, game)


def test_s50_the_name_that_a_host_gave_a_table_goes_with_the_host(clock_tables):
    games = [clock_tables.begin("ann", "bob", name="Ann's"), clock_tables.begin("bob", "ann", name="Bob's")]
    erased(clock_tables, "ann")
    assert [clock_tables.head(game).name for game in games] == [None, "Bob's"]


def test_s50_a_table_where_nobody_else_sits_is_closed(sqlite_clock_tables):
    game = sqlite_clock_tables.open("ann", bots=1)
    erased(sqlite_clock_tables, "ann")
    assert kinds(sqlite_clock_tables, game)[-2:] == ["game-abandoned", "seed-revealed"]
    check(sqlite_clock_tables.services, game)


@pytest.mark.slow
def test_s50_a_game_with_nobody_left_is_abandoned_and_verifies(clock_tables):
    game = clock_tables.begin_timed("ann", "bob")
    erased(clock_tables, "ann")
    assert clock_tables.head(game).table.status == "running"
    erased(clock_tables, "bob")
    assert clock_tables.events(game, "table.game-abandoned")[0]["data"]["reason"] == "nobody-left"
    check(clock_tables.services, game)


def test_s50_a_proposal_of_who_goes_is_off_the_table_and_one_that_waits_for_them_alone_is_done(sqlite_clock_tables):
    clock_tables = sqlite_clock_tables
    game = clock_tables.begin_timed("ann", "bob", "cyd")
    with clock_tables.services.database.write() as tx:
        clock_votes.propose(clock_tables.services, tx, game, clock_tables.ids["ann"], "pause", 7200)
        clock_votes.vote(clock_tables.services, tx, game, clock_tables.ids["bob"], True)
    erased(clock_tables, "cyd")
    assert clock_tables.head(game).table.paused
    other = clock_tables.begin_timed("ann", "bob", "dave")
    with clock_tables.services.database.write() as tx:
        clock_votes.propose(clock_tables.services, tx, other, clock_tables.ids["dave"], "pause", 7200)
    erased(clock_tables, "dave")
    assert clock_tables.head(other).table.proposal is None
    assert not clock_tables.head(other).table.paused
    assert clock_tables.events(other, "table.proposal-dropped")[0]["data"]["reason"] == "withdrawn"


def test_s50_a_clock_that_waited_for_who_goes_runs_again(sqlite_clock_tables):
    clock_tables = sqlite_clock_tables
    game = clock_tables.begin_timed("ann", "bob", "cyd", on_timeout="pause", strikes=3)
    seat = clock_tables.awaited(game)[0]
    assert clock_tables.expire(game, seat)
    assert clock_tables.head(game).table.late == seat
    erased(clock_tables, next(one for one in clock_tables.ids if clock_tables.seat(game, one) == seat))
    assert not clock_tables.head(game).table.paused
    check(clock_tables.services, game)


def test_s50_standing_orders_go_with_their_player(sqlite_clock_tables):
    clock_tables = sqlite_clock_tables
    game = clock_tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    name = next(one for one in clock_tables.ids if clock_tables.seat(game, one) not in clock_tables.awaited(game))
    with clock_tables.services.database.write() as tx:
        standing_orders.put_orders(clock_tables.services, tx, game, clock_tables.ids[name], text="pass slander")
    assert clock_tables.head(game).table.orders
    erased(clock_tables, name)
    assert not clock_tables.head(game).table.orders
    assert clock_tables.events(game, "table.orders-dropped")[0]["data"]["reason"] == "withdrawn"
    check(clock_tables.services, game)


def test_s50_former_players_are_told_apart_by_their_pawns(sqlite_clock_tables):
    clock_tables = sqlite_clock_tables
    game = clock_tables.begin_timed("ann", "bob", "cyd")
    erased(clock_tables, "ann")
    erased(clock_tables, "bob")
    with clock_tables.services.database.read() as connection:
        head = clock_tables.services.streams.head(connection, game)
        names = seat_names.shown_names(connection, head)
        assert seat_names.display_names(connection, head) == [None, None, "cyd"]
    pawns = head.rules.notation.pawns
    assert names == [f"a former player ({pawns[0]})", f"a former player ({pawns[1]})", "cyd"]


# Again, later, in the middle


def test_s50_twice_is_once_and_nobody_is_none(sqlite_clock_tables):
    sqlite_clock_tables.player("ann")
    assert erase.erase(sqlite_clock_tables.services, "p_nobody") is None
    assert sum(erased(sqlite_clock_tables, "ann").rows.values()) > 0
    assert sum(erased(sqlite_clock_tables, "ann").rows.values()) == 0
    settles(sqlite_clock_tables)
    assert rows(sqlite_clock_tables, personal_data.table_of("erasures"))[0]["done_at"] == sqlite_clock_tables.clock.at
    erased(sqlite_clock_tables, "ann")
    assert rows(sqlite_clock_tables, personal_data.table_of("erasures"))[0]["look_at"] is None, (
        "what is done stays done"
    )


def test_s50_pictures_with_a_name_go_with_it_also_those_that_were_drawn_meanwhile(sqlite_clock_tables):
    pictures = sqlite_clock_tables.services.pictures
    game = sqlite_clock_tables.begin_timed("ann", "bob", "cyd")
    pictures.put(game, "a", b"Ann, brown")
    erased(sqlite_clock_tables, "ann")
    assert pictures.get(game, "a") is None
    pictures.put(game, "b", b"Ann, brown")
    settles(sqlite_clock_tables)
    assert pictures.get(game, "b") is None


def test_s50_no_picture_stays_where_none_is_drawn_any_more(sqlite_clock_tables):
    """What another machine keeps, where nobody was erased."""
    pictures = sqlite_clock_tables.services.pictures
    pictures.put("k7x2m9qd4t", "a", b"Ann, brown")
    (path,) = pictures.folder.iterdir()
    os.utime(path, (0, 0))
    housekeep(sqlite_clock_tables.services)
    assert not path.exists()


@pytest.mark.slow
def test_s50_a_crash_before_the_seats_are_given_up_is_made_good_by_whoever_keeps_house(clock_tables, monkeypatch):
    game = clock_tables.begin_timed("ann", "bob", "cyd")
    with monkeypatch.context() as patch:
        patch.setattr(give_up_seats, "leave_all", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            erase.erase(clock_tables.services, clock_tables.ids["ann"])
    assert not clock_tables.head(game).table.chairs[0].vacant
    assert erase.go_on(clock_tables.services) == 0, "whoever began it has a minute"
    clock_tables.advance(minutes=2)
    assert erase.go_on(clock_tables.services) == 1
    assert clock_tables.head(game).table.chairs[0].vacant
    assert rows(clock_tables, personal_data.table_of("erasures"))[0]["done_at"] is None
    settles(clock_tables)
    assert rows(clock_tables, personal_data.table_of("erasures"))[0]["done_at"] == clock_tables.clock.at
    check(clock_tables.services, game)


@pytest.mark.slow
def test_s50_a_game_that_cannot_be_opened_stops_neither_the_others_nor_what_names_the_player(sqlite_clock_tables):
    clock_tables = sqlite_clock_tables
    spoiled, sound = sorted(clock_tables.begin_timed("ann", "bob") for _ in range(2))
    clock_tables.execute("UPDATE games SET ruleset = 'chess' WHERE id = :game", game=spoiled)
    done = erased(clock_tables, "ann")
    assert (done.seats, done.left) == (1, 1)
    assert clock_tables.head(sound).table.chairs[0].vacant
    assert [row["name"] for row in rows(clock_tables, personal_data.table_of("players"))] == ["bob"]
    settles(clock_tables)
    assert rows(clock_tables, personal_data.table_of("erasures"))[0]["look_at"] is not None, "it is tried again"


def test_s50_what_a_request_under_way_writes_after_the_erasure_goes_too(clock_tables):
    """Who was let in before it may still be writing: nothing of that outlives the second look."""
    ann = clock_tables.player("ann")
    erased(clock_tables, "ann")
    game = clock_tables.open("ann", seats=2)
    with clock_tables.services.database.write() as tx:
        people.make_token(clock_tables.services, tx, ann, "late", 1)
    settles(clock_tables)
    assert not rows(clock_tables, personal_data.table_of("tokens"))
    assert clock_tables.head(game).table.status == "abandoned"


def test_s50_requests_for_codes_go_whoever_made_them_and_mail_nothing_any_more(clock_tables):
    clock_tables.player("ann")
    with clock_tables.services.database.write() as tx:
        sign_in.ask(clock_tables.services, tx, "ANN@people.example", profile={"name": "X"})
        sign_in.ask(clock_tables.services, tx, "bob@people.example", profile={"name": "X"})
    erased(clock_tables, "ann")
    assert [row["email_key"] for row in rows(clock_tables, personal_data.table_of("sign_ins"))] == [
        "bob@people.example"
    ]
    sign_in.post_codes(clock_tables.services)
    settles(clock_tables)
    assert not any(
        row["recipient"] == "ann@people.example" for row in rows(clock_tables, personal_data.table_of("outbox"))
    )


def test_s50_the_same_address_signs_up_again_as_somebody_new_who_sees_nothing_of_the_old(sqlite_clock_tables):
    clock_tables = sqlite_clock_tables
    game = clock_tables.begin("ann", "bob", public=False, invite=["bob@people.example"])
    old = clock_tables.ids["ann"]
    erased(clock_tables, "ann")
    del clock_tables.ids["ann"]
    assert clock_tables.player("ann") != old
    with clock_tables.services.database.read() as connection, pytest.raises(play.NoSuchGame):
        play.look(clock_tables.services, connection, game, clock_tables.ids["ann"])
    settles(clock_tables)
    assert {row["id"] for row in rows(clock_tables, personal_data.table_of("players"))} == {
        clock_tables.ids["ann"],
        clock_tables.ids["bob"],
    }


def test_s50_notices_stay_without_words_of_mail_servers(sqlite_clock_tables):
    clock_tables = sqlite_clock_tables
    game = clock_tables.begin_timed("ann", "bob")
    said = "550 <ann@people.example> unknown"
    clock_tables.execute("UPDATE deliveries SET reason = :said, message_id = '<m@x>'", said=said)
    before = clock_tables.notices(recipient=clock_tables.ids["ann"], game_id=game)
    erased(clock_tables, "ann")
    kept = [
        row
        for row in clock_tables.notices(recipient=clock_tables.ids["ann"], game_id=game)
        if row["id"] <= before[-1]["id"]
    ]
    facts = ("kind", "seat", "version", "created_at", "state", "done_at")
    assert [[row[name] for name in facts] for row in kept] == [[row[name] for name in facts] for row in before]
    assert {(row["reason"], row["message_id"]) for row in kept} == {(None, None)}


def test_s50_mail_that_waits_is_not_sent(sqlite_clock_tables):
    clock_tables = sqlite_clock_tables
    clock_tables.begin("ann", "bob")
    clock_tables.request_code("ann")
    with clock_tables.services.database.write() as tx:
        tx.execute(sa.update(deliveries).values(lease="somebody's", lease_until=clock_tables.clock.at + 10**9))
    erased(clock_tables, "ann")
    mine = clock_tables.notices(recipient=clock_tables.ids["ann"])
    assert {(row["state"], row["lease"], row["secret"]) for row in mine} == {("superseded", None, None)}
    assert "code" not in {row["kind"] for row in mine}


@pytest.mark.slow
def test_s50_what_others_were_answered_is_done_once_still_but_names_nobody(clock_tables):
    ann, bob, _ = (clock_tables.player(name) for name in ("ann", "bob", "cyd"))
    bodies = {
        "names": b'{"id":"g1","version":7,"hash":"ab","seats":[{"player":"%s","name":"Ann"}]}' % ann.encode(),
        "other": b'{"id":"g2","seats":[{"player":"%s","name":"bob"}]}' % bob.encode(),
    }
    claims = {key: idempotency.claim(bob, key, "POST", "/x", b"") for key in bodies}
    with clock_tables.services.database.write() as tx:
        for key, body in bodies.items():
            assert (
                idempotency.replay(clock_tables.services.database, clock_tables.services.sealer, tx, claims[key])
                is None
            )
            idempotency.keep(
                clock_tables.services.sealer, tx, claims[key], idempotency.Answer(201, [("ETag", '"7"')], body)
            )
    erased(clock_tables, "ann")
    settles(clock_tables)
    with clock_tables.services.database.write() as tx:
        names, other = (
            idempotency.replay(clock_tables.services.database, clock_tables.services.sealer, tx, claims[key])
            for key in bodies
        )
    assert other.body == bodies["other"]
    assert (names.status, names.headers) == (201, [("ETag", '"7"')])
    assert b"Ann" not in names.body
    assert b'"version":7' in names.body

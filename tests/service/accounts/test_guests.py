"""Guests: an account that a cookie holds, a game that goes with it, and what becomes of both (S-50)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlmodel import SQLModel

from domain.engine.bots import Bot
from domain.engine.refusals import RuleViolation
from service.accounts import guests, people, sign_in
from service.games import first_game, notes, play
from service.integrity import audit
from service.privacy import erase, erase_guests
from service.store.across import careers, figures, gauges
from service.store.event_store import house_log
from service.store.games import guest_games
from service.store.people import players
from service.store.people.tokens import SESSION
from tests.manual_clock import ManualClock
from tests.service.clock_tables import clock_tables, sqlite_clock_tables
from tests.service.store.service_tables import check
from tests.service.store.test_append_only import attempt
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock
from workers.sweep import housekeep, write_log

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables"]
ADDRESS = "gill@people.example"


def visited(tables: Tables, name: str = "guest") -> str:
    """A guest whose browser has come back with the cookie."""
    services = tables.services
    with services.database.write() as tx:
        player = guests.add_guest(services, tx, "Guest", "UTC", "en")
        secret = people.make_token(services, tx, player, "a browser", tables.clock.now(), kind=SESSION)
    tables.ids[name] = player
    with services.database.read() as connection:
        session = people.whose_session(services.database, connection, secret)
    assert session is not None
    people.note_use(services.database, session)
    return player


def begun(tables: Tables, guest: str) -> str:
    """A guest's game against bots that play at once."""
    terms: dict[str, Any] = {"kind": "pennies", "seats": 3, "options": {}, "bots": [Bot(0)] * 2, "invite": []}
    with tables.services.database.write() as tx:
        opened = play.open_game(
            tables.services, tx, guest, clock=first_game.GUEST_CLOCK, public=False, nonce=None, **terms
        )
    return opened.head.game


def kept(tables: Tables, guest: str, address: str = ADDRESS) -> str | None:
    """The player whom the code leads to that a guest had mailed."""
    services, profile = tables.services, {"name": "Gill", "email": address, "timezone": "UTC", "language": "en"}
    with services.database.write() as tx:
        secret = sign_in.ask(services, tx, address, profile={**profile, guests.GUEST: guest})
    sign_in.post_codes(services)
    tables.deliver()
    with services.database.write() as tx:
        return sign_in.enter(services, tx, address, tables.code_of(tables.carrier.letters[-1]), request=secret)


def naming(tables: Tables, *ids: str) -> list[str]:
    """The tables with a row in which one of these ids stands anywhere."""
    found = []
    with tables.services.database.read() as connection:
        for name, table in SQLModel.metadata.tables.items():
            if any(one in str(row) for row in connection.execute(sa.select(table)).all() for one in ids):
                found.append(name)
    return sorted(found)


def findings(tables: Tables, game: str) -> list[str]:
    """What the audit says of a game, and of all besides games."""
    of_game = audit.audit_game(tables.services, game, mend=False, thorough=True).findings
    with tables.services.database.read() as connection:
        of_house = audit.audit_house(connection, tables.services)
    return [finding.sentence for finding in (*of_game, *of_house)]


# Erasing


def test_s50_a_guest_s_game_leaves_no_row_behind(clock_tables):
    """Given a played game with all that hangs on it, when nobody came for 14 days, then nothing tells of it."""
    before = naming(clock_tables, "p_", "pennies")
    guest = visited(clock_tables)
    game = begun(clock_tables, guest)
    for _ in range(3):
        clock_tables.play_on(game)
    with clock_tables.services.database.write() as tx:
        notes.write(clock_tables.services, tx, game, guest, "what I think of it")
    clock_tables.deliver()
    assert clock_tables.carrier.letters == []
    assert clock_tables.states(recipient=guest).keys() == {"superseded"}
    write_log(clock_tables.services)
    assert {"checkpoints", "events", "games", "leaves", "notes", "notices", "players"} <= {
        *naming(clock_tables, game, guest)
    }
    clock_tables.advance(days=13, hours=23)
    housekeep(clock_tables.services)
    assert "events" in naming(clock_tables, game, guest)
    clock_tables.advance(hours=2)
    housekeep(clock_tables.services)
    assert naming(clock_tables, game, guest) == []
    assert naming(clock_tables, "p_", "pennies") == before
    with clock_tables.services.database.read() as connection:
        assert audit.audit_house(connection, clock_tables.services) == []


def test_s50_a_guest_is_idle_without_a_visit_a_session_or_a_cookie(sqlite_clock_tables):
    """Given guests who came back or did not, when time passes, then the sweep takes those whom no cookie leads to."""
    tables = sqlite_clock_tables
    for case, does, hours, stays in (
        ("never came back with the cookie", "never", 0.9, True),
        ("the cookie was refused", "never", 1.1, False),
        ("came back once", "once", 14 * 24 - 0.1, True),
        ("came back once, long ago", "once", 14 * 24 + 0.1, False),
        ("left", "leaves", 0, False),
    ):
        guest = visited(tables)
        if does == "never":
            tables.execute("UPDATE tokens SET last_used_at = NULL WHERE player_id = :id", id=guest)
        if does == "leaves":
            tables.execute("DELETE FROM tokens WHERE player_id = :id", id=guest)
        tables.advance(hours=hours)
        erase_guests.erase_idle(tables.services)
        with tables.services.database.read() as connection:
            assert players.exists(connection, guest) == stays, case


def test_s50_a_guest_is_erased_by_the_operator_like_anybody(clock_tables):
    guest = visited(clock_tables)
    game = begun(clock_tables, guest)
    assert erase.erase(clock_tables.services, guest) is not None
    assert naming(clock_tables, game, guest) == []


def test_i16_no_other_game_is_deleted_by_the_same_way(clock_tables):
    """Given a member's game, when it is deleted as a guest's, or made one first, then the database refuses."""
    game = clock_tables.begin("ann", bots=2)
    engine = clock_tables.services.database.engine
    deletes = (
        "SELECT wardroom_delete_guest_game('{}')"
        if engine.dialect.name == "postgresql"
        else ("DELETE FROM events WHERE game_id = '{}'")
    )
    other = begun(clock_tables, visited(clock_tables))
    for case, statement in {
        "deletes it": deletes.format(game),
        "makes it a guest's": f"UPDATE games SET guest = true WHERE id = '{game}'",
        "makes a guest's game this one": f"UPDATE games SET id = '{game}x' WHERE id = '{other}'",
        "makes it another one": f"UPDATE games SET id = 'x' WHERE id = '{game}'",
        "deletes a whole row": f"DELETE FROM games WHERE id = '{game}'",
    }.items():
        assert attempt(engine, statement), case
    with pytest.raises(DBAPIError), clock_tables.services.database.write() as tx:
        guest_games.delete(tx, game)
    check(clock_tables.services, game)


@pytest.mark.postgres
def test_s33_the_role_of_the_service_deletes_no_event_of_a_guest_but_by_the_function(migrated_postgres, open_services):
    tables = Tables(open_services(migrated_postgres), ManualClock())
    game = begun(tables, visited(tables))
    engine = tables.services.database.engine
    for table in ("events", "leaves", "checkpoints", "games"):
        assert attempt(engine, f"DELETE FROM {table}"), table
    members = tables.begin("ann", bots=2)
    shadow = f"CREATE TEMP TABLE games AS SELECT '{members}'::text AS id, true AS guest"
    assert attempt(engine, f"{shadow}; SELECT wardroom_delete_guest_game('{members}')")
    check(tables.services, members)
    assert not attempt(engine, f"SELECT wardroom_delete_guest_game('{game}')")


# Keeping


def test_a_kept_game_is_like_any_other(clock_tables):
    """Given a guest's game, when its guest shows an address, then account, game and log are as anybody's."""
    guest = visited(clock_tables)
    game = begun(clock_tables, guest)
    clock_tables.play_on(game)
    with clock_tables.services.database.read() as connection:
        told = [row.game_id for row in house_log.waiting(connection, 10)]
        assert guest_games.running_of(connection, guest) == game
    assert told == []
    assert kept(clock_tables, guest) == guest
    with clock_tables.services.database.read() as connection:
        assert guest_games.running_of(connection, guest) is None
        player = players.by_email_key(connection, ADDRESS)
        assert player is not None
        assert (player.id, player.name, player.is_guest, player.mail) == (guest, "Gill", False, True)
        assert [row.game_id for row in house_log.waiting(connection, 10)] == [game]
        assert people.player_tokens(connection, guest) == []
    assert erase_guests.erase(clock_tables.services, [guest]) == 0
    clock_tables.advance(days=40)
    housekeep(clock_tables.services)
    clock_tables.play_on(game)
    write_log(clock_tables.services)
    check(clock_tables.services, game)
    assert findings(clock_tables, game) == []


def test_a_game_that_is_over_is_kept_too_and_the_log_tells_of_its_end(sqlite_clock_tables):
    tables = sqlite_clock_tables
    guest = visited(tables)
    game = begun(tables, guest)
    tables.play_out(game, seed=3, late=0)
    assert kept(tables, guest) == guest
    with tables.services.database.read() as connection:
        assert [row.what for row in house_log.waiting(connection, 10)] == ["opened", "ended"]


def test_an_address_that_has_an_account_keeps_its_own_and_the_guest_s_game_stays(sqlite_clock_tables):
    """Given an address with an account, when a guest shows it, then a sentence says what to do, and nothing moves."""
    tables = sqlite_clock_tables
    tables.player("gill")
    guest = visited(tables)
    game = begun(tables, guest)
    with pytest.raises(RuleViolation, match="has an account already"):
        kept(tables, guest)
    tables.play_on(game)
    erase_guests.erase(tables.services, [guest])
    assert kept(tables, guest) == tables.ids["gill"]


def test_a_guest_who_is_gone_when_the_code_is_typed_signs_up_all_the_same(sqlite_clock_tables):
    guest = visited(sqlite_clock_tables)
    erase_guests.erase(sqlite_clock_tables.services, [guest])
    made = kept(sqlite_clock_tables, guest)
    assert made is not None
    assert made != guest


# Lists, logs, numbers


def test_a_guest_s_game_is_in_no_list_log_or_number_until_it_is_kept(sqlite_clock_tables):
    tables = sqlite_clock_tables
    ann, guest = tables.player("ann"), visited(tables)
    game = begun(tables, guest)
    tables.play_on(game)

    def told() -> dict[str, Any]:
        now = tables.clock.now()
        with tables.services.database.read() as connection:
            return {
                "players": figures.players(connection, now)[0],
                "games": sum(row[2] for row in figures.games(connection)),
                "moves": sum(row[1] for row in figures.moves_by_day(connection, now, 1)),
                "turns": sum(row[2] for row in figures.turns_by_week(connection, now + 1, 1)),
                "gauges": sum(gauges.games_by_status(connection).values()),
                "log": len(house_log.waiting(connection, 10)),
                "known": len(house_log.known(connection)),
                "seen by others": careers.is_known(connection, guest, ann),
            }

    before = told()
    assert before == {
        "players": 1, "games": 0, "moves": 0, "turns": 0, "gauges": 0, "log": 0, "known": 0, "seen by others": False,
    }  # fmt: skip
    kept(tables, guest)
    after = told()
    assert after.pop("seen by others") is False
    assert all(after.values()), after


# Limits


def test_rate_09_no_more_guests_than_the_host_allows_also_at_the_same_time(url, open_services):
    """Given room for three, when eight come at once, then three are let in."""
    services = open_services(url, GUESTS="3")

    def comes(number: int) -> str:
        try:
            with services.database.write() as tx:
                guests.add_guest(services, tx, f"Guest {number}", "UTC", "en")
        except RuleViolation as refused:
            return refused.code
        return "in"

    with ThreadPoolExecutor(8) as pool:
        found = sorted(pool.map(comes, range(8)))
    assert found == ["in"] * 3 + ["too-many-guests"] * 5


def test_a_guest_plays_one_game_at_a_time_and_a_member_as_many_as_others(sqlite_clock_tables):
    tables = sqlite_clock_tables
    guest, ann = visited(tables), tables.player("ann")
    with tables.services.database.write() as tx:
        first = first_game.begin(tables.services, tx, guest, "tammany-hall")
        assert first_game.begin(tables.services, tx, guest, "city-hall") == first
        theirs = [first_game.begin(tables.services, tx, ann, kind) for kind in first_game.KINDS]
        assert len({first, *theirs}) == 3
        with pytest.raises(RuleViolation):
            first_game.begin(tables.services, tx, ann, "pennies")
    table = tables.head(first).table
    assert [chair.bot is not None for chair in table.chairs] == [False, True, True]
    assert (table.public, table.status) == (False, "running")

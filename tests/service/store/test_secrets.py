"""Secrets at rest: leaves and states are sealed, one size a kind, bound to their place, shown nowhere (S-12, S-30)."""

import itertools
import traceback
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import IntegrityError
from sqlmodel import SQLModel

from domain.engine.refusals import RuleViolation
from domain.table.record import Fact, Record
from domain.tammany_hall.rules.events import BidSealed
from service.games import play
from service.games.commit import commit
from service.games.play import Orders
from service.kernel.encryption import LEAF_BLOCK, Sealer, Unreadable, pad, unpad
from service.store.event_store.streams import games as games_table
from service.store.event_store.streams import leaves
from tests.service.store.service_tables import check, leaf_free, snapshot
from tests.tables import Tables

OLD, NEW = "o" * 32, "n" * 32
CANARY = "c0ffee" * 5 + "42"


# The seal


def test_s30_what_is_sealed_is_opened_and_no_two_seals_are_alike():
    sealer = Sealer([OLD])
    one, other = sealer.seal("game", "place", b"hide 2"), sealer.seal("game", "place", b"hide 2")
    assert one != other
    assert sealer.open("game", "place", one) == sealer.open("game", "place", other) == b"hide 2"
    assert b"hide" not in one


@pytest.mark.parametrize("scope, context", [("game2", "place"), ("game", "place2"), ("gam", "eplace"), ("", "")])
def test_s30_sealed_data_opens_in_its_own_place_only(scope, context):
    sealer = Sealer([OLD])
    with pytest.raises(Unreadable):
        sealer.open(scope, context, sealer.seal("game", "place", b"hide 2"))


def test_s30_changed_or_cut_data_is_unreadable_and_nothing_else():
    sealer = Sealer([OLD])
    sealed = sealer.seal("game", "place", b"hide 2" * 4)
    for cut in range(len(sealed)):
        with pytest.raises(Unreadable):
            sealer.open("game", "place", sealed[:cut])
        with pytest.raises(Unreadable):
            sealer.open("game", "place", sealed[:cut] + bytes([sealed[cut] ^ 1]) + sealed[cut + 1 :])


def test_s30_a_missing_key_is_named_and_its_secret_is_not():
    sealed = Sealer([OLD]).seal("game", "place", b"hide 2")
    with pytest.raises(Unreadable, match="WARDROOM_SECRET_KEYS_OLD") as missing:
        Sealer([NEW]).open("game", "place", sealed)
    assert OLD not in str(missing.value)
    assert NEW not in str(missing.value)


def test_s30_an_old_key_still_opens_and_the_new_one_seals():
    both = Sealer([NEW, OLD])
    old = Sealer([OLD]).seal("game", "place", b"hide 2")
    assert both.open("game", "place", old) == b"hide 2"
    assert not both.is_current(old)
    assert both.is_current(both.seal("game", "place", b""))
    assert Sealer([NEW]).open("game", "place", both.seal("game", "place", b"x")) == b"x"


def test_s30_no_key_is_used_as_it_stands():
    sealer = Sealer([OLD])
    assert OLD.encode() not in repr(vars(sealer)).encode()
    assert sealer.current not in OLD.encode()


@given(st.binary(max_size=2000))
def test_s12_padding_comes_off_again(plain):
    assert unpad(pad(plain)) == plain
    assert len(pad(plain)) % LEAF_BLOCK == 0
    assert len(pad(plain)) - len(plain) <= LEAF_BLOCK


# In the store


@pytest.mark.parametrize("order", ["hide 0", "hide 3", "hide 1 a", "hide 2 " + "long words " * 12])
def test_s12_every_leaf_of_an_action_has_one_size(tables, order):
    game = tables.begin()
    tables.move(game, "ann", "hide 0")
    tables.move(game, "bob", order)
    tables.expire(game, 2)
    with tables.services.database.read() as connection:
        sizes = {len(row[0]) for row in connection.execute(sa.select(leaves.c.sealed).where(leaves.c.version > 1))}
    assert len(sizes) == 1


def test_s12_every_bid_of_tammany_hall_fits_into_one_size(sqlite_room):
    head = sqlite_room.streams.create(None, "k7x2m9qd4t", "tammany-hall", 0)
    sizes = set()
    for counts in [*itertools.product((0, 1, 9), repeat=4), (25, 25, 25, 25)]:
        colours = ("irish", "english", "german", "italian")
        chips = {colour: count for colour, count in zip(colours, counts, strict=True) if count}
        text = "bid 17 " + " ".join(f"{colour} {count}" for colour, count in chips.items())
        fact = Fact({"seat": 4}, BidSealed(4, 17, chips), text)
        (stored,) = sqlite_room.streams.enclose(head, [fact], "c" * 16, 0)
        (leaf,) = stored.leaves
        sizes.add(len(sqlite_room.streams._seal_leaf("k7x2m9qd4t", 9999, 0, leaf)))
    assert len(sizes) == 1


def test_f53_a_leaf_in_another_place_is_unreadable_not_wrong(tables):
    game, other = tables.begin(), tables.begin("dan", "eve", "flo")
    for table, name in ((game, "ann"), (game, "bob"), (other, "dan")):
        tables.move(table, name, "hide 3")
    with tables.services.database.read() as connection:
        found = connection.execute(sa.select(leaves).where(leaves.c.version > 1)).mappings().all()
    assert len(found) == 3
    streams = tables.services.streams
    for one, place in itertools.product(found, found):
        here = (place["game_id"], place["version"], place["number"])
        if one is place:
            assert streams.open_leaf(*here, one["sealed"])["data"]["pennies"] == 3
        else:
            with pytest.raises(Unreadable):
                streams.open_leaf(*here, one["sealed"])


def test_f53_a_state_of_another_game_is_not_believed(tables):
    game, other = tables.begin(), tables.begin("dan", "eve", "flo")
    with tables.services.database.write() as tx:
        state = tx.execute(sa.select(games_table.c.state).where(games_table.c.id == other)).scalar_one()
        tx.execute(sa.update(games_table).where(games_table.c.id == game).values(state=state))
    assert tables.head(game).table.host == tables.ids["ann"], "it is folded again from the log"
    tables.move(game, "ann", "hide 1")
    check(tables.services, game)
    tables.move(other, "dan", "hide 1")


def test_s30_keys_are_rotated_and_no_hash_changes(url, open_services):
    tables = Tables(open_services(url, SECRET_KEY=OLD))
    game = tables.begin()
    tables.move(game, "ann", "hide 3")
    events, lines = snapshot(tables.services)["events"], tables.export(game, 0)

    both = Tables(open_services(url, SECRET_KEY=NEW, SECRET_KEYS_OLD=OLD))
    both.ids = tables.ids
    assert both.export(game, 0) == lines, "the old key still reads"
    both.move(game, "bob", "hide 1")
    rotated = 0
    while True:
        with both.services.database.write() as tx:
            some = both.services.streams.rotate(tx, 1)
        if not some:
            break
        rotated += some
    assert rotated >= 2

    new = Tables(open_services(url, SECRET_KEY=NEW))
    new.ids = tables.ids
    assert new.export(game, 0)[: len(lines) - 1] == lines[:-1]
    assert snapshot(new.services)["events"][: len(events)] == events
    new.move(game, "cyd", "hide 2")
    check(new.services, game)
    with pytest.raises(Unreadable):
        tables.head(game)


def test_f64_without_its_key_nothing_sealed_is_served_and_the_public_log_is(url, open_services):
    tables = Tables(open_services(url, SECRET_KEY=OLD))
    game = tables.begin()
    tables.move(game, "ann", "hide 3")
    lost = open_services(url, SECRET_KEY=NEW)
    with lost.database.read() as connection:
        with pytest.raises(Unreadable):
            lost.streams.head(connection, game)
        with pytest.raises(Unreadable):
            lost.streams.seen(connection, game, 0, after=0, upto=99)
        seen = lost.streams.seen(connection, game, None, after=0, upto=99)
    assert [event["hash"] for event in seen] == [row[4] for row in snapshot(tables.services)["events"]]
    with pytest.raises(Unreadable), lost.database.write() as tx:
        play.move(lost, tx, game, tables.ids["bob"], Orders(text="hide 1"))


# The canary (I-10, S-31)


def every_byte(tables, tmp_path):
    """All the database holds, as whoever steals it would read it."""
    tables.services.database.close()
    if tables.services.database.is_sqlite:
        return b"".join(path.read_bytes() for path in Path(tmp_path).iterdir() if path.is_file())
    engine = tables.services.database.owner_engine()
    try:
        with engine.connect() as connection:
            rows = [
                row
                for table in SQLModel.metadata.sorted_tables
                for row in connection.execute(sa.select(table)).fetchall()
            ]
    finally:
        engine.dispose()
    return b"\n".join(value if isinstance(value, bytes) else str(value).encode() for row in rows for value in row)


def test_i10_s31_a_sealed_word_is_in_no_byte_of_the_database(tables, tmp_path):
    game = tables.begin()
    tables.move(game, "ann", f"hide 3 {CANARY}")
    tables.move(game, "ann", f"hide 2 {CANARY} again")
    tables.move(game, "bob", "hide 0")
    assert CANARY.encode() in b"".join(tables.export(game, 0)), "its owner sees it"
    for seat in (None, 1, 2):
        assert CANARY.encode() not in b"".join(tables.export(game, seat))
        assert leaf_free(tables.export(game, seat)) == leaf_free(tables.export(game, 0))
    seed = tables.head(game).table.seed
    kept = every_byte(tables, tmp_path)
    assert game.encode() in kept
    for secret in (CANARY, CANARY.upper(), seed):
        assert secret.encode() not in kept
    assert bytes.fromhex(seed) not in kept
    assert bytes.fromhex(CANARY) not in kept


def test_t64_a_sealed_word_is_in_no_error_of_a_failing_insert(tables, caplog):
    game = tables.begin()
    services = tables.services
    with services.database.read() as connection:
        stale = services.streams.head(connection, game)
    tables.move(game, "bob", "hide 1")
    record = Record(stale.table, stale.rules)
    order = stale.rules.notation.parse(f"hide 3 {CANARY}", ())[0]
    record.add(
        {"seat": 0}, *stale.rules.decider.decide(stale.table.game, 0, order), text=stale.rules.notation.write(order)
    )
    with pytest.raises(IntegrityError) as twice, services.database.write() as tx:
        commit(services, tx, stale, record)

    (stored,) = services.streams.enclose(stale, record.facts, "c" * 16, 0)
    row = {"game_id": game, "version": 99, "number": None, "owner": 0}
    sealed = services.streams._seal_leaf(game, 99, 0, stored.leaves[0])
    with pytest.raises(IntegrityError) as without_number, services.database.write() as tx:
        tx.execute(sa.insert(leaves).values(**row, sealed=sealed))  # PostgreSQL tells the failing row in full

    for error in (twice.value, without_number.value):
        told = "".join(traceback.format_exception(error)) + repr(error) + str(error.orig) + caplog.text
        assert CANARY not in told
        assert error.hide_parameters


def test_t64_a_refusal_repeats_nothing_of_another_seat(tables):
    game = tables.begin()
    tables.move(game, "ann", f"hide 3 {CANARY}")
    for text in ("take", "nod"):
        with pytest.raises(RuleViolation) as refused:
            tables.move(game, "bob", text)
        assert CANARY not in refused.value.message

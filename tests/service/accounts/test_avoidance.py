"""Muted people are not heard, blocked people are not seated together by any way in; and nobody is told of it."""

import random
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from domain.engine.bots import Bot
from domain.engine.refusals import RuleViolation
from service.accounts import avoidance
from service.accounts.avoidance import MOST
from service.games import bots, chat, game_lists, open_tables, overviews
from service.privacy import erase
from service.store.people import avoided
from tests.manual_clock import ManualClock
from tests.notices import notice_in
from tests.tables import Tables

NEUTRAL = "This table is not open to you."


@pytest.fixture
def tables(migrated_sqlite, open_services):
    manual_clock = ManualClock()
    return Tables(open_services(migrated_sqlite, clock=manual_clock, RATE_LIMITS="on"), manual_clock)


def avoid(tables: Tables, name: str, other: str, how: avoided.How = "block") -> None:
    player, whom = tables.player(name), tables.player(other)
    with tables.services.database.write() as tx:
        avoidance.avoid(tables.services, tx, player, whom, how)


def sees_again(tables: Tables, name: str, other: str) -> bool:
    with tables.services.database.write() as tx:
        return avoided.remove(tx, tables.player(name), tables.player(other))


def refused(tables: Tables, game: str, name: str) -> tuple[str, str]:
    before = tables.head(game).version
    with pytest.raises(RuleViolation) as error:
        tables.sit(game, name)
    assert tables.head(game).version == before
    return error.value.code, str(error.value.message)


def invite(tables: Tables, game: str, host: str, *names: str) -> int:
    player = tables.player(host)
    with tables.services.database.write() as tx:
        return open_tables.invite(tables.services, tx, game, player, [f"{name}@people.example" for name in names])


def says(tables: Tables, game: str, name: str, text: str) -> None:
    with tables.services.database.write() as tx:
        chat.say(tables.services, tx, game, tables.ids[name], text, to=None)


def mails_of_talk(tables: Tables, name: str) -> list[str]:
    found = tables.notices(kind="talk", recipient=tables.ids[name])
    with tables.services.database.read() as connection:
        return [
            line.text
            for row in found
            for line in chat.lines_of(tables.services, connection, notice_in(row))
            if chat.check(tables.services, connection, notice_in(row)) is None
        ]


# Blocking


@pytest.mark.slow
def test_a_blocked_player_sits_down_at_no_table_of_whom_they_are_blocked_by_and_is_not_told_why(tables):
    avoid(tables, "ann", "bob")
    hosted, joined = tables.open("ann"), tables.sit(tables.open("cyd"), "ann")
    assert refused(tables, hosted, "bob") == refused(tables, joined, "bob") == ("not-open-to-you", NEUTRAL)
    assert tables.head(tables.sit(tables.open("cyd"), "bob")).table.status == "open", "elsewhere they sit as ever"


@pytest.mark.slow
def test_who_blocked_does_not_sit_down_beside_them_by_accident_and_is_told_whom_it_is_about(tables):
    avoid(tables, "ann", "bob")
    code, sentence = refused(tables, tables.open("bob"), "ann")
    assert (code, sentence) == (
        "blocked-by-you",
        "bob is at this table, and you have blocked them: choose another table, or unblock them first.",
    )
    avoid(tables, "bob", "ann")
    assert refused(tables, tables.open("bob"), "ann")[0] == "blocked-by-you", "and nothing of what the other did"
    assert sees_again(tables, "ann", "bob")
    assert refused(tables, tables.open("bob"), "ann") == ("not-open-to-you", NEUTRAL)


@pytest.mark.slow
def test_a_full_table_is_full_for_everybody(tables):
    avoid(tables, "ann", "bob")
    game = tables.begin("ann", "cyd", "dan")
    assert refused(tables, game, "bob")[0] == refused(tables, game, "eve")[0] == "table-full"


def test_a_muted_player_sits_down_as_ever(tables):
    avoid(tables, "ann", "bob", "mute")
    tables.sit(tables.open("ann"), "bob")


def test_a_vacant_seat_is_not_taken_over_beside_them_nor_one_that_a_bot_left(tables):
    game = tables.begin("ann", "cyd", "dan", clock={"per_move": "P1D", "grace": "PT10M", "strikes": 1})
    avoid(tables, "ann", "bob")
    tables.expire(game, 1)
    assert tables.head(game).table.chairs[1].vacant
    assert refused(tables, game, "bob") == ("not-open-to-you", NEUTRAL)
    with tables.services.database.write() as tx:
        bots.seat_bot(tables.services, tx, game, tables.ids["ann"], 1, Bot(0))
        bots.send_bot_away(tables.services, tx, game, tables.ids["ann"], 1)
    assert refused(tables, game, "bob") == ("not-open-to-you", NEUTRAL)
    tables.sit(game, "eve")


def test_in_a_game_under_way_nothing_changes_and_a_seat_of_ones_own_is_taken_back(tables):
    game = tables.begin("ann", "bob", "cyd", clock={"per_move": "P1D", "grace": "PT10M", "strikes": 1})
    avoid(tables, "ann", "bob")
    avoid(tables, "bob", "ann")
    for seat in (0, 1):
        tables.expire(game, seat)
    tables.sit(game, "bob", "ann")
    assert not any(chair.vacant for chair in tables.head(game).table.chairs)


@pytest.mark.slow
def test_a_blocked_host_invites_in_vain_and_cannot_tell(tables):
    """The answer, the count on the table's page and the limits of a day are as for anybody else (RATE-09)."""
    avoid(tables, "ann", "bob")
    tables.player("cyd")
    for host in ("bob", "cyd"):
        for _ in range(3):
            assert invite(tables, tables.open(host, public=False), host, "ann") == 1
        with pytest.raises(RuleViolation, match="has had 3 invitations"):
            tables.open(host, invite=["ann@people.example"])
    with tables.services.database.read() as connection:
        asked = overviews.desk(tables.services, connection, tables.ids["ann"]).invited
    assert {view.host for view in asked} == {"cyd"}
    assert tables.states(kind="invitation") == {"superseded": 3, "queued": 3}
    tables.deliver()
    assert len(tables.carrier.letters_to("ann")) == 3


def test_who_is_blocked_by_the_host_is_not_invited_by_them_either_which_tells_no_address(tables):
    avoid(tables, "ann", "bob")
    assert invite(tables, tables.open("ann"), "ann", "bob") == 1
    assert tables.states(kind="invitation") == {"superseded": 1}
    with tables.services.database.read() as connection:
        assert overviews.desk(tables.services, connection, tables.ids["bob"]).invited == []


def test_an_invitation_under_way_is_not_sent_after_the_guest_blocked_its_host(tables):
    tables.player("ann")
    invite(tables, tables.open("bob"), "bob", "ann")
    avoid(tables, "ann", "bob")
    tables.deliver()
    assert (tables.states(kind="invitation"), tables.carrier.letters_to("ann")) == ({"superseded": 1}, [])


@pytest.mark.slow
def test_a_list_of_games_marks_those_where_somebody_sits_whom_one_has_blocked_for_oneself_alone(tables):
    game = tables.sit(tables.open("cyd"), "bob")
    avoid(tables, "ann", "bob")
    with tables.services.database.read() as connection:
        listed = {
            name: game_lists.lobby(
                connection, tables.player(name), status=None, mine=False, awaiting_me=False, after=None, limit=9
            )[0][0]
            for name in ("ann", "bob")
        }
    assert listed["ann"] == listed["bob"] | {"blocked": [tables.ids["bob"]]}
    assert listed["bob"]["id"] == game


def test_nobody_blocks_themselves_nor_more_people_than_one_may(tables):
    with pytest.raises(RuleViolation, match="yourself"):
        avoid(tables, "ann", "ann")
    with tables.services.database.write() as tx:
        tx.execute(
            sa.insert(avoided.avoided),
            [{"player_id": tables.ids["ann"], "other": f"p_{n}", "how": "mute", "at": 1} for n in range(MOST)],
        )
    with pytest.raises(RuleViolation, match="500 people"):
        avoid(tables, "ann", "bob")


PEOPLE = ("ann", "bob", "cyd", "dan", "eve")


@pytest.mark.slow
def test_law_no_way_in_seats_two_of_whom_one_has_blocked_the_other(tables):
    """Tables are opened, invited to, sat down at, left, fall vacant and are taken over at random, while people block
    each other and change their minds: whoever has just sat down was on nobody's list there, nor anybody on theirs."""
    chance = random.Random("apart")
    for name in PEOPLE:
        tables.player(name)
    games: list[str] = []
    seated = turned_away = 0
    for _ in range(120):
        name, other = chance.sample(PEOPLE, 2)
        game = chance.choice(games[-3:]) if games else ""
        match chance.randrange(9):
            case 0:
                games.append(tables.open(name, seats=3, clock={"per_move": "P1D", "strikes": 1}))
            case 1:
                avoid(tables, name, other, chance.choice(("mute", "block", "block")))
            case 2 if chance.random() < 0.3:
                sees_again(tables, name, other)
            case 3 | 4 if game and tables.head(game).table.status == "running":
                for seat in tables.awaited(game)[:1]:
                    tables.expire(game, seat)
            case _ if game:
                sat = {chair.player for chair in tables.head(game).table.chairs if chair.player}
                around = sat | {tables.head(game).table.host}
                try:
                    tables.sit(game, name)
                    seated += 1
                    assert tables.ids[name] in sat or not set(apart(tables, tables.ids[name], around)), (name, game)
                except RuleViolation as error:
                    turned_away += error.code in ("not-open-to-you", "blocked-by-you")
    assert min(seated, turned_away) > 5


def apart(tables: Tables, player: str, others: set[str]) -> Iterator[str]:
    with tables.services.database.read() as connection:
        yield from avoided.blocked_by(connection, player, others)
        yield from avoided.blocking(connection, player, others)


# Muting


@pytest.mark.parametrize("how", ["mute", "block"])
def test_talk_of_the_muted_is_marked_and_not_mailed_and_its_author_sees_nothing_of_that(tables, how):
    game = tables.begin("ann", "bob", "cyd")
    avoid(tables, "ann", "bob", how)
    says(tables, game, "bob", "Hello, Ann!")
    says(tables, game, "cyd", "Hello, all!")
    tables.advance(minutes=6)
    assert (mails_of_talk(tables, "ann"), mails_of_talk(tables, "cyd")) == (["Hello, all!"], ["Hello, Ann!"])
    with tables.services.database.read() as connection:
        head = tables.services.streams.head(connection, game)
        heard = [chat.messages(tables.services, connection, head, seat).lines for seat in range(3)]
    assert [(line.text, line.muted) for line in heard[0]] == [("Hello, Ann!", True), ("Hello, all!", False)]
    assert not any(line.muted for lines in heard[1:] for line in lines)


def test_a_line_that_waits_for_its_mail_is_not_mailed_to_who_has_muted_its_author_since(tables):
    game = tables.begin("ann", "bob", "cyd")
    says(tables, game, "bob", "first")
    says(tables, game, "cyd", "second")
    avoid(tables, "ann", "bob", "mute")
    assert mails_of_talk(tables, "ann") == ["second"]


def test_s50_whom_somebody_avoids_goes_with_either_of_them(tables):
    for name, other in (("ann", "bob"), ("bob", "ann"), ("cyd", "ann"), ("cyd", "bob")):
        avoid(tables, name, other)
    erase.erase(tables.services, tables.ids["ann"])
    with tables.services.database.read() as connection:
        left = [(row.player_id, row.other) for row in connection.execute(sa.select(avoided.avoided))]
    assert left == [(tables.ids["cyd"], tables.ids["bob"])]

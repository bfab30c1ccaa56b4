"""More invitations to a table, and invitations that are declined; and games at a glance."""

import pytest

from domain.engine.refusals import RuleViolation
from service.accounts.names import normalise_name
from service.games import open_tables, overviews, play
from service.games.seat_names import name_of, table_name
from service.store.event_store.streams import NoSuchGame
from service.store.games import invitations
from service.store.people import mutes
from tests.manual_clock import ManualClock
from tests.tables import Tables


@pytest.fixture
def tables(migrated_sqlite, open_services):
    manual_clock = ManualClock()
    return Tables(open_services(migrated_sqlite, clock=manual_clock), manual_clock)


def invite(tables, game, host, *names):
    player = tables.player(host)
    with tables.services.database.write() as tx:
        return open_tables.invite(tables.services, tx, game, player, [f"{name}@people.example" for name in names])


def invited(tables, game):
    with tables.services.database.read() as connection:
        return [key.partition("@")[0] for key in invitations.of_game(connection, game)]


def desk(tables, name):
    player = tables.player(name)
    with tables.services.database.read() as connection:
        return overviews.desk(tables.services, connection, player)


def test_a_host_invites_more_people_and_nobody_twice(tables):
    game = tables.open("ann", invite=["bob@people.example"])
    assert invite(tables, game, "ann", "Bob", "cyd") == 1
    assert invited(tables, game) == ["bob", "cyd"]


def test_only_the_host_invites_and_only_before_the_start(tables):
    game = tables.sit(tables.open("ann"), "bob")
    with pytest.raises(RuleViolation, match="Only the host"):
        invite(tables, game, "bob", "cyd")
    with pytest.raises(RuleViolation, match="The game has begun"):
        invite(tables, tables.begin(), "ann", "dan")


def test_rate09_a_table_has_twenty_invitations_in_all(tables):
    game = tables.open("ann", invite=[f"p{number}@people.example" for number in range(19)])
    invite(tables, game, "ann", "cyd")
    with pytest.raises(RuleViolation, match="at most 20"):
        invite(tables, game, "ann", "dan")


def test_s11_a_declined_private_table_is_not_there_any_more(tables):
    game = tables.open("ann", public=False, invite=["bob@people.example"])
    assert [view.game for view in desk(tables, "bob").invited] == [game]
    bob = tables.player("bob")
    with tables.services.database.write() as tx:
        open_tables.decline(tables.services, tx, game, bob, never_again=False)
    assert desk(tables, "bob").invited == []
    with pytest.raises(NoSuchGame):
        invite(tables, game, "bob", "cyd")
    assert invite(tables, game, "ann", "bob") == 1


def test_out17_a_host_can_be_told_never_to_invite_again(tables):
    game = tables.open("ann", invite=["bob@people.example"])
    ann, bob = tables.player("ann"), tables.player("bob")
    with tables.services.database.write() as tx:
        open_tables.decline(tables.services, tx, game, bob, never_again=True)
        assert mutes.muting(tx, ["bob@people.example"], (ann,))


def test_a_desk_sorts_games_by_what_they_want_of_a_player(tables):
    mine, other = tables.begin("ann", "bob", "cyd"), tables.open("ann")
    tables.move(mine, 0, "hide 1")
    ann, bob = desk(tables, "ann"), desk(tables, "bob")
    assert ([view.game for view in ann.waiting], [view.game for view in ann.going]) == ([], [mine])
    assert [view.game for view in ann.open] == [other]
    assert [(view.game, view.asks, view.mine) for view in bob.waiting] == [(mine, "Make your move", True)]
    assert bob.going == []
    assert [sitter.name for sitter in ann.going[0].awaited] == ["bob", "cyd"]


def test_s11_a_list_of_games_shows_no_hand_of_others(tables):
    game = tables.begin("ann", "bob", "cyd")
    tables.move(game, 0, "hide 3")
    assert "3" not in repr(desk(tables, "bob").waiting[0].stage)


def test_a_game_that_cannot_be_opened_does_not_hide_the_others(tables):
    lost, kept = tables.open("ann"), tables.open("ann")
    tables.lose_key(lost)
    assert [view.game for view in desk(tables, "ann").open] == [kept]


def renamed(tables, game, who, name):
    with tables.services.database.write() as tx:
        return open_tables.rename(tables.services, tx, game, tables.player(who), name)


def test_a_table_has_a_name_that_its_host_changes_at_any_time(tables):
    game = tables.begin(name="Lunch break")
    assert table_name(tables.head(game)) == desk(tables, "ann").waiting[0].name == "Lunch break"
    renamed(tables, game, "ann", "Five Points")
    tables.move(game, 0, "hide 2")
    assert table_name(tables.head(game)) == "Five Points"
    with pytest.raises(RuleViolation, match="Only the host"):
        renamed(tables, game, "bob", "Mine")


def test_a_table_without_a_chosen_name_has_one_that_could_be_chosen(tables):
    games = [tables.open("ann", name=None) for _ in range(6)]
    names = [table_name(tables.head(game)) for game in games]
    assert len({*names}) > 1
    assert names == [normalise_name(name) for name in names] == [name_of(game, None) for game in games]


def test_the_name_of_a_host_who_leaves_is_not_the_next_ones(tables):
    game = tables.sit(tables.open("ann", name="Ann's"), "bob")
    with tables.services.database.write() as tx:
        play.leave_seat(tables.services, tx, game, tables.ids["ann"])
    assert tables.head(game).name is None

"""Profiles: what they count, to whom each part is shown, and that nothing else shows in page, API or number."""

import random
from typing import Any, get_args

import pytest

from domain.engine.bots import Bot
from service.api import people as api
from service.people import choices
from service.people.profile import Profile, profile_of
from service.people.visibility import NoSuchPlayer, as_others, sight_of
from service.privacy import erase
from service.store.across import careers
from service.store.people import players, profiles
from service.store.people.profiles import PARTS, Audience, Shown
from tests.service.clock_tables import clock_tables, sqlite_clock_tables
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables"]
OPEN: dict[str, Audience] = dict.fromkeys(PARTS, "everybody")
CLOCK = {"per_move": "P1D", "grace": "PT10M", "reminders": [], "strikes": 3}
SHORT = {"rounds": "1"}


def show(tables: Tables, name: str, **audiences: Any) -> None:
    player, speaks = tables.player(name), audiences.pop("speaks", None)
    with tables.services.database.write() as tx:
        choices.choose(tables.services, tx, player, audiences, speaks)


def seen(tables: Tables, name: str, by: str | None) -> Profile:
    player, viewer = tables.player(name), by and tables.player(by)
    with tables.services.database.read() as connection:
        return profile_of(tables.services, connection, sight_of(connection, player, viewer))


def hidden(tables: Tables, name: str, by: str | None) -> bool:
    try:
        seen(tables, name, by)
    except NoSuchPlayer:
        return True
    return False


def begin(tables: Tables, *names: str, **terms: Any) -> str:
    """A short game of these; to a private one they are invited."""
    for name in names:
        tables.player(name)
    guests = [] if terms.get("public", True) else [f"{name}@people.example" for name in names[1:]]
    return tables.begin(*names, **{"clock": CLOCK, "options": SHORT, "invite": guests} | terms)


def play(tables: Tables, *names: str, **terms: Any) -> str:
    """A game of these from its beginning to its end."""
    game = begin(tables, *names, **terms)
    tables.play_out(game, game, late=0)
    return game


def winners(tables: Tables, game: str) -> set[str]:
    head = tables.head(game)
    found = {head.table.chairs[seat].player for seat in head.rules.decider.result(head.table.game)["winners"]}
    return {name for name, player in tables.ids.items() if player in found}


# What is counted


@pytest.mark.slow
def test_games_and_wins_are_counted_by_ruleset_and_those_against_bots_alone_apart(clock_tables):
    tables = clock_tables
    games = [play(tables, "ann", "bob"), play(tables, "ann", "bob", "cyd"), play(tables, "bob", "ann")]
    solo = play(tables, "ann", bots=2)
    tables.begin("ann", "cyd")
    tables.open("ann")
    tables.sit(tables.open("dan"), "ann")
    mine = seen(tables, "ann", "ann").games
    won = sum("ann" in winners(tables, game) for game in games)
    assert mine is not None
    assert (mine.open, mine.running, mine.abandoned) == (1, 1, 0), "an open table without others is no game with people"
    assert (mine.with_people.finished, mine.with_people.won) == (3, won)
    assert (mine.against_bots.finished, mine.against_bots.won) == (1, "ann" in winners(tables, solo))
    assert {kind: (tally.finished, tally.won) for kind, tally in mine.rulesets.items()} == {"pennies": (3, won)}


@pytest.mark.slow
def test_opponents_are_those_one_has_finished_games_with_and_the_looker_is_one_of_them(clock_tables):
    tables = clock_tables
    games = [play(tables, "ann", "bob"), play(tables, "ann", "bob", "cyd", bots=[Bot(0)])]
    tables.begin("ann", "dan")
    mine = seen(tables, "ann", "ann")
    assert mine.opponents is not None
    assert [(other.name, other.games) for other in mine.opponents] == [("bob", 2), ("cyd", 1)]
    together = seen(tables, "ann", "bob").together
    assert together is not None
    assert (together.name, together.games) == ("bob", 2)
    assert together.own_wins == sum("ann" in winners(tables, game) for game in games)
    assert together.their_wins == sum("bob" in winners(tables, game) for game in games)
    assert (seen(tables, "ann", "dan").together, seen(tables, "ann", "ann").together) == (None, None)


def test_who_is_gone_is_nobodys_opponent_and_has_no_profile(sqlite_clock_tables):
    tables = sqlite_clock_tables
    play(tables, "ann", "bob")
    erase.erase(tables.services, tables.ids["bob"])
    assert hidden(tables, "bob", "ann")
    mine = seen(tables, "ann", "ann")
    assert mine.opponents == []
    assert mine.games is not None
    assert mine.games.with_people.finished == 1


# Reliability


@pytest.mark.slow
def test_answers_count_as_the_clock_reckons_them_and_missed_ones_by_who_acted(clock_tables):
    tables = clock_tables
    game = tables.begin("ann", "bob", clock=CLOCK, options={"rounds": "3"})
    tables.expire(tables.begin("ann", bots=1, clock=CLOCK), 0)
    assert reliability(tables, "ann") == reliability(tables, "bob") == (0, 0, 0), "what is still owed counts not yet"
    tables.move(game, "ann", "hide 0")
    assert (reliability(tables, "ann"), reliability(tables, "bob")) == ((1, 0, 0), (0, 0, 0))
    tables.expire(game, 1)
    assert reliability(tables, "bob") == (1, 1, 1)
    waits = tables.begin("ann", "bob", clock=CLOCK | {"on_timeout": "pause"})
    tables.expire(waits, 0)
    assert reliability(tables, "ann") == (2, 1, 0), "where the table waits, nobody acts in their place"
    tables.move(waits, "ann", "hide 0")
    assert reliability(tables, "ann") == (2, 1, 0)


def reliability(tables: Tables, name: str) -> tuple[int, int, int] | None:
    found = seen(tables, name, name).reliability
    return found and tuple(found)


def test_leave_and_time_that_was_lost_are_nobodys_fault(sqlite_clock_tables):
    """What moves a deadline counts as it moved it: who answers after the first and before the last is in time."""
    tables = sqlite_clock_tables
    game = tables.begin_timed("ann", "bob", leave_days=9)
    assert tables.take_leave("ann", "2031-03-05", "2031-03-07")
    tables.advance(days=2)
    tables.sweep()
    tables.move(game, "ann", "hide 1")
    assert reliability(tables, "ann") == (1, 0, 0)


@pytest.mark.slow
def test_what_is_older_than_a_year_counts_no_more(sqlite_clock_tables):
    tables = sqlite_clock_tables
    game = tables.begin("ann", "bob", clock=CLOCK)
    tables.expire(game, 0)
    assert reliability(tables, "ann") == (1, 1, 1)
    tables.advance(days=366)
    assert reliability(tables, "ann") == (0, 0, 0)


# To whom


def test_by_default_those_one_plays_with_see_it_and_nobody_sees_with_whom_else(sqlite_clock_tables):
    tables = sqlite_clock_tables
    play(tables, "ann", "bob")
    friend, member, stranger = (seen(tables, "ann", by) for by in ("bob", "dora", None))
    assert friend.opponents is None
    assert None not in (friend.games, friend.reliability, friend.together, friend.joined, friend.languages)
    for other in (member, stranger):
        document = api._document(other)
        assert (document.pop("player"), document.pop("name")) == (tables.ids["ann"], "ann")
        assert set(document.values()) == {None}


def test_s11_a_player_who_shows_nothing_and_plays_in_private_is_not_there_for_strangers(sqlite_clock_tables):
    tables = sqlite_clock_tables
    begin(tables, "ann", "bob", public=False)
    assert [hidden(tables, "ann", by) for by in (None, "dora", "bob")] == [True, True, False]
    show(tables, "ann", joined="members")
    assert (hidden(tables, "ann", None), hidden(tables, "ann", "dora")) == (True, False)
    tables.open("bob", public=False, invite=["dora@people.example"])
    assert not hidden(tables, "bob", "dora"), "who is invited reads the name of the host anyway"


def test_opponents_are_listed_to_others_only_if_they_show_their_games_to_them_too(sqlite_clock_tables):
    tables = sqlite_clock_tables
    play(tables, "ann", "bob", "cyd")
    show(tables, "ann", opponents="everybody")
    assert seen(tables, "ann", "dora").opponents == []
    show(tables, "bob", games="members")
    show(tables, "cyd", games="nobody")
    assert [other.name for other in seen(tables, "ann", "dora").opponents or ()] == ["bob"]
    assert [other.name for other in seen(tables, "ann", "bob").opponents or ()] == ["bob"]
    assert [other.name for other in seen(tables, "ann", "cyd").opponents or ()] == ["bob", "cyd"]
    assert seen(tables, "ann", None).opponents == []


def test_a_preview_shows_what_others_see_who_know_nothing_else(sqlite_clock_tables):
    tables = sqlite_clock_tables
    play(tables, "ann", "bob")
    play(tables, "ann", "bob", public=False)
    show(tables, "ann", games="companions", joined="everybody")
    with tables.services.database.read() as connection:
        ann = players.by_id(connection, tables.ids["ann"])
        assert ann is not None
        shown = {
            near: profile_of(tables.services, connection, as_others(connection, ann, near))
            for near in ("stranger", "member", "companion")
        }
    assert shown["stranger"].games is None
    assert shown["companion"].games is not None
    assert shown["companion"].games.with_people.finished == 1, "the private game is for those who know it"
    assert api._document(shown["stranger"]) == api._document(seen(tables, "ann", None))


VIEWERS = ("bob", "cyd", "dora", None)
OWNERS = ("ann", "bob", "cyd")


@pytest.mark.slow
def test_law_what_is_hidden_changes_nothing_that_anybody_is_told(sqlite_clock_tables):
    """Twins: for random settings, private games among others are played, and answers missed in them; whoever knows none
    of them is told the very same as before, in every profile and every number, for nobody showed them more."""
    tables, chance = sqlite_clock_tables, random.Random("profiles")
    play(tables, "ann", "bob")
    play(tables, "cyd", "ann", public=False)
    tables.begin("bob", "cyd")
    tables.player("dora")
    for _ in range(6):
        for name in OWNERS:
            show(tables, name, **{part: chance.choice(get_args(Audience)) for part in PARTS})
        viewer = chance.choice(VIEWERS)
        before = told(tables, viewer)
        private = [name for name in OWNERS if name != viewer]
        game = begin(tables, *chance.sample(private, 2), public=False)
        tables.expire(game, chance.randrange(2))
        tables.play_out(game, game, late=0)
        assert told(tables, viewer) == before
        for name, document in before.items():
            check_audiences(tables, name, viewer, document)


def told(tables: Tables, viewer: str | None) -> dict[str, Any]:
    return {
        name: None if hidden(tables, name, viewer) else api._document(seen(tables, name, viewer)) for name in OWNERS
    }


def check_audiences(tables: Tables, name: str, viewer: str | None, document: dict[str, Any] | None) -> None:
    """A part is there only for those it is shown to."""
    with tables.services.database.read() as connection:
        shown = profiles.of_player(connection, tables.ids[name])
        near = viewer is not None and careers.are_companions(connection, tables.ids[name], tables.ids[viewer])
    for part in PARTS:
        audience = getattr(shown, part)
        sees = audience == "everybody" or (viewer is not None and audience == "members") or viewer == name
        sees = sees or (near and audience == "companions")
        if document is not None and not sees:
            assert document[part] is None, (name, viewer, part)


def test_what_was_never_chosen_has_no_row_and_what_was_goes_with_the_player(sqlite_clock_tables):
    tables = sqlite_clock_tables
    tables.player("ann")
    with tables.services.database.read() as connection:
        assert profiles.of_players(connection, [tables.ids["ann"]]) == {}
        assert profiles.of_player(connection, tables.ids["ann"]) == Shown()
    show(tables, "ann", games="everybody", speaks=["fr", "de", "fr"])
    show(tables, "ann", joined="nobody")
    with tables.services.database.read() as connection:
        kept = profiles.of_player(connection, tables.ids["ann"])
    assert (kept.games, kept.joined, kept.speaks, kept.opponents) == ("everybody", "nobody", "fr de", "nobody")
    erase.erase(tables.services, tables.ids["ann"])
    with tables.services.database.read() as connection:
        assert profiles.of_players(connection, [tables.ids["ann"]]) == {}

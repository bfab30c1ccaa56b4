"""Profiles as pages, one's own games, and muting and blocking by buttons."""

from typing import Any

import pytest

from service.accounts import avoidance
from service.people import choices
from service.store.people import avoided
from service.store.people.profiles import PARTS
from tests.service.web.browser import Browser
from tests.tables import Tables

SHORT = {"options": {"rounds": "1"}, "clock": {"per_move": "P1D", "strikes": 3}}


@pytest.fixture
def played(tables: Tables) -> Tables:
    """Ann and Bob have finished a game, another is under way, a private one too; Dora plays with nobody."""
    game = tables.begin("ann", "bob", **SHORT)
    tables.play_out(game, 1, late=0)
    tables.begin("ann", "bob", "cyd", **SHORT)
    tables.begin("ann", "bob", public=False, invite=["bob@people.example"], **SHORT)
    tables.player("dora")
    return tables


def browser(tables: Tables, name: str | None, **more: Any) -> Browser:
    return Browser(tables.services, name and tables.player(name), **more)


def profile(tables: Tables, name: str, by: str | None, query: str = "") -> Any:
    return browser(tables, by).get(f"/p/{tables.player(name)}{query}")


def show(tables: Tables, name: str, **audiences: Any) -> None:
    with tables.services.database.write() as tx:
        choices.choose(tables.services, tx, tables.player(name), audiences, audiences.pop("speaks", None))


def how(tables: Tables, name: str, other: str) -> str | None:
    with tables.services.database.read() as connection:
        return avoided.how(connection, tables.ids[name], tables.ids[other])


# Profiles


def test_a_profile_says_how_reliable_somebody_is_what_they_played_and_what_with_me(played):
    page = profile(played, "ann", "bob")
    assert page.status == 200
    assert "100 % of 1 answer in time" in page.words or "answers in time" in page.words
    assert "1 game with people finished" in page.words
    assert "You and ann 1 game finished together" in page.words
    assert "2 games are under way." in page.words
    assert "Opponents" not in page.words, "with whom else somebody plays is hidden by default"
    assert sum(link.startswith("/g/") for link in page.links) == 3


def test_strangers_see_a_name_and_no_more_of_who_shows_nothing_more(played):
    for by in ("dora", None):
        page = profile(played, "ann", by)
        assert (page.status, "ann shows nothing more of themselves to you." in page.words) == (200, True)
        assert not [link for link in page.links if link.startswith("/g/")]
    show(played, "ann", games="members")
    assert sum(link.startswith("/g/") for link in profile(played, "ann", "dora").links) == 2, "and no private one"
    assert "1 game is under way." in profile(played, "ann", "dora").words
    assert not [link for link in profile(played, "ann", None).links if link.startswith("/g/")]


def test_s11_who_is_not_there_for_me_is_answered_like_nobody(tables):
    tables.player("ann")
    dora = browser(tables, "dora")
    answers = [dora.client.get(f"/p/{who}") for who in (tables.ids["ann"], "p_nobody", "%00", "x" * 99)]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.data for answer in answers}) == 1
    for who in (tables.ids["ann"], "p_nobody"):
        answer = browser(tables, None).client.get(f"/p/{who}")
        assert (answer.status_code, answer.headers["Location"]) == (303, f"/sign-in?next=/p/{who}")


def test_the_owner_sees_all_with_whom_it_is_shown_to_and_looks_at_it_as_others_do(played):
    show(played, "ann", joined="everybody", speaks=["fr"])
    own = profile(played, "ann", "ann")
    assert "Shown to: people I share a game with." in own.words
    assert "Opponents" in own.words
    assert sum(link.startswith("/g/") for link in own.links) == 3
    stranger = profile(played, "ann", "ann", "?as=stranger")
    assert "This is what anybody at all sees" in stranger.words
    assert "Here since" in stranger.words
    assert not [link for link in stranger.links if link.startswith("/g/")]
    assert sum(link.startswith("/g/") for link in profile(played, "ann", "ann", "?as=companion").links) == 2
    assert profile(played, "ann", "bob", "?as=owner").words == profile(played, "ann", "bob", "?as=stranger").words


def test_what_others_see_is_chosen_on_a_page_and_comes_back_if_it_cannot_be(played):
    ann = browser(played, "ann")
    form = ann.get("/me/people").form("/me/people")
    assert {part: form.fields[part] for part in PARTS} == dict.fromkeys(PARTS, "companions") | {"opponents": "nobody"}
    page = ann.send(form, reliability="everybody", speaks="de")
    assert "Done." in page.words
    assert page.form("/me/people").fields["reliability"] == "everybody"
    assert "answer" in profile(played, "ann", None).words
    page = ann.send(form, games="friends")
    assert (page.status, "Please choose one of these." in page.words) == (422, True)
    page = ann.send(form, speaks="tlh")
    assert page.status == 422


HOSTILE = ("<script>alert(1)</script>", "Ann & “Bob”", "𝔄𝔫𝔫", "{{ 7*7 }} %(x)s", "A" * 40)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_a_name(played, name):
    played.change_profile("ann", name=name)
    show(played, "bob", opponents="everybody")
    show(played, "ann", games="everybody")
    for page in (
        profile(played, "ann", "bob"),
        profile(played, "bob", "dora"),
        browser(played, "bob").get("/me/games"),
    ):
        assert page.status == 200
        assert "<script>alert" not in page.html
        assert " ".join(name.split()) in page.words or "49" not in page.words


# Muting and blocking


def test_one_mutes_blocks_and_takes_it_back_on_a_profile_and_in_a_list(played):
    ann, bobs = browser(played, "ann"), f"/p/{played.ids['bob']}"
    page = ann.send(ann.get(bobs).form(f"{bobs}/avoid"), ("how", "mute"))
    assert "You have muted bob" in page.words
    page = ann.send(page.form(f"{bobs}/avoid"), ("how", "block"))
    assert ("You have blocked bob" in page.words, how(played, "ann", "bob")) == (True, "block")
    page = ann.get("/me/people")
    assert "bob blocked" in page.words
    page = ann.send(page.form(f"{bobs}/avoid"), ("how", ""))
    assert ("Done." in page.words, how(played, "ann", "bob")) == (True, None)


def test_nobody_mutes_whom_they_meet_nowhere_nor_themselves(played):
    dora, ann = browser(played, "dora"), f"/p/{played.ids['ann']}"
    form = dora.get(ann).form(f"{ann}/avoid")
    for who in ("p_nobody", played.player("eve")):
        form.action = f"/p/{who}/avoid"
        assert dora.send(form, ("how", "mute")).status == 404
    form.action = f"/p/{played.ids['dora']}/avoid"
    assert dora.send(form, ("how", "block")).status in (409, 422)
    form.action = f"{ann}/avoid"
    assert dora.send(form, ("how", "hate")).status == 400


def test_talk_of_the_muted_is_folded_on_the_page_of_whom_they_are_muted_by(played):
    game = played.begin("ann", "bob", "cyd", kind="tammany-hall")
    bob = browser(played, "bob")
    bob.send(bob.get(f"/g/{game}").form(f"/g/{game}/talk"), text="hello there")
    played.advance(minutes=6)
    with played.services.database.write() as tx:
        avoidance.avoid(played.services, tx, played.ids["ann"], played.ids["bob"], "mute")
    assert '<details class="muted">' in browser(played, "ann").get(f"/g/{game}").html
    assert '<details class="muted">' not in browser(played, "cyd").get(f"/g/{game}").html


def test_tables_of_the_blocked_are_marked_and_offer_no_seat_and_no_rematch(played):
    game = played.sit(played.open("cyd"), "bob")
    with played.services.database.write() as tx:
        avoidance.avoid(played.services, tx, played.ids["dora"], played.ids["bob"], "block")
    dora, eve = browser(played, "dora"), browser(played, "eve")
    for address in ("/tables", f"/g/{game}"):
        assert "At this table is somebody you have blocked: bob." in dora.get(address).words
        assert not [form for form in dora.get(address).forms if form.action == f"/g/{game}/seats"]
        assert [form for form in eve.get(address).forms if form.action == f"/g/{game}/seats"]
    with played.services.database.write() as tx:
        avoidance.avoid(played.services, tx, played.ids["ann"], played.ids["bob"], "block")
    (over,) = [view for view in browser(played, "ann").get("/me/games?status=finished").links if view.startswith("/g/")]
    assert 'name="again"' not in browser(played, "ann").get(f"/tables/new?rematch={over.removeprefix('/g/')}").html


# My games


def games_on(page: Any) -> list[str]:
    return [link.removeprefix("/g/") for link in page.links if link.startswith("/g/")]


def test_my_games_are_found_by_what_they_are_with_whom_and_how_they_ended(played):
    ann = browser(played, "ann")
    all_mine = games_on(ann.get("/me/games"))
    assert len(all_mine) == 3
    found = {
        query: len(games_on(ann.get(f"/me/games?{query}")))
        for query in (
            "status=finished", "status=running", "status=waiting", "status=open", f"with={played.ids['cyd']}",
            f"with={played.ids['dora']}", "game=pennies", "game=city-hall", "order=opened", "status=%00&with=%00",
        )
    }  # fmt: skip
    assert list(found.values()) == [1, 2, 2, 0, 1, 0, 3, 0, 3, 3]
    won, lost = (games_on(ann.get(f"/me/games?result={result}")) for result in ("won", "lost"))
    bobs = [games_on(browser(played, "bob").get(f"/me/games?result={result}")) for result in ("lost", "won")]
    assert len(won + lost) == 1
    assert bobs in ([won, lost], [[], won + lost])
    assert games_on(browser(played, "dora").get("/me/games")) == []


def test_my_games_come_in_pages_of_what_was_looked_for(played):
    for _ in range(22):
        played.open("dora")
    dora = browser(played, "dora")
    first = dora.get("/me/games?order=opened&status=open")
    (more,) = [link for link in first.links if "cursor=" in link]
    assert "status=open" in more
    assert len({*games_on(first), *games_on(dora.get(more))}) == 22

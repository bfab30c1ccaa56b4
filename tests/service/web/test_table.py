"""The table before its game begins, at the game's own address: from the invitation to the first move."""

import pytest

from tests.service.web.browser import Browser


def browser_of(tables, name, **more):
    return Browser(tables.services, tables.player(name), **more)


def invited_to(tables, **more):
    return tables.open("ann", public=False, invite=["bob@people.example"], **more)


def test_a_table_that_waits_shows_who_sits_there_and_how_fast_it_goes(tables):
    game = tables.sit(tables.open("ann"), "bob")
    page = browser_of(tables, "cyd").get(f"/g/{game}")
    assert {"ann", "bob"} <= set(page.words.split())
    assert "a free seat" in page.words
    assert "Each move has 3 days." in page.words
    assert "Asked on Mon 10 Mar 18:00, you would have until Thu 13 Mar 18:00." in page.words


def test_options_that_are_not_as_usual_stand_out_with_their_rule(tables):
    game = tables.open("ann", kind="tammany-hall", options={"chip-supply": "25"})
    page = browser_of(tables, "cyd").get(f"/g/{game}")
    assert "25: favors run short (usually: 35, as in most editions)" in page.words
    assert "/rules/tammany-hall#TH-2.3" in page.links


def test_s11_a_private_table_is_not_there_for_a_stranger(tables):
    game = tables.open("ann", public=False)
    assert browser_of(tables, "eve").get(f"/g/{game}").status == 404


def test_from_the_invitation_to_the_first_move_it_is_two_clicks(tables):
    game = invited_to(tables, seats=2, kind="pennies")
    bob = browser_of(tables, "bob")
    page = bob.get(f"/g/{game}")
    assert "ann invites you to this game." in page.words
    begun = bob.send(page.form(f"/g/{game}/seats"))
    assert begun.address == f"/g/{game}"
    assert tables.head(game).table.status == "running"


def test_a_stranger_signs_in_first_and_comes_back(tables):
    game = invited_to(tables)
    answer = Browser(tables.services).client.get(f"/g/{game}")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/sign-in?next=/g/{game}")


def test_an_invitation_to_a_table_that_has_closed_leads_to_a_page_that_says_so(tables):
    game = invited_to(tables)
    ann, bob = browser_of(tables, "ann"), browser_of(tables, "bob")
    form = bob.get(f"/g/{game}").form(f"/g/{game}/decline")
    ann.send(ann.get(f"/g/{game}").form(f"/g/{game}/leave"))
    assert "ended before it began" in bob.get(f"/g/{game}").words
    assert bob.send(form).address == "/turns"


def test_whoever_sits_down_is_no_more_waited_for(tables):
    game = tables.open("ann", invite=["bob@people.example"])
    ann = browser_of(tables, "ann")
    assert "1 person is invited and has not sat down yet." in ann.get(f"/g/{game}").words
    tables.sit(game, "bob")
    assert "has not sat down yet" not in ann.get(f"/g/{game}").words


def test_whoever_leaves_a_private_table_is_led_to_the_others(tables):
    game = tables.sit(invited_to(tables), "bob")
    bob = browser_of(tables, "bob")
    assert bob.send(bob.get(f"/g/{game}").form(f"/g/{game}/leave")).address == "/tables"
    assert bob.get(f"/g/{game}").status == 404


def test_the_host_begins_with_those_who_are_there(tables):
    game = tables.sit(tables.open("ann", seats=4), "bob", "cyd")
    ann, bob = browser_of(tables, "ann"), browser_of(tables, "bob")
    assert not any(form.action.endswith("/begin") for form in bob.get(f"/g/{game}").forms)
    form = ann.get(f"/g/{game}").form(f"/g/{game}/begin")
    assert ann.send(form).address == f"/g/{game}"
    assert tables.head(game).table.status == "running"


def test_a_host_whose_guests_are_all_here_is_asked_to_begin(tables):
    game, question = tables.open("ann", invite=["bob@people.example"]), "Everybody you invited is here. Begin?"
    assert question not in browser_of(tables, "ann").get(f"/g/{game}").words
    tables.sit(game, "bob")
    assert question in browser_of(tables, "ann").get(f"/g/{game}").words
    assert question not in browser_of(tables, "bob").get(f"/g/{game}").words


@pytest.mark.parametrize("what", ["seats", "begin", "leave"])
def test_a_form_that_is_sent_twice_leads_to_the_same_place_twice(tables, what):
    game = tables.sit(tables.open("ann", seats=4), "bob", "cyd")
    who = browser_of(tables, "dan" if what == "seats" else "ann")
    form = who.get(f"/g/{game}").form(f"/g/{game}/{what}")
    first, second = who.send(form), who.send(form)
    assert (first.status, first.address) == (second.status, second.address)


def test_a_table_that_filled_up_meanwhile_says_so(tables):
    game = tables.open("ann", seats=2)
    dan = browser_of(tables, "dan")
    form = dan.get(f"/g/{game}").form(f"/g/{game}/seats")
    tables.sit(game, "bob")
    page = dan.send(form)
    assert page.status == 409
    assert "No seat is free at this table." in page.words
    assert f"/g/{game}" in page.links


def test_a_table_that_closed_meanwhile_says_so(tables):
    game = tables.open("ann")
    dan = browser_of(tables, "dan", language="de")
    form = dan.get(f"/g/{game}").form(f"/g/{game}/seats")
    ann = browser_of(tables, "ann")
    ann.send(ann.get(f"/g/{game}").form(f"/g/{game}/leave"))
    assert dan.send(form).status == 409


def test_the_host_invites_more_people(tables):
    game = tables.open("ann")
    ann = browser_of(tables, "ann")
    page = ann.send(
        ann.get(f"/g/{game}").form(f"/g/{game}/invitations"), invite="bob@people.example, Cy <cyd@x.example>"
    )
    assert "2 people are invited and have not sat down yet." in page.words
    assert {notice["recipient"] for notice in tables.notices(kind="invitation")} == {
        "bob@people.example",
        "cyd@x.example",
    }


@pytest.mark.parametrize(
    "typed, said",
    [
        ("bob@people.example\nnonsense", "“nonsense” is no mail address: write it as name@example.org."),
        ("", "Write at least one mail address."),
        ('"onfocus=x', '“"onfocus=x” is no mail address'),
        ("a" * 5000, "That is too much: write mail addresses alone, one a line."),
    ],
)
def test_an_address_that_is_none_is_named_and_everything_typed_stays(tables, typed, said):
    game = tables.open("ann")
    ann = browser_of(tables, "ann")
    page = ann.send(ann.get(f"/g/{game}").form(f"/g/{game}/invitations"), invite=typed)
    assert page.status == 422
    assert said in page.words
    assert page.form(f"/g/{game}/invitations").fields["invite"] == typed
    assert tables.notices(kind="invitation") == []


def test_a_guest_declines_and_wants_no_more_of_this_host(tables):
    game = invited_to(tables)
    bob = browser_of(tables, "bob")
    page = bob.send(bob.get(f"/g/{game}").form(f"/g/{game}/decline"), never="yes")
    assert page.address == "/turns"
    again = invited_to(tables)
    assert [row for row in tables.notices(kind="invitation") if row["game_id"] == again] == []


def test_who_is_invited_is_on_a_seat_and_named_only_as_their_host_knows_them(tables):
    """The host reads the address they typed, or a name; whoever sits there that somebody is invited; others nothing."""
    game = tables.open("ann", seats=5, invite=["bob@people.example"], again=[tables.player("dan")])
    tables.sit(game, "cyd")
    kept = "kept for somebody who is invited"
    seen = {name: browser_of(tables, name).get(f"/g/{game}") for name in ("ann", "bob", "cyd", "eve")}
    assert "invited: bob@people.example" in seen["ann"].words
    assert "invited: dan" in seen["ann"].words
    assert "dan@people" not in seen["ann"].html
    assert {name: page.words.count(kept) for name, page in seen.items()} == {"ann": 0, "bob": 2, "cyd": 2, "eve": 0}
    assert not any("bob@people" in seen[name].html for name in ("bob", "cyd", "eve"))
    ann = browser_of(tables, "ann")
    ann.send(ann.get(f"/g/{game}").form(f"/g/{game}/leave"))
    next_host = browser_of(tables, "cyd").get(f"/g/{game}")
    assert next_host.words.count(kept) == 2
    assert "bob@people" not in next_host.html, "they are the words of another host"


def test_the_host_renames_the_table_and_whoever_sees_it_sees_its_name(tables):
    game = invited_to(tables)
    ann, bob = browser_of(tables, "ann"), browser_of(tables, "bob")
    form = ann.get(f"/g/{game}").form(f"/g/{game}/name")
    assert form.fields["name"] == "Lunch break"
    ann.send(form, name="Five Points")
    assert "Five Points" in bob.get(f"/g/{game}").words
    assert not any(form.action.endswith("/name") for form in bob.get(f"/g/{game}").forms)
    assert ann.send(form, name="<b>x").status == 409
    ann.send(form, name="")
    assert tables.head(game).name is None


def test_what_only_the_host_may_do_is_refused_to_others(tables):
    game = tables.sit(tables.open("ann", seats=4), "bob", "cyd")
    form = browser_of(tables, "bob").get(f"/g/{game}").form(f"/g/{game}/leave")
    bob = browser_of(tables, "bob")
    form = bob.get(f"/g/{game}").form(f"/g/{game}/leave")
    form.action = f"/g/{game}/begin"
    assert "Only the host of the table can start it." in bob.send(form).words


def test_a_game_under_way_shows_its_board(tables):
    game = tables.begin()
    assert browser_of(tables, "ann").get(f"/g/{game}").status == 200


def test_a_player_resigns_on_the_page_once_the_box_is_ticked(tables):
    game = tables.begin("ann", "bob", "cyd")
    bob, ann = browser_of(tables, "bob"), browser_of(tables, "ann")
    form = bob.get(f"/g/{game}").form(f"/g/{game}/resign")
    refused = bob.send(form)
    assert "Tick the box to resign" in refused.words
    assert not tables.head(game).table.chairs[1].vacant
    done = bob.send(form, sure="yes")
    assert "You have resigned" in done.words
    assert not any(form.action in (f"/g/{game}/resign", f"/g/{game}/seat") for form in done.forms)
    assert "bob resigns." in ann.get(f"/g/{game}").words
    ann.send(ann.get(f"/g/{game}").form(f"/g/{game}/resign"), sure="yes")
    cyd = browser_of(tables, "cyd").get(f"/g/{game}").words
    assert "cyd has won: all others have resigned or left" in cyd

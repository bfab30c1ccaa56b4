"""What waits for me: `/turns`, and the count of it in the navigation."""

from tests.service.web.browser import Browser


def ann_at(tables, **more):
    return Browser(tables.services, tables.player("ann"), **more)


def test_a_stranger_signs_in_first(tables):
    assert Browser(tables.services).client.get("/turns").headers["Location"] == "/sign-in?next=/turns"


def test_a_newcomer_is_shown_where_to_begin(tables):
    page = ann_at(tables).get("/turns")
    assert "two bots: they wait for you already" in page.words
    assert "/play" in [form.action for form in page.forms]
    assert page.html.count("Find a table</a>") == 1
    assert "/tables/new" in page.links


def test_what_waits_stands_first_with_what_is_asked_and_the_time_left(tables):
    game = tables.begin(clock={"per_move": "P3D"})
    tables.advance(hours=20)
    page = ann_at(tables).get("/turns")
    assert "1 decision waits for you" in page.words
    assert "Make your move" in page.words
    assert "2 days 4 hours left" in page.words
    assert f"/g/{game}" in page.links


def test_the_most_urgent_decision_comes_first(tables):
    tables.begin(clock={"per_move": "P3D"})
    urgent = tables.begin(clock={"per_move": "P1D"})
    page = ann_at(tables).get("/turns")
    assert next(link for link in page.links if link.startswith("/g/")) == f"/g/{urgent}"


def test_games_are_sorted_by_what_they_want(tables):
    going = tables.begin("ann", "bob", "cyd", name="Five Points")
    tables.open("ann", name="Lunch break")
    tables.move(going, 0, "hide 1")
    tables.open("bob", public=False, invite=["ann@people.example"], name="Bob's")
    words = ann_at(tables).get("/turns").words
    order = ["You are invited", "Bob's", "Others are to move", "Five Points", "Tables that wait", "Lunch break"]
    assert [words.index(text) for text in order] == sorted(words.index(text) for text in order)


def test_the_navigation_counts_what_waits_on_every_page(tables):
    tables.begin()
    tables.begin()
    page = ann_at(tables).get("/tables")
    assert "2 decisions wait" in page.words
    assert Browser(tables.services, tables.player("eve")).get("/tables").html.count("count") == 0


def test_an_invitation_is_accepted_and_declined_from_there(tables):
    one = tables.open("bob", public=False, invite=["ann@people.example"])
    other = tables.open("cyd", public=False, invite=["ann@people.example"])
    browser = ann_at(tables)
    joined = browser.send(browser.get("/turns").form(f"/g/{one}/seats"))
    assert joined.address == f"/g/{one}"
    assert "You sit at this table." in joined.words
    assert f"/g/{one}/seats" not in [form.action for form in browser.get("/turns").forms]
    declined = browser.send(browser.get("/turns").form(f"/g/{other}/decline"))
    assert declined.address == "/turns"
    assert f"#{other}" not in declined.words
    assert browser.get(f"/g/{other}").status == 404


def test_names_with_markup_are_text(tables):
    tables.rename("bob", "<b>Bob</b>")
    tables.begin("ann", "bob", "cyd")
    page = ann_at(tables).get("/turns")
    assert "<b>Bob" not in page.html
    assert "&lt;b&gt;Bob" in page.html


def test_a_game_that_ended_can_be_played_again(tables):
    game = tables.begin("ann", "bob", "cyd")
    for _ in range(60):
        if tables.head(game).table.status != "running":
            break
        tables.play_on(game)
    page = ann_at(tables).get("/turns")
    assert "Ended lately" in page.words
    assert f"/tables/new?rematch={game}" in page.links


def test_the_first_page_leads_members_to_their_turns(tables):
    assert ann_at(tables).client.get("/").headers["Location"] == "/turns"

"""The pages about oneself refuse what the API refuses, say why beside the field, and lose nothing that was typed."""

import json
import re

import pytest

from service.accounts import people, sign_in
from service.accounts.scopes import SCOPES
from service.notify import subscriptions
from service.store.people import players
from service.web.pages.me import access
from tests.service.web.browser import Browser

ANN = "ann@people.example"


@pytest.fixture
def ann(tables):
    return Browser(tables.services, tables.player("ann"))


def kept(tables, who="ann"):
    with tables.services.database.read() as connection:
        return players.by_id(connection, tables.ids[who])


def held(tables, kind, who="ann"):
    with tables.services.database.read() as connection:
        return [token for token in people.player_tokens(connection, tables.ids[who]) if token.kind == kind]


PAGES = ["/me", "/me/mail", "/me/feeds", "/me/leave", "/me/access", "/me/data"]


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_every_page_is_there_for_members_in_their_language(tables, ann, language):
    tables.change_profile("ann", language=language)
    for address in PAGES:
        page = ann.get(address)
        assert page.status == 200
        assert ("html", {"lang": language}) in page.tags
        assert [attrs["href"] for tag, attrs in page.tags if "aria-current" in attrs and tag == "a"][-1] == address
    stranger = Browser(tables.services)
    assert {stranger.client.get(address).headers["Location"] for address in PAGES} == {
        f"/sign-in?next={address}" for address in PAGES
    }


# Profile


def test_a_profile_changes_as_the_api_changes_it(tables, ann):
    form = ann.get("/me").form("/me")
    assert {name: form.fields[name] for name in ("name", "language", "timezone", "wakes_at")} == {
        "name": "ann", "language": "en", "timezone": "UTC", "wakes_at": "08:00",
    }  # fmt: skip
    page = ann.send(form, name="Änne  Müller", language="de", timezone="Europe/Berlin", wakes_at="06:30")
    assert (page.address, "Erledigt." in page.words) == ("/me", True)
    mine = kept(tables)
    assert (mine.name, mine.language, mine.timezone, mine.wakes_at) == ("Änne Müller", "de", "Europe/Berlin", 390)


BAD = [
    ("name", "", "A name has 1 to 40 characters."), ("name", "<b>" + "x" * 40, "A name has 1 to 40 characters."),
    ("name", "Wardroom", "is the service's own"), ("timezone", "Mars/Olympus", "That is no time zone"),
    ("language", "tlh", "Please choose one of these."), ("wakes_at", "25:00", "Write a time of day"),
    ("wakes_at", "", "Write a time of day"),
]  # fmt: skip


def test_what_cannot_be_taken_comes_back_with_its_sentence_and_all_that_was_typed(tables, ann):
    before, form = kept(tables), ann.get("/me").form("/me")
    for field, typed, sentence in BAD:
        page = ann.send(form, **{"name": "Cyd", "timezone": "Asia/Tokyo", field: typed})
        assert (page.status, sentence in page.words) == (422, True), (field, page.words)
        back = page.form("/me").fields
        assert back["name"] == (typed if field == "name" else "Cyd")
        assert back["timezone"] == (typed if field == "timezone" else "Asia/Tokyo")
    assert kept(tables) == before


def test_t5a_a_name_that_looks_like_a_companions_is_refused_beside_the_field(tables, ann):
    game = tables.open("ann")
    tables.sit(game, "bob")
    tables.change_profile("bob", name="Paul")
    page = ann.send(ann.get("/me").form("/me"), name="Pau1")
    assert (page.status, "looks like your name" in page.words) == (422, True)
    assert page.form("/me").fields["name"] == "Pau1"


# Mail


def test_what_mail_is_wanted_is_chosen_by_boxes(tables, ann):
    form = ann.get("/me/mail").form("/me/mail")
    assert {name for name, value in form.fields.items() if value == "yes"} == {"mail", "receipts"}
    del form.fields["receipts"]
    page = ann.send(form, secret_free="yes", quiet_turns="yes", calendar="yes", new_subjects="yes", digest="weekly")
    assert "Done." in page.words
    mine = kept(tables)
    assert (mine.mail, mine.secret_free, mine.quiet_turns, mine.calendar, mine.new_subjects) == (True,) * 5
    assert (mine.receipts, mine.digest) == (False, "weekly")
    assert ann.send(form, digest="hourly").status == 422


def test_rate11_an_address_that_was_given_up_is_tried_again_by_its_own_button_alone(tables, ann):
    tables.execute(
        "INSERT INTO mailboxes (address, score, scored_at, suppressed_at, reason) "
        "VALUES (:address, 9, 1, 1, '550 gone')",
        address=ANN,
    )
    page = ann.get("/me/mail")
    assert "550 gone" in page.words
    page = ann.send(page.form("/me/mail"), secret_free="yes")
    assert "none is sent any more" in page.words, "to save other wishes is not to ask for that"
    page = ann.send(page.form("/me/mail/again"))
    assert "none is sent any more" not in page.words


# Leave


def test_leave_is_announced_and_taken_back(tables, ann):
    page = ann.send(ann.get("/me/leave").form("/me/leave"), **{"from": "2031-03-06", "to": "2031-03-09"})
    assert "Thu 06 Mar 2031 to Sun 09 Mar 2031" in page.words
    page = ann.send(page.form("/me/leave/back"))
    assert "2031" not in page.words


@pytest.mark.parametrize("first, last, sentence", [
    ("2031-03-04", "2031-03-09", ""), ("2031-03-09", "2031-03-06", ""), ("", "2031-03-09", "Write a day as year"),
    ("2031-02-30", "2031-03-09", "Write a day as year"), ("x" * 99, "<b>", "Write a day as year"),
])  # fmt: skip
def test_leave_that_cannot_be_comes_back_as_it_was_typed(ann, first, last, sentence):
    page = ann.send(ann.get("/me/leave").form("/me/leave"), **{"from": first, "to": last})
    assert (page.status, sentence in page.words) == (422, True)
    assert [attrs for tag, attrs in page.tags if attrs.get("class") == "fault"]
    back = page.form("/me/leave").fields
    assert (back["from"], back["to"]) == (first, last)


# Ways in


def test_s21_sessions_are_listed_this_one_marked_and_ended_one_by_one_or_all_others(tables, ann):
    others = [Browser(tables.services, tables.player("ann"), app=ann.app) for _ in range(3)]
    others[0].client.get("/me", headers={"User-Agent": "x"})
    page = ann.get("/me/access")
    assert page.words.count("this browser") == 1
    ends = [form for form in page.forms if re.fullmatch("/me/access/tokens/t_[0-9a-z]+/end", form.action)]
    assert len(ends) == 4 + len(held(tables, "api"))
    mine = {form.action for form in ends} - {form.action for form in others[0].get("/me/access").forms}
    assert not mine, "each sees them all"
    ann.send(page.form("/me/access/others/end"))
    assert [browser.client.get("/me").status_code for browser in (ann, *others)] == [200, 303, 303, 303]
    assert held(tables, "api"), "and no token of the API"
    page = ann.get("/me/access")
    (own,) = held(tables, "session")
    page = ann.send(page.form(f"/me/access/tokens/{own.id}/end"))
    assert (page.address, ann.client.get("/me").status_code) == ("/", 303)
    assert ann.client.get_cookie("wardroom") is None


def test_s21_a_token_is_shown_once_and_opens_the_api_and_no_pages(tables, ann):
    page = ann.send(ann.get("/me/access").form("/me/access/tokens"), label="My <bot>")
    token = re.search(r"wr_[\w-]{43}", page.html)[0]
    assert token not in ann.get("/me/access").html
    assert "My <bot>" in ann.get("/me/access").words
    bearer = {"Authorization": f"Bearer {token}"}
    assert ann.client.get("/api/v1/me", headers=bearer).status_code == 200
    listed = ann.client.get("/api/v1/me/tokens", headers=bearer).json["items"]
    assert {item["kind"] for item in listed} == {"api", "session"}
    (mine,) = [item for item in listed if item["current"]]
    ann.send(ann.get("/me/access").form(f"/me/access/tokens/{mine['id']}/end"))
    assert ann.client.get("/api/v1/me", headers=bearer).status_code == 401


def test_a_token_may_do_what_is_ticked_for_as_long_as_is_chosen(tables, ann):
    form = ann.get("/me/access").form("/me/access/tokens")
    assert [scope for scope in SCOPES if scope in form.fields] == list(SCOPES), "as before, all of them"
    for scope in ("talk", "account"):
        del form.fields[scope]
    ann.send(form, label="bot", days="30")
    (kept,) = [token for token in held(tables, "api") if token.label == "bot"]
    assert (kept.scopes, kept.expires_at) == ("read play", kept.created_at + 30 * 24 * people.HOUR)
    words = ann.get("/me/access").words
    assert "may: read, play" in words
    for scope in ("read", "play"):
        del form.fields[scope]
    page = ann.send(form, label="none")
    assert (page.status, "Choose at least one thing" in page.words) == (422, True)
    assert not [scope for scope in SCOPES if scope in page.form("/me/access/tokens").fields], "as it was sent"
    assert ann.send(form, label="long", days="31", read="yes").status == 422


def test_a_label_that_is_none_is_refused_and_stays(tables, ann):
    for label, sentence in (("x" * 41, "At most 40 characters"), ("a\x07b", "No control characters")):
        page = ann.send(ann.get("/me/access").form("/me/access/tokens"), label=label)
        assert (page.status, sentence in page.words) == (422, True)
        assert page.form("/me/access/tokens").fields["label"] == label


def test_nobody_ends_the_token_or_the_session_of_another(tables, ann):
    tables.player("bob")
    (bobs,) = held(tables, "api", "bob")
    (form,) = [form for form in ann.get("/me/access").forms if form.action.endswith("others/end")] or [None] * 1
    form = ann.get("/me/access").form("/me/access/tokens")
    for identity in (bobs.id, "x", "%00", "é"):
        form.action = f"/me/access/tokens/{identity}/end"
        ann.send(form)
    assert held(tables, "api", "bob") == [bobs]


def test_a_webhook_is_added_told_its_secret_once_changed_and_deleted(tables, ann):
    form = ann.get("/me/access").form("/me/access/webhooks")
    page = ann.send(form, url="http://bot.example/x")
    assert (page.status, "begins with https://" in page.words) == (422, True)
    assert page.form("/me/access/webhooks").fields["url"] == "http://bot.example/x"
    form.fields.pop("reminder")
    page = ann.send(form, url="https://bot.example/turns")
    secret = re.search(r"whsec_\S+(?=<)", page.html)[0]
    page = ann.get("/me/access")
    assert (secret in page.html, "https://bot.example/turns" in page.words) == (False, True)
    (base,) = {form.action.rpartition("/")[0] for form in page.forms if form.action.endswith("/delete")}
    again = ann.send(page.form(f"{base}/secret"))
    assert re.search(r"whsec_\S+(?=<)", again.html)[0] != secret
    assert ann.send(page.form(f"{base}/test")).status == 200
    assert told(tables) == set(subscriptions.EVENTS) - {"reminder"}
    for event in page.form(f"{base}/events").fields.keys() & {"turn", "deadline-passed", "operator-act"}:
        page.form(f"{base}/events").fields.pop(event)
    page = ann.send(page.form(f"{base}/events"))
    assert told(tables) == {"game-over"}
    assert "told only: game-over" in page.words
    page.form(f"{base}/events").fields.pop("game-over")
    page = ann.send(page.form(f"{base}/events"))
    assert (page.status, "Choose at least one thing" in page.words) == (422, True)
    assert told(tables) == {"game-over"}
    page = ann.send(page.form(f"{base}/delete"))
    assert "bot.example" not in page.words


def test_a_webhook_that_is_told_nothing_is_not_added(tables, ann):
    form = ann.get("/me/access").form("/me/access/webhooks")
    for event in subscriptions.EVENTS:
        form.fields.pop(event)
    page = ann.send(form, url="https://bot.example/turns")
    assert (page.status, "Choose at least one thing" in page.words) == (422, True)
    again = page.form("/me/access/webhooks").fields
    assert (again["url"], again.keys() & subscriptions.EVENTS.keys()) == ("https://bot.example/turns", set())
    page = ann.send(page.form("/me/access/webhooks"), turn="yes")
    assert told(tables) == {"turn"}


def test_nobody_chooses_for_the_webhook_of_another(tables, ann):
    page = ann.send(ann.get("/me/access").form("/me/access/webhooks"), url="https://bot.example/turns")
    (hook,) = [form.action.split("/")[-2] for form in page.forms if form.action.endswith("/events")]
    bob = Browser(tables.services, tables.player("bob"))
    form = bob.get("/me/access").form("/me/access/webhooks")
    form.fields.pop("turn")
    for number, status in ((hook, 200), ("é", 404)):
        form.action = f"/me/access/webhooks/{number}/events"
        assert bob.send(form).status == status
    assert told(tables) == set(subscriptions.EVENTS)


def test_every_event_of_a_webhook_is_explained():
    assert list(access.TOLD) == list(subscriptions.EVENTS)


def told(tables):
    """What the one webhook of ann is told."""
    with tables.services.database.read() as connection:
        (hook,) = subscriptions.list_subscriptions(tables.services, connection, tables.ids["ann"])
    return set(hook.events)


# My data


def test_everything_kept_is_given_out_sessions_too_without_their_secrets(ann):
    answer = ann.client.get("/me/data/export", headers=ann.headers)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="wardroom-me.json"'
    document = json.loads(answer.text)
    assert {row["kind"] for row in document["tokens"]} == {"api", "session"}
    assert ann.client.get_cookie("wardroom").value not in answer.text


def test_s50_one_is_erased_with_the_mailed_code_and_not_without(tables, ann):
    form = ann.get("/me/data").form("/me/data/erase")
    page = ann.send(form, email="bob@people.example")
    assert (page.status, f"That is not your address: write {ANN}." in page.words) == (422, True)
    page = ann.send(form, email=ANN.upper())
    assert "Nothing is erased yet" in page.words
    sign_in.post_codes(tables.services)
    tables.deliver()
    wrong = ann.send(page.form("/me/data/erase"), code="wrongone")
    assert (wrong.status, "Nothing is erased: this code is wrong" in wrong.words) == (422, True)
    assert kept(tables) is not None
    fields = wrong.form("/me/data/erase").fields | {"code": tables.code_of(tables.carrier.letters[-1])}
    answer = ann.client.post("/me/data/erase", data=fields, headers=ann.headers)
    assert (answer.status_code, "are gone" in answer.text) == (200, True)
    assert answer.headers["Clear-Site-Data"] == '"cache", "storage"'
    assert ann.client.get_cookie("wardroom") is None
    assert kept(tables) is None
    assert held(tables, "session") == []


def test_a_form_about_oneself_whose_session_is_over_leads_through_the_sign_in(tables, ann):
    form = ann.get("/me").form("/me")
    tables.execute("DELETE FROM tokens")
    page = ann.send(form, name="Dora")
    assert page.status == 401
    waiting = ann.send(page.form("/sign-in"), email=ANN)
    sign_in.post_codes(tables.services)
    tables.deliver()
    page = ann.send(waiting.form("/sign-in/code"), code=tables.code_of(tables.carrier.letters[-1]))
    assert "Done." in ann.send(page.form("/me")).words
    assert kept(tables).name == "Dora"

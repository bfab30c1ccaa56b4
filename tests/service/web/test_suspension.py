"""A player whom the operator keeps out: refused with the reason on pages, by programs, in feeds and by mail."""

import json

import pytest

from service.accounts import sign_in
from service.container import Services
from service.operator import journal, people
from service.operator.journal import Operator
from tests.letters import text_of
from tests.service.web.browser import Browser
from tests.tables import Tables
from tests.workers.mail_tables import mail_tables
from tests.workers.worker_tables import manual_clock

__all__ = ["mail_tables", "manual_clock"]
WHY = "Insults at two tables."


def suspend(services: Services, player: str, until: int | None = None) -> None:
    journal.act(services, Operator("carla", WHY), lambda tx: people.suspend(services, tx, player, until))


def lift(services: Services, player: str) -> None:
    journal.act(services, Operator("carla", "Enough."), lambda tx: people.lift(services, tx, player))


@pytest.fixture
def ann(tables: Tables) -> Browser:
    """A browser in which ann is signed in."""
    return Browser(tables.services, tables.player("ann"))


def test_a_session_is_told_why_once_and_is_over(tables, ann):
    suspend(tables.services, tables.ids["ann"])
    page = ann.get("/turns")
    assert page.status == 403
    assert WHY in page.words
    assert "whom to ask" in page.words
    assert ann.get("/").status == 200, "what anybody may read, they may"
    lift(tables.services, tables.ids["ann"])
    assert ann.get("/sign-in").status == 200


def test_the_reason_is_said_in_the_language_of_the_browser(tables, ann):
    until = tables.clock.at + 86_400_000_000
    suspend(tables.services, tables.ids["ann"], until)
    answer = ann.client.get("/turns", headers={"Accept": "text/html", "Accept-Language": "de"})
    assert "Der Betreiber dieses Dienstes schließt dich bis 2031-" in answer.get_data(as_text=True)


def test_nobody_signs_in_while_they_are_kept_out_and_the_code_is_not_lost(tables):
    player = tables.player("ann")
    suspend(tables.services, player)
    stranger = Browser(tables.services)
    waiting = stranger.send(stranger.get("/sign-in").form("/sign-in"), email="ann@people.example")
    sign_in.post_codes(tables.services)
    tables.deliver()
    code = tables.code_of(tables.carrier.letters[-1])
    refused = stranger.send(waiting.form("/sign-in/code"), code=code)
    assert (refused.status, WHY in refused.words) == (403, True)
    lift(tables.services, player)
    assert stranger.send(waiting.form("/sign-in/code"), code=code).status == 200


def test_a_program_is_told_in_a_problem_and_may_still_ask_for_what_is_kept_and_be_erased(tables):
    with tables.services.database.write() as tx:
        from service.accounts.people import token_for

        token = token_for(tables.services, tx, "ann@people.example", "ann")
    player = tables.player("ann")
    client, bearer = Browser(tables.services).client, {"Authorization": f"Bearer {token}"}
    until = tables.clock.at + 86_400_000_000
    suspend(tables.services, player, until)
    for method, path in (("get", "/api/v1/me"), ("post", "/api/v1/games"), ("get", "/api/v1/games")):
        answer = getattr(client, method)(path, headers=bearer)
        assert (answer.status_code, answer.json["code"], answer.json["why"]) == (403, "suspended", WHY)
        assert answer.json["until"].startswith("2031-")
    assert client.get("/api/v1/me/export", headers=bearer).status_code == 200
    asked = client.delete("/api/v1/me", headers=bearer, json={"email": "ann@people.example"})
    assert asked.status_code == 202
    tables.clock.at = until
    assert client.get("/api/v1/me", headers=bearer).status_code == 200, "it ends by itself"


def test_a_code_makes_no_token(tables):
    suspend(tables.services, tables.player("ann"))
    client = Browser(tables.services).client
    asked = client.post("/api/v1/tokens", json={"email": "ann@people.example"})
    sign_in.post_codes(tables.services)
    tables.deliver()
    code = tables.code_of(tables.carrier.letters[-1])
    given = {"email": "ann@people.example", "code": code, "request": asked.json["request"]}
    assert client.post("/api/v1/tokens", json=given).json["code"] == "suspended"


def test_feeds_are_refused(tables, ann):
    page = ann.send(ann.get("/me/feeds").form("/me/feeds"))
    path = next(tag["value"] for name, tag in page.tags if name == "input" and "readonly" in tag)
    suspend(tables.services, tables.ids["ann"])
    address = "/feeds/" + path.rpartition("/feeds/")[2]
    answer = Browser(tables.services).client.get(address)
    assert (answer.status_code, json.loads(answer.data)["code"]) == (403, "suspended")


def test_a_move_by_mail_is_refused_and_nothing_of_it_is_done(mail_tables: Tables):
    game = mail_tables.begin("ann", "bob", "cyd")
    mail_tables.exchange()
    mover = ("ann", "bob", "cyd")[mail_tables.awaited(game)[0]]
    suspend(mail_tables.services, mail_tables.ids[mover])
    before = mail_tables.head(game).version
    number = mail_tables.reply(mover, "say hello")
    mail_tables.exchange()
    assert mail_tables.mail_state(number) == "held"
    told = " ".join(text_of(mail_tables.letters_to(mover)[-1]).split())
    assert "The operator of this service keeps you out for now" in told
    assert mail_tables.head(game).version == before

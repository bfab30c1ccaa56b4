"""One id leads from a request to its events, and to the mail, the call and the thought of a bot that come of it."""

import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from config.logging import configure
from domain.engine.bots import Bot
from service.accounts import people
from service.container import Services
from service.kernel import request_ids
from service.kernel.clock import SECOND
from service.kernel.measures import SUM
from service.notify import subscriptions
from service.store.games import thoughts
from tests.apps import app_of
from tests.letters import Carrier
from tests.manual_clock import ManualClock
from tests.tables import Tables
from tests.thinking import think_all
from tests.workers.channels.test_destinations import Server
from workers.channels.http_client import Answer
from workers.mail_out.transport import Away, Deferred
from workers.webhooks.channel import deliver as call_webhooks


@pytest.fixture
def tables(migrated_sqlite: str, open_services: Callable[..., Services]) -> Tables:
    clock = ManualClock()
    return Tables(open_services(migrated_sqlite, clock=clock), clock)


@pytest.fixture
def lines(settings_with) -> Iterator[Callable[..., list[dict[str, Any]]]]:
    """The lines of the log so far with these facts."""
    text = io.StringIO()
    configure(settings_with(LOG_FORMAT="json", LOG_LEVEL="info"), text)

    def find(**facts: Any) -> list[dict[str, Any]]:
        found = [json.loads(line) for line in text.getvalue().splitlines()]
        return [line for line in found if facts.items() <= line.items()]

    yield find
    request_ids._work.set(None)


def signed_in(tables: Tables, name: str) -> tuple[FlaskClient, dict[str, str]]:
    with tables.services.database.write() as tx:
        token = people.token_for(tables.services, tx, f"{name}@people.example", name)
    return app_of(tables.services).test_client(), {"Authorization": f"Bearer {token}"}


def takes_turn(tables: Tables, game: str, name: str, **headers: str) -> str:
    """Somebody moves by REST until it is another's turn. The id of the last request."""
    client, mine = signed_in(tables, name)
    (seat,) = tables.awaited(game)
    while tables.awaited(game) == [seat]:
        legal = tables.legal(game, seat)
        text = "end" if "end" in legal else legal[0]
        done = client.post(f"/api/v1/games/{game}/moves", json={"text": text}, headers=mine | headers)
        assert done.status_code == 201, done.text
    return done.headers["X-Request-Id"]


def causes(tables: Tables, game: str, after: int = 0) -> set[str]:
    with tables.services.database.read() as connection:
        seen = tables.services.streams.seen(connection, game, None, after=after, upto=9999)
    return {event["cause"] for event in seen}


def begin(tables: Tables) -> str:
    """A game in which it is Ann's turn, then that of Bob, who has a program, then a bot's."""
    tables.player("bob")
    with tables.services.database.write() as tx:
        subscriptions.register(tables.services, tx, tables.ids["bob"], "https://bot.example/turns")
    game = tables.begin("ann", "bob", bots=[Bot(2)], kind="tammany-hall")
    while tables.awaited(game) != [0]:
        if tables.awaited(game) == [1]:
            tables.play_on(game)
        else:
            think_all(tables.services)
    tell(tables)
    return game


def tell(tables: Tables) -> None:
    """What is due goes out."""
    tables.deliver(Carrier())
    call_webhooks(tables.services, lambda *_: Answer(200, None), lanes=1)


def test_a_move_is_followed_to_the_mail_and_the_call_that_tell_of_it(tables, lines):
    game = begin(tables)
    id = takes_turn(tables, game, "ann")
    tell(tables)
    assert id in causes(tables, game)
    request, *told = lines(request_id=id)
    assert (request["event"], request["operation"], request["status"]) == ("request", "moves.Moves", 201)
    assert sorted((line["event"], line["channel"], line["kind"], line["verdict"]) for line in told) == [
        ("delivery", "mail", "your-turn", "sent"), ("delivery", "webhook", "your-turn", "sent"),
    ]  # fmt: skip


def test_a_move_is_followed_to_the_bot_that_thinks_because_of_it_and_the_mail_about_what_that_did(tables, lines):
    game = begin(tables)
    takes_turn(tables, game, "ann")
    id = takes_turn(tables, game, "bob")
    before = tables.head(game).version
    think_all(tables.services)
    tell(tables)
    assert tables.awaited(game) == [0]
    assert lines(request_id=id, event="a bot has played", game=game)
    assert lines(request_id=id, event="delivery", kind="your-turn", verdict="sent")
    assert id not in causes(tables, game, before), "each commit has a cause of its own (Q-6)"


@pytest.mark.parametrize("proxies, given, taken", [
    ("1", "7f9c2ba4e88f827d616045507605853e", True), ("1", "a.b-c_d" * 9, True), ("0", "7f9c2ba4e88f827d", False),
    ("1", "short", False), ("1", "x" * 65, False), ("1", 'with "quotes" in it', False),
    ("1", "a@people.example", False),
])  # fmt: skip
def test_the_id_of_a_proxy_that_is_trusted_is_taken_where_it_is_well_formed(
    migrated_sqlite, open_services, lines, proxies, given, taken
):
    clock = ManualClock()
    tables = Tables(open_services(migrated_sqlite, clock=clock, TRUSTED_PROXIES=proxies), clock)
    game = begin(tables)
    before = tables.head(game).version
    id = takes_turn(tables, game, "ann", **{"X-Request-Id": given})
    assert (id == given) == taken
    assert (id in causes(tables, game, before)) != taken, "no text of a client is in a history (Q-6)"
    tell(tables)
    assert lines(request_id=id, event="delivery")


def test_every_request_has_an_id_of_its_own_also_one_that_fails(tables, lines):
    client, mine = signed_in(tables, "ann")
    answers = [client.get(path, headers=mine) for path in ("/healthz", "/nothing", "/api/v1/games/none", "/api/v1/me")]
    ids = [answer.headers["X-Request-Id"] for answer in answers]
    assert len(set(ids)) == 4
    assert [line["status"] for line in lines(event="request")] == [answer.status_code for answer in answers]
    assert [line["request_id"] for line in lines(event="request")] == ids


def test_a_line_of_a_request_has_neither_query_nor_address_nor_token(tables, lines):
    client, mine = signed_in(tables, "ann")
    client.get("/api/v1/games?after=c4nary", headers=mine, environ_overrides={"REMOTE_ADDR": "203.0.113.7"})
    (line,) = lines(event="request")
    text = json.dumps(line)
    assert not any(secret in text for secret in ("c4nary", "203.0.113.7", mine["Authorization"].split()[1], "ann"))
    assert line["path"] == "/api/v1/games"


def test_an_answer_by_mail_is_a_piece_of_work_with_an_id_of_its_own(migrated_sqlite, open_services, lines):
    clock = ManualClock()
    mail_tables = Tables(open_services(migrated_sqlite, clock=clock, AUTHSERV_ID="mx.play.example"), clock)
    game = mail_tables.begin("ann", "bob")
    mail_tables.exchange()
    number = mail_tables.reply("ann", "hide 0")
    mail_tables.exchange()
    (done,) = lines(event="mail done", mail=number)
    told = lines(request_id=done["request_id"], event="delivery")
    assert {line["kind"] for line in told} & {"answer", "confirm"}
    assert {line["game"] for line in told} == {game}


def test_a_deadline_and_the_mails_about_it_have_one_id(tables, lines):
    game = tables.begin("ann", "bob")
    tables.deliver()
    tables.advance(days=5)
    tables.record_sweep()
    assert tables.sweep()
    (passed, *_) = lines(event="a deadline has passed", game=game)
    tables.deliver()
    assert passed["request_id"] in causes(tables, game)
    assert lines(event="delivery", request_id=passed["request_id"])
    samples = tables.services.measures.take()
    assert samples["wardroom_deadline_lateness_seconds", (), SUM] == pytest.approx(passed["late"] * SECOND, rel=2)


def test_thoughts_that_were_begun_before_have_no_id_and_are_thought(tables, lines):
    tables.begin("ann", bots=[Bot(2)])
    with tables.services.database.read() as connection:
        assert connection.execute(thoughts.thoughts.select()).first().request_id is None
    assert think_all(tables.services)


# How late


def lateness(tables: Tables) -> float:
    """Seconds by which the mails were late that were sent since this was asked."""
    return tables.services.measures.take().get(("wardroom_delivery_lateness_seconds", ("mail",), SUM), 0) / SECOND


def test_mail_is_late_since_it_was_first_due_whatever_it_was_put_off_for(tables):
    tables.begin("ann", "bob")
    tables.deliver(Carrier())
    lateness(tables)
    tables.begin("ann", "bob")
    server = Server()
    server.minds["ann"] = Deferred("452 4.2.2 mailbox full")
    tables.deliver(server)
    assert lateness(tables) == 0, "bob's went at once"
    server.minds.clear()
    tables.advance(minutes=20)
    tables.deliver(server)
    assert lateness(tables) == 20 * 60


def test_mail_is_late_for_as_long_as_its_server_is_away(tables):
    tables.begin("ann", "bob")
    server = Server()
    server.mishap = Away("it cannot be reached")
    for _ in range(6):
        tables.deliver(server)
        tables.advance(seconds=600)
    server.mishap = None
    tables.deliver(server)
    assert lateness(tables) == 2 * 3600


def test_mail_that_is_held_back_on_purpose_is_not_late(tables):
    tables.rename("ann", "Ann", timezone="UTC")
    tables.change_profile("ann", quiet_turns=True)
    tables.clock.advance(hours=11)
    tables.begin("ann", "bob", clock={"per_move": "P3D", "grace": "PT10M", "strikes": 2})
    tables.deliver()
    lateness(tables)
    assert tables.states(state="queued"), "at night"
    tables.advance(hours=9)
    tables.deliver()
    assert lateness(tables) < 3600

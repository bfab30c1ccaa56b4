"""What all requests go through: headers at the edge, and the connection that is kept from the token to the view."""

import threading

from werkzeug.test import create_environ, run_wsgi_app

from service.api.http.application import ADDED, with_headers

USUAL = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


def sent(headers, added):
    """The headers of an answer that has these itself, and for which those were added."""

    def app(environ, start_response):
        for some in added:
            environ[ADDED].update(some)
        start_response("200 OK", [("Content-Type", "text/plain"), *headers])
        return [b""]

    return run_wsgi_app(with_headers(app, USUAL), create_environ())[2].to_wsgi_list()


def test_an_answer_has_the_usual_headers_that_it_lacks():
    assert sent([], []) == [("Content-Type", "text/plain"), *USUAL.items()]
    own = ("Cache-Control", "public, max-age=5")
    assert sent([own], []) == [("Content-Type", "text/plain"), own, ("X-Content-Type-Options", "nosniff")]


def test_what_is_added_twice_is_sent_once_and_takes_the_place_of_a_usual_one():
    got = sent([], [{"X-Request-Id": "first"}, {"X-Request-Id": "second", "Cache-Control": "public"}])
    assert [value for name, value in got if name == "X-Request-Id"] == ["second"]
    assert [value for name, value in got if name == "Cache-Control"] == ["public"]


def test_an_answer_has_each_header_once(sqlite_api):
    ann = sqlite_api.player("ann")
    for answer in (sqlite_api.get("/me", ann), sqlite_api.get("/nothing", ann), sqlite_api.get("/games/none", ann)):
        names = [name.lower() for name, _ in answer.headers]
        assert len(names) == len(set(names)), names


def test_head_takes_the_query_that_get_takes(sqlite_api):
    ann = sqlite_api.player("ann")
    for path in ("/me/events?limit=100", "/games?status=open&limit=2"):
        sqlite_api.send("HEAD", path, ann).ok()
    assert sqlite_api.send("HEAD", "/me?limit=100", ann).status == 400


def test_a_request_gives_its_connection_back_whatever_it_did_with_it(api):
    ann = api.player("ann")
    database = api.services.database
    for path in ("/me", "/nothing", "/games/none", "/rulesets"):
        api.get(path, ann)
        assert database.pool_status().in_use == 0, path
    with database.read(keep=True):
        pass
    assert database.pool_status().in_use == 1
    with database.write() as tx:
        assert database.pool_status().in_use == 1
        assert not tx.readonly
    assert database.pool_status().in_use == 0


def test_t_22_who_waits_for_the_ticket_keeps_no_connection_from_others(sqlite_api):
    database = sqlite_api.services.database
    wrote, waits = threading.Event(), threading.Event()
    ticket, let_go = database._ticket, database.let_go
    ticket.let_go = lambda: (let_go(), waits.set())

    def write():
        with database.read(keep=True):
            pass
        with database.write():
            wrote.set()

    with database.alone():
        waiting = threading.Thread(target=write)
        waiting.start()
        assert waits.wait(60)
        assert database.pool_status().in_use == 0
        assert not wrote.is_set()
    waiting.join(60)
    assert wrote.is_set()

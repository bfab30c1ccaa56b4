"""No statement that runs periodically, or lists something, looks at every row of a table that grows with the games."""

from bench.pages import sign_in
from service.accounts import people
from service.web.metrics.gauges import of_the_database
from tests.apps import app_of
from tests.plans import recorded, scans
from workers import sweep
from workers.push import channel as push
from workers.webhooks import channel as webhooks


def test_a13_no_periodic_job_looks_at_all_rows(tables):
    tables.begin("ann", "bob", "cyd")
    services = tables.services
    tables.deliver()
    tables.clock.advance(days=2)  # audits are due
    with recorded(services.database) as ran:
        sweep.sweep(services, tables.carrier)
        sweep.write_log(services)
        sweep.housekeep(services)
        services.reporter.report()
        webhooks.deliver(services)
        push.deliver(services)
        with services.database.read() as connection:
            list(of_the_database(services, connection))
    found = scans(services.database, ran)
    assert len(ran) > 50
    assert any("FROM leaves" in each.sql for each in ran), "a game is audited"
    for sql, names in found.items():
        print(sorted(names), sql, "\n")
    assert found == {}


QUERIES = {
    "/api/v1/games": [
        "status=open", "status=running", "status=finished", "mine=true", "mine=true&status=running", "order=moved",
        "mine=true&order=moved", "mine=true&result=won", "awaiting=me", "seats=2", "bots=with", "search=nobody",
        "ruleset=city-hall", "ruleset=city-hall&status=running",
    ],
    "/games": ["status=finished"],
}  # fmt: skip
ELSEWHERE = {"/api/v1/me/export", "/me/data/export", "/metrics", "/turns/asked"}
"""What looks at all that there is of one person, or of the service; and what waits."""


KNOWN = {
    "order=moved": "an index with the time of the last move would change with every move; own games are sorted",
    "search=nobody": "words are in the midst of names, and there are fewer players than games",
    "bots=with": "goes by newest games until a page is full, or by seats of bots: as the database thinks best",
}
"""Lists that look at more than they show, and why."""


def addresses(app, game):
    """Every address that shows something without being told of what, and what there is of a game."""
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.rule in ELSEWHERE:
            continue
        if not rule.arguments or (rule.arguments == {"game"} and not rule.rule.endswith(("/news", ".png"))):
            address = rule.rule.replace("<string:game>", game)
            yield from (address, *(f"{address}?{query}" for query in QUERIES.get(address, ())))


def test_a13_nothing_that_lists_looks_at_all_rows(tables):
    game = tables.begin("ann", "bob", "cyd", kind="city-hall")
    services, app = tables.services, app_of(tables.services)
    with services.database.write() as tx:
        token = people.token_for(services, tx, "ann@people.example", "ann")
    page, own = app.test_client(), {"Authorization": f"Bearer {token}"}
    sign_in(app, page, services, tables.ids["ann"])
    found = {}
    for address in addresses(app, game):
        with recorded(services.database) as ran:
            answer = page.get(address, headers=own if address.startswith("/api") else {})
            assert answer.status_code != 500, address
        for sql, names in scans(services.database, ran).items():
            found[address, sql] = names
    for (address, sql), names in found.items():
        print(sorted(names), address, sql, "\n")
    assert {address.partition("?")[2] for address, _ in found} <= set(KNOWN), "see above"

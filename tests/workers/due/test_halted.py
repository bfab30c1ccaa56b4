"""A game that is stopped keeps its deadlines, mails and messages; the workers go on with all others (A-20, A-21)."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from service.clocks import outages
from service.integrity import alarm, audit_rounds
from service.integrity.audit import audit_game
from service.notify import subscriptions
from service.store.halted import why_halted
from tests.apps import app_of
from tests.service.integrity.test_audit import owner_runs
from tests.workers.office import Office
from tests.workers.post import Post
from workers.sweep import housekeep, sweep, sweep_deadlines, sweep_digests, sweep_reminders
from workers.webhooks import channel
from workers.webhooks.http_client import Answer

SPOIL = "UPDATE leaves SET sealed = :junk WHERE game_id = :game AND version = 1"
MEND = "UPDATE leaves SET sealed = :was WHERE game_id = :game AND version = 1"
LONG = {"per_move": "P9D", "grace": "PT10M", "reminders": []}
CLOCK = {"per_move": "P1D", "grace": "PT10M", "reminders": ["PT6H"], "strikes": 9}


@pytest.fixture(autouse=True)
def _looked_at_nothing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(alarm, "_looked", {})
    with capture_logs():  # pictures of tracebacks take seconds
        yield


def spoil(office: Office, game: str) -> bytes:
    """A leaf and the state are changed: nobody can open this game. What the leaf was."""
    with office.services.database.read() as connection:
        was: bytes = connection.execute(
            sa.text("SELECT sealed FROM leaves WHERE game_id = :game AND version = 1"), {"game": game}
        ).scalar_one()
    owner_runs(office, SPOIL, game=game, junk=was[:-1] + bytes([was[-1] ^ 1]))
    owner_runs(office, "UPDATE games SET state = :none WHERE id = :game", game=game, none=b"")
    return was


def stopped(office: Office, game: str) -> str | None:
    with office.services.database.read() as connection:
        return why_halted(connection, game)


def kinds(office: Office, game: str, state: str) -> list[str]:
    return sorted({row["kind"] for row in office.notices(game_id=game, state=state)})


def test_a20_the_sweep_stops_a_game_it_cannot_open_and_nothing_of_it_expires(office: Office) -> None:
    broken, sound = office.begins(clock=CLOCK), office.begins(clock=CLOCK)
    office.delivers()
    was = spoil(office, broken)
    office.hands.advance(days=1, minutes=11)
    sweep_deadlines(office.services)
    assert stopped(office, broken) == "event 1: It cannot be opened: sealed data was changed, or belongs elsewhere."
    assert kinds(office, sound, "queued") == ["deadline-passed", "your-turn"]
    before = office.notices(game_id=broken)
    office.delivers()
    for _ in range(3):
        office.hands.advance(hours=3)
        sweep(office.services, office.carrier)
    assert office.notices(game_id=broken) == before
    with office.services.database.read() as connection:
        assert outages.status(office.services.database, connection).due == 0, "they wait for nobody"
    owner_runs(office, MEND, game=broken, was=was)
    assert audit_game(office.services, broken, release=True).released
    assert sweep_deadlines(office.services) == 3, "their time was over before it stopped"


def test_a20_mails_of_a_stopped_game_wait_and_are_sent_when_it_goes_on(office: Office) -> None:
    broken, sound = office.begins(clock=CLOCK), office.begins(clock=CLOCK)
    was = spoil(office, broken)
    assert office.delivers() == 3
    assert stopped(office, broken) is not None
    assert office.states(game_id=sound) == {"sent": 3}
    assert office.states(game_id=broken) == {"queued": 3}
    attempts = [row["attempts"] for row in office.notices(game_id=broken)]
    office.hands.advance(hours=21)
    sweep_reminders(office.services)
    office.delivers()
    assert kinds(office, sound, "sent") == ["reminder", "your-turn"]
    assert [row["attempts"] for row in office.notices(game_id=broken)] == attempts, "nobody spins on them"
    ready = app_of(office.services).test_client().get("/readyz").json["checks"]
    assert next(check for check in ready if check["what"] == "mail")["ok"]
    owner_runs(office, MEND, game=broken, was=was)
    audit_game(office.services, broken, release=True)
    office.delivers()
    assert kinds(office, broken, "sent") == ["your-turn"]


def test_a20_nothing_goes_out_about_a_stopped_game_that_could_still_be_read(office: Office) -> None:
    broken, sound = office.begins(clock=CLOCK), office.begins(clock=CLOCK)
    change = "UPDATE events SET hash = upper(hash) WHERE game_id = :game AND version = 2"
    owner_runs(office, change, game=broken)
    assert audit_game(office.services, broken).halted
    assert office.delivers() == 3
    assert (office.states(game_id=broken), office.states(game_id=sound)) == ({"queued": 3}, {"sent": 3})
    assert {row["attempts"] for row in office.notices(game_id=broken)} == {0}
    assert sweep_reminders(office.services) == 0


def test_a20_a_mail_about_a_stopped_game_waits_to_be_read(post: Post) -> None:
    broken, sound = post.begins("ann", "bob", clock=CLOCK), post.begins("cyd", "dan", clock=CLOCK)
    post.round()
    was = spoil(post, broken)
    waits, done = post.answers("ann", "hide 1"), post.answers("cyd", "hide 1")
    post.works()
    assert (post.state(waits), post.state(done)) == ("received", "applied")
    for _ in range(5):
        post.hands.advance(minutes=11)
        post.works()
    assert (post.state(waits), post.mails(id=waits)[0]["attempts"]) == ("received", 0)
    checks = app_of(post.services).test_client().get("/readyz").json["checks"]
    assert next(check for check in checks if check["what"] == "answers")["ok"]
    owner_runs(post, MEND, game=broken, was=was)
    audit_game(post.services, broken, release=True)
    post.hands.advance(minutes=11)
    post.works()
    assert post.state(waits) == "applied"
    assert post.head(broken).table.game.hands[0] == 1
    assert post.head(sound).version > 0


def test_a20_webhooks_are_told_of_other_games_and_stay_on(post: Post) -> None:
    ann = post.person("ann")
    with post.services.database.write() as tx:
        subscriptions.register(post.services, tx, ann, "https://bot.example/")
    broken, sound = post.begins("ann", "bob", clock=CLOCK), post.begins("ann", "bob", clock=CLOCK)
    was = spoil(post, broken)
    assert audit_game(post.services, broken).halted
    told: list[bytes] = []

    def takes(*message: Any) -> Answer:
        told.append(message[2])
        return Answer(200, None)

    channel.deliver(post.services, takes)
    assert [sound.encode() in body for body in told] == [True]
    owner_runs(post, MEND, game=broken, was=was)
    audit_game(post.services, broken, release=True)
    post.hands.advance(hours=1)
    channel.deliver(post.services, takes)
    assert [broken.encode() in body for body in told] == [False, True]


def test_a20_a_digest_tells_of_the_other_games(post: Post) -> None:
    post.person("ann")
    post.changes("ann", digest="daily")
    sweep_digests(post.services)
    post.hands.advance(seconds=1)
    broken, sound = post.begins("ann", "bob", clock=LONG), post.begins("ann", "bob", clock=LONG)
    post.delivers()
    spoil(post, broken)
    for _ in range(2):
        post.hands.advance(hours=21)
        sweep_digests(post.services)
        post.delivers()
    text = post.text("ann", "digest")
    assert sound in text
    assert broken not in text


def test_a13_housekeeping_finds_what_nobody_has_tripped_over(office: Office) -> None:
    broken, sound = office.begins(clock={**CLOCK, "per_move": "P9D"}), office.begins(clock=CLOCK)
    owner_runs(office, "UPDATE events SET hash = upper(hash) WHERE game_id = :game AND version = 2", game=broken)
    housekeep(office.services)
    assert stopped(office, broken) is None, "it was opened today"
    office.hands.advance(days=1)
    housekeep(office.services)
    assert (stopped(office, broken) or "").startswith("event 2: It was changed")
    assert stopped(office, sound) is None


def test_a21_a_changed_leaf_does_not_keep_the_others_from_a_new_key(
    migrated_sqlite: str, open_services: Any, hands: Any
) -> None:
    old = Office(open_services(migrated_sqlite, clock=hands), hands)
    broken, sound = old.begins(), old.begins()
    spoil(old, broken)
    both = Office(open_services(migrated_sqlite, clock=hands, SECRET_KEY="n" * 32, SECRET_KEYS_OLD="k" * 32), hands)
    housekeep(both.services)
    alone = Office(open_services(migrated_sqlite, clock=hands, SECRET_KEY="n" * 32), hands)
    assert audit_game(alone.services, sound).findings == []
    assert audit_game(both.services, broken).halted is not None


def test_a13_the_watch_takes_no_longer_than_it_may(small_office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        small_office.begins()
    small_office.hands.advance(days=1)
    ticks = iter(range(100))
    monkeypatch.setattr(audit_rounds, "time", SimpleNamespace(monotonic=lambda: next(ticks) * 0.15))
    assert audit_rounds.look_round(small_office.services) == 2

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
from service.store.clocks.halted import why_halted
from tests.apps import app_of
from tests.service.integrity.test_audit import owner_runs
from tests.tables import Tables
from workers.channels.http_client import Answer
from workers.sweep import housekeep, sweep, sweep_deadlines, sweep_digests, sweep_reminders
from workers.webhooks import channel

SPOIL = "UPDATE leaves SET sealed = :junk WHERE game_id = :game AND version = 1"
MEND = "UPDATE leaves SET sealed = :was WHERE game_id = :game AND version = 1"
LONG = {"per_move": "P9D", "grace": "PT10M", "reminders": []}
CLOCK = {"per_move": "P1D", "grace": "PT10M", "reminders": ["PT6H"], "strikes": 9}


@pytest.fixture(autouse=True)
def _looked_at_nothing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(alarm, "_looked", {})
    with capture_logs():  # pictures of tracebacks take seconds
        yield


def spoil(tables: Tables, game: str) -> bytes:
    """A leaf and the state are changed: nobody can open this game. What the leaf was."""
    with tables.services.database.read() as connection:
        was: bytes = connection.execute(
            sa.text("SELECT sealed FROM leaves WHERE game_id = :game AND version = 1"), {"game": game}
        ).scalar_one()
    owner_runs(tables, SPOIL, game=game, junk=was[:-1] + bytes([was[-1] ^ 1]))
    owner_runs(tables, "UPDATE games SET state = :none WHERE id = :game", game=game, none=b"")
    return was


def stopped(tables: Tables, game: str) -> str | None:
    with tables.services.database.read() as connection:
        return why_halted(connection, game)


def kinds(tables: Tables, game: str, state: str) -> list[str]:
    return sorted({row["kind"] for row in tables.notices(game_id=game, state=state)})


def test_a20_the_sweep_stops_a_game_it_cannot_open_and_nothing_of_it_expires(tables: Tables) -> None:
    broken, sound = tables.begin(clock=CLOCK), tables.begin(clock=CLOCK)
    tables.deliver()
    was = spoil(tables, broken)
    tables.advance(days=1, minutes=11)
    sweep_deadlines(tables.services)
    assert stopped(tables, broken) == "event 1: It cannot be opened: sealed data was changed, or belongs elsewhere."
    assert kinds(tables, sound, "queued") == ["deadline-passed", "your-turn"]
    before = tables.notices(game_id=broken)
    tables.deliver()
    for _ in range(3):
        tables.advance(hours=3)
        sweep(tables.services, tables.carrier)
    assert tables.notices(game_id=broken) == before
    with tables.services.database.read() as connection:
        assert outages.status(tables.services.database, connection).due == 0, "they wait for nobody"
    owner_runs(tables, MEND, game=broken, was=was)
    assert audit_game(tables.services, broken, release=True).released
    assert sweep_deadlines(tables.services) == 3, "their time was over before it stopped"


def test_a20_mails_of_a_stopped_game_wait_and_are_sent_when_it_goes_on(tables: Tables) -> None:
    broken, sound = tables.begin(clock=CLOCK), tables.begin(clock=CLOCK)
    was = spoil(tables, broken)
    assert tables.deliver() == 3
    assert stopped(tables, broken) is not None
    assert tables.states(game_id=sound) == {"sent": 3}
    assert tables.states(game_id=broken) == {"queued": 3}
    attempts = [row["attempts"] for row in tables.notices(game_id=broken)]
    tables.advance(hours=21)
    sweep_reminders(tables.services)
    tables.deliver()
    assert kinds(tables, sound, "sent") == ["reminder", "your-turn"]
    assert [row["attempts"] for row in tables.notices(game_id=broken)] == attempts, "nobody spins on them"
    ready = app_of(tables.services).test_client().get("/readyz").json["checks"]
    assert next(check for check in ready if check["what"] == "mail")["ok"]
    owner_runs(tables, MEND, game=broken, was=was)
    audit_game(tables.services, broken, release=True)
    tables.deliver()
    assert kinds(tables, broken, "sent") == ["your-turn"]


def test_a20_nothing_goes_out_about_a_stopped_game_that_could_still_be_read(tables: Tables) -> None:
    broken, sound = tables.begin(clock=CLOCK), tables.begin(clock=CLOCK)
    change = "UPDATE events SET hash = upper(hash) WHERE game_id = :game AND version = 2"
    owner_runs(tables, change, game=broken)
    assert audit_game(tables.services, broken).halted
    assert tables.deliver() == 3
    assert (tables.states(game_id=broken), tables.states(game_id=sound)) == ({"queued": 3}, {"sent": 3})
    assert {row["attempts"] for row in tables.notices(game_id=broken)} == {0}
    assert sweep_reminders(tables.services) == 0


def test_a20_a_mail_about_a_stopped_game_waits_to_be_read(mail_tables: Tables) -> None:
    broken, sound = mail_tables.begin("ann", "bob", clock=CLOCK), mail_tables.begin("cyd", "dan", clock=CLOCK)
    mail_tables.exchange()
    was = spoil(mail_tables, broken)
    waits, done = mail_tables.reply("ann", "hide 1"), mail_tables.reply("cyd", "hide 1")
    mail_tables.read_inbox()
    assert (mail_tables.mail_state(waits), mail_tables.mail_state(done)) == ("received", "applied")
    for _ in range(5):
        mail_tables.advance(minutes=11)
        mail_tables.read_inbox()
    assert (mail_tables.mail_state(waits), mail_tables.mails(id=waits)[0]["attempts"]) == ("received", 0)
    checks = app_of(mail_tables.services).test_client().get("/readyz").json["checks"]
    assert next(check for check in checks if check["what"] == "answers")["ok"]
    owner_runs(mail_tables, MEND, game=broken, was=was)
    audit_game(mail_tables.services, broken, release=True)
    mail_tables.advance(minutes=11)
    mail_tables.read_inbox()
    assert mail_tables.mail_state(waits) == "applied"
    assert mail_tables.head(broken).table.game.hands[0] == 1
    assert mail_tables.head(sound).version > 0


def test_a20_webhooks_are_told_of_other_games_and_stay_on(mail_tables: Tables) -> None:
    ann = mail_tables.player("ann")
    with mail_tables.services.database.write() as tx:
        subscriptions.register(mail_tables.services, tx, ann, "https://bot.example/")
    broken, sound = mail_tables.begin("ann", "bob", clock=CLOCK), mail_tables.begin("ann", "bob", clock=CLOCK)
    was = spoil(mail_tables, broken)
    assert audit_game(mail_tables.services, broken).halted
    told: list[bytes] = []

    def takes(*message: Any) -> Answer:
        told.append(message[2])
        return Answer(200, None)

    channel.deliver(mail_tables.services, takes)
    assert [sound.encode() in body for body in told] == [True]
    owner_runs(mail_tables, MEND, game=broken, was=was)
    audit_game(mail_tables.services, broken, release=True)
    mail_tables.advance(hours=1)
    channel.deliver(mail_tables.services, takes)
    assert [broken.encode() in body for body in told] == [False, True]


def test_a20_a_digest_tells_of_the_other_games(mail_tables: Tables) -> None:
    mail_tables.player("ann")
    mail_tables.change_profile("ann", digest="daily")
    sweep_digests(mail_tables.services)
    mail_tables.advance(seconds=1)
    broken, sound = mail_tables.begin("ann", "bob", clock=LONG), mail_tables.begin("ann", "bob", clock=LONG)
    mail_tables.deliver()
    spoil(mail_tables, broken)
    for _ in range(2):
        mail_tables.advance(hours=21)
        sweep_digests(mail_tables.services)
        mail_tables.deliver()
    text = mail_tables.newest_text("ann", "digest")
    assert sound in text
    assert broken not in text


def test_a13_housekeeping_finds_what_nobody_has_tripped_over(tables: Tables) -> None:
    broken, sound = tables.begin(clock={**CLOCK, "per_move": "P9D"}), tables.begin(clock=CLOCK)
    owner_runs(tables, "UPDATE events SET hash = upper(hash) WHERE game_id = :game AND version = 2", game=broken)
    housekeep(tables.services)
    assert stopped(tables, broken) is None, "it was opened today"
    tables.advance(days=1)
    housekeep(tables.services)
    assert (stopped(tables, broken) or "").startswith("event 2: It was changed")
    assert stopped(tables, sound) is None


def test_a21_a_changed_leaf_does_not_keep_the_others_from_a_new_key(
    migrated_sqlite: str, open_services: Any, manual_clock: Any
) -> None:
    old = Tables(open_services(migrated_sqlite, clock=manual_clock), manual_clock)
    broken, sound = old.begin(), old.begin()
    spoil(old, broken)
    both = Tables(
        open_services(migrated_sqlite, clock=manual_clock, SECRET_KEY="n" * 32, SECRET_KEYS_OLD="k" * 32), manual_clock
    )
    housekeep(both.services)
    alone = Tables(open_services(migrated_sqlite, clock=manual_clock, SECRET_KEY="n" * 32), manual_clock)
    assert audit_game(alone.services, sound).findings == []
    assert audit_game(both.services, broken).halted is not None


def test_a13_the_watch_takes_no_longer_than_it_may(sqlite_tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        sqlite_tables.begin()
    sqlite_tables.advance(days=1)
    ticks = iter(range(100))
    monkeypatch.setattr(audit_rounds, "time", SimpleNamespace(monotonic=lambda: next(ticks) * 0.15))
    assert audit_rounds.look_round(sqlite_tables.services) == 2

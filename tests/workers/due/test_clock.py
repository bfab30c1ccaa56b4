"""The clock: nothing early, nothing twice, and a game goes on without whoever fell silent."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from freezegun import freeze_time

from service.accounts import idempotency
from service.accounts.idempotency import Answer
from service.container import Services
from service.deadlines.remind import BATCH
from service.kernel.clock import SECOND, Clock, text
from service.store.clocks.decisions import decisions
from service.store.event_store.streams import leaves
from service.store.running.heartbeats import last_beat
from tests.databases import BOTH
from tests.letters import Carrier, text_of
from tests.manual_clock import NOON, ManualClock
from tests.service.store.service_tables import check
from tests.tables import Tables
from workers.mail_out.transport import Deferred, Refused
from workers.sweep import (
    EXPIRY_LEASE,
    KEPT_ANSWERS,
    KEPT_CODES,
    housekeep,
    sweep,
    sweep_deadlines,
    sweep_reminders,
)

LADDER = {"per_move": "P3D", "grace": "PT10M", "reminders": ["P2D", "P1D", "PT3H", "PT1H"]}
DUE = timedelta(days=3)
GRACE = timedelta(minutes=10)


class Ice(Clock):
    """The process's own clock, frozen by freezegun."""

    def __init__(self, frozen: Any) -> None:
        self.frozen = frozen
        self.meanwhile: Callable[[], None] = lambda: None

    @property
    def at(self) -> int:
        return time.time_ns() // 1000

    def advance(self, **span: float) -> None:
        self.frozen.tick(timedelta(**span))
        self.meanwhile()


@pytest.fixture
def iced(migrated_sqlite: str, open_services: Callable[..., Services]) -> Iterator[Tables]:
    """An office on SQLite whose processes read a frozen clock."""
    with freeze_time(NOON, ignore=["_pytest.timing"]) as frozen:
        services = open_services(migrated_sqlite)
        services.database.clock.counted = (
            services.database.clock.now
        )  # what the machine counts, freezegun does not freeze
        yield Tables(services, Ice(frozen))


@pytest.fixture
def unheld(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many deadlines pass at once, nobody suspects the clock."""
    monkeypatch.setattr("service.clocks.outages.FLOOD", 10_000)


def goes_to(tables: Tables, since: timedelta) -> None:
    """Let the time be so long after noon of the first day."""
    began = int(NOON.timestamp()) * SECOND
    tables.advance(seconds=since.total_seconds() - (tables.clock.at - began) / SECOND)


def expired(tables: Tables, game: str) -> list[dict[str, Any]]:
    """The timeouts of a game."""
    return [event for event in events(tables, game) if event["type"] == "table.turn-expired"]


def events(tables: Tables, game: str) -> list[dict[str, Any]]:
    with tables.services.database.read() as connection:
        return tables.services.streams.seen(connection, game, None, after=0, upto=9999)


def owed(tables: Tables, game: str) -> list[dict[str, Any]]:
    with tables.services.database.read() as connection:
        found = sa.select(decisions).where(decisions.c.game_id == game).order_by(decisions.c.seat)
        return [dict(row) for row in connection.execute(found).mappings()]


# Deadlines


def test_i09_nothing_is_early_and_everything_is_on_time(iced):
    game = iced.begin(clock=LADDER)
    iced.deliver()
    version = iced.head(game).version
    for moment, rung in [(1, 1), (2, 2), (2.875, 3), (3 - 1 / 24, 4)]:
        goes_to(iced, timedelta(days=moment) - timedelta(seconds=1))
        assert iced.sweep() == 0
        goes_to(iced, timedelta(days=moment))
        assert iced.sweep() == 3
        assert iced.sweep() == 0
        assert len(iced.notices(kind="reminder")) == 3 * rung
    for moment in (DUE - timedelta(seconds=1), DUE, DUE + GRACE - timedelta(seconds=1)):
        goes_to(iced, moment)
        assert iced.sweep() == 0
        assert iced.head(game).version == version, "grace is for mail that is under way"
    goes_to(iced, DUE + GRACE)
    assert iced.sweep() == 3
    assert {event["at"] for event in expired(iced, game)} == {"2031-03-07T12:10:00.000000Z"}
    assert iced.sweep() == 0


def test_design7_an_expired_turn_is_recorded_and_the_caretakers_move_is_what_follows(tables):
    game = tables.begin()
    before = tables.head(game).version
    tables.deliver()
    goes_to(tables, DUE + GRACE)
    assert sweep_deadlines(tables.services) == 3
    first, acted, hidden, *_ = [event for event in events(tables, game) if event["version"] > before]
    assert (first["type"], acted["type"], hidden["type"]) == (
        "table.turn-expired", "table.caretaker-acted", "pennies.penny-hidden",
    )  # fmt: skip
    assert first["actor"] == acted["actor"] == hidden["actor"] == {"clock": True}
    assert first["data"] == {"seat": 0, "decision": "hide-1", "strikes": 1}
    assert acted["data"] == {"seat": 0, "reason": "expired"}
    assert {row["decision"] for row in owed(tables, game)} == {"take-1"}, "the last one opened the hands"
    check(tables.services, game)


def test_design7_who_let_a_deadline_pass_is_told_and_whoever_is_next_is_asked(tables):
    tables.begin()
    tables.deliver()
    goes_to(tables, DUE + GRACE)
    sweep_deadlines(tables.services)
    tables.carrier.letters.clear()
    assert tables.deliver() == 4
    assert tables.carrier.kinds() == {"deadline-passed": 3, "your-turn": 1}
    ann, *_ = (letter for letter in tables.carrier.letters_to("ann") if "deadline-passed" in letter.message_id)
    assert "Your deadline in Pennies “Lunch break” passed: the caretaker played for you." in text_of(ann)


def test_design7_the_next_decision_has_its_whole_time_however_late_the_sweep_was(iced):
    game = iced.begin()
    iced.deliver()
    goes_to(iced, timedelta(days=10))
    assert sweep_deadlines(iced.services) == 3, "one act for each decision, no burst"
    assert len(expired(iced, game)) == 3
    (row,) = owed(iced, game)
    assert row["due_at"] - iced.clock.at == DUE / timedelta(microseconds=1)
    assert sweep_deadlines(iced.services) == 0


def test_i09_an_answer_in_the_grace_time_counts(iced):
    game = iced.begin()
    iced.deliver()
    goes_to(iced, DUE + GRACE - timedelta(seconds=1))
    for name in ("ann", "bob", "cyd"):
        iced.move(game, name, "hide 2")
    goes_to(iced, DUE + GRACE)
    assert sweep_deadlines(iced.services) == 0
    assert not expired(iced, game)


def test_f44_a_deadline_is_elapsed_time_whatever_the_clocks_do(migrated_sqlite, open_services):
    """In the night of 30 March 2031 Paris loses an hour; three days stay three days."""
    with freeze_time("2031-03-29 18:00:00", ignore=["_pytest.timing"]) as frozen:
        tables = Tables(open_services(migrated_sqlite), Ice(frozen))
        tables.rename("ann", "Ann", "Europe/Paris")
        game = tables.begin("ann", "bob")
        tables.deliver()
        assert "Answer by Tue 01 Apr 2031 20:00 CEST (18:00 UTC)" in text_of(tables.carrier.letters_to("ann")[0])
        assert {row["due_at"] - tables.clock.at for row in owed(tables, game)} == {3 * 86400 * SECOND}


# Strikes and vacant seats


def test_design7_after_the_last_strike_a_seat_is_vacant_and_played_at_once(tables):
    game = tables.begin("ann", "bob", "cyd")
    for strike in (1, 2):
        everyone_but_bob(tables, game)
        tables.deliver()
        tables.advance(days=3, minutes=10)
        assert sweep_deadlines(tables.services) == 1
        assert tables.head(game).table.chairs[1].strikes == strike
        assert tables.head(game).table.chairs[1].vacant == (strike == 2)
        take(tables, game)
    if tables.head(game).table.status == "running":
        before = len(tables.notices(recipient=tables.ids["bob"], kind="your-turn"))
        everyone_but_bob(tables, game)
        assert not any(row["seat"] == 1 for row in owed(tables, game)), "nobody waits for an empty chair"
        assert len(tables.notices(recipient=tables.ids["bob"], kind="your-turn")) == before
    check(tables.services, game)


def everyone_but_bob(tables: Tables, game: str) -> None:
    for name in ("ann", "cyd"):
        tables.move(game, name, "hide 3")


def take(tables: Tables, game: str) -> None:
    while tables.phase(game) == "take" and tables.awaited(game):
        tables.move(game, tables.awaited(game)[0], "take")


@pytest.mark.parametrize("rounds", ["3"])
def test_design7_the_vacant_seats_owner_is_told_and_may_come_back(tables, rounds):
    game = tables.begin("ann", "bob", "cyd", clock={"per_move": "P3D", "strikes": 1}, options={"rounds": rounds})
    everyone_but_bob(tables, game)
    tables.deliver()
    tables.advance(days=3, minutes=10)
    assert sweep_deadlines(tables.services) == 1
    tables.carrier.letters.clear()
    tables.deliver()
    (letter,) = tables.carrier.letters_to("bob")
    assert "your seat is vacant now" in " ".join(text_of(letter).split())
    tables.sit(game, "bob")
    take(tables, game)
    assert [row["seat"] for row in owed(tables, game)] == [0, 1, 2]
    tables.move(game, "bob", "hide 1")
    check(tables.services, game)


def test_design7_an_answer_clears_the_strikes(tables):
    game = tables.begin("ann", "bob", "cyd", options={"rounds": "3"})
    everyone_but_bob(tables, game)
    tables.deliver()
    tables.advance(days=3, minutes=10)
    sweep_deadlines(tables.services)
    take(tables, game)
    assert tables.head(game).table.chairs[1].strikes == 1
    tables.move(game, "bob", "hide 0")
    assert tables.head(game).table.chairs[1].strikes == 0
    assert "table.strikes-cleared" in {event["type"] for event in events(tables, game)}
    for name in ("ann", "cyd"):
        tables.move(game, name, "hide 3")
    take(tables, game)
    everyone_but_bob(tables, game)
    tables.deliver()
    tables.advance(days=3, minutes=10)
    sweep_deadlines(tables.services)
    assert not tables.head(game).table.chairs[1].vacant, "two in a row, not two in all"


@pytest.mark.parametrize("kind", ["pennies", "tammany-hall"])
def test_design7_a_game_where_nobody_ever_answers_comes_to_an_end(iced, kind):
    game = iced.begin("ann", "bob", "cyd", kind=kind)
    for _ in range(60):
        iced.deliver()
        if iced.head(game).table.status != "running":
            break
        iced.advance(days=3, minutes=10)
        sweep(iced.services, iced.carrier)
    table = check(iced.services, game)
    assert table.status in ("abandoned", "finished") if kind == "pennies" else table.status == "abandoned"
    iced.deliver()
    assert iced.carrier.kinds()["game-over"] == 3
    assert set(iced.states()) <= {"sent", "superseded"}
    assert not owed(iced, game)
    assert iced.sweep() == 0


# Reminders


def test_rate08_no_reminder_after_the_player_acted(iced):
    game = iced.begin(clock=LADDER)
    iced.deliver()
    iced.move(game, "bob", "hide 2")
    for hour in range(73):
        goes_to(iced, timedelta(hours=hour))
        sweep_reminders(iced.services)
        iced.deliver()
    reminded = Counter(row["recipient"] for row in iced.notices(kind="reminder"))
    assert reminded == {iced.ids["ann"]: 4, iced.ids["cyd"]: 4}
    assert len({row["decision"] for row in iced.notices(kind="reminder", recipient=iced.ids["ann"])}) == 4
    assert {row["state"] for row in iced.notices(kind="reminder")} == {"sent"}


def test_rate04_a_reminder_under_way_is_not_sent_when_the_player_acts_first(iced):
    game = iced.begin(clock=LADDER)
    iced.deliver()
    goes_to(iced, timedelta(days=1))
    sweep_reminders(iced.services)
    iced.move(game, "ann", "hide 2")
    iced.carrier.letters.clear()
    assert iced.deliver() == 2
    assert not iced.carrier.letters_to("ann")


def test_rate08_rungs_missed_while_nobody_swept_are_one_reminder(iced):
    iced.begin(clock=LADDER)
    iced.deliver()
    goes_to(iced, timedelta(days=2, hours=21))
    assert sweep_reminders(iced.services) == 3
    (row,) = iced.notices(kind="reminder", recipient=iced.ids["ann"])
    assert row["decision"].endswith(".3"), "the latest of the three that were due"
    goes_to(iced, timedelta(days=2, hours=23))
    assert sweep_reminders(iced.services) == 3


def test_rate08_no_reminder_of_what_is_over(iced):
    iced.begin(clock=LADDER)
    iced.deliver()
    goes_to(iced, timedelta(days=3, minutes=1))
    sweep_reminders(iced.services)
    assert not iced.notices(kind="reminder")
    assert sweep_reminders(iced.services) == 0


def test_a_reminder_says_how_long_there_is_still(iced):
    iced.begin(clock=LADDER)
    iced.deliver()
    iced.carrier.letters.clear()
    goes_to(iced, timedelta(days=2))
    sweep_reminders(iced.services)
    iced.deliver()
    lead = "Reminder: your answer is due in 1 day, by Fri 07 Mar 2031 12:00 UTC."
    assert {text_of(letter).splitlines()[0].partition("? ")[2] for letter in iced.carrier.letters} == {lead}


def test_more_reminders_than_fit_one_batch_are_all_made_in_one_sweep(iced):
    for _ in range(BATCH // 3 + 2):
        iced.begin()
    iced.execute("UPDATE deliveries SET state = 'sent'")
    goes_to(iced, timedelta(days=2))
    assert sweep_reminders(iced.services) == 3 * (BATCH // 3 + 2) > BATCH


def test_more_deadlines_than_fit_one_batch_are_all_decided_in_one_sweep(iced, unheld):
    for _ in range(BATCH // 3 + 2):
        iced.begin()
    iced.execute("UPDATE deliveries SET state = 'sent'")
    goes_to(iced, DUE + GRACE)
    assert sweep_deadlines(iced.services) == 3 * (BATCH // 3 + 2) > BATCH


# No deadline without a notice


def test_i09_a_deadline_waits_as_long_as_its_notice_is_still_queued(tables):
    game = tables.begin()
    before = tables.head(game).version
    goes_to(tables, DUE + GRACE)
    for _ in range(3):
        assert sweep_deadlines(tables.services) == 0
        tables.advance(minutes=5)
    assert tables.head(game).version == before
    assert tables.states(kind="your-turn") == {"queued": 3}


def test_i09_a_notice_that_is_put_off_again_and_again_holds_its_own_deadline_alone(tables):
    game, other = tables.begin("ann", "bob"), tables.begin("cyd", "dan")
    tables.carrier.before.extend([Deferred("451 not now")])
    tables.deliver()
    tables.execute("UPDATE deliveries SET not_before = :never WHERE state = 'queued'", never=tables.clock.at * 2)
    goes_to(tables, DUE + GRACE)
    assert sweep_deadlines(tables.services) == 3
    assert len(expired(tables, game)) == 1
    assert len(expired(tables, other)) == 2
    tables.advance(minutes=2)
    assert sweep_deadlines(tables.services) == 0


def test_design7_a_player_told_after_the_deadline_gets_the_time_once_more(tables):
    game = tables.begin("ann", "bob")
    goes_to(tables, timedelta(days=4))
    sweep_deadlines(tables.services)
    tables.deliver()
    tables.advance(minutes=1)
    assert sweep_deadlines(tables.services) == 0
    assert not expired(tables, game)


def test_design7_who_could_not_be_told_gets_the_time_once_more_and_the_host_is_told(tables):
    game = tables.begin("ann", "bob", "cyd", clock={"per_move": "P3D", "reminders": ["P1D"]})
    tables.carrier.before.extend([None, Refused("550 5.1.1 no such mailbox")])
    tables.deliver()
    (lost,) = tables.notices(state="failed")
    name = next(name for name, identity in tables.ids.items() if identity == lost["recipient"])
    for other in {"ann", "bob", "cyd"} - {name}:
        tables.move(game, other, "hide 1")
    version = tables.head(game).version
    goes_to(tables, DUE + GRACE)
    assert sweep_deadlines(tables.services) == 0
    (moved,) = tables.events(game)[version:]
    (row,) = owed(tables, game)
    shown = {f"{row['seat']}": text(row["due_at"])}
    assert moved["data"] == {"why": "player", "outage": None, "due": shown}, "not why: that is for its player alone"
    assert row["reasons"] == f"{version + 1} undelivered"
    assert row["due_at"] == tables.clock.at + 3 * 86400 * SECOND
    assert row["extended"]
    tables.carrier.letters.clear()
    sweep_reminders(tables.services)
    tables.deliver()
    (letter,) = tables.carrier.letters
    assert letter.to == "ann@people.example"
    assert "could not be told that it is their turn in Pennies “Lunch break”." in text_of(letter)
    goes_to(tables, DUE + GRACE + DUE + GRACE - timedelta(seconds=1))
    assert sweep_deadlines(tables.services) == 0
    goes_to(tables, DUE + GRACE + DUE + GRACE)
    assert sweep_deadlines(tables.services) == 1, "once more, not for ever"
    check_events(tables, game, 1)


def check_events(tables: Tables, game: str, count: int) -> None:
    assert len(expired(tables, game)) == count


def test_rate08_no_reminder_is_early_after_the_time_was_given_once_more(tables):
    """Nobody swept for days: the rungs of the old deadline are no rungs of the new one."""
    tables.begin("ann", "bob", clock=LADDER)
    tables.carrier.before.extend([Refused("550"), Refused("550")])
    tables.deliver()
    goes_to(tables, timedelta(days=4))
    assert sweep_deadlines(tables.services) == 0
    assert sweep_reminders(tables.services) in (0, 2)
    assert not tables.notices(kind="reminder"), "two days before the new deadline, not three"
    goes_to(tables, timedelta(days=5))
    sweep_reminders(tables.services)
    assert len(tables.notices(kind="reminder")) == 2


def test_out17_who_wants_no_mail_is_no_excuse_for_silence(tables):
    game = tables.begin("ann", "bob")
    tables.change_profile("bob", mail=False)
    tables.deliver()
    goes_to(tables, DUE + GRACE)
    assert sweep_deadlines(tables.services) == 2
    check_events(tables, game, 2)


# Twice at once, and what is broken


@pytest.mark.parametrize("kind", BOTH)
def test_f10_sweeps_at_the_same_time_act_once(request, open_services, unheld, kind):
    url, manual_clock = request.getfixturevalue(f"migrated_{kind}"), ManualClock()
    tables = Tables(open_services(url, clock=manual_clock), manual_clock)
    due = [tables.begin(clock={"per_move": "P1D", "reminders": []}) for _ in range(8)]
    soon = [tables.begin() for _ in range(8)]
    tables.deliver()
    goes_to(tables, timedelta(days=2))
    start = threading.Barrier(4)
    counts: list[tuple[int, int]] = []

    def run() -> None:
        services = open_services(url, clock=manual_clock)
        start.wait()
        counts.append((sweep_deadlines(services), sweep_reminders(services)))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sum(acted for acted, _ in counts) == 24
    for game in due:
        assert len(expired(tables, game)) == 3
        check(tables.services, game)
    assert sum(reminded for _, reminded in counts) == 24
    for game in soon:
        assert len(tables.notices(kind="reminder", game_id=game)) == 3


def test_i09_a_sweep_that_died_with_a_deadline_in_hand_leaves_it_to_the_next(tables, monkeypatch):
    game = tables.begin("ann", "bob")
    tables.deliver()
    goes_to(tables, DUE + GRACE)
    with monkeypatch.context() as patch:
        patch.setattr("service.deadlines.expire.expire_turn", dies)
        with pytest.raises(KeyboardInterrupt):
            sweep_deadlines(tables.services)
    assert sweep_deadlines(tables.services) == 0
    tables.advance(microseconds=EXPIRY_LEASE)
    assert sweep_deadlines(tables.services) == 2
    check_events(tables, game, 2)


def dies(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a20_a_game_that_cannot_be_opened_does_not_stop_the_deadlines_of_others(tables):
    broken, sound = tables.begin(), tables.begin()
    tables.deliver()
    tables.lose_key(broken)
    goes_to(tables, DUE + GRACE)
    assert sweep_deadlines(tables.services) == 3
    check_events(tables, sound, 3)
    check_events(tables, broken, 0)
    tables.advance(seconds=19)
    assert sweep_deadlines(tables.services) == 0, "it is looked at three times a minute"
    tables.restore_key(broken)
    tables.advance(seconds=2)
    assert sweep_deadlines(tables.services) == 3


def test_a20_a_game_that_cannot_be_opened_does_not_stop_the_reminders_or_the_mail_of_others(tables):
    broken, sound = tables.begin(), tables.begin()
    tables.deliver()
    tables.lose_key(broken)
    goes_to(tables, timedelta(days=2))
    sweep(tables.services, tables.carrier)
    assert tables.states(kind="reminder", game_id=sound) == {"sent": 3}
    assert not tables.notices(kind="reminder", game_id=broken)
    tables.restore_key(broken)
    goes_to(tables, timedelta(days=2, hours=20))
    sweep(tables.services, tables.carrier)
    assert len(tables.notices(kind="reminder", game_id=broken)) >= 3, "it is reminded again when it is mended"


# A real clock


def test_i09_on_a_real_clock_a_deadline_of_one_second_is_kept(migrated_postgres, open_services):
    tables = Tables(open_services(migrated_postgres, MIN_MOVE_TIME="PT1S"), ManualClock())
    game = tables.begin("ann", "bob", clock={"per_move": "PT1S", "grace": "PT0S", "reminders": []})
    assert tables.deliver() == 2
    (first, _) = owed(tables, game)
    acted = 0
    end = time.monotonic() + 60
    while acted < 2 and time.monotonic() < end:
        acted += sweep_deadlines(tables.services)
        time.sleep(0.02)
    assert acted == 2
    for event in expired(tables, game):
        moment = sa.func.extract("epoch", sa.cast(event["at"], sa.TIMESTAMP(timezone=True)))
        with tables.services.database.read() as connection:
            at = float(connection.execute(sa.select(moment)).scalar_one())
        assert 0 <= at - first["due_at"] / SECOND < 60
    check(tables.services, game)


# Housekeeping


def test_housekeeping_forgets_codes_of_yesterday_and_keeps_those_of_today(tables):
    tables.request_code("ann")
    tables.deliver()
    tables.advance(seconds=600 + KEPT_CODES / SECOND)
    housekeep(tables.services)
    assert tables.valid_codes() == 1
    tables.advance(seconds=1)
    tables.request_code("bob")
    housekeep(tables.services)
    assert tables.valid_codes() == 1
    assert tables.notices(kind="code", recipient=tables.ids["ann"]), "that it was sent is still known"


def test_housekeeping_forgets_answers_after_ninety_days(tables):
    claim = idempotency.claim(tables.player("ann"), "k" * 20, "POST", "/api/v1/games", b"{}")
    assert claim is not None
    with tables.services.database.write() as tx:
        assert idempotency.replay(tables.services.database, tables.services.sealer, tx, claim) is None
        idempotency.keep(tables.services.sealer, tx, claim, Answer(201, [], b"{}"))
    for age, kept in ((KEPT_ANSWERS / SECOND, True), (1, False)):
        tables.advance(seconds=age)
        housekeep(tables.services)
        with tables.services.database.write() as tx:
            assert (idempotency.replay(tables.services.database, tables.services.sealer, tx, claim) is not None) == kept


def test_s30_housekeeping_seals_everything_again_under_the_present_key(tables, open_services, request):
    game = tables.begin()
    tables.play_out(game, 1, late=0, most=4)
    other = tables.begin("ann", "bob")
    url = tables.services.settings.database_url
    exported = tables.export(game)
    rotating = open_services(url, clock=tables.clock, SECRET_KEY="n" * 32, SECRET_KEYS_OLD="k" * 32)
    housekeep(rotating)
    new = open_services(url, clock=tables.clock, SECRET_KEY="n" * 32)
    mine = Tables(new, tables.clock)
    with new.database.read() as connection:
        found = connection.execute(sa.select(leaves.c.sealed)).scalars().all()
    assert found
    assert all(new.sealer.is_current(one) for one in found)
    assert mine.export(game) == exported
    check(new, game)
    mine.ids = tables.ids
    mine.play_out(other, 2, late=0)
    assert check(new, other).status == "finished"


def test_sweeping_and_housekeeping_leave_a_sign_of_life(tables):
    with tables.services.database.read() as connection:
        assert last_beat(connection, "sweep") is None
    sweep(tables.services, Carrier())
    tables.advance(seconds=5)
    sweep(tables.services, Carrier())
    housekeep(tables.services)
    with tables.services.database.read() as connection:
        assert last_beat(connection, "sweep") == last_beat(connection, "housekeeping") == tables.clock.at
        assert last_beat(connection, "beat") is None

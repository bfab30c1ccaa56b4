"""The clock page, leave and waking hours by HTTP: what each reader is told, and what is refused (DESIGN 7, T-44)."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
import sqlalchemy as sa

from service.accounts import people
from service.container import Services
from service.games import takeback
from service.kernel.clock import SECOND, text
from service.notify.waits import WAITS
from service.store.incoming.inbox import inbound
from tests.manual_clock import ManualClock
from tests.service.api.table import Api, Player
from tests.service.clock_tables import DAY, HOUR, START, shows, utc
from tests.tables import CLOCK, Tables
from tests.workers.worker_tables import manual_clock
from workers.sweep import sweep_deadlines, sweep_reminders

pytestmark = pytest.mark.slow

__all__ = ["manual_clock"]


class Reader:
    """People who read clocks over HTTP, at tables whose time the test moves."""

    def __init__(self, clock_tables: Tables) -> None:
        self.clock_tables = clock_tables
        self.api = Api(clock_tables.services)

    def player(self, name: str) -> Player:
        if name not in self.api.people:
            identity = self.clock_tables.player(name)
            with self.clock_tables.services.database.write() as tx:
                token = people.make_token(self.clock_tables.services, tx, identity, "test", self.clock_tables.clock.at)
            self.api.people[name] = Player(name, identity, token)
        return self.api.people[name]

    def clock(self, game: str, name: str, **query: str) -> Any:
        return self.api.get(f"/games/{game}/clock", self.player(name), query_string=query)

    def told(self, game: str, name: str, seat: int, what: str = "deadlines") -> list[str]:
        """The sentences about one clock."""
        (one,) = (it for it in self.clock(game, name).ok().json[what] if it["seat"] == seat)
        return [step["text"] for step in one["steps"]]

    def put(self, name: str, first: str, last: str, **more: Any) -> Any:
        days = {"from": first, "to": last}
        return self.api.send("PUT", "/me/leave", self.player(name), json=days, **more)


@pytest.fixture
def reader(migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock) -> Reader:
    return Reader(Tables(open_services(migrated_sqlite, clock=manual_clock), manual_clock))


def codes(clock: dict[str, Any]) -> list[str]:
    return [step["code"] for step in clock["steps"]]


# A deadline step by step


def test_design7_under_the_default_clock_a_deadline_is_told_in_six_steps(reader):
    game = reader.clock_tables.begin_timed(per_move="P3D")
    document = reader.clock(game, "ann").ok().json
    head = reader.clock_tables.head(game)
    assert (document["game"], document["version"], document["hash"]) == (game, head.version, head.hash)
    assert document["policy"] == head.table.clock
    assert (document["now"], document["paused"], document["paused_until"]) == (text(START), False, None)
    assert (document["banks"], document["leave"], document["missed"]) == ([], [], [])
    ann, bob = document["deadlines"]
    assert {name: ann[name] for name in ann if name not in ("steps", "told")} == {
        "seat": 0, "name": "ann", "decision": "hide-1", "since": 5, "began": text(START),
        "due": text(START + 3 * DAY), "acts": text(START + 3 * DAY + 600 * SECOND), "bank_from": None,
        "bank_left": None, "standing": False,
    }  # fmt: skip
    assert codes(ann) == ["asked", "time", "notice", "due", "grace", "then"]
    assert codes(bob) == ["asked", "time", "due", "grace", "then"], "what another was told is not for everybody"
    assert reader.told(game, "ann", 0) == [
        "On Tue 04 Mar 2031 12:00 UTC ann was asked for an answer.",
        "Each move has 3 days.",
        "The mail about it went out on Tue 04 Mar 2031 12:00 UTC.",
        "So the answer is due by Fri 07 Mar 2031 12:00 UTC.",
        "One that comes in by Fri 07 Mar 2031 12:10 UTC still counts: 10 minutes for mail that is under way.",
        "If none comes, the caretaker plays the smallest legal move for ann: that would be deadline number 1 in a row; "
        "with number 2 the seat falls vacant.",
    ]
    assert [(one["kind"], one["state"], one["at"]) for one in ann["told"]] == [("your-turn", "sent", text(START))]
    assert bob["told"] == []


def test_design7_nights_weekends_and_leave_are_told_with_their_lengths(reader):
    clock_tables = reader.clock_tables
    clock_tables.clock.at = utc("2031-03-07T19:00")  # a Friday evening
    clock_tables.rename("ann", "Ann", "Europe/Berlin")
    game = clock_tables.begin_timed(per_move="P3D", quiet_hours=True, weekends="skip", leave_days=14)
    clock_tables.take_leave("ann", "2031-03-11", "2031-03-12")
    told = [one for one in reader.told(game, "ann", 0) if not one.startswith("The mail")]
    assert told[1:7] == [
        "Each move has 3 days (42 hours of the clock). Nights do not count: each day counts as fourteen hours, from "
        "08:00 on in Europe/Berlin.",
        "On Fri 07 Mar 2031 20:00 CET (19:00 UTC) Ann had announced leave. The deadline moved from Wed 12 Mar 2031 "
        "20:00 "
        "CET (19:00 UTC) to Fri 14 Mar 2031 20:00 CET (19:00 UTC).",
        "5 nights between Fri 07 Mar 2031 22:00 CET (21:00 UTC) and Fri 14 Mar 2031 08:00 CET (07:00 UTC) do not "
        "count: "
        "50 hours in all.",
        "The weekend from Sat 08 Mar 2031 08:00 CET (07:00 UTC) to Sun 09 Mar 2031 22:00 CET (21:00 UTC) does not "
        "count: "
        "1 day 14 hours.",
        "The leave from Tue 11 Mar 2031 08:00 CET (07:00 UTC) to Wed 12 Mar 2031 22:00 CET (21:00 UTC) does not count: "
        "1 day 14 hours.",
        "So the answer is due by Fri 14 Mar 2031 20:00 CET (19:00 UTC).",
    ]


def test_design7_few_nights_are_told_one_by_one(reader):
    clock_tables = reader.clock_tables
    clock_tables.player("ann")
    game = clock_tables.begin_timed(per_move="P2D", quiet_hours=True)
    assert reader.told(game, "ann", 0)[3:5] == [
        "The night from Tue 04 Mar 2031 22:00 UTC to Wed 05 Mar 2031 08:00 UTC does not count: 10 hours.",
        "The night from Wed 05 Mar 2031 22:00 UTC to Thu 06 Mar 2031 08:00 UTC does not count: 10 hours.",
    ]


def test_design7_a_year_of_weekends_is_one_step(reader):
    game = reader.clock_tables.begin_timed(per_move="P300D", weekends="skip")
    told = [one for one in reader.told(game, "ann", 0) if "weekend" in one]
    assert told == [
        "60 weekends between Sat 08 Mar 2031 00:00 UTC and Mon 26 Apr 2032 00:00 UTC do not count: 2880 hours in all."
    ]


def test_design7_pauses_more_time_and_credit_are_told_with_before_and_after(reader):
    clock_tables = reader.clock_tables
    game = clock_tables.begin_timed(per_move="P3D", bank="P2D")
    clock_tables.advance(days=1)
    clock_tables.agree(game, "pause", days=10)
    ann = reader.clock(game, "ann").ok().json
    assert (ann["paused"], ann["paused_until"]) == (True, text(START + 11 * DAY))
    assert (ann["deadlines"][0]["due"], ann["deadlines"][0]["standing"]) == (None, True)
    assert reader.told(game, "ann", 0)[-2:] == [
        "On Wed 05 Mar 2031 12:00 UTC the clock was stopped.",
        "The clock is stopped, with 2 days of the move and 2 days of the bank left. It runs on at the latest on Sat "
        "15 Mar 2031 12:00 UTC.",
    ]
    clock_tables.advance(days=2)
    clock_tables.agree(game, "resume")
    clock_tables.agree(game, "extend", days=1)
    sweep_deadlines(clock_tables.services)
    clock_tables.clock.at += 5 * HOUR
    sweep_deadlines(clock_tables.services)
    assert reader.told(game, "ann", 0)[4:9] == [
        "On Fri 07 Mar 2031 12:00 UTC the clock ran again, with what was left: before it was stopped the answer was "
        "due by Sun 09 Mar 2031 12:00 UTC, from then on by Tue 11 Mar 2031 12:00 UTC.",
        "On Fri 07 Mar 2031 12:00 UTC everyone got 1 day more. The deadline moved from Tue 11 Mar 2031 12:00 UTC to "
        "Wed 12 Mar 2031 12:00 UTC.",
        "From Fri 07 Mar 2031 12:00 UTC to Fri 07 Mar 2031 17:00 UTC the service was down, or its clock was wrong: "
        "that time was given back. The deadline moved from Wed 12 Mar 2031 12:00 UTC to Wed 12 Mar 2031 17:00 UTC.",
        "On Mon 10 Mar 2031 17:00 UTC the time of the move is used up; from then on the bank is used. It holds 2 days.",
        "So the answer is due by Wed 12 Mar 2031 17:00 UTC.",
    ]


def test_design7_what_is_asked_while_the_clock_stands_begins_when_it_runs(reader):
    clock_tables = reader.clock_tables
    game = clock_tables.begin_timed()
    clock_tables.agree(game, "pause", days=10)
    clock_tables.move(game, "ann", "hide 3")
    clock_tables.move(game, "bob", "hide 1")
    assert reader.told(game, "ann", 0)[-1] == (
        "The clock is stopped, with 1 day left. It runs on at the latest on Fri 14 Mar 2031 12:00 UTC."
    )
    clock_tables.advance(days=2)
    clock_tables.agree(game, "resume")
    assert "On Thu 06 Mar 2031 12:00 UTC the clock ran again, and the answer was due by Fri 07 Mar 2031 12:00 UTC." in (
        reader.told(game, "ann", 0)
    )


def test_design7_who_was_told_late_or_not_at_all_reads_why_the_deadline_moved(reader):
    clock_tables = reader.clock_tables
    game = clock_tables.begin("ann", "bob", clock=CLOCK)
    clock_tables.execute(
        "UPDATE deliveries SET state = 'failed', done_at = :now WHERE recipient = :ann",
        now=START,
        ann=clock_tables.ids["ann"],
    )
    clock_tables.execute(
        "UPDATE deliveries SET state = 'sent', done_at = :now WHERE state = 'queued'", now=START + 2 * DAY
    )
    clock_tables.clock.at = START + 2 * DAY + HOUR
    clock_tables.record_sweep()
    sweep_deadlines(clock_tables.services)
    (told,) = (one for one in reader.told(game, "ann", 0) if "delivered, so" in one)
    assert told == (
        "The notice could not be delivered, so on Thu 06 Mar 2031 13:00 UTC ann got the time of a move once more. The "
        "deadline moved from Wed 05 Mar 2031 12:00 UTC to Fri 07 Mar 2031 13:00 UTC."
    )
    (told,) = (one for one in reader.told(game, "bob", 1) if "went out only" in one)
    assert told.startswith(
        "The notice went out only when the deadline had passed, so on Thu 06 Mar 2031 13:00 UTC bob got"
    )


def test_design2_what_was_taken_back_is_told_with_the_time_since_it_was_asked(reader):
    clock_tables = reader.clock_tables
    game = clock_tables.begin_timed(per_move="P3D")
    clock_tables.advance(days=1)
    clock_tables.move(game, "ann", "hide 1")
    with clock_tables.services.database.write() as tx:
        takeback.go_back(clock_tables.services, tx, game, clock_tables.ids["ann"], reason="slip")
    told = reader.told(game, "ann", 0)
    assert told[0] == "On Tue 04 Mar 2031 12:00 UTC ann was asked for an answer."
    assert (
        "On Wed 05 Mar 2031 12:00 UTC ann undid what had been played: the time for it runs on as if it had not "
        "been played, and the answer was due by Fri 07 Mar 2031 12:00 UTC." in told
    )


# Deadlines that were missed


def misses(reader: Reader, **clock: Any) -> str:
    """A game in which Ann let her deadline pass."""
    clock_tables = reader.clock_tables
    clock_tables.rename("ann", "Ann", "Europe/Berlin")
    game = clock_tables.begin_timed("ann", "bob", "cyd", per_move="P3D", **{"reminders": ["P1D"], **clock})
    for name in ("bob", "cyd"):
        clock_tables.move(game, name, "hide 1")
    clock_tables.clock.at = START + 2 * DAY
    sweep_reminders(clock_tables.services)
    clock_tables.mark_all_sent()
    clock_tables.clock.at = clock_tables.seat_clock(game, "ann")["acts_at"]
    clock_tables.record_sweep()
    assert sweep_deadlines(clock_tables.services) == 1
    clock_tables.mark_all_sent()
    return game


ALOUD = """\
Ann missed the deadline of Fri 07 Mar 2031 13:00 CET (12:00 UTC).
On Tue 04 Mar 2031 13:00 CET (12:00 UTC) Ann was asked for an answer.
Each move has 3 days.
The mail about it went out on Tue 04 Mar 2031 13:00 CET (12:00 UTC).
A reminder went out on Thu 06 Mar 2031 13:00 CET (12:00 UTC).
So the answer was due by Fri 07 Mar 2031 13:00 CET (12:00 UTC).
One that comes in by Fri 07 Mar 2031 13:10 CET (12:10 UTC) still counts: 10 minutes for mail that is under way.
No mail of Ann came in in that time.
On Fri 07 Mar 2031 13:10 CET (12:10 UTC) no answer had come, and the caretaker played for Ann.
It played: hide 0.
PennyHidden
That was deadline number 1 in a row; with number 2 the seat falls vacant.
"""


def test_issue5_the_page_can_be_read_aloud_to_who_missed_a_deadline_and_leaves_no_question(reader):
    game = misses(reader)
    answer = reader.api.get(f"/games/{game}/clock", reader.player("ann"), headers={"Accept": "text/plain"}).ok()
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert ALOUD in answer.text
    document = reader.clock(game, "ann").ok().json
    assert document["text"] == answer.text
    (missed,) = document["missed"]
    assert (missed["outcome"], missed["vacant"], missed["played"], missed["undone"]) == (
        "caretaker",
        False,
        ["hide 0"],
        None,
    )
    assert missed["decided"] == text(START + 3 * DAY + 600 * SECOND)
    assert codes(missed) == [
        "asked", "time", "notice", "reminder", "due", "grace", "mail", "decided", "played", "played", "strikes",
    ]  # fmt: skip
    times = [step["at"] for step in missed["steps"]]
    assert all(one <= other for one, other in pairwise(times))
    assert [one["kind"] for one in missed["told"]] == ["your-turn", "reminder"]


def test_s08_others_read_neither_mails_nor_notices_nor_what_was_played_under_seal(reader):
    clock_tables = reader.clock_tables
    game = clock_tables.begin_timed("ann", "bob", "cyd", per_move="P3D")
    clock_tables.execute("UPDATE decisions SET acts_at = acts_at + 1 WHERE seat > 0")
    clock_tables.clock.at = clock_tables.seat_clock(game, "ann")["acts_at"]
    clock_tables.record_sweep()
    assert sweep_deadlines(clock_tables.services) == 1
    (own,), (missed,) = (reader.clock(game, name).ok().json["missed"] for name in ("ann", "bob"))
    assert (own["played"], [one["kind"] for one in own["told"]]) == (["hide 0"], ["your-turn"])
    assert (missed["played"], missed["told"]) == ([], [])
    assert codes(missed) == ["asked", "time", "due", "grace", "decided", "played", "strikes"]
    clock_tables.move(game, "bob", "hide 1")
    clock_tables.move(game, "cyd", "hide 1")
    (missed,) = reader.clock(game, "bob").ok().json["missed"]
    assert missed["played"] == ["hide 0"], "when the hands are open"


def test_in20_mails_that_came_in_are_told_to_who_sent_them(reader):
    clock_tables = reader.clock_tables
    clock_tables.player("ann")
    blank: dict[str, Any] = dict.fromkeys(("sender", "recipient", "reason", "message_id"), "")
    blank |= dict.fromkeys(("about", "attempts", "lease_until", "not_before"), 0)
    game = clock_tables.begin_timed("ann", "bob", "cyd", per_move="P3D")
    for hour, state in ((1, "rejected"), (72, "late")):
        came = blank | {"source": "smtp", "purpose": "mv", "digest": b"", "state": state}
        mine = {"player_id": clock_tables.ids["ann"], "game_id": game, "seat": 0, "received_at": START + hour * HOUR}
        with clock_tables.services.database.write() as tx:
            tx.execute(inbound.insert().values(came | mine))
    clock_tables.clock.at = START + 3 * DAY + 600 * SECOND
    clock_tables.record_sweep()
    sweep_deadlines(clock_tables.services)
    told = reader.told(game, "ann", 0, "missed")
    assert "On Tue 04 Mar 2031 13:00 UTC a mail of ann came in: it could not be used." in told
    assert "On Fri 07 Mar 2031 12:00 UTC a mail of ann came in: it came after the deadline." in told
    assert not [one for one in told if one.startswith("No mail")]
    assert not [one for one in reader.told(game, "bob", 0, "missed") if "mail of" in one]


def test_design7_a_deadline_that_stopped_the_clock_and_one_that_made_the_seat_vacant(reader):
    clock_tables = reader.clock_tables
    game = misses(reader, on_timeout="pause")
    document = reader.clock(game, "bob").ok().json
    (missed,) = document["missed"]
    assert (missed["outcome"], missed["vacant"]) == ("paused", False)
    assert "The clock is stopped: the game waits for Ann." in document["text"]
    assert reader.told(game, "bob", 0)[-2:] == [
        "The deadline of Fri 07 Mar 2031 12:00 UTC passed without an answer, so on Fri 07 Mar 2031 12:10 UTC the "
        "clock was "
        "stopped, to wait for Ann. When it runs on, Ann has 3 days again.",
        "The clock is stopped, with 3 days left. Nothing is due before it runs on.",
    ]
    clock_tables.agree(game, "resume")
    clock_tables.clock.at = clock_tables.seat_clock(game, "ann")["acts_at"]
    clock_tables.record_sweep()
    assert sweep_deadlines(clock_tables.services) == 1
    missed, _ = reader.clock(game, "bob").ok().json["missed"]
    assert (missed["outcome"], missed["vacant"]) == ("caretaker", True)
    assert missed["steps"][-1]["text"] == (
        "That was deadline number 2 in a row, so the seat is vacant: the caretaker plays it until Ann takes it back, "
        "or "
        "somebody else takes it over."
    )


def test_design2_a_missed_deadline_that_the_table_went_back_before_says_so(reader):
    clock_tables = reader.clock_tables
    game = clock_tables.begin_timed("ann", "bob", "cyd", per_move="P3D")
    for name in ("ann", "bob", "cyd"):
        clock_tables.move(game, name, "hide 3" if name == "ann" else "hide 1")
    clock_tables.mark_all_sent()
    clock_tables.clock.at = clock_tables.seat_clock(game, "ann")["acts_at"]
    clock_tables.record_sweep()
    sweep_deadlines(clock_tables.services)
    clock_tables.advance(hours=1)
    with clock_tables.services.database.write() as tx:
        asked = takeback.go_back(clock_tables.services, tx, game, clock_tables.ids["ann"], reason="lapse")
    assert not asked.done
    for name in ("bob", "cyd"):
        with clock_tables.services.database.write() as tx:
            takeback.vote(clock_tables.services, tx, game, clock_tables.ids[name], True)
    (missed,) = reader.clock(game, "bob").ok().json["missed"]
    assert missed["undone"] == text(clock_tables.clock.at)
    assert missed["steps"][-1]["text"].endswith("this was undone.")


# Who reads it


def test_t44_nobody_reads_another_s_zone_or_wake_time(reader):
    clock_tables = reader.clock_tables
    clock_tables.rename("ann", "Ann", "Asia/Kathmandu")
    clock_tables.change_profile("ann", wakes_at=7 * 60 + 11)
    clock_tables.rename("bob", "Bob", "America/New_York")
    game = clock_tables.begin_timed(quiet_hours=True, per_move="P3D")
    mine, others = reader.clock(game, "ann").ok().text, reader.clock(game, "bob").ok().text
    assert "07:11 on in Asia/Kathmandu" in mine
    for secret in ("Kathmandu", "07:11", "+0545"):
        assert secret not in others
    deadlines = reader.clock(game, "bob").ok().json["deadlines"]
    told = {one["name"]: {step["code"] for step in one["steps"]} for one in deadlines}
    assert "nights" in told["Bob"]
    assert not {"nights", "weekend", "leave"} & told["Ann"], "when another's night begins is where they live"
    assert "EST" in others
    assert "EST" not in mine


def test_the_page_speaks_the_reader_s_language(reader):
    clock_tables = reader.clock_tables
    game = clock_tables.begin_timed(per_move="P3D")
    clock_tables.change_profile("ann", language="de")
    assert "Fr., 7. März 2031, 12:00 UTC" in reader.clock(game, "ann").ok().json["text"]
    for why in WAITS:
        with clock_tables.services.database.write() as tx:
            tx.execute(
                sa.text("UPDATE deliveries SET not_before = not_before + 60000000, reason = :why, state = 'queued'"),
                {"why": why},
            )
        told = reader.clock(game, "ann").ok().json["text"]
        assert "Sie wartet: " in told
        assert why not in told


def test_whoever_may_watch_the_table_reads_its_clock_and_nobody_else(reader):
    clock_tables = reader.clock_tables
    public, private = clock_tables.begin_timed(), clock_tables.open("ann", clock=CLOCK, public=False)
    reader.clock(public, "eve").ok()
    reader.clock(private, "eve").refused(404, "no-such-game")
    reader.clock("nosuchgame", "ann").refused(404, "no-such-game")
    reader.api.get(f"/games/{public}/clock").ok()
    reader.api.get(f"/games/{private}/clock").refused(401, "unauthorized")


def test_a_game_that_does_not_run_owes_nothing(reader):
    clock_tables = reader.clock_tables
    game = clock_tables.open("ann", clock=CLOCK | {"leave_days": 3, "bank": "P1D"})
    document = reader.clock(game, "ann").ok().json
    assert document["deadlines"] == document["banks"] == []
    assert "The game has not begun: nobody has to answer." in document["text"]


def test_banks_and_leave_stand_on_the_page(reader):
    """A bank that stands during leave would tell the zone: others see it as the last answer left it."""
    clock_tables = reader.clock_tables
    game = clock_tables.begin_timed(bank="P2D", increment="PT12H", leave_days=5)
    clock_tables.take_leave("bob", "2031-03-20", "2031-03-26")
    clock_tables.clock.at = START + DAY + HOUR
    document = reader.clock(game, "ann").ok().json
    assert document["banks"] == [
        {"seat": 0, "name": "ann", "left": "P1DT23H"},
        {"seat": 1, "name": "bob", "left": "P2D"},
    ]
    assert [one["bank_left"] for one in document["deadlines"]] == ["P1DT23H", "P2D"]
    assert document["leave"] == [
        {"seat": 0, "name": "ann", "days_left": 5, "of": 5, "away": []},
        {
            "seat": 1, "name": "bob", "days_left": 0, "of": 5,
            "away": [{"from": "2031-03-20", "to": "2031-03-26", "days": 7, "counting": 5}],
        },
    ]  # fmt: skip
    for said in (
        "When that is used up, you can draw on a bank of 2 days for the whole game.",
        "Each answer adds 12 hours to the bank, until it is full again.",
        "ann has 1 day 23 hours in the bank.",
        "bob is away from Thu 20 Mar 2031 to Wed 26 Mar 2031; of that 5 days do not count here.",
        "bob has 0 days of leave left in this game, of 5.",
    ):
        assert said in document["text"]


# Leave


def test_leave_is_put_listed_and_deleted(reader):
    clock_tables = reader.clock_tables
    game, strict = clock_tables.begin_timed(leave_days=14, per_move="P3D"), clock_tables.begin_timed()
    done = reader.put("ann", "2031-03-06", "2031-03-09").ok(201).json
    assert done["leave"] == [{"from": "2031-03-06", "to": "2031-03-09", "days": 4, "announced_at": text(START)}]
    games = {one["game"]: one for one in done["games"]}
    assert games[game] == {
        "game": game, "ruleset": "pennies", "seat": 0, "leave_days": 14, "counting": 4, "days_left": 10,
        "moved": [{"decision": "hide-1", "was": text(START + 3 * DAY), "due": text(START + 7 * DAY)}],
        "text": f"In game {game} 10 of 14 days of leave are left. Of the leave that is to come 4 days do not count "
        "there. "
        "Your deadline there moves from Fri 07 Mar 2031 12:00 UTC to Tue 11 Mar 2031 12:00 UTC.",
    }  # fmt: skip
    assert games[strict]["text"] == f"Game {strict} was opened without days of leave: its deadlines run on."
    assert shows(clock_tables.due(game, "ann")) == "Tue 11 Mar 12:00"
    again = reader.put("ann", "2031-03-06", "2031-03-09").ok(200).json
    assert again["leave"] == done["leave"]
    assert [one["moved"] for one in again["games"]] == [[], []]
    assert reader.api.get("/me/leave", reader.player("ann")).ok().json == again
    assert reader.clock(game, "bob").ok().json["leave"][0]["days_left"] == 10
    seats = reader.api.get(f"/games/{game}", reader.player("bob")).ok().json["seats"]
    assert [one["away"] for one in seats] == [{"from": "2031-03-06", "to": "2031-03-09"}, None]
    gone = reader.api.delete("/me/leave", reader.player("ann")).ok().json
    assert gone["leave"] == []
    assert shows(clock_tables.due(game, "ann")) == "Tue 11 Mar 12:00", "no deadline moves earlier"


@pytest.mark.parametrize(
    "body, status, code",
    [
        ({}, 400, "bad-request"),
        ({"from": "2031-03-06"}, 400, "bad-request"),
        ({"from": "2031-03-06", "to": None}, 400, "bad-request"),
        ({"from": "2031-03-06", "to": 20310307}, 400, "bad-request"),
        ({"from": "06.03.2031", "to": "2031-03-07"}, 400, "bad-request"),
        ({"from": "2031-03-06", "to": "2031-03-07", "why": "sun"}, 400, "bad-request"),
        ({"from_": "2031-03-06", "to": "2031-03-07"}, 400, "bad-request"),
        ({"from": "2031-03-04", "to": "2031-03-07"}, 422, "leave-too-late"),
        ({"from": "2031-03-08", "to": "2031-03-07"}, 422, "bad-leave"),
    ],
)
def test_leave_that_cannot_be_is_refused_and_nothing_changes(reader, body, status, code):
    reader.player("ann")
    before = reader.api.kept()
    reader.api.send("PUT", "/me/leave", reader.player("ann"), json=body).refused(status, code)
    assert reader.api.kept() == before


def test_leave_put_twice_under_one_key_is_answered_alike(reader):
    clock_tables = reader.clock_tables
    game = clock_tables.begin_timed(leave_days=14, per_move="P3D")
    key = {"Idempotency-Key": "winter"}
    first = reader.put("ann", "2031-03-06", "2031-03-09", headers=key).ok(201)
    again = reader.put("ann", "2031-03-06", "2031-03-09", headers=key).ok(201)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.data == first.data
    assert len(clock_tables.leave_days("ann")) == 1
    assert shows(clock_tables.due(game, "ann")) == "Tue 11 Mar 12:00"
    assert reader.api.get("/me/leave").refused(401, "unauthorized")


# Waking hours


def test_t44_wake_time_is_kept_and_is_for_what_is_asked_later(reader):
    clock_tables = reader.clock_tables
    ann = reader.player("ann")
    assert reader.api.get("/me", ann).ok().json["wakes_at"] == "08:00"
    game = clock_tables.begin_timed(quiet_hours=True)
    before = clock_tables.seat_clock(game, "ann")
    assert reader.api.patch("/me", ann, {"wakes_at": "23:59"}).ok().json["wakes_at"] == "23:59"
    assert clock_tables.seat_clock(game, "ann")["hours"] == before["hours"]
    clock_tables.move(game, "bob", "hide 1")
    clock_tables.move(game, "ann", "hide 3")
    assert clock_tables.seat_clock(game, "ann")["hours"] == "UTC 1439 count"


@pytest.mark.parametrize("wrong", ["24:00", "8:00", "08:60", "08:00:00", "", "morning", 480, None, "٠٨:٠٠", "08:00\n"])
def test_a_wake_time_is_hours_and_minutes(reader, wrong):
    ann = reader.player("ann")
    reader.api.patch("/me", ann, {"wakes_at": wrong}).refused(400, "bad-request")
    assert reader.api.get("/me", ann).ok().json["wakes_at"] == "08:00"

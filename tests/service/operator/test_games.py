"""The operator's acts at tables as game records: events, clock, story, mails, and the audit of it all."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.audit.verify_history import audit
from domain.engine.refusals import RuleViolation
from service.games import game_story
from service.integrity.audit import audit_game
from service.operator import games, journal
from service.operator.journal import Deed, Operator
from service.store.clocks import decisions
from service.store.games import invitations
from service.store.running import operator_acts
from service.store.running.operator_acts import Act
from tests.letters import text_of
from tests.service.clock_tables import DAY, HOUR
from tests.service.store.service_tables import check
from tests.tables import CLOCK, Tables
from tests.workers.mail_tables import mail_tables
from tests.workers.worker_tables import manual_clock

__all__ = ["mail_tables", "manual_clock"]
CARLA = Operator("carla", "Bob is in hospital.")
BY_OPERATOR = {"operator": True}


def acts(tables: Tables, do: Callable[..., Deed], game: str, *words: Any, rehearse: bool = False) -> Act:
    """The operator does this at a table."""
    services = tables.services
    return journal.act(services, CARLA, lambda tx: do(services, tx, game, *words), rehearse=rehearse)


def kinds(tables: Tables, game: str) -> list[str]:
    with tables.services.database.read() as connection:
        found = tables.services.streams.seen(connection, game, None, after=0, upto=9999)
    return [event["type"].removeprefix("table.") for event in found if event["actor"] == BY_OPERATOR]


def story(tables: Tables, game: str, seat: int | None) -> str:
    head = tables.head(game)
    with tables.services.database.read() as connection:
        told = game_story.lines(tables.services, connection, head, seat, after=0, upto=head.version)
    return "\n".join(line.text for line in told)


def due(tables: Tables, game: str) -> dict[int, int | None]:
    with tables.services.database.read() as connection:
        return {owed.seat: owed.due_at for owed in decisions.owed(connection, game)}


def began(mail_tables: Tables, *names: str, **terms: Any) -> str:
    game = mail_tables.begin(*(names or ("ann", "bob", "cyd")), clock=CLOCK, options={"rounds": "3"}, **terms)
    mail_tables.deliver()
    mail_tables.carrier.letters.clear()
    return game


def holds(tables: Tables, game: str) -> None:
    """Rows and history agree, and verification finds nothing."""
    assert [finding.line() for finding in audit_game(tables.services, game, mend=False, thorough=True).findings] == []
    assert audit(line + b"\n" for line in tables.export(game)).ok


def mails(tables: Tables, kind: str = "operator-act") -> dict[str, str]:
    """What everybody was written, by name; one mail each."""
    tables.deliver()
    found = {
        name: [it for it in tables.letters_to(name) if it.message_id.startswith(f"<{kind}.")] for name in tables.ids
    }
    assert all(len(letters) <= 1 for letters in found.values())
    return {name: " ".join(text_of(letters[0]).split()) for name, letters in found.items() if letters}


# Ends


@pytest.mark.slow
def test_a_game_is_ended_and_everybody_is_told_why_in_the_letter_of_the_end(mail_tables):
    game = began(mail_tables)
    act = acts(mail_tables, games.end, game)
    assert (act.what, act.game_id, act.version) == ("game-ended", game, mail_tables.head(game).version)
    assert kinds(mail_tables, game) == ["game-abandoned", "seed-revealed"]
    assert due(mail_tables, game) == {}
    told = "The operator of this service has ended the game, without a result. The reason given: “Bob is in hospital.”"
    assert {name for name, text in mails(mail_tables, "game-over").items() if told in text} == {"ann", "bob", "cyd"}
    assert mails(mail_tables) == {}, "one mail is enough"
    assert told in story(mail_tables, game, 0)
    holds(mail_tables, game)
    check(mail_tables.services, game)


@pytest.mark.slow
def test_a_table_that_waits_for_people_is_closed(mail_tables):
    game = mail_tables.sit(mail_tables.open(), "bob")
    acts(mail_tables, games.end, game)
    assert mail_tables.head(game).table.status == "abandoned"
    assert set(mails(mail_tables, "game-over")) == {"ann", "bob"}
    holds(mail_tables, game)


# The clock


@pytest.mark.slow
def test_a_clock_is_stopped_for_a_while_and_runs_again_with_what_was_left(mail_tables):
    game = began(mail_tables)
    mail_tables.advance(hours=6)
    acts(mail_tables, games.pause, game, 48 * 3600)
    assert kinds(mail_tables, game) == ["clock-paused"]
    assert set(due(mail_tables, game).values()) == {None}
    told = mails(mail_tables)
    assert told.keys() == {"ann", "bob", "cyd"}
    assert told["cyd"].startswith(
        "Pennies “Lunch break”: The operator of this service has stopped the clock, for 2 days at most."
    )
    assert "The reason given: “Bob is in hospital.”" in told["cyd"]
    assert "You may keep playing" in told["cyd"]
    holds(mail_tables, game)
    mail_tables.advance(hours=1)
    mail_tables.carrier.letters.clear()
    acts(mail_tables, games.resume, game)
    assert due(mail_tables, game) == dict.fromkeys(range(3), mail_tables.clock.at + 18 * HOUR)
    assert "has started the clock again" in mails(mail_tables)["ann"]
    holds(mail_tables, game)
    check(mail_tables.services, game)


@pytest.mark.slow
def test_one_seat_has_more_time_and_no_other(mail_tables):
    game = began(mail_tables)
    before = due(mail_tables, game)
    act = acts(mail_tables, games.extend, game, 1, 24 * 3600)
    assert due(mail_tables, game) == before | {1: before[1] + DAY}
    assert (act.seat, act.results) == (1, {"seconds": 86400, "from": act.version})
    assert "Pennies “Lunch break”: The operator of this service gives bob 1 day more." in mails(mail_tables)["ann"]
    acts(mail_tables, games.extend, game, None, 24 * 3600)
    assert due(mail_tables, game) == {seat: at + DAY * (2 if seat == 1 else 1) for seat, at in before.items()}
    assert "gives everyone who has to answer now 1 day more" in story(mail_tables, game, 2)
    holds(mail_tables, game)
    check(mail_tables.services, game)


# Seats


@pytest.mark.slow
def test_a_seat_is_freed_its_player_hears_of_it_and_may_come_back(mail_tables):
    game = began(mail_tables)
    act = acts(mail_tables, games.vacate, game, 1)
    assert (act.seat, act.player_id) == (1, mail_tables.ids["bob"])
    assert kinds(mail_tables, game) == ["seat-vacated"]
    told = mails(mail_tables)
    assert told.keys() == {"ann", "bob", "cyd"}
    assert "has freed the seat of bob: the caretaker plays until somebody takes it over." in told["ann"]
    assert "bob can take the seat back as long as nobody else plays it." in told["bob"]
    assert not mails(mail_tables, "vacant"), "the host hears of it as all others do"
    mail_tables.sit(game, "bob")
    assert not mail_tables.head(game).table.chairs[1].vacant
    holds(mail_tables, game)
    check(mail_tables.services, game)


@pytest.mark.slow
def test_before_the_start_who_is_put_off_hears_of_it_too(mail_tables):
    game = mail_tables.sit(mail_tables.open(), "bob")
    acts(mail_tables, games.vacate, game, 1)
    assert "has freed a seat" in mails(mail_tables)["bob"]
    assert mail_tables.head(game).table.chairs[1].player is None
    holds(mail_tables, game)


@pytest.mark.slow
def test_a_vacant_seat_is_offered_and_taken_over_by_mail(mail_tables):
    game = began(mail_tables, public=False, invite=["bob@people.example", "cyd@people.example"])
    acts(mail_tables, games.vacate, game, 1)
    acts(mail_tables, games.invite, game, 1, "Dan@people.example")
    with mail_tables.services.database.read() as connection:
        assert invitations.is_invited(connection, game, "dan@people.example")
    mail_tables.deliver()
    letter = mail_tables.newest_text("dan", "invitation")
    assert "invites you to take over a seat that somebody has left" in " ".join(letter.split())
    mail_tables.reply("dan", "join Dan")
    mail_tables.exchange()
    assert not mail_tables.head(game).table.chairs[1].vacant
    holds(mail_tables, game)


def test_a_free_seat_of_a_table_that_waits_is_offered(mail_tables):
    game = mail_tables.open(public=False)
    acts(mail_tables, games.invite, game, 1, "dan@people.example")
    mail_tables.deliver()
    text = " ".join(mail_tables.newest_text("dan", "invitation").split())
    assert "invites you to a table that waits for people" in text
    assert "invited somebody to a free seat. The reason given" in story(mail_tables, game, 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "seat, address, code",
    [
        (0, "dan@people.example", "seat-taken"),
        (3, "dan@people.example", "no-such-seat"),
        (1, "cyd@people.example", "already-seated"),
        (1, "eve@people.example", "already-invited"),
    ],
)
def test_no_seat_is_offered_that_somebody_plays_nor_to_whom_it_was(mail_tables, seat, address, code):
    game = began(mail_tables)
    acts(mail_tables, games.vacate, game, 1)
    acts(mail_tables, games.invite, game, 1, "eve@people.example")
    with pytest.raises(RuleViolation) as refused:
        acts(mail_tables, games.invite, game, seat, address)
    assert refused.value.code == code


# What is told to whom


def test_strangers_read_what_was_done_and_not_why(mail_tables):
    game = began(mail_tables)
    acts(mail_tables, games.pause, game, 0)
    assert "has stopped the clock. The reason given" in story(mail_tables, game, 1)
    assert "has stopped the clock" in story(mail_tables, game, None)
    assert "hospital" not in story(mail_tables, game, None)


def test_what_is_rehearsed_is_not_done(mail_tables):
    game = began(mail_tables)
    before = mail_tables.head(game)
    assert acts(mail_tables, games.end, game, rehearse=True).what == "game-ended"
    assert mail_tables.head(game).hash == before.hash
    assert mails(mail_tables, "game-over") == {}


def test_what_is_refused_leaves_no_line(mail_tables):
    game = began(mail_tables)
    for refused in (
        lambda: acts(mail_tables, games.resume, game),
        lambda: acts(mail_tables, games.pause, game, 60),
        lambda: acts(mail_tables, games.extend, game, 9, 3600),
        lambda: acts(mail_tables, games.vacate, game, 9),
    ):
        with pytest.raises(RuleViolation):
            refused()
    with mail_tables.services.database.read() as connection:
        assert operator_acts.every(connection) == []


@pytest.mark.slow
def test_the_audit_holds_journal_and_history_against_each_other(mail_tables):
    game = began(mail_tables)
    acts(mail_tables, games.pause, game, 0)
    line = acts(mail_tables, games.resume, game)
    engine = mail_tables.services.database.owner_engine()
    with engine.begin() as connection:
        for verb in ("delete", "update"):
            connection.exec_driver_sql(f"DROP TRIGGER operator_acts_no_{verb}")
        connection.exec_driver_sql("DELETE FROM operator_acts WHERE number = 1")
        connection.exec_driver_sql("UPDATE operator_acts SET outcome = '{\"from\":3}' WHERE number = 2")
    engine.dispose()
    found = [finding.line() for finding in audit_game(mail_tables.services, game, mend=False).findings]
    unsaid = "operator_acts: The operator did this, and no line of the journal says who and why."
    assert found == [
        unsaid, unsaid,
        f"operator_acts.outcome {line.number}: It tells of an act with event 3, which is no act of the operator's.",
    ]  # fmt: skip

"""The postroom may die at any line, run twice at once, or meet a mail that kills it: nothing is lost or done twice."""

import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from service.container import Services
from service.mail import inbox
from service.mail.inbox import NotAccepted
from tests.acceptance.processes import Program
from tests.databases import BOTH
from tests.letters import reply_address
from tests.manual_clock import Died, ManualClock, dying
from tests.tables import SETTINGS, Tables
from tests.workers.mail_tables import mail_tables
from tests.workers.sessions.mails import raw_mail, report
from workers.mail_in.inbox_worker import LEASE, MOST_ATTEMPTS
from workers.mail_out.letter import Letter
from workers.parsing.limits import poison
from workers.parsing.read_mail import Reading, read

__all__ = ["mail_tables"]
POINTS = ("claimed", "read", "done", "settled")
REPORT = 'multipart/report; report-type=delivery-status; boundary="dsn"'


@dataclass(frozen=True)
class Kind:
    """A kind of mail: what it takes to get to it, its bytes and where to; then its state, new events and letters."""

    given: Callable[[Tables], str]
    mail: Callable[[Tables], tuple[bytes, str, str]]
    state: str
    events: int
    letters: list[str]


def at_table(mail_tables: Tables) -> str:
    game = mail_tables.begin("ann", "bob")
    mail_tables.exchange()
    return game


def to_take(mail_tables: Tables) -> str:
    """ann is to take the pot."""
    game = at_table(mail_tables)
    mail_tables.move(game, 0, "hide 3")
    mail_tables.move(game, 1, "hide 1")
    mail_tables.exchange()
    return game


def held(mail_tables: Tables) -> str:
    """ann is asked whether a mail was hers."""
    game = at_table(mail_tables)
    mail_tables.reply("ann", "hide 2", verdict=None)
    mail_tables.exchange()
    return game


def invited(mail_tables: Tables) -> str:
    game = mail_tables.open("bob", seats=3, invite=["zed@people.example"])
    mail_tables.exchange()
    return game


def says(text: str, who: str = "ann", **more: Any) -> Callable[[Tables], tuple[bytes, str, str]]:
    def mail(mail_tables: Tables) -> tuple[bytes, str, str]:
        letter = mail_tables.newest_letter(who)
        mail_tables.sent += 1
        raw = raw_mail(mail_tables, letter, text, who=who, **more)
        return raw, reply_address(letter), f"{who}@people.example"

    return mail


def bounced(mail_tables: Tables) -> tuple[bytes, str, str]:
    letter = mail_tables.newest_letter("ann")
    raw = raw_mail(mail_tables, letter, sender="MAILER-DAEMON@people.example", auth=None, kind=REPORT, body=report)
    return raw, letter.return_path, ""


def left(mail_tables: Tables) -> tuple[bytes, str, str]:
    letter = mail_tables.newest_letter("ann")
    address = letter.data.decode().partition("<mailto:")[2].partition(">")[0]
    return raw_mail(mail_tables, letter, "", subject="unsubscribe"), address, "ann@people.example"


KINDS = {
    "move": Kind(to_take, says("take"), "applied", 3, ["answer.ann", "your-turn.bob"]),
    "bid": Kind(at_table, says("hide 2"), "applied", 1, ["answer.ann"]),
    "rejected": Kind(at_table, says("hide 9"), "rejected", 0, ["answer.ann"]),
    "held": Kind(at_table, says("hide 2", auth=None), "held", 0, ["confirm.ann"]),
    "yes": Kind(held, says("yes"), "applied", 1, ["answer.ann"]),
    "no": Kind(held, says("no"), "applied", 0, ["answer.ann"]),
    "join": Kind(invited, says("join Zed", "zed"), "applied", 1, ["answer.zed", "begin.bob"]),
    "say": Kind(at_table, says("say hello"), "applied", 0, ["answer.ann", "talk.bob"]),
    "bounce": Kind(at_table, bounced, "bounce", 0, ["probe.ann"]),
    "unsubscribe": Kind(at_table, left, "applied", 0, []),
}


def told(mail_tables: Tables) -> list[str]:
    """The letters that left, by kind and reader."""
    return sorted(
        f"{one.message_id[1:].partition('.')[0]}.{one.to.partition('@')[0]}" for one in mail_tables.carrier.letters
    )


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("point", POINTS)
def test_i_08_a_postroom_that_dies_does_it_once_and_answers_once(mail_tables: Tables, name: str, point: str) -> None:
    kind = KINDS[name]
    game = kind.given(mail_tables)
    before, earlier = mail_tables.version(game), len(mail_tables.mails())
    raw, recipient, sender = kind.mail(mail_tables)
    mail_tables.carrier.letters.clear()
    number = mail_tables.accept_mail(raw, recipient, sender=sender)
    with pytest.raises(Died):
        mail_tables.read_inbox(fault=dying(point))
    mail_tables.advance(seconds=LEASE / 1_000_000 + 1)
    mail_tables.exchange()
    mail_tables.advance(minutes=15)
    mail_tables.exchange()
    assert (mail_tables.mail_state(number), mail_tables.version(game) - before, told(mail_tables)) == (
        kind.state,
        kind.events,
        kind.letters,
    )
    mail_tables.carrier.letters.clear()
    for row in mail_tables.mails():
        if row["id"] > earlier:
            again = inbox.raw_of(mail_tables.services, row["digest"], row["raw"])
            assert again == raw
            with suppress(NotAccepted):
                mail_tables.accept_mail(again, recipient, sender=sender)
    mail_tables.exchange()
    assert mail_tables.version(game) - before == kind.events, "fed again, it does nothing"
    assert told(mail_tables) == [], "nor is it answered again"


@pytest.mark.slow
@pytest.mark.parametrize("database", BOTH)
@pytest.mark.parametrize("point", ["read", "done", "settled"])
def test_i_08_a_postroom_killed_with_kill_9_loses_nothing_and_does_nothing_twice(
    request: pytest.FixtureRequest,
    open_services: Callable[..., Services],
    tmp_path: Path,
    manual_clock: ManualClock,
    database: str,
    point: str,
) -> None:
    url = request.getfixturevalue(f"migrated_{database}")
    services = open_services(url, clock=ManualClock(datetime.now(UTC)), DATA_DIR=str(tmp_path / "data"), **SETTINGS)
    mail_tables = Tables(services, services.database.clock)
    game = at_table(mail_tables)
    before = mail_tables.version(game)
    numbers = [mail_tables.reply("ann", "hide 2"), mail_tables.reply("bob", "hide 1")]
    words = ["tests.workers.mail_in.doomed_postroom", url, str(tmp_path / "data"), point, "1"]
    with Program(words, os.environ, tmp_path / "doomed.log") as doomed:
        assert doomed.wait(60) == -signal.SIGKILL
    mail_tables.clock.at = int(datetime.now(UTC).timestamp() * 1_000_000)
    mail_tables.advance(hours=1)
    mail_tables.exchange()
    assert [mail_tables.mail_state(number) for number in numbers] == ["applied", "applied"]
    assert [one.partition(" ")[0] for one in mail_tables.outcome(numbers[0]).commands] == ["hide"]
    assert mail_tables.version(game) - before == 3, "two hands, and their opening"
    assert sorted(row["decision"] for row in mail_tables.notices(kind="answer")) == [str(number) for number in numbers]


def test_a_lease_that_was_lost_does_nothing(mail_tables: Tables) -> None:
    """Another postroom was quicker: the slower one finds its lease gone (Q-11)."""
    at_table(mail_tables)
    number = mail_tables.reply("ann", "say hello")
    slow = Tables(mail_tables.services, mail_tables.clock)

    def overtaken(raw: bytes, domain: str) -> Reading:
        mail_tables.advance(minutes=3)
        mail_tables.read_inbox()
        return read(raw, domain)

    slow.postroom.read = overtaken
    slow.read_inbox()
    assert mail_tables.mail_state(number) == "applied"
    assert len(mail_tables.notices(kind="answer")) == len(mail_tables.notices(kind="talk")) == 1


def test_rate_09_a_flood_to_one_address_leaves_others_their_turn(mail_tables: Tables) -> None:
    """After five mails in an hour the next to the same address yield, whatever kind of address it is."""
    at_table(mail_tables)
    bounce, leave = (KINDS[name].mail for name in ("bounce", "unsubscribe"))
    floods = {
        "one seat": lambda number: says(f"say {number}")(mail_tables),
        "bounces": lambda _: bounce(mail_tables),
        "unsubscribing": lambda _: leave(mail_tables),
    }
    for name, flood in floods.items():
        for number in range(25):
            raw, recipient, sender = flood(number)
            mail_tables.accept_mail(raw, recipient, sender=sender)
        other = mail_tables.reply("bob", f"say {name}")
        before = 0
        while mail_tables.mail_state(other) == "received":
            assert mail_tables.read_inbox(seconds=0.001) == 1, name
            before += 1
        assert before <= 6, name
        mail_tables.advance(minutes=61)
        mail_tables.exchange()


# Poison


def deadly(mail_tables: Tables, word: bytes, error: Callable[[], BaseException]) -> Callable[[bytes, str], Reading]:
    def reads(raw: bytes, domain: str) -> Reading:
        if word in raw:
            raise error()
        return read(raw, domain)

    return reads


def test_in_04_a_mail_that_cannot_be_done_with_is_put_aside_after_three_tries_and_stops_nobody(
    mail_tables: Tables,
) -> None:
    game = at_table(mail_tables)
    mail_tables.postroom.read = deadly(mail_tables, b"deadly", lambda: RuntimeError("no"))
    bad = mail_tables.reply("ann", "deadly")
    good = mail_tables.reply("bob", "hide 1")
    mail_tables.read_inbox()
    assert (mail_tables.mail_state(bad), mail_tables.mail_state(good)) == ("received", "applied")
    for _ in range(MOST_ATTEMPTS):
        mail_tables.advance(seconds=6)
        mail_tables.read_inbox()
    assert mail_tables.mail_state(bad) == "quarantined"
    mail_tables.exchange()
    assert "could not be read" in mail_tables.newest_text("ann", "answer")
    after = mail_tables.reply("ann", "hide 2")
    mail_tables.exchange()
    assert (mail_tables.mail_state(after), mail_tables.phase(game)) == ("applied", "take")


def test_a_mail_that_kills_the_postroom_is_put_aside_and_is_no_try_of_the_others(mail_tables: Tables) -> None:
    at_table(mail_tables)
    mail_tables.postroom.read = deadly(mail_tables, b"deadly", lambda: Died("reading"))
    bad, good = mail_tables.reply("ann", "deadly"), mail_tables.reply("bob", "hide 1")
    for _ in range(MOST_ATTEMPTS):
        with pytest.raises(Died):
            mail_tables.read_inbox()
        mail_tables.advance(seconds=LEASE / 1_000_000 + 1)
    mail_tables.read_inbox()
    assert (mail_tables.mail_state(bad), mail_tables.mail_state(good)) == ("quarantined", "applied")
    assert mail_tables.mails(id=good)[0]["attempts"] == 1


def test_in_21_an_automatic_mail_that_cannot_be_read_is_not_answered(mail_tables: Tables) -> None:
    at_table(mail_tables)
    mail_tables.postroom.read = deadly(mail_tables, b"hide", lambda: poison("parts", automatic="auto-submitted"))
    number = mail_tables.reply("ann", "hide 2")
    mail_tables.exchange()
    assert mail_tables.mail_state(number) == "quarantined"
    assert mail_tables.notices(kind="answer") == []


def test_in_01_the_answer_to_a_mail_that_was_put_aside_can_be_answered_with_the_order(mail_tables: Tables) -> None:
    at_table(mail_tables)
    mail_tables.postroom.read = deadly(mail_tables, b"heavy", lambda: poison("parts"))
    mail_tables.reply("ann", "heavy\nhide 2")
    mail_tables.exchange()
    number = mail_tables.reply("ann", "hide 2", to=mail_tables.newest_letter("ann", "answer"), quote=False)
    mail_tables.exchange()
    assert mail_tables.mail_state(number) == "applied"


def test_poison_is_put_aside_in_the_language_of_its_player(mail_tables: Tables) -> None:
    at_table(mail_tables)
    mail_tables.change_profile("ann", language="de")
    mail_tables.postroom.read = deadly(mail_tables, b"hide", lambda: poison("parts"))
    number = mail_tables.reply("ann", "hide 2")
    mail_tables.read_inbox()
    assert mail_tables.outcome(number).why.startswith("Deine Mail") or "Mail" in mail_tables.outcome(number).why
    assert mail_tables.outcome(number).why != poison("parts").reason


def test_in_01_the_real_reader_is_a_child_with_limits(mail_tables: Tables) -> None:
    at_table(mail_tables)
    child = mail_tables.postroom.child
    mail_tables.postroom.read = child.read
    number = mail_tables.reply("ann", "hide 2")
    try:
        mail_tables.read_inbox()
        assert child.started == 1
    finally:
        mail_tables.postroom.close()
    assert mail_tables.mail_state(number) == "applied"


# Order


def test_of_two_mails_of_a_seat_the_later_received_counts_last(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    letter = mail_tables.newest_letter("ann")
    numbers = [mail_tables.reply("ann", f"hide {n}", to=letter) for n in (1, 3, 2)]
    mail_tables.read_inbox()
    assert [mail_tables.mail_state(number) for number in numbers] == ["applied"] * 3
    assert mail_tables.head(game).table.game.hands[0] == 2


def test_a_mail_that_is_tried_again_keeps_its_place_before_later_ones_of_its_seat(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    letter = mail_tables.newest_letter("ann")
    tries = []

    def once(raw: bytes, domain: str) -> Reading:
        if b"hide 1" in raw and not tries:
            tries.append(raw)
            raise RuntimeError("not yet")
        return read(raw, domain)

    mail_tables.postroom.read = once
    mail_tables.reply("ann", "hide 1", to=letter, quote=False)
    mail_tables.reply("ann", "hide 3", to=letter, quote=False)
    mail_tables.read_inbox()
    assert mail_tables.head(game).table.game.hands == {}
    mail_tables.advance(seconds=6)
    mail_tables.read_inbox()
    assert mail_tables.head(game).table.game.hands == {0: 3}


@pytest.mark.slow
@pytest.mark.parametrize("database", BOTH)
def test_two_postrooms_at_once_do_every_mail_once_and_in_its_seats_order(
    request: pytest.FixtureRequest, open_services: Callable[..., Services], tmp_path: Path, database: str
) -> None:
    url = request.getfixturevalue(f"migrated_{database}")
    manual_clock = ManualClock()
    first = Tables(open_services(url, clock=manual_clock, **SETTINGS), manual_clock)
    first.begin("ann", "bob", "cyd")
    game = first.begin("ann", "bob", "cyd")
    first.exchange()
    letters = {name: first.newest_letter(name) for name in ("ann", "bob", "cyd")}
    numbers = []
    for pennies in (1, 2, 0, 3, 1):
        for name in ("ann", "bob"):
            raw = first.write_reply(name, f"hide {pennies}", to=letters[name], quote=False)
            numbers.append(first.accept_mail(raw, letters[name], sender=f"{name}@people.example"))
    second = Tables(open_services(url, clock=manual_clock, **SETTINGS), manual_clock)
    gate = threading.Barrier(2)
    failures: list[BaseException] = []

    def works(mail_tables: Tables) -> None:
        try:
            gate.wait()
            for _ in range(40):
                mail_tables.read_inbox()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=works, args=(mail_tables,)) for mail_tables in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    assert [first.mail_state(number) for number in numbers] == ["applied"] * len(numbers)
    assert first.head(game).table.game.hands == {0: 1, 1: 1}
    assert len(first.notices(kind="answer")) == len(numbers)


def test_mail_that_nobody_reads_is_left_alone(mail_tables: Tables) -> None:
    at_table(mail_tables)
    letter: Letter = mail_tables.newest_letter("ann")
    number = mail_tables.accept_mail(raw_mail(mail_tables, letter, "hide 2"), "postmaster@play.example")
    mail_tables.exchange()
    assert mail_tables.mail_state(number) == "ignored"
    assert mail_tables.notices(kind="answer") == []

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
from tests.workers.office import Died, Hands, dying
from tests.workers.post import SETTINGS, Post, post, reply_address
from tests.workers.sessions.mails import raw_mail, report
from workers.mail_in.inbox_worker import LEASE, MOST_ATTEMPTS
from workers.mail_out.letter import Letter
from workers.parsing.limits import poison
from workers.parsing.read_mail import Reading, read

__all__ = ["post"]
POINTS = ("claimed", "read", "done", "settled")
REPORT = 'multipart/report; report-type=delivery-status; boundary="dsn"'


@dataclass(frozen=True)
class Kind:
    """A kind of mail: what it takes to get to it, its bytes and where to; then its state, new events and letters."""

    given: Callable[[Post], str]
    mail: Callable[[Post], tuple[bytes, str, str]]
    state: str
    events: int
    letters: list[str]


def at_table(post: Post) -> str:
    game = post.begins("ann", "bob")
    post.round()
    return game


def to_take(post: Post) -> str:
    """ann is to take the pot."""
    game = at_table(post)
    post.plays(game, 0, "hide 3")
    post.plays(game, 1, "hide 1")
    post.round()
    return game


def held(post: Post) -> str:
    """ann is asked whether a mail was hers."""
    game = at_table(post)
    post.answers("ann", "hide 2", verdict=None)
    post.round()
    return game


def invited(post: Post) -> str:
    game = post.opens("bob", seats=3, invite=["zed@people.example"])
    post.round()
    return game


def says(text: str, who: str = "ann", **more: Any) -> Callable[[Post], tuple[bytes, str, str]]:
    def mail(post: Post) -> tuple[bytes, str, str]:
        letter = post.newest(who)
        post.sent += 1
        raw = raw_mail(post, letter, text, who=who, **more)
        return raw, reply_address(letter), f"{who}@people.example"

    return mail


def bounced(post: Post) -> tuple[bytes, str, str]:
    letter = post.newest("ann")
    raw = raw_mail(post, letter, sender="MAILER-DAEMON@people.example", auth=None, kind=REPORT, body=report)
    return raw, letter.return_path, ""


def left(post: Post) -> tuple[bytes, str, str]:
    letter = post.newest("ann")
    address = letter.data.decode().partition("<mailto:")[2].partition(">")[0]
    return raw_mail(post, letter, "", subject="unsubscribe"), address, "ann@people.example"


KINDS = {
    "move": Kind(to_take, says("take"), "applied", 3, ["answer.ann", "your-turn.bob"]),
    "bid": Kind(at_table, says("hide 2"), "applied", 1, ["answer.ann"]),
    "rejected": Kind(at_table, says("hide 9"), "rejected", 0, ["answer.ann"]),
    "held": Kind(at_table, says("hide 2", auth=None), "held", 0, ["confirm.ann"]),
    "yes": Kind(held, says("yes"), "applied", 1, ["answer.ann"]),
    "no": Kind(held, says("no"), "applied", 0, ["answer.ann"]),
    "join": Kind(invited, says("join Zed", "zed"), "applied", 1, ["answer.zed"]),
    "say": Kind(at_table, says("say hello"), "applied", 0, ["answer.ann", "talk.bob"]),
    "bounce": Kind(at_table, bounced, "bounce", 0, ["probe.ann"]),
    "unsubscribe": Kind(at_table, left, "applied", 0, []),
}


def told(post: Post) -> list[str]:
    """The letters that left, by kind and reader."""
    return sorted(f"{one.message_id[1:].partition('.')[0]}.{one.to.partition('@')[0]}" for one in post.carrier.letters)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("point", POINTS)
def test_i_08_a_postroom_that_dies_does_it_once_and_answers_once(post: Post, name: str, point: str) -> None:
    kind = KINDS[name]
    game = kind.given(post)
    before, earlier = post.version(game), len(post.mails())
    raw, recipient, sender = kind.mail(post)
    post.carrier.letters.clear()
    number = post.brings(raw, recipient, sender=sender)
    with pytest.raises(Died):
        post.works(fault=dying(point))
    post.hands.advance(seconds=LEASE / 1_000_000 + 1)
    post.round()
    post.hands.advance(minutes=15)
    post.round()
    assert (post.state(number), post.version(game) - before, told(post)) == (kind.state, kind.events, kind.letters)
    post.carrier.letters.clear()
    for row in post.mails():
        if row["id"] > earlier:
            again = inbox.raw_of(post.services, row["digest"], row["raw"])
            assert again == raw
            with suppress(NotAccepted):
                post.brings(again, recipient, sender=sender)
    post.round()
    assert post.version(game) - before == kind.events, "fed again, it does nothing"
    assert told(post) == [], "nor is it answered again"


@pytest.mark.slow
@pytest.mark.parametrize("database", BOTH)
@pytest.mark.parametrize("point", ["read", "done", "settled"])
def test_i_08_a_postroom_killed_with_kill_9_loses_nothing_and_does_nothing_twice(
    request: pytest.FixtureRequest,
    open_services: Callable[..., Services],
    tmp_path: Path,
    hands: Hands,
    database: str,
    point: str,
) -> None:
    url = request.getfixturevalue(f"migrated_{database}")
    services = open_services(url, clock=Hands(datetime.now(UTC)), DATA_DIR=str(tmp_path / "data"), **SETTINGS)
    post = Post(services, services.database.clock)
    game = at_table(post)
    before = post.version(game)
    numbers = [post.answers("ann", "hide 2"), post.answers("bob", "hide 1")]
    words = ["tests.workers.mail_in.doomed_postroom", url, str(tmp_path / "data"), point, "1"]
    with Program(words, os.environ, tmp_path / "doomed.log") as doomed:
        assert doomed.wait(60) == -signal.SIGKILL
    post.hands.at = int(datetime.now(UTC).timestamp() * 1_000_000)
    post.hands.advance(hours=1)
    post.round()
    assert [post.state(number) for number in numbers] == ["applied", "applied"]
    assert [one.partition(" ")[0] for one in post.outcome(numbers[0]).commands] == ["hide"]
    assert post.version(game) - before == 3, "two hands, and their opening"
    assert sorted(row["decision"] for row in post.notices(kind="answer")) == [str(number) for number in numbers]


def test_a_lease_that_was_lost_does_nothing(post: Post) -> None:
    """Another postroom was quicker: the slower one finds its lease gone (Q-11)."""
    at_table(post)
    number = post.answers("ann", "say hello")
    slow = Post(post.services, post.hands)

    def overtaken(raw: bytes, domain: str) -> Reading:
        post.hands.advance(minutes=3)
        post.works()
        return read(raw, domain)

    slow.postroom.read = overtaken
    slow.works()
    assert post.state(number) == "applied"
    assert len(post.notices(kind="answer")) == len(post.notices(kind="talk")) == 1


# Poison


def deadly(post: Post, word: bytes, error: Callable[[], BaseException]) -> Callable[[bytes, str], Reading]:
    def reads(raw: bytes, domain: str) -> Reading:
        if word in raw:
            raise error()
        return read(raw, domain)

    return reads


def test_in_04_a_mail_that_cannot_be_done_with_is_put_aside_after_three_tries_and_stops_nobody(post: Post) -> None:
    game = at_table(post)
    post.postroom.read = deadly(post, b"deadly", lambda: RuntimeError("no"))
    bad = post.answers("ann", "deadly")
    good = post.answers("bob", "hide 1")
    post.works()
    assert (post.state(bad), post.state(good)) == ("received", "applied")
    for _ in range(MOST_ATTEMPTS):
        post.hands.advance(seconds=6)
        post.works()
    assert post.state(bad) == "quarantined"
    post.round()
    assert "could not be read" in post.text("ann", "answer")
    after = post.answers("ann", "hide 2")
    post.round()
    assert (post.state(after), post.phase(game)) == ("applied", "take")


def test_a_mail_that_kills_the_postroom_is_put_aside_and_is_no_try_of_the_others(post: Post) -> None:
    at_table(post)
    post.postroom.read = deadly(post, b"deadly", lambda: Died("reading"))
    bad, good = post.answers("ann", "deadly"), post.answers("bob", "hide 1")
    for _ in range(MOST_ATTEMPTS):
        with pytest.raises(Died):
            post.works()
        post.hands.advance(seconds=LEASE / 1_000_000 + 1)
    post.works()
    assert (post.state(bad), post.state(good)) == ("quarantined", "applied")
    assert post.mails(id=good)[0]["attempts"] == 1


def test_in_21_an_automatic_mail_that_cannot_be_read_is_not_answered(post: Post) -> None:
    at_table(post)
    post.postroom.read = deadly(post, b"hide", lambda: poison("parts", automatic="auto-submitted"))
    number = post.answers("ann", "hide 2")
    post.round()
    assert post.state(number) == "quarantined"
    assert post.notices(kind="answer") == []


def test_in_01_the_answer_to_a_mail_that_was_put_aside_can_be_answered_with_the_order(post: Post) -> None:
    at_table(post)
    post.postroom.read = deadly(post, b"heavy", lambda: poison("parts"))
    post.answers("ann", "heavy\nhide 2")
    post.round()
    number = post.answers("ann", "hide 2", to=post.newest("ann", "answer"), quote=False)
    post.round()
    assert post.state(number) == "applied"


def test_poison_is_put_aside_in_the_language_of_its_player(post: Post) -> None:
    at_table(post)
    post.changes("ann", language="de")
    post.postroom.read = deadly(post, b"hide", lambda: poison("parts"))
    number = post.answers("ann", "hide 2")
    post.works()
    assert post.outcome(number).why.startswith("Deine Mail") or "Mail" in post.outcome(number).why
    assert post.outcome(number).why != poison("parts").reason


def test_in_01_the_real_reader_is_a_child_with_limits(post: Post) -> None:
    at_table(post)
    child = post.postroom.child
    post.postroom.read = child.read
    number = post.answers("ann", "hide 2")
    try:
        post.works()
        assert child.started == 1
    finally:
        post.postroom.close()
    assert post.state(number) == "applied"


# Order


def test_of_two_mails_of_a_seat_the_later_received_counts_last(post: Post) -> None:
    game = at_table(post)
    letter = post.newest("ann")
    numbers = [post.answers("ann", f"hide {n}", to=letter) for n in (1, 3, 2)]
    post.works()
    assert [post.state(number) for number in numbers] == ["applied"] * 3
    assert post.head(game).table.game.hands[0] == 2


def test_a_mail_that_is_tried_again_keeps_its_place_before_later_ones_of_its_seat(post: Post) -> None:
    game = at_table(post)
    letter = post.newest("ann")
    tries = []

    def once(raw: bytes, domain: str) -> Reading:
        if b"hide 1" in raw and not tries:
            tries.append(raw)
            raise RuntimeError("not yet")
        return read(raw, domain)

    post.postroom.read = once
    post.answers("ann", "hide 1", to=letter, quote=False)
    post.answers("ann", "hide 3", to=letter, quote=False)
    post.works()
    assert post.head(game).table.game.hands == {}
    post.hands.advance(seconds=6)
    post.works()
    assert post.head(game).table.game.hands == {0: 3}


@pytest.mark.slow
@pytest.mark.parametrize("database", BOTH)
def test_two_postrooms_at_once_do_every_mail_once_and_in_its_seats_order(
    request: pytest.FixtureRequest, open_services: Callable[..., Services], tmp_path: Path, database: str
) -> None:
    url = request.getfixturevalue(f"migrated_{database}")
    hands = Hands()
    first = Post(open_services(url, clock=hands, **SETTINGS), hands)
    first.begins("ann", "bob", "cyd")
    game = first.begins("ann", "bob", "cyd")
    first.round()
    letters = {name: first.newest(name) for name in ("ann", "bob", "cyd")}
    numbers = []
    for pennies in (1, 2, 0, 3, 1):
        for name in ("ann", "bob"):
            raw = first.reply(name, f"hide {pennies}", to=letters[name], quote=False)
            numbers.append(first.brings(raw, letters[name], sender=f"{name}@people.example"))
    second = Post(open_services(url, clock=hands, **SETTINGS), hands)
    gate = threading.Barrier(2)
    failures: list[BaseException] = []

    def works(post: Post) -> None:
        try:
            gate.wait()
            for _ in range(40):
                post.works()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=works, args=(post,)) for post in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    assert [first.state(number) for number in numbers] == ["applied"] * len(numbers)
    assert first.head(game).table.game.hands == {0: 1, 1: 1}
    assert len(first.notices(kind="answer")) == len(numbers)


def test_mail_that_nobody_reads_is_left_alone(post: Post) -> None:
    at_table(post)
    letter: Letter = post.newest("ann")
    number = post.brings(raw_mail(post, letter, "hide 2"), "postmaster@play.example")
    post.round()
    assert post.state(number) == "ignored"
    assert post.notices(kind="answer") == []

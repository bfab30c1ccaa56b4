"""Every kind of notice: true when it was written, not true any more when it is to be sent, so not sent (RATE-04).

A row makes a notice, then makes it untrue behind its back, and says why it is not sent.
"""

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import pytest

from service.games import chat, clock_votes, standing_orders, takeback
from service.mail import deliverability, unsubscribes
from service.privacy import final_mail
from tests.notices import mail_in
from tests.workers.office import text_of
from tests.workers.post import Post, post
from workers.kinds.kind import NoticeKind
from workers.kinds.registry import KINDS
from workers.mail_out.transport import Refused
from workers.sweep import sweep_digests

__all__ = ["post"]
Case = Callable[[Post], dict[str, Any]]
"""What picks the notice among all."""
ROWS: dict[str, tuple[Case, str]] = {}


def claim(kind: str, reason: str) -> Callable[[Case], Case]:
    def keep(case: Case) -> Case:
        ROWS[kind] = (case, reason)
        return case

    return keep


def does(post: Post, what: Callable[..., Any], *words: Any, **more: Any) -> Any:
    """Something a player does through a service."""
    with post.services.database.write() as tx:
        return what(post.services, tx, *words, **more)


def queued(post: Post, kind: str, name: str) -> dict[str, Any]:
    """The notice of this kind to somebody that waits to be sent."""
    (row,) = post.notices(kind=kind, recipient=post.ids[name], state="queued")
    return {"id": row["id"]}


def running(post: Post, *names: str, **terms: Any) -> str:
    """A game whose players know that it is their turn."""
    game = post.begins(*(names or ("ann", "bob", "cyd")), options={"rounds": "3"}, **terms)
    post.delivers()
    return game


def stopped(post: Post, game: str) -> None:
    does(post, clock_votes.propose, game, post.ids["ann"], "pause", 86400)
    does(post, clock_votes.vote, game, post.ids["bob"], True)


@claim("your-turn", "the answer was given")
def _(post: Post) -> dict[str, Any]:
    game = post.begins("ann", "bob")
    post.moves(game, "bob", "hide 1")
    return queued(post, "your-turn", "bob")


@claim("reminder", "the clock stands")
def _(post: Post) -> dict[str, Any]:
    game = running(post, "ann", "bob")
    post.hands.advance(days=2, minutes=1)
    post.sweeps()
    found = queued(post, "reminder", "bob")
    stopped(post, game)
    return found


@claim("deadline-passed", "the game went back to before it")
def _(post: Post) -> dict[str, Any]:
    game = post.begins("ann", "bob", "cyd", kind="tammany-hall")
    post.delivers()
    (late,) = post.awaited(game)
    before = post.version(game)
    assert post.expires(game, late)
    names = [name for chair in post.head(game).table.chairs for name, one in post.ids.items() if one == chair.player]
    found = queued(post, "deadline-passed", names[late])
    asker, *others = [name for seat, name in enumerate(names) if seat != late]
    does(post, takeback.go_back, game, post.ids[asker], to=before, reason="lapse")
    for name in (*others, names[late]):
        does(post, takeback.vote, game, post.ids[name], True)
    return found


@claim("game-over", "the player wants no mail about this game")
def _(post: Post) -> dict[str, Any]:
    """That it is over stays so; but bob wants to hear no more of it."""
    game = running(post, "ann", "bob")
    post.wanders(game, 1, late=0)
    with post.services.database.write() as tx:
        unsubscribes.mute(post.services.database, tx, post.ids["bob"], game)
    return queued(post, "game-over", "bob")


@claim("undeliverable", "the answer was given")
def _(post: Post) -> dict[str, Any]:
    game = post.begins("ann", "bob", clock={"per_move": "P3D", "reminders": []})
    post.moves(game, "ann", "hide 1")
    post.carrier.before.append(Refused("550 5.1.1 no such mailbox"))
    post.executes("UPDATE deliveries SET state = 'sent' WHERE recipient = :ann", ann=post.ids["ann"])
    post.delivers()
    post.hands.advance(days=3, minutes=11)
    post.sweeps()
    found = queued(post, "undeliverable", "ann")
    post.moves(game, "bob", "hide 1")
    return found


@claim("code", "the code is used or too old")
def _(post: Post) -> dict[str, Any]:
    post.asks_for_a_code("bob")
    post.hands.advance(minutes=10)
    return queued(post, "code", "bob")


@claim("probe", "mail reaches the player again")
def _(post: Post) -> dict[str, Any]:
    running(post, "ann", "bob")
    (sent,) = post.notices(kind="your-turn", recipient=post.ids["bob"])
    with post.services.database.read() as connection:
        mail = mail_in(connection, sent)
    does(post, deliverability.count_bounce, mail, hard=True, diagnostic="550 5.1.1 unknown")
    found = queued(post, "probe", "bob")
    with post.services.database.write() as tx:
        assert deliverability.forget_bounces(tx, post.ids["bob"])
    return found


@claim("invitation", "no seat is free any more")
def _(post: Post) -> dict[str, Any]:
    game = post.opens(seats=2, invite=["zed@friends.example"])
    post.sits(game, "bob")
    return {"kind": "invitation"}


@claim("answer", "mail to this player does not arrive")
def _(post: Post) -> dict[str, Any]:
    """What was done with a mail stays so; but nobody would read of it."""
    running(post, "ann", "bob")
    post.answers("bob", "hide 1")
    post.works()
    found = queued(post, "answer", "bob")
    (sent,) = post.notices(kind="your-turn", recipient=post.ids["bob"], state="sent")
    with post.services.database.write() as tx:
        assert deliverability.record_complaint(post.services, tx, mail_in(tx, sent))
    return found


@claim("fresh", "the game is over")
def _(post: Post) -> dict[str, Any]:
    """A stranger got a copy of bob's answer in one game, so his addresses in all games change."""
    over, other = running(post, "ann", "bob"), running(post, "ann", "bob", "cyd")
    post.moves(over, "bob", "hide 1")
    letter = next(one for one in post.to("bob") if f"game-{other}." in one.data.decode())
    post.answers("bob", "hide 2", to=letter, headers=(("Cc", "mallory@elsewhere.example"),))
    post.works()
    found = queued(post, "fresh", "bob")
    post.wanders(over, 1, late=0)
    return found


@claim("confirm", "the mail was confirmed or thrown away")
def _(post: Post) -> dict[str, Any]:
    running(post, "ann", "bob")
    number = post.answers("bob", "hide 1", verdict=None)
    post.works()
    found = queued(post, "confirm", "bob")
    post.executes("UPDATE inbound SET state = 'confirmed' WHERE id = :id", id=number)
    return found


@claim("talk", "the line was taken back")
def _(post: Post) -> dict[str, Any]:
    game = running(post, "ann", "bob")
    number = does(post, chat.say, game, post.ids["ann"], "oops", to=None)
    found = queued(post, "talk", "bob")
    does(post, chat.unsay, game, post.ids["ann"], number)
    post.hands.advance(minutes=10)
    return found


@claim("orders-dropped", "orders stand")
def _(post: Post) -> dict[str, Any]:
    """Bob's orders ask for a pot that is not there."""
    with patch("secrets.token_bytes", random.Random(3).randbytes):
        game = running(post, "ann", "bob")
        does(post, standing_orders.put_orders, game, post.ids["bob"], text="hide 3\ntake pot of 5")
        post.moves(game, "ann", "hide 0")
    found = queued(post, "orders-dropped", "bob")
    does(post, standing_orders.put_orders, game, post.ids["bob"], text="hide 1")
    return found


@claim("brief", "the game is over")
def _(post: Post) -> dict[str, Any]:
    game = running(post, clock={"per_move": "P3D", "strikes": 1})
    assert post.expires(game, 1)
    post.sits(game, "dan")
    found = queued(post, "brief", "dan")
    post.wanders(game, 1, late=0)
    return found


@claim("vacant", "somebody plays the seat again")
def _(post: Post) -> dict[str, Any]:
    game = running(post, clock={"per_move": "P3D", "strikes": 1})
    assert post.expires(game, 1)
    found = queued(post, "vacant", "ann")
    post.sits(game, "bob")
    return found


@claim("proposal", "the proposal is off the table")
def _(post: Post) -> dict[str, Any]:
    game = running(post)
    does(post, clock_votes.propose, game, post.ids["ann"], "pause", 86400)
    found = queued(post, "proposal", "bob")
    does(post, clock_votes.vote, game, post.ids["cyd"], False)
    return found


@claim("clock-news", "the clock was changed again")
def _(post: Post) -> dict[str, Any]:
    game = running(post, "ann", "bob")
    stopped(post, game)
    found = queued(post, "clock-news", "ann")
    does(post, clock_votes.propose, game, post.ids["ann"], "resume", 0)
    does(post, clock_votes.vote, game, post.ids["bob"], True)
    return found


@claim("taken-back", "the letter that asks anew tells of it")
def _(post: Post) -> dict[str, Any]:
    game = post.begins("ann", "bob", "cyd", kind="tammany-hall")
    (first,) = post.awaited(game)
    names = [name for chair in post.head(game).table.chairs for name, one in post.ids.items() if one == chair.player]
    post.plays(game, first, "place 1 1\nend")
    post.delivers()
    does(post, takeback.go_back, game, post.ids[names[first]])
    found = queued(post, "taken-back", names[(first + 1) % 3])
    post.plays(game, first, "place 1 2\nend")
    return found


@claim("digest", "the player wants no digest")
def _(post: Post) -> dict[str, Any]:
    post.person("bob")
    post.changes("bob", digest="daily")
    sweep_digests(post.services)
    post.hands.advance(seconds=1)
    running(post, "ann", "bob")
    post.hands.advance(hours=20, seconds=-1)
    sweep_digests(post.services)
    post.changes("bob", digest="off")
    return queued(post, "digest", "bob")


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {final_mail.KIND}))  # that stays true
def test_rate04_a_notice_that_is_not_true_any_more_is_not_sent(post: Post, kind: str) -> None:
    case, reason = ROWS[kind]
    where = case(post)
    (row,) = post.notices(**where)
    assert (row["kind"], row["state"]) == (kind, "queued"), "until now it was to be sent"
    post.carrier.letters.clear()
    post.delivers()
    (row,) = post.notices(id=row["id"])
    assert (row["state"], row["reason"]) == ("superseded", reason)
    assert (row["message_id"], row["secret"]) == (None, None)
    reader = next((name for name, one in post.ids.items() if one == row["recipient"]), "zed")
    place = f"<{kind}.{row['game_id'] or 'account'}.{row['decision']}."
    assert not any(one.to.startswith(reader) and one.message_id.startswith(place) for one in post.carrier.letters)


def with_claim(kind: NoticeKind, claim: Callable[..., Any]) -> NoticeKind:
    """The same kind, whose notices are checked by another claim."""
    return cast(
        NoticeKind,
        SimpleNamespace(
            name=kind.name,
            sender=kind.sender,
            reader=kind.reader,
            content=kind.content,
            waits=kind.waits,
            still_true=claim,
        ),
    )


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {final_mail.KIND}))  # that stays true
def test_a_notice_that_is_still_true_is_sent(post: Post, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What makes it untrue is what stops it: without its claim the letter of each row could be written."""
    (row,) = post.notices(**ROWS[kind][0](post))
    monkeypatch.setitem(KINDS, kind, with_claim(KINDS[kind], lambda *_: None))
    if kind in ("game-over", "answer"):
        monkeypatch.setattr("workers.letters.reader.is_muted", lambda *_: False)
        monkeypatch.setattr("service.mail.deliverability.is_suppressed", lambda *_: False)
    assert post.writes(row).message_id.startswith(f"<{kind}.")


def test_rate04_a_deadline_that_passed_is_told_where_the_seat_stays_vacant(post: Post) -> None:
    """The game went back, the strike did not: who lost the seat must hear of it."""
    game = post.begins("ann", "bob", "cyd", kind="tammany-hall", clock={"per_move": "P3D", "strikes": 1})
    post.delivers()
    (late,) = post.awaited(game)
    before = post.version(game)
    assert post.expires(game, late)
    names = [name for chair in post.head(game).table.chairs for name, one in post.ids.items() if one == chair.player]
    others = [name for seat, name in enumerate(names) if seat != late]
    does(post, takeback.go_back, game, post.ids[others[0]], to=before, reason="lapse")
    does(post, takeback.vote, game, post.ids[others[1]], True)
    assert post.head(game).table.chairs[late].vacant
    post.delivers()
    assert "your seat is vacant" in " ".join(text_of(post.newest(names[late], "deadline-passed")).split())


def test_rate04_an_answer_asks_for_nothing_that_is_not_asked_any_more(post: Post) -> None:
    """Bob's mail was a question; before the answer left he had moved by the API."""
    game = running(post, "ann", "bob")
    post.answers("bob", "status")
    post.works()
    post.moves(game, "bob", "hide 2")
    post.delivers()
    assert "answer is due" not in post.text("bob", "answer").splitlines()[0]
    post.answers("ann", "status")
    post.round()
    assert "Your answer is due by" in post.text("ann", "answer").splitlines()[0]


def test_the_reader_is_asked_anew_too(post: Post) -> None:
    """Who has lost their account gets no letter of any kind."""
    running(post, "ann", "bob")
    post.executes("DELETE FROM players WHERE id = :bob", bob=post.ids["bob"])
    post.executes("UPDATE deliveries SET state = 'queued', not_before = 0")
    post.delivers()
    assert {row["reason"] for row in post.notices(recipient=post.ids["bob"])} == {"the player is gone"}

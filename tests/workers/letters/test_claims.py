"""Every kind of notice: true when it was written, not true any more when it is to be sent, so not sent (RATE-04).

A row makes a notice, then makes it untrue behind its back, and says why it is not sent.
"""

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import pytest

from domain.engine.bots import Bot
from service.games import bots, chat, clock_votes, open_tables, play, standing_orders, takeback
from service.mail import deliverability, unsubscribes
from service.operator import games, journal, people
from service.operator.journal import Operator
from service.privacy import final_mail
from tests.letters import text_of
from tests.notices import mail_in
from tests.tables import Tables
from tests.workers.mail_tables import mail_tables
from workers.kinds.kind import NoticeKind
from workers.kinds.registry import KINDS
from workers.mail_out.transport import Refused
from workers.sweep import sweep_digests

__all__ = ["mail_tables"]
Case = Callable[[Tables], dict[str, Any]]
"""What picks the notice among all."""
ROWS: dict[str, tuple[Case, str]] = {}


def claim(kind: str, reason: str) -> Callable[[Case], Case]:
    def keep(case: Case) -> Case:
        ROWS[kind] = (case, reason)
        return case

    return keep


def does(mail_tables: Tables, what: Callable[..., Any], *words: Any, **more: Any) -> Any:
    """Something a player does through a service."""
    with mail_tables.services.database.write() as tx:
        return what(mail_tables.services, tx, *words, **more)


def queued(mail_tables: Tables, kind: str, name: str) -> dict[str, Any]:
    """The notice of this kind to somebody that waits to be sent."""
    (row,) = mail_tables.notices(kind=kind, recipient=mail_tables.ids[name], state="queued")
    return {"id": row["id"]}


def running(mail_tables: Tables, *names: str, **terms: Any) -> str:
    """A game whose players know that it is their turn."""
    game = mail_tables.begin(*(names or ("ann", "bob", "cyd")), options={"rounds": "3"}, **terms)
    mail_tables.deliver()
    return game


def stopped(mail_tables: Tables, game: str) -> None:
    does(mail_tables, clock_votes.propose, game, mail_tables.ids["ann"], "pause", 86400)
    does(mail_tables, clock_votes.vote, game, mail_tables.ids["bob"], True)


@claim("your-turn", "the answer was given")
def _(mail_tables: Tables) -> dict[str, Any]:
    game = mail_tables.begin("ann", "bob")
    mail_tables.move(game, "bob", "hide 1")
    return queued(mail_tables, "your-turn", "bob")


@claim("reminder", "the clock stands")
def _(mail_tables: Tables) -> dict[str, Any]:
    game = running(mail_tables, "ann", "bob")
    mail_tables.advance(days=2, minutes=1)
    mail_tables.sweep()
    found = queued(mail_tables, "reminder", "bob")
    stopped(mail_tables, game)
    return found


@claim("deadline-passed", "the game went back to before it")
def _(mail_tables: Tables) -> dict[str, Any]:
    game = mail_tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    mail_tables.deliver()
    (late,) = mail_tables.awaited(game)
    before = mail_tables.version(game)
    assert mail_tables.expire(game, late)
    names = [
        name
        for chair in mail_tables.head(game).table.chairs
        for name, one in mail_tables.ids.items()
        if one == chair.player
    ]
    found = queued(mail_tables, "deadline-passed", names[late])
    asker, *others = [name for seat, name in enumerate(names) if seat != late]
    does(mail_tables, takeback.go_back, game, mail_tables.ids[asker], to=before, reason="lapse")
    for name in (*others, names[late]):
        does(mail_tables, takeback.vote, game, mail_tables.ids[name], True)
    return found


@claim("game-over", "the player wants no mail about this game")
def _(mail_tables: Tables) -> dict[str, Any]:
    """That it is over stays so; but bob wants to hear no more of it."""
    game = running(mail_tables, "ann", "bob")
    mail_tables.play_out(game, 1, late=0)
    with mail_tables.services.database.write() as tx:
        unsubscribes.mute(mail_tables.services.database, tx, mail_tables.ids["bob"], game)
    return queued(mail_tables, "game-over", "bob")


@claim("undeliverable", "the answer was given")
def _(mail_tables: Tables) -> dict[str, Any]:
    game = mail_tables.begin("ann", "bob", clock={"per_move": "P3D", "reminders": []})
    mail_tables.move(game, "ann", "hide 1")
    mail_tables.carrier.before.append(Refused("550 5.1.1 no such mailbox"))
    mail_tables.execute("UPDATE deliveries SET state = 'sent' WHERE recipient = :ann", ann=mail_tables.ids["ann"])
    mail_tables.deliver()
    mail_tables.advance(days=3, minutes=11)
    mail_tables.sweep()
    found = queued(mail_tables, "undeliverable", "ann")
    mail_tables.move(game, "bob", "hide 1")
    return found


@claim("code", "the code is used or too old")
def _(mail_tables: Tables) -> dict[str, Any]:
    mail_tables.request_code("bob")
    mail_tables.advance(minutes=10)
    return queued(mail_tables, "code", "bob")


@claim("account", "the suspension was lifted or changed")
def _(mail_tables: Tables) -> dict[str, Any]:
    services, bob, carla = mail_tables.services, mail_tables.player("bob"), Operator("carla", "Insults.")
    journal.act(services, carla, lambda tx: people.suspend(services, tx, bob, None))
    found = queued(mail_tables, "account", "bob")
    journal.act(services, carla, lambda tx: people.lift(services, tx, bob))
    return found


@claim("probe", "mail reaches the player again")
def _(mail_tables: Tables) -> dict[str, Any]:
    running(mail_tables, "ann", "bob")
    (sent,) = mail_tables.notices(kind="your-turn", recipient=mail_tables.ids["bob"])
    with mail_tables.services.database.read() as connection:
        mail = mail_in(connection, sent)
    does(mail_tables, deliverability.count_bounce, mail, hard=True, diagnostic="550 5.1.1 unknown")
    found = queued(mail_tables, "probe", "bob")
    with mail_tables.services.database.write() as tx:
        assert deliverability.forget_bounces(tx, mail_tables.ids["bob"])
    return found


@claim("invitation", "no seat is free any more")
def _(mail_tables: Tables) -> dict[str, Any]:
    game = mail_tables.open(seats=2, invite=["zed@friends.example"])
    mail_tables.sit(game, "bob")
    return {"kind": "invitation"}


@claim("answer", "mail to this player does not arrive")
def _(mail_tables: Tables) -> dict[str, Any]:
    """What was done with a mail stays so; but nobody would read of it."""
    running(mail_tables, "ann", "bob")
    mail_tables.reply("bob", "hide 1")
    mail_tables.read_inbox()
    found = queued(mail_tables, "answer", "bob")
    (sent,) = mail_tables.notices(kind="your-turn", recipient=mail_tables.ids["bob"], state="sent")
    with mail_tables.services.database.write() as tx:
        assert deliverability.record_complaint(mail_tables.services, tx, mail_in(tx, sent))
    return found


@claim("fresh", "the game is over")
def _(mail_tables: Tables) -> dict[str, Any]:
    """A stranger got a copy of bob's answer in one game, so his addresses in all games change."""
    over, other = running(mail_tables, "ann", "bob"), running(mail_tables, "ann", "bob", "cyd")
    mail_tables.move(over, "bob", "hide 1")
    letter = next(one for one in mail_tables.letters_to("bob") if f"game-{other}." in one.data.decode())
    mail_tables.reply("bob", "hide 2", to=letter, headers=(("Cc", "mallory@elsewhere.example"),))
    mail_tables.read_inbox()
    found = queued(mail_tables, "fresh", "bob")
    mail_tables.play_out(over, 1, late=0)
    return found


@claim("confirm", "the mail was confirmed or thrown away")
def _(mail_tables: Tables) -> dict[str, Any]:
    running(mail_tables, "ann", "bob")
    number = mail_tables.reply("bob", "hide 1", verdict=None)
    mail_tables.read_inbox()
    found = queued(mail_tables, "confirm", "bob")
    mail_tables.execute("UPDATE inbound SET state = 'confirmed' WHERE id = :id", id=number)
    return found


@claim("talk", "the line was taken back")
def _(mail_tables: Tables) -> dict[str, Any]:
    game = running(mail_tables, "ann", "bob")
    number = does(mail_tables, chat.say, game, mail_tables.ids["ann"], "oops", to=None)
    found = queued(mail_tables, "talk", "bob")
    does(mail_tables, chat.unsay, game, mail_tables.ids["ann"], number)
    mail_tables.advance(minutes=10)
    return found


@claim("orders-dropped", "orders stand")
def _(mail_tables: Tables) -> dict[str, Any]:
    """Bob's orders ask for a pot that is not there."""
    with patch("secrets.token_bytes", random.Random(3).randbytes):
        game = running(mail_tables, "ann", "bob")
        does(mail_tables, standing_orders.put_orders, game, mail_tables.ids["bob"], text="hide 3\ntake pot of 5")
        mail_tables.move(game, "ann", "hide 0")
    found = queued(mail_tables, "orders-dropped", "bob")
    does(mail_tables, standing_orders.put_orders, game, mail_tables.ids["bob"], text="hide 1")
    return found


@claim("brief", "the game is over")
def _(mail_tables: Tables) -> dict[str, Any]:
    game = running(mail_tables, clock={"per_move": "P3D", "strikes": 1})
    assert mail_tables.expire(game, 1)
    mail_tables.sit(game, "dan")
    found = queued(mail_tables, "brief", "dan")
    mail_tables.play_out(game, 1, late=0)
    return found


@claim("begin", "the table does not wait for its host alone")
def _(mail_tables: Tables) -> dict[str, Any]:
    game = mail_tables.sit(mail_tables.open("ann", seats=3, invite=["bob@people.example"]), "bob")
    found = queued(mail_tables, "begin", "ann")
    does(mail_tables, open_tables.invite, game, mail_tables.ids["ann"], ["cyd@people.example"])
    return found


@claim("vacant", "somebody plays the seat again")
def _(mail_tables: Tables) -> dict[str, Any]:
    game = running(mail_tables, clock={"per_move": "P3D", "strikes": 1})
    assert mail_tables.expire(game, 1)
    found = queued(mail_tables, "vacant", "ann")
    mail_tables.sit(game, "bob")
    return found


@claim("seat-taken", "the player sits at the table again")
def _(mail_tables: Tables) -> dict[str, Any]:
    game = running(mail_tables, clock={"per_move": "P3D", "strikes": 1})
    assert mail_tables.expire(game, 1)
    does(mail_tables, bots.seat_bot, game, mail_tables.ids["ann"], 1, Bot(1))
    found = queued(mail_tables, "seat-taken", "bob")
    does(mail_tables, bots.send_bot_away, game, mail_tables.ids["ann"], 1)
    mail_tables.sit(game, "bob")
    return found


@claim("operator-act", "the game is over")
def _(mail_tables: Tables) -> dict[str, Any]:
    game = running(mail_tables)
    services, operator = mail_tables.services, Operator("carla", "Bob asked for it.")
    journal.act(services, operator, lambda tx: games.pause(services, tx, game, 0))
    found = queued(mail_tables, "operator-act", "bob")
    journal.act(services, operator, lambda tx: games.end(services, tx, game))
    return found


@claim("proposal", "the proposal is off the table")
def _(mail_tables: Tables) -> dict[str, Any]:
    game = running(mail_tables)
    does(mail_tables, clock_votes.propose, game, mail_tables.ids["ann"], "pause", 86400)
    found = queued(mail_tables, "proposal", "bob")
    does(mail_tables, clock_votes.vote, game, mail_tables.ids["cyd"], False)
    return found


@claim("clock-news", "the clock was changed again")
def _(mail_tables: Tables) -> dict[str, Any]:
    game = running(mail_tables, "ann", "bob")
    stopped(mail_tables, game)
    found = queued(mail_tables, "clock-news", "ann")
    does(mail_tables, clock_votes.propose, game, mail_tables.ids["ann"], "resume", 0)
    does(mail_tables, clock_votes.vote, game, mail_tables.ids["bob"], True)
    return found


@claim("taken-back", "the letter that asks anew tells of it")
def _(mail_tables: Tables) -> dict[str, Any]:
    game = mail_tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    (first,) = mail_tables.awaited(game)
    names = [
        name
        for chair in mail_tables.head(game).table.chairs
        for name, one in mail_tables.ids.items()
        if one == chair.player
    ]
    mail_tables.move(game, first, "place 1 1\nend")
    mail_tables.deliver()
    does(mail_tables, takeback.go_back, game, mail_tables.ids[names[first]])
    found = queued(mail_tables, "taken-back", names[(first + 1) % 3])
    mail_tables.move(game, first, "place 1 2\nend")
    return found


@claim("digest", "the player wants no digest")
def _(mail_tables: Tables) -> dict[str, Any]:
    mail_tables.player("bob")
    mail_tables.change_profile("bob", digest="daily")
    sweep_digests(mail_tables.services)
    mail_tables.advance(seconds=1)
    running(mail_tables, "ann", "bob")
    mail_tables.advance(hours=20, seconds=-1)
    sweep_digests(mail_tables.services)
    mail_tables.change_profile("bob", digest="off")
    return queued(mail_tables, "digest", "bob")


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {final_mail.KIND}))  # that stays true
def test_rate04_a_notice_that_is_not_true_any_more_is_not_sent(mail_tables: Tables, kind: str) -> None:
    case, reason = ROWS[kind]
    where = case(mail_tables)
    (row,) = mail_tables.notices(**where)
    assert (row["kind"], row["state"]) == (kind, "queued"), "until now it was to be sent"
    mail_tables.carrier.letters.clear()
    mail_tables.deliver()
    (row,) = mail_tables.notices(id=row["id"])
    assert (row["state"], row["reason"]) == ("superseded", reason)
    assert (row["message_id"], row["secret"]) == (None, None)
    reader = next((name for name, one in mail_tables.ids.items() if one == row["recipient"]), "zed")
    place = f"<{kind}.{row['game_id'] or 'account'}.{row['decision']}."
    assert not any(
        one.to.startswith(reader) and one.message_id.startswith(place) for one in mail_tables.carrier.letters
    )


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
def test_a_notice_that_is_still_true_is_sent(mail_tables: Tables, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What makes it untrue is what stops it: without its claim the letter of each row could be written."""
    (row,) = mail_tables.notices(**ROWS[kind][0](mail_tables))
    monkeypatch.setitem(KINDS, kind, with_claim(KINDS[kind], lambda *_: None))
    if kind in ("game-over", "answer"):
        monkeypatch.setattr("workers.letters.reader.is_muted", lambda *_: False)
        monkeypatch.setattr("service.mail.deliverability.is_suppressed", lambda *_: False)
    assert mail_tables.compose(row).message_id.startswith(f"<{kind}.")


def test_rate04_a_deadline_that_passed_is_told_where_the_seat_stays_vacant(mail_tables: Tables) -> None:
    """The game went back, the strike did not: who lost the seat must hear of it."""
    game = mail_tables.begin("ann", "bob", "cyd", kind="tammany-hall", clock={"per_move": "P3D", "strikes": 1})
    mail_tables.deliver()
    (late,) = mail_tables.awaited(game)
    before = mail_tables.version(game)
    assert mail_tables.expire(game, late)
    names = [
        name
        for chair in mail_tables.head(game).table.chairs
        for name, one in mail_tables.ids.items()
        if one == chair.player
    ]
    others = [name for seat, name in enumerate(names) if seat != late]
    does(mail_tables, takeback.go_back, game, mail_tables.ids[others[0]], to=before, reason="lapse")
    does(mail_tables, takeback.vote, game, mail_tables.ids[others[1]], True)
    assert mail_tables.head(game).table.chairs[late].vacant
    mail_tables.deliver()
    assert "your seat is vacant" in " ".join(text_of(mail_tables.newest_letter(names[late], "deadline-passed")).split())


def test_whoever_lapsed_is_mailed_when_somebody_else_takes_the_seat(mail_tables: Tables) -> None:
    """RATE-04, OUT-05: the letter before had said that the seat is theirs unless somebody else takes it first."""
    for takes, said in (
        (lambda game: does(mail_tables, bots.seat_bot, game, mail_tables.ids["ann"], 1, Bot(1)), "gave it to a bot"),
        (lambda game: mail_tables.sit(game, "dan"), "Another player plays it from now on."),
    ):
        game = running(mail_tables, clock={"per_move": "P3D", "strikes": 1})
        assert mail_tables.expire(game, 1)
        mail_tables.deliver()
        takes(game)
        mail_tables.deliver()
        letter = " ".join(text_of(mail_tables.newest_letter("bob", "seat-taken")).split())
        assert letter.startswith("Your seat in ")
        assert said in letter, letter


def test_everybody_is_told_that_a_player_has_resigned_and_the_last_one_that_the_game_is_over(
    mail_tables: Tables,
) -> None:
    game = running(mail_tables)
    does(mail_tables, play.resign, game, mail_tables.ids["bob"])
    mail_tables.deliver()
    for name in ("ann", "cyd"):
        told = " ".join(text_of(mail_tables.newest_letter(name, "vacant")).split())
        assert "bob has resigned from your game" in told
        assert "nobody waits for it" in told
    does(mail_tables, play.resign, game, mail_tables.ids["ann"])
    mail_tables.deliver()
    for name in ("ann", "cyd"):
        assert "cyd wins" in " ".join(text_of(mail_tables.newest_letter(name, "game-over")).split())


def test_rate04_a_seat_that_a_bot_has_left_is_not_told_as_vacant_before(
    mail_tables: Tables,
) -> None:
    """Nobody could take it back at any time any more."""
    game = running(mail_tables, clock={"per_move": "P3D", "strikes": 1})
    assert mail_tables.expire(game, 1)
    where = queued(mail_tables, "vacant", "ann")
    does(mail_tables, bots.seat_bot, game, mail_tables.ids["ann"], 1, Bot(2))
    does(mail_tables, bots.send_bot_away, game, mail_tables.ids["ann"], 1)
    mail_tables.deliver()
    (row,) = mail_tables.notices(**where)
    assert (row["state"], row["reason"]) == ("superseded", "a bot has played the seat since, and was sent away")


def test_rate04_an_answer_asks_for_nothing_that_is_not_asked_any_more(mail_tables: Tables) -> None:
    """Bob's mail was a question; before the answer left he had moved by the API."""
    game = running(mail_tables, "ann", "bob")
    mail_tables.reply("bob", "status")
    mail_tables.read_inbox()
    mail_tables.move(game, "bob", "hide 2")
    mail_tables.deliver()
    assert "answer is due" not in mail_tables.newest_text("bob", "answer").splitlines()[0]
    mail_tables.reply("ann", "status")
    mail_tables.exchange()
    assert "Your answer is due by" in mail_tables.newest_text("ann", "answer").splitlines()[0]


def test_the_reader_is_asked_anew_too(mail_tables: Tables) -> None:
    """Who has lost their account gets no letter of any kind."""
    running(mail_tables, "ann", "bob")
    mail_tables.execute("DELETE FROM players WHERE id = :bob", bob=mail_tables.ids["bob"])
    mail_tables.execute("UPDATE deliveries SET state = 'queued', not_before = 0")
    mail_tables.deliver()
    assert {row["reason"] for row in mail_tables.notices(recipient=mail_tables.ids["bob"])} == {"the player is gone"}

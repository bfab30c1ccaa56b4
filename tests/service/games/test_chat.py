"""Table talk: one line, delayed and cancellable, read by those it is for, mailed once, sealed, and erased on demand."""

import itertools
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from domain.engine.sentences import Sentence
from service.container import Services
from service.games import chat, play
from service.games.chat import HOUR, LONGEST, MOST_AN_HOUR, clean, mailed_at
from service.games.outcomes import NotSaid
from service.games.play import NotSeated
from service.kernel.clock import SECOND
from service.kernel.encryption import Sealer
from service.mail.reply_tokens import AFTER_THE_END
from service.store.deliveries import deliveries
from service.store.outbox import outbox
from service.store.streams import NoSuchGame
from tests.notices import notice_in
from tests.service.store.house import snapshot
from tests.workers.office import Office, hands, office, small_office

__all__ = ["hands", "office", "small_office"]

ANN, BOB, CYD = 0, 1, 2
NOON = 1_930_392_000 * SECOND
MINUTE = 60 * SECOND


def wait(office: Office, span: int = 5 * MINUTE) -> None:
    office.hands.at += span


def say(office: Office, game: str, name: str, text: str, to: int | None = None) -> int:
    player = office.person(name)
    with office.services.database.write() as tx:
        return chat.say(office.services, tx, game, player, text, to=to)


def unsay(office: Office, game: str, name: str, number: int | None = None) -> str:
    player = office.person(name)
    with office.services.database.write() as tx:
        return chat.unsay(office.services, tx, game, player, number)


def talk_of(office: Office, game: str, name: str, **more: int) -> chat.Talk:
    player = office.person(name)
    with office.services.database.read() as connection:
        head, seat = play.look(office.services, connection, game, player)
        assert seat is not None
        return chat.messages(office.services, connection, head, seat, **more)


def lines_shown(office: Office, game: str, name: str) -> list[str]:
    return [line.text for line in talk_of(office, game, name).lines]


def lines_waiting(office: Office, game: str, name: str) -> list[str]:
    return [line.text for line in talk_of(office, game, name).waiting]


def talk_notices(office: Office, name: str | None = None) -> list[dict[str, Any]]:
    """The notices of talk, of all or of one reader."""
    found = sa.select(outbox).where(outbox.c.kind == "talk").order_by(outbox.c.not_before, outbox.c.id)
    with office.services.database.read() as connection:
        rows = [dict(row) for row in connection.execute(found).mappings()]
    return [row for row in rows if name is None or row["recipient"] == office.ids[name]]


def mails_of_talk(office: Office, name: str) -> list[list[str]]:
    """What each mail to a reader would tell; what is superseded tells nothing."""
    with office.services.database.read() as connection:
        return [
            [told.text for told in chat.lines_of(office.services, connection, notice_in(row))]
            for row in talk_notices(office, name)
            if chat.check(office.services, connection, notice_in(row)) is None
        ]


def verdicts(office: Office, name: str) -> list[str | None]:
    with office.services.database.read() as connection:
        return [chat.check(office.services, connection, notice_in(row)) for row in talk_notices(office, name)]


def refused(code: str) -> Any:
    return pytest.raises(NotSaid, check=lambda error: error.code == code and isinstance(error.message, Sentence))


# What a line is


@pytest.mark.parametrize(
    "said, kept",
    [
        ("  Who takes ward 5?\t ", "Who takes ward 5?"),
        ("Scho\u0308n", "Sch\u00f6n"),
        ("one  \u3000 two", "one two"),
        ("a\u200bb\u202ec\ufeff\u2066d", "abcd"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\U0001f469"),
        ("\U0001fae8 is newer than this Python", "\U0001fae8 is newer than this Python"),
        ("x" * LONGEST, "x" * LONGEST),
        ("o\u0308" * LONGEST, "\u00f6" * LONGEST),
        ("bid 30", "bid 30"),
    ],
)
def test_in_11_a_line_is_kept_as_nfc_in_single_blanks_without_format_characters(said, kept):
    assert clean(said) == kept


@pytest.mark.parametrize(
    "text",
    ["", " \t ", "\u200b", "one\ntwo", "one\r", "one\u2028two", "one\x85two", "\x00", "\x1b[31m", "\x7f", "\ud800",
     "\ue000", "\ufdd0", "\U000e0100" * 3 + "\U0001fffe", "x" * (LONGEST + 1), "\u0958" * 251],
)  # fmt: skip
def test_a_line_that_is_none_or_too_long_is_refused_in_a_sentence(text):
    with refused("bad-text") as no:
        clean(text)
    assert str(no.value).endswith(".")
    assert isinstance(no.value, ValueError)


@given(st.text(max_size=600))
def test_t5a_what_is_kept_is_one_short_line_and_stays_as_it_is(text):
    try:
        line = clean(text)
    except NotSaid:
        return
    assert 1 <= len(line) <= LONGEST
    assert line.splitlines() == [line]
    assert line == line.strip() == clean(line)


# Who may say what to whom


def test_a_line_to_the_table_is_read_by_everybody_after_the_delay(office):
    game = office.begins()
    say(office, game, "ann", "Who takes ward 5?")
    wait(office, 5 * MINUTE - 1)
    assert lines_waiting(office, game, "ann") == ["Who takes ward 5?"]
    assert (
        lines_shown(office, game, "ann") == lines_shown(office, game, "bob") == lines_waiting(office, game, "bob") == []
    )
    wait(office, 1)
    for name in ("ann", "bob", "cyd"):
        (line,) = talk_of(office, game, name).lines
        assert (line.seat, line.player, line.name, line.to) == (ANN, office.ids["ann"], "ann", None)
        assert (line.text, line.shown_at) == ("Who takes ward 5?", NOON + 5 * MINUTE)
    assert lines_waiting(office, game, "ann") == []


def test_a_line_to_one_seat_is_read_by_its_two_ends_alone(office):
    game = office.begins()
    say(office, game, "ann", "Between you and me", to=BOB)
    wait(office)
    assert lines_shown(office, game, "ann") == lines_shown(office, game, "bob") == ["Between you and me"]
    assert talk_of(office, game, "bob").lines[0].to == BOB
    assert lines_shown(office, game, "cyd") == []
    assert [row["recipient"] for row in talk_notices(office)] == [office.ids["bob"]]


def test_one_game_does_not_hear_another(small_office):
    game, other = small_office.begins(), small_office.begins()
    say(small_office, game, "ann", "here")
    wait(small_office)
    assert lines_shown(small_office, other, "bob") == []


@pytest.mark.parametrize("to, code", [(ANN, "own-seat"), (3, "bot-seat"), (4, "no-such-seat"), (-1, "no-such-seat")])
def test_a_line_needs_somebody_to_hear_it(small_office, to, code):
    game = small_office.begins(bots=1)
    before = snapshot(small_office.services)
    with refused(code):
        say(small_office, game, "ann", "Hello?", to=to)
    assert snapshot(small_office.services) == before


def test_before_the_start_there_is_talk_to_the_table_and_no_whisper(small_office):
    """Anybody can stand up and anybody sit down there: a secret would be told to the next."""
    game = small_office.sits(small_office.opens(), "bob")
    say(small_office, game, "ann", "Welcome")
    with refused("not-started"):
        say(small_office, game, "ann", "psst", to=BOB)
    with refused("empty-seat"):
        say(small_office, game, "ann", "psst", to=CYD)
    assert [row["seat"] for row in talk_notices(small_office)] == [BOB]


def test_s11_only_who_sits_there_talks_and_a_private_table_is_not_there_for_others(small_office):
    guests = ["bob@people.example", "cyd@people.example"]
    public, private = small_office.begins(), small_office.begins(public=False, invite=guests)
    for act in (lambda game: say(small_office, game, "eve", "hi"), lambda game: unsay(small_office, game, "eve")):
        with pytest.raises(NotSeated):
            act(public)
        for unseen in (private, "nosuchgame"):
            with pytest.raises(NoSuchGame):
                act(unseen)


def test_out_26_a_game_is_talked_about_for_a_month_after_its_end(small_office):
    game = small_office.begins()
    small_office.wanders(game, seed=1)
    assert small_office.head(game).table.status == "finished"
    small_office.hands.at = small_office.head(game).last_at + AFTER_THE_END
    say(small_office, game, "ann", "Well played")
    wait(small_office, 1)
    with refused("talk-over"):
        say(small_office, game, "bob", "Thank you")
    wait(small_office)
    assert lines_shown(small_office, game, "bob") == ["Well played"]


def test_rate_09_a_player_says_twenty_lines_an_hour_at_a_table(migrated_sqlite, open_services, hands):
    office = Office(open_services(migrated_sqlite, clock=hands, RATE_LIMITS="on"), hands)
    game, other = office.begins(), office.begins()
    for number in range(MOST_AN_HOUR):
        say(office, game, "ann", f"line {number}")
        wait(office, SECOND)
    unsay(office, game, "ann")
    with refused("too-many-lines") as no:
        say(office, game, "ann", "one more")
    assert no.value.wait == HOUR // SECOND - MOST_AN_HOUR
    say(office, game, "bob", "others have their own")
    say(office, other, "ann", "and other tables theirs")
    office.hands.at = NOON + HOUR - 1
    with refused("too-many-lines"):
        say(office, game, "ann", "one more")
    wait(office, 1)
    say(office, game, "ann", "one more")
    assert MOST_AN_HOUR == 20


def test_rate_limits_off_lift_the_cap(small_office):
    game = small_office.begins()
    for number in range(MOST_AN_HOUR + 1):
        say(small_office, game, "ann", f"line {number}")


# Order and pages


def test_lines_are_shown_in_the_order_they_were_said_whatever_their_ids(small_office, monkeypatch):
    ids = iter([900, 100, 500])
    monkeypatch.setattr(chat, "new_line_id", lambda: next(ids))
    game = small_office.begins()
    for name in ("ann", "bob", "cyd"):
        say(small_office, game, name, name)  # at the same moment
    wait(small_office, 5 * MINUTE + 2)
    assert lines_shown(small_office, game, "ann") == ["ann", "bob", "cyd"]
    first = talk_of(small_office, game, "ann", limit=2)
    assert ([line.text for line in first.lines], first.after) == (["ann", "bob"], 100)
    last = talk_of(small_office, game, "ann", limit=2, after=100)
    assert ([line.text for line in last.lines], last.after) == (["cyd"], None)
    assert talk_of(small_office, game, "ann", limit=3).after is None


def test_a_line_is_never_shown_before_one_that_was_said_earlier(migrated_sqlite, open_services, hands):
    """The delay was shortened, or the clock set back, in between: who reads on after the last line misses none."""
    slow = Office(open_services(migrated_sqlite, clock=hands, TALK_DELAY="PT1H"), hands)
    quick = Office(open_services(migrated_sqlite, clock=hands, TALK_DELAY="PT0S"), hands)
    game = slow.begins()
    say(slow, game, "ann", "first")
    say(quick, game, "bob", "second")
    wait(slow, HOUR - MINUTE // 60)
    assert lines_shown(slow, game, "cyd") == []
    wait(slow, MINUTE)
    assert lines_shown(slow, game, "cyd") == ["first", "second"]
    say(quick, game, "cyd", "at once")
    assert lines_shown(slow, game, "bob") == ["first", "second", "at once"]


def test_a_page_begins_only_after_a_line_the_seat_could_read(small_office):
    game = small_office.begins()
    whisper = say(small_office, game, "ann", "psst", to=BOB)
    wait(small_office)
    waiting = say(small_office, game, "cyd", "I wait")
    assert talk_of(small_office, game, "bob", after=whisper).lines == []
    for unread in (whisper, waiting, 77):
        with refused("no-such-message"):
            talk_of(small_office, game, "cyd", after=unread)


def test_the_ids_of_lines_do_not_count_what_others_say(small_office):
    game = small_office.begins()
    ids = [say(small_office, game, "ann", "x") for _ in range(50)]
    steps = {abs(b - a) for a, b in itertools.pairwise(ids)}
    assert min(steps) > 1000
    assert 0 < min(ids) < max(ids) < 10**12


# Taking back


def test_a_line_is_taken_back_while_it_waits_and_never_seen(office):
    game = office.begins()
    first, second = say(office, game, "ann", "oops"), say(office, game, "ann", "hello")
    assert unsay(office, game, "ann", first) == "oops"
    with refused("no-such-message"):
        unsay(office, game, "ann", first)
    assert lines_waiting(office, game, "ann") == ["hello"]
    wait(office)
    wait(office)
    assert lines_shown(office, game, "bob") == lines_shown(office, game, "ann") == ["hello"]
    assert mails_of_talk(office, "bob") == [["hello"]]
    assert verdicts(office, "bob") == ["the line was taken back", None]
    with refused("already-shown"):
        unsay(office, game, "ann", second)


def test_what_was_taken_back_is_kept_nowhere(small_office):
    game = small_office.begins()
    say(small_office, game, "ann", "oops")
    unsay(small_office, game, "ann")
    (row,) = snapshot(small_office.services)["messages"]
    assert b"" in row


def test_without_a_number_the_last_line_that_waits_is_taken_back(small_office):
    game = small_office.begins()
    say(small_office, game, "ann", "one")
    wait(small_office, 4 * MINUTE)
    say(small_office, game, "ann", "two")
    say(small_office, game, "ann", "three")
    say(small_office, game, "bob", "four")
    assert unsay(small_office, game, "ann") == "three"
    wait(small_office, MINUTE)
    assert unsay(small_office, game, "ann") == "two", "the one that waits, though another was shown"
    with refused("no-such-message"):
        unsay(small_office, game, "ann")
    assert lines_shown(small_office, game, "bob") == ["one"]


def test_a_line_can_be_taken_back_until_the_moment_it_is_shown(small_office):
    game = small_office.begins()
    number, other = say(small_office, game, "ann", "one"), say(small_office, game, "bob", "two")
    wait(small_office, 5 * MINUTE)
    with refused("already-shown"):
        unsay(small_office, game, "ann", number)
    assert unsay(small_office, game, "bob", other) == "two", "said a moment later"


def test_nobody_takes_back_the_line_of_another(small_office):
    game = small_office.begins()
    number = say(small_office, game, "ann", "mine")
    for name, wanted in (("bob", number), ("bob", None), ("cyd", number)):
        with refused("no-such-message"):
            unsay(small_office, game, name, wanted)
    other = small_office.begins()
    with refused("no-such-message"):
        unsay(small_office, other, "ann", number)
    wait(small_office)
    assert lines_shown(small_office, game, "bob") == ["mine"]


def test_who_stood_up_can_still_take_back_what_they_said_there(small_office):
    game = small_office.sits(small_office.opens(public=False, invite=["bob@people.example"]), "bob")
    say(small_office, game, "bob", "Hello")
    with small_office.services.database.write() as tx:
        play.leave_seat(small_office.services, tx, game, small_office.ids["bob"])
    assert unsay(small_office, game, "bob") == "Hello"
    with pytest.raises(NoSuchGame):  # a private table is not for who has left it
        unsay(small_office, game, "bob")


# Mail


def test_every_reader_gets_one_notice_not_before_the_line_is_shown(office):
    game = office.begins(bots=1)
    wait(office, HOUR)
    number = say(office, game, "ann", "Who takes ward 5?")
    rows = talk_notices(office)
    assert [(row["recipient"], row["seat"]) for row in rows] == [
        (office.ids["bob"], BOB), (office.ids["cyd"], CYD),
    ]  # fmt: skip
    for row in rows:
        assert (row["game_id"], row["decision"], row["state"]) == (game, str(number), "queued")
        assert row["created_at"] == NOON + HOUR
        assert NOON + HOUR + 5 * MINUTE <= row["not_before"] < NOON + HOUR + 8 * MINUTE
        assert row["secret"] is None
    wait(office)
    with office.services.database.read() as connection:
        assert chat.lines_of(office.services, connection, notice_in(rows[0])) == [
            ("ann", True, "Who takes ward 5?", NOON + HOUR + 5 * MINUTE)
        ]  # fmt: skip


def test_a_whisper_is_marked_in_the_mail(small_office):
    game = small_office.begins()
    say(small_office, game, "ann", "psst", to=BOB)
    (row,) = talk_notices(small_office)
    with small_office.services.database.read() as connection:
        assert [told.to_all for told in chat.lines_of(small_office.services, connection, notice_in(row))] == [False]


def test_rate_05_lines_shown_within_a_few_minutes_are_one_mail(office):
    game = office.begins()
    for name, text, to in (("ann", "one", None), ("bob", "two", CYD), ("ann", "three", BOB), ("ann", "four", None)):
        say(office, game, name, text, to)
        wait(office, 10 * SECOND)
    assert mails_of_talk(office, "cyd") == [["one", "two", "four"]]
    assert mails_of_talk(office, "bob") == [["one", "three", "four"]]
    assert talk_notices(office, "ann") == []
    assert verdicts(office, "cyd")[1:] == ["told in an earlier mail"] * 2


def test_rate_05_a_mail_waits_three_minutes_at_most_and_leaves_later_lines_to_the_next(small_office):
    game = small_office.begins()
    for number in range(12):
        say(small_office, game, "ann", f"{number}")
        wait(small_office, MINUTE)
    told = mails_of_talk(small_office, "bob")
    assert sorted(map(int, itertools.chain(*told))) == list(range(12)), "each line once"
    assert max(map(len, told)) == 3
    wait(small_office, 5 * MINUTE)
    with small_office.services.database.read() as connection:
        for row in talk_notices(small_office, "bob"):
            shown = [line.at for line in chat.lines_of(small_office.services, connection, notice_in(row))]
            assert row["not_before"] - 3 * MINUTE < min(shown) <= max(shown) <= row["not_before"]


def test_t51_a_mail_tells_the_same_whenever_and_however_often_it_is_written(office):
    game = office.begins()
    for text in ("one", "two"):
        say(office, game, "ann", text)
    first = mails_of_talk(office, "bob")
    wait(office, 5 * MINUTE)
    say(office, game, "cyd", "three")
    for fate in ({"state": "sent", "done_at": 1}, {"state": "queued", "not_before": NOON + HOUR}):
        with office.services.database.write() as tx:  # the first went out, or was postponed by a slow mail server
            earlier = sa.update(deliveries).where(deliveries.c.kind == "talk", deliveries.c.created_at == NOON)
            assert tx.execute(earlier.values(fate)).rowcount == 4
        told = sorted(mails_of_talk(office, "bob"))
        assert told == sorted([*first, ["three"]])
    assert first == [["one", "two"]]


@pytest.mark.parametrize("delay, apart", [("PT0S", 0), ("PT2S", 2 * SECOND), ("PT1H", 3 * MINUTE)])
def test_a_mail_waits_for_company_no_longer_than_the_line_itself_waited(
    migrated_sqlite, open_services, hands, delay, apart
):
    office = Office(open_services(migrated_sqlite, clock=hands, TALK_DELAY=delay), hands)
    game = office.begins()
    wait(office, 7 * SECOND + 1)
    say(office, game, "ann", "one")
    (row,) = talk_notices(office, "bob")
    wait(office, 2 * HOUR)
    (line,) = talk_of(office, game, "bob").lines
    assert 0 <= row["not_before"] - line.shown_at <= apart
    assert mailed_at(0, 0) == 0


def test_rate_04_a_notice_is_for_who_sits_there_when_it_goes_out(small_office):
    game = small_office.sits(small_office.opens(), "bob")
    say(small_office, game, "ann", "Welcome")
    with small_office.services.database.write() as tx:
        play.leave_seat(small_office.services, tx, game, small_office.ids["bob"])
    assert verdicts(small_office, "bob") == ["the seat has another player"]
    small_office.sits(game, "dan")
    assert mails_of_talk(small_office, "bob") == []
    say(small_office, game, "ann", "Welcome, Dan")
    assert mails_of_talk(small_office, "dan") == [["Welcome, Dan"]], "what was said before dan came is no news"
    wait(small_office)
    wait(small_office)
    assert lines_shown(small_office, game, "dan") == ["Welcome", "Welcome, Dan"]


def test_who_takes_over_a_seat_reads_its_talk_and_not_what_its_former_player_had_not_yet_said(small_office):
    game = small_office.begins(options={"rounds": "3"})
    say(small_office, game, "ann", "psst", to=BOB)
    for _ in range(2):
        small_office.moves(game, "ann", "hide 3")
        small_office.expires(game, BOB)
        small_office.moves(game, "cyd", "hide 0")
        small_office.moves(game, "ann", "take")
    assert small_office.head(game).table.chairs[BOB].vacant
    say(small_office, game, "bob", "I am late")
    small_office.sits(game, "dan")
    assert small_office.head(game).table.chairs[BOB].player == small_office.ids["dan"]
    assert lines_waiting(small_office, game, "dan") == []
    wait(small_office, 5 * MINUTE + 1)
    lines = talk_of(small_office, game, "dan").lines
    assert [(line.name, line.text) for line in lines] == [("ann", "psst"), ("bob", "I am late")], "said by bob, not dan"


# At rest, and erasure


def test_s30_no_row_holds_a_line_in_the_clear_nor_tells_its_length(office):
    game = office.begins()
    for text in ("a canary sang", "x" * 300):
        say(office, game, "ann", text)
    kept = snapshot(office.services)
    assert "canary" not in repr(kept)
    assert b"canary" not in b"".join(value for rows in kept.values() for row in rows for value in row
                                     if isinstance(value, bytes))  # fmt: skip
    bodies = [value for row in kept["messages"] for value in row if isinstance(value, bytes)]
    assert len({len(body) for body in bodies}) == 1


def test_q5_no_line_enters_the_history(small_office):
    game = small_office.begins()
    before = small_office.export(game, ANN)
    say(small_office, game, "ann", "a canary sang")
    wait(small_office)
    assert small_office.export(game, ANN) == before


def test_a_line_opens_in_its_own_place_only(small_office):
    """Whoever can write into the database cannot put one line in the place of another."""
    game = small_office.begins()
    numbers = [say(small_office, game, "ann", text) for text in ("yes", "no")]
    with small_office.services.database.write() as tx:
        rows = {row[0]: row[1] for row in tx.execute(sa.text("SELECT id, body FROM messages"))}
        for number, other in zip(numbers, reversed(numbers), strict=True):
            changed = {"body": rows[other], "id": number}
            tx.execute(sa.text("UPDATE messages SET body = :body WHERE id = :id"), changed)
    wait(small_office)
    wait(small_office)
    with pytest.raises(Exception, match="belongs elsewhere"):
        lines_shown(small_office, game, "bob")


def test_s30_lines_are_sealed_again_under_a_new_key(office):
    game = office.begins()
    for text in ("one", "two", "three", "oops"):
        say(office, game, "ann", text)
    unsay(office, game, "ann")
    old, new = "k" * 32, "n" * 32
    both = Services(
        office.services.settings,
        office.services.database,
        Sealer([new, old]),
        office.services.streams,
        office.services.wakeup,
    )
    with both.database.write() as tx:
        assert [chat.seal_again(both, tx, most) for most in (2, 9, 9)] == [2, 1, 0]
    alone = Services(
        office.services.settings,
        office.services.database,
        Sealer([new]),
        office.services.streams,
        office.services.wakeup,
    )
    wait(office)
    wait(office)
    with alone.database.read() as connection:
        head, _ = play.look(office.services, connection, game, office.ids["bob"])
        assert [line.text for line in chat.messages(alone, connection, head, BOB).lines] == ["one", "two", "three"]


def test_s50_forgetting_a_player_deletes_their_lines_and_nobody_else_s(office):
    game = office.begins()
    for name, text in (("ann", "one"), ("bob", "two"), ("ann", "three")):
        say(office, game, name, text)
    with office.services.database.write() as tx:
        assert chat.forget(tx, office.ids["ann"]) == 2
        assert chat.forget(tx, office.ids["ann"]) == 0
    wait(office, 8 * MINUTE)
    assert lines_shown(office, game, "cyd") == ["two"]
    assert mails_of_talk(office, "cyd") == [["two"]], "what was to be told with a line that is gone is told still"
    assert office.ids["ann"] not in repr(snapshot(office.services)["messages"])

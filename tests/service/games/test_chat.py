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
from service.store.event_store.streams import NoSuchGame
from service.store.outgoing.deliveries import deliveries
from service.store.outgoing.outbox import outbox
from tests.notices import notice_in
from tests.service.store.service_tables import snapshot
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock, sqlite_tables, tables

__all__ = ["manual_clock", "tables", "sqlite_tables"]

ANN, BOB, CYD = 0, 1, 2
NOON = 1_930_392_000 * SECOND
MINUTE = 60 * SECOND


def wait(tables: Tables, span: int = 5 * MINUTE) -> None:
    tables.clock.at += span


def say(tables: Tables, game: str, name: str, text: str, to: int | None = None) -> int:
    player = tables.player(name)
    with tables.services.database.write() as tx:
        return chat.say(tables.services, tx, game, player, text, to=to)


def unsay(tables: Tables, game: str, name: str, number: int | None = None) -> str:
    player = tables.player(name)
    with tables.services.database.write() as tx:
        return chat.unsay(tables.services, tx, game, player, number)


def talk_of(tables: Tables, game: str, name: str, **more: int) -> chat.Talk:
    player = tables.player(name)
    with tables.services.database.read() as connection:
        head, seat = play.look(tables.services, connection, game, player)
        assert seat is not None
        return chat.messages(tables.services, connection, head, seat, **more)


def lines_shown(tables: Tables, game: str, name: str) -> list[str]:
    return [line.text for line in talk_of(tables, game, name).lines]


def lines_waiting(tables: Tables, game: str, name: str) -> list[str]:
    return [line.text for line in talk_of(tables, game, name).waiting]


def talk_notices(tables: Tables, name: str | None = None) -> list[dict[str, Any]]:
    """The notices of talk, of all or of one reader."""
    found = sa.select(outbox).where(outbox.c.kind == "talk").order_by(outbox.c.not_before, outbox.c.id)
    with tables.services.database.read() as connection:
        rows = [dict(row) for row in connection.execute(found).mappings()]
    return [row for row in rows if name is None or row["recipient"] == tables.ids[name]]


def mails_of_talk(tables: Tables, name: str) -> list[list[str]]:
    """What each mail to a reader would tell; what is superseded tells nothing."""
    with tables.services.database.read() as connection:
        return [
            [told.text for told in chat.lines_of(tables.services, connection, notice_in(row))]
            for row in talk_notices(tables, name)
            if chat.check(tables.services, connection, notice_in(row)) is None
        ]


def verdicts(tables: Tables, name: str) -> list[str | None]:
    with tables.services.database.read() as connection:
        return [chat.check(tables.services, connection, notice_in(row)) for row in talk_notices(tables, name)]


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


@pytest.mark.slow
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


def test_a_line_to_the_table_is_read_by_everybody_after_the_delay(tables):
    game = tables.begin()
    say(tables, game, "ann", "Who takes ward 5?")
    wait(tables, 5 * MINUTE - 1)
    assert lines_waiting(tables, game, "ann") == ["Who takes ward 5?"]
    assert (
        lines_shown(tables, game, "ann") == lines_shown(tables, game, "bob") == lines_waiting(tables, game, "bob") == []
    )
    wait(tables, 1)
    for name in ("ann", "bob", "cyd"):
        (line,) = talk_of(tables, game, name).lines
        assert (line.seat, line.player, line.name, line.to) == (ANN, tables.ids["ann"], "ann", None)
        assert (line.text, line.shown_at) == ("Who takes ward 5?", NOON + 5 * MINUTE)
    assert lines_waiting(tables, game, "ann") == []


def test_a_line_to_one_seat_is_read_by_its_two_ends_alone(tables):
    game = tables.begin()
    say(tables, game, "ann", "Between you and me", to=BOB)
    wait(tables)
    assert lines_shown(tables, game, "ann") == lines_shown(tables, game, "bob") == ["Between you and me"]
    assert talk_of(tables, game, "bob").lines[0].to == BOB
    assert lines_shown(tables, game, "cyd") == []
    assert [row["recipient"] for row in talk_notices(tables)] == [tables.ids["bob"]]


def test_one_game_does_not_hear_another(sqlite_tables):
    game, other = sqlite_tables.begin(), sqlite_tables.begin()
    say(sqlite_tables, game, "ann", "here")
    wait(sqlite_tables)
    assert lines_shown(sqlite_tables, other, "bob") == []


@pytest.mark.parametrize("to, code", [(ANN, "own-seat"), (3, "bot-seat"), (4, "no-such-seat"), (-1, "no-such-seat")])
def test_a_line_needs_somebody_to_hear_it(sqlite_tables, to, code):
    game = sqlite_tables.begin(bots=1)
    before = snapshot(sqlite_tables.services)
    with refused(code):
        say(sqlite_tables, game, "ann", "Hello?", to=to)
    assert snapshot(sqlite_tables.services) == before


def test_before_the_start_there_is_talk_to_the_table_and_no_whisper(sqlite_tables):
    """Anybody can stand up and anybody sit down there: a secret would be told to the next."""
    game = sqlite_tables.sit(sqlite_tables.open(), "bob")
    say(sqlite_tables, game, "ann", "Welcome")
    with refused("not-started"):
        say(sqlite_tables, game, "ann", "psst", to=BOB)
    with refused("empty-seat"):
        say(sqlite_tables, game, "ann", "psst", to=CYD)
    assert [row["seat"] for row in talk_notices(sqlite_tables)] == [BOB]


def test_s11_only_who_sits_there_talks_and_a_private_table_is_not_there_for_others(sqlite_tables):
    guests = ["bob@people.example", "cyd@people.example"]
    public, private = sqlite_tables.begin(), sqlite_tables.begin(public=False, invite=guests)
    for act in (lambda game: say(sqlite_tables, game, "eve", "hi"), lambda game: unsay(sqlite_tables, game, "eve")):
        with pytest.raises(NotSeated):
            act(public)
        for unseen in (private, "nosuchgame"):
            with pytest.raises(NoSuchGame):
                act(unseen)


def test_out_26_a_game_is_talked_about_for_a_month_after_its_end(sqlite_tables):
    game = sqlite_tables.begin()
    sqlite_tables.play_out(game, seed=1)
    assert sqlite_tables.head(game).table.status == "finished"
    sqlite_tables.clock.at = sqlite_tables.head(game).last_at + AFTER_THE_END
    say(sqlite_tables, game, "ann", "Well played")
    wait(sqlite_tables, 1)
    with refused("talk-over"):
        say(sqlite_tables, game, "bob", "Thank you")
    wait(sqlite_tables)
    assert lines_shown(sqlite_tables, game, "bob") == ["Well played"]


@pytest.mark.slow
def test_rate_09_a_player_says_twenty_lines_an_hour_at_a_table(migrated_sqlite, open_services, manual_clock):
    tables = Tables(open_services(migrated_sqlite, clock=manual_clock, RATE_LIMITS="on"), manual_clock)
    game, other = tables.begin(), tables.begin()
    for number in range(MOST_AN_HOUR):
        say(tables, game, "ann", f"line {number}")
        wait(tables, SECOND)
    unsay(tables, game, "ann")
    with refused("too-many-lines") as no:
        say(tables, game, "ann", "one more")
    assert no.value.wait == HOUR // SECOND - MOST_AN_HOUR
    say(tables, game, "bob", "others have their own")
    say(tables, other, "ann", "and other tables theirs")
    tables.clock.at = NOON + HOUR - 1
    with refused("too-many-lines"):
        say(tables, game, "ann", "one more")
    wait(tables, 1)
    say(tables, game, "ann", "one more")
    assert MOST_AN_HOUR == 20


def test_rate_limits_off_lift_the_cap(sqlite_tables):
    game = sqlite_tables.begin()
    for number in range(MOST_AN_HOUR + 1):
        say(sqlite_tables, game, "ann", f"line {number}")


# Order and pages


def test_lines_are_shown_in_the_order_they_were_said_whatever_their_ids(sqlite_tables, monkeypatch):
    ids = iter([900, 100, 500])
    monkeypatch.setattr(chat, "new_line_id", lambda _: next(ids))
    game = sqlite_tables.begin()
    for name in ("ann", "bob", "cyd"):
        say(sqlite_tables, game, name, name)  # at the same moment
    wait(sqlite_tables, 5 * MINUTE + 2)
    assert lines_shown(sqlite_tables, game, "ann") == ["ann", "bob", "cyd"]
    first = talk_of(sqlite_tables, game, "ann", limit=2)
    assert ([line.text for line in first.lines], first.after) == (["ann", "bob"], 100)
    last = talk_of(sqlite_tables, game, "ann", limit=2, after=100)
    assert ([line.text for line in last.lines], last.after) == (["cyd"], None)
    assert talk_of(sqlite_tables, game, "ann", limit=3).after is None


def test_a_line_is_never_shown_before_one_that_was_said_earlier(migrated_sqlite, open_services, manual_clock):
    """The delay was shortened, or the clock set back, in between: who reads on after the last line misses none."""
    slow = Tables(open_services(migrated_sqlite, clock=manual_clock, TALK_DELAY="PT1H"), manual_clock)
    quick = Tables(open_services(migrated_sqlite, clock=manual_clock, TALK_DELAY="PT0S"), manual_clock)
    game = slow.begin()
    say(slow, game, "ann", "first")
    say(quick, game, "bob", "second")
    wait(slow, HOUR - MINUTE // 60)
    assert lines_shown(slow, game, "cyd") == []
    wait(slow, MINUTE)
    assert lines_shown(slow, game, "cyd") == ["first", "second"]
    say(quick, game, "cyd", "at once")
    assert lines_shown(slow, game, "bob") == ["first", "second", "at once"]


def test_a_page_begins_only_after_a_line_the_seat_could_read(sqlite_tables):
    game = sqlite_tables.begin()
    whisper = say(sqlite_tables, game, "ann", "psst", to=BOB)
    wait(sqlite_tables)
    waiting = say(sqlite_tables, game, "cyd", "I wait")
    assert talk_of(sqlite_tables, game, "bob", after=whisper).lines == []
    for unread in (whisper, waiting, 77):
        with refused("no-such-message"):
            talk_of(sqlite_tables, game, "cyd", after=unread)


@pytest.mark.slow
def test_the_ids_of_lines_do_not_count_what_others_say(sqlite_tables):
    game = sqlite_tables.begin()
    ids = [say(sqlite_tables, game, "ann", "x") for _ in range(50)]
    steps = {abs(b - a) for a, b in itertools.pairwise(ids)}
    assert min(steps) > 1000
    assert 0 < min(ids) < max(ids) < 10**12


# Taking back


def test_a_line_is_taken_back_while_it_waits_and_never_seen(tables):
    game = tables.begin()
    first, second = say(tables, game, "ann", "oops"), say(tables, game, "ann", "hello")
    assert unsay(tables, game, "ann", first) == "oops"
    with refused("no-such-message"):
        unsay(tables, game, "ann", first)
    assert lines_waiting(tables, game, "ann") == ["hello"]
    wait(tables)
    wait(tables)
    assert lines_shown(tables, game, "bob") == lines_shown(tables, game, "ann") == ["hello"]
    assert mails_of_talk(tables, "bob") == [["hello"]]
    assert verdicts(tables, "bob") == ["the line was taken back", None]
    with refused("already-shown"):
        unsay(tables, game, "ann", second)


def test_what_was_taken_back_is_kept_nowhere(sqlite_tables):
    game = sqlite_tables.begin()
    say(sqlite_tables, game, "ann", "oops")
    unsay(sqlite_tables, game, "ann")
    (row,) = snapshot(sqlite_tables.services)["messages"]
    assert b"" in row


def test_without_a_number_the_last_line_that_waits_is_taken_back(sqlite_tables):
    game = sqlite_tables.begin()
    say(sqlite_tables, game, "ann", "one")
    wait(sqlite_tables, 4 * MINUTE)
    say(sqlite_tables, game, "ann", "two")
    say(sqlite_tables, game, "ann", "three")
    say(sqlite_tables, game, "bob", "four")
    assert unsay(sqlite_tables, game, "ann") == "three"
    wait(sqlite_tables, MINUTE)
    assert unsay(sqlite_tables, game, "ann") == "two", "the one that waits, though another was shown"
    with refused("no-such-message"):
        unsay(sqlite_tables, game, "ann")
    assert lines_shown(sqlite_tables, game, "bob") == ["one"]


def test_a_line_can_be_taken_back_until_the_moment_it_is_shown(sqlite_tables):
    game = sqlite_tables.begin()
    number, other = say(sqlite_tables, game, "ann", "one"), say(sqlite_tables, game, "bob", "two")
    wait(sqlite_tables, 5 * MINUTE)
    with refused("already-shown"):
        unsay(sqlite_tables, game, "ann", number)
    assert unsay(sqlite_tables, game, "bob", other) == "two", "said a moment later"


def test_nobody_takes_back_the_line_of_another(sqlite_tables):
    game = sqlite_tables.begin()
    number = say(sqlite_tables, game, "ann", "mine")
    for name, wanted in (("bob", number), ("bob", None), ("cyd", number)):
        with refused("no-such-message"):
            unsay(sqlite_tables, game, name, wanted)
    other = sqlite_tables.begin()
    with refused("no-such-message"):
        unsay(sqlite_tables, other, "ann", number)
    wait(sqlite_tables)
    assert lines_shown(sqlite_tables, game, "bob") == ["mine"]


def test_who_stood_up_can_still_take_back_what_they_said_there(sqlite_tables):
    game = sqlite_tables.sit(sqlite_tables.open(public=False, invite=["bob@people.example"]), "bob")
    say(sqlite_tables, game, "bob", "Hello")
    with sqlite_tables.services.database.write() as tx:
        play.leave_seat(sqlite_tables.services, tx, game, sqlite_tables.ids["bob"])
    assert unsay(sqlite_tables, game, "bob") == "Hello"
    with pytest.raises(NoSuchGame):  # a private table is not for who has left it
        unsay(sqlite_tables, game, "bob")


# Mail


def test_every_reader_gets_one_notice_not_before_the_line_is_shown(tables):
    game = tables.begin(bots=1)
    wait(tables, HOUR)
    number = say(tables, game, "ann", "Who takes ward 5?")
    rows = talk_notices(tables)
    assert [(row["recipient"], row["seat"]) for row in rows] == [
        (tables.ids["bob"], BOB), (tables.ids["cyd"], CYD),
    ]  # fmt: skip
    for row in rows:
        assert (row["game_id"], row["decision"], row["state"]) == (game, str(number), "queued")
        assert row["created_at"] == NOON + HOUR
        assert NOON + HOUR + 5 * MINUTE <= row["not_before"] < NOON + HOUR + 8 * MINUTE
        assert row["secret"] is None
    wait(tables)
    with tables.services.database.read() as connection:
        assert chat.lines_of(tables.services, connection, notice_in(rows[0])) == [
            ("ann", True, "Who takes ward 5?", NOON + HOUR + 5 * MINUTE)
        ]  # fmt: skip


def test_a_whisper_is_marked_in_the_mail(sqlite_tables):
    game = sqlite_tables.begin()
    say(sqlite_tables, game, "ann", "psst", to=BOB)
    (row,) = talk_notices(sqlite_tables)
    with sqlite_tables.services.database.read() as connection:
        assert [told.to_all for told in chat.lines_of(sqlite_tables.services, connection, notice_in(row))] == [False]


def test_rate_05_lines_shown_within_a_few_minutes_are_one_mail(tables):
    game = tables.begin()
    for name, text, to in (("ann", "one", None), ("bob", "two", CYD), ("ann", "three", BOB), ("ann", "four", None)):
        say(tables, game, name, text, to)
        wait(tables, 10 * SECOND)
    assert mails_of_talk(tables, "cyd") == [["one", "two", "four"]]
    assert mails_of_talk(tables, "bob") == [["one", "three", "four"]]
    assert talk_notices(tables, "ann") == []
    assert verdicts(tables, "cyd")[1:] == ["told in an earlier mail"] * 2


@pytest.mark.slow
def test_rate_05_a_mail_waits_three_minutes_at_most_and_leaves_later_lines_to_the_next(sqlite_tables):
    game = sqlite_tables.begin()
    for number in range(12):
        say(sqlite_tables, game, "ann", f"{number}")
        wait(sqlite_tables, MINUTE)
    told = mails_of_talk(sqlite_tables, "bob")
    assert sorted(map(int, itertools.chain(*told))) == list(range(12)), "each line once"
    assert max(map(len, told)) == 3
    wait(sqlite_tables, 5 * MINUTE)
    with sqlite_tables.services.database.read() as connection:
        for row in talk_notices(sqlite_tables, "bob"):
            shown = [line.at for line in chat.lines_of(sqlite_tables.services, connection, notice_in(row))]
            assert row["not_before"] - 3 * MINUTE < min(shown) <= max(shown) <= row["not_before"]


@pytest.mark.slow
def test_t51_a_mail_tells_the_same_whenever_and_however_often_it_is_written(tables):
    game = tables.begin()
    for text in ("one", "two"):
        say(tables, game, "ann", text)
    first = mails_of_talk(tables, "bob")
    wait(tables, 5 * MINUTE)
    say(tables, game, "cyd", "three")
    for fate in ({"state": "sent", "done_at": 1}, {"state": "queued", "not_before": NOON + HOUR}):
        with tables.services.database.write() as tx:  # the first went out, or was postponed by a slow mail server
            earlier = sa.update(deliveries).where(deliveries.c.kind == "talk", deliveries.c.created_at == NOON)
            assert tx.execute(earlier.values(fate)).rowcount == 4
        told = sorted(mails_of_talk(tables, "bob"))
        assert told == sorted([*first, ["three"]])
    assert first == [["one", "two"]]


@pytest.mark.parametrize("delay, apart", [("PT0S", 0), ("PT2S", 2 * SECOND), ("PT1H", 3 * MINUTE)])
def test_a_mail_waits_for_company_no_longer_than_the_line_itself_waited(
    migrated_sqlite, open_services, manual_clock, delay, apart
):
    tables = Tables(open_services(migrated_sqlite, clock=manual_clock, TALK_DELAY=delay), manual_clock)
    game = tables.begin()
    wait(tables, 7 * SECOND + 1)
    say(tables, game, "ann", "one")
    (row,) = talk_notices(tables, "bob")
    wait(tables, 2 * HOUR)
    (line,) = talk_of(tables, game, "bob").lines
    assert 0 <= row["not_before"] - line.shown_at <= apart
    assert mailed_at(0, 0) == 0


def test_rate_04_a_notice_is_for_who_sits_there_when_it_goes_out(sqlite_tables):
    game = sqlite_tables.sit(sqlite_tables.open(), "bob")
    say(sqlite_tables, game, "ann", "Welcome")
    with sqlite_tables.services.database.write() as tx:
        play.leave_seat(sqlite_tables.services, tx, game, sqlite_tables.ids["bob"])
    assert verdicts(sqlite_tables, "bob") == ["the seat has another player"]
    sqlite_tables.sit(game, "dan")
    assert mails_of_talk(sqlite_tables, "bob") == []
    say(sqlite_tables, game, "ann", "Welcome, Dan")
    assert mails_of_talk(sqlite_tables, "dan") == [["Welcome, Dan"]], "what was said before dan came is no news"
    wait(sqlite_tables)
    wait(sqlite_tables)
    assert lines_shown(sqlite_tables, game, "dan") == ["Welcome", "Welcome, Dan"]


def test_who_takes_over_a_seat_reads_its_talk_and_not_what_its_former_player_had_not_yet_said(sqlite_tables):
    game = sqlite_tables.begin(options={"rounds": "3"})
    say(sqlite_tables, game, "ann", "psst", to=BOB)
    for _ in range(2):
        sqlite_tables.move(game, "ann", "hide 3")
        sqlite_tables.expire(game, BOB)
        sqlite_tables.move(game, "cyd", "hide 0")
        sqlite_tables.move(game, "ann", "take")
    assert sqlite_tables.head(game).table.chairs[BOB].vacant
    say(sqlite_tables, game, "bob", "I am late")
    sqlite_tables.sit(game, "dan")
    assert sqlite_tables.head(game).table.chairs[BOB].player == sqlite_tables.ids["dan"]
    assert lines_waiting(sqlite_tables, game, "dan") == []
    wait(sqlite_tables, 5 * MINUTE + 1)
    lines = talk_of(sqlite_tables, game, "dan").lines
    assert [(line.name, line.text) for line in lines] == [("ann", "psst"), ("bob", "I am late")], "said by bob, not dan"


# At rest, and erasure


def test_s30_no_row_holds_a_line_in_the_clear_nor_tells_its_length(tables):
    game = tables.begin()
    for text in ("a canary sang", "x" * 300):
        say(tables, game, "ann", text)
    kept = snapshot(tables.services)
    assert "canary" not in repr(kept)
    assert b"canary" not in b"".join(value for rows in kept.values() for row in rows for value in row
                                     if isinstance(value, bytes))  # fmt: skip
    bodies = [value for row in kept["messages"] for value in row if isinstance(value, bytes)]
    assert len({len(body) for body in bodies}) == 1


def test_q5_no_line_enters_the_history(sqlite_tables):
    game = sqlite_tables.begin()
    before = sqlite_tables.export(game, ANN)
    say(sqlite_tables, game, "ann", "a canary sang")
    wait(sqlite_tables)
    assert sqlite_tables.export(game, ANN) == before


def test_a_line_opens_in_its_own_place_only(sqlite_tables):
    """Whoever can write into the database cannot put one line in the place of another."""
    game = sqlite_tables.begin()
    numbers = [say(sqlite_tables, game, "ann", text) for text in ("yes", "no")]
    with sqlite_tables.services.database.write() as tx:
        rows = {row[0]: row[1] for row in tx.execute(sa.text("SELECT id, body FROM messages"))}
        for number, other in zip(numbers, reversed(numbers), strict=True):
            changed = {"body": rows[other], "id": number}
            tx.execute(sa.text("UPDATE messages SET body = :body WHERE id = :id"), changed)
    wait(sqlite_tables)
    wait(sqlite_tables)
    with pytest.raises(Exception, match="belongs elsewhere"):
        lines_shown(sqlite_tables, game, "bob")


def test_s30_lines_are_sealed_again_under_a_new_key(tables):
    game = tables.begin()
    for text in ("one", "two", "three", "oops"):
        say(tables, game, "ann", text)
    unsay(tables, game, "ann")
    old, new = "k" * 32, "n" * 32
    both = Services(
        tables.services.settings,
        tables.services.database,
        Sealer([new, old]),
        tables.services.streams,
        tables.services.wakeup,
    )
    with both.database.write() as tx:
        assert [chat.seal_again(both, tx, most) for most in (2, 9, 9)] == [2, 1, 0]
    alone = Services(
        tables.services.settings,
        tables.services.database,
        Sealer([new]),
        tables.services.streams,
        tables.services.wakeup,
    )
    wait(tables)
    wait(tables)
    with alone.database.read() as connection:
        head, _ = play.look(tables.services, connection, game, tables.ids["bob"])
        assert [line.text for line in chat.messages(alone, connection, head, BOB).lines] == ["one", "two", "three"]


def test_s50_forgetting_a_player_deletes_their_lines_and_nobody_else_s(tables):
    game = tables.begin()
    for name, text in (("ann", "one"), ("bob", "two"), ("ann", "three")):
        say(tables, game, name, text)
    with tables.services.database.write() as tx:
        assert chat.forget(tx, tables.ids["ann"]) == 2
        assert chat.forget(tx, tables.ids["ann"]) == 0
    wait(tables, 8 * MINUTE)
    assert lines_shown(tables, game, "cyd") == ["two"]
    assert mails_of_talk(tables, "cyd") == [["two"]], "what was to be told with a line that is gone is told still"
    assert tables.ids["ann"] not in repr(snapshot(tables.services)["messages"])

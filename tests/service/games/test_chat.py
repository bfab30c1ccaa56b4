"""Table talk: one line, delayed and cancellable, read by those it is for, mailed once, sealed, and erased on demand."""

import itertools
from collections.abc import Callable
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
from service.kernel.clock import SECOND, Clock
from service.kernel.encryption import Sealer
from service.mail.reply_tokens import AFTER_THE_END
from service.store.deliveries import deliveries
from service.store.outbox import outbox
from service.store.streams import NoSuchGame
from tests.notices import notice_in
from tests.service.store.house import House, snapshot

ANN, BOB, CYD = 0, 1, 2
NOON = 1_930_392_000 * SECOND
MINUTE = 60 * SECOND


class Still(Clock):
    """A clock the test moves."""

    at = NOON

    def now(self, connection: sa.Connection | None = None) -> int:
        return self.at


class Salon(House):
    """A house where people talk."""

    def __init__(self, services: Services, clock: Still) -> None:
        super().__init__(services)
        self.clock = clock

    def wait(self, span: int = 5 * MINUTE) -> None:
        self.clock.at += span

    def says(self, game: str, name: str, text: str, to: int | None = None) -> int:
        player = self.person(name)
        with self.services.database.write() as tx:
            return chat.say(self.services, tx, game, player, text, to=to)

    def unsays(self, game: str, name: str, number: int | None = None) -> str:
        player = self.person(name)
        with self.services.database.write() as tx:
            return chat.unsay(self.services, tx, game, player, number)

    def heard(self, game: str, name: str, **more: int) -> chat.Talk:
        player = self.person(name)
        with self.services.database.read() as connection:
            head, seat = play.look(self.services, connection, game, player)
            assert seat is not None
            return chat.messages(self.services, connection, head, seat, **more)

    def reads(self, game: str, name: str) -> list[str]:
        return [line.text for line in self.heard(game, name).lines]

    def waits(self, game: str, name: str) -> list[str]:
        return [line.text for line in self.heard(game, name).waiting]

    def notices(self, name: str | None = None) -> list[dict[str, Any]]:
        """The notices of talk, of all or of one reader."""
        found = sa.select(outbox).where(outbox.c.kind == "talk").order_by(outbox.c.not_before, outbox.c.id)
        with self.services.database.read() as connection:
            rows = [dict(row) for row in connection.execute(found).mappings()]
        return [row for row in rows if name is None or row["recipient"] == self.ids[name]]

    def mails(self, name: str) -> list[list[str]]:
        """What each mail to a reader would tell; what is superseded tells nothing."""
        with self.services.database.read() as connection:
            return [
                [told.text for told in chat.lines_of(self.services, connection, notice_in(row))]
                for row in self.notices(name)
                if chat.check(self.services, connection, notice_in(row)) is None
            ]

    def verdicts(self, name: str) -> list[str | None]:
        with self.services.database.read() as connection:
            return [chat.check(self.services, connection, notice_in(row)) for row in self.notices(name)]


@pytest.fixture
def salon(url: str, open_services: Callable[..., Services]) -> Salon:
    clock = Still()
    return Salon(open_services(url, clock=clock), clock)


@pytest.fixture
def small(migrated_sqlite: str, open_services: Callable[..., Services]) -> Salon:
    """On SQLite, for what does not depend on the database."""
    clock = Still()
    return Salon(open_services(migrated_sqlite, clock=clock), clock)


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


def test_a_line_to_the_table_is_read_by_everybody_after_the_delay(salon):
    game = salon.begins()
    salon.says(game, "ann", "Who takes ward 5?")
    salon.wait(5 * MINUTE - 1)
    assert salon.waits(game, "ann") == ["Who takes ward 5?"]
    assert salon.reads(game, "ann") == salon.reads(game, "bob") == salon.waits(game, "bob") == []
    salon.wait(1)
    for name in ("ann", "bob", "cyd"):
        (line,) = salon.heard(game, name).lines
        assert (line.seat, line.player, line.name, line.to) == (ANN, salon.ids["ann"], "ann", None)
        assert (line.text, line.shown_at) == ("Who takes ward 5?", NOON + 5 * MINUTE)
    assert salon.waits(game, "ann") == []


def test_a_line_to_one_seat_is_read_by_its_two_ends_alone(salon):
    game = salon.begins()
    salon.says(game, "ann", "Between you and me", to=BOB)
    salon.wait()
    assert salon.reads(game, "ann") == salon.reads(game, "bob") == ["Between you and me"]
    assert salon.heard(game, "bob").lines[0].to == BOB
    assert salon.reads(game, "cyd") == []
    assert [row["recipient"] for row in salon.notices()] == [salon.ids["bob"]]


def test_one_game_does_not_hear_another(small):
    game, other = small.begins(), small.begins()
    small.says(game, "ann", "here")
    small.wait()
    assert small.reads(other, "bob") == []


@pytest.mark.parametrize("to, code", [(ANN, "own-seat"), (3, "bot-seat"), (4, "no-such-seat"), (-1, "no-such-seat")])
def test_a_line_needs_somebody_to_hear_it(small, to, code):
    game = small.begins(bots=1)
    before = snapshot(small.services)
    with refused(code):
        small.says(game, "ann", "Hello?", to=to)
    assert snapshot(small.services) == before


def test_before_the_start_there_is_talk_to_the_table_and_no_whisper(small):
    """Anybody can stand up and anybody sit down there: a secret would be told to the next."""
    game = small.sits(small.opens(), "bob")
    small.says(game, "ann", "Welcome")
    with refused("not-started"):
        small.says(game, "ann", "psst", to=BOB)
    with refused("empty-seat"):
        small.says(game, "ann", "psst", to=CYD)
    assert [row["seat"] for row in small.notices()] == [BOB]


def test_s11_only_who_sits_there_talks_and_a_private_table_is_not_there_for_others(small):
    guests = ["bob@people.example", "cyd@people.example"]
    public, private = small.begins(), small.begins(public=False, invite=guests)
    for act in (lambda game: small.says(game, "eve", "hi"), lambda game: small.unsays(game, "eve")):
        with pytest.raises(NotSeated):
            act(public)
        for unseen in (private, "nosuchgame"):
            with pytest.raises(NoSuchGame):
                act(unseen)


def test_out_26_a_game_is_talked_about_for_a_month_after_its_end(small):
    game = small.begins()
    small.wanders(game, seed=1)
    assert small.head(game).table.status == "finished"
    small.clock.at = small.head(game).last_at + AFTER_THE_END
    small.says(game, "ann", "Well played")
    small.wait(1)
    with refused("talk-over"):
        small.says(game, "bob", "Thank you")
    small.wait()
    assert small.reads(game, "bob") == ["Well played"]


def test_rate_09_a_player_says_twenty_lines_an_hour_at_a_table(migrated_sqlite, open_services):
    clock = Still()
    salon = Salon(open_services(migrated_sqlite, clock=clock, RATE_LIMITS="on"), clock)
    game, other = salon.begins(), salon.begins()
    for number in range(MOST_AN_HOUR):
        salon.says(game, "ann", f"line {number}")
        salon.wait(SECOND)
    salon.unsays(game, "ann")
    with refused("too-many-lines") as no:
        salon.says(game, "ann", "one more")
    assert no.value.wait == HOUR // SECOND - MOST_AN_HOUR
    salon.says(game, "bob", "others have their own")
    salon.says(other, "ann", "and other tables theirs")
    salon.clock.at = NOON + HOUR - 1
    with refused("too-many-lines"):
        salon.says(game, "ann", "one more")
    salon.wait(1)
    salon.says(game, "ann", "one more")
    assert MOST_AN_HOUR == 20


def test_rate_limits_off_lift_the_cap(small):
    game = small.begins()
    for number in range(MOST_AN_HOUR + 1):
        small.says(game, "ann", f"line {number}")


# Order and pages


def test_lines_are_shown_in_the_order_they_were_said_whatever_their_ids(small, monkeypatch):
    ids = iter([900, 100, 500])
    monkeypatch.setattr(chat, "new_line_id", lambda: next(ids))
    game = small.begins()
    for name in ("ann", "bob", "cyd"):
        small.says(game, name, name)  # at the same moment
    small.wait(5 * MINUTE + 2)
    assert small.reads(game, "ann") == ["ann", "bob", "cyd"]
    first = small.heard(game, "ann", limit=2)
    assert ([line.text for line in first.lines], first.after) == (["ann", "bob"], 100)
    last = small.heard(game, "ann", limit=2, after=100)
    assert ([line.text for line in last.lines], last.after) == (["cyd"], None)
    assert small.heard(game, "ann", limit=3).after is None


def test_a_line_is_never_shown_before_one_that_was_said_earlier(migrated_sqlite, open_services):
    """The delay was shortened, or the clock set back, in between: who reads on after the last line misses none."""
    clock = Still()
    slow = Salon(open_services(migrated_sqlite, clock=clock, TALK_DELAY="PT1H"), clock)
    quick = Salon(open_services(migrated_sqlite, clock=clock, TALK_DELAY="PT0S"), clock)
    game = slow.begins()
    slow.says(game, "ann", "first")
    quick.says(game, "bob", "second")
    slow.wait(HOUR - MINUTE // 60)
    assert slow.reads(game, "cyd") == []
    slow.wait(MINUTE)
    assert slow.reads(game, "cyd") == ["first", "second"]
    quick.says(game, "cyd", "at once")
    assert slow.reads(game, "bob") == ["first", "second", "at once"]


def test_a_page_begins_only_after_a_line_the_seat_could_read(small):
    game = small.begins()
    whisper = small.says(game, "ann", "psst", to=BOB)
    small.wait()
    waiting = small.says(game, "cyd", "I wait")
    assert small.heard(game, "bob", after=whisper).lines == []
    for unread in (whisper, waiting, 77):
        with refused("no-such-message"):
            small.heard(game, "cyd", after=unread)


def test_the_ids_of_lines_do_not_count_what_others_say(small):
    game = small.begins()
    ids = [small.says(game, "ann", "x") for _ in range(50)]
    steps = {abs(b - a) for a, b in itertools.pairwise(ids)}
    assert min(steps) > 1000
    assert 0 < min(ids) < max(ids) < 10**12


# Taking back


def test_a_line_is_taken_back_while_it_waits_and_never_seen(salon):
    game = salon.begins()
    first, second = salon.says(game, "ann", "oops"), salon.says(game, "ann", "hello")
    assert salon.unsays(game, "ann", first) == "oops"
    with refused("no-such-message"):
        salon.unsays(game, "ann", first)
    assert salon.waits(game, "ann") == ["hello"]
    salon.wait()
    salon.wait()
    assert salon.reads(game, "bob") == salon.reads(game, "ann") == ["hello"]
    assert salon.mails("bob") == [["hello"]]
    assert salon.verdicts("bob") == ["the line was taken back", None]
    with refused("already-shown"):
        salon.unsays(game, "ann", second)


def test_what_was_taken_back_is_kept_nowhere(small):
    game = small.begins()
    small.says(game, "ann", "oops")
    small.unsays(game, "ann")
    (row,) = snapshot(small.services)["messages"]
    assert b"" in row


def test_without_a_number_the_last_line_that_waits_is_taken_back(small):
    game = small.begins()
    small.says(game, "ann", "one")
    small.wait(4 * MINUTE)
    small.says(game, "ann", "two")
    small.says(game, "ann", "three")
    small.says(game, "bob", "four")
    assert small.unsays(game, "ann") == "three"
    small.wait(MINUTE)
    assert small.unsays(game, "ann") == "two", "the one that waits, though another was shown"
    with refused("no-such-message"):
        small.unsays(game, "ann")
    assert small.reads(game, "bob") == ["one"]


def test_a_line_can_be_taken_back_until_the_moment_it_is_shown(small):
    game = small.begins()
    number, other = small.says(game, "ann", "one"), small.says(game, "bob", "two")
    small.wait(5 * MINUTE)
    with refused("already-shown"):
        small.unsays(game, "ann", number)
    assert small.unsays(game, "bob", other) == "two", "said a moment later"


def test_nobody_takes_back_the_line_of_another(small):
    game = small.begins()
    number = small.says(game, "ann", "mine")
    for name, wanted in (("bob", number), ("bob", None), ("cyd", number)):
        with refused("no-such-message"):
            small.unsays(game, name, wanted)
    other = small.begins()
    with refused("no-such-message"):
        small.unsays(other, "ann", number)
    small.wait()
    assert small.reads(game, "bob") == ["mine"]


def test_who_stood_up_can_still_take_back_what_they_said_there(small):
    game = small.sits(small.opens(public=False, invite=["bob@people.example"]), "bob")
    small.says(game, "bob", "Hello")
    with small.services.database.write() as tx:
        play.leave_seat(small.services, tx, game, small.ids["bob"])
    assert small.unsays(game, "bob") == "Hello"
    with pytest.raises(NoSuchGame):  # a private table is not for who has left it
        small.unsays(game, "bob")


# Mail


def test_every_reader_gets_one_notice_not_before_the_line_is_shown(salon):
    game = salon.begins(bots=1)
    salon.wait(HOUR)
    number = salon.says(game, "ann", "Who takes ward 5?")
    rows = salon.notices()
    assert [(row["recipient"], row["seat"]) for row in rows] == [
        (salon.ids["bob"], BOB), (salon.ids["cyd"], CYD),
    ]  # fmt: skip
    for row in rows:
        assert (row["game_id"], row["decision"], row["state"]) == (game, str(number), "queued")
        assert row["created_at"] == NOON + HOUR
        assert NOON + HOUR + 5 * MINUTE <= row["not_before"] < NOON + HOUR + 8 * MINUTE
        assert row["secret"] is None
    salon.wait()
    with salon.services.database.read() as connection:
        assert chat.lines_of(salon.services, connection, notice_in(rows[0])) == [
            ("ann", True, "Who takes ward 5?", NOON + HOUR + 5 * MINUTE)
        ]  # fmt: skip


def test_a_whisper_is_marked_in_the_mail(small):
    game = small.begins()
    small.says(game, "ann", "psst", to=BOB)
    (row,) = small.notices()
    with small.services.database.read() as connection:
        assert [told.to_all for told in chat.lines_of(small.services, connection, notice_in(row))] == [False]


def test_rate_05_lines_shown_within_a_few_minutes_are_one_mail(salon):
    game = salon.begins()
    for name, text, to in (("ann", "one", None), ("bob", "two", CYD), ("ann", "three", BOB), ("ann", "four", None)):
        salon.says(game, name, text, to)
        salon.wait(10 * SECOND)
    assert salon.mails("cyd") == [["one", "two", "four"]]
    assert salon.mails("bob") == [["one", "three", "four"]]
    assert salon.notices("ann") == []
    assert salon.verdicts("cyd")[1:] == ["told in an earlier mail"] * 2


def test_rate_05_a_mail_waits_three_minutes_at_most_and_leaves_later_lines_to_the_next(small):
    game = small.begins()
    for number in range(12):
        small.says(game, "ann", f"{number}")
        small.wait(MINUTE)
    told = small.mails("bob")
    assert sorted(map(int, itertools.chain(*told))) == list(range(12)), "each line once"
    assert max(map(len, told)) == 3
    small.wait(5 * MINUTE)
    with small.services.database.read() as connection:
        for row in small.notices("bob"):
            shown = [line.at for line in chat.lines_of(small.services, connection, notice_in(row))]
            assert row["not_before"] - 3 * MINUTE < min(shown) <= max(shown) <= row["not_before"]


def test_t51_a_mail_tells_the_same_whenever_and_however_often_it_is_written(salon):
    game = salon.begins()
    for text in ("one", "two"):
        salon.says(game, "ann", text)
    first = salon.mails("bob")
    salon.wait(5 * MINUTE)
    salon.says(game, "cyd", "three")
    for fate in ({"state": "sent", "done_at": 1}, {"state": "queued", "not_before": NOON + HOUR}):
        with salon.services.database.write() as tx:  # the first went out, or was postponed by a slow mail server
            earlier = sa.update(deliveries).where(deliveries.c.kind == "talk", deliveries.c.created_at == NOON)
            assert tx.execute(earlier.values(fate)).rowcount == 4
        told = sorted(salon.mails("bob"))
        assert told == sorted([*first, ["three"]])
    assert first == [["one", "two"]]


@pytest.mark.parametrize("delay, apart", [("PT0S", 0), ("PT2S", 2 * SECOND), ("PT1H", 3 * MINUTE)])
def test_a_mail_waits_for_company_no_longer_than_the_line_itself_waited(migrated_sqlite, open_services, delay, apart):
    clock = Still()
    salon = Salon(open_services(migrated_sqlite, clock=clock, TALK_DELAY=delay), clock)
    game = salon.begins()
    salon.wait(7 * SECOND + 1)
    salon.says(game, "ann", "one")
    (row,) = salon.notices("bob")
    salon.wait(2 * HOUR)
    (line,) = salon.heard(game, "bob").lines
    assert 0 <= row["not_before"] - line.shown_at <= apart
    assert mailed_at(0, 0) == 0


def test_rate_04_a_notice_is_for_who_sits_there_when_it_goes_out(small):
    game = small.sits(small.opens(), "bob")
    small.says(game, "ann", "Welcome")
    with small.services.database.write() as tx:
        play.leave_seat(small.services, tx, game, small.ids["bob"])
    assert small.verdicts("bob") == ["the seat has another player"]
    small.sits(game, "dan")
    assert small.mails("bob") == []
    small.says(game, "ann", "Welcome, Dan")
    assert small.mails("dan") == [["Welcome, Dan"]], "what was said before dan came is no news"
    small.wait()
    small.wait()
    assert small.reads(game, "dan") == ["Welcome", "Welcome, Dan"]


def test_who_takes_over_a_seat_reads_its_talk_and_not_what_its_former_player_had_not_yet_said(small):
    game = small.begins(options={"rounds": "3"})
    small.says(game, "ann", "psst", to=BOB)
    for _ in range(2):
        small.moves(game, "ann", "hide 3")
        small.expires(game, BOB)
        small.moves(game, "cyd", "hide 0")
        small.moves(game, "ann", "take")
    assert small.head(game).table.chairs[BOB].vacant
    small.says(game, "bob", "I am late")
    small.sits(game, "dan")
    assert small.head(game).table.chairs[BOB].player == small.ids["dan"]
    assert small.waits(game, "dan") == []
    small.wait(5 * MINUTE + 1)
    lines = small.heard(game, "dan").lines
    assert [(line.name, line.text) for line in lines] == [("ann", "psst"), ("bob", "I am late")], "said by bob, not dan"


# At rest, and erasure


def test_s30_no_row_holds_a_line_in_the_clear_nor_tells_its_length(salon):
    game = salon.begins()
    for text in ("a canary sang", "x" * 300):
        salon.says(game, "ann", text)
    kept = snapshot(salon.services)
    assert "canary" not in repr(kept)
    assert b"canary" not in b"".join(value for rows in kept.values() for row in rows for value in row
                                     if isinstance(value, bytes))  # fmt: skip
    bodies = [value for row in kept["messages"] for value in row if isinstance(value, bytes)]
    assert len({len(body) for body in bodies}) == 1


def test_q5_no_line_enters_the_history(small):
    game = small.begins()
    before = small.export(game, ANN)
    small.says(game, "ann", "a canary sang")
    small.wait()
    assert small.export(game, ANN) == before


def test_a_line_opens_in_its_own_place_only(small):
    """Whoever can write into the database cannot put one line in the place of another."""
    game = small.begins()
    numbers = [small.says(game, "ann", text) for text in ("yes", "no")]
    with small.services.database.write() as tx:
        rows = {row[0]: row[1] for row in tx.execute(sa.text("SELECT id, body FROM messages"))}
        for number, other in zip(numbers, reversed(numbers), strict=True):
            changed = {"body": rows[other], "id": number}
            tx.execute(sa.text("UPDATE messages SET body = :body WHERE id = :id"), changed)
    small.wait()
    small.wait()
    with pytest.raises(Exception, match="belongs elsewhere"):
        small.reads(game, "bob")


def test_s30_lines_are_sealed_again_under_a_new_key(salon):
    game = salon.begins()
    for text in ("one", "two", "three", "oops"):
        salon.says(game, "ann", text)
    salon.unsays(game, "ann")
    old, new = "k" * 32, "n" * 32
    both = Services(
        salon.services.settings,
        salon.services.database,
        Sealer([new, old]),
        salon.services.streams,
        salon.services.wakeup,
    )
    with both.database.write() as tx:
        assert [chat.seal_again(both, tx, most) for most in (2, 9, 9)] == [2, 1, 0]
    alone = Services(
        salon.services.settings, salon.services.database, Sealer([new]), salon.services.streams, salon.services.wakeup
    )
    salon.wait()
    salon.wait()
    with alone.database.read() as connection:
        head, _ = play.look(salon.services, connection, game, salon.ids["bob"])
        assert [line.text for line in chat.messages(alone, connection, head, BOB).lines] == ["one", "two", "three"]


def test_s50_forgetting_a_player_deletes_their_lines_and_nobody_else_s(salon):
    game = salon.begins()
    for name, text in (("ann", "one"), ("bob", "two"), ("ann", "three")):
        salon.says(game, name, text)
    with salon.services.database.write() as tx:
        assert chat.forget(tx, salon.ids["ann"]) == 2
        assert chat.forget(tx, salon.ids["ann"]) == 0
    salon.wait(8 * MINUTE)
    assert salon.reads(game, "cyd") == ["two"]
    assert salon.mails("cyd") == [["two"]], "what was to be told with a line that is gone is told still"
    assert salon.ids["ann"] not in repr(snapshot(salon.services)["messages"])

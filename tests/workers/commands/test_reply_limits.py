"""Automatons that answer everything run dry, and people are not silenced by what others send (RATE-09, IN-23)."""

from collections.abc import Callable

import pytest
from structlog.testing import capture_logs

from domain.engine.game import Seat
from service.container import Services
from service.games import chat, clock_votes
from service.kernel.clock import SECOND
from service.mail import deliverability
from service.notify.kind import Urgency, kinds_of
from service.store.outgoing import outbox
from tests.letters import reply_address, text_of
from tests.manual_clock import ManualClock
from tests.notices import mail_in
from tests.tables import SETTINGS, Tables
from tests.workers.mail_tables import mail_tables
from tests.workers.sessions.mails import raw_mail
from workers.commands.reply_limits import ANSWERS_A_DAY, FLOOD, LETTERS_A_DAY, OWN, QUESTIONS
from workers.kinds.kind import GameKind
from workers.kinds.registry import KINDS
from workers.mail_out.letter import Letter
from workers.mail_out.send_policy import A_GAME_AND_HOUR, TENTHS

__all__ = ["mail_tables"]
STRANGER = "Mallory <mallory@elsewhere.example>"
Answer = Callable[[int, Letter], str]


def at_table(mail_tables: Tables) -> str:
    game = mail_tables.begin("ann", "bob")
    mail_tables.exchange()
    return game


def mail(mail_tables: Tables, who: str, text: str, **more: object) -> int:
    """One mail more, to the newest letter."""
    letter = mail_tables.newest_letter(who)
    mail_tables.sent += 1
    return mail_tables.accept_mail(
        raw_mail(mail_tables, letter, text, who=who, **more), letter, sender=f"{who}@people.example"
    )  # type: ignore[arg-type]


def automaton(mail_tables: Tables, names: tuple[str, ...], says: Answer, days: int = 3, **more: object) -> list[int]:
    """Whoever of these gets a mail from us answers it within ten minutes. How many mails of ours a day that makes."""
    made = []
    for _ in range(days):
        total = 0
        for _ in range(144):
            letters, mail_tables.carrier.letters[:] = list(mail_tables.carrier.letters), []
            total += len(letters)
            for number, letter in enumerate(letters):
                name = letter.to.partition("@")[0]
                if name in names:
                    mail_tables.sent += 1
                    raw = raw_mail(mail_tables, letter, says(total + number, letter), who=name, **more)  # type: ignore[arg-type]
                    mail_tables.accept_mail(raw, letter, sender=f"{name}@people.example")
            mail_tables.advance(minutes=10)
            if letters:
                mail_tables.read_inbox()
            mail_tables.deliver()
        made.append(total)
    return made


GARBAGE: Answer = lambda n, letter: f"Thank you for your message number {n}! It has been forwarded to our team."  # noqa: E731
QUOTES: Answer = lambda n, letter: "\n".join(f"> {line}" for line in text_of(letter).splitlines())  # noqa: E731
WORDS: Answer = lambda n, letter: ("status", "help", "legal", "history", "orders", "away", "board")[n % 7]  # noqa: E731
TALK: Answer = lambda n, letter: f"say I got your message {n}"  # noqa: E731
BIDS: Answer = lambda n, letter: f"hide {n % 4}"  # noqa: E731
TYPOS: Answer = lambda n, letter: f"hdie {n}"  # noqa: E731


FEW, MANY = ANSWERS_A_DAY + 2, LETTERS_A_DAY + 1
"""Mails of ours to one player in a day: where nothing is done, and where orders or lines of talk are."""


@pytest.mark.parametrize(
    "says, most, days",
    [
        pytest.param(GARBAGE, FEW, 2, id="garbage"),
        pytest.param(QUOTES, FEW, 2, id="quotes"),
        pytest.param(WORDS, FEW, 2, id="words"),
        pytest.param(TYPOS, FEW, 2, id="typos"),
        pytest.param(BIDS, MANY, 1, id="bids", marks=pytest.mark.slow),
        pytest.param(TALK, 2 * MANY, 1, id="talk", marks=pytest.mark.slow),
    ],
)
def test_rate_09_an_automaton_without_a_header_that_shows_it_runs_dry(
    mail_tables: Tables, says: Answer, most: int, days: int
) -> None:
    """Two people's mailboxes answer every mail at once, as if a person had written."""
    at_table(mail_tables)
    made = automaton(mail_tables, ("ann", "bob"), says, days)
    assert all(day <= 2 * most for day in made), made
    assert made[0] > 2, "it did begin"


@pytest.mark.parametrize("more", [{"headers": ["Auto-Submitted: auto-replied"]}, {"headers": ["Precedence: bulk"]}])
def test_in_21_an_automaton_that_says_what_it_is_gets_no_answer_at_all(
    mail_tables: Tables, more: dict[str, object]
) -> None:
    at_table(mail_tables)
    assert automaton(mail_tables, ("ann", "bob"), GARBAGE, days=1, **more) == [2], "the two that said whose turn it is"
    assert {row["state"] for row in mail_tables.mails()} == {"shelved"}


def test_in_23_our_own_mail_that_comes_back_is_dropped(mail_tables: Tables) -> None:
    """A mailbox that sends every mail on to where its answers go."""
    at_table(mail_tables)
    before = len(mail_tables.carrier.letters)
    for letter in list(mail_tables.carrier.letters):
        mail_tables.accept_mail(letter.data, reply_address(letter), sender="ann@people.example")
        mail_tables.accept_mail(letter.data, reply_address(letter), sender=letter.return_path)
    mail_tables.exchange()
    assert {row["state"] for row in mail_tables.mails()} == {"shelved"}
    assert len(mail_tables.carrier.letters) == before


def test_in_23_a_mailbox_that_forwards_and_rewrites_the_headers_runs_dry(mail_tables: Tables) -> None:
    """From is the player's, nothing shows a loop: only the count does."""
    at_table(mail_tables)
    days = automaton(
        mail_tables, ("ann",), lambda n, letter: "---------- Forwarded message ---------\n" + text_of(letter)
    )
    assert all(day <= ANSWERS_A_DAY + 2 for day in days), days


def test_rate_09_ten_answers_a_day_and_the_orders_still_count(mail_tables: Tables) -> None:
    """Who makes many mistakes hears no more of them that day, but is told of what was done."""
    at_table(mail_tables)
    letter = mail_tables.newest_letter("ann")
    for number in range(ANSWERS_A_DAY + 3):
        mail_tables.accept_mail(
            raw_mail(mail_tables, letter, f"hdie {number}", message_id=f"<typo{number}@people.example>"), letter
        )
    mail_tables.read_inbox()
    assert len(mail_tables.notices(kind="answer")) == ANSWERS_A_DAY
    good = mail_tables.accept_mail(raw_mail(mail_tables, letter, "hide 2", message_id="<good@people.example>"), letter)
    mail_tables.read_inbox()
    assert mail_tables.mail_state(good) == "applied"
    assert mail_tables.notices(kind="answer")[-1]["decision"] == str(good)


def test_rate_09_more_than_enough_orders_are_played_without_an_answer_to_each(mail_tables: Tables) -> None:
    """An address takes so many mails, and every answer gives another address: only the answers can be counted."""
    game = at_table(mail_tables)
    most = LETTERS_A_DAY + 4
    for start in (0, most // 2):
        letter = mail_tables.newest_letter("ann")
        for number in range(start, start + most // 2):
            raw = raw_mail(mail_tables, letter, f"hide {number % 2}", message_id=f"<{number}@people.example>", quote=0)
            mail_tables.accept_mail(raw, letter)
        mail_tables.exchange()
    assert {row["state"] for row in mail_tables.mails()} == {"applied"}
    assert mail_tables.head(game).table.game.hands == {0: (most - 1) % 2}
    assert len(mail_tables.notices(kind="answer")) == LETTERS_A_DAY


def test_in_23_one_address_takes_only_so_many_mails_a_day_and_the_next_letter_another(mail_tables: Tables) -> None:
    at_table(mail_tables)
    letter = mail_tables.newest_letter("ann")
    for number in range(FLOOD + 2):
        raw = raw_mail(mail_tables, letter, "chatter", sender=STRANGER, message_id=f"<{number}@elsewhere.example>")
        mail_tables.accept_mail(raw, letter)
    mail_tables.read_inbox()
    assert [row["state"] for row in mail_tables.mails()][-3:] == ["held", "ignored", "ignored"]
    mail_tables.exchange()
    fresh = mail_tables.newest_letter("ann", "answer")
    number = mail_tables.accept_mail(raw_mail(mail_tables, fresh, "hide 2"), fresh)
    mail_tables.read_inbox()
    assert mail_tables.mail_state(number) == "applied", "whoever floods an address does not silence its owner"


def test_rate_09_what_was_not_answered_is_in_the_next_scheduled_mail(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    mail_tables.advance(minutes=5)
    mail(mail_tables, "ann", "away until Monday", headers=["Auto-Submitted: auto-replied"])
    mail_tables.exchange()
    mail_tables.advance(minutes=5)
    mail_tables.move(game, 0, "hide 3")
    mail_tables.move(game, 1, "hide 1")
    mail_tables.exchange()
    assert "1 mail to your reply addresses was not answered" in " ".join(
        mail_tables.newest_text("ann", "your-turn").split()
    )


def test_guests_are_counted_each_for_themselves(mail_tables: Tables) -> None:
    """Nobody's mistakes take another guest's answers."""
    mail_tables.open("ann", seats=4, invite=["yve@people.example", "zed@people.example"])
    mail_tables.exchange()
    letter = mail_tables.newest_letter("yve")
    for number in range(ANSWERS_A_DAY + 2):
        raw = raw_mail(mail_tables, letter, f"jion {number}", who="yve", message_id=f"<{number}@people.example>")
        mail_tables.accept_mail(raw, letter, sender="yve@people.example")
    mail(mail_tables, "zed", "join =?")
    mail_tables.exchange()
    assert "A name has" in mail_tables.newest_text("zed", "answer")
    mail(mail_tables, "yve", "join =?")
    mail_tables.exchange()
    assert len([one for one in mail_tables.letters_to("yve") if one.message_id.startswith("<answer")]) == ANSWERS_A_DAY


def test_questions_to_confirm_are_few_for_strangers_and_enough_for_the_player(mail_tables: Tables) -> None:
    """What a stranger does with a leaked address takes no question of the player's own (RATE-09)."""
    at_table(mail_tables)
    letter = mail_tables.newest_letter("ann")
    for number in range(QUESTIONS[False] + 2):
        raw = raw_mail(
            mail_tables, letter, f"hide {number % 4}", sender=STRANGER, message_id=f"<{number}@elsewhere.example>"
        )
        mail_tables.accept_mail(raw, letter)
    mail_tables.read_inbox()
    assert len(mail_tables.notices(kind="confirm")) == QUESTIONS[False]
    number = mail_tables.reply("ann", "hide 2", to=letter, verdict=None)
    mail_tables.read_inbox()
    assert len(mail_tables.notices(kind="confirm")) == QUESTIONS[False] + 1
    assert {row["state"] for row in mail_tables.mails()} == {"held"}
    assert [row["reason"] for row in mail_tables.mails()][-3:] == ["not confirmed", "not confirmed", OWN]
    assert mail_tables.mail_state(number) == "held"


def test_only_questions_that_wait_for_an_answer_count(mail_tables: Tables) -> None:
    """Without a mail server that vouches, every move is asked about: any number of them, once confirmed."""
    game = at_table(mail_tables)
    for number in range(QUESTIONS[True] + 3):
        mail_tables.reply("ann", f"hide {number % 4}", to=mail_tables.newest_letter("ann", "your-turn"), verdict=None)
        mail_tables.exchange()
        mail_tables.reply("ann", "yes", to=mail_tables.newest_letter("ann", "confirm"), verdict=None)
        mail_tables.exchange()
    assert len(mail_tables.notices(kind="confirm")) == QUESTIONS[True] + 3
    assert mail_tables.head(game).table.game.hands == {0: (QUESTIONS[True] + 2) % 4}


# So many mails to one person (RATE-09)

MOST = 10
HOUR, DAY = 3600 * SECOND, 86400 * SECOND
A_DAY = f"held back: you had {MOST} mails in 24 hours"
AN_HOUR = f"held back: you had {A_GAME_AND_HOUR} mails about this game in an hour"


@pytest.fixture
def capped(migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock) -> Tables:
    """Ten mails a day to one person."""
    limits = {"RATE_LIMITS": "on", "MAILS_A_DAY": str(MOST)}
    return Tables(open_services(migrated_sqlite, clock=manual_clock, **SETTINGS, **limits), manual_clock)


def had(mail_tables: Tables, name: str, count: int, *, game: str = "elsewhere", kind: str = "game-over") -> None:
    """So many mails went to somebody just now."""
    with mail_tables.services.database.write() as tx:
        about = {"recipient": mail_tables.ids[name], "game_id": game, "kind": kind, "created_at": mail_tables.clock.at}
        outbox.put(
            tx, [about | {"decision": f"{mail_tables.clock.at}-{number}", "state": "sent"} for number in range(count)]
        )
    mail_tables.execute("UPDATE deliveries SET done_at = created_at WHERE state = 'sent' AND done_at IS NULL")


def proposes(mail_tables: Tables, game: str) -> None:
    with mail_tables.services.database.write() as tx:
        clock_votes.propose(mail_tables.services, tx, game, mail_tables.ids["bob"], "pause", 86400)


def says(mail_tables: Tables, game: str, text: str = "hello", to: Seat | None = None) -> None:
    """Bob says a line, and others see it."""
    with mail_tables.services.database.write() as tx:
        chat.say(mail_tables.services, tx, game, mail_tables.ids["bob"], text, to=to)
    mail_tables.advance(minutes=9)


def became(mail_tables: Tables, kind: str, name: str = "ann") -> list[tuple[str, str | None]]:
    return [(row["state"], row["reason"]) for row in mail_tables.notices(kind=kind, recipient=mail_tables.ids[name])]


def test_rate_09_so_many_mails_a_day_then_turns_wait_for_room(capped: Tables) -> None:
    for _ in range(MOST + 2):
        capped.begin("ann", "bob")
        capped.advance(minutes=1)
    with capture_logs() as lines:
        capped.deliver()
    assert len(capped.letters_to("ann")) == len(capped.letters_to("bob")) == MOST
    waiting = capped.notices(state="queued")
    assert [row["reason"] for row in waiting] == [A_DAY] * 4
    assert {row["not_before"] for row in waiting} == {capped.clock.at + DAY}
    assert {row["attempts"] for row in waiting} == {0}
    held = [line for line in lines if line["event"] == "mail held back"]
    assert len(held) == 2, "logged once for each of them"
    assert not any("@" in str(line) for line in held)
    capped.advance(days=1, seconds=-1)
    assert capped.deliver() == 0
    capped.advance(seconds=1)
    assert capped.deliver() == 4, "none was lost"


@pytest.mark.parametrize(
    "before, proposal, line",
    [
        pytest.param(7, "sent", "sent", id="below eight tenths everything goes"),
        pytest.param(8, "sent", "superseded", id="from eight tenths on, no news"),
        pytest.param(9, "superseded", "superseded", id="from nine tenths on, only what is urgent"),
    ],
)
def test_rate_09_news_are_the_first_to_be_held_back_and_turns_the_last(
    capped: Tables, before: int, proposal: str, line: str
) -> None:
    game = capped.begin("ann", "bob")
    capped.execute("UPDATE deliveries SET state = 'superseded'")
    had(capped, "ann", before)
    proposes(capped, game)
    capped.deliver()
    assert became(capped, "proposal") == [(proposal, A_DAY if proposal == "superseded" else None)]
    capped.execute("DELETE FROM deliveries WHERE kind = 'proposal'")
    capped.execute("DELETE FROM notices WHERE kind = 'proposal'")
    says(capped, game)
    capped.deliver()
    assert became(capped, "talk") == [(line, A_DAY if line == "superseded" else None)]
    capped.execute("DELETE FROM deliveries WHERE kind = 'talk'")
    capped.execute("DELETE FROM notices WHERE kind = 'talk'")
    capped.begin("ann", "bob")
    capped.deliver()
    assert became(capped, "your-turn")[-1] == ("sent", None)


def test_rate_09_every_kind_has_its_place() -> None:
    """News, what is urgent, what is never held; all the rest in between."""
    about_games = {name for name, kind in KINDS.items() if isinstance(kind, GameKind)}
    news, urgent, uncounted = (kinds_of(one) for one in (Urgency.NEWS, Urgency.URGENT, Urgency.UNCOUNTED))
    assert news.isdisjoint(urgent)
    assert urgent == {"your-turn", "deadline-passed"}
    assert (news | urgent) - {"digest"} <= about_games
    assert uncounted.isdisjoint(about_games)
    assert {urgency for urgency in Urgency if TENTHS.get(urgency) is None} == {Urgency.OWN, Urgency.UNCOUNTED}


@pytest.mark.parametrize("kind", ["code", "probe"])
def test_rate_09_codes_and_probes_are_neither_counted_nor_held(capped: Tables, kind: str) -> None:
    capped.begin("ann", "bob")
    had(capped, "ann", MOST + 5, game="", kind=kind)
    assert capped.deliver() == 2, "they took nobody's room"
    had(capped, "ann", MOST)
    capped.request_code("ann")
    (sent,) = capped.notices(kind="your-turn", recipient=capped.ids["ann"])
    with capped.services.database.write() as tx:
        deliverability.count_bounce(capped.services, tx, mail_in(tx, sent), hard=True, diagnostic="550 5.1.1 unknown")
    assert capped.deliver() == 2
    assert {row["state"] for row in capped.notices() if row["kind"] in ("code", "probe")} == {"sent"}


def test_rate_09_answers_to_ones_own_mails_are_counted_and_not_held(capped: Tables) -> None:
    capped.begin("ann", "bob")
    capped.exchange()
    for number in range(MOST - 1):
        capped.reply("ann", ("status", "board", "legal", "history", "help")[number % 5])
        capped.advance(minutes=61)
        capped.exchange()
    assert capped.carrier.kinds()["answer"] == MOST - 1
    had(capped, "ann", 3)
    capped.reply("ann", "hide 2")
    capped.exchange()
    assert capped.carrier.kinds()["answer"] == MOST
    capped.begin("ann", "bob")
    capped.deliver()
    assert became(capped, "your-turn")[-1] == ("queued", A_DAY)


def test_rate_09_so_many_about_one_game_in_an_hour(capped: Tables) -> None:
    """However many a day: a game that floods its players is slowed down, and others are not."""
    capped.execute("DELETE FROM deliveries")
    capped.execute("DELETE FROM notices")
    mail_tables = Tables(capped.services, capped.clock)
    object.__setattr__(mail_tables.services.settings, "mails_a_day", 1000)
    game = mail_tables.begin("ann", "bob", options={"rounds": "3"})
    mail_tables.deliver()
    mail_tables.advance(minutes=5)
    had(mail_tables, "ann", A_GAME_AND_HOUR - 1, game=game)
    mail_tables.move(game, "ann", "hide 3")
    mail_tables.move(game, "bob", "hide 1")
    mail_tables.move(game, 0, "take")
    mail_tables.deliver()
    assert became(mail_tables, "your-turn")[-1] == ("queued", AN_HOUR)
    (row,) = mail_tables.notices(kind="your-turn", recipient=mail_tables.ids["ann"], state="queued")
    assert row["not_before"] == mail_tables.clock.at + 55 * 60 * SECOND, "an hour after the first of the thirty"
    assert became(mail_tables, "your-turn", "bob")[-1] == ("sent", None)
    mail_tables.begin("ann", "bob")
    mail_tables.deliver()
    assert became(mail_tables, "your-turn")[-1] == ("sent", None), "another game"
    mail_tables.advance(minutes=55)
    assert mail_tables.deliver() == 1


def test_rate_09_news_about_one_game_stop_before_the_hour_is_full(capped: Tables) -> None:
    object.__setattr__(capped.services.settings, "mails_a_day", 1000)
    game = capped.begin("ann", "bob")
    capped.execute("UPDATE deliveries SET state = 'superseded'")
    had(capped, "ann", A_GAME_AND_HOUR * 8 // 10, game=game)
    says(capped, game)
    capped.deliver()
    assert became(capped, "talk") == [("superseded", AN_HOUR)]


def test_rate_09_the_next_mail_says_how_many_were_held_back(capped: Tables) -> None:
    game = capped.begin("ann", "bob")
    capped.execute("UPDATE deliveries SET state = 'superseded'")
    had(capped, "ann", 8)
    for number in range(3):
        says(capped, game, f"line {number}")
    capped.deliver()
    assert became(capped, "talk") == [("superseded", A_DAY)] * 3
    capped.advance(minutes=1)
    for _ in range(2):
        capped.begin("ann", "bob")
        capped.deliver()
        capped.advance(minutes=1)
    first, second = (" ".join(text_of(letter).split()) for letter in capped.letters_to("ann"))
    assert "3 mails to you were held back before this one because you had so many" in first
    assert "held back" not in second, "said once"
    assert "held back" not in capped.newest_text("bob")


def test_i09_a_turn_never_waits_so_long_that_less_than_a_quarter_of_its_time_is_left(capped: Tables) -> None:
    capped.player("ann")
    had(capped, "ann", MOST)
    game = capped.begin("ann", "bob", clock={"per_move": "PT1H", "grace": "PT0S", "reminders": []})
    capped.deliver()
    (row,) = capped.notices(kind="your-turn", recipient=capped.ids["ann"])
    assert row["not_before"] == capped.clock.at + 45 * 60 * SECOND
    capped.advance(minutes=45)
    assert capped.deliver() == 1, "one mail too many is better than a silent deadline"
    capped.advance(minutes=15)
    assert capped.sweep() == 2
    assert capped.head(game).table.status == "running"


def test_rate_09_word_of_a_deadline_that_passed_waits_and_is_not_dropped(capped: Tables) -> None:
    game = capped.begin("ann", "bob", clock={"per_move": "PT1H", "grace": "PT0S", "reminders": []})
    capped.deliver()
    had(capped, "ann", MOST)
    capped.advance(hours=1)
    assert capped.sweep() == 2
    capped.deliver()
    assert became(capped, "deadline-passed") == [("queued", A_DAY)]
    capped.advance(days=1)
    capped.deliver()
    assert became(capped, "deadline-passed") == [("sent", None)]
    assert game


def test_rate_09_who_is_not_limited_is_not_held(mail_tables: Tables) -> None:
    mail_tables.player("ann")
    had(mail_tables, "ann", 1000)
    mail_tables.begin("ann", "bob")
    assert mail_tables.deliver() == 2


def test_rate_09_mail_to_one_person_takes_no_room_of_another(capped: Tables) -> None:
    capped.player("ann")
    had(capped, "ann", MOST)
    capped.begin("bob", "cyd")
    assert capped.deliver() == 2


def test_rate_09_a_mail_that_came_back_took_its_room_and_one_that_failed_did_not(capped: Tables) -> None:
    capped.player("ann")
    had(capped, "ann", MOST)
    capped.execute("UPDATE deliveries SET state = 'bounced'")
    capped.begin("ann", "bob")
    assert capped.deliver() == 1
    capped.execute("UPDATE deliveries SET state = 'failed' WHERE state = 'bounced'")
    capped.execute("UPDATE deliveries SET not_before = 0")
    assert capped.deliver() == 1


@pytest.mark.parametrize("before, state", [(8, "sent"), (9, "superseded")])
def test_rate_09_guests_are_counted_by_their_address(capped: Tables, before: int, state: str) -> None:
    capped.ids["zed"] = "zed@friends.example"
    had(capped, "zed", before)
    capped.open("ann", seats=3, invite=["Zed@friends.example"])
    capped.deliver()
    assert became(capped, "invitation", "zed") == [(state, None if state == "sent" else A_DAY)]

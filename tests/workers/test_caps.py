"""Automatons that answer everything run dry, and people are not silenced by what others send (RATE-09, IN-23)."""

from collections.abc import Callable

import pytest

from tests.workers.office import text_of
from tests.workers.post import Post, post, reply_address
from tests.workers.sessions.mails import raw_mail
from workers.caps import ANSWERS_A_DAY, FLOOD, LETTERS_A_DAY, OWN, QUESTIONS
from workers.letters import Letter

__all__ = ["post"]
STRANGER = "Mallory <mallory@elsewhere.example>"
Answer = Callable[[int, Letter], str]


def at_table(post: Post) -> str:
    game = post.begins("ann", "bob")
    post.round()
    return game


def mail(post: Post, who: str, text: str, **more: object) -> int:
    """One mail more, to the newest letter."""
    letter = post.newest(who)
    post.sent += 1
    return post.brings(raw_mail(post, letter, text, who=who, **more), letter, sender=f"{who}@people.example")  # type: ignore[arg-type]


def automaton(post: Post, names: tuple[str, ...], says: Answer, days: int = 3, **more: object) -> list[int]:
    """Whoever of these gets a mail from us answers it within ten minutes. How many mails of ours a day that makes."""
    made = []
    for _ in range(days):
        total = 0
        for _ in range(144):
            letters, post.carrier.letters[:] = list(post.carrier.letters), []
            total += len(letters)
            for number, letter in enumerate(letters):
                name = letter.to.partition("@")[0]
                if name in names:
                    post.sent += 1
                    raw = raw_mail(post, letter, says(total + number, letter), who=name, **more)  # type: ignore[arg-type]
                    post.brings(raw, letter, sender=f"{name}@people.example")
            post.hands.advance(minutes=10)
            if letters:
                post.works()
            post.delivers()
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
    post: Post, says: Answer, most: int, days: int
) -> None:
    """Two people's mailboxes answer every mail at once, as if a person had written."""
    at_table(post)
    made = automaton(post, ("ann", "bob"), says, days)
    assert all(day <= 2 * most for day in made), made
    assert made[0] > 2, "it did begin"


@pytest.mark.parametrize("more", [{"headers": ["Auto-Submitted: auto-replied"]}, {"headers": ["Precedence: bulk"]}])
def test_in_21_an_automaton_that_says_what_it_is_gets_no_answer_at_all(post: Post, more: dict[str, object]) -> None:
    at_table(post)
    assert automaton(post, ("ann", "bob"), GARBAGE, days=1, **more) == [2], "the two that said whose turn it is"
    assert {row["state"] for row in post.mails()} == {"shelved"}


def test_in_23_our_own_mail_that_comes_back_is_dropped(post: Post) -> None:
    """A mailbox that sends every mail on to where its answers go."""
    at_table(post)
    before = len(post.carrier.letters)
    for letter in list(post.carrier.letters):
        post.brings(letter.data, reply_address(letter), sender="ann@people.example")
        post.brings(letter.data, reply_address(letter), sender=letter.return_path)
    post.round()
    assert {row["state"] for row in post.mails()} == {"shelved"}
    assert len(post.carrier.letters) == before


def test_in_23_a_mailbox_that_forwards_and_rewrites_the_headers_runs_dry(post: Post) -> None:
    """From is the player's, nothing shows a loop: only the count does."""
    at_table(post)
    days = automaton(post, ("ann",), lambda n, letter: "---------- Forwarded message ---------\n" + text_of(letter))
    assert all(day <= ANSWERS_A_DAY + 2 for day in days), days


def test_rate_09_ten_answers_a_day_and_the_orders_still_count(post: Post) -> None:
    """Who makes many mistakes hears no more of them that day, but is told of what was done."""
    at_table(post)
    letter = post.newest("ann")
    for number in range(ANSWERS_A_DAY + 3):
        post.brings(raw_mail(post, letter, f"hdie {number}", message_id=f"<typo{number}@people.example>"), letter)
    post.works()
    assert len(post.notices(kind="answer")) == ANSWERS_A_DAY
    good = post.brings(raw_mail(post, letter, "hide 2", message_id="<good@people.example>"), letter)
    post.works()
    assert post.state(good) == "applied"
    assert post.notices(kind="answer")[-1]["decision"] == str(good)


def test_rate_09_more_than_enough_orders_are_played_without_an_answer_to_each(post: Post) -> None:
    """An address takes so many mails, and every answer gives another address: only the answers can be counted."""
    game = at_table(post)
    most = LETTERS_A_DAY + 4
    for start in (0, most // 2):
        letter = post.newest("ann")
        for number in range(start, start + most // 2):
            raw = raw_mail(post, letter, f"hide {number % 2}", message_id=f"<{number}@people.example>", quote=0)
            post.brings(raw, letter)
        post.round()
    assert {row["state"] for row in post.mails()} == {"applied"}
    assert post.head(game).table.game.hands == {0: (most - 1) % 2}
    assert len(post.notices(kind="answer")) == LETTERS_A_DAY


def test_in_23_one_address_takes_only_so_many_mails_a_day_and_the_next_letter_another(post: Post) -> None:
    at_table(post)
    letter = post.newest("ann")
    for number in range(FLOOD + 2):
        raw = raw_mail(post, letter, "chatter", sender=STRANGER, message_id=f"<{number}@elsewhere.example>")
        post.brings(raw, letter)
    post.works()
    assert [row["state"] for row in post.mails()][-3:] == ["held", "ignored", "ignored"]
    post.round()
    fresh = post.newest("ann", "answer")
    number = post.brings(raw_mail(post, fresh, "hide 2"), fresh)
    post.works()
    assert post.state(number) == "applied", "whoever floods an address does not silence its owner"


def test_rate_09_what_was_not_answered_is_in_the_next_scheduled_mail(post: Post) -> None:
    game = at_table(post)
    post.hands.advance(minutes=5)
    mail(post, "ann", "away until Monday", headers=["Auto-Submitted: auto-replied"])
    post.round()
    post.hands.advance(minutes=5)
    post.plays(game, 0, "hide 3")
    post.plays(game, 1, "hide 1")
    post.round()
    assert "1 mail from your address looked automatic" in post.text("ann", "your-turn")


def test_guests_are_counted_each_for_themselves(post: Post) -> None:
    """Nobody's mistakes take another guest's answers."""
    post.opens("ann", seats=4, invite=["yve@people.example", "zed@people.example"])
    post.round()
    letter = post.newest("yve")
    for number in range(ANSWERS_A_DAY + 2):
        raw = raw_mail(post, letter, f"jion {number}", who="yve", message_id=f"<{number}@people.example>")
        post.brings(raw, letter, sender="yve@people.example")
    mail(post, "zed", "join =?")
    post.round()
    assert "A name has" in post.text("zed", "answer")
    mail(post, "yve", "join =?")
    post.round()
    assert len([one for one in post.to("yve") if one.message_id.startswith("<answer")]) == ANSWERS_A_DAY


def test_questions_to_confirm_are_few_for_strangers_and_enough_for_the_player(post: Post) -> None:
    """What a stranger does with a leaked address takes no question of the player's own (RATE-09)."""
    at_table(post)
    letter = post.newest("ann")
    for number in range(QUESTIONS[False] + 2):
        raw = raw_mail(post, letter, f"hide {number % 4}", sender=STRANGER, message_id=f"<{number}@elsewhere.example>")
        post.brings(raw, letter)
    post.works()
    assert len(post.notices(kind="confirm")) == QUESTIONS[False]
    number = post.answers("ann", "hide 2", to=letter, verdict=None)
    post.works()
    assert len(post.notices(kind="confirm")) == QUESTIONS[False] + 1
    assert {row["state"] for row in post.mails()} == {"held"}
    assert [row["reason"] for row in post.mails()][-3:] == ["not confirmed", "not confirmed", OWN]
    assert post.state(number) == "held"


def test_only_questions_that_wait_for_an_answer_count(post: Post) -> None:
    """Without a mail server that vouches, every move is asked about: any number of them, once confirmed."""
    game = at_table(post)
    for number in range(QUESTIONS[True] + 3):
        post.answers("ann", f"hide {number % 4}", to=post.newest("ann", "your-turn"), verdict=None)
        post.round()
        post.answers("ann", "yes", to=post.newest("ann", "confirm"), verdict=None)
        post.round()
    assert len(post.notices(kind="confirm")) == QUESTIONS[True] + 3
    assert post.head(game).table.game.hands == {0: (QUESTIONS[True] + 2) % 4}

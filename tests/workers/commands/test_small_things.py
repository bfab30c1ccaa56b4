"""What a mail asks for without an order, twice, or by its author's name; and what its answer shows of it."""

from typing import Any

import pytest

from tests.workers.commands.test_replies import at_table, to_take
from tests.workers.office import html_of, text_of
from tests.workers.post import Post, post
from tests.workers.replies.positions import asked
from tests.workers.sessions.mails import raw_mail
from workers.commands.trial_orders import without_refused

__all__ = ["post"]
TURNED = "\u202eevil\u202c"


@pytest.mark.parametrize("text", ["", " \n\n", "-- \nAnn", "?", "Help!", "rules", "Sent from my iPhone"])
def test_in_15_whoever_writes_nothing_or_asks_gets_the_help(post: Post, text: str) -> None:
    at_table(post)
    number = post.answers("ann", text)
    post.round()
    assert post.state(number) == "answered" or post.outcome(number).result == "answered"
    assert "In every game:" in post.text("ann", "answer")


def test_in_15_an_empty_mail_that_unsubscribes_does_so(post: Post) -> None:
    game = at_table(post)
    letter = post.newest("ann")
    number = post.brings(raw_mail(post, letter, subject="unsubscribe", quote=0), letter)
    post.round()
    assert post.state(number) == "applied"
    assert post.version(game) == 5


def test_in_17_a_redelivery_without_a_message_id_is_answered_once(post: Post) -> None:
    at_table(post)
    letter = post.newest("ann")
    raw = raw_mail(post, letter, "hide 2").replace(b"Message-ID:", b"X-Lost:")
    first, second = post.brings(raw, letter), post.brings(raw, letter)
    post.round()
    assert (post.state(first), post.state(second)) == ("applied", "duplicate")
    assert len([mail for mail in post.to("ann") if mail.message_id.startswith("<answer")]) == 1
    other = post.brings(raw.replace(b"hide 2", b"hide 3"), letter)
    post.round()
    assert post.outcome(other).commands == ["hide 3"]


def test_th_9_9_two_answers_to_one_sealed_question_are_refused_with_both_to_copy(post: Post) -> None:
    game = at_table(post)
    before = post.version(game)
    number = post.answers("ann", "say hello\nhide 2\nhide 3")
    post.round()
    outcome = post.outcome(number)
    assert (post.state(number), post.version(game)) == ("rejected", before)
    assert (outcome.block, outcome.other_block) == (["hide 2"], ["hide 3"])
    assert outcome.why == "You answered twice: “hide 2” and “hide 3”. Nothing was done. Send the one that counts."


def test_th_9_9_the_same_answer_twice_is_one(post: Post) -> None:
    at_table(post)
    number = post.answers("ann", "hide 2\nhide 2")
    post.round()
    assert post.outcome(number).result == "applied"


def test_out_35_what_was_understood_stays_in_the_copy_after_a_line_the_rules_forbid(post: Post) -> None:
    to_take(post)
    number = post.answers("ann", "nod\nhide 2\ntake")
    post.round()
    outcome = post.outcome(number)
    assert [bool(line.fault) for line in outcome.lines] == [False, True, False]
    assert outcome.block == ["nod", "take"]


def test_out_35_the_copy_keeps_what_is_legal_only_after_what_is_kept() -> None:
    table: Any = asked("turn")
    assert without_refused(table, 0, ["place 1 7", "place 2 4", "end"], ["ann", "bob", "cyd"]) == ["place 1 7", "end"]


def test_in_11_nothing_that_turns_text_around_is_echoed(post: Post) -> None:
    at_table(post)
    mails = [
        f"hdie{TURNED} 2",
        f"hide 2\nhdie {TURNED}",
        f"hide 2\n\n{TURNED} there\n-- \n{TURNED}",
        f"say {TURNED} to all",
    ]
    for text in mails:
        number = post.answers("ann", text)
        post.round()
        assert "\u202e" not in repr(post.outcome(number))
    stranger = "\u202emal@elsewhere.example"
    post.brings(raw_mail(post, post.newest("ann"), "hide 3", sender=stranger), post.newest("ann"))
    post.round()
    post.hands.advance(minutes=15)
    post.round()
    for letter in post.carrier.letters:
        assert "\u202e" not in text_of(letter) + html_of(letter)


def test_in_10_the_name_in_from_is_no_slip(post: Post) -> None:
    """Take and nod are words of the game; Tke and Nodd are people's names here."""
    to_take(post)
    letter = post.newest("ann")
    number = post.brings(raw_mail(post, letter, "take\n\nNodd", sender="Nodd Tke <ann@people.example>"), letter)
    post.round()
    assert post.outcome(number).commands == ["take"]

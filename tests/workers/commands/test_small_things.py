"""What a mail asks for without an order, twice, or by its author's name; and what its answer shows of it."""

import random
from typing import Any

import pytest

from domain.table.evolve import blind
from domain.tammany_hall import TAMMANY_HALL
from tests.letters import html_of, text_of
from tests.tables import Tables
from tests.workers.commands.test_replies import at_table, to_take
from tests.workers.mail_tables import mail_tables
from tests.workers.replies.positions import asked
from tests.workers.sessions.mails import raw_mail
from workers.commands.trial_orders import corrected

__all__ = ["mail_tables"]
TURNED = "\u202eevil\u202c"


@pytest.mark.parametrize("text", ["", " \n\n", "-- \nAnn", "?", "Help!", "rules", "Sent from my iPhone"])
def test_in_15_whoever_writes_nothing_or_asks_gets_the_help(mail_tables: Tables, text: str) -> None:
    at_table(mail_tables)
    number = mail_tables.reply("ann", text)
    mail_tables.exchange()
    assert mail_tables.mail_state(number) == "answered" or mail_tables.outcome(number).result == "answered"
    assert "In every game:" in mail_tables.newest_text("ann", "answer")


def test_in_15_an_empty_mail_that_unsubscribes_does_so(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    letter = mail_tables.newest_letter("ann")
    number = mail_tables.accept_mail(raw_mail(mail_tables, letter, subject="unsubscribe", quote=0), letter)
    mail_tables.exchange()
    assert mail_tables.mail_state(number) == "applied"
    assert mail_tables.version(game) == 5


def test_in_17_a_redelivery_without_a_message_id_is_answered_once(mail_tables: Tables) -> None:
    at_table(mail_tables)
    letter = mail_tables.newest_letter("ann")
    raw = raw_mail(mail_tables, letter, "hide 2").replace(b"Message-ID:", b"X-Lost:")
    first, second = mail_tables.accept_mail(raw, letter), mail_tables.accept_mail(raw, letter)
    mail_tables.exchange()
    assert (mail_tables.mail_state(first), mail_tables.mail_state(second)) == ("applied", "duplicate")
    assert len([mail for mail in mail_tables.letters_to("ann") if mail.message_id.startswith("<answer")]) == 1
    other = mail_tables.accept_mail(raw.replace(b"hide 2", b"hide 3"), letter)
    mail_tables.exchange()
    assert mail_tables.outcome(other).commands == ["hide 3"]


def test_th_9_9_two_answers_to_one_sealed_question_are_refused_with_both_to_copy(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    before = mail_tables.version(game)
    number = mail_tables.reply("ann", "say hello\nhide 2\nhide 3")
    mail_tables.exchange()
    outcome = mail_tables.outcome(number)
    assert (mail_tables.mail_state(number), mail_tables.version(game)) == ("rejected", before)
    assert (outcome.block, outcome.other_block) == (["hide 2"], ["hide 3"])
    assert outcome.why == "You answered twice: “hide 2” and “hide 3”. Nothing was done. Send the one that counts."


def test_th_9_9_the_same_answer_twice_is_one(mail_tables: Tables) -> None:
    at_table(mail_tables)
    number = mail_tables.reply("ann", "hide 2\nhide 2")
    mail_tables.exchange()
    assert mail_tables.outcome(number).result == "applied"


def test_in_10b_the_copy_is_the_whole_with_its_slip_corrected_or_nothing() -> None:
    table: Any = asked("turn")
    assert corrected(table, 0, ["place 1 77", "end"], 0, ["ann", "bob", "cyd"]) == ["place 1 7", "end"]
    assert corrected(table, 0, ["place 1 7", "place 2 4", "end"], 1, ["ann", "bob", "cyd"]) == []


def test_in_11_nothing_that_turns_text_around_is_echoed(mail_tables: Tables) -> None:
    at_table(mail_tables)
    mails = [
        f"hdie{TURNED} 2",
        f"hide 2\nhdie {TURNED}",
        f"hide 2\n\n{TURNED} there\n-- \n{TURNED}",
        f"say {TURNED} to all",
    ]
    for text in mails:
        number = mail_tables.reply("ann", text)
        mail_tables.exchange()
        assert "\u202e" not in repr(mail_tables.outcome(number))
    stranger = "\u202emal@elsewhere.example"
    mail_tables.accept_mail(
        raw_mail(mail_tables, mail_tables.newest_letter("ann"), "hide 3", sender=stranger),
        mail_tables.newest_letter("ann"),
    )
    mail_tables.exchange()
    mail_tables.advance(minutes=15)
    mail_tables.exchange()
    for letter in mail_tables.carrier.letters:
        assert "\u202e" not in text_of(letter) + html_of(letter)


def test_in_10_the_name_in_from_is_no_slip(mail_tables: Tables) -> None:
    """Take and nod are words of the game; Tke and Nodd are people's names here."""
    to_take(mail_tables)
    letter = mail_tables.newest_letter("ann")
    number = mail_tables.accept_mail(
        raw_mail(mail_tables, letter, "take\n\nNodd", sender="Nodd Tke <ann@people.example>"), letter
    )
    mail_tables.exchange()
    assert mail_tables.outcome(number).commands == ["take"]


def test_in10c_an_answer_that_leaves_a_choice_says_first_that_the_turn_is_not_finished(mail_tables: Tables) -> None:
    game = mail_tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    names = ["ann", "bob", "cyd"]
    chance = random.Random(4)
    decider, write = TAMMANY_HALL.decider, TAMMANY_HALL.notation.write
    for _ in range(400):
        seat = mail_tables.awaited(game)[0]
        table = blind(mail_tables.head(game).table, TAMMANY_HALL, seat)
        action = decider.sample(table.game, seat, chance)
        after = decider.fold(table.game, decider.decide(table.game, seat, action))
        left = [write(each) for each in decider.legal_actions(after, seat).actions] if after.phase == "turn" else []
        if seat in decider.awaiting(after) and "end" in left and len(left) > 1:
            break
        mail_tables.move(game, seat, write(action))
    else:
        raise AssertionError("no turn of this game leaves a choice")
    mail_tables.exchange()
    mail_tables.reply(names[seat], write(action))
    mail_tables.exchange()
    text = text_of(mail_tables.newest_letter(names[seat], "answer"))
    assert text.startswith("Not finished: answer “end”, or go on with your turn, by ")
    assert "Done" not in text.partition("reply above")[0]

"""What a mail does beyond the golden sessions: what it must not do, and what must not depend on the order of things."""

import pytest
import sqlalchemy as sa

from service.operator import journal
from service.operator.journal import Operator
from service.operator.people import suspend
from service.store.people.players import players
from tests.letters import reply_address, text_of
from tests.tables import Tables
from tests.workers.mail_tables import mail_tables
from tests.workers.sessions.mails import raw_mail

__all__ = ["mail_tables"]
STRANGER = "Mallory <mallory@elsewhere.example>"


def at_table(mail_tables: Tables) -> str:
    game = mail_tables.begin("ann", "bob")
    mail_tables.exchange()
    return game


def to_take(mail_tables: Tables) -> str:
    """ann is to take the pot."""
    game = at_table(mail_tables)
    mail_tables.move(game, 0, "hide 3")
    mail_tables.move(game, 1, "hide 1")
    mail_tables.exchange()
    return game


def people(mail_tables: Tables) -> int:
    with mail_tables.services.database.read() as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(players)).scalar_one())


def test_in_16_nothing_of_a_mail_is_done_where_one_line_is_refused(mail_tables: Tables) -> None:
    game = to_take(mail_tables)
    before = mail_tables.version(game)
    number = mail_tables.reply("ann", "say Mine!\nnod\ntake\nnod")
    mail_tables.exchange()
    mail_tables.advance(minutes=15)
    mail_tables.exchange()
    assert (mail_tables.mail_state(number), mail_tables.version(game)) == ("rejected", before)
    assert [one for one in mail_tables.letters_to("bob") if one.message_id.startswith("<talk")] == []


def test_in_10b_no_part_of_what_was_meant_is_offered_to_copy(mail_tables: Tables) -> None:
    to_take(mail_tables)
    number = mail_tables.reply("ann", "nod\nhide 2")
    mail_tables.exchange()
    outcome = mail_tables.outcome(number)
    assert [bool(line.fault) for line in outcome.lines] == [False, True]
    assert outcome.block == []


def test_in_10a_orders_that_were_doubted_wait_for_a_plain_yes(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    before, letter = mail_tables.version(game), mail_tables.newest_letter("ann")
    for text in ("hide 2\n\nWait, I am not sure.", "say So.\nhide 2\n\nOr 3?"):
        number = mail_tables.reply("ann", text, to=letter)
        mail_tables.exchange()
        assert (mail_tables.mail_state(number), mail_tables.version(game)) == ("rejected", before)
        assert mail_tables.outcome(number).block[-1] == "hide 2"
    question = mail_tables.newest_letter("ann")
    no = mail_tables.reply("ann", "no", to=question)
    mail_tables.exchange()
    assert (mail_tables.mail_state(no), mail_tables.version(game)) == ("answered", before)
    yes = mail_tables.reply("ann", "Yes.", to=question)
    mail_tables.exchange()
    assert (mail_tables.mail_state(yes), mail_tables.outcome(yes).commands) == ("applied", ["say So.", "hide 2"])


def test_out_33_every_done_says_in_its_first_three_lines_how_to_take_it_back(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    found = {}
    for name, text in (("ann", "hide 2"), ("bob", "say Hello"), ("bob", "hide 1"), ("ann", "nod"), ("ann", "undo")):
        mail_tables.reply(name, text)
        mail_tables.exchange()
        found[text] = "\n".join(mail_tables.newest_text(name, "answer").splitlines()[:3])
    wanted = {
        "hide 2": "undo", "say Hello": "unsay", "hide 1": "cannot", "nod": "undo", "undo": "send the same orders",
    }  # fmt: skip
    missing = {text: found[text] for text, hint in wanted.items() if hint not in found[text]}
    assert not missing, (game, missing)


def test_out_35_an_earlier_order_that_stands_is_named_in_the_refusal_of_a_later_one(mail_tables: Tables) -> None:
    at_table(mail_tables)
    letter = mail_tables.newest_letter("ann")
    mail_tables.reply("ann", "hide 2", to=letter)
    number = mail_tables.reply("ann", "hdie 3", to=letter)
    mail_tables.exchange()
    assert "Your earlier order is still in force: hide 2." in mail_tables.outcome(number).why


def test_in_17_an_order_in_other_words_is_the_same_order(mail_tables: Tables) -> None:
    at_table(mail_tables)
    letter = mail_tables.newest_letter("ann")
    mail_tables.reply("ann", "HIDE   2", to=letter)
    number = mail_tables.reply("ann", "2", to=letter)  # the number of hide 2
    mail_tables.exchange()
    assert mail_tables.outcome(number).result == "already"


def test_in_17_a_move_over_the_api_makes_the_mailed_order_a_new_one(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    letter = mail_tables.newest_letter("ann")
    mail_tables.reply("ann", "hide 2", to=letter)
    mail_tables.exchange()
    mail_tables.move(game, 0, "hide 3")
    number = mail_tables.reply("ann", "hide 2", to=letter)
    mail_tables.exchange()
    assert (mail_tables.mail_state(number), mail_tables.head(game).table.game.hands) == ("applied", {0: 2})


def test_talk_and_names_keep_their_letters_and_lose_what_stands_before_the_verb(mail_tables: Tables) -> None:
    at_table(mail_tables)
    number = mail_tables.reply("ann", "- SAY Hello, Bob!")
    mail_tables.exchange()
    assert mail_tables.outcome(number).commands == ["say Hello, Bob!"]
    mail_tables.open("bob", seats=3, invite=["zed@people.example"])
    mail_tables.exchange()
    mail_tables.reply("zed", "* Join Zed the Great")
    mail_tables.exchange()
    with mail_tables.services.database.read() as connection:
        names = connection.execute(sa.select(players.c.name)).scalars().all()
    assert "Zed the Great" in names


def test_in_12_talk_to_one_is_never_told_to_all(mail_tables: Tables) -> None:
    """In any language, with or without slips: it is told to one, or nothing is said."""
    mail_tables.begin("ann", "bob", "cyd")
    mail_tables.exchange()
    letter = mail_tables.newest_letter("ann")
    mail_tables.change_profile("ann", language="de")
    mail_tables.reply("ann", "sagen an BOB: nur für dich", to=letter)
    number = mail_tables.reply("ann", "sage zu Bop: geheim", to=letter)
    mail_tables.exchange()
    mail_tables.advance(minutes=15)
    mail_tables.exchange()
    assert "nur für dich" in mail_tables.newest_text("bob", "talk")
    assert [one for one in mail_tables.letters_to("cyd") if one.message_id.startswith("<talk")] == []
    assert mail_tables.mail_state(number) == "rejected"
    assert not any("geheim" in text_of(one) for name in ("bob", "cyd") for one in mail_tables.letters_to(name))


def test_out_35_talk_ready_to_copy_keeps_its_letters(mail_tables: Tables) -> None:
    at_table(mail_tables)
    number = mail_tables.reply("ann", "say Well, Bob!\nHIDE 2\nhdie 3")
    mail_tables.exchange()
    assert mail_tables.outcome(number).block == ["say Well, Bob!", "hide 2"]


def test_talk_in_the_words_of_a_language_can_be_confirmed(mail_tables: Tables) -> None:
    """What is held is kept in canonical words, so that it is understood when it is done (OUT-37)."""
    at_table(mail_tables)
    mail_tables.change_profile("ann", language="de")
    mail_tables.reply("ann", "sagen Hallo Bob", verdict=None)
    mail_tables.exchange()
    number = mail_tables.reply("ann", "ja")
    mail_tables.exchange()
    mail_tables.advance(minutes=15)
    mail_tables.exchange()
    assert mail_tables.outcome(number).commands == ["say Hallo Bob"]
    assert "Hallo Bob" in mail_tables.newest_text("bob", "talk")


def test_nobody_becomes_a_player_by_a_join_that_fails(mail_tables: Tables) -> None:
    game = mail_tables.open("ann", seats=2, invite=["yve@people.example", "zed@people.example"])
    mail_tables.exchange()
    letter = mail_tables.newest_letter("zed")
    mail_tables.reply("yve", "join Yve")
    mail_tables.read_inbox()
    before = people(mail_tables)
    number = mail_tables.accept_mail(
        raw_mail(mail_tables, letter, "join Zed", who="zed"), letter, sender="zed@people.example"
    )
    mail_tables.read_inbox()
    assert (mail_tables.mail_state(number), people(mail_tables)) == ("rejected", before)
    assert mail_tables.head(game).table.status == "running"


def test_out_27_a_copy_to_a_stranger_costs_the_addresses_of_all_games_and_gives_fresh_ones(
    mail_tables: Tables,
) -> None:
    at_table(mail_tables)
    other = mail_tables.newest_letter("ann")
    mail_tables.advance(minutes=1)
    at_table(mail_tables)
    mail_tables.reply("ann", "hide 2", headers=(("Cc", "uncle@elsewhere.example"),))
    mail_tables.exchange()
    fresh = [one for one in mail_tables.letters_to("ann") if one.message_id.startswith("<your-turn")][-1]
    assert reply_address(fresh) != reply_address(other)
    with pytest.raises(Exception, match="550"):
        mail_tables.reply("ann", "hide 1", to=other)
    number = mail_tables.reply("ann", "hide 1", to=fresh)
    mail_tables.exchange()
    assert mail_tables.mail_state(number) == "applied"


def test_out_27_a_copy_to_the_players_own_address_costs_nothing(mail_tables: Tables) -> None:
    at_table(mail_tables)
    letter = mail_tables.newest_letter("ann")
    mail_tables.reply("ann", "hide 2", headers=(("Cc", "Ann <ANN@people.example>, game@play.example"),))
    mail_tables.exchange()
    number = mail_tables.reply("ann", "hide 3", to=letter)
    mail_tables.exchange()
    assert mail_tables.mail_state(number) == "applied"


def test_no_answer_ever_goes_to_from_or_reply_to(mail_tables: Tables) -> None:
    """Decision 1: only the registered address is written to."""
    at_table(mail_tables)
    for sender in (STRANGER, "Ann <ann@people.example>"):
        for text in ("hide 2", "status", "nonsense", "leave", "unsubscribe", "hdie 2"):
            asked = mail_tables.newest_letter("ann", "your-turn")
            elsewhere, address = (("Reply-To", "elsewhere@elsewhere.example"),), sender.rpartition("<")[2].rstrip(">")
            mail_tables.reply("ann", text, to=asked, address=address, headers=elsewhere, verdict="none")
    mail_tables.exchange()
    assert {one.to for one in mail_tables.carrier.letters} == {"ann@people.example", "bob@people.example"}


def test_in_36_a_stranger_with_the_address_learns_nothing_and_changes_nothing(mail_tables: Tables) -> None:
    game = to_take(mail_tables)
    before = mail_tables.version(game)
    letter = mail_tables.newest_letter("ann")
    for text in ("take", "legal", "history", "join Mallory", "say I give up", "unsubscribe"):
        mail_tables.sent += 1
        mail_tables.accept_mail(
            raw_mail(mail_tables, letter, text, sender=STRANGER), letter, sender="mallory@elsewhere.example"
        )
    mail_tables.accept_mail(raw_mail(mail_tables, letter, "", quote=0, subject="unsubscribe", sender=STRANGER), letter)
    mail_tables.exchange()
    mail_tables.advance(minutes=15)
    mail_tables.exchange()
    assert mail_tables.version(game) == before
    assert {row["state"] for row in mail_tables.mails()} == {"held"}
    assert not any("Mallory" in text_of(one) or "give up" in text_of(one) for one in mail_tables.letters_to("bob"))
    mail_tables.move(game, 0, "take")
    mail_tables.exchange()
    assert mail_tables.newest_letter("ann", "your-turn").message_id != letter.message_id, "her mail goes on"


def test_in_35_time_to_mend_is_given_once(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    mail_tables.advance(days=3, minutes=5)
    mail_tables.reply("ann", "hdie 2")
    mail_tables.exchange()
    acts = {row[0]: row[1] for row in decisions_of(mail_tables, game)}
    mail_tables.advance(minutes=20)
    mail_tables.reply("ann", "hide lots")
    mail_tables.exchange()
    assert {row[0]: row[1] for row in decisions_of(mail_tables, game)}[0] == acts[0]
    assert acts[0] == mail_tables.clock.now() + 10 * 60 * 1_000_000


@pytest.mark.parametrize("sender, verdict", [(STRANGER, "pass"), ("Ann <ann@people.example>", "fail")])
def test_in_35_a_mail_that_fails_a_lock_gives_no_time(mail_tables: Tables, sender: str, verdict: str) -> None:
    game = at_table(mail_tables)
    before = decisions_of(mail_tables, game)
    mail_tables.advance(days=3, minutes=5)
    letter = mail_tables.newest_letter("ann")
    mail_tables.accept_mail(raw_mail(mail_tables, letter, "hdie 2", sender=sender, auth=f"dmarc={verdict}"), letter)
    mail_tables.read_inbox()
    assert decisions_of(mail_tables, game) == before


def keep_out(mail_tables: Tables, name: str) -> None:
    services, player = mail_tables.services, mail_tables.player(name)
    journal.act(services, Operator("carla", "Insults."), lambda tx: suspend(services, tx, player, None))


@pytest.mark.parametrize("text", ["frobnicate the quux", "hide 9", "hide 2"])
def test_in_35_who_is_kept_out_gets_no_time_and_hears_only_that(mail_tables: Tables, text: str) -> None:
    game = at_table(mail_tables)
    keep_out(mail_tables, "ann")
    mail_tables.advance(days=3, minutes=5)
    before, version = decisions_of(mail_tables, game), mail_tables.version(game)
    number = mail_tables.reply("ann", text)
    mail_tables.read_inbox()
    assert (decisions_of(mail_tables, game), mail_tables.version(game)) == (before, version)
    assert mail_tables.mail_state(number) == "held"
    outcome = mail_tables.outcome(number)
    assert outcome.why.startswith("The operator of this service keeps you out for now")
    assert (outcome.commands, outcome.shows, outcome.block) == ([], [], [])
    mail_tables.exchange()
    told = text_of(mail_tables.newest_letter("ann", "answer"))
    assert "keeps you out" in told
    assert not any(shown in told for shown in ("The position", "bob", "asked", text))


def test_in_35_no_time_is_given_where_nobody_vouches_for_who_is_kept_out(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    keep_out(mail_tables, "ann")
    mail_tables.advance(days=3, minutes=5)
    before = decisions_of(mail_tables, game)
    letter = mail_tables.newest_letter("ann", "your-turn")
    mail_tables.accept_mail(raw_mail(mail_tables, letter, "frobnicate the quux", auth="dmarc=none"), letter)
    mail_tables.accept_mail(raw_mail(mail_tables, letter, "status", auth="dmarc=none"), letter)
    mail_tables.read_inbox()
    assert decisions_of(mail_tables, game) == before


def test_in_18_who_is_kept_out_hears_that_first_of_a_closed_decision_too(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    letter = mail_tables.newest_letter("ann")
    mail_tables.move(game, 0, "hide 3")
    mail_tables.move(game, 1, "hide 1")
    keep_out(mail_tables, "ann")
    number = mail_tables.accept_mail(raw_mail(mail_tables, letter, "hide 2"), letter)
    mail_tables.exchange()
    assert mail_tables.mail_state(number) == "held"
    assert mail_tables.outcome(number).why.startswith("The operator of this service keeps you out for now")


def test_in_20_no_deadline_is_decided_while_a_mail_of_the_seat_waits(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    mail_tables.advance(days=3)
    number = mail_tables.reply("ann", "hide 2")
    mail_tables.advance(minutes=11)
    before = mail_tables.version(game)
    mail_tables.sweep()
    assert 0 in mail_tables.awaited(game)
    assert mail_tables.version(game) > before, "bob wrote nothing, and the caretaker plays for him"
    mail_tables.read_inbox()
    assert mail_tables.mail_state(number) == "applied"


def decisions_of(mail_tables: Tables, game: str) -> list[tuple[int, int]]:
    with mail_tables.services.database.read() as connection:
        query = sa.text("SELECT seat, acts_at FROM decisions WHERE game_id = :game ORDER BY seat")
        return [(row[0], row[1]) for row in connection.execute(query, {"game": game})]


def test_in_35_who_is_kept_out_hears_nothing_of_a_closed_decision_by_confirming(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    mail_tables.reply("ann", "hide 2", verdict=None)
    mail_tables.exchange()
    asked = mail_tables.newest_letter("ann", "confirm")
    mail_tables.move(game, 0, "hide 3")
    mail_tables.move(game, 1, "hide 1")
    keep_out(mail_tables, "ann")
    number = mail_tables.reply("ann", "yes", to=asked)
    mail_tables.read_inbox()
    assert (mail_tables.mail_state(number), mail_tables.outcome(number).result) == ("held", "kept-out")

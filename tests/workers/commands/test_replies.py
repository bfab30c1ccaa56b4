"""What a mail does beyond the golden sessions: what it must not do, and what must not depend on the order of things."""

import pytest
import sqlalchemy as sa

from service.store.players import players
from tests.workers.office import text_of
from tests.workers.post import Post, post, reply_address
from tests.workers.sessions.mails import raw_mail

__all__ = ["post"]
STRANGER = "Mallory <mallory@elsewhere.example>"


def at_table(post: Post) -> str:
    game = post.begins("ann", "bob")
    post.round()
    return game


def to_take(post: Post) -> str:
    """ann is to take the pot."""
    game = at_table(post)
    post.plays(game, 0, "hide 3")
    post.plays(game, 1, "hide 1")
    post.round()
    return game


def people(post: Post) -> int:
    with post.services.database.read() as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(players)).scalar_one())


def test_in_16_nothing_of_a_mail_is_done_where_one_line_is_refused(post: Post) -> None:
    game = to_take(post)
    before = post.version(game)
    number = post.answers("ann", "say Mine!\nnod\ntake\nnod")
    post.round()
    post.hands.advance(minutes=15)
    post.round()
    assert (post.state(number), post.version(game)) == ("rejected", before)
    assert [one for one in post.to("bob") if one.message_id.startswith("<talk")] == []


def test_in_16_the_lines_before_the_refused_one_are_ready_to_copy(post: Post) -> None:
    to_take(post)
    number = post.answers("ann", "nod\nhide 2")
    post.round()
    outcome = post.outcome(number)
    assert [bool(line.fault) for line in outcome.lines] == [False, True]
    assert outcome.block == ["nod"]


def test_out_35_an_earlier_order_that_stands_is_named_in_the_refusal_of_a_later_one(post: Post) -> None:
    at_table(post)
    letter = post.newest("ann")
    post.answers("ann", "hide 2", to=letter)
    number = post.answers("ann", "hdie 3", to=letter)
    post.round()
    assert "Your earlier order is still in force: hide 2." in post.outcome(number).why


def test_in_17_an_order_in_other_words_is_the_same_order(post: Post) -> None:
    at_table(post)
    letter = post.newest("ann")
    post.answers("ann", "HIDE   2", to=letter)
    number = post.answers("ann", "2", to=letter)  # the number of hide 2
    post.round()
    assert post.outcome(number).result == "already"


def test_in_17_a_move_over_the_api_makes_the_mailed_order_a_new_one(post: Post) -> None:
    game = at_table(post)
    letter = post.newest("ann")
    post.answers("ann", "hide 2", to=letter)
    post.round()
    post.plays(game, 0, "hide 3")
    number = post.answers("ann", "hide 2", to=letter)
    post.round()
    assert (post.state(number), post.head(game).table.game.hands) == ("applied", {0: 2})


def test_talk_and_names_keep_their_letters_and_lose_what_stands_before_the_verb(post: Post) -> None:
    at_table(post)
    number = post.answers("ann", "- SAY Hello, Bob!")
    post.round()
    assert post.outcome(number).commands == ["say Hello, Bob!"]
    post.opens("bob", seats=3, invite=["zed@people.example"])
    post.round()
    post.answers("zed", "* Join Zed the Great")
    post.round()
    with post.services.database.read() as connection:
        names = connection.execute(sa.select(players.c.name)).scalars().all()
    assert "Zed the Great" in names


def test_in_12_talk_to_one_is_never_told_to_all(post: Post) -> None:
    """In any language, with or without slips: it is told to one, or nothing is said."""
    post.begins("ann", "bob", "cyd")
    post.round()
    letter = post.newest("ann")
    post.changes("ann", language="de")
    post.answers("ann", "sagen an BOB: nur für dich", to=letter)
    number = post.answers("ann", "sage zu Bop: geheim", to=letter)
    post.round()
    post.hands.advance(minutes=15)
    post.round()
    assert "nur für dich" in post.text("bob", "talk")
    assert [one for one in post.to("cyd") if one.message_id.startswith("<talk")] == []
    assert post.state(number) == "rejected"
    assert not any("geheim" in text_of(one) for name in ("bob", "cyd") for one in post.to(name))


def test_out_35_talk_ready_to_copy_keeps_its_letters(post: Post) -> None:
    at_table(post)
    number = post.answers("ann", "say Well, Bob!\nHIDE 2\nhdie 3")
    post.round()
    assert post.outcome(number).block == ["say Well, Bob!", "hide 2"]


def test_talk_in_the_words_of_a_language_can_be_confirmed(post: Post) -> None:
    """What is held is kept in canonical words, so that it is understood when it is done (OUT-37)."""
    at_table(post)
    post.changes("ann", language="de")
    post.answers("ann", "sagen Hallo Bob", verdict=None)
    post.round()
    number = post.answers("ann", "ja")
    post.round()
    post.hands.advance(minutes=15)
    post.round()
    assert post.outcome(number).commands == ["say Hallo Bob"]
    assert "Hallo Bob" in post.text("bob", "talk")


def test_nobody_becomes_a_player_by_a_join_that_fails(post: Post) -> None:
    game = post.opens("ann", seats=2, invite=["yve@people.example", "zed@people.example"])
    post.round()
    letter = post.newest("zed")
    post.answers("yve", "join Yve")
    post.works()
    before = people(post)
    number = post.brings(raw_mail(post, letter, "join Zed", who="zed"), letter, sender="zed@people.example")
    post.works()
    assert (post.state(number), people(post)) == ("rejected", before)
    assert post.head(game).table.status == "running"


def test_out_27_a_copy_to_a_stranger_costs_the_addresses_of_all_games_and_gives_fresh_ones(post: Post) -> None:
    at_table(post)
    other = post.newest("ann")
    post.hands.advance(minutes=1)
    at_table(post)
    post.answers("ann", "hide 2", headers=(("Cc", "uncle@elsewhere.example"),))
    post.round()
    fresh = [one for one in post.to("ann") if one.message_id.startswith("<your-turn")][-1]
    assert reply_address(fresh) != reply_address(other)
    with pytest.raises(Exception, match="550"):
        post.answers("ann", "hide 1", to=other)
    number = post.answers("ann", "hide 1", to=fresh)
    post.round()
    assert post.state(number) == "applied"


def test_out_27_a_copy_to_the_players_own_address_costs_nothing(post: Post) -> None:
    at_table(post)
    letter = post.newest("ann")
    post.answers("ann", "hide 2", headers=(("Cc", "Ann <ANN@people.example>, game@play.example"),))
    post.round()
    number = post.answers("ann", "hide 3", to=letter)
    post.round()
    assert post.state(number) == "applied"


def test_no_answer_ever_goes_to_from_or_reply_to(post: Post) -> None:
    """Decision 1: only the registered address is written to."""
    at_table(post)
    for sender in (STRANGER, "Ann <ann@people.example>"):
        for text in ("hide 2", "status", "nonsense", "leave", "unsubscribe", "hdie 2"):
            post.answers("ann", text, to=post.newest("ann", "your-turn"), address=sender.rpartition("<")[2].rstrip(">"),
                         headers=(("Reply-To", "elsewhere@elsewhere.example"),), verdict="none")  # fmt: skip
    post.round()
    assert {one.to for one in post.carrier.letters} == {"ann@people.example", "bob@people.example"}


def test_in_36_a_stranger_with_the_address_learns_nothing_and_changes_nothing(post: Post) -> None:
    game = to_take(post)
    before = post.version(game)
    letter = post.newest("ann")
    for text in ("take", "legal", "history", "join Mallory", "say I give up", "unsubscribe"):
        post.sent += 1
        post.brings(raw_mail(post, letter, text, sender=STRANGER), letter, sender="mallory@elsewhere.example")
    post.brings(raw_mail(post, letter, "", quote=0, subject="unsubscribe", sender=STRANGER), letter)
    post.round()
    post.hands.advance(minutes=15)
    post.round()
    assert post.version(game) == before
    assert {row["state"] for row in post.mails()} == {"held"}
    assert not any("Mallory" in text_of(one) or "give up" in text_of(one) for one in post.to("bob"))
    post.plays(game, 0, "take")
    post.round()
    assert post.newest("ann", "your-turn").message_id != letter.message_id, "her mail goes on"


def test_in_35_time_to_mend_is_given_once(post: Post) -> None:
    game = at_table(post)
    post.hands.advance(days=3, minutes=5)
    post.answers("ann", "hdie 2")
    post.round()
    acts = {row[0]: row[1] for row in decisions_of(post, game)}
    post.hands.advance(minutes=20)
    post.answers("ann", "hide lots")
    post.round()
    assert {row[0]: row[1] for row in decisions_of(post, game)}[0] == acts[0]
    assert acts[0] == post.hands.now() + 10 * 60 * 1_000_000


@pytest.mark.parametrize("sender, verdict", [(STRANGER, "pass"), ("Ann <ann@people.example>", "fail")])
def test_in_35_a_mail_that_fails_a_lock_gives_no_time(post: Post, sender: str, verdict: str) -> None:
    game = at_table(post)
    before = decisions_of(post, game)
    post.hands.advance(days=3, minutes=5)
    letter = post.newest("ann")
    post.brings(raw_mail(post, letter, "hdie 2", sender=sender, auth=f"dmarc={verdict}"), letter)
    post.works()
    assert decisions_of(post, game) == before


def test_in_20_no_deadline_is_decided_while_a_mail_of_the_seat_waits(post: Post) -> None:
    game = at_table(post)
    post.hands.advance(days=3)
    number = post.answers("ann", "hide 2")
    post.hands.advance(minutes=11)
    before = post.version(game)
    post.sweeps()
    assert 0 in post.awaited(game)
    assert post.version(game) > before, "bob wrote nothing, and the caretaker plays for him"
    post.works()
    assert post.state(number) == "applied"


def decisions_of(post: Post, game: str) -> list[tuple[int, int]]:
    with post.services.database.read() as connection:
        query = sa.text("SELECT seat, acts_at FROM decisions WHERE game_id = :game ORDER BY seat")
        return [(row[0], row[1]) for row in connection.execute(query, {"game": game})]

"""Going back and the clock by mail: wishes, proposals and votes, and the letters about them (Q-12, RATE-04, IN-16)."""

from collections import Counter

import pytest

from domain.table import events as e
from service.games import clock_votes, play, takeback
from service.games.play import Orders
from tests.letters import html_of, text_of
from tests.tables import Tables
from tests.workers.mail_tables import mail_tables
from tests.workers.sessions.mails import raw_mail
from workers.letters.letter_data import Superseded
from workers.mail_out.letter import Letter

__all__ = ["mail_tables"]
PEOPLE = ("ann", "bob", "cyd")
THREE_ROUNDS = {"options": {"rounds": "3"}}


def pennies(mail_tables: Tables, *names: str, **terms: object) -> str:
    """Everybody hides pennies."""
    game = mail_tables.begin(*(names or PEOPLE), **{**THREE_ROUNDS, **terms})
    mail_tables.exchange()
    return game


def to_take(mail_tables: Tables, **terms: object) -> str:
    """The hands are open: bob is to take the pot."""
    game = pennies(mail_tables, **terms)
    for seat, hidden in enumerate((1, 3, 2)):
        mail_tables.move(game, seat, f"hide {hidden}")
    mail_tables.exchange()
    return game


def hidden(mail_tables: Tables, **terms: object) -> str:
    """ann has hidden her pennies, then bob: to take hers back she needs him."""
    game = pennies(mail_tables, **terms)
    mail_tables.reply("ann", "hide 1")
    mail_tables.exchange()
    mail_tables.reply("bob", "hide 2")
    mail_tables.exchange()
    return game


def asked(mail_tables: Tables, **terms: object) -> str:
    """And she has asked him."""
    game = hidden(mail_tables, **terms)
    assert told(mail_tables, "ann", "undo ask misread")[0] == "applied"
    return game


def turns(mail_tables: Tables) -> tuple[str, list[str]]:
    """A game of turns, and who is asked first, second and third."""
    game = mail_tables.begin(*PEOPLE, kind="tammany-hall", options={})
    mail_tables.exchange()
    (first,) = mail_tables.awaited(game)
    return game, [PEOPLE[(first + place) % 3] for place in range(3)]


def told(mail_tables: Tables, name: str, text: str, **more: object) -> tuple[str, str]:
    """What became of a mail, and the answer to it."""
    number = mail_tables.reply(name, text, **more)
    mail_tables.exchange()
    return mail_tables.mail_state(number), " ".join(mail_tables.newest_text(name).split())


def kinds(letters: list[Letter]) -> list[str]:
    return [letter.message_id.strip("<").partition(".")[0] for letter in letters]


def counted(mail_tables: Tables) -> dict[str, int]:
    return {name: len(mail_tables.letters_to(name)) for name in PEOPLE}


def since(mail_tables: Tables, before: dict[str, int]) -> dict[str, list[str]]:
    """The kinds of letters everybody got since then."""
    return {
        name: kinds(mail_tables.letters_to(name)[count:])
        for name, count in before.items()
        if len(mail_tables.letters_to(name)) > count
    }


def events(mail_tables: Tables, game: str) -> list[object]:
    head = mail_tables.head(game)
    with mail_tables.services.database.read() as connection:
        return list(
            mail_tables.services.streams.facts_seen(connection, game, head.rules, None, after=0, upto=head.version)
        )


def last(mail_tables: Tables, game: str) -> object:
    return events(mail_tables, game)[-1]


def goes_back(mail_tables: Tables, game: str, name: str, **more: object) -> None:
    with mail_tables.services.database.write() as tx:
        takeback.go_back(mail_tables.services, tx, game, mail_tables.ids[name], **more)


def votes(mail_tables: Tables, game: str, name: str, agrees: bool, about=takeback) -> None:
    with mail_tables.services.database.write() as tx:
        about.vote(mail_tables.services, tx, game, mail_tables.ids[name], agrees)


def superseded(mail_tables: Tables, game: str, kind: str) -> list[str]:
    """Why notices of this kind were not sent."""
    return [row["reason"] for row in mail_tables.notices(game_id=game, kind=kind, state="superseded")]


# Taking back


def test_undo_takes_the_last_act_back_and_answers_with_the_position(mail_tables: Tables) -> None:
    game = to_take(mail_tables)
    told(mail_tables, "bob", "nod")
    state, text = told(mail_tables, "bob", "undo")
    assert (state, mail_tables.head(game).table.game.nods) == ("applied", 0)
    assert last(mail_tables, game) == e.Rewound(mail_tables.version(game) - 2, 1, "slip", [])
    assert "This is undone: - Nodded" in text
    assert f"bob undoes what came after version {mail_tables.version(game) - 2}. It was a slip." in text
    assert told(mail_tables, "bob", "nod\ntake")[0] == "applied", "the answer can be answered"


def test_undo_says_why_in_one_of_four_words(mail_tables: Tables) -> None:
    game = to_take(mail_tables)
    told(mail_tables, "bob", "nod")
    told(mail_tables, "bob", "Undo misread.")
    assert last(mail_tables, game).reason == "misread"


@pytest.mark.parametrize("text", ["undo everything", "undo ask nicely", "undo 7", "undo ask ask", "undo because"])
def test_undo_with_other_words_is_told_how_it_is_written(mail_tables: Tables, text: str) -> None:
    game = to_take(mail_tables)
    before = mail_tables.version(game)
    state, answer = told(mail_tables, "bob", text)
    assert (state, mail_tables.version(game)) == ("rejected", before)
    assert "Write “undo”, or “undo ask”" in answer


def test_what_nobody_can_take_back_is_refused_in_a_sentence(mail_tables: Tables) -> None:
    game = to_take(mail_tables)
    assert "what was seen cannot be unseen" in told(mail_tables, "bob", "undo")[1]
    assert "what was seen cannot be unseen" in told(mail_tables, "bob", "undo ask")[1]
    other = pennies(mail_tables)
    assert "You have done nothing yet" in told(mail_tables, "ann", "undo")[1]
    assert mail_tables.head(game).table.proposal is mail_tables.head(other).table.proposal is None


def test_an_order_that_was_taken_back_can_be_given_again(mail_tables: Tables) -> None:
    """It is neither recorded already nor still in force (IN-17)."""
    game = pennies(mail_tables)
    letter = mail_tables.newest_letter("ann")
    told(mail_tables, "ann", "hide 2", to=letter)
    goes_back(mail_tables, game, "ann")
    mail_tables.exchange()
    state, text = told(mail_tables, "ann", "hide 2", to=letter)
    assert (state, mail_tables.head(game).table.game.hands) == ("applied", {0: 2})
    assert "already" not in text


def test_a_wish_that_was_sent_twice_is_done_once(mail_tables: Tables) -> None:
    game = to_take(mail_tables)
    told(mail_tables, "bob", "nod")
    told(mail_tables, "bob", "nod\nnod")
    letter = mail_tables.newest_letter("bob")
    told(mail_tables, "bob", "undo", to=letter)
    state, text = told(mail_tables, "bob", "undo", to=letter)
    assert (state, mail_tables.head(game).table.game.nods) == ("stale", 1)
    assert "to undo more, answer one of our newer mails" in text
    assert told(mail_tables, "bob", "undo")[0] == "applied"
    assert mail_tables.head(game).table.game.nods == 0


def test_where_others_must_agree_undo_alone_asks_nobody(mail_tables: Tables) -> None:
    game = hidden(mail_tables)
    before, version = counted(mail_tables), mail_tables.version(game)
    state, text = told(mail_tables, "ann", "undo")
    assert (state, mail_tables.version(game)) == ("answered", version)
    assert "bob would have to agree" in text
    assert "Nobody has been asked yet: to ask, answer “undo ask”." in text
    assert "This would be undone: - PennyHidden - PennyHidden" in text
    assert since(mail_tables, before) == {"ann": ["answer"]}


# Who hears of it


def test_rate04_who_was_told_of_what_is_so_no_more_is_told_that_once(mail_tables: Tables) -> None:
    _, (first, second, third) = turns(mail_tables)
    told(mail_tables, first, "place 1 1\nend")
    before = counted(mail_tables)
    told(mail_tables, first, "undo")
    assert since(mail_tables, before) == {first: ["answer"], second: ["taken-back"]}
    text = " ".join(mail_tables.newest_text(second).split())
    assert text.startswith(f"{first} has undone something in Tammany Hall “Lunch break”.")
    assert "What our last mail told you no longer holds" in text
    assert "Nothing is asked of you until you hear from us again." in text
    assert f"This is undone: - {first} campaigns: two bosses in ward 1." in text
    assert third not in text.partition("TAMMANY HALL")[0]
    before = counted(mail_tables)
    told(mail_tables, first, "place 2 2\nend")
    assert since(mail_tables, before) == {first: ["answer"], second: ["your-turn"]}
    assert "(Taken back.)" in mail_tables.newest_text(second)


def test_rate04_who_had_not_been_told_hears_nothing(mail_tables: Tables) -> None:
    game, (first, _, _) = turns(mail_tables)
    before = counted(mail_tables)
    with mail_tables.services.database.write() as tx:
        play.move(mail_tables.services, tx, game, mail_tables.ids[first], Orders(text="place 1 1\nend"))
    goes_back(mail_tables, game, first)
    mail_tables.exchange()
    assert since(mail_tables, before) == {first: ["your-turn"]}
    assert superseded(mail_tables, game, "your-turn") == ["the answer was given"]
    assert superseded(mail_tables, game, "taken-back") == ["the player had not been told"]


def test_rate04_who_is_asked_anew_before_the_mail_goes_gets_one_mail(mail_tables: Tables) -> None:
    game, (first, second, _) = turns(mail_tables)
    told(mail_tables, first, "place 1 1\nend")
    before = counted(mail_tables)
    goes_back(mail_tables, game, first)
    with mail_tables.services.database.write() as tx:
        play.move(mail_tables.services, tx, game, mail_tables.ids[first], Orders(text="place 2 2\nend"))
    mail_tables.exchange()
    assert since(mail_tables, before)[second] == ["your-turn"]
    assert superseded(mail_tables, game, "taken-back") == ["the letter that asks anew tells of it"]


def test_who_is_asked_all_the_same_is_not_told(mail_tables: Tables) -> None:
    """Of a hidden hand that is taken back nobody else had been shown anything."""
    game = pennies(mail_tables)
    told(mail_tables, "ann", "hide 1")
    before = counted(mail_tables)
    told(mail_tables, "ann", "undo")
    assert since(mail_tables, before) == {"ann": ["answer"]}
    assert mail_tables.notices(game_id=game, kind="taken-back") == []


def test_in18_a_mail_that_shows_what_was_taken_back_is_not_played_from(mail_tables: Tables) -> None:
    """The question has the same name again, but the position is another."""
    game, (first, second, _) = turns(mail_tables)
    told(mail_tables, first, "place 1 1\nend")
    shown = mail_tables.newest_letter(second, "your-turn")
    told(mail_tables, first, "undo")
    told(mail_tables, first, "place 2 2\nend")
    version = mail_tables.version(game)
    state, text = told(mail_tables, second, "place 1 1\nend", to=shown)
    assert (state, mail_tables.version(game)) == ("stale", version)
    assert "what that mail showed was taken back since" in text
    assert (
        told(mail_tables, second, "place 1 1\nend", to=mail_tables.newest_letter(second, "your-turn"))[0] == "applied"
    )


def test_a_mail_from_before_what_was_taken_back_is_good_again(mail_tables: Tables) -> None:
    game, (first, _, _) = turns(mail_tables)
    letter = mail_tables.newest_letter(first, "your-turn")
    told(mail_tables, first, "place 1 1\nend", to=letter)
    goes_back(mail_tables, game, first)
    assert told(mail_tables, first, "place 2 2\nend", to=letter)[0] == "applied"


# By consent


def test_undo_ask_asks_those_it_touches_and_nobody_else(mail_tables: Tables) -> None:
    game = hidden(mail_tables)
    before = counted(mail_tables)
    state, text = told(mail_tables, "ann", "undo ask misread")
    assert state == "applied"
    assert "It waits for bob; a mail tells you what comes of it." in text
    assert since(mail_tables, before) == {"ann": ["answer"], "bob": ["proposal"]}
    letter = mail_tables.newest_letter("bob")
    text = " ".join(text_of(letter).split())
    assert text.startswith("ann asks to undo something in Pennies “Lunch break”.")
    assert "ann asks to go back to version 6. The rules or the position had been misread." in text
    assert "It waits for bob. One refusal is enough. To play on is to refuse" in text
    assert "This would be undone: - PennyHidden - PennyHidden" in text
    assert "type: agree it is done, when all who are asked agree type: refuse it is off the table" in text
    assert "mailto:" in html_of(letter)
    assert "body=agree" in html_of(letter)
    assert mail_tables.head(game).table.proposal.asked == [1]


@pytest.mark.parametrize("word", ["agree", "yes", "Agree!"])
def test_who_is_asked_agrees_with_a_word(mail_tables: Tables, word: str) -> None:
    game = asked(mail_tables)
    before = counted(mail_tables)
    state, text = told(mail_tables, "bob", word)
    assert state == "applied"
    assert last(mail_tables, game) == e.Rewound(6, 0, "misread", [1])
    assert "bob agrees. - The game goes back to version 6, as ann asked; bob agreed." in text
    assert mail_tables.head(game).table.game.hands == {}
    assert since(mail_tables, before) == {"bob": ["answer"], "ann": ["your-turn"]}
    assert "The game goes back to version 6, as ann asked; bob agreed." in " ".join(
        mail_tables.newest_text("ann").split()
    )


@pytest.mark.parametrize("word", ["refuse", "no"])
def test_who_is_asked_refuses_with_a_word_and_who_asked_is_told(mail_tables: Tables, word: str) -> None:
    game = asked(mail_tables)
    before = counted(mail_tables)
    assert told(mail_tables, "bob", word)[0] == "applied"
    assert mail_tables.head(game).table.proposal is None
    assert since(mail_tables, before) == {"bob": ["answer"], "ann": ["proposal"]}
    text = " ".join(mail_tables.newest_text("ann").split())
    assert text.startswith("What you asked for in Pennies “Lunch break” is off the table.")
    assert "Somebody has refused." in text


def test_any_living_address_of_the_seat_takes_a_vote(mail_tables: Tables) -> None:
    game = asked(mail_tables)
    assert told(mail_tables, "bob", "agree", to=mail_tables.newest_letter("bob", "answer"))[0] == "applied"
    assert isinstance(last(mail_tables, game), e.Rewound)


def test_yes_and_no_mean_a_vote_in_answer_to_a_proposal_alone(mail_tables: Tables) -> None:
    game = asked(mail_tables)
    state, text = told(mail_tables, "bob", "yes", to=mail_tables.newest_letter("bob", "answer"))
    assert state == "rejected"
    assert "No yes-or-no question was asked here" in text
    assert mail_tables.head(game).table.proposal is not None


def test_a_vote_on_a_proposal_that_is_off_the_table_is_none_on_another(mail_tables: Tables) -> None:
    game = asked(mail_tables)
    first = mail_tables.newest_letter("bob", "proposal")
    told(mail_tables, "ann", "refuse")
    state, text = told(mail_tables, "bob", "agree", to=first)
    assert (state, "What that mail asked is off the table." in text) == ("stale", True)
    told(mail_tables, "cyd", "pause 7 days")
    state, text = told(mail_tables, "bob", "yes", to=first)
    assert (state, "Something else has been proposed since" in text) == ("stale", True)
    assert mail_tables.head(game).table.proposal.agreed == ()


def test_a_vote_where_nothing_is_proposed_is_refused(mail_tables: Tables) -> None:
    pennies(mail_tables)
    for word in ("agree", "refuse"):
        state, text = told(mail_tables, "ann", word)
        assert (state, "Nothing like that is being proposed now." in text) == ("rejected", True)


def test_who_is_not_asked_is_told_so(mail_tables: Tables) -> None:
    game = asked(mail_tables)
    assert "You are not among those who are asked." in told(mail_tables, "cyd", "agree")[1]
    assert mail_tables.head(game).table.proposal is not None


def test_a_proposal_makes_no_order_stale_and_playing_on_ends_it(mail_tables: Tables) -> None:
    game = asked(mail_tables)
    before = counted(mail_tables)
    state, text = told(mail_tables, "cyd", "hide 1", to=mail_tables.newest_letter("cyd", "your-turn"))
    assert state == "applied"
    assert "The game goes on, so what ann asked for is off the table." in text
    assert "proposal" in since(mail_tables, before)["ann"]
    assert "The game goes on: somebody has played instead of agreeing." in " ".join(
        mail_tables.newest_text("ann", "proposal").split()
    )
    assert mail_tables.head(game).table.proposal is None


@pytest.mark.parametrize("text", ["undo\nhide 1", "agree\nhide 1", "pause 7 days\nhide 2", "resume\nagree"])
def test_in16_words_about_going_back_and_the_clock_stand_alone(mail_tables: Tables, text: str) -> None:
    game = pennies(mail_tables)
    before = mail_tables.version(game)
    state, answer = told(mail_tables, "ann", text)
    assert (state, mail_tables.version(game)) == ("rejected", before)
    assert "must be alone in a mail" in answer


def test_a_wish_of_who_may_be_somebody_else_is_confirmed_first(mail_tables: Tables) -> None:
    game = to_take(mail_tables)
    told(mail_tables, "bob", "nod")
    number = mail_tables.reply("bob", "undo", verdict=None)
    mail_tables.exchange()
    assert (mail_tables.mail_state(number), mail_tables.head(game).table.game.nods) == ("held", 1)
    mail_tables.reply("bob", "yes")
    mail_tables.exchange()
    assert (mail_tables.mail_state(number), mail_tables.head(game).table.game.nods) == ("confirmed", 0)


def test_a_wish_from_elsewhere_is_never_done(mail_tables: Tables) -> None:
    game = to_take(mail_tables)
    told(mail_tables, "bob", "nod")
    letter = mail_tables.newest_letter("bob")
    mail_tables.accept_mail(
        raw_mail(mail_tables, letter, "undo", who="bob", sender="Mallory <m@elsewhere.example>"), letter
    )
    mail_tables.read_inbox()
    assert mail_tables.head(game).table.game.nods == 1


def test_the_game_moves_for_nobody_who_has_left(mail_tables: Tables) -> None:
    """A former player's letter is not sent, and who sits there now is asked (S-10)."""
    clock = {"per_move": "P3D", "strikes": 1}
    game = pennies(mail_tables, clock=clock)
    with mail_tables.services.database.write() as tx:
        clock_votes.propose(mail_tables.services, tx, game, mail_tables.ids["ann"], "pause", 86_400)
    assert mail_tables.expire(game, 1)
    mail_tables.sit(game, "dan")
    mail_tables.execute("UPDATE deliveries SET state = 'queued' WHERE kind = 'proposal'")
    mail_tables.exchange()
    assert "proposal" not in kinds(mail_tables.letters_to("bob"))
    assert "proposal" in kinds(mail_tables.letters_to("dan"))
    assert told(mail_tables, "dan", "agree", to=mail_tables.newest_letter("dan", "proposal"))[0] == "applied"
    assert mail_tables.head(game).table.proposal.agreed == (1,)


# The clock


@pytest.mark.parametrize(
    "text, seconds", [("pause 7 days", 604_800), ("pause P7D", 604_800), ("Pause for 36h", 129_600)]
)
def test_the_clock_is_stopped_by_consent(mail_tables: Tables, text: str, seconds: int) -> None:
    game = pennies(mail_tables)
    before = counted(mail_tables)
    state, answer = told(mail_tables, "ann", text)
    assert state == "applied"
    assert "It waits for bob and cyd" in answer
    assert last(mail_tables, game) == e.ClockProposed(0, "pause", seconds, [1, 2])
    assert since(mail_tables, before) == {"ann": ["answer"], "bob": ["proposal"], "cyd": ["proposal"]}
    asks = " ".join(mail_tables.newest_text("bob").split())
    assert asks.startswith("ann asks to stop the clock of Pennies “Lunch break”.")
    assert "One refusal is enough to leave the clock as it is. The game goes on meanwhile." in asks
    assert "It waits for cyd" in told(mail_tables, "bob", "agree")[1]
    before = counted(mail_tables)
    told(mail_tables, "cyd", "yes")
    assert since(mail_tables, before) == {"ann": ["clock-news"], "bob": ["clock-news"], "cyd": ["answer"]}
    news = " ".join(mail_tables.newest_text("ann").split())
    assert news.startswith("The clock of Pennies “Lunch break” is stopped. — reply")
    assert "the clock is stopped until" in news
    assert "Deadline:" not in news


def test_more_time_is_told_with_the_new_deadline(mail_tables: Tables) -> None:
    game = pennies(mail_tables)
    told(mail_tables, "ann", "extend 2 days")
    told(mail_tables, "bob", "agree")
    told(mail_tables, "cyd", "agree")
    news = " ".join(mail_tables.newest_text("ann", "clock-news").split())
    assert news.startswith("There is more time in Pennies “Lunch break”.")
    assert "2 days more for everyone who still has to answer" in news
    assert "Deadline: Sun 09 Mar 2031 12:00 UTC." in news
    assert told(mail_tables, "ann", "hide 1", to=mail_tables.newest_letter("ann", "clock-news"))[0] == "applied"
    assert game


def test_a_clock_that_stands_runs_again_by_consent_and_tells_the_deadlines(mail_tables: Tables) -> None:
    pennies(mail_tables)
    told(mail_tables, "ann", "pause 7 days")
    told(mail_tables, "bob", "agree")
    told(mail_tables, "cyd", "agree")
    mail_tables.advance(days=2)
    told(mail_tables, "bob", "resume")
    told(mail_tables, "ann", "agree")
    told(mail_tables, "cyd", "agree")
    news = " ".join(mail_tables.newest_text("bob", "clock-news").split())
    assert news.startswith("The clock of Pennies “Lunch break” is running again.")
    assert "Deadline: Sun 09 Mar 2031 12:00 UTC." in news


@pytest.mark.parametrize("text", ["pause", "pause for ever", "extend 2 months", "pause 7", "extend"])
def test_a_span_that_cannot_be_read_is_told_how_it_is_written(mail_tables: Tables, text: str) -> None:
    game = pennies(mail_tables)
    state, answer = told(mail_tables, "ann", text)
    assert (state, mail_tables.head(game).table.proposal) == ("rejected", None)
    assert "Say for how long: “" in answer


@pytest.mark.parametrize(
    "text, why", [("pause 61 days", "sixty days"), ("extend 0 hours", "from an hour to thirty days")]
)
def test_a_span_out_of_bounds_is_refused_by_the_rule(mail_tables: Tables, text: str, why: str) -> None:
    pennies(mail_tables)
    state, answer = told(mail_tables, "ann", text)
    assert (state, why in answer) == ("rejected", True)


def test_at_a_table_that_waits_the_late_player_and_the_others_are_told_what_is_so(mail_tables: Tables) -> None:
    game = to_take(mail_tables, clock={"per_move": "P3D", "on_timeout": "pause", "strikes": 3})
    assert "If it passes, the clock stops until you answer." in mail_tables.newest_text("bob")
    before = counted(mail_tables)
    assert mail_tables.expire(game, 1)
    mail_tables.exchange()
    assert since(mail_tables, before) == {"ann": ["clock-news"], "bob": ["deadline-passed"], "cyd": ["clock-news"]}
    late = " ".join(mail_tables.newest_text("bob").split())
    assert late.startswith("Your deadline in Pennies “Lunch break” passed: the clock is stopped until you answer.")
    assert "caretaker" not in late
    assert "Result: - bob let the deadline pass. - The clock is stopped until bob answers." in late
    assert "the clock is stopped until bob answers" in " ".join(mail_tables.newest_text("cyd").split())
    assert told(mail_tables, "bob", "take")[0] == "applied"
    assert not mail_tables.head(game).table.paused


# True when they are sent


def test_rate04_a_proposal_is_not_mailed_once_it_is_off_the_table(mail_tables: Tables) -> None:
    game = hidden(mail_tables)
    goes_back(mail_tables, game, "ann")
    votes(mail_tables, game, "bob", agrees=False)
    goes_back(mail_tables, game, "ann")
    with mail_tables.services.database.write() as tx:
        takeback.withdraw(mail_tables.services, tx, game, mail_tables.ids["ann"])
    goes_back(mail_tables, game, "ann")
    votes(mail_tables, game, "bob", agrees=True)
    before = counted(mail_tables)
    mail_tables.exchange()
    assert superseded(mail_tables, game, "proposal") == ["the proposal is off the table"] * 3
    assert since(mail_tables, before) == {"ann": ["proposal", "your-turn"], "bob": ["your-turn"]}, (
        "the refusal, and new turns"
    )


def test_rate04_who_has_answered_a_proposal_is_not_asked_any_more(mail_tables: Tables) -> None:
    game = pennies(mail_tables)
    with mail_tables.services.database.write() as tx:
        clock_votes.propose(mail_tables.services, tx, game, mail_tables.ids["ann"], "extend", 86_400)
    votes(mail_tables, game, "bob", agrees=True, about=clock_votes)
    mail_tables.exchange()
    assert superseded(mail_tables, game, "proposal") == ["the player has answered"]
    assert "proposal" in kinds(mail_tables.letters_to("cyd"))


def test_rate04_news_of_the_clock_are_not_mailed_once_it_was_changed_again(mail_tables: Tables) -> None:
    game = pennies(mail_tables, "ann", "bob")
    for what in ("pause", "resume"):
        with mail_tables.services.database.write() as tx:
            clock_votes.propose(
                mail_tables.services, tx, game, mail_tables.ids["ann"], what, 86_400 if what == "pause" else 0
            )
        votes(mail_tables, game, "bob", agrees=True, about=clock_votes)
    mail_tables.exchange()
    assert superseded(mail_tables, game, "clock-news") == ["the clock was changed again"]
    assert mail_tables.newest_text("ann", "clock-news").startswith(
        "The clock of Pennies “Lunch break” is running again."
    )


def test_rate04_nothing_of_this_is_mailed_when_the_game_is_over(mail_tables: Tables) -> None:
    game = to_take(mail_tables, options={"rounds": "1"})
    with mail_tables.services.database.write() as tx:
        clock_votes.propose(mail_tables.services, tx, game, mail_tables.ids["ann"], "extend", 86_400)
    mail_tables.move(game, 1, "take")
    mail_tables.exchange()
    assert superseded(mail_tables, game, "proposal") == ["the game is over"] * 2


def test_the_host_hears_of_a_seat_that_fell_vacant(mail_tables: Tables) -> None:
    game = to_take(mail_tables, clock={"per_move": "P3D", "strikes": 1})
    assert mail_tables.expire(game, 1)
    mail_tables.exchange()
    text = " ".join(mail_tables.newest_text("ann", "vacant").split())
    assert text.startswith("A seat at your table of Pennies “Lunch break” is vacant.")
    assert "The caretaker now plays from that seat, without delay." in text
    assert (
        "bob can take it back as long as nobody else plays it: “join”, in answer to one of our mails, is enough."
        in text
    )
    assert f"Anyone else can take it over too: https://wardroom.example/g/{game}." in text
    assert "vacant" not in kinds([*mail_tables.letters_to("bob"), *mail_tables.letters_to("cyd")])


def test_rate04_the_host_hears_nothing_of_a_seat_that_somebody_plays_again(mail_tables: Tables) -> None:
    game = to_take(mail_tables, clock={"per_move": "P3D", "strikes": 1})
    assert mail_tables.expire(game, 1)
    mail_tables.sit(game, "dan")
    mail_tables.execute("UPDATE deliveries SET state = 'queued' WHERE kind = 'vacant'")
    mail_tables.exchange()
    assert superseded(mail_tables, game, "vacant") == ["somebody plays the seat again"]


# What is shown, and to whom


def test_the_history_by_mail_marks_what_was_taken_back(mail_tables: Tables) -> None:
    _, (first, second, _) = turns(mail_tables)
    told(mail_tables, first, "place 1 1\nend")
    told(mail_tables, first, "undo")
    told(mail_tables, first, "place 2 2\nend")
    _, text = told(mail_tables, second, "history 50")
    assert f"- {first} campaigns: two bosses in ward 1. (Taken back.)" in text
    assert f"- {first} undoes what came after version 10. It was a slip." in text
    assert f"- {first} campaigns: two bosses in ward 2. - It is {second}'s turn." in text


def test_s10_no_letter_tells_what_another_had_hidden_and_taken_back(mail_tables: Tables) -> None:
    game = pennies(mail_tables)
    mail_tables.reply("ann", "hide 3 canary")
    mail_tables.exchange()
    told(mail_tables, "ann", "undo")
    told(mail_tables, "ann", "hide 2 canary")
    told(mail_tables, "bob", "hide 2")
    told(mail_tables, "ann", "undo ask")
    told(mail_tables, "bob", "agree")
    told(mail_tables, "cyd", "history 100")
    told(mail_tables, "ann", "hide 0")
    told(mail_tables, "bob", "hide 1")
    told(mail_tables, "cyd", "hide 2")
    assert mail_tables.head(game).table.game.phase == "take"
    others = [*mail_tables.letters_to("bob"), *mail_tables.letters_to("cyd")]
    assert len(others) > 6
    assert not any(word in text_of(one) + html_of(one) for one in others for word in ("canary", "'notes': {'0': 'c"))
    assert any("canary" in text_of(one) for one in mail_tables.letters_to("ann"))


def test_s02_letters_about_going_back_are_the_same_whatever_was_hidden(mail_tables: Tables) -> None:
    """Two games that differ in what ann hid and took back alone: bob gets the same words."""
    heard = []
    for pennies_hidden in (0, 3):
        game = pennies(mail_tables, "ann", "bob")
        before = counted(mail_tables)["bob"]
        with mail_tables.services.database.write() as tx:
            play.move(mail_tables.services, tx, game, mail_tables.ids["ann"], Orders(text=f"hide {pennies_hidden}"))
        goes_back(mail_tables, game, "ann")
        with mail_tables.services.database.write() as tx:
            play.move(mail_tables.services, tx, game, mail_tables.ids["ann"], Orders(text=f"hide {pennies_hidden}"))
        mail_tables.move(game, 0, f"hide {3 - pennies_hidden}")
        goes_back(mail_tables, game, "ann", to=mail_tables.version(game) - 1)
        with mail_tables.services.database.write() as tx:
            clock_votes.propose(mail_tables.services, tx, game, mail_tables.ids["ann"], "extend", 86_400)
        mail_tables.exchange()
        letters = [text_of(one).partition("The game: ") for one in mail_tables.letters_to("bob")[before:]]
        heard.append([text.split("\n", 2)[2] for text, _, _ in letters])
    assert heard[0] == heard[1] != []


def test_out36_who_wants_no_secrets_reads_who_asks_and_how_to_answer_and_nothing_of_the_game(
    mail_tables: Tables,
) -> None:
    game = hidden(mail_tables)
    mail_tables.change_profile("bob", secret_free=True)
    told(mail_tables, "ann", "undo ask")
    text = " ".join(mail_tables.newest_text("bob").split())
    assert "ann asks to go back to version 6." in text
    assert "type: agree" in text
    assert "PennyHidden" not in text
    assert "PennyHidden" not in html_of(mail_tables.newest_letter("bob"))
    assert told(mail_tables, "bob", "agree")[0] == "applied"
    assert isinstance(last(mail_tables, game), e.Rewound)


def test_letters_about_the_table_can_be_written_in_every_language(mail_tables: Tables) -> None:
    asked(mail_tables)
    (row,) = mail_tables.notices(kind="proposal")
    for language in ("de", "fr", "en"):
        mail_tables.change_profile("bob", language=language)
        assert "ann" in text_of(mail_tables.compose(row))
    told(mail_tables, "bob", "no")
    with pytest.raises(Superseded, match="off the table"):
        mail_tables.compose(row)


def test_rate01_every_notice_of_the_table_is_settled_once(mail_tables: Tables) -> None:
    """Nothing waits for ever, nothing is sent twice."""
    game = asked(mail_tables)
    told(mail_tables, "bob", "agree")
    told(mail_tables, "ann", "hide 1")
    told(mail_tables, "bob", "extend 1 day")
    told(mail_tables, "ann", "agree")
    told(mail_tables, "cyd", "agree")
    assert mail_tables.states(game_id=game).keys() <= {"sent", "superseded"}
    ids = Counter(letter.message_id for letter in mail_tables.carrier.letters)
    assert set(ids.values()) == {1}

"""Going back and the clock by mail: wishes, proposals and votes, and the letters about them (Q-12, RATE-04, IN-16)."""

from collections import Counter

import pytest

from domain.table import events as e
from service.games import clock_votes, play, takeback
from service.games.play import Orders
from tests.workers.office import html_of, text_of
from tests.workers.post import Post, post
from tests.workers.sessions.mails import raw_mail
from workers.letters.letter_data import Superseded
from workers.mail_out.letter import Letter

__all__ = ["post"]
PEOPLE = ("ann", "bob", "cyd")
THREE_ROUNDS = {"options": {"rounds": "3"}}


def pennies(post: Post, *names: str, **terms: object) -> str:
    """Everybody hides pennies."""
    game = post.begins(*(names or PEOPLE), **{**THREE_ROUNDS, **terms})
    post.round()
    return game


def to_take(post: Post, **terms: object) -> str:
    """The hands are open: bob is to take the pot."""
    game = pennies(post, **terms)
    for seat, hidden in enumerate((1, 3, 2)):
        post.plays(game, seat, f"hide {hidden}")
    post.round()
    return game


def hidden(post: Post, **terms: object) -> str:
    """ann has hidden her pennies, then bob: to take hers back she needs him."""
    game = pennies(post, **terms)
    post.answers("ann", "hide 1")
    post.round()
    post.answers("bob", "hide 2")
    post.round()
    return game


def asked(post: Post, **terms: object) -> str:
    """And she has asked him."""
    game = hidden(post, **terms)
    assert told(post, "ann", "undo ask misread")[0] == "applied"
    return game


def turns(post: Post) -> tuple[str, list[str]]:
    """A game of turns, and who is asked first, second and third."""
    game = post.begins(*PEOPLE, kind="tammany-hall", options={})
    post.round()
    (first,) = post.awaited(game)
    return game, [PEOPLE[(first + place) % 3] for place in range(3)]


def told(post: Post, name: str, text: str, **more: object) -> tuple[str, str]:
    """What became of a mail, and the answer to it."""
    number = post.answers(name, text, **more)
    post.round()
    return post.state(number), " ".join(post.text(name).split())


def kinds(letters: list[Letter]) -> list[str]:
    return [letter.message_id.strip("<").partition(".")[0] for letter in letters]


def counted(post: Post) -> dict[str, int]:
    return {name: len(post.to(name)) for name in PEOPLE}


def since(post: Post, before: dict[str, int]) -> dict[str, list[str]]:
    """The kinds of letters everybody got since then."""
    return {name: kinds(post.to(name)[count:]) for name, count in before.items() if len(post.to(name)) > count}


def events(post: Post, game: str) -> list[object]:
    head = post.head(game)
    with post.services.database.read() as connection:
        return list(post.services.streams.facts_seen(connection, game, head.rules, None, after=0, upto=head.version))


def last(post: Post, game: str) -> object:
    return events(post, game)[-1]


def goes_back(post: Post, game: str, name: str, **more: object) -> None:
    with post.services.database.write() as tx:
        takeback.go_back(post.services, tx, game, post.ids[name], **more)


def votes(post: Post, game: str, name: str, agrees: bool, about=takeback) -> None:
    with post.services.database.write() as tx:
        about.vote(post.services, tx, game, post.ids[name], agrees)


def superseded(post: Post, game: str, kind: str) -> list[str]:
    """Why notices of this kind were not sent."""
    return [row["reason"] for row in post.notices(game_id=game, kind=kind, state="superseded")]


# Taking back


def test_undo_takes_the_last_act_back_and_answers_with_the_position(post: Post) -> None:
    game = to_take(post)
    told(post, "bob", "nod")
    state, text = told(post, "bob", "undo")
    assert (state, post.head(game).table.game.nods) == ("applied", 0)
    assert last(post, game) == e.Rewound(post.version(game) - 2, 1, "slip", [])
    assert "This is undone: - Nodded" in text
    assert f"bob undoes what came after version {post.version(game) - 2}. It was a slip." in text
    assert told(post, "bob", "nod\ntake")[0] == "applied", "the answer can be answered"


def test_undo_says_why_in_one_of_four_words(post: Post) -> None:
    game = to_take(post)
    told(post, "bob", "nod")
    told(post, "bob", "Undo misread.")
    assert last(post, game).reason == "misread"


@pytest.mark.parametrize("text", ["undo everything", "undo ask nicely", "undo 7", "undo ask ask", "undo because"])
def test_undo_with_other_words_is_told_how_it_is_written(post: Post, text: str) -> None:
    game = to_take(post)
    before = post.version(game)
    state, answer = told(post, "bob", text)
    assert (state, post.version(game)) == ("rejected", before)
    assert "Write “undo”, or “undo ask”" in answer


def test_what_nobody_can_take_back_is_refused_in_a_sentence(post: Post) -> None:
    game = to_take(post)
    assert "what was seen cannot be unseen" in told(post, "bob", "undo")[1]
    assert "what was seen cannot be unseen" in told(post, "bob", "undo ask")[1]
    other = pennies(post)
    assert "You have done nothing yet" in told(post, "ann", "undo")[1]
    assert post.head(game).table.proposal is post.head(other).table.proposal is None


def test_an_order_that_was_taken_back_can_be_given_again(post: Post) -> None:
    """It is neither recorded already nor still in force (IN-17)."""
    game = pennies(post)
    letter = post.newest("ann")
    told(post, "ann", "hide 2", to=letter)
    goes_back(post, game, "ann")
    post.round()
    state, text = told(post, "ann", "hide 2", to=letter)
    assert (state, post.head(game).table.game.hands) == ("applied", {0: 2})
    assert "already" not in text


def test_a_wish_that_was_sent_twice_is_done_once(post: Post) -> None:
    game = to_take(post)
    told(post, "bob", "nod")
    told(post, "bob", "nod\nnod")
    letter = post.newest("bob")
    told(post, "bob", "undo", to=letter)
    state, text = told(post, "bob", "undo", to=letter)
    assert (state, post.head(game).table.game.nods) == ("stale", 1)
    assert "to undo more, answer one of our newer mails" in text
    assert told(post, "bob", "undo")[0] == "applied"
    assert post.head(game).table.game.nods == 0


def test_where_others_must_agree_undo_alone_asks_nobody(post: Post) -> None:
    game = hidden(post)
    before, version = counted(post), post.version(game)
    state, text = told(post, "ann", "undo")
    assert (state, post.version(game)) == ("answered", version)
    assert "bob would have to agree" in text
    assert "Nobody has been asked yet: to ask, answer “undo ask”." in text
    assert "This would be undone: - PennyHidden - PennyHidden" in text
    assert since(post, before) == {"ann": ["answer"]}


# Who hears of it


def test_rate04_who_was_told_of_what_is_so_no_more_is_told_that_once(post: Post) -> None:
    _, (first, second, third) = turns(post)
    told(post, first, "place 1 1\nend")
    before = counted(post)
    told(post, first, "undo")
    assert since(post, before) == {first: ["answer"], second: ["taken-back"]}
    text = " ".join(post.text(second).split())
    assert text.startswith(f"{first} has undone something in Tammany Hall.")
    assert "What our last mail told you no longer holds" in text
    assert "Nothing is asked of you until you hear from us again." in text
    assert f"This is undone: - {first} campaigns: two bosses in ward 1." in text
    assert third not in text.partition("TAMMANY HALL")[0]
    before = counted(post)
    told(post, first, "place 2 2\nend")
    assert since(post, before) == {first: ["answer"], second: ["your-turn"]}
    assert "(Taken back.)" in post.text(second)


def test_rate04_who_had_not_been_told_hears_nothing(post: Post) -> None:
    game, (first, _, _) = turns(post)
    before = counted(post)
    with post.services.database.write() as tx:
        play.move(post.services, tx, game, post.ids[first], Orders(text="place 1 1\nend"))
    goes_back(post, game, first)
    post.round()
    assert since(post, before) == {first: ["your-turn"]}
    assert superseded(post, game, "your-turn") == ["the answer was given"]
    assert superseded(post, game, "taken-back") == ["the player had not been told"]


def test_rate04_who_is_asked_anew_before_the_mail_goes_gets_one_mail(post: Post) -> None:
    game, (first, second, _) = turns(post)
    told(post, first, "place 1 1\nend")
    before = counted(post)
    goes_back(post, game, first)
    with post.services.database.write() as tx:
        play.move(post.services, tx, game, post.ids[first], Orders(text="place 2 2\nend"))
    post.round()
    assert since(post, before)[second] == ["your-turn"]
    assert superseded(post, game, "taken-back") == ["the letter that asks anew tells of it"]


def test_who_is_asked_all_the_same_is_not_told(post: Post) -> None:
    """Of a hidden hand that is taken back nobody else had been shown anything."""
    game = pennies(post)
    told(post, "ann", "hide 1")
    before = counted(post)
    told(post, "ann", "undo")
    assert since(post, before) == {"ann": ["answer"]}
    assert post.notices(game_id=game, kind="taken-back") == []


def test_in18_a_mail_that_shows_what_was_taken_back_is_not_played_from(post: Post) -> None:
    """The question has the same name again, but the position is another."""
    game, (first, second, _) = turns(post)
    told(post, first, "place 1 1\nend")
    shown = post.newest(second, "your-turn")
    told(post, first, "undo")
    told(post, first, "place 2 2\nend")
    version = post.version(game)
    state, text = told(post, second, "place 1 1\nend", to=shown)
    assert (state, post.version(game)) == ("stale", version)
    assert "what that mail showed was taken back since" in text
    assert told(post, second, "place 1 1\nend", to=post.newest(second, "your-turn"))[0] == "applied"


def test_a_mail_from_before_what_was_taken_back_is_good_again(post: Post) -> None:
    game, (first, _, _) = turns(post)
    letter = post.newest(first, "your-turn")
    told(post, first, "place 1 1\nend", to=letter)
    goes_back(post, game, first)
    assert told(post, first, "place 2 2\nend", to=letter)[0] == "applied"


# By consent


def test_undo_ask_asks_those_it_touches_and_nobody_else(post: Post) -> None:
    game = hidden(post)
    before = counted(post)
    state, text = told(post, "ann", "undo ask misread")
    assert state == "applied"
    assert "It waits for bob; a mail tells you what comes of it." in text
    assert since(post, before) == {"ann": ["answer"], "bob": ["proposal"]}
    letter = post.newest("bob")
    text = " ".join(text_of(letter).split())
    assert text.startswith("ann asks to undo something in Pennies.")
    assert "ann asks to go back to version 6. The rules or the position had been misread." in text
    assert "It waits for bob. One refusal is enough. To play on is to refuse" in text
    assert "This would be undone: - PennyHidden - PennyHidden" in text
    assert "type: agree it is done, when all who are asked agree type: refuse it is off the table" in text
    assert "mailto:" in html_of(letter)
    assert "body=agree" in html_of(letter)
    assert post.head(game).table.proposal.asked == [1]


@pytest.mark.parametrize("word", ["agree", "yes", "Agree!"])
def test_who_is_asked_agrees_with_a_word(post: Post, word: str) -> None:
    game = asked(post)
    before = counted(post)
    state, text = told(post, "bob", word)
    assert state == "applied"
    assert last(post, game) == e.Rewound(6, 0, "misread", [1])
    assert "bob agrees. - The game goes back to version 6, as ann asked; bob agreed." in text
    assert post.head(game).table.game.hands == {}
    assert since(post, before) == {"bob": ["answer"], "ann": ["your-turn"]}
    assert "The game goes back to version 6, as ann asked; bob agreed." in " ".join(post.text("ann").split())


@pytest.mark.parametrize("word", ["refuse", "no"])
def test_who_is_asked_refuses_with_a_word_and_who_asked_is_told(post: Post, word: str) -> None:
    game = asked(post)
    before = counted(post)
    assert told(post, "bob", word)[0] == "applied"
    assert post.head(game).table.proposal is None
    assert since(post, before) == {"bob": ["answer"], "ann": ["proposal"]}
    text = " ".join(post.text("ann").split())
    assert text.startswith("What you asked for in Pennies is off the table.")
    assert "Somebody has refused." in text


def test_any_living_address_of_the_seat_takes_a_vote(post: Post) -> None:
    game = asked(post)
    assert told(post, "bob", "agree", to=post.newest("bob", "answer"))[0] == "applied"
    assert isinstance(last(post, game), e.Rewound)


def test_yes_and_no_mean_a_vote_in_answer_to_a_proposal_alone(post: Post) -> None:
    game = asked(post)
    state, text = told(post, "bob", "yes", to=post.newest("bob", "answer"))
    assert state == "rejected"
    assert "No yes-or-no question was asked here" in text
    assert post.head(game).table.proposal is not None


def test_a_vote_on_a_proposal_that_is_off_the_table_is_none_on_another(post: Post) -> None:
    game = asked(post)
    first = post.newest("bob", "proposal")
    told(post, "ann", "refuse")
    state, text = told(post, "bob", "agree", to=first)
    assert (state, "What that mail asked is off the table." in text) == ("stale", True)
    told(post, "cyd", "pause 7 days")
    state, text = told(post, "bob", "yes", to=first)
    assert (state, "Something else has been proposed since" in text) == ("stale", True)
    assert post.head(game).table.proposal.agreed == ()


def test_a_vote_where_nothing_is_proposed_is_refused(post: Post) -> None:
    pennies(post)
    for word in ("agree", "refuse"):
        state, text = told(post, "ann", word)
        assert (state, "Nothing like that is being proposed now." in text) == ("rejected", True)


def test_who_is_not_asked_is_told_so(post: Post) -> None:
    game = asked(post)
    assert "You are not among those who are asked." in told(post, "cyd", "agree")[1]
    assert post.head(game).table.proposal is not None


def test_a_proposal_makes_no_order_stale_and_playing_on_ends_it(post: Post) -> None:
    game = asked(post)
    before = counted(post)
    state, text = told(post, "cyd", "hide 1", to=post.newest("cyd", "your-turn"))
    assert state == "applied"
    assert "The game goes on, so what ann asked for is off the table." in text
    assert "proposal" in since(post, before)["ann"]
    assert "The game goes on: somebody has played instead of agreeing." in " ".join(
        post.text("ann", "proposal").split()
    )
    assert post.head(game).table.proposal is None


@pytest.mark.parametrize("text", ["undo\nhide 1", "agree\nhide 1", "pause 7 days\nhide 2", "resume\nagree"])
def test_in16_words_about_going_back_and_the_clock_stand_alone(post: Post, text: str) -> None:
    game = pennies(post)
    before = post.version(game)
    state, answer = told(post, "ann", text)
    assert (state, post.version(game)) == ("rejected", before)
    assert "must be alone in a mail" in answer


def test_a_wish_of_who_may_be_somebody_else_is_confirmed_first(post: Post) -> None:
    game = to_take(post)
    told(post, "bob", "nod")
    number = post.answers("bob", "undo", verdict=None)
    post.round()
    assert (post.state(number), post.head(game).table.game.nods) == ("held", 1)
    post.answers("bob", "yes")
    post.round()
    assert (post.state(number), post.head(game).table.game.nods) == ("confirmed", 0)


def test_a_wish_from_elsewhere_is_never_done(post: Post) -> None:
    game = to_take(post)
    told(post, "bob", "nod")
    letter = post.newest("bob")
    post.brings(raw_mail(post, letter, "undo", who="bob", sender="Mallory <m@elsewhere.example>"), letter)
    post.works()
    assert post.head(game).table.game.nods == 1


def test_the_game_moves_for_nobody_who_has_left(post: Post) -> None:
    """A former player's letter is not sent, and who sits there now is asked (S-10)."""
    clock = {"per_move": "P3D", "strikes": 1}
    game = pennies(post, clock=clock)
    with post.services.database.write() as tx:
        clock_votes.propose(post.services, tx, game, post.ids["ann"], "pause", 86_400)
    assert post.expires(game, 1)
    post.sits(game, "dan")
    post.executes("UPDATE deliveries SET state = 'queued' WHERE kind = 'proposal'")
    post.round()
    assert "proposal" not in kinds(post.to("bob"))
    assert "proposal" in kinds(post.to("dan"))
    assert told(post, "dan", "agree", to=post.newest("dan", "proposal"))[0] == "applied"
    assert post.head(game).table.proposal.agreed == (1,)


# The clock


@pytest.mark.parametrize(
    "text, seconds", [("pause 7 days", 604_800), ("pause P7D", 604_800), ("Pause for 36h", 129_600)]
)
def test_the_clock_is_stopped_by_consent(post: Post, text: str, seconds: int) -> None:
    game = pennies(post)
    before = counted(post)
    state, answer = told(post, "ann", text)
    assert state == "applied"
    assert "It waits for bob and cyd" in answer
    assert last(post, game) == e.ClockProposed(0, "pause", seconds, [1, 2])
    assert since(post, before) == {"ann": ["answer"], "bob": ["proposal"], "cyd": ["proposal"]}
    asks = " ".join(post.text("bob").split())
    assert asks.startswith("ann asks to stop the clock of Pennies.")
    assert "One refusal is enough to leave the clock as it is. The game goes on meanwhile." in asks
    assert "It waits for cyd" in told(post, "bob", "agree")[1]
    before = counted(post)
    told(post, "cyd", "yes")
    assert since(post, before) == {"ann": ["clock-news"], "bob": ["clock-news"], "cyd": ["answer"]}
    news = " ".join(post.text("ann").split())
    assert news.startswith("The clock of Pennies is stopped. — reply")
    assert "the clock is stopped until" in news
    assert "Deadline:" not in news


def test_more_time_is_told_with_the_new_deadline(post: Post) -> None:
    game = pennies(post)
    told(post, "ann", "extend 2 days")
    told(post, "bob", "agree")
    told(post, "cyd", "agree")
    news = " ".join(post.text("ann", "clock-news").split())
    assert news.startswith("There is more time in Pennies.")
    assert "2 days more for everyone who still has to answer" in news
    assert "Deadline: Sun 09 Mar 2031 12:00 UTC." in news
    assert told(post, "ann", "hide 1", to=post.newest("ann", "clock-news"))[0] == "applied"
    assert game


def test_a_clock_that_stands_runs_again_by_consent_and_tells_the_deadlines(post: Post) -> None:
    pennies(post)
    told(post, "ann", "pause 7 days")
    told(post, "bob", "agree")
    told(post, "cyd", "agree")
    post.hands.advance(days=2)
    told(post, "bob", "resume")
    told(post, "ann", "agree")
    told(post, "cyd", "agree")
    news = " ".join(post.text("bob", "clock-news").split())
    assert news.startswith("The clock of Pennies is running again.")
    assert "Deadline: Sun 09 Mar 2031 12:00 UTC." in news


@pytest.mark.parametrize("text", ["pause", "pause for ever", "extend 2 months", "pause 7", "extend"])
def test_a_span_that_cannot_be_read_is_told_how_it_is_written(post: Post, text: str) -> None:
    game = pennies(post)
    state, answer = told(post, "ann", text)
    assert (state, post.head(game).table.proposal) == ("rejected", None)
    assert "Say for how long: “" in answer


@pytest.mark.parametrize(
    "text, why", [("pause 61 days", "sixty days"), ("extend 0 hours", "from an hour to thirty days")]
)
def test_a_span_out_of_bounds_is_refused_by_the_rule(post: Post, text: str, why: str) -> None:
    pennies(post)
    state, answer = told(post, "ann", text)
    assert (state, why in answer) == ("rejected", True)


def test_at_a_table_that_waits_the_late_player_and_the_others_are_told_what_is_so(post: Post) -> None:
    game = to_take(post, clock={"per_move": "P3D", "on_timeout": "pause", "strikes": 3})
    assert "If it passes, the clock stops until you answer." in post.text("bob")
    before = counted(post)
    assert post.expires(game, 1)
    post.round()
    assert since(post, before) == {"ann": ["clock-news"], "bob": ["deadline-passed"], "cyd": ["clock-news"]}
    late = " ".join(post.text("bob").split())
    assert late.startswith("Your deadline in Pennies passed: the clock is stopped until you answer.")
    assert "caretaker" not in late
    assert "Result: - bob let the deadline pass. - The clock is stopped until bob answers." in late
    assert "the clock is stopped until bob answers" in " ".join(post.text("cyd").split())
    assert told(post, "bob", "take")[0] == "applied"
    assert not post.head(game).table.paused


# True when they are sent


def test_rate04_a_proposal_is_not_mailed_once_it_is_off_the_table(post: Post) -> None:
    game = hidden(post)
    goes_back(post, game, "ann")
    votes(post, game, "bob", agrees=False)
    goes_back(post, game, "ann")
    with post.services.database.write() as tx:
        takeback.withdraw(post.services, tx, game, post.ids["ann"])
    goes_back(post, game, "ann")
    votes(post, game, "bob", agrees=True)
    before = counted(post)
    post.round()
    assert superseded(post, game, "proposal") == ["the proposal is off the table"] * 3
    assert since(post, before) == {"ann": ["proposal", "your-turn"], "bob": ["your-turn"]}, "the refusal, and new turns"


def test_rate04_who_has_answered_a_proposal_is_not_asked_any_more(post: Post) -> None:
    game = pennies(post)
    with post.services.database.write() as tx:
        clock_votes.propose(post.services, tx, game, post.ids["ann"], "extend", 86_400)
    votes(post, game, "bob", agrees=True, about=clock_votes)
    post.round()
    assert superseded(post, game, "proposal") == ["the player has answered"]
    assert "proposal" in kinds(post.to("cyd"))


def test_rate04_news_of_the_clock_are_not_mailed_once_it_was_changed_again(post: Post) -> None:
    game = pennies(post, "ann", "bob")
    for what in ("pause", "resume"):
        with post.services.database.write() as tx:
            clock_votes.propose(post.services, tx, game, post.ids["ann"], what, 86_400 if what == "pause" else 0)
        votes(post, game, "bob", agrees=True, about=clock_votes)
    post.round()
    assert superseded(post, game, "clock-news") == ["the clock was changed again"]
    assert post.text("ann", "clock-news").startswith("The clock of Pennies is running again.")


def test_rate04_nothing_of_this_is_mailed_when_the_game_is_over(post: Post) -> None:
    game = to_take(post, options={"rounds": "1"})
    with post.services.database.write() as tx:
        clock_votes.propose(post.services, tx, game, post.ids["ann"], "extend", 86_400)
    post.plays(game, 1, "take")
    post.round()
    assert superseded(post, game, "proposal") == ["the game is over"] * 2


def test_the_host_hears_of_a_seat_that_fell_vacant(post: Post) -> None:
    game = to_take(post, clock={"per_move": "P3D", "strikes": 1})
    assert post.expires(game, 1)
    post.round()
    text = " ".join(post.text("ann", "vacant").split())
    assert text.startswith("A seat at your table of Pennies is vacant.")
    assert "The caretaker now plays from that seat, without delay." in text
    assert "bob can take it back at any time: “join”, in answer to one of our mails, is enough." in text
    assert f"Anyone else can take it over too: `POST https://wardroom.example/api/v1/games/{game}/seats`." in text
    assert "vacant" not in kinds([*post.to("bob"), *post.to("cyd")])


def test_rate04_the_host_hears_nothing_of_a_seat_that_somebody_plays_again(post: Post) -> None:
    game = to_take(post, clock={"per_move": "P3D", "strikes": 1})
    assert post.expires(game, 1)
    post.sits(game, "dan")
    post.executes("UPDATE deliveries SET state = 'queued' WHERE kind = 'vacant'")
    post.round()
    assert superseded(post, game, "vacant") == ["somebody plays the seat again"]


# What is shown, and to whom


def test_the_history_by_mail_marks_what_was_taken_back(post: Post) -> None:
    _, (first, second, _) = turns(post)
    told(post, first, "place 1 1\nend")
    told(post, first, "undo")
    told(post, first, "place 2 2\nend")
    _, text = told(post, second, "history 50")
    assert f"- {first} campaigns: two bosses in ward 1. (Taken back.)" in text
    assert f"- {first} undoes what came after version 10. It was a slip." in text
    assert f"- {first} campaigns: two bosses in ward 2. - It is {second}'s turn." in text


def test_s10_no_letter_tells_what_another_had_hidden_and_taken_back(post: Post) -> None:
    game = pennies(post)
    post.answers("ann", "hide 3 canary")
    post.round()
    told(post, "ann", "undo")
    told(post, "ann", "hide 2 canary")
    told(post, "bob", "hide 2")
    told(post, "ann", "undo ask")
    told(post, "bob", "agree")
    told(post, "cyd", "history 100")
    told(post, "ann", "hide 0")
    told(post, "bob", "hide 1")
    told(post, "cyd", "hide 2")
    assert post.head(game).table.game.phase == "take"
    others = [*post.to("bob"), *post.to("cyd")]
    assert len(others) > 6
    assert not any(word in text_of(one) + html_of(one) for one in others for word in ("canary", "'notes': {'0': 'c"))
    assert any("canary" in text_of(one) for one in post.to("ann"))


def test_s02_letters_about_going_back_are_the_same_whatever_was_hidden(post: Post) -> None:
    """Two games that differ in what ann hid and took back alone: bob gets the same words."""
    heard = []
    for pennies_hidden in (0, 3):
        game = pennies(post, "ann", "bob")
        before = counted(post)["bob"]
        with post.services.database.write() as tx:
            play.move(post.services, tx, game, post.ids["ann"], Orders(text=f"hide {pennies_hidden}"))
        goes_back(post, game, "ann")
        with post.services.database.write() as tx:
            play.move(post.services, tx, game, post.ids["ann"], Orders(text=f"hide {pennies_hidden}"))
        post.plays(game, 0, f"hide {3 - pennies_hidden}")
        goes_back(post, game, "ann", to=post.version(game) - 1)
        with post.services.database.write() as tx:
            clock_votes.propose(post.services, tx, game, post.ids["ann"], "extend", 86_400)
        post.round()
        letters = [text_of(one).partition("{'seats'") for one in post.to("bob")[before:]]
        heard.append([text.split("\n", 2)[2] for text, _, _ in letters])
    assert heard[0] == heard[1] != []


def test_out36_who_wants_no_secrets_reads_who_asks_and_how_to_answer_and_nothing_of_the_game(post: Post) -> None:
    game = hidden(post)
    post.changes("bob", secret_free=True)
    told(post, "ann", "undo ask")
    text = " ".join(post.text("bob").split())
    assert "ann asks to go back to version 6." in text
    assert "type: agree" in text
    assert "PennyHidden" not in text
    assert "PennyHidden" not in html_of(post.newest("bob"))
    assert told(post, "bob", "agree")[0] == "applied"
    assert isinstance(last(post, game), e.Rewound)


def test_letters_about_the_table_can_be_written_in_every_language(post: Post) -> None:
    asked(post)
    (row,) = post.notices(kind="proposal")
    for language in ("de", "fr", "en"):
        post.changes("bob", language=language)
        assert "ann" in text_of(post.writes(row))
    told(post, "bob", "no")
    with pytest.raises(Superseded, match="off the table"):
        post.writes(row)


def test_rate01_every_notice_of_the_table_is_settled_once(post: Post) -> None:
    """Nothing waits for ever, nothing is sent twice."""
    game = asked(post)
    told(post, "bob", "agree")
    told(post, "ann", "hide 1")
    told(post, "bob", "extend 1 day")
    told(post, "ann", "agree")
    told(post, "cyd", "agree")
    assert post.states(game_id=game).keys() <= {"sent", "superseded"}
    ids = Counter(letter.message_id for letter in post.carrier.letters)
    assert set(ids.values()) == {1}

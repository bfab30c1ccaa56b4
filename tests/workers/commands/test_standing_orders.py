"""Standing orders by mail: filed below a line that says `orders`, shown, withdrawn, followed, dropped with a reason."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from domain.engine.game import Seat
from domain.rulesets import RULESETS
from service.container import Services
from service.games import standing_orders, takeback
from service.games.commit import notice
from service.games.outcomes import Moved
from service.games.play import NotSeated
from service.languages import LANGUAGES, shown
from service.store.outgoing import outbox
from service.store.outgoing.deliveries import deliveries
from tests.letters import html_of
from tests.manual_clock import ManualClock
from tests.tables import SETTINGS, Tables
from tests.witnesses import renamed
from tests.workers.commands.test_grammar import CITY, TAMMANY, block, grammar
from tests.workers.mail_tables import mail_tables
from workers.commands.words.block_text import unfolded
from workers.commands.words.command import Command
from workers.commands.words.grammar import ABOVE, BELOW, ONE_A_LINE
from workers.commands.words.line import Line
from workers.mail_out.letter import Letter
from workers.parsing.command_block import TWO_SETS
from workers.parsing.new_text import Line as Said

__all__ = ["mail_tables"]


def at_table(mail_tables: Tables, *names: str, **terms: object) -> str:
    """ann and bob hide pennies."""
    game = mail_tables.begin(*(names or ("ann", "bob")), **{"options": {"rounds": "3"}, **terms})
    mail_tables.exchange()
    return game


def stands(mail_tables: Tables, game: str, seat: Seat = 0) -> str:
    return str(standing_orders.document(mail_tables.head(game), seat)["text"])


def puts(mail_tables: Tables, game: str, seat: Seat, text: str) -> Moved:
    player = mail_tables.head(game).table.chairs[seat].player
    with mail_tables.services.database.write() as tx:
        return standing_orders.put_orders(mail_tables.services, tx, game, str(player), text=text)


def told(mail_tables: Tables, name: str, text: str, **more: object) -> tuple[str, str]:
    """What became of a mail, and the answer to it."""
    number = mail_tables.reply(name, text, **more)
    mail_tables.exchange()
    return mail_tables.mail_state(number), mail_tables.newest_text(name)


def kinds(letters: list[Letter]) -> list[str]:
    return [letter.message_id.strip("<").partition(".")[0] for letter in letters]


# Lines below `orders`


@pytest.mark.parametrize(
    "text, commands",
    [
        ("orders", ["orders"]),
        ("Orders:", ["orders:"]),
        ("orders\nward 1 bid irish 2\npass slander", ["orders", "orders ward 1 bid irish 2", "orders pass slander"]),
        ("*Orders:*\n- Ward 1 up 2 irish\n- Term 2.", ["orders:", "orders ward 1 up 2 irish", "orders term 2"]),
        ("place 3 14\nend\norders\nbonus others pass", ["place 3 14", "end", "orders", "orders bonus others pass"]),
        ("orders pass slander", ["orders pass slander"]),
        ("orders: pass slander\nothers bid none", ["orders: pass slander", "orders others bid none"]),
        ("orders none\nend", ["orders none", "end"]),
        ("orders\nboard\nothers bid none\nsay hello", ["orders", "board", "orders others bid none", "say hello"]),
        ("orders\nothers bid none\n\nSee you", ["orders", "orders others bid none"]),
        ("orders\nothers bid none\nthanks\nAnn", ["orders", "orders others bid none"]),
        ("orders\nothers bid none\nAnn", ["orders", "orders others bid none"]),
        ("orders\n# if all goes well\nothers bid none", ["orders", "orders others bid none"]),
    ],
)  # fmt: skip
def test_in_09_lines_below_orders_are_ordered_ahead_to_the_end_of_the_block(text, commands):
    found = block(text)
    assert found.refused == []
    assert [line.text for line in found.commands] == commands


@pytest.mark.parametrize(
    "line, text",
    [
        ("orders ward 1 bid irish 2 german 1", "orders ward 1 bid irish 2 german 1"),
        ("orders ward 1 bid irish 2, german 1", "orders ward 1 bid irish 2 german 1"),
        ("orders ward 1 up 3 irish", "orders ward 1 up to 3 irish"),
        ("orders ward 1 bid nothing", "orders ward 1 bid none"),
        ("orders assign deputy félix, police Newbie O'Hara", "orders assign deputy yellow police black"),
        ("orders withdraw", "orders none"),
        ("orders: none", "orders none"),
    ],
)
def test_in_11_a_line_ordered_ahead_in_canonical_words(line, text):
    found = grammar().command(line)
    assert (found, found.files, found.reads, found.plays) == (Command("orders", text), True, False, False)


@pytest.mark.parametrize(
    "text, number, said",
    [
        ("orders\nward 1 bid irish 2\nend", 3, ABOVE),
        ("orders\nwrad 1 bid irish 2", 2, "Did you mean “ward 1 bid irish 2”?"),
        ("orders\nward 1 bid irish 1,5", 2, "can be read as"),
        ("orders\nward 1 bid none; ward 2 bid none", 2, ONE_A_LINE),
        ("orders\nward 12 bid none", 2, "12"),
        ("orders\n3", 2, ABOVE),
        ("orders\nfor ward 1 I would bid 2", 2, ""),
        ("ward 1 bid irish 2", 1, BELOW),
        ("orders\n\nward 1 bid irish 2", 3, BELOW),
        ("end\n\nothers bid none", 3, BELOW),
        ("orders\nothers bid none\n\nend", 4, TWO_SETS),
        ("orders none\nothers bid none", 2, BELOW),
    ],
)
def test_in_10_a_line_that_may_have_been_meant_is_refused_with_what_to_do(text, number, said):
    refused = block(text, options={1: "place 3", 2: "place 4", 3: "end"}).refused
    assert [each.line.number for each in refused] == [number]
    assert said in refused[0].message


def test_in_09_end_ends_the_reading_where_the_game_has_no_such_order():
    found = block("orders\nothers pass\nend\nnonsense", kind=CITY)
    assert [line.text for line in found.commands] == ["orders", "orders others pass"]
    assert found.refused == []


def test_position_alone_tells_an_order_from_one_ahead():
    """`bid tax 4` is for later, `bid 4` is for now, and `accept yellow` may be either (City Hall)."""
    found = block("accept yellow\norders\naccept yellow", kind=CITY)
    assert [line.text for line in found.commands] == ["accept yellow", "orders", "orders accept yellow"]
    assert [each.message for each in block("bid tax 4", kind=CITY).refused] == [BELOW]
    assert [each.message for each in block("orders\nbid 4", kind=CITY).refused] == [ABOVE]


@pytest.mark.parametrize("line", ["keep well, Ann", "term paper is due"])
def test_in_10_words_that_only_orders_ahead_begin_with_may_stand_in_chatter(line):
    assert block(f"end\n\n{line}").refused == []


def test_in_14_the_heading_is_understood_in_the_language_of_the_player():
    found = block("Befehle:\nothers bid none", language="de")
    assert [line.text for line in found.commands] == ["befehle:", "orders others bid none"]
    assert block("ordres\nfin", language="fr").refused[0].line == Said(2, "fin")


LINES = {
    TAMMANY: [
        "ward 1 bid irish 2 german 1", "ward 4 up to 3 english italian if contested while winnable", "others bid none",
        "keep 2 irish for ward 14", "bonus 1 cube italian 10", "bonus others pass", "assign deputy red police yellow",
        "term 2", "pass slander", "end when placed",
    ],
    CITY: [
        "bid tax up to 4", "bid tax 4", "pass tax", "others bid up to 2", "others pass", "keep tax up to 5",
        "keep others up to 3", "accept yellow", "every round", "round 4",
    ],
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind, line", [(kind, line) for kind, lines in LINES.items() for line in lines])
def test_out_37_a_line_as_letters_show_it_is_read_back_in_every_language(kind, line, language):
    typed = [shown("orders", language, kind), shown(line, language, kind)]
    found = block("\n".join(typed), kind=kind, language=language)
    assert found.refused == []
    reads = grammar(kind, language)
    assert [reads.command(each.text).text for each in found.commands] == ["orders", f"orders {line}"]


@pytest.mark.parametrize("kind", [TAMMANY, CITY])
def test_what_is_ready_to_copy_is_read_as_the_same(kind):
    lines = {TAMMANY: ["others bid none", "pass slander"], CITY: ["others pass", "every round"]}[kind]
    commands = ["say hello", *(f"orders {line}" for line in lines)]
    assert unfolded(commands) == ["say hello", "orders", *lines]
    found = block("\n".join(unfolded(commands)), kind=kind).commands
    assert [grammar(kind).command(line.text).text for line in found if line.text != "orders"] == commands


CHIPS = st.dictionaries(st.sampled_from(["irish", "english", "german", "italian"]), st.integers(1, 9), min_size=1)
WARD = st.sampled_from([1, 2, 4, 7, 14])
BALLOT_LINES = st.one_of(
    st.builds(lambda w, c: f"ward {w} bid " + " ".join(f"{k} {n}" for k, n in c.items()), WARD, CHIPS),
    st.builds(lambda w, n, c: f"ward {w} up to {n} {' '.join(c)}", WARD, st.integers(1, 9), CHIPS),
    st.builds(lambda n, c, w: f"keep {n} {c} for ward {w}", st.integers(1, 9), st.sampled_from(["irish"]), WARD),
    st.sampled_from(["others bid none", "bonus 4 favor irish", "bonus others pass", "pass slander", "end when placed"]),
)


@given(st.lists(BALLOT_LINES, min_size=1, max_size=8), st.sampled_from(["", "- ", "* "]), st.booleans())
def test_a_ballot_is_read_in_a_mail_as_it_is_anywhere_else(lines, mark, loud):
    ahead = RULESETS[TAMMANY].standing_orders
    assert ahead is not None
    typed = [mark + (line.upper() if loud else line) for line in lines]
    found = block("\n".join(["orders", *typed]))
    assert found.refused == []
    read = [grammar().command(line.text).text.removeprefix("orders ") for line in found.commands[1:]]
    assert ahead.parse("\n".join(read), ()) == ahead.parse("\n".join(lines), ())


# Filing


def test_in_16_a_turn_and_what_is_ordered_ahead_in_one_mail(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    state, text = told(mail_tables, "ann", "hide 2\norders\nhide 1\ntake")
    assert (state, stands(mail_tables, game), mail_tables.head(game).table.game.hands) == (
        "applied",
        "hide 1\ntake",
        {0: 2},
    )
    assert "Your orders, as we understood them:\n\n  | hide 2\n\n" in text
    assert "Your standing orders, which are followed as soon as you are asked:\n  hide 1\n  take\n" in text
    assert "write “orders” and all the new ones below it; “orders none”" in text
    causes = {event.cause for event in history(mail_tables, game)[-2:]}
    assert len(causes) == 1, "one request, all or nothing"


@pytest.mark.parametrize(
    "text",
    [
        "hide 2\norders\ntake pot of 9",
        "hide 2\nnod\norders\ntake",
        "say Mine!\nhide 2\norders\ntake pot of 9",
        "orders\nhide 1\norders none",
    ],
)
def test_in_16_nothing_of_it_is_done_where_one_line_is_refused(mail_tables: Tables, text: str) -> None:
    game = at_table(mail_tables)
    before = mail_tables.version(game)
    state, _ = told(mail_tables, "ann", text)
    mail_tables.advance(minutes=15)
    mail_tables.exchange()
    assert (state, mail_tables.version(game)) == ("rejected", before)
    assert kinds(mail_tables.letters_to("bob")) == ["your-turn"]


def test_out_35_a_verdict_a_line_and_a_block_to_copy(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    puts(mail_tables, game, 0, "take")
    number = mail_tables.reply("ann", "hide 2\norders\nhide 1\ntake pot of 9")
    mail_tables.exchange()
    outcome = mail_tables.outcome(number)
    assert outcome.lines == [
        Line(1, "hide 2"), Line(2, "orders"), Line(3, "hide 1"),
        Line(4, "take pot of 9", "No pot holds more than five pennies."),
    ]  # fmt: skip
    assert outcome.block == ["hide 2", "orders", "hide 1"]
    assert outcome.why == "Your standing orders are unchanged."
    state, _ = told(mail_tables, "ann", "\n".join(outcome.block))
    assert (state, stands(mail_tables, game)) == ("applied", "hide 1")


def test_out_35_where_the_turn_alone_is_right_it_is_ready_to_copy(mail_tables: Tables) -> None:
    at_table(mail_tables)
    number = mail_tables.reply("ann", "hide 2\norders\ntake pot of 9")
    mail_tables.exchange()
    assert mail_tables.outcome(number).block == ["hide 2"]
    number = mail_tables.reply("ann", "nod\norders\ntake")
    mail_tables.exchange()
    assert [bool(line.fault) for line in mail_tables.outcome(number).lines] == [True, False, False]


def test_s06_no_refusal_tells_what_a_turn_would_bring_to_light(mail_tables: Tables) -> None:
    """bob's hand is hidden, and ann's answer would open both: her orders are judged before that."""
    answers = []
    for hidden in ("hide 0", "hide 3"):
        game = at_table(mail_tables)
        mail_tables.move(game, 1, hidden)
        state, _ = told(mail_tables, "ann", "hide 2\norders\ntake pot of 5")
        answers.append(state)
        assert "HandsOpened" in [type(one.event).__name__ for one in history(mail_tables, game)]
    assert answers == ["applied", "applied"]


def test_orders_are_filed_also_when_nothing_is_asked_and_by_an_old_address(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    old = mail_tables.newest_letter("ann")
    mail_tables.move(game, 0, "hide 3")
    state, _ = told(mail_tables, "ann", "orders\nhide 1", to=old)
    assert (state, stands(mail_tables, game)) == ("applied", "hide 1")
    mail_tables.move(game, 1, "hide 0")
    state, _ = told(mail_tables, "ann", "orders\nhide 2", to=old)
    assert (state, stands(mail_tables, game), mail_tables.phase(game)) == ("applied", "hide 2", "take")
    mail_tables.move(game, 0, "take")
    assert mail_tables.head(game).table.game.hands == {0: 2}, "followed as soon as it was asked"


def test_orders_in_a_mail_that_may_be_anybodys_wait_for_a_confirmation_also_at_an_old_address(
    mail_tables: Tables,
) -> None:
    game = at_table(mail_tables)
    old = mail_tables.newest_letter("ann")
    mail_tables.move(game, 0, "hide 3")
    mail_tables.move(game, 1, "hide 0")
    state, text = told(mail_tables, "ann", "orders\nhide 2", to=old, verdict="fail")
    assert (state, stands(mail_tables, game)) == ("held", "")
    assert "  | orders\n  | hide 2\n" in text


def test_in_18_a_turn_that_is_stale_takes_what_it_orders_ahead_with_it(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    old = mail_tables.newest_letter("ann")
    mail_tables.move(game, 0, "hide 3")
    mail_tables.move(game, 1, "hide 0")
    state, text = told(mail_tables, "ann", "hide 1\norders\nhide 2", to=old)
    assert (state, stands(mail_tables, game)) == ("stale", "")
    assert "What you ordered ahead in it was not filed either." in " ".join(text.split())


def test_in_17_the_same_turn_with_other_orders_files_those(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    letter = mail_tables.newest_letter("ann")
    told(mail_tables, "ann", "hide 3\norders\ntake", to=letter)
    mail_tables.move(game, 1, "hide 0")
    mail_tables.exchange()
    assert mail_tables.phase(game) == "hide", "taken"
    before = mail_tables.version(game)
    state, text = told(mail_tables, "ann", "hide 3\norders\nhide 1", to=mail_tables.newest_letter("ann"))
    assert state == "applied", text
    told(mail_tables, "ann", "hide 3\norders\nhide 2", to=mail_tables.newest_letter("ann"))
    assert stands(mail_tables, game) == "hide 2"
    hidden = [event for event in history(mail_tables, game)[before:] if type(event.event).__name__ == "PennyHidden"]
    assert len(hidden) == 1, "played once"


def test_in_17_the_same_orders_again_record_nothing(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    told(mail_tables, "ann", "orders\nhide 1\ntake")
    before = mail_tables.version(game)
    state, text = told(mail_tables, "ann", "orders\nTAKE\nhide   1")
    assert (state, mail_tables.version(game)) == ("duplicate", before)
    assert "Those orders already stand." in text
    assert "  hide 1\n  take\n" in text


def test_orders_are_replaced_and_withdrawn(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    told(mail_tables, "ann", "orders\ntake")
    told(mail_tables, "ann", "orders take pot of 3")
    assert stands(mail_tables, game) == "take pot of 3"
    state, text = told(mail_tables, "ann", "hide 1\norders none")
    assert (state, stands(mail_tables, game), mail_tables.head(game).table.game.hands) == ("applied", "", {0: 1})
    assert "You have no standing orders." in text
    state, text = told(mail_tables, "ann", "orders withdraw")
    assert state == "rejected"


def test_orders_alone_shows_what_stands_and_what_was_sent(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    _, text = told(mail_tables, "ann", "orders")
    assert "You have no standing orders.\nTo order ahead, write “orders”" in text
    told(mail_tables, "ann", "hide 2\norders\nhide 1")
    before = mail_tables.version(game)
    state, text = told(mail_tables, "ann", "orders")
    assert (state, mail_tables.version(game)) == ("answered", before)
    assert "asked:\n  hide 1\nTo replace them" in text
    assert "What you sent last for this decision: hide 2." in text
    for _ in range(2):
        mail_tables.move(game, 1, "hide 3")
        mail_tables.move(game, 1, "take")
    assert mail_tables.head(game).table.game.round == 3
    mail_tables.advance(hours=2)
    _, text = told(mail_tables, "ann", "orders")
    assert "Nothing in them can still happen." in text


def test_orders_about_what_is_asked_now_act_at_once_and_the_answer_tells_of_it(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    state, text = told(mail_tables, "ann", "orders\nhide 2\ntake")
    assert (state, mail_tables.head(game).table.game.hands) == ("applied", {0: 2})
    assert "Result:\n  - ann orders ahead.\n  - The standing orders of ann are carried out.\n  - PennyHidden\n" in text


def test_a_mail_that_nobody_vouches_for_files_nothing_before_it_is_confirmed(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    number = mail_tables.reply("ann", "hide 2\norders\nhide 1\ntake", verdict=None)
    mail_tables.exchange()
    assert (mail_tables.mail_state(number), stands(mail_tables, game)) == ("held", "")
    assert "\n  | hide 2\n  | orders\n  | hide 1\n  | take\n" in mail_tables.newest_text("ann", "confirm")
    told(mail_tables, "ann", "yes")
    assert (stands(mail_tables, game), mail_tables.head(game).table.game.hands) == ("hide 1\ntake", {0: 2})


def test_out_36_who_wants_no_secrets_hears_only_that_orders_stand(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    mail_tables.change_profile("ann", secret_free=True)
    _, text = told(mail_tables, "ann", "orders\ntake pot of 4")
    assert "You have standing orders." in text
    assert "pot" not in text + html_of(mail_tables.newest_letter("ann"))
    _, text = told(mail_tables, "ann", "orders")
    assert "pot" not in text + html_of(mail_tables.newest_letter("ann"))
    _, text = told(mail_tables, "ann", "orders none")
    assert "What you had ordered ahead is withdrawn." in text
    assert stands(mail_tables, game) == ""


def test_nobody_files_for_a_seat_that_is_anothers_by_now(mail_tables: Tables) -> None:
    game = vacated(mail_tables)
    old = mail_tables.newest_letter("ann")
    mail_tables.sit(game, "cyd")
    mail_tables.exchange()
    state, _ = told(mail_tables, "ann", "orders\nhide 1", to=old)
    assert (state, stands(mail_tables, game)) == ("rejected", "")
    with pytest.raises(NotSeated), mail_tables.services.database.write() as tx:
        standing_orders.put_orders(mail_tables.services, tx, game, mail_tables.ids["ann"], text="hide 1")


def test_in_12_a_slip_in_the_heading_is_no_turn_played_without_its_orders(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    before = mail_tables.version(game)
    state, text = told(mail_tables, "ann", "hide 2\nordrs\ntake pot of 3")
    assert (state, mail_tables.version(game)) == ("rejected", before)
    assert "Did you mean “orders”?" in text


def test_help_has_the_words_for_both(mail_tables: Tables) -> None:
    at_table(mail_tables, "ann", "bob", "cyd", kind=TAMMANY, options={})
    number = mail_tables.reply("ann", "help", to=fresh(mail_tables))
    mail_tables.exchange()
    (text,) = mail_tables.outcome(number).shows
    assert "Ahead, below a line with the word “orders”:" in text
    assert "others bid none                     every ward without a line of its own" in text
    assert max(map(len, text.partition("Ahead,")[2].splitlines())) <= 78


# Followed


def history(mail_tables: Tables, game: str):
    head = mail_tables.head(game)
    with mail_tables.services.database.read() as connection:
        return mail_tables.services.streams.history(connection, game, head.rules, head.version)


def test_the_next_letter_tells_what_orders_did_meanwhile(mail_tables: Tables) -> None:
    """What a seat's orders do in a request of somebody else is news to its player."""
    game = at_table(mail_tables)
    told(mail_tables, "ann", "hide 3\norders\ntake")
    mail_tables.move(game, 1, "hide 0")
    mail_tables.exchange()
    since = mail_tables.newest_text("ann", "your-turn").partition("Since your last move:\n")[2].partition("\n\n")[0]
    assert [line.strip(" -") for line in since.splitlines()] == [
        "ann orders ahead.", "PennyHidden", "HandsOpened", "The standing orders of ann are carried out.",
        "PotTaken", "RoundEnded", "PotDrawn",
    ]  # fmt: skip


def test_a_letter_that_asks_says_in_a_line_that_orders_stand_or_could(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    assert "can be answered ahead, all in one mail: write\n“orders”" in mail_tables.newest_text("ann")
    puts(mail_tables, game, 0, "take")
    mail_tables.move(game, 0, "hide 3")
    mail_tables.move(game, 1, "hide 0")
    mail_tables.exchange()
    assert "Your standing orders: 1 line; write “orders” to see it." in mail_tables.newest_text("ann", "your-turn")
    puts(mail_tables, game, 0, "take\nhide 1")
    mail_tables.move(game, 1, "hide 0")
    mail_tables.exchange()
    assert stands(mail_tables, game) == "hide 1\ntake"


def test_strikes_are_cleared_and_a_stopped_clock_runs_when_orders_answer(mail_tables: Tables) -> None:
    clock = {"per_move": "P3D", "on_timeout": "pause", "strikes": 3}
    game = at_table(mail_tables, clock=clock)
    mail_tables.move(game, 1, "hide 1")
    mail_tables.advance(days=3, hours=2)
    mail_tables.sweep()
    table = mail_tables.head(game).table
    assert (table.paused, table.late, table.chairs[0].strikes) == (True, 0, 1)
    told(mail_tables, "ann", "orders\nhide 2")
    table = mail_tables.head(game).table
    assert (table.paused, table.late, table.chairs[0].strikes) == (False, None, 0)


def test_proxies_by_mail_answer_every_auction(mail_tables: Tables) -> None:
    game = at_table(mail_tables, kind=CITY, options={})
    for name in ("ann", "bob"):
        told(
            mail_tables,
            name,
            "orders\nothers bid up to 1\nkeep others up to 2\nevery round",
            to=fresh(mail_tables, name),
        )
    asked = set()
    for seed in range(80):
        if mail_tables.awaited(game):
            asked.add(mail_tables.phase(game))
            mail_tables.play_on(game, seed)
    assert not asked & {"bid", "decide"}, "nobody was asked what had been answered"
    bids = [one for one in history(mail_tables, game) if type(one.event).__name__ == "OrdersFollowed"]
    assert len(bids) > 10
    assert mail_tables.states(kind="orders-dropped") == {}


def test_nobody_goes_back_once_orders_have_played_on(mail_tables: Tables) -> None:
    game = at_table(mail_tables, "ann", "bob", "cyd")
    mail_tables.move(game, 1, "hide 1")
    mail_tables.move(game, 2, "hide 1")
    with mail_tables.services.database.write() as tx:
        takeback.go_back(mail_tables.services, tx, game, mail_tables.ids["bob"], to=mail_tables.version(game) - 2)
    assert mail_tables.head(game).table.proposal is not None
    puts(mail_tables, game, 0, "hide 0")
    assert mail_tables.head(game).table.proposal is None


def test_after_the_end_nothing_is_filed_or_withdrawn(mail_tables: Tables) -> None:
    game = at_table(mail_tables, options={"rounds": "1"})
    puts(mail_tables, game, 0, "hide 3\ntake")
    mail_tables.move(game, 1, "hide 0")
    before = mail_tables.version(game)
    assert mail_tables.head(game).table.status == "finished"
    assert not standing_orders.document(mail_tables.head(game), 0)["holds"]
    for text in ("orders\nhide 1", "orders none"):
        state, answer = told(mail_tables, "ann", text)
        assert (state, mail_tables.version(game)) == ("rejected", before)
        assert "The game is over." in answer


# Dropped


def dropped(mail_tables: Tables) -> str:
    """ann is to take a pot that is smaller than what she had ordered."""
    while True:
        game = at_table(mail_tables)
        if mail_tables.head(game).table.game.pot < 5:
            told(mail_tables, "ann", "hide 3\norders\nhide 3\ntake pot of 5")
            mail_tables.move(game, 1, "hide 0")
            return game


def test_out_33_the_letter_that_asks_says_what_was_dropped_and_why(mail_tables: Tables) -> None:
    game = dropped(mail_tables)
    pot = mail_tables.head(game).table.game.pot
    before = len(mail_tables.letters_to("ann"))
    mail_tables.exchange()
    assert kinds(mail_tables.letters_to("ann")[before:]) == ["your-turn"], "one mail"
    text = mail_tables.newest_text("ann")
    assert "You had ordered ahead:\n\n  | hide 3\n  | take pot of 5\n" in text
    assert f"\nThe pot holds {pot} pennies and no more.\nYou are asked yourself now.\n" in text
    assert "To order ahead anew, write “orders”" in text
    assert f"The pot holds {pot} pennies and no more." in html_of(mail_tables.newest_letter("ann"))
    assert (stands(mail_tables, game), mail_tables.awaited(game)) == ("", [0])


def test_a_drop_is_told_by_itself_where_the_question_was_answered_before_the_mail_left(mail_tables: Tables) -> None:
    game = dropped(mail_tables)
    mail_tables.move(game, 0, "take")
    mail_tables.exchange()
    assert "orders-dropped" in kinds(mail_tables.letters_to("ann"))
    text = mail_tables.newest_text("ann", "orders-dropped")
    assert text.startswith("Your standing orders in Pennies “Lunch break” were dropped.")
    assert "  | take pot of 5\n" in text
    assert "You are asked yourself now." not in text, "she is not"
    state, _ = told(mail_tables, "ann", "orders\nhide 1", to=mail_tables.newest_letter("ann", "orders-dropped"))
    assert state == "applied"


@pytest.fixture
def windowed(migrated_sqlite: str, manual_clock: ManualClock, open_services: Callable[..., Services]) -> Tables:
    """A post that lets three minutes pass between two mails that it is somebody's turn."""
    return Tables(open_services(migrated_sqlite, clock=manual_clock, **SETTINGS, MAIL_WINDOW="PT3M"), manual_clock)


def quick(mail_tables: Tables) -> str:
    """Orders of ann are dropped just after a mail that it is her turn: the next one waits."""
    while True:
        game = at_table(mail_tables)
        if mail_tables.head(game).table.game.pot < 5:
            puts(mail_tables, game, 0, "hide 3\ntake pot of 5")
            mail_tables.move(game, 1, "hide 0")
            return game


def test_rate_04_a_drop_waits_for_the_letter_that_asks_and_is_told_in_it(windowed: Tables) -> None:
    quick(windowed)
    windowed.exchange()
    assert kinds(windowed.letters_to("ann"))[-1] == "your-turn"
    assert windowed.states(kind="orders-dropped") == {"queued": 1}
    assert windowed.notices(kind="orders-dropped")[-1]["attempts"] == 0, "waiting is no attempt"
    before = len(windowed.letters_to("ann"))
    windowed.advance(minutes=5)
    windowed.exchange()
    windowed.advance(minutes=5)
    windowed.exchange()
    assert kinds(windowed.letters_to("ann")[before:]) == ["your-turn"]
    assert "  | take pot of 5\n" in windowed.newest_text("ann", "your-turn")
    assert windowed.states(kind="orders-dropped") == {"superseded": 1}


def test_rate_04_a_drop_is_told_by_itself_where_the_letter_that_asks_is_never_sent(windowed: Tables) -> None:
    game = quick(windowed)
    windowed.exchange()
    windowed.move(game, 0, "take")
    before = len(windowed.letters_to("ann"))
    for _ in range(3):
        windowed.advance(minutes=5)
        windowed.exchange()
    assert "orders-dropped" in kinds(windowed.letters_to("ann")[before:])
    assert "  | take pot of 5\n" in windowed.newest_text("ann", "orders-dropped")
    assert windowed.states(kind="orders-dropped") == {"sent": 1}


@pytest.mark.parametrize("state, result", [("queued", "held"), ("superseded", "sent"), ("failed", "sent"),
                                           ("bounced", "sent"), ("sent", "superseded")])  # fmt: skip
def test_rate_04_what_becomes_of_a_drop_by_what_became_of_the_letter_that_asks(mail_tables, state, result):
    quick(mail_tables)
    asks = mail_tables.notices(kind="your-turn")[-1]
    later = mail_tables.clock.at + 3600 * 10**6 if state == "queued" else 0
    with mail_tables.services.database.write() as tx:
        change = sa.update(deliveries).where(deliveries.c.notice_id == asks["id"])
        tx.execute(change.values(state=state, not_before=later))
    mail_tables.exchange()
    (row,) = mail_tables.notices(kind="orders-dropped")
    assert row["state"] == ("queued" if result == "held" else result)
    assert row["not_before"] > later, "not looked at before that one is due"


def test_the_answer_to_orders_says_what_has_run_out(mail_tables: Tables) -> None:
    game = at_table(mail_tables)
    told(mail_tables, "ann", "hide 2\norders\nhide 1\ntake")
    for _ in range(2):
        mail_tables.move(game, 1, "hide 3")
        mail_tables.move(game, 1, "take")
    assert mail_tables.head(game).table.game.round == 3
    stands_now = standing_orders.document(mail_tables.head(game), 0)
    assert (stands_now["text"], stands_now["live"], stands_now["holds"]) == ("hide 1\ntake", "take", True)
    _, text = told(mail_tables, "ann", "orders")
    assert "asked:\n  take\n1 line has run out.\nTo replace them" in text
    assert "  hide 1\n" not in text


def test_help_lists_how_to_take_back_and_how_to_answer(mail_tables: Tables) -> None:
    at_table(mail_tables)
    _, text = told(mail_tables, "ann", "help")
    for words in ("orders none ", "away none ", "undo ask ", "yes ", "no "):
        assert f"\n  {words}" in text


def test_rate_04_no_letter_tells_of_a_drop_when_new_orders_stand(mail_tables: Tables) -> None:
    game = dropped(mail_tables)
    mail_tables.move(game, 0, "take")
    puts(mail_tables, game, 0, "take")
    mail_tables.exchange()
    assert "orders-dropped" not in kinds(mail_tables.letters_to("ann"))
    assert mail_tables.states(kind="orders-dropped") == {"superseded": 1}
    assert "You had ordered ahead" not in mail_tables.newest_text("ann")


def test_out_36_who_wants_no_secrets_does_not_read_what_was_dropped(mail_tables: Tables) -> None:
    dropped(mail_tables)
    mail_tables.change_profile("ann", secret_free=True)
    mail_tables.exchange()
    text = mail_tables.newest_text("ann")
    assert "What you had ordered ahead could not be followed and is dropped." in text
    assert not any(word in text + html_of(mail_tables.newest_letter("ann")) for word in ("take pot", "pennies"))


def test_the_answer_to_a_mail_tells_of_a_drop_that_it_brought_about(mail_tables: Tables) -> None:
    while True:
        game = at_table(mail_tables)
        if mail_tables.head(game).table.game.pot < 5:
            break
    mail_tables.move(game, 1, "hide 0")
    state, text = told(mail_tables, "ann", "hide 3\norders\ntake pot of 5")
    assert state == "applied"
    assert "You had ordered ahead:\n\n  | take pot of 5\n" in text
    assert "You have no standing orders." in text
    assert kinds(mail_tables.letters_to("ann"))[-1] == "answer", "one mail tells it all"


# Taking over


def vacated(mail_tables: Tables, **terms: object) -> str:
    """ann ordered something ahead, and let two deadlines pass."""
    game = at_table(mail_tables, **terms)
    puts(mail_tables, game, 0, "take pot of 5")
    for _ in range(2):
        while mail_tables.awaited(game) != [0]:
            mail_tables.move(game, 1, "hide 3" if mail_tables.phase(game) == "hide" else "take")
        mail_tables.exchange()
        mail_tables.advance(days=4, hours=2)
        mail_tables.sweep()
        mail_tables.exchange()
    assert mail_tables.head(game).table.chairs[0].vacant
    return game


def test_a_newcomer_gets_a_brief(mail_tables: Tables) -> None:
    game = vacated(mail_tables, clock={"per_move": "P3D", "bank": "P1D"})
    mail_tables.sit(game, "cyd")
    mail_tables.exchange()
    assert kinds(mail_tables.letters_to("cyd")) == ["brief"]
    text = mail_tables.newest_text("cyd")
    assert text.startswith("You have a seat in Pennies “Lunch break”.\n")
    assert "\nYou play copper.\nbob has to answer by " in text
    for sentence in (
        "Time for a move: 3 days.",
        "Your time bank is used up.",
        "No missed deadline counts against you.",
        "What the player before you had ordered ahead is withdrawn.",
        "to play, answer it.",
    ):
        assert sentence in text
    assert "'phase': 'take'" in text, "the position"
    assert "Since you sat down:" in text
    assert "let the deadline pass" not in text, "that was before"
    assert "pot of 5" not in text
    state, _ = told(mail_tables, "cyd", "orders\nhide 1")
    assert (state, stands(mail_tables, game)) == ("applied", "hide 1"), "the brief can be answered"


def test_an_owner_who_comes_back_hears_what_was_played_meanwhile_in_one_mail(mail_tables: Tables) -> None:
    game = vacated(mail_tables)
    before = len(mail_tables.letters_to("ann"))
    state, text = told(mail_tables, "ann", "join")
    assert (state, kinds(mail_tables.letters_to("ann")[before:])) == ("applied", ["answer"])
    assert "Since a move was last made from your seat:\n" in text
    assert text.count("ann let the deadline pass") == 2
    assert "\nYour standing orders: 1 line; write “orders” to see it.\n" in text
    assert "withdrawn" not in text
    assert stands(mail_tables, game) == "take pot of 5", "they are the owner's own"
    assert mail_tables.states(kind="brief") == {"superseded": 1}


def test_rate_04_no_brief_for_a_seat_that_is_anothers_by_now(mail_tables: Tables) -> None:
    game = at_table(mail_tables, clock={"per_move": "P3D", "strikes": 1})
    for name in ("cyd", "dan"):
        while mail_tables.awaited(game) != [0]:
            mail_tables.move(game, 1, "hide 3" if mail_tables.phase(game) == "hide" else "take")
        mail_tables.expire(game, 0)
        mail_tables.advance(minutes=1)
        mail_tables.sit(game, name)
    mail_tables.exchange()
    told = [kinds(mail_tables.letters_to(name)) for name in ("cyd", "dan")]
    assert told == [["deadline-passed", "seat-taken"], ["brief"]]


# Nobody else learns what they say (S-08, T-62)


def sent(mail_tables: Tables, *names: str, since: int) -> list[tuple[str, str, str]]:
    numbers: dict[str, str] = {}
    letters = [letter for letter in mail_tables.carrier.letters[since:] if letter.to.partition("@")[0] in names]
    return [(it.to, it.return_path, renamed(it.data, numbers)) for it in letters]


@pytest.fixture
def copies(
    sqlite_template: Path, tmp_path: Path, open_services: Callable[..., Services]
) -> Callable[..., list[Tables]]:
    """Two worlds with one past, made by a function that begins a game."""

    def made(begins: Callable[[Tables], str]) -> list[Tables]:
        def at(path: Path) -> Tables:
            manual_clock = ManualClock()
            return Tables(open_services(f"sqlite:///{path}", clock=manual_clock, **SETTINGS), manual_clock)

        shutil.copy(sqlite_template, tmp_path / "first.sqlite")
        first = at(tmp_path / "first.sqlite")
        begins(first)
        worlds = []
        for number in range(2):
            shutil.copy(tmp_path / "first.sqlite", tmp_path / f"world{number}.sqlite")
            world = at(tmp_path / f"world{number}.sqlite")
            world.ids, world.clock.at = dict(first.ids), first.clock.at
            world.carrier.letters = list(first.carrier.letters)
            worlds.append(world)
        return worlds

    return made


@pytest.mark.parametrize(
    "orders",
    [
        ("orders\nhide 0", "orders\nhide 2\ntake pot of 4"),
        ("hide 0\norders\ntake pot of 1", "hide 0\norders\ntake pot of 2"),
        ("hide 1\norders\nhide 3", "hide 2\norders none"),
        ("orders\nhide 1\ntake pot of 9", "orders\nnonsense"),
    ],
)
def test_s08_mails_to_the_others_are_the_same_whatever_was_ordered_ahead(copies, orders):
    seen = []
    for world, text in zip(copies(with_orders), orders, strict=True):
        before = len(world.carrier.letters)
        world.reply("ann", text)
        world.exchange()
        for name in ("bob", "cyd"):
            world.reply(name, "status\nhistory 100\nlegal\norders\nboard")
            world.exchange()
        seen.append(sent(world, "bob", "cyd", since=before))
    if "none" in orders[1]:  # that they were withdrawn, not replaced, is public
        seen = [[(to, path) for to, path, _ in world] for world in seen]
    assert seen[0], "they had mail"
    assert seen[0] == seen[1]


def with_orders(mail_tables: Tables) -> str:
    game = at_table(mail_tables, "ann", "bob", "cyd")
    puts(mail_tables, game, 0, "take")
    return game


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_s08_a_ballot_and_its_drop_are_told_to_nobody_else(copies, seed):
    seen = []
    for world, ballot in zip(copies(tammany), ("bid irish 15", "bid english 14\nward 2 bid none"), strict=True):
        game = str(world.newest_letter("ann").message_id).split(".")[1]
        before = len(world.carrier.letters)
        told(world, "ann", f"orders\nward 1 {ballot}")
        chance = random.Random(seed)
        while world.phase(game) == "turn":
            seat = world.awaited(game)[0]
            legal = world.legal(game, seat)
            settle = [it for it in legal if it.startswith("settle boss 1 ") and it.endswith(" 1")]
            world.move(game, seat, f"{chance.choice(settle or ['place 1 1'])}\nend")
            world.exchange()
        seen.append(sent(world, "bob", "cyd", since=before))
        assert stands(world, game) == "", "dropped"
    assert len(seen[0]) > 6
    assert seen[0] == seen[1]


def tammany(mail_tables: Tables) -> str:
    game = mail_tables.begin("ann", "bob", "cyd", kind=TAMMANY)
    mail_tables.exchange()
    fresh(mail_tables)
    return game


def fresh(mail_tables: Tables, name: str = "ann") -> Letter:
    """A letter to somebody who can answer it, though nothing may have been asked of them yet."""
    game = mail_tables.notices(kind="your-turn")[-1]["game_id"]
    head = mail_tables.head(game)
    row = notice(head, mail_tables.ids[name], "fresh", "1", head.table.seat_of(mail_tables.ids[name]))
    with mail_tables.services.database.write() as tx:
        outbox.put(tx, [row])
    mail_tables.exchange()
    return mail_tables.newest_letter(name, "fresh")

"""The command block: what is an order, what is chatter, and what is refused (IN-09 to IN-13)."""

import pytest

from domain.engine.sentences import said
from tests.workers.parsing.desk import Tammany
from workers.parsing.command_block import (
    MISPLACED,
    NOT_ON_TOP,
    TOO_LOW,
    TWO_SETS,
    TWO_TEXTS,
    Block,
    agreed,
    find,
    find_in,
)
from workers.parsing.new_text import Extract, Line, new_text


def found(text, *, position="top", **grammar):
    lines = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
    return find(lines, Tammany(**grammar), position=position)


def commands(text, **more):
    """The orders of a text that is not refused."""
    block = found(text, **more)
    assert block.refused == []
    return [each.text for each in block.commands]


def refused(text, **more):
    """Line number, message and suggestion of each refusal."""
    return [(each.line.number, each.message, each.suggestion) for each in found(text, **more).refused]


# The block (IN-09)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("bid 30", ["bid 30"]),
        ("place 3\nend", ["place 3", "end"]),
        ("\n\nplace 3\nend\n", ["place 3", "end"]),
        ("Hi\n\nbid 30", ["bid 30"]),
        ("Hi\nall\nof you\n\nbid 30", ["bid 30"]),
        ("Hi\n\nWhat a game!\n\nbid 30", ["bid 30"]),
        ("bid 30\n\nSee you on Sunday", ["bid 30"]),
        ("3", ["3"]),
        ("3.", ["3"]),
        ("# my turn\nplace 3\n// and\nend", ["place 3", "end"]),
        ("- place 3\n- end", ["place 3", "end"]),
        ("1. place 3\n2. end", ["place 3", "end"]),
        ("bid 30\nstop\n\nbid 20\npaas", ["bid 30"]),
        ("bid 30\nsignoff\nplace 1", ["bid 30"]),
        ("bid 30\n-----\nplace 1", ["bid 30"]),
        ("bid 30\nthanks\nEd", ["bid 30"]),
        ("place 3\nThanks!", ["place 3"]),
        ("bid 30\n\nBest regards\nEd\nAlte Straße 3b", ["bid 30"]),
        ("bid 30\n\nBis dann\nBix", ["bid 30"]),
        ("place 3\nend\nbid 30", ["place 3", "end", "bid 30"]),
        ("", []),
        ("well played", []),
        ("# bid 30", []),
        ("type: bid 30", []),
        ("stop\n\nbid 30", []),
    ],
)
def test_in_09_the_block(text, expected):
    assert commands(text) == expected


def test_in_09_a_command_keeps_its_number_and_what_was_written():
    assert found("Hi\n\n*Bid 30*.").commands == [Line(3, "bid 30", "*Bid 30*.")]


def test_in_09_hard_wrapped_prose_never_executes():
    text = "If it had been my ward I think I would happily\nbid 30\nfor it."
    assert refused(text) == [(2, MISPLACED, "bid 30")]
    assert found(text).commands == []


def test_in_09_a_comment_does_not_make_a_line_stand_apart():
    assert refused("I would happily\n# well\nbid 30") == [(3, MISPLACED, "bid 30")]


@pytest.mark.parametrize("greeting", ["Hi", "Hello Bob,", "Dear all!", "Guten Morgen", "Salut à tous", "Hi\nHello Cy"])
def test_in_09_an_order_may_stand_right_below_a_greeting(greeting):
    assert commands(f"{greeting}\nbid 30") == ["bid 30"]
    assert commands(f"{greeting}\nplace 3\nend") == ["place 3", "end"]


@pytest.mark.parametrize("line", ["Well", "Hi Bob, if I were you I", "How are you?", "Hi there\nhow is it going"])
def test_in_09_an_order_glued_to_other_text_is_asked_for_again(line):
    assert [(message, suggestion) for _, message, suggestion in refused(f"{line}\nbid 30")] == [(MISPLACED, "bid 30")]


def test_in_09_more_than_three_lines_of_greeting_are_too_many():
    assert refused("a\nb\nc\nd\n\nbid 30") == [(6, TOO_LOW, "")]
    assert refused("a\nb\n\nc\nd\n\nbid 30") == [(7, TOO_LOW, "")]


def test_in_09_end_is_a_command_where_the_game_has_it_and_a_terminator_elsewhere():
    assert commands("place 3\nend\nplace 4\nend") == ["place 3", "end", "place 4", "end"]
    assert commands("bid 30\nend\nbid 20", without="end") == ["bid 30"]


@pytest.mark.parametrize("line", ["cheers", "Ann", "Ann Ames!", "…", "👍", "Bis dann!"])
def test_in_09_chatter_under_complete_orders_is_ignored_and_reported(line):
    block = found(f"bid 30\n{line}")
    assert ([each.text for each in block.commands], block.refused) == (["bid 30"], [])
    assert block.ignored == [Line(2, line)]


@pytest.mark.parametrize("line", ["cheers", "Ann", "for 3 coins", "I pass then", "type: bid 30", "x" * 300])
def test_in_09_a_glued_line_rejects_orders_that_are_not_complete(line):
    assert [number for number, _, _ in refused(f"place 3\n{line}\nplace 4")] == [2]


@pytest.mark.parametrize("line", ["at 3 o'clock", "I would not pass", "pass the salt", "paas", "bid", "type: pass"])
def test_in_09_a_glued_line_that_may_mean_something_rejects_complete_orders_too(line):
    assert [number for number, _, _ in refused(f"bid 30\n{line}")] == [2]


def test_in_09_orders_go_on_after_a_line_that_was_not_understood():
    block = found("place 3\nplonk\nend")
    assert [each.text for each in block.commands] == ["place 3", "end"]
    assert [each.line for each in block.refused] == [Line(2, "plonk")]
    assert block.refused[0].message == "No order begins so."


def test_in_09_paragraphs_that_only_together_answer_are_one_block():
    assert commands("place 3\n\nend") == ["place 3", "end"]
    assert commands("Hi\n\nplace 3\n\n\nend\n\nAnn") == ["place 3", "end"]
    assert commands("place 3\n\nThat hurts!\n\nend") == ["place 3", "end"]
    assert commands("place 3\n\nplace 4") == ["place 3", "place 4"]
    assert commands("help\n\nbid 30\n\nhelp") == ["help", "bid 30"]


def test_in_09_two_paragraphs_that_each_answer_are_two_sets():
    assert refused("place 3\nend\n\nplace 4\nend") == [(4, TWO_SETS, ""), (5, TWO_SETS, "")]
    assert refused("place 3\n\nend\n\nbid 30") == [(5, TWO_SETS, "")]
    assert refused("bid 30\n\nplace 3") == [(3, TWO_SETS, "")]


def test_in_09_no_order_is_taken_from_below_a_closing():
    assert refused("place 3\n\nCheers\n\nend") == [(5, TWO_SETS, "")]
    assert commands("bid 30\n\nCheers\n\nhelp") == ["bid 30"]


# The copy (OUT-35)


def copies(text, **more):
    return [[line.text for line in each] for each in found(text, **more).copies]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("plase 3\nend", [["place 3", "end"]]),
        ("place 3\nedn", [["place 3", "end"]]),
        ("place 3\nplace 4\nplac 5\nend", [["place 3", "place 4", "place 5", "end"]]),
        ("plase 3\nend\nAlice", [["place 3", "end"]]),
        ("plase 3\nend\n\nJoan", [["place 3", "end"]]),
        ("Hello\nplase 3\nend", [["place 3", "end"]]),
        ("place 3\nplonk\nend", [["place 3", "end"]]),
        ("I would\nplace 3\nend", [["place 3", "end"]]),
        ("bid 30\n\npaas", [["bid 30"], ["pass"]]),
        ("bid 20\n\nbid 30", [["bid 20"], ["bid 30"]]),
        ("place 3\nend\n\nplace 4\nend", [["place 3", "end"], ["place 4", "end"]]),
        ("bid 30", []),
    ],
)
def test_out_35_the_copy_is_the_whole_block_with_its_slips_corrected(text, expected):
    assert copies(text) == expected


def test_out_35_under_a_slip_a_signature_is_no_error():
    assert [number for number, _, _ in refused("plase 3\nend\nAlice")] == [1]
    assert [number for number, _, _ in refused("plase 3\nend\n\nRegards\nJoan\nbdi")] == [1]


# Near misses (IN-10)


def test_in_10_a_slip_is_not_lost_as_chatter():
    assert refused("bid 30\n\npaas") == [(3, "“paas” was not understood. Did you mean “pass”?", "pass")]
    assert refused("Paas.\n\nbid 30") == [(1, "“Paas.” was not understood. Did you mean “pass”?", "pass")]
    assert refused("bdi 30") == [(1, "“bdi 30” was not understood. Did you mean “bid 30”?", "bid 30")]
    assert refused("paas the turn") == [(1, "“paas the turn” was not understood. Did you mean “pass”?", "pass")]


def test_in_10_a_verb_with_bad_arguments_says_what_would_fit():
    assert refused("bid much") == [(1, "bid fits otherwise.", "")]
    assert refused("3 please") == [(1, "No order begins so.", "")]


def test_in_10_a_number_that_is_no_option_is_not_lost():
    assert refused("9") == [(1, "No order begins so.", "")]
    assert refused("bid 30\n\n9") == [(3, "No order begins so.", "")]


@pytest.mark.parametrize(
    "line",
    [
        "I would like to bid 30 for it",
        "pass me the salt when you come over",
        "bidden guests are welcome",
        "boss",
        "hello",
        "4 please",
        "30 people came",
        "type: paas",
    ],
)
def test_in_10_prose_is_no_near_miss(line):
    assert commands(f"bid 30\n\n{line}") == ["bid 30"]


@pytest.mark.parametrize("orders", ["place 3\nend", "place 3\nplace 4\nend"])
@pytest.mark.parametrize(
    "name", "Alice John Paul Joan Megan Logan Grace Bill Bud Jan Sven Karen Silke Pascal Plácido".split()
)
def test_in_10_under_complete_orders_a_signature_is_no_near_miss(orders, name):
    """What would be suggested would not answer the decision."""
    for below in (f"\n{name}", f"\n\n{name}", f"\n\nCheers\n{name}", f"\n\nAnd good luck!\n\n{name}"):
        assert commands(orders + below) == orders.split("\n")


@pytest.mark.parametrize(
    "line", ["So there.", "No hurry", "And good luck!", "place your bets", "bid", "slandr bob", "plase 4"]
)
def test_in_10_under_complete_orders_a_line_that_would_answer_nothing_is_chatter(line):
    block = found(f"bid 30\n\n{line}", without="end")
    assert ([each.text for each in block.commands], block.refused) == (["bid 30"], [])
    assert [each.text for each in block.ignored] == [line]


def test_in_10_a_slip_that_says_what_was_ordered_contradicts_nothing():
    assert commands("pass\n\npass it on") == ["pass"]
    assert refused("bid 30\n\npass it")[0][2] == "pass"
    assert commands("bid 30\n\npass it on") == ["bid 30"]
    assert commands("bid 30\n\npas de souci") == ["bid 30"]
    assert commands("bid 30\n\nPasst!") == ["bid 30"]


def test_in_10_an_order_said_again_adds_nothing():
    assert commands("place 3\nend\n\nPlace 3.\n\nAnn") == ["place 3", "end"]
    assert [message for _, message, _ in refused("bid 30\n\nbid 30")] == [TWO_SETS]


@pytest.mark.parametrize("name", ["Ed", "Enda", "Paas"])
def test_in_10_names_of_those_who_play_are_never_near_misses(name):
    class Table(Tammany):
        people = ("ed", "enda", "paas")

    for text in (f"bid 30\n\n{name}", f"bid 30\n{name}", f"Hi\n\n{name}\n\nbid 30"):
        lines = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
        assert find(lines, Table()).refused == []


@pytest.mark.parametrize(
    "line",
    ["No, make that 2", "Sorry, bid 20", "sorry, pass", "Actually 2", "Wait, I pass", "doch lieber 2", "non, plutôt 2"],
)
def test_in_10_what_takes_an_order_back_is_asked_about(line):
    assert [(number, suggestion) for number, _, suggestion in refused(f"bid 30\n\n{line}")] == [(3, "")]
    assert commands(f"bid 30\n\n{line} or something of that sort, who knows, it is late") == ["bid 30"]


def test_in_10_six_words_may_be_a_command_and_seven_are_prose():
    assert refused("pass one two three four five")
    assert commands("pass one two three four five six") == []


def test_t_57_a_line_too_long_for_a_command_is_none():
    assert commands("pass" + "!" * 196) == ["pass"]
    assert commands("pass" + "!" * 197) == []


def test_in_10_two_sets_of_orders_are_refused():
    assert refused("bid 20\n\nbid 30") == [(3, TWO_SETS, "")]
    assert refused("bid 20\n\nHow are you?\n\n3") == [(5, TWO_SETS, "")]
    assert refused("bid 20\nthanks\n\nbid 30") == [(4, TWO_SETS, "")]
    assert refused("bid 20\ncheers\nbid 30") == [(3, TWO_SETS, "")]


# Amounts (IN-12)


def test_in_12_an_ambiguous_amount_is_refused_with_both_readings():
    assert refused("bid 3O")[0][1] == "“3o” can be read as 30 or as 3. Write it as a plain number."
    assert refused("bid 1.000")[0][1] == "“1.000” can be read as 1000 or as 1.000. Write it as a plain number."
    assert refused("place 3,14")[0][1] == "“3,14” can be read as 3 14 or as 3.14. Write it as a plain number."


def test_in_12_an_ambiguous_option_is_refused():
    assert refused("1l", options=1)[0][1].startswith("“1l” can be read as 11 or as 1.")
    assert commands("9l", options=3) == []


# Pictures (IN-13)


def test_in_13_a_picture_is_told_and_is_no_order():
    block = found("\n👍🏽\n")
    assert (block.reaction, block.commands, block.refused) == ("👍🏽", [], [])
    assert found("👍 bid 30").reaction == ""


# Answers between quotations (IN-08)


def test_in_08_answers_between_quotations_count_only_if_all_of_them_are_orders():
    assert commands("place 3\n\n\n# so\nend", position="inline") == ["place 3", "end"]
    assert refused("place 3\nwell\nmaybe\nend", position="inline") == [(2, NOT_ON_TOP, "")]


def test_in_08_orders_under_the_quotation_refuse_those_on_top():
    extract = new_text("Hi\n\n> quoted\n\nbid 30\nthanks\n", [])
    assert [each.message for each in find_in(extract, Tammany()).refused] == [NOT_ON_TOP]
    extract = new_text("bid 30\n\n> quoted\n\nwell done\n", [])
    assert find_in(extract, Tammany()).refused == []


def test_an_unsure_extract_is_refused():
    block = find_in(Extract([Line(1, "bid 30")], unsure="We could not tell."), Tammany())
    assert (block.commands, [each.message for each in block.refused]) == ([], ["We could not tell."])


# What was ignored


def test_out_33_ignored_lines_are_counted_with_the_signature():
    block = find_in(new_text("Hi\n\nbid 30\n\nBest regards\nAnn\n\n-- \nAmes Ltd\n", []), Tammany())
    assert block.ignored == [Line(1, "Hi"), Line(5, "Best regards"), Line(6, "Ann")]
    above, below = "Ignored above your orders: 1 line, “Hi”.", "Ignored: 4 lines from “Best regards” on."
    assert block.ignored_note == f"{above} {below}"


@pytest.mark.parametrize(
    "text, note",
    [
        ("bid 30", ""),
        ("Hi\n\nbid 30", "Ignored above your orders: 1 line, “Hi”."),
        ("Hi\n\nall\n\nbid 30", "Ignored above your orders: 2 lines from “Hi” on."),
        ("place 3\n# so\nend", "Ignored above your orders: 1 line, “# so”."),
        ("bid 30\n\nbye", "Ignored: 1 line, “bye”."),
        ("bid 30\n\n-- \nAnn", "Ignored: 2 lines from “--” on."),
        ("bid 30\n\n" + "word " * 40, "Ignored: 1 line, “" + "word " * 11 + "word…”."),
        ("Hi\nthere", "Ignored: 2 lines from “Hi” on."),
    ],
)
def test_out_33_the_note_says_from_where_on(text, note):
    assert find_in(new_text(text, []), Tammany()).ignored_note == note


@pytest.mark.parametrize("position", ["top", "inline"])
@pytest.mark.parametrize(
    "text",
    [
        "Hi\nall\n\nbid 30\nthanks\n\nAnn",
        "a\nb\nc\nd\n\nplace 3\nplonk\nend\n\npaas\nbid 30\nwell",
        "# note\nplace 3\n// so\nstop\nbid 30\n#3",
        "Hi\nbid 30\n\nbid 20\nwell\nso",
        "well\n" * 5,
        "#" + "x" * 300,
    ],
)
def test_out_33_every_line_is_used_or_refused_or_reported(text, position):
    block = found(text, position=position)
    told = [*block.commands, *block.ignored, *(each.line for each in block.refused)]
    written = [number for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    assert sorted({each.number for each in told}) == written
    assert [each.number for each in block.ignored] == sorted(each.number for each in block.ignored)
    assert bool(block.ignored_note) == bool(block.ignored)


def test_in_10_a_suggestion_keeps_the_letters_of_the_line():
    assert refused("- Bdi None")[0][2] == "bid None"


def test_notes_can_be_said_in_another_language():
    class German:
        def ngettext(self, one, many, number):
            return "Nicht gelesen: {count} Zeilen ab „{line}“."

    note = find_in(new_text("bid 30\n\na\nb", []), Tammany()).ignored_note
    assert said(note, German()) == "Nicht gelesen: 2 Zeilen ab „a“."


# Two texts (IN-06)


def both(plain, html):
    return agreed(*(find_in(new_text(text, []), Tammany()) for text in (plain, html)))


def test_in_06_two_texts_with_different_orders_are_refused():
    assert [each.message for each in both("bid 30", "bid 40").refused] == [TWO_TEXTS]
    assert [each.message for each in both("place 3\nend", "place 3").refused] == [TWO_TEXTS]
    assert [each.message for each in both("bid 30", "bid 40\n\npaas").refused] == [TWO_TEXTS]


def test_in_06_two_texts_with_the_same_orders_are_one():
    assert [each.text for each in both("bid 30", "Hello\n\nBid 30!").commands] == ["bid 30"]
    assert both("bid 30", "hello").refused == []
    assert both("bid 30", "bid 30\n\npaas").commands
    assert both("hello", "bid 30").commands == []


def test_in_09_empty_lines_that_only_plain_text_has_do_not_make_two_sets():
    block = both("place 3\n\nend\n\nThanks\n\nAnn", "place 3\nend\nThanks\nAnn")
    assert ([each.text for each in block.commands], block.refused) == (["place 3", "end"], [])
    assert [each.message for each in both("bid 20\n\nbid 30", "bid 30").refused] == [TWO_SETS]
    assert [each.message for each in both("well\nbid 30", "well bid 30\nbid 30").refused] == [MISPLACED]


def test_a_block_of_nothing_is_empty():
    assert found("") == Block()

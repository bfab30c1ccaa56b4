"""What a line of a mail may be: orders as people type them, names as people see them, and talk that stays private."""

from collections.abc import Mapping, Sequence

import pytest

from domain.engine.refusals import OrderNotUnderstood
from domain.rulesets import RULESETS
from service.accounts.names import handles
from service.games.outcomes import NotSaid
from service.languages import LANGUAGES, words
from workers.commands.words.block_text import ready
from workers.commands.words.command import Command
from workers.commands.words.grammar import ONE_A_LINE, Grammar
from workers.parsing.command_block import Block, find
from workers.parsing.new_text import Line
from workers.parsing.normalise import normal

PEOPLE = ("Ann", "Félix", "Newbie O'Hara", "Søren", "Jürgen Groß")
TAMMANY, CITY = "tammany-hall", "city-hall"


def grammar(
    kind: str = TAMMANY, language: str = "en", people: Sequence[str | None] = PEOPLE, options: Mapping[int, str] = {}
) -> Grammar:
    rules = RULESETS[kind]
    people = people[: len(rules.notation.pawns)]
    names, speak = handles(people, rules), words(language, kind)
    return Grammar(rules, names, language, options, frozenset(), speak, lambda orders: True, people)


def heard(said: str, **more) -> tuple[int | None, str]:
    """To whom a line goes, and what it says."""
    return grammar(**more).addressed(Command("say", f"say {said}"))


def understood(line: str, **more) -> str:
    return grammar(**more).command(normal(line)).text


def refused(line: str, **more) -> str:
    with pytest.raises(OrderNotUnderstood) as error:
        understood(line, **more)
    return str(error.value.message)


def block(text: str, **more) -> Block:
    return find([Line(number, line) for number, line in enumerate(text.split("\n"), 1)], grammar(**more))


# Talk


@pytest.mark.parametrize("to", ["to", "TO", "à", "À", "a\u0300", "a", "au", "aux", "an", "zu", "zum", "@"])
@pytest.mark.parametrize("colon", [":", " :", "\u00a0:", "："])
def test_in_14_talk_to_one_is_told_to_one_in_every_language(to, colon):
    assert heard(f"{to} Ann{colon} my secret: I bid 3") == (0, "my secret: I bid 3")


@pytest.mark.parametrize(
    "name, seat",
    [
        ("félix", 1), ("FÉLIX", 1), ("felix", 1), ("Fe\u0301lix", 1),
        ("Newbie O'Hara", 2), ("newbie o’hara", 2), ("Newbie  OHara", 2), ("newbie-o-hara", 2), ("*Newbie O'Hara*", 2),
        ("søren", 3), ("sren", 3), ("Jürgen Groß", 4), ("juergen gross", 4), ("jurgen gross", 4),
        ("red", 0), ("rouge", 0), ("Gelb", 1), ("@ann", 0), ("An\u200bn", 0),
    ],
)  # fmt: skip
def test_names_are_matched_as_people_see_them(name, seat):
    assert heard(f"to {name}: secret") == (seat, "secret")
    assert heard(f"{name}: secret") == (seat, "secret")


@pytest.mark.parametrize(
    "said, seat, text",
    [
        ("to ann secret", 0, "secret"),
        ("to Ann, secret", 0, "secret"),
        ("à Félix coucou", 1, "coucou"),
        ("zu Newbie O'Hara komm", 2, "komm"),
        ("an Ann hallo", 0, "hallo"),
        ("@félix psst", 1, "psst"),
    ],
)
def test_a_name_right_after_the_preposition_needs_no_colon(said, seat, text):
    assert heard(said) == (seat, text)


@pytest.mark.parametrize(
    "said",
    [
        "to Bob: secret", "to Bob : secret", "à Bob : secret", "an Bob: geheim", "zu Bob: geheim", "zum Bob: geheim",
        "to Newbie O'Harra: secret", "to my good old friend from Boston: secret", "Bob: secret",
        "mon ami : secret", "Dear Ann: secret",
        "only to Ann: secret", "and this only for Félix: secret", "@bob secret", "to an: secret", "to ana secret",
        "to: Ann secret", "bob:secret", "to Bob :D and more: secret", "Bob： secret",
    ],
)  # fmt: skip
def test_in_12_what_may_be_meant_for_one_is_not_told_to_all(said):
    with pytest.raises(NotSaid) as error:
        heard(said)
    assert error.value.code == "no-such-player"
    assert "say to NAME: …" in error.value.message


@pytest.mark.parametrize(
    "said",
    [
        "good luck", "see you at 8:30", "8:30 is fine", "at 8:30 then", "to be or not to be", "a red one would do",
        "hello :-)", "hello :)", "haha :D", "https://example.org", "look at this: nice", "a game at 8:30",
        "I like it: three of them", "all: good luck", "tous : bonne chance", "Ann, well played", "zu spät",
    ],
)  # fmt: skip
def test_what_is_for_the_table_is_told_to_the_table(said):
    assert heard(said) == (None, said)


@pytest.mark.parametrize("to", ["to all", "à tous ", "an alle", "to the table"])
def test_the_table_can_be_named(to):
    assert heard(f"{to}: good luck") == (None, "good luck")


@pytest.mark.parametrize("said", ["to Ann", "to Ann:", "Ann:", "@Ann"])
def test_nothing_is_no_talk_to_anybody(said):
    with pytest.raises(NotSaid, match="on the same line"):
        heard(said)


def test_in_12_a_name_two_players_may_have_is_not_guessed_at():
    for people, name in ((("Ann", "ANN"), "ann"), (("Bob", "Red"), "Red"), (("An-Na", "An Na"), "an'na")):
        with pytest.raises(NotSaid, match="Write the pawn instead: red, yellow"):
            heard(f"to {name}: secret", people=people)
    assert heard("to Anna: hello", people=("Anna", "Ann A")) == (0, "hello"), "her very letters"
    assert heard("to Ann A: hello", people=("Anna", "Ann A")) == (1, "hello")


def test_a_name_in_other_letters_is_matched_too():
    assert heard("to Жанна: привет", people=("Ann", "Жанна")) == (1, "привет")


# Orders


@pytest.mark.parametrize("name", ["Newbie O'Hara", "newbie o’hara", "newbie-o-hara"])
def test_names_people_see_are_understood_in_orders(name):
    assert understood(f"slander {name} 8 german") == "slander black 8 german"
    assert understood(f"assign deputy {name} police Félix") == "assign deputy black police yellow"
    assert understood(f"accept {name}", kind=CITY) == "accept green"


def test_a_word_of_the_notation_is_no_name_where_the_line_is_an_order():
    assert understood("slander yellow 8 german", people=("German", "Ann", "Yellow")) == "slander yellow 8 german"
    assert refused("slander Ann 8 german", people=("Bob", "Ann A", "Ann-A"))


@pytest.mark.parametrize(
    "line, order",
    [
        ("place 6, 14", "place 6 14"),
        ("place 6 ,14", "place 6 14"),
        ("place 6; 14;", "place 6 14"),
        ("place 6 and 14.", "place 6 14"),
        ("place 6 et 14", "place 6 14"),
        ("place 6 und 14", "place 6 14"),
        ("place 6 & 14", "place 6 14"),
        ("bid irish 2,german 1", "bid irish 2 german 1"),
        ("bid irish 2 and german 1", "bid irish 2 german 1"),
        ("assign deputy ann, police félix", "assign deputy red police yellow"),
        ("slander Newbie O'Hara, 8, german", "slander black 8 german"),
        ("bid nothing", "bid none"),
        ("bid zero", "bid none"),
        ("end;", "end"),
    ],
)
def test_orders_as_people_type_them(line, order):
    assert understood(line) == order


def test_orders_as_people_type_them_in_another_game():
    assert understood("zone take housing, park", kind=CITY) == "zone take housing park"
    assert understood("lobby buy 2, sell 1", kind=CITY) == "lobby buy 2 sell 1"
    assert understood("bid zero", kind=CITY) == "bid 0"


@pytest.mark.parametrize("line", ["place 6 14; end", "place 6, end", "place 6 and end", "end; status", "end, say hi"])
def test_one_line_is_never_two_commands(line):
    assert refused(line) == ONE_A_LINE
    assert [each.message for each in block(line).refused] == [ONE_A_LINE]


def test_two_commands_of_one_word_are_not_suggested_as_one():
    assert [(each.message, each.suggestion) for each in block("keep; pass", kind=CITY).refused] == [(ONE_A_LINE, "")]


@pytest.mark.parametrize("line", ["place 6,14", "bid irish 1,5", "place 6.14"])
def test_in_12_an_amount_with_a_comma_in_it_is_not_guessed_at(line):
    assert "can be read as" in block(line).refused[0].message


@pytest.mark.parametrize("line", ["and", "et und", "place and", "end end"])
def test_signs_alone_are_no_order(line):
    assert refused(line)


OPTIONS = {1: "place 3", 2: "place 4", 3: "end"}


@pytest.mark.parametrize("line", ["3", "3.", "option 3", "Option 3.", "Nr. 3", "nr 3", "no. 3", "n° 3", "Nummer 3"])
def test_out_31_the_number_of_an_option(line):
    assert understood(line, options=OPTIONS) == "end"


def test_out_31_a_number_beyond_the_options_is_none():
    assert "no option 4" in refused("option 4", options=OPTIONS)
    assert "A line begins with" in refused("option 3")
    assert "alone on its line" in refused("no 3", options=OPTIONS)


def test_a_comment_is_no_option_and_is_told_of():
    found = block("#3\nend", options=OPTIONS)
    assert ([each.text for each in found.commands], [each.text for each in found.ignored]) == (["end"], ["#3"])


# Suggestions


@pytest.mark.parametrize(
    "line, language, suggestion",
    [
        ("wähel Q1", "de", "wähle Q1"),
        ("wahlle Q1", "de", "wähle Q1"),
        ("draaft Q1", "de", "draft Q1"),
        ("chosir Q1", "fr", "choisir Q1"),
        ("wähel Q1", "en", ""),
        ("chosir Q1", "de", ""),
    ],
)
def test_in_10_suggestions_are_in_the_players_language_or_english_as_it_is_spelled(line, language, suggestion):
    found = block(f"pass\n{line}", kind=CITY, language=language)
    assert [each.suggestion for each in found.refused] == [suggestion]


@pytest.mark.parametrize("line", ["yess", "noo", "jion", "leve", "undoo", "leave please", "yes please", "no way"])
def test_in_10_what_is_grave_is_never_suggested(line):
    assert [each.suggestion for each in block(line).refused] == [""]


# Ready to copy


@pytest.mark.parametrize(
    "line, language, text",
    [
        ("- SAY Hello, Bob!", "en", "say Hello, Bob!"),
        ("sagen Hallo Bob!", "de", "sagen Hallo Bob!"),
        ("Join Zed the Great", "en", "join Zed the Great"),
        ("*Place 3*", "en", "place 3"),
    ],
)
def test_talk_ready_to_copy_is_as_it_was_written(line, language, text):
    (command,) = block(line, language=language).commands
    assert ready(command, language, TAMMANY) == text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("line", ["bonus favour irish", "OFFICE Favour german", "orders bonus 4 favour irish"])
def test_in_14_favour_is_understood_wherever_favor_is(language, line):
    """In a move and in what is ordered ahead, in every language of the mail."""
    spelt = line.lower().replace("favour", "favor")
    rules = RULESETS[TAMMANY]
    parse = rules.standing_orders.parse if line.startswith("orders") else rules.notation.parse
    one, other = (understood(text, language=language).removeprefix("orders ") for text in (line, spelt))
    assert parse(one, []) == parse(other, [])

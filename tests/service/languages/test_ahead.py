"""What is ordered ahead, in the languages of the players: what they type and what they are shown (IN-14, OUT-37)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.engine.refusals import OrderNotUnderstood
from domain.engine.sentences import COMMAND, Row, Sentence
from domain.rulesets import RULESETS
from service.languages import ENGLISH, LANGUAGES, canonical, shown, words
from service.languages.catalogues import SHARED, is_translated, read
from service.languages.commands import folded
from tests.domain.city_hall.test_proxies import proxies
from tests.domain.tammany_hall.test_ballot_notation import LINES, UNFIT, ballots

FOREIGN = [language for language in LANGUAGES if language != ENGLISH]
GAMES = [(language, kind) for language in FOREIGN for kind in RULESETS]
NAMES = ("ann", "bob", "cy", "dee")
ORDERS = {"tammany-hall": ballots, "city-hall": proxies}
"""Any orders of each game, sensible or not."""
MISREAD = {
    "tammany-hall": [
        *UNFIT.strip().splitlines(), "ward 12 bid none", "ward 6 up to 0 irish", "ward 6 up to 3 greek",
        "bonus 12 pass", "assign deputy zoe", "assign for ann", "term 5", "term 1\nterm 2",
        "keep 2 irish for ward others", "jump",
    ],
    "city-hall": [
        "bid", "bid tax", "bid mayor 4", "bid tax four", "pass", "keep tax 5", "keep tax up to x", "others", "accept",
        "accept bob others", "accept zoe", "every", "every rounds", "round one", "round 0",
        "round 3\nevery round", "sell tax",
    ],
}  # fmt: skip
"""Lines that are no orders, for every reason there is."""


@pytest.mark.parametrize(
    "language, kind, line, english",
    [
        ("de", "tammany-hall", "Bezirk 6 bis zu 3 irisch englisch", "ward 6 up to 3 irish english"),
        ("de", "tammany-hall", "bezirk 6 bis 3 irische", "ward 6 up 3 irish"),
        ("de", "tammany-hall", "bezirk 4 bieten irisch 2 wenn umkaempft", "ward 4 bid irish 2 if contested"),
        ("de", "tammany-hall", "bezirk 7 bieten irisch 2 solange gewinnbar", "ward 7 bid irish 2 while winnable"),
        ("de", "tammany-hall", "behalten 2 irische für Bezirk 14", "keep 2 irish for ward 14"),
        ("de", "tammany-hall", "andere bieten nichts", "others bid none"),
        ("de", "tammany-hall", "bonus übrige passen", "bonus others pass"),
        ("de", "tammany-hall", "passen Verunglimpfung", "pass slander"),
        ("de", "tammany-hall", "Ende sobald eingesetzt", "end when placed"),
        ("de", "tammany-hall", "Amtszeit 2", "term 2"),
        ("fr", "tammany-hall", "Quartier 6 au plus 3 irlandais anglais", "ward 6 up to 3 irish english"),
        ("fr", "tammany-hall", "quartier 6 jusqu'à 3 irlandais", "ward 6 up 3 irish"),
        ("fr", "tammany-hall", "quartier 6 jusqu’a 3 irlandais", "ward 6 up 3 irish"),
        ("fr", "tammany-hall", "quartier 4 enchérir irlandais 2 si disputé", "ward 4 bid irish 2 if contested"),
        ("fr", "tammany-hall", "quartier 7 miser irlandais 2 quand gagnable", "ward 7 bid irish 2 while winnable"),
        ("fr", "tammany-hall", "garder 2 irlandais pour quartier 14", "keep 2 irish for ward 14"),
        ("fr", "tammany-hall", "autres enchérir rien", "others bid none"),
        ("fr", "tammany-hall", "bonus autres passer", "bonus others pass"),
        ("fr", "tammany-hall", "passer calomnie", "pass slander"),
        ("fr", "tammany-hall", "fin après placement", "end when placed"),
        ("fr", "tammany-hall", "Periode 2", "term 2"),
        ("de", "city-hall", "bieten Steuern bis zu 4", "bid tax up to 4"),
        ("de", "city-hall", "behalten uebrige bis 3", "keep others up 3"),
        ("de", "city-hall", "übrige passen", "others pass"),
        ("de", "city-hall", "alle Runden", "every round"),
        ("de", "city-hall", "Runde 4", "round 4"),
        ("fr", "city-hall", "enchérir impôts au maximum 4", "bid tax up to 4"),
        ("fr", "city-hall", "garder autres jusqu'à 3", "keep others up 3"),
        ("fr", "city-hall", "autres passer", "others pass"),
        ("fr", "city-hall", "chaque manche", "every round"),
        ("fr", "city-hall", "toutes manches", "every round"),
        ("fr", "city-hall", "manche 4", "round 4"),
    ],
)
def test_in_14_a_line_is_understood_as_people_write_it(language, kind, line, english):
    read_as = canonical(line, language, kind)
    assert read_as == english
    assert RULESETS[kind].standing_orders.parse(read_as, NAMES)


@pytest.mark.parametrize("language", FOREIGN)
@pytest.mark.parametrize("line", [line for line, _ in LINES])
def test_in_14_every_line_of_a_ballot_has_its_words(language, line):
    typed = shown(line, language, "tammany-hall")
    assert canonical(typed, language, "tammany-hall") == line
    for english, foreign in zip(line.split(), typed.split(), strict=True):
        assert (
            foreign == english if english.isdecimal() else foreign != english or english in ("bonus", "police", "cube")
        )


@pytest.mark.slow
@pytest.mark.parametrize("language, kind", GAMES)
@given(st.data())
def test_in_14_what_is_ordered_ahead_can_be_typed_as_it_is_shown(language, kind, data):
    """Whatever is ordered, in capitals and without accents, too."""
    ahead = RULESETS[kind].standing_orders
    orders = data.draw(ORDERS[kind])
    text = ahead.write(orders)
    typed = [shown(line, language, kind) for line in text.splitlines()]
    for spelled in (typed, list(map(str.upper, typed)), list(map(folded, typed))):
        english = "\n".join(canonical(line, language, kind) for line in spelled)
        assert ahead.parse(english, RULESETS[kind].notation.pawns) == orders


@pytest.mark.slow
@pytest.mark.parametrize("language, kind", GAMES)
def test_out_37_the_help_shows_the_same_orders_in_words_that_are_understood(language, kind):
    ahead, speak = RULESETS[kind].standing_orders, words(language, kind)
    lines = speak(ahead.help).splitlines()
    assert max(map(len, lines)) <= 78
    english, found = examples(ahead.help.splitlines()), examples(lines)
    assert [canonical(line, language, kind) for line in found] == english
    assert [line.split()[0] for line in found] == [shown(line.split()[0], language, kind) for line in english]
    assert all(ahead.parse(line, NAMES) for line in english)


def examples(lines: list[str]) -> list[str]:
    """The lines to type in help on orders; what explains them goes on further to the right."""
    return [re.split(r"\s{2,}", line.strip())[0] for line in lines if re.match(r"  \S", line)]


@pytest.mark.slow
@pytest.mark.parametrize("language, kind", GAMES)
def test_out_35_a_line_that_is_no_order_is_answered(language, kind):
    """In the player's words alone: what was typed, what would fit."""
    books = [read(language, kind), read(language, SHARED)]
    for line in MISREAD[kind]:
        with pytest.raises(OrderNotUnderstood) as refused:
            RULESETS[kind].standing_orders.parse(line, NAMES)
        message = refused.value.message
        assert words(language, kind)(message) != message
        for part in parts(message):
            found = [book.get(part.template, part.context or None) for book in books]
            assert isinstance(part, Row) or any(one is not None and is_translated(one) for one in found), part.template


def parts(text: object) -> list[Sentence]:
    """A sentence and all sentences in it."""
    if not isinstance(text, Sentence) or not text:
        return []
    inner = [*text.values.values(), text.template if isinstance(text, Row) else ""]
    return [text, *(part for value in inner for part in parts(value))]


@pytest.mark.parametrize(
    "language, kind, line, quoted",
    [
        ("de", "tammany-hall", "vergeben stellvertreter übrige", "„übrige“"),
        ("fr", "tammany-hall", "attribuer adjoint autres", "« autres »"),
        ("de", "city-hall", "akzeptieren jede", "„jede“"),
        ("fr", "city-hall", "accepter autres", "« autres »"),
    ],
)
def test_out_35_a_word_of_orders_is_quoted_as_it_was_typed(language, kind, line, quoted):
    with pytest.raises(OrderNotUnderstood) as refused:
        RULESETS[kind].standing_orders.parse(canonical(line, language, kind), NAMES)
    assert quoted in words(language, kind)(refused.value.message).replace("\u00a0", " ")


@pytest.mark.parametrize("language, kind", GAMES)
def test_in_14_no_sentence_shows_a_form_in_english(language, kind):
    """Forms are command words and blanks in capitals: both have been replaced wherever one is shown."""
    commands = {message.id for message in read(language, kind) if message.context == COMMAND}
    ahead = RULESETS[kind].standing_orders
    for verb in sorted(ahead.verbs):
        with pytest.raises(OrderNotUnderstood) as refused:
            ahead.parse(f"{verb} x x x x x", NAMES)
        said = words(language, kind)(refused.value.message)
        forms = re.split(r"[\s;:.]+", said)
        assert not {word for word in forms if word in commands and shown(word, language, kind) != word}, said

"""Tammany Hall in the languages of its players: nothing stays English, what is shown can be typed (OUT-37, IN-14)."""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from domain.engine.game import Draw
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.engine.sentences import Row, Sentence, say
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules import actions as order
from domain.tammany_hall.rules import events as fact
from domain.tammany_hall.rules.board import COLOURS, ELECTION_ORDER, PAWNS, TITLES
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.text.notation import read_bid
from service.languages import ENGLISH, LANGUAGES, canonical, shown, words
from service.languages.catalogues import SHARED, is_translated, read
from service.languages.commands import folded
from tests.domain.tammany_hall.playouts import playouts

pytestmark = pytest.mark.slow

KIND = TAMMANY_HALL.kind
FOREIGN = [language for language in LANGUAGES if language != ENGLISH]
NAMES = ("Xu", "Yx", "Zz", "Qq", "Ww")
WARD = re.compile(r"[> ] +(\d+)(?: +(?:\d+|\.)){7}")
"""A row of the board that is a ward's."""
SEAT = re.compile(r"[> ] \S+ +\w+ +\d+ (?: +(?:\d+|\.)){4}")
LONG = ("x" * 40, "Bob", "a-very-long_name-of-somebody", "Dee", "y" * 24)


def parts(text: object) -> Iterator[Sentence]:
    """A sentence and all sentences in it."""
    if isinstance(text, Sentence) and text:
        yield text
        for value in (*text.values.values(), text.template if isinstance(text, Row) else ""):
            yield from parts(value)


def unknown(text: object, language: str) -> list[str]:
    """The templates in a text that no catalogue of the language has."""
    books = [read(language, KIND), read(language, SHARED)]
    return [
        part.template
        for part in parts(text)
        if not isinstance(part, Row)
        and not any((found := book.get(part.template, part.context or None)) and is_translated(found) for book in books)
    ]


TOLD = [
    (
        fact.ImmigrantSettled(0, 5, "german", 7, 1),
        "Xu settles: a boss in ward 5, a German immigrant in ward 7, and takes a German favor chip.",
        "Xu installe un patron dans le quartier 5 et un immigré allemand dans le quartier 7, et prend "
        "un jeton faveur allemand.",
        "Xu setzt einen Bezirksrat in Bezirk 5 und einen deutschen Einwanderer in Bezirk 7 ein und "
        "nimmt einen deutschen Gefälligkeitschip.",
    ),
    (
        fact.ImmigrantSettled(1, 5, "irish", 7, 0),
        "Yx settles: a boss in ward 5 and an Irish immigrant in ward 7, but no Irish favor chip is left to take.",
        "Yx installe un patron dans le quartier 5 et un immigré irlandais dans le quartier 7, mais il "
        "ne reste pas de jeton faveur irlandais à prendre.",
        "Yx setzt einen Bezirksrat in Bezirk 5 und einen irischen Einwanderer in Bezirk 7 ein, doch im "
        "Vorrat gibt es keinen irischen Gefälligkeitschip mehr.",
    ),
    (
        fact.BossSlandered(0, 1, 8, "german", None, 1, 1),
        "Xu slanders Yx in ward 8 for one German favor chip: one boss leaves.",
        "Xu calomnie Yx dans le quartier 8 pour un jeton faveur allemand : un patron s'en va.",
        "Xu verunglimpft Yx in Bezirk 8 für einen deutschen Gefälligkeitschip: Ein Bezirksrat wird entfernt.",
    ),
    (
        fact.BossSlandered(0, 1, 8, "italian", 14, 3, 1),
        "Xu slanders Yx in ward 8 and then in ward 14 for three Italian favor chips: one boss leaves each of them.",
        "Xu calomnie Yx dans le quartier 8, puis dans le quartier 14, pour trois jetons faveur italiens "
        ": un patron quitte chacun d'eux.",
        "Xu verunglimpft Yx in Bezirk 8 und dann in Bezirk 14 für drei italienische Gefälligkeitschips: "
        "Aus beiden wird ein Bezirksrat entfernt.",
    ),
    (
        fact.ImmigrantMoved(2, "english", 6, 5),
        "Zz, Precinct Chairman, moves an English immigrant from ward 6 to ward 5.",
        "Zz, président d'enceinte, déplace un immigré anglais du quartier 6 au quartier 5.",
        "Zz, Bezirksvorsteher, versetzt einen englischen Einwanderer von Bezirk 6 nach Bezirk 5.",
    ),
    (
        fact.LocksLifted([9]),
        "The lock comes off ward 9.",
        "Le quartier 9 n'est plus verrouillé.",
        "Bezirk 9 ist nicht mehr abgeschottet.",
    ),
    (
        fact.LocksLifted([9, 4]),
        "The lock comes off wards 9 and 4.",
        "Les quartiers 9 et 4 ne sont plus verrouillés.",
        "Die Bezirke 9 und 4 sind nicht mehr abgeschottet.",
    ),
    (
        fact.GardenFilled(Draw("garden", 3), {"irish": 1, "english": 0, "german": 2, "italian": 1}),
        "These come into the Castle Garden: 1 Irish, 2 German and 1 Italian.",
        "Arrivent à Castle Garden : 1 irlandais, 2 allemands et 1 italien.",
        "In den Schlossgarten kommen: 1 Ire, 2 Deutsche und 1 Italiener.",
    ),
]
"""Sentences in which other languages decline where English does not."""


@pytest.mark.parametrize("event, english, french, german", TOLD)
def test_out_37_sentences_agree_in_number_gender_and_case(event, english, french, german):
    told = TAMMANY_HALL.presentation.tell(event, NAMES)
    assert told == english
    assert words("fr", KIND)(told).replace("\u00a0", " ") == french
    assert words("de", KIND)(told) == german


class Listening:
    """A speaker that remembers what it was asked to say."""

    def __init__(self, language: str) -> None:
        self.speak = words(language, KIND)
        self.heard: list[object] = []

    def __call__(self, text: object) -> str:
        self.heard.append(text)
        return self.speak(text)


# What is said in a game of each variant: each different text once.


@cache
def facts() -> list[Sentence]:
    """Return the sentences that tell what happened."""
    tell = TAMMANY_HALL.presentation.tell
    every = [tell(event, NAMES[: played.players]) for played in playouts() for event in played.facts]
    assert all(isinstance(told, Sentence) for told in every)
    return list({str(told): told for told in every}.values())


@cache
def boards() -> list[tuple[dict, int]]:
    """Return views of the board, of seats and of spectators, with the number of players."""
    return [
        (TAMMANY_HALL.decider.view(state, reader), played.players)
        for played in playouts()
        for state, seat in [*played.decisions(every=40), (played.end, 0)]
        for reader in (seat, None)
    ]


@pytest.mark.parametrize("language", FOREIGN)
def test_out_37_every_fact_is_told(language):
    speak = words(language, KIND)
    assert len(facts()) > 100
    for told in facts():
        assert unknown(told, language) == []
        foreign = speak(told)
        assert foreign != str(told)
        assert foreign[0].isupper() or foreign.startswith(NAMES)
        assert foreign.endswith(".")
        for name in NAMES:
            assert foreign.count(name) == str(told).count(name)


@pytest.mark.parametrize("language", FOREIGN)
def test_out_37_the_board_is_a_text_of_78_columns(language):
    """TH-16.3, in every language, with names as long as can be and without any."""
    for view, _ in boards():
        for names in (None, LONG):
            chairs = [dict(chair) for chair in view["seats"]]
            for chair, name in zip(chairs, names or (), strict=False):
                chair["name"] = name
            listening = Listening(language)
            lines = TAMMANY_HALL.presentation.board({**view, "seats": chairs}, listening).splitlines()
            assert max(map(len, lines)) <= 78, max(lines, key=len)
            assert [template for text in listening.heard for template in unknown(text, language)] == []
            rows = [int(row[1]) for line in lines if (row := WARD.match(line))]
            assert rows == list(ELECTION_ORDER)


def shape(text: str) -> list[str]:
    """Return the rows of numbers of a board with all letters blotted out: their columns."""
    rows = [line for line in text.splitlines() if WARD.match(line)]
    return [re.sub(r"[^\W\d_].*", "", line).rstrip() for line in rows]


def points(text: str) -> list[str]:
    """Return the columns of points of a board, with all letters blotted out."""
    rows = [line for line in text.splitlines() if re.match(r"[> ] \S+ +\w+ +\d+ ", line)]
    return [re.sub(r"[^\W\d_]", "x", line)[26:49] for line in rows]


@pytest.mark.parametrize("language", FOREIGN)
def test_out_37_numbers_stand_where_they_do_in_english(language):
    """Whatever the words are, they push no column aside."""
    for view, players in boards():
        english = TAMMANY_HALL.presentation.board(view)
        foreign = TAMMANY_HALL.presentation.board(view, words(language, KIND))
        assert shape(foreign) == shape(english)
        assert len(shape(foreign)) == len(ELECTION_ORDER)
        assert points(english) == points(foreign)
        assert len(points(english)) == players


@pytest.mark.parametrize("language", FOREIGN)
def test_out_37_supplies_stand_below_each_other(language):
    speak = words(language, KIND)
    lines = TAMMANY_HALL.presentation.board(TAMMANY_HALL.decider.view(playouts()[0].end, None), speak).splitlines()
    labels = [speak(say(label)) for label in ("Castle Garden:", "Bag:", "Chip supply:", "Leaders:")]
    found = [next(line for line in lines if line.startswith(label)) for label in labels]
    width = max(map(len, labels))
    assert all(line[:width].rstrip() in labels and line[width] == " " != line[width + 1] for line in found)


@pytest.mark.parametrize("language", FOREIGN)
def test_out_37_words_of_columns_have_room(language):
    """What a head or a cell may be at most is said where it is translated."""
    for room in (3, 5, 6, 8, 9, 10, 13, 14, 16, 20):
        found = [message for message in read(language, KIND) if message.context == f"column of at most {room}"]
        assert found, room
        for message in found:
            assert len(message.string.format(count=3)) <= room, message.id


@pytest.mark.parametrize("language", FOREIGN)
def test_out_37_the_guide_shows_what_can_be_typed(language):
    known = set()
    for played in playouts():
        pawns = PAWNS[: played.players]
        for state, seat in played.decisions(every=9):
            for text, meaning in TAMMANY_HALL.presentation.guide(TAMMANY_HALL.decider.blind(state, seat), seat):
                typed = shown(text, language, KIND)
                if (str(text), str(meaning)) not in known:
                    known.add((str(text), str(meaning)))
                    assert unknown(meaning, language) == unknown(text, language) == []
                if text == text.lower():
                    line = typed.partition("\n")[0]
                    (action,) = TAMMANY_HALL.notation.parse(canonical(line, language, KIND), pawns)
                    assert TAMMANY_HALL.decider.decide(state, seat, action)


@cache
def lines_of_actions() -> dict[tuple[str, int], order.Action]:
    """Return legal actions by their line and the number of players."""
    return {
        (TAMMANY_HALL.notation.write(action), played.players): action
        for played in playouts()
        for state, seat in played.decisions(every=13)
        for action in TAMMANY_HALL.decider.legal_actions(state, seat).actions[::7]
    }


@pytest.mark.parametrize("language", FOREIGN)
def test_in_14_every_legal_action_can_be_typed_in_the_player_s_words(language):
    """Written, put into the language, typed without accents or in capitals, and read again: the same action."""
    assert len(lines_of_actions()) > 100
    for (line, players), action in lines_of_actions().items():
        typed = shown(line, language, KIND)
        assert canonical(typed, language, KIND) == line
        for spelled in (typed, typed.upper(), folded(typed)):
            assert TAMMANY_HALL.notation.parse(canonical(spelled, language, KIND), PAWNS[:players]) == [action]


def attempts(players: int) -> Iterator[order.Action]:
    """Orders of every kind, most of them against some rule."""
    wards = (1, 8, 14, 17)
    yield from (order.Place([ward]) for ward in wards)
    yield from (order.Place([ward, 9]) for ward in wards)
    yield from (order.Settle(ward, colour, 9) for ward in wards for colour in COLOURS)
    yield from (
        order.Slander(seat, ward, "irish", then) for seat in range(5) for ward in wards for then in (None, 9, 15)
    )
    yield from (order.OfficeFavor(colour) for colour in COLOURS)
    yield from (order.OfficeLock(ward) for ward in wards)
    yield from (order.OfficePolice(ward, colour) for ward in wards for colour in COLOURS)
    yield from (order.OfficeMove(colour, ward, 9) for ward in wards for colour in COLOURS)
    yield order.End()
    yield from (order.Bid({colour: count}, ward) for colour in COLOURS for count in (0, 30) for ward in (None, 1))
    yield from (order.BonusCube(colour, 9) for colour in COLOURS)
    yield from (order.BonusFavor(colour) for colour in COLOURS)
    yield order.BonusPass()
    yield order.Assign(dict.fromkeys(TITLES, 1))
    yield order.Assign(dict(zip(TITLES, range(players), strict=False)))
    yield order.Assign({"deputy": 1})


@cache
def refusals() -> list[RuleViolation]:
    """Return what the rules forbid and why, each different sentence once."""
    found = {}
    for played in playouts():
        for state, seat in [*played.decisions(every=17), (played.end, 0)]:
            for action in attempts(played.players):
                if refusal := refused(state, seat, action):
                    found[str(refusal.message)] = refusal
    return list(found.values())


@pytest.mark.parametrize("language", FOREIGN)
def test_out_37_every_refusal_is_told(language):
    """What the rules forbid, and why, in the player's words."""
    speak = words(language, KIND)
    for refusal in refusals():
        assert unknown(refusal.message, language) == []
        values = [value for part in parts(refusal.message) for value in part.values.values()]
        assert all(isinstance(value, int | Sentence) for value in values), "words that nobody can translate"
        assert speak(refusal.message) != refusal.message
        assert speak(refusal.message).endswith(".")
    assert len({refusal.code for refusal in refusals()}) > 12


def refused(state: State, seat: int, action: order.Action) -> RuleViolation | None:
    """Why the rules forbid it, if they do."""
    try:
        TAMMANY_HALL.decider.decide(state, seat, action)
    except RuleViolation as refusal:
        return refusal
    return None


UNREADABLE = """
place 99, place 1 2 3, place, settle boss 5 cube pink 7, slander nobody 8 german, slander purple 8 german, bid,
bid irish many, bid irish 1 irish 2, office pink, office favor 3, bonus, bonus ward, assign mayor ann,
assign deputy zoe, jump, end now, settle
"""


@pytest.mark.parametrize("language", FOREIGN)
def test_out_37_what_cannot_be_read_is_told(language):
    speak = words(language, KIND)
    for line in UNREADABLE.split(","):
        with pytest.raises(OrderNotUnderstood) as refused:
            TAMMANY_HALL.notation.parse(line, ("ann", "bob", "cy"))
        assert unknown(refused.value.message, language) == []
        assert speak(refused.value.message) != refused.value.message
    for body in ({}, {"chips": {}, "ward": 99}, {"chips": {"pink": 1}}, {"chips": {"irish": -1}}):
        with pytest.raises(OrderNotUnderstood) as refused:
            read_bid(body)
        assert unknown(refused.value.message, language) == []


@pytest.mark.parametrize("language, quoted", [("fr", "« quartier »"), ("de", "„bezirk“")])
def test_a_word_is_quoted_as_it_was_typed(language, quoted):
    """The parser sees the English word, the player does not."""
    line = canonical(f"{shown('bid irish', language, KIND)} {shown('ward', language, KIND)}", language, KIND)
    with pytest.raises(OrderNotUnderstood) as refused:
        TAMMANY_HALL.notation.parse(line, ("ann", "bob", "cy"))
    assert quoted in words(language, KIND)(refused.value.message).replace("\u00a0", " ")

"""City Hall in the languages of its players (OUT-37, IN-14)."""

import re
from functools import cache

import pytest

from domain.city_hall import CITY_HALL
from domain.city_hall.rules.board import BOARD
from domain.city_hall.rules.pieces import OFFICES, PERMITS
from domain.city_hall.rules.words import KINDS, PLACES, TITLES, listed
from domain.city_hall.text.drawing import CARDS
from domain.engine.refusals import OrderNotUnderstood
from domain.engine.sentences import Sentence, said, say, typed
from service.languages import ENGLISH, LANGUAGES, canonical, catalogue, shown, words
from service.languages.catalogues import fits, is_translated, read
from tests.domain.city_hall.playouts import playouts
from tests.domain.city_hall.test_notation import LINES, MORE, UNFIT
from tests.domain.city_hall.test_refusals import REFUSED, reason
from tests.domain.city_hall.words import PAWNS, SPACES

KIND = CITY_HALL.kind
FOREIGN = [language for language in LANGUAGES if language != ENGLISH]
NAMES = ("Xaver", "Yvo", "Zita", "Wim")
ALIKE = {"park", "lobbyist", "double", "triple"}
"""What may be the same word in another language, too."""
PLAYER = say("player")
LONG_NAMES = ("x" * 40, "Ben", "a-very-long_name-of-somebody", "Dan")
WRITTEN = [line.rsplit(None, 1)[0].strip() for line in LINES.strip().splitlines()]
MISREAD = """
    bid x; bid 01; draft M6; build house Q1 return tower; activate mayor; accept bob; accept park; tax plain;
    campaign 20; health triple; lobby buy 0
"""
UNREADABLE = [line.strip() for line in f"{UNFIT.strip()};{MORE.strip()};{MISREAD}".split(";")]

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("language", FOREIGN)]


class Listener:
    """The texts of a language for City Hall, noting those it is asked for and does not have."""

    def __init__(self, language):
        self.known = catalogue(language, KIND)
        self.has = {
            (message.context, message.id if isinstance(message.id, str) else message.id[0])
            for name in (KIND, "wardroom")
            for message in read(language, name)
            if message.id and is_translated(message) and fits(message)
        }
        self.missed = set()

    def gettext(self, message):
        return self._heard(None, message, self.known.gettext(message))

    def ngettext(self, msgid1, msgid2, n):
        return self._heard(None, msgid1, self.known.ngettext(msgid1, msgid2, n))

    def pgettext(self, context, message):
        return self._heard(context, message, self.known.pgettext(context, message))

    def words(self, text):
        return said(text, self)

    def _heard(self, context, message, translated):
        if (context, message) not in self.has:
            self.missed.add((context, message))
        return translated


def told(listener, text):
    """A text in the language of a listener, whole: no value of it was left out or left open."""
    assert isinstance(text, Sentence), text
    spoken = listener.words(text)
    assert spoken.strip(), text
    assert not re.search(r"None|[{}]", spoken.replace('{"influence": 3}', "").replace('{"pass": true}', "")), spoken
    return spoken


# What is said in a game of each variant: each different text once.


def decisions(every):
    """Yield positions of the games in which a seat must act, with that seat; one of so many."""
    for played in playouts():
        yield from played.decisions(every=every)


@cache
def facts():
    """Return the sentences that tell what happened, each different one once."""
    tell = CITY_HALL.presentation.tell
    every = (tell(event, NAMES) for played in playouts() for event in played.facts)
    return list({str(english): english for english in every if english}.values())


@cache
def boards():
    """Return views of the board: of seats and of spectators, some of each variant, with long names."""
    views = [CITY_HALL.decider.view(state, reader) for state, seat in decisions(18) for reader in (seat, None)]
    views += [CITY_HALL.decider.view(played.end, None) for played in playouts()]
    for view in views:
        for seat, name in zip(view["seats"], LONG_NAMES, strict=False):
            seat["name"] = name
    return views


@cache
def guides():
    """Return the lines of the guide with their meanings, each different pair once."""
    lines = [
        line
        for state, seat in decisions(3)
        for line in CITY_HALL.presentation.guide(CITY_HALL.decider.blind(state, seat), seat)
    ]
    return list({(str(line), str(meaning)): (line, meaning) for line, meaning in lines}.values())


@cache
def actions():
    """Return legal actions by their line."""
    legal = [
        action for state, seat in decisions(9) for action in CITY_HALL.decider.legal_actions(state, seat).actions[:120]
    ]
    return {CITY_HALL.notation.write(action): action for action in legal}


@cache
def refusals():
    """Return the sentence of every refusal, by its code and number."""
    found = {}
    for number, (code, _, situation, name, line) in enumerate(REFUSED):
        found[f"{code}-{number}"] = reason(situation(), name, line).message
    return found


def test_out_37_every_fact_is_told(language):
    """OUT-37: in whole sentences, with the names and numbers of the English ones."""
    listener = Listener(language)
    assert len(facts()) > 100
    for english in facts():
        spoken = told(listener, english)
        assert spoken.endswith("."), spoken
        assert "  " not in spoken, spoken
        for found in (*re.findall(r"\b[QBM]\d\b|\b\d+\b", english), *(name for name in NAMES if name in english)):
            assert found in spoken, (english, spoken)
    assert not listener.missed


def test_out_37_the_board_is_drawn_in_78_columns(language):
    """OUT-37, CH-18.3: every space, every Office by its whole title and the word that is typed for it."""
    listener = Listener(language)
    for view in boards():
        board = CITY_HALL.presentation.board(view, listener.words)
        assert max(map(len, board.splitlines())) <= 78, max(board.splitlines(), key=len)
        assert all(line == line.rstrip() for line in board.splitlines())
        assert all(re.search(rf"\b{space}\b", board) for space in SPACES)
        for office in OFFICES:
            assert re.search(
                rf"^[> ] {listener.words(TITLES[office])} +{listener.words(typed(office))} ", board, re.M
            ), board
        assert not re.search(r"None|[{}]|\$\d", board), board
    assert not listener.missed


def test_out_37_the_columns_of_the_board_stand_below_their_labels(language):
    """OUT-37: however long the words of a language are."""
    state, seat = next(iter(playouts()[2].decisions(every=40)))
    lines = CITY_HALL.presentation.board(CITY_HALL.decider.view(state, seat), words(language, KIND)).splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith(f"  {words(language, KIND)(PLAYER)} "))
    ends = [match.end() for match in re.finditer(r"[^ ]+", lines[head])][2:]
    for row in lines[head + 1 : head + 5]:
        assert [match.end() for match in re.finditer(r"[^ ]+", row.lstrip("> "))][2:] == [
            end - (len(row) - len(row.lstrip("> "))) for end in ends
        ]


def test_out_37_the_guide_is_told_and_its_lines_can_be_typed(language):
    """OUT-37, IN-14: a form says what it says in English, an example is the same action."""
    listener = Listener(language)
    for line, meaning in guides():
        told(listener, meaning)
        assert canonical(chosen(listener, shown(line, language, KIND)), language, KIND) == str(line)
    assert not listener.missed


def chosen(listener, form):
    """A form with the English words for what is to be chosen."""
    places = {listener.words(place): str(place) for place in PLACES.values()}
    return " ".join(places.get(word, word) for word in form.split(" "))


def test_in_14_every_legal_action_can_be_typed_in_the_language(language):
    """IN-14: read back it is the same action, in any letter case; the English line is understood as it was."""
    assert len(actions()) > 100
    for line, action in actions().items():
        typed = shown(line, language, KIND)
        for written in (typed, typed.upper(), f"  {typed.title()} ", line):
            read_back = canonical(written, language, KIND)
            assert CITY_HALL.notation.parse(read_back, PAWNS) == [action], written


def test_in_14_every_line_of_the_notation_has_its_words(language):
    """IN-14, CH-16.2: words of the language, but spaces and numbers as they are."""
    for line in WRITTEN:
        typed = shown(line, language, KIND)
        assert canonical(typed, language, KIND) == line
        for english, foreign in zip(line.split(), typed.split(), strict=True):
            if english.isalpha():
                assert foreign.lower() != english or english in ALIKE, (line, english, foreign)
            else:
                assert foreign == english, line


def test_in_14_the_words_shown_in_sentences_can_be_typed(language):
    """IN-14: Permits as they are counted, one or more, and as cards: what a player reads is understood."""
    speak = words(language, KIND)
    for permit in PERMITS:
        for count in (1, 2):
            spoken = speak(listed({permit: count})).split()[-1]
            assert canonical(spoken, language, KIND) == permit, spoken
        assert canonical(speak(KINDS[permit]), language, KIND) == permit


def test_out_35_a_refusal_is_a_sentence(language):
    """OUT-35, CH-17.3: it says what is in the way, for the player who tried."""
    listener = Listener(language)
    for name, message in refusals().items():
        assert told(listener, message).endswith("."), name
        assert not listener.missed, name


def test_out_35_a_line_that_cannot_be_read_is_answered(language):
    """OUT-35, CH-17.1: for every line that fits no form, and every body that is no bid."""
    listener = Listener(language)
    for line in (*UNREADABLE, ""):
        with pytest.raises(OrderNotUnderstood) as refused:
            CITY_HALL.notation.parse(line, PAWNS)
        assert told(listener, refused.value.message).endswith(".")
    for body in ({}, {"influence": -1}):
        with pytest.raises(OrderNotUnderstood) as refused:
            CITY_HALL.notation.read_bid(body)
        told(listener, refused.value.message)
    assert not listener.missed


def test_out_35_a_word_is_quoted_as_it_was_typed(language):
    """OUT-35, IN-14: not as the English word it was read as."""
    typed = shown("accept park", language, KIND)
    with pytest.raises(OrderNotUnderstood) as refused:
        CITY_HALL.notation.parse(canonical(typed, language, KIND), PAWNS)
    assert typed.split()[1] in words(language, KIND)(refused.value.message)


def test_out_37_the_help_shows_lines_that_work(language):
    """OUT-37, CH-16.2: whatever it shows as a line of the game can be typed; every kind of action is among them."""
    listener = Listener(language)
    text = told(listener, CITY_HALL.notation.help)
    shown_lines = [re.split(r" {2,}", line.strip())[0] for line in text.splitlines() if line.startswith("  ")]
    actions = [CITY_HALL.notation.parse(canonical(line, language, KIND), PAWNS)[0] for line in shown_lines]
    assert {type(action) for action in actions} == set(CITY_HALL.decider.actions)
    assert [shown(CITY_HALL.notation.write(action), language, KIND) for action in actions] == shown_lines
    assert max(map(len, text.splitlines())) <= 78
    assert not listener.missed


def test_out_37_the_endorsements_have_names(language):
    """OUT-37: those of the board new games are played on."""
    listener = Listener(language)
    for endorsement in BOARD.endorsements:
        told(listener, CARDS[endorsement.name])
    assert not listener.missed

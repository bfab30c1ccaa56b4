"""Lines of the notation in letters name people as one types them, not by the pawns that events hold (IN-14)."""

import random
import re

import pytest

from service.games.seat_names import notation_names
from service.languages import LANGUAGES, canonical
from tests.letters import html_of, text_of
from tests.notices import notice_in
from tests.tables import Tables
from workers.letters.letter_view import LetterView
from workers.mail_out.compose import check

NAMES = {"ann": "Jürgen Groß", "bob": "Red", "cyd": "Zwei Wörter"}
WORDS = ("juergen-gross", "jurgen-gro", "red-", "zwei-worter", "zwei-woerter")


def view_of(tables: Tables, game: str, seat: int) -> LetterView:
    row = tables.notices(game_id=game, seat=seat, kind="your-turn")[-1]
    with tables.services.database.read() as connection:
        view = LetterView.of(check(tables.services, connection, notice_in(row)), seat)
        assert view.options is not None
        assert view.both("end")
    return view


@pytest.fixture(params=["city-hall", "tammany-hall"])
def asked_about_people(request, sqlite_tables: Tables) -> tuple[Tables, str, int]:
    """A question whose answers name people: whose bid to accept, whom to give an office."""
    tables, dice = sqlite_tables, random.Random(5)
    for who, name in NAMES.items():
        tables.rename(who, name)
    game = tables.begin(*NAMES, kind=request.param, clock={"per_move": "P3D"})
    while True:
        seat = tables.awaited(game)[0]
        legal = tables.legal(game, seat)
        if any(line.startswith(("accept ", "assign ")) for line in legal):
            return tables, game, seat
        tables.move(game, seat, "end" if "end" in legal else dice.choice(legal))


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_14_options_that_name_people_are_shown_as_one_types_them(asked_about_people, language):
    tables, game, seat = asked_about_people
    for who in NAMES:
        tables.change_profile(who, language=language)
    view, pawns = view_of(tables, game, seat), tables.head(game).rules.notation.pawns
    letter = tables.compose(tables.notices(game_id=game, seat=seat, kind="your-turn")[-1])
    options = re.findall(r"^ +\d+ = (.*)$", text_of(letter), re.M)
    assert options
    assert all(any(word in line for word in WORDS) or " " not in line.split("  ")[0] for line in options)
    for page in (html_of(letter), *options):
        lines = re.findall(r"(?:<code|class=.option)[^>]*>(?:<b [^>]+>\d+</b> )?([^<]+)<", page) or [page]
        assert not [line for line in lines if set(re.findall(r"[\w-]+", line)) & set(pawns)]
    assert len(view.options) >= len(options)


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_14_a_line_with_names_means_the_same_when_it_is_sent(asked_about_people, language):
    tables, game, seat = asked_about_people
    for who in NAMES:
        tables.change_profile(who, language=language)
    view, rules = view_of(tables, game, seat), tables.head(game).rules
    with tables.services.database.read() as connection:
        names = notation_names(connection, tables.head(game))
    for option in view.options:
        sent = canonical(view.shown(option.text), language, rules.kind)
        assert rules.notation.parse(sent, names) == rules.notation.parse(option.text, names)

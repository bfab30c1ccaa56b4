"""The HTML of a letter on a phone: what is asked, what can be answered, then what happened, the picture, the table."""

import re
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from tests.workers.worker_tables import WorkerTables, html_of, text_of

PARTS = {
    "heading": "<h1>", "options": 'class="option', "news": "<h2>Since your last move:</h2>", "picture": "<img ",
    "guide": "<dl>", "deadline": 'class="due"', "table": "<h2>The position in words</h2>", "receipt": 'class="small"',
}  # fmt: skip


def order(page: str) -> list[str]:
    """The parts of a page as they follow each other."""
    found = {name: page.find(sign) for name, sign in PARTS.items()}
    return sorted((name for name, place in found.items() if place >= 0), key=lambda name: found[name])


def letter_to(tables: WorkerTables, game: str, seat: int) -> object:
    return tables.compose(tables.notices(game_id=game, seat=seat, kind="your-turn")[-1])


@pytest.fixture
def bidding(sqlite_tables: WorkerTables) -> tuple[WorkerTables, str, int]:
    """An auction of City Hall: whoever bids first has a mail."""
    game = sqlite_tables.begin("ann", "bob", "cyd", kind="city-hall", clock={"per_move": "P3D"})
    while sqlite_tables.phase(game) in ("draft", "build"):
        (seat,) = sqlite_tables.awaited(game)
        sqlite_tables.move(game, seat, sqlite_tables.legal(game, seat)[0])
    return sqlite_tables, game, sqlite_tables.awaited(game)[0]


def test_out_04_options_come_before_what_happened_and_before_the_picture(bidding):
    tables, game, seat = bidding
    page = html_of(letter_to(tables, game, seat))
    assert order(page) == ["heading", "options", "news", "picture", "guide", "deadline", "table", "receipt"]


def test_out_04_where_nothing_has_a_number_the_guide_stands_in_its_place(sqlite_tables):
    game = sqlite_tables.begin("ann", "bob", "cyd", kind="tammany-hall", clock={"per_move": "P3D"})
    (seat,) = sqlite_tables.awaited(game)
    sqlite_tables.move(game, seat, sqlite_tables.legal(game, seat)[0])
    sqlite_tables.move(game, seat, "end")
    (seat,) = sqlite_tables.awaited(game)
    parts = order(html_of(letter_to(sqlite_tables, game, seat)))
    assert parts == ["heading", "guide", "news", "picture", "deadline", "table", "receipt"]


def test_out_03_the_text_keeps_its_order(bidding):
    tables, game, seat = bidding
    text = text_of(letter_to(tables, game, seat))
    signs = ("Since your last move:", "CITY HALL", "Answer with a number:", "What you can do", "Deadline:")
    places = [text.index(sign) for sign in signs]
    assert places == sorted(places)


def test_out_31_what_only_adds_to_another_option_comes_last(bidding):
    """The seven Offices stand before the searches, which are the Surveyor and a card."""
    tables, game, seat = bidding
    listed = re.findall(r"</b> <code>(activate [^<]+)</code>", html_of(letter_to(tables, game, seat)))
    searches = [line for line in listed if " search " in line]
    assert len(listed) > len(searches) > 0
    assert listed[-len(searches) :] == searches


def test_out_04_a_tap_opens_an_answer_with_the_subject_of_the_thread(bidding):
    tables, game, seat = bidding
    page = html_of(letter_to(tables, game, seat))
    links = [link.replace("&amp;", "&") for link in re.findall(r'class="option[^"]*" href="(mailto:[^"]+)"', page)]
    assert links
    for link in links:
        asked = parse_qs(urlsplit(link).query)
        assert unquote(asked["subject"][0]).startswith("Re: [City Hall #")
        assert asked["body"][0]


def test_out_04_a_page_has_one_main_part_and_one_heading(bidding):
    tables, game, seat = bidding
    page = html_of(letter_to(tables, game, seat))
    assert (page.count('role="main"'), page.count("<h1")) == (1, 1)


def test_out_31_a_long_option_has_no_gap_between_its_lines(bidding):
    """A tap target of 44 px by its padding: a line of that height would tear wrapped lines apart (OUT-04)."""
    tables, game, seat = bidding
    style = re.search(r"\.option \{([^}]*)\}", html_of(letter_to(tables, game, seat)))
    sizes = {name: int(size) for name, size in re.findall(r"([a-z-]+): (\d+)px", style[1] if style else "")}
    assert sizes["line-height"] < 30
    assert sizes["min-height"] + 2 * sizes["padding"] >= 44


def test_out_37_a_guide_calls_people_by_the_names_they_typed(sqlite_tables):
    """Prose has names; only what is to be typed has pawns (CH-16.1)."""
    for name, shown in (("ann", "Ann"), ("bob", "Jürgen Groß"), ("cyd", "Zoë")):
        sqlite_tables.rename(name, shown)
    game = sqlite_tables.begin("ann", "bob", "cyd", kind="city-hall", clock={"per_move": "P3D"})
    while sqlite_tables.phase(game) != "bid":
        (seat,) = sqlite_tables.awaited(game)
        sqlite_tables.move(game, seat, sqlite_tables.legal(game, seat)[0])
    (seat,) = sqlite_tables.awaited(game)
    text = text_of(letter_to(sqlite_tables, game, seat))
    assert re.search(r"(Ann|Jürgen Groß|Zoë) has activated", " ".join(text.split()))
    assert not re.search(r"\b(ann|zoe|jurgen\S*|juergen\S*) ", text)

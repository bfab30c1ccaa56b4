"""The order of a letter: what is asked, what can be answered, until when, what happened, the board, the table."""

import re
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from tests.letters import html_of, text_of
from tests.tables import Tables

PARTS = {
    "heading": "<h1", "options": 'class="option', "news": ">Since you", "picture": "<img ", "button": 'class="button"',
    "guide": "What you can do", "deadline": 'class="due"', "table": ">The position in words</h2>",
    "receipt": 'class="small',
}  # fmt: skip
IN_TEXT = {
    "heading": "?", "options": "Answer with", "deadline": "Deadline: ", "news": "Since you", "guide": "What you can do",
    "button": "The game: ", "table": "Year", "receipt": "Receipt: ",
}  # fmt: skip


def order(page: str, parts: dict[str, str] = PARTS) -> list[str]:
    """The parts of a page as they follow each other."""
    found = {name: page.find(sign) for name, sign in parts.items()}
    return sorted((name for name, place in found.items() if place >= 0), key=lambda name: found[name])


def letter_to(tables: Tables, game: str, seat: int) -> object:
    return tables.compose(tables.notices(game_id=game, seat=seat, kind="your-turn")[-1])


@pytest.fixture
def bidding(sqlite_tables: Tables) -> tuple[Tables, str, int]:
    """An auction of City Hall: whoever bids first has a mail."""
    game = sqlite_tables.begin("ann", "bob", "cyd", kind="city-hall", clock={"per_move": "P3D"})
    while sqlite_tables.phase(game) in ("draft", "build"):
        (seat,) = sqlite_tables.awaited(game)
        sqlite_tables.move(game, seat, sqlite_tables.legal(game, seat)[0])
    return sqlite_tables, game, sqlite_tables.awaited(game)[0]


def test_out_04_what_to_answer_comes_first_and_the_table_last_in_html_and_text(bidding):
    tables, game, seat = bidding
    letter = letter_to(tables, game, seat)
    parts = ["heading", "options", "deadline", "news", "picture", "guide", "button", "table", "receipt"]
    assert order(html_of(letter)) == parts
    signs = {**IN_TEXT, "table": "CITY HALL"}
    assert order(text_of(letter), signs) == [part for part in parts if part != "picture"]


def test_out_04_without_numbers_the_guide_stands_in_the_place_of_options(sqlite_tables):
    game = sqlite_tables.begin("ann", "bob", "cyd", kind="tammany-hall", clock={"per_move": "P3D"})
    (seat,) = sqlite_tables.awaited(game)
    sqlite_tables.move(game, seat, sqlite_tables.legal(game, seat)[0])
    sqlite_tables.move(game, seat, "end")
    (seat,) = sqlite_tables.awaited(game)
    letter = letter_to(sqlite_tables, game, seat)
    parts = ["heading", "options", "deadline", "news", "picture", "button", "table", "receipt"]
    assert order(html_of(letter)) == parts
    signs = {**IN_TEXT, "table": "TAMMANY HALL   Year"}
    assert order(text_of(letter), signs) == [part for part in parts if part != "picture"]
    text = text_of(letter)
    assert "\n  type: place 1 1\n  type: end\n      place WARD WARD\n      campaign: two bosses" in text
    assert "\nAnswer with one of these; lines one below the other are one answer:\n  type: place" in text
    assert "\n\n  type: settle" in text, "an empty line before each further answer"


def test_out_31_what_only_adds_to_another_option_shares_a_row_below_all_that_do_not(bidding):
    """The seven Offices stand before the searches, which are the Surveyor and a card: one row of cards to tap."""
    tables, game, seat = bidding
    page, text = (part(letter_to(tables, game, seat)) for part in (html_of, text_of))
    listed = re.findall(r"^ +(\d+) = (activate .*)$", text, re.M)
    offices = [(number, line) for number, line in listed if " search " not in line]
    searches = [(number, line.removeprefix("activate surveyor search ")) for number, line in listed[len(offices) :]]
    assert len(offices) == 7
    assert len(searches) == 14
    assert re.findall(r">(\d+)</b> (activate [^<]+)</a>", page) == offices
    assert page.count(">activate surveyor search …</p>") == 1
    chips = re.findall(r'class="chip [^>]+;body=(\d+)"><b [^>]+>(\d+)</b> (\w+)</a>', page)
    assert [(body, land) for body, _, land in chips] == [(shown, land) for _, shown, land in chips] == searches
    assert page.index("search …") > page.rindex('class="option', 0, page.index("<img "))


def test_in_14_the_words_of_a_row_are_the_reader_s_and_those_everybody_may_write(bidding):
    tables, game, seat = bidding
    for who in ("ann", "bob", "cyd"):
        tables.change_profile(who, language="de")
    page = html_of(letter_to(tables, game, seat))
    assert ">aktivieren vermesser suchen … <span" in page
    assert ">(activate surveyor search …)</span>" in page
    assert re.search(r"aktivieren steuern <span [^>]+>\(activate tax\)</span>", page)


def test_out_04_what_is_wider_than_a_phone_moves_in_a_box_that_a_keyboard_reaches(bidding):
    tables, game, seat = bidding
    page = html_of(letter_to(tables, game, seat))
    boxes = re.findall(r'<div class="wide rule" style="overflow-x: auto;[^>]+label="([^"]+)" tabindex="0"><pre', page)
    assert boxes == ["The position in words"]
    assert page.count("<pre") == len(boxes)


def test_out_04_small_print_can_be_read_by_day_and_by_night(bidding):
    """WCAG 2.2, 1.4.3: a contrast of 4.5 on the ground of the letter, in the inline styles and in the dark ones."""
    tables, game, seat = bidding
    page = html_of(letter_to(tables, game, seat))
    wanted = (("soft", "color"), ("card", "background"))
    inline = [re.search(rf'class="[^"]*{name}[^>]*[ "]{what}: (#\w+)', page)[1] for name, what in wanted]
    dark = [re.search(rf"[.]{name} {{ {what}: (#\w+)", page)[1] for name, what in wanted]
    for colours in (inline, dark):
        lighter, darker = sorted(map(luminance, colours), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, colours


def luminance(colour: str) -> float:
    """The relative luminance of a colour, #rgb or #rrggbb (WCAG 2.2)."""
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_out_04_words_to_type_within_a_sentence_look_like_words_to_type(sqlite_tables):
    game = sqlite_tables.begin("ann", "bob", "cyd", kind="tammany-hall", clock={"per_move": "P3D"})
    (seat,) = sqlite_tables.awaited(game)
    sqlite_tables.rename(("ann", "bob", "cyd")[seat], "`<b>` `x`")
    page = html_of(letter_to(sqlite_tables, game, seat))
    guide = page[page.index(">Answer with one") : page.index(">Since you")]
    assert re.search(r"after it a line <code>end</code> ends the turn", guide)
    assert "`" not in guide
    assert "<b>`" not in page


def test_out_04_a_tap_opens_an_answer_with_the_subject_of_the_thread(bidding):
    tables, game, seat = bidding
    page = html_of(letter_to(tables, game, seat))
    links = [
        link.replace("&amp;", "&") for link in re.findall(r'class="(?:option|chip) [^>]+ href="(mailto:[^"]+)"', page)
    ]
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
    (style, *_) = re.findall(r'class="option box" style="([^"]+)"', html_of(letter_to(tables, game, seat)))
    signs = (r"padding: (\d+)px", r"min-height: (\d+)px", r"/(\d+)px")
    padding, high, line = (int(re.search(sign, style)[1]) for sign in signs)
    assert line < 30
    assert max(high, line) + 2 * padding >= 44


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

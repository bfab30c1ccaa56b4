"""Letters of both games keep the small rules of their languages, whatever they are composed of (OUT-37)."""

import random
import re

import pytest

from tests.letters import Carrier, text_of
from tests.tables import Tables
from tests.workers.letters.correspondence import no_pictures

PEOPLE = {"ann": ("Ann", "en"), "bob": ("Jürgen Groß", "de"), "cyd": ("Zoë", "fr")}
"""Handles are made of these names, and differ from them: ann, jurgen-gro, zoe."""
STEPS = 24
HANDLE = re.compile(r"\b(ann|zoe|jurgen\S*|juergen\S*)\b")
ONE_OF_MANY = re.compile(r"\b(1|one|an?) (chips|bosses|cubes|wards|Permits|stars|cards|lines|days|hours)\b")
NO_BLANK = re.compile(r"(?<![\u00a0:/\d])[:;!?»](?=\s|$)|«(?!\u00a0)")
AFTER_FULL_STOP = re.compile(r"\w\.  \w")
NOT_PROSE = re.compile(r"\s*(type:|https?://|[|>]|\d+ = )|.*(Accept: |https?://|\S {3,})")
"""Lines to type, links, quoted lines, numbered options, and rows of a table."""
GERMAN = re.compile(r"\b(bezirk|bezirke|bezirksrat|einwanderer|einfluss|amt|ämter|genehmigung|gebot)\b")
"""Nouns that a reader of German meets in small letters only where they are words to type."""


@pytest.fixture(params=["tammany-hall", "city-hall"])
def letters(request: pytest.FixtureRequest, sqlite_tables: Tables) -> list[tuple[str, str]]:
    """The language and the text of each letter of the first steps of a game."""
    for name, (shown, language) in PEOPLE.items():
        sqlite_tables.rename(name, shown)
        sqlite_tables.change_profile(name, language=language)
    chance, carrier = random.Random(5), Carrier()
    game = sqlite_tables.begin(*PEOPLE, kind=request.param, clock={"per_move": "P3D"})
    with no_pictures():
        for _ in range(STEPS):
            sqlite_tables.deliver(carrier)
            seat = sqlite_tables.awaited(game)[0]
            legal = sqlite_tables.legal(game, seat)
            verb = chance.choice(sorted({text.split()[0] for text in legal}))
            sqlite_tables.move(game, seat, chance.choice([text for text in legal if text.split()[0] == verb]))
        sqlite_tables.deliver(carrier)
    return [(PEOPLE[letter.to.partition("@")[0]][1], text_of(letter)) for letter in carrier.letters]


def prose(text: str) -> list[str]:
    return [line for line in text.splitlines() if not NOT_PROSE.match(line)]


def test_out_37_letters_keep_the_rules_of_their_languages(letters: list[tuple[str, str]]) -> None:
    assert {language for language, _ in letters} == {"en", "de", "fr"}
    for language, text in letters:
        for line in prose(text):
            assert not HANDLE.search(line), line
            assert not ONE_OF_MANY.search(line), line
            assert not AFTER_FULL_STOP.search(line), line
            assert language != "fr" or not NO_BLANK.search(line), line
        story = [line for line in prose(text) if line.startswith("  - ")]
        assert language != "de" or not [line for line in story if GERMAN.search(line)]

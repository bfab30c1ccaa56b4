"""The forms of a verb that people write, not infinitives alone: each means the English word it stands for (IN-14)."""

import pytest

from service.languages import LANGUAGES, canonical, shown

LINES = {
    "fr": [
        ("tammany-hall", "placez 3 14", "place 3 14"),
        ("tammany-hall", "pose 3 14", "place 3 14"),
        ("tammany-hall", "posez 3 14", "place 3 14"),
        ("tammany-hall", "Installez patrons 5 immigrés irlandaises 7", "settle boss 5 cube irish 7"),
        ("tammany-hall", "calomniez jaune 8 allemandes", "slander yellow 8 german"),
        ("tammany-hall", "enchérissez irlandais 2", "bid irish 2"),
        ("tammany-hall", "misez italiennes 1", "bid italian 1"),
        ("tammany-hall", "nommez adjoint ann", "assign deputy ann"),
        ("tammany-hall", "bureau déplacez irlandais 6 5", "office move irish 6 5"),
        ("tammany-hall", "bureau verrouille 9", "office lock 9"),
        ("tammany-hall", "termine", "end"),
        ("city-hall", "activez arpenteur cherche B5", "activate surveyor search B5"),
        ("city-hall", "bâtissez logement Q3 rendez tour", "build housing Q3 return tower"),
        ("city-hall", "acceptez bleu", "accept blue"),
        ("city-hall", "gardez", "keep"),
        ("city-hall", "vends 1", "sell 1"),
        ("city-hall", "percepteur", "tax"),
        ("city-hall", "aménage prends logement parc dessous tour", "zone take housing park under tower"),
        ("", "annulez", "undo"),
        ("", "retire", "unsay"),
        ("", "participer Ann", "join Ann"),
        ("", "relancer", "resume"),
        ("", "congés rien", "away rien"),
        ("", "aidez", "help"),
    ],
    "de": [
        ("tammany-hall", "setze 3 14", "place 3 14"),
        ("tammany-hall", "Platziere 3 14", "place 3 14"),
        ("tammany-hall", "siedle räte 5 einwanderer irisch 7", "settle boss 5 cube irish 7"),
        ("tammany-hall", "verleumde gelb 8 deutsch", "slander yellow 8 german"),
        ("tammany-hall", "bieten kein", "bid none"),
        ("tammany-hall", "ernenne vizebürgermeister ann", "assign deputy ann"),
        ("tammany-hall", "amt verschiebe irisch 6 5", "office move irish 6 5"),
        ("tammany-hall", "amt sperre 9", "office lock 9"),
        ("tammany-hall", "schluss", "end"),
        ("city-hall", "errichte wohnung Q3 abgeben turm", "build housing Q3 return tower"),
        ("city-hall", "akzeptiere blau", "accept blue"),
        ("city-hall", "annehmen blau", "accept blue"),
        ("city-hall", "planen nehme wohnhaus park", "zone take housing park"),
        ("city-hall", "steuereinnehmer doppelt", "tax double"),
        ("", "zurücknehmen", "undo"),
        ("", "lösche", "unsay"),
        ("", "weiter", "resume"),
        ("", "hilf", "help"),
        ("", "jawohl", "yes"),
    ],
}
"""What is typed, by language and game, and the line it is."""
SHOWN_FIRST = {
    "fr": {"join": "participer", "resume": "relancer", "legal": "coups"},
    "de": {"resume": "weiterlaufen", "unsay": "zurückziehen"},
}
"""Words that stood for something else in the ears of their readers."""


@pytest.mark.parametrize(
    "language, kind, typed, line", [(language, *row) for language, rows in LINES.items() for row in rows]
)
def test_in_14_a_natural_form_is_understood(language, kind, typed, line):
    assert canonical(typed, language, kind) == line


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language in SHOWN_FIRST])
def test_in_14_the_word_that_is_shown_is_the_one_people_use(language):
    for word, first in SHOWN_FIRST[language].items():
        assert shown(word, language) == first

"""Commands in the player's language: no word means two of them, and all of them come back (IN-14)."""

import re
from collections import defaultdict

import pytest

from domain.engine.sentences import COMMAND, say
from domain.rulesets import RULESETS
from service.accounts.names import handles
from service.languages import ENGLISH, LANGUAGES, UNIVERSAL, canonical, shown, words, words_of_all_languages
from service.languages.catalogues import SHARED, forms, read
from service.languages.commands import commands, folded, spellings

FOREIGN = [language for language in LANGUAGES if language != ENGLISH]
GAMES = [(language, kind) for language in FOREIGN for kind in RULESETS]
NAMES = ("ann", "bob", "cy")


def english_words() -> set[str]:
    """Of the notations, of mails, and of what is ordered ahead."""
    said = {word for language, kind in GAMES for word in commands(language, kind)}
    return {word for rules in RULESETS.values() for word in rules.notation.reserved}.union(UNIVERSAL, said)


# The collision test


def test_in_14_no_word_means_two_commands_in_any_languages_and_games():
    """English is always understood and players change their language: a word means one command everywhere."""
    meanings = defaultdict(set)
    for word in english_words():
        meanings[word].add(word)
    for language in FOREIGN:
        for kind in ("", *RULESETS):
            for word, synonyms in commands(language, kind).items():
                for spelling in {spelling for synonym in synonyms for spelling in spellings(synonym)}:
                    meanings[spelling].add(word)
    assert {spelling: found for spelling, found in meanings.items() if len(found) > 1} == {}


@pytest.mark.parametrize("language, name", [(language, name) for language in FOREIGN for name in (SHARED, *RULESETS)])
def test_in_14_a_synonym_is_one_word_of_letters(language, name):
    for message in read(language, name):
        if message.context == COMMAND:
            for word in str(message.string).split(","):
                assert re.fullmatch(r" ?[^\W\d_]{2,}", word), (message.id, message.string)
                assert word == word.lower()


@pytest.mark.parametrize("language, kind", GAMES)
def test_in_14_every_word_of_a_game_has_one_in_every_language(language, kind):
    wanted = {word for word in {*RULESETS[kind].notation.reserved, *UNIVERSAL} if word.isalpha()}
    assert wanted <= commands(language, kind).keys()


# To English and back


@pytest.mark.parametrize(
    "language, line, english",
    [
        ("fr", "enchérir irlandais 2 allemand 1", "bid irish 2 german 1"),
        ("fr", "ENCHERIR Irlandais 2", "bid irish 2"),
        ("fr", "bid irlandais 2", "bid irish 2"),
        ("fr", "calomnier jaune 8 allemand puis 14", "slander yellow 8 german then 14"),
        ("de", "amt abschotten 9", "office lock 9"),
        ("de", "Amt Gefälligkeit deutsch", "office favor german"),
        ("de", "amt gefaelligkeit deutsch", "office favor german"),
        ("de", "amt gefalligkeit deutsch", "office favor german"),
        ("de", "ansiedeln bezirksrat 5 einwanderer irisch 7", "settle boss 5 cube irish 7"),
        ("de", "  bieten   nichts ", "  bid   none "),
        ("de", "hilfe", "help"),
        ("fr", "aide", "help"),
        ("fr", "D'accord", "agree"),
        ("fr", "D’ACCORD", "agree"),
        ("fr", "xyzzy 3 Zoë", "xyzzy 3 Zoë"),
        ("fr", "", ""),
        ("en", "enchérir rien", "enchérir rien"),
        ("xx", "bieten nichts", "bieten nichts"),
    ],
)
def test_in_14_a_line_in_the_player_s_language_is_one_in_english(language, line, english):
    assert canonical(line, language, "tammany-hall") == english


@pytest.mark.parametrize("language", FOREIGN)
def test_in_14_english_is_always_understood(language):
    for kind in RULESETS:
        for word in english_words():
            assert canonical(word, language, kind) == word
            assert canonical(word.upper(), language, kind).lower() == word


@pytest.mark.parametrize(
    "language, line", [("fr", "dire rien sur le quartier 6, bob"), ("de", "sagen nichts zu Bezirk 6")]
)
def test_in_14_what_a_player_says_is_not_touched(language, line):
    _, _, rest = line.partition(" ")
    assert canonical(line, language, "tammany-hall") == f"say {rest}"
    assert canonical(f"say {rest}", language, "tammany-hall") == f"say {rest}"


@pytest.mark.parametrize("language, kind", GAMES)
def test_in_14_what_is_shown_is_understood(language, kind):
    for word in commands(language, kind):
        assert canonical(shown(word, language, kind), language, kind) == word
        assert canonical(folded(shown(word, language, kind)).upper(), language, kind) == word


def test_an_umlaut_may_be_typed_in_three_ways():
    assert spellings("Gebäude") == {"gebaude", "gebaeude"}
    assert spellings("cœur") == {"cœur", "coeur"}
    assert spellings("Straße") == {"strasse"}


def test_a_sentence_is_shown_as_it_is_translated():
    form = say("place WARD WARD")
    assert shown(form, "de", "tammany-hall") == words("de", "tammany-hall")(form) != form
    assert shown(form, "en", "tammany-hall") == form


def examples(text: str) -> list[str]:
    """The lines to type in help on a notation."""
    return [re.split(r"\s{2,}", line.strip())[0] for line in text.splitlines() if line.startswith("  ")]


@pytest.mark.parametrize("language, kind", GAMES)
def test_in_14_the_help_shows_the_same_commands_in_words_that_are_understood(language, kind):
    rules = RULESETS[kind]
    english = examples(rules.notation.help)
    found = examples(words(language, kind)(rules.notation.help))
    assert len(english) > 10
    for line, foreign in zip(english, found, strict=True):
        assert canonical(foreign, language, kind) == line
        assert rules.notation.parse(canonical(foreign, language, kind), NAMES) == rules.notation.parse(line, NAMES)
        assert foreign.split()[0] == shown(line.split()[0], language, kind)


@pytest.mark.parametrize("language, kind", GAMES)
def test_the_help_is_no_wider_than_a_mail(language, kind):
    assert max(map(len, words(language, kind)(RULESETS[kind].notation.help).splitlines())) <= 78


@pytest.mark.parametrize("language, kind", GAMES)
def test_in_14_forms_keep_their_order_and_their_blanks(language, kind):
    """A form in capitals and command words has the same command words in the same places in every language."""
    blanks = {}
    shapes = 0
    for message in read(language, kind):
        tokens = forms(message.id)[0].split() if message.id and not message.context else []
        if not any(token.isupper() for token in tokens) or not all(
            token.isupper() or token in commands(language, kind) for token in tokens
        ):
            continue
        shapes += 1
        translated = str(message.string).split()
        for english, foreign in zip(tokens, translated, strict=True):
            if english.isupper() and english in RULESETS[kind].presentation.title.upper():
                continue
            if english.isupper():
                assert foreign.isupper()
                assert blanks.setdefault(english, foreign) == foreign
            else:
                assert canonical(foreign, language, kind) == english
    assert shapes > 5 or kind != "tammany-hall"


# Names


def test_in_14_no_word_of_any_language_is_a_handle():
    """A word of a command always means the command: whose name it is gets another handle."""
    for kind, rules in RULESETS.items():
        taken = words_of_all_languages(kind)
        assert taken
        for word in sorted(taken):
            (handle,) = handles([word], rules)
            assert handle not in taken
            assert handle not in rules.notation.reserved


def test_handles_of_other_people_stay():
    rules = RULESETS["tammany-hall"]
    assert handles(["Anna", "Rouge", None, "Bezirk", "Zoë"], rules) == [
        "anna",
        "rouge-yellow",
        "black",
        "bezirk-purple",
        "zoe",
    ]

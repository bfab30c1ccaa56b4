"""What a mail says beside its verbs, in every language: for how long, which days, whom to ask, why (IN-14)."""

from typing import get_args

import pytest

from domain.rulesets import RULESETS
from domain.table.state import Reason
from service.languages import ENGLISH, LANGUAGES, canonical, shown, words
from workers.commands.verbs import MEANINGS
from workers.commands.words.consent_words import ASK, REASONS, lasting_line, undo_line
from workers.commands.words.leave_words import leave_line

FOREIGN = [language for language in LANGUAGES if language != ENGLISH]
GAMES = [(language, kind) for language in FOREIGN for kind in RULESETS]


def read(line: str, language: str, kind: str) -> str:
    """A line as the grammar takes it: its verb, and what stands after it."""
    text = canonical(line, language, kind).lower()
    verb, _, rest = text.partition(" ")
    reads = {"undo": undo_line, "away": leave_line}
    return reads[verb](line, rest) if verb in reads else lasting_line(line, verb, rest)


@pytest.mark.parametrize("kind", RULESETS)
@pytest.mark.parametrize(
    "language, line, meant",
    [
        ("de", "rückgängig", "undo"),
        ("de", "rückgängig fragen", "undo ask"),
        ("de", "rückgängig verlesen", "undo misread"),
        ("de", "Rückgängig fragen Versehen", "undo ask slip"),
        ("de", "pause 7 Tage", "pause P7D"),
        ("de", "anhalten für eine Woche", "pause P7D"),
        ("de", "verlängern um 12 Stunden", "extend PT12H"),
        ("de", "urlaub 24.12.2026 bis 2.1.2027", "away 2026-12-24 2027-01-02"),
        ("de", "abwesend von 24.12.2026 bis 2.1.2027", "away 2026-12-24 2027-01-02"),
        ("fr", "annuler", "undo"),
        ("fr", "annuler demander", "undo ask"),
        ("fr", "annuler méprise", "undo misread"),
        ("fr", "Annuler demander erreur", "undo ask slip"),
        ("fr", "pause 7 jours", "pause P7D"),
        ("fr", "suspendre pour une semaine", "pause P7D"),
        ("fr", "prolonger de 12 heures", "extend PT12H"),
        ("fr", "absence 24.12.2026 au 2.1.2027", "away 2026-12-24 2027-01-02"),
        ("fr", "absent du 24.12.2026 au 2.1.2027", "away 2026-12-24 2027-01-02"),
    ],
)
def test_in_14_a_line_is_understood_as_people_write_it(language, kind, line, meant):
    """In every game, whatever else its notation has those words for."""
    assert read(line, language, kind) == meant


@pytest.mark.parametrize("language, kind", GAMES)
@pytest.mark.parametrize("line", [f"undo {word}" for word in (ASK, *REASONS)] + ["away none"])
def test_in_14_what_is_shown_is_understood(language, kind, line):
    typed = shown(line, language, kind)
    assert read(typed, language, kind) == line
    assert not set(typed.split()) & set(line.split())


def test_every_reason_can_be_typed():
    assert get_args(Reason) == REASONS


@pytest.mark.parametrize("language, kind", GAMES)
def test_out_37_the_help_shows_lines_that_work(language, kind):
    """Where the meaning of a word ends in an example, it is one of that word."""
    for verb, meant in {"pause": "pause P7D", "extend": "extend P2D"}.items():
        meaning = words(language, kind)(MEANINGS[verb]).replace("\u00a0", " ")
        assert read(meaning.rpartition(": ")[2], language, kind) == meant
    for verb, meaning in MEANINGS.items():
        assert canonical(shown(verb, language, kind), language, kind) == verb
        line = {"history": "history 50"}.get(verb)
        assert line is None or shown(line, language, kind) in words(language, kind)(meaning)

"""The most natural replies in three languages, in the mail programs of the day: no honest order is refused, no wrong
one executed (IN-08 to IN-14)."""

import random

import pytest

from tests.workers.replies.positions import asked
from tests.workers.replies.programs import PROGRAMS, TONGUES, Draft, plain
from tests.workers.replies.reading import letter, outcome
from tests.workers.replies.table import Row, rows, small_talk

A_ROW = 3
"""Mail programs that a reply is sent with, besides the plainest: each row takes the next ones."""


@pytest.mark.parametrize("language", TONGUES)
def test_what_becomes_of_the_replies_of_a_language(language: str) -> None:
    table = rows(language)
    assert len(table) >= 100
    faults = [fault for row in table for fault in wrong(row, language)]
    assert not faults, f"{len(faults)} of {len(table)}\n" + "\n".join(faults)


def test_in_10a_nothing_is_executed_that_its_writer_takes_back_or_doubts() -> None:
    table = [(row, language) for language in TONGUES for row in rows(f"take_backs_{language}")]
    assert sum(row.sign == "?" for row, _ in table) >= 300
    faults = [fault for row, language in table for fault in wrong(row, language, programs=1)]
    assert not faults, f"{len(faults)} of {len(table)}\n" + "\n".join(faults)


def wrong(row: Row, language: str, programs: int = A_ROW) -> list[str]:
    """Where something else becomes of a reply, in the first mail program in which it does."""
    question = asked(row.decision)
    draft = Draft(row.text, letter(question), TONGUES[language])
    turn = [PROGRAMS[(row.line + place) % len(PROGRAMS)] for place in range(programs)]
    for program in dict.fromkeys((plain, *turn)):
        found = outcome(program(draft), question, language)
        if not fits(row, found):
            return [f"{row}: {found}, not {row.sign} {row.expected}, by {program.__name__}"]
    return []


def fits(row: Row, found: str) -> bool:
    said, _, _ = found.partition(" | ")
    if row.expected == "nothing":
        return said.strip() == row.sign
    return said == f"{row.sign} {row.expected}".strip() or (
        found.startswith("?") and (row.sign, row.expected) == ("?", "")
    )


ORDERS = {
    "auction": {"en": "bid 3", "de": "biete 3", "fr": "mise 3"},
    "turn": {"en": "place 1 7\nend", "de": "setze 1 7\nende", "fr": "place 1 7\nfin"},
    "slander": {
        "en": "slander bob 8 german\nend",
        "de": "verleumde bob 8 deutsch\nende",
        "fr": "calomnie bob 8 allemand\nfin",
    },
    "keep": {"en": "keep", "de": "behalte", "fr": "garde"},
    "election": {"en": "bid english 2", "de": "biete englisch 2", "fr": "mise anglais 2"},
    "tax": {"en": "tax double", "de": "steuer doppelt", "fr": "impôts double"},
}
"""Complete orders, to say something below."""
NO_PLAY = {"say", "join", "away", "yes", "agree", "resume", "stop"}
"""What small talk may be read as where it stands alone."""


@pytest.mark.parametrize("language", TONGUES)
def test_small_talk_neither_costs_orders_nor_is_one(language: str) -> None:
    """IN-10: a line each; one with a `?` comes near an order in some position, and is asked about there."""
    faults = []
    for number, (sign, line) in enumerate(small_talk(language)):
        decision = sorted(ORDERS)[number % len(ORDERS)]
        question, orders = asked(decision), ORDERS[decision][language]
        alone, below, meant = (
            outcome(plain(Draft(text, "", TONGUES[language])), question, language)
            for text in (line, f"{orders}\n\n{line}", orders)
        )
        if alone.startswith("= ") and alone.split()[1] not in NO_PLAY:
            faults.append(f"{line}: {alone}")
        if not below.startswith(meant if sign == "|" else (meant, "?")):
            faults.append(f"{orders} {line}: {below}")
    assert not faults, "\n".join(faults)


SCRAPS = (
    "", "", "", "orders", "orders none", "ordrs", "befehle", "ward 6 bid irish 2", "wrad 6 bid irish 2", "pass slander",
    "term 2", "round 2", "deputy bid 3", "depty bid 3", "bid 3", "bdi 3", "bid english 2", "place 1 7", "plase 1 7",
    "end",
    "edn", "slander bob 8 german", "keep", "3", "3O", "-- ", "Cheers", "Alice", "Hi Bob", "say well", "sya well", "yes",
    "no", "help", "leave", "undo", "away 24.12. - 2.1.", "type: bid 3", "# so", "> quoted", "No, make that 4",
    "orders: pass",
    "I pass", "Danke", "stop", "x" * 300,
)  # fmt: skip


@pytest.mark.parametrize("language", TONGUES)
def test_in_04_no_mix_of_lines_is_too_much(language: str) -> None:
    chance = random.Random(language)
    for _ in range(150):
        question = asked(chance.choice(["auction", "turn", "slander", "election", "keep"]))
        text = "\n".join(chance.choices(SCRAPS, k=chance.randint(1, 9)))
        assert outcome(plain(Draft(text, "", TONGUES[language])), question, language)[0] in "=?", text

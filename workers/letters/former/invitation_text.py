"""What an invitation tells besides how to answer it: the game in a sentence, its pace, who sits there already."""

from typing import Any

from domain.engine.sentences import Sentence, Words, one_of, say_n
from service.clocks.policy import policy
from workers.letters.deadline_text import left_words
from workers.letters.former.facts import Facts


def invited(facts: Facts, speak: Words) -> dict[str, Any]:
    """The words of an invitation for its template, in its reader's language."""
    table = facts.head.table
    return {
        "about": speak(facts.head.rules.presentation.about),
        "pace": speak(left_words(policy(table.clock).per_move)),
        "seats": speak(_seats(facts)),
    }


def _seats(facts: Facts) -> Sentence:
    """Who sits at the table, and how many may still sit down."""
    chairs = facts.head.table.chairs
    sitting: list[object] = [facts.players[seat] for seat, chair in enumerate(chairs) if chair.player is not None]
    if bots := sum(chair.bot for chair in chairs):
        sitting.append(say_n("{count} bot", "{count} bots", bots))
    free = sum(not chair.taken for chair in chairs)
    return say_n(
        "At the table: {names}. {count} seat is free.",
        "At the table: {names}. {count} seats are free.",
        free,
        names=one_of(sitting),
    )

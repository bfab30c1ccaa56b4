"""The registry of commands is complete: every word has a form, a handler and, if it is offered, a line in the help."""

import pytest

from service.languages import UNIVERSAL
from workers.commands.verbs import ACTS, ALONE, HANDLERS, MEANINGS, SHOWS, Acts, Alone, Shows
from workers.commands.words.command import GRAVE, LONERS, READS, SORTS, TALKS
from workers.commands.words.forms import FORMS

NO_HANDLER = {"stop"}
"""What only declines an invitation, in the first line or in the subject."""
NOT_OFFERED = {"leave", "stop"}


def test_every_word_of_every_game_has_a_form_and_a_handler():
    verbs = [verb for handler in HANDLERS for verb in handler.verbs]
    assert set(FORMS) == set(SORTS) == set(UNIVERSAL)
    assert sorted(verbs) == sorted(set(FORMS) - NO_HANDLER), "each one handler"


def test_every_word_that_is_offered_has_a_line_in_the_help():
    assert {word.partition(" ")[0] for word in MEANINGS} == set(FORMS) - NOT_OFFERED


def test_every_handler_acts_or_shows_or_stands_alone():
    for handler in HANDLERS:
        assert isinstance(handler, Acts | Shows | Alone), handler
        assert not (isinstance(handler, Alone) and isinstance(handler, Acts)), handler
    assert set(ACTS) == {handler for handler in HANDLERS if isinstance(handler, Acts)}


@pytest.mark.parametrize("verb", sorted(FORMS))
def test_the_handler_fits_the_sort_of_the_word(verb):
    acts = {word for handler in ACTS for word in handler.verbs}
    assert (verb in SHOWS) == (verb in READS | {"pass"})
    assert (verb in ALONE) == (verb in LONERS - GRAVE)
    assert (verb in acts) == (verb in TALKS | GRAVE | {"away", "orders", "pass"})

"""Every question and every answer that a seat is offered is there in every language (OUT-37)."""

from collections.abc import Iterator

import pytest

from domain.engine.choices import Step
from domain.engine.sentences import Row, Sentence
from service.languages.catalogues import LANGUAGES, SHARED, is_translated, read
from tests.domain.test_choices import EACH, decisions, first_step


def labels(step: Step | None) -> Iterator[Sentence]:
    if step is None:
        return
    yield step.label
    for named in (*step.amounts, *step.order, *step.options):
        yield named.label
    for option in step.options:
        yield from labels(option.step)


def texts(sentence: object) -> Iterator[Sentence]:
    """A sentence and those in it that a catalogue must have."""
    if isinstance(sentence, Sentence) and sentence:
        if not isinstance(sentence, Row):
            yield sentence
        for value in sentence.values.values():
            yield from texts(value)


@pytest.mark.parametrize("kind", sorted({kind for kind, _ in EACH}))
@pytest.mark.slow
def test_every_question_and_answer_is_translated(kind: str) -> None:
    said = {
        (text.context, text.template)
        for game in [game for each, game in EACH if each == kind]
        for state, seat in decisions(kind, game, 23)
        for label in labels(first_step(kind, state, seat))
        for text in texts(label)
    }
    assert len(said) > 5
    for context, template in said:
        for language in LANGUAGES[1:]:
            found = [read(language, name).get(template, context or None) for name in (kind, SHARED)]
            assert any(message and is_translated(message) for message in found), (language, context, template)

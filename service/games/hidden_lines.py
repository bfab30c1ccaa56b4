"""The mark in the place of a line of table talk that the operator of the service hid."""

from domain.engine.sentences import Sentence, say
from service.store.games.talk_lines import TalkLine


def mark_of(line: TalkLine) -> Sentence | None:
    """What everybody reads in the place of a line, its author too; None where it was not hidden."""
    if line.hidden_by is None:
        return None
    if line.why is None:
        return say("hidden by the operator of this service")
    return say("hidden by the operator of this service: {why}", why=line.why)

"""Whom players ask about what the operator did."""

from urllib.parse import urlsplit

from config.settings import Settings
from domain.engine.sentences import Sentence, say


def whom_to_ask(settings: Settings) -> Sentence:
    """A sentence that says where questions go."""
    if settings.contact:
        return say("Whoever has questions about it asks here: {contact}", contact=settings.contact)
    host = urlsplit(settings.base_url).hostname or settings.mail_domain
    return say("Whoever has questions about it asks those who run {host}.", host=host)

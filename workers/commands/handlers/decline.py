"""Declining an invitation by mail: `no`, `stop` or `unsubscribe`, in the first line or in the subject."""

from itertools import chain
from typing import Final

from service.languages import LANGUAGES, canonical
from service.mail import alignment, invitations
from workers.commands.context import ReplyContext
from workers.commands.read_orders import Written

DECLINED_BY: Final = frozenset({"no", "stop", "unsubscribe"})
"""What declines an invitation: "no" those of its host, the others those of everybody."""


def decline(context: ReplyContext, written: Written) -> bool:
    """Take an invitation back where a guest declines it. Whether they do; nothing is sent then, an answer neither."""
    word = _declining_word(context, written)
    guest = context.token.player is None
    seated = context.person.id is not None and context.head.table.seat_of(context.person.id) is not None
    if not word or seated or not guest or not context.from_ok or context.verdict == alignment.FAIL:
        return False
    host = context.head.table.host if word == "no" else invitations.ANYBODY
    invitations.decline(context.services.database, context.tx, context.token.game, context.token.recipient, host)
    return True


def _declining_word(context: ReplyContext, written: Written) -> str:
    """The declining word on the first line or, where nothing is ordered, in the subject; in any language of ours."""
    first = next((line for line in written.text.splitlines() if line.strip()), "")
    texts = (first, "" if written.commands else context.reading.subject)
    words = chain.from_iterable(
        (canonical(text.strip(" .!").lower(), language) for language in LANGUAGES) for text in texts
    )
    return next((word for word in words if word in DECLINED_BY), "")

"""Declining an invitation by mail: `no`, `stop` or `unsubscribe`, in the first line or in the subject."""

from itertools import chain
from typing import Final

from service.games.inviting import ask_to_begin
from service.languages import LANGUAGES, canonical
from service.mail import alignment, invitations
from service.store.games import invitations as invited
from workers.commands.context import ReplyContext
from workers.commands.read_orders import Written
from workers.parsing.consent import read_answer

DECLINED_BY: Final = frozenset({"no", "stop", "unsubscribe"})
"""What declines an invitation: "no" this one alone, the others those of everybody (IN-10d)."""


def decline(context: ReplyContext, written: Written) -> bool:
    """Take an invitation back if a guest declines it. Returns whether they do; no answer is sent then."""
    word = _declining_word(context, written)
    guest = context.token.player is None
    seated = context.person.id is not None and context.head.table.seat_of(context.person.id) is not None
    if not word or seated or not guest or not context.from_ok or context.verdict == alignment.FAIL:
        return False
    database, game, key = context.services.database, context.token.game, context.token.recipient
    if word == "no":
        invited.take_back(context.tx, game, key)
    else:
        invitations.decline(database, context.tx, game, key, invitations.ANYBODY)
    ask_to_begin(context.tx, context.head)
    return True


def _declining_word(context: ReplyContext, written: Written) -> str:
    """Return the declining word on the first line or, if nothing is ordered, in the subject; in any language."""
    first = next((line for line in written.text.splitlines() if line.strip()), "")
    texts = (first, "" if written.commands else context.reading.subject)
    words = chain.from_iterable(
        (canonical(text.strip(" .!").lower(), language) for language in LANGUAGES) for text in texts
    )
    found = next((word for word in words if word in DECLINED_BY), "")
    return found or ("no" if read_answer(written.text, written.grammar.people) == "no" else "")

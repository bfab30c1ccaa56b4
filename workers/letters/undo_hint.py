"""The line of every "done" that says how to take it back, and until when (OUT-33)."""

from collections.abc import Sequence
from typing import Final

from domain.engine.refusals import RuleViolation
from domain.engine.sentences import Sentence, say, typed
from service.games import takeback
from workers.commands.words.command import NO_ORDERS, Command
from workers.commands.words.consent_words import ASK, BY_CONSENT, UNDO
from workers.letters.letter_view import LetterView

FREE: Final = say("To take it back, answer “{undo}” before anybody else acts.", undo=typed(UNDO))
ASKED: Final = say(
    "To take it back, answer “{ask}”: the others must agree.", ask=say("{undo} {ask}", undo=typed(UNDO), ask=ASK)
)
NEVER: Final = say("This cannot be taken back.")
AGAIN: Final = say("To have it stand after all, send the same orders again.")
PROPOSED: Final = say("To withdraw it, answer “{refuse}” before the others agree.", refuse=typed("refuse"))
AHEAD: Final = say("To withdraw your standing orders, answer “{orders} {none}” before you are asked.",
                   orders=typed("orders"), none=typed("none"))  # fmt: skip
LEAVE: Final = say("To take your leave back, answer “{away} {none}”.", away=typed("away"), none=typed("none"))
TALK: Final = say("To take the line back, answer “{unsay}” before it is shown.", unsay=typed("unsay"))


def undo_hint(view: LetterView, orders: Sequence[str]) -> Sentence:
    """Return how the reader takes back what these commands did, in the order of what matters most."""
    commands = [Command.of(order) for order in orders]
    verbs = {command.verb for command in commands}
    if any(command.plays for command in commands):
        return _of_orders(view)
    if UNDO in verbs and view.head.table.proposal is None:
        return AGAIN
    if verbs & BY_CONSENT:
        return PROPOSED if view.head.table.proposal is not None else NEVER
    if any(command.files and command.text != NO_ORDERS for command in commands):
        return AHEAD
    if any(command.leaves for command in commands):
        return LEAVE
    return TALK if "say" in verbs else NEVER


def _of_orders(view: LetterView) -> Sentence:
    """Return how orders of the game are taken back: freely, if the others agree, or not at all."""
    if view.seat is None:
        return NEVER
    try:
        meant = takeback.look_back(view.services, view.connection, view.head, view.seat)
    except RuleViolation:
        return NEVER
    return FREE if meant.free else ASKED

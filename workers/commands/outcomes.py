"""What came of a mail: kept with it, told to its player by mail and in `GET /me/mails`."""

from typing import Any, Final, Literal

import msgspec

from domain.engine.sentences import Sentence, say
from service.container import Services
from service.mail import inbox
from service.store.database import Connection
from service.store.incoming.inbox import MailOutcome, StoredMail
from service.store.outgoing.notice_queries import About
from workers.commands.words.line import Line

APPLIED: Final = "applied"
ANSWERED: Final = "answered"
REJECTED: Final = "rejected"
ASKED: Final = "asked"
STALE: Final = "stale"
LATE: Final = "late"
HELD: Final = inbox.HELD
ALREADY: Final = "already"
DECLINED: Final = "declined"
JOINED: Final = "joined"
QUARANTINED: Final = "quarantined"
STRANGE: Final = "strange"
KEPT_OUT: Final = "kept-out"


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """Texts are in the player's language already; `commands` in the notation."""

    result: str
    why: str = ""
    rule: str = ""  # the rule of the game that a refusal follows
    lines: list[Line] = []
    commands: list[str] = []
    ended: bool = False  # whether `end` was added to them, since nothing else was left (IN-10c)
    answers: str = ""  # the decision they were orders for; where none is asked now, the one its address was for
    block: list[str] = []  # ready to copy
    other_block: list[str] = []  # what may have been meant instead, ready to copy
    ignored: list[str] = []
    shows: list[str] = []  # what was asked to be shown
    before: int = 0  # the version it met
    version: int = 0  # the version it left
    decision: str = ""  # what the player is asked then, "" for nothing
    since: int = 0
    due: int = 0
    calendar: bool = False
    copied: bool = False  # a stranger got a copy of it
    ahead: Literal["", "filed", "withdrawn"] = ""  # what became of the player's standing orders


def changed(outcome: Outcome, **fields: Any) -> Outcome:
    """The outcome with some fields anew."""
    return msgspec.structs.replace(outcome, **fields)


HEADLINES: Final[dict[str, Sentence]] = {
    APPLIED: say("Done."),
    ANSWERED: say("Here is what you asked for. Nothing was changed."),
    REJECTED: say("Nothing was changed: your mail could not be used."),
    ASKED: say("Nothing was done yet. Did you mean it? Answer yes or no."),
    STALE: say("Nothing was changed: your mail answers a question that is no longer open."),
    LATE: say("Nothing was changed: your mail came after the deadline."),
    HELD: say("Nothing was changed yet: please confirm that this mail is yours."),
    ALREADY: say("That was already recorded; nothing was changed."),
    DECLINED: say("The mail was discarded, and the reply addresses we had given you no longer work."),
    JOINED: say("You have a seat at the table."),
    STRANGE: say("Nothing was done: a mail that may not be yours came to your reply address."),
    QUARANTINED: say("Nothing was changed: your mail could not be read."),
    KEPT_OUT: say("Nothing was changed: your mail could not be used."),
}


def read(services: Services, row: MailOutcome) -> Outcome | None:
    """What came of a mail, None while nothing has."""
    found: Any = inbox.outcome(services, row)
    return None if found is None else msgspec.convert(found, Outcome)


def of_answer(services: Services, connection: Connection, decision: str) -> tuple[StoredMail, Outcome]:
    """The mail that a notice with this key answers, and what came of it. Raises LookupError where there is none."""
    row = inbox.by_id(connection, About.read(decision).number)
    outcome = read(services, row) if row is not None else None
    if row is None or outcome is None:
        raise LookupError(f"no mail {decision} with an outcome")
    return row, outcome

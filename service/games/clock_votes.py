"""The clock by consent: stop it, let it run, give more time. All raise as `service.games.play` does."""

from config.durations import parse_duration
from domain.engine.refusals import RuleViolation
from domain.engine.sentences import say
from domain.table import consent
from domain.table.consent import ClockTerms
from domain.table.record import Record
from service.container import Services
from service.games import play
from service.games.commit import commit
from service.games.outcomes import Moved
from service.store.database import Connection
from service.store.event_store.streams import GameOrHead, Seen


def seconds_of(text: str) -> int:
    """How long a duration in ISO 8601 is. Raises RuleViolation for what is none."""
    try:
        return int(parse_duration(text).total_seconds())
    except ValueError as error:
        raise RuleViolation("bad-duration", "DESIGN-7", say("{reason}", reason=str(error))) from error


def propose(
    services: Services,
    tx: Connection,
    game: GameOrHead,
    player: str,
    what: ClockTerms,
    seconds: int,
    *,
    seen: Seen | None = None,
) -> Moved:
    """Propose to stop the clock for so long at most, to let it run again, or so much more time.

    Where nobody else is left to ask it is done. A host lets a clock run that was stopped by a missed deadline.
    """
    head = play.enter(services, tx, game, player, expect=seen, consents=True)
    record = Record(head.table, head.rules)
    if what == "resume" and head.table.late is not None and head.table.host == player:
        consent.resume(record, {"host": player}, "host")
    else:
        consent.propose_clock(record, play.seated_at(head, player), what, seconds)
    return Moved(head, commit(services, tx, head, record), record)


def vote(
    services: Services, tx: Connection, game: GameOrHead, player: str, agrees: bool, *, seen: Seen | None = None
) -> Moved:
    """Agree to what was proposed, or not; the proposer may withdraw."""
    head = play.enter(services, tx, game, player, expect=seen, consents=True)
    record = Record(head.table, head.rules)
    consent.answer(record, play.seated_at(head, player), "clock", agrees)
    return Moved(head, commit(services, tx, head, record), record)


def withdraw(services: Services, tx: Connection, game: GameOrHead, player: str, *, seen: Seen | None = None) -> Moved:
    """Take one's own proposal about the clock off the table."""
    head = play.enter(services, tx, game, player, expect=seen, consents=True)
    record = Record(head.table, head.rules)
    consent.withdraw(record, play.seated_at(head, player), "clock")
    return Moved(head, commit(services, tx, head, record), record)

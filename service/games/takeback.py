"""Taking back: at once while nothing was revealed and nobody else acted, else by the consent of the seats it touches.

All raise NoSuchGame, NotSeated, StaleTurn and RuleViolation (nothing recorded) as `service.games.play` does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from domain.engine.game import Seat
from domain.engine.refusals import RuleViolation
from domain.table import consent, undo
from domain.table import events as e
from domain.table.clock import ClockFold, fold_clock
from domain.table.record import CLOCK, Record
from domain.table.state import Reason, Table
from domain.table.undo import Past, Undoing
from service.clocks import owed_again, seat_clocks
from service.clocks.policy import policy
from service.clocks.seat_clocks import Clocks
from service.container import Services
from service.games import play, seat_names
from service.games.commit import commit
from service.games.outcomes import Moved
from service.games.reader_view import ReaderView
from service.games.views import proposal_document
from service.kernel.clock import SECOND, from_text
from service.store.database import Connection
from service.store.event_store.streams import GameOrHead, Head, Seen

LEAST: Final = 3600 * SECOND
"""How much time a player has at least who has taken something back."""


@dataclass(frozen=True, slots=True)
class Back:
    """What came of a wish or a vote to go back: whether it was done, and to which event."""

    moved: Moved
    to: int
    done: bool


def look_back(
    services: Services, connection: Connection, head: Head, seat: Seat, to: int | None = None, reason: Reason = "slip"
) -> Undoing:
    """Return what going back would mean: to event `to`; else to before the deadline that the seat let pass last, if
    that is the reason; else to before its last act. Raises RuleViolation."""
    return _meant(_past(services, connection, head), head, seat, to, reason)


def undoes(services: Services, connection: Connection, head: Head, to: int) -> list[int]:
    """The events up to `head` that going back to event `to` would undo."""
    return [entry.version for entry in undo.undone_since(undo.present_line(_past(services, connection, head)), to)]


def go_back(
    services: Services,
    tx: Connection,
    game: GameOrHead,
    player: str,
    *,
    to: int | None = None,
    reason: Reason = "slip",
    ask: bool = True,
    seen: Seen | None = None,
) -> Back:
    """Take back what this player did last, or all since event `to`; where that is not free, propose it if `ask`.

    Bots and caretakers are not asked. What was taken back at once is owed since it was owed at first, with the bank
    that was left then: nobody gains time. Raises RuleViolation "needs-consent" where others are not to be asked.
    """
    head = play.enter(services, tx, game, player, expect=seen, consents=True)
    seat = play.seated_at(head, player)
    past = _past(services, tx, head)
    meant = _meant(past, head, seat, to, reason)
    then = _then(services, tx, head, meant.to)
    record = Record(head.table, head.rules)
    done = consent.take_back(record, seat, meant, reason, then, ask=ask, names=seat_names.shown_names(tx, head))
    if done:
        _restore_bank(record, seat, then)
    told = fold_clock(head.rules, past) if done else None

    def rewind(clocks: Clocks) -> None:
        if told is None:
            return
        if seat in clocks.begun:
            clocks.rebegin(seat, owed_again.owed_before(tx, clocks, told, past, seat), LEAST)
        _keep_law(clocks, told)

    stored = commit(services, tx, head, record, rewind)
    return Back(Moved(head, stored, record), meant.to, done)


def vote(
    services: Services, tx: Connection, game: GameOrHead, player: str, agrees: bool, *, seen: Seen | None = None
) -> Back:
    """Agree to going back, or not; the proposer may withdraw. With the last one's agreement it is done."""
    head = play.enter(services, tx, game, player, expect=seen, consents=True)
    record = Record(head.table, head.rules)
    agreed = consent.answer(record, play.seated_at(head, player), "rewind", agrees)
    told = None
    if agreed is not None:
        told = fold_clock(head.rules, _past(services, tx, head))
        then = _then(services, tx, head, agreed.to)
        consent.reopen(record, agreed.seat, agreed.to, agreed.reason, then, agreed.agreed)
    keep_law = None if told is None else partial(_keep_law, told=told)
    moved = Moved(head, commit(services, tx, head, record, keep_law), record)
    return Back(moved, agreed.to if agreed else 0, agreed is not None)


def withdraw(services: Services, tx: Connection, game: GameOrHead, player: str, *, seen: Seen | None = None) -> Moved:
    """Take one's own proposal to go back off the table."""
    head = play.enter(services, tx, game, player, expect=seen, consents=True)
    record = Record(head.table, head.rules)
    consent.withdraw(record, play.seated_at(head, player), "rewind")
    return Moved(head, commit(services, tx, head, record), record)


def outlook(view: ReaderView, to: int | None, reason: Reason) -> dict[str, Any]:
    """Return what going back would mean to a reader with a seat, and what is proposed, in the reader's words."""
    assert view.seat is not None, "who goes back has a seat"
    head, meant, refusal = view.head, None, None
    try:
        meant = _meant(view.past, head, view.seat, to, reason)
    except RuleViolation as refused:
        refusal = {"code": refused.code, "rule": refused.rule, "detail": refused.message}
    proposal = head.table.proposal if head.table.proposal and head.table.proposal.what == "rewind" else None
    document = proposal_document(proposal)
    if proposal is not None and document is not None:
        undone = undoes(view.services, view.connection, head, proposal.to)
        document["undoes"] = view.describe(undone)
    return {
        "version": head.version,
        "hash": head.hash,
        "to": meant.to if meant else None,
        "free": meant is not None and not consent.whom(head.table, meant),
        "touches": consent.whom(head.table, meant) if meant else [],
        "undoes": view.describe(meant.undone) if meant else [],
        "refusal": refusal,
        "proposal": document,
    }


def _past(services: Services, connection: Connection, head: Head) -> list[Past]:
    return services.streams.history(connection, head.game, head.rules, head.version)


def _meant(past: Sequence[Past], head: Head, seat: Seat, to: int | None, reason: Reason) -> Undoing:
    if to is None:
        to = undo.last_lapse(past, seat) if reason == "lapse" else undo.last_act(past, seat)
    return undo.undoing(past, head.table, seat, to)


def _then(services: Services, tx: Connection, head: Head, to: int) -> Table:
    return services.streams.table_at(tx, head.game, head.rules, to)


def _keep_law(clocks: Clocks, told: ClockFold) -> None:
    """Let no question that is asked again be due earlier than it was told to be."""
    for seat, row in list(clocks.begun.items()):
        latest = told.latest_told(seat, row.decision)
        clocks.keep_law(seat, None if latest is None else from_text(latest))


def _restore_bank(record: Record, seat: Seat, then: Table) -> None:
    """A seat's time bank is what it was before what it has taken back."""
    bank, clock = then.chairs[seat].bank, policy(then.clock)
    if record.table.chairs[seat].bank != bank:
        record.add(CLOCK, e.BankChanged(seat, seat_clocks.policy_seconds(clock.bank, clock) if bank is None else bank))

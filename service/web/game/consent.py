"""What needs the consent of others: going back, stopping the clock, letting it run, more time."""

from dataclasses import dataclass
from typing import Any, Final

from domain.engine.game import Event
from domain.engine.sentences import Sentence, say
from domain.table import proposals, undo
from domain.table.events import ClockProposed, RewindProposed, TurnExpired
from domain.table.record import is_of_one
from domain.table.state import Proposal
from service.games import takeback
from service.games.event_text import tell
from service.games.reader_view import ReaderView

REASONS: Final[dict[str, Sentence]] = {
    "slip": say("It was a slip."),
    "misread": say("The rules or the position had been misread."),
    "agreed": say("The table wants it."),
}
"""Why somebody would go back, besides a missed deadline."""


@dataclass(frozen=True, slots=True)
class Open:
    """A proposal on the table: what it says, who has agreed and who has not, what the reader may do about it."""

    what: str  # "rewind" or "clock"
    text: str
    undoes: list[str]
    agreed: list[str]
    missing: list[str]
    is_mine: bool
    is_asked: bool


@dataclass(frozen=True, slots=True)
class Back:
    """The events that going back would undo: none if `refusal` says why one cannot."""

    undoes: list[str]
    free: bool
    """Whether nobody has to agree; bots are not asked."""
    is_latest: bool
    """Whether nobody else, not even a bot, has moved since."""
    touches: list[str]
    refusal: str


@dataclass(frozen=True, slots=True)
class Consent:
    """All of it."""

    proposal: Open | None
    back: Back | None
    lapse: Back | None
    """What going back to before the deadline would undo that the reader let pass last."""
    paused: bool
    reasons: dict[str, str]
    may_resign: bool


def consent_of(view: ReaderView) -> Consent | None:
    """What may be proposed and what is; None for spectators and where no game is under way."""
    if view.seat is None or view.head.table.status != "running":
        return None
    outlook = takeback.outlook(view, None, "slip")
    proposal = None if view.head.table.proposal is None else _open(view, view.head.table.proposal, outlook)
    reasons = {reason: view.words(text) for reason, text in REASONS.items()}
    back = None if view.is_vacant else _back(view, outlook)
    return Consent(proposal, back, _lapse(view), view.head.table.paused, reasons, may_resign=not view.is_vacant)


def _lapse(view: ReaderView) -> Back | None:
    """None where the reader let no deadline pass, or going back there is not to be thought of any more."""
    missed = any(isinstance(entry.event, TurnExpired) and entry.event.seat == view.seat for entry in view.past)
    if not missed or view.is_vacant or view.seat is None:
        return None
    outlook = takeback.outlook(view, None, "lapse")
    return None if outlook["refusal"] is not None else _back(view, outlook)


def _back(view: ReaderView, outlook: dict[str, Any]) -> Back:
    refusal = "" if outlook["refusal"] is None else view.words(outlook["refusal"]["detail"])
    touches = [view.names[seat] for seat in outlook["touches"]]
    undone = undo.undone_since(undo.present_line(view.past), outlook["to"]) if outlook["free"] else []
    is_latest = view.seat is not None and is_of_one([(entry.actor, entry.event) for entry in undone], view.seat)
    return Back(outlook["undoes"], outlook["free"], is_latest, touches, refusal)


def _open(view: ReaderView, proposal: Proposal, outlook: dict[str, Any]) -> Open:
    missing = proposals.missing(view.head.table, proposal)
    undoes = outlook["proposal"]["undoes"] if outlook["proposal"] else []
    return Open(
        "rewind" if proposal.what == "rewind" else "clock",
        view.words(_text(view, proposal)),
        undoes,
        [view.names[seat] for seat in proposal.agreed],
        [view.names[seat] for seat in missing],
        proposal.seat == view.seat,
        view.seat in missing,
    )


def _text(view: ReaderView, proposal: Proposal) -> str:
    asked = proposal.asked
    event: Event
    if proposal.what == "rewind":
        event = RewindProposed(proposal.seat, proposal.to, proposal.reason, asked)
    else:
        event = ClockProposed(proposal.seat, proposal.what, proposal.seconds, asked)
    return tell(view.head.rules, event, view.names)

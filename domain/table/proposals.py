"""What becomes of an open proposal as the game goes on, and as people leave."""

from domain.engine.game import Event, Seat
from domain.table.events import ClockPaused, ClockResumed, ProposalDropped, TimeExtended
from domain.table.record import Actor, Record
from domain.table.state import Proposal, Table


def persons(table: Table) -> list[Seat]:
    """The seats that a person plays."""
    return [seat for seat, chair in enumerate(table.chairs) if chair.manned]


def missing(table: Table, proposal: Proposal) -> list[Seat]:
    """Of those asked, who has not agreed yet; who has left is not waited for."""
    present = persons(table)
    return [seat for seat in proposal.asked if seat in present and seat not in proposal.agreed]


def drop_rewind(record: Record, actor: Actor) -> None:
    """The game has moved on: nobody goes back to before that who was not asked about it."""
    proposal = record.table.proposal
    if proposal is not None and proposal.what == "rewind":
        record.add(actor, ProposalDropped(proposal.seat, "played-on"))


def settle_clock(record: Record, actor: Actor) -> None:
    """Stop the clock, let it run, or give more time, where that is proposed and waits for nobody any more."""
    proposal = record.table.proposal
    if proposal is None or proposal.what == "rewind" or missing(record.table, proposal):
        return
    done: dict[str, Event] = {
        "pause": ClockPaused("agreed", proposal.seconds),
        "resume": ClockResumed("agreed"),
        "extend": TimeExtended(proposal.seconds),
    }
    record.add(actor, done[proposal.what])

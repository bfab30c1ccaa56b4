"""Making a record last: events, head, seats, who owes what, and whom to tell, in one transaction."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec

from domain.audit.house_log import ENDED, OPENED
from domain.engine.game import Event, Seat
from domain.history.codec import Stored
from domain.table import events as e
from domain.table.clock import owed_decisions
from domain.table.proposals import missing
from domain.table.record import CLOCK, OPERATOR, Record, is_of_one
from domain.table.state import Chair, Table
from service.clocks import outages, seat_clocks
from service.clocks.policy import policy
from service.clocks.seat_clocks import Clocks
from service.container import Services
from service.kernel import request_ids
from service.kernel.clock import SECOND
from service.store.clocks import decisions
from service.store.clocks import outages as outage_rows
from service.store.database import Connection
from service.store.event_store import checkpoints, house_log
from service.store.event_store.streams import GameOrHead, Head
from service.store.games import game_rows, invitations, thoughts
from service.store.games import seats as seat_rows
from service.store.games.seats import bot_columns
from service.store.outgoing import feed_entries, outbox
from service.store.outgoing.notice_queries import About
from service.telemetry.tracing import traced

CLOCK_FACTS: Final = (e.ClockPaused, e.ClockResumed, e.TimeExtended)
"""Events that move the clocks of those who were asked before."""


def lock(services: Services, tx: Connection, game: GameOrHead) -> Head:
    """Lock a game to change it, and make outages good. Raises NoSuchGame, GameHalted and BrokenHistory."""
    return _up_to_date(services, tx, services.streams.locked(tx, game))


def lock_for(services: Services, tx: Connection, game: str, player: str) -> Head:
    """Lock a game for a player. Raises as `lock` does; of what they may not know, nothing is locked."""
    return _up_to_date(services, tx, services.streams.lock_for(tx, game, player))


def _up_to_date(services: Services, tx: Connection, head: Head) -> Head:
    """Give back the time of outages that the game has not given back yet."""
    if head.outage_ended is not None:
        give_back_outages(services, tx, head)
    return head


def give_back_outages(services: Services, tx: Connection, head: Head, upto: int | None = None) -> bool:
    """Give each clock of a game the outages back that it was not given yet, up to a time. Return whether any moved.

    Each is one event with the number of the outage, so that none is given twice (Q-9).
    """
    moved, head.outage_ended = False, None
    for outage in outage_rows.every(tx, min((row.outage for row in decisions.of_game(tx, head.game)), default=0)):
        ended = outage.ended_at if upto is None else min(outage.ended_at, upto)
        given = {
            row.seat: {"outage": outage.number} | seat_clocks.given_back(row, outage.began_at, ended)
            for row in decisions.hold_game(tx, head.game)
            if row.outage < outage.number and row.began_at < outage.ended_at
        }
        moved = move_deadlines(services, tx, head, given, "service", outage=outage.number) or moved
    return moved


def move_deadlines(
    services: Services,
    tx: Connection,
    head: Head,
    moves: Mapping[Seat, seat_clocks.Values],
    why: Literal["service", "player"],
    *,
    reason: str = "",
    outage: int | None = None,
) -> bool:
    """Move deadlines of a locked game, and record that if any moved. Return whether any did.

    `moves` are columns of decisions by seat. The `reason` is for the player alone, and can be erased.
    """
    rows = {row.seat: row for row in decisions.hold_game(tx, head.game)}
    later = [seat for seat, values in moves.items() if values.get("due_at", rows[seat].due_at) != rows[seat].due_at]
    if not later:
        for seat, values in moves.items():
            decisions.change(tx, head.game, seat, values)
        return False
    record = Record(head.table, head.rules)
    record.add(CLOCK, e.DeadlineMoved(why, outage))

    def move(clocks: Clocks) -> None:
        for seat, values in moves.items():
            told = f"{rows[seat].reasons} {clocks.version} {reason}".strip()
            clocks.set(seat, values | ({"reasons": told} if reason and seat in later else {}))

    commit(services, tx, head, record, move)
    return True


@traced("append")
def commit(
    services: Services, tx: Connection, head: Head, record: Record, move: Callable[[Clocks], None] | None = None
) -> list[Stored]:
    """Append a record to the stream it began at, and all that goes with it. `head` moves along.

    The last event carries the deadlines that are set or moved; `move` moves more of them.
    """
    if policy(head.table.clock).bank:
        seat_clocks.charge_banks(tx, head, record, outages.charged_until(tx, head.now))
    checkpoints.list_key(services.database, tx, services.signer, head.now)
    before, after = head.table, record.table
    first = head.version + 1
    change = _change(head, record, before)
    clocks = Clocks(tx, head, record)
    clocks.ask(change.ended, {seat: change.asked[seat] for seat in change.begun})
    pause_end = _follow_clock(tx, head, record, clocks)
    if move is not None:
        move(clocks)
    record.set_due(clocks.due())
    with services.database.together(tx):
        cause = request_ids.cause(services.entropy)
        stored = services.streams.append(tx, head, record.facts, after, cause, record.shut)
        _project_seats(tx, head.game, before, after)
        _follow_thoughts(tx, head, record, before, services.settings.undo_seconds)
        _keep_decisions(tx, head, change, clocks)
        outbox.put(tx, [*_your_turns(head, change), *_consequences(head, record, change, first)])
        checkpoints.keep(tx, services.signer, head)
    if pause_end is not None:
        game_rows.set_pause_end(tx, head.game, pause_end or None)
    for row in clocks.told_anew():
        feed_entries.tell_again(tx, str(row.player_id), row.game_id, row.since)
    if before.version and before.host != after.host:
        _forget_host(tx, head)
    if not before.version or before.status != after.status:
        _tell_log(services, tx, head, before, after)
    services.hint(tx, _people(before) | _people(after), head.game, head.version)
    return stored


def _forget_host(tx: Connection, head: Head) -> None:
    """Keep the words of a host who has left, and the addresses they invited, from the next one."""
    game_rows.rename(tx, head.game, None)
    head.name = None
    invitations.hide(tx, head.game)


def _tell_log(services: Services, tx: Connection, head: Head, before: Table, after: Table) -> None:
    """Have the house log record a game that was opened or has ended."""
    if not before.version:
        house_log.tell(services.database, tx, head.game, OPENED)
    if after.status not in ("open", "running"):
        house_log.tell(services.database, tx, head.game, ENDED)


def _people(table: Table) -> set[str]:
    return {chair.player for chair in table.chairs if chair.player}


def _follow_clock(tx: Connection, head: Head, record: Record, clocks: Clocks) -> int | None:
    """Stop the clocks, let them run, or give more time, as the table has agreed.

    Returns when a pause ends by itself: 0 for never, None if no clock was stopped or let run.
    """
    pause_end = None
    for fact in record.facts:
        match fact.event:
            case e.ClockPaused(seconds=seconds, seat=late):
                clocks.stop(outages.charged_until(tx, head.now), late)
                pause_end = head.now + seconds * SECOND if seconds else 0
            case e.ClockResumed():
                clocks.go_on()
                pause_end = 0
            case e.TimeExtended(seconds=seconds, seat=seat):
                clocks.extend(seconds, seat)
    return pause_end


def _project_seats(tx: Connection, game: str, before: Table, after: Table) -> None:
    if [_seen(chair) for chair in before.chairs] == [_seen(chair) for chair in after.chairs]:
        return
    seat_rows.replace_all(
        tx,
        game,
        [
            {
                "seat": seat,
                "player_id": chair.player,
                **bot_columns(chair.bot),
                "vacant": chair.vacant,
                "strikes": chair.strikes,
            }
            for seat, chair in enumerate(after.chairs)
        ],
    )


def _seen(chair: Chair) -> tuple[Any, ...]:
    return chair.player, chair.bot, chair.vacant, chair.strikes


@dataclass(frozen=True, slots=True)
class _Change:
    """The table before and after; the seat that did it, which knows; who is asked what now, whose question has ended,
    and who is asked another."""

    before: Table
    after: Table
    mover: Seat | None
    asked: dict[Seat, str]
    ended: list[Seat]
    begun: list[Seat]

    def besides(self, seats: Iterable[Seat | None]) -> list[Seat]:
        """Those of the seats that hear of it by no other way."""
        return sorted({seat for seat in seats if seat is not None} - {self.mover, *self.begun})


def _change(head: Head, record: Record, before: Table) -> _Change:
    was, now = owed_decisions(before, head.rules), owed_decisions(record.table, head.rules)
    actor = record.facts[0].actor
    mover = record.table.seat_of(actor["host"]) if "host" in actor else actor.get("seat")
    ended = [seat for seat in sorted(was) if now.get(seat) != was[seat]]
    begun = [seat for seat in sorted(now) if was.get(seat) != now[seat]]
    return _Change(before, record.table, mover, now, ended, begun)


def _keep_decisions(tx: Connection, head: Head, change: _Change, clocks: Clocks) -> None:
    """Write the decisions that end, begin and move."""
    begun = [msgspec.structs.asdict(row) for row in clocks.begun.values()]
    if len(change.ended) == len(begun) == 1:
        decisions.hand_over(tx, change.ended[0], **begun[0])
    else:
        for seat in change.ended:
            decisions.drop(tx, head.game, seat)
        for row in begun:
            decisions.add(tx, **row)
    for seat, values in clocks.moved.items():
        decisions.change(tx, head.game, seat, values)


def _your_turns(head: Head, change: _Change) -> Iterator[dict[str, Any]]:
    """Yield a your-turn notice for each question that is asked."""
    for seat in change.begun:
        yield notice(head, head.table.chairs[seat].player, "your-turn", str(head.version), seat)


def _follow_thoughts(tx: Connection, head: Head, record: Record, before: Table, undo_seconds: int) -> None:
    """Let the bots think about what they are asked now, from the beginning if anything of it is new.

    They wait `undo_seconds` after a move that a person can take back freely: their answer would end that.
    """
    was, now = thoughts.asked_bots(before, head.rules), thoughts.asked_bots(record.table, head.rules)
    going_on = thoughts.think_on(was, now, record.facts)
    for seat in sorted(was.keys() - now.keys()):
        thoughts.drop(tx, head.game, seat)
    mover = record.facts[0].actor.get("seat")
    is_free = mover is not None and not before.chairs[mover].thinks and _is_free(record, mover)
    not_before = head.now + undo_seconds * SECOND if is_free else 0
    for seat in sorted(now.keys() - going_on):
        thoughts.put(tx, head.game, seat, now[seat], head.version, head.last_at, head.now, not_before)


def _is_free(record: Record, mover: Seat) -> bool:
    """Return whether the mover can take the whole record back at once."""
    return is_of_one([(fact.actor, fact.event) for fact in record.facts], mover)


def _consequences(head: Head, record: Record, change: _Change, first: int) -> Iterator[dict[str, Any]]:
    """Notices of what happened besides turns."""
    for version, fact in enumerate(record.facts, first):
        if fact.actor == OPERATOR and not isinstance(fact.event, e.GameAbandoned):
            continue  # who acts for the operator tells what was done, and why
        if isinstance(fact.event, e.SeatTakenOver | e.SeatTakenByBot):
            yield from _lapsed(head, record, change.before, fact.event.seat, version)
        for kind, seats, decision in _tells(fact.event, change, version):
            for seat in seats:
                player = record.table.chairs[seat].player
                if player:
                    yield notice(head, player, kind, decision, seat)


def _lapsed(head: Head, record: Record, before: Table, seat: Seat, version: int) -> Iterator[dict[str, Any]]:
    """Tell the player whose seat had fallen vacant that somebody else plays it now."""
    former = before.chairs[seat].player
    lapsed = before.chairs[seat].vacant and former not in before.resigned
    if former and lapsed and record.table.seat_of(former) is None:
        yield notice(head, former, "seat-taken", str(version), None)


def _tells(event: Event, change: _Change, version: int) -> Iterator[tuple[str, Iterable[Seat], str]]:
    """Of what a fact is told, to which seats, and what tells the notice from others of its kind."""
    after = change.after
    everybody = range(len(after.chairs))
    match event:
        case e.TurnExpired(seat=seat):
            yield "deadline-passed", [seat], str(version)
        case e.SeatVacated(seat=seat, reason="resigned"):
            yield "vacant", [] if after.status != "running" else change.besides({*everybody} - {seat}), str(version)
        case e.SeatVacated(seat=seat):
            host = after.seat_of(after.host)
            yield "vacant", [] if host in (None, seat, change.mover) else [host], str(version)
        case e.SeatTakenOver(seat=seat):
            yield "brief", [seat], str(version)
            if after.proposal is not None and seat in missing(after, after.proposal):
                yield "proposal", [seat], str(About(after.proposal.version, version))
        case e.OrdersDropped(seat=seat, reason="unfit"):
            yield "orders-dropped", [seat], str(version)
        case e.RewindProposed(asked=asked) | e.ClockProposed(asked=asked):
            yield "proposal", asked, str(version)
        case e.ProposalDropped(seat=seat, reason="refused" | "played-on") if change.before.proposal is not None:
            yield "proposal", change.besides([seat]), str(About(change.before.proposal.version, version))
        case e.Rewound(seat=seat, agreed=agreed):
            yield "taken-back", change.besides({seat, *agreed, *change.ended}), str(version)
        case e.ClockPaused(seat=late):
            yield "clock-news", change.besides({*everybody} - {late}), str(version)
        case e.ClockResumed(reason="acted"):
            yield "clock-news", change.besides({*change.asked} - {change.before.late}), str(version)
        case e.ClockResumed() | e.TimeExtended():
            yield "clock-news", change.besides(everybody), str(version)
        case e.GameFinished() | e.GameAbandoned():
            yield "game-over", everybody, "end"


def notice(head: Head, player: str | None, kind: str, decision: str, seat: int | None) -> dict[str, Any]:
    """An outbox row about a game."""
    return {
        "recipient": player,
        "game_id": head.game,
        "kind": kind,
        "decision": decision,
        "seat": seat,
        "version": head.version,
        "created_at": head.last_at,
    }

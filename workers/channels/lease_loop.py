"""Delivering what is due on a channel: lease, check, send, settle. It may be killed at any line.

A delivery is leased, never locked, by itself, when its turn has come; it is settled by whoever still holds its lease,
and in the same transaction the next one is leased. So a crash sends one again, the same bytes under the same id, and
delays no other; a lease that was lost settles nothing (Q-11).
"""

import contextvars
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from typing import Final

import msgspec
import structlog

from service.container import Services
from service.integrity.alarm import suspect
from service.kernel import request_ids
from service.kernel.clock import SECOND
from service.kernel.fault_points import reach
from service.kernel.ids import new_lease
from service.kernel.log import note
from service.store.database import Connection
from service.store.outgoing import deliveries
from service.store.outgoing.deliveries import Delivery
from service.telemetry import tracing
from workers.channels.channel import Attempt, Channel, Condition, Outcome, Verdict
from workers.channels.keeper import Keeper

log = structlog.get_logger("wardroom.channels")
MOST_LOGGED: Final = 20
MOST_INTERRUPTED: Final = 5
"""A delivery with which in hand so many senders died in a row is left alone for a while: it may be what kills them."""
MOST_BROKEN: Final = 3
"""The same of destinations that were well, and went away with it in hand."""
DONE: Final = frozenset({Verdict.SENT, Verdict.SUPERSEDED, Verdict.FAILED})
Submit = Callable[[Callable[[], int]], Future[int]]


def deliver(services: Services, channel: Channel, *, seconds: float = 40.0, lanes: int | None = None) -> int:
    """Deliver what is due until nothing is left or the time is over. How many notices were sent."""
    end = time.monotonic() + seconds
    most, sent = lanes or channel.lanes, 0
    under_way: set[Future[int]] = set()
    with Keeper(services, channel) as keeper, ExitStack() as stack:
        submit = _here if most == 1 else _threads(stack, most, channel.name)
        while True:
            first = _claim_first(services, channel) if len(under_way) < most and time.monotonic() < end else None
            if first is not None:
                under_way.add(submit(lambda first=first: _deliver_from(services, channel, keeper, first, end)))  # type: ignore[misc]
            elif under_way:
                done, under_way = wait(under_way, timeout=1, return_when=FIRST_COMPLETED)
                sent += sum(future.result() for future in done)
            else:
                return sent


def _here(work: Callable[[], int]) -> Future[int]:
    """Do it in this thread: a connection may be kept in it, and a time limit strikes here."""
    future: Future[int] = Future()
    future.set_result(work())
    return future


def _threads(stack: ExitStack, lanes: int, name: str) -> Submit:
    pool = stack.enter_context(ThreadPoolExecutor(lanes, name))
    return lambda work: pool.submit(contextvars.copy_context().run, work)


def _claim_first(services: Services, channel: Channel) -> Delivery | None:
    with services.database.write() as tx:
        return _claim(services, channel, tx, services.database.clock.now(tx))


def _claim(services: Services, channel: Channel, tx: Connection, now: int) -> Delivery | None:
    return channel.claim(tx, new_lease(services.entropy), now, now + channel.lease_seconds * SECOND)


def _deliver_from(services: Services, channel: Channel, keeper: Keeper[Delivery], first: Delivery, end: float) -> int:
    """Send this one, and what is due after it, as long as there is time. How many were sent."""
    delivery: Delivery | None = first
    sent = 0
    while delivery is not None:
        reach("claimed")
        about = {"channel": delivery.channel, "kind": delivery.kind}
        with (
            request_ids.under(services.entropy, delivery.request_id),
            tracing.work("delivery", delivery.request_id, **about),
        ):
            keeper.hold(delivery)
            try:
                outcome = _send(services, channel, delivery)
            finally:
                keeper.let_go(delivery)
            delivery = _settle(services, channel, delivery, outcome, go_on=time.monotonic() < end)
        reach("settled")
        sent += outcome.verdict is Verdict.SENT
    return sent


def _send(services: Services, channel: Channel, delivery: Delivery) -> Outcome:
    if delivery.interrupted >= MOST_INTERRUPTED:
        return Outcome(Verdict.LATER, f"its sender ended before it was done, {delivery.interrupted} times in a row")
    try:
        wanted = channel.wants(delivery.recipient, delivery.kind)
        return channel.send(delivery) if wanted else Outcome(Verdict.SUPERSEDED, "nobody wants it here")
    except Exception as error:  # one notice that cannot be made must not stop the others
        return _not_made(services, channel, delivery, error)


def _not_made(services: Services, channel: Channel, delivery: Delivery, error: Exception) -> Outcome:
    of = {"channel": channel.name, "notice": delivery.notice_id, "kind": delivery.kind}
    log.error("delivery not made", **of, error=type(error).__name__, exc_info=channel.shows_errors)
    if suspect(services, delivery.game_id, error) is not None:
        return Outcome(Verdict.HELD, "the game is stopped")
    return Outcome(Verdict.LATER, f"{channel.not_made} ({type(error).__name__})")


def _settle(
    services: Services, channel: Channel, delivery: Delivery, outcome: Outcome, *, go_on: bool
) -> Delivery | None:
    """Note what came of a delivery, if its lease is still held, and lease the next one if it is to `go_on`."""
    with services.database.write() as tx:
        now = services.database.clock.now(tx)
        is_mine = channel.holds(tx, delivery) and SETTLE[outcome.verdict](tx, channel, delivery, outcome, now)
        if is_mine:
            channel.follow_up(tx, delivery, outcome, now)
        else:
            log.warning("lease lost", channel=channel.name, notice=delivery.notice_id, kind=delivery.kind)
        following = _claim(services, channel, tx, now) if go_on else None
    if is_mine:
        _note(services, delivery, outcome.verdict, max(0, now - delivery.was_due) / SECOND)
    return following


def _note(services: Services, delivery: Delivery, verdict: Verdict, late: float) -> None:
    """Count what came of a delivery, and say so where it is done with."""
    services.measures.count("wardroom_deliveries", delivery.channel, verdict.value)
    if verdict is Verdict.SENT:
        services.measures.observe("wardroom_delivery_lateness_seconds", late, delivery.channel)
    if verdict in DONE:
        told = {"notice": delivery.notice_id, "kind": delivery.kind, "game": delivery.game_id, "verdict": verdict.value}
        note("wardroom.channels", "delivery", channel=delivery.channel, **told, late=round(late, 1))


def _finish(tx: Connection, channel: Channel, delivery: Delivery, outcome: Outcome, now: int) -> bool:
    settled = {"message_id": outcome.message_id, "reason": outcome.reason, "log": _logged(delivery, outcome.attempt)}
    tried = outcome.verdict is not Verdict.SUPERSEDED
    return deliveries.finish(tx, delivery, outcome.verdict.value, now, counts=tried, **settled)


def _try_later(tx: Connection, channel: Channel, delivery: Delivery, outcome: Outcome, now: int) -> bool:
    """Try it again after a pause; but where all are put off just now, that was no attempt."""
    if outcome.shows is Condition.BUSY and not channel.is_well(tx, delivery):
        return _hold_for_destination(tx, channel, delivery, outcome, now)
    return _put_off(tx, channel, delivery, outcome, now)


def _put_off(tx: Connection, channel: Channel, delivery: Delivery, outcome: Outcome, now: int) -> bool:
    """Try it again after a pause of its own, not sooner than the receiver asks; or give it up."""
    why = outcome.reason or ""
    attempts = delivery.attempts + 1
    pause = channel.retries.pause(attempts, delivery.id)
    if pause is None:
        log.error("delivery given up", channel=channel.name, notice=delivery.notice_id, kind=delivery.kind, why=why)
        why = channel.retries.give_up_reason(attempts, why)
        return _finish(tx, channel, delivery, msgspec.structs.replace(outcome, verdict=Verdict.FAILED, reason=why), now)
    later = now + max(pause, outcome.wait) * SECOND
    return deliveries.put_off(tx, delivery, later, why, now, log=_logged(delivery, outcome.attempt))


def _hold(tx: Connection, channel: Channel, delivery: Delivery, outcome: Outcome, now: int) -> bool:
    if outcome.shows is not None:
        return _hold_for_destination(tx, channel, delivery, outcome, now)
    return deliveries.hold_back(tx, delivery, outcome.until or delivery.not_before, outcome.reason or "")


def _hold_for_destination(tx: Connection, channel: Channel, delivery: Delivery, outcome: Outcome, now: int) -> bool:
    """Keep a delivery until its destination is well, behind all that is due: the next probe is another one.

    One with which in hand a destination that was well broke off again and again may be why.
    """
    interrupted, log = delivery.interrupted, _logged(delivery, outcome.attempt)
    if outcome.shows is Condition.BROKEN and channel.is_well(tx, delivery):
        interrupted += 1
        if interrupted >= MOST_BROKEN:
            return _put_off(tx, channel, delivery, outcome, now)
    why = outcome.reason or ""
    return deliveries.hold_back(tx, delivery, now + 1, why, log=log, interrupted=interrupted, is_due=True)


def _logged(delivery: Delivery, attempt: Attempt | None) -> str:
    """The log of a delivery with one more attempt."""
    if attempt is None:
        return delivery.log
    attempts = [*msgspec.json.decode(delivery.log, type=list[Attempt]), attempt]
    return msgspec.json.encode(attempts[-MOST_LOGGED:]).decode()


SETTLE: Final[Mapping[Verdict, Callable[[Connection, Channel, Delivery, Outcome, int], bool]]] = {
    Verdict.SENT: _finish,
    Verdict.SUPERSEDED: _finish,
    Verdict.FAILED: _finish,
    Verdict.LATER: _try_later,
    Verdict.HELD: _hold,
}
"""How each verdict is noted. False where the lease was lost."""

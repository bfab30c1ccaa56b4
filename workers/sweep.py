"""One look at everything that is due. Called by beat's tasks, by an idle worker, and in the embedded mode by a thread.

All of it is leased and safe to run twice, at once or never on time.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

import structlog

from domain.engine.refusals import RuleViolation
from service.accounts import people
from service.clocks import outages
from service.container import Services
from service.deadlines import after_leave, expire
from service.deadlines.remind import BATCH, remind
from service.games import chat
from service.games.commit import lock
from service.integrity import audit_rounds, house_log, key_rotation
from service.integrity.alarm import suspect
from service.kernel import request_ids
from service.kernel.clock import SECOND
from service.mail import deliverability, inbox, reply_tokens
from service.notify import devices, digests, subscriptions
from service.privacy import erase, erase_guests
from service.store.clocks import deadline_leases, decisions
from service.store.clocks import outages as outage_rows
from service.store.clocks.halted import GameHalted
from service.store.database import Connection
from service.store.errors import IntegrityError
from service.store.games import analyses, game_rows
from service.store.outgoing import feed_entries
from service.store.people import passkeys, sign_ins
from service.store.running import heartbeats, idempotency
from service.telemetry import tracing
from workers.feeds.channel import tell_feeds
from workers.mail_out.channel import deliver
from workers.mail_out.transport import Transport

log = structlog.get_logger("wardroom.clock")
HOUR: Final = 3600 * SECOND
DAY: Final = 24 * HOUR
EXPIRY_LEASE: Final = 20 * SECOND
KEPT_ASKERS: Final = DAY
KEPT_CODES: Final = HOUR
KEPT_ANSWERS: Final = 90 * DAY
KEPT_IN_FEEDS: Final = 60 * DAY
FORGOTTEN_AT_ONCE: Final = 500
ROTATED_AT_ONCE: Final = 200


def sweep(services: Services, transport: Transport, work_off: Callable[[], object] | None = None) -> None:
    """Mail that came in, which `work_off` does, deadlines, reminders, digests, feeds, mail that goes out, in this
    order."""
    if work_off is not None:
        work_off()
    sweep_clocks(services)
    tell_feeds(services)
    deliver(services, transport)


def sweep_clocks(services: Services) -> None:
    """All that is due by the clock: deadlines, reminders, digests, in this order."""
    sweep_deadlines(services)
    sweep_reminders(services)
    sweep_digests(services)


def sweep_deadlines(services: Services) -> int:
    """Let time run again where a pause is over, and the caretaker play for whoever let a deadline pass. How many."""
    with services.database.write() as tx:
        if not outages.is_time_sure(services.database, services.clock_guard, tx):
            return 0
        last_outage = outage_rows.latest(tx)
        behind = [] if last_outage is None else decisions.behind(tx, last_outage)
    for game in behind:
        _alone(services, game, partial(_make_good, services, game))
    with services.database.write() as tx:
        if outages.is_flooded(services.database, tx):
            return 0
        now = services.database.clock.now(tx)
        resting, leaving = game_rows.pauses_over(tx, now, BATCH), after_leave.announced_lately(tx, now)
    for game, seat in leaving:
        _alone(services, game, partial(after_leave.follow, services, game=game, seat=seat))
    for game in resting:
        _alone(services, game, partial(expire.end_pause, services, game=game))
    acted = last = 0
    while True:
        with services.database.write() as tx:
            now = services.database.clock.now(tx)
            if not outages.is_watched(tx, now):
                return acted
            passed = deadline_leases.claim(tx, now, now + EXPIRY_LEASE, BATCH, last)
        for game, seat, since, _ in passed:
            acted += _alone(services, game, partial(expire.expire_turn, services, game=game, seat=seat, since=since))
        if len(passed) < BATCH:
            return acted
        last = passed[-1].acts_at


def _make_good(services: Services, game: str, tx: Connection) -> bool:
    """Let one game make good the outages that it has not made good yet."""
    lock(services, tx, game)
    return True


def _alone(services: Services, game: str, act: Callable[[Connection], bool]) -> bool:
    """Do what is due in one game: one that cannot be opened must not stop the others."""
    try:
        with request_ids.under(services.entropy) as id, tracing.request("due", id), services.database.write() as tx:
            return act(tx)
    except (RuleViolation, GameHalted):
        return False
    except Exception as error:
        log.exception("what is due in a game could not be done", game=game, error=type(error).__name__)
        suspect(services, game, error)
        return False


def sweep_reminders(services: Services) -> int:
    """Make notices of the reminders that are due, unless the clock is in doubt. How many."""
    with services.database.read() as connection:
        if outages.held_since(connection) is not None:
            return 0
    reminded = 0
    while True:
        with services.database.write() as tx:
            batch = remind(services, tx)
        for game, error in batch.closed.items():
            suspect(services, game, error)
        reminded += batch.made
        if batch.looked < BATCH:
            return reminded


def sweep_digests(services: Services) -> int:
    """Make notices of the digests that are due. How many players were looked at."""
    looked = 0
    while True:
        with services.database.write() as tx:
            batch = digests.plan(services, tx)
        looked += batch
        if batch < digests.BATCH:
            return looked


def write_log(services: Services) -> None:
    """Write the games that were opened and ended into the house log."""
    try:
        house_log.write(services)
    except IntegrityError:
        log.info("another process writes the house log")


def housekeep(services: Services) -> None:
    """Forget what is too old to matter; while an older key is set, seal again what is under it.

    In several transactions and in batches, so that nobody waits long for it; a later round does what is left.
    """
    with services.database.write() as tx:
        now = services.database.clock.now(tx)
        sign_ins.drop_expired(tx, now - KEPT_CODES)
        people.end_old_sessions(tx, now)
        passkeys.drop_spent(tx, now)
        deliverability.forget(tx, now)
        idempotency.drop_old(tx, now - KEPT_ANSWERS)
        reply_tokens.forget(tx, now, FORGOTTEN_AT_ONCE)
        subscriptions.forget_old(services, tx, now, FORGOTTEN_AT_ONCE)
        devices.forget_signed_out(services, tx, FORGOTTEN_AT_ONCE)
        feed_entries.forget_old(tx, now - KEPT_IN_FEEDS, FORGOTTEN_AT_ONCE)
        deadline_leases.drop_over(tx, now)
        analyses.forget_askers(tx, now - KEPT_ASKERS)
    services.pictures.make_room()
    with services.database.write() as tx:
        inbox.reduce(services.sealer, tx, now, FORGOTTEN_AT_ONCE)
    if services.settings.secret_keys_old and (rotated := _rotate(services)):
        log.info("sealed again under the present key", rows=rotated)
    audit_rounds.look_round(services)
    with services.database.write() as tx:
        heartbeats.beat(services.database, tx, "housekeeping")
    erase.go_on(services)
    erase_guests.erase_idle(services)


def _rotate(services: Services) -> int:
    """Seal again a batch of everything that is under an older key (S-30). How many."""
    rotated = 0
    for place in key_rotation.PLACES:
        with services.database.write() as tx:
            rotated += key_rotation.seal_again(services.sealer, tx, place, ROTATED_AT_ONCE)
    with services.database.write() as tx:
        return rotated + services.streams.rotate(tx, ROTATED_AT_ONCE) + chat.seal_again(services, tx, ROTATED_AT_ONCE)

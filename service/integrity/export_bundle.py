"""Audit bundles: all that is needed to check one game, made for one reader while it runs (docs/audit/format.md)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from domain.audit.bundle.schema import GONE_OUT
from domain.audit.bundle.write import Beside, bundle
from domain.audit.verify_history import is_over
from domain.engine.game import Seat
from service.container import Services
from service.kernel import clock
from service.notify.kind import KINDS
from service.store.across.mail_history import mailed_to_seats
from service.store.database import Connection
from service.store.event_store import checkpoints
from service.store.event_store.streams import Head

TOLD: Final = tuple(kind.name for kind in KINDS.values() if kind.in_bundle)
"""The kinds of mails that tell of an event: no table talk, no invitations, no answers to mails."""
MEDIA_TYPE: Final = "application/zip"

Sitting = Mapping[str, Seat]
"""Which player sat where."""


def make(services: Services, connection: Connection, head: Head, seat: Seat | None) -> bytes:
    """Make the bundle of a game for a seat, or for a spectator if None. The same head and notices give the same bytes.

    A leaf that cannot be opened stays shut: the bundle is evidence of that. Raises Unsigned where the head cannot be
    signed, and anything where the records say nothing that can be told.
    """
    checkpoints.ensure_listed(services.database, connection, services.signer)
    entries = services.streams.seen(connection, head.game, seat, after=0, upto=head.version, leave_shut=True)
    reader = None if is_over(entries) else seat
    player = None if reader is None else head.table.chairs[reader].player
    notices = list(_notices(connection, head.game, entries))
    if not is_over(entries):
        notices = [notice for notice in notices if player is not None and notice[:2] == (player, reader)]
    signed = _checkpoints(services, connection, head)
    beside = Beside(
        notices=sorted((notice for *_, notice in notices), key=_place),
        checkpoints=signed,
        keys=checkpoints.keys(connection),  # after those: each is listed before it signs
    )
    return bundle(entries, reader, beside, services.signer.key_id, services.signer.sign)


def filename(head: Head) -> str:
    """The file name of the bundle of a game as it stands."""
    return f"wardroom-{head.game}-{head.version}.zip"


def _checkpoints(services: Services, connection: Connection, head: Head) -> list[dict[str, Any]]:
    """The checkpoints that were kept, and one of the last event, which may be older than the keeping of them."""
    kept = checkpoints.of_game(connection, head.game, head.version)
    if not kept or kept[-1].checkpoint.version != head.version:
        kept.append(checkpoints.checkpoint(connection, services.streams, services.signer, head.game, head.version))
    return [signed_point.document() for signed_point in kept]


def _notices(
    connection: Connection, game: str, entries: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, Seat, dict[str, Any]]]:
    """The notices mailed about the events of a game: the player, the seat they had then, and the notice of it."""
    sittings = _sittings(entries)
    for recipient, kind, version, state, created_at, done_at in mailed_to_seats(connection, game, TOLD):
        if not 1 <= version <= len(entries) or recipient not in sittings[version]:
            continue  # an address, or somebody who did not sit there
        seat = sittings[version][recipient]
        # a clock that was set back must not make a notice older than its event
        queued = max(clock.text(created_at), entries[version - 1]["at"])
        sent = max(clock.text(created_at if done_at is None else done_at), queued) if state in GONE_OUT else None
        shown = {"kind": kind, "queued": queued, "seat": seat, "sent": sent, "state": state, "version": version}
        yield recipient, seat, shown


def _sittings(entries: Sequence[Mapping[str, Any]]) -> list[Sitting]:
    """The seat of each player after each event, from 0 on: seats are numbered anew when a game starts."""
    sitting: dict[str, Seat] = {}
    found: list[Sitting] = [sitting]
    for entry in entries:
        data = entry["data"]
        match entry["type"]:
            case "table.seat-taken" if data["player"] is not None:
                sitting = {**sitting, data["player"]: data["seat"]}
            case "table.seat-left":
                sitting = {player: seat for player, seat in sitting.items() if seat != data["seat"]}
            case "table.seat-taken-by-bot":
                sitting = {player: seat for player, seat in sitting.items() if seat != data["seat"]}
            case "table.seat-taken-over":
                sitting = {player: seat for player, seat in sitting.items() if seat != data["seat"]}
                sitting[data["player"]] = data["seat"]
            case "table.game-started":
                anew = {old: new for new, old in enumerate(data["seats"])}
                sitting = {player: anew[seat] for player, seat in sitting.items()}
        found.append(sitting)
    return found


def _place(notice: Mapping[str, Any]) -> tuple[Any, ...]:
    """The order of notices; those alike in all that counts are told apart by the rest, so that it never changes."""
    return (*(notice[name] for name in ("queued", "version", "seat", "kind", "state")), notice["sent"] or "")

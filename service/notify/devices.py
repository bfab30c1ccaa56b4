"""Devices as their owner sees them: browsers that are called by Web Push, entered with the token one was signed in by.

The address of a device is a capability, and its keys are secrets: all of it is sealed, and nothing of it is logged.
"""

import hashlib
from dataclasses import dataclass
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec

from domain.engine.refusals import RuleViolation, require
from domain.engine.sentences import say
from service.container import Services
from service.kernel.encryption import Unreadable
from service.kernel.ids import new_cause, new_player_id
from service.kernel.vapid import CURVE, Vapid, from_text, point
from service.notify import endpoints
from service.notify.subscriptions import HOUR, MOST_TESTS, RULE
from service.store.database import Connection
from service.store.outgoing import devices, webhooks
from service.store.outgoing.deliveries import PUSH
from service.store.outgoing.devices import Device
from service.store.people import players

MOST: Final = 10
LONGEST: Final = 1000
"""Characters of an address: those of one push service in use have more than five hundred."""
AUTH_BYTES: Final = 16
LONGEST_LABEL: Final = 60


class Kept(msgspec.Struct, frozen=True):
    """What is sealed of a device: its address, the two keys of RFC 8291, and the key of ours that it knows."""

    url: str
    p256dh: bytes
    auth: bytes
    vapid: str


@dataclass(frozen=True, slots=True)
class CalledDevice:
    """A device, without its secrets."""

    id: str
    host: str | None  # of its push service; None where the key it is sealed with is lost
    label: str
    token_id: str
    created_at: int
    called_at: int | None
    reason: str


def key(services: Services) -> str:
    """The key of ours that browsers are to know (applicationServerKey)."""
    return Vapid(services.sealer).public


def forget_signed_out(services: Services, tx: Connection, most: int) -> None:
    """Forget those that were signed out of some devices: others each time, so that in the end all come up."""
    devices.look_round(tx, _new_id(services), most)


def register(
    services: Services, tx: Connection, player: str, token: str, url: str, p256dh: str, auth: str, label: str
) -> CalledDevice:
    """Call somebody on a device from now on, as long as their token lasts; whoever was called there is no more.

    Raises RuleViolation. Nothing is sent.
    """
    _require_on(services)
    kept = Kept(_address(services, url), _point(p256dh), _secret(auth), key(services))
    players.lock(tx, player)  # two at once would not count
    devices.drop_signed_out(tx, player)
    digest, now = hashlib.sha256(url.encode()).digest(), services.database.clock.now(tx)
    known = devices.of_digest(tx, digest)
    if known is not None and known.player_id == player:
        values = {"sealed": seal(services, known.id, kept), "token_id": token, "label": label, "reason": ""}
        devices.change(tx, known.id, **values)
        return next(device for device in list_devices(services, tx, player) if device.id == known.id)
    if known is not None:
        devices.end(tx, known.id)
    require(
        len(devices.of_player(tx, player)) < MOST, "too-many-devices", RULE,
        "You are called on {most} devices already: end one of them first.", most=MOST,
    )  # fmt: skip
    identity, host = _new_id(services), _host(services, url)
    service = hashlib.sha256(host.encode()).hexdigest()[:16]
    sealed = seal(services, identity, kept)
    devices.add(tx, Device(identity, player, token, digest, service, sealed, label[:LONGEST_LABEL], now, None, ""))
    return CalledDevice(identity, host, label[:LONGEST_LABEL], token, now, None, "")


def list_devices(services: Services, connection: Connection, player: str) -> list[CalledDevice]:
    """The devices somebody is called on, oldest first."""
    return [_called(services, row) for row in devices.of_player(connection, player)]


def end(tx: Connection, player: str, device: str | None = None) -> int:
    """Call somebody on one of their devices no more, or on none. How many there were."""
    mine = [row.id for row in devices.of_player(tx, player) if device in (None, row.id)]
    return sum(devices.end(tx, row) for row in mine)


def send_test(services: Services, tx: Connection, player: str, device: str) -> bool:
    """Call somebody on a device at once, as a test. False where they have none with this id. Raises RuleViolation."""
    _require_on(services)
    row = devices.of_id(tx, device)
    if row is None or row.player_id != player:
        return False
    now = services.database.clock.now(tx)
    if services.settings.rate_limits:
        require(
            webhooks.count_pings(tx, player, now - HOUR) < MOST_TESTS, "too-many-tests", RULE,
            "You sent {most} tests within the hour: wait a little before the next.", most=MOST_TESTS,
        )  # fmt: skip
    webhooks.add_ping(tx, device, player, new_cause(services.entropy), now, PUSH)
    return True


def seal(services: Services, device: str, kept: Kept) -> bytes:
    """What is kept of a device, sealed."""
    return services.sealer.seal(*place(device), msgspec.msgpack.encode(kept))


def open_kept(services: Services, device: str, sealed: bytes) -> Kept:
    """What was sealed of a device. Raises Unreadable."""
    return msgspec.msgpack.decode(services.sealer.open(*place(device), sealed), type=Kept)


def place(device: str) -> tuple[str, str]:
    """The scope and context a device is sealed for."""
    return "devices", f"device|{device}"


def host_of(services: Services, device: str, sealed: bytes) -> str | None:
    """The host of the push service of a device; None where it cannot be opened any more."""
    try:
        return _host(services, open_kept(services, device, sealed).url)
    except (Unreadable, RuleViolation):
        return None


def _called(services: Services, row: Device) -> CalledDevice:
    host = host_of(services, row.id, row.sealed)
    return CalledDevice(row.id, host, row.label, row.token_id, row.created_at, row.called_at, row.reason)


def _address(services: Services, url: str) -> str:
    """The address of a device: outside, as those of webhooks are (T-67)."""
    try:
        endpoints.read(url, services.settings.webhook_hosts, LONGEST)
    except RuleViolation as error:
        message = say("That is no address of a push service: {why}", why=error.message)
        raise RuleViolation("bad-push-address", RULE, message) from error
    return url


def _host(services: Services, url: str) -> str:
    return endpoints.read(url, services.settings.webhook_hosts, LONGEST).authority


def _point(p256dh: str) -> bytes:
    try:
        found = from_text(p256dh)
        known = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, found)
    except ValueError as error:
        raise RuleViolation("bad-push-keys", RULE, BAD_POINT) from error
    require(found == point(known), "bad-push-keys", RULE, BAD_POINT)
    return found


def _secret(auth: str) -> bytes:
    try:
        found = from_text(auth)
    except ValueError:
        found = b""
    require(len(found) == AUTH_BYTES, "bad-push-keys", RULE, "`auth` is 16 bytes in base64url, as browsers make it.")
    return found


BAD_POINT: Final = say("`p256dh` is a point on P-256, 65 bytes in base64url, as browsers make it.")


def _require_on(services: Services) -> None:
    require(
        services.settings.push, "push-off", RULE,
        "This server calls no devices: it tells you by mail.",
    )  # fmt: skip


def _new_id(services: Services) -> str:
    return "d_" + new_player_id(services.entropy)[2:]

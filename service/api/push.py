"""Devices: browsers that are called by Web Push, with what mails tell."""

from typing import Any, NoReturn

from flask import Response, g
from flask.views import MethodView
from marshmallow import fields, validate

from service.api.http.answers import answer
from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.reading import Strict, WholeNumber, Words, is_id
from service.api.http.writing import writes
from service.kernel.clock import text
from service.notify import devices
from service.notify.devices import LONGEST, LONGEST_LABEL, CalledDevice
from service.store.database import Connection

bp = Resource("push", description="Devices: a browser is called when its owner is asked")
KEY = {"description": "base64url", "maxLength": 200}


class KeysSchema(Strict):
    """The keys of a browser (RFC 8291)."""

    p256dh = fields.String(required=True, metadata={**KEY, "description": "a point on P-256, base64url"})
    auth = fields.String(required=True, metadata={**KEY, "description": "16 bytes, base64url"})


class SubscriptionSchema(Strict):
    """What `PushSubscription.toJSON()` gives, and a name for the device."""

    endpoint = fields.String(
        required=True,
        metadata={"description": "https, a public host", "example": "https://push.example/p/abc", "maxLength": LONGEST},
    )
    expirationTime = WholeNumber(allow_none=True, load_default=None, metadata={"description": "not looked at"})
    keys = fields.Nested(KeysSchema, required=True)
    label = Words(
        load_default="",
        validate=validate.Length(max=LONGEST_LABEL),
        metadata={"example": "Firefox on Android", "pattern": r"^[^\u0000-\u001f\u007f]*$"},
    )


class DeviceSchema(Strict):
    """A device."""

    id = fields.String(required=True)
    label = fields.String(required=True)
    host = fields.String(
        required=True, allow_none=True, metadata={"description": "its push service; null: end it, and enter it again"}
    )
    created_at = fields.String(required=True)
    called_at = fields.String(
        required=True, allow_none=True, metadata={"description": "when its push service took a call last"}
    )
    reason = fields.String(required=True, metadata={"description": "why it did not take the last one; empty if it did"})


class DevicesSchema(Strict):
    """The player's devices, oldest first."""

    items = fields.List(fields.Nested(DeviceSchema), required=True)
    next = fields.String(required=True, allow_none=True)
    key = fields.String(
        required=True, metadata={"description": "applicationServerKey, with which a browser is to subscribe (RFC 8292)"}
    )


@bp.route("/me/push")
class MyDevices(MethodView):
    """The player's devices."""

    @signed_in
    @bp.response(200, DevicesSchema)
    def get(self) -> Response:
        """My devices, oldest first, and the key that a browser is to subscribe with; never their keys."""
        with services().database.read() as connection:
            found = devices.list_devices(services(), connection, g.player)
        return answer({"items": [_device(row) for row in found], "next": None, "key": devices.key(services())})

    @signed_in
    @bp.arguments(SubscriptionSchema)
    @bp.response(201, DeviceSchema)
    @bp.problems(422)
    @writes
    def post(self, wanted: dict[str, Any], tx: Connection) -> Response:
        """Call me on a device, as long as this token lasts; sends nothing yet. Who was called there is no more."""
        keys, said, token = wanted["keys"], (wanted["endpoint"], wanted["label"]), g.bearer.token
        made = devices.register(services(), tx, g.player, token, said[0], keys["p256dh"], keys["auth"], said[1])
        return answer(_device(made), 201)

    @signed_in
    @bp.response(204)
    @writes
    def delete(self, tx: Connection) -> Response:
        """Call me on no device any more."""
        devices.end(tx, g.player)
        return Response(status=204)


@bp.route("/me/push/<string:device>")
class MyDevice(MethodView):
    """One device."""

    @signed_in
    @bp.response(204)
    @bp.problems(404)
    @writes
    def delete(self, device: str, tx: Connection) -> Response:
        """Call me there no more, and forget what waits to be told there."""
        if not is_id(device) or not devices.end(tx, g.player, device):
            _no_device()
        return Response(status=204)


@bp.route("/me/push/<string:device>/test")
class MyDeviceTest(MethodView):
    """A call to see whether one comes."""

    @signed_in
    @bp.response(204)
    @bp.problems(404, 422)
    @writes
    def post(self, device: str, tx: Connection) -> Response:
        """Call me there now; `called_at` and `reason` say what came of it."""
        if not is_id(device) or not devices.send_test(services(), tx, g.player, device):
            _no_device()
        return Response(status=204)


def _no_device() -> NoReturn:
    bp.refuse(404, "no-such-device", "You have no device with this id: GET /api/v1/me/push lists them.")


def _device(row: CalledDevice) -> dict[str, Any]:
    return {
        "id": row.id,
        "label": row.label,
        "host": row.host,
        "created_at": text(row.created_at),
        "called_at": None if row.called_at is None else text(row.called_at),
        "reason": row.reason,
    }

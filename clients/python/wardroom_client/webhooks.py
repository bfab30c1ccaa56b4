"""Webhooks: whether a message is from the server, as Standard Webhooks 1.0 says."""

import base64
import binascii
import hashlib
import hmac
import re
import time
from collections.abc import Mapping
from typing import Any, Final

import msgspec

TOLERANCE: Final = 300
"""Seconds that a message may be old, or ahead."""


class NotGenuine(ValueError):
    """The message is not from the server, not whole, or too old."""


def verify(headers: Mapping[str, str], body: bytes, secret: str, *, now: float | None = None) -> dict[str, Any]:
    """The message of a webhook: {"type", "timestamp", "data"}. Raises NotGenuine.

    `headers` may be of any case, `body` must be the bytes as they came, and `secret` begins with whsec_. The same
    message can come twice: its `webhook-id` is the same then.
    """
    found = {name.lower(): value for name, value in headers.items()}
    number, seconds = found.get("webhook-id", ""), found.get("webhook-timestamp", "")
    if not number or not re.fullmatch("[0-9]{1,18}", seconds):
        raise NotGenuine("there is no webhook-id, or no webhook-timestamp that is a number")
    if abs((time.time() if now is None else now) - int(seconds)) > TOLERANCE:
        raise NotGenuine("it is too old, or from the future")
    signed = hmac.digest(_key(secret), b"%s.%s.%s" % (number.encode(), seconds.encode(), body), hashlib.sha256)
    expected = b"v1," + base64.b64encode(signed)
    signatures = found.get("webhook-signature", "").encode().split(b" ")
    if not any(hmac.compare_digest(expected, signature) for signature in signatures):
        raise NotGenuine("no signature is of this secret")
    message = msgspec.json.decode(body)
    if not isinstance(message, dict):
        raise NotGenuine("it is no object of JSON")
    return message


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error as error:
        raise ValueError("the secret is not as the server showed it: whsec_ and base64") from error

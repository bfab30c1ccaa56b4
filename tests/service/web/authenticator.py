"""An authenticator in software: it makes passkeys and answers challenges as a device with its browser does."""

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def encoded(data: bytes) -> str:
    """base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass
class Authenticator:
    """One device with one passkey."""

    origin: str
    host: str
    flags: int = PRESENT | VERIFIED
    uses: int = 0
    user: str = ""
    credential: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def create(self, options: dict[str, Any]) -> str:
        """What `navigator.credentials.create` gives, as JSON."""
        self.user = options["user"]["id"]
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.credential).to_bytes(2, "big") + self.credential + cbor2.dumps(public)
        data = self._data(self.flags | ATTESTED) + attested
        return self._answer(
            clientDataJSON=encoded(self._client_data("webauthn.create", options["challenge"])),
            attestationObject=encoded(cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})),
        )

    def get(self, options: dict[str, Any], **changed: Any) -> str:
        """What `navigator.credentials.get` gives, as JSON."""
        self.uses += 1
        client, data = self._client_data("webauthn.get", options["challenge"]), self._data(self.flags)
        signed = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        parts = {"clientDataJSON": client, "authenticatorData": data, "signature": signed}
        return self._answer(**{name: encoded(part) for name, part in parts.items()}, userHandle=self.user, **changed)

    def _data(self, flags: int) -> bytes:
        return hashlib.sha256(self.host.encode()).digest() + bytes([flags]) + self.uses.to_bytes(4, "big")

    def _client_data(self, what: str, challenge: str) -> bytes:
        return json.dumps({"type": what, "challenge": challenge, "origin": self.origin, "crossOrigin": False}).encode()

    def _answer(self, **response: str) -> str:
        named = {"id": encoded(self.credential), "rawId": encoded(self.credential), "type": "public-key"}
        return json.dumps({**named, "response": response, "clientExtensionResults": {}})

"""The addresses we give out: answers, confirmations, unsubscribing, bounces.

A local part is a purpose, a key's letter, 100 bits that nobody can guess and 60 bits of MAC, in an alphabet that mail
programs which fold case leave alone (OUT-20 … OUT-24). The MAC turns junk away without the database; the database's
row, found by the SHA-256, says what an address may do. The bits come of what the address is for, so that a mail that
is sent again has the same one.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import Final

from config.settings import Settings
from service.kernel.clock import SECOND
from service.kernel.entropy import Entropy
from service.kernel.ids import ALPHABET, digest

ANSWER: Final = "mv"
CONFIRM: Final = "cf"
UNSUBSCRIBE: Final = "u"
BOUNCE: Final = "b"
NOWHERE: Final = "none"
"""Mail to it is taken and left alone."""
PROBE: Final = "pb"
"""Mail that doctor sends to itself: kept whole for a while, and read by nobody else."""
PROBED: Final = 3600 * SECOND
"""How long the address of a probe is good, and its mail kept."""
STAMP: Final = 8
"""Letters of the second at which it was made."""
RANDOM: Final = 20
MAC: Final = 12
SINKS: Final = frozenset({"no-reply", "postmaster", "abuse"})
_TOKEN: Final = re.compile(rf"(?:.*\+)?(mv|cf|u|pb)-([{ALPHABET}]{{{1 + RANDOM + MAC}}})", re.DOTALL)
_BOUNCE: Final = re.compile(r"b-([0-9]{1,18})-([0-9a-f]{12})")


@dataclass(frozen=True, slots=True)
class Address:
    """An address of ours, read: its purpose, the digest of its token, the notice a bounce is about."""

    purpose: str
    token: bytes | None = None
    about: int = 0
    made_at: int = 0  # of a probe, in microseconds; its address has no row


def make(settings: Settings, purpose: str, about: str) -> str:
    """The local part for this purpose and matter: the same for the same, unguessable without the key."""
    return _with_mac(
        settings.secret_key, purpose, _letters(_hmac(settings.secret_key, f"address|{purpose}|{about}"), RANDOM)
    )


def make_probe(settings: Settings, entropy: Entropy, now: int) -> str:
    """The local part of a new one-time address, good for an hour: its moment and 60 random bits."""
    second = now // SECOND
    stamp = "".join(ALPHABET[second >> 5 * place & 31] for place in reversed(range(STAMP)))
    return _with_mac(settings.secret_key, PROBE, stamp + _letters(entropy.token_bytes(RANDOM), RANDOM - STAMP))


def _with_mac(key: str, purpose: str, bits: str) -> str:
    version = _version(key)
    return f"{purpose}-{version}{bits}{_letters(_hmac(key, f'mac|{purpose}|{version}|{bits}'), MAC)}"


def full(settings: Settings, local: str) -> str:
    """The whole address of a local part."""
    return f"{settings.mail_prefix}{local}@{settings.mail_domain}"


def token(local: str) -> bytes:
    """The digest under which a local part is looked up."""
    return digest(local)


def short_mac(settings: Settings, about: str) -> str:
    """Twelve hex digits that only this server can make: tells one recipient's ids from another's."""
    return _hmac(settings.secret_key, about, "mail|").hex()[:12]


def return_path(settings: Settings, notice: int) -> str:
    """Where bounces of this very notice go (OUT-12)."""
    return full(settings, f"{BOUNCE}-{notice}-{short_mac(settings, f'bounce|{notice}')}")


def read(settings: Settings, recipient: str) -> Address | None:
    """The address of ours that a recipient of an envelope is; None for any other."""
    local, _, domain = recipient.casefold().rpartition("@")
    if domain != settings.mail_domain.casefold() or len(local) > 128:
        return None
    local = local.removeprefix(settings.mail_prefix.casefold())
    if local in SINKS:
        return Address(NOWHERE)
    if (found := _TOKEN.fullmatch(local)) and _is_genuine(settings, found[1], found[2]):
        return Address(found[1], token(f"{found[1]}-{found[2]}"), made_at=_made_at(found[1], found[2]))
    if (found := _BOUNCE.fullmatch(local)) and _is_genuine_bounce(settings, found[1], found[2]):
        return Address(BOUNCE, about=int(found[1]))
    return None


def mask(recipient: str) -> str:
    """An address for lists and logs: what could be used to move is left out."""
    local, at, domain = recipient.rpartition("@")
    purpose, dash, rest = local.rpartition("-") if local[-40:].count("-") else (local, "", "")
    return f"{purpose[-8:]}{dash}{'…' if rest else ''}{at}{domain}"[:80] if dash else f"{local[:3]}…{at}{domain}"[:80]


def _made_at(purpose: str, rest: str) -> int:
    stamp = rest[1 : 1 + STAMP] if purpose == PROBE else ""
    return sum(ALPHABET.index(letter) << 5 * place for place, letter in enumerate(reversed(stamp))) * SECOND


def _is_genuine(settings: Settings, purpose: str, rest: str) -> bool:
    version, bits, mac = rest[0], rest[1 : 1 + RANDOM], rest[1 + RANDOM :]
    fitting = [key for key in _keys(settings) if _version(key) == version]
    made = [_letters(_hmac(key, f"mac|{purpose}|{version}|{bits}"), MAC) for key in fitting]
    return any(hmac.compare_digest(genuine, mac) for genuine in made)


def _is_genuine_bounce(settings: Settings, notice: str, mac: str) -> bool:
    made = [_hmac(key, f"bounce|{notice}", "mail|").hex()[:12] for key in _keys(settings)]
    return any(hmac.compare_digest(genuine, mac) for genuine in made)


def _keys(settings: Settings) -> tuple[str, ...]:
    return (settings.secret_key, *settings.secret_keys_old)


def _version(key: str) -> str:
    """A letter that tells the keys apart, as far as one letter can."""
    return ALPHABET[hashlib.sha256(b"wardroom-address-key\n" + key.encode()).digest()[0] & 31]


def _hmac(key: str, about: str, prefix: str = "wardroom|") -> bytes:
    return hmac.new(key.encode(), (prefix + about).encode(), hashlib.sha256).digest()


def _letters(data: bytes, count: int) -> str:
    return "".join([ALPHABET[byte & 31] for byte in data[:count]])

"""Checkpoints: what a history was at one event, short enough to be signed, mailed, and kept by those who play.

What is signed and the forms it is written in are those of docs/audit/format.md, section 8.
"""

import hashlib
import re
import string
import unicodedata
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from domain.engine.canonical import canonical
from domain.history.envelope import TIME, is_time

CROCKFORD: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LETTERS: Final = 25
"""Of five bits each."""
GROUP: Final = 5
MISREAD: Final = str.maketrans("OIL", "011")
UNSEEN: Final = frozenset(("Zs", "Zl", "Zp", "Cc", "Cf", "Pd"))
"""Blanks, dashes of all kinds, and what nobody sees."""
AROUND: Final = string.whitespace + ".,;!*_~`'\"()[]{}<>|«»„“”‚‘’"
"""What a mail program, or a sentence, puts around it."""
RECEIPT: Final = re.compile(rf"0*([1-9][0-9]{{0,15}})-([{CROCKFORD}]{{{CODE_LETTERS}}})([{CROCKFORD}])?")
HEADER: Final = "Wardroom-Checkpoint"
HEADER_FIELDS: Final = {
    "v": re.compile("1"),
    "game": re.compile(r"[!-:<-~]+"),
    "version": re.compile("[1-9][0-9]{0,15}"),
    "time": TIME,
    "hash": re.compile("[0-9a-f]{64}"),
    "key": re.compile("[0-9a-f]{16}"),
    "signature": re.compile("[0-9a-f]{128}"),
}


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """An event of a game: its number, its hash, and when it was recorded, as RFC 3339 UTC with microseconds."""

    game: str
    version: int
    hash: str
    time: str

    def message(self) -> bytes:
        """What a signature of it is made of."""
        return b"wardroom-checkpoint-v1\n" + self._canonical()

    def receipt(self) -> str:
        """The code that tells this event from all others, and a check letter: 17-K7X2M-9QD4T-8W3PZ-A1B2C-D3E4F-K."""
        digest = hashlib.sha256(b"wardroom-receipt-v1\n" + self._canonical()).digest()
        bits = int.from_bytes(digest, "big") >> (8 * len(digest) - 5 * CODE_LETTERS)
        return _receipt(self.version, "".join(CROCKFORD[bits >> 5 * n & 31] for n in reversed(range(CODE_LETTERS))))

    def _canonical(self) -> bytes:
        return canonical({"game": self.game, "hash": self.hash, "time": self.time, "version": self.version})


@dataclass(frozen=True, slots=True)
class Signed:
    """A checkpoint, and the host's signature under the key with this id; both in hex."""

    checkpoint: Checkpoint
    key: str
    signature: str

    def receipt(self) -> str:
        """The code for those who keep no signature."""
        return self.checkpoint.receipt()

    def document(self) -> dict[str, Any]:
        """Its JSON form."""
        one = self.checkpoint
        return {
            "game": one.game,
            "hash": one.hash,
            "key": self.key,
            "signature": self.signature,
            "time": one.time,
            "version": one.version,
        }

    def header(self) -> str:
        """What a mail says in its header, on one line; it may be folded after any semicolon."""
        one = self.checkpoint
        return (
            f"v=1; game={one.game}; version={one.version}; time={one.time}; hash={one.hash}; "
            f"key={self.key}; signature={self.signature}"
        )


class Receipt(NamedTuple):
    """A receipt as somebody has kept it: the event it is of, and its text as `Checkpoint.receipt` writes it."""

    version: int
    text: str
    checked: bool = True  # by its check letter: it was not mistyped


def check_letter(digits: str) -> str:
    """The check letter of a receipt by Luhn's rule modulo 32, over its number and code: any one letter that is misread
    changes it, and nearly any two that change places."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = CROCKFORD.index(digit) * (2 - place % 2)
        total += value // 32 + value % 32
    return CROCKFORD[-total % 32]


def read_receipt(text: str) -> Receipt:
    """The receipt somebody typed or copied: case, blanks and dashes do not count, nor what stands around it, nor
    whether O is 0 and I or L is 1. Receipts of mails of before have no check letter.

    Raises ValueError with a sentence that says that it was mistyped, or what a receipt looks like.
    """
    written = text.rpartition(":")[2].strip(AROUND).upper().translate(MISREAD)
    version, *rest = "".join(" " if unicodedata.category(c) in UNSEEN else c for c in written).split() or [""]
    found = RECEIPT.fullmatch(f"{version}-{''.join(rest)}")
    if found is None:
        raise ValueError(
            "A receipt is the number of an event and 26 letters and digits, as in 17-K7X2M-9QD4T-8W3PZ-A1B2C-D3E4F-K: "
            "copy it whole from the end of a mail."
        )
    if found[3] not in (None, check_letter(found[1] + found[2])):
        raise ValueError(
            "This receipt was mistyped: its last letter does not fit the others. Compare it with the mail, letter by "
            "letter."
        )
    return Receipt(int(found[1]), _receipt(int(found[1]), found[2]), checked=found[3] is not None)


def read_header(value: str) -> Signed:
    """The signed checkpoint in a mail's header, folded or not. Raises ValueError with a sentence."""
    said: dict[str, str] = {}
    for part in "".join(value.split()).split(";"):
        name, _, content = part.partition("=")
        if name in said or name not in HEADER_FIELDS or HEADER_FIELDS[name].fullmatch(content) is None:
            raise ValueError(f"The header {HEADER} of this mail was changed: “{part[:40]}” does not belong there.")
        said[name] = content
    if "time" in said and not is_time(said["time"]):
        raise ValueError(f"The header {HEADER} of this mail was changed: there is no time “{said['time']}”.")
    if said.keys() != HEADER_FIELDS.keys():
        missing = ", ".join(name for name in HEADER_FIELDS if name not in said)
        raise ValueError(f"The header {HEADER} of this mail was cut: {missing} is missing.")
    checkpoint = Checkpoint(said["game"], int(said["version"]), said["hash"], said["time"])
    return Signed(checkpoint, said["key"], said["signature"])


def _receipt(version: int, code: str) -> str:
    groups = (code[at : at + GROUP] for at in range(0, CODE_LETTERS, GROUP))
    return "-".join([str(version), *groups, check_letter(f"{version}{code}")])

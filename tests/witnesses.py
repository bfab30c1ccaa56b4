"""What tells one history from another wherever it is shown: hashes, commitments, signatures, receipts.

Twins differ in them and in nothing else: `renamed` puts numbers in their place, the same for the same everywhere.
"""

import re
from typing import Final

LETTER: Final = "[0-9A-HJKMNP-TV-Z]"
HASH: Final = "(?<![0-9a-f])(?:[0-9a-f]{128}|[0-9a-f]{64})(?![0-9a-f])"
RECEIPT: Final = f"(?<=[0-9]-){LETTER}{{5}}(?:-{LETTER}{{5}}){{4}}(?:-{LETTER})?(?![0-9A-Z])"
WITNESS: Final = re.compile(f"{HASH}|{RECEIPT}")
FOLDED: Final = re.compile(r"=\r\n|\r\n[ \t]")
"""How mail breaks long lines, in its body and in its headers."""


def renamed(text: str | bytes, numbers: dict[str, str] | None = None) -> str:
    """A text or a raw mail without what only tells its history; `numbers` are those given before."""
    found = {} if numbers is None else numbers
    whole = FOLDED.sub("", text.decode() if isinstance(text, bytes) else text)
    return WITNESS.sub(lambda hit: found.setdefault(hit[0], f"<{len(found)}>"), whole)

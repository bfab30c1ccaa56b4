"""What one incoming mail may cost (IN-01, T-57, T-58), and what a player hears whose mail costs more."""

from typing import Final

from domain.engine.sentences import say

RAW: Final = 2 * 1024 * 1024
"""Bytes of a whole mail."""
HEADERS: Final = 64 * 1024
"""Bytes of the headers of one part."""
PARTS: Final = 64
DEPTH: Final = 10
"""Multiparts within one another."""
RECIPIENTS: Final = 200
TEXT: Final = 256 * 1024
"""Characters of the text that is read."""
LINES: Final = 1000
HTML: Final = 512 * 1024
"""Characters of HTML that are converted."""
TAGS: Final = 20_000
"""Tags of HTML that are converted, opening and closing ones."""

REASONS: Final = {
    "size": say("Your mail is larger than {limit} MB, the most we read. Send your orders alone.", limit=2),
    "headers": say("The headers of your mail are longer than {limit} KB, the most we read.", limit=64),
    "parts": say("Your mail has more than {limit} parts, the most we read. Send your orders alone.", limit=PARTS),
    "depth": say(
        "Your mail holds mails within mails, more than {limit} deep, the most we read. Send your orders alone.",
        limit=DEPTH,
    ),
    "recipients": say("Your mail has more than {limit} recipients, the most we read.", limit=RECIPIENTS),
    "text": say(
        "The text of your mail is longer than {limit} KB, the most we read. Delete the quoted mail and send it again.",
        limit=256,
    ),
    "lines": say(
        "Your mail has more than {limit} lines, the most we read. Delete the quoted mail and send it again.",
        limit=LINES,
    ),
    "time": say("Reading your mail took longer than we allow. Send your orders alone, as plain text."),
    "memory": say("Reading your mail took more memory than we allow. Send your orders alone, as plain text."),
    "crash": say("Your mail could not be read. Send your orders alone, as plain text."),
}
"""By the name of the limit: a sentence for the player."""


class Poison(Exception):
    """A mail that is not read: it is put aside whole, and its player is told `reason`.

    `limit` names the sentence in REASONS. `automatic` says by which header the mail shows itself as automatic, in
    which case nobody is told anything (IN-21); "" if none does. `detail` is for the log: where reading failed.
    """

    def __init__(self, reason: str, limit: str = "", automatic: str = "", detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.limit = limit
        self.automatic = automatic
        self.detail = detail


def poison(limit: str, automatic: str = "", detail: str = "") -> Poison:
    """The Poison of one limit."""
    return Poison(REASONS[limit], limit, automatic, detail)

"""Verdicts of mail servers that refuse: a mailbox is gone for good, or not now (RFC 3463, RFC 5321 4.2).

The class, subject and detail of an enhanced code say it best. Where a server gives only "something failed", its own
words are read: the code in them, then the three digits.
"""

import re
from typing import Final, Literal

Verdict = Literal["hard", "soft", "ours"]

HARD: Final = frozenset(
    {
        "5.0.0",  # other
        "5.1.0",  # other, about the address
        "5.1.1",  # no such mailbox
        "5.1.2",  # no such domain
        "5.1.3",  # not an address
        "5.1.6",  # moved away
        "5.1.10",  # a domain that takes no mail (RFC 7505)
        "5.2.1",  # mailbox disabled
        "5.4.1",  # what Exchange Online says of who does not exist
        "5.4.4",  # no way to the domain
        "5.4.310",  # the same, from Exchange Online
        "5.5.0",  # "mailbox unavailable", from Outlook.com
    }
)
"""Not 5.1.7 and 5.1.8, which are about the sender, nor 5.2.2, a full mailbox, nor 5.3, 5.6 and 5.7, which are about
the mail or about us."""
GENERIC: Final = frozenset({"", "5.0.0", "4.0.0"})
HARD_REPLIES: Final = frozenset({"521", "550", "551", "553", "556"})
SOFT_WORDS: Final = re.compile(
    r"\b(?:quota|full|storage|spam|junk|block(?:ed|list)?|blacklist(?:ed)?|policy|reputation|relay(?:ing)?|denied"
    r"|rate|size|large|content|virus)\b",
    re.IGNORECASE,
)
"""A mailbox that is full, or a server that minds us or the mail: no word about whether the mailbox exists."""
_ENHANCED: Final = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_REPLY: Final = re.compile(r"(?<![\d.])([45]\d\d)(?![\d.])")


def is_failure(action: str, status: str) -> bool:
    """Whether a report is of a mail that will not arrive; a delay or a delivery is none (RFC 3464 2.3.3)."""
    action = action.strip().casefold()
    return action == "failed" or (not action and status.strip().startswith("5."))


def is_hard(status: str, diagnostic: str) -> bool:
    """Whether a report says that there is no such mailbox; `diagnostic` is the server's own words."""
    code = enhanced_code(status)
    if code not in GENERIC:
        return code in HARD
    own = enhanced_code(diagnostic)
    if own not in GENERIC:
        return own in HARD
    if code == "4.0.0" or SOFT_WORDS.search(diagnostic):
        return False
    reply = _REPLY.search(diagnostic)
    if reply is None:
        return code == "5.0.0"
    return reply[1] in HARD_REPLIES or (reply[1] == "554" and code == "5.0.0")


def judge_refusal(said: str) -> Verdict:
    """Tell a 5xx in the SMTP session that speaks: of the mailbox, or of us or the mail, as 5.3, 5.6 and 5.7 do."""
    code = enhanced_code(said)
    if is_hard(code, said):
        return "hard"
    return "soft" if code.startswith("5.2.") else "ours"


def enhanced_code(text: str) -> str:
    """The first enhanced code in a text, "" where there is none."""
    found = _ENHANCED.search(text)
    return "" if found is None else ".".join(found.groups())

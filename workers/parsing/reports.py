"""Reports about mail we sent: bounces (RFC 3464, RFC 6522), read receipts (RFC 8098), complaints (RFC 5965)."""

import re
from typing import Final, Literal

import msgspec

from workers.parsing import mime
from workers.parsing.fields import Fields, fields, ids, printable
from workers.parsing.mime import Part

KINDS: Final[dict[str, Literal["dsn", "mdn", "arf"]]] = {
    "message/delivery-status": "dsn",
    "message/global-delivery-status": "dsn",
    "message/disposition-notification": "mdn",
    "message/global-disposition-notification": "mdn",
    "message/feedback-report": "arf",
}
RETURNED: Final = frozenset(
    {"message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers", "message/rfc822-headers"}
)
"""Kinds of the part that gives our mail back, or its headers."""
STATUS: Final = re.compile(r"[245]\.\d{1,3}\.\d{1,3}")
WORST: Final = ("failed", "delayed", "expanded", "relayed", "delivered")
MAX_FIELDS: Final = 64 * 1024


class Report(msgspec.Struct, frozen=True):
    """One report. Anyone can write one: it counts only with our address and our Message-ID (RATE-12).

    `action` is a bounce's "failed", "delayed" ..., a receipt's "displayed" ..., a complaint's "abuse" ...
    """

    kind: Literal["dsn", "mdn", "arf"]
    action: str = ""
    status: str = ""
    diagnostic: str = ""
    original_message_id: str = ""
    recipient: str = ""


def report(root: Part) -> Report | None:
    """The report a mail is, None if it is none. Of several recipients the one worst off counts."""
    if root.kind != "multipart/report":
        return None
    part = next((each for each in root.walk() if each.kind in KINDS), None)
    if part is None:
        return None
    groups = _groups(part)
    returned = _returned_id(root)
    match KINDS[part.kind]:
        case "dsn":
            return _bounce(groups, returned)
        case "mdn":
            return _receipt(groups, returned)
        case "arf":
            return _complaint(groups, returned)


def _bounce(groups: list[Fields], returned: str) -> Report:
    recipients = [group for group in groups if _value(group, "action")] or groups[-1:]
    worst = min(recipients, key=lambda group: _badness(_action(group)), default=[])
    status = STATUS.search(_value(worst, "status")) or STATUS.search(_value(worst, "diagnostic-code"))
    return Report(
        "dsn",
        _action(worst),
        status[0] if status else "",
        printable(_typed(worst, "diagnostic-code"), 200),
        returned,
        _typed(worst, "original-recipient") or _typed(worst, "final-recipient"),
    )


def _receipt(groups: list[Fields], returned: str) -> Report:
    group = [each for some in groups for each in some]
    disposition = _value(group, "disposition").rpartition(";")[2].partition("/")[0].strip().lower()
    told = ids([_value(group, "original-message-id")])
    return Report(
        "mdn",
        printable(disposition, 40),
        original_message_id=told[0] if told else returned,
        recipient=_typed(group, "original-recipient") or _typed(group, "final-recipient"),
    )


def _complaint(groups: list[Fields], returned: str) -> Report:
    group = [each for some in groups for each in some]
    recipient = _value(group, "original-rcpt-to").strip("<> ")
    return Report(
        "arf",
        printable(_value(group, "feedback-type").lower(), 40),
        original_message_id=returned,
        recipient=printable(recipient, 320),
    )


def _groups(part: Part) -> list[Fields]:
    """The groups of fields of a machine-readable part: about the mail, then one a recipient."""
    text = part.decoded()[:MAX_FIELDS].replace(b"\r\n", b"\n")
    blocks = re.split(rb"\n[ \t]*\n", text.strip(b"\n"))
    return [found for found in map(fields, blocks) if found]


def _returned_id(root: Part) -> str:
    """The Message-ID of the mail that was given back."""
    for part in root.walk():
        if part.kind in RETURNED:
            found = ids([value for name, value in mime.headers(part.decoded()) if name == "message-id"])
            if found:
                return found[0]
    return ""


def _value(group: Fields, name: str) -> str:
    return next((value for each, value in group if each == name), "")


def _typed(group: Fields, name: str) -> str:
    """A value without its type, `rfc822; ann@example.org`."""
    value = _value(group, name)
    return printable(value.partition(";")[2] or value, 320).strip("<> ")


def _action(group: Fields) -> str:
    words = _value(group, "action").lower().split()
    return words[0][:20] if words else ""


def _badness(action: str) -> int:
    return WORST.index(action) if action in WORST else len(WORST)

"""Tag lists, `v=DKIM1; k=rsa; p=…`, as DKIM (RFC 6376 3.2) and DMARC (RFC 7489 6.4) write their records."""

import re


def tags(text: str) -> dict[str, str] | None:
    """The tags of a record, names in lower case, blanks left out; None where it is no such list, or has a tag twice."""
    found: dict[str, str] = {}
    for part in text.split(";"):
        name, equals, value = part.partition("=")
        name = name.strip().lower()
        if not part.strip():
            continue
        if not equals or not re.fullmatch("[a-z][a-z0-9_]*", name) or name in found:
            return None
        found[name] = re.sub(r"\s+", "", value)
    return found

"""Strict readers of feeds: Atom by the letter of RFC 4287, calendars by that of RFC 5545. They know nothing of ours."""

import html
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from xml.etree import ElementTree

NS: Final = "{http://www.w3.org/2005/Atom}"
LONGEST_LINE: Final = 75
ONCE: Final = {"UID", "DTSTAMP", "DTSTART", "SUMMARY", "SEQUENCE", "URL"}


@dataclass
class Entry:
    """One entry as a reader shows it."""

    id: str
    title: str
    updated: datetime
    link: str
    text: str


def read_atom(data: bytes) -> tuple[str, list[Entry]]:
    """The id and the entries of a feed; an AssertionError where it is none."""
    root = ElementTree.fromstring(data)
    assert root.tag == f"{NS}feed"
    assert [len(root.findall(f"{NS}{name}")) for name in ("id", "title", "updated")] == [1, 1, 1]
    assert root.find(f"{NS}author/{NS}name") is not None, "4.1.1: each entry has an author, here the feed's"
    entries = [_entry(found) for found in root.findall(f"{NS}entry")]
    assert len({entry.id for entry in entries}) == len(entries), "4.2.6: ids are unique"
    feed = root.findtext(f"{NS}id") or ""
    assert re.match(r"tag:[a-z0-9.-]+,\d{4}:\S+$", feed), "RFC 4151"
    return feed, entries


def _entry(found: ElementTree.Element) -> Entry:
    assert [len(found.findall(f"{NS}{name}")) for name in ("id", "title", "updated")] == [1, 1, 1]
    links = [link.attrib["href"] for link in found.findall(f"{NS}link") if link.attrib["rel"] == "alternate"]
    assert len(links) == 1, "4.1.2: without content there is a link"
    content = found.find(f"{NS}content")
    assert content is None or content.attrib["type"] == "html"
    text = "" if content is None else content.text or ""
    assert not re.search(r"<(?!/?p>)", text), "paragraphs and nothing else"
    when = datetime.fromisoformat(found.findtext(f"{NS}updated") or "")
    assert when.tzinfo is not None
    plain = html.unescape(re.sub(r"</?p>", "\n", text)).strip()
    return Entry(found.findtext(f"{NS}id") or "", found.findtext(f"{NS}title") or "", when, links[0], plain)


def read_calendar(data: bytes) -> list[dict[str, str]]:
    """The events of a calendar, each by the names of its properties; an AssertionError where it is none."""
    assert data.endswith(b"END:VCALENDAR\r\n")
    raw = data.removesuffix(b"\r\n").split(b"\r\n")
    assert all(len(line) <= LONGEST_LINE and b"\n" not in line for line in raw), "3.1: folded at 75 octets"
    lines = data.decode().replace("\r\n ", "").removesuffix("\r\n").split("\r\n")
    events: list[dict[str, str]] = []
    inside: list[str] = []
    for line in lines:
        name, value = re.fullmatch(r"([A-Z-]+)(?:;[^:]*)?:(.*)", line).groups()  # type: ignore[union-attr]
        if name == "BEGIN":
            inside.append(value)
            events += [{}] if value == "VEVENT" else []
        elif name == "END":
            assert inside.pop() == value
        elif inside[-1] == "VEVENT":
            assert name not in events[-1], "3.6.1: each at most once"
            events[-1][name] = value
        elif inside[-1] == "VALARM":
            events[-1][f"VALARM.{name}"] = value
        else:
            assert not events, "3.6: properties of the calendar come first"
    assert not inside
    assert re.search("^BEGIN:V(EVENT|TODO|JOURNAL|FREEBUSY|TIMEZONE)$", "\n".join(lines), re.MULTILINE), (
        "3.6: a component"
    )
    assert events or "METHOD:PUBLISH" not in lines, "RFC 5546 3.2.1: what is published has an event"
    assert all(event.keys() >= ONCE and "DTEND" not in event for event in events)
    assert len({event["UID"] for event in events}) == len(events)
    return events


def moment(value: str) -> datetime:
    """A date-time in UTC (3.3.5, form 2)."""
    return datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)

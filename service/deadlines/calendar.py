"""Deadlines as a file for calendars (RFC 5545): published, so that no calendar answers it (OUT-19)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from icalendar import Alarm, Calendar, Event, Timezone, TimezoneStandard

from domain.engine.game import Seat
from service.kernel.clock import moment

PRODUCT: Final = "-//Wardroom//deadlines//EN"
WARNING: Final = timedelta(hours=3)
REFRESHED: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Deadline:
    """An answer that is owed until a moment, as a calendar tells it; times in microseconds."""

    game: str
    seat: Seat
    since: int
    due: int
    told_at: int  # not before it was made or moved last
    edition: int  # rises when it moves
    summary: str
    link: str
    description: str = ""

    def uid(self, domain: str) -> str:
        """The name of the event, the same wherever and however often the deadline moves (RFC 5545 3.8.4.7)."""
        return f"deadline-{self.game}-{self.seat}-{self.since}@{domain}"


def calendar_file(domain: str, deadlines: Iterable[Deadline], name: str = "") -> bytes:
    """Return these deadlines as a file; with a `name` it is one that calendars fetch again (RFC 7986).

    A file needs a component (RFC 5545 3.6), and one that is published an event (RFC 5546 3.2.1): if nothing is due, it
    has a time zone alone. Calendars keep the old events if what they fetch is not valid.
    """
    calendar, events = Calendar(), [_event(domain, deadline) for deadline in deadlines]
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    if events:
        calendar.add("method", "PUBLISH")
    if name:
        calendar.add("name", name)
        calendar.add("x-wr-calname", name)
        calendar.add("refresh-interval", REFRESHED, parameters={"VALUE": "DURATION"})
        calendar.add("x-published-ttl", "PT1H")
    for event in events:
        calendar.add_component(event)
    if not events:
        calendar.add_component(_utc())
    return bytes(calendar.to_ical())


def _utc() -> Timezone:
    zone, standard = Timezone(), TimezoneStandard()
    zone.add("tzid", "UTC")
    standard.add("dtstart", datetime(1970, 1, 1))  # noqa: DTZ001 - RFC 5545 3.6.5 wants local time
    standard.add("tzoffsetfrom", timedelta(0))
    standard.add("tzoffsetto", timedelta(0))
    zone.add_component(standard)
    return zone


def _event(domain: str, deadline: Deadline) -> Event:
    """A moment without length: it has no end, for that would have to come later (RFC 5545 3.8.2.2)."""
    event = Event()
    event.add("uid", deadline.uid(domain))
    event.add("dtstamp", moment(deadline.told_at))
    event.add("dtstart", moment(deadline.due))
    event.add("summary", deadline.summary)
    if deadline.description:
        event.add("description", deadline.description)
    event.add("url", deadline.link)
    event.add("sequence", deadline.edition)
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", deadline.summary)
    alarm.add("trigger", -WARNING)
    event.add_component(alarm)
    return event

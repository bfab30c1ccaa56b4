"""Deadlines as a file for calendars (RFC 5545): published, so that no calendar answers it (OUT-19)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from icalendar import Alarm, Calendar, Event

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
    told_at: int  # when it was made or moved last
    edition: int  # rises when it moves
    summary: str
    link: str
    description: str = ""

    def uid(self, domain: str) -> str:
        """The name of the event, the same wherever and however often the deadline moves (RFC 5545 3.8.4.7)."""
        return f"deadline-{self.game}-{self.seat}-{self.since}@{domain}"


def calendar_file(domain: str, deadlines: Iterable[Deadline], name: str = "") -> bytes:
    """These deadlines as a file; with a `name` one that calendars fetch again now and then (RFC 7986)."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    if name:
        calendar.add("name", name)
        calendar.add("x-wr-calname", name)
        calendar.add("refresh-interval", REFRESHED, parameters={"VALUE": "DURATION"})
        calendar.add("x-published-ttl", "PT1H")
    for deadline in deadlines:
        calendar.add_component(_event(domain, deadline))
    return bytes(calendar.to_ical())


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

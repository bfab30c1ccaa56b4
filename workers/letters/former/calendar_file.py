"""A deadline as a file for calendars (RFC 5545): published, so that no calendar answers it (OUT-19)."""

from datetime import timedelta
from typing import Any

from icalendar import Alarm, Calendar, Event

from service.container import Services
from service.kernel.clock import moment
from workers.letters.former.facts import Facts, Row

PRODUCT = "-//Wardroom//deadlines//EN"
WARNING = timedelta(hours=3)


def deadline_file(services: Services, row: Row, facts: Facts, words: dict[str, Any]) -> bytes:
    """The deadline of the decision a letter asks for; the same event whenever it is sent again."""
    if facts.asked is None or facts.asked.due is None:
        raise ValueError("nothing is due")
    event = Event()
    event.add("uid", f"deadline-{facts.head.game}-{facts.seat}-{facts.asked.since}@{services.settings.mail_domain}")
    event.add("dtstamp", moment(row["created_at"]))
    event.add("dtstart", moment(facts.asked.due))
    event.add("dtend", moment(facts.asked.due))
    event.add("summary", words["_"]("{title}: your answer is due", title=words["title"]))
    event.add("url", words["link"])
    event.add("sequence", row["id"])
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", words["_"]("{title}: your answer is due", title=words["title"]))
    alarm.add("trigger", -WARNING)
    event.add_component(alarm)
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(event)
    return bytes(calendar.to_ical())

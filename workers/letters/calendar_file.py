"""A deadline as a file for calendars (RFC 5545): published, so that no calendar answers it (OUT-19)."""

from datetime import timedelta

from icalendar import Alarm, Calendar, Event

from service.kernel.clock import moment
from workers.letters.game_view import GameView

PRODUCT = "-//Wardroom//deadlines//EN"
WARNING = timedelta(hours=3)


def deadline_file(view: GameView) -> bytes:
    """The deadline of the decision a letter asks for; the same event whenever it is sent again."""
    asked, notice = view.asked, view.notice
    if asked is None or asked.due is None:
        raise ValueError("nothing is due")
    answer_due = f"{view.title}: your answer is due"  # English in every language, as it always was
    event = Event()
    event.add("uid", f"deadline-{view.head.game}-{view.seat}-{asked.since}@{view.services.settings.mail_domain}")
    event.add("dtstamp", moment(notice.created_at))
    event.add("dtstart", moment(asked.due))
    event.add("dtend", moment(asked.due))
    event.add("summary", answer_due)
    event.add("url", view.link)
    event.add("sequence", notice.id)
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", answer_due)
    alarm.add("trigger", -WARNING)
    event.add_component(alarm)
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(event)
    return bytes(calendar.to_ical())

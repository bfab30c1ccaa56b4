"""The deadline of a letter as a file for calendars (OUT-19)."""

from service.deadlines.calendar import Deadline, calendar_file
from workers.letters.letter_view import LetterView


def deadline_file(view: LetterView) -> bytes:
    """The deadline of the decision a letter asks for; the same event whenever it is sent again."""
    asked, notice = view.asked, view.notice
    if asked is None or asked.due is None or view.seat is None:
        raise ValueError("nothing is due")
    deadline = Deadline(
        game=view.head.game,
        seat=view.seat,
        since=asked.since,
        due=asked.due,
        told_at=notice.created_at,
        edition=notice.id,
        summary=f"{view.title}: your answer is due",  # English in every language, as it always was
        link=view.link,
    )
    return calendar_file(view.services.settings.mail_domain, [deadline])

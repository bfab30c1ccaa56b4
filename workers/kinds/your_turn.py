"""The notice that it is somebody's turn."""

from collections.abc import Iterator

from domain.engine.sentences import say
from service.kernel.clock import micros
from service.notify.quiet_hours import waking
from service.notify.waits import JUST_BEFORE, MORNING_AS_ASKED
from service.store.outgoing.sent_mails import last_sent
from workers.kinds.kind import GameKind, Wait
from workers.letters.claims import owed
from workers.letters.content import GameContent
from workers.letters.letter_view import LetterRequest, LetterView
from workers.letters.turn_sections import orders_in_short, turn_sections


def waits(request: LetterRequest, now: int) -> Iterator[Wait]:
    """One such mail in a game, and the next after the window (RATE-05); by day, for who wishes that (RATE-07)."""
    notice, reader = request.notice, request.reader
    window = micros(request.services.settings.mail_window)
    last = last_sent(request.connection, notice.recipient, notice.game_id, notice.kind, now - window)
    if window and last is not None:
        yield Wait(last + window, JUST_BEFORE, may_end_early=True)
    if reader.quiet_turns:
        morning = waking(reader.timezone, reader.wakes_at).awake_from(now)
        yield Wait(morning, MORNING_AS_ASKED, may_end_early=True)


def tell(view: LetterView) -> GameContent:
    events = view.events_after(view.acted_at())
    return GameContent(
        view,
        view.question or say("Your turn in {title}.", title=view.called),
        turn_sections(view, events),
        orders_in_short(view, events),
        lead=say("Answer by {due}.", due=view.due) if view.due else "",
        place=view.place,
        calendar=view.reader.calendar,
    )


KIND = GameKind("your-turn", say("your turn"), owed, tell, waits=waits)

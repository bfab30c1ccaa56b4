"""The reminder of an answer that is owed."""

from collections.abc import Iterator

from domain.engine.sentences import Sentence, say
from service.container import Services
from service.deadlines import remind
from service.languages.time_text import left_words
from service.notify.waits import MORNING
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.kinds.kind import GameKind, Wait
from workers.letters.claims import asked_of, open_decision, require_player
from workers.letters.content import GameContent
from workers.letters.letter_data import Asked, Superseded
from workers.letters.letter_view import LetterRequest, LetterView
from workers.letters.turn_sections import orders_in_short, turn_sections


def still_true(services: Services, connection: Connection, notice: Notice) -> Asked:
    """Check that the answer is owed, and that no later reminder says it better; by day, it is sent at once."""
    decision = open_decision(connection, notice)
    require_player(decision, notice)
    now = services.database.clock.now(connection)
    send_at = remind.sent_at(services, connection, notice, decision, now)
    if isinstance(send_at, str):
        raise Superseded(send_at)
    return asked_of(decision, send_at)


def waits(request: LetterRequest, now: int) -> Iterator[Wait]:
    """By day (RATE-07)."""
    if request.asked is not None:
        yield Wait(request.asked.send_at, MORNING)


def tell(view: LetterView) -> GameContent:
    events = view.events_after(view.acted_at())
    return GameContent(
        view,
        view.question or say("Your turn in {title}.", title=view.called),
        turn_sections(view, events),
        orders_in_short(view, events),
        lead=_lead(view),
        place=view.place,
        calendar=view.reader.calendar,
    )


def _lead(view: LetterView) -> Sentence:
    if (at := view.bank_ahead) is not None:
        return say(
            "Reminder: your time for this move ends {at}; then your bank is used.",
            at=view.locale.when(at),
        )  # fmt: skip
    left = "" if view.asked is None or view.asked.due is None else left_words(view.asked.due - view.notice.created_at)
    return say("Reminder: your answer is due in {left}, by {due}.", left=left, due=view.due)


KIND = GameKind("reminder", say("reminder"), still_true, tell, waits=waits)

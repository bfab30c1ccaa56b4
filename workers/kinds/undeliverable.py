"""The notice to a host that a player could not be told of a turn, or that mail to them has stopped (RATE-11)."""

from domain.engine.sentences import say
from service.container import Services
from service.mail import deliverability
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.kinds.kind import GameKind, no_seat
from workers.letters.claims import asked_of, open_decision
from workers.letters.content import GameContent
from workers.letters.letter_data import Asked, Superseded
from workers.letters.letter_view import LetterView
from workers.letters.sections import Paragraph


def still_true(services: Services, connection: Connection, notice: Notice) -> Asked | None:
    """Check that the turn is open still, or that mail still does not arrive."""
    if not deliverability.tells_of_a_stop(notice.decision):
        return asked_of(open_decision(connection, notice))
    assert notice.seat is not None, "it is about a seat"
    if (why := deliverability.check(connection, notice.game_id, notice.seat)) is not None:
        raise Superseded(why)
    return None


def tell(view: LetterView) -> GameContent:
    assert view.notice.seat is not None, "it is about a seat"
    player = view.names[view.notice.seat]
    if deliverability.tells_of_a_stop(view.notice.decision):
        headline = say("Mail to {player} in {title} has stopped.", player=player, title=view.called)
        text = say(
            "What we send does not arrive, so we send nothing further. Their clock runs on, and the "
            "caretaker plays for them when a deadline passes. If you know them, tell them some other way."
        )
    else:
        headline = say("{player} could not be told that it is their turn in {title}.", player=player, title=view.called)
        text = say(
            "Their mail came back, so nobody can hold the silence against them: they have their time once more, until "
            "{due}. After that the caretaker plays for them. If you know them, tell them some other way.",
            due=view.due,
        )
    return GameContent(view, headline, [Paragraph([text])], reply=None)


KIND = GameKind("undeliverable", say("a player cannot be reached"), still_true, tell, seat_of=no_seat)

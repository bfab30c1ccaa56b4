"""The notice that a seat is vacant: to the host, and to everybody if its player resigned."""

from domain.engine.sentences import Sentence, say, typed
from domain.table.events import SeatVacated
from service.container import Services
from service.privacy import erase
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.kinds.kind import GameKind
from workers.letters.claims import event_at, still_asked, table_of_player
from workers.letters.content import GameContent
from workers.letters.letter_data import Asked, Superseded
from workers.letters.letter_view import LetterView
from workers.letters.table_letters import TableNews, table_content


def still_true(services: Services, connection: Connection, notice: Notice) -> Asked | None:
    """Check that the seat is still vacant; unless its player resigned, the recipient must be the host."""
    table = table_of_player(services, connection, notice)
    event = event_at(services, connection, notice.game_id, notice.number)
    if not isinstance(event, SeatVacated) or not table.chairs[event.seat].vacant:
        raise Superseded("somebody plays the seat again")
    if event.reason == "resigned":
        return still_asked(connection, notice)
    if table.host != notice.recipient:
        raise Superseded("another opens the table to people now")
    if table.chairs[event.seat].player is None:
        raise Superseded("a bot has played the seat since, and was sent away")
    return still_asked(connection, notice)


def tell(view: LetterView) -> GameContent:
    event = event_at(view.services, view.connection, view.head.game, view.notice.number)
    assert isinstance(event, SeatVacated), "that was checked"
    anybody = (
        say("Anyone else can take it over too: {how}.", how=view.link)
        if view.head.table.public
        else say("Your table is private: those whom you invited to it can take it over, too: {how}.", how=view.link)
    )
    headline = (
        say("{player} has resigned from your game of {title}.", player=view.names[event.seat], title=view.called)
        if event.reason == "resigned"
        else say("A seat at your table of {title} is vacant.", title=view.called)
    )
    return table_content(view, TableNews(headline, [*_why(view, event), anybody]))


def _why(view: LetterView, event: SeatVacated) -> list[Sentence]:
    player = view.names[event.seat]
    if event.reason == "resigned":
        return [
            say("The caretaker now plays from that seat, without delay: nobody waits for it. {player} cannot come "
                "back.", player=player),
        ]  # fmt: skip
    if erase.is_nobody(view.connection, str(view.head.table.chairs[event.seat].player)):
        return [
            say("{player} has left for good. The caretaker now plays from that seat, without delay.",
                player=player),
        ]  # fmt: skip
    return [
        say("{player} let the last deadline pass that a player may miss in a row. The caretaker now plays "
            "from that seat, without delay.", player=player),
        say("{player} can take it back as long as nobody else plays it: “{join}”, in answer to one of our mails, "
            "is enough.", player=player, join=typed("join")),
    ]  # fmt: skip


KIND = GameKind("vacant", say("a vacant seat"), still_true, tell)

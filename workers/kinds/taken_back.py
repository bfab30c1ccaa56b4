"""The notice that a game has gone back: why and with whose consent, and what is undone."""

from dataclasses import replace
from typing import Final

from domain.engine.sentences import row, say
from domain.table.events import Rewound
from service.container import Services
from service.games import takeback
from service.games.event_text import WAS_UNDONE, WHY
from service.notify.kind import KINDS
from service.store.clocks.decisions import of_seat
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from service.store.outgoing.sent_mails import was_shown
from workers.kinds.kind import GameKind
from workers.letters.claims import event_at, still_asked, table_of_player
from workers.letters.content import GameContent
from workers.letters.letter_data import Asked, Superseded
from workers.letters.letter_view import LetterView
from workers.letters.table_letters import TableNews, table_content

SHOW_A_POSITION: Final = frozenset(kind.name for kind in KINDS.values() if kind.shows_position)
NOT_ASKED: Final = say("Nothing is asked of you until you hear from us again.")


def still_true(services: Services, connection: Connection, notice: Notice) -> Asked | None:
    """Check that the player took part in it, or was told of what is undone, and has not been asked anew."""
    table_of_player(services, connection, notice)
    event = event_at(services, connection, notice.game_id, notice.number)
    if not isinstance(event, Rewound):
        raise Superseded("the game did not go back")
    decision = of_seat(connection, notice.game_id, notice.seat)
    if decision is not None and decision.since > notice.number:
        raise Superseded("the letter that asks anew tells of it")
    if not _concerns(connection, notice, event):
        raise Superseded("the player had not been told")
    return still_asked(connection, notice)


def _concerns(connection: Connection, notice: Notice, event: Rewound) -> bool:
    """Whether the player agreed, or saw a position that is undone."""
    seat = notice.seat
    if seat is None or (event.agreed and seat in (event.seat, *event.agreed)):
        return True
    where = (notice.recipient, notice.game_id, seat, SHOW_A_POSITION)
    return was_shown(connection, *where, after=event.to, before=notice.number)


def tell(view: LetterView) -> GameContent:
    back = view.notice.number
    event = event_at(view.services, view.connection, view.head.game, back)
    assert isinstance(event, Rewound), "that was checked"
    undone = takeback.undoes(view.services, view.connection, replace(view.head, version=back - 1), event.to)
    asked = view.notice.seat in view.head.rules.decider.awaiting(view.head.table.game)
    news = _agreed(view, event) if event.agreed else _alone(view, event)
    sentences = news.sentences if asked else [*news.sentences, NOT_ASKED]
    return table_content(view, TableNews(news.headline, sentences, WAS_UNDONE, view.describe(undone)))


def _agreed(view: LetterView, event: Rewound) -> TableNews:
    others = row([view.names[seat] for seat in event.agreed], say(" and "))
    agreed = say(
        "As {player} asked and {others} agreed, the game is back at version {to}. {why}",
        player=view.names[event.seat], others=others, to=event.to, why=WHY[event.reason],
    )  # fmt: skip
    return TableNews(say("{title} has gone back, as was agreed.", title=view.called), [agreed])


def _alone(view: LetterView, event: Rewound) -> TableNews:
    player = view.names[event.seat]
    taken_back = say("What our last mail told you no longer holds: {player} has undone it. {why}",
                     player=player, why=WHY[event.reason])  # fmt: skip
    headline = say("{player} has undone something in {title}.", player=player, title=view.called)
    return TableNews(headline, [taken_back])


KIND = GameKind("taken-back", say("taken back"), still_true, tell)

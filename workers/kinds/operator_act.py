"""The notice that the operator of the service has done something at a table, and why."""

from domain.engine.sentences import Sentence, row, say
from service.container import Services
from service.games import operator_text
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from service.store.running import operator_acts
from service.store.running.operator_acts import Act
from workers.kinds.kind import GameKind
from workers.letters.claims import GAME_OVER, still_asked
from workers.letters.content import GameContent
from workers.letters.letter_data import Asked, Superseded
from workers.letters.letter_view import LetterView
from workers.letters.table_letters import TableNews, table_content


def still_true(services: Services, connection: Connection, notice: Notice) -> Asked | None:
    """Check that the game goes on, whose end another letter tells; what was done there stays true."""
    if services.streams.head(connection, notice.game_id).table.status not in ("open", "running"):
        raise Superseded(GAME_OVER)
    return still_asked(connection, notice)


def tell(view: LetterView) -> GameContent:
    act = act_of(view)
    headline = row([view.called, operator_text.tell(act, view.names)], ": ")
    return table_content(
        view,
        TableNews(headline, [*operator_text.reason(act), *_then(view, act)]),
        stopped=act.what != operator_text.PAUSED,
    )


def act_of(view: LetterView) -> Act:
    """The line of the journal that a letter tells of."""
    act = operator_acts.find(view.connection, view.notice.number)
    assert act is not None, "lines of the journal are kept for good"
    return act


def _then(view: LetterView, act: Act) -> list[Sentence]:
    """What the reader can do about it."""
    match act.what:
        case operator_text.PAUSED:
            return [say("You may keep playing in the meantime. If everyone agrees, the clock runs again sooner.")]
        case operator_text.RESUMED:
            return [say("Everyone has the time they had left when the clock was stopped.")]
        case operator_text.RESTORED:
            return [
                say(
                    "What happened here after that is lost: please do it again. Mails about it tell of events that are "
                    "gone, so their receipts do not fit the history that grows now."
                )
            ]
        case operator_text.VACATED if not act.results.get("open"):
            player = view.names[act.seat or 0]
            return [say("{player} can take the seat back as long as nobody else plays it.", player=player)]
    return []


KIND = GameKind("operator-act", say("the operator"), still_true, tell)

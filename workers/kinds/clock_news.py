"""The notice that the clock stands and for how long, that it runs again, or that there is more time."""

from typing import Final

from domain.engine.game import Event, Seat
from domain.engine.sentences import Sentence, say, typed
from domain.table.events import ClockPaused, ClockResumed, TimeExtended
from service.container import Services
from service.kernel.clock import SECOND
from service.languages.time_text import exact_words
from service.store.database import Connection
from service.store.event_store.histories import last_of_types
from service.store.outgoing.notice import Notice
from workers.kinds.kind import GameKind
from workers.letters.claims import event_at, still_asked, table_of_player
from workers.letters.content import GameContent
from workers.letters.letter_data import Asked, Superseded
from workers.letters.letter_view import LetterView
from workers.letters.table_letters import TableNews, table_content

PAUSED: Final = "table.clock-paused"
OF_THE_CLOCK: Final = (PAUSED, "table.clock-resumed", "table.time-extended")
RUNS_AGAIN: Final = say("Everyone has the time they had left when the clock was stopped.")


def still_true(services: Services, connection: Connection, notice: Notice) -> Asked | None:
    """Check that the clock was not changed again."""
    table_of_player(services, connection, notice)
    if last_of_types(connection, notice.game_id, OF_THE_CLOCK) != notice.number:
        raise Superseded("the clock was changed again")
    return still_asked(connection, notice)


def tell(view: LetterView) -> GameContent:
    event = event_at(view.services, view.connection, view.head.game, view.notice.number)
    return table_content(view, _news(view, event), stopped=False)


def _news(view: LetterView, event: Event) -> TableNews:
    title = view.called
    match event:
        case ClockPaused(seat=None, seconds=seconds):
            return TableNews(say("The clock of {title} is stopped.", title=title), [_stopped_for(view, seconds)])
        case ClockPaused(seat=late) if late is not None:
            return TableNews(say("The clock of {title} is stopped.", title=title), [_waits_for(view, late)])
        case TimeExtended(seconds=seconds):
            span = exact_words(seconds)
            extended = say("Everyone has agreed: {span} more for everyone who still has to answer.", span=span)
            return TableNews(say("There is more time in {title}.", title=title), [extended])
        case ClockResumed(reason=reason):
            late = None if reason == "acted" else _waited_for(view)
            runs = RUNS_AGAIN if late is None else _runs_but_for(view, late)
            return TableNews(say("The clock of {title} is running again.", title=title), [runs])
    raise AssertionError("a notice of the clock is of an event that changed it")


def _stopped_for(view: LetterView, seconds: int) -> Sentence:
    began = view.services.streams.time_of(view.connection, view.head.game, view.notice.number)
    return say(
        "Everyone has agreed: the clock is stopped until {until}, unless everyone agrees to restart it "
        "sooner. After that, everyone has the time they had left. You may keep playing in the meantime.",
        until=view.locale.when(began + seconds * SECOND),
    )


def _waits_for(view: LetterView, late: Seat) -> Sentence:
    player = view.names[late]
    if view.notice.recipient == view.head.table.host:
        return say(
            "{player} let the deadline pass: the clock is stopped until {player} answers, or until you "
            "restart it: write “{resume}”.",
            player=player, resume=typed("resume"),
        )  # fmt: skip
    return say(
        "{player} let the deadline pass: the clock is stopped until {player} answers, or until it is "
        "restarted; whoever opened the table can do that alone.",
        player=player,
    )


def _runs_but_for(view: LetterView, late: Seat) -> Sentence:
    return say(
        "Everyone has the time they had left when the clock was stopped, except {player}, whose deadline "
        "had passed and who has the full time of a move again.",
        player=view.names[late],
    )


def _waited_for(view: LetterView) -> Seat | None:
    """The seat that had let a deadline pass, where that had stopped the clock before it ran again."""
    version = last_of_types(view.connection, view.head.game, [PAUSED], before=view.notice.number)
    assert version is not None, "a clock that runs again was stopped"
    pause = event_at(view.services, view.connection, view.head.game, version)
    return pause.seat if isinstance(pause, ClockPaused) else None


KIND = GameKind("clock-news", say("the clock"), still_true, tell)

"""The notice of a proposal: what is asked, why, whom it waits for and how to answer; or that it is off the table."""

from collections.abc import Sequence
from typing import Final

from domain.engine.game import Seat
from domain.engine.sentences import Sentence, row, say, typed
from domain.table.events import ProposalDropped
from domain.table.proposals import missing
from domain.table.state import Proposal
from service.container import Services
from service.games import takeback
from service.games.event_text import WHY, WOULD_BE_UNDONE
from service.languages.time_text import exact_words
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.kinds.kind import GameKind
from workers.letters.claims import event_at, still_asked, table_of_player
from workers.letters.content import GameContent
from workers.letters.letter_data import Asked, Superseded
from workers.letters.letter_view import LetterView
from workers.letters.table_letters import TableNews, table_content

ANSWERS: Final = (
    (typed("agree"), say("it is done, when all who are asked agree")),
    (typed("refuse"), say("it is off the table")),
)
GOES_ON: Final = say("One refusal is enough to leave the clock as it is. The game goes on meanwhile.")
PLAYING_ON: Final = say("One refusal is enough. To play on is to refuse: it is off as soon as anyone plays.")
PLAYED_ON: Final = say("The game goes on: somebody has played instead of agreeing.")
REFUSED: Final = say("Somebody has refused.")


def still_true(services: Services, connection: Connection, notice: Notice) -> Asked | None:
    """Check that the proposal is on the table and the player has not answered; that it was dropped stays true."""
    table = table_of_player(services, connection, notice)
    if _dropped(services, connection, notice) is None:
        proposal = table.proposal
        if proposal is None or proposal.version != notice.number:
            raise Superseded("the proposal is off the table")
        if notice.seat not in missing(table, proposal):
            raise Superseded("the player has answered")
    return still_asked(connection, notice)


def _dropped(services: Services, connection: Connection, notice: Notice) -> ProposalDropped | None:
    """The event that took it off the table, where that is what the notice is for."""
    last = int(notice.decision.rpartition(".")[2])
    event = event_at(services, connection, notice.game_id, last)
    return event if isinstance(event, ProposalDropped) else None


def tell(view: LetterView) -> GameContent:
    dropped = _dropped(view.services, view.connection, view.notice)
    if dropped is not None:
        off = say("What you asked for in {title} is off the table.", title=view.called)
        news = TableNews(off, [PLAYED_ON if dropped.reason == "played-on" else REFUSED])
        return table_content(view, news, stopped=False)
    proposal = view.head.table.proposal
    assert proposal is not None, "a notice of a proposal is of a version at which it is open"
    news = _rewind_news(view, proposal) if proposal.what == "rewind" else _clock_news(view, proposal)
    return table_content(view, news, stopped=False)


def _rewind_news(view: LetterView, proposal: Proposal) -> TableNews:
    player = view.names[proposal.seat]
    asks = say("{player} asks to go back to version {to}. {why}",
               player=player, to=proposal.to, why=WHY[proposal.reason])  # fmt: skip
    undone = takeback.undoes(view.services, view.connection, view.head, proposal.to)
    return TableNews(
        _headline(view, proposal, player),
        [asks, _waits(view, proposal), PLAYING_ON],
        WOULD_BE_UNDONE,
        view.describe(undone),
        ANSWERS,
    )


def _clock_news(view: LetterView, proposal: Proposal) -> TableNews:
    player = view.names[proposal.seat]
    sentences = [_asks_about_the_clock(proposal, player), _waits(view, proposal), GOES_ON]
    return TableNews(_headline(view, proposal, player), sentences, answers=ANSWERS)


def _headline(view: LetterView, proposal: Proposal, player: str) -> Sentence:
    match proposal.what:
        case "rewind":
            return say("{player} asks to undo something in {title}.", player=player, title=view.called)
        case "extend":
            return say("{player} asks for more time in {title}.", player=player, title=view.called)
        case "pause":
            return say("{player} asks to stop the clock of {title}.", player=player, title=view.called)
        case "resume":
            return say("{player} asks to let the clock of {title} run again.", player=player, title=view.called)


def _asks_about_the_clock(proposal: Proposal, player: str) -> Sentence:
    span = exact_words(proposal.seconds)
    match proposal.what:
        case "pause":
            return say(
                "{player} asks to stop the clock for {span} at most; after that, everyone would have the time "
                "they had left.",
                player=player, span=span,
            )  # fmt: skip
        case "resume":
            return say("{player} asks to restart the clock, with the time everyone had left.", player=player)
        case _:
            return say("{player} asks for {span} more for everyone who has to answer now.", player=player, span=span)


def _waits(view: LetterView, proposal: Proposal) -> Sentence:
    return say("It waits for {players}.", players=list_names(view, missing(view.head.table, proposal)))


def list_names(view: LetterView, seats: Sequence[Seat]) -> Sentence:
    """The names of some seats: Ann and Bob."""
    return row([view.names[seat] for seat in seats], say(" and "))


KIND = GameKind("proposal", say("a proposal"), still_true, tell)

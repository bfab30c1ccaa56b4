"""Letters about the table: what is proposed, that the game went back, what became of the clock, a seat that is vacant.

The claim of each, checked when it is sent, and what it tells.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.engine.game import Event, Seat
from domain.engine.sentences import Sentence, Words, row, say, typed
from domain.table import events as e
from domain.table.proposals import missing
from domain.table.state import Proposal, Table
from service.container import Services
from service.games import history_queries, takeback
from service.games.event_text import WHY
from service.kernel.clock import SECOND
from service.languages.time_text import ReaderLocale, exact_words
from service.notify.kind import KINDS
from service.privacy import erase
from service.store.decisions import decisions
from service.store.outbox import outbox
from service.store.streams import Head, events

Row = Mapping[str, Any]
SHOWS_A_POSITION: Final = tuple(kind.name for kind in KINDS.values() if kind.shows_position)
OF_THE_CLOCK: Final = ("table.clock-paused", "table.clock-resumed", "table.time-extended")
AGREE: Final = typed("agree")
REFUSE: Final = typed("refuse")


@dataclass(frozen=True, slots=True)
class News:
    """What a letter tells of the table: a headline, sentences for everybody's eyes, what is or would be undone as its
    reader may see it, and what can be answered."""

    headline: Sentence
    told: Sequence[str]
    undone: Sequence[str] = ()
    heading: str = ""
    answers: Sequence[tuple[str, str]] = ()

    def said(self, words: Words) -> "News":
        """The same in somebody's language, but for the headline and the words to type."""
        answers = [(word, words(meaning)) for word, meaning in self.answers]
        return News(self.headline, [words(one) for one in self.told], self.undone, words(self.heading), answers)


def why_not(services: Services, connection: Connection, notice: Row) -> str | None:
    """Why a letter about the table is not true, or not news, any more; None where it is (RATE-04)."""
    table = services.streams.head(connection, notice["game_id"]).table
    if table.status != "running":
        return "the game is over"
    if table.chairs[notice["seat"]].player != notice["recipient"]:
        return "the seat has another player"
    return _CLAIMS[notice["kind"]](services, connection, notice, table)


def news_of(
    services: Services, connection: Connection, notice: Row, head: Head, names: Sequence[str], locale: ReaderLocale
) -> News | None:
    """What a letter about the table tells, of the version of its notice; None for letters of other kinds."""
    if notice["kind"] not in _TELLS:
        return None
    return _TELLS[notice["kind"]](_Teller(services, connection, notice, head, names, locale)).said(locale.words)


def waited(services: Services, connection: Connection, head: Head, notice: Row) -> bool:
    """Whether the clock stopped when the deadline of a notice passed, in place of a caretaker's move."""
    passed = int(notice["decision"])
    after = services.streams.facts_seen(connection, head.game, head.rules, None, after=passed, upto=passed + 1)
    return any(isinstance(event, e.ClockPaused) for event in after)


# Claims


def _about(notice: Row) -> int:
    """The event a notice is about."""
    return int(notice["decision"].partition(".")[0])


def _proposal_open(services: Services, connection: Connection, notice: Row, table: Table) -> str | None:
    if _dropped(services, connection, notice) is not None:
        return None
    proposal = table.proposal
    if proposal is None or proposal.version != _about(notice):
        return "the proposal is off the table"
    return None if notice["seat"] in missing(table, proposal) else "the player has answered"


def _dropped(services: Services, connection: Connection, notice: Row) -> e.ProposalDropped | None:
    """The event that took it off the table, where that is what a notice about a proposal is for."""
    last = notice["decision"].rpartition(".")[2]
    event = _event(services, connection, notice["game_id"], int(last))
    return event if isinstance(event, e.ProposalDropped) else None


def _taken_back(services: Services, connection: Connection, notice: Row, table: Table) -> str | None:
    """Who took part in it, or was told of what is not so any more, and has not been asked anew."""
    game, seat, back = notice["game_id"], notice["seat"], _about(notice)
    event = _event(services, connection, game, back)
    if not isinstance(event, e.Rewound):
        return "the game did not go back"
    mine = (outbox.c.recipient == notice["recipient"], outbox.c.game_id == game, outbox.c.seat == seat)
    asked = sa.select(decisions.c.since).where(decisions.c.game_id == game, decisions.c.seat == seat)
    if (connection.execute(asked).scalar() or 0) > back:
        return "the letter that asks anew tells of it"
    if seat in (event.seat, *event.agreed) and event.agreed:
        return None
    shown = sa.select(outbox.c.id).where(
        *mine,
        outbox.c.kind.in_(SHOWS_A_POSITION),
        outbox.c.version > event.to,
        outbox.c.version < back,
        sa.or_(outbox.c.state.in_(("sent", "bounced")), outbox.c.lease.is_not(None)),
    )
    return None if connection.execute(shown.limit(1)).first() else "the player had not been told"


def _clock_still_so(services: Services, connection: Connection, notice: Row, table: Table) -> str | None:
    last = sa.select(sa.func.max(events.c.version)).where(
        events.c.game_id == notice["game_id"], events.c.type.in_(OF_THE_CLOCK)
    )
    return None if connection.execute(last).scalar() == _about(notice) else "the clock was changed again"


def _still_vacant(services: Services, connection: Connection, notice: Row, table: Table) -> str | None:
    if table.host != notice["recipient"]:
        return "another opens the table to people now"
    event = _event(services, connection, notice["game_id"], _about(notice))
    vacant = isinstance(event, e.SeatVacated) and table.chairs[event.seat].vacant
    return None if vacant else "somebody plays the seat again"


_CLAIMS: Final[dict[str, Callable[[Services, Connection, Row, Table], str | None]]] = {
    "proposal": _proposal_open,
    "taken-back": _taken_back,
    "clock-news": _clock_still_so,
    "vacant": _still_vacant,
}


def _event(services: Services, connection: Connection, game: str, version: int) -> Event:
    rules = services.streams.head(connection, game).rules
    return next(services.streams.facts_seen(connection, game, rules, None, after=version - 1, upto=version))


# What they tell


@dataclass(frozen=True, slots=True)
class _Teller:
    services: Services
    connection: Connection
    notice: Row
    head: Head
    names: Sequence[str]
    locale: ReaderLocale

    @property
    def title(self) -> str:
        return self.head.rules.presentation.title

    def event(self) -> Any:
        """The event the notice is about."""
        return _event(self.services, self.connection, self.head.game, _about(self.notice))

    def proposal(self) -> News:
        """What is proposed, why, whom it waits for, and how to answer; to who proposed it, that it is off."""
        dropped = _dropped(self.services, self.connection, self.notice)
        if dropped is not None:
            off = say("What you asked for in {title} is off the table.", title=self.title)
            return News(off, [PLAYED_ON if dropped.reason == "played-on" else REFUSED])
        proposal = self.head.table.proposal
        assert proposal is not None, "a notice of a proposal is of a version at which it is open"
        player = self.names[proposal.seat]
        waits = say("It waits for {players}.", players=self._all(missing(self.head.table, proposal)))
        answers = [(AGREE, say("it is done, when all who are asked agree")), (REFUSE, say("it is off the table"))]
        if proposal.what != "rewind":
            told = [self._asks_about_the_clock(proposal, player), waits, GOES_ON]
            return News(self._asks_headline(proposal, player), told, answers=answers)
        why = WHY[proposal.reason]
        asks = say("{player} asks to go back to version {to}. {why}", player=player, to=proposal.to, why=why)
        told = [asks, waits, PLAYING_ON]
        undone = takeback.undoes(self.services, self.connection, self.head, proposal.to)
        return News(self._asks_headline(proposal, player), told, self._tales(undone), WOULD_BE_UNDONE, answers)

    def _asks_headline(self, proposal: Proposal, player: str) -> Sentence:
        match proposal.what:
            case "rewind":
                return say("{player} asks to take something back in {title}.", player=player, title=self.title)
            case "extend":
                return say("{player} asks for more time in {title}.", player=player, title=self.title)
            case "pause":
                return say("{player} asks to stop the clock of {title}.", player=player, title=self.title)
            case "resume":
                return say("{player} asks to let the clock of {title} run again.", player=player, title=self.title)

    def _asks_about_the_clock(self, proposal: Proposal, player: str) -> Sentence:
        span = exact_words(proposal.seconds)
        match proposal.what:
            case "pause":
                return say(
                    "{player} asks to stop the clock for {span} at most: nobody's time would run, and then everybody "
                    "would have what was left of it.",
                    player=player, span=span,
                )  # fmt: skip
            case "resume":
                return say(
                    "{player} asks to let the clock run again, with what was left of everybody's time.", player=player
                )
            case _:
                return say("{player} asks for {span} more for whoever owes an answer now.", player=player, span=span)

    def taken_back(self) -> News:
        """Who went back, why and with whose consent, what is undone, and that the reader is not asked now."""
        event: e.Rewound = self.event()
        player, why = self.names[event.seat], WHY[event.reason]
        if event.agreed:
            headline = say("{title} has gone back, as was agreed.", title=self.title)
            first = say(
                "As {player} asked and {others} agreed, the game stands again as it did at version {to}. {why}",
                player=player, others=self._all(event.agreed), to=event.to, why=why,
            )  # fmt: skip
        else:
            headline = say("{player} has taken something back in {title}.", player=player, title=self.title)
            first = say("What our last mail told you is so no more: {player} has taken it back. {why}",
                        player=player, why=why)  # fmt: skip
        before = replace(self.head, version=_about(self.notice) - 1)
        undone = takeback.undoes(self.services, self.connection, before, event.to)
        seat = self.notice["seat"]
        asked = seat in self.head.rules.decider.awaiting(self.head.table.game)
        told = [first] if asked else [first, NOT_ASKED]
        return News(headline, told, self._tales(undone), WAS_UNDONE)

    def clock(self) -> News:
        """That the clock stands and for how long, that it runs, or that there is more time."""
        match self.event():
            case e.ClockPaused(seat=None, seconds=seconds):
                began = self.services.streams.time_of(self.connection, self.head.game, _about(self.notice))
                until = self.locale.when(began + seconds * SECOND)
                stands = say(
                    "All have agreed: nobody's time runs until {until}, unless all agree to let it run before. Then "
                    "everybody has what was left of it. Whoever likes can play on meanwhile.",
                    until=until,
                )  # fmt: skip
                return News(say("The clock of {title} is stopped.", title=self.title), [stands])
            case e.ClockPaused(seat=late) if late is not None:
                player = self.names[late]
                told = say(
                    "{player} let the deadline pass: nobody's time runs until {player} answers, or until you let it "
                    "run again: write “{resume}”.",
                    player=player, resume=typed("resume"),
                ) if self.notice["recipient"] == self.head.table.host else say(
                    "{player} let the deadline pass: nobody's time runs until {player} answers, or until it is let run "
                    "again; who opened the table can do that alone.",
                    player=player,
                )  # fmt: skip
                return News(say("The clock of {title} is stopped.", title=self.title), [told])
            case e.TimeExtended(seconds=seconds):
                more = say("All have agreed: whoever owes an answer has {span} more.", span=exact_words(seconds))
                return News(say("There is more time in {title}.", title=self.title), [more])
            case e.ClockResumed(reason=reason):
                late = None if reason == "acted" else self._waited_for()
                again = RUNS_AGAIN if late is None else say(
                    "Everybody has what was left of their time when it was stopped, but for {player}, whose deadline "
                    "had passed and who has the time of a move again.",
                    player=self.names[late],
                )  # fmt: skip
                return News(say("The clock of {title} runs again.", title=self.title), [again])
        raise AssertionError("a notice of the clock is of an event that changed it")

    def _waited_for(self) -> Seat | None:
        """Who had let a deadline pass, where that had stopped the clock before it ran again."""
        stopped = sa.select(sa.func.max(events.c.version)).where(
            events.c.game_id == self.head.game,
            events.c.type == "table.clock-paused",
            events.c.version < _about(self.notice),
        )
        version = self.connection.execute(stopped).scalar_one()
        pause = _event(self.services, self.connection, self.head.game, version)
        return pause.seat if isinstance(pause, e.ClockPaused) else None

    def vacant(self) -> News:
        """Whose seat is vacant, that the caretaker plays on, and how the seat gets a player again."""
        event: e.SeatVacated = self.event()
        player = self.names[event.seat]
        how = f"`POST {self.services.settings.base_url}/api/v1/games/{self.head.game}/seats`"
        gone = erase.is_nobody(self.connection, str(self.head.table.chairs[event.seat].player))
        why = [
            say("{player} has left for good. The caretaker plays on for the seat, at once whenever it is asked.",
                player=player),
        ] if gone else [
            say("{player} let the last deadline pass that a player may miss in a row. The caretaker plays on for the "
                "seat, at once whenever it is asked.", player=player),
            say("{player} can take it back at any time: “{join}”, in answer to one of our mails, is enough.",
                player=player, join=typed("join")),
        ]  # fmt: skip
        told = [
            *why,
            say("Anybody else can take it over, too: {how}.", how=how) if self.head.table.public
            else say("Your table is private: those whom you invited to it can take it over, too: {how}.", how=how),
        ]  # fmt: skip
        return News(say("A seat at your table of {title} is vacant.", title=self.title), told)

    def _tales(self, versions: Sequence[int]) -> list[str]:
        told = history_queries.describe(
            self.services, self.connection, self.head, self.notice["seat"], versions, self.names
        )
        return [self.locale.words(one) for one in told]

    def _all(self, seats: Sequence[Seat]) -> Sentence:
        return row([self.names[seat] for seat in seats], say(" and "))


GOES_ON: Final = say("One refusal is enough to leave the clock as it is. The game goes on meanwhile.")
PLAYING_ON: Final = say("One refusal is enough. To play on is to refuse: it is off as soon as anybody plays.")
PLAYED_ON: Final = say("The game goes on: somebody has played instead of agreeing.")
REFUSED: Final = say("Somebody has refused.")
WOULD_BE_UNDONE: Final = say("This would be undone:")
WAS_UNDONE: Final = say("This is undone:")
NOT_ASKED: Final = say("Nothing is asked of you until you hear from us again.")
RUNS_AGAIN: Final = say("Everybody has what was left of their time when it was stopped.")
_TELLS: Final[dict[str, Callable[[_Teller], News]]] = {
    "proposal": _Teller.proposal,
    "taken-back": _Teller.taken_back,
    "clock-news": _Teller.clock,
    "vacant": _Teller.vacant,
}

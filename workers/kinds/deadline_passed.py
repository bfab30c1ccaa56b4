"""The notice that a deadline passed: the caretaker played, or the clock stopped, and perhaps the seat is vacant."""

from collections.abc import Iterator

from domain.engine.sentences import Sentence, say
from domain.table.events import ClockPaused
from service.clocks.policy import policy
from service.clocks.seat_clocks import bank_of, policy_seconds
from service.container import Services
from service.languages.time_text import exact_words
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.kinds.kind import GameKind
from workers.letters.claims import still_asked
from workers.letters.clock_text import deadline_lines, most_strikes
from workers.letters.content import GameContent
from workers.letters.letter_data import Asked, Superseded
from workers.letters.letter_view import LetterView
from workers.letters.sections import Clock, Paragraph, Section, Typing
from workers.letters.turn_sections import WHAT_CAME, answers, board, dropped_section, orders_in_short, story_section

UNDO = "undo ask lapse"


def still_true(services: Services, connection: Connection, notice: Notice) -> Asked | None:
    """Check that the game has not gone back; what is asked still where the clock waits, else the caretaker answered."""
    head = services.streams.head(connection, notice.game_id)
    vacant = notice.seat is not None and head.table.chairs[notice.seat].vacant
    if services.streams.undone_by(connection, head.game, notice.number, head.version) and not vacant:
        raise Superseded("the game went back to before it")  # a seat that fell vacant stays so: that is to be told
    passed = notice.number
    after = services.streams.facts_seen(connection, head.game, head.rules, None, after=passed, upto=passed + 1)
    if not any(isinstance(event, ClockPaused) for event in after):
        return None
    if head.table.late != notice.seat:
        raise Superseded("the answer was given, or the clock runs again")
    return still_asked(connection, notice)


def tell(view: LetterView) -> GameContent:
    events = view.events_after(max(0, view.notice.number - 1))
    waits = view.table.late == view.seat
    caretaker = say("What the caretaker did, and what came of it:")
    lines = [*_missed(view), *deadline_lines(view, strikes=False)]
    sections: list[Section] = [
        *_vacant(view),
        *dropped_section(view, events),
        *answers(view),
        *([Clock(lines)] if lines else []),
        *story_section(view, events, WHAT_CAME if waits else caretaker),
        *board(view),
    ]
    headline = (
        say("Your deadline in {title} passed: the clock is stopped until you answer.", title=view.called)
        if waits
        else say("Your deadline in {title} passed: the caretaker played for you.", title=view.called)
    )
    return GameContent(view, headline, sections, orders_in_short(view, events))


def _vacant(view: LetterView) -> list[Section]:
    """How the seat is taken back that fell vacant."""
    if view.seat is None or not view.table.chairs[view.seat].vacant or view.table.status != "running":
        return []
    count = view.table.chairs[view.seat].strikes
    how = say(
        "That was deadline number {count} in a row: your seat is vacant now, and the caretaker goes on playing it. It "
        "is yours again as soon as you answer this mail with the word below, unless somebody else takes it over first.",
        count=count,
    )
    join = view.shown("join")
    return [Paragraph([how]), Typing(join, join)]


def _missed(view: LetterView) -> Iterator[Sentence]:
    """How many deadlines in a row, how the caretaker's move is taken back, and what is left in the bank."""
    table, seat = view.table, view.seat
    if seat is None:
        return
    if table.status != "running":
        yield (
            say("Nobody is left to play it: the game is over.")
            if table.status == "abandoned"
            else say("The game is over.")
        )
        return
    chair, clock = table.chairs[seat], policy(table.clock)
    if chair.vacant:
        return
    which = {"number": chair.strikes, "most": most_strikes(view)}
    yield say("That was deadline number {number} in a row; with number {most} your seat falls vacant.", **which)
    if table.late != seat:
        yield say("“{undo}” asks the table to undo it.", undo=view.shown(UNDO))
    if clock.bank:
        left = policy_seconds(bank_of(table, seat, clock), clock)
        yield say("In your time bank: {time}.", time=exact_words(left)) if left else say("Your time bank is used up.")


KIND = GameKind("deadline-passed", say("your deadline passed"), still_true, tell)

"""The notice that a game is over."""

from domain.engine.sentences import say
from service.games import analyses, operator_text
from service.pictures import captions_of, has_drawing
from service.pictures.people import people
from service.store.running import operator_acts
from workers.kinds.kind import GameKind
from workers.letters.claims import always
from workers.letters.content import GameContent
from workers.letters.letter_view import LetterView
from workers.letters.sections import Audit, Paragraph, Section
from workers.letters.turn_sections import SINCE_YOUR_MOVE, board, dropped_section, orders_in_short, story_section


def tell(view: LetterView) -> GameContent:
    events = view.events_after(view.acted_at())
    sections = [
        *_by_operator(view),
        *dropped_section(view, events),
        *story_section(view, events, SINCE_YOUR_MOVE),
        *board(view),
        *_numbers(view),
        *_analysis(view),
        Audit(),
    ]
    result = view.head.table.result
    headline = (
        say("Your game of {title} is over: all others have resigned or left, and {winner} wins.",
            title=view.called, winner=view.names[result.winners[0]])
        if result is not None and result.resigned
        else say("Your game of {title} is over.", title=view.called)
    )  # fmt: skip
    return GameContent(view, headline, sections, orders_in_short(view, events), lead=_verdict(view))


def _verdict(view: LetterView) -> str:
    """Return who won and by how much; "" for an undrawn game and one that ended before its rules said so."""
    kind, position = view.head.rules.kind, view.document
    if position is None or position["phase"] != "over" or not has_drawing(kind):
        return ""
    seats = people(position, view.head.rules.notation.pawns)
    return view.words(captions_of(kind).asked(position, seats)[0]) + "."


def _by_operator(view: LetterView) -> list[Section]:
    """Why the operator ended the game, where that is how it ended."""
    ends = [act for act in operator_acts.of_game(view.connection, view.head.game) if act.what == operator_text.ENDED]
    return [Paragraph([operator_text.tell_why(act, view.names)]) for act in ends]


def _numbers(view: LetterView) -> list[Section]:
    """Where it can be read how the game went."""
    if view.head.rules.presentation.statistics is None or view.head.table.game is None:
        return []
    where = (say("see the game in numbers"), f"{view.link}/statistics")
    return [Paragraph([say("What the scores are made of, charts, and what each bid was worth:")], where)]


def _analysis(view: LetterView) -> list[Section]:
    """Where it can be read what else could have been done."""
    if not analyses.can_be_analysed(view.head):
        return []
    where = (say("look at your decisions"), f"{view.link}/analysis")
    return [Paragraph([say("What else could you have done? A bot says so, decision by decision:")], where)]


KIND = GameKind("game-over", say("the game is over"), always, tell)

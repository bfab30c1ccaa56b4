"""The notice of table talk: lines that were said to the table, or to the reader alone."""

from domain.engine.sentences import Sentence, say
from service.container import Services
from service.games import chat
from service.games.chat import Told
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.kinds.kind import GameKind
from workers.letters.content import GameContent
from workers.letters.letter_data import Superseded
from workers.letters.letter_view import LetterView
from workers.letters.sections import Examples, Section, Talk
from workers.letters.turn_sections import orders_in_short


def still_true(services: Services, connection: Connection, notice: Notice) -> None:
    """Check that the line was not taken back, nor told in an earlier mail."""
    if (why := chat.check(services, connection, notice)) is not None:
        raise Superseded(why)


def tell(view: LetterView) -> GameContent:
    lines = chat.lines_of(view.services, view.connection, view.notice)
    forms = (say("what you have to say"), say("to NAME: for that player only"))
    sections: list[Section] = [
        Talk([(_heading(view, line), _text(view, line)) for line in lines]),
        Examples(say("Answer with one line:"), [f"{view.shown('say')} {view.words(form)}" for form in forms]),
    ]
    return GameContent(view, say("Table talk in {title}.", title=view.called), sections, orders_in_short(view))


def _text(view: LetterView, line: Told) -> str:
    """What was said, or in the reader's language what stands in its place."""
    return f"({view.words(line.text)})" if isinstance(line.text, Sentence) else line.text


def _heading(view: LetterView, line: Told) -> Sentence:
    at = view.locale.when(line.at)
    if line.to_all:
        return say("{name}, to the table, {at}:", name=line.name, at=at)
    return say("{name}, to you alone, {at}:", name=line.name, at=at)


KIND = GameKind("talk", say("table talk"), still_true, tell)

"""The mail about what the operator did about a player: to the player and, where it touches their tables, to others."""

from typing import Final

from domain.engine.sentences import Sentence, say
from service.accounts import people
from service.container import Services
from service.kernel.clock import from_text
from service.languages.time_text import due_words
from service.operator.contact import whom_to_ask
from service.operator.people import HIDDEN, LIFTED, RENAMED, REVOKED, SHOWN, SUSPENDED
from service.operator.people import KIND as NAME
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from service.store.people import players, suspensions
from service.store.running import operator_acts
from service.store.running.operator_acts import Act
from workers.kinds.kind import AccountKind
from workers.letters.content import AccountContent
from workers.letters.letter_data import Superseded
from workers.letters.letter_view import LetterRequest
from workers.letters.reader import whoever_asked
from workers.letters.sections import Paragraph, Title

GAMES_GO_ON: Final = say(
    "Meanwhile you cannot sign in, and we do nothing that you ask for by programs or by mail. Your games go on: your "
    "clocks run, orders you have given ahead are followed, and when a deadline passes the caretaker plays for you. You "
    "hear of it by mail as before."
)
OTHERS: Final = say(
    "Their clocks run on, and the caretaker plays for them when a deadline passes. As the host of the table you can "
    "propose a pause, or call somebody to a seat that falls vacant."
)


def still_true(services: Services, connection: Connection, notice: Notice) -> None:
    """Check that the act is in the journal, and that a suspension was not lifted or changed meanwhile."""
    act = operator_acts.find(connection, notice.number)
    if act is None or act.player_id is None or not players.exists(connection, act.player_id):
        raise Superseded("there is no such act, or nobody it was about")
    if act.what == SUSPENDED:
        now = services.database.clock.now(connection)
        suspension = suspensions.of(connection, act.player_id, now)
        if suspension is None or suspension.act != act.number:
            raise Superseded("the suspension was lifted or changed")


def content(request: LetterRequest) -> AccountContent:
    act = operator_acts.find(request.connection, request.notice.number)
    assert act is not None and act.player_id is not None, "it was just found true"  # noqa: PT018
    name = people.profile(request.connection, act.player_id).name
    own = request.reader.player == act.player_id
    headline, texts = _own(request, act, name) if own else _of_another(request, act, name)
    if own:
        why = act.why or ""
        texts = [say("The operator of this service did this. The reason given: {why}", why=why), *texts]
        texts.append(whom_to_ask(request.services.settings))
    return AccountContent(headline, [Title(headline), *(Paragraph([text]) for text in texts)])


def _own(request: LetterRequest, act: Act, name: str) -> tuple[Sentence, list[Sentence]]:
    """The headline for the player whom an act is about, and what follows from it."""
    match act.what:
        case what if what == RENAMED:
            text = say("Everybody sees you by that name from now on. You can choose another at any time, under /me.")
            return say("You are called {name} now", name=name), [text]
        case what if what == SUSPENDED:
            return _suspended(request, act)
        case what if what == LIFTED:
            return say("You can come in again"), [say("You can sign in again, and your tokens work again.")]
        case what if what == REVOKED:
            text = say("Programs or browsers that used them are signed out. You can sign in again at any time.")
            return say("Tokens of yours were ended"), [text]
        case what if what == HIDDEN:
            text = say("Nobody at the table reads it any more; in its place stands that it was hidden, and why.")
            return say("A line of yours was hidden"), [text]
        case what if what == SHOWN:
            return say("A line of yours can be read again"), []
    raise Superseded("nobody is told of this act")


def _suspended(request: LetterRequest, act: Act) -> tuple[Sentence, list[Sentence]]:
    until = act.results.get("until")
    if until is None:
        return say("You are kept out of Wardroom"), [GAMES_GO_ON]
    when = due_words(from_text(until), request.reader.timezone, request.reader.language)
    return say("You are kept out of Wardroom until {when}", when=when), [GAMES_GO_ON]


def _of_another(request: LetterRequest, act: Act, name: str) -> tuple[Sentence, list[Sentence]]:
    """What players at the same tables are told, without the reason."""
    match act.what:
        case what if what == RENAMED:
            text = say("It is the same player. The operator of this service gave them the other name.")
            return say("{before} is called {name} now", before=_before(request), name=name), [text]
        case what if what == SUSPENDED:
            return say("{name}, who sits at a table of yours, cannot play for now", name=name), [OTHERS]
        case what if what == LIFTED:
            return say("{name}, who sits at a table of yours, can play again", name=name), []
    raise Superseded("nobody else is told of this act")


def _before(request: LetterRequest) -> str:
    """What a player was called before: it waits in the notice, and nowhere else."""
    sealed = request.notice.secret
    assert sealed is not None, "the name waits in its notice"
    return request.services.sealer.open(NAME, f"{NAME}|{request.notice.decision}", sealed).decode()


KIND = AccountKind(NAME, still_true, content, whoever_asked)

"""The code to sign in with."""

from domain.engine.sentences import say
from service.container import Services
from service.store import codes
from service.store.database import Connection
from service.store.notice import Notice
from workers.kinds.kind import AccountKind
from workers.letters.content import AccountContent
from workers.letters.game_view import LetterRequest
from workers.letters.letter_data import Superseded
from workers.letters.reader import whoever_asked
from workers.letters.sections import SignInCode


def still_true(services: Services, connection: Connection, notice: Notice) -> None:
    """Check that the code can be used still."""
    code = codes.by_id(connection, notice.number)
    if code is None or code.used or code.expires_at <= services.database.clock.now(connection):
        raise Superseded("the code is used or too old")


def content(request: LetterRequest) -> AccountContent:
    notice = request.notice
    assert notice.secret is not None, "the code waits in its notice"
    code = request.services.sealer.open("codes", f"code|{notice.decision}", notice.secret).decode()
    return AccountContent(say("Your code for Wardroom"), [SignInCode(code)])


KIND = AccountKind("code", still_true, content, whoever_asked)

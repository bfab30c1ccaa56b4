"""The code to sign in with."""

import msgspec

from domain.engine.sentences import say
from service.container import Services
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from service.store.people import sign_ins
from service.store.people.sign_ins import SignIn
from workers.kinds.kind import AccountKind
from workers.letters.content import AccountContent
from workers.letters.letter_data import Reader, Superseded
from workers.letters.letter_view import LetterRequest
from workers.letters.reader import whoever_asked
from workers.letters.sections import SignInCode


def reader(services: Services, connection: Connection, notice: Notice) -> Reader:
    """The player; or whoever signs up there, as they say they are, for an address that is nobody's yet."""
    if not notice.is_to_address:
        return whoever_asked(services, connection, notice)
    asked = _request(services, connection, notice)
    profile = msgspec.json.decode(asked.profile or "{}", type=dict[str, str])
    return Reader(profile["email"], profile["name"], profile["timezone"], None, profile["language"])


def still_true(services: Services, connection: Connection, notice: Notice) -> None:
    """Check that the code can be used still."""
    _request(services, connection, notice)


def content(request: LetterRequest) -> AccountContent:
    notice = request.notice
    assert notice.secret is not None, "the code waits in its notice"
    secrets = request.services.sealer.open("codes", f"code|{notice.decision}", notice.secret).decode()
    code, _, link = secrets.partition(" ")
    return AccountContent(say("Your code for Wardroom"), [SignInCode(code, link)])


def _request(services: Services, connection: Connection, notice: Notice) -> SignIn:
    asked = sign_ins.by_id(connection, notice.number)
    if asked is None or asked.used or asked.expires_at <= services.database.clock.now(connection):
        raise Superseded("the code is used or too old")
    return asked


KIND = AccountKind("code", still_true, content, reader)

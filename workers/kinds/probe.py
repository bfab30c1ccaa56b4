"""The mail that only finds out whether mail reaches a player again (RATE-12)."""

from domain.engine.sentences import say
from service.container import Services
from service.mail import deliverability
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.kinds.kind import AccountKind
from workers.letters.content import AccountContent
from workers.letters.letter_data import Superseded
from workers.letters.letter_view import LetterRequest
from workers.letters.reader import whoever_asked
from workers.letters.sections import Paragraph, Title


def still_true(services: Services, connection: Connection, notice: Notice) -> None:
    """Check that it is unsure still whether mail arrives."""
    if not deliverability.waits_for(connection, notice.id):
        raise Superseded("mail reaches the player again")


def content(request: LetterRequest) -> AccountContent:
    headline = say("Does mail from Wardroom reach you?")
    text = say(
        "A mail to you came back. This one only asks whether mail reaches you again: if you read it, it does, and "
        "there is nothing to do."
    )
    return AccountContent(headline, [Title(headline), Paragraph([text])])


KIND = AccountKind("probe", still_true, content, whoever_asked)

"""The last mail to an erased person, so that they learn of it if somebody else asked."""

from domain.engine.sentences import say
from service.container import Services
from service.privacy import final_mail
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.kinds.kind import AccountKind
from workers.letters.claims import always
from workers.letters.content import AccountContent
from workers.letters.letter_data import Reader
from workers.letters.letter_view import LetterRequest
from workers.letters.sections import Paragraph, Title


def reader(services: Services, connection: Connection, notice: Notice) -> Reader:
    """The reader, found in the notice itself: all else that named them is gone."""
    to = final_mail.recipient(services.sealer, notice)
    return Reader(to["email"], "", "UTC", None, to["language"])


def content(request: LetterRequest) -> AccountContent:
    headline = say("What Wardroom knew about you is erased")
    text = say(
        "You, or somebody with your key, asked us to erase what we knew about you. Your name, your address, what you "
        "said at tables and your mails are gone, and this address with them once this mail is sent. The games you "
        "played stay, with “a former player” in your place."
    )
    return AccountContent(headline, [Title(headline), Paragraph([text])])


KIND = AccountKind(final_mail.KIND, always, content, reader)

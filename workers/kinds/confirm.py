"""The question to a player whether a mail in their name is theirs (IN-13)."""

from domain.engine.sentences import say
from service.container import Services
from service.mail import addresses, inbox
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.commands import outcomes
from workers.commands.words.block_text import unfolded
from workers.commands.words.command import Command
from workers.kinds.kind import GameKind
from workers.letters.content import GameContent, Reply
from workers.letters.letter_data import Superseded
from workers.letters.letter_view import LetterView
from workers.letters.reader import who_wrote
from workers.letters.sections import Buttons, Commands, Paragraph, Section


def still_true(services: Services, connection: Connection, notice: Notice) -> None:
    """Check that the mail waits still."""
    held = inbox.by_id(connection, notice.number)
    if held is None or held.state != outcomes.HELD:
        raise Superseded("the mail was confirmed or thrown away")


def tell(view: LetterView) -> GameContent:
    mail, outcome = outcomes.of_answer(view.services, view.connection, view.notice.decision)
    yes_or_no = say(
        "Answer with one word: {yes} to have it done, if the question is still open; {no} to discard it: "
        "all the reply addresses we gave you then stop working, and you get new ones.",
        yes=view.shown("yes"), no=view.shown("no"),
    )  # fmt: skip
    sections = [
        Paragraph([outcome.why]),
        _asks_for(view, view.locale.when(mail.received_at), outcome.commands),
        Paragraph([yes_or_no]),
        Buttons(("yes", "no")),
    ]
    headline = say("Did you send this mail about {title}? Answer yes or no.", title=view.called)
    confirmation = Reply(addresses.CONFIRM, held=mail.id)
    return GameContent(view, headline, sections, reply=confirmation, in_answer_to=mail.message_id)


def _asks_for(view: LetterView, at: str, commands: list[str]) -> Section:
    """What the mail would do, unless the reader wants no secrets."""
    if view.reader.secret_free:
        hidden = say(
            "It arrived on {at}. You asked for mails without secrets, so what it asks for is not shown.", at=at
        )
        return Paragraph([hidden])
    ordered = unfolded([Command.of(command).text for command in commands])
    heading = say("It arrived on {at} and asks for this:", at=at)
    return Commands(heading, [view.shown(line) for line in ordered], title=False)


KIND = GameKind("confirm", say("please confirm"), still_true, tell, reader=who_wrote)

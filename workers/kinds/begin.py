"""The question to the host of a table whether to begin, as everybody who was invited sits there."""

from domain.engine.sentences import Sentence, say, say_n
from service.container import Services
from service.games.inviting import all_are_here
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.kinds.kind import GameKind
from workers.letters.claims import table_of_player
from workers.letters.content import GameContent
from workers.letters.letter_data import Superseded
from workers.letters.letter_view import LetterView
from workers.letters.sections import Choices, Paragraph, Section, Story


def still_true(services: Services, connection: Connection, notice: Notice) -> None:
    """Check that the recipient hosts a table that still waits, and for none of its guests."""
    table_of_player(services, connection, notice, "open")
    head = services.streams.head(connection, notice.game_id)
    if head.table.host != notice.recipient or not all_are_here(connection, head):
        raise Superseded("the table does not wait for its host alone")


def tell(view: LetterView) -> GameContent:
    """Ask to begin if there are enough people, and say what else can be done about the free seats."""
    chairs, few = view.head.table.chairs, view.head.rules.seats[0]
    there = [name for name, chair in zip(view.listed_names, chairs, strict=True) if chair.taken]
    missing, free = max(0, few - len(there)), len(chairs) - len(there)
    headline = say("Everybody you invited to {title} is here.", title=view.called)
    sections: list[Section] = [Story(say("At the table:"), there)]
    if not missing:
        headline = say("Everybody you invited to {title} is here. Begin?", title=view.called)
        sections.insert(0, Choices([("yes", BEGINS), ("no", WAITS)]))
    sections.append(Paragraph([_seats(view.title, missing, free)], link=(say("to your table"), view.link)))
    return GameContent(view, headline, sections)


BEGINS = say("The game begins with those who are there.")
WAITS = say("The table waits until all its seats are taken.")


def _seats(title: str, missing: int, free: int) -> Sentence:
    if missing:
        return say_n(
            "{title} needs {count} more player. Invite somebody, or let a bot play:",
            "{title} needs {count} more players. Invite somebody, or let bots play:",
            missing,
            title=title,
        )
    return say_n(
        "{count} seat is free. You can also invite somebody else, or let a bot play:",
        "{count} seats are free. You can also invite more people, or let bots play:",
        free,
    )


KIND = GameKind("begin", say("begin?"), still_true, tell)

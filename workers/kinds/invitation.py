"""An invitation to a table: who invites, how to answer, who sits there already, the game and its pace."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from domain.engine.sentences import Sentence, say, say_n, typed
from service.clocks.policy import policy
from service.container import Services
from service.games.inviting import BY_OPERATOR
from service.games.seat_names import bot_name, table_name
from service.languages.time_text import left_words
from service.mail.invitations import declined_by
from service.store.database import Connection
from service.store.games.invitations import is_invited, waiting
from service.store.outgoing.notice import Notice
from service.store.people.avoided import addresses_apart
from service.store.people.players import by_email_key
from workers.kinds.kind import GameKind
from workers.letters.board_picture import draw_sample
from workers.letters.content import GameContent
from workers.letters.joining import how_to_sit_down
from workers.letters.letter_data import Superseded
from workers.letters.letter_view import LetterView
from workers.letters.sections import Board, Choices, Paragraph, Story


def still_true(services: Services, connection: Connection, notice: Notice) -> None:
    """Check that a seat is free, and that guest and host still want it; the operator invites to vacant seats, too."""
    table = services.streams.head(connection, notice.game_id).table
    vacant = notice.decision.startswith(BY_OPERATOR) and table.status == "running"
    free = any(chair.vacant if vacant else not chair.taken for chair in table.chairs)
    if not free or (table.status != "open" and not vacant):
        raise Superseded("no seat is free any more")
    if not is_invited(connection, notice.game_id, notice.recipient):
        raise Superseded("the invitation was taken back")
    if addresses_apart(connection, table.host, [notice.recipient]):
        raise Superseded("guest and host are not to be seated together")
    if declined_by(connection, table.host, [notice.recipient]):
        raise Superseded("the guest wants no such invitations")
    guest = by_email_key(connection, notice.recipient)
    if guest is not None and table.seat_of(guest.id) is not None:
        raise Superseded("the guest sits there already")


def tell(view: LetterView) -> GameContent:
    """Tell who invites, what to answer, who sits there, and what kind of game it is; the answer stands first."""
    host = None if view.notice.decision.startswith(BY_OPERATOR) else view.table.seat_of(view.table.host)
    sections = [
        *([] if host is not None else [Paragraph([_to_take_over(view)])]),
        Choices([("yes", YES), ("no", NO)]),
        *how_to_sit_down(view, OWN_NAME),
        Story(say("At the table “{table}”:", table=table_name(view.now)), list(_places(view))),
        Paragraph(_about(view)),
        Board("", partial(draw_sample, view)),
        Paragraph([say("Look at the table first:")], link=(say("look at the table"), view.link)),
        Paragraph([STOP], link=(say("no more invitations, from anybody"), view.stop_link)),
    ]
    if host is None:
        headline = say("You are invited to a free seat in a game of {title}.", title=view.title)
        return GameContent(view, headline, sections)
    of = {"host": view.names[host], "title": view.title}
    return GameContent(
        view,
        say("{host} invites you to a game of {title}.", **of),
        sections,
        inviter=view.names[host],
        subject=say("{host} invites you to play {title}", **of),
    )


OWN_NAME: Final = say("To sit down under a name of your choice, answer with one line:")
YES: Final = say("You have the seat. Your first mail tells you what to do.")
NO: Final = say("You get no more mail about this game.")
STOP: Final = say("You want no invitations at all? Answer “{stop}”, or use this link:", stop=typed("stop"))


def _to_take_over(view: LetterView) -> Sentence:
    """Return what the operator invites to: a table that has not begun, or a game that somebody has left."""
    if view.table.status == "open":
        return say("The operator of this service invites you to a table that waits for people.")
    return say("The operator of this service invites you to take over a seat that somebody has left.")


def _places(view: LetterView) -> Iterator[str]:
    """Say of each seat who has it: a player, a bot, the reader, somebody else who is invited."""
    rules, chairs = view.head.rules, view.table.chairs
    for seat, chair in enumerate(chairs):
        if chair.bot is not None:
            yield view.words(bot_name(rules, seat, chair.bot))
        elif chair.taken and not chair.vacant:
            host = chair.player == view.table.host
            yield view.names[seat] if host else view.words(say("{player}, has said yes", player=view.names[seat]))
    free = sum(chair.vacant or not chair.taken for chair in chairs)
    others = min(free, len(waiting(view.connection, view.head.game))) - 1
    yield view.words(say("You"))
    if others > 0:
        yield view.words(say_n("{count} more person is invited", "{count} more people are invited", others))
    if (left := free - 1 - max(0, others)) > 0:
        yield view.words(say_n("{count} free seat", "{count} free seats", left))


def _about(view: LetterView) -> list[str]:
    about = view.head.rules.presentation.about
    time = left_words(policy(view.table.clock).per_move)
    how = say(
        "You need no account and no program: you play the whole game by answering our mails, or on its page. Time for "
        "a move: {time}. More about it: {base}/",
        time=time, base=view.services.settings.base_url,
    )  # fmt: skip
    return [*([about] if about else []), how]


KIND = GameKind("invitation", say("an invitation"), still_true, tell)

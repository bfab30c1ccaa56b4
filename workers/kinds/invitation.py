"""An invitation to a table: the game in a sentence, its pace, who sits there already, and how to answer."""

from domain.engine.sentences import Sentence, one_of, say, say_n
from service.clocks.policy import policy
from service.container import Services
from service.games.inviting import BY_OPERATOR
from service.games.seat_names import bot_name
from service.languages.time_text import left_words
from service.mail.invitations import declined_by
from service.store.database import Connection
from service.store.games.invitations import is_invited
from service.store.outgoing.notice import Notice
from service.store.people.avoided import addresses_apart
from service.store.people.players import by_email_key
from workers.kinds.kind import GameKind
from workers.letters.content import GameContent
from workers.letters.game_view import GameView
from workers.letters.joining import how_to_sit_down
from workers.letters.letter_data import Superseded
from workers.letters.sections import Paragraph, Section


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


def tell(view: GameView) -> GameContent:
    host = view.names[0]
    by_operator = view.notice.decision.startswith(BY_OPERATOR)
    by_mail = say(
        "Nothing else is needed: you can play the whole game by answering our mails. More about it: {base}/",
        base=view.services.settings.base_url,
    )
    page = say("Or look at the table first, and join on its page:")
    decline = say(
        "If you would rather not play, answer with one word: {no} declines this invitation; {stop} declines and "
        "stops all invitations. You will get no more mail about this one. This link does the same as {stop}:",
        no=view.shown("no"), stop=view.shown("stop"),
    )  # fmt: skip
    about = view.head.rules.presentation.about
    sections: list[Section] = [
        Paragraph([_to_take_over(view) if by_operator else _to_sit_down(view, host)]),
        Paragraph([_seats(view), *([about] if about else [])], after=True),
        *how_to_sit_down(view, after=True),
        Paragraph([page], after=True, link=(say("look at the table"), view.link)),
        Paragraph([by_mail], after=True),
        Paragraph([decline], link=(say("no more invitations"), view.stop_link)),
    ]
    headline = say("{host} invites you to a game of {title}.", host=host, title=view.title)
    if by_operator:
        headline = say("You are invited to a free seat in a game of {title}.", title=view.title)
        return GameContent(view, headline, sections)
    return GameContent(view, headline, sections, sender=say("{host} invites you", host=host))


def _to_sit_down(view: GameView, host: str) -> Sentence:
    table = view.table
    return say(
        "{host} has opened a table of {title} for {count} players and would like you to sit down. Time for a move: "
        "{time}.",
        host=host, title=view.title, count=len(table.chairs), time=left_words(policy(table.clock).per_move),
    )  # fmt: skip


def _to_take_over(view: GameView) -> Sentence:
    """What the operator invites to: a table that has not begun, or a game that somebody has left."""
    table = view.table
    of = {"title": view.title, "count": len(table.chairs), "time": left_words(policy(table.clock).per_move)}
    if table.status == "open":
        return say(
            "A table of {title} for {count} players waits for people, and the operator of this service invites you to "
            "sit down. Time for a move: {time}.",
            **of,
        )
    return say(
        "In a game of {title} for {count} players somebody has left a seat, and the operator of this service invites "
        "you to take it over. Time for a move: {time}.",
        **of,
    )


def _seats(view: GameView) -> Sentence:
    """Who sits at the table, and how many may still sit down."""
    chairs = view.table.chairs
    sitting: list[object] = [view.names[seat] for seat, chair in enumerate(chairs) if chair.player is not None]
    sitting += [
        bot_name(view.head.rules, seat, chair.bot) for seat, chair in enumerate(chairs) if chair.bot is not None
    ]
    free = sum(chair.vacant or not chair.taken for chair in chairs)
    return say_n(
        "At the table: {names}. {count} seat is free.",
        "At the table: {names}. {count} seats are free.",
        free,
        names=one_of(sitting),
    )


KIND = GameKind("invitation", say("an invitation"), still_true, tell)

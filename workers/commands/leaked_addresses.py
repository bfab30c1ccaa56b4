"""Answering addresses that somebody else may know: they die, and new ones are given out (OUT-27)."""

from typing import Final

from domain.engine.sentences import say
from service.accounts.names import email_key
from service.container import Services
from service.games.commit import notice
from service.mail import reply_tokens
from service.store.clocks import decisions
from service.store.clocks.halted import why_halted
from service.store.database import Connection
from service.store.games import game_rows
from service.store.outgoing import outbox
from service.store.outgoing.notice_queries import About
from workers.commands.context import ReplyContext

COPIED: Final = say(
    "A copy of your mail went to somebody else, so the reply addresses we had given you no longer "
    "work: use those in our newest mails."
)


def fresh_addresses(services: Services, tx: Connection, player: str, now: int, *, except_game: str = "") -> None:
    """Every answering address of a player dies, and for every game they play they get a mail with a new one (OUT-27).

    The mails that wait to go out are made anew: theirs would be dead.
    """
    reply_tokens.revoke(tx, player, now)
    owed = {decision.game_id: decision.since for decision in decisions.of_player(tx, player)}
    for game, seat in game_rows.sat_at_by(tx, player):
        if game != except_game and why_halted(tx, game) is None:
            head = services.streams.head(tx, game)
            kind, about = ("your-turn", str(About(owed[game], now))) if game in owed else ("fresh", str(now))
            outbox.put(tx, [notice(head, player, kind, about, seat) | {"created_at": now}])


def strangers(context: ReplyContext) -> list[str]:
    """Who got a copy of a mail besides its author and us."""
    own = {email_key(context.person.email), *map(str.casefold, context.reading.from_addresses)}
    domain = "@" + context.services.settings.mail_domain.casefold()
    return [
        address
        for address in context.reading.recipients
        if address.casefold() not in own and not address.casefold().endswith(domain)
    ]


def leaked(context: ReplyContext) -> bool:
    """Whether a stranger got a copy of an accepted mail: its address is a secret no more, and all of them die."""
    found = bool(strangers(context) and context.token.player)
    if found and context.token.player:
        fresh_addresses(context.services, context.tx, context.token.player, context.now, except_game=context.token.game)
    return found

"""Unsubscribing by mail, for mail programs that know only the mailto form of List-Unsubscribe (OUT-15, OUT-17)."""

from service.container import Services
from service.mail import invitations, unsubscribes
from service.mail.reply_tokens import ReplyToken
from service.store.database import Connection
from service.store.incoming.inbox import StoredMail
from service.store.people import players
from workers.parsing.read_mail import Reading


def unsubscribe(services: Services, tx: Connection, token: ReplyToken, row: StoredMail, reading: Reading) -> str:
    """Stop mail about one game, or digests, or all invitations to a guest, whatever the mail says and whoever sent it.

    The state of its row; no answer.

    The address stands in List-Unsubscribe alone, where no answer goes, so only a wish to unsubscribe comes to it. A
    provider that carries out a click marks its mail as automatic, which therefore counts, as a complaint does. Bounces
    and receipts do not.
    """
    is_wish = bool(row.sender) and (reading.report is None or reading.report.kind == "arf")
    if not is_wish:
        return "ignored"
    if token.player is None:
        invitations.decline(services.database, tx, token.game, token.recipient, invitations.ANYBODY)
    elif token.game:
        unsubscribes.mute(services.database, tx, token.player, token.game)
    else:
        players.choose_digest(tx, token.player, players.NO_DIGEST)
    return "applied"

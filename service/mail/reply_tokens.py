"""The addresses we gave out, each good for one decision of one seat until it is revoked or the game is long over."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from config.settings import Settings
from service.kernel.clock import SECOND
from service.kernel.encryption import Sealer, Unreadable
from service.kernel.ids import ALPHABET
from service.mail import addresses
from service.store.database import Connection, Database
from service.store.incoming import reply_tokens
from service.store.outgoing.notice import Notice

AFTER_THE_END: Final = 30 * 86_400 * SECOND
"""How long mail about a finished game is still answered (OUT-26)."""
MARGIN: Final = 7 * 86_400 * SECOND
"""How much longer its addresses are kept, for mail that is on its way."""


@dataclass(frozen=True, slots=True)
class ReplyToken:
    """The rights of an address we gave out."""

    purpose: str
    recipient: str
    player: str | None
    game: str
    seat: int | None
    decision: str
    outbox: int
    mark: str
    options: Mapping[int, str]
    held: int | None


def mark_of(settings: Settings, notice: int) -> str:
    """The four letters in the marker line of a mail (OUT-32)."""
    return "".join(ALPHABET[int(letter, 16) * 2] for letter in addresses.short_mac(settings, f"mark|{notice}")[:4])


def issue(
    settings: Settings,
    database: Database,
    sealer: Sealer,
    tx: Connection,
    purpose: str,
    notice: Notice,
    *,
    player: str | None,
    decision: str = "",
    options: Mapping[int, str] | None = None,
    held: int | None = None,
) -> None:
    """Give the address of a notice its rights. Twice is once: the address of a notice never changes."""
    local = local_part(settings, purpose, notice)
    scope = f"options|{notice.id}"
    sealed = sealer.seal(notice.game_id, scope, msgspec.json.encode(options)) if options else None
    reply_tokens.add(
        tx,
        digest=addresses.token(local),
        purpose=purpose,
        recipient=notice.recipient,
        player_id=player,
        game_id=notice.game_id,
        seat=notice.seat,
        decision=decision,
        outbox_id=notice.id,
        mark=mark_of(settings, notice.id),
        options=sealed,
        held=held,
        issued_at=database.clock.now(tx),
    )


def local_part(settings: Settings, purpose: str, notice: Notice) -> str:
    """The address of a notice for a purpose; to unsubscribe, one for a player and a game."""
    about = f"{notice.recipient}|{notice.game_id}"
    if purpose != addresses.UNSUBSCRIBE:  # a restored database counts its notices again: the number is not enough
        about = f"{about}|{notice.id}|{notice.created_at}"
    return addresses.make(settings, purpose, about)


def find(database: Database, sealer: Sealer, connection: Connection, token: bytes | None) -> ReplyToken | None:
    """The rights of an address; None for one never given out or revoked, or whose game is long over."""
    kept = None if token is None else reply_tokens.live(connection, token)
    if kept is None:
        return None
    if kept.over_at is not None and database.clock.now(connection) > kept.over_at + AFTER_THE_END:
        return None
    options: Mapping[int, str] = {}
    if kept.options is not None:
        with contextlib.suppress(Unreadable):  # then its numbers stand for nothing, but words still do
            plain = sealer.open(kept.game_id, f"options|{kept.outbox_id}", kept.options)
            options = msgspec.json.decode(plain, type=dict[int, str])
    return ReplyToken(
        kept.purpose, kept.recipient, kept.player_id, kept.game_id, kept.seat, kept.decision, kept.outbox_id,
        kept.mark, options, kept.held,
    )  # fmt: skip


def revoke(tx: Connection, player: str, now: int, *, game: str | None = None) -> int:
    """End every answer and confirmation address of a player, or those of one game (OUT-27). How many ended."""
    return reply_tokens.revoke(tx, player, now, game=game, but=addresses.UNSUBSCRIBE)


def forget(tx: Connection, now: int, most: int) -> int:
    """Delete up to `most` addresses about games that are long over. How many."""
    return reply_tokens.drop_of_games_over(tx, now - AFTER_THE_END - MARGIN, most)

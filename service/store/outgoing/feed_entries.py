"""What players' feeds tell: notices that were delivered on their channel, with the text that was made of each."""

from collections.abc import Sequence
from typing import Final

import msgspec
import sqlalchemy as sa

from service.store import records
from service.store.connection import Connection
from service.store.outgoing import outbox
from service.store.outgoing.deliveries import COLUMNS, FEED, deliveries, notices
from service.store.people.tokens import FEED as FEED_TOKEN
from service.store.people.tokens import tokens
from service.store.rows import DecisionRow

_decisions: Final = DecisionRow.__table__  # type: ignore[attr-defined]
_IN_FEEDS: Final = deliveries.c.channel == sa.literal_column(f"'{FEED}'")
_OTHER: Final = frozenset({"notice_id", "channel", "target", "secret", "message_id"})
entries: Final = (
    sa.select(
        *(column.label({"recipient": "player_id"}.get(column.name, column.name)) for column in COLUMNS
          if column.name not in _OTHER)
    )
    .join(notices, notices.c.id == deliveries.c.notice_id)
    .where(_IN_FEEDS)
    .subquery("feed_entries")
)  # fmt: skip
"""Deliveries to feeds, as their owner is shown them."""


class EntryText(msgspec.Struct, frozen=True):
    """The text of an entry, in the language of the feed's owner: a headline, and what happened, a sentence a line."""

    headline: str
    told: list[str] = []


class Kept(msgspec.Struct, frozen=True):
    """An entry of a feed as it is kept: what it is about, when its text was made (microseconds), and that as JSON."""

    game_id: str
    kind: str
    decision: str
    seat: int | None
    version: int
    done_at: int
    body: str

    @property
    def text(self) -> EntryText:
        return msgspec.json.decode(self.body, type=EntryText)


def newest(connection: Connection, player: str, most: int) -> Sequence[Kept]:
    """The newest entries of a player's feed, newest first, without questions that were answered since."""
    named = entries.c
    asked = sa.exists().where(
        _decisions.c.game_id == named.game_id,
        _decisions.c.player_id == named.player_id,
        sa.cast(_decisions.c.since, sa.String) == named.decision,
    )
    told = (named.player_id == player, named.done_at.is_not(None), named.state == "sent", named.body.is_not(None))
    found = sa.select(*(named[name] for name in Kept.__struct_fields__)).where(*told)
    found = found.where(sa.or_(named.kind != "your-turn", asked)).order_by(named.done_at.desc(), named.id.desc())
    return records.every(connection, Kept, found.limit(most))


def tell_what_waits(tx: Connection, player: str) -> None:
    """Put into a new feed what waits for its owner already."""
    mine = sa.select(_decisions.c.game_id, _decisions.c.since).where(_decisions.c.player_id == player)
    for game, since in tx.execute(mine.order_by(_decisions.c.began_at)).all():
        key = {"recipient": player, "game_id": game, "kind": "your-turn", "decision": str(since)}
        outbox.put_on(tx, FEED, key)


def tell_again(tx: Connection, player: str, game: str, since: int) -> None:
    """Queue the entry of a question once more: its deadline has moved, and its text says the old one."""
    key = {"recipient": player, "game_id": game, "kind": "your-turn", "decision": str(since)}
    notice = sa.select(notices.c.id).where(*(notices.c[name] == value for name, value in key.items()))
    entry = (_IN_FEEDS, deliveries.c.notice_id == notice.scalar_subquery(), deliveries.c.state == "sent")
    tx.execute(sa.update(deliveries).where(*entry).values(state="queued", done_at=None))


def forget_player(tx: Connection, player: str) -> int:
    """Forget what a player's feed told. How much."""
    return tx.execute(sa.delete(deliveries).where(_IN_FEEDS, deliveries.c.recipient == player)).rowcount


def keep_newest(tx: Connection, player: str, most: int) -> None:
    """Forget all but the newest entries of a player's feed."""
    mine = (_IN_FEEDS, deliveries.c.recipient == player, deliveries.c.done_at.is_not(None))
    older = sa.select(deliveries.c.id).where(*mine).order_by(deliveries.c.done_at.desc(), deliveries.c.id.desc())
    if surplus := list(tx.execute(older.offset(most)).scalars()):
        tx.execute(sa.delete(deliveries).where(deliveries.c.id.in_(surplus)))


def forget_games(tx: Connection, games: Sequence[str], upto: int) -> None:
    """Empty what the feeds of all tell of these games, of notices made up to then, for it names who plays there.

    A question that waits is told anew; one that was answered is superseded when that is tried.
    """
    theirs = sa.update(deliveries).where(_IN_FEEDS, deliveries.c.game_id.in_(games), deliveries.c.created_at <= upto)
    tx.execute(theirs.values(body=None))
    asked = theirs.where(deliveries.c.kind == "your-turn", deliveries.c.state == "sent")
    tx.execute(asked.values(state="queued", done_at=None))


def forget_old(tx: Connection, until: int, most: int) -> None:
    """Forget up to `most` entries that were told before then."""
    owners = deliveries.c.recipient.in_(sa.select(tokens.c.player_id).where(tokens.c.kind == FEED_TOKEN))
    old = sa.select(deliveries.c.id).where(_IN_FEEDS, owners, deliveries.c.done_at < until).limit(most)
    tx.execute(sa.delete(deliveries).where(deliveries.c.id.in_(old)))

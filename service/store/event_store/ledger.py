"""The ledger of a game: what was mailed, missed and signed about it, line by line, each chained to the one before.

A line is signed, and comes some seconds after what it tells. Rows that were there before are told of as they were then.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final

import msgspec
import sqlalchemy as sa

from domain.audit.ledger import FIRST, Fact, LedgerLine
from domain.engine.canonical import canonical
from service.kernel import clock
from service.store import records
from service.store.clocks.missed import Missed, missed
from service.store.connection import Connection
from service.store.event_store.checkpoints import checkpoints
from service.store.outgoing.deliveries import MAIL, deliveries, notices
from service.store.rows import UNCHAINED, LedgerRow

ledger: Final = LedgerRow.__table__  # type: ignore[attr-defined]
_settled: Final = (
    deliveries.c.channel == MAIL,
    deliveries.c.game_id != "",
    deliveries.c.state != "queued",
    deliveries.c.recipient.not_like("%@%"),  # an address must not stand where nothing can be erased
)
OF_A_PERSON: Final = ("game_id", "hours", "changes")
"""What a line does not tell of a missed deadline, for it is kept for good: zone, waking hours and leave."""
_UNTOLD: Final = sa.or_(deliveries.c.chained.is_(None), deliveries.c.chained != deliveries.c.state)


class _Row(msgspec.Struct, frozen=True):
    game_id: str
    number: int
    at: int
    facts: str
    hash: str
    key: str
    signature: str


def waiting(connection: Connection, kinds: Collection[str], most: int) -> list[str]:
    """Up to `most` games about which something was mailed, in one of these kinds, or missed since their last line."""
    mailed = sa.select(deliveries.c.game_id).where(*_settled, _UNTOLD, deliveries.c.kind.in_(kinds)).limit(most)
    lapsed = sa.select(missed.c.game_id).where(sa.text(UNCHAINED)).limit(most)
    found = {row[0] for statement in (mailed, lapsed) for row in connection.execute(statement)}
    return sorted(found)[:most]


def write(
    tx: Connection, game: str, kinds: Collection[str], now: int, sign: Callable[[bytes], tuple[str, str]]
) -> LedgerLine | None:
    """Tell in one line what is new about a game, None where nothing is; `sign` gives key and signature of a message."""
    last = _last(tx, game)
    signed = [fact["checkpoint"] for line in lines(tx, game) for fact in line.facts if "checkpoint" in fact]
    mailed = [mail_fact(row) for row in mails(tx, game, *_settled, _UNTOLD, deliveries.c.kind.in_(kinds))]
    news = [*mailed, *_missed(tx, game)]
    if not news:
        return None
    facts = [*news, *_signed(tx, game, max(signed, default=0))]
    number, previous = (1, FIRST) if last is None else (last.number + 1, last.hash)
    line = LedgerLine(game, number, previous, clock.text(now), facts)
    key, signature = sign(line.message())
    tx.execute(sa.insert(ledger).values(
        game_id=game, number=number, at=now, facts=canonical(facts).decode(), hash=line.hash(), key=key,
        signature=signature,
    ))  # fmt: skip
    ids = [fact["mail"] for fact in mailed]
    tx.execute(sa.update(deliveries).where(deliveries.c.id.in_(ids)).values(chained=deliveries.c.state))
    tx.execute(sa.update(missed).where(missed.c.game_id == game).values(chained=True))
    return line


def lines(connection: Connection, game: str) -> Iterator[LedgerLine]:
    """The lines of a game as their rows tell them; what a line does not say as it must be has no facts."""
    previous = FIRST
    found = sa.select(*records.columns(_Row, ledger)).where(ledger.c.game_id == game).order_by(ledger.c.number)
    for row in records.every(connection, _Row, found):
        try:
            facts = msgspec.json.decode(row.facts)
        except msgspec.MsgspecError:
            facts = []
        yield LedgerLine(game, row.number, previous, clock.text(row.at), facts, row.hash, row.key, row.signature)
        previous = row.hash


def _last(connection: Connection, game: str) -> _Row | None:
    mine = sa.select(*records.columns(_Row, ledger)).where(ledger.c.game_id == game)
    return records.first(connection, _Row, mine.order_by(ledger.c.number.desc()).limit(1))


class MailRow(msgspec.Struct, frozen=True):
    """A mail about a game; `seat` is its notice's, `chained` the state that the ledger has told of."""

    id: int
    notice_id: int
    kind: str
    recipient: str
    version: int
    created_at: int
    state: str
    done_at: int | None
    chained: str | None
    seat: int | None


def mails(connection: Connection, game: str, *which: sa.ColumnElement[bool]) -> Sequence[MailRow]:
    """The mails about a game that these conditions hold for, by number."""
    columns = [deliveries.c[name] for name in MailRow.__struct_fields__ if name != "seat"]
    found = sa.select(*columns, notices.c.seat).outerjoin(notices, notices.c.id == deliveries.c.notice_id)
    mine = (deliveries.c.game_id == game, deliveries.c.channel == MAIL, *which)
    return records.every(connection, MailRow, found.where(*mine).order_by(deliveries.c.id))


def mail_fact(row: MailRow) -> Fact:
    """What a line tells of a mail."""
    told = msgspec.structs.asdict(row)
    return {"mail": told.pop("id"), **{name: told[name] for name in told if name != "chained"}}


def _missed(tx: Connection, game: str) -> Iterator[Fact]:
    found = sa.select(*records.columns(Missed, missed)).where(missed.c.game_id == game, missed.c.chained.is_(False))
    return (missed_fact(row) for row in records.every(tx, Missed, found.order_by(missed.c.decided_at, missed.c.seat)))


def missed_fact(row: Missed) -> Fact:
    """What a line tells of a deadline that passed."""
    told = msgspec.structs.asdict(row)
    return {"missed": told.pop("seat"), **{name: told[name] for name in told if name not in OF_A_PERSON}}


def _signed(tx: Connection, game: str, after: int) -> Iterable[Fact]:
    mine = (checkpoints.c.game_id == game, checkpoints.c.version > after)
    found = sa.select(checkpoints.c.version, checkpoints.c.hash).where(*mine).order_by(checkpoints.c.version)
    return [{"checkpoint": row[0], "hash": row[1]} for row in tx.execute(found)]

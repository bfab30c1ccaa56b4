"""A process of players: each deed is what a request or a mail would do, in a transaction of its own."""

import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from multiprocessing.connection import Connection as Pipe
from typing import Any, Final

import sqlalchemy as sa

from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.table.consent import persons
from service.clocks import leave
from service.container import Services
from service.deadlines import after_leave
from service.games import clock_votes, standing_orders, takeback
from service.games import play as games
from service.games.play import NotSeated, Orders
from service.kernel.clock import moment
from service.kernel.zones import zone
from service.store.clocks.decisions import decisions
from service.store.event_store.streams import Head
from service.store.incoming.inbox import inbound
from tests.simulation.world import POLICIES, Opening, Person

NONCE: Final = "a-nonce-of-the-player-0000"
NEVER: Final = 1 << 60
AHEAD: Final = {"pennies": "hide 2\ntake", "tammany-hall": "end when placed", "city-hall": "others pass\nevery round"}


@dataclass(frozen=True, slots=True)
class Deed:
    """Something a player does. `since` is what the answer is about, where it is one."""

    what: str
    game: str = ""
    seat: int = 0
    since: int = 0
    more: Mapping[str, Any] = field(default_factory=dict)


def play(services: Services, pipe: Pipe, seed: str) -> None:
    """Do what the conductor says, until it says no more."""
    chance = random.Random(seed)
    while (deeds := pipe.recv()) is not None:
        pipe.send([done(services, deed, chance) for deed in deeds])


def done(services: Services, deed: Deed, chance: random.Random) -> tuple[Deed, str, Any]:
    """What came of a deed: "done", or the code of what stood in its way."""
    try:
        with services.database.write() as tx:
            came = DEEDS[deed.what](services, tx, deed, chance)
        if deed.what == "leave" and chance.random() < 0.7:  # else whoever announced it died before the clocks followed
            after_leave.follow_all(services, deed.more["person"].id)
        return deed, "done", came
    except RuleViolation as refused:
        return deed, refused.code, None
    except (OrderNotUnderstood, NotSeated, games.NoSuchGame) as refused:
        return deed, type(refused).__name__, None
    except sa.exc.OperationalError as error:  # PostgreSQL waits three seconds for a lock
        return deed, f"database: {type(error.orig).__name__}", None


def _open(services: Services, tx: sa.Connection, deed: Deed, chance: random.Random) -> str:
    opening: Opening = deed.more["opening"]
    host, *others = (one.id for one in opening.people)
    options = {"rounds": deed.more.get("rounds", "3")} if opening.ruleset == "pennies" else {}
    terms = {"kind": opening.ruleset, "seats": len(opening.people), "options": options, "public": True, "bots": 0}
    clock = POLICIES[opening.policy][1]
    game = games.open_game(services, tx, host, clock=clock, invite=[], nonce=NONCE, **terms).head.game
    for one in others:
        games.take_seat(services, tx, game, one, NONCE)
    return game


def _answer(services: Services, tx: sa.Connection, deed: Deed, chance: random.Random) -> int | None:
    """Answer what is asked of the seat, if it is still that; somebody who thinks better of a bid makes another."""
    head = services.streams.lock(tx, deed.game)
    mine = (decisions.c.game_id == deed.game, decisions.c.seat == deed.seat)
    since = tx.execute(sa.select(decisions.c.since).where(*mine)).scalar()
    again = deed.more.get("again") and head.rules.kind == "pennies" and head.table.status == "running"
    if since is not None and deed.more.get("any"):
        since = deed.since
    if since != deed.since and not (again and head.table.game.phase == "hide" and since is None):
        return None
    player = head.table.chairs[deed.seat].player
    if player is None or head.table.chairs[deed.seat].vacant:
        return None
    orders = Orders(text=_text(head, deed.seat, chance, again=bool(again and since is None)))
    return games.move(services, tx, deed.game, player, orders).head.version


def _send(services: Services, tx: sa.Connection, deed: Deed, chance: random.Random) -> tuple[int, int] | None:
    """An answer by mail has come in; it is read some time later."""
    head = services.streams.lock(tx, deed.game)
    player = head.table.chairs[deed.seat].player
    if player is None or head.table.chairs[deed.seat].vacant:
        return None
    now = services.database.clock.now(tx)
    mail = {
        "received_at": now, "source": "smtp", "sender": "", "recipient": "", "purpose": "answer", "about": 0,
        "trusted": "", "digest": chance.randbytes(32), "state": "received", "reason": "", "not_before": NEVER,
        "lease_until": 0, "attempts": 0, "player_id": player, "game_id": deed.game, "seat": deed.seat, "message_id": "",
    }  # fmt: skip
    return tx.execute(sa.insert(inbound).values(**mail).returning(inbound.c.id)).scalar_one(), now


def _read(services: Services, tx: sa.Connection, deed: Deed, chance: random.Random) -> int:
    """The mail is read: what it says is done and the mail done with, in one transaction (I-08)."""
    now = services.database.clock.now(tx)
    mine = inbound.c.id == deed.more["mail"]
    tx.execute(sa.update(inbound).where(mine).values(state="applied", done_at=now))
    with suppress(RuleViolation):  # it is refused before anything is written
        _answer(services, tx, deed, chance)
    return now


def _text(head: Head, seat: int, chance: random.Random, *, again: bool) -> str:
    if again:
        return f"hide {chance.randrange(4)}"
    rules, seen = head.rules, head.rules.decider.blind(head.table.game, seat)
    if rules.kind == "pennies":
        return "take" if seen.phase == "take" else f"hide {chance.randrange(4)}"
    legal = rules.decider.legal_actions(seen, seat).actions if chance.random() < 0.3 else []
    return rules.notation.write(chance.choice(legal) if legal else rules.decider.caretaker(seen, seat))


def _clock(services: Services, tx: sa.Connection, deed: Deed, chance: random.Random) -> str | None:
    """Propose to stop the clock, to let it run or for more time; the others agree at once, or one of them does not."""
    head = services.streams.head(tx, deed.game)
    seats = persons(head.table)
    if head.table.status != "running" or len(seats) < 2:
        return None
    proposer, *others = chance.sample(seats, len(seats))
    who = {seat: str(head.table.chairs[seat].player) for seat in seats}
    what, seconds = deed.more["terms"], deed.more["seconds"]
    clock_votes.propose(services, tx, deed.game, who[proposer], what, seconds)
    for other in others:
        agrees = not deed.more.get("refused")
        clock_votes.vote(services, tx, deed.game, who[other], agrees)
        if not agrees:
            return "refused"
    return "agreed"


def _host_resumes(services: Services, tx: sa.Connection, deed: Deed, chance: random.Random) -> int | None:
    """The host lets the clock run that was stopped by a deadline."""
    head = services.streams.head(tx, deed.game)
    if head.table.late is None:
        return None
    return clock_votes.propose(services, tx, deed.game, head.table.host, "resume", 0).head.version


def _orders(services: Services, tx: sa.Connection, deed: Deed, chance: random.Random) -> int | None:
    """File orders, or withdraw those that were filed."""
    head = services.streams.head(tx, deed.game)
    player = head.table.chairs[deed.seat].player
    if player is None or head.table.status != "running":
        return None
    if deed.seat in head.table.orders:
        return standing_orders.drop_orders(services, tx, deed.game, player).head.version
    return standing_orders.put_orders(services, tx, deed.game, player, text=AHEAD[head.rules.kind]).head.version


def _take_over(services: Services, tx: sa.Connection, deed: Deed, chance: random.Random) -> str:
    """Somebody sits down on a vacant seat: its owner, or who never sat there."""
    games.take_seat(services, tx, deed.game, deed.more["person"].id, NONCE)
    return str(deed.more["person"].id)


def _takes_back(services: Services, tx: sa.Connection, deed: Deed, chance: random.Random) -> int | None:
    """Take the last act back, where that is free."""
    head = services.streams.head(tx, deed.game)
    player = head.table.chairs[deed.seat].player
    if player is None or head.table.status != "running":
        return None
    return takeback.go_back(services, tx, deed.game, player, ask=False).to


def _leave(services: Services, tx: sa.Connection, deed: Deed, chance: random.Random) -> tuple[int, str, str] | None:
    """Announce leave from tomorrow or later."""
    person: Person = deed.more["person"]
    now = services.database.clock.now(tx)
    first = moment(now).astimezone(zone(person.zone)).date() + timedelta(days=1 + chance.randrange(3))
    last = first + timedelta(days=chance.randrange(6))
    return (now, first.isoformat(), last.isoformat()) if leave.announce(services, tx, person.id, first, last) else None


DEEDS: Final[Mapping[str, Callable[[Services, sa.Connection, Deed, random.Random], Any]]] = {
    "open": _open,
    "answer": _answer,
    "send": _send,
    "read": _read,
    "clock": _clock,
    "host resumes": _host_resumes,
    "orders": _orders,
    "take over": _take_over,
    "take back": _takes_back,
    "leave": _leave,
}

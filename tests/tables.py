"""One set of people, tables and letters: what tests of services, workers and mail play with.

tables = Tables(services, manual_clock)      # `tables.advance(hours=1)` lets time pass
game = tables.begin("ann", "bob", "cyd", kind="tammany-hall")
tables.exchange()                            # what came in is read, what is due is delivered
tables.reply("ann", "place 3 14")            # to the newest mail ann got
letter = tables.exchange().letters_to("ann")[-1]
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cached_property
from typing import Any, Self

import sqlalchemy as sa

from domain.engine.bots import Bot
from domain.engine.game import Seat
from service.accounts import people, sign_in
from service.clocks import leave, leave_days
from service.container import Services
from service.deadlines import after_leave, expire
from service.deadlines.explain import Page
from service.games import clock_votes, history_queries, play
from service.games.outcomes import Moved
from service.games.play import Orders
from service.kernel.clock import SECOND, Clock, micros, moment
from service.kernel.fault_points import faults
from service.mail import inbox
from service.mail.inbox import InboundMail
from service.store.clocks.decisions import decisions
from service.store.event_store.streams import Head
from service.store.incoming.inbox import inbound
from service.store.outgoing.deliveries import deliveries
from service.store.outgoing.outbox import outbox
from service.store.people.sign_ins import sign_ins
from tests.letters import Carrier, parsed, reply_address, text_of
from tests.notices import notice_in
from workers.commands.outcomes import Outcome
from workers.commands.outcomes import read as outcome_of
from workers.mail_in.inbox_worker import Postroom
from workers.mail_out.channel import deliver
from workers.mail_out.compose import compose
from workers.mail_out.letter import Letter
from workers.mail_out.transport import Transport
from workers.parsing.read_mail import read
from workers.sweep import sweep_deadlines, sweep_reminders

POLICY = {"per_move": "P3D", "grace": "PT10M", "strikes": 2}
TABLE = "Lunch break"
"""What tables of tests are called."""
CLOCK = {"per_move": "P1D", "grace": "PT10M", "reminders": []}
MX = "mx.play.example"
DOMAIN = "play.example"
SETTINGS = {
    "MAIL_DOMAIN": DOMAIN, "BASE_URL": "https://wardroom.example", "AUTHSERV_ID": MX, "MAIL_IN": "off",
    "SMTP_URL": "smtp://127.0.0.1:9",
}  # fmt: skip


class Tables:
    """The people of a Wardroom and the tables they play at; a game goes by its id, a player by a short name.

    With a `ManualClock` the test moves time. Letters leave by a carrier, which keeps or loses them. People write back;
    the mail server in front vouches for the sender, unless told not to.
    """

    def __init__(self, services: Services, clock: Clock | None = None, reads: Callable[..., Any] = read) -> None:
        self.services = services
        self.ids: dict[str, str] = {}
        self.clock: Any = clock or services.database.clock
        if clock is not None:
            self.clock.meanwhile = self.record_sweep
        self.carrier = Carrier()
        self.spoiled: dict[str, dict[str, bytes]] = {}
        self.reads = reads
        self.sent = 0
        self.waits = False

    @cached_property
    def postroom(self) -> Postroom:
        """The worker that reads what came in."""
        return Postroom(self.services, self.reads)

    # People and games

    def player(self, name: str) -> str:
        """The id of somebody, who is made if needed."""
        if name not in self.ids:
            with self.services.database.write() as tx:
                token = people.token_for(self.services, tx, f"{name}@people.example", name)
                found = people.who(tx, token)
            assert found is not None
            self.ids[name] = found.player
        return self.ids[name]

    def open(self, host: str = "ann", **given: Any) -> str:
        terms = {
            "kind": "pennies",
            "seats": 3,
            "options": {},
            "clock": POLICY,
            "public": True,
            "bots": 0,
            "invite": [],
            "nonce": None,
            "name": TABLE,
        }
        player, terms = self.player(host), {**terms, **given}
        if isinstance(terms["bots"], int):
            terms["bots"] = [Bot(0)] * terms["bots"]  # that play at once
        with self.services.database.write() as tx:
            return play.open_game(self.services, tx, player, **terms).head.game

    def sit(self, game: str, *names: str) -> str:
        for name in names:
            player = self.player(name)
            with self.services.database.write() as tx:
                play.take_seat(self.services, tx, game, player, None)
        return game

    def begin(self, *names: str, bots: int | Sequence[Bot] = 0, **terms: Any) -> str:
        """A game that has just started; a number of bots is so many that play at once."""
        names = names or ("ann", "bob", "cyd")
        seats = len(names) + (bots if isinstance(bots, int) else len(bots))
        return self.sit(self.open(names[0], seats=seats, bots=bots, **terms), *names[1:])

    def move(self, game: str, who: str | Seat, text: str, seen: int | None = None) -> Moved:
        """Somebody, or whoever has a seat, makes a move in the notation."""
        player = self.ids[who] if isinstance(who, str) else self.head(game).table.chairs[who].player
        assert player is not None
        known = None if seen is None else {seen}
        with self.services.database.write() as tx:
            return play.move(self.services, tx, game, player, Orders(text=text), seen=known)

    def expire(self, game: str, seat: Seat) -> bool:
        """The notice was sent, the time is over: what the sweep would do. Where time `waits`, it passes indeed."""
        mine = (decisions.c.game_id == game, decisions.c.seat == seat)
        if self.waits:
            with self.services.database.read() as connection:
                acts = connection.execute(sa.select(decisions.c.acts_at).where(*mine)).scalar_one()
            self.clock.at = max(self.clock.at, acts)
            self.record_sweep()
        with self.services.database.write() as tx:
            tx.execute(sa.update(deliveries).where(deliveries.c.game_id == game).values(state="sent"))
            if not self.waits:
                tx.execute(sa.update(decisions).where(*mine).values(acts_at=1))
            since = tx.execute(sa.select(decisions.c.since).where(*mine)).scalar_one()
            return expire.expire_turn(self.services, tx, game, seat, since)

    def head(self, game: str) -> Head:
        with self.services.database.read() as connection:
            return self.services.streams.head(connection, game)

    def export(self, game: str, seat: Seat | None = None) -> list[bytes]:
        with self.services.database.read() as connection:
            head = self.services.streams.head(connection, game)
            return [line.rstrip(b"\n") for line in history_queries.export(self.services, connection, head, seat)]

    def play_out(self, game: str, seed: object, late: float = 0.1, most: int = 10_000) -> int:
        """Play at random until the end, or for so many steps; a seat taken over now and then. How many steps."""
        chance = random.Random(str(seed))
        for step in range(most):
            head = self.head(game)
            if head.table.status != "running":
                return step
            vacant = any(chair.vacant for chair in head.table.chairs)
            if vacant and chance.random() < 0.1:
                self.sit(game, f"new{step}")
                continue
            seat = chance.choice(sorted(head.rules.decider.awaiting(head.table.game)))
            if chance.random() < late:
                assert self.expire(game, seat)
                continue
            actions = head.rules.decider.legal_actions(head.rules.decider.blind(head.table.game, seat), seat).actions
            self.move(game, seat, head.rules.notation.write(chance.choice(actions)))
        return most

    # Workers, and time that passes

    def record_sweep(self) -> None:
        """Somebody swept until now: what follows is no return after an outage."""
        self.execute("UPDATE heartbeats SET at = :now WHERE name = 'sweep'", now=self.clock.at)

    def advance(self, **span: float) -> None:
        """Time passes, and nothing is swept meanwhile."""
        self.clock.advance(**span)

    def deliver(self, way: Transport | None = None, fault: Callable[[str], None] = lambda _: None, **more: Any) -> int:
        with faults(fault):
            return deliver(self.services, way or self.carrier, **more)

    def sweep(self) -> int:
        """Deadlines, then reminders. How many of both acted."""
        return sweep_deadlines(self.services) + sweep_reminders(self.services)

    def notices(self, **where: Any) -> list[dict[str, Any]]:
        """Rows of the outbox, oldest first."""
        found = sa.select(outbox).where(*(outbox.c[name] == value for name, value in where.items()))
        with self.services.database.read() as connection:
            return [dict(row) for row in connection.execute(found.order_by(outbox.c.id)).mappings()]

    def states(self, **where: Any) -> Counter[str]:
        return Counter(row["state"] for row in self.notices(**where))

    def compose(self, row: dict[str, Any]) -> Letter:
        """The letter of a notice. Raises Superseded."""
        with self.services.database.read() as connection:
            return compose(self.services, connection, notice_in(row))

    def execute(self, statement: str, **values: Any) -> None:
        """Change the database behind the back of the service."""
        with self.services.database.write() as tx:
            tx.execute(sa.text(statement), values)

    def change_profile(self, who: str, /, **profile: Any) -> None:
        with self.services.database.write() as tx:
            people.change_profile(tx, self.ids[who], profile)

    def rename(self, name: str, shown: str, timezone: str = "UTC") -> str:
        """A person whose name on the table is not the name in their address."""
        identity = self.player(name)
        self.change_profile(name, name=shown, timezone=timezone)
        return identity

    def request_code(self, name: str) -> None:
        self.player(name)
        with self.services.database.write() as tx:
            sign_in.ask(self.services, tx, f"{name}@people.example")
        sign_in.post_codes(self.services)

    def code_of(self, letter: Letter) -> str:
        return text_of(letter).partition("Your code for Wardroom: ")[2].split()[0]

    def valid_codes(self) -> int:
        with self.services.database.read() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(sign_ins)).scalar_one()

    def lose_key(self, game: str) -> None:
        """This game cannot be opened any more, for its key is lost."""
        self.spoiled[game] = {}
        for table, key in (("games", "id"), ("leaves", "game_id")):
            column = "state" if table == "games" else "sealed"
            one = f"{key} = :game" if table == "games" else "game_id = :game AND version = 1"
            with self.services.database.read() as connection:
                found = connection.execute(sa.text(f"SELECT {column} FROM {table} WHERE {one}"), {"game": game})
                self.spoiled[game][f"UPDATE {table} SET {column} = :was WHERE {one}"] = found.scalar_one()
            self.execute(f"UPDATE {table} SET {column} = :junk WHERE {one}", junk=bytes(64), game=game)

    def restore_key(self, game: str) -> None:
        """The key is found."""
        for statement, was in self.spoiled.pop(game).items():
            self.execute(statement, was=was, game=game)

    def awaited(self, game: str) -> list[Seat]:
        head = self.head(game)
        return sorted(head.rules.decider.awaiting(head.table.game)) if head.table.status == "running" else []

    def legal(self, game: str, seat: Seat) -> list[str]:
        """What a seat may do, in the notation."""
        head = self.head(game)
        actions = head.rules.decider.legal_actions(head.rules.decider.blind(head.table.game, seat), seat).actions
        return [head.rules.notation.write(action) for action in actions]

    def play_on(self, game: str, seed: int = 0) -> None:
        """Whoever is asked first does something."""
        head = self.head(game)
        seat = self.awaited(game)[0]
        legal = self.legal(game, seat)
        chance = random.Random(f"{seed}-{head.version}")
        kind = chance.choice(sorted({text.split()[0] for text in legal}))
        self.move(game, seat, chance.choice([text for text in legal if text.split()[0] == kind]))

    def phase(self, game: str) -> str:
        head = self.head(game)
        return (
            head.rules.decider.decision(head.table.game).partition("-")[0] if head.table.status == "running" else "over"
        )

    # Mail that comes in

    def exchange(self) -> Self:
        """What came in is worked off, what is due is delivered."""
        self.read_inbox()
        self.deliver()
        return self

    def read_inbox(self, fault: Callable[[str], None] = lambda _: None, **more: Any) -> int:
        with faults(fault):
            return self.postroom.work(**more)

    def letters_to(self, name: str) -> list[Letter]:
        return self.carrier.letters_to(name)

    def newest_letter(self, name: str, kind: str = "") -> Letter:
        return [letter for letter in self.letters_to(name) if letter.message_id.startswith(f"<{kind}")][-1]

    def newest_text(self, name: str, kind: str = "") -> str:
        return text_of(self.newest_letter(name, kind))

    def reply(self, name: str, text: str, **more: Any) -> int:
        """Ann answers her newest mail, or `to` another one. The number of the mail."""
        return self.accept_mail(
            self.write_reply(name, text, **more),
            more.get("to") or self.newest_letter(name),
            sender=f"{name}@people.example",
        )

    def accept_mail(
        self, raw: bytes | EmailMessage, to: Letter | str, *, sender: str = "ann@people.example", source: str = "lmtp"
    ) -> int:
        """A raw mail, as the mail server hands it over."""
        recipient = to if isinstance(to, str) else reply_address(to)
        data = raw if isinstance(raw, bytes) else raw.as_bytes()
        return inbox.accept(self.services, InboundMail(data, recipient, sender, source))

    def write_reply(
        self,
        name: str,
        text: str,
        *,
        to: Letter | None = None,
        address: str = "",
        verdict: str | None = "pass",
        message_id: str = "",
        quote: bool = True,
        headers: tuple[tuple[str, str], ...] = (),
    ) -> bytes:
        """What a mail program sends: the text on top, our mail quoted below."""
        letter = to or self.newest_letter(name)
        self.sent += 1
        address = address or f"{name}@people.example"
        lines = []
        if verdict is not None:
            lines.append(f"Authentication-Results: {MX}; dmarc={verdict} header.from={address.partition('@')[2]}")
        lines += [
            f"From: {name.capitalize()} <{address}>",
            f"To: <{reply_address(letter)}>",
            f"Subject: Re: {' '.join(str(parsed(letter)['Subject']).split())}",
            f"Date: {format_datetime(moment(self.clock.now()))}",
            f"Message-ID: {message_id or f'<m{self.sent}@people.example>'}",
            f"In-Reply-To: {letter.message_id}",
            *(f"{key}: {value}" for key, value in headers),
            "MIME-Version: 1.0",
            'Content-Type: text/plain; charset="utf-8"',
            "Content-Transfer-Encoding: 8bit",
            "",
            *text.split("\n"),
        ]
        if quote:
            lines += ["", "On Tue, 4 Mar 2031 at 12:00, Tammany Hall wrote:"]
            lines += [f"> {line}".rstrip() for line in text_of(letter).splitlines()]
        return "\r\n".join(lines).encode() + b"\r\n"

    def mails(self, **where: Any) -> list[dict[str, Any]]:
        """The mails that came in, oldest first."""
        found = sa.select(inbound).where(*(inbound.c[name] == it for name, it in where.items()))
        with self.services.database.read() as connection:
            return [dict(row) for row in connection.execute(found.order_by(inbound.c.id)).mappings()]

    def mail_state(self, number: int) -> str:
        return str(self.mails(id=number)[0]["state"])

    def outcome(self, number: int) -> Outcome:
        with self.services.database.read() as connection:
            mail = inbox.by_id(connection, number)
        assert mail is not None
        found = outcome_of(self.services, mail)
        assert found is not None
        return found

    def version(self, game: str) -> int:
        return self.head(game).version

    # Clocks of seats, votes on them, and leave

    def begin_timed(self, *names: str, **clock: Any) -> str:
        """A game of these, Ann and Bob if nobody is named, whose notices have gone out."""
        game = self.begin(*(names or ("ann", "bob")), clock=CLOCK | clock, options={"rounds": "3"})
        self.mark_all_sent()
        return game

    def mark_all_sent(self) -> None:
        """Every notice has gone out."""
        self.execute("UPDATE deliveries SET state = 'sent', done_at = created_at WHERE state = 'queued'")

    def seat(self, game: str, name: str) -> int:
        seat = self.head(game).table.seat_of(self.ids[name])
        assert seat is not None
        return seat

    def seat_clock(self, game: str, name: str) -> dict[str, Any]:
        """The clock of somebody who owes an answer."""
        mine = (decisions.c.game_id == game, decisions.c.seat == self.seat(game, name))
        with self.services.database.read() as connection:
            return dict(connection.execute(sa.select(decisions).where(*mine)).mappings().one())

    def due(self, game: str, name: str) -> int:
        due: int = self.seat_clock(game, name)["due_at"]
        return due

    def bank(self, game: str, name: str) -> int | None:
        """Seconds in a bank; None while it is full and was never used."""
        return self.head(game).table.chairs[self.seat(game, name)].bank

    def bank_changes(self, game: str) -> list[tuple[int, int]]:
        """Every change of a bank that was recorded: seat, seconds left."""
        return [(one["data"]["seat"], one["data"]["left"]) for one in self.events(game, "table.bank-changed")]

    def events(self, game: str, kind: str = "") -> list[dict[str, Any]]:
        """The events of a game, or those of one kind."""
        with self.services.database.read() as connection:
            found = self.services.streams.seen(connection, game, None, after=0, upto=9999)
        return [event for event in found if event["type"] == kind or not kind]

    def agree(self, game: str, what: Any, **span: float) -> None:
        """Everybody agrees to a pause, to its end, or to more time."""
        first, *others = [name for name in self.ids if self.head(game).table.seat_of(self.ids[name]) is not None]
        with self.services.database.write() as tx:
            clock_votes.propose(self.services, tx, game, self.ids[first], what, micros(timedelta(**span)) // SECOND)
        for name in others:
            if self.head(game).table.proposal is not None:
                with self.services.database.write() as tx:
                    clock_votes.vote(self.services, tx, game, self.ids[name], True)

    def take_leave(self, name: str, first: str, last: str) -> bool:
        """Announce leave; all clocks follow."""
        with self.services.database.write() as tx:
            new = leave.announce(self.services, tx, self.ids[name], date.fromisoformat(first), date.fromisoformat(last))
        after_leave.follow_all(self.services, self.ids[name])
        return new

    def cancel_leave(self, name: str) -> None:
        with self.services.database.write() as tx:
            leave.take_back(self.services, tx, self.ids[name])
        after_leave.follow_all(self.services, self.ids[name])

    def leave_days(self, name: str) -> list[tuple[str, str]]:
        """The leave of somebody that is not over."""
        with self.services.database.read() as connection:
            found = leave_days.to_come(connection, self.ids[name], self.clock.at)
        return [(one.first_day, one.last_day) for one in found]

    def clock_page(self, game: str, name: str) -> dict[str, Any]:
        """The clock of a game, explained to somebody."""
        with self.services.database.read() as connection:
            return Page(self.services, connection, game, self.ids[name]).document()

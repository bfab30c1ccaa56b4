"""Whole stories of tables, made by the domain alone: games, and all that happens around them, from one seed."""

import hashlib
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgspec

from domain.audit.redecide import Entry
from domain.engine.bots import STRENGTHS, TEMPERS, Bot
from domain.engine.canonical import canonical
from domain.engine.game import Action, Seat
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.history.codec import history
from domain.history.envelope import GENESIS
from domain.table.consent import answer, propose_clock, reopen, resume, take_back
from domain.table.evolve import Rules, fold
from domain.table.play import expire, play, settle
from domain.table.proposals import missing, persons
from domain.table.record import CLOCK, Fact, Record, seat_actor
from domain.table.seating import (
    Nonce,
    Terms,
    give_up,
    leave,
    open_table,
    put_bot,
    remove_bot,
    resign,
    sit,
    sit_bot,
    start,
)
from domain.table.standing_orders import file_orders, withdraw_orders
from domain.table.state import Table
from domain.table.undo import Past, last_act, last_lapse, undoing

Chooser = Callable[[random.Random, Rules, Any, Seat], Action]
HOUR: Final = 3600
MOST_TROUBLED: Final = 900
"""Steps after which a game is left in peace, so that it ends."""
CARETAKER: Final = Bot(0)
PLAYERS: Final = ("p_anna", "p_boris", "p_clara", "p_dino", "p_eva")


def anything(chooser: random.Random, rules: Rules, seen: Any, seat: Seat) -> Action:
    """A kind of action at random, then one of that kind."""
    legal = rules.decider.legal_actions(seen, seat).actions
    kind = chooser.choice(sorted({type(action).__name__ for action in legal}))
    return chooser.choice([action for action in legal if type(action).__name__ == kind])


@dataclass
class Story:
    """A table and all its facts so far; a step is a request, with a cause of its own."""

    rules: Rules
    chance: random.Random
    table: Table = field(default_factory=Table)
    facts: list[Fact] = field(default_factory=list)
    causes: list[str] = field(default_factory=list)
    steps: int = 0

    def step(self, what: Callable[..., Any], *given: Any, **more: Any) -> bool:
        """Do something; False where the rules forbid it, and nothing is recorded."""
        record = Record(self.table, self.rules)
        try:
            what(record, *given, **more)
        except RuleViolation:
            return False
        self.steps += 1
        self.table = record.table
        self.facts += record.facts
        self.causes += [f"cause{self.steps:011d}"] * len(record.facts)
        return True

    def branch(self, seed: int) -> "Story":
        """The same story so far, with other luck in what people do from now on."""
        return replace(self, chance=random.Random(seed), facts=self.facts[:], causes=self.causes[:])

    # -- seats

    def open(self, seats: int, *, options: Mapping[str, str] | None = None, **clock: Any) -> "Story":
        """The first player opens a table and sits down."""
        seed = hashlib.sha256(f"{self.rules.kind} {seats} {self.chance.random()}".encode()).digest()
        terms = Terms(seats, options or {}, {"strikes": 2, "on_timeout": "caretaker", **clock}, public=True)

        def both(record: Record) -> None:
            open_table(record, PLAYERS[0], terms, seed)
            sit(record, PLAYERS[0], self._nonce())

        self.step(both)
        return self

    def sit(self, *players: str) -> "Story":
        for player in players:
            self.step(self._then(sit, lambda record: record.facts[0].actor), player, self._nonce())
        return self

    def sit_bots(self, number: int) -> "Story":
        for _ in range(number):
            self.step(self._then(sit_bot, lambda record: seat_actor(0)), CARETAKER, self._nonce().text)
        return self

    def begin(self, seats: int, bots: int = 0, **terms: Any) -> "Story":
        """A game for so many, some of them bots, has begun."""
        return self.open(seats, **terms).sit_bots(bots).sit(*PLAYERS[1 : seats - bots])

    def put_bot(self, seat: Seat, bot: Bot) -> bool:
        """The host calls a bot to a seat."""
        nonce = self._nonce().text
        return self.step(self._then(put_bot, lambda record: record.facts[0].actor), self.table.host, seat, bot, nonce)

    def remove_bot(self, seat: Seat) -> bool:
        """The host sends the bot of a seat away."""
        return self.step(self._then(remove_bot, lambda record: record.facts[0].actor), self.table.host, seat)

    def leave(self, player: str) -> bool:
        return self.step(leave, player)

    def start(self) -> bool:
        host = {"host": self.table.host}
        return self.step(self._then(start, lambda record: host), self.table.host)

    def give_up(self, player: str) -> bool:
        return self.step(self._then(give_up, lambda record: record.facts[-1].actor), player)

    def resign(self, player: str) -> bool:
        return self.step(self._then(resign, lambda record: record.facts[-1].actor), player)

    # -- the game

    def move(self, seat: Seat, *actions: Action) -> bool:
        return self.step(self._then(play, lambda record: seat_actor(seat)), seat, actions)

    def expire(self, seat: Seat) -> bool:
        return self.step(self._then(expire, lambda record: CLOCK), seat)

    def file_orders(self, seat: Seat, text: str) -> bool:
        """File standing orders."""
        assert self.rules.standing_orders is not None
        try:
            form = self.rules.standing_orders.parse(text, self.rules.notation.pawns[: len(self.table.chairs)])
        except OrderNotUnderstood:  # it names somebody who does not play
            return False
        return self.step(self._then(file_orders, lambda record: seat_actor(seat)), seat, form)

    def withdraw_orders(self, seat: Seat) -> bool:
        return self.step(self._then(withdraw_orders, lambda record: seat_actor(seat)), seat)

    # -- consent

    def undo(self, seat: Seat, to: int | None = None, reason: Any = "slip") -> bool:
        """Go back to event `to`, or to before the seat's last act or lapse: at once, or by a proposal."""
        past = self.past()
        try:
            if to is None:
                to = last_lapse(past, seat) if reason == "lapse" else last_act(past, seat)
            meant = undoing(past, self.table, seat, to)
        except RuleViolation:
            return False
        return self.step(take_back, seat, meant, reason, self.at(to))

    def propose_clock(self, seat: Seat, what: Any, seconds: int = 24 * HOUR) -> bool:
        return self.step(propose_clock, seat, what, seconds)

    def answer(self, seat: Seat, agrees: bool) -> bool:
        """Answer what is proposed, or withdraw it."""
        proposal = self.table.proposal
        assert proposal is not None
        kind: Any = "rewind" if proposal.what == "rewind" else "clock"

        def both(record: Record) -> None:
            agreed = answer(record, seat, kind, agrees)
            if agreed is not None:
                reopen(record, agreed.seat, agreed.to, agreed.reason, self.at(agreed.to), agreed.agreed)

        return self.step(both)

    def runs_again(self, by_host: bool = False) -> bool:
        """The clock runs again: the pause was over, or the host would not wait for who was late."""
        actor, reason = ({"host": self.table.host}, "host") if by_host else (CLOCK, "over")
        return self.step(resume, actor, reason)

    # -- at random

    def play_out(
        self,
        choose: Chooser = anything,
        *,
        trouble: float = 0.0,
        orders: Any = None,
        calls: float = 0.0,
        until: Callable[[Any], bool] = lambda game: False,
    ) -> "Story":
        """Play on to the end, or `until` so; with `trouble`, now and then something else happens than a move.

        With `calls`, too: people leave and come back, and the host calls bots and sends them away.
        """
        while self.table.status == "running" and not until(self.table.game):
            trouble *= self.steps < MOST_TROUBLED
            seat = self.chance.choice(sorted(self.rules.decider.awaiting(self.table.game)))
            if trouble and self.chance.random() < trouble:
                self._trouble(seat, orders)
            elif calls and self.chance.random() < calls:
                self._call()
            else:
                seen = self.rules.decider.blind(self.table.game, seat)
                self.move(seat, choose(self.chance, self.rules, seen, seat))
        return self

    def _trouble(self, seat: Seat, orders: Any) -> None:
        present = persons(self.table)
        somebody = self.chance.choice(present)
        match self.chance.randrange(12):
            case 0 | 1:
                self.expire(seat)
            case 2 | 3:
                self.undo(somebody, reason=self.chance.choice(["slip", "misread", "agreed", "lapse"]))
            case 4:
                self.undo(somebody, to=self.table.version - self.chance.randrange(1, 30), reason="agreed")
            case 5:
                what = "resume" if self.table.paused else self.chance.choice(["pause", "extend"])
                self.propose_clock(somebody, what)
            case 6 if orders is not None:
                text = orders(self.chance, self.table.game, somebody)
                _ = text and self.file_orders(somebody, text)
            case 7:
                self.withdraw_orders(somebody)
            case 8 if self.table.paused:
                self.runs_again(by_host=self.table.late is not None)
            case 9:
                vacant = [chair.player for chair in self.table.chairs if chair.vacant and chair.player]
                if vacant:
                    self.sit(self.chance.choice([*vacant, f"p_new{self.steps}"]))
            case 10 if self.chance.random() < 0.2 and len(present) > 1:
                player = self.table.chairs[somebody].player
                assert player is not None
                self.give_up(player)
        self._answers_come()

    def _call(self) -> None:
        """Somebody leaves, unless it is the last, or comes; a bot does."""
        seat = self.chance.randrange(len(self.table.chairs))
        match self.chance.randrange(4):
            case 0 if len(present := persons(self.table)) > 1:
                self.give_up(str(self.table.chairs[self.chance.choice(present)].player))
            case 1:
                self.sit(self.chance.choice(PLAYERS))
            case 2:
                self.remove_bot(seat)
            case _:
                self.put_bot(seat, Bot(self.chance.choice(STRENGTHS), self.chance.choice(TEMPERS)))

    def _answers_come(self) -> None:
        """Those asked agree mostly, or do not answer before the next move."""
        while (proposal := self.table.proposal) is not None and (asked := missing(self.table, proposal)):
            reply = self.chance.random()
            if reply > 0.85:
                return
            who = proposal.seat if reply > 0.8 and proposal.seat in persons(self.table) else asked[0]
            if not self.answer(who, agrees=reply < 0.7):
                return

    # -- what became of it

    def past(self) -> list[Past]:
        """The history as going back reads it."""
        return [
            Past(version, fact.actor, cause, fact.event, bool(fact.text or type(fact.event).SEALED))
            for version, (fact, cause) in enumerate(zip(self.facts, self.causes, strict=True), 1)
        ]

    def at(self, version: int) -> Table:
        """The table as it was after an event."""
        return fold(Table(), self.rules, [fact.event for fact in self.facts[:version]])

    def entries(self) -> list[Entry]:
        """The history as it is done again."""
        return [
            Entry(version, fact.actor, cause, fact.event, fact.text)
            for version, (fact, cause) in enumerate(zip(self.facts, self.causes, strict=True), 1)
        ]

    def export(self, game: str) -> list[bytes]:
        """Return the history as lines, with every leaf open."""
        kept, previous, lines = history(self.rules.kind), GENESIS, []
        for version, (fact, cause) in enumerate(zip(self.facts, self.causes, strict=True), 1):
            minute = int(cause.removeprefix("cause"))
            at = f"2026-01-{1 + minute // 1440:02d}T{minute // 60 % 24:02d}:{minute % 60:02d}:00.000000Z"
            salt = hashlib.sha256(f"{game} {version}".encode()).digest()
            one = kept.store(game, version, fact, cause=cause, at=at, previous=previous, salt=lambda salt=salt: salt)
            event = msgspec.json.decode(one.body)
            event["sealed"] = [
                {**shut, "data": leaf.data, "salt": leaf.salt.hex()}
                for shut, leaf in zip(event["sealed"], one.leaves, strict=True)
            ]
            lines.append(canonical({**event, "hash": one.hash}))
            previous = one.hash
        return [*lines, canonical({"end": {"version": len(lines), "hash": previous}})]

    def _nonce(self) -> Nonce:
        return Nonce(f"nonce-{self.chance.getrandbits(64):016x}", by_player=self.chance.random() < 0.5)

    @staticmethod
    def _then(what: Callable[..., None], actor: Callable[[Record], Any]) -> Callable[..., None]:
        """Something, and what follows by itself."""

        def both(record: Record, *given: Any) -> None:
            what(record, *given)
            if record.facts:
                settle(record, actor(record))

        return both

"""Tables as game records: what was done, what it recorded, and the same as an export.

    begin().move(0, "hide 2").then(PennyHidden(0, 2, "")).refused("not-your-turn", lambda game: game.move(1, "take"))

A Game never changes: every step returns a new one.
"""

import hashlib
import random
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import pytest

from domain.engine.bots import Bot
from domain.engine.canonical import canonical
from domain.engine.game import Event, Seat
from domain.engine.refusals import RuleViolation
from domain.history.codec import Stored, history
from domain.history.envelope import GENESIS
from domain.rulesets import RULESETS
from domain.table.consent import ClockTerms, answer, propose_clock, reopen, take_back
from domain.table.events import Rewound, SeedRevealed
from domain.table.evolve import Rules, apply, blind, fold
from domain.table.play import expire, play, settle
from domain.table.record import CLOCK, Fact, Record, seat_actor
from domain.table.seating import Nonce, Terms, leave, open_table, put_bot, remove_bot, resign, sit, sit_bot, start
from domain.table.state import Reason, Table
from domain.table.undo import Past, Undoing, last_act, undoing
from tests.domain.table.pennies import PENNIES

CARETAKER = Bot(0)
SEED = hashlib.sha256(b"the seed of these tests").digest()
CLOCK_POLICY = {"per_move": "P3D", "grace": "PT10M", "reminders": [], "on_timeout": "caretaker", "strikes": 2}
OPENED_AT = "2026-11-20T18:00:00.000000Z"


def nonce(player: str, by_player: bool = True) -> Nonce:
    return Nonce(f"{player:-<16}", by_player)


@dataclass(frozen=True)
class Game:
    """A table, the facts of its whole story and those of the last step; `ends` are the versions after each step."""

    rules: Rules
    table: Table = field(default_factory=Table)
    facts: tuple[Fact, ...] = ()
    last: tuple[Fact, ...] = ()
    ends: tuple[int, ...] = ()

    # -- what happens

    def step(self, what: Callable[..., None], *given: Any) -> "Game":
        before = msgspec.msgpack.encode(self.table)
        record = Record(self.table, self.rules)
        try:
            what(record, *given)
        finally:
            assert msgspec.msgpack.encode(self.table) == before, "a table was changed that others see"
        last = tuple(record.facts)
        return replace(
            self,
            table=record.table,
            facts=self.facts + last,
            last=last,
            ends=(*self.ends, record.table.version),
        )

    def open(self, host: str = "ann", **terms: Any) -> "Game":
        chosen = {"seats": 3, "options": {}, "clock": CLOCK_POLICY, "public": True, **terms}
        return self.step(open_table, host, Terms(**chosen), SEED)

    def sit(self, *players: str, by_player: bool = True) -> "Game":
        game = self
        for player in players:
            game = game.step(_sit, player, nonce(player, by_player))
        return game

    def sit_bot(self, bot: Bot = CARETAKER) -> "Game":
        return self.step(lambda record: (sit_bot(record, bot, "b" * 32), settle(record, seat_actor(0))))

    def put_bot(self, seat: Seat, bot: Bot, player: str = "ann") -> "Game":
        """The host calls a bot to a seat."""
        return self.step(_put_bot, player, seat, bot)

    def remove_bot(self, seat: Seat, player: str = "ann") -> "Game":
        """The host sends a bot away."""
        return self.step(_remove_bot, player, seat)

    def leave(self, player: str) -> "Game":
        return self.step(leave, player)

    def resign(self, player: str) -> "Game":
        return self.step(lambda record: (resign(record, player), settle(record, record.facts[-1].actor)))

    def start(self, player: str) -> "Game":
        return self.step(lambda record: (start(record, player), settle(record, {"host": player})))

    def move(self, seat: Seat, *lines: str) -> "Game":
        return self.step(_play, seat, lines)

    def expire(self, seat: Seat) -> "Game":
        return self.step(_expire, seat)

    def operate(self, act: Callable[..., None], *given: Any) -> "Game":
        """The operator of the service does something."""
        return self.step(lambda record: (act(record, *given), settle(record, CLOCK)))

    def undo(self, seat: Seat, to: int | None = None, *, ask: bool = False, reason: Reason = "slip") -> "Game":
        """Go back to before what the seat did last, or to event `to`: at once or, with `ask`, by a proposal."""
        return self.step(_undo, self, seat, to, ask, reason)

    def propose_undo(self, seat: Seat, to: int | None = None, reason: Reason = "slip") -> "Game":
        """Propose to go back."""
        game = self.undo(seat, to, ask=True, reason=reason)
        assert game.table.proposal is not None, "it was done at once"
        return game

    def agree(self, *seats: Seat) -> "Game":
        """Each agrees to what is proposed; with the last one it is done."""
        game = self
        for seat in seats:
            game = game.step(_vote, game, seat, True)
        return game

    def disagree(self, seat: Seat) -> "Game":
        return self.step(_vote, self, seat, False)

    def propose_clock(self, seat: Seat, what: ClockTerms, seconds: int = 0) -> "Game":
        return self.step(propose_clock, seat, what, seconds)

    def meaning(self, seat: Seat, to: int | None = None) -> Undoing:
        """What going back would mean."""
        past = self.past()
        return undoing(past, self.table, seat, last_act(past, seat) if to is None else to)

    def past(self) -> list[Past]:
        """The history as going back reads it; one cause a step."""
        starts = [0, *self.ends]
        return [
            Past(version, fact.actor, f"step {bisect_left(starts, version)}", fact.event, bool(fact.text))
            for version, fact in enumerate(self.facts, 1)
        ]

    def at(self, version: int) -> Table:
        """The table as it was after an event."""
        return fold(Table(), self.rules, [fact.event for fact in self.facts[:version]])

    # -- what is seen

    def then(self, *events: Event) -> "Game":
        """The last step recorded these facts and no others."""
        assert tuple(fact.event for fact in self.last) == events
        return self

    def recorded(self, *names: str) -> "Game":
        """The last step recorded facts of these types, in this order, and no others."""
        assert [type(fact.event).__name__ for fact in self.last] == list(names)
        return self

    def see(self, **expected: Any) -> "Game":
        assert {name: getattr(self.table, name) for name in expected} == expected
        return self

    def refused(self, code: str, what: Callable[["Game"], object]) -> "Game":
        with pytest.raises(RuleViolation) as refused:
            what(self)
        assert refused.value.code == code, refused.value.message
        assert refused.value.message.endswith((".", "?", "!")), "a refusal is a sentence"
        return self

    # -- the same, stored

    def stored(self, game: str = "k7x2m9qd4t") -> list[Stored]:
        """The story in envelopes; one cause a step."""
        kept, previous, found = history(self.rules.kind), GENESIS, []
        for version, fact in enumerate(self.facts, 1):
            step = next(number for number, end in enumerate(self.ends) if version <= end)
            one = kept.store(
                game,
                version,
                fact,
                cause=f"cause{step:011d}",
                at=f"2026-11-20T18:{step // 60:02d}:{step % 60:02d}.000000Z",
                previous=previous,
                salt=lambda version=version: hashlib.sha256(b"salt %d" % version).digest(),
            )
            found.append(one)
            previous = one.hash
        return found

    def opened_by(self) -> dict[int, int]:
        """By version of a sealed event: the version that opened it to everybody, worked out after DESIGN 3."""
        opened: dict[int, int] = {}
        last: dict[Seat, int] = {}
        were: list[dict[Seat, int]] = [{}]
        sealed: list[int] = []
        for version, fact in enumerate(self.facts, 1):
            kind = type(fact.event)
            if kind.SEALED:
                sealed.append(version)
                if "nobody" not in kind.SEALED.values() and not kind.LASTS:
                    last[fact.event.seat] = version
            if isinstance(fact.event, SeedRevealed):
                opened |= {one: version for one in sealed if one not in opened}
            elif kind.OPENS:
                opened |= dict.fromkeys(last.values(), version)
                last = {}
            elif isinstance(fact.event, Rewound):
                last = dict(were[min(fact.event.to, version - 1)])
            were.append(dict(last))
        return opened

    def shown(self, seat: Seat | None, at: int) -> set[int]:
        """The versions whose leaves a seat may know after event `at`: its own, and those opened by then."""
        events = [fact.event for fact in self.facts[:at]]
        own = set()
        if seat is not None:
            own = {version for version, event in enumerate(events, 1) if getattr(event, "seat", None) == seat}
        return own | {version for version, opened in self.opened_by().items() if opened <= at}

    def export(self, seat: Seat | None = None, at: int | None = None) -> list[bytes]:
        """The history up to event `at` as a seat may see it then."""
        at = len(self.facts) if at is None else at
        lines = []
        stored, shown = self.stored()[:at], self.shown(seat, at)
        for one in stored:
            event = msgspec.json.decode(one.body)
            if one.leaves and one.version in shown:
                event["sealed"] = [
                    {**shut, "data": leaf.data, "salt": leaf.salt.hex()}
                    for shut, leaf in zip(event["sealed"], one.leaves, strict=True)
                ]
            lines.append(canonical({**event, "hash": one.hash}))
        return [*lines, canonical({"end": {"version": at, "hash": stored[-1].hash}})]

    def known(self, seat: Seat | None, at: int) -> Iterator[Event]:
        """The events up to `at` as a seat may know them then: what it may not is None."""
        shown = self.shown(seat, at)
        for version, fact in enumerate(self.facts[:at], 1):
            sealed = type(fact.event).SEALED
            if sealed and version not in shown:
                yield msgspec.structs.replace(fact.event, **dict.fromkeys(sealed))
            else:
                yield fact.event

    def tables(self) -> Iterator[Table]:
        """The table after every event."""
        table = Table()
        events = [fact.event for fact in self.facts]
        for number, event in enumerate(events):
            table = fold(table, self.rules, [])
            apply(table, self.rules, event, events[:number])
            yield table


def _sit(record: Record, player: str, with_nonce: Nonce) -> None:
    sit(record, player, with_nonce)
    settle(record, record.facts[0].actor)


def _play(record: Record, seat: Seat, lines: tuple[str, ...]) -> None:
    play(
        record,
        seat,
        record.rules.notation.parse("\n".join(lines), record.rules.notation.pawns[: len(record.table.chairs)]),
    )
    settle(record, seat_actor(seat))


def _expire(record: Record, seat: Seat) -> None:
    expire(record, seat)
    settle(record, CLOCK)


def _undo(record: Record, game: Game, seat: Seat, to: int | None, ask: bool, reason: Reason) -> None:
    meant = game.meaning(seat, to)
    take_back(record, seat, meant, reason, game.at(meant.to), ask=ask, names=game.rules.notation.pawns)


def _vote(record: Record, game: Game, seat: Seat, agrees: bool) -> None:
    proposal = record.table.proposal
    kind: Any = "rewind" if proposal is None or proposal.what == "rewind" else "clock"
    agreed = answer(record, seat, kind, agrees)
    if agreed is not None:
        reopen(record, agreed.seat, agreed.to, agreed.reason, game.at(agreed.to), agreed.agreed)


def _put_bot(record: Record, player: str, seat: Seat, bot: Bot) -> None:
    put_bot(record, player, seat, bot, "c" * 32)
    settle(record, {"host": player})


def _remove_bot(record: Record, player: str, seat: Seat) -> None:
    remove_bot(record, player, seat)
    settle(record, {"host": player})


def begin(*players: str, rules: Rules = PENNIES, bots: int = 0, **terms: Any) -> Game:
    """A game that has just started, with a seat for each player and bot."""
    players = players or ("ann", "bob", "cyd")
    game = Game(rules).open(players[0], **{"seats": len(players) + bots, **terms})
    game = game.sit(players[0])
    for _ in range(bots):
        game = game.sit_bot()
    return game.sit(*players[1:])


def finished(**terms: Any) -> Game:
    """A whole game of Pennies with a little of everything: replaced hands, an expired turn, a nod."""
    game = begin(**terms).move(1, "hide 1 maybe").move(1, "hide 3 rather").move(0, "hide 0").expire(2)
    game = game.move(1, "nod", "take").move(2, "hide 2 again").move(0, "hide 2").move(1, "hide 1")
    return game.move(0, "take")


def play_out(game: Game, chance: random.Random, late: float = 0.1, most: int = 4000) -> Game:
    """Play on at random until the game ends; a deadline passes now and then, vacant seats are sometimes taken."""
    while game.table.status == "running":
        assert len(game.ends) < most, "the game does not end"
        rules, table = game.rules, game.table
        vacant = [chair.player for chair in table.chairs if chair.vacant and chair.player]
        if vacant and chance.random() < 0.05:
            game = game.sit(chance.choice([*vacant, f"new{len(game.ends)}"]))
            continue
        seat = chance.choice(sorted(rules.decider.awaiting(table.game)))
        if chance.random() < late:
            game = game.expire(seat)
            continue
        actions = rules.decider.legal_actions(rules.decider.blind(table.game, seat), seat).actions
        game = game.move(seat, rules.notation.write(chance.choice(actions)))
    return game


def blind_tables(game: Game, seat: Seat | None) -> Iterator[tuple[int, Table, Table]]:
    """For every version: the table folded from what the seat knew then, and the live table made blind for it."""
    for version, table in enumerate(game.tables(), 1):
        seen = blind(table, game.rules, seat)
        if not any(isinstance(fact.event, SeedRevealed) for fact in game.facts[:version]):
            seen = blind(replace(table, status="running"), game.rules, seat)
            seen.status = table.status  # between the end and the seed, in one transaction
        yield version, fold(Table(), game.rules, game.known(seat, version)), seen


@pytest.fixture
def pennies(monkeypatch: pytest.MonkeyPatch) -> Rules:
    """Pennies is a ruleset like the others."""
    monkeypatch.setitem(RULESETS, PENNIES.kind, PENNIES)  # type: ignore[arg-type]
    return PENNIES

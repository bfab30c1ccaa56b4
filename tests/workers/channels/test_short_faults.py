"""Mails under faults on a clock that is moved: deaths anywhere, a server that goes away, hangs, drops and puts off.

The long one with real processes is `tests/acceptance/test_under_faults.py`.
"""

import random
from collections import Counter, deque

import pytest

from tests.letters import Carrier
from tests.manual_clock import Died, dying
from tests.tables import Tables
from workers.mail_out.letter import Letter
from workers.mail_out.transport import Away, BrokeOff, Deferred

SECONDS = 300
SWEEP = 5
POINTS = ("claimed", "composed", "sent", "settled")


class Rough(Carrier):
    """A mail server that is away now and then, and spoils some dialogues. It keeps when each mail came."""

    def __init__(self, tables: Tables, chance: random.Random) -> None:
        super().__init__()
        self.tables, self.chance = tables, chance
        self.away_until = 0
        self.calm = False
        self.came: dict[str, int] = {}

    def send(self, letter: Letter) -> None:
        if self.tables.clock.at < self.away_until:
            raise Away("it cannot be reached")
        fate = 1.0 if self.calm else self.chance.random()
        if fate < 0.01:
            raise Deferred("451 4.3.0 try again later")
        if fate < 0.03:
            raise BrokeOff("it broke off before")
        super().send(letter)
        self.came.setdefault(letter.message_id, self.tables.clock.at)
        if fate < 0.05:
            raise BrokeOff("it broke off after")


@pytest.mark.parametrize("seed", [1, 2])
def test_g03_g05_under_a_fault_every_four_seconds_mails_come_in_time_and_none_is_lost(sqlite_tables, seed):
    chance = random.Random(seed)
    server, deaths, next_sweep = Rough(sqlite_tables, chance), 0, deque([0])
    for second in range(SECONDS + 120):
        server.calm = second >= SECONDS
        if second % 6 == 0 and not server.calm:
            sqlite_tables.begin("ann", "bob")
        kills = second % 4 == 0 and not server.calm and chance.random() < 0.5
        fault = dying(chance.choice(POINTS), chance.randint(1, 2)) if kills else None
        if not server.calm and chance.random() < 0.03:
            server.away_until = sqlite_tables.clock.at + chance.randint(1, 8) * 1_000_000
        if second >= next_sweep[0] or fault is not None:
            next_sweep[0] = second + SWEEP
            try:
                sqlite_tables.deliver(server, **({} if fault is None else {"fault": fault}))
            except Died:
                deaths += 1
        sqlite_tables.advance(seconds=1)
    rows = sqlite_tables.notices()
    assert sqlite_tables.states() == {"sent": len(rows)}
    assert deaths > SECONDS / 30
    assert {row["message_id"] for row in rows} == set(server.came), "none is lost"
    for row in sorted(rows, key=lambda row: server.came[row["message_id"]] - row["created_at"])[-8:]:
        print(row["id"], row["attempts"], (server.came[row["message_id"]] - row["created_at"]) / 1e6, row["reason"])
    print(deaths, len(rows))
    late = sorted((server.came[row["message_id"]] - row["created_at"]) / 1_000_000 for row in rows)
    assert late[len(late) * 99 // 100 - 1] <= 45
    assert late[len(late) // 2] <= SWEEP + 1
    copies = Counter(letter.message_id for letter in server.letters)
    assert sum(copies.values()) - len(copies) <= deaths + SECONDS / 10
    assert len({letter.data for letter in server.letters}) == len(copies), "a copy is the same to the byte"

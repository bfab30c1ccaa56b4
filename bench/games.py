"""Real games of Tammany Hall for the benchmarks: five seats, legal actions, the same facts every time."""

import hashlib
import random
from dataclasses import dataclass
from functools import cache
from typing import Final

from domain.history.codec import history
from domain.rulesets import ruleset
from domain.table.evolve import Rules, fold
from domain.table.play import play, settle
from domain.table.record import Fact, Record, seat_actor
from domain.table.seating import Nonce, Terms, open_table, sit
from domain.table.state import Table
from service.clocks.policy import DEFAULTS

KIND: Final = "tammany-hall"
SEATS: Final = 5
SEED: Final = 23  # exactly 500 events, the table's own included
LAST: Final = 500
LAST_TERM: Final = 374  # the first seat of year 13 is to move
LAST_TURN: Final = 456  # the last turn of the game
PLAYERS: Final = tuple(f"p_bench{seat:07}" for seat in range(SEATS))


@dataclass(frozen=True, slots=True)
class Played:
    """A game as it was recorded, from the empty table on."""

    rules: Rules
    facts: list[Fact]

    def table(self, version: int) -> Table:
        """The table after event `version`."""
        return fold(Table(), self.rules, [fact.event for fact in self.facts[:version]])


def seated(seed: int, players: tuple[str, ...] = PLAYERS) -> Record:
    """A table at which five people have just sat down; the first of them is to move."""
    rules = ruleset(KIND)
    record = Record(Table(), rules)
    terms = Terms(SEATS, {}, {**DEFAULTS}, public=True)
    open_table(record, players[0], terms, hashlib.sha256(f"bench {seed}".encode()).digest())
    for seat, player in enumerate(players):
        sit(record, player, Nonce(f"nonce-{seed:06}-seat-{seat}", by_player=True))
    settle(record, seat_actor(len(players) - 1))
    return record


def play_out(seed: int) -> Played:
    """A whole game in which every seat picks among its legal actions by a generator of this seed."""
    record = seated(seed)
    rules, choice = record.rules, random.Random(seed)
    while record.table.status == "running":
        seat = min(rules.decider.awaiting(record.table.game))
        action = choice.choice(rules.decider.legal_actions(rules.decider.blind(record.table.game, seat), seat).actions)
        play(record, seat, [action])
        settle(record, seat_actor(seat))
    return Played(rules, record.facts)


@cache
def whole_game() -> Played:
    """The game of about 500 events that all benchmarks share."""
    return play_out(SEED)


@cache
def own_versions() -> list[int]:
    """Which events of the whole game are the ruleset's, not the table's."""
    kinds = set(history(KIND).rules.decider.events.values())
    return [version for version, fact in enumerate(whole_game().facts, 1) if type(fact.event) in kinds]

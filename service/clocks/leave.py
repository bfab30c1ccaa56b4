"""Leave as its player meets it: announced or taken back once, and what it does in each of their games."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from domain.engine.game import Seat
from domain.engine.sentences import Sentence, say, say_n
from service.clocks import leave_days, seat_clocks
from service.clocks.policy import policy
from service.container import Services
from service.kernel.clock import text
from service.languages.time_text import ReaderLocale, days_words
from service.store.clocks import decisions
from service.store.clocks.decisions import Decision
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.store.games import game_rows
from service.store.people import absences

Due = tuple[str, int, int]
"""A decision, when it was due and when it is."""


@dataclass(frozen=True, slots=True)
class InGame:
    """What the leave of a player is in one running game: days that count, days left, and deadlines that it moves."""

    game: str
    ruleset: str
    seat: Seat
    allowed: int
    days: int
    left: int
    kept: int  # days that were taken back and are used up all the same
    moved: list[Due]


def announce(services: Services, tx: Connection, player: str, first: date, last: date) -> bool:
    """Announce leave; the clocks are still to follow. Whether it is new. Raises RuleViolation for what cannot be."""
    return leave_days.announce(tx, player, first, last, services.database.clock.now(tx))


def take_back(services: Services, tx: Connection, player: str) -> None:
    """Take back all leave that is to come, but for today. Deadlines stay where they are."""
    passed = {day for row in decisions.of_player(tx, player) for day in seat_clocks.passed_over(row)}
    leave_days.take_back(tx, player, services.database.clock.now(tx), passed)


def in_games(services: Services, connection: Connection, player: str) -> list[InGame]:
    """What the leave of a player is in each running game they sit in, and what is still to follow it."""
    owed = decisions.of_player(connection, player)
    found = []
    for game, seat in game_rows.played_by(connection, player):
        head = services.streams.head(connection, game)
        mine = [row for row in owed if row.game_id == game and row.seat == seat]
        found.append(_in_game(connection, head, player, seat, mine))
    return found


def _in_game(connection: Connection, head: Head, player: str, seat: Seat, owed: list[Decision]) -> InGame:
    """What the leave of a player is in one game, where they owe this."""
    clock, (home, _) = policy(head.table.clock), leave_days.home_of(connection, player)
    passed = [day for row in owed for day in seat_clocks.passed_over(row)]
    counted = leave_days.count(
        connection, player, head.game, clock.leave_days, home, passed, skips_weekends=clock.skips_weekends
    )
    ahead = {day for leave in leave_days.to_come(connection, player, head.now) for day in leave_days.days_of(leave)}
    standing = {day for leave in absences.announced(connection, player) for day in leave_days.days_of(leave)}
    return InGame(
        head.game,
        head.table.ruleset,
        seat,
        allowed=clock.leave_days,
        days=len(ahead.intersection(counted.days)),
        left=counted.left,
        kept=clock.leave_days - counted.left - len(standing.intersection(counted.days)),
        moved=list(_moved(connection, head, owed)),
    )


def _moved(connection: Connection, head: Head, owed: list[Decision]) -> Iterator[Due]:
    """The decisions whose deadline will move by leave."""
    for row in owed:
        foreseen = seat_clocks.with_leave_of(connection, head, row)
        if foreseen is not None and foreseen[1] is not None and foreseen[1].due != row.due_at:
            yield row.decision, row.due, foreseen[1].due


def document(services: Services, connection: Connection, player: str, locale: ReaderLocale) -> dict[str, Any]:
    """The leave of a player that is not over, and what it is in each game."""
    now = services.database.clock.now(connection)
    listed = [
        {
            "from": leave.first_day,
            "to": leave.last_day,
            "days": len(leave_days.days_of(leave)),
            "announced_at": text(leave.announced_at),
        }
        for leave in leave_days.to_come(connection, player, now)
    ]
    return {
        "leave": listed,
        "games": [_document(in_game, locale) for in_game in in_games(services, connection, player)],
    }


def _document(in_game: InGame, locale: ReaderLocale) -> dict[str, Any]:
    return {
        "game": in_game.game,
        "ruleset": in_game.ruleset,
        "seat": in_game.seat,
        "leave_days": in_game.allowed,
        "counting": in_game.days,
        "days_left": in_game.left,
        "moved": [{"decision": name, "was": text(was), "due": text(due)} for name, was, due in in_game.moved],
        "text": " ".join(map(locale.words, describe(in_game, locale))),
    }


def describe(in_game: InGame, locale: ReaderLocale) -> list[Sentence]:
    """What leave is in one game, in sentences."""
    if not in_game.allowed:
        return [say("Game {game} was opened without days of leave: its deadlines run on.", game=in_game.game)]
    which = {"game": in_game.game, "left": in_game.left, "allowed": in_game.allowed}
    lines = [say("In game {game} {left} of {allowed} days of leave are left.", **which)]
    if in_game.days:
        days = days_words(in_game.days)
        lines.append(say("Of the leave that is to come {days} do not count there.", days=days))
    if in_game.kept:
        lines.append(
            say_n(
                "{count} day that you took back stays used: a deadline of yours was moved by it.",
                "{count} days that you took back stay used: a deadline of yours was moved by them.",
                in_game.kept,
            )
        )
    for _, was, due in in_game.moved:
        moved = {"was": locale.when(was), "due": locale.when(due)}
        lines.append(say("Your deadline there moves from {was} to {due}.", **moved))
    return lines

"""The checker: every game's events, notices and letters against the ledger of what had to be.

It believes the log, the sink and the conductor. What the service says of itself (its due tables, its outbox) is
compared with those.
"""

from collections import Counter
from typing import Final

from domain.audit.verify_history import audit
from service.container import Services
from service.games import history_queries
from tests.service.store.service_tables import expected
from tests.simulation.found import Found
from tests.simulation.games import Game, Letters, read_game
from tests.simulation.on_time import LATE, OnTime
from tests.simulation.told import Told
from tests.simulation.truth import check_copies, check_truth

BESIDES: Final = frozenset({"reminder", "invitation", "undeliverable", "probe", "digest", "code"})
"""Notices that no event alone calls for."""


class Checker:
    """Checks games one by one. `room` only reads."""

    def __init__(self, services: Services, told: Told, letters: Letters, span: tuple[int, int]) -> None:
        self.services, self.told, self.letters, self.span = services, told, letters, span
        self.found = Found()
        self.on_time = OnTime(told, self.found)

    def check(self, game: str) -> None:
        """Everything about one game."""
        one = read_game(self.services, self.told, self.letters, self.span, game)
        for what, where in one.book.wrong:
            self.found.add(what, f"{game}: {where}")
        self.on_time.check(one)
        self._due_table(one)
        self._outbox(one)
        check_copies(self.found, one)
        check_truth(self.found, one)
        self._history(one)

    def _due_table(self, game: Game) -> None:
        """`decisions` holds what is owed, and when it is due."""
        is_open = {(run.seat, run.since): run for run in game.book.open.values()}
        if {(row["seat"], row["since"]) for row in game.owed} != set(is_open):
            self.found.add(
                "due table", f"{game.id}: decisions are {sorted((row['seat'], row['since']) for row in game.owed)}"
            )
            return
        for row in game.owed:
            run = is_open[row["seat"], row["since"]]
            if not (row["extended"] or run.loose) and (row["due_at"], row["acts_at"] or 0) != (run.due, run.acts):
                self.found.add(
                    "due table", f"{game.id} seat {run.seat} since {run.since}: due {row['due_at']}, not {run.due}"
                )

    def _outbox(self, game: Game) -> None:
        """The notices are those the log calls for, both ways (I-05); each ended in one way (I-06)."""
        stored = [(row["version"], row["type"], row["body"], row["hash"]) for row in game.stored]
        tables = [request.table for request in game.commits for _ in range(request.first, request.last + 1)]
        notices, _ = expected(game.events, stored, tables, game.rules)
        columns = ("kind", "decision", "seat", "recipient", "version", "created_at")
        told = [tuple(row[name] for name in columns) for row in game.outbox if row["kind"] not in BESIDES]
        if sorted(told, key=str) != sorted(notices, key=str):
            self.found.add("outbox", f"{game.id}: {len(told)} notices, not {len(notices)} (I-05)")
        copies = Counter(one["id"] for one in game.letters if one["fate"] in ("taken", "lost"))
        for row in game.outbox:
            self.found.counts[f"notices {row['state']}"] += 1
            if row["state"] in ("sent", "bounced") and not copies[row["id"]]:
                self.found.add("lost", f"{game.id}: {row['kind']} {row['decision']} is sent and nobody has it (I-06)")
            if row["state"] == "queued" and max(row["not_before"], row["lease_until"]) < self.told.over - LATE:
                self.found.add(
                    "stuck", f"{game.id}: {row['kind']} {row['decision']} waits for nothing ({row['reason']})"
                )
            if row["state"] in ("failed", "superseded") and not row["reason"] and row["kind"] != "undeliverable":
                self.found.add("no reason", f"{game.id}: {row['kind']} {row['decision']}")

    def _history(self, game: Game) -> None:
        """The audit that anybody can do (I-03), and the state beside the head (I-04)."""
        if not game.folds:
            self.found.add("state", f"{game.id}: the state beside the head is not the fold of its log (I-04)")
        with self.services.database.read() as connection:
            head = self.services.streams.head(connection, game.id)
            report = audit(history_queries.export(self.services, connection, head, None))
        if not report.ok:
            self.found.add("audit", f"{game.id}: {[check for check in report.checks if check[1] == 'broken']}")
        self.found.counts["events"] += report.events
        self.found.counts["games"] += 1
        for seat, since in {
            (row["seat"], row["decision"].partition(".")[0]) for row in game.outbox if row["kind"] == "reminder"
        }:
            if (seat, int(since)) not in game.runs:
                self.found.add("reminder", f"{game.id}: of nothing that was asked of seat {seat} since {since}")

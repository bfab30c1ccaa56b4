"""Deadlines: none early, none twice, none missed, none without a notice or before an older mail; how late they were."""

from collections import defaultdict
from typing import Final

from tests.simulation.found import Found
from tests.simulation.games import Game
from tests.simulation.ledger import SECOND, Run
from tests.simulation.told import Told

LATE: Final = 600 * SECOND
"""A deadline acted upon later than this without a reason was missed."""
DOUBT: Final = 5 * SECOND
"""How long after it was handed over a letter is settled at the latest, where nothing befell whoever handed it over."""


class OnTime:
    """Checks the deadlines of one game after the other."""

    def __init__(self, told: Told, found: Found) -> None:
        self.told, self.found = told, found
        self.mails: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
        for mail in told.mails.values():
            self.mails[mail.game, mail.seat].append((mail.came, mail.read))
        self.windows = [(began, ended + 120 * SECOND) for began, ended in (*told.outages, *told.jumps, *told.silences)]

    def check(self, game: Game) -> None:
        """None early, none twice, none missed; lateness."""
        counts = self.found.counts
        for run in game.book.runs:
            where = f"{game.id} seat {run.seat} since {run.since}"
            counts["deadlines"] += 1
            counts[run.how] += 1
            again = moved_again(game, run)
            for at, acts, version in run.expiries:
                counts["acted"] += 1
                if any(came <= acts and at < read for came, read in self.mails[game.id, run.seat]):
                    self.found.add("unread", f"{where}: event {version} while an older mail was not read")
                if at < acts:
                    self.found.add("early", f"{where}: event {version} {acts - at} µs before its time")
                elif again is not None and at < again:
                    self.found.add("early", f"{where}: event {version} although its player was told late or not at all")
                if self._untold(game, run, at):
                    self.found.add("untold", f"{where}: event {version} before its player was told")
                if again is None:
                    self._is_late(game, run, at - acts, acts, where)
            apart = [later[1] - sooner[0] for sooner, later in zip(run.expiries, run.expiries[1:], strict=False)]
            if any(gap <= 0 for gap in apart):
                self.found.add("double", where)
            self._waited(game, run, again, where)

    def _untold(self, game: Game, run: Run, at: int) -> bool:
        """Whether a deadline passed before the mail about it was handed over or given up (I-09)."""
        mine = ("your-turn", run.seat, str(run.since))
        letters = [one for one in game.letters if (one["kind"], one["seat"], one["decision"]) == mine]
        ended = [row["done_at"] for row in game.outbox if (row["kind"], row["seat"], row["decision"]) == mine]
        settled = [one["at"] for one in letters if one["fate"] in ("taken", "refused")] or ended
        return min((when for when in settled if when is not None), default=at + 1) > at

    def _is_late(self, game: Game, run: Run, late: int, acts: int, where: str) -> None:
        if self._excused(game, run, acts, acts + late):
            self.found.counts["late for a reason"] += 1
            return
        self.found.late.append(late)
        if late > LATE:
            self.found.add("missed", f"{where}: {late // SECOND} s late")

    def _waited(self, game: Game, run: Run, again: int | None, where: str) -> None:
        """What nobody answered is decided: nothing is left open long after its time."""
        end = run.ended_at if run.ended is not None else self.told.over
        acts = run.last_acts if run.ended is not None else run.acts
        stood = (run.due if run.ended is None else run.last_due) in (None, 0)
        if stood or run.how == "expired" or end is None or again is not None:
            return
        if end > acts + LATE and not self._excused(game, run, acts, end):
            self.found.add("missed", f"{where}: open {(end - acts) // SECOND} s after its time")

    def _excused(self, game: Game, run: Run, since: int, upto: int) -> bool:
        """Whether the sweep had to wait: nobody swept, the clock was wrong, or a mail or the notice was under way."""
        mails = [(came, read + 120 * SECOND) for came, read in self.mails[game.id, run.seat]]
        if any(began <= upto and since <= ended for began, ended in (*self.windows, *mails)):
            return True
        told = told_at(game, run)
        return told is None or told >= since - 120 * SECOND


def told_at(game: Game, run: Run) -> int | None:
    """When the last copy of its notice was handed over; None where none was."""
    mine = ("your-turn", run.seat, str(run.since))
    taken = [
        one["at"] for one in game.letters
        if (one["kind"], one["seat"], one["decision"]) == mine and one["fate"] in ("taken", "lost")
    ]  # fmt: skip
    return max(taken, default=None)


def moved_again(game: Game, run: Run) -> int | None:
    """Before when it may not expire, where its player was told late or not at all; None where all was well.

    A bound: when a sweep found that out nobody but the service knows; 0 where more than that moved the deadline.
    """
    mine = [one for one in game.outbox if one["kind"] == "your-turn" and one["seat"] == run.seat]
    notice = next((one for one in mine if one["decision"] == str(run.since)), None)
    if notice is None or not run.dues:
        return None
    if run.loose:
        return run.acts
    told = told_at(game, run)
    is_lost = notice["state"] in ("failed", "bounced")
    if not is_lost and (told is None or told < run.dues[0] - DOUBT):
        return None
    before = [one for one in mine if one["state"] in ("failed", "bounced") and int(one["decision"]) < run.since]
    if run.moved > 1 or (is_lost and before) or (told is not None and told < run.dues[0] + DOUBT):
        return 0
    acts = run.dues[0] + game.book.terms.grace
    return run.hours.until(max(told or 0, acts), game.book.terms.per_move) + game.book.terms.grace

"""Where the chances of winning jumped, as the teacher found them, where it was asked to look at the game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain.engine.game import Seat
from domain.engine.sentences import Sentence, unpack
from domain.teacher.findings import Finding, JudgedDecision, JudgedDraw
from service.games.analysis_text import shown_move
from service.store.database import Connection
from service.store.games import analyses

LEAST: Final = 0.06
"""The share of winning that a jump is at the least: what the teacher calls a mistake."""
MOST_JUMPS: Final = 8


@dataclass(frozen=True, slots=True)
class Jump:
    """One decision or draw after which a seat stood better or worse, by estimated shares of winning from 0 to 1."""

    version: int
    seat: Seat
    before: float
    after: float
    by_chance: bool
    """A draw, judged with everything open; else a decision, by what its seat knew."""
    part: Sentence | str
    what: Sentence | str

    @property
    def change(self) -> float:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Chances:
    """What the strongest analysis of a game says: the greatest jumps, in their order, and all its draws by seat."""

    strength: int
    jumps: list[Jump]
    draws: list[JudgedDraw]


def chances(connection: Connection, game: str) -> Chances | None:
    """What is known of the chances in a game that is over; None where no analysis of it is done."""
    done = [found.strength for found in analyses.of_game(connection, game) if found.state == "done"]
    if not done:
        return None
    findings = analyses.findings(connection, game, max(done))
    jumps = sorted(_jumps(findings), key=lambda jump: -abs(jump.change))[:MOST_JUMPS]
    draws = [found for found in findings if isinstance(found, JudgedDraw)]
    return Chances(max(done), sorted(jumps, key=lambda jump: jump.version), draws)


def _jumps(findings: Sequence[Finding]) -> Iterator[Jump]:
    for found in findings:
        match found:
            case JudgedDecision() if found.loss >= LEAST:
                after = max(0.0, found.best - found.loss)
                yield _jump(found, found.seat, found.best, after, shown_move(found.played))
            case JudgedDraw():
                seat = max(range(len(found.before)), key=lambda seat: abs(found.luck(seat)))
                if abs(found.luck(seat)) >= LEAST:
                    yield _jump(found, seat, found.before[seat], found.after[seat], unpack(found.told))


def _jump(found: Any, seat: Seat, before: float, after: float, what: Sentence | str) -> Jump:
    chance = isinstance(found, JudgedDraw)
    return Jump(found.version, seat, before, after, chance, unpack(found.part), what)

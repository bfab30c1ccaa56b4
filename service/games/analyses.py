"""What else could have been done in a game that is over: asked for by anybody who may see it, made by a worker.

Of a game that runs nothing is said to anybody. A person waits for one analysis at a time; one that was made is kept.
"""

from dataclasses import dataclass
from typing import Any, Final

from domain.engine.bots import STRENGTHS
from domain.engine.refusals import RuleViolation, require
from domain.engine.sentences import Sentence, say
from domain.teacher.effort import STUDY_EFFORTS
from domain.teacher.findings import Finding
from service.container import Services
from service.games import play
from service.kernel.clock import SECOND
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.store.games import analyses
from service.store.games.analyses import Analysis

RULE: Final = "DESIGN-8"
USUAL: Final = 2
DAY: Final = 86_400 * SECOND
MOST_A_DAY: Final = 12
"""Analyses that a player may ask for within a day: they may take hours of a processor together."""
MOST: Final = 1_000_000
"""Events of a game times simulations of a thought: no analysis costs more than some half an hour of a processor."""


class AlreadyWaiting(RuleViolation):
    """The player waits for another analysis."""

    def __init__(self, other: Analysis) -> None:
        sentence = say(
            "You are waiting for the analysis of another game, or at another strength: {link}. Cancel it there, or ask "
            "again when it is done.",
            link=f"/g/{other.game_id}/analysis?strength={other.strength}",
        )
        super().__init__("analysis-running", RULE, sentence)
        self.other = other


@dataclass(frozen=True, slots=True)
class Asked:
    """A game that is over, and its analysis at a strength, if anybody ever asked for one."""

    head: Head
    seat: int | None
    strength: int
    analysis: Analysis | None
    findings: list[Finding]
    """All of them, once it is done."""

    @property
    def status(self) -> str:
        """How it stands, in a word."""
        return "none" if self.analysis is None else self.analysis.state

    @property
    def done(self) -> int:
        """How many questions are answered."""
        return 0 if self.analysis is None else self.analysis.done

    @property
    def total(self) -> int:
        """Of how many; 0 until they were counted."""
        return 0 if self.analysis is None else self.analysis.total

    def is_of(self, player: str | None) -> bool:
        """Whether this player waits for it."""
        if player is None or self.analysis is None or not self.analysis.is_under_way:
            return False
        return self.analysis.player_id == player


def look(
    services: Services, connection: Connection, game: str, player: str | None, strength: int | None = None
) -> Asked:
    """The analysis of a game at a strength: if none is named, one under way, else the strongest that is done.

    Raises NoSuchGame, RuleViolation for a game that is not over, and for what cannot be analysed.
    """
    head, seat = play.look(services, connection, game, player)
    _require_over(head)
    return look_at(connection, head, seat, strength)


def look_at(connection: Connection, head: Head, seat: int | None, strength: int | None = None) -> Asked:
    """The same of a game that is known to be over."""
    _require_strength(strength)
    found = {analysis.strength: analysis for analysis in analyses.of_game(connection, head.game)}
    if strength is None:
        strength = max(found, key=lambda number: (found[number].is_under_way, found[number].state == "done", number),
                       default=USUAL)  # fmt: skip
    analysis = found.get(strength)
    is_done = analysis is not None and analysis.state == "done"
    return Asked(head, seat, strength, analysis, analyses.findings(connection, head.game, strength) if is_done else [])


def ask(services: Services, tx: Connection, game: str, player: str, strength: int = USUAL) -> Asked:
    """Ask for an analysis: one that is done or under way is that one. Raises as `look` does, and AlreadyWaiting."""
    head, seat = play.look(services, tx, game, player)
    _require_over(head)
    _require_strength(strength)
    _require_affordable(head, strength)
    analyses.serialise(services.database, tx)
    asked = look_at(tx, head, seat, strength)
    if asked.status in ("done", "queued", "running"):
        return asked
    other = analyses.awaited_by(tx, player)
    if other is not None:
        raise AlreadyWaiting(other)
    _require_below_limit(services, tx, player)
    analyses.queue(services.database, tx, game, strength, player)
    return look_at(tx, head, seat, strength)


def _require_below_limit(services: Services, tx: Connection, player: str) -> None:
    """Raise RuleViolation if a player has asked for as many as one may within a day."""
    asked = analyses.asked_since(tx, player, services.database.clock.now(tx) - DAY)
    if asked >= MOST_A_DAY:
        sentence = say(
            "You asked for {most} analyses within 24 hours, which is the limit. Ask again tomorrow.", most=MOST_A_DAY
        )
        raise RuleViolation("too-much-effort", RULE, sentence)


def cancel(services: Services, tx: Connection, game: str, player: str, strength: int | None = None) -> Asked:
    """Give up an analysis that the player asked for: their own, where no strength is named and others' are under way.

    Whoever may not see the game any more may, too: else they could never ask for another. Raises as `look` does, and
    RuleViolation where none is theirs.
    """
    mine = analyses.awaited_by(tx, player)
    if mine is not None and mine.game_id == game and strength in (None, mine.strength):
        analyses.cancel(tx, game, mine.strength)
        head = services.streams.head(tx, game)
        return look_at(tx, head, head.table.seat_of(player), mine.strength)
    analysis = look(services, tx, game, player, strength).analysis
    if analysis is None or not analysis.is_under_way:
        raise RuleViolation("no-analysis-running", RULE, say("No analysis of this game is under way."))
    raise RuleViolation("not-your-analysis", RULE, say("Another player asked for this analysis, and waits for it."))


def affordable(head: Head) -> list[int]:
    """The strengths that an analysis of a game may have."""
    return [strength for strength in STUDY_EFFORTS if head.version * STUDY_EFFORTS[strength].simulations <= MOST]


def can_be_analysed(head: Head) -> bool:
    """Whether a game is one that can be analysed, now."""
    return _obstacle(head) is None


def _require_over(head: Head) -> None:
    obstacle = _obstacle(head)
    if obstacle is not None:
        raise RuleViolation(obstacle[0], RULE, obstacle[1])


def _obstacle(head: Head) -> tuple[str, Sentence] | None:
    if head.table.status in ("open", "running"):
        return "game-running", say("A game is analysed when it is over, and not before, for nobody: ask again then.")
    if head.rules.guidance is None:
        title = head.rules.presentation.title
        return "no-analysis", say("Games of {title} cannot be analysed: no bot can think about it.", title=title)
    if head.table.game is None:
        return "nothing-played", say("This game ended before it began: there is nothing to analyse.")
    return None


def _require_strength(strength: int | None) -> None:
    known = strength is None or strength in STUDY_EFFORTS
    said: dict[str, Any] = {"strengths": ", ".join(str(number) for number in STRENGTHS if number in STUDY_EFFORTS)}
    require(known, "bad-strength", RULE, "There is no such strength: choose of {strengths}.", **said)


def _require_affordable(head: Head, strength: int) -> None:
    allowed = affordable(head)
    if strength in allowed:
        return
    sentence = (
        say("At this strength an analysis of so long a game costs too much: ask for strength {strength}.",
            strength=max(allowed))
        if allowed
        else say("This game is too long to be analysed here: `wardroom analyse FILE` does it from its export.")
    )  # fmt: skip
    raise RuleViolation("too-much-effort", RULE, sentence)

"""Bots: a function for each ruleset that answers a question with a move.

bot = Bot()

@bot.turn("tammany-hall")
def think(question):
    return question.legal()[0]

bot.run()
"""

import hashlib
import logging
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, Protocol

from wardroom_client import models
from wardroom_client._sync.client import Wardroom
from wardroom_client._sync.game import Game, Order
from wardroom_client.problems import (
    Conflict,
    NotFound,
    Problem,
    Refused,
    Stale,
    TooMany,
    Unavailable,
    Unreachable,
    Unreadable,
)

if TYPE_CHECKING:
    from wardroom_rules import Position  # type: ignore[import-not-found, unused-ignore]

log: Final = logging.getLogger("wardroom")
TRIES: Final = 3
"""Moves of a bot that may be refused before a decision is left to people, or to the clock."""


class Question(Protocol):
    """A decision that a bot is asked for, at a server or in an arena."""

    @property
    def ruleset(self) -> str:
        """Which game: "tammany-hall"."""

    @property
    def seat(self) -> int:
        """Whose decision it is."""

    @property
    def state(self) -> Any:
        """The document of the ruleset, as the seat may see it."""

    @property
    def seconds_left(self) -> float | None:
        """Until the deadline; None where there is none."""

    def legal(self) -> list[str]:
        """Lines of the notation that may be played now."""

    def local(self) -> "Position":
        """The position as the seat knows it, for a search: needs wardroom-rules."""


Answer = Order | Sequence[Order] | None
"""A line, several, or actions; None leaves the decision to somebody else."""
Thinker = Callable[[Question], Answer]


@dataclass(frozen=True, slots=True)
class ServedQuestion:
    """A decision that waits at a server."""

    game: Game
    position: models.Game
    turn: models.Turn

    @property
    def ruleset(self) -> str:
        return self.turn["ruleset"]

    @property
    def seat(self) -> int:
        return self.turn["seat"]

    @property
    def state(self) -> Any:
        return self.position["state"]

    @property
    def seconds_left(self) -> float | None:
        due = self.turn["due"]
        return None if due is None else (datetime.fromisoformat(due) - datetime.now(UTC)).total_seconds()

    def legal(self) -> list[str]:
        return [action["text"] for action in self.game.legal()]

    def local(self) -> "Position":
        return self.game.local()


class Bot:
    """Functions that think, by ruleset, and the loop that asks them."""

    def __init__(self) -> None:
        self.thinkers: dict[str, Thinker] = {}
        self._thinking = False
        self._stopping = False

    def turn(self, ruleset: str) -> Callable[[Thinker], Thinker]:
        """Let a function decide in games of a ruleset."""

        def register(thinker: Thinker) -> Thinker:
            self.thinkers[ruleset] = thinker
            return thinker

        return register

    def run(self, client: Wardroom | None = None, cursor: str | Path | None = None) -> None:
        """Answer every decision of a player until SIGINT or SIGTERM; a move under way is finished first.

        Without a client it is that of WARDROOM_BASE and WARDROOM_TOKEN, or of `wr login`. Raises SignedOut.
        """
        from wardroom_client.login import saved_client

        handlers = {number: signal.signal(number, self._stop) for number in (signal.SIGINT, signal.SIGTERM)}
        self._stopping = False
        try:
            with client or saved_client() as known:
                for turn in known.follow(cursor):
                    self._thinking = True
                    self.answer(known, turn)
                    self._thinking = False
                    if self._stopping:
                        return
        except KeyboardInterrupt:
            return
        finally:
            self._thinking = False
            for number, handler in handlers.items():
                signal.signal(number, handler)

    def answer(self, client: Wardroom, turn: models.Turn) -> None:
        """Play until a decision is made. Nothing is played twice: each move holds for the version it was thought at."""
        thinker = self.thinkers.get(turn["ruleset"])
        refused = 0
        game = client.game(turn["game"])
        while thinker is not None and refused < TRIES:
            try:
                position = game.position()
                you = position["you"]
                if you is None or not you["awaited"] or you["decision"] != turn["decision"]:
                    return
                found = thinker(ServedQuestion(game, position, turn))
                if found is None:
                    return
                seen = position["version"]
                orders = [found] if isinstance(found, str | dict) else list(found)
                moved = game.draft(*orders, seen=seen, key=_key(turn, seen, refused)).play()
                log.info("game %s, version %s: %s", turn["game"], seen, "; ".join(map(str, orders)))
                if moved["game"]["status"] == "finished":
                    log.info("game %s is over", turn["game"])
            except (Stale, Unreachable, Unavailable, TooMany):
                continue  # what came of it, the position tells
            except (Conflict, NotFound):
                return
            except (Refused, Unreadable) as problem:
                refused += 1
                log.warning("game %s, %s: %s (%s)", turn["game"], turn["decision"], problem, _cited(problem))

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True
        if not self._thinking:
            raise KeyboardInterrupt


def _key(turn: models.Turn, version: int, tried: int) -> str:
    """The Idempotency-Key of a bot's move: the same after a restart, so that a move under way then is found again."""
    words = f"{turn['game']} {turn['decision']} {version} {tried}"
    return hashlib.sha256(words.encode()).hexdigest()[:40]


def _cited(problem: Problem) -> str:
    return " ".join(word for word in (problem.code, problem.rule, problem.line) if word)

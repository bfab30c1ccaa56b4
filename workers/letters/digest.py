"""A digest: what happened in each game of a reader, as values."""

from dataclasses import dataclass

from domain.audit.checkpoints import Signed
from domain.engine.sentences import Sentence, say, say_n


@dataclass(frozen=True, slots=True)
class GameNews:
    """One game in a digest, in its reader's words."""

    game: str
    title: str
    players: str
    due: int | None  # when the reader's own answer is due, NEVER where the clock stands; None: none is owed
    asks: str  # the same in words
    story: list[str]
    more: str  # how much happened before that, "" for nothing
    waits: list[str]  # whose answers are owed, and by when
    signed: Signed


@dataclass(frozen=True, slots=True)
class Digest:
    """All games of a reader, those that wait for them first; `left_out` are more than fit."""

    frequency: str
    news: list[GameNews]
    left_out: int

    @property
    def headline(self) -> Sentence:
        """Its first line."""
        turns = sum(game.due is not None for game in self.news)
        if turns:
            return say_n("It is your turn in {count} game.", "It is your turn in {count} games.", turns)
        return say("What happened in your games.")

"""Bots against each other on this machine, without a server: needs wardroom-rules."""

import importlib
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from wardroom_client.bot import Bot

if TYPE_CHECKING:
    from wardroom_rules import Position  # type: ignore[import-not-found, unused-ignore]

MOST_MOVES = 5000


class LocalQuestion:
    """A decision in an arena: what a seat knows of a position, and nothing else."""

    seconds_left: float | None = None

    def __init__(self, position: "Position", seat: int) -> None:
        self._seen = position.blind(seat)
        self.ruleset = position.kind
        self.seat = seat

    @property
    def state(self) -> Any:
        return self._seen.view(self.seat)

    def legal(self) -> list[str]:
        return [self._seen.write(action) for action in self._seen.legal()]

    def local(self) -> "Position":
        return self._seen.copy()


def load_bot(name: str) -> Bot:
    """The bot that is called `module:bot`. Raises ValueError where there is none."""
    module, _, attribute = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found = getattr(importlib.import_module(module), attribute or "bot")
    except (ImportError, AttributeError) as error:
        raise ValueError(f"{name} is no bot: {error}. Name it as module:bot.") from error
    if not isinstance(found, Bot):
        raise ValueError(f"{name} is no Bot, but a {type(found).__name__}.")
    return found


def play_game(names: list[str], kind: str, number: int) -> dict[str, Any]:
    """One game, seats rotated by its number: who won, and what each bot scored. The number is its seed, too.

    Raises RuleViolation or OrderNotUnderstood for a bot that plays what is forbidden, ValueError for one that does not
    answer.
    """
    from wardroom_rules import Position  # type: ignore[import-not-found, unused-ignore]

    seats = [(seat + number) % len(names) for seat in range(len(names))]
    bots = [load_bot(names[entrant]) for entrant in seats]
    position = Position.new(kind, seats=len(names), rng=Random(number))  # noqa: S311
    for _ in range(MOST_MOVES):
        if not position.awaiting:
            break
        seat = min(position.awaiting)
        thinker = bots[seat].thinkers.get(kind)
        answer = thinker(LocalQuestion(position, seat)) if thinker else None
        if isinstance(answer, str):
            position.push(answer, seat)
        elif answer and all(isinstance(line, str) for line in answer):
            position.push("\n".join(str(line) for line in answer), seat)
        else:
            raise ValueError(f"{names[seats[seat]]} has no line of notation for a decision of {kind}")
    result = position.result()
    if result is None:
        raise ValueError(f"the game is not over after {MOST_MOVES} moves")
    scores = {entrant: result["scores"][seat] for seat, entrant in enumerate(seats)}
    return {"winners": sorted(seats[seat] for seat in result["winners"]), "scores": [scores[i] for i in sorted(scores)]}


def arena(names: list[str], kind: str, games: int, jobs: int = 1) -> dict[str, Any]:
    """So many games between bots: wins (a tie counts for each) and mean scores by entrant. Raises as play_game does."""
    play = partial(play_game, names, kind)
    if jobs > 1:
        with ProcessPoolExecutor(jobs) as pool:
            results = list(pool.map(play, range(games)))
    else:
        results = [play(number) for number in range(games)]
    wins = Counter(entrant for result in results for entrant in result["winners"])
    entrants = [
        {"bot": name, "wins": wins[entrant], "mean": sum(result["scores"][entrant] for result in results) / games}
        for entrant, name in enumerate(names)
    ]
    return {"ruleset": kind, "games": games, "entrants": entrants}

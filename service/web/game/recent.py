"""What happened since the reader's last move, step by step; what followed by rule stands folded below its step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from domain.table import events as e
from domain.table.undo import KEPT, Past
from service.games.game_story import Line
from service.store.checkpoints import checkpoint
from service.web.game.view import GameView

MOST_OPEN: Final = 6
"""Steps that are shown; those before them are folded."""
MOST_BESIDE: Final = 160
"""Letters of what followed by rule that stand beside their step; more is folded."""
END: Final = (e.GameFinished, e.GameAbandoned)


@dataclass(slots=True)
class Step:
    """What somebody did, or what a chapter of the game began with, and what followed by rule."""

    version: int
    text: str
    beside: list[str] = field(default_factory=list)
    """What is told with it."""
    folded: list[str] = field(default_factory=list)
    """What followed without anybody's decision."""


@dataclass(frozen=True, slots=True)
class Recent:
    """The steps since the reader's last move; `earlier` are folded together."""

    steps: list[Step]
    earlier: list[Step]


@dataclass(frozen=True, slots=True)
class Done:
    """What the reader has just done, and the receipt for it."""

    version: int
    sentences: list[str]
    receipt: str


def recent_of(view: GameView) -> Recent:
    """What happened since the reader's last move; to a spectator, what happened last."""
    steps = steps_since(view, view.last_move)
    cut = max(0, len(steps) - MOST_OPEN)
    return Recent(steps[cut:], steps[:cut] if view.seat is not None else [])


def steps_since(view: GameView, after: int) -> list[Step]:
    """What the events after one tell the reader, step by step."""
    steps: list[Step] = []
    for line, past, followed in _told(view, after):
        text = view.words(line.text)
        if not steps or _begins(view, past):
            steps.append(Step(line.version, text))
        elif past.event.OPENS or isinstance(past.event, END) or not followed:
            steps[-1].beside.append(text)
        else:
            steps[-1].folded.append(text)
    for step in steps:
        if len(" ".join(step.folded)) <= MOST_BESIDE:
            step.beside, step.folded = step.beside + step.folded, []
    return steps


def done_at(view: GameView, version: int) -> Done | None:
    """What the reader did in the request whose last event is this one; None where it was not the reader."""
    past = view.past
    if view.seat is None or not 1 <= version <= len(past):
        return None
    cause = past[version - 1].cause
    request = [entry for entry in past if entry.cause == cause]
    mine = [entry.version for entry in request if entry.actor == {"seat": view.seat}]
    if request[-1].version != version or not mine or request[0].actor != {"seat": view.seat}:
        return None
    told = [view.words(line.text) for line in _lines(view, mine) if line.text]
    signed = checkpoint(view.connection, view.services.streams, view.services.signer, view.head.game, version)
    return Done(version, told, signed.receipt())


def _lines(view: GameView, versions: Sequence[int]) -> Iterator[Line]:
    """What these events of one request tell of what the reader did: not what then followed by rule."""
    for version in versions:
        if view.past[version - 1].action or isinstance(view.past[version - 1].event, KEPT):
            yield view.told[version - 1]


def _told(view: GameView, after: int) -> Iterator[tuple[Line, Past, bool]]:
    """Each line that tells anything, its event, and whether another step follows it."""
    passing = view.head.rules.presentation.narrative.passing
    last = max((entry.version for entry in view.past if _begins(view, entry)), default=0)
    for line in view.told[after:]:
        if line.text and type(line.event) not in passing:
            yield line, view.past[line.version - 1], line.version < last


def _begins(view: GameView, past: Past) -> bool:
    """Whether a step begins with an event."""
    scenes = view.head.rules.presentation.narrative.scenes
    return past.action or type(past.event) in scenes or isinstance(past.event, KEPT)

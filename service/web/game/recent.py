"""Steps since the reader's last move, each with its folded consequences by rule."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from domain.engine.contests import Contest
from domain.table import events as e
from domain.table.undo import KEPT, Past
from service.games.event_text import gift
from service.games.reader_view import ReaderView, Told

MOST_OPEN: Final = 6
"""Steps that are shown; those before them are folded."""
MOST_BESIDE: Final = 60
"""Letters of what followed by rule that stand beside their step; more is folded."""
MOST_CONTESTS: Final = 6
"""Contests that are shown, the latest ones."""
END: Final = (e.GameFinished, e.GameAbandoned)


@dataclass(slots=True)
class Step:
    """A move or the beginning of a chapter, and the events that followed by rule."""

    version: int
    text: str
    beside: list[str] = field(default_factory=list)
    """What is told with it."""
    folded: list[str] = field(default_factory=list)
    """What followed without anybody's decision."""
    sealed: str = ""
    """What the reader sealed with it, shown when asked for."""
    seat: int | None = None
    """Who moved; None for what follows by rule."""


@dataclass(frozen=True, slots=True)
class Recent:
    """The steps since the reader's last move; `earlier` are folded together."""

    steps: list[Step]
    earlier: list[Step]


@dataclass(frozen=True, slots=True)
class Done:
    """The reader's last request, and the receipt for it."""

    version: int
    told: list[Told]
    receipt: str
    step: int
    """The version of the first action of it; 0 if it has none."""


def recent_of(view: ReaderView) -> Recent:
    """Return the steps since the reader's last move; for a spectator, the last steps."""
    steps = steps_since(view, view.news_after)
    cut = max(0, len(steps) - MOST_OPEN)
    return Recent(steps[cut:], steps[:cut] if view.seat is not None else [])


def contests_of(view: ReaderView, recent: Recent) -> list[tuple[Contest, bool]]:
    """Return the elections and auctions among the news, and whether each is unfolded.

    One is: rather one of the reader, rather one with sealed bids, rather the latest.
    """
    shown = recent.earlier + recent.steps
    if not shown:
        return []
    after = view.last_move if view.seat is not None else shown[0].version - 1
    facts = [(line.version, line.event) for line in view.news if line.undone_by is None]
    found = view.head.rules.presentation.contests(facts, after, view.seat, view.names)[-MOST_CONTESTS:]
    unfolded = max(
        found, key=lambda contest: (contest.has(view.seat), contest.was_sealed, contest.version), default=None
    )
    return [(contest, contest is unfolded) for contest in found]


def steps_since(view: ReaderView, after: int) -> list[Step]:
    """Return the steps after an event."""
    steps: list[Step] = []
    rules = view.head.rules
    last = max((entry.version for entry in view.past if _begins(view, entry)), default=0)
    for told, past in _telling(view, after):
        if not steps or _begins(view, past):
            steps.append(
                Step(told.version, told.text, sealed=told.sealed, seat=past.actor.get("seat") if past.action else None)
            )
        elif (
            past.event.OPENS or isinstance(past.event, END) or told.version > last or gift(rules, past.event, view.seat)
        ):
            steps[-1].beside.append(told.text)
        else:
            steps[-1].folded.append(told.text)
    for step in steps:
        if len(" ".join(step.folded)) <= MOST_BESIDE:
            step.beside, step.folded = step.beside + step.folded, []
    return steps


def done_at(view: ReaderView, version: int) -> Done | None:
    """Return the reader's request that ended with this event, or None if it was not the reader's."""
    past = view.past
    if view.seat is None or not 1 <= version <= len(past):
        return None
    request = [entry for entry in past if entry.cause == past[version - 1].cause]
    if request[-1].version != version or request[0].actor != view.actor:
        return None
    mine = [entry for entry in request if entry.actor == view.actor]
    lines = {line.version: line for line in view.lines(request[0].version - 1, version)}
    told = [view.tell(lines[entry.version]) for entry in mine if entry.action or isinstance(entry.event, KEPT)]
    step = next((entry.version for entry in mine if entry.action), 0)
    return Done(version, [line for line in told if line.text], view.receipt(version).receipt(), step)


def _telling(view: ReaderView, after: int) -> Iterator[tuple[Told, Past]]:
    """Each event after one that tells anything, but for what goes without saying."""
    passing = view.head.rules.presentation.narrative.passing
    for line in view.news if after == view.news_after else view.lines(after):
        if line.version <= after:
            continue
        told = view.tell(line)
        if told.text and type(told.line.event) not in passing:
            if given := gift(view.head.rules, told.line.event, view.seat):
                told = replace(told, text=f"{told.text} {view.words(given)}")
            yield told, view.past[told.version - 1]


def _begins(view: ReaderView, past: Past) -> bool:
    """Return whether an event begins a step."""
    scenes = view.head.rules.presentation.narrative.scenes
    return past.action or type(past.event) in scenes or isinstance(past.event, KEPT)

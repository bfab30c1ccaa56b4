"""What one step of a replay shows: what happened, who did it and when, and the board with the places it changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from domain.engine.contests import Contest
from domain.engine.game import Event
from domain.engine.sentences import say
from service.games.event_text import tell
from service.games.game_story import Line
from service.games.reader_view import AUCTION, is_sealed
from service.store.event_store.stream_reader import undone_by
from service.web.replay.frame import Frame, changed_places
from service.web.replay.looking import Looking

BY_DRAW: Final = say("by draw")
BY_CLOCK: Final = say("by the clock")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and what the reader sealed with it, if that is not for everybody's eyes yet."""

    version: int
    text: str
    sealed: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """A step: what happened after one version up to another, and the game as it was then."""

    frame: Frame
    version: int
    told: list[Sentence]
    who: str
    """Who did it; "" where the sentences say so."""
    at: int
    undone: int
    """The version with which the game went back to before this one; 0 where it stands."""
    changed: frozenset[str]
    """The ids of the places that look different from how they were before."""
    contests: list[Contest]
    """The elections and auctions that were decided."""

    @property
    def said(self) -> str:
        """All of it for those who hear the page; nothing of it is sealed."""
        return " ".join(line.text for line in self.told)


def scene_at(looking: Looking, version: int, after: int) -> Scene:
    """What happened after one version up to another, both of which the game has, or 0 for nothing before it."""
    frame, view, game = looking.frame(version), looking.now, looking.now.head.game
    return Scene(
        frame=frame,
        version=version,
        told=_told(looking, frame, after),
        who=_who(frame, view.services.streams.requests(view.connection, game, after, version)[0]),
        at=frame.moment.head.last_at,
        undone=undone_by(looking.rewinds, version) or 0,
        changed=changed_places(looking.frame(after) if after else None, frame),
        contests=_contests(frame, after),
    )


def _contests(frame: Frame, after: int) -> list[Contest]:
    then, first = frame.then, max(0, after - AUCTION)
    facts = list(enumerate(then.events(first), first + 1))
    return then.head.rules.presentation.contests(facts, after, then.seat, then.names)


def _told(looking: Looking, frame: Frame, after: int) -> list[Sentence]:
    """The sentences of these events, without those that need no word where all others are told."""
    passing = looking.now.head.rules.presentation.narrative.passing
    revealed = frame.moment.eyes.whose == "all"
    lines = [line for line in frame.then.lines(after, revealed=revealed) if line.text]
    telling = [line for line in lines if type(line.event) not in passing]
    return [_sentence(frame, line) for line in telling or lines]


def _sentence(frame: Frame, line: Line) -> Sentence:
    text = frame.view.words(line.text)
    if frame.view.is_over or not _is_own_secret(line.event, frame.moment.seat):
        return Sentence(line.version, text)
    known_to_all = frame.view.words(tell(frame.view.head.rules, line.event, frame.then.names))
    return Sentence(line.version, known_to_all, text)


def _is_own_secret(event: Event, seat: int | None) -> bool:
    """Whether the reader sealed something with an event: it is folded, for screens that others see (0058)."""
    owners = [getattr(event, owner, None) for owner in event.SEALED.values()] if is_sealed(event) else []
    return seat is not None and seat in owners


def _who(frame: Frame, actor: Mapping[str, Any]) -> str:
    seat: int | None = actor.get("seat")
    if seat is not None:
        return frame.then.names[seat]
    return frame.view.words(BY_DRAW if "chance" in actor else BY_CLOCK) if "host" not in actor else ""

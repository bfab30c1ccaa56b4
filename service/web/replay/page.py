"""The page of a replay, and a single step of it as the page's script asks for it."""

from dataclasses import dataclass

from flask import render_template
from markupsafe import Markup

from service.games.reader_view import ReaderView
from service.web.game.page import share_of
from service.web.replay.frame import Frame
from service.web.replay.looking import Looking
from service.web.replay.scene import scene_at
from service.web.replay.spot import Spot
from service.web.replay.walk import Walk, walk_of


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the story: its heading, the stop at which it has begun, and whether that is looked at."""

    heading: str
    stop: int
    place: int
    is_here: bool


@dataclass(frozen=True, slots=True)
class Pieces:
    """What differs between the maps of two versions, as an element, and the ids of all places in their order."""

    places: str
    map: Markup


def replay_page(view: ReaderView, spot: Spot) -> str:
    """The page as HTML; the game must have the spot's versions, and the reader may look through its eyes."""
    looking = Looking(view, spot.whose)
    walk = walk_of(spot, looking.steps)
    scene = scene_at(looking, spot.version, walk.after)
    return render_template(
        "replay/page.html",
        view=view,
        spot=spot,
        looking=looking,
        walk=walk,
        scene=scene,
        position=scene.frame.marked(scene.changed),
        chapters=_chapters(looking, walk),
        share=share_of(view, spot.version),
    )


def step_fragment(view: ReaderView, whose: str, version: int, shown: int, after: int) -> str:
    """A step as the parts of the page that change from the version that is shown; `after`: what it is told after."""
    looking = Looking(view, whose)
    scene = scene_at(looking, version, after)
    return render_template(
        "replay/step.html",
        view=view,
        scene=scene,
        position=scene.frame.drawn,
        pieces=_pieces(looking.frame(shown), scene.frame),
    )


def _pieces(shown: Frame, frame: Frame) -> Pieces:
    fresh = frame.map.since(shown.map)
    return Pieces(" ".join(frame.map.places), Markup(fresh.svg()))  # noqa: S704 - every text in it is escaped


def _chapters(looking: Looking, walk: Walk) -> list[Chapter]:
    """The chapters that begin in this part of the game, each once it is begun."""
    first = walk.start + 1
    begun = [
        (looking.now.words(part.heading), walk.stop_of(max(first, part.lines[0].version)))
        for part in looking.now.story
        if part.lines[-1].version >= first and part.lines[0].version <= walk.stops[-1]
    ]
    stops = [stop for _, stop in begun]
    here = walk.stops[walk.place]
    found = []
    for number, (heading, stop) in enumerate(begun):
        following = stops[number + 1] if number + 1 < len(stops) else walk.stops[-1] + 1
        if stop < following:  # else it passes within one step, as all that comes before the game does
            found.append(Chapter(heading, stop, walk.stops.index(stop), stop <= here < following))
    return found

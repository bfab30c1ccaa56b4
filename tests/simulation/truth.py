"""Letters: none twice but where a fault hit an open dialogue, and none false when it was handed over."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from domain.table import events as e
from tests.simulation.found import Found
from tests.simulation.games import Game, Row
from tests.simulation.on_time import moved_again

EVENT_OF: Final[Mapping[str, tuple[type[Any], ...]]] = {
    "deadline-passed": (e.TurnExpired,),
    "vacant": (e.SeatVacated,),
    "brief": (e.SeatTakenOver,),
    "seat-taken": (e.SeatTakenOver, e.SeatTakenByBot),
    "orders-dropped": (e.OrdersDropped,),
    "proposal": (e.RewindProposed, e.ClockProposed),
    "taken-back": (e.Rewound,),
    "clock-news": (e.ClockPaused, e.ClockResumed, e.TimeExtended),
}
"""What happened of which a notice tells: its decision is the number of that event."""


def check_copies(found: Found, game: Game) -> None:
    """No letter twice, but where a fault hit an open dialogue; and a copy is the same to the byte (I-07)."""
    by_row: dict[int, list[Row]] = defaultdict(list)
    for one in game.letters:
        if one["fate"] in ("taken", "lost"):
            by_row[one["id"]].append(one)
    found.counts["letters"] += sum(map(len, by_row.values()))
    for copies in by_row.values():
        excused = sum(one["fate"] == "lost" or one["hit"] for one in copies)
        found.counts["letters twice"] += len(copies) - 1
        if len(copies) - 1 > excused:
            found.add("twice", f"{game.id}: {copies[0]['kind']} {copies[0]['decision']} {len(copies)} times")
        same = {(one["message"], one["digest"], one["due"]) for one in copies}
        if len({one[2] for one in same}) == 1 and len(same) > 1:
            found.add("not the same bytes", f"{game.id}: {copies[0]['kind']} {copies[0]['decision']}")


def check_truth(found: Found, game: Game) -> None:
    """No letter was false when it was handed over, at any version between the look at it and that moment."""
    for one in game.letters:
        if (why := _false(game, one)) is not None:
            found.add("false", f"{game.id}: {one['kind']} {one['decision']}, seat {one['seat']}: {why}")


def _false(game: Game, one: Row) -> str | None:
    kind = one["kind"]
    if kind in ("your-turn", "reminder"):
        return _false_turn(game, one)
    if kind == "game-over":
        ended = next(
            (n for n, event in enumerate(game.events, 1) if isinstance(event, e.GameFinished | e.GameAbandoned)),
            None,
        )
        return None if ended is not None and ended <= one["version"] else "the game went on"
    if kind not in EVENT_OF:
        return None
    first, _, last = one["decision"].partition(".")
    version = int(last or first)
    if last:  # what became of a proposal
        return None if version <= one["version"] else "nothing has become of it"
    event = game.events[version - 1]
    if version > one["version"] or not isinstance(event, EVENT_OF[kind]):
        return "nothing of the kind has happened"
    if kind == "vacant" and not any(table.chairs[event.seat].vacant for table in _tables(game, one)):
        return "the seat is not vacant"
    if kind == "proposal" and not any(
        table.proposal is not None and table.proposal.version == version for table in _tables(game, one)
    ):
        return "nothing is proposed any more"
    return None


def _false_turn(game: Game, one: Row) -> str | None:
    since = int(one["decision"].partition(".")[0])
    run = game.runs.get((one["seat"], since))
    if run is None or since > one["version"]:
        return "nothing was asked"
    if run.player != one["recipient"]:
        return "somebody else was asked"
    if run.ended is not None and one["before"] >= run.ended:
        return "the answer was given"
    again = any(row["extended"] for row in game.owed if row["since"] == since) or moved_again(game, run) is not None
    if one["due"] is not None and one["due"] not in run.dues and not again:
        return f"it was never due then, but {run.dues}"
    if one["kind"] == "reminder" and one["due"] is not None and one["due"] <= one["checked"]:
        return "the deadline had passed"
    return None


def _tables(game: Game, one: Row) -> Iterator[Any]:
    """The tables that were seen between the look at a letter's claim and its handing over."""
    for number, request in enumerate(game.commits):
        following = game.commits[number + 1].last if number + 1 < len(game.commits) else None
        if request.last <= one["version"] and (following is None or following > one["before"]):
            yield request.table

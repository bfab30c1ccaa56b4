"""The board of City Hall, read from a data file (CH-20): everything printed on the board or on cards.

The rules never read the module's BOARD: they ask the board that a game was started with and stores (CH-20.5).
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

import msgspec

from domain.city_hall.rules.pieces import BOROUGHS, LANDS, PERMITS, Land, Permit

FORMAT: Final = "city-hall-board/1"
WORDS: Final = ("rulebook", "inferred", "third-party", "reconstructed", "owner")
"""Where a value may come from (CH-20.1)."""
COUNTS: Final = {"housing": 8, "tower": 8, "factory": 8, "park": 4}
PLAYERS: Final = ("2", "3", "4")
SPACES_OF_APPROVAL: Final = 10
PLAIN_METRICS: Final = ("money", "influence", "hand", "population", "approval")
LOCAL_METRICS: Final = ("land", "built", "buildings", "stars")
METRICS: Final = frozenset(
    {*PLAIN_METRICS, *LOCAL_METRICS}
    | {f"permit:{permit}" for permit in PERMITS}
    | {f"{metric}:{borough}" for metric in LOCAL_METRICS for borough in BOROUGHS}
)
"""What an Endorsement may be awarded for (CH-12.3)."""
Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Borough:
    """The spaces of a borough, row by row, "" for a hole; the stars each Building gets for standing there."""

    grid: tuple[tuple[str, ...], ...]
    star_bonus: int


@dataclass(frozen=True, slots=True)
class PermitKind:
    """How many cards there are; the highest Star Value; the modifier of each kind of neighbour (CH-9.1)."""

    count: int
    max_stars: int
    modifiers: dict[Permit, int]


@dataclass(frozen=True, slots=True)
class Endorsement:
    """A card of the election: who has most of the metric gets the votes (CH-12)."""

    id: str
    name: str
    metric: str
    votes: int


@dataclass(frozen=True, slots=True)
class Board:
    """All that is printed, and what follows from it: the borough and the neighbours of every space."""

    boroughs: dict[str, Borough]
    bridges: tuple[tuple[Land, Land], ...]
    ratings: tuple[int, ...]  # by approval space, from 1
    approval_start: int
    star_start: dict[str, int]  # by number of players, as digits
    population_start: int
    population_max: int
    permits: dict[Permit, PermitKind]
    endorsements: tuple[Endorsement, ...]
    borough_of: dict[Land, str]
    neighbours: dict[Land, tuple[Land, ...]]  # those of the borough first, then over bridges (CH-2.3, CH-2.4)


def read_board(text: str) -> Board:
    """The board a data file describes. Raises ValueError with a sentence naming the field that is wrong (CH-20.4)."""
    data = _parsed(text)
    _require(data.get("format") == FORMAT, "format", f"must be {FORMAT!r}")
    _check_sources(data)
    grids = {name: _grid(data, name) for name in BOROUGHS}
    bridges = _bridges(data, grids)
    population = _section(data, "population")
    start, most = _count(population, "population", "start", 1), _count(population, "population", "max", 1)
    _require(start <= most, "population.start", "is beyond population.max")
    return Board(
        boroughs={name: Borough(grids[name], _star_bonus(data, name)) for name in BOROUGHS},
        bridges=bridges,
        ratings=_ratings(data),
        approval_start=_approval_start(data),
        star_start=_star_start(data),
        population_start=start,
        population_max=most,
        permits={permit: _permit(data, permit) for permit in PERMITS},
        endorsements=_endorsements(data),
        borough_of={land: name for land in LANDS for name, grid in grids.items() if any(land in row for row in grid)},
        neighbours=_neighbours(grids, bridges),
    )


def sources(text: str) -> dict[str, str]:
    """Every field of a data file, by its path, with the word for where its value comes from (CH-20.1)."""
    return {
        f"{path}.{field}": table["source"][field] for path, table in _tables(_parsed(text)) for field in table["source"]
    }


def reconstructed() -> list[str]:
    """The fields of the board that no source is known for: consistent, playable values were chosen (CH-1.2)."""
    return [field for field, source in SOURCES.items() if source == "reconstructed"]


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"The board file is not TOML: {error}.") from error


def _require(claim: object, field: str, wrong: str) -> None:
    if not claim:
        raise ValueError(f"The board file: {field} {wrong}.")


def _tables(data: Table) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every table of a file that has fields, with its path; rows of a list by their id, or else their number."""
    for name, section in data.items():
        match section:
            case list():
                for number, row in enumerate(section, 1):
                    _require(isinstance(row, dict), f"{name} {number}", "must be a table")
                    yield f"{name}.{row.get('id', number)}", row
            case dict() if name in ("borough", "permit"):
                for part, table in section.items():
                    _require(isinstance(table, dict), f"{name}.{part}", "must be a table")
                    yield f"{name}.{part}", table
            case dict():
                yield name, section
            case _:
                _require(name == "format", name, "is no table of the format")


def _check_sources(data: Table) -> None:
    for path, table in _tables(data):
        source: Any = table.get("source")
        _require(isinstance(source, dict), f"{path}.source", "is missing")
        fields = [field for field in table if field not in ("source", "id")]
        for field in fields:
            _require(source.get(field) in WORDS, f"{path}.source.{field}", f"must be one of {', '.join(WORDS)}")
        for field in source:
            _require(field in fields, f"{path}.source.{field}", "names a field that is not there")


def _section(data: Table, *path: str) -> Table:
    table: Any = data
    for name in path:
        table = table.get(name) if isinstance(table, dict) else None
    _require(isinstance(table, dict), ".".join(path), "is missing")
    return table  # type: ignore[no-any-return]


def _whole(table: Table, path: str, field: str) -> int:
    value = table.get(field)
    _require(type(value) is int, f"{path}.{field}", "must be a whole number")
    return value  # type: ignore[return-value]


def _count(table: Table, path: str, field: str, least: int) -> int:
    value = _whole(table, path, field)
    _require(value >= least, f"{path}.{field}", f"must be at least {least}")
    return value


def _grid(data: Table, borough: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a borough: each of its spaces once, and no others (CH-2.1)."""
    path = f"borough.{borough}.grid"
    grid: Any = _section(data, "borough", borough).get("grid")
    rows = isinstance(grid, list) and all(isinstance(row, list) for row in grid)
    _require(rows and all(isinstance(cell, str) for row in grid for cell in row), path, "must be rows of space names")
    spaces = sorted(cell for row in grid for cell in row if cell)
    own = sorted(land for land in LANDS if land.startswith(BOROUGHS[borough]))
    _require(spaces == own, path, f"must hold each of {', '.join(own)} once and nothing else")
    return tuple(tuple(row) for row in grid)


def _star_bonus(data: Table, borough: str) -> int:
    return _whole(_section(data, "borough", borough), f"borough.{borough}", "star_bonus")


def _bridges(data: Table, grids: Mapping[str, Sequence[Sequence[str]]]) -> tuple[tuple[Land, Land], ...]:
    """Pairs of known spaces of different boroughs, no pair twice."""
    rows = data.get("bridge", [])
    _require(isinstance(rows, list), "bridge", "must be a list of tables")
    found: list[tuple[Land, Land]] = []
    for number, row in enumerate(rows, 1):
        path = f"bridge.{number}.between"
        ends = row.get("between")
        _require(isinstance(ends, list) and len(ends) == 2, path, "must name two spaces")
        _require(all(end in LANDS for end in ends), path, "names a space there is not")
        _require(ends[0][0] != ends[1][0], path, "joins two spaces of one borough")
        _require(not {(ends[0], ends[1]), (ends[1], ends[0])} & set(found), path, "is there twice")
        found.append((ends[0], ends[1]))
    return tuple(found)


def _ratings(data: Table) -> tuple[int, ...]:
    path = "approval.ratings"
    ratings: Any = _section(data, "approval").get("ratings")
    whole = isinstance(ratings, list) and all(type(rating) is int and rating >= 0 for rating in ratings)
    _require(whole, path, "must be whole numbers")
    _require(len(ratings) == SPACES_OF_APPROVAL, path, f"must have {SPACES_OF_APPROVAL} entries")
    _require(ratings == sorted(ratings), path, "must never fall")
    return tuple(ratings)


def _approval_start(data: Table) -> int:
    start = _whole(_section(data, "approval"), "approval", "start")
    _require(start == 1, "approval.start", "must be 1")
    return start


def _star_start(data: Table) -> dict[str, int]:
    path = "approval.star_start"
    table = _section(data, "approval", "star_start")
    _require(set(table) == set(PLAYERS), path, "must have a space for 2, 3 and 4 players")
    for players in PLAYERS:
        space = _whole(table, path, players)
        _require(1 <= space < SPACES_OF_APPROVAL, f"{path}.{players}", f"must lie in 1 to {SPACES_OF_APPROVAL - 1}")
    return {players: table[players] for players in PLAYERS}


def _permit(data: Table, permit: Permit) -> PermitKind:
    path = f"permit.{permit}"
    table = _section(data, "permit", permit)
    extra = set(_section(data, "permit")) - set(PERMITS)
    _require(not extra, f"permit.{', permit.'.join(sorted(extra))}", "is no kind of Permit")
    _require(_whole(table, path, "count") == COUNTS[permit], f"{path}.count", f"must be {COUNTS[permit]}")
    modifiers = _section(data, "permit", permit, "modifiers")
    for kind in modifiers:
        _require(kind in PERMITS, f"{path}.modifiers.{kind}", "is no kind of Permit")
        _whole(modifiers, f"{path}.modifiers", kind)
    return PermitKind(
        COUNTS[permit],
        _count(table, path, "max_stars", 0),
        {kind: modifiers[kind] for kind in PERMITS if kind in modifiers},
    )


def _endorsements(data: Table) -> tuple[Endorsement, ...]:
    rows = data.get("endorsement", [])
    _require(isinstance(rows, list), "endorsement", "must be a list of tables")
    found: dict[str, Endorsement] = {}
    for number, row in enumerate(rows, 1):
        path = f"endorsement.{number}"
        for field in ("id", "name", "metric"):
            _require(isinstance(row.get(field), str) and row[field], f"{path}.{field}", "must be a text")
        name = row["id"]
        _require(name.isascii(), f"{path}.id", "must be plain ASCII")
        _require(name not in found, f"{path}.id", f"is there twice: {name}")
        _require(row["metric"] in METRICS, f"{path}.metric", f"is none that can be counted: {row['metric']}")
        found[name] = Endorsement(name, row["name"], row["metric"], _count(row, path, "votes", 0))
    return tuple(found.values())


def _neighbours(
    grids: Mapping[str, Sequence[Sequence[str]]], bridges: Sequence[tuple[Land, Land]]
) -> dict[Land, tuple[Land, ...]]:
    """Spaces that touch along a side or at a corner in a grid, or are joined by a bridge (CH-2.3, CH-2.4)."""
    place = {
        cell: (borough, y, x)
        for borough, grid in grids.items()
        for y, row in enumerate(grid)
        for x, cell in enumerate(row)
        if cell
    }
    found: dict[Land, tuple[Land, ...]] = {}
    for land in LANDS:
        borough, y, x = place[land]
        touching = [
            other
            for other in LANDS
            if other != land
            and place[other][0] == borough
            and abs(place[other][1] - y) <= 1
            and abs(place[other][2] - x) <= 1
        ]
        across = [other for other in LANDS if (land, other) in bridges or (other, land) in bridges]
        found[land] = (*touching, *across)
    return found


def printed() -> dict[str, Any]:
    """The board new games are played on, with the source of each value and the list of those that were made up."""
    return {"board": msgspec.to_builtins(BOARD), "sources": SOURCES, "reconstructed": reconstructed()}


_TEXT: Final = (files("domain.city_hall") / "board.toml").read_text(encoding="utf-8")
BOARD: Final = read_board(_TEXT)
"""The board new games are played on."""
SOURCES: Final = sources(_TEXT)
"""Every field of it, with its source."""

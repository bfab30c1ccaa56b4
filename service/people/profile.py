"""A profile: games and results, rulesets, reliability, opponents, as far as somebody sees them (`visibility`).

Page and API say what this says. What is hidden is None, and nothing of it is looked up.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from service.container import Services
from service.kernel.clock import SECOND, moment
from service.people.visibility import Sight, showing_games_to
from service.store.across import careers
from service.store.across.careers import Answers, Beside, Ending
from service.store.database import Connection

YEAR: Final = 365 * 24 * 3600 * SECOND
"""How far back reliability looks."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Finished games of one kind: how many, and how many of them were won."""

    finished: int = 0
    won: int = 0

    def plus(self, ending: Ending) -> "Tally":
        return Tally(self.finished + 1, self.won + ending.won)


@dataclass(frozen=True, slots=True)
class Games:
    """A person's games: those under way, those that ended, and apart from them those against bots alone."""

    open: int
    running: int
    abandoned: int
    with_people: Tally
    against_bots: Tally
    rulesets: dict[str, Tally]
    """With people, by the ruleset; the most played first."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody a person has finished games with: how many, and how many of them each of the two has won."""

    player: str
    name: str
    games: int
    own_wins: int
    their_wins: int


@dataclass(frozen=True, slots=True)
class Profile:
    """What one sees of a person; None for each part that is hidden."""

    sight: Sight
    joined: str | None = None  # the month: 2026-11
    languages: list[str] | None = None
    games: Games | None = None
    reliability: Answers | None = None
    together: Opponent | None = None
    """Whoever looks, as an opponent of the person; None as well for the person themselves, and who never met them."""
    opponents: list[Opponent] | None = None
    endings: dict[str, Ending] = field(default_factory=dict)
    """The finished games that may be listed, by their ids."""


def profile_of(services: Services, connection: Connection, sight: Sight) -> Profile:
    """A person's profile as it is seen."""
    owner, viewer = sight.owner, sight.viewer
    counted = any(sight.sees(part) for part in ("games", "opponents", "together"))
    endings = careers.endings(connection, owner.id, viewer) if counted else []
    beside = careers.beside(connection, owner.id, viewer) if counted else []
    met = _opponents(endings, beside)
    now = services.database.clock.now(connection)
    return Profile(
        sight,
        joined=f"{moment(owner.created_at):%Y-%m}" if sight.sees("joined") else None,
        languages=sight.shown.speaks.split() if sight.sees("languages") else None,
        games=_games(careers.counts(connection, owner.id, viewer), endings, beside) if sight.sees("games") else None,
        reliability=careers.answers(connection, owner.id, viewer, now - YEAR) if sight.sees("reliability") else None,
        together=met.get(viewer or "") if sight.sees("together") else None,
        opponents=_shown_opponents(connection, sight, met) if sight.sees("opponents") else None,
        endings={ending.game: ending for ending in endings} if sight.sees("games") else {},
    )


def _games(counts: dict[str, int], endings: list[Ending], beside: Iterable[Beside]) -> Games:
    with_people = {other.game for other in beside if other.player is not None}
    people, bots, rulesets = Tally(), Tally(), dict[str, Tally]()
    for ending in endings:
        if ending.game in with_people:
            people = people.plus(ending)
            rulesets[ending.ruleset] = rulesets.get(ending.ruleset, Tally()).plus(ending)
        else:
            bots = bots.plus(ending)
    played = dict(sorted(rulesets.items(), key=lambda entry: (-entry[1].finished, entry[0])))
    under_way = {status: counts.get(status, 0) for status in ("open", "running", "abandoned")}
    return Games(**under_way, with_people=people, against_bots=bots, rulesets=played)


def _opponents(endings: Iterable[Ending], beside: Iterable[Beside]) -> dict[str, Opponent]:
    """All whom a person has finished a game with, by id: those who are gone, and bots, are nobody's opponents."""
    by_game = {ending.game: ending for ending in endings}
    games, own, theirs, names = Counter[str](), Counter[str](), Counter[str](), dict[str, str]()
    for other in beside:
        ending = by_game.get(other.game)
        if ending is None or other.player is None or other.name is None:
            continue
        names[other.player] = other.name
        games[other.player] += 1
        own[other.player] += ending.won
        theirs[other.player] += other.seat in ending.winners
    return {
        player: Opponent(player, name, games[player], own[player], theirs[player]) for player, name in names.items()
    }


def _shown_opponents(connection: Connection, sight: Sight, met: dict[str, Opponent]) -> list[Opponent]:
    """Those who show their own games to whoever looks, most games first; all of them to the person themselves."""
    listed = set(met) if sight.nearness == "owner" else showing_games_to(connection, list(met), sight.viewer)
    found = [opponent for player, opponent in met.items() if player in listed]
    return sorted(found, key=lambda opponent: (-opponent.games, opponent.name.casefold(), opponent.player))

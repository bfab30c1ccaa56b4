"""The archive of whole games, made anew: `python -m tests.archive.make`. The same seeds give the same bytes.

`--search RULESET` looks for seeds whose games show what is rare, until it is stopped.
"""

import hashlib
import json
import lzma
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

from domain.city_hall import CITY_HALL
from domain.engine.bots import TEMPERS, Bot
from domain.engine.canonical import canonical
from domain.table.evolve import Rules
from domain.table.state import Table
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.board import LAST_YEAR, Colour
from tests.archive import orders
from tests.archive.players import citizen, crowding, moody, quiet, rivals, saver
from tests.archive.shown import WANTED, shown
from tests.archive.tables import PLAYERS, Story, anything

LAST_MOODS: Final = (quiet(0.8), crowding(0.9), crowding(1), quiet(0.97))
BRANCHES: Final = 40
"""Ways to go on in each of those moods."""
HERE: Final = Path(__file__).parent / "games"
IDS: Final = "0123456789abcdefghjkmnpqrstvwxyz"


@dataclass(frozen=True)
class Recipe:
    """How one game of the archive comes about."""

    name: str
    rules: Rules
    make: Callable[[], Story]

    @property
    def game(self) -> str:
        """Its id, made of its name."""
        number = int.from_bytes(hashlib.sha256(self.name.encode()).digest()[:8], "big")
        return "".join(IDS[number >> 5 * place & 31] for place in range(10))


def tammany(seed: int) -> Story:
    """Tammany Hall of many ties."""
    seats = 3 + seed % 3
    return Story(TAMMANY_HALL, random.Random(seed)).begin(seats).play_out(moody(random.Random(seed)))


def close(seed: int, branch: int) -> Story:
    """The same up to the last year; from there, one of many ways it could have gone on."""
    moods, seats = random.Random(seed), 3 + seed % 3
    story = Story(TAMMANY_HALL, random.Random(seed)).begin(seats)
    story.play_out(moody(moods), until=lambda game: game.year == LAST_YEAR)
    return story.branch(branch).play_out(LAST_MOODS[branch // BRANCHES])


def even(seed: int, won: Colour, settled: Colour) -> Story:
    """Tammany Hall on purpose: equal points at the end, and chips in all, so that colours decide, or the mayor wins."""
    return Story(TAMMANY_HALL, random.Random(seed)).begin(3).play_out(rivals(won, settled))


def city(seed: int) -> Story:
    """City Hall, in every other game without bids."""
    return Story(CITY_HALL, random.Random(seed)).begin(2 + seed % 3).play_out(saver if seed % 2 else citizen)


def troubled(rules: Rules, seed: int) -> Story:
    """A game with all that can happen around one, under other options each time."""
    chance = random.Random(seed)
    seats = rules.seats[seed % len(rules.seats)]
    bots = int(seats > 2 and chance.random() < 0.4)
    options = {name: chance.choice(values) for name, values in rules.options.items() if name not in rules.later_options}
    clock = {"strikes": chance.choice([1, 2, 3]), "on_timeout": chance.choice(["caretaker", "pause"])}
    story = Story(rules, chance).begin(seats, bots, options=options, **clock)
    wishes = orders.tammany if rules is TAMMANY_HALL else orders.city
    choose = quiet(0.3) if rules is TAMMANY_HALL else citizen
    return story.play_out(choose, trouble=chance.choice([0.04, 0.08, 0.15]), orders=wishes)


def closed(rules: Rules, seed: int) -> Story:
    """Some sit down, and all go again."""
    story = Story(rules, random.Random(seed)).open(rules.seats[-1]).sit_bots(1).sit(PLAYERS[1])
    story.leave(PLAYERS[0])
    story.leave(PLAYERS[1])
    return story


def played_by_bots(rules: Rules, seed: int) -> Story:
    """Two people among bots that think, whom the host calls and sends away; some moves are by lot, as is who leaves."""
    chance = random.Random(seed)
    story = Story(rules, chance).open(rules.seats[-1], strikes=1)
    for seat in range(1, rules.seats[-1] - 1):
        assert story.put_bot(seat, Bot(1 + seat % 3, TEMPERS[seat % 4]))
    assert story.remove_bot(1)
    story.sit(PLAYERS[1], PLAYERS[2])
    return story.play_out(citizen if rules is CITY_HALL else anything, calls=0.03)


def fewer(rules: Rules, seed: int) -> Story:
    """Nobody takes the last seat, and the host begins."""
    story = Story(rules, random.Random(seed)).open(rules.seats[-1]).sit(*PLAYERS[1 : rules.seats[-1] - 1])
    assert story.start()
    return story.play_out(citizen if rules is CITY_HALL else anything)


def deserted(rules: Rules, seed: int) -> Story:
    """One after the other lets deadlines pass, or leaves for good."""
    chance = random.Random(seed)
    story = Story(rules, chance).begin(rules.seats[seed % len(rules.seats)], strikes=1 + seed % 2)
    while story.table.status == "running":
        seat = chance.choice(sorted(rules.decider.awaiting(story.table.game)))
        if chance.random() < 0.1:
            story.give_up(str(story.table.chairs[seat].player))
        else:
            story.expire(seat)
    return story


def replaced(rules: Rules, seed: int) -> Story:
    """The host does not wait for somebody late, who is replaced, and whose standing orders go with the seat."""
    story = Story(rules, random.Random(seed)).begin(rules.seats[0], on_timeout="pause")
    (late,) = rules.decider.awaiting(story.table.game)
    assert story.file_orders(late, "bonus others pass" if rules is TAMMANY_HALL else "every round\nothers bid 5")
    assert story.expire(late)
    assert story.runs_again(by_host=True)
    assert story.expire(late)
    story.sit("p_fred")
    return story.play_out(citizen if rules is CITY_HALL else anything)


TAMMANY_SEEDS: Final = (0, 1, 2, 12, 15, 75, 109, 110, 100148)
CLOSE_SEEDS: Final = ((17, 28), (300, 1))
EVEN_SEEDS: Final[tuple[tuple[int, Colour, Colour], ...]] = ((0, "german", "italian"), (0, "english", "english"))
CITY_SEEDS: Final = (0, 1, 2, 3, 5, 7, 39, 52, 74)
TROUBLED: Final = 19
"""How many troubled games of each ruleset."""


def recipes() -> Iterator[Recipe]:
    """All games, in their order."""
    for seed in TAMMANY_SEEDS:
        yield Recipe(f"tammany-hall-ties-{seed}", TAMMANY_HALL, lambda seed=seed: tammany(seed))  # type: ignore[misc]
    for seed, branch in CLOSE_SEEDS:
        make: Any = lambda seed=seed, branch=branch: close(seed, branch)  # noqa: E731
        yield Recipe(f"tammany-hall-close-{seed}-{branch}", TAMMANY_HALL, make)
    for seed, won, settled in EVEN_SEEDS:
        make = lambda seed=seed, won=won, settled=settled: even(seed, won, settled)  # noqa: E731
        yield Recipe(f"tammany-hall-even-{won}-{settled}-{seed}", TAMMANY_HALL, make)
    for seed in CITY_SEEDS:
        yield Recipe(f"city-hall-votes-{seed}", CITY_HALL, lambda seed=seed: city(seed))  # type: ignore[misc]
    for rules in (TAMMANY_HALL, CITY_HALL):
        for seed in range(TROUBLED):
            make = lambda rules=rules, seed=seed: troubled(rules, seed)  # noqa: E731
            yield Recipe(f"{rules.kind}-troubled-{seed}", rules, make)
        for seed, kind in enumerate((closed, fewer, deserted, deserted, replaced)):
            make = lambda rules=rules, seed=seed, kind=kind: kind(rules, seed)  # noqa: E731
            yield Recipe(f"{rules.kind}-{kind.__name__}-{seed}", rules, make)
    for rules in (TAMMANY_HALL, CITY_HALL):
        make = lambda rules=rules: played_by_bots(rules, 0)  # noqa: E731
        yield Recipe(f"{rules.kind}-bots-0", rules, make)


def main() -> None:
    """Write all games, and the index."""
    HERE.mkdir(exist_ok=True)
    for old in HERE.glob("*.ndjson.xz"):
        old.unlink()
    index, all_shown = [], set()
    for recipe in recipes():
        story = recipe.make()
        index.append(write(recipe, story))
        all_shown |= set(index[-1]["shows"])
        print(recipe.name, len(story.facts), file=sys.stderr)
    (HERE / "index.json").write_text(json.dumps(index, indent=1) + "\n")
    for kind, wanted in WANTED.items():
        print(f"{kind}: nothing shows {sorted(set(wanted) - all_shown)}", file=sys.stderr)


def write(recipe: Recipe, story: Story) -> dict[str, Any]:
    """Write a game; its entry of the index."""
    assert story.table.status in ("finished", "abandoned"), recipe.name
    lines = story.export(recipe.game)
    name = f"{recipe.name}.ndjson.xz"
    content = b"".join(line + b"\n" for line in lines)
    (HERE / name).write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    return {
        "file": name,
        "ruleset": recipe.rules.kind,
        "seats": len(story.table.chairs),
        "events": len(story.facts),
        "shows": sorted(shown(recipe.rules, [fact.event for fact in story.facts])),
        "state": state_digest(recipe.rules, story.table),
        "head": json.loads(lines[-1])["end"]["hash"],
    }


def state_digest(rules: Rules, table: Table) -> str:
    """SHA-256 of the state document everybody sees at the end; of null where the game never began."""
    return hashlib.sha256(canonical(None if table.game is None else rules.decider.view(table.game, None))).hexdigest()


def search(kind: str) -> None:
    """Print, for each thing to show, the first seed that shows it."""
    make, rules = {"tammany-hall": (tammany, TAMMANY_HALL), "city-hall": (city, CITY_HALL)}[kind]
    missing = set(WANTED[kind])
    for seed in count():
        found = shown(rules, [fact.event for fact in make(seed).facts]) & missing
        missing -= found
        for one in sorted(found):
            print(seed, one, flush=True)
        if not missing:
            return


if __name__ == "__main__":
    search(sys.argv[2]) if sys.argv[1:2] == ["--search"] else main()

"""When players answer, and what else they do."""

import heapq
import random
from dataclasses import dataclass, field
from typing import Any, Final

from service.kernel.clock import SECOND
from tests.simulation.players import NEVER, Deed
from tests.simulation.told import Leave, Mail, Told
from tests.simulation.world import Person, opening

MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
CLUSTER: Final = 5 * MINUTE
"""Players look at their mail in step, so that much happens at once."""
MAILED: Final = 1
HABITS: Final = {
    "never": 30, "some time": 35, "at once": 6, "just before": 6, "on the dot": 6, "in the grace": 5,
    "last moment": 5, "with the caretaker": 6, "by mail": MAILED,
}  # fmt: skip
"""When a decision is answered, and how common that is in a hundred."""
ELSE: Final = 0.09
"""Of the decisions, how many bring something else about: more time, a pause, orders, leave, a move taken back."""
BETTER: Final = 0.06
"""Of the answers, how many are thought better of."""
DECISIONS: Final = 9.5
"""How many a game brings, on the average: so many games are opened."""
UNKNOWN: Final = (4 * HOUR, 4 * HOUR + 10 * MINUTE)
"""When somebody answers whose clock stands, at the latest."""


@dataclass(order=True, slots=True)
class Plan:
    """A deed at its time."""

    at: int
    number: int
    deed: Deed = field(compare=False)


class Diary:
    """What players are going to do. `now` is kept by the conductor."""

    def __init__(self, told: Told, *, seed: str, people: int, games: float, rough: int) -> None:
        """`games` are opened in every cluster, on the average; `rough` makes mail so many times as common."""
        self.habits = HABITS | {"by mail": MAILED * rough}
        self.told, self.seed, self.people, self.games = told, seed, people, games
        self.chance = random.Random(f"diary {seed}")
        self.plans: list[Plan] = []
        self.numbers = iter(range(1 << 60))
        self.unopened = 0.0

    def after(self, at: int) -> int:
        """When players look at their mail next: in the first seconds of every five minutes, no clockwork."""
        number = at // CLUSTER
        times = (
            one * CLUSTER + random.Random(f"{self.seed} {one}").randrange(1, 5 * SECOND) for one in (number, number + 1)
        )
        return next(time for time in times if time > at)

    def next(self) -> int | None:
        """When the next deed is planned for."""
        return self.plans[0].at if self.plans else None

    def due(self, at: int) -> list[Deed]:
        """What is done by then."""
        deeds = []
        while self.plans and self.plans[0].at <= at:
            deeds.append(heapq.heappop(self.plans).deed)
        return deeds

    def tables(self) -> list[Deed]:
        """Tables that are opened in this cluster."""
        self.unopened += self.games
        count, self.unopened = int(self.unopened), self.unopened % 1
        return [
            Deed("open", f"new {next(self.numbers)}", more={"opening": opening(self.chance, self.people)})
            for _ in range(count)
        ]

    def asked(self, game: str, seat: int, since: int, due: int | None, acts: int | None, now: int) -> None:
        """Somebody is asked: plan an answer, or none."""
        chance = self.chance
        (habit,) = chance.choices([*self.habits], [*self.habits.values()])
        self.told.habits[habit] += 1
        due, acts = due or now + UNKNOWN[0], acts or now + UNKNOWN[1]
        times = {
            "some time": self.after(now + chance.randrange(max(1, due - now))), "at once": self.after(now),
            "just before": due - 1, "on the dot": due, "in the grace": due + chance.randrange(max(1, acts - due)),
            "last moment": acts - 1, "with the caretaker": acts, "by mail": acts - chance.randrange(2 * MINUTE),
        }  # fmt: skip
        if habit in times:
            at = max(times[habit], now + 1)
            precise = habit not in ("some time", "at once")
            deed = Deed("send" if habit == "by mail" else "answer", game, seat, since, {"precise": precise})
            self._plan(at, deed)
            if chance.random() < BETTER:
                self._plan(self.after(at + chance.randrange(HOUR)), Deed("answer", game, seat, since, {"again": True}))
        if chance.random() < ELSE:
            self._else(game, seat, now, due)

    def _else(self, game: str, seat: int, now: int, due: int) -> None:
        """Something besides answers."""
        chance, policy = self.chance, self.told.openings.get(game, ("", ""))[0]
        at = self.after(now + chance.randrange(max(1, due - now)))
        what = chance.choice(
            ("clock", "clock", "orders", "take back", "take back", "leave", "take over", "host resumes")
        )
        if what == "clock":
            terms, seconds = chance.choice((("pause", 3600), ("pause", 7200), ("extend", 3600), ("extend", 7200)))
            self._plan(
                at, Deed("clock", game, more={"terms": terms, "seconds": seconds, "refused": chance.random() < 0.3})
            )
            if terms == "pause" and chance.random() < 0.5:
                sooner = at + chance.randrange(1, 3600) * SECOND
                self._plan(sooner, Deed("clock", game, more={"terms": "resume", "seconds": 0}))
        elif what == "take back":  # what was answered just before: so somebody answers first
            self._plan(self.after(now), Deed("answer", game, seat, 0, {"any": True}))
            self._plan(self.after(now) + chance.randrange(1, 3600) * SECOND, Deed(what, game, seat))
        elif what != "host resumes" or policy == "pause":
            self._plan(at, Deed(what, game, seat, more={"person": Person(chance.randrange(self.people))}))

    def _plan(self, at: int, deed: Deed) -> None:
        heapq.heappush(self.plans, Plan(at, next(self.numbers), deed))

    def done(self, deed: Deed, came: str, more: Any, now: int) -> None:
        """Enter what came of a deed."""
        nothing = came == "done" and more is None
        self.told.deeds[f"{deed.what}: {'too late' if nothing else came}"] += 1
        if came != "done" and deed.what == "read":
            self._plan(now + MINUTE, deed)
        if came != "done" or nothing:
            return
        if deed.what == "open":
            self.told.openings[more] = (deed.more["opening"].policy, deed.more["opening"].ruleset)
        elif deed.what == "leave":
            self.told.leaves.append(Leave(more[0], deed.more["person"].number, *more[1:]))
        elif deed.what == "send":
            number, came_at = more
            self.told.mails[number] = Mail(deed.game, deed.seat, came_at, NEVER)
            read = {"mail": number, "precise": True}
            self._plan(now + self.chance.randrange(3 * MINUTE), Deed("read", deed.game, deed.seat, deed.since, read))
        elif deed.what == "read":
            self.told.mails[deed.more["mail"]] = self.told.mails[deed.more["mail"]]._replace(read=more)

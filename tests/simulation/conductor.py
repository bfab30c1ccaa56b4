"""The conductor: moves the clock, lets players and workers act at the same moment, kills some, and waits for the rest.

Time stands while they act, or creeps on a little: so what is measured is how the service keeps time, and not how quick
this machine is. Moments at which nothing could be due are left out.
"""

import random
import time
import zlib
from collections import defaultdict
from collections.abc import Callable
from multiprocessing.connection import wait
from typing import Any, Final

from service.kernel.clock import SECOND
from tests.simulation.company import Company, Hand
from tests.simulation.eyes import AHEAD, Eyes
from tests.simulation.habits import Diary
from tests.simulation.moment import Moment
from tests.simulation.players import Deed
from tests.simulation.told import Told

BEAT: Final = 5 * SECOND
"""How often a beat asks for a sweep (`sweep_seconds`)."""
BEATS: Final = 2
TWICE: Final = 0.15
"""Of the messages, how many come twice."""
KILLED: Final = 0.008
"""In how many moments a worker is killed."""
CREEPS: Final = 0.1
"""In how many moments time goes on meanwhile."""
SWEEP, DELIVER, TICK = "clock.sweep", "mail.deliver", "tick"
Messages = dict[int, list[str]]
"""Tasks by the number of the worker who gets them."""


class Conductor:
    """One run of the simulation."""

    def __init__(self, company: Company, eyes: Eyes, moment: Moment, diary: Diary, seed: str) -> None:
        self.company, self.eyes, self.moment, self.diary = company, eyes, moment, diary
        self.told: Told = diary.told
        self.chance = random.Random(f"conductor {seed}")
        self.seen: set[tuple[str, int, int]] = set()
        self.looked = self.swept = moment.record
        self.silent = [0] * BEATS  # until when each beat stands still

    def step(self) -> None:
        """One moment: the next at which somebody acts or something may be due."""
        now = self.moment.record
        due = self.eyes.due(now)
        wanted = min(due.clock, due.mail, self.swept + AHEAD)
        beat = max(-(-wanted // BEAT), now // BEAT + 1) * BEAT
        cluster = self.diary.after(now)
        planned = self.diary.next()
        at = max(now + 1, min(beat, cluster, beat if planned is None else planned))
        self.go_to(at)
        deeds = self.diary.due(at) + (self.diary.tables() if at == cluster else [])
        tasks = []
        if any(deed.more.get("precise") for deed in deeds) or (at == beat and min(due.clock, self.swept + AHEAD) <= at):
            tasks.append(SWEEP)
            self.swept = at
        if at == beat and due.mail <= at:
            tasks.append(DELIVER)
        messages = self._messages(at, tasks) if tasks else {}
        if deeds and (free := self.company.free()):  # the bell
            messages.setdefault(self.chance.choice(free).number, []).append(DELIVER)
        self.act(deeds, messages)
        self.look()
        self.told.moments += 1

    def act(self, deeds: list[Deed], messages: Messages, *, calm: bool = False) -> None:
        """Let all of it happen at once, with what befalls workers meanwhile unless all is calm."""
        for tasks in messages.values():
            self.told.tasks.update(tasks)
        busy = [self.company.workers[number].tell((tasks, not calm)) for number, tasks in messages.items()]
        parts: dict[int, list[Deed]] = defaultdict(list)
        for deed in deeds:
            parts[zlib.crc32(deed.game.encode()) % len(self.company.players)].append(deed)
        playing = [self.company.players[number].tell(part) for number, part in parts.items()]
        if not calm and self.chance.random() < CREEPS:
            time.sleep(self.chance.random() * 0.002)
            self.go_to(self.moment.record + self.chance.randrange(1, 2 * SECOND))
        if not calm and busy and self.chance.random() < KILLED:
            self._kill(self.chance.choice(busy))
        for hand in playing:
            for deed, came, more in hand.hear():
                self.diary.done(deed, came, more, self.moment.record)
        self.hear(busy)
        self.company.revive(self.chance)

    def hear(self, busy: list[Hand]) -> None:
        """Wait for the workers, but for who is dead or frozen."""
        waiting: dict[Any, Hand] = {hand.pipe: hand for hand in busy if hand.alive}
        waiting |= {hand.pipe: hand for hand in self.company.workers if hand.frozen and hand.pipe.poll()}
        while waiting:
            for pipe in wait([*waiting]):
                if self._hears(waiting[pipe]):
                    del waiting[pipe]

    def _hears(self, hand: Hand) -> bool:
        """One word of a worker. Whether it need not be waited for any longer."""
        word, failed = hand.hear()
        if word in ("frozen", "thawed"):
            hand.frozen = word == "frozen"
            return hand.frozen
        self.told.faults.update(failed)
        return True

    def go_to(self, at: int) -> None:
        """Let it be that time."""
        self.moment.pass_to(at)
        self.eyes.tell_time(self.moment)

    def set_clock(self, at: int) -> None:
        """Let somebody set the clock of record."""
        self.moment.set_to(at)
        self.eyes.tell_time(self.moment)

    def next_beat(self) -> int:
        """When the beats beat next."""
        return (self.moment.record // BEAT + 1) * BEAT

    def look(self) -> None:
        """Let everybody plan who has been asked something."""
        for game, seat, since, due, acts in self.eyes.begun_since(self.looked):
            if (game, seat, since) not in self.seen:
                self.seen.add((game, seat, since))
                self.diary.asked(game, seat, since, due, acts, self.moment.record)
        self.looked = self.moment.record

    def sweep_calmly(self, choose: Callable[[list[Hand]], list[Hand]] = lambda free: free[:1]) -> int:
        """One sweep by one worker or those chosen, without faults. When it was."""
        self.act([], {hand.number: [SWEEP, DELIVER] for hand in choose(self.company.free())}, calm=True)
        self.swept = self.moment.record
        return self.swept

    def settle(self) -> None:
        """Let everybody be there, and nothing be due any more; no player acts meanwhile."""
        while any(hand.frozen for hand in self.company.workers):
            self.go_to(self.next_beat())
            time.sleep(0.005)
            self.hear([])
        for _ in range(3):
            self.go_to(self.next_beat())
            self.sweep_calmly()
        self.look()

    def _messages(self, at: int, tasks: list[str]) -> Messages:
        """What the beats ask for, by worker; some messages come twice. Without a beat each ticker looks itself."""
        free = [hand.number for hand in self.company.free()]
        messages: Messages = defaultdict(list)
        beating = [beat for beat in self.silent if beat <= at]
        for task in tasks * len(beating) if free else ():
            for _ in range(1 + (self.chance.random() < TWICE)):
                messages[self.chance.choice(free)].append(task)
        return messages if beating else {number: [TICK] for number in free}

    def _kill(self, hand: Hand) -> None:
        """kill -9, some time in the midst of its work."""
        time.sleep(self.chance.random() * 0.006)
        if not hand.pipe.poll():
            self.company.kill(hand, self.moment.record)
            self.told.faults["killed"] += 1

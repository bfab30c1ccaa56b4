"""People who move when their mail has come, and who keep a ledger of all that was answered."""

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from tests.acceptance.processes import Person
from tests.simulation.rig.letterbox import Letterbox

GIVE_UP: Final = 150.0
"""Seconds after which a mail counts as lost."""


@dataclass
class Ledger:
    """What the people saw: seconds for each turn mail, moves that were acknowledged, statuses of all answers."""

    turns: dict[str, tuple[str, int]] = field(default_factory=dict)  # by the beginning of a Message-ID: game, event
    lost: list[str] = field(default_factory=list)
    moves: dict[str, list[tuple[str, list[int], str]]] = field(default_factory=dict)  # by game: key, versions, hash
    statuses: Counter[int] = field(default_factory=Counter)
    strange: list[str] = field(default_factory=list)


class Player(Person):
    """Somebody who asks again until answered."""

    ledger: Ledger
    over: threading.Event

    def insist(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Ask until it is answered otherwise than by 503; what is wrong with an answer is noted."""
        while True:
            try:
                answer = self.send(method, path, **more)
            except httpx.TransportError:
                time.sleep(0.3)
                continue
            self.ledger.statuses[answer.status_code] += 1
            if answer.status_code < 500:
                return answer
            if answer.status_code != 503 or "Retry-After" not in answer.headers:
                self.ledger.strange.append(f"{method} {path}: {answer.status_code} {answer.text[:300]}")
            time.sleep(0.5)


def play(people: list[Player], game: str, letterbox: Letterbox, over: threading.Event) -> None:
    """Move at one table, each person when the mail has come that it is their turn, until it is over."""
    ledger, number = people[0].ledger, 0
    while not over.is_set():
        position = people[0].insist("GET", f"/games/{game}").json()
        if position["status"] != "running":
            return
        seat = position["awaiting"][0]
        since = next(known["since"] for known in position["clock"]["deadlines"] if known["seat"] == seat)
        name = f"<your-turn.{game}.{since}."
        ledger.turns[name] = (game, since)
        if not letterbox.waits_for(name, GIVE_UP):
            ledger.lost.append(name)
        number += 1
        _move(people[seat], game, f"{game}-move-{number:06}")


def _move(mover: Player, game: str, key: str) -> None:
    legal = [known["text"] for known in mover.insist("GET", f"/games/{game}/actions").json()["actions"]]
    if not legal:
        return
    text = "end" if "end" in legal else legal[0]
    answer = mover.insist("POST", f"/games/{game}/moves", key=key, json={"text": text})
    if answer.status_code == 201:
        done = answer.json()
        versions = [event["version"] for event in done["events"]]
        mover.ledger.moves.setdefault(game, []).append((key, versions, done["hash"]))
    elif answer.status_code != 409:
        mover.ledger.strange.append(f"{text}: {answer.status_code} {answer.text[:300]}")

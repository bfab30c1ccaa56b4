"""One run: people sign in and sit down in calm, play under faults, and finish in calm; then all is held against the logs."""

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import httpx

from tests.acceptance.processes import answers, until
from tests.simulation.rig.letterbox import Letterbox
from tests.simulation.rig.mail_server import CALM
from tests.simulation.rig.nemesis import Nemesis
from tests.simulation.rig.players import Ledger, Player, play
from tests.simulation.rig.stacks import Stack

LAST: Final = 90.0
"""Seconds in which the last mails come, after all is well."""


def run(mode: str, seconds: float, tables: int, seed: str, folder: Path) -> dict[str, Any]:
    """Play `tables` games for so many seconds under faults. What came of it, as numbers and lists of what is wrong."""
    with ExitStack() as closing:
        stack = Stack(mode, folder, seed, closing)
        letterbox, ledger, over = Letterbox(stack.letters), Ledger(), threading.Event()
        (folder / CALM).touch()
        until(lambda: answers(stack.port), "the web process", 120)
        alone = httpx.Limits(max_keepalive_connections=0)
        http = closing.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{stack.port}", timeout=30, limits=alone))
        games = [_sit_down(number, http, letterbox, ledger) for number in range(tables)]
        threads = [
            threading.Thread(target=play, args=(people, game, letterbox, over), daemon=True) for game, people in games
        ]
        (folder / CALM).unlink()
        for thread in threads:
            thread.start()
        nemesis = Nemesis(stack, seed)
        nemesis.run(seconds)
        (folder / CALM).touch()
        over.set()
        for thread in threads:
            thread.join(LAST + 90)
        until(lambda: answers(stack.port, "/readyz"), "a service that is well", 60)
        found = _check(games, letterbox, ledger)
        return found | {"faults": dict(nemesis.befell), "statuses": dict(ledger.statuses)}


def _sit_down(number: int, http: httpx.Client, letterbox: Letterbox, ledger: Ledger) -> tuple[str, list[Player]]:
    people = [Player(f"{name}{number}", http) for name in ("ann", "bob")]
    for person in people:
        person.ledger = ledger
        person.insist("POST", "/players", json={"name": person.name.capitalize(), "email": person.email})
        mail = until(lambda who=person: _code_to(letterbox, who.email), "the code", 90)
        code = mail["text"].partition("Your code for Wardroom: ")[2].split()[0]
        token = person.insist("POST", "/tokens", json={"email": person.email, "code": code}).json()["token"]
        person.headers["Authorization"] = f"Bearer {token}"
    ann, bob = people
    table = {"ruleset": "tammany-hall", "seats": 3, "bots": [{"strength": 0}], "invite": [bob.email]}
    game = str(ann.insist("POST", "/games", json=table, key=f"open-table-{number:05}-x").json()["id"])
    bob.insist("POST", f"/games/{game}/seats", json={"nonce": "a-nonce-of-bobs-own"}, key=f"sit-down-{number:05}-xxx")
    return game, people


def _code_to(letterbox: Letterbox, email: str) -> dict[str, Any] | None:
    return next((mail for mail in letterbox.look() if mail["to"] == email and mail["text"]), None)


def _check(games: list[tuple[str, list[Player]]], letterbox: Letterbox, ledger: Ledger) -> dict[str, Any]:
    """Lateness of turn mails, and whatever is lost, doubled or wrong."""
    wrong = list(ledger.strange)
    late: list[float] = []
    for game, people in games:
        events = _events(people[0], game)
        at = {event["version"]: datetime.fromisoformat(event["at"]).timestamp() for event in events}
        hashes = {event["version"]: event["hash"] for event in events}
        wrong += _wrong_moves(game, ledger.moves.get(game, []), hashes)
        audit = people[0].insist("GET", f"/games/{game}/audit").json()
        if not audit["ok"]:
            wrong.append(f"{game} does not verify: {audit}")
        for name, (of, since) in list(ledger.turns.items()):
            if of == game:
                if letterbox.waits_for(name, LAST):
                    mail = letterbox.of(name)
                    late.append((mail["at"] if mail else 0.0) - at[since])
                else:
                    wrong.append(f"{name} never came")
    copies: dict[str, set[str]] = {}
    for mail in letterbox.look():
        copies.setdefault(mail["id"], set()).add(mail["digest"])
    wrong += [f"{name} came in {len(digests)} wordings" for name, digests in copies.items() if len(digests) > 1]
    doubled = len(letterbox.look()) - len(copies)
    ordered = sorted(late)
    return {
        "turns": len(late),
        "median": round(statistics.median(late), 1),
        "p99": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))], 1),
        "worst": round(ordered[-1], 1),
        "moves": sum(map(len, ledger.moves.values())),
        "copies": doubled,
        "wrong": wrong,
    }


def _wrong_moves(game: str, moves: list[tuple[str, list[int], str]], hashes: dict[int, str]) -> list[str]:
    """Acknowledged moves that are not in the history, or in it twice."""
    seen: set[int] = set()
    wrong = []
    for key, versions, head in moves:
        if not versions or hashes.get(versions[-1]) != head:
            wrong.append(f"{game} lost {key}: versions {versions}")
        if seen & {*versions}:
            wrong.append(f"{game} has {key} twice: versions {versions}")
        seen |= {*versions}
    return wrong


def _events(person: Player, game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while True:
        after = found[-1]["version"] if found else 0
        page = person.insist("GET", f"/games/{game}/events", params={"after": after, "limit": 200}).json()["events"]
        if not page:
            return found
        found += page


def main() -> None:
    """Run, and print what came of it as JSON. Exit 1 where anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.rig", description=__doc__)
    parser.add_argument("mode", choices=("embedded", "production"))
    parser.add_argument("--seconds", type=float, default=150)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--seed", default=f"{int(time.time())}")
    parser.add_argument("--keep", help="an empty folder to keep logs and letters in")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        found = run(args.mode, args.seconds, args.tables, args.seed, Path(args.keep or made))
    print(json.dumps({"seed": args.seed, **found}, indent=2))
    sys.exit(bool(found["wrong"]))

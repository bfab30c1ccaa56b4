"""A whole game as its users meet it: the embedded service in a process of its own, clients over HTTP, mail over SMTP.

Two people and bots of each strength play. One of the people falls silent for good after year 5, so reminders, timeouts,
the caretaker and a vacant seat happen. Where strong bots would take too long, weaker ones take their seats.
"""

import email
import email.policy
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click
import httpx
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP as Listener
from aiosmtpd.smtp import Envelope, Session

from domain.audit.verify_history import audit
from domain.rulesets import RULESETS
from service.commands.terminal.exits import Failure
from service.kernel import own_modules

NAMES: Final = ("Ann", "Dora")
STRENGTHS: Final = (3, 2, 1)
"""Of the bots, as many of them as there are seats for."""
SILENT: Final = "Dora"
SILENT_AFTER: Final = 5
"""Years, or whatever the game is counted in."""
LONG_GAME: Final = 20
"""How far the progress bar reaches for a game whose length nobody knows."""
PER_MOVE: Final = "PT4S"
REMINDER: Final = "PT2S"
LONGEST: Final = 110.0
"""Seconds for the whole game."""
SOON: Final = 70.0
"""Seconds after which, or where it would be later than LONGEST at this pace, only the weakest bots play on."""
GLANCE: Final = 0.1
"""Seconds between two looks at a game in which bots think."""
EARLY: Final = 30.0
"""Seconds in which no pace is seen yet."""


class Failed(Exception):
    """The demo did not come out as it must."""


class Postbox:
    """A mail server that keeps what it gets."""

    def __init__(self) -> None:
        self.mails: list[Any] = []
        self.lock = threading.Lock()

    async def handle_DATA(self, server: Listener, session: Session, envelope: Envelope) -> str:
        """Keep one message."""
        content = envelope.original_content or b""
        with self.lock:
            self.mails.append(email.message_from_bytes(content, policy=email.policy.default))
        return "250 kept"

    def kinds(self) -> Counter[str]:
        """How many mails of each kind."""
        with self.lock:
            return Counter(str(mail["Message-ID"]).strip("<>").partition(".")[0] for mail in self.mails)

    def code_for(self, address: str) -> str | None:
        """The code mailed to an address."""
        with self.lock:
            texts = [mail.get_body(("plain",)).get_content() for mail in self.mails if address in str(mail["To"])]
        found = [match[1] for text in texts if (match := re.search(r"Your code for Wardroom: (\w+)", text))]
        return found[-1] if found else None


@dataclass(slots=True)
class Client:
    """One player's program: a token and a way to choose."""

    name: str
    http: httpx.Client
    choice: random.Random
    seat: int = -1
    moves: int = 0
    headers: dict[str, str] = field(default_factory=dict)

    def request(self, method: str, path: str, *, unless: str = "", **more: Any) -> Any:
        """One request that must succeed, or be refused with the code `unless`."""
        answer = self.http.request(method, f"/api/v1{path}", headers=self.headers, **more)
        if answer.status_code >= 400 and (not unless or answer.json().get("code") != unless):
            raise Failed(f"{self.name}: {method} {path} answered {answer.status_code}: {answer.text[:300]}")
        return answer.json()

    def sign_in(self, postbox: Postbox) -> None:
        """Sign up, wait for the mail, exchange its code."""
        address = f"{self.name.lower()}@example.org"
        profile = {"name": self.name, "email": address, "timezone": "Europe/Paris"}
        asked = self.request("POST", "/players", json=profile)["request"]
        code = _wait(lambda: postbox.code_for(address), f"{self.name}'s code")
        token = self.request("POST", "/tokens", json={"email": address, "code": code, "request": asked})["token"]
        self.headers["Authorization"] = f"Bearer {token}"

    def move(self, game: str) -> dict[str, Any]:
        """Choose among the legal actions and play one."""
        legal = self.request("GET", f"/games/{game}/actions")["actions"]
        if not legal:
            raise Failed(f"{self.name} is awaited and has nothing to do")
        kinds = sorted({option["action"]["type"] for option in legal})
        kind = self.choice.choice(kinds)
        chosen = self.choice.choice([option for option in legal if option["action"]["type"] == kind])
        self.moves += 1
        done: dict[str, Any] = self.request("POST", f"/games/{game}/moves", json={"text": chosen["text"]})
        return done["game"]  # type: ignore[no-any-return]


def play(kind: str, seed: int, *, keep: bool) -> None:
    """Play the demo and print what came of it. Raises Failed, and Failure for an unknown ruleset."""
    if kind not in RULESETS:
        raise Failure(os.EX_USAGE, f"There is no ruleset {kind}: there is {', '.join(RULESETS)}.")
    folder = Path(tempfile.mkdtemp(prefix="wardroom-demo-"))
    postbox = Postbox()
    smtp = Controller(postbox, hostname="127.0.0.1", port=_free_port())
    smtp.start()
    port = _free_port()
    server = _serve(folder, port, smtp.port)
    began = time.monotonic()
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as http:
            _wait(lambda: _answers(http, server), "the service")
            clients = [Client(name, http, random.Random(f"{seed}{name}")) for name in NAMES]  # noqa: S311 - choices of a game
            summary = _game(kind, clients, postbox, folder)
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(15)
        except subprocess.TimeoutExpired:
            server.kill()
        smtp.stop()
    for line in summary:
        click.echo(line)
    click.echo(f"{'time':14}{time.monotonic() - began:.0f} s")
    if keep:
        click.echo(f"{'data':14}{folder}")
    else:
        shutil.rmtree(folder)


def _game(kind: str, clients: list[Client], postbox: Postbox, folder: Path) -> list[str]:
    for client in clients:
        client.sign_in(postbox)
    clock = {"per_move": PER_MOVE, "grace": "PT0S", "reminders": [REMINDER], "strikes": 2}
    bots = [{"strength": strength} for strength in STRENGTHS[: RULESETS[kind].seats[-1] - len(clients)]]
    table = {"ruleset": kind, "seats": len(clients) + len(bots), "clock": clock, "bots": bots}
    opened = clients[0].request("POST", "/games", json=table)
    game = opened["id"]
    for number, client in enumerate(clients):
        client.seat = number
        if number:
            nonce = f"demo-nonce-of-{client.name.lower()}"
            opened = client.request("POST", f"/games/{game}/seats", json={"nonce": nonce})
    position = _play_on(game, clients, opened)
    lines = _export(clients[0], game)
    (folder / f"{game}.ndjson").write_bytes(b"\n".join(lines) + b"\n")
    report = audit(lines)
    if not report.ok:
        raise Failed(f"the export does not verify: {report.checks[-1][2]}")
    _wait(lambda: postbox.kinds()["game-over"] == len(clients), "the mails that the game is over")
    return _summary(opened, position, clients, postbox, lines, report.hash)


def _play_on(game: str, clients: list[Client], position: dict[str, Any]) -> dict[str, Any]:
    """Play until the game is over, each client when it is awaited; the silent one not after its year."""
    began = time.monotonic()
    stage = RULESETS[position["ruleset"]].presentation.stage
    unit, _, most = stage(position["state"])
    bar: Any
    with click.progressbar(length=most or LONG_GAME, label=f"{unit}s", file=sys.stderr) as bar:
        while position["status"] == "running":
            elapsed, (_, now, _) = time.monotonic() - began, stage(position["state"])
            if elapsed > LONGEST:
                raise Failed(f"the game did not end within {LONGEST:.0f} s")
            if elapsed > (EARLY if not most else min(SOON, max(EARLY, LONGEST * (now - 1) / most))):
                _weaken(game, clients[0], position)
            bar.update(max(0, min(now - 1, bar.length) - bar.pos))
            awake = [c for c in clients if not (c.name == SILENT and now > SILENT_AFTER)]
            mover = next((client for client in awake if client.seat in position["awaiting"]), None)
            if mover is not None:
                position = mover.move(game)
            else:
                _wait_for_others(game, clients[0], position)
                position = clients[0].request("GET", f"/games/{game}")
        bar.update(bar.length - bar.pos)
    if position["status"] != "finished":
        raise Failed(f"the game is {position['status']}")
    return position


def _wait_for_others(game: str, client: Client, position: dict[str, Any]) -> None:
    """Until something may have happened: bots answer sooner than a long poll looks."""
    if any(position["seats"][seat]["bot"] for seat in position["awaiting"]):
        time.sleep(GLANCE)
    else:
        client.request("GET", f"/games/{game}/events", params={"after": position["version"], "wait": 5})


def _weaken(game: str, host: Client, position: dict[str, Any]) -> None:
    """Let bots of strength 1 take the seats of stronger ones; of those that think, the next time."""
    for seat in position["seats"]:
        if seat["bot"] is not None and seat["bot"]["strength"] > 1:
            where = f"/games/{game}/seats/{seat['seat']}/bot"
            host.request("PUT", where, json={"strength": 1}, unless="bot-thinks")


def _export(client: Client, game: str) -> list[bytes]:
    headers = client.headers | {"Accept": "application/x-ndjson"}
    answer = client.http.get(f"/api/v1/games/{game}/events", headers=headers)
    return answer.content.splitlines()


def _summary(
    opened: dict[str, Any],
    position: dict[str, Any],
    clients: list[Client],
    postbox: Postbox,
    lines: list[bytes],
    head: str,
) -> list[str]:
    events = [json.loads(line) for line in lines[:-1]]
    types = Counter(event["type"] for event in events)
    kinds = postbox.kinds()
    for kind in ("your-turn", "reminder", "deadline-passed", "game-over"):
        if not kinds[kind]:
            raise Failed(f"no mail of the kind {kind} was sent")
    if not types["table.turn-expired"] or not types["table.seat-vacated"]:
        raise Failed("nobody's deadline passed, though a player was silent")
    result = next(event["data"] for event in events if event["type"] == "table.game-finished")
    names = [str(seat["name"]) for seat in opened["seats"]]
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, result["scores"], strict=True))
    winners = " and ".join(names[seat] for seat in result["winners"])
    weaker = "; to end in time, strength 1 took over at last" if types["table.seat-taken-by-bot"] else ""
    bots = ", ".join(str(seat["name"]) for seat in opened["seats"] if seat["bot"])
    unit, count, _ = RULESETS[position["ruleset"]].presentation.stage(position["state"])
    rows = [
        ("game", f"{position['ruleset']} {position['id']}, {len(names)} seats"),
        ("bots", f"{bots}{weaker}"),
        (f"{unit}s", f"{count}; {SILENT} fell silent after {unit} {SILENT_AFTER}"),
        ("events", f"{len(events)}, from {sum(client.moves for client in clients)} moves over HTTP"),
        ("mails", ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))),
        ("timeouts", f"{types['table.turn-expired']}; the caretaker acted {types['table.caretaker-acted']} times"),
        ("scores", f"{scores}; won by {winners}"),
        ("head", f"version {position['version']}, hash {head}"),
        ("audit", "verified"),
    ]
    return [f"{name:14}{value}" for name, value in rows]


def _serve(folder: Path, port: int, smtp_port: int) -> "subprocess.Popen[bytes]":
    settings = {
        "DATA_DIR": str(folder),
        "SMTP_URL": f"smtp://127.0.0.1:{smtp_port}",
        "MAIL_IN": "off",
        "MIN_MOVE_TIME": "PT1S",
        "SWEEP_SECONDS": "1",
        "RATE_LIMITS": "off",
        "MAIL_WINDOW": "PT0S",
        "UNDO_SECONDS": "0",
        "BASE_URL": f"http://127.0.0.1:{port}",
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WARDROOM_")}
    environ = kept | {f"WARDROOM_{name}": value for name, value in settings.items()}
    command = own_modules.command("service.cli", "serve", "--port", str(port))
    return subprocess.Popen(command, env=own_modules.extended(environ), stdout=subprocess.DEVNULL)  # noqa: S603 - our own program


def _answers(http: httpx.Client, server: "subprocess.Popen[bytes]") -> bool:
    if server.poll() is not None:
        raise Failed("the service ended before it answered")
    try:
        return http.get("/healthz").status_code == 200
    except httpx.TransportError:
        return False


def _wait(found: Any, what: str, seconds: float = 30) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := found():
            return result
        time.sleep(0.05)
    raise Failed(f"{what} did not come within {seconds:.0f} s")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

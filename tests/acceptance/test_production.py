"""The processes of the Procfile, for real: PostgreSQL, Redis, a mail server, and what happens when they die."""

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import redis

from tests.acceptance.processes import ROOT, Person, Program, answers, clients, environment, procfile, until
from tests.ports import free_port
from tests.servers import RedisServer
from tests.smtp_sink import SmtpSink

pytestmark = [pytest.mark.slow]
ANSWERED = 9
"""Seconds: a client that waited for a frozen Redis would wait for longer, and on a busy machine nothing is quick."""
WORKER_STOPS = 60
"""Seconds: an idle worker waits out its soft shutdown of 30 s (worker_enable_soft_shutdown_on_idle)."""


@dataclass
class Processes:
    """Everything that the Procfile names, and the servers that it needs."""

    port: int
    redis: RedisServer
    sink: SmtpSink
    web: Program
    worker: Program
    beat: Program
    environ: dict[str, str]

    @property
    def programs(self) -> list[Program]:
        return [self.web, self.worker, self.beat]


@pytest.fixture
def processes(postgres_url: str, tmp_path: Path) -> Iterator[Processes]:
    """release, then web, worker and beat as the Procfile names them."""
    words, port = procfile(), free_port()
    with RedisServer() as redis, SmtpSink() as sink:
        environ = environment(
            DATA_DIR=str(tmp_path / "data"),
            DATABASE_URL=postgres_url,
            REDIS_URL=redis.url,
            SMTP_URL=sink.url,
            SECRET_KEY="s" * 40,
            PORT=str(port),
            BASE_URL=f"http://127.0.0.1:{port}",
            PROCESSES="2",
            THREADS="4",
            POOL_SIZE="4",
            RATE_LIMITS="off",
            SWEEP_SECONDS="60",  # what is quicker came by a wakeup
        )
        subprocess.run(words["release"], env=environ, cwd=ROOT, check=True, timeout=60, stderr=subprocess.DEVNULL)
        with (
            Program(words["web"], environ, tmp_path / "web.log") as web,
            Program(words["worker"], environ, tmp_path / "worker.log") as worker,
            Program(words["beat"], environ, tmp_path / "beat.log") as beat,
        ):
            until(lambda: answers(port), "the web process")
            until(lambda: answers(port, "/readyz"), "the first sweep", 30)
            yield Processes(port, redis, sink, web, worker, beat, environ)
        redis.process.send_signal(signal.SIGCONT)


def turn_of(people: list[Person], game: str) -> Person:
    return people[people[0].get(f"/games/{game}")["awaiting"][0]]


def test_two_people_play_while_redis_dies_and_web_workers_are_killed(processes):
    with clients(processes.port, "ann", "bob") as people:
        game = begin(processes, people)
        plays_by_the_bell(processes, people, game)
        is_killed_in_the_middle(processes, people, game)
        loses_redis(processes, people, game)
        is_refused_by_redis(processes, people, game)
        verifies(people, game)
        is_watched(processes)
    stops(processes, [person.headers["Authorization"].split()[1] for person in people])


def is_watched(processes: Processes) -> None:
    """Whichever process is asked tells what all of them have counted, those that were killed included."""

    def told(pattern: str) -> list[float]:
        text = httpx.get(f"http://127.0.0.1:{processes.port}/metrics", timeout=60).raise_for_status().text
        return [float(value) for value in re.findall(rf"^{pattern} (\S+)$", text, re.MULTILINE)]

    def sent() -> list[float]:
        return told(r'wardroom_delivery_lateness_seconds_count\{channel="mail"\}')

    until(lambda: sent() and sent()[0] >= 4, "what the worker has counted", 60)
    a_minute_since_one_was_killed = 100
    living = r'wardroom_processes\{process="web"\}'
    until(lambda: told(living) == [2], "both web processes", a_minute_since_one_was_killed)
    assert told(r'wardroom_processes\{process="worker"\}')[0] >= 2, "the pool, and the ticker beside it"
    moves = told(r'wardroom_requests_total\{method="POST",operation="moves.Moves",status="2xx"\}')
    assert moves[0] >= 4
    assert told("wardroom_redis_up") == [1]


def begin(processes: Processes, people: list[Person]) -> str:
    for person in people:
        assert person.sign_in(processes.sink) < 30, "the wakeup was passed on: the next sweep is a minute away"
    ann, bob = people
    terms = {"ruleset": "tammany-hall", "seats": 3, "bots": [{"strength": 0}], "invite": [bob.email]}
    game = str(ann.post("/games", terms)["id"])
    bob.post(f"/games/{game}/seats", {"nonce": "a-nonce-of-bobs-own"})
    return game


def plays_by_the_bell(processes: Processes, people: list[Person], game: str) -> None:
    """A few moves; whoever is next has a mail within seconds."""
    for _ in range(4):
        mover = turn_of(people, game)
        until(lambda who=mover: mail_of_turn(processes, who, game), "the mail that it is their turn", 120)
        done = mover.post(f"/games/{game}/moves", {"text": mover.legal_move(game)})
        assert done["game"]["version"] == done["version"]


def mail_of_turn(processes: Processes, person: Person, game: str) -> bool:
    """Whether a mail asked for the decision that is owed now."""
    since = next(
        one["since"]
        for one in person.get(f"/games/{game}")["clock"]["deadlines"]
        if one["seat"] == person.get(f"/games/{game}")["you"]["seat"]
    )
    wanted = f"your-turn.{game}.{since}."
    return any(wanted in mail.message["Message-ID"] for mail in processes.sink.mails_to(person.email))


def is_killed_in_the_middle(processes: Processes, people: list[Person], game: str) -> None:
    """Web workers die by kill -9 while moves are made: the same key again gives one move (F-01)."""
    chance = random.Random(7)
    version = people[0].get(f"/games/{game}")["version"]
    for number in range(4):
        mover = turn_of(people, game)
        text, key = mover.legal_move(game), f"the-key-of-move-{number:04d}"
        killer = threading.Timer(chance.uniform(0, 0.03), kill_workers, [processes.web])
        killer.start()
        answer, tries = insists(mover, game, text, key)
        killer.join()
        events = [event["version"] for event in answer["events"]]
        assert events == list(range(version + 1, version + 1 + len(events))), "one move, however often it was sent"
        assert tries < 40
        version = answer["version"]
        assert mover.get(f"/games/{game}")["version"] == version
    assert processes.web.process.poll() is None


def kill_workers(web: Program) -> None:
    for pid in web.children():
        os.kill(pid, signal.SIGKILL)


def insists(mover: Person, game: str, text: str, key: str) -> tuple[dict, int]:
    """Send a move until it is answered."""
    for tries in range(1, 60):
        try:
            answer = mover.send("POST", f"/games/{game}/moves", key=key, json={"text": text})
        except httpx.TransportError:
            time.sleep(0.1)
            continue
        if answer.status_code == 201:
            return answer.json(), tries
        assert answer.status_code in (409, 503), answer.text
        time.sleep(0.1)
    raise TimeoutError("the web process did not come back")


def loses_redis(processes: Processes, people: list[Person], game: str) -> None:
    """Frozen, then dead: moves are answered quickly all the same, and mail comes by the ticker (F-17, F-20)."""
    processes.redis.process.send_signal(signal.SIGSTOP)
    mover = turn_of(people, game)
    text, began = mover.legal_move(game), time.monotonic()
    mover.post(f"/games/{game}/moves", {"text": text})
    assert time.monotonic() - began < ANSWERED
    processes.redis.process.send_signal(signal.SIGCONT)
    processes.redis.stop()
    for _ in range(3):
        mover = turn_of(people, game)
        text, began = mover.legal_move(game), time.monotonic()
        mover.post(f"/games/{game}/moves", {"text": text})
        assert time.monotonic() - began < ANSWERED
    mover = turn_of(people, game)
    until(lambda: mail_of_turn(processes, mover, game), "the mail that it is their turn", 120)
    processes.redis.start()


def is_refused_by_redis(processes: Processes, people: list[Person], game: str) -> None:
    """Redis answers and refuses writes: the worker lives, mail comes by the ticker, /readyz names the cause (F-20)."""
    with redis.Redis.from_url(processes.redis.url) as client:
        client.execute_command("REPLICAOF", "127.0.0.1", "1")
        mover = turn_of(people, game)
        mover.post(f"/games/{game}/moves", {"text": mover.legal_move(game)})
        mover = turn_of(people, game)
        until(lambda: mail_of_turn(processes, mover, game), "the mail that it is their turn", 120)
        told = people[0].http.get("/readyz").json()["checks"]
        assert "read-only replica" in next(check["detail"] for check in told if check["what"] == "redis")
        client.execute_command("REPLICAOF", "NO", "ONE")
    assert processes.worker.process.poll() is None, "it waits, and does not end"


def verifies(people: list[Person], game: str) -> None:
    for person in people:
        report = person.get(f"/games/{game}/audit")
        assert report["ok"], report


def stops(processes: Processes, secrets: list[str]) -> None:
    """On SIGTERM everything ends by itself, and no log has told a secret (F-15, T-09)."""
    for program in processes.programs:
        program.signal(signal.SIGTERM)
    for program, seconds in ((processes.web, 60), (processes.beat, 60), (processes.worker, WORKER_STOPS)):
        program.wait(seconds)
        until(lambda program=program: not program.members(), "the end of every child", 60)
    assert processes.web.process.returncode == 0
    codes = [
        mail.text.partition("Your code for Wardroom: ")[2].split()[0]
        for mail in processes.sink.mails
        if "Your code" in mail.subject
    ]
    assert len(codes) == 2
    for program in processes.programs:
        for secret in [*codes, *secrets, "s" * 40]:
            assert secret not in program.output, program.log.name
    assert "Traceback" not in processes.web.output, processes.web.output
    assert "gunicorn.access" not in processes.web.output, "the application has told of each request"


def test_bots_think_in_a_worker_of_their_own_and_again_when_it_is_killed(processes, tmp_path):
    with clients(processes.port, "ann") as (ann,):
        ann.sign_in(processes.sink)
        table = {"ruleset": "city-hall", "seats": 3, "bots": [{"strength": 3}, {"strength": 3}]}
        opened = ann.send("POST", "/games", json=table)
        game, ids = opened.json()["id"], {opened.headers["X-Request-Id"]}
        while 0 in (asked := ann.get(f"/games/{game}"))["awaiting"]:
            done = ann.send("POST", f"/games/{game}/moves", json={"text": ann.legal_move(game)})
            ids.add(done.headers["X-Request-Id"])
        words, after = procfile()["bots"], asked["version"]
        with Program(words, processes.environ, tmp_path / "bots.log") as bots:
            minds = until(lambda: thinking(bots), "a process that thinks", 120)
            for pid in {*bots.members()} - {*minds}:
                os.kill(pid, signal.SIGKILL)
            until(lambda: not any(map(is_alive, minds)), "the end of who thought, for nobody waits for it", 60)
        with Program(words, processes.environ, tmp_path / "bots again.log"):
            until(lambda: 0 in ann.get(f"/games/{game}")["awaiting"], "that it is her turn", 240)
            is_followed(processes, tmp_path / "bots again.log", game, ids)
        moves = ann.get(f"/games/{game}/events?after={after}")["events"]
        assert {move["actor"].get("seat") for move in moves} & {1, 2}
        assert ann.get(f"/games/{game}/audit")["ok"]


def is_followed(processes: Processes, bots: Path, game: str, ids: set[str]) -> None:
    """What Ann asked for is found in the log of each process that did something because of it."""

    def told(event: str, *logs: Path) -> set[str]:
        text = "\n".join(log.read_text() for log in logs)
        found = [json.loads(line) for line in text.splitlines() if line.startswith("{") and line.endswith("}")]
        return {line["request_id"] for line in found if line["event"] == event and line.get("game", game) == game}

    worker = processes.worker.log
    assert told("request", processes.web.log) >= ids
    until(
        lambda: told("a bot has played", bots, worker), "the line about what a bot did"
    )  # who is late is stood in for
    assert told("a bot has played", bots, worker) <= ids
    until(lambda: told("delivery", worker), "the mail that it is her turn", 120)
    assert told("delivery", worker) <= ids


def thinking(bots: Program) -> list[int]:
    """The processes in which bots think: what the worker's own have started."""
    found = []
    for pid in bots.members():
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            found += [pid] if b"workers.bots.mind_process" in words else []
    return found


def is_alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False

"""What streams of the API cost that the process of news holds. `python3 dev.py bench news`, after the pages.

Everybody has two streams, one of lines and one of events, and a game of their own against bots. The web processes are
gunicorn as deployed, on SQLite; the process of news is one of its own. In each round somebody makes moves while nobody
else is there, then while all streams are held.
"""

import os
import select
import socket
import time
from contextlib import ExitStack
from typing import Final

from bench.news import Listeners, Play, allow_many_files, memory, played, quantile, spread, started, until
from service.accounts import people

STREAMS: Final = 1_000
ROUNDS: Final = 8
MOVES: Final = 25
"""In each half of a round."""
UNHURRIED: Final = 0.2
PATIENCE: Final = 60.0
KINDS: Final = ("application/x-ndjson", "text/event-stream")


class Programs(Listeners):
    """Programs that follow all of somebody's games."""

    def __init__(self, address: tuple[str, int]) -> None:
        super().__init__()
        self.address = address

    def add(self, tokens: list[str]) -> float:
        """Two streams for each of these people; how many seconds it took until all were held."""
        began = time.perf_counter()
        for number, token in enumerate(tokens):
            for kind in KINDS:
                program = socket.create_connection(self.address, PATIENCE)
                whose = f"X-Forwarded-For: 10.0.{number // 100}.{number % 100}\r\nAuthorization: Bearer {token}"
                asked = f"GET /api/v1/me/events HTTP/1.1\r\nHost: x\r\nAccept: {kind}\r\n{whose}\r\n\r\n"
                program.sendall(asked.encode())
                self.open.append(program)
        for program in self.open[-2 * len(tokens) :]:
            head = program.recv(65536)
            assert head.startswith(b"HTTP/1.1 200"), head
        return time.perf_counter() - began

    def heard(self, programs: list[socket.socket], version: int) -> float:
        """Seconds until these have read of an event."""
        began, quiet, told = time.perf_counter(), select.poll(), f'"version":{version},'.encode()
        waiting = {program.fileno(): (program, bytearray()) for program in programs}
        for number in waiting:
            quiet.register(number, select.POLLIN)
        while waiting:
            found = quiet.poll(1000 * PATIENCE)
            assert found, "nothing was heard"
            for number, _ in found:
                program, read = waiting[number]
                read += program.recv(65536)
                if told in read:
                    waiting.pop(number)
                    quiet.unregister(number)
        return time.perf_counter() - began


def main(rounds: int = ROUNDS, streams: int = STREAMS, moves: int = MOVES) -> None:
    """Measure and print."""
    allow_many_files()
    with ExitStack() as stack:
        variables, settings, play = played(stack)
        tokens = _crowd(play, streams // 2)
        stack.enter_context(started(variables, "gunicorn", "-c", "python:config.gunicorn", "service.wsgi:app"))
        process = stack.enter_context(started(variables))
        assert settings.news is not None
        programs = Programs(settings.news)
        stack.callback(programs.close)
        until(lambda: _is_held(programs, play))
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {streams} streams, {rounds} rounds of {moves}")
        idle = memory(process)
        took = programs.add(tokens)
        print(f"{'until all streams are held that come at one moment, s':<56}{took:.1f}")
        print(f"{'memory of the process, idle and with all streams':<56}{idle:.1f} MB and {memory(process):.1f} MB")
        programs.close()
        _compare(play, programs, tokens, rounds, moves)
        print(f"{'memory at the end':<56}{memory(process):.1f} MB")


def _crowd(play: Play, number: int) -> list[str]:
    """People with a game of their own each: their tokens."""
    tokens, own = [], play.headers
    for name in range(number):
        with play.services.database.write() as tx:
            tokens.append(people.token_for(play.services, tx, f"p{name}@people.example", f"p{name}"))
        play.headers = {"Authorization": f"Bearer {tokens[-1]}"}
        play.open()
    play.headers = own
    return tokens


def _compare(play: Play, programs: Programs, tokens: list[str], rounds: int, moves: int) -> None:
    ratios: list[list[float]] = []
    taken: list[float] = []
    for _ in range(rounds):
        play.open()
        alone = [_move(play) for _ in range(moves)]
        programs.add([_token(play), *tokens])
        play.open()
        beside = []
        for _ in range(moves):
            game = play.game
            beside.append(_move(play))
            if play.game == game:
                taken.append(1000 * programs.heard(programs.open[:2], play.version))
        programs.close()
        ratios.append([quantile(beside, of) / quantile(alone, of) for of in (0.5, 0.95)])
    p50, p95 = (spread([ratio[place] for ratio in ratios]) for place in (0, 1))
    print(f"{'a move beside streams of the API, with nobody = 1':<56}p50 {p50}, p95 {p95}")
    told = f"p50 {quantile(taken, 0.5):.1f}, p95 {quantile(taken, 0.95):.1f}"
    print(f"{'from the answer until both streams of a player told, ms':<56}{told}")


def _move(play: Play) -> float:
    """One move of somebody who is no program: streams do not look more often than ten times a second."""
    time.sleep(UNHURRIED)
    return play.move()


def _token(play: Play) -> str:
    return play.headers["Authorization"].removeprefix("Bearer ")


def _is_held(programs: Programs, play: Play) -> bool:
    try:
        programs.add([_token(play)])
    except (OSError, AssertionError):
        return False
    finally:
        programs.close()
    return True

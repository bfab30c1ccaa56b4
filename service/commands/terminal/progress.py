"""Progress of a long command: one line on standard error, with the time left."""

import sys
import time
from typing import Final

import click

EVERY: Final = {True: 1.0, False: 15.0}
"""Seconds from one line to the next, on a terminal and elsewhere."""


class Progress:
    """What is done of so many tables or games, told now and then."""

    def __init__(self, whole: int, thing: str) -> None:
        self.whole, self.done, self.thing = whole, 0, thing
        self.terminal = sys.stderr.isatty()
        self.began = self.told = time.monotonic()

    def step(self) -> None:
        """Count one more."""
        self.done += 1
        now = time.monotonic()
        if now - self.told > EVERY[self.terminal]:
            self.told = now
            left = (now - self.began) / self.done * (self.whole - self.done)
            line = f"{self.done} of {self.whole} {self.thing}, {clock(left)} left"
            click.echo(f"\r{line:<79}" if self.terminal else line, nl=not self.terminal, err=True)

    def end(self) -> None:
        """Leave the line."""
        if self.terminal and self.told > self.began:
            click.echo(err=True)


def clock(seconds: float) -> str:
    """A time to wait: 40 s, 12 min, 3 h 5 min."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"

"""What letters are made of: the reader, the decision a notice asks for, and why a notice is not sent."""

from dataclasses import dataclass


class Superseded(Exception):
    """The claim of a notice is not true any more, or its reader wants no mail: it is not sent."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The person a letter goes to, and how they want it."""

    email: str
    name: str
    timezone: str
    player: str | None
    language: str = "en"
    secret_free: bool = False
    new_subjects: bool = False
    calendar: bool = False
    wakes_at: int = 480
    quiet_turns: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision that a letter asks for."""

    decision: str
    since: int
    due: int | None
    began: int = 0
    send_at: int = 0  # a reminder: not before this moment
    bank_from: int | None = None

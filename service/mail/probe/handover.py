"""Handing the probe to a mail server, again and again while it says that it will not take it yet."""

import smtplib
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from service.mail.probe.message import Probe

PAUSES: Final = (2, 5, 10, 20, 30)
"""Seconds between two tries; the last again and again."""
LONGEST: Final = 300
"""Characters of a server's answer that are shown."""
Tell = Callable[[str], None]


class NotTaken(Exception):
    """The mail server did not take the probe; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Taken:
    """When the server took it, by time.monotonic(), and what it said before, where it put it off."""

    at: float
    put_off: str


def hand_over(connect: Callable[[], smtplib.SMTP], probe: Probe, end: float, tell: Tell) -> Taken:
    """Hand it over before `end`, by time.monotonic(). Raises NotTaken."""
    put_off = ""
    for number in range(1000):
        try:
            said = _try(connect, probe)
        except smtplib.SMTPAuthenticationError as error:
            raise NotTaken(f"The mail server refuses the name or password ({error.smtp_code}).") from error
        except (OSError, smtplib.SMTPException) as error:
            said = f"no connection: {_reason(error)}"
            if number == 0 and not put_off:
                raise NotTaken(f"The mail server cannot be reached ({_reason(error)}).") from error
        if not said:
            return Taken(time.monotonic(), put_off)
        if said[0] == "5":
            raise NotTaken(f"The mail server refuses the probe: {said}")
        put_off = said
        pause = PAUSES[min(number, len(PAUSES) - 1)]
        if time.monotonic() + pause > end:
            raise NotTaken(f"The mail server put the probe off until the time was over: {said}")
        tell(f"The mail server puts it off ({said}): the next try is in {pause} s.")
        time.sleep(pause)
    raise AssertionError("the time is over long before")


def _try(connect: Callable[[], smtplib.SMTP], probe: Probe) -> str:
    """One try. "" where it was taken, else code and text of the answer that refused it."""
    connection = connect()
    try:
        steps: tuple[Callable[[], tuple[int, bytes]], ...] = (
            lambda: connection.mail(probe.sender),
            lambda: connection.rcpt(probe.recipient),
            lambda: connection.data(probe.data),
        )
        for step in steps:
            try:
                code, text = step()
            except smtplib.SMTPDataError as error:
                code, text = error.smtp_code, _bytes(error.smtp_error)
            if code >= 300:
                return f"{code} {text.decode('ascii', 'replace')}"[:LONGEST]
        return ""
    finally:
        with suppress(OSError, smtplib.SMTPException):
            connection.quit()


def _bytes(text: bytes | str) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _reason(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{error.smtp_code} {_bytes(error.smtp_error).decode('ascii', 'replace')}"[:LONGEST]
    return getattr(error, "strerror", None) or type(error).__name__

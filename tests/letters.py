"""Letters as they leave and as people read them."""

from collections import Counter, deque
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache, lru_cache

from workers.mail_out.letter import Letter


class Carrier:
    """Takes letters and keeps them; before or after taking one it may come to grief, as told."""

    name = "carrier"

    def __init__(self) -> None:
        self.letters: list[Letter] = []
        self.before: deque[Exception | None] = deque()

    def send(self, letter: Letter) -> None:
        if self.before and (mishap := self.before.popleft()) is not None:
            raise mishap
        self.letters.append(letter)

    def close(self) -> None:
        """Nothing is open."""

    def kinds(self) -> Counter[str]:
        return Counter(letter.message_id.strip("<").partition(".")[0] for letter in self.letters)

    def letters_to(self, name: str) -> list[Letter]:
        return [letter for letter in self.letters if letter.to == f"{name}@people.example"]


READING = policy.default.clone(header_factory=lru_cache(10_000)(policy.default.header_factory))
"""The library parses a header each time it is asked for one, which for the type of a part it does over and over."""


@cache
def parsed(letter: Letter | bytes) -> EmailMessage:
    return message_from_bytes(letter if isinstance(letter, bytes) else letter.data, policy=READING)


@cache
def text_of(letter: Letter | bytes) -> str:
    """The plain text a player reads."""
    part = parsed(letter).get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


@cache
def html_of(letter: Letter | bytes) -> str:
    part = parsed(letter).get_body(("html",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def reply_address(letter: Letter | bytes) -> str:
    """Where a letter asks to be answered."""
    return str(parsed(letter)["Reply-To"].addresses[0].addr_spec)

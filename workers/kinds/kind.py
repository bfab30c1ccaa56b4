"""The form of a kind of notice: what every module of this room makes one of, as `KIND`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from domain.engine.game import Seat
from service.container import Services
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.letters.claims import StillTrue
from workers.letters.content import AccountContent, GameContent, LetterContent
from workers.letters.letter_data import Asked, Reader
from workers.letters.letter_view import LetterRequest, LetterView
from workers.letters.reader import FindReader, by_wish


@dataclass(frozen=True, slots=True)
class Wait:
    """A moment a letter waits for, and why."""

    until: int
    why: str
    may_end_early: bool = False  # it is sent all the same when a quarter of the time for the answer is left


class NoticeKind(Protocol):
    """A kind of notice, found by its name in the registry."""

    @property
    def name(self) -> str:
        """As it stands in the outbox and in `service.notify.kind`."""

    @property
    def sender(self) -> str:
        """What the sender's display name adds (OUT-10); "" for nothing."""

    def reader(self, services: Services, connection: Connection, notice: Notice, /) -> Reader:
        """Who it goes to. Raises Superseded."""

    def still_true(self, services: Services, connection: Connection, notice: Notice, /) -> Asked | None:
        """The decision it asks for, None for none. Raises Superseded where it is not true any more (RATE-04)."""

    def waits(self, request: LetterRequest, now: int, /) -> Iterable[Wait]:
        """What a letter that is true waits for before it is sent, besides that its reader had too many."""

    def content(self, request: LetterRequest, /) -> LetterContent:
        """What its letter tells. Raises Superseded where that is nothing."""


def own_seat(notice: Notice) -> Seat | None:
    """The seat of a notice: its reader sees the game from there."""
    return notice.seat


def no_seat(notice: Notice) -> Seat | None:
    """No seat: the notice is about somebody else's, and its reader sees what a spectator sees."""
    return None


def at_once(request: LetterRequest, now: int) -> tuple[Wait, ...]:
    """Nothing to wait for."""
    return ()


@dataclass(frozen=True, slots=True)
class GameKind:
    """A kind of notice about a game."""

    name: str
    sender: str
    still_true: StillTrue
    tell: Callable[[LetterView], GameContent]
    reader: FindReader = by_wish
    seat_of: Callable[[Notice], Seat | None] = own_seat
    waits: Callable[[LetterRequest, int], Iterable[Wait]] = at_once

    def content(self, request: LetterRequest, /) -> GameContent:
        return self.tell(LetterView.of(request, self.seat_of(request.notice)))


@dataclass(frozen=True, slots=True)
class AccountKind:
    """A kind of notice about an account: nobody reads an answer to it."""

    name: str
    still_true: StillTrue
    content: Callable[[LetterRequest], AccountContent]
    reader: FindReader
    sender: str = ""
    waits: Callable[[LetterRequest, int], Iterable[Wait]] = at_once

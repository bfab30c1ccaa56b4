"""A notice as letters and webhooks read it: one thing that is to be told to one person."""

import msgspec

from domain.engine.game import Seat


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the outbox, without the state of its delivery."""

    recipient: str  # a player's id, or an address that is invited
    kind: str
    decision: str  # its key among its kind: the event it is about, a mail, a day
    created_at: int
    id: int = 0
    game_id: str = ""  # "" for mail about no game
    seat: Seat | None = None
    version: int = 0  # the event that caused it
    secret: bytes | None = None

    @property
    def number(self) -> int:
        """The number that begins its key: of the event, mail or line of talk it is about."""
        return int(self.decision.partition(".")[0])

    @property
    def is_to_address(self) -> bool:
        """Whether its recipient is an address, not a player."""
        return "@" in self.recipient

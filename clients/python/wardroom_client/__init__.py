"""A client for the REST API of a Wardroom: games, drafts, moves, turns as they come, bots, webhooks."""

from wardroom_client._async.client import AsyncWardroom
from wardroom_client._async.game import AsyncDraft, AsyncGame
from wardroom_client._sync.client import Wardroom
from wardroom_client._sync.game import Draft, Game
from wardroom_client.bot import Bot, Question
from wardroom_client.problems import (
    Conflict,
    Forbidden,
    NotFound,
    Problem,
    Refused,
    SignedOut,
    Stale,
    TooMany,
    Unavailable,
    Unreachable,
    Unreadable,
    WardroomError,
)
from wardroom_client.retries import Retries

__all__ = [
    "Wardroom", "Game", "Draft", "AsyncWardroom", "AsyncGame", "AsyncDraft", "Bot", "Question", "Retries",
    "WardroomError", "Unreachable", "Problem", "Unreadable", "SignedOut", "Forbidden", "NotFound", "Conflict", "Stale",
    "Refused", "TooMany", "Unavailable",
]  # fmt: skip

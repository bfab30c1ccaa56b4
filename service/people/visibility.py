"""Who may see which part of a profile: as its owner says, and nothing that a looker may not see anyhow.

A profile that shows somebody nothing, of a player whom they meet nowhere, is for them as one that is not there: an
opaque id in a shared history gives no name away.
"""

from dataclasses import dataclass
from typing import Final, Literal

from service.store.across import careers
from service.store.database import Connection
from service.store.people import players, profiles
from service.store.people.players import Player
from service.store.people.profiles import PARTS, Audience, Shown

Nearness = Literal["stranger", "member", "companion", "owner"]
REACH: Final[dict[Audience, tuple[Nearness, ...]]] = {
    "everybody": ("stranger", "member", "companion", "owner"),
    "members": ("member", "companion", "owner"),
    "companions": ("companion", "owner"),
    "nobody": ("owner",),
}
"""Who is meant by each audience."""


class NoSuchPlayer(Exception):
    """There is no such player, or nothing about them is for whoever asks."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A player as somebody sees them: how near they are, and which parts that shows."""

    owner: Player
    viewer: str | None  # whose games count; None for what everybody may see
    nearness: Nearness
    shown: Shown

    def sees(self, part: str) -> bool:
        """Whether this part is shown."""
        return self.nearness in REACH[getattr(self.shown, part)]

    @property
    def sees_anything(self) -> bool:
        return any(self.sees(part) for part in PARTS)


def sight_of(connection: Connection, player: str, viewer: str | None) -> Sight:
    """A player as this viewer sees them, None for somebody who is not signed in. Raises NoSuchPlayer."""
    owner = players.by_id(connection, player)
    if owner is None:
        raise NoSuchPlayer(player)
    sight = Sight(owner, viewer, _nearness(connection, player, viewer), profiles.of_player(connection, player))
    if not sight.sees_anything and not careers.is_known(connection, player, viewer):
        raise NoSuchPlayer(player)
    return sight


def as_others(connection: Connection, owner: Player, nearness: Nearness) -> Sight:
    """A player's own profile as strangers, members or companions see it, of whom nothing else is known."""
    return Sight(owner, None, nearness, profiles.of_player(connection, owner.id))


def showing_games_to(connection: Connection, others: list[str], viewer: str | None) -> set[str]:
    """Those of these players who show their games to somebody."""
    near = set[str]() if viewer is None else careers.companions_among(connection, viewer, others)
    chosen = profiles.of_players(connection, others)

    def shows(player: str) -> bool:
        nearness: Nearness = "owner" if player == viewer else "companion" if player in near else "member"
        return (nearness if viewer is not None else "stranger") in REACH[chosen.get(player, Shown()).games]

    return {player for player in others if shows(player)}


def _nearness(connection: Connection, player: str, viewer: str | None) -> Nearness:
    if viewer is None:
        return "stranger"
    if viewer == player:
        return "owner"
    return "companion" if careers.are_companions(connection, player, viewer) else "member"

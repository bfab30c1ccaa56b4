"""A spot in a replay as an address says it: `?v=17`, or `?v=12-30&at=17` in a part, and through whose eyes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from service.web.game.forms import whole_number

VERSIONS: Final = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
OWN: Final = ""
ALL: Final = "all"
PUBLIC: Final = "public"


@dataclass(frozen=True, slots=True)
class Spot:
    """A version to look at, the part of the game that is played if only a part is, and whose eyes: "" for one's own,
    a pawn, "all", or "public" for the spectators'."""

    game: str
    version: int
    part: tuple[int, int] | None = None
    whose: str = OWN

    @property
    def address(self) -> str:
        """The address of its page."""
        return f"{self.page}{self.query(self.version)}"

    @property
    def page(self) -> str:
        """The same without a query."""
        return f"/g/{self.game}"

    def query(self, version: int) -> str:
        """How the address of another version goes on, in the same part, through the same eyes."""
        eyes = f"&as={self.whose}" if self.whose else ""
        if self.part is None:
            return f"?v={version}{eyes}"
        first, last = self.part
        at = f"&at={version}" if version != first else ""
        return f"?v={first}-{last}{at}{eyes}"

    def to(self, version: int) -> str:
        """The address of another version."""
        return f"{self.page}{self.query(version)}"

    def seen_by(self, whose: str) -> str:
        """The address of the same, through other eyes."""
        return replace(self, whose=whose).address

    def nearest(self, newest: int) -> "Spot":
        """The spot itself where the game has it, else the nearest that there is."""
        part = None if self.part is None else (_within(self.part[0], newest), _within(self.part[1], newest))
        return replace(self, version=_within(self.version, newest), part=None if part and part[0] == part[1] else part)


def spot_of(game: str, asked: Mapping[str, str]) -> Spot | None:
    """The spot that a query names; None where it names none. A part is named from either end, or in two fields."""
    named = VERSIONS.fullmatch(asked.get("v", ""))
    if named is None:
        return None
    whose, first = asked.get("as", OWN), int(named[1])
    end = whole_number(named[2]) or whole_number(asked.get("to"))
    if end is None:
        return Spot(game, first, whose=whose)
    first, last = sorted((first, end))
    at = whole_number(asked.get("at"))
    return Spot(game, at if at is not None and first <= at <= last else first, (first, last), whose)


def _within(version: int, newest: int) -> int:
    return max(1, min(version, newest))

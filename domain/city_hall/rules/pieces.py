"""The pieces of City Hall (CH-1.5) and the names of its spaces (CH-2.1), in the order wherever one is needed."""

from collections.abc import Sequence
from typing import Final, Literal

Permit = Literal["housing", "tower", "factory", "park"]
Office = Literal["tax", "surveyor", "campaign", "lobbyist", "zoning", "health", "deputy"]
Land = Literal[
    "Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9",
    "M1", "M2", "M3", "M4", "M5",
]  # fmt: skip

PERMITS: Final[tuple[Permit, ...]] = ("housing", "tower", "factory", "park")
INDEX: Final = {permit: index for index, permit in enumerate(PERMITS)}
OFFICES: Final[tuple[Office, ...]] = ("tax", "surveyor", "campaign", "lobbyist", "zoning", "health", "deputy")
LANDS: Final[tuple[Land, ...]] = (
    "Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9",
    "M1", "M2", "M3", "M4", "M5",
)  # fmt: skip
"""In board order."""
BOROUGHS: Final = {"queens": "Q", "brooklyn": "B", "manhattan": "M"}
"""The letter of each borough's spaces."""
PARK: Final = "park"
PAWNS: Final = ("red", "blue", "green", "yellow")


def by_permit(counts: Sequence[int]) -> dict[Permit, int]:
    """A Permit table with all four kinds."""
    housing, tower, factory, park = counts
    return {"housing": housing, "tower": tower, "factory": factory, "park": park}


def counted(permits: Sequence[Permit]) -> list[int]:
    """How many Permits there are of each kind."""
    return [permits.count(permit) for permit in PERMITS]


def in_order(permits: Sequence[Permit]) -> list[Permit]:
    """The same Permits, sorted by kind."""
    return sorted(permits, key=INDEX.__getitem__)

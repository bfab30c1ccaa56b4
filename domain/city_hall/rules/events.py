"""What can happen in a game, one struct a fact, with everything it changed; seats as keys are digits."""

from collections.abc import Mapping
from typing import ClassVar, Final, Literal

from domain.city_hall.rules.board import Board
from domain.city_hall.rules.pieces import Land, Office, Permit
from domain.engine.game import Draw, Event, Handlers

EVOLVE: Final = Handlers()
"""The handler of every event; the modules of the chapters fill it."""
evolves: Final = EVOLVE.evolves


class BoardLaid(Event, frozen=True):
    """The board of this game (CH-20.5), what everybody starts with and what is left for the Permit deck (CH-3)."""

    board: Board
    star_token: int
    money: int
    influence: int
    hand: dict[Permit, int]
    deck: dict[Permit, int]


class TurnOrderDrawn(Event, frozen=True):
    """Chance filled the Turn Order Track (CH-3.7); `last` takes so much more Influence (CH-3.8).

    So many Land cards are drawn for the draft (CH-4.1)."""

    draw: Draw
    result: list[int]
    last: int
    influence: int
    lands: int


class LandDrawn(Event, frozen=True):
    """A card was drawn from the Land deck; its space is available with $0."""

    draw: Draw
    result: Land


class LandDrafted(Event, frozen=True):
    """A player chose a space and took the money on it (CH-4.3); so many cards are drawn next; `last`: of the draft."""

    seat: int
    land: Land
    money: int
    lands: int
    last: bool


class MoneyLaid(Event, frozen=True):
    """The bank put dollars on available spaces (CH-4.4, CH-8.13)."""

    lands: dict[Land, int]


class PermitReturned(Event, frozen=True):
    """A player returned a starting Permit to the bottom of the deck (CH-5.1); which, is for the player's eyes only."""

    SEALED: ClassVar[Mapping[str, str]] = {"permit": "seat"}

    seat: int
    permit: Permit | None = None


class BuildingFounded(Event, frozen=True):
    """A player placed an initial Building (CH-5.1, CH-13.2); `stars`: the Star Values changed; `last`: of them all."""

    seat: int
    permit: Permit
    land: Land
    stars: dict[Land, int]
    last: bool


class DeputyMovedUp(Event, frozen=True):
    """Who controlled the Deputy Mayor moved to the first position of the track (CH-6.2, CH-11.4)."""

    seat: int
    turn_order: list[int]


class RoundBegan(Event, frozen=True):
    """A round began (CH-6): everybody took so much Influence, so much went on neglected Offices, the Staffers
    came back; `schedule` is who activates, in order."""

    round: int
    final: bool
    schedule: list[int]
    income: int
    neglect: dict[Office, int]


class OfficeActivated(Event, frozen=True):
    """A Staffer went on an Office, the Influence on it to its player (CH-7.2, CH-7.3).

    `waiting`: who answers, in order; so many Land cards and Permits are revealed first (CH-7.4)."""

    seat: int
    office: Office
    influence: int
    waiting: list[int]
    lands: int
    permits: int


class LandSearched(Event, frozen=True):
    """The activator paid for a card of the own choice out of the Land deck (CH-8.9)."""

    seat: int
    land: Land
    influence: int


class PermitsRevealed(Event, frozen=True):
    """Chance revealed Permits (CH-8.16); the last `bottom` of them had lain below, their order known."""

    draw: Draw
    result: list[Permit]
    bottom: int


class BidMade(Event, frozen=True):
    """An opponent bid (CH-7.6)."""

    seat: int
    influence: int


class BidPassed(Event, frozen=True):
    """An opponent passed (CH-7.6)."""

    seat: int


class OfficeKept(Event, frozen=True):
    """The activator paid the high bid to the bank (CH-7.9)."""

    seat: int
    influence: int


class BidAccepted(Event, frozen=True):
    """The activator took a high bidder's Influence (CH-7.9)."""

    seat: int
    bidder: int
    influence: int


class OfficeControlled(Event, frozen=True):
    """Somebody controls the Office in process; `acts`: it is an Office that asks for something (CH-8.26)."""

    seat: int
    office: Office
    acts: bool


class TaxesCollected(Event, frozen=True):
    """Tax Assessor (CH-8.3): the income, what was taken, the approval space after it."""

    seat: int
    times: Literal["plain", "double", "triple"]
    income: int
    money: int
    approval: int


class CampaignRun(Event, frozen=True):
    """Campaign Manager (CH-8.4): what was paid, the spaces of advance it bought, the approval space after it.

    No space was bought where the Office was not used (variant `campaign`)."""

    seat: int
    money: int
    spaces: int
    approval: int


class LandBought(Event, frozen=True):
    """Surveyor (CH-8.11): a space bought, what was paid or, beyond the price, received."""

    seat: int
    land: Land
    paid: int
    received: int


class NothingBought(Event, frozen=True):
    """Surveyor: no space was bought."""

    seat: int


class InfluenceLobbied(Event, frozen=True):
    """Lobbyist (CH-8.6, CH-8.7): Influence taken; then the clauses in order, what they cost and brought in dollars."""

    seat: int
    taken: int
    steps: list[dict[Literal["buy", "sell"], int]]
    bought: int
    sold: int
    paid: int
    received: int


class ZoningChosen(Event, frozen=True):
    """Zoning Board (CH-8.17): Permits taken; the rest, by kind, went below the deck; in which order, nearest to the
    top first, is for the player's eyes only (CH-8.20)."""

    SEALED: ClassVar[Mapping[str, str]] = {"under": "seat"}

    seat: int
    taken: list[Permit]
    rest: list[Permit]
    under: list[Permit] | None = None


class PermitBuilt(Event, frozen=True):
    """A Permit was placed and settled (CH-8.19): Star Values that changed, approval spaces that changed by seat, the
    Star Token's space."""

    seat: int
    permit: Permit
    land: Land
    stars: dict[Land, int]
    approval: dict[str, int]
    star_token: int


class StarsCounted(Event, frozen=True):
    """Health Commissioner (CH-8.21 to CH-8.24), or the one more of the final round (CH-11.3), which nobody controls:
    totals with the bonus, gains, and Population after them, by seat."""

    seat: int | None
    bonus: Literal["none", "plus3", "double"]
    totals: list[int]
    gains: list[int]
    population: list[int]


class TurnEnded(Event, frozen=True):
    """A turn is over; so many of the round are; `following` activates next, None where the round is over."""

    turn: int
    following: int | None


class MayorElected(Event, frozen=True):
    """The end (CH-12), with all that was secret: holdings by seat, the Permit deck, its bottom cards top first."""

    base_votes: list[int]
    endorsements: dict[str, int | None]
    votes: list[int]
    mayor: int
    money: list[int]
    influence: list[int]
    hands: list[dict[Permit, int]]
    deck: dict[Permit, int]
    bottom: list[Permit]


EVENTS: Final[dict[str, type[Event]]] = {
    "board-laid": BoardLaid,
    "turn-order-drawn": TurnOrderDrawn,
    "land-drawn": LandDrawn,
    "land-drafted": LandDrafted,
    "money-laid": MoneyLaid,
    "permit-returned": PermitReturned,
    "building-founded": BuildingFounded,
    "deputy-moved-up": DeputyMovedUp,
    "round-began": RoundBegan,
    "office-activated": OfficeActivated,
    "land-searched": LandSearched,
    "permits-revealed": PermitsRevealed,
    "bid-made": BidMade,
    "bid-passed": BidPassed,
    "office-kept": OfficeKept,
    "bid-accepted": BidAccepted,
    "office-controlled": OfficeControlled,
    "taxes-collected": TaxesCollected,
    "campaign-run": CampaignRun,
    "land-bought": LandBought,
    "nothing-bought": NothingBought,
    "influence-lobbied": InfluenceLobbied,
    "zoning-chosen": ZoningChosen,
    "permit-built": PermitBuilt,
    "stars-counted": StarsCounted,
    "turn-ended": TurnEnded,
    "mayor-elected": MayorElected,
}
"""By stored name, never renamed once written."""

"""The documents of the API as types: made by `clients/python/typed_models.py` from the description.

A document may hold more than is named here: a newer server says more.
"""

# ruff: noqa: E501
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Action(TypedDict):
    text: str
    action: "AnyAction"


class Actions(TypedDict):
    version: int
    actions: list["Action"]
    complete: bool


class Actor(TypedDict):
    seat: NotRequired[int]
    chance: NotRequired[int]
    clock: NotRequired[bool]
    host: NotRequired[str]
    operator: NotRequired[bool]


class Amount(TypedDict):
    value: str
    label: str
    least: int
    most: int


AnyAction: TypeAlias = "CityHallAction | TammanyHallAction"


class Choices(TypedDict):
    version: int
    choices: list["Question"]
    complete: bool


class CityHallAcceptAction(TypedDict):
    type: Literal['accept']
    seat: int


CityHallAction: TypeAlias = "CityHallBuildAction | CityHallAcceptAction | CityHallActivateAction | CityHallBidAction | CityHallBuyAction | CityHallCampaignAction | CityHallDraftAction | CityHallHealthAction | CityHallKeepAction | CityHallLobbyAction | CityHallPassAction | CityHallTaxAction | CityHallZoneAction"


class CityHallActivateAction(TypedDict):
    type: Literal['activate']
    office: Literal['campaign', 'deputy', 'health', 'lobbyist', 'surveyor', 'tax', 'zoning']
    search: NotRequired[Literal['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'M1', 'M2', 'M3', 'M4', 'M5', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q8'] | None]


class CityHallBidAcceptedData(TypedDict):
    seat: int
    bidder: int
    influence: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallBidAcceptedEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.bid-accepted']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallBidAcceptedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallBidAction(TypedDict):
    type: Literal['bid']
    influence: int


class CityHallBidMadeData(TypedDict):
    seat: int
    influence: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallBidMadeEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.bid-made']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallBidMadeData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallBidPassedData(TypedDict):
    seat: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallBidPassedEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.bid-passed']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallBidPassedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallBoard(TypedDict):
    boroughs: dict[str, "CityHallBorough"]
    bridges: list[list[Literal['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'M1', 'M2', 'M3', 'M4', 'M5', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q8']]]
    ratings: list[int]
    approval_start: int
    star_start: dict[str, int]
    population_start: int
    population_max: int
    permits: dict[str, "CityHallPermitKind"]
    endorsements: list["CityHallEndorsement"]
    borough_of: dict[str, str]
    neighbours: dict[str, list[Literal['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'M1', 'M2', 'M3', 'M4', 'M5', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q8']]]


class CityHallBoardLaidData(TypedDict):
    board: "CityHallBoard"
    star_token: int
    money: int
    influence: int
    hand: dict[str, int]
    deck: dict[str, int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallBoardLaidEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.board-laid']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallBoardLaidData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallBorough(TypedDict):
    grid: list[list[str]]
    star_bonus: int


CityHallBuildAction = TypedDict(
    "CityHallBuildAction",
    {
        "type": Literal['build'],
        "permit": Literal['factory', 'housing', 'park', 'tower'],
        "land": Literal['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'M1', 'M2', 'M3', 'M4', 'M5', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q8'],
        "return": NotRequired[Literal['factory', 'housing', 'park', 'tower'] | None],
    },
)


class CityHallBuildingFoundedData(TypedDict):
    seat: int
    permit: Literal['factory', 'housing', 'park', 'tower']
    land: Literal['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'M1', 'M2', 'M3', 'M4', 'M5', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q8']
    stars: dict[str, int]
    last: bool
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallBuildingFoundedEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.building-founded']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallBuildingFoundedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallBuyAction(TypedDict):
    type: Literal['buy']
    land: Literal['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'M1', 'M2', 'M3', 'M4', 'M5', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q8'] | None


class CityHallCampaignAction(TypedDict):
    type: Literal['campaign']
    pay: Literal[0, 10, 30] | Literal['none']


class CityHallCampaignRunData(TypedDict):
    seat: int
    money: int
    spaces: int
    approval: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallCampaignRunEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.campaign-run']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallCampaignRunData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallDeputyMovedUpData(TypedDict):
    seat: int
    turn_order: list[int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallDeputyMovedUpEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.deputy-moved-up']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallDeputyMovedUpData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallDraftAction(TypedDict):
    type: Literal['draft']
    land: Literal['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'M1', 'M2', 'M3', 'M4', 'M5', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q8']


class CityHallDraw(TypedDict):
    label: str
    index: int


class CityHallEndorsement(TypedDict):
    id: str
    name: str
    metric: str
    votes: int


class CityHallGame(TypedDict):
    id: str
    name: str
    ruleset: Literal['city-hall']
    options: dict[str, Any]
    public: bool
    host: str
    status: Literal['open', 'running', 'finished', 'abandoned']
    version: int
    hash: str
    seats: list["Seat"]
    awaiting: list[int]
    clock: "GameClock"
    paused: bool
    proposal: "Proposal | None"
    state: "CityHallState | None"
    you: "You | None"


class CityHallHealthAction(TypedDict):
    type: Literal['health']
    bonus: Literal['double', 'none', 'plus3']


class CityHallInfluenceLobbiedData(TypedDict):
    seat: int
    taken: int
    steps: list[dict[str, int]]
    bought: int
    sold: int
    paid: int
    received: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallInfluenceLobbiedEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.influence-lobbied']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallInfluenceLobbiedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallKeepAction(TypedDict):
    type: Literal['keep']


class CityHallLandBoughtData(TypedDict):
    seat: int
    land: Literal['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'M1', 'M2', 'M3', 'M4', 'M5', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q8']
    paid: int
    received: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallLandBoughtEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.land-bought']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallLandBoughtData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallLandDraftedData(TypedDict):
    seat: int
    land: Literal['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'M1', 'M2', 'M3', 'M4', 'M5', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q8']
    money: int
    lands: int
    last: bool
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallLandDraftedEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.land-drafted']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallLandDraftedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallLandDrawnData(TypedDict):
    draw: "CityHallDraw"
    result: Literal['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'M1', 'M2', 'M3', 'M4', 'M5', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q8']
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallLandDrawnEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.land-drawn']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallLandDrawnData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallLandSearchedData(TypedDict):
    seat: int
    land: Literal['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'M1', 'M2', 'M3', 'M4', 'M5', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q8']
    influence: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallLandSearchedEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.land-searched']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallLandSearchedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallLobbyAction(TypedDict):
    type: Literal['lobby']
    steps: NotRequired[list[dict[str, int]]]


class CityHallMayorElectedData(TypedDict):
    base_votes: list[int]
    endorsements: dict[str, int | None]
    votes: list[int]
    mayor: int
    money: list[int]
    influence: list[int]
    hands: list[dict[str, int]]
    deck: dict[str, int]
    bottom: list[Literal['factory', 'housing', 'park', 'tower']]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallMayorElectedEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.mayor-elected']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallMayorElectedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallMoneyLaidData(TypedDict):
    lands: dict[str, int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallMoneyLaidEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.money-laid']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallMoneyLaidData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallNothingBoughtData(TypedDict):
    seat: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallNothingBoughtEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.nothing-bought']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallNothingBoughtData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallOfficeActivatedData(TypedDict):
    seat: int
    office: Literal['campaign', 'deputy', 'health', 'lobbyist', 'surveyor', 'tax', 'zoning']
    influence: int
    waiting: list[int]
    lands: int
    permits: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallOfficeActivatedEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.office-activated']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallOfficeActivatedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallOfficeControlledData(TypedDict):
    seat: int
    office: Literal['campaign', 'deputy', 'health', 'lobbyist', 'surveyor', 'tax', 'zoning']
    acts: bool
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallOfficeControlledEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.office-controlled']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallOfficeControlledData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallOfficeKeptData(TypedDict):
    seat: int
    influence: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallOfficeKeptEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.office-kept']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallOfficeKeptData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallPassAction(TypedDict):
    type: Literal['pass']


class CityHallPermitBuiltData(TypedDict):
    seat: int
    permit: Literal['factory', 'housing', 'park', 'tower']
    land: Literal['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'M1', 'M2', 'M3', 'M4', 'M5', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q8']
    stars: dict[str, int]
    approval: dict[str, int]
    star_token: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallPermitBuiltEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.permit-built']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallPermitBuiltData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallPermitKind(TypedDict):
    count: int
    max_stars: int
    modifiers: dict[str, int]


class CityHallPermitReturnedData(TypedDict):
    seat: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallPermitReturnedEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.permit-returned']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallPermitReturnedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallPermitsRevealedData(TypedDict):
    draw: "CityHallDraw"
    result: list[Literal['factory', 'housing', 'park', 'tower']]
    bottom: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallPermitsRevealedEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.permits-revealed']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallPermitsRevealedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallPlacement(TypedDict):
    permit: Literal['factory', 'housing', 'park', 'tower']
    land: Literal['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'M1', 'M2', 'M3', 'M4', 'M5', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q8']


class CityHallRoundBeganData(TypedDict):
    round: int
    final: bool
    schedule: list[int]
    income: int
    neglect: dict[str, int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallRoundBeganEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.round-began']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallRoundBeganData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallStarsCountedData(TypedDict):
    seat: int | None
    bonus: Literal['double', 'none', 'plus3']
    totals: list[int]
    gains: list[int]
    population: list[int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallStarsCountedEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.stars-counted']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallStarsCountedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallState(TypedDict):
    active: list[int]
    bidding: "CityHallStateBidding | None"
    controller: int | None
    deputy: int | None
    final: bool
    format: Literal['city-hall-state/1']
    land_deck: list[Literal['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'M1', 'M2', 'M3', 'M4', 'M5', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7', 'Q8']] | None
    land_deck_count: int
    lands: dict[str, "CityHallStateLand"]
    looked_into: NotRequired[list[int]]
    office: Literal['campaign', 'deputy', 'health', 'lobbyist', 'surveyor', 'tax', 'zoning'] | None
    offices: dict[str, "CityHallStateOffice"]
    permit_deck: list[Literal['factory', 'housing', 'park', 'tower']] | None
    permit_deck_count: int
    phase: Literal['activate', 'bid', 'build', 'decide', 'draft', 'over', 'resolve']
    players: int
    result: "CityHallStateResult | None"
    revealed: list[Literal['factory', 'housing', 'park', 'tower']]
    round: int
    schedule: list[int]
    seats: list["CityHallStateSeat"]
    star_token: int
    turn: int
    turn_order: list[int]


class CityHallStateBidding(TypedDict):
    bids: list[list[int | None]]
    high: int
    waiting: list[int]


class CityHallStateLand(TypedDict):
    money: int
    owner: int | None
    permit: Literal['factory', 'housing', 'park', 'tower'] | None
    stars: int | None
    state: Literal['available', 'deck', 'owned']


class CityHallStateOffice(TypedDict):
    influence: int
    staffer: int | None


class CityHallStateResult(TypedDict):
    base_votes: list[int]
    endorsements: dict[str, int | None]
    mayor: int
    votes: list[int]


class CityHallStateSeat(TypedDict):
    approval: int
    hand: dict[str, int] | None
    hand_count: int
    influence: int | None
    money: int | None
    name: str
    population: int
    rating: int
    stars: int


class CityHallTaxAction(TypedDict):
    type: Literal['tax']
    times: NotRequired[Literal['double', 'plain', 'triple']]


class CityHallTaxesCollectedData(TypedDict):
    seat: int
    times: Literal['double', 'plain', 'triple']
    income: int
    money: int
    approval: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallTaxesCollectedEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.taxes-collected']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallTaxesCollectedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallTurnEndedData(TypedDict):
    turn: int
    following: int | None
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallTurnEndedEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.turn-ended']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallTurnEndedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallTurnOrderDrawnData(TypedDict):
    draw: "CityHallDraw"
    result: list[int]
    last: int
    influence: int
    lands: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallTurnOrderDrawnEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.turn-order-drawn']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallTurnOrderDrawnData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class CityHallZoneAction(TypedDict):
    type: Literal['zone']
    take: NotRequired[list[Literal['factory', 'housing', 'park', 'tower']]]
    build: NotRequired[list["CityHallPlacement"]]
    under: NotRequired[list[Literal['factory', 'housing', 'park', 'tower']] | None]


class CityHallZoningChosenData(TypedDict):
    seat: int
    taken: list[Literal['factory', 'housing', 'park', 'tower']]
    rest: list[Literal['factory', 'housing', 'park', 'tower']]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class CityHallZoningChosenEvent(TypedDict):
    game: str
    version: int
    type: Literal['city-hall.zoning-chosen']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "CityHallZoningChosenData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


Days = TypedDict(
    "Days",
    {
        "from": str,
        "to": str,
    },
)


Diff = TypedDict(
    "Diff",
    {
        "from": "Head",
        "to": "Head",
        "sentences": list["Told"],
        "patch": list["PatchOperation"],
    },
)


class Draft(TypedDict):
    version: int
    hash: str
    lines: list["DraftLine"]
    sentences: list[str]
    events: list["ForeseenEvent"]
    game: "Game"
    choices: list["Question"]
    complete: bool
    refusal: "RefusedLine | None"


class DraftLine(TypedDict):
    number: int
    text: str
    sentences: list[str]
    final: bool


class Error(TypedDict):
    pointer: str
    detail: str


Event: TypeAlias = "CityHallBidAcceptedEvent | CityHallBidMadeEvent | CityHallBidPassedEvent | CityHallBoardLaidEvent | CityHallBuildingFoundedEvent | CityHallCampaignRunEvent | CityHallDeputyMovedUpEvent | CityHallInfluenceLobbiedEvent | CityHallLandBoughtEvent | CityHallLandDraftedEvent | CityHallLandDrawnEvent | CityHallLandSearchedEvent | CityHallMayorElectedEvent | CityHallMoneyLaidEvent | CityHallNothingBoughtEvent | CityHallOfficeActivatedEvent | CityHallOfficeControlledEvent | CityHallOfficeKeptEvent | CityHallPermitBuiltEvent | CityHallPermitReturnedEvent | CityHallPermitsRevealedEvent | CityHallRoundBeganEvent | CityHallStarsCountedEvent | CityHallTaxesCollectedEvent | CityHallTurnEndedEvent | CityHallTurnOrderDrawnEvent | CityHallZoningChosenEvent | TableBankChangedEvent | TableCaretakerActedEvent | TableClockAnsweredEvent | TableClockPausedEvent | TableClockProposedEvent | TableClockResumedEvent | TableDeadlineMovedEvent | TableGameAbandonedEvent | TableGameFinishedEvent | TableGameOpenedEvent | TableGameStartedEvent | TableOrdersDroppedEvent | TableOrdersFiledEvent | TableOrdersFollowedEvent | TableProposalDroppedEvent | TableRewindAnsweredEvent | TableRewindProposedEvent | TableRewoundEvent | TableSeatLeftEvent | TableSeatTakenByBotEvent | TableSeatTakenEvent | TableSeatTakenOverEvent | TableSeatVacatedEvent | TableSeedRevealedEvent | TableStrikesClearedEvent | TableTimeExtendedEvent | TableTurnExpiredEvent | TammanyHallBidSealedEvent | TammanyHallBiddingOpenedEvent | TammanyHallBidsRevealedEvent | TammanyHallBonusCubePlacedEvent | TammanyHallBonusDeclinedEvent | TammanyHallBonusFavorTakenEvent | TammanyHallBossSlanderedEvent | TammanyHallBossesPlacedEvent | TammanyHallFavorGrantedEvent | TammanyHallFirstPlayerDrawnEvent | TammanyHallGameScoredEvent | TammanyHallGardenFilledEvent | TammanyHallGardenReturnedEvent | TammanyHallImmigrantExpelledEvent | TammanyHallImmigrantMovedEvent | TammanyHallImmigrantSettledEvent | TammanyHallLeadersAwardedEvent | TammanyHallLocksLiftedEvent | TammanyHallMayorElectedEvent | TammanyHallOfficesAssignedEvent | TammanyHallTermBeganEvent | TammanyHallTurnBeganEvent | TammanyHallTurnEndedEvent | TammanyHallWardLockedEvent | TammanyHallWardResolvedEvent | TammanyHallYearBeganEvent | TammanyHallZoneOpenedEvent"


class Events(TypedDict):
    events: list["Event"]
    head: "Head"


class ForeseenEvent(TypedDict):
    type: Literal['city-hall.bid-accepted', 'city-hall.bid-made', 'city-hall.bid-passed', 'city-hall.board-laid', 'city-hall.building-founded', 'city-hall.campaign-run', 'city-hall.deputy-moved-up', 'city-hall.influence-lobbied', 'city-hall.land-bought', 'city-hall.land-drafted', 'city-hall.land-drawn', 'city-hall.land-searched', 'city-hall.mayor-elected', 'city-hall.money-laid', 'city-hall.nothing-bought', 'city-hall.office-activated', 'city-hall.office-controlled', 'city-hall.office-kept', 'city-hall.permit-built', 'city-hall.permit-returned', 'city-hall.permits-revealed', 'city-hall.round-began', 'city-hall.stars-counted', 'city-hall.taxes-collected', 'city-hall.turn-ended', 'city-hall.turn-order-drawn', 'city-hall.zoning-chosen', 'table.bank-changed', 'table.caretaker-acted', 'table.clock-answered', 'table.clock-paused', 'table.clock-proposed', 'table.clock-resumed', 'table.deadline-moved', 'table.game-abandoned', 'table.game-finished', 'table.game-opened', 'table.game-started', 'table.orders-dropped', 'table.orders-filed', 'table.orders-followed', 'table.proposal-dropped', 'table.rewind-answered', 'table.rewind-proposed', 'table.rewound', 'table.seat-left', 'table.seat-taken', 'table.seat-taken-by-bot', 'table.seat-taken-over', 'table.seat-vacated', 'table.seed-revealed', 'table.strikes-cleared', 'table.time-extended', 'table.turn-expired', 'tammany-hall.bid-sealed', 'tammany-hall.bidding-opened', 'tammany-hall.bids-revealed', 'tammany-hall.bonus-cube-placed', 'tammany-hall.bonus-declined', 'tammany-hall.bonus-favor-taken', 'tammany-hall.boss-slandered', 'tammany-hall.bosses-placed', 'tammany-hall.favor-granted', 'tammany-hall.first-player-drawn', 'tammany-hall.game-scored', 'tammany-hall.garden-filled', 'tammany-hall.garden-returned', 'tammany-hall.immigrant-expelled', 'tammany-hall.immigrant-moved', 'tammany-hall.immigrant-settled', 'tammany-hall.leaders-awarded', 'tammany-hall.locks-lifted', 'tammany-hall.mayor-elected', 'tammany-hall.offices-assigned', 'tammany-hall.term-began', 'tammany-hall.turn-began', 'tammany-hall.turn-ended', 'tammany-hall.ward-locked', 'tammany-hall.ward-resolved', 'tammany-hall.year-began', 'tammany-hall.zone-opened']
    actor: "Actor"
    data: dict[str, Any]


Game: TypeAlias = "CityHallGame | TammanyHallGame"


class GameClock(TypedDict):
    per_move: NotRequired[str]
    grace: NotRequired[str]
    reminders: NotRequired[list[str]]
    on_timeout: NotRequired[Literal['caretaker', 'pause']]
    strikes: NotRequired[int]
    bank: NotRequired[str]
    increment: NotRequired[str]
    weekends: NotRequired[Literal['count', 'skip']]
    quiet_hours: NotRequired[bool]
    leave_days: NotRequired[int]
    deadlines: list["OwedAnswer"]


class GameSummary(TypedDict):
    id: str
    name: str
    ruleset: Literal['tammany-hall', 'city-hall']
    status: Literal['open', 'running', 'finished', 'abandoned']
    version: int
    hash: str
    public: bool
    created_at: str
    seats: list["Seat"]
    blocked: NotRequired[list[str]]


class Head(TypedDict):
    version: int
    hash: str


class Lobby(TypedDict):
    items: list["GameSummary"]
    next: str | None


class Me(TypedDict):
    id: str
    name: str
    email: str
    timezone: str
    language: str
    mail: bool
    secret_free: bool
    new_subjects: bool
    calendar: bool
    receipts: bool
    quiet_turns: bool
    tell_urgent: Literal['mail', 'push', 'both']
    tell_normal: Literal['mail', 'push', 'both']
    tell_news: Literal['mail', 'push', 'both']
    wakes_at: str
    digest: Literal['off', 'daily', 'weekly']
    mail_state: Literal['ok', 'bouncing', 'stopped']
    mail_reason: str
    mail_note: str
    created_at: str


class Moved(TypedDict):
    version: int
    hash: str
    events: list["Event"]
    game: "Game"
    dry_run: NotRequired[bool]


class Option(TypedDict):
    value: str
    label: str
    target: str | None
    line: str | None
    next: list["Question"]


class OwedAnswer(TypedDict):
    seat: int
    decision: str
    since: int
    due: str | None


PatchOperation = TypedDict(
    "PatchOperation",
    {
        "op": Literal['add', 'remove', 'replace', 'move', 'copy', 'test'],
        "path": str,
        "from": NotRequired[str],
        "value": NotRequired[Any],
    },
)


class Piece(TypedDict):
    value: str
    label: str
    target: str | None


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: Literal['accepts-self', 'accepts-without-keep', 'address-has-account', 'already-answered', 'already-bid', 'already-invited', 'already-locked', 'already-paused', 'already-placed', 'already-seated', 'already-shown', 'already-started', 'analysis-running', 'another-epoch', 'assign-duplicate', 'assign-incomplete', 'assign-self', 'avoids-oneself', 'bad-action', 'bad-bots', 'bad-choice', 'bad-clock', 'bad-code', 'bad-count', 'bad-cursor', 'bad-draw', 'bad-duration', 'bad-extension', 'bad-gateway', 'bad-idempotency-key', 'bad-if-match', 'bad-json', 'bad-leave', 'bad-moment', 'bad-nonce', 'bad-note', 'bad-option', 'bad-orders', 'bad-pause', 'bad-place', 'bad-push-address', 'bad-push-keys', 'bad-range', 'bad-request', 'bad-seats', 'bad-strength', 'bad-syntax', 'bad-text', 'bad-under', 'bad-version', 'bad-webhook-url', 'bad-zoning-choice', 'bid-too-low', 'blocked-by-you', 'bonus-mandatory', 'bot-seat', 'bot-thinks', 'campaign-mandatory', 'chip-supply-empty', 'code-missing', 'colour-not-in-ward', 'colour-twice', 'conflict', 'cube-not-in-bag', 'cube-not-in-garden', 'cube-not-in-ward', 'delivery-not-kept', 'delivery-waits', 'double-not-allowed', 'empty-seat', 'erasure-not-confirmed', 'forbidden', 'game-halted', 'game-not-over', 'game-over', 'game-running', 'gone', 'idempotency-key-reused', 'idle-condition', 'idle-reserve', 'inactive-ward', 'insufficient-scope', 'internal-server-error', 'keep-twice', 'land-not-available', 'land-not-empty', 'land-not-in-deck', 'land-not-owned', 'last-cube', 'last-election', 'leave-overlaps', 'leave-too-late', 'line-twice', 'lock-limit', 'locked-ward', 'mailbox-is-local', 'met-another', 'method-not-allowed', 'more-scopes', 'must-place-first', 'must-place-two', 'name-looks-alike', 'needs-consent', 'no-analysis', 'no-analysis-running', 'no-bid-due', 'no-boss-left', 'no-bot', 'no-host', 'no-orders', 'no-own-boss', 'no-player', 'no-proposal', 'no-room', 'no-statistics', 'no-such-chart', 'no-such-delivery', 'no-such-device', 'no-such-game', 'no-such-log', 'no-such-message', 'no-such-player', 'no-such-ruleset', 'no-such-seat', 'no-such-table', 'no-such-token', 'no-such-version', 'no-such-webhook', 'no-target-boss', 'nobody-asked', 'nobody-else', 'not-a-building', 'not-a-high-bidder', 'not-acceptable', 'not-adjacent', 'not-asked', 'not-confirmed', 'not-enough-chips', 'not-enough-influence', 'not-enough-money', 'not-found', 'not-host', 'not-implemented', 'not-in-hand', 'not-open-to-you', 'not-our-form', 'not-paused', 'not-seated', 'not-shown', 'not-started', 'not-your-analysis', 'not-your-turn', 'nothing-played', 'nothing-to-come', 'nothing-to-undo', 'office-not-held', 'office-taken', 'office-twice', 'office-used', 'own-proposal', 'own-seat', 'permit-not-revealed', 'player-resigned', 'player-twice', 'precondition-failed', 'precondition-required', 'proposal-open', 'push-off', 'request-entity-too-large', 'request-timeout', 'request-uri-too-long', 'return-forbidden', 'return-required', 'round-over', 'seal-opened', 'sealed', 'search-forbidden', 'seat-taken', 'seat-vacant', 'service-unavailable', 'several-rounds', 'slander-self', 'slander-too-early', 'slander-used', 'stale', 'strange-key', 'suspended', 'table-full', 'talk-over', 'too-busy', 'too-deep', 'too-few-players', 'too-many-at-once', 'too-many-avoided', 'too-many-bot-tables', 'too-many-devices', 'too-many-guests', 'too-many-invitations', 'too-many-languages', 'too-many-lines', 'too-many-notes', 'too-many-open-tables', 'too-many-passkeys', 'too-many-replays', 'too-many-requests', 'too-many-tests', 'too-many-waiting', 'too-many-webhooks', 'too-much-effort', 'too-much-leave', 'too-new', 'triple-not-allowed', 'unauthorized', 'unavailable', 'unforeseen', 'unknown-colour', 'unknown-land', 'unknown-language', 'unknown-office', 'unknown-option', 'unknown-permit', 'unknown-player', 'unknown-query', 'unknown-ruleset', 'unknown-term', 'unknown-ward', 'unprocessable-entity', 'unsigned', 'unsupported-media-type', 'ward-twice', 'webhook-exists', 'webhook-is-off', 'webhooks-off', 'wrong-bonus', 'wrong-phase', 'wrong-term', 'wrong-ward']
    rule: NotRequired[str]
    rule_url: NotRequired[str]
    errors: NotRequired[list["Error"]]
    line: NotRequired[str]
    until: NotRequired[str | None]
    why: NotRequired[str | None]
    scope: NotRequired[str]
    version: NotRequired[int]
    hash: NotRequired[str]
    events: NotRequired[list["Event"]]


class Proposal(TypedDict):
    what: Literal['rewind', 'pause', 'resume', 'extend']
    seat: int
    version: int
    to: int | None
    reason: Literal['slip', 'misread', 'lapse', 'agreed', None]
    seconds: int | None
    asked: list[int]
    agreed: list[int]


class Question(TypedDict):
    field: str
    label: str
    options: NotRequired[list["Option"]]
    words: NotRequired[str]
    amounts: NotRequired[list["Amount"]]
    nothing: NotRequired[str | None]
    order: NotRequired[list["Piece"]]


class RefusedLine(TypedDict):
    number: int
    text: str
    detail: str
    code: str
    rule: str
    rule_url: NotRequired[str]


SealedLeaf = TypedDict(
    "SealedLeaf",
    {
        "for": int | Literal['nobody'],
        "commitment": str,
        "data": NotRequired[dict[str, Any]],
        "salt": NotRequired[str],
    },
)


class Seat(TypedDict):
    seat: int
    status: Literal['empty', 'taken', 'vacant', 'bot']
    player: str | None
    name: str | None
    bot: "SeatedBot | None"
    strikes: int
    away: NotRequired["Days | None"]
    mail: NotRequired[Literal['off', 'undeliverable']]


class SeatedBot(TypedDict):
    strength: Literal[0, 1, 2, 3]
    temper: Literal['even', 'cautious', 'patient', 'vindictive']


class TableBankChangedData(TypedDict):
    seat: int
    left: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableBankChangedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.bank-changed']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableBankChangedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableBot(TypedDict):
    strength: NotRequired[Literal[0, 1, 2, 3]]
    temper: NotRequired[Literal['cautious', 'even', 'patient', 'vindictive']]


class TableCaretakerActedData(TypedDict):
    seat: int
    reason: Literal['expired', 'vacant']
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableCaretakerActedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.caretaker-acted']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableCaretakerActedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableClockAnsweredData(TypedDict):
    seat: int
    agrees: bool
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableClockAnsweredEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.clock-answered']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableClockAnsweredData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableClockPausedData(TypedDict):
    reason: Literal['agreed', 'operator', 'timeout']
    seconds: int
    seat: int | None
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableClockPausedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.clock-paused']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableClockPausedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableClockProposedData(TypedDict):
    seat: int
    what: Literal['extend', 'pause', 'resume']
    seconds: int
    asked: list[int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableClockProposedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.clock-proposed']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableClockProposedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableClockResumedData(TypedDict):
    reason: Literal['acted', 'agreed', 'host', 'operator', 'over']
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableClockResumedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.clock-resumed']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableClockResumedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableDeadlineMovedData(TypedDict):
    why: Literal['player', 'service']
    outage: int | None
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableDeadlineMovedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.deadline-moved']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableDeadlineMovedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableGameAbandonedData(TypedDict):
    reason: Literal['closed', 'nobody-left', 'operator']
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableGameAbandonedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.game-abandoned']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableGameAbandonedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableGameFinishedData(TypedDict):
    winners: list[int]
    scores: list[int]
    reason: Literal['resigned'] | None
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableGameFinishedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.game-finished']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableGameFinishedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableGameOpenedData(TypedDict):
    ruleset: str
    seats: int
    options: dict[str, str]
    clock: dict[str, Any]
    public: bool
    host: str
    seed_commitment: str
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableGameOpenedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.game-opened']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableGameOpenedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableGameStartedData(TypedDict):
    seats: list[int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableGameStartedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.game-started']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableGameStartedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableOrdersDroppedData(TypedDict):
    seat: int
    reason: Literal['taken-back', 'taken-over', 'unfit', 'withdrawn']
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableOrdersDroppedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.orders-dropped']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableOrdersDroppedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableOrdersFiledData(TypedDict):
    seat: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableOrdersFiledEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.orders-filed']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableOrdersFiledData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableOrdersFollowedData(TypedDict):
    seat: int
    filed: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableOrdersFollowedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.orders-followed']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableOrdersFollowedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableProposalDroppedData(TypedDict):
    seat: int
    reason: Literal['played-on', 'refused', 'withdrawn']
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableProposalDroppedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.proposal-dropped']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableProposalDroppedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableRewindAnsweredData(TypedDict):
    seat: int
    agrees: bool
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableRewindAnsweredEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.rewind-answered']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableRewindAnsweredData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableRewindProposedData(TypedDict):
    seat: int
    to: int
    reason: Literal['agreed', 'lapse', 'misread', 'slip']
    asked: list[int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableRewindProposedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.rewind-proposed']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableRewindProposedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableRewoundData(TypedDict):
    to: int
    seat: int
    reason: Literal['agreed', 'lapse', 'misread', 'slip']
    agreed: list[int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableRewoundEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.rewound']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableRewoundData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableSeatLeftData(TypedDict):
    seat: int
    host: str
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableSeatLeftEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.seat-left']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableSeatLeftData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableSeatTakenByBotData(TypedDict):
    seat: int
    bot: "TableBot"
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableSeatTakenByBotEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.seat-taken-by-bot']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableSeatTakenByBotData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableSeatTakenData(TypedDict):
    seat: int
    player: str | None
    nonce: str
    nonce_by: Literal['player', 'server']
    bot: "TableBot | None"
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableSeatTakenEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.seat-taken']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableSeatTakenData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableSeatTakenOverData(TypedDict):
    seat: int
    player: str
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableSeatTakenOverEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.seat-taken-over']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableSeatTakenOverData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableSeatVacatedData(TypedDict):
    seat: int
    reason: Literal['resigned'] | None
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableSeatVacatedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.seat-vacated']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableSeatVacatedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableSeedRevealedData(TypedDict):
    seed: str
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableSeedRevealedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.seed-revealed']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableSeedRevealedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableStrikesClearedData(TypedDict):
    seat: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableStrikesClearedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.strikes-cleared']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableStrikesClearedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableTimeExtendedData(TypedDict):
    seconds: int
    seat: int | None
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableTimeExtendedEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.time-extended']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableTimeExtendedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TableTurnExpiredData(TypedDict):
    seat: int
    decision: str
    strikes: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TableTurnExpiredEvent(TypedDict):
    game: str
    version: int
    type: Literal['table.turn-expired']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TableTurnExpiredData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


TammanyHallAction: TypeAlias = "TammanyHallOfficeMoveAction | TammanyHallSettleAction | TammanyHallSlanderAction | TammanyHallBonusCubeAction | TammanyHallOfficePoliceAction | TammanyHallAssignAction | TammanyHallBonusFavorAction | TammanyHallOfficeFavorAction | TammanyHallOfficeLockAction | TammanyHallPlaceAction | TammanyHallBidAction | TammanyHallBonusPassAction | TammanyHallEndAction"


class TammanyHallAssignAction(TypedDict):
    type: Literal['assign']
    offices: dict[str, int]
    twice: NotRequired[Literal['council', 'deputy', 'police', 'precinct'] | None]


class TammanyHallBidAction(TypedDict):
    type: Literal['bid']
    chips: NotRequired[dict[str, int]]
    ward: NotRequired[Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17] | None]


class TammanyHallBidSealedData(TypedDict):
    seat: int
    ward: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallBidSealedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.bid-sealed']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallBidSealedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallBiddingOpenedData(TypedDict):
    ward: int
    candidates: list["TammanyHallCandidate"]
    owes: list[int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallBiddingOpenedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.bidding-opened']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallBiddingOpenedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallBidsRevealedData(TypedDict):
    ward: int
    bids: dict[str, dict[str, int]]
    votes: dict[str, int]
    winner: int | None
    returned: dict[str, int]
    removed: dict[str, int]
    bonus: Literal['cube', 'favor'] | None
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallBidsRevealedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.bids-revealed']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallBidsRevealedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallBonusCubeAction(TypedDict):
    type: Literal['bonus-cube']
    cube: Literal['english', 'german', 'irish', 'italian']
    ward: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17]


class TammanyHallBonusCubePlacedData(TypedDict):
    seat: int
    cube: Literal['english', 'german', 'irish', 'italian']
    ward: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallBonusCubePlacedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.bonus-cube-placed']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallBonusCubePlacedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallBonusDeclinedData(TypedDict):
    seat: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallBonusDeclinedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.bonus-declined']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallBonusDeclinedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallBonusFavorAction(TypedDict):
    type: Literal['bonus-favor']
    favor: Literal['english', 'german', 'irish', 'italian']


class TammanyHallBonusFavorTakenData(TypedDict):
    seat: int
    favor: Literal['english', 'german', 'irish', 'italian']
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallBonusFavorTakenEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.bonus-favor-taken']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallBonusFavorTakenData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallBonusPassAction(TypedDict):
    type: Literal['bonus-pass']


class TammanyHallBossSlanderedData(TypedDict):
    seat: int
    target: int
    ward: int
    favor: Literal['english', 'german', 'irish', 'italian']
    then: int | None
    chips: int
    slander: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallBossSlanderedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.boss-slandered']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallBossSlanderedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallBossesPlacedData(TypedDict):
    seat: int
    wards: list[int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallBossesPlacedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.bosses-placed']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallBossesPlacedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallCandidate(TypedDict):
    seat: int
    bosses: int
    usable: dict[str, int]


class TammanyHallDraw(TypedDict):
    label: str
    index: int


class TammanyHallEndAction(TypedDict):
    type: Literal['end']


class TammanyHallFavorGrantedData(TypedDict):
    seat: int
    favor: Literal['english', 'german', 'irish', 'italian']
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallFavorGrantedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.favor-granted']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallFavorGrantedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallFirstPlayerDrawnData(TypedDict):
    draw: "TammanyHallDraw"
    result: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallFirstPlayerDrawnEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.first-player-drawn']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallFirstPlayerDrawnData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallGame(TypedDict):
    id: str
    name: str
    ruleset: Literal['tammany-hall']
    options: dict[str, Any]
    public: bool
    host: str
    status: Literal['open', 'running', 'finished', 'abandoned']
    version: int
    hash: str
    seats: list["Seat"]
    awaiting: list[int]
    clock: "GameClock"
    paused: bool
    proposal: "Proposal | None"
    state: "TammanyHallState | None"
    you: "You | None"


class TammanyHallGameScoredData(TypedDict):
    lines: list[dict[str, int | str]]
    scores: list[int]
    winners: list[int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallGameScoredEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.game-scored']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallGameScoredData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallGardenFilledData(TypedDict):
    draw: "TammanyHallDraw"
    result: dict[str, int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallGardenFilledEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.garden-filled']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallGardenFilledData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallGardenReturnedData(TypedDict):
    cubes: dict[str, int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallGardenReturnedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.garden-returned']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallGardenReturnedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallImmigrantExpelledData(TypedDict):
    seat: int
    ward: int
    cube: Literal['english', 'german', 'irish', 'italian']
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallImmigrantExpelledEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.immigrant-expelled']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallImmigrantExpelledData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallImmigrantMovedData(TypedDict):
    seat: int
    cube: Literal['english', 'german', 'irish', 'italian']
    origin: int
    to: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallImmigrantMovedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.immigrant-moved']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallImmigrantMovedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallImmigrantSettledData(TypedDict):
    seat: int
    boss: int
    cube: Literal['english', 'german', 'irish', 'italian']
    ward: int
    chips: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallImmigrantSettledEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.immigrant-settled']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallImmigrantSettledData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallLeadersAwardedData(TypedDict):
    leaders: dict[str, list[int]]
    cubes: dict[str, int]
    chips: dict[str, dict[str, int]]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallLeadersAwardedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.leaders-awarded']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallLeadersAwardedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallLocksLiftedData(TypedDict):
    wards: list[int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallLocksLiftedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.locks-lifted']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallLocksLiftedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallMayorElectedData(TypedDict):
    won: dict[str, list[int]]
    points: dict[str, int]
    mayor: int | None
    mayor_points: int
    reason: Literal['holdover', 'tie', 'tie-break', 'wards']
    next: Literal['assign', 'scoring', 'term']
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallMayorElectedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.mayor-elected']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallMayorElectedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallOfficeFavorAction(TypedDict):
    type: Literal['office-favor']
    favor: Literal['english', 'german', 'irish', 'italian']


class TammanyHallOfficeLockAction(TypedDict):
    type: Literal['office-lock']
    ward: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17]


class TammanyHallOfficeMoveAction(TypedDict):
    type: Literal['office-move']
    cube: Literal['english', 'german', 'irish', 'italian']
    origin: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17]
    to: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17]


class TammanyHallOfficePoliceAction(TypedDict):
    type: Literal['office-police']
    ward: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17]
    cube: Literal['english', 'german', 'irish', 'italian']


class TammanyHallOfficesAssignedData(TypedDict):
    seat: int
    offices: dict[str, int]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallOfficesAssignedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.offices-assigned']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallOfficesAssignedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallPlaceAction(TypedDict):
    type: Literal['place']
    wards: list[Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17]]


class TammanyHallSettleAction(TypedDict):
    type: Literal['settle']
    boss: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17]
    cube: Literal['english', 'german', 'irish', 'italian']
    ward: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17]


class TammanyHallSlanderAction(TypedDict):
    type: Literal['slander']
    target: int
    ward: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17]
    favor: Literal['english', 'german', 'irish', 'italian']
    then: NotRequired[Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17] | None]


class TammanyHallState(TypedDict):
    active: list[int]
    assignment: "TammanyHallStateAssignment | None"
    bag: dict[str, int]
    bidding: "TammanyHallStateBidding | None"
    bonus: "TammanyHallStateBonus | None"
    boxes: dict[str, dict[str, int]]
    chip_supply: dict[str, int]
    first: int | None
    garden: dict[str, int]
    leaders: dict[str, list[int]]
    locks_left: int
    mayor: int | None
    phase: Literal['assign', 'bid', 'bonus', 'over', 'turn']
    players: int
    scoring: list[dict[str, int | str]]
    seats: list["TammanyHallStateSeat"]
    term: int
    turn: "TammanyHallStateTurn | None"
    ward: int | None
    wards: dict[str, "TammanyHallStateWard"]
    winners: list[int]
    year: int


class TammanyHallStateAssignment(TypedDict):
    mayor: int | None
    others: list[int]


class TammanyHallStateBidding(TypedDict):
    bids: NotRequired[dict[str, dict[str, int]]]
    candidates: list["TammanyHallStateCandidate"]
    handed_in: list[int]
    owes: list[int]
    own: dict[str, int] | None
    ward: int


class TammanyHallStateBonus(TypedDict):
    kind: Literal['cube', 'favor']
    seat: int
    ward: int


class TammanyHallStateCandidate(TypedDict):
    bosses: int
    seat: int
    usable: dict[str, int]


class TammanyHallStateSeat(TypedDict):
    bosses_left: int
    chips: dict[str, int]
    name: str
    office: Literal['council', 'deputy', 'mayor', 'police', 'precinct'] | None
    pawn: str
    slander: int
    slandered: bool
    vp: int


class TammanyHallStateTurn(TypedDict):
    office_used: bool
    placed: bool
    seat: int | None


class TammanyHallStateWard(TypedDict):
    active: bool
    bosses: list[int]
    cubes: dict[str, int]
    locked: bool
    zone: int


class TammanyHallTermBeganData(TypedDict):
    term: int
    first: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallTermBeganEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.term-began']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallTermBeganData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallTurnBeganData(TypedDict):
    seat: int
    draws: bool
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallTurnBeganEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.turn-began']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallTurnBeganData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallTurnEndedData(TypedDict):
    seat: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallTurnEndedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.turn-ended']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallTurnEndedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallWardLockedData(TypedDict):
    seat: int
    ward: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallWardLockedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.ward-locked']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallWardLockedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallWardResolvedData(TypedDict):
    ward: int
    votes: dict[str, int]
    winner: int | None
    removed: dict[str, int]
    bonus: Literal['cube', 'favor'] | None
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallWardResolvedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.ward-resolved']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallWardResolvedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallYearBeganData(TypedDict):
    year: int
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallYearBeganEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.year-began']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallYearBeganData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class TammanyHallZoneOpenedData(TypedDict):
    draw: "TammanyHallDraw"
    zone: int
    result: dict[str, Literal['english', 'german', 'irish', 'italian']]
    text: NotRequired[str]
    due: NotRequired[dict[str, str | None]]


class TammanyHallZoneOpenedEvent(TypedDict):
    game: str
    version: int
    type: Literal['tammany-hall.zone-opened']
    schema: int
    actor: "Actor"
    cause: str
    at: str
    data: "TammanyHallZoneOpenedData"
    sealed: list["SealedLeaf"]
    previous: str
    hash: str
    undone_by: NotRequired[int]


class Told(TypedDict):
    version: int
    text: str
    undone_by: NotRequired[int]


class Turn(TypedDict):
    game: str
    name: str
    ruleset: Literal['tammany-hall', 'city-hall']
    seat: int
    decision: str
    since: int
    due: str | None


class Turns(TypedDict):
    items: list["Turn"]
    next: str | None


class You(TypedDict):
    seat: int
    awaited: bool
    decision: str | None
    due: str | None

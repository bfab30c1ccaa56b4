"""The documents of the API as types: made by `clients/python/typed_models.py` from the description.

A document may hold more than is named here: a newer server says more.
"""

# ruff: noqa: E501
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Action(TypedDict):
    text: str
    action: dict[str, Any]


class Actions(TypedDict):
    version: int
    actions: list["Action"]
    complete: bool


class Amount(TypedDict):
    value: str
    label: str
    least: int
    most: int


class Choices(TypedDict):
    version: int
    choices: list["Question"]
    complete: bool


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
        "patch": list[dict[str, Any]],
    },
)


class Draft(TypedDict):
    version: int
    hash: str
    lines: list["DraftLine"]
    sentences: list[str]
    events: list[dict[str, Any]]
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


class Events(TypedDict):
    events: list[dict[str, Any]]
    head: "Head"


class Game(TypedDict):
    id: str
    ruleset: str
    options: dict[str, Any]
    public: bool
    host: str
    status: str
    version: int
    hash: str
    seats: list["Seat"]
    awaiting: list[int]
    clock: dict[str, Any]
    paused: bool
    proposal: "Proposal | None"
    state: dict[str, Any] | None
    you: "You | None"


class GameSummary(TypedDict):
    id: str
    ruleset: str
    status: str
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
    events: list[dict[str, Any]]
    game: "Game"
    dry_run: NotRequired[bool]


class Option(TypedDict):
    value: str
    label: str
    target: str | None
    line: str | None
    next: list["Question"]


class Piece(TypedDict):
    value: str
    label: str
    target: str | None


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: str
    rule: NotRequired[str]
    rule_url: NotRequired[str]
    errors: NotRequired[list["Error"]]
    line: NotRequired[str]
    until: NotRequired[str | None]
    why: NotRequired[str | None]
    version: NotRequired[int]
    hash: NotRequired[str]
    events: NotRequired[list[dict[str, Any]]]


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


class Told(TypedDict):
    version: int
    text: str
    undone_by: NotRequired[int]


class Turn(TypedDict):
    game: str
    ruleset: str
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


Event: TypeAlias = dict[str, Any]

"""The notation of players (CH-16): one action a line, words separated by blanks, letter case of no matter."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, Literal, NoReturn, cast

from domain.city_hall.rules.actions import (
    Accept,
    Activate,
    Bid,
    Build,
    Buy,
    Campaign,
    Draft,
    Health,
    Keep,
    Lobby,
    Pass,
    Placement,
    Tax,
    Zone,
)
from domain.city_hall.rules.pieces import LANDS, OFFICES, PAWNS, PERMITS, Land, Office, Permit
from domain.city_hall.rules.words import PROXY_WORDS, WORDS, form
from domain.engine.game import Action, Seat
from domain.engine.notation import Line, lines_of, lower, shorten
from domain.engine.sentences import Sentence, one_of, row, say

Verb = Literal["buy", "sell"]
FORMS: Final[dict[str, tuple[str, ...]]] = {
    "draft": ("draft LAND",),
    "build": ("build PERMIT LAND return PERMIT", "build PERMIT LAND"),
    "activate": ("activate OFFICE", "activate surveyor search LAND"),
    "bid": ("bid NUMBER",),
    "pass": ("pass",),
    "keep": ("keep",),
    "accept": ("accept PLAYER",),
    "tax": ("tax", "tax double", "tax triple"),
    "campaign": ("campaign 0", "campaign 10", "campaign 30"),
    "buy": ("buy LAND", "buy none"),
    "lobby": ("lobby", "lobby buy NUMBER sell NUMBER"),
    "zone": (
        "zone take PERMIT PERMIT",
        "zone take PERMIT build PERMIT LAND",
        "zone build PERMIT LAND PERMIT LAND",
        "zone none",
    ),
    "health": ("health plus3", "health double", "health none"),
}
"""The forms of each action, by its first word."""
SPACES: Final = {land.lower(): land for land in LANDS}
RESERVED: Final = frozenset(
    {*PAWNS, *PERMITS, *OFFICES, *SPACES, *FORMS}
    | {"return", "search", "double", "triple", "none", "sell", "take", "under", "plus3"}
)
"""The words of CH-16.1, none of which can be a player's name."""
TIMES: Final[dict[str, Literal["double", "triple"]]] = {"double": "double", "triple": "triple"}
PRICES: Final[dict[str, Literal[0, 10, 30, "none"]]] = {"0": 0, "10": 10, "30": 30, "none": "none"}
BONUSES: Final[dict[str, Literal["none", "plus3", "double"]]] = {"plus3": "plus3", "double": "double", "none": "none"}
HELP: Final = say("""\
One action a line; letter case does not matter.

  draft Q3                             choose Q3 in the draft
  build housing Q3 return tower        initial Building, 3 or 4 players
  build housing Q3                     initial Building, 2 players
  activate lobbyist                    put a Staffer on the Lobbyist
  activate surveyor                    and the top Land card is revealed
  activate surveyor search B5          pay 1 Influence and reveal B5
  bid 3                                bid 3 Influence; 0 is a bid, too
  pass                                 do not bid
  keep                                 pay the high bid to the bank
  accept blue                          take the high bid of blue
  tax                                  Tax Assessor: your income
  tax triple                           three times, for 1 space of approval
  tax double                           twice, if you are on approval space 1
  campaign 10                          Campaign Manager: pay 0, 10 or 30
  buy Q4                               Surveyor: buy a space; or buy none
  lobby                                Lobbyist: Influence for your rating
  lobby buy 2 sell 1                   then buy 2 at $10, then sell 1 at $7
  zone take housing park               Zoning Board: take two Permits
  zone take tower build factory B2     or take one, then build one
  zone build housing B2 park B3        or build two from your hand
  zone take housing park under tower   the rest in this order below the deck
  zone none                            where nothing was revealed
  health plus3                         Health Commissioner: 3 more stars
  health double                        or twice your stars; or health none

Spaces: Q1 to Q8, B1 to B9, M1 to M5. Permits: housing, tower, factory, park.
Offices: tax, surveyor, campaign, lobbyist, zoning, health, deputy.
A player is a name or a pawn: red, blue, green, yellow.
""")


def parse(text: str, names: Sequence[str]) -> list[Action]:
    """The actions of a text, one a line; `names` are those of the seats that play.

    Blank lines between actions say nothing; a text without an action is no more an order than an empty line is.
    Raises OrderNotUnderstood for the first line that is none, by the order of checks of CH-17.1.
    """
    return [GameLine(line, names).action() for line in lines_of(text) or [""]]


class GameLine(Line):
    """One line being read. Keywords and the number of words come first, then words from left to right."""

    forms: ClassVar[Mapping[str, tuple[str, ...]]] = FORMS

    def action(self) -> Action:
        """The action this line is."""
        match self.words:
            case ["draft", land]:
                return Draft(self.land(land))
            case ["build", permit, land]:
                return Build(self.permit(permit), self.land(land))
            case ["build", permit, land, "return", returned]:
                return Build(self.permit(permit), self.land(land), self.permit(returned))
            case ["activate", office]:
                return Activate(self.office(office))
            case ["activate", office, "search", land]:
                return Activate(self.office(office), self.land(land))
            case ["bid", count]:
                return Bid(self.count(count))
            case ["pass"]:
                return Pass()
            case ["keep"]:
                return Keep()
            case ["accept", player]:
                return Accept(self.player(player))
            case ["lobby", *words] if len(words) % 2 == 0 and set(words[::2]) <= {"buy", "sell"}:
                return Lobby([{cast(Verb, verb): self.count(count, 1)} for verb, count in _pairs(words)])
            case ["zone", *words]:
                return self.zone(words)
            case _:
                return self.choice()

    def choice(self) -> Action:
        """An action that names one of a few ways (CH-8.3, CH-8.4, CH-8.11, CH-8.22)."""
        match self.words:
            case ["tax"]:
                return Tax()
            case ["tax", times]:
                return Tax(self.one(times, TIMES, "CH-8.3"))
            case ["campaign", pay]:
                return Campaign(self.one(pay, PRICES, "CH-8.4"))
            case ["health", bonus]:
                return Health(self.one(bonus, BONUSES, "CH-8.22"))
            case ["buy", "none"]:
                return Buy(None)
            case ["buy", land]:
                return Buy(self.land(land))
            case _:
                self.unfit()

    def zone(self, words: list[str]) -> Zone:
        """An action of the Zoning Board: clauses take, build and under, in this order (CH-16.1)."""
        if words == ["none"]:
            return Zone()
        clauses = self.clauses(words, ("take", "build", "under"))
        take, build, under = clauses["take"], clauses["build"], clauses["under"]
        fits = (
            (take is None or len(take) in (1, 2))
            and (build is None or len(build) in (2, 4))
            and (under is None or len(under) in (1, 2, 3))
            and not (take is None and build is None)
        )
        if not fits:
            self.unfit()
        return Zone(
            [self.permit(word) for word in take or ()],
            [Placement(self.permit(permit), self.land(land)) for permit, land in _pairs(build or [])],
            None if under is None else [self.permit(word) for word in under],
        )

    def clauses(self, words: list[str], keywords: tuple[str, ...]) -> dict[str, list[str] | None]:
        """What follows each keyword, None where it is not there; a line has each at most once and in this order."""
        found: dict[str, list[str] | None] = dict.fromkeys(keywords)
        left = list(keywords)
        clause: list[str] | None = None
        for word in words:
            if word in left:
                left = left[left.index(word) + 1 :]
                clause = found[word] = []
            elif clause is None or word in keywords:
                self.unfit()
            else:
                clause.append(word)
        return found

    def land(self, word: str) -> Land:
        """A space by its name (CH-2.1)."""
        if word not in SPACES:
            self.refuse(
                "unknown-land",
                "CH-2.1",
                "There is no space {word}; spaces are Q1 to Q8, B1 to B9 and M1 to M5.",
                word=_quoted(word),
            )
        return SPACES[word]

    def permit(self, word: str) -> Permit:
        """A kind of Permit by its word (CH-1.5)."""
        if word not in PERMITS:
            self.refuse(
                "unknown-permit",
                "CH-1.5",
                "{word} is not a Permit; Permits are {permits}.",
                word=_quoted(word),
                permits=_typed(PERMITS),
            )
        return word

    def office(self, word: str) -> Office:
        """An Office by its word (CH-1.5)."""
        if word not in OFFICES:
            self.refuse(
                "unknown-office",
                "CH-1.5",
                "{word} is not an Office; Offices are {offices}.",
                word=_quoted(word),
                offices=_typed(OFFICES),
            )
        return word

    def player(self, word: str) -> Seat:
        """A player by name, or by pawn if that seat plays (CH-16.1)."""
        seat = self.find_player(word, PAWNS)
        if seat is None:
            self.refuse(
                "unknown-player",
                "CH-16.1",
                "{word} does not play here; pawns that do are {pawns}.",
                word=_quoted(word),
                pawns=_typed(PAWNS[: len(self.names)]),
            )
        return seat

    def count(self, word: str, least: int = 0) -> int:
        """A number of cards in at most four digits, without a leading 0."""
        if not re.fullmatch("0|[1-9][0-9]{0,3}", word) or int(word) < least:
            self.refuse(
                "bad-count",
                "CH-16.1",
                "{word} is not a valid number here; write one from {least} to 9999.",
                word=_quoted(word),
                least=least,
            )
        return int(word)

    def one(self, word: str, ways: Mapping[str, Any], rule: str) -> Any:
        """One of a few words."""
        if word not in ways:
            forms = _either(FORMS[self.words[0]])
            self.refuse("bad-choice", rule, "{word} cannot be chosen; write {forms}.", word=_quoted(word), forms=forms)
        return ways[word]

    def unfit(self) -> NoReturn:
        """Refuse a line that fits no form, and show those that would."""
        forms = self.forms.get(self.words[0]) if self.words else None
        if forms is None:
            self.refuse("bad-syntax", "CH-16.1", "A line begins with {words}.", words=_either(list(self.forms)))
        known = row([form(line) for line in forms], say("; or: "))
        self.refuse("bad-syntax", "CH-16.1", "That line does not fit; write: {forms}.", forms=known)


def write(action: Action) -> str:
    """An action in the notation, with pawns for players, in lower case except the names of spaces (CH-16.6)."""
    match action:
        case Draft(land=land):
            return f"draft {land}"
        case Build(permit=permit, land=land, returned=returned):
            return f"build {permit} {land}" + ("" if returned is None else f" return {returned}")
        case Activate(office=office, search=search):
            return f"activate {office}" + ("" if search is None else f" search {search}")
        case Bid(influence=influence):
            return f"bid {influence}"
        case Pass():
            return "pass"
        case Keep():
            return "keep"
        case Accept(seat=seat):
            return f"accept {PAWNS[seat]}"
        case Tax(times=times):
            return "tax" if times == "plain" else f"tax {times}"
        case Campaign(pay=pay):
            return f"campaign {pay}"
        case Buy(land=bought):
            return f"buy {bought or 'none'}"
        case Lobby(steps=steps):
            return " ".join(["lobby", *(f"{verb} {count}" for step in steps for verb, count in step.items())])
        case Zone(take=take, build=build, under=under):
            words = ["take", *take] if take else []
            if build:
                words += ["build", *(word for placement in build for word in (placement.permit, placement.land))]
            if under:
                words += ["under", *under]
            return " ".join(["zone", *(words or ["none"])])
        case Health(bonus=bonus):
            return f"health {bonus}"
        case _:
            raise ValueError("the notation has no word for that")


def read_bid(body: Mapping[str, Any]) -> Bid | Pass:
    """The answer a body {"influence": 3} or {"pass": true} stands for, or the action itself, with its `type`.

    Raises OrderNotUnderstood, and nothing else, for any other body.
    """
    line = GameLine("bid", ())
    match body:
        case {"pass": True, **rest} | {"type": "pass", **rest} if not rest:
            return Pass()
        case {"influence": amount, **rest} if rest in ({}, {"type": "bid"}):
            if type(amount) is not int or not 0 <= amount <= 9999:
                line.refuse("bad-count", "CH-16.1", "That is not a number of Influence; write one from 0 to 9999.")
            return Bid(amount)
        case _:
            line.refuse(
                "bad-syntax",
                "CH-16.1",
                "Write a bid like {bid}; to pass, write {passing}.",
                bid='{"influence": 3}',
                passing='{"pass": true}',
            )


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    return list(zip(words[::2], words[1::2], strict=True))


TERMS: Final[Mapping[Any, Callable[[str], object]]] = {
    Land: lambda word: GameLine(word, ()).land(lower(word)),
    Permit: lambda word: GameLine(word, ()).permit(lower(word)),
    Office: lambda word: GameLine(word, ()).office(lower(word)),
}


def _quoted(word: str) -> Sentence:
    """A word that was given, as the reader typed it: a word of the notation may have been one of another language."""
    return say('"{word}"', word=form(word) if word in RESERVED | PROXY_WORDS else shorten(word))


def _typed(words: Sequence[str]) -> Sentence:
    return one_of([WORDS[word] for word in words])


def _either(forms: Sequence[str]) -> Sentence:
    *some, last = map(form, forms)
    return say("{some} or {last}", some=row(some, ", "), last=last)

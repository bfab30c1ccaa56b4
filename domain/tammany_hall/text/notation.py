"""The notation of players (TH-15): one command a line, words separated by blanks, letter case of no matter."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, NoReturn, cast

from domain.engine.game import Action, Seat
from domain.engine.notation import Line, lines_of, lower, shorten
from domain.engine.sentences import Sentence, one_of, row, say, typed
from domain.tammany_hall.ballot.forms import WORDS as BALLOT_WORDS
from domain.tammany_hall.rules.actions import (
    Assign,
    Bid,
    BonusCube,
    BonusFavor,
    BonusPass,
    End,
    OfficeFavor,
    OfficeLock,
    OfficeMove,
    OfficePolice,
    Place,
    Settle,
    Slander,
)
from domain.tammany_hall.rules.board import COLOURS, ELECTION_ORDER, PAWNS, TITLES, Colour, Title, WardNumber
from domain.tammany_hall.rules.forms import FORMS
from domain.tammany_hall.rules.words import pawns, several

WARDS: Final = {str(number): cast(WardNumber, number) for number in sorted(ELECTION_ORDER)}
RESERVED: Final = frozenset(
    {*PAWNS, *COLOURS, *TITLES, *FORMS}
    | {"boss", "cube", "then", "favor", "lock", "police", "move", "ward", "none", "pass"}
)
"""The words of TH-15.1, none of which can be a player's name."""
HELP: Final = say(
    """\
One command a line; letter case does not matter.

  place 3 14                           campaign: a boss in ward 3, one in ward 14
  settle boss 5 cube irish 7           a boss in 5, an Irish cube in 7, and a chip
  slander yellow 8 german              drive a yellow boss out of ward 8
  slander yellow 8 german then 14      and another one out of ward 14
  office favor german                  Deputy Mayor: take a German chip
  office lock 9                        Council President: lock ward 9
  office police 4 english              Chief of Police: a cube back into the bag
  office move irish 6 5                Precinct Chairman: a cube from 6 to 5
  end                                  end your turn
  bid irish 2 german 1                 a sealed bid of three chips
  bid none                             a sealed bid of no chips
  bid ward 6 irish 2                   refused if ward 6 is not being bid for
  bonus cube italian 10                after winning ward 1 or 2
  bonus favor irish                    after winning ward 4 or 7
  bonus pass                           decline the bonus
  assign deputy ann police bob         the mayor gives the offices

Wards: 1 to 11, 13, 14, 15, 17. Colours: irish, english, german, italian.
Offices: deputy, council, police, precinct. A player is a name or a pawn:
red, yellow, black, purple, brown. In a turn: office, placement
(place or settle) and slander in any order, each at most once, then end.
A slander costs a slander chip and one favor chip, or three for two wards.

The game ends after year 16. Then whoever has the most favor chips of a colour
gets 2 VP (so do all who are tied), and each slander chip you kept is 1 VP.
"""
)


def parse(text: str, names: Sequence[str]) -> list[Action]:
    """The actions of a text, one a line, blank lines left out; `names` are those of the seats that play.

    Raises OrderNotUnderstood for the first line that is none, by the order of checks of TH-15.3.
    """
    return [GameLine(line, names).action() for line in lines_of(text)]


class GameLine(Line):
    """One line being read. Words are judged from left to right."""

    forms: ClassVar[Mapping[str, tuple[Sentence, ...]]] = FORMS

    def __init__(self, line: str, names: Sequence[str]) -> None:
        super().__init__(line, names)
        self.words = ["favor" if word == "favour" else word for word in self.words]  # as our prose spells it

    def action(self) -> Action:
        """The command this line is."""
        match self.words:
            case ["place", first]:
                return Place([self.ward(first)])
            case ["place", first, second]:
                return Place([self.ward(first), self.ward(second)])
            case ["settle", "boss", boss, "cube", cube, ward]:
                return Settle(self.ward(boss), self.colour(cube), self.ward(ward))
            case ["slander", target, ward, favor]:
                return Slander(self.player(target), self.ward(ward), self.colour(favor))
            case ["slander", target, ward, favor, "then", then]:
                return Slander(self.player(target), self.ward(ward), self.colour(favor), self.ward(then))
            case ["office", *words]:
                return self.office(words)
            case ["end"]:
                return End()
            case ["bid", "ward", ward, *chips]:
                return self.bid(chips, ward)
            case ["bid", *chips]:
                return self.bid(chips, None)
            case ["bonus", "cube", cube, ward]:
                return BonusCube(self.colour(cube), self.ward(ward))
            case ["bonus", "favor", favor]:
                return BonusFavor(self.colour(favor))
            case ["bonus", "pass"]:
                return BonusPass()
            case ["assign", *words] if words and len(words) % 2 == 0:
                return self.assign(words)
            case _:
                self.unfit()

    def office(self, words: list[str]) -> Action:
        """A command of an office (TH-7)."""
        match words:
            case ["favor", favor]:
                return OfficeFavor(self.colour(favor))
            case ["lock", ward]:
                return OfficeLock(self.ward(ward))
            case ["police", ward, cube]:
                return OfficePolice(self.ward(ward), self.colour(cube))
            case ["move", cube, origin, to]:
                return OfficeMove(self.colour(cube), self.ward(origin), self.ward(to))
            case _:
                self.unfit()

    def bid(self, words: list[str], ward: str | None) -> Bid:
        """A bid; no colour twice, and "none" or "0" for no chips."""
        nothing = words in (["none"], ["0"])
        pairs = [] if nothing else list(zip(words[::2], words[1::2], strict=False))
        if not nothing and (not words or len(words) % 2 or len({colour for colour, _ in pairs}) < len(pairs)):
            self.unfit()
        guard = None if ward is None else self.ward(ward)
        counts = {self.colour(colour): self.count(count) for colour, count in pairs}
        return Bid({colour: counts[colour] for colour in COLOURS if counts.get(colour)}, guard)

    def assign(self, words: list[str]) -> Assign:
        """An assignment; of an office named twice the last player counts, and `decide` refuses it."""
        pairs = zip(words[::2], words[1::2], strict=True)
        given = [(self.title(title), self.player(player)) for title, player in pairs]
        titles = [title for title, _ in given]
        return Assign(dict(given), next((title for title in TITLES if titles.count(title) > 1), None))

    def ward(self, word: str) -> WardNumber:
        """A ward by its printed number (TH-3.1)."""
        if word not in WARDS:
            message = say("There is no ward {word}; wards are {wards}.", word=quoted(word), wards=one_of(list(WARDS)))
            self.refuse("unknown-ward", "TH-3.1", message)
        return WARDS[word]

    def colour(self, word: str) -> Colour:
        """A people by its word (TH-1.4)."""
        if word not in COLOURS:
            known = several(COLOURS)
            message = say("{word} is not a colour; colours are {colours}.", word=quoted(word), colours=known)
            self.refuse("unknown-colour", "TH-1.4", message)
        return word

    def title(self, word: str) -> Title:
        """An office the mayor can give (TH-12.1)."""
        if word not in TITLES:
            known = several(TITLES)
            message = say("{word} is not an office to give; offices are {offices}.", word=quoted(word), offices=known)
            self.refuse("unknown-office", "TH-12.1", message)
        return word

    def player(self, word: str) -> Seat:
        """A player by name, or by pawn if that seat plays (TH-1.5)."""
        seat = self.find_player(word, PAWNS)
        if seat is None:
            known = pawns(range(len(self.names)))
            message = say("{word} does not play here; pawns that do are {pawns}.", word=quoted(word), pawns=known)
            self.refuse("unknown-player", "TH-1.5", message)
        return seat

    def count(self, word: str) -> int:
        """A number of chips in one digit or two."""
        if not re.fullmatch("[0-9]{1,2}", word):
            message = say("{word} is not a number of chips; write one from 0 to 99.", word=quoted(word))
            self.refuse("bad-count", "TH-15.1", message)
        return int(word)

    def unfit(self) -> NoReturn:
        """Refuse a line that fits no form, and show those that would."""
        forms = self.forms.get(self.words[0])
        if forms:
            message = say("That line does not fit; write: {forms}.", forms=row(forms, say("; or: ")))
        else:
            *some, last = map(typed, self.forms)
            message = say("A line begins with {words} or {last}.", words=row(some, ", "), last=last)
        self.refuse("bad-syntax", "TH-15.1", message)


def write(action: Action) -> str:
    """An action in the notation, with pawns for players, colours in colour order and offices in theirs."""
    match action:
        case Place(wards=wards):
            return f"place {' '.join(map(str, wards))}"
        case Settle(boss=boss, cube=cube, ward=ward):
            return f"settle boss {boss} cube {cube} {ward}"
        case Slander(target=target, ward=ward, favor=favor, then=then):
            return f"slander {PAWNS[target]} {ward} {favor}" + ("" if then is None else f" then {then}")
        case OfficeFavor(favor=favor):
            return f"office favor {favor}"
        case OfficeLock(ward=ward):
            return f"office lock {ward}"
        case OfficePolice(ward=ward, cube=cube):
            return f"office police {ward} {cube}"
        case OfficeMove(cube=cube, origin=origin, to=to):
            return f"office move {cube} {origin} {to}"
        case End():
            return "end"
        case Bid(chips=chips, ward=guard):
            bid = " ".join(f"{colour} {chips[colour]}" for colour in COLOURS if chips.get(colour)) or "none"
            return f"bid {bid}" if guard is None else f"bid ward {guard} {bid}"
        case BonusCube(cube=cube, ward=ward):
            return f"bonus cube {cube} {ward}"
        case BonusFavor(favor=favor):
            return f"bonus favor {favor}"
        case BonusPass():
            return "bonus pass"
        case Assign(offices=offices, twice=twice):
            given = [f"{title} {PAWNS[offices[title]]}" for title in TITLES if title in offices]
            again = [f"{twice} {PAWNS[offices[twice]]}"] if twice in offices else []
            return " ".join(["assign", *given, *again])
        case _:
            raise ValueError("the notation has no word for that")


def read_bid(body: Mapping[str, Any]) -> Bid:
    """The bid a body {"ward": 6, "chips": {"irish": 2}} stands for; the ward may be left out. `type`, as actions are
    listed, may stand there, too.

    Raises OrderNotUnderstood, and nothing else, for any other body.
    """
    line = GameLine("bid", ())
    known_fields = body.keys() <= {"type", "ward", "chips"} and body.get("type", "bid") == "bid"
    if not known_fields or not isinstance(body.get("chips"), Mapping):
        example = '{"ward": 6, "chips": {"irish": 2}}'
        line.refuse("bad-syntax", "TH-15.1", say("A bid looks like {example}.", example=example))
    ward = body.get("ward")
    if ward is not None and (type(ward) is not int or ward not in ELECTION_ORDER):
        known = one_of(list(WARDS))
        line.refuse("unknown-ward", "TH-3.1", say("There is no such ward; wards are {wards}.", wards=known))
    chips: dict[Colour, int] = {}
    for colour, count in body["chips"].items():
        if colour not in COLOURS:
            known = several(COLOURS)
            line.refuse("unknown-colour", "TH-1.4", say("That is not a colour; colours are {colours}.", colours=known))
        if type(count) is not int or not 0 <= count <= 99:
            line.refuse("bad-count", "TH-15.1", say("That is not a number of chips; write one from 0 to 99."))
        chips[colour] = count
    return Bid({colour: chips[colour] for colour in COLOURS if chips.get(colour)}, cast(WardNumber | None, ward))


TERMS: Final[Mapping[Any, Callable[[str], object]]] = {
    WardNumber: lambda word: GameLine(word, ()).ward(lower(word)),
    Colour: lambda word: GameLine(word, ()).colour(lower(word)),
    Title: lambda word: GameLine(word, ()).title(lower(word)),
}


def quoted(word: str) -> Sentence:
    """A word that was given, as it was typed: a word of the notation may have been one of another language."""
    return say('"{word}"', word=typed(word) if word in RESERVED | BALLOT_WORDS else shorten(word))

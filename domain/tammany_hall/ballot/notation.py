"""Ballots as text, one line each, in the words of the notation (TH-15.1), and back."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from domain.engine.notation import lines_of
from domain.engine.sentences import Sentence, say
from domain.tammany_hall.ballot.ballot import OTHERS, Ballot, Choice, Exactly, Named, Reserve, Term, UpTo
from domain.tammany_hall.ballot.forms import FORMS
from domain.tammany_hall.rules.actions import Bid, BonusCube, BonusFavor, BonusPass
from domain.tammany_hall.text.notation import GameLine, quoted
from domain.tammany_hall.text.notation import write as write_action

CONDITIONS: Final = {"if contested": "if_contested", "while winnable": "while_winnable"}
CONDITION_WORDS: Final = frozenset(word for condition in CONDITIONS for word in condition.split())
ONCE: Final = frozenset({"term", "assign", "pass_slander", "end_when_placed"})
"""What is said once, however many lines say it."""
TERMS: Final[dict[str, Term]] = {"1": 1, "2": 2, "3": 3, "4": 4}
HELP: Final = say(
    """\
Orders are followed as soon as you are asked; one a line. Wards, bonuses and
offices make a ballot, which is for the election of this term alone.

  ward 1 bid irish 2                  exactly these chips
  ward 2 bid none                     no chips
  ward 6 up to 3 irish english        the fewest sure to win, at most 3
  ward 4 bid irish 2 if contested     only if a rival could reach your bosses
  ward 7 bid irish 2 while winnable   only if it can beat the rivals' bosses
  others bid none                     every ward without a line of its own
  keep 2 irish for ward 14            out of all earlier `up to` bids
  bonus 1 cube italian 10             after winning ward 1; of several lines
  bonus 4 favor irish                 for one ward the first that is possible
  bonus others pass                   every bonus without a line of its own
  assign deputy ann police bob        if you become mayor
  term 2                              no ballot for any other term
  pass slander                        end a turn that has only slander left
  end when placed                     end every turn once you have placed

`up to` spends the colours in the order given, and where no number of chips is
sure to win, as many as it may. Where a condition does not hold, nothing is
bid. What no line says you are asked. If a line cannot be followed, all your
orders are dropped, and you are told.
"""
)


def parse(text: str, names: Sequence[str]) -> Ballot:
    """The orders of a text, one line each; `names` are those of the seats that play. Blank lines say nothing.

    Raises OrderNotUnderstood for the first line that is none, by the order of checks of TH-15.3.
    """
    found: dict[str, list[Any]] = defaultdict(list)
    for line in lines_of(text):
        reader = BallotLine(line, names)
        kind, order = reader.order()
        if kind in ONCE and found.get(kind, [order])[0] != order:
            reader.refuse("line-twice", "TH-15.1", say("Another line says otherwise; keep only one."))
        found[kind].append(order)
    fields: dict[str, Any] = {kind: orders[0] if kind in ONCE else orders for kind, orders in found.items()}
    return Ballot(**fields)


class BallotLine(GameLine):
    """One line of a ballot being read."""

    forms: ClassVar[Mapping[str, tuple[Sentence, ...]]] = FORMS

    def order(self) -> tuple[str, Any]:
        """What this line orders, and the field of a ballot it belongs to."""
        match self.words:
            case ["ward" | "others", *_]:
                return "bids", self.vote()
            case ["keep", chips, colour, "for", "ward", ward]:
                return "keep", Reserve(self.some(chips), self.colour(colour), self.ward(ward))
            case ["bonus", ward, "cube", cube, to]:
                return "bonuses", Choice(self.named(ward), BonusCube(self.colour(cube), self.ward(to)))
            case ["bonus", ward, "favor", favor]:
                return "bonuses", Choice(self.named(ward), BonusFavor(self.colour(favor)))
            case ["bonus", ward, "pass"]:
                return "bonuses", Choice(self.named(ward), BonusPass())
            case ["assign", *words] if words and len(words) % 2 == 0:
                return "assign", self.assign(words)
            case ["pass", "slander"]:
                return "pass_slander", True
            case ["end", "when", "placed"]:
                return "end_when_placed", True
            case ["term", number]:
                return "term", self.term(number)
            case _:
                self.unfit()

    def vote(self) -> Exactly | UpTo:
        """What is bid in a ward, with its conditions."""
        words, conditions = self.conditions()
        ward, bid = (words[1:2], words[2:]) if words[0] == "ward" else (words[:1], words[1:])
        match bid:
            case ["bid", *chips]:
                exact = self.bid(chips, None if ward == [OTHERS] else ward[0])
                return Exactly(exact.ward or OTHERS, chips=exact.chips, **conditions)
            case ["up", "to", most, *colours] | ["up", most, *colours] if most != "to" and colours:
                if len(set(colours)) == len(colours):
                    return UpTo(
                        self.named(ward[0]),
                        chips=self.some(most),
                        colours=[self.colour(colour) for colour in colours],
                        **conditions,
                    )
        self.unfit()

    def conditions(self) -> tuple[list[str], dict[str, bool]]:
        """The words before the conditions, which stand at the end in any order, and those that are made."""
        words, made = self.words, dict[str, bool]()
        while (name := CONDITIONS.get(" ".join(words[-2:]))) and name not in made:
            words, made = words[:-2], made | {name: True}
        if CONDITION_WORDS.intersection(words):
            self.unfit()
        return words, made

    def named(self, word: str) -> Named:
        """A ward, or all others."""
        return OTHERS if word == OTHERS else self.ward(word)

    def some(self, word: str) -> int:
        """A number of chips, at least one."""
        if not re.fullmatch("[0-9]{1,2}", word) or not int(word):
            message = say("{word} is not a number of chips; write one from 1 to 99.", word=quoted(word))
            self.refuse("bad-count", "TH-15.1", message)
        return int(word)

    def term(self, word: str) -> Term:
        """A term by its number (TH-4.1)."""
        if word not in TERMS:
            message = say("There is no term {word}; terms are 1, 2, 3 and 4.", word=quoted(word))
            self.refuse("unknown-term", "TH-4.1", message)
        return TERMS[word]


def write(ballot: Ballot) -> str:
    """The text of a ballot, one line each, with pawns for players and colours in colour order where it has none."""
    lines = [] if ballot.term is None else [f"term {ballot.term}"]
    lines += [_vote(vote) for vote in ballot.bids]
    lines += [f"keep {keep.chips} {keep.colour} for ward {keep.ward}" for keep in ballot.keep]
    lines += [f"bonus {bonus.ward} {write_action(bonus.take).removeprefix('bonus ')}" for bonus in ballot.bonuses]
    lines += [write_action(ballot.assign)] if ballot.assign else []
    lines += ["pass slander"] if ballot.pass_slander else []
    lines += ["end when placed"] if ballot.end_when_placed else []
    return "\n".join(lines)


def _vote(vote: Exactly | UpTo) -> str:
    ward = OTHERS if vote.ward == OTHERS else f"ward {vote.ward}"
    bid = write_action(Bid(dict(vote.chips))) if isinstance(vote, Exactly) else _up_to(vote)
    conditions = [words for words, name in CONDITIONS.items() if getattr(vote, name)]
    return " ".join([ward, bid, *conditions])


def _up_to(vote: UpTo) -> str:
    return " ".join(["up", "to", str(vote.chips), *vote.colours])

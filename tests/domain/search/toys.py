"""Games for the search that can be solved by hand, each a table of what may be said and how it ends.

A toy is a word game: an awaited seat says one of its words, sealed where several are asked at the same time. The words
said so far, and a card that some seats do not see, are all there is to know.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from domain.engine.decider import Decider
from domain.engine.game import CHANCE, Action, Dice, Event, Seat
from domain.engine.guidance import Guidance, Move
from domain.engine.legal import Legal
from domain.engine.refusals import require
from domain.engine.ruleset import Ruleset
from domain.engine.sentences import say
from tests.domain.table.pennies import PENNIES


class Say(Action, frozen=True, tag="say"):
    word: str


class DrawCard(Action, frozen=True, tag="draw-card"):
    card: str


class Said(Event, frozen=True):
    seat: int
    word: str


class CardDrawn(Event, frozen=True):
    card: str


class Opened(Event, frozen=True):
    pass


@dataclass(slots=True)
class State:
    players: list[Seat]
    card: str | None = ""
    """None: not for these eyes; "": not drawn yet."""
    words: list[str] = field(default_factory=list)
    sealed: dict[Seat, str | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Toy:
    """A game: the words of whoever is asked, and the points once it is over."""

    asks: Callable[[Sequence[str]], Mapping[Seat, Sequence[str]]]
    """After these words; of several seats, all words are said at the same time and come in the order of the seats."""
    ends: Callable[[Sequence[str], str], Sequence[int] | None]
    """The points by seat after these words, with that card."""
    seats: int = 2
    deck: Sequence[str] = ()
    sees: frozenset[Seat] = frozenset()
    """Who sees the card."""
    looks: Callable[[Sequence[str]], Sequence[float]] | None = None
    """How well each seat seems to stand before the end."""
    says: Callable[[Sequence[str], Sequence[str], Random], str] = lambda words, options, rng: rng.choice(options)
    """The quick policy: one of the options after these words."""
    likes: Callable[[Sequence[str], str], float] = lambda words, temper: 0.0
    """What a temper likes of these words."""

    def state(self, *words: str, card: str = "") -> State:
        return State(list(range(self.seats)), card or ("" if self.deck else "none"), list(words))

    def asked(self, state: State) -> Mapping[Seat, Sequence[str]]:
        if state.card is not None and not state.card:
            return {CHANCE: self.deck}
        if self.ends(state.words, state.card or "") is not None:
            return {}
        return {seat: words for seat, words in self.asks(state.words).items() if seat not in state.sealed}

    # -- the rules

    def decide(self, state: State, seat: Seat, action: Any) -> list[Event]:
        asked = self.asked(state)
        require(seat in asked, "not-your-turn", "TOY", "Another one is asked.")
        if isinstance(action, DrawCard):
            return [CardDrawn(action.card)]
        require(action.word in asked[seat], "no-such-word", "TOY", "That is none of the words.")
        return [Said(seat, action.word)]

    def proceed(self, state: State) -> list[Event]:
        asked = self.asks(state.words) if state.sealed else {}
        ready = state.sealed.keys() == asked.keys() and None not in state.sealed.values()
        return [Opened()] if state.sealed and ready else []

    def said(self, state: State, event: Said) -> None:
        if len(self.asks(state.words)) > 1:
            state.sealed[event.seat] = event.word
        else:
            state.words.append(event.word)

    def blind(self, state: State, seat: Seat | None) -> State:
        seen = _copy(state)
        seen.card = state.card if seat in self.sees or not self.deck or not state.card else None
        seen.sealed = {other: word if other == seat else None for other, word in state.sealed.items()}
        return seen

    def result(self, state: State) -> dict[str, Any] | None:
        points = None if state.card == "" else self.ends(state.words, state.card or "")
        if points is None:
            return None
        return {"winners": [seat for seat, own in enumerate(points) if own == max(points)], "scores": list(points)}

    # -- the guidance

    def deal(self, state: State, seat: Seat, rng: Random) -> State:
        whole = _copy(state)
        if whole.card is None:
            whole.card = rng.choice(self.deck)
        for other, word in whole.sealed.items():
            if word is None:
                whole.sealed[other] = rng.choice(self.asks(state.words)[other])
        return whole

    def candidates(self, state: State, seat: Seat, rng: Random, most: int) -> list[Move[Any]]:
        return [(Say(word),) for word in self.asked(state)[seat]][:most]

    def rules(self) -> Ruleset[Any, Any, Any]:
        """The toy as a ruleset with guidance."""
        looks = self.looks or (lambda words: [0.0] * self.seats)
        return replace(
            PENNIES,
            kind="toy",
            seats=range(self.seats, self.seats + 1),
            options={},
            decider=Decider(
                state=State,
                actions=(Say,),
                events={"said": Said, "card-drawn": CardDrawn, "opened": Opened},
                initial=lambda seats, options: self.state(),
                decide=self.decide,
                proceed=self.proceed,
                chance=lambda state, dice: DrawCard(_drawn(self.deck, dice)),
                evolve={Said: self.said, CardDrawn: _card_drawn, Opened: _opened},
                copy=_copy,
                blind=self.blind,
                awaiting=lambda state: frozenset(self.asked(state)),
                decision=lambda state: f"word-{len(state.words)}",
                view=lambda state, seat: {},
                legal_actions=lambda state, seat: Legal([Say(word) for word in self.asked(state)[seat]]),
                sample=lambda state, seat, rng: Say(rng.choice(self.asked(state)[seat])),
                caretaker=lambda state, seat: Say(self.asked(state)[seat][0]),
                result=self.result,
                scores=lambda state: [0] * self.seats,
            ),
            guidance=Guidance(
                sample_hidden=self.deal,
                candidates=self.candidates,
                quick_move=lambda state, seat, rng: (Say(self.says(state.words, self.asked(state)[seat], rng)),),
                features=lambda state: [[look] for look in looks(state.words)],
                names=["looks"],
                weights={"1": [1.0]},
                stage=lambda state: "1",
                horizon=lambda state: len(state.words),
                sealed=lambda state: len(self.asks(state.words)) > 1,
                leans=lambda before, after, seat, temper: self.likes(after.words, temper),
                reason=lambda state, seat, move: say("It is a word."),
                choices_public=not self.deck,
            ),
        )


def _copy(state: State) -> State:
    return State(state.players, state.card, state.words[:], dict(state.sealed))


def _drawn(deck: Sequence[str], dice: Dice) -> str:
    return deck[dice.below("card", len(deck))]


def _card_drawn(state: State, event: CardDrawn) -> None:
    state.card = event.card


def _opened(state: State, event: Opened) -> None:
    state.words += [state.sealed[seat] or "" for seat in sorted(state.sealed)]
    state.sealed = {}

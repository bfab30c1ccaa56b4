"""The decisions that are answered: a position of every kind of question, and who is asked, Alice."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from domain.city_hall import CITY_HALL
from domain.engine.game import Seat
from domain.table.evolve import Rules
from domain.table.state import Chair, Table
from domain.tammany_hall import TAMMANY_HALL
from service.accounts.names import handles
from service.languages import words
from tests.domain.city_hall import positions as city
from tests.domain.city_hall.scenario import given
from tests.domain.city_hall.scenario import position as hall
from tests.domain.tammany_hall import positions as tammany
from tests.domain.tammany_hall.scenario import position
from workers.commands.trial_orders import finishes
from workers.commands.words.grammar import Grammar
from workers.letters.numbered_options import Option, numbered

PEOPLE: Final = ("Alice", "Bob", "Carol", "Dave", "Eve")


@dataclass(frozen=True)
class Asked:
    """A table at a decision, and the seat that is asked; it has what a locked head has, as far as orders are tried."""

    rules: Rules
    table: Table
    seat: Seat

    @property
    def people(self) -> tuple[str, ...]:
        """The names by seat: whoever is asked is Alice."""
        others = list(PEOPLE[1 : len(self.table.chairs)])
        return (*others[: self.seat], PEOPLE[0], *others[self.seat :])

    @property
    def options(self) -> list[Option]:
        return numbered(self.rules, self.rules.decider.blind(self.table.game, self.seat), self.seat)

    def grammar(self, language: str, author: str = "") -> Grammar:
        """The commands of a mail that answers this decision."""
        head: Any = self
        names = handles(self.people, self.rules)
        legal = self.rules.decider.legal_actions(self.table.game, self.seat).actions
        numbers = {option.number: option.text for option in self.options if option.number is not None}
        return Grammar(
            self.rules, names, language, numbers, frozenset(map(self.rules.notation.write, legal)),
            words(language, self.rules.kind), lambda orders: finishes(head, self.seat, orders, names), self.people,
            author,
        )  # fmt: skip


def one_people() -> Any:
    wards = {6: "1 english | red 2 yellow 3"}
    return position(3, year=4, phase="election", wards=wards, chips={"red": "4 english", "yellow": "2 english"})


def auction() -> Any:
    return given(hall(influence=5)).when("Ann", "activate tax").state


def after(*orders: str, **more: Any) -> Callable[[], Any]:
    """An office that Ann has taken, and resolves."""
    return lambda: given(hall(2, **more)).takes("Ann", *orders).state


POSITIONS: Final[Mapping[str, tuple[Any, Callable[[], Any]]]] = {
    "turn": (TAMMANY_HALL, tammany.opening),
    "slander": (TAMMANY_HALL, tammany.slander_is_left),
    "election": (TAMMANY_HALL, one_people),
    "election of two": (TAMMANY_HALL, tammany.two_bid_for_ward_6),
    "bonus": (TAMMANY_HALL, tammany.bonus_of_ward_7),
    "mayor": (TAMMANY_HALL, tammany.mayor_of_three),
    "auction": (CITY_HALL, auction),
    "activate": (CITY_HALL, city.first_activation),
    "keep": (CITY_HALL, city.keep_or_accept),
    "campaign": (CITY_HALL, after("campaign", money=40)),
    "tax": (CITY_HALL, after("tax")),
    "buy": (CITY_HALL, after("surveyor", lands={"Q3": "$5", "B6": "$10"})),
    "zoning": (CITY_HALL, city.zoning_board),
    "draft": (CITY_HALL, city.draft),
}
"""What is asked, the game, and its state."""


@cache
def asked(name: str) -> Asked:
    """The position of this name."""
    rules, make = POSITIONS[name]
    state = make()
    while facts := rules.decider.proceed(state):
        state = rules.decider.fold(state, facts)
    seat = min(rules.decider.awaiting(state))
    chairs = [Chair(player=f"p_{number}") for number in range(len(state.players))]
    return Asked(rules, Table(rules.kind, "p_0", "running", 40, chairs, dict(state.options), game=state), seat)

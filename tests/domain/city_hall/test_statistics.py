"""A game in numbers: what adds up over the rounds, whatever is played."""

import pytest

from domain.city_hall import CITY_HALL
from domain.city_hall.rules import events as fact
from domain.city_hall.rules.setup import INFLUENCE, MONEY
from domain.city_hall.rules.statistics import COLUMNS, rows
from tests.domain.city_hall.playouts import VARIANTS, Playout, playouts

GAMES = pytest.mark.parametrize("game", range(len(VARIANTS)), indirect=True)


@pytest.fixture
def game(request: pytest.FixtureRequest) -> Playout:
    """One of the games; they are played when the first of these tests runs."""
    return playouts()[request.param]


COUNTED: dict[int, list[dict[str, int | str]]] = {}


def numbers(game: Playout) -> list[dict[str, int | str]]:
    """Counted once a game."""
    if id(game) not in COUNTED:
        COUNTED[id(game)] = rows(CITY_HALL.decider.copy(game.start), game.facts)
    return COUNTED[id(game)]


def column(game: Playout, name: str, seat: int) -> list[int]:
    return [int(row[name]) for row in numbers(game) if row["seat"] == seat]


@GAMES
def test_there_is_a_row_for_the_setup_and_every_round_and_seat_with_every_column(game):
    found = numbers(game)
    rounds = range(game.end.round + 1)
    assert [(row["round"], row["seat"]) for row in found] == [(r, seat) for r in rounds for seat in range(game.players)]
    assert all(list(row) == ["round", "seat", *COLUMNS] for row in found)
    assert all(row["money_gained"] >= MONEY for row in found[: game.players])


@GAMES
def test_ch12_the_last_rows_are_the_final_result(game):
    result = game.end.result
    assert result is not None
    last = numbers(game)[-game.players :]
    assert [row["votes"] for row in last] == result.votes
    assert [row["base_votes"] for row in last] == result.base_votes
    assert sum(int(row["endorsements"]) for row in last) == sum(it is not None for it in result.endorsements.values())
    for name in ("money", "influence", "population", "approval"):
        assert [row[name] for row in last] == [getattr(player, name) for player in game.end.players]
    assert all(row["votes"] == 0 for row in numbers(game)[: -game.players])


@GAMES
@pytest.mark.parametrize("what", ["money", "influence"])
def test_ch2_what_is_gained_and_spent_is_what_is_held(game, what):
    for seat in range(game.players):
        flows = (column(game, f"{what}{end}", seat) for end in ("_gained", "_spent", ""))
        held = 0
        for gained, spent, now in zip(*flows, strict=True):
            held += gained - spent
            assert held == now


@GAMES
def test_ch8_taxes_and_prices_are_in_the_flow_of_money(game):
    for seat in range(game.players):
        got = paid = 0
        for event in game.facts:
            if getattr(event, "seat", None) != seat:
                continue
            match event:
                case fact.TaxesCollected(money=money) | fact.LandDrafted(money=money):
                    got += money
                case fact.CampaignRun(money=money):
                    paid += money
                case fact.LandBought():
                    got, paid = got + event.received, paid + event.paid
                case fact.InfluenceLobbied():
                    got, paid = got + max(0, event.received - event.paid), paid + max(0, event.paid - event.received)
        assert sum(column(game, "money_gained", seat)) == MONEY + got
        assert sum(column(game, "money_spent", seat)) == paid


@GAMES
def test_ch7_offices_are_those_controlled(game):
    controlled = [event.seat for event in game.facts if isinstance(event, fact.OfficeControlled)]
    for seat in range(game.players):
        assert sum(column(game, "offices", seat)) == controlled.count(seat)
    per_round = [row["offices"] for row in numbers(game)[: game.players]]
    assert set(per_round) == {0}, "nobody controls an Office in the setup"


@GAMES
def test_ch9_lands_hold_the_buildings_and_parks(game):
    for row in numbers(game):
        assert int(row["buildings"]) + int(row["parks"]) <= int(row["lands"])
    built = [space for space in game.end.lands.values() if space.permit is not None]
    last = numbers(game)[-game.players :]
    assert sum(int(row["buildings"]) + int(row["parks"]) for row in last) == len(built)
    assert sum(int(row["stars"]) for row in last) == sum(space.stars or 0 for space in built)


def test_a_game_that_broke_off_is_counted_as_far_as_it_went():
    game = playouts()[0]
    end = next(place for place, event in enumerate(game.facts) if isinstance(event, fact.RoundBegan))
    found = rows(CITY_HALL.decider.copy(game.start), game.facts[:end])
    assert [row["round"] for row in found] == [0, 0]
    assert sum(int(row["influence"]) for row in found) == 2 * INFLUENCE + 1
    assert rows(CITY_HALL.decider.copy(game.start), []) == []

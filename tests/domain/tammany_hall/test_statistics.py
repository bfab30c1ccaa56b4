"""A game in numbers: what adds up over the terms, whatever is played."""

import pytest

from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules import events as fact
from domain.tammany_hall.rules.board import SLANDER_CHIPS
from domain.tammany_hall.rules.statistics import COLUMNS, rows
from tests.domain.tammany_hall.playouts import VARIANTS, Playout, playouts

GAMES = pytest.mark.parametrize("game", range(len(VARIANTS)), indirect=True)


@pytest.fixture
def game(request: pytest.FixtureRequest) -> Playout:
    """One of the games; they are played when the first of these tests runs."""
    return playouts()[request.param]


COUNTED: dict[int, list[dict[str, int | str]]] = {}


def numbers(game: Playout) -> list[dict[str, int | str]]:
    """Counted once a game."""
    if id(game) not in COUNTED:
        COUNTED[id(game)] = rows(TAMMANY_HALL.decider.copy(game.start), game.facts)
    return COUNTED[id(game)]


def column(game: Playout, name: str, seat: int) -> list[int]:
    return [int(row[name]) for row in numbers(game) if row["seat"] == seat]


@GAMES
def test_there_is_a_row_for_every_term_and_seat_with_every_column(game):
    found = numbers(game)
    seats = range(game.players)
    assert [(row["term"], row["seat"]) for row in found] == [(term, seat) for term in (1, 2, 3, 4) for seat in seats]
    assert all(list(row) == ["term", "seat", *COLUMNS] for row in found)


@GAMES
def test_th13_the_points_of_all_terms_and_of_the_final_scoring_are_the_final_scores(game):
    result = TAMMANY_HALL.decider.result(game.end)
    assert result is not None
    for seat, score in enumerate(result["scores"]):
        parts = (column(game, name, seat) for name in ("vp_wards", "vp_mayor", "vp_final"))
        assert sum(map(sum, parts)) == column(game, "vp", seat)[-1] == score
        running = [sum(column(game, name, seat)[:3]) for name in ("vp_wards", "vp_mayor")]
        assert column(game, "vp", seat)[2] == sum(running)


@GAMES
def test_favor_chips_gained_and_spent_are_those_held(game):
    for seat in range(game.players):
        held = 0
        flows = zip(*(column(game, name, seat) for name in ("chips_gained", "chips_spent", "chips")), strict=True)
        for gained, spent, now in flows:
            held += gained - spent
            assert held == now
        bid = sum(
            sum(event.bids.get(str(seat), {}).values()) for event in game.facts if isinstance(event, fact.BidsRevealed)
        )
        paid = sum(event.chips for event in game.facts if isinstance(event, fact.BossSlandered) and event.seat == seat)
        assert sum(column(game, "chips_spent", seat)) == bid + paid


@GAMES
def test_th8_slander_chips_used_are_those_that_are_gone(game):
    for seat, player in enumerate(game.end.players):
        assert sum(column(game, "slanders", seat)) == SLANDER_CHIPS - player.slander


@GAMES
def test_th9_wards_and_votes_are_those_of_the_elections(game):
    resolved = [event for event in game.facts if isinstance(event, fact.WardResolved | fact.BidsRevealed)]
    for seat in range(game.players):
        assert sum(column(game, "wards", seat)) == sum(event.winner == seat for event in resolved)
        assert sum(column(game, "votes", seat)) == sum(event.votes.get(str(seat), 0) for event in resolved)


@GAMES
def test_th12_offices_are_those_given_after_each_election(game):
    elected = [event for event in game.facts if isinstance(event, fact.MayorElected)]
    given = [event for event in game.facts if isinstance(event, fact.OfficesAssigned)]
    mayors = [(row["term"], row["seat"]) for row in numbers(game) if row["office"] == "mayor"]
    assert mayors == [(term, event.mayor) for term, event in enumerate(elected, 1) if event.mayor is not None]
    titles = sum(row["office"] not in ("", "mayor") for row in numbers(game))
    assert titles == sum(len(event.offices) for event in given)


def test_a_game_that_broke_off_is_counted_as_far_as_it_went():
    game = playouts()[0]
    end = next(place for place, event in enumerate(game.facts) if isinstance(event, fact.GardenReturned))
    found = rows(TAMMANY_HALL.decider.copy(game.start), game.facts[:end])
    assert {row["term"] for row in found} == {1}
    assert {row["wards"] for row in found} == {0}
    assert rows(TAMMANY_HALL.decider.copy(game.start), []) == []

"""A bot on the client that openapi-python-client generates: it opens a game, sits on every seat, plays to the end.

python bot.py BASE_URL RULESET TOKEN TOKEN …
"""

import random
import sys

from wclient.api.actions import list_actions
from wclient.api.games import get_game, open_game, take_seat
from wclient.api.moves import play_moves
from wclient.client import AuthenticatedClient
from wclient.models import (
    Actions,
    CityHallGame,
    MoveByActions,
    Moved,
    Opening,
    OpeningRuleset,
    Sitting,
    TammanyHallGame,
)

Game = TammanyHallGame | CityHallGame


def play(base: str, kind: str, tokens: list[str]) -> Game:
    """Play one game at random, from every seat. Raises RuntimeError for a problem."""
    dice = random.Random(1)
    seats = [AuthenticatedClient(base_url=base, token=token) for token in tokens]
    game = expect_game(open_game.sync(client=seats[0], body=Opening(ruleset=OpeningRuleset(kind), seats=len(seats))))
    for seat in seats[1:]:
        game = expect_game(take_seat.sync(game.id, client=seat, body=Sitting()))
    while game.awaiting:
        client = seats[game.awaiting[0]]
        legal = list_actions.sync(game.id, client=client)
        if not isinstance(legal, Actions):
            raise RuntimeError(legal)
        move = MoveByActions(actions=[dice.choice(legal.actions).action])
        done = play_moves.sync(game.id, client=client, body=move, if_match=f'"{legal.version}"')
        if not isinstance(done, Moved):
            raise RuntimeError(done)
        game = done.game
    return expect_game(get_game.sync(game.id, client=seats[0]))


def expect_game(answer: object) -> Game:
    """The game that was answered. Raises RuntimeError for a problem."""
    if not isinstance(answer, TammanyHallGame | CityHallGame):
        raise RuntimeError(answer)
    return answer


def points(game: Game) -> list[int]:
    """What each seat has in the end: points in Tammany Hall, votes in City Hall."""
    if isinstance(game, TammanyHallGame):
        return [seat.vp for seat in game.state.seats] if game.state else []
    return game.state.result.votes if game.state and game.state.result else []


if __name__ == "__main__":
    ended = play(sys.argv[1], sys.argv[2], sys.argv[3:])
    print(ended.status.value, points(ended))

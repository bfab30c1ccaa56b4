"""The end of the game: final scoring and the winners (TH-13)."""

from domain.engine.game import Event, Seat
from domain.tammany_hall.rules.board import INDEX
from domain.tammany_hall.rules.events import GameScored, evolves
from domain.tammany_hall.rules.mayor import break_tie, chips_of, most
from domain.tammany_hall.rules.options import option
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.rules.turns import lift_locks

MAJORITY = 2
Line = dict[str, int | str]


def score_game(state: State) -> list[Event]:
    """The locks come off (TH-7.14), then the final scoring line by line and the winners (TH-13)."""
    lines = scoring_lines(state)
    scores = [sum(int(line["vp"]) for line in lines if line["seat"] == seat) for seat in range(len(state.players))]
    return [*lift_locks(state), GameScored(lines, scores, winners(state, scores))]


def scoring_lines(state: State) -> list[Line]:
    """What each seat had, and scores for majorities (TH-13.2) and slander chips (TH-13.4)."""
    seats = list(range(len(state.players)))
    lines: list[Line] = [{"seat": seat, "for": "elections", "vp": state.players[seat].vp} for seat in seats]
    for colour, index in INDEX.items():
        best = most(seats, chips_of(state, index))
        if state.players[best[0]].chips[index] or option(state, "end-zero") == "all":
            lines += [{"seat": seat, "for": colour, "vp": MAJORITY} for seat in best]
    chips = [(seat, state.players[seat].slander) for seat in seats]
    return lines + [{"seat": seat, "for": "slander", "vp": left} for seat, left in chips if left]


def winners(state: State, scores: list[int]) -> list[Seat]:
    """The most points; ties by chips, then the mayor from among those left, else they share (TH-13.5 to TH-13.7).

    In the variant `final-tie=mayor-wins` the mayor need not be among those left.
    """
    left = break_tie(state, most(list(range(len(scores))), scores.__getitem__))
    if len(left) == 1 or state.mayor is None:
        return left
    return [state.mayor] if state.mayor in left or option(state, "final-tie") == "mayor-wins" else left


@evolves(GameScored)
def game_scored(state: State, event: GameScored) -> None:
    """The game is over."""
    for player, points in zip(state.players, event.scores, strict=True):
        player.vp = points
    state.lines = event.lines
    state.winners = event.winners
    state.phase = "over"
